// Shows a client's own ops before the server answers. The mirror and the server's frames stay the only truth: what is shown is the mirror,
// and over it what own ops without a result still change, as a replica of the scene has it (replica.js).

/** Units of a point by which a prediction may be wrong before somebody sees it, in points. */
const VISIBLE = 1;
/** Sent ops of which the mirror may have each number; with more, the others are looked for when it has these. */
const LOOK = 64;
/** Milliseconds after which what was committed has been told of, if it is told at all. */
const SETTLED = 1000;

/** A replica in a worker, whose script calls `serveReplica`. */
export class WorkerReplica {
  turn = 0;
  waiting = new Map();

  constructor(worker) {
    this.worker = worker;
    worker.onmessage = ({ data: { turn, ...answer } }) => this.take(turn, answer);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.end(event.message || "the engine could not be loaded");
    };
  }

  take(turn, answer) {
    this.waiting.get(turn)?.(answer);
    this.waiting.delete(turn);
  }

  /** Asks a question; resolves to its answer, which has `fault` if there is none. Questions are answered in their order. */
  ask(question) {
    if (this.fault) return Promise.resolve({ fault: this.fault });
    return new Promise((resolve) => {
      this.waiting.set(++this.turn, resolve);
      this.worker.postMessage({ turn: this.turn, ...question });
    });
  }

  /** Ends the worker: what it was asked is answered by a fault. */
  end(message = "the engine was ended") {
    this.fault ??= { code: "failed", message, isFatal: true };
    this.worker.terminate();
    for (const turn of [...this.waiting.keys()]) this.take(turn, { fault: this.fault });
  }
}

const sum = (one, other) => one.map((value, side) => value + other[side]);
const minus = (one, other) => one.map((value, side) => value - other[side]);
const NOTHING = [0, 0, 0, 0];

/** What an entry changes: how far each view moves, and the other parts of its patches, the latest of each. */
class Effect {
  /** Steps that the replica has not answered. */
  asked = 0;
  moves = new Map();
  contents = new Map();
  added = new Map();
  removed = new Set();
  children = new Map();

  take({ frames, contents, added, removed, children }) {
    for (const [id, from, to] of frames) this.moves.set(id, sum(this.moves.get(id) ?? NOTHING, minus(to, from)));
    for (const [id, from, to] of contents) this.contents.set(id, { from: this.contents.get(id)?.from ?? from, to });
    for (const [id, record] of added) {
      this.added.set(id, record);
      this.removed.delete(id);
    }
    for (const id of removed) if (!this.added.delete(id)) this.removed.add(id);
    for (const [id, from, to] of children) this.children.set(id, { from: this.children.get(id)?.from ?? from, to });
    return this;
  }

  /** Whether it changes more than frames. */
  get isStructural() { return this.contents.size + this.added.size + this.removed.size + this.children.size > 0; }
}

/**
 * Own ops that have no result, and what they change. An entry is an object with `ops`, one of the owner's, who sets `isSent` once it can
 * be on its way to the server. One that `isForeign` the replica cannot follow, such as an undo.
 *
 * `truth` gives the mirror, `unit` the units of a point. `changed(isStructural)` is called whenever `shown` may be another, `failed(fault)`
 * when the replica is of no use any more.
 */
export class Prediction {
  /** Entries without a result. */
  entries = [];
  /** Where the replica has views without these entries, by their ids. */
  base = new Map();
  isOpen = false;
  /**
   * Whether the replica repeats what the server tells, so that it knows what others do (`follow`). Then what own ops change is what the replica
   * says as a whole, `overlay`; until that comes for the first time, what the entries change each.
   */
  isFollowing = false;
  overlay = undefined;
  lastKey = 0;
  /** What was predicted and how it came out: for people, and for tests. */
  figures = { predicted: 0, settled: 0, refused: 0, compared: 0, wrong: 0, worst: 0, divergences: 0, refusalsDiffering: 0, opened: 0, opening: 0, traps: 0 };
  questions = 0;
  turn = 0;

  constructor({ replica, truth, unit, changed, failed = () => {} }) { Object.assign(this, { replica, truth, unit, changed, failed }); }

  /** Whether the replica has questions to answer. */
  get isBusy() { return this.questions > 0; }

  // --- The replica ---------------------------------------------------------------------------------------------------

  async ask(question) {
    this.questions++;
    const answer = await this.replica.ask(question);
    this.questions--;
    if (answer.fault?.isFatal && !this.isLost) {
      this.isLost = true;
      this.figures.traps++;
      this.forget();
      this.failed(answer.fault);
    }
    return answer;
  }

  /**
   * Begins anew with a document of the server, and applies to it what has no result. `hash` is the state's, and `expected` its frames by
   * ids, in units; `since` are lists of ops that were committed after the document. Resolves to why the replica is of no use, or to undefined.
   */
  async open(document, { hash, expected, since = [] }) {
    // It knows better already.
    if (this.isFollowing) return undefined;
    const turn = ++this.turn, began = performance.now(), again = [...this.entries];
    const opening = this.ask({ kind: "open", document, since });
    // What is asked from now on goes to the new scene, behind these.
    const next = this.next = { effects: new Map() };
    const steps = again.map((entry) => this.step(entry));
    const answer = await opening;
    await Promise.all(steps);
    if (turn !== this.turn) return undefined;
    this.next = undefined;
    const why = answer.fault?.message ?? (answer.hash === hash ? undefined : this.misfit(answer, expected));
    if (why !== undefined) {
      this.close();
      return why;
    }
    if (answer.hash !== hash) this.figures.divergences++;
    this.base = new Map([...answer.records].map(([id, { frame }]) => [id, frame]));
    for (const [entry, effect] of next.effects) {
      entry.effect = effect;
      if (!this.entries.includes(entry)) this.absorb(entry);
    }
    this.isOpen = true;
    this.figures.opened++;
    this.figures.opening = performance.now() - began;
    this.show(true);
    return undefined;
  }

  /**
   * Repeats what the server told of its scene, a message `records` as a whole. From the first one with `start` on, what is shown comes from
   * that. Resolves to whether the replica is equal to the server's scene; to undefined without one.
   *
   * What comes while the replica is at work on what came before is repeated together.
   */
  follow(message) {
    if (message.start || !this.repeating) {
      if (message.start) this.behind = undefined;
      const done = this.repeat(message).finally(() => { if (this.repeating === done) this.repeating = undefined; });
      this.repeating = done;
      return done;
    }
    this.behind = this.behind ? joined(this.behind, message) : message;
    return this.repeating.then(() => {
      const { behind } = this;
      this.behind = undefined;
      return behind && this.follow(behind);
    });
  }

  async repeat({ start, author, tick, text, state }) {
    if (!start && !this.isFollowing) return undefined;
    const began = performance.now(), asking = this.ask({ kind: "follow", start, author, tick: Number(tick), text, state });
    if (start) {
      // What is under way for a replica of another kind is of no use any more.
      if (!this.isFollowing) this.turn++;
      this.next = undefined;
      this.isFollowing = true;
      for (const entry of this.entries) this.step(entry);
    }
    const { turn } = this, { fault, overlay, differs, compared, worst } = await asking;
    if (turn !== this.turn) return undefined;
    if (fault) {
      this.close();
      this.failed(fault);
      return undefined;
    }
    const { figures } = this, unit = this.unit();
    if (start) {
      figures.opened++;
      figures.opening = performance.now() - began;
      this.isOpen = true;
    }
    if (differs) figures.divergences++;
    if (compared) {
      figures.compared++;
      figures.worst = Math.max(figures.worst, worst / unit);
      if (worst > VISIBLE * unit) figures.wrong++;
    }
    // What waits has yet to be done in the new scene.
    if (!start || this.entries.every(({ isForeign }) => isForeign)) this.cover(overlay);
    return !differs;
  }

  /** Shows another overlay. */
  cover(patch) {
    const wasStructural = this.overlay?.isStructural;
    this.overlay = new Effect().take(patch);
    this.overlay.places = new Map(patch.frames.map(([id, from, to]) => [id, to.map((side, index) => (side === from[index] ? undefined : side))]));
    const isEmpty = !this.overlay.places.size && !this.overlay.isStructural;
    if (!isEmpty || this.composed) this.show(Boolean(wasStructural || this.overlay.isStructural));
  }

  /** Has an entry wait in a replica that follows. */
  async put(entry) {
    entry.key ??= ++this.lastKey;
    const { turn } = this, began = performance.now();
    const { fault, overlay, refusal } = await this.ask({ kind: "put", key: entry.key, ops: entry.ops, atomic: entry.atomic ?? true, sequence: entry.sequence });
    if (turn !== this.turn) return;
    if (fault) {
      this.close();
      this.failed(fault);
      return;
    }
    entry.wasPut = true;
    entry.refusal = refusal;
    this.figures.predicted++;
    this.figures.step = performance.now() - began;
    this.cover(overlay);
  }

  /** Has an entry wait no longer. */
  async drop({ key }) {
    const { turn } = this;
    if (key === undefined) return;
    const { fault, overlay } = await this.ask({ kind: "drop", key });
    if (turn === this.turn && !fault) this.cover(overlay);
  }

  /** Why a replica does not stand for the server's scene: one that begins in mid-life need not be equal to the last bit. */
  misfit({ records }, expected) {
    if (records.size !== expected.size) return "the server shows other views";
    for (const [id, frame] of expected) {
      const found = records.get(id)?.frame;
      if (!found || frame.some((value, side) => Math.abs(value - found[side]) > VISIBLE * this.unit())) return `${id} is laid out otherwise here`;
    }
    return undefined;
  }

  /** Frees the replica: nothing is predicted until the next `open`. */
  close() {
    if (this.isOpen || this.next || this.isFollowing) this.ask({ kind: "close" });
    this.forget();
  }

  forget() {
    this.turn++;
    const wasOpen = this.isOpen;
    this.isOpen = false;
    this.isFollowing = false;
    this.next = this.overlay = this.behind = undefined;
    for (const entry of this.entries) entry.effect = entry.key = undefined;
    if (wasOpen) this.show(true);
  }

  /** Applies the ops of an entry. */
  async step(entry) {
    if (entry.isForeign) return;
    if (this.isFollowing) return void await this.put(entry);
    const { turn, next } = this, began = performance.now();
    let effect = next ? next.effects.get(entry) : entry.effect;
    if (!effect) {
      effect = new Effect();
      if (next) next.effects.set(entry, effect);
      else entry.effect = effect;
    }
    effect.asked++;
    const { patch, refusal, fault } = await this.ask({ kind: "apply", ops: entry.ops, atomic: entry.atomic ?? true });
    if (turn !== this.turn) return;
    if (fault) {
      this.close();
      this.failed(fault);
      return;
    }
    if (patch) effect.take(patch);
    effect.asked--;
    effect.refusal = refusal;
    if (this.next) return;
    this.figures.predicted++;
    this.figures.step = performance.now() - began;
    // The server was faster.
    if (!this.entries.includes(effect.owner ?? entry) && patch) this.absorb({ ...entry, effect: new Effect().take(patch) });
    this.show(effect.isStructural);
  }

  // --- Own ops -------------------------------------------------------------------------------------------------------

  /** Whether there is a replica, or is about to be. */
  get isLive() { return this.isOpen || this.isFollowing || this.next !== undefined; }

  /** Adds an entry, behind all others. */
  add(entry) {
    if (!this.entries.includes(entry)) this.entries.push(entry);
    return this.isLive ? this.step(entry) : Promise.resolve();
  }

  /**
   * Gives an entry that was not sent other ops, which set no less than the ones before, as another place of the same drag does. While the
   * replica is at work, only the latest count.
   */
  async change(entry, ops) {
    entry.ops = ops;
    if (!this.entries.includes(entry)) this.entries.push(entry);
    if (entry.isAsking || !this.isLive) return;
    entry.isAsking = true;
    for (let done; done !== entry.ops && this.entries.includes(entry) && this.isLive;) {
      done = entry.ops;
      await this.step(entry);
    }
    entry.isAsking = false;
  }

  /** Sends an entry of `change` as another, behind all others. */
  replace(old, entry) {
    const at = this.entries.indexOf(old);
    if (at < 0) return void this.add(entry);
    this.entries.splice(at, 1);
    this.entries.push(entry);
    if (this.isFollowing) {
      entry.key = old.key;
      return void this.put(entry);
    }
    const effect = this.next ? this.next.effects.get(old) : old.effect;
    if (!effect) return void this.add(entry);
    // An answer that is under way counts for the new one.
    effect.owner = entry;
    entry.effect = old.effect;
    if (this.next) {
      this.next.effects.delete(old);
      this.next.effects.set(entry, effect);
    }
    if (old.isAsking || old.ops !== entry.ops) this.step(entry);
  }

  /** Takes an entry back that will not be sent. A replica that does not follow has it still, and is to be opened anew. */
  remove(entry) {
    this.entries = this.entries.filter((each) => each !== entry);
    if (this.isFollowing) this.drop(entry);
    this.show(true);
  }

  /** The server has decided an entry, and the mirror has all that came before the result; returns whether the replica has to begin anew. */
  decided(entry, result) {
    const at = this.entries.indexOf(entry), { effect } = entry;
    if (at < 0) return false;
    const isRefused = result.outcome === "refused";
    if (this.isFollowing) return this.settle(entry, isRefused);
    let differs = Boolean(entry.isForeign && this.isOpen);
    // What the replica has not answered yet says nothing.
    if (effect?.asked === 0) {
      this.figures.settled++;
      if (isRefused) this.figures.refused++;
      if (isRefused !== (effect.refusal !== undefined)) {
        differs = true;
        this.figures.refusalsDiffering++;
      } else if (!isRefused && this.isWrong(entry, result)) differs = true;
    }
    this.entries.splice(at, 1);
    entry.isRefused = isRefused;
    if (effect) this.absorb(entry);
    this.show(effect?.isStructural ?? false);
    return differs;
  }

  /** The same where the replica follows: what was committed it has heard of before, and what others did too. */
  settle(entry, isRefused) {
    const { figures } = this;
    this.entries = this.entries.filter((each) => each !== entry);
    entry.isRefused = isRefused;
    if (entry.wasPut) {
      figures.settled++;
      if (isRefused) figures.refused++;
      if (isRefused !== (entry.refusal !== undefined)) figures.refusalsDiffering++;
    }
    if (isRefused) this.drop(entry);
    // Ops without any effect leave no record.
    else setTimeout(() => { if (this.isFollowing) this.drop(entry); }, SETTLED);
    return false;
  }

  /** What an entry changed is the replica's state without the others from now on. */
  absorb({ effect, isRefused }) {
    // The server has not done it, and the replica is wrong.
    if (isRefused) return;
    for (const [id, move] of effect.moves) if (this.base.has(id)) this.base.set(id, sum(this.base.get(id), move));
    for (const [id, { frame }] of effect.added) this.base.set(id, effect.moves.has(id) ? sum(frame, effect.moves.get(id)) : frame);
    for (const id of effect.removed) this.base.delete(id);
  }

  /** Whether the mirror has something else than was shown, in the tick of a result. */
  isWrong(entry, { tick }) {
    const mirror = this.truth(), sent = this.sent(), at = sent.indexOf(entry);
    // Later ticks bring other things, and the same tick may bring later ops, of which the replica may know nothing yet.
    // While another replica is opened, the last steps are known to that one only.
    if (at < 0 || this.next || sent.some(({ effect }) => effect.asked > 0) || Number(mirror.tick) !== Number(tick) || this.reached(sent) > at + 1) return false;
    this.figures.compared++;
    let worst = 0;
    for (const [id, moves] of entry.effect.moves) {
      const number = mirror.numbers.get(id), expected = this.place(id, sent.slice(0, at + 1));
      if (number === undefined || !expected) continue;
      const frame = mirror.frame(number);
      for (let side = 0; side < 4; side++) if (moves[side]) worst = Math.max(worst, Math.abs(frame[side] - expected[side]) / this.unit());
    }
    this.figures.worst = Math.max(this.figures.worst, worst);
    if (worst > VISIBLE) this.figures.wrong++;
    return worst > VISIBLE;
  }

  /** The mirror has changed. */
  heard() { if (this.isOpen && (this.entries.length || this.overlay)) this.show(false, false); }

  /** Compares the replica with the mirror while nothing waits; resolves to whether they are equal, or to undefined if something came up. */
  async compare() {
    const mirror = this.truth(), { tick } = mirror;
    if (!this.isOpen || this.entries.length || this.isBusy || this.isFollowing) return undefined;
    const { hash } = await this.ask({ kind: "hash" });
    if (hash === undefined || !this.isOpen || this.entries.length || this.truth() !== mirror || mirror.tick !== tick || mirror.needsSnapshot) return undefined;
    if (hash === mirror.stateHash) return true;
    this.figures.divergences++;
    return false;
  }

  /** What holds views, and the document, with all own ops; undefined without a replica. `known` is the document if no op changed it. */
  async explain(views, known) {
    if (!this.isOpen) return undefined;
    const answer = await this.ask({ kind: "explain", views, document: known === undefined });
    return answer.fault ? undefined : { document: known, ...answer };
  }

  // --- What is shown -------------------------------------------------------------------------------------------------

  /** The mirror, or one with what waits laid over it. */
  get shown() {
    const mirror = this.truth();
    return this.shownOver === mirror ? this.composed : mirror;
  }

  show(isStructural, tells = true) {
    const mirror = this.truth(), before = this.composed;
    this.composed = this.isOpen && !mirror.needsSnapshot ? this.lay(mirror) : undefined;
    this.shownOver = this.composed && mirror;
    // What entries that are gone changed is to be taken away too.
    const isLarge = isStructural || before?.isStructural || this.composed?.isStructural;
    if (tells || isLarge) this.changed(Boolean(isLarge));
  }

  /** Entries that the server may have, in their order. */
  sent() { return this.entries.filter(({ isSent, effect }) => isSent && effect).slice(0, LOOK); }

  /** Where the replica has a view with some of the entries; undefined where it has none. */
  place(id, entries) {
    let place = this.base.get(id);
    for (const { effect } of entries) {
      place = effect.added.get(id)?.frame ?? place;
      const move = effect.moves.get(id);
      if (move && place) place = sum(place, move);
    }
    return place;
  }

  /**
   * How many of the sent entries the mirror has: frames come before results, and other members' ops with them. The number for which most
   * sides of views are where the replica has them; of equally many the greatest.
   */
  reached(sent) {
    const mirror = this.truth(), votes = new Array(sent.length + 1).fill(0);
    for (const id of new Set(sent.flatMap(({ effect }) => [...effect.moves.keys()]))) {
      const number = mirror.numbers.get(id);
      if (number === undefined || !this.base.has(id)) continue;
      const frame = mirror.frame(number), steps = [this.base.get(id)];
      for (const { effect } of sent) steps.push(sum(steps[steps.length - 1], effect.moves.get(id) ?? NOTHING));
      for (let side = 0; side < 4; side++) {
        // A side that stays where it is says nothing.
        if (steps.every((each) => each[side] === steps[0][side])) continue;
        steps.forEach((each, index) => { if (each[side] === frame[side]) votes[index]++; });
      }
    }
    return votes.reduce((best, count, index) => (count > 0 && count >= votes[best] ? index : best), 0);
  }

  /** The mirror with what waits; undefined where that changes nothing. */
  lay(mirror) {
    const { overlay } = this;
    if (!overlay) {
      const entries = this.entries.filter(({ effect }) => effect);
      return entries.length ? this.compose(mirror, entries) : undefined;
    }
    if (!overlay.isStructural && !overlay.places.size) return undefined;
    const shown = Object.create(mirror);
    shown.isStructural = overlay.isStructural;
    if (shown.isStructural) restructure(shown, mirror, [{ effect: overlay }]);
    else for (const name of ["x", "y", "width", "height"]) shown[name] = mirror[name].slice();
    // Where views lie, and not how far they move: the mirror may have some of it already.
    for (const [id, sides] of overlay.places) {
      const number = shown.numbers.get(id);
      if (number !== undefined) shown.setFrame(number, mirror.frame(number).map((side, index) => sides[index] ?? side));
    }
    return shown;
  }

  compose(mirror, entries) {
    const shown = Object.create(mirror), sent = this.sent(), there = sent.slice(0, this.reached(sent));
    shown.isStructural = entries.some(({ effect }) => effect.isStructural);
    const touched = new Set(entries.flatMap(({ effect }) => [...effect.moves.keys()]));
    if (shown.isStructural) restructure(shown, mirror, entries);
    else for (const name of ["x", "y", "width", "height"]) shown[name] = mirror[name].slice();
    for (const id of touched) {
      const number = shown.numbers.get(id), from = this.place(id, there), to = this.place(id, entries);
      if (number === undefined || !to) continue;
      shown.setFrame(number, from && mirror.numbers.has(id) ? sum(mirror.frame(number), minus(to, from)) : to);
    }
    return shown;
  }
}

/** Lays other contents and another tree over the mirror. */
function restructure(shown, mirror, entries) {
  const [contents, added, removed, children] = [new Map(), new Map(), new Set(), new Map()];
  for (const { effect } of entries) {
    for (const [id, { from, to }] of effect.contents) contents.set(id, { from: contents.get(id)?.from ?? from, to });
    for (const [id, record] of effect.added) { added.set(id, record); removed.delete(id); }
    for (const id of effect.removed) if (!added.delete(id)) removed.add(id);
    for (const [id, { from, to }] of effect.children) children.set(id, { from: children.get(id)?.from ?? from, to });
  }
  shown.views = new Map(mirror.views);
  shown.numbers = new Map(mirror.numbers);
  let next = Math.max(-1, ...mirror.views.keys()) + 1;
  const news = [...added].filter(([id]) => !mirror.numbers.has(id));
  for (const name of ["x", "y", "width", "height"]) {
    shown[name] = new Int32Array(Math.max(mirror[name].length, next + news.length));
    shown[name].set(mirror[name]);
  }
  for (const [id, record] of news) {
    const number = next++;
    shown.numbers.set(id, number);
    shown.views.set(number, { number, id, parent: undefined, content: record.content, children: [] });
    shown.setFrame(number, record.frame);
  }
  for (const [id, record] of news) shown.views.get(shown.numbers.get(id)).parent = shown.numbers.get(record.parent);
  for (const [id, { from, to }] of contents) {
    const number = shown.numbers.get(id), view = shown.views.get(number);
    if (view) shown.views.set(number, { ...view, content: laidOver(view.content, from, to) });
  }
  const take = (number) => {
    const view = shown.views.get(number);
    if (!view) return;
    shown.views.delete(number);
    shown.numbers.delete(view.id);
    for (const child of view.children) take(child);
  };
  // A view that moved out of one that is gone stays.
  const kept = new Set([...children.values()].flatMap(({ to }) => to));
  for (const id of removed) {
    const view = shown.views.get(shown.numbers.get(id));
    if (!view) continue;
    shown.views.set(view.number, { ...view, children: view.children.filter((child) => !kept.has(mirror.views.get(child)?.id)) });
    take(view.number);
  }
  for (const [id, { from, to }] of children) {
    const number = shown.numbers.get(id), parent = shown.views.get(number);
    if (!parent) continue;
    const list = to.map((child) => shown.numbers.get(child)).filter((child) => child !== undefined);
    // What others added stays behind the sibling that it follows.
    const own = new Set([...from, ...to]);
    parent.children.forEach((child, index) => {
      if (!shown.views.has(child) || own.has(shown.views.get(child).id)) return;
      const before = index > 0 ? list.indexOf(parent.children[index - 1]) : -1;
      list.splice(before + 1, 0, child);
    });
    shown.views.set(number, { ...parent, children: list });
    for (const child of list) shown.views.set(child, { ...shown.views.get(child), parent: number });
  }
  // No list names what is gone, or is elsewhere by now.
  for (const [number, view] of shown.views) {
    const rest = view.children.filter((child) => shown.views.get(child)?.parent === number);
    if (rest.length < view.children.length) shown.views.set(number, { ...view, children: rest });
  }
}

/** Records of two messages as one. */
function joined(one, other) {
  const lists = [one, other].map(({ text }) => text.trim().slice(1, -1)).filter(Boolean);
  return { ...other, text: `[${lists.join(",")}]` };
}

/** A content with what was changed from one to another. */
function laidOver(content, from, to) {
  const result = { ...content };
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (JSON.stringify(from[name]) === JSON.stringify(to[name])) continue;
    if (to[name] === undefined) delete result[name];
    else result[name] = to[name];
  }
  return result;
}
