import { learnTime } from "./format.js";

const PATIENCE = 8000;
const MAX_KEPT = 60;
const kept = new Map();

/** An answer that is no success: what it says, and what to do. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `the answer was ${status}`);
    this.status = status;
    this.remedy = problem.remedy ?? "";
  }
}

/** No answer at all: the instance, or the way to it, is gone. */
export class Unreachable extends Error {}

async function ask(path, options) {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), options.patience ?? PATIENCE);
  try {
    const answer = await fetch(path, { ...options, signal: end.signal, cache: "no-store", credentials: "omit" });
    const text = answer.status === 304 ? "" : await answer.text();
    return { answer, text };
  } catch {
    throw new Unreachable("this instance does not answer");
  } finally {
    clearTimeout(timer);
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Reads; what has not changed is not sent again. */
export async function read(path) {
  const before = kept.get(path);
  const { answer, text } = await ask(path, { headers: before ? { "If-None-Match": before.tag } : {} });
  if (answer.status === 304 && before) {
    return before.body;
  }
  const body = parse(text);
  if (!answer.ok) {
    throw new Refused(answer.status, body);
  }
  if (body.asOf && !body.stale) {
    learnTime(body.asOf, body.ageMillis);
  }
  const tag = answer.headers.get("ETag");
  kept.delete(path);
  if (tag) {
    kept.set(path, { tag, body });
    if (kept.size > MAX_KEPT) {
      kept.delete(kept.keys().next().value);
    }
  }
  return body;
}

/** Asks for an action. Who sends the same key again asks for no second one. */
export async function act(what, body, token, key) {
  const { answer, text } = await ask(`api/v1/actions/${what}`, {
    method: "POST",
    patience: 20_000,
    headers: {
      "Content-Type": "application/json",
      Authorization: `Bearer ${token}`,
      "Idempotency-Key": key,
    },
    body: JSON.stringify(body),
  });
  const told = parse(text);
  if (!answer.ok) {
    throw new Refused(answer.status, told);
  }
  return told.action;
}

/** A key that nobody has used. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}
