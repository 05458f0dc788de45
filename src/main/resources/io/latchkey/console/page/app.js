import { h, show, visible } from "./dom.js";
import { keep, localZone, now, shownZone, switchZone, tick } from "./format.js";
import { read, Refused, Unreachable } from "./api.js";
import { Live } from "./live.js";
import * as actions from "./actions.js";
import { auditView, banners, bannersView, instancesView, leaderView, liveView } from "./cluster.js";
import { jobsView, pagesView } from "./jobs.js";
import { jobView, missingView } from "./job.js";
import { Timeline } from "./timeline.js";

const PAGE = 50;
/** The heavier a part, the longer it rests. */
const REST = { cluster: 0, jobs: 700, job: 700, timeline: 2500, audit: 1000 };
const IN = {
  cluster: ["cluster"],
  jobs: ["jobs", "job", "timeline", "audit"],
  running: ["jobs", "job", "timeline"],
  history: ["jobs", "job", "timeline", "audit"],
  requests: ["audit"],
};

const element = (id) => document.getElementById(id);
const state = { heard: Date.now(), versions: {}, query: { q: "", state: "", sort: "name", page: 0 }, outcomes: 50 };
const can = { reload: false };
const loading = new Map();
const timeline = new Timeline();
const live = new Live(changed, probe, drawTop);
let spoken = "";

function changed(event) {
  const due = new Set();
  for (const [part, version] of Object.entries(event.versions)) {
    if (state.versions[part] !== version) {
      (IN[part] ?? ["jobs", "timeline"]).forEach((one) => due.add(one));
    }
  }
  if (event.stale !== state.stale) {
    due.add("cluster");
  }
  state.versions = event.versions;
  state.stale = event.stale;
  due.forEach(load);
  drawTop();
}

const PATHS = {
  cluster: () => "api/v1/cluster",
  jobs: () => {
    const { q, state: which, sort, page } = state.query;
    const query = new URLSearchParams({ limit: PAGE, offset: page * PAGE, sort });
    if (q) {
      query.set("q", q);
    }
    if (which) {
      query.set("state", which);
    }
    return `api/v1/jobs?${query}`;
  },
  job: () => `api/v1/jobs?${new URLSearchParams({ job: state.job, limit: 1 })}`,
  history: () => `api/v1/history?${new URLSearchParams({ job: state.job, limit: state.outcomes })}`,
  timeline: () => `api/v1/timeline?${new URLSearchParams(state.query.q ? { q: state.query.q } : {})}`,
  audit: () => "api/v1/audit",
};

function wanted(part) {
  return part === "cluster" || (state.job === null ? part !== "job" : part === "job");
}

/** Reads a part and shows it; one read of each at a time, and none sooner than its rest is over. */
async function load(part) {
  if (!wanted(part)) {
    return;
  }
  const before = loading.get(part);
  if (before) {
    before.again = true;
    return;
  }
  const it = { again: false };
  loading.set(part, it);
  try {
    await fetchPart(part);
  } finally {
    setTimeout(() => {
      loading.delete(part);
      if (it.again) {
        load(part);
      }
    }, REST[part]);
  }
}

async function fetchPart(part) {
  const path = PATHS[part]();
  try {
    const [answer, history] = await Promise.all([read(path), part === "job" ? read(PATHS.history()) : null]);
    if (path !== PATHS[part]() || !wanted(part)) {
      return;
    }
    state.heard = now();
    state.problem = "";
    state[`${part}Answer`] = answer;
    if (history) {
      state.history = history;
    }
    draw(part);
  } catch (failure) {
    if (failure instanceof Refused) {
      if (part === "cluster") {
        state.problem = `${failure.message}; ${failure.remedy}`;
      }
      drawTop();
    } else if (failure instanceof Unreachable) {
      live.watch();
    } else {
      throw failure;
    }
  }
}

/** Whether the instance is there. What it says may be that nothing is known. */
async function probe() {
  try {
    const answer = await read("api/v1/cluster");
    state.clusterAnswer = answer;
    state.problem = "";
    state.heard = now();
    draw("cluster");
    return true;
  } catch (failure) {
    if (failure instanceof Refused) {
      state.problem = `${failure.message}; ${failure.remedy}`;
      return true;
    }
    return false;
  }
}

function drawTop() {
  const answer = state.clusterAnswer;
  if (answer) {
    const several = answer.cluster.instances.filter((one) => one.role === "leading").length > 1;
    state.severalSince = several ? (state.severalSince ?? Date.now()) : null;
    actions.allow(answer.actions !== false);
  }
  const list = banners({ ...state, cluster: answer, jobs: state.jobsAnswer }, live);
  show(element("banners"), bannersView(list));
  show(element("live"), liveView({ cluster: answer }, live));
  show(element("operator"), actions.operatorView());
  const grave = list.filter((one) => one.level === "bad").map((one) => one.title);
  const words = grave.join(". ");
  if (words !== spoken) {
    // Only what is new is read out, not the ages in it.
    element("alerts").textContent = words || (spoken ? "All is well again." : "");
    spoken = words;
  }
  const leader = answer?.cluster.leader;
  document.title = grave.length > 0 ? `! ${grave[0]} – Latchkey` : leader ? `${visible(leader.instance)} leads – Latchkey` : "Latchkey";
}

function draw(part) {
  drawTop();
  const cluster = state.clusterAnswer?.cluster;
  if (part === "cluster" && cluster) {
    show(element("leader"), leaderView(cluster, can));
    show(element("instances"), instancesView(cluster, state.clusterAnswer.answeredBy));
  }
  if (part === "jobs") {
    drawJobs(state.jobsAnswer);
  }
  if (part === "audit") {
    element("audit-section").hidden = state.auditAnswer.actions.length === 0;
    show(element("audit"), auditView(state.auditAnswer.actions));
  }
  if (part === "job") {
    const job = state.jobAnswer.jobs[0];
    show(element("job"), job ? jobView(job, state.history) : missingView(state.job));
  }
  if ((part === "timeline" || part === "cluster") && state.job === null) {
    timeline.draw(state.timelineAnswer, cluster);
  }
}

function drawJobs(page) {
  if (page.jobs.length === 0 && page.total > 0) {
    go({ page: Math.floor((page.total - 1) / PAGE) });
    return;
  }
  show(element("jobs"), jobsView(page));
  show(element("pages"), pagesView(page));
  show(
    element("all-actions"),
    page.allPaused ? actions.button("Resume all", "resumeAll", {}, "All triggers fire again") : actions.button("Pause all", "pauseAll", {}, "No trigger fires"),
  );
}

/** What is looked for is part of the address, so that it can be handed on. */
function go(change) {
  const query = { ...state.query, ...change };
  const out = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value && !(key === "sort" && value === "name")) {
      out.set(key, value);
    }
  }
  const text = out.toString();
  history.replaceState(null, "", text ? `#/?${text}` : "#/");
  route();
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function route() {
  const hash = location.hash;
  if (hash && !hash.startsWith("#/")) {
    return;
  }
  const before = state.job;
  state.job = hash.startsWith("#/job/") ? decode(hash.slice(6)) : null;
  if (state.job === null) {
    const given = new URLSearchParams(hash.slice(hash.indexOf("?") + 1 || hash.length));
    const page = Number(given.get("page"));
    const one = (id, otherwise) => ([...element(id).options].some((option) => option.value === given.get(id)) ? given.get(id) : otherwise);
    state.query = {
      q: given.get("q") ?? "",
      state: one("state", ""),
      sort: one("sort", "name"),
      page: Number.isInteger(page) && page > 0 && page < 20_000 ? page : 0,
    };
    fillFilters();
    load("jobs");
    load("timeline");
    load("audit");
  } else if (state.job !== before) {
    state.outcomes = 50;
    state.history = null;
    state.jobAnswer = null;
    show(element("job"), h("p", { class: "dim" }, "Reading…"));
    load("job");
  }
  element("overview").hidden = state.job !== null;
  element("job").hidden = state.job === null;
  if (before !== undefined && before !== state.job) {
    scrollTo(0, 0);
    element("main").focus({ preventScroll: true });
  }
}

function fillFilters() {
  for (const [id, value] of [["search", state.query.q], ["state", state.query.state], ["sort", state.query.sort]]) {
    if (element(id).value !== value && document.activeElement !== element(id)) {
      element(id).value = value;
    }
  }
}

const CLICKS = {
  skip: (button, event) => {
    event.preventDefault();
    element("main").focus();
  },
  theme: () => {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    keep("latchkey.theme", dark ? "light" : "dark");
    drawTools();
  },
  zone: () => {
    switchZone();
    drawTools();
    ["cluster", "jobs", "timeline", "audit", "job"].filter((part) => wanted(part) && state[`${part}Answer`]).forEach(draw);
  },
  ask: (button) => actions.ask(button),
  cancel: () => actions.cancel(),
  again: (button) => actions.again(button.dataset.report),
  dismiss: (button) => actions.dismiss(button.dataset.report),
  forget: () => {
    actions.forget();
    drawTop();
  },
  retry: () => live.hurry(),
  page: (button) => go({ page: Number(button.dataset.page) }),
  lanes: () => timeline.all(),
  more: () => {
    state.outcomes = 1000;
    load("job");
  },
};

function drawTools() {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  element("theme").textContent = dark ? "Light" : "Dark";
  element("theme").title = dark ? "Switch to light colours" : "Switch to dark colours";
  element("zone").textContent = shownZone();
  element("zone").title = shownZone() === "UTC" ? `Times are in UTC; switch to ${localZone()}` : `Times are in ${localZone()}; switch to UTC`;
}

function afterAction() {
  drawTop();
  ["cluster", "jobs", "job", "audit"].forEach(load);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (button && CLICKS[button.dataset.action]) {
    CLICKS[button.dataset.action](button, event);
  }
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, dialog");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && state.job === null) {
    event.preventDefault();
    element("search").focus();
  }
});
let typed = 0;
element("search").addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(() => go({ q: element("search").value.trim(), page: 0 }), 200);
});
element("state").addEventListener("change", () => go({ state: element("state").value, page: 0 }));
element("sort").addEventListener("change", () => go({ sort: element("sort").value, page: 0 }));
element("filters").addEventListener("submit", (event) => event.preventDefault());
element("ask").querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  actions.confirm(afterAction);
});
window.addEventListener("hashchange", route);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTools);

setInterval(() => {
  tick();
  live.watch();
  drawTop();
}, 1000);
// The hour goes on though nothing happens in it.
setInterval(() => state.job === null && timeline.draw(state.timelineAnswer, state.clusterAnswer?.cluster), 10_000);

drawTools();
route();
live.open();
read("api/v1/openapi.json").then(
  (document) => {
    can.reload = Boolean(document.paths?.["/api/v1/actions/reload"]);
    draw("cluster");
  },
  () => {
    // Without it there is one button less.
  },
);
