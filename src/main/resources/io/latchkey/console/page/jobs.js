import { h, name, s, visible } from "./dom.js";
import { absolute, duration, plural, relative, shownZone } from "./format.js";
import { button } from "./actions.js";
import { cell } from "./cluster.js";

export const OUTCOME = {
  SUCCEEDED: { kind: "good", word: "succeeded" },
  FAILED: { kind: "bad", word: "failed" },
  INTERRUPTED: { kind: "warn", word: "interrupted" },
  ABANDONED: { kind: "bad", word: "abandoned" },
  RECOVERED: { kind: "recovered", word: "recovered" },
  SKIPPED: { kind: "plain", word: "skipped" },
};

export function outcomeChip(kind) {
  const it = OUTCOME[kind] ?? { kind: "plain", word: visible(kind) };
  return h("span", { class: `chip ${it.kind}` }, it.word);
}

export function jobLink(job) {
  return h("a", { href: `#/job/${encodeURIComponent(job)}` }, name(job));
}

export function jobsView(page) {
  if (page.jobs.length === 0) {
    return h("p", { class: "dim empty" }, page.total === 0 ? "No job is like that." : "This page is beyond the last one.");
  }
  return h(
    "table",
    { class: "list jobs" },
    h("caption", { class: "unseen" }, "Jobs"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Job", "State", "Schedule", "Next fire", "Last outcome", "Runs", "Actions"].map((title) =>
          h("th", { scope: "col", class: title === "Actions" && "end" }, title === "Actions" ? h("span", { class: "unseen" }, title) : title),
        ),
      ),
    ),
    h("tbody", {}, page.jobs.map((job) => row(job, page.allPaused))),
  );
}

function row(job, allPaused) {
  return h(
    "tr",
    { "data-key": job.job },
    cell("Job", h("b", {}, jobLink(job.job))),
    cell("State", states(job)),
    cell("Schedule", schedule(job)),
    cell("Next fire", next(job)),
    cell("Last outcome", last(job)),
    cell("Runs", trend(job.recent)),
    h(
      "td",
      { class: "end" },
      h(
        "div",
        { class: "buttons" },
        button("Run", "trigger", { job: job.job }, "Run it once, now"),
        !allPaused &&
          (job.paused || held(job)
            ? button("Resume", "resume", { job: job.job }, "Let it start again")
            : button("Pause", "pause", { job: job.job }, "Let it start no more")),
      ),
    ),
  );
}

function held(job) {
  return job.triggers.some((one) => one.onHold);
}

/** How a job stands: all that is true of it. */
export function states(job) {
  const out = job.running.map(fireState);
  if (job.paused) {
    out.push(h("span", { class: "chip warn" }, "paused"));
  } else if (job.triggers.some((one) => one.paused)) {
    const some = job.triggers.filter((one) => one.paused).length;
    out.push(h("span", { class: "chip warn" }, `${some} of ${plural(job.triggers.length, "trigger")} paused`));
  }
  for (const one of job.triggers.filter((each) => each.onHold)) {
    out.push(h("span", { class: "chip warn", title: `Missed since ${absolute(one.onHold.first)}; resume runs ${one.onHold.runs} and skips ${one.onHold.skips}` }, `on hold, ${one.onHold.slots} missed`));
  }
  if (job.triggers.some((one) => one.orphanedSince)) {
    out.push(h("span", { class: "chip plain", title: "The leader's configuration has it no more" }, "orphaned"));
  }
  return out.length === 0 ? h("span", { class: "dim" }, job.triggers.some((one) => one.next) ? "idle" : "not scheduled") : out.map((one) => h("div", {}, one));
}

export function fireState(fire) {
  switch (fire.state) {
    case "RUNNING":
      return [h("span", { class: "chip running" }, "running"), " on ", name(fire.instance), " for ", relative(fire.since, "for"), fire.attempt > 1 && h("span", { class: "dim" }, ` attempt ${fire.attempt}`)];
    case "WAITING":
      return [h("span", { class: "chip warn" }, "retry"), " ", fire.retryAt ? relative(fire.retryAt, "due") : "", h("span", { class: "dim" }, ` attempt ${fire.attempt} failed`)];
    case "OWNER_GONE":
      return [h("span", { class: "chip bad" }, "instance gone"), " ", name(fire.instance), h("span", { class: "dim" }, " the leader decides")];
    default:
      return [h("span", { class: "chip warn" }, "given back"), h("span", { class: "dim" }, " the leader runs it")];
  }
}

function schedule(job) {
  const triggers = job.conf?.triggers ?? [];
  if (triggers.length === 0) {
    return h("span", { class: "dim" }, job.conf ? "on demand" : "not configured here");
  }
  const order = job.triggers.map((one) => one.trigger);
  const first = [...triggers].sort((a, b) => place(order, a) - place(order, b))[0];
  return [
    h("code", {}, visible(first.schedule)),
    first.zone && [" ", h("span", { class: "dim still" }, visible(first.zone))],
    triggers.length > 1 && h("span", { class: "dim" }, ` +${triggers.length - 1}`),
  ];
}

function place(order, trigger) {
  const at = order.indexOf(trigger.trigger);
  return at < 0 ? order.length : at;
}

function next(job) {
  const trigger = job.triggers.find((one) => one.next && !one.paused && !one.orphanedSince && !one.onHold);
  if (!trigger) {
    return h("span", { class: "dim" }, "–");
  }
  return [relative(trigger.next, "due"), " ", h("span", { class: "dim still", title: shownZone() }, absolute(trigger.next))];
}

function last(job) {
  const it = job.last;
  if (!it) {
    return h("span", { class: "dim" }, "never ran");
  }
  return [
    outcomeChip(it.kind),
    " ",
    relative(it.at),
    it.kind !== "SKIPPED" && h("span", { class: "dim" }, ` took ${duration(it.ranMillis)}`),
    it.error && h("div", { class: "cut problem", title: visible(it.error) }, visible(firstLine(it.error))),
  ];
}

export function firstLine(text) {
  return text.split("\n", 1)[0];
}

/** How long the latest runs took, the oldest on the left; what ended badly stands out. */
export function trend(recent) {
  const runs = recent.filter((one) => one.kind !== "SKIPPED").reverse();
  if (runs.length === 0) {
    return h("span", { class: "dim" }, "–");
  }
  const longest = Math.max(...runs.map((one) => one.ranMillis), 1);
  const shortest = Math.min(...runs.map((one) => one.ranMillis));
  const bad = runs.filter((one) => one.kind !== "SUCCEEDED").length;
  const text =
    `The latest ${plural(runs.length, "run")}: ${duration(shortest)} to ${duration(longest)}, the last ${duration(runs[runs.length - 1].ranMillis)}` +
    (bad > 0 ? `; ${bad} did not succeed` : "");
  return s(
    "svg",
    { class: "trend", viewBox: "0 0 100 20", width: 100, height: 20, role: "img", "aria-label": text },
    s("title", {}, text),
    runs.map((one, i) => {
      const height = Math.max(2, Math.round((one.ranMillis / longest) * 19));
      return s("rect", { x: i * 5, y: 20 - height, width: 4, height, class: OUTCOME[one.kind]?.kind ?? "plain" });
    }),
  );
}

export function pagesView(page) {
  if (page.total === 0) {
    return null;
  }
  const last = Math.max(0, Math.ceil(page.total / page.limit) - 1);
  const at = Math.floor(page.offset / page.limit);
  const to = (text, target, label) =>
    h("button", { type: "button", "data-action": "page", "data-page": target, "aria-label": label, disabled: target < 0 || target > last || target === at }, text);
  return [
    h("span", { class: "dim" }, `${(page.offset + 1).toLocaleString("en")}–${Math.min(page.total, page.offset + page.limit).toLocaleString("en")} of ${plural(page.total, "job")}`),
    last > 0 && [to("«", 0, "First page"), to("‹", at - 1, "Page before"), h("span", { class: "dim" }, `${at + 1} / ${last + 1}`), to("›", at + 1, "Next page"), to("»", last, "Last page")],
  ];
}

