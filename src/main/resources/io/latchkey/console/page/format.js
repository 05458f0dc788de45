import { h } from "./dom.js";

// What the clock of the instance that answers is ahead of this one's: ages are told by the former.
let ahead = 0;
let zone = load("latchkey.zone") === "utc" ? "UTC" : undefined;

function load(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps something over visits, where that is allowed. */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // For this visit alone, then.
  }
}

export const kept = load;

/** An answer just came: its time is now. */
export function learnTime(asOf, ageMillis) {
  ahead = Date.parse(asOf) + ageMillis - Date.now();
}

/** Now, in milliseconds, by the clock of the instance that answers. */
export function now() {
  return Date.now() + ahead;
}

export function localZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** The zone that times are shown in. */
export function shownZone() {
  return zone ?? localZone();
}

export function switchZone() {
  zone = zone === undefined ? "UTC" : undefined;
  keep("latchkey.zone", zone === undefined ? "local" : "utc");
}

function parts(millis, inZone) {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: inZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return Object.fromEntries(format.formatToParts(new Date(millis)).map((part) => [part.type, part.value]));
}

/** Such as 14:03:07, with its day if that is not today. */
export function absolute(at, inZone = shownZone(), withDay = false) {
  const millis = typeof at === "number" ? at : Date.parse(at);
  const it = parts(millis, inZone);
  const today = parts(now(), inZone);
  const time = `${it.hour}:${it.minute}:${it.second}`;
  const day = `${it.year}-${it.month}-${it.day}`;
  return withDay || day !== `${today.year}-${today.month}-${today.day}` ? `${day} ${time}` : time;
}

/** Such as 14:03. */
export function minute(millis) {
  const it = parts(millis, shownZone());
  return `${it.hour}:${it.minute}`;
}

/** Such as 850 ms, 3.2 s, 1 min 05 s, 2 h 14 min, 3 d 4 h. */
export function duration(millis) {
  const ms = Math.max(0, millis);
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  if (ms < 10_000) {
    return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  }
  return coarse(ms);
}

/** The same in whole seconds, for what changes before one's eyes. */
export function coarse(millis) {
  const seconds = Math.floor(Math.max(0, millis) / 1000);
  const two = (n) => String(n).padStart(2, "0");
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  }
  if (seconds < 86_400) {
    return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
  }
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}

function phrase(form, millis) {
  const away = millis - now();
  switch (form) {
    case "for":
      return coarse(-away);
    case "due":
      return away >= 0 ? `in ${coarse(away + 999)}` : `due ${coarse(-away)} ago`;
    default:
      return away > 1000 ? `in ${coarse(away)}` : `${coarse(-away)} ago`;
  }
}

/** A time that says how far off it is, and goes on saying so: "ago", "due" or "for". */
export function relative(at, form = "ago") {
  const millis = Date.parse(at);
  return h(
    "time",
    { datetime: at, "data-form": form, title: `${absolute(millis, shownZone(), true)} ${shownZone()}` },
    phrase(form, millis),
  );
}

/** A time of day. */
export function clock(at, inZone = shownZone()) {
  return h("time", { datetime: at, title: at }, absolute(at, inZone));
}

/** Brings every relative time on the page up to date. */
export function tick() {
  for (const element of document.querySelectorAll("time[data-form]")) {
    const text = phrase(element.dataset.form, Date.parse(element.dateTime));
    if (element.firstChild && element.firstChild.data !== text) {
      element.firstChild.data = text;
    }
  }
}

export function plural(count, one, many = one + "s") {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
