// Symbols of views (LANGUAGE.md, "Images"): the set is one file, fetched once, when a scene first names a symbol.

/** Where the set is, by the hash of the file, which scripts/symbols.py writes: a browser keeps it for ever. */
export const SET = "symbols/638ee7fc43415f11ed534c6a09c0b20e9ac986f7cf7ac368fe588679e62bbc0c";

/** The outlines of the set by name, as data of paths in a square of `box` units; undefined where it could not be fetched. */
export async function loadSymbols(fetchFile) {
  const answer = await fetchFile(SET).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const { box, symbols } = await answer.json();
  return { box, outlines: new Map(Object.entries(symbols).map(([name, [, data]]) => [name, data])) };
}

/** A symbol as a screen reader says it. */
export const spoken = (name) => name.replaceAll(".", " ");
