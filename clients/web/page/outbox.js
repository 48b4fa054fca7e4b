// Changes that the server has not answered are kept in the browser, over reloads and restarts of it, and sent when the server is back: each
// once. What was refused after it waited is listed, to be tried again or dropped.
//
// Each page has a lane of its own: the session of its connection with the requests that have no result. While a page lives it holds a lock on
// its lane. The lane of a page that is gone is taken over by one page, which goes on with its session: so the server knows which requests it
// has done already (SPEC CONN-24, CONN-25).
import { h } from "./dom.js";
import { can } from "./room.js";
import { SceneClient } from "./scenesync.js";

const request = (asked) => new Promise((resolve, reject) => {
  asked.onsuccess = () => resolve(asked.result);
  asked.onerror = () => reject(asked.error);
});

/** The lanes and changes of all rooms of this address. */
export class Storage {
  static async open() {
    const opening = indexedDB.open("scenesync", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("lanes", { keyPath: "lane" });
      opening.result.createObjectStore("changes", { keyPath: ["lane", "sequence"] });
    };
    return new Storage(await request(opening));
  }

  constructor(database) {
    this.database = database;
    /** Resolves once all that was asked for so far is on disk. */
    this.last = Promise.resolve();
  }

  /** Does something in one transaction, behind those before; resolves when it is on disk. */
  write(stores, body) {
    const done = this.last.then(() => new Promise((resolve, reject) => {
      const transaction = this.database.transaction(stores, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve();
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
      body(...stores.map((name) => transaction.objectStore(name)));
    }));
    this.last = done.catch(() => {});
    return done;
  }

  all(store, range) { return this.last.then(() => request(this.database.transaction(store).objectStore(store).getAll(range))); }
  changes(lane) { return this.all("changes", IDBKeyRange.bound([lane, 0], [lane, Infinity])); }
}

/** What is kept of a record. */
const stored = ({ lane, sequence, message, isSent, refused }) => ({ lane, sequence, message, isSent, refused });

const KEPT = {
  browser: "They are kept in this browser, over a reload too, and sent when the server is back.",
  tab: "They are sent when the server is back, and lost with this tab: browsers keep them only for pages that came by https, or from this machine.",
};

const lockOf = (lane) => `scenesync-lane ${lane}`;

/** A change in words. */
function described({ type, ops = [] }) {
  if (type !== "ops") return type;
  const said = ops.slice(0, 3).map(({ op, id = "", ...more }) => [op, id, ...Object.entries(more).map(([key, value]) => `${key} ${JSON.stringify(value)}`)].join(" ").trim().slice(0, 80));
  return ops.length > 3 ? `${said.join(", ")} and ${ops.length - 3} more` : said.join(", ");
}

/** Records by the steps of undo that they belong to: all of one drag is one. */
function steps(records) {
  const found = new Map();
  for (const record of records) {
    const { lane, sequence, message: { undoGroup } } = record, key = `${lane} ${undoGroup ? `group ${undoGroup}` : sequence}`;
    found.set(key, [...(found.get(key) ?? []), record]);
  }
  return [...found.values()];
}

export class Outbox {
  static async open(app) {
    // Browsers have locks only where the page came by https, or from this machine: elsewhere two tabs might send the same.
    const outbox = new Outbox(app, navigator.locks && await Storage.open());
    if (navigator.locks) await outbox.find();
    return outbox;
  }

  lane = crypto.randomUUID?.() ?? "";
  /** Own changes that are on disk, by their sequences. */
  kept = new Map();
  /** What other pages left, and what was refused: a list of records. */
  records = [];
  /** Hear of records that are gone. */
  waiting = [];
  /** Lanes that this page waits for or has taken over. */
  lanes = new Set();

  constructor(app, storage) {
    Object.assign(this, { app, room: app.room, storage });
    const { room, url } = app.joining;
    this.place = `${url}/${room}`;
    this.flag = `scenesync-outbox ${this.place}`;
    this.button = h("button", { id: "changes", hidden: true, onclick: () => this.open() });
    document.getElementById("status").after(this.button);
    this.list = h("ul", { class: "problems" });
    this.dialog = h("dialog", { id: "outbox", "aria-label": "Changes that are not saved" },
      h("h2", { text: "Changes" }), this.note = h("p", { class: "note" }), this.list,
      h("div", { class: "line" }, h("span", { class: "grow" }), h("button", { text: "Close", onclick: () => this.dialog.close() })));
    document.body.append(this.dialog);
    for (const name of ["ops", "status"]) this.room.on(name, () => this.follow());
    this.channel = new BroadcastChannel(this.flag);
    this.channel.onmessage = ({ data }) => this.adopt(data);
    this.follow();
  }

  complain(error) { this.room.emit("problem", new Error(`What you did could not be kept in this browser: ${error.message ?? error}.`)); }

  // --- Own changes ---------------------------------------------------------------------------------------------------

  /** Brings what is kept in step with what waits. */
  follow() {
    const { room, kept } = this, { client } = room, isBack = room.status === "live" && !room.isLate;
    const puts = [], deletes = [];
    for (const entry of room.log) {
      const { sequence, result } = entry, record = kept.get(sequence);
      if (result === undefined && client.unanswered.has(sequence)) {
        const isSent = sequence <= client.lastSent;
        // What is answered at once need not be kept; what was kept and is sent now has to be known as sent.
        if (record ? record.isSent === isSent : isBack) continue;
        const { message } = client.unanswered.get(sequence), next = { lane: this.lane, sequence, message, isSent, entry };
        kept.set(sequence, next);
        puts.push(next);
      } else if (record) {
        kept.delete(sequence);
        if (result?.outcome === "refused") {
          const refused = { ...record, refused: { code: result.code, message: result.message } };
          this.records.push(refused);
          puts.push(refused);
        } else deletes.push(record);
      }
    }
    for (const [sequence, record] of kept) {
      if (client.unanswered.has(sequence) || room.log.includes(record.entry)) continue;
      // It was taken back.
      kept.delete(sequence);
      deletes.push(record);
    }
    if (puts.length + deletes.length) this.write(puts, deletes);
    this.show();
  }

  write(puts, deletes = []) {
    if (!this.storage) return;
    const { session, resumeToken } = this.room.welcome ?? {}, { lane, place } = this;
    if (puts.length) localStorage.setItem(this.flag, "1");
    this.held ??= new Promise((granted) => {
      navigator.locks.request(lockOf(lane), () => {
        granted();
        this.channel.postMessage(lane);
        // Until the page ends.
        return new Promise(() => {});
      });
    });
    this.held.then(() => this.storage.write(["lanes", "changes"], (lanes, changes) => {
      if (puts.length) lanes.put({ lane, place, session, resumeToken });
      for (const record of puts) changes.put(stored(record));
      for (const { lane: from, sequence } of deletes) changes.delete([from, sequence]);
    })).then(() => this.tidy(), (error) => this.complain(error));
  }

  /** Without anything kept the next page need not look. */
  tidy() { if (!this.kept.size && !this.records.length && !this.lanes.size) localStorage.removeItem(this.flag); }

  // --- What other pages left -----------------------------------------------------------------------------------------

  async find() {
    for (const { lane, place } of await this.storage.all("lanes")) if (place === this.place) this.adopt(lane);
  }

  /** Takes a lane over once its page is gone. */
  adopt(lane) {
    if (lane === this.lane || this.lanes.has(lane)) return;
    this.lanes.add(lane);
    navigator.locks.request(lockOf(lane), { signal: this.room.life.signal }, async () => {
      const [meta] = (await this.storage.all("lanes")).filter((each) => each.lane === lane), records = meta ? await this.storage.changes(lane) : [];
      this.records.push(...records);
      this.show();
      if (records.length) {
        await this.whenLive();
        await this.deliver(meta, records.filter((record) => !record.refused && this.records.includes(record)));
      }
      // What was refused stays with this page, until it is dropped.
      while (this.records.some((record) => record.lane === lane)) await new Promise((resolve) => { this.waiting.push(resolve); });
      await this.storage.write(["lanes"], (lanes) => lanes.delete(lane));
    }).catch((error) => { if (error.name !== "AbortError") this.complain(error); }).finally(() => {
      this.lanes.delete(lane);
      this.tidy();
      this.show();
    });
  }

  whenLive() {
    const { room } = this;
    return new Promise((resolve) => {
      const look = () => { if (room.status === "live" && room.welcome?.role === "editor") resolve(); };
      room.on("status", look);
      look();
    });
  }

  /** Sends what a page left, by a connection that goes on with its session. */
  async deliver({ session, resumeToken }, records) {
    if (!records.length) return;
    const { url, room, token } = this.app.joining, { signal } = this.room.life;
    const client = new SceneClient({
      url: `${url}/${room}`, WebSocket, token, role: "editor", capabilities: can.undo, resume: session === undefined ? undefined : { session, resumeToken },
    });
    signal.addEventListener("abort", () => client.close());
    client.onmessage = (message) => {
      if (message.type !== "welcome" || session === undefined || String(message.session) === String(session)) return;
      // The server does not remember that page: what was sent may have been done, and nobody knows.
      for (const record of records) {
        if (!record.isSent || !client.unanswered.delete(record.sequence)) continue;
        this.refuse(record, { code: "unknown", message: "it was sent, and the server does not remember whether it was done" });
        settled.get(record)();
      }
    };
    client.onclose = ({ willRetry }) => {
      if (willRetry || client.isClosing) return;
      // The first attempt failed.
      this.whenLive().then(() => setTimeout(() => client.connect(), 1000));
    };
    const settled = new Map();
    await Promise.all(records.map((record) => new Promise((resolve) => {
      record.isUnderWay = true;
      settled.set(record, resolve);
      client.restore(record.message).then((result) => {
        if (result.outcome === "refused") this.refuse(record, result);
        else this.forget(record);
        resolve();
      }, (error) => {
        this.refuse(record, { code: "closed", message: error.message });
        resolve();
      });
    })));
    client.close();
  }

  refuse(record, { code, message }) {
    record.isUnderWay = false;
    record.refused = { code, message };
    this.storage.write(["changes"], (changes) => changes.put(stored(record))).catch((error) => this.complain(error));
    this.room.emit("refused", { code, message: `${described(record.message)}: ${message}` });
    this.show();
  }

  forget(record) {
    this.records = this.records.filter((each) => each !== record);
    this.storage?.write(["changes"], (changes) => changes.delete([record.lane, record.sequence])).then(() => this.tidy(), (error) => this.complain(error));
    for (const resolve of this.waiting.splice(0)) resolve();
    this.show();
  }

  // --- For people ----------------------------------------------------------------------------------------------------

  open() {
    this.show();
    this.dialog.showModal();
  }

  show() {
    const own = steps([...this.kept.values()]), left = steps(this.records.filter((record) => !record.refused)), refused = steps(this.records.filter((record) => record.refused));
    const waiting = own.length + left.length, { button, room } = this;
    if (room.left !== left.length) {
      // Which calls this again.
      room.left = left.length;
      room.emit("status");
      return;
    }
    button.hidden = waiting + refused.length === 0;
    button.textContent = [waiting ? `${waiting} ${waiting === 1 ? "change waits" : "changes wait"}` : "", refused.length ? `${refused.length} refused` : ""].filter(Boolean).join(", ");
    this.note.textContent = waiting ? KEPT[this.storage ? "browser" : "tab"] : "The server refused these after they waited.";
    const says = (text) => h("span", { class: "note", text });
    const drop = (records, body) => h("button", { text: "Drop", onclick: () => {
      for (const record of records.reverse()) body(record);
      this.show();
    } });
    const line = (records, ...more) => h("li", { class: records[0].refused ? "bad" : "" }, h("div", {}, h("code", { text: described(records[records.length - 1].message) }),
      records.length > 1 ? says(` the last of ${records.length} steps`) : "", records[0].refused ? h("div", { class: "note", text: records[0].refused.message }) : ""), h("div", { class: "line" }, ...more));
    const isSent = (records) => records.some((record) => record.isSent || record.isUnderWay);
    this.list.replaceChildren(
      ...refused.map((records) => line(records, h("button", { text: "Try again", disabled: records[0].message.type !== "ops", onclick: () => this.again(records) }), drop(records, (record) => this.forget(record)))),
      ...left.map((records) => line(records, records.some((record) => record.isUnderWay) ? says("is being sent") : drop(records, (record) => this.forget(record)))),
      ...own.map((records) => line(records, isSent(records) ? says("was sent, no answer yet") : drop(records, (record) => room.withdraw(record.entry)))));
    if (!waiting && !refused.length && this.dialog.open) this.dialog.close();
  }

  again(records) {
    const group = this.room.group();
    for (const record of records) {
      this.forget(record);
      this.room.send(record.message.ops, group);
    }
  }
}
