// What the forms of code that a scene is exported as have in common.

/** Names of a language for ids, each once: `card-cpu` becomes `cardCpu`. */
export function namesFor(document, make) {
  const names = new Map(), taken = new Set();
  for (const id of ["root", ...(document.views ?? []).map((view) => view.id), ...(document.guides ?? []).map((guide) => guide.id)]) {
    const base = make(id);
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

export const pascal = (id) => id[0].toUpperCase() + id.slice(1);

/** What a view has beyond `said` as a comment's text; undefined if that is nothing. */
export function unsaid(view, said) {
  const rest = Object.entries(view).filter(([key]) => !said.includes(key) && !["id", "parent", "index", "kind"].includes(key));
  return rest.length ? `${view.id} has no equal here of ${rest.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")}` : undefined;
}


/** The points of UIKit's text styles at the content size category `large` (LANGUAGE.md, TEXT-3). */
const STYLES = {
  largeTitle: 34, title1: 28, title2: 22, title3: 20, headline: 17, body: 17, callout: 16, subheadline: 15, footnote: 13, caption1: 12, caption2: 11,
};

/** What text of a view is set in: the points, the weight, and the style where it is that of UIKit as it is. */
export function fontOf({ textStyle = "body", fontSize, fontWeight }) {
  const own = textStyle === "headline" ? "semibold" : "regular", weight = fontWeight ?? own;
  return { style: textStyle, points: fontSize ?? STYLES[textStyle], weight, isStyle: fontSize === undefined && weight === own };
}

/** Whether the text of a view is set in faces, or has a font of its own at least. */
export const hasFont = (document, view) => document.viewport?.typography === "faces" || ["textStyle", "fontSize", "fontWeight"].some((key) => view[key] !== undefined);

/** Whether a colour is one that a document names, as `label`. */
export const isNamed = (color) => !color.startsWith("#");
