import { DecodeError, limits } from "./errors.js";

// --- JSON (SPEC section 5) -------------------------------------------------------------------------------------------

export const wrong = (name, expected) => new DecodeError("field", undefined, `${name} has to be ${expected}`);

/** JSON without duplicate keys, halves of surrogate pairs, numbers beyond doubles, or more than 64 levels. */
export function parseJSON(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DecodeError("json", undefined, error.message);
  }
  // JSON.parse keeps the last of equal keys, so keys are counted in the text: each is a string before a colon.
  let keys = 0, depth = 0;
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[{\]}]/g)) {
    if (token[1]) keys++;
    else if (token[0] === "[" || token[0] === "{") depth++;
    else if (token[0] === "]" || token[0] === "}") depth--;
    if (depth > limits.jsonDepth) throw new DecodeError("json", undefined, "nested too deeply");
  }
  const whole = (string) => { if (/\p{Surrogate}/u.test(string)) throw new DecodeError("json", undefined, "half a pair"); };
  const visit = (value) => {
    if (typeof value === "string") whole(value);
    else if (typeof value === "number" && !Number.isFinite(value)) throw new DecodeError("json", undefined, "beyond doubles");
    else if (Array.isArray(value)) value.forEach(visit);
    else if (value && typeof value === "object") {
      for (const [key, element] of Object.entries(value)) { keys--; whole(key); visit(element); }
    }
  };
  visit(value);
  if (keys !== 0) throw new DecodeError("json", undefined, "a key twice");
  return value;
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export function integer(value, low, high, name) {
  if (!Number.isInteger(value) || value < low || value > high) throw wrong(name, `an integer in ${low}…${high}`);
  return value;
}

export function array(value, maximum, name) {
  if (!Array.isArray(value) || value.length > maximum) throw wrong(name, `a list of at most ${maximum}`);
  return value;
}

/** Takes members out of a copy of an object, so that what is left over is known. */
export class Members {
  constructor(value, name) {
    if (!isObject(value)) throw wrong(name, "an object");
    this.left = new Map(Object.entries(value));
  }
  has(name) { return this.left.has(name); }
  take(name) {
    if (!this.left.has(name)) throw wrong(name, "there");
    const value = this.left.get(name);
    this.left.delete(name);
    return value;
  }
  finish() { for (const name of this.left.keys()) throw wrong(name, "left out, as nobody knows it"); }
}
