// The elements over the scene's picture: for each view that people can do something with a real button, field or slider, for
// texts their words, so that keyboards and screen readers have what the picture shows. They stand in preorder, each in the
// nearest one around it, and are placed from the mirror as it is shown.
import { h } from "./dom.js";
import { isMirroredSlider, segmentPlaces, titleOf } from "./own.js";
import { spoken } from "./symbols.js";

/** Roles that say `aria-selected`; others have `aria-current`. */
const SELECTABLE = new Set(["option", "tab", "row", "gridcell", "treeitem"]);
/** Controls that stand for themselves: nothing lies in them. */
const LEAVES = new Set(["button", "switch", "slider", "textField", "segmented", "progress", "words", "symbol"]);

/** As high as a control should be for a finger, in pixels (WCAG 2.5.5). */
const FINGER = 44;
/** More controls than these are no screen for fingers. */
const CROWD = 400;

const makers = {
  button: () => h("button", { type: "button" }),
  switch: () => h("input", { type: "checkbox", role: "switch" }),
  slider: () => h("input", { type: "range" }),
  textField: () => h("input", { type: "text", autocomplete: "off", spellcheck: "false" }),
  segmented: () => h("fieldset", { role: "radiogroup" }),
  progress: () => h("progress"),
  area: () => h("div"),
  words: () => h("span", { class: "words" }),
  symbol: () => h("span", { class: "words", role: "img" }),
};

/** Sets an attribute, or takes it away; only where that changes something. */
function put(element, name, value) {
  if (value === undefined || value === "" || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export class Controls {
  /** By the view's id: { type, element, number, index, interaction, isDisabled, box }. */
  widgets = new Map();

  /** `own` has the values that people have just chosen, by view; `isHand` says whether fingers point. */
  constructor({ place, stage, interactions, own, isHand = () => false }) {
    Object.assign(this, { place, stage, interactions, own, isHand });
  }

  /** What there is to do with a view by itself; undefined where it needs no element. */
  typeOf(item, view, interaction) {
    if (interaction && interaction.control !== "none") return interaction.control;
    if (interaction || item.clips) return "area";
    return view.content.lines.length ? "words" : view.content.look?.symbol ? "symbol" : undefined;
  }

  /** Views came, went, or say something else. */
  sync() {
    const { activeElement } = document, focused = this.place.contains(activeElement) ? activeElement : undefined;
    const { stage: { items, mirror }, widgets } = this, kept = new Set(), holders = [], disabled = [], ends = new Map();
    for (let index = 0; index < items.length; index++) {
      const item = items[index], view = mirror.views.get(item.number), interaction = this.interactions().get(view.id);
      const above = item.parent >= 0 ? holders[item.parent] : undefined;
      disabled[index] = (item.parent >= 0 && disabled[item.parent]) || interaction?.enabled === false;
      const type = index === 0 ? undefined : this.typeOf(item, view, interaction);
      holders[index] = above;
      if (!type) continue;
      let widget = widgets.get(view.id);
      if (widget?.type !== type) {
        widget?.element.remove();
        widget = { type, id: view.id, element: makers[type](), box: [] };
        widget.element.dataset.view = view.id;
        widgets.set(view.id, widget);
      }
      Object.assign(widget, { index, number: item.number, view, interaction, isDisabled: disabled[index], above });
      if (!LEAVES.has(type)) holders[index] = widget;
      kept.add(view.id);
      const parent = above?.element ?? this.place, before = ends.get(parent), next = before ? before.nextSibling : parent.firstChild;
      // Only what has another place: moving costs the focus.
      if (widget.element !== next) parent.insertBefore(widget.element, next);
      ends.set(parent, widget.element);
      if (above && type !== "words" && type !== "symbol") above.holdsControls = true;
    }
    for (const [id, widget] of widgets) {
      if (kept.has(id)) continue;
      widget.element.remove();
      widgets.delete(id);
    }
    for (const widget of widgets.values()) {
      this.describe(widget);
      widget.holdsControls = false;
    }
    this.makeRoom();
    this.arrange();
    // A view in another one now, or that others went behind, keeps it.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  /** How much further than its picture each control reaches for fingers, up and down: to 44 pixels, if no other is in the way. */
  makeRoom() {
    const { stage, widgets } = this, { x, y, w, h: high, unit, camera } = stage, scale = camera.scale / unit;
    const used = [...widgets.values()].filter(({ type, interaction }) => type !== "words" && type !== "symbol" && type !== "progress" && interaction && !this.holds(type));
    for (const widget of used) widget.reach = [0, 0];
    if (!this.isHand() || used.length > CROWD) return;
    for (const widget of used) {
      const at = widget.index, wanted = Math.max(0, (FINGER - high[at] * scale) / 2);
      // Touches cannot land beyond the window.
      const start = y[at] * scale + camera.y, end = start + high[at] * scale;
      let [up, down] = [Math.min(wanted, Math.max(0, start)), Math.min(wanted, Math.max(0, stage.canvas.clientHeight - end))];
      for (const { index } of wanted > 0 ? used : []) {
        if (index === at || x[index] >= x[at] + w[at] || x[index] + w[index] <= x[at]) continue;
        // What lies between two is shared.
        if (y[index] + high[index] <= y[at] + high[at] / 2) up = Math.min(up, Math.max(0, (y[at] - y[index] - high[index]) * scale / 2));
        else down = Math.min(down, Math.max(0, (y[index] - y[at] - high[at]) * scale / 2));
      }
      widget.reach = [up, down];
    }
  }

  /** Views that hold others are as large as their picture. */
  holds(type) { return !LEAVES.has(type); }

  /** Tells an element what its view is. */
  describe(widget) {
    const { element, type, view, interaction, isDisabled } = widget;
    if (type === "words") {
      const text = view.content.lines.map((line) => line.text).join("\n");
      if (element.textContent !== text) element.textContent = text;
      return;
    }
    if (type === "symbol") return put(element, "aria-label", this.symbolOf(widget));
    const told = interaction ?? {};
    this[type](widget, told);
    put(element, "aria-description", [type === "area" && typeof told.value === "string" ? told.value : "", told.hint].filter(Boolean).join(". "));
    if ("disabled" in element) element.disabled = isDisabled;
    else put(element, "aria-disabled", interaction && isDisabled ? "true" : undefined);
    // What cannot be used is dimmed towards what lies under it.
    if (isDisabled && interaction) element.style.setProperty("--veil", this.behind(widget.index));
    element.classList.toggle("taps", told.events?.includes("tap") === true && !isDisabled);
  }

  /** What the control holds on this screen. */
  value({ id, interaction }) { return this.own.get(id)?.value ?? interaction.value; }

  /** The symbol that a view shows, as it is said; undefined without one. */
  symbolOf({ view: { content: { look } } }) { return look?.symbol && spoken(look.symbol.name); }

  /** A name that is always there, for what has the focus. */
  name(widget, text = "") { return widget.interaction.label || (text ? undefined : widget.interaction.placeholder || this.symbolOf(widget) || widget.id); }

  button(widget, told) {
    const { element, view } = widget, title = titleOf(view);
    if (element.textContent !== title) element.textContent = title;
    put(element, "aria-label", this.name(widget, title));
    put(element, "role", told.role);
    const isChosen = SELECTABLE.has(told.role);
    put(element, "aria-selected", isChosen ? String(told.selected) : undefined);
    put(element, "aria-pressed", told.selected && !isChosen ? "true" : undefined);
    element.tabIndex = told.focusable ? 0 : -1;
  }

  switch(widget, told) {
    const { element } = widget;
    element.checked = this.value(widget) === true;
    put(element, "aria-label", this.name(widget));
    element.tabIndex = told.focusable ? 0 : -1;
  }

  slider(widget, told) {
    const { element } = widget, value = String(this.value(widget));
    for (const [name, given] of [["min", told.minimum], ["max", told.maximum], ["step", told.step || "any"]]) put(element, name, given);
    if (element.value !== value) element.value = value;
    const [line] = widget.view.content.lines;
    put(element, "dir", line && isMirroredSlider(line.text, told) ? "rtl" : undefined);
    put(element, "aria-label", this.name(widget));
    element.tabIndex = told.focusable ? 0 : -1;
  }

  textField(widget, told) {
    const { element, view } = widget, value = this.value(widget) ?? "", own = this.own.get(widget.id);
    if (element.value !== value) element.value = value;
    element.classList.toggle("open", own !== undefined);
    put(element, "placeholder", told.placeholder);
    put(element, "aria-label", this.name(widget));
    const item = this.stage.items[widget.index];
    element.style.setProperty("--words", item.ink);
    element.style.setProperty("--field", this.behind(widget.index));
    element.style.textAlign = { center: "center", right: "right", left: "left" }[view.content.align] ?? "start";
    element.tabIndex = told.focusable ? 0 : -1;
  }

  /** The nearest colour under a view. */
  behind(index) {
    for (let at = index; at >= 0; at = this.stage.items[at].parent) {
      const { background } = this.stage.items[at].content;
      if (background?.length === 7) return background;
    }
    return this.stage.needsPaper ? "#ffffff" : this.stage.paper;
  }

  segmented(widget, told) {
    const { element } = widget, chosen = this.value(widget);
    put(element, "aria-label", this.name(widget));
    while (element.children.length > told.segments.length) element.lastChild.remove();
    while (element.children.length < told.segments.length) element.append(h("input", { type: "radio", name: `segments of ${widget.id}` }));
    told.segments.forEach((title, index) => {
      const radio = element.children[index];
      radio.value = index;
      put(radio, "aria-label", title || String(index + 1));
      radio.checked = index === chosen;
      radio.tabIndex = told.focusable ? 0 : -1;
    });
  }

  progress(widget, told) {
    const { element } = widget;
    // Elements begin at 0.
    element.max = Math.max(told.maximum - told.minimum, Number.MIN_VALUE);
    element.value = this.value(widget) - told.minimum;
    put(element, "aria-label", this.name(widget));
  }

  area(widget, told) {
    const { element, holdsControls } = widget, taps = told.events?.includes("tap");
    const isReached = told.focusable || told.scrollsEach;
    const symbol = this.symbolOf(widget);
    const role = told.role || (taps && !holdsControls ? "button" : symbol && !isReached ? "img" : isReached || told.label ? "group" : undefined);
    put(element, "role", role);
    put(element, "aria-level", role === "heading" ? 2 : undefined);
    const words = widget.view.content.lines.map((line) => line.text).join("\n");
    this.words(element, words);
    put(element, "aria-label", told.label || symbol || (isReached && !words && !element.textContent ? widget.id : undefined));
    put(element, "aria-selected", SELECTABLE.has(role) ? String(told.selected === true) : undefined);
    put(element, "aria-current", told.selected && !SELECTABLE.has(role) ? "true" : undefined);
    if (isReached && !widget.isDisabled) element.tabIndex = 0;
    else if (taps) element.tabIndex = -1;
    else element.removeAttribute("tabindex");
    const { clips } = this.stage.items[widget.index];
    element.style.overflow = clips ? "hidden" : "visible";
  }

  /** What a view says itself, before what lies in it. */
  words(element, text) {
    const first = element.firstChild, own = first?.nodeType === Node.TEXT_NODE ? first : undefined;
    if (!text) own?.remove();
    else if (!own) element.prepend(text);
    else if (own.data !== text) own.data = text;
  }

  /** Puts everything where the picture has it. */
  arrange() {
    const { stage, widgets } = this, { x, y, w, h: high, unit, camera, items } = stage, scale = camera.scale / unit;
    for (const widget of widgets.values()) {
      const { index, above, element, box, type } = widget;
      if (index >= items.length || items[index].number !== widget.number) continue;
      const left = above ? (x[index] - x[above.index]) * scale : x[index] * scale + camera.x;
      const top = above ? (y[index] - y[above.index]) * scale : y[index] * scale + camera.y;
      const width = w[index] * scale, height = high[index] * scale, [up, down] = widget.reach ?? [0, 0];
      if (type === "segmented" && (widget.line !== widget.view.content.lines[0] || box[2] !== width)) {
        widget.line = widget.view.content.lines[0];
        this.arrangeSegments(widget, scale);
      }
      if (type === "textField") this.setFont(widget);
      if (box[0] === left && box[1] === top && box[2] === width && box[3] === height && box[4] === up && box[5] === down) continue;
      widget.box = [left, top, width, height, up, down];
      const tall = height + up + down;
      Object.assign(element.style, { transform: `translate(${left}px, ${top - up}px)`, width: `${width}px`, height: `${tall}px` });
    }
  }

  /** Words that are written stand in the field as those that the scene drew; the scene's faces come after the field. */
  setFont(widget) {
    const { stage } = this, { scale } = stage.camera, { element: { style }, view: { content: { face } } } = widget;
    const size = `${(face ? face.size / 64 : stage.cell[1] * 0.8) * scale}px`;
    const typeface = face ? stage.faces?.families(face) ?? "sans-serif" : "monospace";
    if (widget.font === `${size} ${typeface}`) return;
    widget.font = `${size} ${typeface}`;
    style.fontSize = size;
    style.setProperty("--typeface", typeface);
    // UIKit's fields have their text 7 points from the edge.
    style.paddingInline = face ? `${7 * scale}px` : "";
  }

  /** Each of the buttons lies over its segment. */
  arrangeSegments({ element, view, interaction, reach: [up] = [0] }, scale) {
    const [line] = view.content.lines;
    if (!line) return;
    const [left, top, width] = line.place.map((value) => value * scale), high = this.stage.cell[1] * this.stage.camera.scale;
    segmentPlaces(line.text, interaction, (text) => this.stage.measure(text)).forEach((place, index) => {
      const radio = element.children[index];
      if (!radio) return;
      Object.assign(radio.style, {
        transform: `translate(${left + place.start * width}px, ${top + up}px)`, width: `${place.width * width}px`, height: `${high}px`,
      });
    });
  }
}
