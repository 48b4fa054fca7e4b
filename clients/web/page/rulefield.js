// A field for a rule: a text with completion, sent with Enter, and what the server says of it below.
import { h } from "./dom.js";
import { completions } from "./rules.js";

let count = 0;

export class RuleField {
  /** `submit(text)` resolves to a result; a refusal is shown where it stands. */
  constructor(app, { value, label, hint = "", isDisabled, focus, submit }) {
    Object.assign(this, { app, value, submit, words: [], at: -1 });
    const list = `words-${++count}`;
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
