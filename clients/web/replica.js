// A replica of a scene for `Prediction`: the server's engine with the scene's document, on which a client tries its own ops before the
// server answers. It runs in a worker, as layouts may take long.

/** Units of work of a step: one that takes more is not worth waiting for. */
const STEP = 5_000_000;
/** Units of work of opening a document. */
const OPENING = 50_000_000;

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

/** A scene that is kept beside the server's. `Scene` is the one of the package autolayout. */
export class Replica {
  constructor(Scene) {
    this.Scene = Scene;
    this.scene = undefined;
  }

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
    const held = [];
    for (const id of views) {
      try {
        held.push(this.scene.explain(id, { budget: STEP }));
      } catch (error) {
        if (error.code !== "unknown-view") throw error;
      }
    }
    return document ? { views: held, document: this.scene.document() } : { views: held };
  }

  hash() { return this.scene.hash(); }

  close() {
    const { scene } = this;
    this.scene = undefined;
    scene?.dispose();
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
