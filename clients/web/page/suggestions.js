// Suggestions: branches of the room, as a section of the panel on the right; in a branch, the way back and what its room has
// changed. What accepting would change is told by the server, in words. Texts of people only ever become text nodes.
import { h, toast } from "./dom.js";
import { can } from "./room.js";

const time = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
const called = ({ name, subject }) => name || subject || "somebody";
/** A name that nobody else gives a suggestion; it is a part of the branch's address. */
const freshName = () => `s${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;

export class Suggestions {
  /** What was typed and not sent, by its place. */
  drafts = new Map();
  /** What the server said of a suggestion, by its name: what accepting would change, or why that is not known. */
  shown = new Map();
  /** The decision that was pressed once. */
  asked = undefined;

  constructor(app, notes) { Object.assign(this, { app, notes }); }

  get room() { return this.app.room; }
  /** The room's name and, in a branch, its suggestion's. */
  get place() { return this.room.room.split("~"); }

  section() {
    if (!this.room.has(can.suggestions)) return "";
    const [main, own] = this.place, all = this.notes.all("suggestion");
    return own === undefined ? this.ofRoom(main, all) : this.ofBranch(main, own, new Map(all).get(own));
  }

  // --- In the room ---------------------------------------------------------------------------------------------------

  ofRoom(main, all) {
    const rank = ({ state }) => Number(state !== "open"), open = all.filter(([, { state }]) => state === "open").length;
    const name = h("input", { type: "text", maxlength: 64, "aria-label": "Name of a suggestion", placeholder: "Suggest something", "data-focus": "suggestion name", oninput: () => this.drafts.set("name", name.value) });
    name.value = this.drafts.get("name") ?? "";
    const suggest = async () => {
      const text = name.value.trim(), id = freshName();
      if (!text || !await this.notes.send({ op: "suggest", id, name: text })) return;
      this.drafts.delete("name");
      toast(`"${text}" begins as the scene is now. Branch opens it.`);
    };
    const sorted = all.sort(([, one], [, other]) => rank(one) - rank(other) || other.time - one.time);
    return this.notes.section(`Suggestions${open ? ` (${open} open)` : ""}`,
      h("ul", {}, ...sorted.map(([id, suggestion]) => this.suggestion(main, id, suggestion))),
      this.room.mayEdit ? h("div", { class: "line" }, name, h("button", { text: "Suggest", "data-focus": "suggest", onclick: suggest })) : "");
  }

  suggestion(main, id, { name, note, author, time: moment, state, decided, reason }) {
    const label = (what) => ({ "aria-label": `${what} suggestion ${name}`, "data-focus": `${what} ${id}` }), isOpen = state === "open";
    const outcome = isOpen ? "" : ` ${state} by ${called(decided.by)}${reason ? `: ${reason}` : ""}`;
    return h("li", { class: "suggestion" },
      h("div", {}, h("b", { text: name }), h("span", { class: "note", text: ` ${called(author)}, ${time.format(moment)}.${outcome}` })),
      note ? h("div", { class: "said", text: note }) : "",
      h("div", { class: "line" },
        h("a", { href: this.address(`${main}~${id}`), text: "Branch", ...label("Branch of") }),
        h("button", { class: "quiet", text: this.shown.has(id) ? "Hide" : "Difference", ...label("Difference of"), onclick: () => this.toggle(main, id) }),
        ...(this.room.mayEdit ? this.decisions(id, name, isOpen, label) : [])),
      this.shown.has(id) ? this.difference(id, this.shown.get(id), isOpen) : "");
  }

  decisions(id, name, isOpen, label) {
    const decide = async (verb, said, keys = {}) => {
      if (await this.notes.send({ op: `${verb}Suggestion`, id, ...keys })) {
        this.shown.delete(id);
        toast(said);
      }
    };
    if (!isOpen) {
      return [
        h("button", { class: "quiet", text: "Reopen", ...label("Reopen"), onclick: () => decide("reopen", `"${name}" is open again.`) }),
        h("button", { class: "quiet", text: "Remove", ...label("Remove"), onclick: () => decide("remove", `"${name}" and its branch are gone.`) }),
      ];
    }
    return [
      this.sure(`accept ${id}`, "Accept", label("Accept"), () => decide("accept", `"${name}" is in the scene. Undo takes it back.`)),
      this.sure(`refuse ${id}`, "Refuse", label("Refuse"), () => {
        const reason = this.drafts.get(`reason ${id}`)?.trim();
        this.drafts.delete(`reason ${id}`);
        return decide("refuse", `"${name}" is refused.`, reason ? { reason } : {});
      }),
      this.asked === `refuse ${id}` ? this.reason(id, name) : "",
    ];
  }

  reason(id, name) {
    const field = h("input", { type: "text", maxlength: 2000, "aria-label": `Why ${name} is refused`, placeholder: "Why?", "data-focus": `reason ${id}`, oninput: () => this.drafts.set(`reason ${id}`, field.value) });
    field.value = this.drafts.get(`reason ${id}`) ?? "";
    return field;
  }

  /** A button whose first press asks: it decides for everybody. */
  sure(what, text, fields, act) {
    const isAsked = this.asked === what;
    return h("button", { class: isAsked ? "bad" : "", text: isAsked ? `${text} for everybody?` : text, ...fields, onclick: () => {
      this.asked = isAsked ? undefined : what;
      if (isAsked) act();
      else this.app.inspector.refresh();
    } });
  }

  // --- What accepting would change -----------------------------------------------------------------------------------

  async toggle(main, id) {
    if (this.shown.delete(id)) return this.app.inspector.refresh();
    const { token } = this.app.joining, headers = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await fetch(`suggestions/${main}~${id}`, { headers }).catch(() => undefined);
    if (answer?.ok) this.shown.set(id, await answer.json());
    else this.shown.set(id, { problem: answer ? (await answer.text()).trim() : "the server does not answer", changes: [], conflicts: [] });
    this.app.inspector.refresh();
  }

  difference(id, { problem, changes, conflicts, behind }, isOpen) {
    const mayTake = isOpen && this.room.mayEdit;
    const take = async (name) => {
      if (!await this.notes.send({ op: "acceptSuggestion", id, only: [name] })) return;
      this.shown.delete(id);
      this.toggle(this.place[0], id);
    };
    return h("div", { class: "difference", role: "group", "aria-label": "What accepting would change" },
      problem ? h("p", { class: "note", text: problem }) : "",
      behind ? h("p", { class: "note", text: "The room has changed since: update the branch to see how both fit." }) : "",
      conflicts.length ? h("ul", { class: "conflicts" }, ...conflicts.map((text) => h("li", { text: `Conflict: ${text}` }))) : "",
      changes.length ? h("ul", {}, ...changes.map(({ kind, id: name, text }) => h("li", {},
        text,
        // A view that moves is moved by another change.
        mayTake && kind !== "moved" ? h("button", { class: "quiet", text: "Take", "aria-label": `Take ${text}`, "data-focus": `take ${id} ${text}`, onclick: () => take(name) }) : ""))) : problem ? "" : h("p", { text: "Nothing would change." }));
  }

  // --- In the branch -------------------------------------------------------------------------------------------------

  ofBranch(main, id, suggestion) {
    if (!suggestion) return "";
    const isOpen = suggestion.state === "open", { conflicts = [] } = suggestion;
    const update = async () => {
      if (await this.notes.send({ op: "updateSuggestion" })) toast("What has changed in the room is here now. Undo takes it back.");
    };
    return this.notes.section(`Suggestion: ${suggestion.name}`,
      h("p", { class: "note" }, "A branch of ", h("a", { href: this.address(main), text: main }), isOpen ? "" : `: ${suggestion.state} by ${called(suggestion.decided.by)}${suggestion.reason ? `, ${suggestion.reason}` : ""}; nothing is changed here any more.`),
      suggestion.note ? h("div", { class: "said", text: suggestion.note }) : "",
      conflicts.length ? h("ul", { class: "conflicts" }, ...conflicts.map((text) => h("li", { text: `Kept, though the room has it otherwise: ${text}` }))) : "",
      h("div", { class: "line" },
        h("button", { class: "quiet", text: this.shown.has(id) ? "Hide" : "Difference", "data-focus": "difference", onclick: () => this.toggle(main, id) }),
        isOpen && this.room.mayEdit ? h("button", { text: "Update", title: "Take in what has changed in the room", "data-focus": "update", onclick: update }) : ""),
      this.shown.has(id) ? this.difference(id, this.shown.get(id), false) : "");
  }

  /** The page of another room, joined as this one is. */
  address(room) {
    const address = new URL(location.href);
    address.pathname = address.pathname.replace(/[^/]*$/, room);
    const { token } = this.app.joining;
    address.hash = token ? `token=${token}` : "";
    return address.href;
  }
}
