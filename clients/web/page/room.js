//# allFunctionsCalledOnLoad
// One room as the page knows it: the connection with its mirror, the server's clock, the other members, what the server
// said about conflicts, what this page sent, and what the network took. Knows no elements.
import { SceneClient } from "./scenesync.js";
import { Emitter } from "./dom.js";

export const can = { diagnostics: 1, anim: 2, undo: 4, seek: 16, trace: 32, keyframe: 64, inspect: 256, devices: 512, events: 1024, insets: 4096, annotations: 8192, follow: 16384, suggestions: 32768 };
/** What the page with its tools asks for. */
const TOOLS = Object.values(can).reduce((sum, bit) => sum | bit) & ~(can.events | can.insets);
const PRESENCE_SECONDS = 30;
const REFUSED = "refused";
/** So many milliseconds after a snapshot its hash is looked into: by then it is on show. */
const VERIFY = 150;
/** Milliseconds after which what a person did and the server has not answered is said to be unsaved. */
const PROMPT = 1000;

/** A client that says of each message how long it is and what it took to apply it. */
class MeteredClient extends SceneClient {
  receive(data) {
    const start = performance.now();
    this.onbytes?.(typeof data === "string" ? data.length : data.byteLength);
    this.ondata?.(data);
    super.receive(data);
    this.onspent?.(performance.now() - start);
  }
}

/**
 * Emits `status`, `update` (frames moved), `interactions` (what people can do), `structure` (views came, went or look different), `diagnostics`, `people`,
 * `device` (which one the scene is watched on), `document`, `ops` (the log of what was sent changed), `refused`, `trace`, `problem`.
 *
 * What a person does while the server does not answer is sent later, or refused in words (`refused`, `problem`): `unsaved` counts it.
 */
export class Room extends Emitter {
  status = "connecting";
  /** Why the last connection ended. */
  detail = "";
  diagnostics = { ambiguous: [], broken: [], feedbackLoop: [] };
  people = new Map();
  document = undefined;
  sets = new Map();
  conflicts = new Map();
  log = [];
  /** Whether the document is shown: only then it is asked for after changes. */
  wantsDocument = () => true;
  /** The last frames: tick, bytes, when they came, the script's milliseconds. */
  samples = [];
  roundTrip = undefined;
  /** The latest round trips. */
  trips = [];
  /** Shows own ops before the server answers (predictor.js); comes with the first gesture. */
  ahead = undefined;
  catchUps = 0;
  spent = 0;
  bytesSince = 0;
  isPast = false;
  nextGroup = 1;
  presence = { cursor: undefined, place: undefined, selection: [] };
  /** What this member attends to, besides its device, and wants of the others. */
  awareness = { idle: false, handRaised: false, spotlight: false };
  sentClocks = new Set();
  /** What a person did and no answer has come to: since when, by what did it. */
  work = new Map();
  /** How many changes pages that are gone left, which this one has to send. */
  left = 0;
  heardAt = -Infinity;
  /** Questions without an answer, by their numbers: the message, its parts so far, and who waits. */
  requests = new Map();

  /** `device` is the one to watch the scene on; undefined for the one that all share. */
  constructor({ url, room, token, WebSocket, device, role = "editor", capabilities = TOOLS }) {
    super();
    Object.assign(this, { url, room });
    this.client = new MeteredClient({ url: `${url}/${room}`, WebSocket, role, token, capabilities, verifiesLater: true, device });
    const { client } = this;
    client.onbytes = (bytes) => {
      this.bytesSince += bytes;
      this.heardAt = performance.now();
    };
    client.onspent = (milliseconds) => { this.spent += milliseconds; };
    client.onmessage = (message) => this.hear(message);
    client.onupdate = () => this.updated();
    client.oninteractions = (message) => this.emit("interactions", message);
    client.onannotations = () => this.emit("annotations");
    client.onpresence = (message) => this.met(message);
    client.onerror = (error) => this.emit("problem", error);
    client.onclose = (end) => this.closed(end);
    const { signal } = this.life = new AbortController(), timer = setInterval(() => this.beat(), 2000);
    signal.addEventListener("abort", () => clearInterval(timer));
    addEventListener("offline", () => this.lose(), { signal });
    addEventListener("online", () => this.hurry(), { signal });
    // Leaving would lose what waits.
    addEventListener("beforeunload", (event) => { if (this.unsaved) event.preventDefault(); }, { signal });
  }

  /** Leaves for good. */
  close() {
    this.life.abort();
    clearTimeout(this.retry);
    clearTimeout(this.documentTimer);
    clearTimeout(this.workTimer);
    this.status = REFUSED;
    this.client.close();
    this.giveUpQuestions("the page left the room");
  }

  /** What the server said, and that with own ops that it has not answered: what is shown. */
  get truth() { return this.client.mirror; }
  get mirror() { return this.ahead?.shown ?? this.client.mirror; }
  get welcome() { return this.client.welcome; }
  get unit() { return this.welcome?.unitsPerPoint ?? 1; }
  /** Whether the server keeps what people say, and tells it. */
  get annotates() { return this.has(can.annotations); }
  /** What this person's comments are told as the author of. */
  get person() { return String(this.welcome?.person); }
  get mayEdit() { return this.welcome?.role === "editor" && !this.isPast; }
  has(bit) { return (Number(this.welcome?.capabilities ?? 0) & bit) !== 0; }

  // --- What the server says ------------------------------------------------------------------------------------------

  hear(message) {
    const { type } = message;
    this.emit("message", message);
    if (type === "welcome") {
      this.clock = this.self = undefined;
      this.people.clear();
      // The client takes the message after this.
      queueMicrotask(() => {
        if (this.isPast) this.emit("problem", new Error("The connection was cut: this is the present again."));
        this.isPast = false;
        this.setStatus("live");
        this.askAgain();
        this.begin();
        this.emit("people");
      });
    } else if (type === "snapshot" || type === "tree" || type === "content" || type === "keyframe") {
      if (type === "snapshot" && this.samples.length) this.catchUps++;
      this.isStale = true;
    } else if (type === "diagnostics") {
      this.diagnostics = message;
      this.emit("diagnostics");
    } else if (type === "pong") {
      this.roundTrip = performance.now() - Number(message.t0) / 1000;
      this.trips = [...this.trips.slice(-4), this.roundTrip];
    } else if (type === "trace") this.emit("trace", message);
    else if (type === "device") {
      // The client takes the message after this, and the state on the device after that.
      queueMicrotask(() => {
        this.granted = message;
        this.emit("device", message);
      });
    }
    else if (type === "inspection") this.takeInspection(message);
    else if (type === "records") this.ahead?.follow(message);
    if (type === "anim") this.keepTime(message.tick);
  }

  /** Watches the scene on another device: `{ name }`, `{ viewport }`, or `{}` for the one that all share. */
  watch(device) { if (!this.welcome || this.has(can.devices)) this.client.changeDevice(device); }

  /** The direction in which a document is read on the device that the scene is watched on. */
  direction(document) {
    const { device } = this.client, isOther = device && this.granted?.fit === "exact";
    const named = isOther ? document?.devices?.[device.name]?.direction : undefined;
    return (isOther ? device.viewport?.direction : undefined) ?? named ?? document?.viewport?.direction ?? "ltr";
  }

  updated() {
    this.ahead?.heard();
    this.keepTime(this.mirror.tick);
    this.samples.push({ tick: this.mirror.tick, bytes: this.bytesSince, at: performance.now() });
    if (this.samples.length > 600) this.samples.shift();
    this.bytesSince = 0;
    if (this.isStale) this.emit("structure");
    this.isStale = false;
    this.emit("update");
    if (this.mirror.expectedHash !== undefined) setTimeout(() => { if (this.status === "live") this.client.verify(); }, VERIFY);
    this.requestDocumentSoon();
  }

  closed({ code, reason, willRetry }) {
    const isRefused = code >= 4000 && code < 5000 && !willRetry;
    this.forgetQuestions();
    this.setStatus(isRefused ? REFUSED : "waiting", `${code} ${reason}`);
    if (isRefused) this.giveUpQuestions(`closed with ${code}: ${reason}`);
    if (isRefused || willRetry) return;
    // The very first attempt failed: the library leaves that to its caller.
    this.retry = setTimeout(() => this.client.connect(), 1000);
  }

  setStatus(status, detail = "") {
    Object.assign(this, { status, detail });
    this.emit("status");
    if (status === "live") this.lastDrag?.pump();
  }

  /** The network is gone. */
  lose() { if (this.status === "live") this.client.lose(); }

  /** The network is back: no need to wait for the timer. */
  hurry() {
    if (this.status !== "waiting") return;
    clearTimeout(this.retry);
    this.client.connect();
  }

  beat() {
    for (const [key, person] of this.people) {
      if (performance.now() - person.seen > PRESENCE_SECONDS * 1000) this.people.delete(key);
    }
    if (this.status !== "live") return;
    const now = performance.now();
    this.ping();
    if (now - (this.presence.sent ?? 0) > 10000) this.sayWhereIAm();
    this.emit("people");
  }

  /** Measures the round trip. */
  ping() { this.client.sendMessage({ type: "ping", t0: Math.round(performance.now() * 1000) }); }

  // --- What waits for the server --------------------------------------------------------------------------------------

  /** How many things a person did and the server has not answered; all of one drag is one thing. */
  get unsaved() { return new Set([...this.work.keys()].map((key) => key.group || key)).size; }

  /** Whether one of them has waited for longer than an answer takes. */
  get isLate() {
    const [oldest] = this.work.values();
    return oldest !== undefined && performance.now() - oldest >= PROMPT;
  }

  /** Whether nothing has come since about then: the server, or the way to it, is gone. */
  get isSilent() { return this.status !== "live" || performance.now() - this.heardAt >= PROMPT; }

  /** Something that a person did waits, until `finish` is called with the same `key`. */
  start(key) {
    if (this.work.has(key)) return;
    this.work.set(key, performance.now());
    if (this.status !== "live") this.emit("status");
    this.tellLater();
  }

  finish(key) {
    const wasLate = this.isLate;
    if (this.work.delete(key) && (wasLate || this.status !== "live")) this.emit("status");
  }

  tellLater() {
    this.workTimer ??= setTimeout(() => {
      this.workTimer = undefined;
      if (this.work.size === 0) return;
      // Later on the server may have fallen silent, or answered other things.
      if (this.isLate) this.emit("status");
      this.tellLater();
    }, PROMPT);
  }

  /** Whether the server answers at present, for what makes no sense later; says so if not. */
  answers(what) {
    if (this.status === "live" && !(this.isLate && this.isSilent)) return true;
    this.emit("problem", new Error(`The server does not answer: ${what} has to wait. Try again when it is back.`));
    return false;
  }

  // --- The server's clock --------------------------------------------------------------------------------------------

  /** A tick was heard of: a little network delay is normal, so early news counts at once and late news by and by. */
  keepTime(tick) {
    const now = performance.now(), rate = this.welcome.tickRate / 1000, heard = Number(tick) - now * rate;
    if (this.clock === undefined || heard > this.clock || heard < this.clock - 30) this.clock = heard;
    else this.clock += (heard - this.clock) / 64;
  }

  /** The server's tick now, with a fraction. */
  tickNow() {
    const tick = performance.now() * (this.welcome?.tickRate ?? 60) / 1000 + (this.clock ?? 0);
    return Math.max(tick, Number(this.mirror.tick));
  }

  /** Tells others who is here, and asks for what is only looked at once there is a picture; not before this. */
  introduce(name, color) {
    Object.assign(this, { name, color });
    this.begin();
  }

  begin() {
    if (this.name === undefined) return;
    if (this.wantsDocument()) this.requestDocument();
    this.sayWhereIAm();
    this.ping();
  }

  // --- Others --------------------------------------------------------------------------------------------------------

  met(message) {
    // The server tells all members, this page too.
    if (this.welcome.client !== undefined) this.self = Number(this.welcome.client);
    else if (message.name === this.name && this.sentClocks.has(message.clock)) this.self = message.client;
    if (message.client === this.self) return;
    const known = this.people.get(message.client);
    if (known && known.clock > message.clock) return;
    if (message.gone) this.people.delete(message.client);
    else this.people.set(message.client, { ...message, seen: performance.now() });
    this.emit("people");
  }

  sayWhereIAm() {
    if (this.status !== "live" || this.name === undefined) return;
    const { cursor, place, selection } = this.presence, now = performance.now();
    this.presence.sent = now;
    this.sentClocks.add(Math.round(now));
    if (this.sentClocks.size > 100) this.sentClocks.delete(this.sentClocks.values().next().value);
    const message = {
      type: "presence", client: 0, clock: Math.round(now), gone: false, name: this.name, color: this.color, selection,
    };
    if (cursor) message.cursor = { point: cursor };
    if (place) message.place = place;
    const device = this.client.device?.name ?? "", { idle, handRaised, spotlight } = this.awareness;
    if (device || idle || handRaised || spotlight) message.awareness = { device, idle, handRaised, spotlight };
    this.client.sendMessage(message);
  }

  // --- Changing ------------------------------------------------------------------------------------------------------

  /**
   * Sends ops as one atomic batch; resolves to the result, or undefined while there is no server to decide. `draft` is what they were shown
   * for before.
   */
  send(ops, group = 0, draft = undefined) { return this.settle({ ops, group }, () => this.client.send(ops, { atomic: true, undoGroup: group }), draft); }

  /** Sends ops about what people say, which are no changes of the scene: nothing of them is shown before, or undone. */
  annotate(ops) {
    return this.client.send(ops, { atomic: true }).catch((error) => ({ outcome: "refused", code: "closed", message: error.message }));
  }

  undo(type = "undo") {
    if (type === "undo" && this.ahead?.takeBack()) return Promise.resolve();
    return this.settle({ ops: [{ op: type }], isForeign: true }, () => this.client.step(type));
  }

  async settle(fields, ask, draft) {
    const entry = { ...fields, at: performance.now(), result: undefined };
    this.log.push(entry);
    // What waits stays, however much it is.
    const answered = this.log.length > 200 ? this.log.findIndex(({ result }) => result !== undefined) : -1;
    if (answered >= 0) this.log.splice(answered, 1);
    this.start(entry);
    try {
      const answer = ask();
      entry.sequence = this.client.nextSequence - 1;
      this.ahead?.add(entry, draft);
      this.emit("ops");
      entry.result = await answer;
    } catch (error) {
      entry.result = { outcome: "refused", code: "closed", message: error.message, conflicting: [] };
    }
    entry.took = performance.now() - entry.at;
    this.ahead?.decided(entry);
    this.finish(entry);
    this.emit("ops");
    if (entry.result.outcome === "refused") this.emit("refused", { ...entry.result, entry });
    this.requestDocumentSoon();
    return entry.result;
  }

  /** Takes back something that was never sent; returns whether it was such. */
  withdraw(entry) {
    if (!this.client.withdraw(entry.sequence)) return false;
    this.log.splice(this.log.indexOf(entry), 1);
    this.finish(entry);
    this.ahead?.dropped(entry);
    this.emit("ops");
    return true;
  }

  group() { return this.nextGroup++; }

  // --- The past ------------------------------------------------------------------------------------------------------

  seek(tick, speed = 0) {
    if (!this.answers("the past")) return;
    this.isPast = true;
    this.client.sendMessage({ type: "seek", live: false, tick: Math.max(0, Math.round(tick)), speed });
    this.emit("status");
  }

  live() {
    // A new connection shows the present by itself.
    if (this.status !== "live") return;
    this.isPast = false;
    this.client.sendMessage({ type: "seek", live: true, tick: 0, speed: 1 });
    this.emit("status");
  }

  // --- The document --------------------------------------------------------------------------------------------------

  requestDocumentSoon() {
    if (this.documentTimer !== undefined || !this.wantsDocument()) return;
    // Large documents are asked for less often.
    const wait = 250 + Math.min(4000, (this.documentBytes ?? 0) / 100);
    this.documentTimer = setTimeout(() => { this.documentTimer = undefined; this.requestDocument(); }, wait);
  }

  async requestDocument() {
    if (this.status !== "live" || !this.has(can.inspect)) return;
    await this.ask([], true, { isKept: false }).then((inspection) => {
      if (!inspection?.document) return;
      this.document = inspection.document;
      /** The document as the server told it last, with the state hash that it belongs to. */
      this.told = { document: inspection.document, hash: inspection.hash };
      /** By name, whether a set holds; by id, what a constraint that was given up conflicts with. */
      this.sets = new Map((inspection.sets ?? []).map((set) => [set.id, set]));
      this.conflicts = new Map((inspection.broken ?? []).map(({ id, conflicts }) => [id, conflicts]));
      this.emit("document");
    });
  }

  /**
   * What holds views, and the document if asked for; resolves to the parsed inspection. Where the connection ends before the answer
   * it is asked again on the next one; it is rejected once there will be none.
   */
  async inspect(views, document = false) { return (await this.ahead?.whileCut(views)) ?? this.ask(views, document, { isKept: true }); }

  /** What is not kept resolves to undefined if the connection ends before the answer. */
  ask(views, document, { isKept }) {
    const request = this.nextRequest = (this.nextRequest ?? 0) + 1;
    return new Promise((resolve, reject) => {
      const pending = { message: { type: "inspect", request, document, views }, isKept, parts: [], resolve, reject };
      if (this.status === REFUSED) return void reject(new Error("the connection has ended"));
      this.requests.set(request, pending);
      if (this.status === "live") this.post(pending);
    });
  }

  post({ message, reject }) {
    if (this.has(can.inspect)) return void this.client.sendMessage(message);
    this.requests.delete(message.request);
    reject(new Error("this server does not say what holds views"));
  }

  askAgain() {
    this.forgetQuestions();
    for (const pending of this.requests.values()) {
      pending.parts = [];
      this.post(pending);
    }
  }

  /** What is not kept has no answer. */
  forgetQuestions() {
    for (const [request, { isKept, resolve }] of this.requests) {
      if (isKept) continue;
      this.requests.delete(request);
      resolve(undefined);
    }
  }

  giveUpQuestions(why) {
    for (const { isKept, resolve, reject } of this.requests.values()) {
      if (isKept) reject(new Error(why));
      else resolve(undefined);
    }
    this.requests.clear();
  }

  takeInspection({ request, chunkIndex, chunkCount, text }) {
    const pending = this.requests.get(request);
    if (!pending) return;
    pending.parts[chunkIndex] = text;
    if (pending.parts.filter((part) => part !== undefined).length < chunkCount) return;
    this.requests.delete(request);
    const whole = pending.parts.join(""), value = JSON.parse(whole);
    if (value.document) this.documentBytes = whole.length;
    pending.resolve(value);
  }
}
