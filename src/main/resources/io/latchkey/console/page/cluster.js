import { h, link, name, visible } from "./dom.js";
import { clock, coarse, plural, relative } from "./format.js";
import { button } from "./actions.js";

/** The text of a drift is among the notes as well; it is shown once. */
const DRIFT = "The instances' jobs differ";

export function leaderView(cluster, can) {
  const leader = cluster.leader;
  if (!leader) {
    return h("p", { class: "leader nobody" }, h("strong", {}, "Nobody leads"), " No job starts until somebody does.");
  }
  return h(
    "div",
    { class: "leader" },
    h(
      "p",
      {},
      h("strong", {}, name(leader.instance)),
      h("span", {}, " leads "),
      h("span", { class: "dim" }, "term "),
      h("b", {}, leader.term),
      h("span", { class: "dim" }, " since "),
      clock(leader.since),
      h("span", { class: "dim" }, " for "),
      relative(leader.since, "for"),
      h("span", { class: "dim" }, ` · token ${leader.token} · `),
      h("span", { class: "dim", title: cluster.zookeeper }, `ZooKeeper ${visible(cluster.zookeeper)}${visible(cluster.root)}`),
    ),
    h(
      "div",
      { class: "buttons" },
      can.reload && button("Reload", "reload", {}, "Every instance reads its conf directory anew"),
      button("Resign", "resign", { instance: leader.instance }, "The next instance in the latch leads"),
    ),
  );
}

export function instancesView(cluster, self) {
  const differing = new Set(cluster.confDiffers ?? []);
  if (cluster.instances.length === 0) {
    return h("p", { class: "dim" }, "No instance is here.");
  }
  return h(
    "table",
    { class: "list flow" },
    h("caption", { class: "unseen" }, "Instances in the order of the latch"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Latch", "Instance", "Role", "Host", "Version", "Up for", "Conf", "Console"].map((title) =>
          h("th", { scope: "col" }, title),
        ),
      ),
    ),
    h("tbody", {}, cluster.instances.map((one) => instance(one, self, differing.has(one.id), cluster))),
  );
}

function instance(one, self, differs, cluster) {
  const leads = cluster.leader?.instance === one.id;
  return h(
    "tr",
    { "data-key": `i-${one.id}-${one.place ?? ""}`, class: leads && "leads" },
    cell("Latch", one.place ?? "–"),
    cell("Instance", h("b", {}, name(one.id)), one.id === self && h("span", { class: "dim" }, " answers here")),
    cell("Role", roleChip(one.role), one.trouble && h("div", { class: "problem" }, visible(one.trouble))),
    cell("Host", one.host ? [name(one.host), h("span", { class: "dim" }, ` ${one.pid ?? ""}`)] : "–"),
    cell("Version", one.version ? name(one.version) : "–"),
    cell("Up for", one.started ? relative(one.started, "for") : "–"),
    cell(
      "Conf",
      one.conf ? h("code", {}, visible(one.conf)) : "–",
      differs && h("span", { class: "chip bad" }, "differs"),
    ),
    cell("Console", one.console ? link(one.console, one.console.replace(/^https?:\/\//, "")) : "–"),
  );
}

export function cell(label, ...content) {
  return h("td", { "data-label": label }, h("div", {}, content));
}

function roleChip(role) {
  const kind = role === "leading" ? "good" : role === "standby" ? "plain" : "warn";
  return h("span", { class: `chip ${kind}` }, visible(role));
}

/** What an operator must see at once, the gravest first. */
export function banners(state, live) {
  const out = [];
  const add = (key, level, title, ...text) => out.push({ key, level, title, text });
  const answer = state.cluster;
  if (live.up === false) {
    add(
      "gone",
      "bad",
      "This instance does not answer",
      answer
        ? ["What you see is of ", relative(new Date(state.heard).toISOString()), ". "]
        : "Nothing has been heard of it yet. ",
      elsewhere(answer),
      h("button", { type: "button", "data-action": "retry" }, "Try now"),
    );
  }
  if (state.problem) {
    add("problem", "bad", "Nothing is known of the cluster", visible(state.problem));
  }
  if (!answer) {
    return out;
  }
  const cluster = answer.cluster;
  if (answer.stale) {
    add(
      "stale",
      "bad",
      "ZooKeeper is out of reach",
      ["Seen from ", name(answer.answeredBy), ": ", visible(answer.trouble ?? ""), ". What you see was read "],
      relative(answer.asOf),
      ". Whoever cannot reach ZooKeeper starts no job.",
    );
  }
  const claiming = cluster.instances.filter((one) => one.role === "leading");
  if (!answer.stale && !cluster.led) {
    add("nobody", "bad", "Nobody leads", "No job starts. What comes due is run or skipped, as its trigger says, when somebody leads.");
  }
  if (claiming.length > 1 && state.severalSince && Date.now() - state.severalSince > 2000) {
    add(
      "several",
      "bad",
      `${claiming.length} instances say that they lead`,
      claiming.map((one, i) => [i > 0 && ", ", name(one.id)]),
      ". Only the one that ZooKeeper names can start jobs; see the logs of the others.",
    );
  }
  if ((cluster.confDiffers ?? []).length > 0) {
    const note = cluster.notes.find((one) => one.startsWith(DRIFT));
    add("drift", "bad", "Configurations differ", visible(note ?? `Not as the leader's: ${cluster.confDiffers.join(", ")}.`));
  }
  for (const note of cluster.notes.filter((one) => !one.startsWith(DRIFT))) {
    add(`note-${note}`, "note", "", visible(note));
  }
  if (state.jobs?.allPaused) {
    add("paused", "note", "Everything is paused", "No trigger fires until it is resumed.");
  }
  return out;
}

function elsewhere(answer) {
  const others = (answer?.cluster.instances ?? []).filter((one) => one.console && one.id !== answer.answeredBy);
  return others.length === 0
    ? ""
    : ["Others: ", others.map((one, i) => [i > 0 && ", ", link(one.console, one.id)]), ". "];
}

export function bannersView(list) {
  return list.map((one) =>
    h(
      "div",
      { class: `banner ${one.level}`, "data-key": one.key, "data-banner": one.key.split("-")[0] },
      one.title && h("strong", {}, one.title),
      h("span", {}, one.text),
    ),
  );
}

/** For the corner: whether what is shown is of now. */
export function liveView(state, live) {
  if (live.up === null) {
    return [h("i", { class: "dot" }), "connecting"];
  }
  if (!live.up) {
    const wait = Math.max(0, live.retryAt - Date.now());
    return [h("i", { class: "dot bad" }), wait > 500 ? `gone; trying again in ${coarse(wait + 999)}` : "gone; trying again"];
  }
  if (state.cluster?.stale) {
    return [h("i", { class: "dot bad" }), "ZooKeeper is out of reach"];
  }
  return [h("i", { class: "dot good" }), "live"];
}

export function auditView(actions) {
  const latest = actions.slice(0, 8);
  return h(
    "table",
    { class: "list flow" },
    h("caption", { class: "unseen" }, `The latest ${plural(latest.length, "request")} of operators`),
    h("thead", {}, h("tr", {}, ["When", "Who", "What", "State", "Answered by"].map((t) => h("th", { scope: "col" }, t)))),
    h(
      "tbody",
      {},
      latest.map((one) =>
        h(
          "tr",
          { "data-key": `a-${one.id}` },
          cell("When", clock(one.at), " ", h("span", { class: "dim" }, relative(one.at))),
          cell("Who", name(one.by)),
          cell("What", one.kind.toLowerCase(), " ", name(one.job ?? one.trigger ?? (one.kind === "PAUSE" || one.kind === "RESUME" ? "everything" : ""))),
          cell("State", h("span", { class: `chip ${stateKind(one)}` }, (one.outcome ?? one.state).toLowerCase())),
          cell("Answered by", one.answeredBy ? name(one.answeredBy) : "–"),
        ),
      ),
    ),
  );
}

function stateKind(one) {
  if (one.state === "REFUSED" || one.state === "WITHDRAWN" || (one.outcome && one.outcome !== "SUCCEEDED")) {
    return "bad";
  }
  return one.state === "DONE" ? "good" : "warn";
}
