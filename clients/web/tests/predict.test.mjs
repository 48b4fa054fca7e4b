// Own changes before the server answers: what is laid over the mirror, with an engine in which views stand side by side, so that every
// expected place is a sum.
import assert from "node:assert/strict";
import test from "node:test";
import { Prediction } from "../predict.js";
import { Replica, difference, serveReplica } from "../replica.js";
import { Mirror } from "../scenesync.js";

const CONTENT = { kind: "view", hidden: false, clips: false, opacity: 255, border: "none", align: "natural", contentOffset: [0, 0], lines: [] };

/** Views in a row: each begins where the one before it ends, so that a width moves all that follow. Widths must not be negative. */
class Row {
  static async open(document) {
    if (document.fault) throw Object.assign(new Error("a trap"), { name: document.fault });
    return new Row(structuredClone(document));
  }

  static async restore({ payload }) { return new Row(structuredClone(payload.snapshot)); }

  constructor(document) { this.views = document.views; }

  fork() { return new Row(structuredClone(this.document())); }
  follow(records) { for (const { payload } of records) this.apply(payload.ops); }

  apply(ops) {
    for (const { op, id, width, color, at = this.views.length } of ops) {
      if (op === "trap") throw Object.assign(new Error("unreachable"), { name: "EngineFailure" });
      if (width < 0) throw Object.assign(new Error("negative"), { name: "LayoutError", code: "bad-value" });
      const found = this.views.findIndex((view) => view.id === id);
      if (op === "add") this.views.splice(at, 0, { id, width });
      else if (op === "remove") this.views.splice(found, 1);
      else if (op === "move") this.views.splice(at, 0, ...this.views.splice(found, 1));
      else Object.assign(this.views[found], width === undefined ? { color } : { width });
    }
  }

  tick() {}

  picture() {
    let x = 0;
    const rows = this.views.map(({ id, width, color }, index) => {
      x += width;
      return { number: index + 1, id, parent: 0, frame: [x - width, 0, width, 10], content: color ? { ...CONTENT, background: color } : CONTENT };
    });
    const views = [{ number: 0, id: "root", frame: [0, 0, 1000, 10], content: CONTENT }, ...rows];
    return { unitsPerPoint: 1, scale: 1, cell: [8, 16], snapshot: { views, stateHash: this.text } };
  }

  /** Stands for the state hash. */
  get text() { return JSON.stringify(this.views); }
  hash() { return { hash: this.text }; }
  explain(id) { return { id }; }
  document() { return { views: this.views }; }
  dispose() {}
}

/** A server with a row, its mirror, and a prediction beside them. */
class Room {
  constructor(widths) {
    this.server = new Row({ views: Object.entries(widths).map(([id, width]) => ({ id, width })) });
    this.told = [];
    this.faults = [];
    this.tick = 0;
    this.broadcast();
    const replica = new Replica(Row);
    /** Questions that are not answered yet, while `isSlow`. */
    this.held = [];
    const answer = async ({ kind, ...question }) => {
      try {
        return await replica[kind](question);
      } catch (error) {
        return { fault: { message: error.message, isFatal: error.name === "EngineFailure" } };
      }
    };
    // One after the other, as a worker does.
    let last = Promise.resolve();
    const inTurn = (question) => (last = last.then(() => answer(question)));
    const ask = (question) => (this.isSlow ? new Promise((resolve) => { this.held.push(() => resolve(inTurn(question))); }) : inTurn(question));
    this.prediction = new Prediction({
      replica: { ask }, truth: () => this.mirror, unit: () => 1, changed: (isStructural) => this.told.push(isStructural), failed: (fault) => this.faults.push(fault),
    });
  }

  /** What the server has becomes the mirror's, with the next tick. */
  broadcast() {
    this.tick++;
    this.mirror = new Mirror();
    this.mirror.verifiesLater = true;
    const { snapshot } = this.server.picture();
    this.mirror.apply({ type: "snapshot", epoch: 0, tick: this.tick, chunkIndex: 0, chunkCount: 1, stateHash: "", views: snapshot.views });
    this.mirror.expectedHash = undefined;
    const { text } = this.server;
    Object.defineProperty(this.mirror, "stateHash", { get: () => text });
    this.prediction?.heard();
  }

  open(more = {}) {
    const { views } = this.mirror;
    return this.prediction.open({ ...this.server.document(), ...more }, {
      hash: this.server.text, expected: new Map([...views.values()].map(({ id, number }) => [id, this.mirror.frame(number)])),
    });
  }

  /** The server does an op, as one of this client or of others. */
  does(...ops) {
    this.server.apply(ops);
    this.broadcast();
  }

  /** The server tells what it has, or the ops that it took: `[author, sequence, ops]`. */
  tells(batches, { start = false, hash = undefined } = {}) {
    const records = batches.map(([author, sequence, ops]) => ({ kind: "batch", tick: this.tick, payload: { author, clientSequence: String(sequence), ops } }));
    if (start) records.unshift({ kind: "snapshot", tick: this.tick, payload: { snapshot: this.server.document() } });
    return this.prediction.follow({
      start, author: start ? "me" : "", tick: this.tick, text: JSON.stringify(records), state: { hash: hash ?? this.server.text },
    });
  }

  /** The server takes batches in one tick: frames come first, then the records. */
  async takes(...batches) {
    this.server.apply(batches.flatMap(([, , ops]) => ops));
    this.broadcast();
    return this.tells(batches);
  }

  committed(entry) { return this.prediction.decided(entry, { outcome: "committed", tick: this.tick }); }

  /** Lefts and widths by ids, in the order in which they are shown. */
  get shown() {
    const { shown } = this.prediction;
    return Object.fromEntries(shown.preorder().slice(1).map(({ id, number }) => [id, [shown.x[number], shown.width[number]]]));
  }

  get truth() {
    const { mirror } = this;
    return Object.fromEntries(mirror.preorder().slice(1).map(({ id, number }) => [id, [mirror.x[number], mirror.width[number]]]));
  }
}

const width = (id, value) => ({ op: "set", id, width: value });
const sent = (...ops) => ({ ops, isSent: true });
const room = async (widths = { a: 10, b: 20, c: 30 }) => {
  const made = new Room(widths);
  assert.equal(await made.open(), undefined);
  return made;
};

test("own ops show at once, the mirror stays as it is, and the overlay goes with the result", async () => {
  const made = await room(), entry = sent(width("a", 15));
  assert.equal(made.prediction.shown, made.mirror);
  await made.prediction.add(entry);
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 20], c: [35, 30] });
  assert.deepEqual(made.truth, { a: [0, 10], b: [10, 20], c: [30, 30] });
  made.does(width("a", 15));
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 20], c: [35, 30] }, "the frame comes before the result, and nothing counts twice");
  assert.equal(made.committed(entry), false);
  assert.equal(made.prediction.shown, made.mirror);
  assert.equal(await made.prediction.compare(), true);
  const { predicted, settled, compared, wrong, divergences } = made.prediction.figures;
  assert.deepEqual({ predicted, settled, compared, wrong, divergences }, { predicted: 1, settled: 1, compared: 1, wrong: 0, divergences: 0 });
});

test("of several ops some may be there and others not", async () => {
  const made = await room(), entries = [11, 12, 13].map((value) => sent(width("a", value)));
  for (const entry of entries) await made.prediction.add(entry);
  for (const value of [11, 12, 13]) {
    assert.deepEqual(made.shown, { a: [0, 13], b: [13, 20], c: [33, 30] });
    made.does(width("a", value));
    assert.deepEqual(made.shown, { a: [0, 13], b: [13, 20], c: [33, 30] });
    assert.equal(made.committed(entries[value - 11]), false);
  }
  assert.equal(made.prediction.shown, made.mirror);
});

test("what others do meanwhile shows with it, also where it moves the same views", async () => {
  const made = await room(), first = sent(width("b", 25)), second = sent(width("b", 27));
  await made.prediction.add(first);
  made.does(width("a", 14));
  assert.deepEqual(made.shown, { a: [0, 14], b: [14, 25], c: [39, 30] });
  await made.prediction.add(second);
  assert.deepEqual(made.shown, { a: [0, 14], b: [14, 27], c: [41, 30] });
  // One tick has an own op and another member's: the width of b tells that the first one is there.
  made.does(width("b", 25), width("a", 16));
  assert.deepEqual(made.shown, { a: [0, 16], b: [16, 27], c: [43, 30] });
  made.committed(first);
  assert.deepEqual(made.shown, { a: [0, 16], b: [16, 27], c: [43, 30] });
  made.does(width("b", 27));
  made.committed(second);
  assert.equal(made.prediction.shown, made.mirror);
  assert.equal(await made.prediction.compare(), false, "the replica knows nothing of the others");
  assert.equal(made.prediction.figures.divergences, 1);
});

test("a refusal snaps back, and what was done after it stays", async () => {
  const made = await room(), refused = sent(width("a", 50)), later = sent(width("c", 31));
  await made.prediction.add(refused);
  await made.prediction.add(later);
  assert.deepEqual(made.shown, { a: [0, 50], b: [50, 20], c: [70, 31] });
  assert.equal(made.prediction.decided(refused, { outcome: "refused", code: "forbidden", tick: 0 }), true, "the replica has to begin anew");
  assert.deepEqual(made.shown, { a: [0, 10], b: [10, 20], c: [30, 31] });
  assert.equal(made.prediction.figures.refusalsDiffering, 1);
  assert.equal(await made.open(), undefined);
  assert.deepEqual(made.shown, { a: [0, 10], b: [10, 20], c: [30, 31] });
  made.does(width("c", 31));
  assert.equal(made.committed(later), false);
  assert.equal(await made.prediction.compare(), true);
});

test("what both refuse shows nothing and tells of no difference", async () => {
  const made = await room(), entry = sent(width("a", -1));
  await made.prediction.add(entry);
  assert.deepEqual(made.shown, made.truth);
  assert.equal(made.prediction.decided(entry, { outcome: "refused", code: "bad-value", tick: 0 }), false);
  const done = sent(width("a", -2));
  await made.prediction.add(done);
  assert.equal(made.committed(done), true, "the server took what the replica refused");
});

test("a server that is faster than the replica leaves nothing behind", async () => {
  const made = await room(), entry = sent(width("a", 15));
  made.isSlow = true;
  const added = made.prediction.add(entry);
  made.does(width("a", 15));
  made.committed(entry);
  assert.equal(made.prediction.shown, made.mirror);
  made.held.shift()();
  await added;
  assert.equal(made.prediction.shown, made.mirror);
  made.isSlow = false;
  const next = sent(width("a", 18));
  await made.prediction.add(next);
  assert.deepEqual(made.shown, { a: [0, 18], b: [18, 20], c: [38, 30] });
});

test("views that are added, moved, taken away and painted show over the tree, with what others added", async () => {
  const made = await room();
  made.does({ op: "add", id: "x", width: 5, at: 1 });
  // The replica has no x: it began before.
  const entries = [
    sent({ op: "add", id: "n", width: 7, at: 1 }), sent({ op: "remove", id: "b" }), sent({ op: "move", id: "c", at: 0 }), sent({ op: "set", id: "a", color: "#ff0000" }),
  ];
  for (const entry of entries) await made.prediction.add(entry);
  const { shown } = made.prediction;
  assert.deepEqual(shown.preorder().map(({ id }) => id), ["root", "c", "a", "x", "n"], "x stays behind a, which it follows");
  assert.equal(shown.view("a").content.background, "#ff0000");
  assert.equal(made.mirror.view("a").content.background, undefined);
  assert.equal(shown.view("b"), undefined);
  assert.equal(shown.size, 5);
  assert.deepEqual(shown.frame(shown.numbers.get("n")), [40, 0, 7, 10]);
  assert.ok(made.told.includes(true));
  for (const [index, { ops }] of entries.entries()) {
    made.server.apply(index === 0 ? [{ ...ops[0], at: 2 }] : ops);
    made.broadcast();
    assert.deepEqual(made.prediction.shown.preorder().map(({ id }) => id), ["root", "c", "a", "x", "n"]);
    made.committed(entries[index]);
  }
  assert.equal(made.prediction.shown, made.mirror);
});

test("a view that was added moves with what comes after, before the server knows it", async () => {
  const made = await room({ a: 10 });
  await made.prediction.add(sent({ op: "add", id: "n", width: 7 }));
  await made.prediction.add(sent(width("a", 13)));
  assert.deepEqual(made.shown, { a: [0, 13], n: [13, 7] });
});

test("a drag shows each place, asks for the latest only, and is sent as one", async () => {
  const made = await room(), draft = {};
  made.isSlow = true;
  const following = [11, 12, 13, 14].map((value) => made.prediction.change(draft, [width("a", value)]));
  assert.equal(made.held.length, 1, "the others wait until the replica has answered");
  made.isSlow = false;
  made.held.shift()();
  await Promise.all(following);
  assert.deepEqual(made.shown.a, [0, 14]);
  assert.equal(made.prediction.figures.predicted, 2);
  const entry = { ops: draft.ops, isSent: true };
  made.prediction.replace(draft, entry);
  assert.deepEqual(made.prediction.entries, [entry]);
  made.does(width("a", 14));
  assert.equal(made.committed(entry), false);
  assert.equal(made.prediction.shown, made.mirror);
  assert.deepEqual(made.truth.a, [0, 14]);
});

test("a place that is sent while the replica is at work keeps what it changed", async () => {
  const made = await room(), draft = {}, entry = { isSent: true };
  made.isSlow = true;
  const following = made.prediction.change(draft, [width("a", 14)]);
  entry.ops = draft.ops;
  made.prediction.replace(draft, entry);
  made.isSlow = false;
  for (const each of made.held.splice(0)) each();
  await following;
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(made.shown, { a: [0, 14], b: [14, 20], c: [34, 30] });
  made.does(width("a", 14));
  made.committed(entry);
  assert.deepEqual([made.shown, made.prediction.base.get("b")], [made.truth, [14, 0, 20, 10]]);
});

test("the last place of a drag that the replica has not answered is not taken for wrong", async () => {
  const made = await room(), draft = {}, entry = { isSent: true };
  await made.prediction.change(draft, [width("a", 11)]);
  made.isSlow = true;
  const following = made.prediction.change(draft, [width("a", 26)]);
  entry.ops = draft.ops;
  made.prediction.replace(draft, entry);
  // The server is faster than the replica's last step.
  made.does(width("a", 26));
  assert.equal(made.committed(entry), false);
  assert.equal(made.prediction.figures.wrong, 0);
  made.isSlow = false;
  for (const each of made.held.splice(0)) each();
  await following;
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(made.prediction.base.get("b"), [26, 0, 20, 10]);
});

test("a scene that is laid out otherwise here is not predicted; the last bit is, and counted", async () => {
  const made = new Room({ a: 10, b: 20 });
  assert.equal(await made.open({ views: [{ id: "a", width: 12 }, { id: "b", width: 20 }] }), "a is laid out otherwise here");
  assert.equal(made.prediction.isOpen, false);
  assert.equal(await made.open({ views: [{ id: "a", width: 10 }] }), "the server shows other views");
  await made.prediction.add(sent(width("a", 15)));
  assert.equal(made.prediction.shown, made.mirror);
  assert.equal(made.prediction.figures.divergences, 0);
  assert.equal(await made.open({ views: [{ id: "a", width: 11 }, { id: "b", width: 20 }] }), undefined);
  assert.equal(made.prediction.figures.divergences, 1);
  assert.deepEqual(made.shown.b, [14, 20], "what waits is done to the new one, and moves b by what it changes there");
});

test("a frame that is otherwise than shown is counted, with how far", async () => {
  const made = await room(), entry = sent(width("a", 15));
  await made.prediction.add(entry);
  // In the same tick another member makes it wider still.
  made.does(width("a", 18));
  assert.equal(made.committed(entry), true, "the replica has to begin anew");
  const { compared, wrong, worst } = made.prediction.figures;
  assert.deepEqual({ compared, wrong, worst }, { compared: 1, wrong: 1, worst: 3 });
  assert.equal(made.prediction.shown, made.mirror);
});

test("ops that were committed since the document count as its own", async () => {
  const made = new Room({ a: 10, b: 20 }), { views } = made.mirror;
  const expected = new Map([...views.values()].map(({ id, number }) => [id, made.mirror.frame(number)]));
  assert.equal(await made.prediction.open({ views: [{ id: "a", width: 3 }, { id: "b", width: 20 }] }, { hash: undefined, expected, since: [[width("a", 10)]] }), undefined);
  assert.equal(made.prediction.shown, made.mirror);
});

test("a trap is told and counted, and everything goes on without the replica", async () => {
  const made = await room(), entry = sent(width("a", 15));
  await made.prediction.add(entry);
  await made.prediction.add(sent({ op: "trap" }));
  assert.deepEqual(made.faults.map(({ isFatal }) => isFatal), [true]);
  assert.equal(made.prediction.figures.traps, 1);
  assert.equal(made.prediction.shown, made.mirror);
  assert.equal(made.prediction.entries.length, 2, "they wait as before");
  made.does(width("a", 15));
  assert.equal(made.committed(entry), false);
});

test("a step that is too expensive ends the replica, and is told", async () => {
  const made = await room();
  made.prediction.replica.ask = async ({ kind }) => (kind === "apply" ? { fault: { message: "too much work" } } : {});
  await made.prediction.add(sent(width("a", 15)));
  assert.deepEqual(made.faults.map(({ message }) => message), ["too much work"]);
  assert.equal(made.prediction.isOpen, false);
});

test("what is taken back is gone with the next opening", async () => {
  const made = await room(), entry = { ops: [width("a", 15)] }, kept = { ops: [width("c", 35)] };
  await made.prediction.add(entry);
  await made.prediction.add(kept);
  made.prediction.remove(entry);
  assert.equal(await made.open(), undefined);
  assert.deepEqual(made.shown, { a: [0, 10], b: [10, 20], c: [30, 35] });
});

test("undo of the server is followed by another replica", async () => {
  const made = await room(), entry = { ops: [{ op: "undo" }], isForeign: true, isSent: true };
  await made.prediction.add(entry);
  assert.deepEqual(made.shown, made.truth);
  assert.equal(made.committed(entry), true);
});

const wide = (id, value) => ({ op: "setView", id, width: value });
const numbered = (sequence, ...ops) => ({ ops, isSent: true, sequence });
const following = async (widths = { a: 10, b: 20, c: 30 }) => {
  const made = new Room(widths);
  assert.equal(await made.tells([], { start: true }), true);
  return made;
};
const counted = ({ prediction: { figures } }) => [figures.compared, figures.wrong, figures.divergences, figures.refusalsDiffering];

test("a replica that follows knows what others do, and which own ops are there", async () => {
  const made = await following(), [first, second] = [numbered(1, wide("b", 25)), numbered(2, wide("b", 27))];
  assert.equal(made.prediction.isOpen, true);
  await made.prediction.add(first);
  await made.takes(["other", 1, [wide("a", 14)]]);
  assert.deepEqual(made.shown, { a: [0, 14], b: [14, 25], c: [39, 30] });
  await made.prediction.add(second);
  await made.takes(["other", 2, [wide("a", 16)]], ["me", 1, [wide("b", 25)]]);
  assert.deepEqual(made.truth, { a: [0, 16], b: [16, 25], c: [41, 30] });
  assert.deepEqual(made.shown, { a: [0, 16], b: [16, 27], c: [43, 30] });
  made.committed(first);
  await made.takes(["me", 2, [wide("b", 27)]]);
  assert.equal(made.prediction.shown, made.mirror);
  made.committed(second);
  assert.equal(made.prediction.shown, made.mirror);
  assert.deepEqual(counted(made), [2, 0, 0, 0]);
});

test("frames that come before their records do not count twice", async () => {
  const made = await following(), entry = numbered(1, wide("a", 15));
  await made.prediction.add(entry);
  made.server.apply([wide("a", 15), wide("c", 33)]);
  made.broadcast();
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 20], c: [35, 33] });
  await made.tells([["me", 1, [wide("a", 15)]], ["other", 1, [wide("c", 33)]]]);
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 20], c: [35, 33] });
  assert.deepEqual(counted(made), [1, 0, 0, 0]);
});

test("of two on one edge the last one wins, as on the server", async () => {
  const made = await following(), entry = numbered(1, wide("a", 15));
  await made.prediction.add(entry);
  await made.takes(["other", 1, [wide("a", 40)]]);
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 20], c: [35, 30] }, "the own op will come after it");
  await made.takes(["me", 1, [wide("a", 15)]], ["other", 2, [wide("a", 42)]]);
  assert.deepEqual(made.shown, { a: [0, 42], b: [42, 20], c: [62, 30] });
  assert.equal(made.prediction.shown, made.mirror);
});

test("what cannot be done twice is done again in a scene without it", async () => {
  const made = await following(), entry = numbered(1, { op: "add", id: "d", width: 5, at: 0 });
  await made.prediction.add(entry);
  await made.takes(["other", 1, [wide("a", 11)]]);
  assert.deepEqual(made.shown, { d: [0, 5], a: [5, 11], b: [16, 20], c: [36, 30] });
  await made.takes(["me", 1, [{ op: "add", id: "d", width: 5, at: 0 }]]);
  assert.equal(made.prediction.shown, made.mirror);
  assert.deepEqual(made.truth, { d: [0, 5], a: [5, 11], b: [16, 20], c: [36, 30] });
});

test("a refusal snaps back where the replica follows too, and what was taken back goes", async () => {
  const made = await following(), [refused, draft] = [numbered(1, wide("a", 50)), {}];
  await made.prediction.add(refused);
  await made.prediction.change(draft, [wide("c", 31)]);
  assert.deepEqual(made.shown, { a: [0, 50], b: [50, 20], c: [70, 31] });
  assert.equal(made.prediction.decided(refused, { outcome: "refused", tick: made.tick }), false);
  await made.takes(["other", 1, [wide("b", 21)]]);
  assert.deepEqual(made.shown, { a: [0, 10], b: [10, 21], c: [31, 31] });
  made.prediction.remove(draft);
  await made.takes(["other", 2, [wide("b", 22)]]);
  assert.equal(made.prediction.shown, made.mirror);
  assert.deepEqual(counted(made), [0, 0, 0, 1]);
});

test("ticks that come while the replica is at work are repeated together", async () => {
  const made = await following(), entry = numbered(1, wide("b", 25));
  await made.prediction.add(entry);
  made.isSlow = true;
  const asked = [1, 2, 3].map((value) => made.takes(["other", value, [wide("a", 10 + value)]], ...(value === 2 ? [["me", 1, [wide("b", 25)]]] : [])));
  assert.equal(made.held.length, 1);
  made.isSlow = false;
  made.held.shift()();
  assert.deepEqual(await Promise.all(asked), [true, true, undefined], "two of them at once");
  assert.equal(made.prediction.shown, made.mirror);
  assert.deepEqual(made.truth, { a: [0, 13], b: [13, 25], c: [38, 30] });
  assert.deepEqual(counted(made), [1, 0, 0, 0]);
});

test("another hash has the server begin anew, and what waits is done again", async () => {
  const made = await following(), entry = numbered(1, wide("a", 15));
  await made.prediction.add(entry);
  made.server.apply([wide("c", 99)]);
  made.broadcast();
  assert.equal(await made.tells([]), false, "a record was lost");
  assert.equal(await made.tells([], { start: true }), true);
  await made.prediction.explain([]);
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 20], c: [35, 99] });
  assert.equal(made.prediction.figures.divergences, 1);
});

test("a replica that follows takes the place of one that does not, with what waits", async () => {
  const made = await room(), entry = numbered(1, wide("a", 15));
  await made.prediction.add(entry);
  made.does(wide("b", 50));
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 50], c: [65, 30] });
  await made.tells([], { start: true });
  await made.prediction.explain([]);
  assert.deepEqual(made.shown, { a: [0, 15], b: [15, 50], c: [65, 30] });
  assert.equal(made.prediction.isFollowing, true);
  await made.takes(["me", 1, [wide("a", 15)]]);
  assert.equal(made.prediction.shown, made.mirror);
  made.prediction.close();
  assert.equal(made.prediction.isFollowing, false);
});

test("a difference names what moved, looks otherwise, came and went", () => {
  const record = (frame, children = [], content = CONTENT) => ({ parent: "root", frame, content, children });
  const before = new Map([["p", record([0, 0, 1, 1], ["q", "r"])], ["q", record([0, 0, 2, 2])], ["r", record([1, 0, 2, 2])]]);
  const red = { ...CONTENT, background: "#ff0000" };
  const after = new Map([["p", record([0, 0, 1, 1], ["r", "s"])], ["r", record([0, 0, 2, 2], [], red)], ["s", record([2, 0, 2, 2])]]);
  assert.deepEqual(difference(before, after), {
    frames: [["r", [1, 0, 2, 2], [0, 0, 2, 2]]], contents: [["r", CONTENT, red]], added: [["s", after.get("s")]], removed: ["q"], children: [["p", ["q", "r"], ["r", "s"]]],
  });
});

test("a worker answers in order, and names faults of the engine", async () => {
  const listeners = [], answers = [];
  const worker = { addEventListener: (type, listener) => listeners.push(listener), postMessage: (answer) => answers.push(answer) };
  let isLoaded = false;
  serveReplica(worker, { Scene: Row, load: async () => { isLoaded = true; } });
  const say = (message) => listeners[0]({ data: message });
  say({ turn: 1, kind: "load" });
  say({ turn: 2, kind: "open", document: { views: [{ id: "a", width: 3 }] } });
  say({ turn: 3, kind: "apply", ops: [width("a", -3)] });
  say({ turn: 4, kind: "apply", ops: [width("a", 4)] });
  say({ turn: 5, kind: "explain", views: ["a"] });
  say({ turn: 6, kind: "open", document: { fault: "EngineFailure" } });
  say({ turn: 7, kind: "open", document: { fault: "LayoutError" } });
  while (answers.length < 7) await new Promise((done) => setImmediate(done));
  assert.ok(isLoaded);
  assert.deepEqual(answers.map(({ turn }) => turn), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(answers[2].refusal, { code: "bad-value", message: "negative" });
  assert.deepEqual(answers[3].patch.frames, [["a", [0, 0, 3, 10], [0, 0, 4, 10]]]);
  assert.deepEqual(answers[4], { turn: 5, views: [{ id: "a" }], document: { views: [{ id: "a", width: 4 }] } });
  assert.deepEqual([answers[5].fault.isFatal, answers[6].fault.isFatal], [true, false]);
});
