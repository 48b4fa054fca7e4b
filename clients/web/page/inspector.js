// The panel on the right: problems, sets and sizes of the scene; for a view why it is where it is, its constraints as
// texts that can be changed, and its looks; for several views what they can be made to share.
import { $, h } from "./dom.js";
import { Places } from "./guides.js";
import { completions, namesView, rulesOf, show, term } from "./rules.js";
import { Notes } from "./notes.js";
import { can } from "./room.js";

const BORDERS = ["none", "single", "rounded", "double", "heavy"];

export class Inspector {
  constructor(app) {
    this.app = app;
    this.element = $("right");
    this.help = this.element.querySelector("section");
    $("look").remove();
    const { room } = app;
    this.notes = new Notes(app);
    for (const name of ["selection", "document", "diagnostics", "status", "annotations"]) room.on(name, () => this.refresh());
    room.on("update", () => this.showFrame());
    // A field that is being typed into stays.
    this.element.addEventListener("focusout", () => setTimeout(() => { if (this.isWaiting && !this.isTyping) this.refresh(); }));
    this.refresh();
  }

  get isTyping() {
    const { activeElement: field } = document;
    return this.element.contains(field) && field.matches("input[type=text], textarea") && field.value !== field.defaultValue;
  }

  refresh() {
    const { app } = this, { room, selection } = app;
    const key = selection.join();
    this.isWaiting = this.isTyping && this.key === key;
    if (this.isWaiting) return;
    this.key = key;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
    const sections = selection.length === 0 ? this.scene() : selection.length === 1 ? this.view(selection[0]) : this.several(selection);
    if (room.welcome && !room.has(can.inspect)) sections.push(this.section("Constraints", h("p", { text: "This server does not tell what constraints there are." })));
    this.element.replaceChildren(...sections);
    if (focused) this.element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
    this.showFrame();
    if (selection.length === 1) this.askWhy(selection[0]);
  }

  section(title, ...children) { return h("section", {}, h("h2", { text: title }), ...children); }

  facts(list) { return h("dl", { class: "facts" }, ...list.flatMap(([name, value]) => [h("dt", { text: name }), value instanceof Node ? h("dd", {}, value) : h("dd", { text: value })])); }

  jump(id, text = id) { return h("button", { class: "link", "data-focus": `jump ${id}`, text, onclick: () => this.app.select([id]) }); }

  send(ops) { return this.app.room.send(ops); }

  // --- The scene -----------------------------------------------------------------------------------------------------

  scene() {
    const { room } = this.app, { ambiguous, broken, feedbackLoop } = room.diagnostics, document = room.document;
    const rules = document ? rulesOf(document) : [], problems = [];
    for (const id of broken) {
      const rule = rules.find((each) => each.id === id);
      const others = (room.conflicts.get(id) ?? []).map((other) => rules.find((each) => each.id === other)?.rule ?? other);
      problems.push(h("li", { class: "bad" }, h("b", { text: "given up " }), h("code", { text: rule?.rule ?? id }), rule?.parts ? this.jump(rule.parts.first.view) : "",
        others.length ? h("div", { class: "note" }, "it contradicts ", h("code", { text: others.join(", ") })) : ""));
    }
    for (const id of ambiguous) problems.push(h("li", { class: "warn" }, h("b", { text: "left open " }), this.jump(id)));
    for (const id of feedbackLoop) problems.push(h("li", { class: "bad" }, h("b", { text: "feedback loop " }), this.jump(id)));
    const sections = [this.section(`Problems${problems.length ? ` (${problems.length})` : ""}`,
      problems.length ? h("ul", { class: "problems" }, ...problems) : h("p", { text: "None: every constraint holds, and every place is decided." }))];
    const sets = Object.entries(document?.sets ?? {});
    if (sets.length) sections.push(this.section("Constraint sets", ...sets.map(([name, set]) => this.set(name, set))));
    const { welcome, mirror } = room;
    if (welcome) {
      sections.push(this.section("Scene", this.facts([
        ["Views", String(mirror.size)], ["Constraints", document ? String(rules.length) : "–"], ["Viewport", h("span", { "data-live": "viewport" })],
        ["Ticks", `${welcome.tickRate} a second`], ["Grid", `${welcome.cell[0]} × ${welcome.cell[1]} points`],
      ])));
    }
    sections.push(...this.notes.sections(), this.help);
    return sections;
  }

  set(name, { when }) {
    const { room } = this.app, { active = false, overridden = false } = room.sets.get(name) ?? {};
    const box = h("input", {
      type: "checkbox", checked: active, disabled: !room.mayEdit, "data-focus": `set ${name}`,
      onchange: ({ target }) => this.send([{ op: target.checked ? "activateSet" : "deactivateSet", id: name }]),
    });
    const row = h("label", { class: "check" }, box, h("span", { text: name }), h("code", { text: when ? `when ${when}` : "" }));
    if (!when) return row;
    return h("div", { class: "line" }, row, h("button", { class: "quiet", text: "auto", title: "Let its condition decide", "aria-pressed": String(!overridden), disabled: !room.mayEdit, onclick: () => this.send([{ op: "activateSet", id: name, auto: true }]) }));
  }

  // --- One view ------------------------------------------------------------------------------------------------------

  view(id) {
    const { room } = this.app, view = room.mirror.view(id);
    if (!view) return this.scene();
    const given = room.document?.views?.find((each) => each.id === id) ?? {}, parent = room.mirror.views.get(view.parent);
    const sections = [this.section(view.content.kind, h("div", { class: "title", text: id }), this.facts([
      ["Frame", h("span", { "data-live": "frame" })], ["In", parent ? this.jump(parent.id) : "nothing"],
      ...(room.diagnostics.ambiguous.includes(id) ? [["Place", "left open by the constraints"]] : []),
    ]))];
    sections.push(...this.notes.sections(id));
    if (!room.document) return [...sections, this.looks(id, view, given)];
    // What the view says of itself comes before what others say of it.
    const named = rulesOf(room.document).filter((rule) => namesView(rule, id)), isOwn = ({ parts }) => parts.first.view === id;
    const rules = [...named.filter(isOwn), ...named.filter((rule) => !isOwn(rule))];
    sections.push(h("section", { id: "why", "aria-live": "polite" }, h("h2", { text: "Why is it here" }), h("p", { text: "asking…" })));
    sections.push(this.section(`Constraints (${rules.length})`, ...rules.map((rule) => this.rule(rule)), this.newRule(), this.pins(id, parent)));
    sections.push(this.looks(id, view, given));
    return sections;
  }

  async askWhy(id) {
    const { room, wall } = this.app;
    if (!room.has(can.inspect) || !room.document) return;
    // With the wall open, each of its devices says what holds the view there.
    const seen = wall?.isOpen ? wall.tiles.filter((tile) => tile.room.status === "live") : [{ room }];
    // What was asked on a connection that has ended is asked anew with the next document.
    const why = async (each) => (await each.room.ahead?.whileCut([id])) ?? each.room.ask([id], false, { isKept: false }).catch(() => undefined);
    const answers = await Promise.all(seen.map(why)), place = $("why");
    if (answers.includes(undefined)) return;
    if (!place || this.app.selection[0] !== id) return;
    const texts = new Map(rulesOf(room.document).map((each) => [each.id, each.rule]));
    const kinds = { contentSize: "its content", frame: "its frame", collapse: "hidden and collapsed", flow: "a flow" };
    const list = (name, entries) => [h("h3", { text: name }), h("ul", { class: "why" }, ...(entries.length ? entries : [{ rule: "nothing" }]).map(({ id: rule, rule: text, kind }) => {
      const item = h("li", {}, h("code", { text: texts.get(rule) ?? text ?? rule ?? "" }), kinds[kind] ? h("span", { class: "note", text: ` ${kinds[kind]}` }) : "");
      if (rule) item.addEventListener("pointerenter", () => this.mark(rule));
      item.addEventListener("pointerleave", () => this.mark(undefined));
      return item;
    }))];
    place.replaceChildren(h("h2", { text: "Why is it here" }), ...answers.map(({ views: [held] }, index) => {
      if (!held) return "";
      const { title, room: { mirror, unit } } = seen[index], said = [...list("Sideways", held.horizontal), ...list("Up and down", held.vertical)];
      if (title === undefined) return h("div", {}, ...said);
      const [x, y, width, height] = mirror.numbers.has(id) ? mirror.frame(mirror.numbers.get(id)).map((value) => show(value / unit)) : [];
      return h("details", { "data-device": title, open: true }, h("summary", {}, h("b", { text: title }), x === undefined ? "" : `  ${x}, ${y}   ${width} × ${height}`), ...said);
    }));
  }

  mark(rule) {
    this.app.ruleHovered = rule;
    this.app.schedule();
  }

  rule({ id, rule, active, set, identifier }) {
    const { room } = this.app, isBroken = room.diagnostics.broken.includes(id), isDisabled = !room.mayEdit;
    const field = new RuleField(this.app, {
      value: rule, label: `Constraint ${id}`, isDisabled, focus: `rule ${id}`,
      submit: (text) => this.send([
        { op: "removeConstraint", id },
        { op: "addConstraint", id: id.startsWith("#") ? this.freeName(`${id.replace(/\W/g, "")}rule`) : id, rule: text, ...(active ? {} : { active }), ...(set ? { set } : {}), ...(identifier ? { identifier } : {}) },
      ]),
    });
    const row = h("div", { class: isBroken ? "rule broken" : "rule" },
      h("input", { type: "checkbox", checked: active, disabled: isDisabled, "aria-label": `${id} is active`, title: set ? `${id} in set ${set}` : id, "data-focus": `active ${id}`, onchange: ({ target }) => this.send([{ op: "setConstraint", id, active: target.checked }]) }),
      field.element, h("button", { class: "quiet", "aria-label": `Remove ${id}`, title: "Remove", text: "×", disabled: isDisabled, onclick: () => this.send([{ op: "removeConstraint", id }]) }));
    row.addEventListener("pointerenter", () => this.mark(id));
    row.addEventListener("pointerleave", () => this.mark(undefined));
    return row;
  }

  newRule() {
    const field = new RuleField(this.app, {
      value: "", label: "A new constraint", hint: `${this.app.selection[0]}.leading == …`, isDisabled: !this.app.room.mayEdit, focus: "new rule",
      submit: async (rule) => {
        const result = await this.send([{ op: "addConstraint", id: this.freeName("rule"), rule }]);
        if (result.outcome === "committed") field.clear();
        return result;
      },
    });
    return h("div", { class: "rule new" }, field.element);
  }

  /** A name that no constraint has, nor one that this page just added, or waits to add, and has not read back yet. */
  freeName(stem) {
    const { room } = this.app, added = room.log.flatMap(({ ops, result }) => (result?.outcome !== "refused" ? ops.filter(({ op }) => op === "addConstraint").map(({ id }) => id) : []));
    const taken = new Set([...rulesOf(room.document).map(({ id }) => id), ...added]), base = stem.slice(0, 56);
    for (let count = 1; ; count++) if (!taken.has(count === 1 ? base : `${base}-${count}`)) return count === 1 ? base : `${base}-${count}`;
  }

  /** A rule that says what is so now. */
  asItIs(attribute, id, otherAttribute, other) {
    const places = new Places(this.app), { isRightToLeft } = places, at = (view, name) => places.position(places.box({ view }), name);
    if (!other) return `${id}.${attribute} == ${show(at(id, attribute))}`;
    const sign = isRightToLeft && /leading|trailing/.test(attribute) ? -1 : 1;
    return `${id}.${attribute} == ${other}.${otherAttribute}${term(sign * (at(id, attribute) - at(other, otherAttribute)))}`;
  }

  pins(id, parent) {
    if (!parent) return "";
    const pin = (attribute, text, ...other) => h("button", {
      text, title: `Pin ${attribute} as it is`, "aria-label": `Pin ${attribute} as it is`, disabled: !this.app.room.mayEdit,
      onclick: () => this.send([{ op: "addConstraint", id: this.freeName(`${id}-${attribute}`), rule: this.asItIs(attribute, id, ...other) }]),
    });
    return h("div", { class: "pins", role: "group", "aria-label": "Pin" },
      ...[["leading", "⇤"], ["trailing", "⇥"], ["top", "⤒"], ["bottom", "⤓"], ["centerX", "↔"], ["centerY", "↕"]].map(([attribute, text]) => pin(attribute, text, attribute, parent.id)),
      pin("width", "W"), pin("height", "H"));
  }

  looks(id, { content }, given) {
    const isDisabled = !this.app.room.mayEdit || id === "root" && !this.app.room.document, set = (key, value) => this.send([value === undefined ? { op: "resetView", id, keys: [key] } : { op: "setView", id, [key]: value }]);
    const fields = [];
    if (content.kind === "label") {
      const text = given.text ?? content.lines.map((line) => line.text).join("\n");
      fields.push(["Text", h("textarea", { name: "text", rows: Math.min(4, text.split("\n").length), disabled: isDisabled, "aria-label": "Text", text, onchange: ({ target }) => set("text", target.value) })]);
    }
    for (const key of ["background", "foreground"]) {
      const value = content[key];
      fields.push([key === "background" ? "Background" : "Ink", h("span", { class: "line" },
        h("input", { type: "color", value: value?.slice(0, 7) ?? "#ffffff", disabled: isDisabled, "aria-label": key, "data-focus": key, onchange: ({ target }) => set(key, target.value) }),
        h("code", { text: value ?? "none" }), value ? h("button", { class: "quiet", text: "×", "aria-label": `No ${key}`, disabled: isDisabled, onclick: () => set(key, undefined) }) : "")]);
    }
    fields.push(["Border", h("select", { disabled: isDisabled, "aria-label": "Border", "data-focus": "border", onchange: ({ target }) => set("border", target.value) },
      ...BORDERS.map((name) => h("option", { text: name, selected: name === content.border })))]);
    fields.push(["Opacity", h("input", { type: "range", min: 0, max: 100, value: Math.round(content.opacity / 2.55), disabled: isDisabled, "aria-label": "Opacity", "data-focus": "opacity", onchange: ({ target }) => set("opacity", target.value / 100) })]);
    fields.push(["Hidden", h("input", { type: "checkbox", checked: content.hidden, disabled: isDisabled, "aria-label": "Hidden", "data-focus": "hidden", onchange: ({ target }) => set("hidden", target.checked) })]);
    return this.section("Looks", this.facts(fields), id === "root" ? "" : h("div", { class: "line" }, h("button", { class: "danger", text: "Remove view", disabled: isDisabled, onclick: () => this.app.remove() })));
  }

  // --- Several views -------------------------------------------------------------------------------------------------

  several(ids) {
    const isDisabled = !this.app.room.mayEdit || !this.app.room.document, [first, ...others] = ids;
    const share = (attribute) => h("button", {
      text: attribute, disabled: isDisabled,
      onclick: () => this.send(others.map((id) => ({ op: "addConstraint", id: this.freeName(`${id}-${attribute}`), rule: `${id}.${attribute} == ${first}.${attribute}` }))),
    });
    const chain = (from, to) => h("button", {
      text: `${from} to ${to}`, disabled: isDisabled,
      onclick: () => this.send(others.map((id, index) => ({ op: "addConstraint", id: this.freeName(`${id}-${to}`), rule: this.asItIs(to, id, from, ids[index]) }))),
    });
    return [
      this.section(`${ids.length} views`, h("p", {}, ...ids.slice(0, 12).flatMap((id) => [this.jump(id), " "]))),
      this.section("Align with the first", h("div", { class: "pins" }, ...["leading", "trailing", "centerX", "top", "bottom", "centerY", "firstBaseline"].map(share))),
      this.section("Equal", h("div", { class: "pins" }, ...["width", "height"].map(share))),
      this.section("Keep the distance", h("div", { class: "pins" }, chain("trailing", "leading"), chain("bottom", "top"))),
    ];
  }

  /** What changes with every frame is written into its place without making the panel anew. */
  showFrame() {
    const { stage, room, selection } = this.app, frame = this.element.querySelector("[data-live=frame]"), viewport = this.element.querySelector("[data-live=viewport]");
    const text = (number) => room.mirror.frame(number).map((value) => show(value / room.unit));
    if (frame && room.mirror.numbers.has(selection[0])) {
      const [x, y, width, height] = text(room.mirror.numbers.get(selection[0]));
      frame.textContent = `${x}, ${y}   ${width} × ${height}`;
    }
    if (viewport && room.mirror.root !== undefined && stage) {
      const [, , width, height] = text(room.mirror.root);
      viewport.textContent = `${width} × ${height}`;
    }
  }
}

let fieldCount = 0;

/** A field for a rule: a text with completion, sent with Enter, and what the server says of it below. */
class RuleField {
  /** `submit(text)` resolves to a result; a refusal is shown where it stands. */
  constructor(app, { value, label, hint = "", isDisabled, focus, submit }) {
    Object.assign(this, { app, value, submit, words: [], at: -1 });
    const list = `words-${++fieldCount}`;
    this.input = h("input", {
      type: "text", value, placeholder: hint, disabled: isDisabled, spellcheck: "false", autocomplete: "off", "data-focus": focus,
      role: "combobox", "aria-label": label, "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list,
      oninput: () => this.suggest(), onkeydown: (event) => this.key(event), onblur: () => this.close(),
    });
    this.list = h("ul", { id: list, role: "listbox", class: "words", hidden: true, "aria-label": "Completions" });
    this.error = h("output", { class: "error" });
    this.element = h("div", { class: "field" }, this.input, this.list, this.error);
  }

  clear() { this.input.value = this.value = this.input.defaultValue = ""; }

  suggest() {
    const { input } = this, text = input.value.slice(0, input.selectionStart), found = completions(text, [...this.app.room.mirror.numbers.keys()]);
    Object.assign(this, found, { at: -1 });
    this.error.textContent = "";
    this.list.replaceChildren(...this.words.map((word, index) => h("li", {
      role: "option", id: `${this.list.id}-${index}`, text: word, "aria-selected": "false",
      onpointerdown: (event) => { event.preventDefault(); this.take(index); },
    })));
    this.list.hidden = !this.words.length;
    if (this.words.length) this.list.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-expanded", String(this.words.length > 0));
    input.removeAttribute("aria-activedescendant");
  }

  close() {
    this.words = [];
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  choose(at) {
    this.at = (at + this.words.length) % this.words.length;
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.at)));
    this.list.children[this.at].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", `${this.list.id}-${this.at}`);
  }

  take(index) {
    const { input } = this, end = input.selectionStart;
    input.setRangeText(this.words[index], end - this.length, end, "end");
    this.suggest();
  }

  async key(event) {
    const { words } = this, { key } = event;
    if (words.length && (key === "ArrowDown" || key === "ArrowUp")) this.choose(this.at + (key === "ArrowDown" ? 1 : this.at < 0 ? 0 : -1));
    else if (words.length && key === "Tab" && !event.shiftKey) this.take(Math.max(0, this.at));
    else if (words.length && key === "Enter" && this.at >= 0) this.take(this.at);
    else if (key === "Escape") {
      if (!words.length) this.input.value = this.value;
      this.close();
    } else if (key === "Enter") {
      this.close();
      event.preventDefault();
      await this.send();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async send() {
    const text = this.input.value.trim();
    if (!text || text === this.value) return;
    const result = await this.submit(text);
    const isTaken = result.outcome === "committed";
    this.error.textContent = isTaken ? "" : result.message;
    this.input.toggleAttribute("aria-invalid", !isTaken);
    if (isTaken && this.input.value.trim() === text) this.value = this.input.defaultValue = text;
  }
}
