// Own changes before the server answers them: decides when to predict, and keeps the replica in step with the server. While the server is
// gone, the page goes on with the replica. Comes with the first gesture of an editor, and fetches the engine then.
import { HAS_ENGINE } from "./engine.js";
import { Prediction, WorkerReplica } from "./predict.js";
import { can } from "./room.js";

/** The least round trip in milliseconds at which a prediction is seen: below, the server's frame comes as soon. */
const HELPS = 25;
/** Milliseconds without an own op after which the replica is freed. */
const IDLE = 1000;
/** The same of one that follows the server's scene, and so stays equal to it. */
const FOLLOWED = 10_000;
/** Between two replicas of one gesture pass so many milliseconds, or so many times what opening one takes. */
const PAUSE = 300, PAUSES = 5;
/** So often in succession a replica that follows may be another scene than the server's before it is given up. */
const UNEQUAL = 2;
/** Milliseconds after which it is tried again, where a replica was of no use. */
const RETRY = 5000;
/** So many ops after a document it is asked for anew. */
const SINCE = 500;
/** Milliseconds between two documents for the panels, while the server is gone. */
const PANELS = 100;

/** `scenesync-worker` is the one policy that the server allows, and this the one address that it makes. */
const POLICY = globalThis.trustedTypes?.createPolicy("scenesync-worker", { createScriptURL: () => new URL("../play/replica-worker.js", import.meta.url).href });
const startWorker = () => new Worker(POLICY ? POLICY.createScriptURL("") : new URL("../play/replica-worker.js", import.meta.url), { type: "module" });

/** Ops that the replica cannot follow: the server alone knows what was done before, and runs animations. */
const isForeign = ({ op, ops = [] }) => op === "undo" || op === "redo" || op === "animate" || ops.some(isForeign);

const framesOf = (mirror) => new Map([...mirror.views.values()].map(({ id, number }) => [id, mirror.frame(number)]));

export class Predictor {
  drafts = new Map();
  /** Lists of ops that were committed after the replica's document. */
  since = [];
  /** Why nothing is predicted, for people; undefined if there is no reason but that there is nothing to predict. */
  why = undefined;
  prediction = undefined;
  remadeAt = -Infinity;
  unequal = 0;
  retryAt = -Infinity;
  figures = { remade: 0, notPredicted: 0 };

  constructor(app) {
    this.app = app;
    const { room } = this.app, { signal } = room.life;
    this.room = room;
    this.setting = localStorage.getItem("scenesync-predict") ?? "auto";
    this.wait();
    room.on("status", () => {
      // A connection begins without records.
      if (room.status !== "live") this.follows = undefined;
      else if (this.follows === undefined && this.isOpen) this.askToFollow(true);
      this.checkCut();
    });
    // Whatever was sent before this came.
    const early = room.log.filter(({ result }) => result === undefined);
    signal.addEventListener("abort", () => this.prediction?.replica.end());
    this.begin();
    for (const entry of early) this.add(entry);
    this.checkCut();
  }

  // --- When ----------------------------------------------------------------------------------------------------------

  set(setting) {
    this.setting = setting;
    this.why = undefined;
    if (setting === "off" && this.prediction) this.close();
    else this.begin();
  }

  /** The least of the last round trips: a busy machine makes some of them long. */
  get roundTrip() { return Math.min(...this.room.trips); }

  /** Whether the server, or the way to it, is gone. */
  get isCut() { return this.room.status !== "live" || (this.room.isLate && this.room.isSilent); }

  get isOpen() { return this.prediction?.isOpen ?? false; }
  get isBusy() { return this.isAsked > 0 || (this.prediction?.isBusy ?? false); }
  isAsked = 0;
  /** Whether the page goes on without its server. */
  get isAheadOfCut() { return this.isOpen && this.isCut; }

  /** Why nothing can be predicted at all; undefined if it can. */
  get obstacle() {
    const { room } = this, { device } = room.client;
    if (this.setting === "off") return "switched off";
    if (!HAS_ENGINE) return "this server has no engine for browsers";
    if (this.trouble) return this.trouble;
    if (room.status === "refused") return "the server has closed the connection";
    if (room.isPast) return "the past is shown";
    if (!room.mayEdit) return "only editors' changes are predicted";
    if (device && Object.values(device).some((value) => (typeof value === "object" ? Object.keys(value).length : value))) return "another device than the shared one is shown";
    return undefined;
  }

  get isWanted() { return this.obstacle === undefined && (this.setting === "on" || this.isCut || this.roundTrip >= HELPS); }

  /** For people: whether own changes are predicted, or why not. */
  get state() {
    if (this.obstacle) return `no: ${this.obstacle}`;
    if (!this.isWanted) return `no need: the server answers in ${this.roundTrip.toFixed(0)} ms`;
    return this.why ? `no: ${this.why}` : this.isOpen ? "yes" : "with the next change";
  }

  /** A gesture begins, or an op was made. */
  begin() {
    if (this.obstacle) return;
    this.start();
    this.begunAt = performance.now();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.rest(), IDLE);
    if (this.isWanted) this.ensure();
  }

  /** Fetches the engine, so that it is there when the server is not. */
  start() {
    if (this.prediction) return;
    const { room } = this;
    this.prediction = new Prediction({
      replica: new WorkerReplica(startWorker()), truth: () => room.truth, unit: () => room.unit,
      changed: (isStructural) => this.changed(isStructural), failed: (fault) => this.failed(fault),
    });
    Object.assign(this.prediction.figures, this.figures);
    this.figures = this.prediction.figures;
    this.prediction.ask({ kind: "load" });
  }

  /** Without an own op for a while, and with none that waits, nothing of the scene is kept. */
  async rest() {
    if (!this.isOpen || this.isCut) return;
    const isYoung = this.prediction.isFollowing && performance.now() - this.begunAt < FOLLOWED;
    if (this.prediction.entries.length || this.isAsked || isYoung) {
      this.idle = setTimeout(() => this.rest(), IDLE);
      return;
    }
    await this.prediction.compare();
    if (!this.prediction.entries.length && !this.isCut) this.close();
  }

  close() {
    this.drafts.clear();
    this.since = [];
    this.prediction.close();
    this.askToFollow(false);
  }

  failed({ message, isFatal }) {
    if (!isFatal && this.follows) return void this.stopFollowing();
    this.app.room.emit("problem", new Error(isFatal ? `The layout engine failed, so your changes show when the server has them: ${message}` : `Your changes show when the server has them: ${message}`));
    if (isFatal) {
      this.askToFollow(false);
      this.trouble = message;
      this.prediction.replica.end(message);
    } else this.why = message;
  }

  changed(isStructural) {
    const { room } = this;
    if (isStructural) room.emit("structure");
    room.emit("update");
    if (this.isCut) this.tellPanels();
  }

  // --- The replica ---------------------------------------------------------------------------------------------------

  /** Has a replica, if one can be had; resolves to whether there is one. */
  async ensure() {
    if (!this.isWanted || performance.now() < this.retryAt) return false;
    this.start();
    this.askToFollow(true);
    if (!this.isOpen) await (this.opening ??= this.open().finally(() => { this.opening = undefined; }));
    return this.isOpen;
  }

  /** Has the server tell its records, or tell them no longer, where it does that at all. */
  askToFollow(isWanted, isAgain = false) {
    const { room } = this;
    if (room.status !== "live" || !room.has(can.follow) || this.cannotFollow || (this.follows === isWanted && !isAgain)) return;
    this.follows = isWanted;
    room.client.sendMessage({ type: "follow", enabled: isWanted });
  }

  /** What cannot be repeated here can still be predicted from a document. */
  stopFollowing() {
    this.askToFollow(false);
    this.cannotFollow = true;
    this.prediction.close();
    this.ensure();
  }

  /** The server told records. */
  async follow(message) {
    if (!this.follows || !this.prediction) return;
    const isEqual = await this.prediction.follow(message);
    if (isEqual && message.state) this.unequal = 0;
    if (isEqual !== false) return;
    // The replica is another scene than the server's, which tells it from the beginning.
    if (++this.unequal > UNEQUAL) {
      this.stopFollowing();
      return;
    }
    const wait = this.remadeAt + PAUSE - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    this.remadeAt = performance.now();
    this.figures.remade++;
    if (this.prediction.isFollowing) this.askToFollow(true, true);
  }

  async open() {
    const { room } = this, { truth } = room;
    // What the panels show may be up to date.
    if (room.told && !truth.needsSnapshot && room.told.hash === truth.stateHash) return this.take(room.told, framesOf(truth));
    if (room.status !== "live") {
      this.why = "the server is gone, and what holds the views is not known";
      this.retryAt = performance.now() + RETRY;
      return undefined;
    }
    return this.ask();
  }

  /** Asks the server for its document. */
  async ask() {
    const { room } = this, inspection = await room.ask([], true, { isKept: false });
    if (!inspection?.document) return;
    room.told = { document: inspection.document, hash: inspection.hash };
    await this.take(room.told, framesOf(room.truth));
  }

  async take({ document, hash }, expected) {
    this.source = { document, hash };
    this.since = [];
    await this.reopen(expected);
  }

  async reopen(expected) {
    const { document, hash } = this.source;
    this.why = await this.prediction.open(document, { hash: this.since.length ? undefined : hash, expected, since: this.since });
    if (this.why) {
      this.figures.notPredicted++;
      this.retryAt = performance.now() + RETRY;
    }
    if (this.isAheadOfCut) this.engage();
  }

  /** The replica is not what the server has: another one takes its place, and until then it goes on. */
  async remake() {
    const { room, prediction } = this;
    if (this.isRemaking || !this.isOpen || prediction.isFollowing || room.status !== "live") return;
    this.isRemaking = true;
    const wait = this.remadeAt + Math.max(PAUSE, PAUSES * prediction.figures.opening) - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    this.remadeAt = performance.now();
    if (this.isOpen && room.status === "live") {
      this.figures.remade++;
      await this.ask();
    }
    this.isRemaking = false;
  }

  // --- Own ops -------------------------------------------------------------------------------------------------------

  heard() { this.prediction?.heard(); }
  get shown() { return this.prediction?.shown ?? this.room.truth; }

  /** Shows what something that follows the pointer would do, before it is sent. */
  draft(key, ops) {
    this.begin();
    if (!this.prediction || this.obstacle) return;
    let entry = this.drafts.get(key);
    if (!entry) this.drafts.set(key, entry = {});
    this.prediction.change(entry, ops);
  }

  dropDraft(key) {
    const entry = this.drafts.get(key);
    this.drafts.delete(key);
    if (!entry) return;
    this.prediction.remove(entry);
    this.again();
  }

  /** Something is sent: `key` is what it was shown for before. */
  add(entry, key) {
    this.begin();
    if (!this.prediction) return;
    const draft = this.drafts.get(key);
    this.drafts.delete(key);
    Object.assign(entry, { isSent: true, isForeign: entry.isForeign ?? entry.ops.some(isForeign) });
    if (draft && !entry.isForeign) this.prediction.replace(draft, entry);
    else this.prediction.add(entry);
  }

  /** The server has answered. */
  async decided(entry) {
    const { prediction } = this;
    if (!prediction) return;
    const differs = prediction.decided(entry, entry.result);
    if (entry.result.outcome !== "refused" && !entry.isForeign && !prediction.isFollowing) this.since.push(entry.ops);
    if (!this.isOpen) return;
    if (differs || this.since.length > SINCE) this.remake();
    else if (!prediction.entries.length && (await prediction.compare()) === false) this.remake();
  }

  /** Something was taken back that was not sent. */
  dropped(entry) {
    if (!this.prediction) return;
    this.prediction.remove(entry);
    this.again();
  }

  /** Opens the replica's document again, without what was taken back. */
  again() { if (this.isOpen && !this.prediction.isFollowing) this.reopen(framesOf(this.room.truth)); }

  /** Undo without a server takes back what waits last; returns whether there was something. */
  takeBack() {
    const { room } = this, waiting = room.log.filter(({ result }) => result === undefined), last = waiting[waiting.length - 1];
    if (!this.isCut || !last || last.isForeign) return false;
    const step = last.group ? waiting.filter(({ group }) => group === last.group) : [last];
    return step.reverse().map((entry) => room.withdraw(entry)).some(Boolean);
  }

  // --- Without the server --------------------------------------------------------------------------------------------

  wait() { this.engaged = new Promise((resolve) => { this.engage = () => { resolve(); this.answer(); }; }); }

  /** The server is gone, or is back. */
  async checkCut() {
    if (!this.isCut) {
      if (this.wasCut) this.wait();
      if (this.wasCut && this.isOpen) this.begin();
      this.wasCut = false;
      return;
    }
    this.wasCut = true;
    if (!this.prediction) return;
    this.isAsked++;
    if (await this.ensure()) this.engage();
    this.isAsked--;
  }

  /** What holds views, with own ops; undefined where the server is to be asked. */
  async holds(views) {
    this.isAsked++;
    const told = (await this.ensure()) ? await this.prediction.explain(views, this.unchanged) : undefined;
    this.isAsked--;
    return told;
  }

  /** The replica's document, while no own op has changed it. */
  get unchanged() { return !this.prediction.isFollowing && this.since.length + this.prediction.entries.length === 0 ? this.source?.document : undefined; }

  whileCut(views) { return this.isCut && this.prediction ? this.holds(views) : undefined; }

  /** Answers what was asked of the server that is gone. */
  async answer() {
    const { room } = this;
    for (const [request, { isKept, message, resolve }] of room.requests) {
      if (!isKept) continue;
      const told = await this.holds(message.views);
      if (told && room.requests.delete(request)) resolve(told);
    }
  }

  /** Keeps the panels in step while the server does not. */
  tellPanels() {
    this.panels ??= setTimeout(async () => {
      this.panels = undefined;
      const told = this.isAheadOfCut ? await this.prediction.explain([]) : undefined;
      if (!told) return;
      this.room.document = told.document;
      this.room.emit("document");
    }, PANELS);
  }
}
