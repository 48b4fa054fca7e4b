// Rows of lists: arrows go from one to the next within their list. LANGUAGE.md, "Rows".

const ROWS = ["listitem", "option", "row", "treeitem", "menuitem"].map((role) => `[role="${role}"]`).join();
const LISTS = ["list", "listbox", "table", "grid", "tree", "menu"].map((role) => `[role="${role}"]`).join();

/** The list that an element belongs to if it is a row; undefined for all else. */
const listOf = (element) => (element.matches(ROWS) ? element.parentElement.closest(LISTS) ?? undefined : undefined);

/** The row that a key leads to from another, the same at an end; undefined where the element is no row, or the key moves nothing. */
export function rowAfter(element, key) {
  const list = listOf(element);
  if (!list || !["ArrowUp", "ArrowDown", "Home", "End"].includes(key)) return undefined;
  // What cannot be used takes no focus, and rows of a list within this one are its own.
  const rows = [...list.querySelectorAll(ROWS)].filter((row) => row.tabIndex >= 0 && !row.disabled && listOf(row) === list);
  const place = rows.indexOf(element), last = rows.length - 1;
  if (place < 0) return undefined;
  return rows[{ ArrowUp: Math.max(place - 1, 0), ArrowDown: Math.min(place + 1, last), Home: 0, End: last }[key]];
}
