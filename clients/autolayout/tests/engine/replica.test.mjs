// The replica by which a client predicts, on the engine: what it tells of each step leads to the same picture as the scene's document.
// AUTOLAYOUT names the module that has its engine beside it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Replica, recordsOf } from "../../../web/replica.js";

const { Scene } = await import(process.env.AUTOLAYOUT ?? "../../autolayout.js");
const example = (name) => JSON.parse(readFileSync(new URL(`../../../../protocol/examples/${name}.json`, import.meta.url), "utf8"));

/** Records with a patch applied to them, as a client keeps them; children are compared as the lists that patches name. */
function patched(records, { frames, contents, added, removed, children }) {
  const result = new Map(records), change = (id, more) => result.set(id, { ...result.get(id), ...more });
  for (const id of removed) result.delete(id);
  for (const [id, record] of added) result.set(id, record);
  for (const [id, from, to] of frames) {
    assert.deepEqual(result.get(id).frame, from);
    change(id, { frame: to });
  }
  for (const [id, from, to] of contents) {
    assert.deepEqual(result.get(id).content, from);
    change(id, { content: to });
  }
  for (const [id, from, to] of children) {
    if (!added.some(([name]) => name === id)) assert.deepEqual(records.get(id).children, from);
    change(id, { children: to });
  }
  return result;
}

/** Without the superviews' names, which follow from the children. */
const plain = (records) => Object.fromEntries([...records].map(([id, { frame, content, children }]) => [id, { frame, content, children }]));

test("patches lead to the picture of the whole scene", async () => {
  const replica = new Replica(Scene);
  let { records } = await replica.open({ document: example("dashboard") });
  const steps = [
    [{ op: "setConstraint", id: "sidebar-width", constant: 201.5 }], [{ op: "setView", id: "crumb", text: "A longer crumb" }],
    [{ op: "addView", id: "new", parent: "header", background: "#ff0000" }, { op: "addConstraint", id: "nw", rule: "new.width == 20" }],
    [{ op: "moveView", id: "hint", parent: "header", index: 0 }], [{ op: "removeView", id: "new" }], [{ op: "setViewport", width: 500, height: 600 }],
    [{ op: "setView", id: "menu-metrics", hidden: true }],
  ];
  for (const ops of steps) {
    const { patch, refusal } = replica.apply({ ops });
    assert.equal(refusal, undefined, JSON.stringify(ops));
    assert.ok(Object.values(patch).some((list) => list.length > 0), JSON.stringify(ops));
    records = patched(records, patch);
    assert.deepEqual(plain(records), plain(recordsOf(replica.scene.picture())));
  }
  assert.deepEqual(replica.apply({ ops: [{ op: "setConstraint", id: "nobody", constant: 1 }] }).refusal.code, "unknown-constraint");
  const { views: [held], document } = replica.explain({ views: ["sidebar", "nobody"] });
  assert.equal(held.id, "sidebar");
  assert.equal(document.viewport.width, 500);
});

test("a document with later ops is the scene that they lead to", async () => {
  const ops = [{ op: "setConstraint", id: "sidebar-width", constant: 180 }], one = new Replica(Scene), other = new Replica(Scene);
  await one.open({ document: example("dashboard") });
  one.apply({ ops });
  const { hash, records } = await other.open({ document: example("dashboard"), since: [ops] });
  assert.equal(hash, one.hash().hash);
  assert.deepEqual(plain(records), plain(one.records));
});
