// What people say about the scene: threads of comments, locks and versions, as sections of the panel on the right; and
// the marks of both over the scene. Texts of people only ever become text nodes.
import { h, toast } from "./dom.js";
import { can } from "./room.js";
import { Suggestions } from "./suggestions.js";

const REACTION = "👍";
const time = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
/** A name that nobody else gives a thread. */
const freshName = () => `c${crypto.getRandomValues(new Uint32Array(2)).reduce((text, part) => text + part.toString(36), "")}`;
/** How a person is called. */
const called = ({ name, subject }) => name || subject || "somebody";

export class Notes {
  /** What was typed and not sent, by its place; a refresh of the panel keeps it. */
  drafts = new Map();

  constructor(app) {
    this.app = app;
    this.suggestions = new Suggestions(app, this);
  }

  get said() { return this.app.room.client.annotations; }

  all(kind) { return [...this.said].filter(([key]) => key.startsWith(`${kind} `)).map(([key, value]) => [key.slice(kind.length + 1), value]); }

  /** Threads with their comments, the open ones first, each group by its first comment. */
  threads(about = () => true) {
    const comments = Map.groupBy(this.all("comment"), ([id]) => id.slice(0, id.lastIndexOf(".")));
    const threads = this.all("thread").filter(([, thread]) => about(thread)).map(([id, thread]) => ({
      id, thread, comments: (comments.get(id) ?? []).map(([, comment]) => comment).sort((one, other) => one.number - other.number),
    }));
    return threads.sort((one, other) => Number(one.thread.resolved) - Number(other.thread.resolved) || (one.comments[0]?.time ?? 0) - (other.comments[0]?.time ?? 0));
  }

  get mayComment() { return ["editor", "participant"].includes(this.app.room.welcome?.role) && !this.app.room.isPast; }

  async send(op) {
    const result = await this.app.room.annotate([op]);
    if (result.outcome === "refused") toast(result.message, "bad");
    return result.outcome !== "refused";
  }

  // --- The panel -----------------------------------------------------------------------------------------------------

  /** The sections for a view, or for the scene. */
  sections(id) {
    if (!this.app.room.annotates) return [];
    return id === undefined ? [this.everything(), this.suggestions.section(), this.versions()] : [this.ofView(id)];
  }

  section(title, ...children) { return h("section", { class: "notes" }, h("h2", { text: title }), ...children); }

  everything() {
    const threads = this.threads(), open = threads.filter(({ thread }) => !thread.resolved);
    const locks = this.all("lock").map(([id, lock]) => h("li", {}, this.jump(id), ` locked by ${called(lock.holder)}`, lock.note ? h("div", { class: "note", text: lock.note }) : ""));
    return this.section(`Comments${open.length ? ` (${open.length} open)` : ""}`,
      ...(threads.length ? open.map((each) => this.thread(each, true)) : [h("p", { text: "Select a view to say something about it." })]),
      threads.length > open.length ? h("details", { "data-focus": "resolved" }, h("summary", { text: `${threads.length - open.length} resolved` }), ...threads.filter(({ thread }) => thread.resolved).map((each) => this.thread(each, true))) : "",
      locks.length ? h("ul", {}, ...locks) : "");
  }

  ofView(id) {
    const threads = this.threads(({ view }) => view === id);
    return this.section(`Comments${threads.length ? ` (${threads.length})` : ""}`, this.lock(id), ...threads.map((each) => this.thread(each, false)),
      this.field(`about ${id}`, `Say something about ${id}`, (text) => this.send({ op: "addComment", id: freshName(), view: id, text })));
  }

  jump(id) {
    if (!this.app.room.mirror.numbers.has(id)) return h("span", { class: "gone", text: `${id} (gone)` });
    return h("button", { class: "link", "data-focus": `note ${id}`, text: id, onclick: () => this.app.select([id]) });
  }

  lock(id) {
    const { room } = this.app, lock = this.said.get(`lock ${id}`);
    if (lock) {
      return h("p", { class: "lock" }, `🔒 ${called(lock.holder)} has this view${lock.note ? `: ${lock.note}` : ""} `,
        room.mayEdit ? h("button", { class: "quiet", "data-focus": "unlock", text: "Unlock", onclick: () => this.send({ op: "unlock", view: id }) }) : "");
    }
    if (!room.mayEdit) return "";
    return h("button", { class: "quiet", "data-focus": "lock", text: "🔓 Lock for me", title: "Nobody else changes this view and what is in it", onclick: () => this.send({ op: "lock", view: id }) });
  }

  thread({ id, thread, comments }, says) {
    const subject = thread.view ?? thread.constraint ?? "a point", isSettled = thread.resolved;
    const about = says ? h("div", { class: "about" }, thread.view ? this.jump(thread.view) : h("code", { text: subject })) : "";
    return h("article", { class: isSettled ? "thread resolved" : "thread", "aria-label": `Thread about ${subject}` }, about,
      ...comments.map((comment) => this.comment(id, comment)),
      isSettled ? "" : this.field(`reply ${id}`, "Reply", (text) => this.send({ op: "replyComment", id, text })),
      this.mayComment ? h("button", { class: "quiet", "data-focus": `resolve ${id}`, text: isSettled ? "Reopen" : "Resolve", onclick: () => this.send({ op: isSettled ? "reopenComment" : "resolveComment", id }) }) : "");
  }

  comment(id, { number, author, time: when, edited, text, reactions = [] }) {
    const mine = author.person === this.app.room.person, count = reactions.find(({ reaction }) => reaction === REACTION)?.people ?? [];
    const own = count.some(({ person }) => person === this.app.room.person);
    return h("div", { class: "comment" },
      h("div", { class: "note" }, h("b", { text: called(author) }), ` ${time.format(when)}${edited ? ", edited" : ""}`),
      h("div", { class: "said", text }),
      this.mayComment ? h("button", { class: "quiet", "data-focus": `like ${id} ${number}`, "aria-pressed": String(own), "aria-label": `${REACTION} ${count.length}`, text: `${REACTION} ${count.length || ""}`, onclick: () => this.send({ op: "reactComment", id, number, reaction: REACTION, remove: own }) }) : "",
      mine && this.mayComment ? h("button", { class: "quiet", "data-focus": `remove ${id} ${number}`, text: "Remove", onclick: () => this.send({ op: "removeComment", id, number }) }) : "");
  }

  /** A field whose text is sent with the button, or with Enter and Control. */
  field(place, label, submit) {
    if (!this.mayComment) return "";
    const area = h("textarea", { rows: 2, maxlength: 8000, "aria-label": label, placeholder: label, "data-focus": place, oninput: () => this.drafts.set(place, area.value) });
    area.value = this.drafts.get(place) ?? "";
    const send = async () => {
      const text = area.value.trim();
      if (!text) return;
      this.drafts.delete(place);
      area.value = "";
      if (!await submit(text)) this.drafts.set(place, text);
    };
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      send();
    });
    return h("div", { class: "say" }, area, h("button", { text: "Send", "data-focus": `send ${place}`, onclick: send }));
  }

  versions() {
    const { room } = this.app, versions = this.all("version").sort(([, one], [, other]) => other.time - one.time);
    const name = h("input", { type: "text", maxlength: 64, "aria-label": "Name of a version", placeholder: "Name this version", "data-focus": "version name", oninput: () => this.drafts.set("version", name.value) });
    name.value = this.drafts.get("version") ?? "";
    const add = async () => {
      if (name.value.trim() && await this.send({ op: "addVersion", name: name.value.trim() })) this.drafts.delete("version");
    };
    return this.section(`Versions${versions.length ? ` (${versions.length})` : ""}`,
      h("ul", {}, ...versions.map(([id, version]) => this.version(id, version))),
      room.mayEdit ? h("div", { class: "line" }, name, h("button", { text: "Keep", "data-focus": "keep version", onclick: add })) : "");
  }

  version(id, { author, note, tick, time: moment }) {
    const { room } = this.app, label = (what) => ({ "aria-label": `${what} version ${id}`, "data-focus": `${what} ${id}` });
    const address = new URL(location.href);
    address.hash = `tick=${tick}`;
    const restore = async () => {
      // The first press asks; it takes the scene's place for everybody.
      if (this.asked !== id) {
        this.asked = id;
        return this.app.inspector.refresh();
      }
      this.asked = undefined;
      if (await this.send({ op: "restoreVersion", name: id })) toast(`The scene is "${id}" again. Undo brings back what was there.`);
    };
    return h("li", { class: "line" },
      h("span", { class: "grow" }, h("b", { text: id }), h("span", { class: "note", text: ` ${called(author)}, ${time.format(moment)}` }), note ? h("div", { class: "said", text: note }) : ""),
      room.has(can.seek) ? h("a", { href: address.href, text: "See", ...label("See"), onclick: (event) => { event.preventDefault(); room.seek(Number(tick)); } }) : "",
      room.mayEdit ? h("button", { class: this.asked === id ? "bad" : "", text: this.asked === id ? "For everybody?" : "Restore", ...label("Restore"), onclick: restore }) : "");
  }

  // --- Over the scene ------------------------------------------------------------------------------------------------

  /** Pins of open threads, and locks, at the top right corners of their views. */
  paint(g, overlay) {
    if (!this.said.size) return;
    const counts = new Map();
    for (const { thread } of this.threads(({ view, resolved }) => view !== undefined && !resolved)) counts.set(thread.view, (counts.get(thread.view) ?? 0) + 1);
    for (const [id] of this.all("lock")) if (!counts.has(id)) counts.set(id, 0);
    for (const [id, count] of counts) {
      const box = this.app.room.mirror.numbers.has(id) ? overlay.box(id) : undefined;
      if (!box) continue;
      const text = `${this.said.has(`lock ${id}`) ? "🔒" : ""}${count ? `💬 ${count}` : ""}`;
      overlay.label(g, text, box.x + box.width, box.y, overlay.colors.warn);
    }
  }
}
