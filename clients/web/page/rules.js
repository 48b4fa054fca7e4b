// Rules as texts: what they say about which views, and what may come next while one is typed.

export const WORDS = {
  required: 1000, high: 750, low: 250,
};
const HORIZONTAL = ["left", "right", "leading", "trailing", "centerX", "width"];
const VERTICAL = ["top", "bottom", "centerY", "height", "firstBaseline", "lastBaseline"];
export const ATTRIBUTES = [...HORIZONTAL, ...VERTICAL];
const GUIDES = ["margins", "safeArea", "readable", "keyboard", "content", "viewport"];
const ITEM = String.raw`([A-Za-z_][\w-]*?(?:\.(?:${GUIDES.join("|")}))?)\.(${ATTRIBUTES.join("|")})`;
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const RULE = new RegExp(
  String.raw`^\s*${ITEM}\s*(==|<=|>=)\s*(?:(?:${NUMBER}\s*\*\s*)?${ITEM}(?:\s*([+-])\s*${NUMBER})?|([+-]?\s*\d+(?:\.\d+)?))\s*(?:@\s*(\w+(?:\.\d+)?))?\s*$`);

/** Whether an attribute is about x and width. */
export const isHorizontal = (attribute) => HORIZONTAL.includes(attribute);
export const isExtent = (attribute) => attribute === "width" || attribute === "height";

/** The parts of a rule, or undefined if it is none (such as visual format). */
export function parseRule(text) {
  const found = RULE.exec(text);
  if (!found) return undefined;
  const [, item, attribute, relation, multiplier, other, otherAttribute, sign, constant, alone, priority] = found;
  const number = alone === undefined ? Number(`${sign ?? "+"}${constant ?? 0}`) : Number(alone.replace(/\s/g, ""));
  const end = (name, attr) => { const [view, guide] = name.split("."); return { view, guide, attribute: attr }; };
  return {
    first: end(item, attribute), relation, multiplier: Number(multiplier ?? 1), second: other && end(other, otherAttribute),
    constant: number, priority: priority === undefined ? 1000 : WORDS[priority] ?? Number(priority),
  };
}

/** Every rule of a document, those of sets included: id, rule, its parts, its set, whether it is active (with `sets`: and its set is). */
export function rulesOf(document, sets) {
  const result = [];
  const add = (list, set) => {
    for (const each of list ?? []) {
      const rule = typeof each === "string" ? each : each.rule ?? each.vfl ?? "";
      result.push({ id: each.id, rule, parts: parseRule(rule), active: each.active !== false && !(set && sets && !sets.get(set)?.active), set, identifier: each.identifier });
    }
  };
  add(document.constraints);
  for (const [name, set] of Object.entries(document.sets ?? {})) add(set.constraints, name);
  return result;
}

export const namesView = ({ parts }, id) => parts !== undefined && (parts.first.view === id || parts.second?.view === id);

/** A number as rules have it: at most three digits after the point. */
export const show = (value) => String(Math.round(value * 1000) / 1000);

/** " + 8", " - 8" or nothing. */
export const term = (constant) => (Math.abs(constant) < 0.0005 ? "" : ` ${constant < 0 ? "-" : "+"} ${show(Math.abs(constant))}`);

/** What may stand where the text ends: whole words, and how many characters of the text they take the place of. */
export function completions(text, ids) {
  const word = /[\w-]*$/.exec(text)[0], before = text.slice(0, text.length - word.length);
  const starting = (list) => list.filter((each) => each.toLowerCase().startsWith(word.toLowerCase()) && each !== word).slice(0, 12);
  const found = (list) => ({ words: starting(list), length: word.length });
  if (/@\s*$/.test(before)) return found(Object.keys(WORDS));
  if (/\.$/.test(before)) {
    const isGuide = new RegExp(String.raw`\.(?:${GUIDES.join("|")})\.$`).test(before), side = /[=<>]/.test(before);
    const first = side && /\.(\w+)\s*[=<>]/.exec(before)?.[1], same = first ? ATTRIBUTES.filter((each) => isHorizontal(each) === isHorizontal(first) && isExtent(each) === isExtent(first)) : ATTRIBUTES;
    return found(isGuide ? same : [...same, ...GUIDES.slice(0, 4)]);
  }
  if (/^\s*$/.test(before) || /(?:[=<>]=|\*)\s*$/.test(before)) return found(ids);
  if (!word && /\.\w+\s*$/.test(before) && !/[=<>]/.test(before)) return { words: ["== ", "<= ", ">= "], length: 0 };
  return { words: [], length: 0 };
}
