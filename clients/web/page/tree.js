// The tree of views: what a screen reader and the keyboard use, and where views are found and moved to another parent.
// Only rows that can be seen exist, and the one that has or would get the focus; each says which of how many it is.
import { $, h } from "./dom.js";

/** Scenes with more views than this start with what is below the second level folded away. */
const OPEN_MAXIMUM = 400;
/** A row's height, and how many there are beyond each end of what is seen, so that scrolling finds them there. */
const HEIGHT = 24, BEYOND = 8;

export class Tree {
  folded = new Set();
  /** All rows there would be, { view, level, position, count }, and where in it each id is. */
  list = [];
  places = new Map();
  /** The rows that there are, by id. */
  rows = new Map();
  filter = "";

  /** `app` has `room`, `selection`, `select(ids, adds)`, `reparent(id, parent, index)`, `remove()`, `hover(id)`. */
  constructor(app) {
    this.app = app;
    this.element = $("tree");
    this.end = h("div", { class: "end", "aria-hidden": "true" });
    this.element.append(this.end);
    this.element.addEventListener("pointerover", (event) => app.hover(event.target.closest(".row")?.dataset.id));
    this.element.addEventListener("pointerleave", () => app.hover(undefined));
    for (const type of ["keydown", "click", "focusin", "dragstart", "dragover", "dragleave", "drop"]) {
      this.element.addEventListener(type, (event) => this[type](event));
    }
    this.element.addEventListener("scroll", () => this.show());
    new ResizeObserver(() => this.show()).observe(this.element);
    $("find").addEventListener("input", (event) => {
      this.filter = event.target.value.trim().toLowerCase();
      this.build();
    });
    this.build();
  }

  /** Works out anew which rows there would be. */
  build() {
    const { mirror } = this.app.room, { filter } = this;
    if (!this.wasBuilt && mirror.size > OPEN_MAXIMUM) {
      for (const view of mirror.views.values()) if (view.parent !== undefined) this.folded.add(view.id);
    }
    this.wasBuilt = true;
    const stack = mirror.root === undefined ? [] : [[mirror.root, 1, 1, 1]];
    this.list = [];
    while (stack.length) {
      const [number, level, position, count] = stack.pop(), view = mirror.views.get(number), { children, content, id } = view;
      const isFound = id.toLowerCase().includes(filter) || content.lines.some(({ text }) => text.toLowerCase().includes(filter));
      if (!filter) this.list.push({ view, level, position, count });
      else if (isFound) this.list.push({ view, level: 1, position: this.list.length + 1 });
      if (!filter && this.folded.has(id)) continue;
      for (let index = children.length - 1; index >= 0; index--) stack.push([children[index], level + 1, index + 1, children.length]);
    }
    this.places = new Map(this.list.map(({ view }, place) => [view.id, place]));
    this.end.style.top = `${HEIGHT * this.list.length}px`;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.mark();
    if (this.places.has(focused)) this.focus(focused);
  }

  /** The row that the Tab key leads to: the one that had the focus last, what is selected, or the first. */
  get stop() {
    const { selection } = this.app;
    const id = [this.focused, ...selection].find((each) => this.places.has(each) && (each !== this.focused || !selection.length || selection.includes(each)));
    return this.places.get(id) ?? 0;
  }

  /** Makes the rows that are seen now, and takes away the others. */
  show() {
    const { element, list, rows } = this, { scrollTop, clientHeight } = element;
    if (!list.length) return;
    const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - BEYOND), end = Math.min(list.length, Math.ceil((scrollTop + clientHeight) / HEIGHT) + BEYOND);
    const wanted = new Set([this.stop]);
    if (element.contains(document.activeElement)) wanted.add(this.places.get(document.activeElement.dataset.id) ?? this.stop);
    for (let place = first; place < end; place++) wanted.add(place);
    for (const [id, row] of rows) {
      if (wanted.has(this.places.get(id))) continue;
      row.remove();
      rows.delete(id);
    }
    // Rows that stay are not moved, which would take the focus from them.
    let next = element.firstChild;
    for (const place of [...wanted].sort((a, b) => a - b)) {
      const { id } = list[place].view, row = rows.get(id) ?? this.row(place);
      if (row === next) next = row.nextSibling;
      else element.insertBefore(row, next);
      this.markRow(id, row, place);
    }
  }

  row(place) {
    const { view: { content, children, id }, level, position, count } = this.list[place], isFolded = this.folded.has(id);
    const text = content.lines.map((line) => line.text).join(" ").slice(0, 60);
    const row = h("div", {
      class: content.hidden ? "row hidden" : "row", role: "treeitem", "data-id": id,
      "aria-level": level, "aria-posinset": position, "aria-setsize": count ?? this.list.length,
      "aria-label": `${id}, ${content.kind}${text ? `, ${text}` : ""}${content.hidden ? ", hidden" : ""}`,
      "aria-expanded": children.length && !this.filter ? String(!isFolded) : undefined, draggable: id === "root" ? undefined : "true",
    },
    h("span", { class: "twist", "aria-hidden": "true", text: children.length && !this.filter ? (isFolded ? "▸" : "▾") : "" }),
    h("span", { class: "name", text: id }), h("span", { class: "what", text: content.kind === "view" ? "" : content.kind }));
    // Styles are set through the object model, which the page's policy allows.
    row.style.top = `${HEIGHT * place}px`;
    row.style.paddingLeft = `${4 + 12 * Math.min(level - 1, 12)}px`;
    this.rows.set(id, row);
    return row;
  }

  markRow(id, row, place) {
    const isOpen = this.ambiguous.has(id);
    row.setAttribute("aria-selected", String(this.app.selection.includes(id)));
    row.tabIndex = place === this.stop ? 0 : -1;
    row.querySelector(".name").classList.toggle("bad-mark", isOpen);
    row.title = isOpen ? "Constraints leave this view's place open" : "";
  }

  /** Shows what is selected, and what the constraints leave open. */
  mark() {
    const { selection, room } = this.app;
    this.ambiguous = new Set(room.diagnostics.ambiguous);
    const place = this.places.get(selection[selection.length - 1]);
    if (place !== undefined && selection !== this.marked) this.scrollTo(place);
    this.marked = selection;
    this.show();
  }

  scrollTo(place) {
    const { element } = this, top = HEIGHT * place;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = top + HEIGHT - element.clientHeight;
  }

  focus(id) {
    this.focused = id;
    this.scrollTo(this.places.get(id));
    this.show();
    this.rows.get(id).focus({ preventScroll: true });
  }

  focusin(event) { this.focused = event.target.dataset.id; }

  /** Unfolds whatever hides a view. */
  reveal(id) {
    const { mirror } = this.app.room;
    let didUnfold = false;
    for (let view = mirror.view(id); view?.parent !== undefined; ) {
      view = mirror.views.get(view.parent);
      didUnfold = this.folded.delete(view.id) || didUnfold;
    }
    if (didUnfold) this.build();
  }

  fold(id, isFolded) {
    if (isFolded) this.folded.add(id);
    else this.folded.delete(id);
    this.build();
  }

  click(event) {
    const id = event.target.closest(".row")?.dataset.id;
    if (!id) return;
    if (event.target.classList.contains("twist") && event.target.textContent) this.fold(id, !this.folded.has(id));
    else {
      this.app.select([id], event.shiftKey || event.ctrlKey || event.metaKey);
      if (this.places.has(id)) this.focus(id);
    }
  }

  /** Keys as the WAI-ARIA tree pattern says. */
  keydown(event) {
    const id = event.target.closest(".row")?.dataset.id, { list } = this, at = this.places.get(id);
    if (at === undefined) return;
    const { room } = this.app, { view } = list[at], page = Math.max(1, Math.floor(this.element.clientHeight / HEIGHT) - 1);
    const go = (place) => {
      const next = list[Math.max(0, Math.min(list.length - 1, place))]?.view.id;
      if (next === undefined || next === id) return;
      this.app.select([next], event.shiftKey);
      this.focus(next);
    };
    const actions = {
      ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1), PageDown: () => go(at + page), PageUp: () => go(at - page), Home: () => go(0), End: () => go(list.length - 1),
      ArrowRight: () => (this.folded.has(id) ? this.fold(id, false) : view.children.length && go(at + 1)),
      ArrowLeft: () => (view.children.length && !this.folded.has(id) ? this.fold(id, true) : go(this.places.get(room.mirror.views.get(view.parent)?.id) ?? at)),
      Enter: () => this.app.select([id]), " ": () => this.app.select([id], true), Delete: () => this.app.remove(),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  // --- Dragging to another parent ------------------------------------------------------------------------------------

  dragstart(event) {
    this.dragged = event.target.closest(".row")?.dataset.id;
    event.dataTransfer.setData("text/plain", this.dragged ?? "");
    event.dataTransfer.effectAllowed = "move";
  }

  /** The lower part of a row means after it, the rest into it. */
  place(event) {
    const row = event.target.closest(".row");
    if (!row || !this.dragged || row.dataset.id === this.dragged) return undefined;
    const box = row.getBoundingClientRect(), { mirror } = this.app.room;
    const isAfter = event.clientY > box.bottom - 7 && row.dataset.id !== "root";
    for (let view = mirror.view(row.dataset.id); view; view = mirror.views.get(view.parent)) {
      if (view.id === this.dragged) return undefined;
    }
    return { row, isAfter };
  }

  dragover(event) {
    const place = this.place(event);
    this.dragleave();
    if (!place) return;
    event.preventDefault();
    place.row.classList.add(place.isAfter ? "drop-after" : "drop-in");
  }

  dragleave() { for (const row of this.element.querySelectorAll(".drop-in, .drop-after")) row.classList.remove("drop-in", "drop-after"); }

  drop(event) {
    const place = this.place(event), { mirror } = this.app.room;
    this.dragleave();
    if (!place) return;
    event.preventDefault();
    const target = mirror.view(place.row.dataset.id);
    if (!place.isAfter) return this.app.reparent(this.dragged, target.id, target.children.filter((each) => each !== mirror.numbers.get(this.dragged)).length);
    const parent = mirror.views.get(target.parent), others = parent.children.filter((each) => each !== mirror.numbers.get(this.dragged));
    return this.app.reparent(this.dragged, parent.id, others.indexOf(target.number) + 1);
  }
}
