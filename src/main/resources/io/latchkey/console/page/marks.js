// What a timeline shows, worked out before anything is drawn: lanes, their marks, and where on the line they are.
import { OUTCOME } from "./jobs.js";
import { visible } from "./dom.js";
import { absolute, duration, plural } from "./format.js";

export const HOUR = 3_600_000;

/** The worse, the further to the front. */
const GRAVITY = ["RUNNING", "SUCCEEDED", "SKIPPED", "RECOVERED", "INTERRUPTED", "ABANDONED", "FAILED"];

/** The lanes to draw: leadership first, then jobs; of many jobs those with trouble first. */
export function lanes(timeline, cluster, end, most) {
  const from = end - HOUR;
  const jobs = timeline.lanes
    .map((lane) => ({ job: lane.job, marks: lane.marks.filter((mark) => reach(mark, from)).map((mark) => of(mark, lane.job)) }))
    .filter((lane) => lane.marks.length > 0);
  if (jobs.length > most) {
    const worst = (lane) => Math.max(...lane.marks.map((mark) => mark.gravity));
    jobs.sort((a, b) => worst(b) - worst(a));
  }
  return { leadership: { marks: terms(timeline, cluster, from, end) }, jobs: jobs.slice(0, most), left: jobs.length - Math.min(jobs.length, most) };
}

function reach(mark, from) {
  return !mark.to || Date.parse(mark.to) >= from;
}

function of(mark, job) {
  const kind = mark.kind ?? "RUNNING";
  return {
    ...mark,
    job,
    kind,
    key: `${mark.fire} ${mark.attempt} ${mark.from} ${kind}`,
    start: Date.parse(mark.from),
    end: mark.to ? Date.parse(mark.to) : null,
    gravity: GRAVITY.indexOf(kind),
  };
}

function terms(timeline, cluster, from, end) {
  const names = [...new Set(timeline.leadership.map((term) => term.instance))].sort();
  return timeline.leadership
    .filter((term) => !term.until || Date.parse(term.until) >= from)
    .map((term) => ({
      ...term,
      kind: "TERM",
      key: `term ${term.term}`,
      colour: names.indexOf(term.instance) % 6,
      start: Date.parse(term.since),
      end: term.until ? Date.parse(term.until) : null,
      over: !term.until && !cluster.led,
    }))
    .filter((term) => term.start < end);
}

/** Marks that would lie upon each other are drawn as one, but not so many that one failure colours an hour. */
export function grouped(marks, place, narrowest) {
  const out = [];
  for (const mark of marks) {
    const left = place(mark.start);
    const right = Math.max(left + narrowest, place(mark.end));
    const before = out[out.length - 1];
    const small = right - left < narrowest * 3;
    if (before && before.small && small && left < before.right - 0.5 && right - before.left <= narrowest * 2) {
      before.marks.push(mark);
      before.right = Math.max(before.right, right);
      before.worst = mark.gravity > before.worst.gravity ? mark : before.worst;
      before.catchUp ||= mark.catchUp;
    } else {
      out.push({ marks: [mark], left, right, small, worst: mark, catchUp: mark.catchUp });
    }
  }
  return out;
}

/** One mark in words. */
export function tell(mark) {
  if (mark.kind === "TERM") {
    const till = mark.end ? ` to ${absolute(mark.end)}, for ${duration(mark.end - mark.start)}` : mark.over ? "; nobody has taken the next" : ", and still does";
    return `${visible(mark.instance)} led term ${mark.term} from ${absolute(mark.start)}${till}`;
  }
  const job = visible(mark.job);
  const attempt = mark.attempt > 1 ? `, attempt ${mark.attempt}` : "";
  const late = mark.catchUp ? ", caught up after nobody led" : "";
  if (mark.kind === "SKIPPED") {
    return `${job}: ${plural(mark.slots, "slot")} skipped, due ${absolute(mark.start)}${mark.slots > 1 ? ` to ${absolute(mark.end)}` : ""}`;
  }
  if (mark.kind === "RUNNING") {
    return `${job}: has no outcome yet, began ${absolute(mark.start)} on ${visible(mark.instance)}, term ${mark.term}${attempt}`;
  }
  const many = mark.slots > 1 ? `, for ${plural(mark.slots, "slot")}` : "";
  return (
    `${job}: ${OUTCOME[mark.kind]?.word ?? mark.kind}, due ${absolute(mark.slot)}, began ${absolute(mark.start)}, ` +
    `${duration(mark.end - mark.start)} on ${visible(mark.instance)}, term ${mark.term}${attempt}${many}${late}`
  );
}

/** Some marks that are drawn as one. */
export function tellGroup(group) {
  if (group.marks.length === 1) {
    return tell(group.marks[0]);
  }
  const counts = new Map();
  for (const mark of group.marks) {
    counts.set(mark.kind, (counts.get(mark.kind) ?? 0) + 1);
  }
  const kinds = [...counts].map(([kind, count]) => `${count} ${OUTCOME[kind]?.word ?? kind.toLowerCase()}`).join(", ");
  const first = group.marks[0];
  const latest = group.marks[group.marks.length - 1];
  return `${visible(first.job)}: ${kinds}, ${absolute(first.start)} to ${absolute(latest.end ?? latest.start)}`;
}
