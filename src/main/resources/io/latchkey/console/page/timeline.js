import { h, name, s, show, visible } from "./dom.js";
import { absolute, duration, minute, now, plural } from "./format.js";
import { cell } from "./cluster.js";
import { jobLink, outcomeChip } from "./jobs.js";
import { grouped, HOUR, lanes, tell, tellGroup } from "./marks.js";

const LANE = 22;
const LEADERSHIP = 26;
const AXIS = 20;
const FEW = 12;
const NARROW = 640;
const ROWS = 100;

const SAMPLES = [
  ["SUCCEEDED", "succeeded"],
  ["RUNNING", "no outcome yet"],
  ["FAILED", "failed"],
  ["INTERRUPTED", "interrupted"],
  ["ABANDONED", "abandoned"],
  ["RECOVERED", "recovered"],
  ["SKIPPED", "missed, skipped"],
  ["CATCH-UP", "caught up"],
];

/** The picture of the last hour. One of its marks may be picked, by pointer or by keys, and is told in words below. */
export class Timeline {
  constructor() {
    this.box = document.getElementById("timeline");
    this.details = document.getElementById("timeline-details");
    this.table = document.getElementById("timeline-table");
    this.most = FEW;
    this.picked = null;
    this.rows = [];
    this.open = false;
    show(document.getElementById("legend"), legend());
    this.box.addEventListener("pointerover", (event) => this.pointAt(event.target.closest("[data-mark]")));
    this.box.addEventListener("click", (event) => this.pointAt(event.target.closest("[data-mark]")));
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focusin", () => this.picked ?? this.pick(this.rows.length - 1 > 0 ? 1 : 0, Infinity));
    this.table.addEventListener("toggle", (event) => {
      this.open = event.target.open;
      this.draw(this.timeline, this.cluster);
    }, true);
    new ResizeObserver(() => this.timeline && this.draw(this.timeline, this.cluster)).observe(this.box);
  }

  all() {
    this.most = Infinity;
    this.draw(this.timeline, this.cluster);
  }

  draw(timeline, cluster) {
    this.timeline = timeline;
    this.cluster = cluster;
    const width = Math.floor(this.box.clientWidth);
    if (!timeline || !cluster || width === 0) {
      return;
    }
    const end = now();
    const shown = lanes(timeline, cluster, end, this.most);
    const narrow = width < NARROW;
    const gutter = narrow ? 0 : Math.min(220, Math.round(width * 0.2));
    const label = narrow ? 13 : 0;
    const scale = (width - gutter - 2) / HOUR;
    const place = (at) => gutter + Math.min(width - 2 - gutter, Math.max(0, ((at ?? end) - (end - HOUR)) * scale));
    this.rows = [
      { groups: shown.leadership.marks.map((mark) => ({ marks: [mark], left: place(mark.start), right: place(mark.end), worst: mark })) },
      ...shown.jobs.map((lane) => ({ job: lane.job, groups: grouped(lane.marks, place, 3) })),
    ];
    const height = AXIS + label + LEADERSHIP + shown.jobs.length * (LANE + label) + 2;
    const picture = s(
      "svg",
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        tabindex: 0,
        role: "group",
        "aria-roledescription": "timeline",
        "aria-label": `Timeline of the last hour: leadership and ${plural(shown.jobs.length, "job")}. Arrow keys go from mark to mark, Enter opens the job.`,
      },
      axis(end, place, width, height, narrow),
      this.rows.map((row, lane) => this.lane(row, lane, { gutter, label, width, narrow })),
      shown.leadership.marks.filter((mark) => mark.start > end - HOUR).map((mark) => s("line", { class: "change", x1: place(mark.start), x2: place(mark.start), y1: AXIS, y2: height })),
    );
    show(
      this.box,
      picture,
      shown.jobs.length === 0 && h("p", { class: "dim" }, "No job ran or missed anything in this hour."),
      shown.left > 0 && h("p", {}, h("button", { type: "button", "data-action": "lanes" }, `Show ${plural(shown.left, "more job")}`)),
      timeline.truncated && h("p", { class: "dim" }, "There is more than can be drawn: the oldest is left out. Search for a job to see all of its marks."),
    );
    this.tellPicked();
    show(this.table, h("details", {}, h("summary", {}, "The same as a table"), this.open && rows(shown)));
  }

  lane(row, lane, { gutter, label, width, narrow }) {
    const top = lane === 0 ? AXIS : AXIS + label + LEADERSHIP + (lane - 1) * (LANE + label);
    const height = lane === 0 ? LEADERSHIP : LANE;
    const middle = top + label + height / 2;
    const long = Math.floor((narrow ? width : gutter - 10) / 6.6);
    const text = lane === 0 ? "Leadership" : short(visible(row.job), long);
    const title = s("text", { class: "lane", x: 0, y: narrow ? top + 10 : middle + 4 }, text, lane > 0 && s("title", {}, visible(row.job)));
    return s(
      "g",
      { "data-key": lane === 0 ? "leadership" : `lane ${row.job}` },
      s("line", { class: "base", x1: gutter, x2: width, y1: middle, y2: middle }),
      lane === 0 ? title : s("a", { href: `#/job/${encodeURIComponent(row.job)}`, tabindex: -1 }, title),
      row.groups.map((group, i) => {
        const picked = this.picked === group.worst.key;
        return s(
          "g",
          { "data-mark": `${lane}:${i}`, "data-key": group.worst.key, "data-kind": group.worst.kind, class: picked ? "mark picked" : "mark" },
          group.worst.kind === "TERM" ? term(group, middle) : shape(group.worst.kind, group.left, group.right, middle),
          group.catchUp && s("path", { class: "catch-up", d: `M${group.left} ${middle + 10}l3 -5h-6z` }),
          s("rect", { class: "touch", x: group.left - 2, y: top + label, width: group.right - group.left + 4, height }),
          picked && s("rect", { class: "ring", x: group.left - 2.5, y: middle - 10, width: group.right - group.left + 5, height: 20, rx: 3 }),
        );
      }),
    );
  }

  pointAt(element) {
    if (element) {
      const [lane, index] = element.dataset.mark.split(":").map(Number);
      this.pick(lane, index);
    }
  }

  pick(lane, index) {
    const row = this.rows[Math.max(0, Math.min(lane, this.rows.length - 1))];
    if (!row || row.groups.length === 0) {
      return;
    }
    const key = row.groups[Math.max(0, Math.min(index, row.groups.length - 1))].worst.key;
    if (key !== this.picked) {
      this.picked = key;
      this.draw(this.timeline, this.cluster);
    }
  }

  place() {
    for (let lane = 0; lane < this.rows.length; lane++) {
      const index = this.rows[lane].groups.findIndex((group) => group.marks.some((mark) => mark.key === this.picked));
      if (index >= 0) {
        return { lane, index, group: this.rows[lane].groups[index] };
      }
    }
    return null;
  }

  tellPicked() {
    const at = this.place();
    const text = at ? tellGroup(at.group) : "";
    if (this.details.textContent !== text) {
      this.details.textContent = text;
    }
  }

  key(event) {
    const at = this.place();
    if (!at || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const groups = this.rows[at.lane].groups;
    switch (event.key) {
      case "ArrowLeft":
        this.pick(at.lane, at.index - 1);
        break;
      case "ArrowRight":
        this.pick(at.lane, at.index + 1);
        break;
      case "Home":
        this.pick(at.lane, 0);
        break;
      case "End":
        this.pick(at.lane, groups.length - 1);
        break;
      case "ArrowUp":
      case "ArrowDown":
        this.cross(at, event.key === "ArrowUp" ? -1 : 1);
        break;
      case "Enter":
        if (at.group.worst.job) {
          location.hash = `#/job/${encodeURIComponent(at.group.worst.job)}`;
        }
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  /** To the next lane that has a mark, there to the nearest one. */
  cross(at, step) {
    const middle = (group) => (group.left + group.right) / 2;
    for (let lane = at.lane + step; lane >= 0 && lane < this.rows.length; lane += step) {
      const groups = this.rows[lane].groups;
      if (groups.length > 0) {
        const far = groups.map((group) => Math.abs(middle(group) - middle(at.group)));
        this.pick(lane, far.indexOf(Math.min(...far)));
        return;
      }
    }
  }
}

function axis(end, place, width, height, narrow) {
  const every = (narrow ? 20 : 10) * 60_000;
  const out = [];
  // Whole hours and tens are whole in every zone that people live in but for quarters, where these are too.
  for (let at = Math.ceil((end - HOUR) / every) * every; at <= end; at += every) {
    const x = place(at);
    out.push(s("line", { class: "grid", x1: x, x2: x, y1: AXIS - 4, y2: height }));
    if (x < width - 50 && x > 16) {
      out.push(s("text", { class: "tick", x, y: 11, "text-anchor": "middle" }, minute(at)));
    }
  }
  out.push(s("text", { class: "tick now", x: width - 2, y: 11, "text-anchor": "end" }, "now"));
  return s("g", { "aria-hidden": "true", "data-key": "axis" }, out);
}

function term(group, middle) {
  const it = group.worst;
  const wide = Math.max(1.5, group.right - group.left - 1);
  const text = `${visible(it.instance)} · ${it.term}`;
  return [
    s("rect", { class: `term c${it.colour}`, x: group.left, y: middle - 9, width: wide, height: 18, rx: 2 }),
    wide > text.length * 6.6 + 8 ? s("text", { class: "led", x: group.left + 6, y: middle + 4 }, text) : null,
    it.over && s("rect", { class: "nobody", x: group.right - 8, y: middle - 9, width: 8, height: 18 }),
  ];
}

function shape(kind, left, right, middle) {
  const width = right - left;
  switch (kind) {
    case "SKIPPED":
      return [
        width > 6 && s("line", { class: "skipped", x1: left, x2: right, y1: middle, y2: middle }),
        s("path", { class: "skipped", d: `M${(left + right) / 2} ${middle - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z` }),
      ];
    case "ABANDONED":
      return s("path", { class: "abandoned", d: `M${left} ${middle - 7}h${width}v14h${-width}zm-2 -1l${width + 4} 16` });
    case "SUCCEEDED":
    case "RUNNING":
      return s("rect", { class: kind.toLowerCase(), x: left, y: middle - 4, width, height: 8, rx: 1 });
    case "RECOVERED":
      return s("path", { class: "recovered", d: `M${left} ${middle + 8}v-11l${width / 2} -5l${width / 2} 5v11z` });
    default:
      return s("rect", { class: kind.toLowerCase(), x: left, y: middle - 8, width, height: 16, rx: 1 });
  }
}

function legend() {
  return h(
    "ul",
    { class: "legend", "aria-label": "Legend" },
    SAMPLES.map(([kind, text]) =>
      h(
        "li",
        {},
        s("svg", { width: 14, height: 20, viewBox: "0 0 14 20", "aria-hidden": "true" }, kind === "CATCH-UP" ? s("path", { class: "catch-up", d: "M7 16l3 -5h-6z" }) : shape(kind, kind === "SUCCEEDED" || kind === "RUNNING" ? 2 : 5, kind === "SUCCEEDED" || kind === "RUNNING" ? 12 : 9, 10)),
        text,
      ),
    ),
  );
}

function short(text, long) {
  return text.length > long ? `${text.slice(0, Math.max(1, long - 1))}…` : text;
}

function rows(shown) {
  const marks = [...shown.leadership.marks, ...shown.jobs.flatMap((lane) => lane.marks)].sort((a, b) => b.start - a.start);
  return [
    h(
      "table",
      { class: "list flow" },
      h("caption", { class: "unseen" }, "What the timeline shows, the latest first"),
      h("thead", {}, h("tr", {}, ["Began", "What", "How", "For", "Where"].map((t) => h("th", { scope: "col" }, t)))),
      h(
        "tbody",
        {},
        marks.slice(0, ROWS).map((mark) =>
          h(
            "tr",
            { "data-key": mark.key, title: tell(mark) },
            cell("Began", absolute(mark.start)),
            cell("What", mark.job ? jobLink(mark.job) : `term ${mark.term}`),
            cell("How", mark.kind === "TERM" ? "led" : mark.kind === "RUNNING" ? "no outcome yet" : outcomeChip(mark.kind), mark.slots > 1 && ` ${plural(mark.slots, "slot")}`, mark.catchUp && " caught up"),
            cell("For", mark.kind === "SKIPPED" ? "–" : duration((mark.end ?? now()) - mark.start)),
            cell("Where", name(mark.instance)),
          ),
        ),
      ),
    ),
    marks.length > ROWS && h("p", { class: "dim" }, `The latest ${ROWS} of ${marks.length}.`),
  ];
}
