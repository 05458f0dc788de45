// Before anything is drawn, so that a page that is to be dark does not flash white. No module: it must not wait.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("latchkey.theme");
  } catch {
    // Storage is forbidden: the system's choice holds.
  }
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.setAttribute("data-theme", chosen);
  }
})();
