// The package with its engine, which `./dev wasm` puts into .build/wasm/autolayout. Expected frames are by hand.
import assert from "node:assert/strict";
import test from "node:test";

const { BudgetError, ConflictError, LayoutError, Scene, load } = await import(process.env.AUTOLAYOUT ?? "../../autolayout.js");

const document = {
  scene: 1,
  viewport: { width: 400, height: 300 },
  views: [{ id: "bar" }, { id: "title", parent: "bar", kind: "label", text: "Hello" }],
  constraints: [
    { id: "height", rule: "bar.height == 40" }, "bar.left == root.left", "bar.right == root.right", "bar.top == root.top",
    "title.left == bar.left + 8", "title.centerY == bar.centerY",
  ],
};

test("frames follow ops at the next tick", async () => {
  const scene = await Scene.open(document);
  // Five characters of 8 × 16 points, in the middle of 40.
  assert.deepEqual(scene.frames(), { root: [0, 0, 400, 300], bar: [0, 0, 400, 40], title: [8, 12, 40, 16] });
  scene.apply({ op: "setConstraint", id: "height", constant: 60 });
  assert.deepEqual(scene.frames().bar, [0, 0, 400, 40]);
  assert.equal(scene.tick().isPending, false);
  assert.deepEqual(scene.frames(), { root: [0, 0, 400, 300], bar: [0, 0, 400, 60], title: [8, 22, 40, 16] });
  scene.dispose();
});

test("changed tells everything at first, then differences, then what is gone", async () => {
  const scene = await Scene.open(document);
  assert.deepEqual(Object.keys(scene.changed().frames), ["root", "bar", "title"]);
  assert.deepEqual(scene.changed(), { frames: {}, removed: [] });
  scene.apply([{ op: "setConstraint", id: "height", constant: 60 }]);
  scene.tick();
  assert.deepEqual(scene.changed(), { frames: { bar: [0, 0, 400, 60], title: [8, 22, 40, 16] }, removed: [] });
  scene.apply({ op: "removeView", id: "title" });
  scene.tick();
  assert.deepEqual(scene.changed(), { frames: {}, removed: ["title"] });
  scene.dispose();
});

test("an animation moves views by ticks", async () => {
  const scene = await Scene.open(document);
  scene.changed();
  scene.apply({ op: "animate", duration: 0.5, curve: "linear", ops: [{ op: "setConstraint", id: "height", constant: 100 }, { op: "layoutIfNeeded" }] });
  scene.tick(15);
  const [, , , half] = scene.changed().frames.bar;
  assert.ok(half > 60 && half < 80, `${half}`);
  // Where the animation ends is known at once.
  assert.deepEqual(scene.frames().bar, [0, 0, 400, 100]);
  scene.tick(20);
  assert.deepEqual(scene.changed().frames.bar, [0, 0, 400, 100]);
  scene.dispose();
});

test("a document that contradicts itself names the constraints and their lines", async () => {
  const text = `{"scene": 1, "viewport": {"width": 400, "height": 300}, "views": [{"id": "a"}],
    "constraints": [
      "a.width == 40",
      {"id": "wide", "rule": "a.width == 50"}]}`;
  await assert.rejects(Scene.open(text), (error) => {
    assert.ok(error instanceof ConflictError && error instanceof LayoutError);
    assert.equal(error.code, "unsatisfiable");
    assert.deepEqual(error.constraints, [{ id: "#0", line: 3 }, { id: "wide", line: 4 }]);
    return true;
  });
});

test("a fault in a text has its line and column", async () => {
  await assert.rejects(Scene.open('{"scene": 1,\n "viewport": {"width": 1 "height": 2}}'), { name: "LayoutError", line: 2 });
  await assert.rejects(Scene.open({ ...document, views: [{ id: "a", kind: "knob" }] }), { path: /views\[0\]/ });
});

test("real fonts are refused, in a document and in an op, and not as a text", async () => {
  await assert.rejects(Scene.open('{"scene": 1,\n "viewport": {"width": 1, "height": 1, "typography": "faces"}}'), { code: "bad-value", line: 2 });
  const scene = await Scene.open({ ...document, views: [{ id: "bar" }, { id: "title", parent: "bar", kind: "label", text: '"typography": "faces"' }] });
  assert.throws(() => scene.apply({ op: "setViewport", typography: "faces" }), { code: "bad-value" });
  assert.equal(scene.tick().isPending, false);
  scene.dispose();
});

test("a list of ops is refused whole, or op by op where it is not atomic", async () => {
  const scene = await Scene.open(document);
  const ops = [{ op: "setConstraint", id: "height", constant: 70 }, { op: "removeView", id: "gone" }, { op: "addConstraint", rule: "bar.height == 71" }];
  assert.throws(() => scene.apply(ops), { code: "unknown-view", opIndex: 1 });
  scene.tick();
  assert.deepEqual(scene.frames().bar, [0, 0, 400, 40]);
  const { refusals } = scene.apply(ops, { atomic: false });
  assert.deepEqual(refusals.map(({ op, code }) => [op, code]), [[1, "unknown-view"], [2, "unsatisfiable"]]);
  scene.tick();
  assert.deepEqual(scene.frames().bar, [0, 0, 400, 70]);
  scene.dispose();
});

test("no document and no op takes more work than its budget", async () => {
  await assert.rejects(Scene.open(document, { budget: 100 }), BudgetError);
  const scene = await Scene.open(document);
  scene.apply({ op: "setConstraint", id: "height", constant: 60 });
  assert.throws(() => scene.tick(1, { budget: 1 }), BudgetError);
  assert.throws(() => scene.frames(), BudgetError);
  scene.dispose();
});

test("an explanation names what holds a view", async () => {
  const scene = await Scene.open(document);
  const { vertical, ambiguous } = scene.explain("bar");
  assert.equal(ambiguous, false);
  assert.ok(vertical.some(({ id, rule }) => id === "height" && rule === "bar.height == 40"));
  assert.throws(() => scene.explain("none"), { code: "unknown-view" });
  scene.dispose();
});

test("a scene as a document opens as an equal scene", async () => {
  const scene = await Scene.open(document);
  scene.apply({ op: "setConstraint", id: "height", constant: 61.5 });
  scene.tick();
  const other = await Scene.open(scene.document());
  assert.match(scene.hash().hash, /^[0-9a-f]{16}$/);
  assert.equal(other.hash().hash, scene.hash().hash);
  assert.deepEqual(other.frames(), scene.frames());
  scene.dispose();
  other.dispose();
});

test("a scene that was disposed of answers nothing", async () => {
  const scene = await Scene.open(document);
  scene.dispose();
  scene.dispose();
  assert.throws(() => scene.frames(), { code: "closed" });
});

test("a thousand scenes leave no memory behind", async () => {
  const engine = await load();
  const turn = async () => {
    const scene = await Scene.open(document);
    scene.apply({ op: "setConstraint", id: "height", constant: 60 });
    scene.tick();
    scene.dispose();
  };
  for (let count = 0; count < 50; count++) await turn();
  const before = engine.memoryBytes;
  for (let count = 0; count < 1000; count++) await turn();
  assert.equal(engine.memoryBytes, before);
});
