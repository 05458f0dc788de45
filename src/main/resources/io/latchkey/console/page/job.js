import { h, name, visible } from "./dom.js";
import { absolute, clock, duration, plural, relative, shownZone } from "./format.js";
import { button } from "./actions.js";
import { cell } from "./cluster.js";
import { fireState, firstLine, outcomeChip, states, trend } from "./jobs.js";

/** One job, whole. */
export function jobView(job, history) {
  return [
    h("p", { class: "back" }, h("a", { href: "#/" }, "← All jobs")),
    h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "head" },
        h("h1", { id: "job-title", tabindex: "-1" }, name(job.job)),
        h(
          "div",
          { class: "buttons" },
          button("Run", "trigger", { job: job.job }, "Run it once, now"),
          job.paused ? button("Resume", "resume", { job: job.job }, "Let it start again") : button("Pause", "pause", { job: job.job }, "Let it start no more"),
        ),
      ),
      job.conf?.description && h("p", {}, visible(job.conf.description)),
      h("div", { class: "now" }, states(job)),
      conf(job.conf, job.recent),
    ),
    h("section", { class: "card", "aria-labelledby": "triggers-title" }, h("h2", { id: "triggers-title" }, "Triggers"), triggers(job)),
    h("section", { class: "card", "aria-labelledby": "history-title" }, h("h2", { id: "history-title" }, "History"), historyView(history, job)),
  ];
}

export function missingView(text) {
  return [h("p", { class: "back" }, h("a", { href: "#/" }, "← All jobs")), h("section", { class: "card" }, h("p", {}, "There is no job ", name(text), "."))];
}

function conf(it, recent) {
  if (!it) {
    return h("p", { class: "dim" }, "The configuration of the instance that answers has no such job.");
  }
  const data = Object.entries(it.data);
  return h(
    "dl",
    { class: "facts" },
    fact("Latest runs", trend(recent)),
    fact("Class", h("code", {}, visible(it.type))),
    fact("Runs", it.concurrent ? "may overlap" : "never overlap"),
    fact("When its instance dies", it.recover ? "run again" : "recorded as abandoned"),
    data.length > 0 &&
      fact(
        "Data",
        data.map(([key, value]) => h("div", {}, h("code", {}, visible(key)), " ", h("span", { class: value === "(hidden)" && "dim" }, visible(value ?? "")))),
      ),
  );
}

function fact(title, ...content) {
  return h("div", {}, h("dt", {}, title), h("dd", {}, content));
}

function triggers(job) {
  const configured = new Map((job.conf?.triggers ?? []).map((one) => [one.trigger, one]));
  const known = new Map(job.triggers.map((one) => [one.trigger, one]));
  const all = [...new Set([...known.keys(), ...configured.keys()])];
  if (all.length === 0) {
    return h("p", { class: "dim" }, "None: it runs when it is asked for.");
  }
  return h(
    "table",
    { class: "list" },
    h("caption", { class: "unseen" }, "Triggers of this job"),
    h("thead", {}, h("tr", {}, ["Trigger", "Schedule", "When missed", "Next fires", "Last fire", ""].map((t) => h("th", { scope: "col" }, t || h("span", { class: "unseen" }, "Actions"))))),
    h("tbody", {}, all.map((key) => trigger(key, known.get(key), configured.get(key)))),
  );
}

function trigger(key, state, it) {
  return h(
    "tr",
    { "data-key": `t-${key}` },
    cell(
      "Trigger",
      h("b", {}, name(key)),
      state?.paused && h("div", {}, h("span", { class: "chip warn" }, "paused")),
      state?.orphanedSince && h("div", {}, h("span", { class: "chip plain" }, "orphaned"), " ", relative(state.orphanedSince)),
      state?.onHold && hold(state.onHold),
      it?.description && h("div", { class: "dim" }, visible(it.description)),
    ),
    cell("Schedule", it ? [h("code", {}, visible(it.schedule)), it.zone && h("div", { class: "dim" }, visible(it.zone))] : "–"),
    cell("When missed", it ? it.misfire.toLowerCase().replaceAll("_", " ") : "–"),
    cell("Next fires", nextFires(state, it)),
    cell(
      "Last fire",
      state?.previous ? [clock(state.previous), " ", h("span", { class: "dim" }, relative(state.previous))] : "–",
      state && h("div", { class: "dim" }, `fired ${plural(state.timesFired, "time")}`),
    ),
    h("td", { class: "end" }, h("div", { class: "buttons" }, state?.paused || state?.onHold ? button("Resume", "resume", { trigger: key }, "Let it fire again") : button("Pause", "pause", { trigger: key }, "Let it fire no more"))),
  );
}

function hold(it) {
  return h(
    "div",
    {},
    h("span", { class: "chip warn" }, "on hold"),
    ` ${plural(it.slots, "slot")} missed since ${absolute(it.first)}; resume runs ${it.runs}, skips ${it.skips}`,
  );
}

function nextFires(state, it) {
  const times = it && it.next.length > 0 ? it.next : state?.next ? [state.next] : [];
  if (times.length === 0) {
    return h("span", { class: "dim" }, state?.next === undefined && state ? "finished" : "–");
  }
  const other = it?.zone && it.zone !== shownZone() && !(it.zone === "UTC" && shownZone() === "Etc/UTC");
  const line = (at) => [absolute(at), other && h("span", { class: "dim" }, ` (${absolute(at, it.zone)} ${visible(it.zone)})`)];
  return [
    h("div", {}, relative(times[0], "due"), " ", h("span", { class: "dim" }, line(times[0]))),
    times.length > 1 && h("details", {}, h("summary", {}, `then ${times.length - 1} more`), h("ol", { class: "times" }, times.slice(1).map((at) => h("li", {}, line(at))))),
  ];
}

function historyView(history, job) {
  if (!history) {
    return h("p", { class: "dim" }, "Reading…");
  }
  const now = job.running.map((fire) =>
    h("tr", { "data-key": `n-${fire.fire}-${fire.attempt}` }, h("td", { colspan: 7 }, h("div", {}, fireState(fire), h("span", { class: "dim" }, " due "), clock(fire.slot), h("span", { class: "dim" }, ` term ${fire.term}`)))),
  );
  if (history.outcomes.length === 0 && now.length === 0) {
    return h("p", { class: "dim" }, "Nothing has been recorded yet.");
  }
  return [
    h(
      "table",
      { class: "list flow history" },
      h("caption", { class: "unseen" }, "Outcomes, the newest first"),
      h("thead", {}, h("tr", {}, ["Decided", "Outcome", "Due", "Took", "Where", "Term", "Attempt"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, now, history.outcomes.map(outcome)),
    ),
    history.total > history.outcomes.length && h("p", { class: "dim" }, `The latest ${history.outcomes.length} of ${plural(history.total, "outcome")} that are kept. `, h("button", { type: "button", "data-action": "more" }, "Show more")),
  ];
}

function outcome(it) {
  const key = `o-${it.fire}-${it.attempt}-${it.at}`;
  const skipped = it.kind === "SKIPPED";
  const rows = [
    h(
      "tr",
      { "data-key": key },
      cell("Decided", clock(it.at), " ", h("span", { class: "dim" }, relative(it.at))),
      cell(
        "Outcome",
        outcomeChip(it.kind),
        it.slots > 1 && h("span", { class: "dim" }, ` for ${plural(it.slots, "slot")}`),
        it.catchUp && h("span", { class: "dim" }, " caught up"),
        it.retried && h("span", { class: "dim" }, " tried again"),
      ),
      cell("Due", it.firstSlot && it.firstSlot !== it.slot ? [clock(it.firstSlot), " – "] : "", clock(it.slot)),
      cell("Took", skipped ? "–" : duration(it.ranMillis)),
      cell("Where", name(it.instance)),
      cell("Term", it.term),
      cell("Attempt", it.attempt),
    ),
  ];
  if (it.error || it.output) {
    rows.push(h("tr", { "data-key": `${key}-x`, class: "more" }, h("td", { colspan: 7 }, told(it))));
  }
  return rows;
}

/** Its error in a line, and the whole of it, with what it had to say, for who opens it. */
function told(it) {
  const error = it.error ?? "";
  const line = firstLine(error);
  if (error.trim() === line && !it.output) {
    return h("div", { class: "problem" }, visible(line));
  }
  return h(
    "details",
    {},
    h("summary", { class: error && "problem" }, error ? visible(line) : "output"),
    error.trim() !== line && h("pre", { class: "problem" }, multiline(error)),
    it.output && h("pre", { "aria-label": "The end of its output" }, multiline(it.output)),
  );
}

function multiline(text) {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n").map(visible).join("\n");
}
