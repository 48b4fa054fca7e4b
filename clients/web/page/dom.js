//# allFunctionsCalledOnLoad
// The few helpers that the page's modules build elements with. Texts only ever become text nodes.

export const $ = (id) => document.getElementById(id);

/** An element: attributes by name, `on…` functions as listeners, `text` as its text; children are nodes or texts. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A colour of the style sheet, such as `--accent`, as the one that holds now, light or dark. */
export function color(name) {
  const probe = $("over");
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

/** Calls at most once in so many milliseconds, the last call always. */
export function throttled(milliseconds, body) {
  let timer, last = -Infinity;
  return () => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      last = performance.now();
      body();
    }, Math.max(0, last + milliseconds - performance.now()));
  };
}

/** Something that others listen to: `on(name, function)`, `emit(name, value)`. */
export class Emitter {
  listeners = new Map();
  on(name, listener) { this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]); }
  emit(name, value) { for (const listener of this.listeners.get(name) ?? []) listener(value); }
}

let toastTimer;
/** Shows a text for a few seconds, and announces it to screen readers. */
export function toast(text, kind = "") {
  const place = $("toast");
  place.textContent = text;
  place.className = `${kind} shown`;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { place.className = kind; }, 5000);
}
