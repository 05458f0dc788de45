import { h, name, show, visible } from "./dom.js";
import { act, newKey, read, Refused, Unreachable } from "./api.js";

const KEPT = "latchkey.token";
const LOOK = [400, 700, 1000, 1500, 2000, 3000];
const LOOKS = 120;

let token = load();
let on = true;
let under = [];
let asked = null;
let count = 0;

const WORDS = {
  trigger: (it) => ["Run ", " now?", it.job, "It runs once, beside its schedule, on whoever leads."],
  pause: (it) => ["Pause ", "?", it.trigger ?? it.job, "It starts no more until it is resumed. What runs goes on."],
  resume: (it) => ["Resume ", "?", it.trigger ?? it.job, "What it missed while paused or on hold is run or skipped as its trigger says."],
  pauseAll: () => ["Pause everything?", "", "", "No trigger of any job fires until everything is resumed. What runs goes on."],
  resumeAll: () => ["Resume everything?", "", "", "All triggers fire again, but those paused one by one."],
  resign: (it) => ["Have ", " resign?", it.instance, "The next instance in the latch leads at once. What runs goes on where it is."],
  reload: () => ["Reload every instance's conf directory?", "", "", "One with errors is refused, and what was in force stays."],
};

const DONE = {
  trigger: "Run",
  pause: "Pause",
  resume: "Resume",
  pauseAll: "Pause everything",
  resumeAll: "Resume everything",
  resign: "Resign",
  reload: "Reload",
};

function load() {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

function keepToken(given) {
  token = given;
  try {
    if (given) {
      sessionStorage.setItem(KEPT, given);
    } else {
      sessionStorage.removeItem(KEPT);
    }
  } catch {
    // In memory, then.
  }
}

/** Whether the instance takes actions at all. */
export function allow(yes) {
  on = yes;
}

/** A button that asks for an action. */
export function button(text, what, target, title) {
  return h(
    "button",
    {
      type: "button",
      "data-action": "ask",
      "data-what": what,
      "data-job": target.job,
      "data-trigger": target.trigger,
      "data-instance": target.instance,
      "aria-label": target.job || target.trigger ? `${text} ${visible(target.job ?? target.trigger)}` : null,
      title: on ? title : "Actions are off: this instance has no http.token-file",
      "aria-disabled": on ? null : "true",
    },
    text,
  );
}

export function operatorView() {
  return token && on
    ? h("button", { type: "button", class: "quiet", "data-action": "forget", title: "Forgets the operator token of this tab" }, "Forget token")
    : null;
}

/** Opens the question for what a button asks for. */
export function ask(element) {
  const { what, job, trigger, instance } = element.dataset;
  if (!on) {
    report(null, "bad", "Actions are off: this instance has no tokens.", "Set http.token-file in its conf, or use the command line.");
    return;
  }
  const target = { job, trigger, instance };
  const [before, after, it, text] = WORDS[what](target);
  asked = { what, target, subject: it, key: newKey(), back: element };
  show(document.getElementById("ask-title"), before, it && name(it), after);
  document.getElementById("ask-text").textContent = text;
  document.getElementById("ask-yes").textContent = DONE[what];
  document.getElementById("ask-problem").textContent = "";
  document.getElementById("ask-token").hidden = token !== "";
  document.getElementById("token").value = "";
  document.getElementById("ask").showModal();
  document.getElementById(token === "" ? "token" : "ask-yes").focus();
}

export function cancel() {
  document.getElementById("ask").close();
}

export function forget() {
  keepToken("");
}

/** The answer to the question was yes. */
export function confirm(changed) {
  const given = document.getElementById("token").value.trim();
  if (token === "" && !/^[\x21-\x7e]+$/.test(given)) {
    document.getElementById("ask-problem").textContent = given ? "That is no token." : "A token is needed.";
    return;
  }
  if (token === "") {
    keepToken(given);
  }
  cancel();
  const it = asked;
  asked = null;
  changed();
  perform(it, changed);
}

function body(it) {
  switch (it.what) {
    case "pauseAll":
    case "resumeAll":
      return { all: true };
    case "resign":
    case "reload":
      return {};
    default:
      return it.target.trigger ? { trigger: it.target.trigger } : { job: it.target.job };
  }
}

function title(it) {
  return [DONE[it.what], it.subject && [" ", name(it.subject)], ": "];
}

async function perform(it, changed, line = report(null, "warn", title(it), "asking…")) {
  try {
    let action = await act(it.what.replace("All", ""), body(it), token, it.key);
    tell(line, it, action);
    for (let i = 0; i < LOOKS && action && (action.state === "WAITING" || action.state === "RUNNING"); i++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK[Math.min(i, LOOK.length - 1)]));
      try {
        action = (await read(`api/v1/requests/${encodeURIComponent(action.id)}`)).action;
        tell(line, it, action);
      } catch (failure) {
        if (!(failure instanceof Unreachable) && failure.status !== 503) {
          throw failure;
        }
      }
    }
  } catch (failure) {
    failed(line, it, failure, changed);
  }
  changed();
}

function tell(line, it, action) {
  if (!action) {
    report(line, "good", title(it), "asked for.");
    return;
  }
  if (it.what === "reload") {
    // Every instance has an answer of its own.
    const bad = action.state === "REFUSED";
    const open = action.state === "WAITING";
    const said = (action.instances || []).flatMap((each, i) => [
      i > 0 && "; ",
      name(each.instance),
      ` ${each.outcome}`,
      each.lines.length > 0 && ` (${each.lines.join(" ")})`,
    ]);
    report(line, bad ? "bad" : open ? "warn" : "good", title(it), said.length > 0 ? [...said, "."] : "asked for.");
    return;
  }
  const by = action.answeredBy ? [" by ", name(action.answeredBy)] : "";
  switch (action.state) {
    case "WAITING":
      report(line, "warn", title(it), "filed; it waits for the leader, or for the next one.");
      break;
    case "RUNNING":
      report(line, "warn", title(it), "it runs.");
      break;
    case "REFUSED":
      report(line, "bad", title(it), ["refused", by, ": the leader's configuration has no such job."]);
      break;
    case "WITHDRAWN":
      report(line, "bad", title(it), ["taken back", by, "."]);
      break;
    default:
      report(
        line,
        action.outcome && action.outcome !== "SUCCEEDED" ? "bad" : "good",
        title(it),
        [action.outcome ? action.outcome.toLowerCase() : "done", by, "."],
      );
  }
}

function failed(line, it, failure, changed) {
  if (failure instanceof Refused) {
    if (failure.status === 401) {
      keepToken("");
    }
    if (failure.status === 403) {
      on = false;
    }
    report(line, "bad", title(it), [visible(failure.message), failure.remedy && `: ${visible(failure.remedy)}`, "."]);
  } else if (!(failure instanceof Unreachable)) {
    throw failure;
  } else {
    report(line, "bad", title(it), "this instance did not answer; it may have been filed. Asked again, it is done once. ");
  }
  if (!(failure instanceof Refused) || failure.status === 503) {
    line.again = () => perform(it, changed, line);
    draw();
  }
}

function report(line, level, what, text) {
  const it = line ?? { key: `r${++count}`, at: Date.now() };
  Object.assign(it, { level, what, text, again: null });
  if (!line) {
    under = [it, ...under].slice(0, 4);
  }
  draw();
  return it;
}

export function again(key) {
  under.find((one) => one.key === key)?.again?.();
}

export function dismiss(key) {
  under = under.filter((one) => one.key !== key);
  draw();
}

function draw() {
  show(
    document.getElementById("reports"),
    under.map((one) =>
      h(
        "div",
        { class: `report ${one.level}`, "data-key": one.key },
        h("p", {}, h("strong", {}, one.what), one.text),
        one.again && h("button", { type: "button", "data-action": "again", "data-report": one.key }, "Ask again"),
        h("button", { type: "button", class: "quiet", "data-action": "dismiss", "data-report": one.key, "aria-label": "Dismiss" }, "×"),
      ),
    ),
  );
}
