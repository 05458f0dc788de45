// Elements are made of names written here and texts from elsewhere; a text never becomes markup.
const SVG = "http://www.w3.org/2000/svg";

// Controls, and what turns the direction of text around: they would let a name pass for another.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text as it can be shown: what cannot be seen in it is written out. */
export function visible(text) {
  return String(text).replace(UNSEEN, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") {
      element.append(child instanceof Node ? child : String(child));
    }
  }
  return element;
}

/** A name from elsewhere. */
export function name(text) {
  return h("bdi", {}, visible(text));
}

/** A link to an address from elsewhere, if it is one of the web; else its text. */
export function link(address, text) {
  let url = null;
  try {
    url = new URL(address);
  } catch {
    // No address: shown as what it is.
  }
  return url !== null && (url.protocol === "http:" || url.protocol === "https:")
    ? h("a", { href: url.href, rel: "noreferrer" }, visible(text))
    : name(text);
}

/** Makes the children of an element those given, changing as little as can be: focus and selection stay where they are. */
export function show(element, ...children) {
  const next = element.cloneNode(false);
  fill(next, {}, children);
  const focused = document.activeElement;
  morphChildren(element, next);
  if (focused !== document.activeElement && focused instanceof Element && focused.isConnected) {
    focused.focus({ preventScroll: true });
  }
}

function morph(from, to) {
  if (from.nodeType === Node.TEXT_NODE) {
    if (from.data !== to.data) {
      from.data = to.data;
    }
    return;
  }
  for (const { name: attribute } of [...from.attributes]) {
    // A person opened it.
    const own = attribute === "open" && from.localName === "details";
    if (!own && !to.hasAttribute(attribute)) {
      from.removeAttribute(attribute);
    }
  }
  for (const { name: attribute, value } of to.attributes) {
    if (from.getAttribute(attribute) !== value) {
      from.setAttribute(attribute, value);
    }
  }
  morphChildren(from, to);
}

function morphChildren(from, to) {
  const wanted = new Set();
  for (const child of to.children) {
    if (child.dataset.key) {
      wanted.add(child.dataset.key);
    }
  }
  const known = new Map();
  for (const child of [...from.children]) {
    const key = child.dataset.key;
    if (key && !wanted.has(key)) {
      child.remove();
    } else if (key) {
      known.set(key, child);
    }
  }
  let at = from.firstChild;
  for (const next of [...to.childNodes]) {
    const key = next.dataset?.key;
    const match = key ? known.get(key) : at && !at.dataset?.key && alike(at, next) ? at : null;
    if (!match) {
      from.insertBefore(next, at);
      continue;
    }
    if (match === at) {
      at = at.nextSibling;
    } else {
      from.insertBefore(match, at);
    }
    if (match.nodeName === next.nodeName) {
      morph(match, next);
    } else {
      match.replaceWith(next);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function alike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}
