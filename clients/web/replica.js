// A replica of a scene for `Prediction`: the server's engine with the scene's document, on which a client tries its own ops before the
// server answers. It runs in a worker, as layouts may take long.

/** Units of work of a step: one that takes more is not worth waiting for. */
const STEP = 5_000_000;
/** Units of work of opening a document, and of repeating what a server told. */
const OPENING = 50_000_000, FOLLOWING = 500_000_000;
/** Ops that mean the same behind others: they set what they name, whatever it was. */
const SETTERS = new Set(["setConstraint", "setView", "setViewport", "setContentOffset", "activateSet", "deactivateSet"]);

/** What views look like, by their ids, from the picture of a scene: `{ parent, frame, content, children }`, parents and children as ids. */
export function recordsOf({ snapshot: { views } }) {
  const ids = new Map(views.map(({ number, id }) => [number, id]));
  const records = new Map(views.map(({ id, parent, frame, content }) => [id, { parent: ids.get(parent), frame, content, children: [] }]));
  // Siblings come in their order.
  for (const [id, { parent }] of records) records.get(parent)?.children.push(id);
  return records;
}

const isEqual = (one, other) => one.length === other.length && one.every((value, index) => value === other[index]);

/** What leads from one set of records to another. */
export function difference(before, after) {
  const patch = { frames: [], contents: [], added: [], removed: [], children: [] };
  for (const [id, now] of after) {
    const old = before.get(id);
    if (old === undefined) {
      patch.added.push([id, now]);
      if (now.children.length) patch.children.push([id, [], now.children]);
      continue;
    }
    if (!isEqual(old.frame, now.frame)) patch.frames.push([id, old.frame, now.frame]);
    if (JSON.stringify(old.content) !== JSON.stringify(now.content)) patch.contents.push([id, old.content, now.content]);
    if (!isEqual(old.children, now.children)) patch.children.push([id, old.children, now.children]);
  }
  for (const id of before.keys()) if (!after.has(id)) patch.removed.push(id);
  return patch;
}

const NOTHING = difference(new Map(), new Map());

/**
 * The server's scene, repeated record by record and equal to it, and a second one with what waits besides: what the two differ in is what own
 * ops change. What others do is done in both, and what waits is done in the second one again, as it will be in the server's.
 */
class Following {
  /** What waits, in order: `{ key, ops, atomic, sequence, refusal, expected }`; `expected` are the sides of views that it moves, by ids. */
  waiting = [];

  constructor(Scene, waiting = []) { Object.assign(this, { Scene, waiting }); }

  /** What own ops change, as a patch of the server's state. */
  get overlay() { return this.waiting.length ? difference(this.records, this.shown) : NOTHING; }

  /** Repeats what the server told; answers with the overlay, whether the state hash is another, and how right the own steps of the tick were. */
  async take({ start, author, tick, text, state }) {
    const records = JSON.parse(text);
    if (start) {
      this.close();
      if (author) this.author = author;
      this.base = await this.Scene.restore(records.shift(), { budget: FOLLOWING });
    }
    const others = [], done = [];
    for (const { kind, payload } of records) {
      if (kind !== "batch" || payload.purpose === "layOut") continue;
      const sequence = Number(payload.clientSequence), own = payload.author === this.author && !payload.purpose
        && this.waiting.find((entry) => entry.sequence === sequence && entry.ops.length === payload.ops.length);
      if (own) {
        done.push(own);
        this.waiting = this.waiting.filter((entry) => entry !== own);
      } else others.push(payload);
    }
    this.base.follow(records, tick, { budget: FOLLOWING });
    if (start || records.length) this.records = recordsOf(this.base.picture({ isSettled: true }));
    if (start) this.begin();
    else if (others.length) this.repeat(others);
    else if (done.length && !this.waiting.length && !isNothing(difference(this.records, this.shown))) this.begin();
    const hash = state && this.base.hash().hash;
    return { overlay: this.overlay, differs: hash !== undefined && hash !== state.hash, hash, ...this.judge(start ? [] : done) };
  }

  /** Makes the second scene anew. */
  begin() {
    this.ahead?.dispose();
    this.ahead = this.base.fork({ budget: OPENING });
    for (const entry of this.waiting) this.apply(entry);
    this.look();
  }

  /** Does in the second scene what others did, and what waits behind it. */
  repeat(batches) {
    const before = this.shown;
    try {
      if (!this.waiting.every(({ ops }) => ops.every(({ op }) => SETTERS.has(op)))) throw new Error("not to be done twice");
      for (const { ops } of batches) this.ahead.apply(ops, { atomic: true, budget: STEP });
      for (const entry of this.waiting) this.apply(entry);
      this.look();
    } catch {
      this.begin();
    }
    // Where others move what own ops move, nobody can say who was right before both are settled.
    for (const [id, from, to] of difference(before, this.shown).frames) {
      for (const { expected } of this.waiting) expected.get(id)?.forEach((_, side, sides) => { if (from[side] !== to[side]) sides[side] = undefined; });
    }
  }

  apply(entry) {
    try {
      this.ahead.apply(entry.ops, { atomic: entry.atomic, budget: STEP });
      entry.refusal = undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      entry.refusal = { code: error.code, message: error.message };
    }
  }

  look() {
    this.ahead.tick(1, { budget: STEP });
    this.shown = recordsOf(this.ahead.picture({ isSettled: true }));
  }

  /** Compares what the last own step of a tick was to move with what it has moved, in units: how many views, and by how much at most. */
  judge(done) {
    let worst = 0, compared = 0;
    for (const [id, sides] of done.at(-1)?.expected ?? []) {
      const frame = this.records.get(id)?.frame;
      if (!frame || sides.every((side) => side === undefined)) continue;
      compared++;
      sides.forEach((side, index) => { if (side !== undefined) worst = Math.max(worst, Math.abs(side - frame[index])); });
    }
    return { compared, worst, settled: done.map(({ key }) => key) };
  }

  /** Has something wait, behind all others; what waits already gets other ops, or its sequence. */
  put({ key, ops, atomic = true, sequence }) {
    const last = this.waiting.at(-1), old = this.waiting.find((entry) => entry.key === key);
    const isSame = old && old === last && JSON.stringify(old.ops) === JSON.stringify(ops);
    const entry = old ?? { key, expected: new Map() };
    Object.assign(entry, { ops, atomic, sequence: sequence ?? entry.sequence });
    if (!isSame) {
      this.waiting = [...this.waiting.filter((each) => each !== entry), entry];
      if (this.ahead) {
        const before = this.shown;
        this.apply(entry);
        this.look();
        for (const [id, from, to] of difference(before, this.shown).frames) {
          const sides = entry.expected.get(id) ?? new Array(4).fill(undefined);
          entry.expected.set(id, sides.map((side, index) => (side !== undefined || from[index] !== to[index] ? to[index] : undefined)));
        }
      }
    }
    return { overlay: this.ahead ? this.overlay : NOTHING, refusal: entry.refusal };
  }

  /** Something does not wait any more: it was refused, or taken back. */
  drop({ key }) {
    const count = this.waiting.length;
    this.waiting = this.waiting.filter((entry) => entry.key !== key);
    if (this.waiting.length < count && this.ahead) this.begin();
    return { overlay: this.ahead ? this.overlay : NOTHING };
  }

  close() {
    for (const scene of [this.base, this.ahead]) scene?.dispose();
    this.base = this.ahead = undefined;
  }
}

const isNothing = (patch) => Object.values(patch).every((list) => !list.length);

/** A scene that is kept beside the server's. `Scene` is the one of the package autolayout. */
export class Replica {
  constructor(Scene) {
    this.Scene = Scene;
    this.scene = this.following = undefined;
  }

  /** Repeats records of the server; from the first ones on, which begin with its scene, it is that which is asked about. */
  async follow(message) {
    if (message.start) {
      this.scene?.dispose();
      this.scene = undefined;
      this.following ??= new Following(this.Scene);
    }
    return this.following.take(message);
  }

  put(entry) { return this.following.put(entry); }
  drop(entry) { return this.following.drop(entry); }

  /** Begins anew with a document, and with ops that were committed since; answers with the state and its hash. */
  async open({ document, since = [] }) {
    this.close();
    this.scene = await this.Scene.open(document, { budget: OPENING });
    for (const ops of since) {
      this.scene.apply(ops, { atomic: false, budget: STEP });
      this.scene.tick(1, { budget: STEP });
    }
    const picture = this.scene.picture();
    this.records = recordsOf(picture);
    const { unitsPerPoint, scale, cell } = picture;
    return { records: this.records, hash: picture.snapshot.stateHash, unitsPerPoint, scale, cell };
  }

  /** Applies ops and lays the scene out; answers with what they changed, or with why they were refused. */
  apply({ ops, atomic = true }) {
    try {
      this.scene.apply(ops, { atomic, budget: STEP });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { refusal: { code: error.code, message: error.message } };
    }
    this.scene.tick(1, { budget: STEP });
    const after = recordsOf(this.scene.picture()), patch = difference(this.records, after);
    this.records = after;
    return { patch };
  }

  /** What holds views, in the form of an inspection; with the document if asked for. */
  explain({ views, document = true }) {
    const held = [], scene = this.following?.ahead ?? this.scene;
    for (const id of views) {
      try {
        held.push(scene.explain(id, { budget: STEP }));
      } catch (error) {
        if (error.code !== "unknown-view") throw error;
      }
    }
    return document ? { views: held, document: scene.document() } : { views: held };
  }

  hash() { return this.scene.hash(); }

  close() {
    const { scene, following } = this;
    this.scene = this.following = undefined;
    scene?.dispose();
    following?.close();
    return {};
  }
}

/** Whether ops were refused, and the scene is as it was: neither a fault of the engine nor a scene that was stopped half-way. */
const isRefusal = ({ name, code }) => name === "ConflictError" || (name === "LayoutError" && code !== "closed");

/**
 * Answers the questions that come to a worker, `{ turn, kind, ... }`, one after the other. `load` fetches the engine: the question "load"
 * answers when it is there. A fault of the engine is answered as `fatal`: the worker is of no use any more.
 */
export function serveReplica(worker, { Scene, load }) {
  const replica = new Replica(Scene);
  const answer = async ({ kind, ...question }) => {
    try {
      if (kind !== "load") return await replica[kind](question);
      await load();
      return {};
    } catch (error) {
      // A fault may have left anything behind.
      const isFatal = error.name === "EngineFailure";
      return { fault: { code: error.code ?? "failed", message: String(error.message ?? error), isFatal } };
    }
  };
  let last = Promise.resolve();
  worker.addEventListener("message", ({ data: { turn, ...question } }) => {
    last = last.then(async () => worker.postMessage({ turn, ...(await answer(question)) }));
  });
}
