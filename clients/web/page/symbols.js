// Symbols of views (LANGUAGE.md, "Images"): the set is one file, fetched once, when a scene first names a symbol.

/** Where the set is, by the hash of the file, which scripts/symbols.py writes: a browser keeps it for ever. */
export const SET = "symbols/7c8c71c22994d7ab202463fb050a88f3d773f5fac0cddc5bc03608117735d129";

/** The outlines of the set by name, as data of paths in a square of `box` units; undefined where it could not be fetched. */
export async function loadSymbols(fetchFile) {
  const answer = await fetchFile(SET).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const { box, symbols } = await answer.json();
  return { box, outlines: new Map(Object.entries(symbols).map(([name, [, data]]) => [name, data])) };
}

/** A symbol as a screen reader says it. */
export const spoken = (name) => name.replaceAll(".", " ");
