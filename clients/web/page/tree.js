// The tree of views: what a screen reader and the keyboard use, and where views are found and moved to another parent.
import { $, h } from "./dom.js";

/** Scenes with more views than this start with what is below the second level folded away. */
const OPEN_MAXIMUM = 400;

export class Tree {
  folded = new Set();
  rows = new Map();
  filter = "";

  /** `app` has `room`, `selection`, `select(ids, adds)`, `reparent(id, parent, index)`, `rename…`. */
  constructor(app) {
    this.app = app;
    this.element = $("tree");
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
    this.element.addEventListener("pointerover", (event) => app.hover(event.target.closest(".row")?.dataset.id));
    this.element.addEventListener("pointerleave", () => app.hover(undefined));
    for (const type of ["dragstart", "dragover", "dragleave", "drop"]) {
      this.element.addEventListener(type, (event) => this[type](event));
    }
    $("find").addEventListener("input", (event) => {
      this.filter = event.target.value.trim().toLowerCase();
      this.build();
    });
  }

  /** Makes the rows anew. */
  build() {
    const { mirror } = this.app.room, { activeElement } = document;
    const hadFocus = this.element.contains(activeElement) ? activeElement.dataset.id : undefined;
    if (!this.wasBuilt && mirror.size > OPEN_MAXIMUM) {
      for (const view of mirror.views.values()) if (view.parent !== undefined) this.folded.add(view.id);
    }
    this.wasBuilt = true;
    this.rows.clear();
    const rows = [], stack = mirror.root === undefined ? [] : [[mirror.root, 1]];
    while (stack.length && rows.length < 3000) {
      const [number, level] = stack.pop(), view = mirror.views.get(number);
      const isFound = view.id.toLowerCase().includes(this.filter) || view.content.lines.some(({ text }) => text.toLowerCase().includes(this.filter));
      if (!this.filter || isFound) rows.push(this.row(view, this.filter ? 1 : level));
      if (!this.filter && this.folded.has(view.id)) continue;
      for (let index = view.children.length - 1; index >= 0; index--) stack.push([view.children[index], level + 1]);
    }
    this.element.replaceChildren(...rows);
    this.mark();
    if (hadFocus) this.rows.get(hadFocus)?.focus();
  }

  row(view, level) {
    const { content, children, id } = view, isFolded = this.folded.has(id);
    const text = content.lines.map((line) => line.text).join(" ").slice(0, 60);
    const row = h("div", {
      class: content.hidden ? "row hidden" : "row", role: "treeitem", "aria-level": level, tabindex: -1, "data-id": id,
      "aria-label": `${id}, ${content.kind}${text ? `, ${text}` : ""}${content.hidden ? ", hidden" : ""}`,
      "aria-expanded": children.length ? String(!isFolded) : undefined, draggable: id === "root" ? undefined : "true",
    },
    h("span", { class: "twist", "aria-hidden": "true", text: children.length ? (isFolded ? "▸" : "▾") : "" }),
    h("span", { class: "name", text: id }), h("span", { class: "what", text: content.kind === "view" ? "" : content.kind }));
    // Levels are set through the object model, which the page's policy allows.
    row.style.paddingLeft = `${4 + 12 * Math.min(level - 1, 12)}px`;
    this.rows.set(id, row);
    return row;
  }

  /** Shows what is selected, and what the constraints leave open. */
  mark() {
    const { selection, room } = this.app, ambiguous = new Set(room.diagnostics.ambiguous);
    let current;
    for (const [id, row] of this.rows) {
      const isSelected = selection.includes(id);
      row.setAttribute("aria-selected", String(isSelected));
      row.tabIndex = -1;
      row.querySelector(".name").classList.toggle("bad-mark", ambiguous.has(id));
      row.title = ambiguous.has(id) ? "Constraints leave this view's place open" : "";
      if (isSelected) current ??= row;
    }
    const target = current ?? this.element.firstElementChild;
    if (target) target.tabIndex = 0;
    current?.scrollIntoView({ block: "nearest" });
  }

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
      this.rows.get(id)?.focus();
    }
  }

  /** Keys as the WAI-ARIA tree pattern says. */
  key(event) {
    const row = event.target.closest(".row"), all = [...this.rows.keys()];
    if (!row) return;
    const { id } = row.dataset, { room } = this.app, view = room.mirror.view(id), at = all.indexOf(id);
    const go = (next) => {
      if (next === undefined) return;
      this.app.select([next], event.shiftKey);
      this.rows.get(next)?.focus();
    };
    const parent = () => room.mirror.views.get(view?.parent)?.id;
    const actions = {
      ArrowDown: () => go(all[at + 1]), ArrowUp: () => go(all[at - 1]), Home: () => go(all[0]), End: () => go(all[all.length - 1]),
      ArrowRight: () => (this.folded.has(id) ? this.fold(id, false) : view?.children.length && go(all[at + 1])),
      ArrowLeft: () => (view?.children.length && !this.folded.has(id) ? this.fold(id, true) : go(parent())),
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
