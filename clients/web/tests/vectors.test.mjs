// Runs protocol/vectors/v1 in Node: node --test clients/web/tests/
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { DecodeError, Mirror, MirrorError, decode, decodeJSON, encode } from "../scenesync.js";

const folder = new URL("../../../protocol/vectors/v1/", import.meta.url);
const unhex = (text) => Uint8Array.from(Buffer.from(text, "hex"));
const hex = (bytes) => Buffer.from(bytes).toString("hex");

function* cases(kind) {
  for (const file of readdirSync(new URL(kind, folder))) {
    if (!file.endsWith(".json")) continue;
    for (const each of JSON.parse(readFileSync(new URL(`${kind}/${file}`, folder), "utf8"))) yield [`${file}: ${each.name}`, each];
  }
}

for (const [name, { from, hex: bytes, json, canonical }] of cases("valid")) {
  test(`valid ${name}`, () => {
    const message = decode(unhex(bytes), from);
    assert.deepEqual(message, json);
    assert.deepEqual(decodeJSON(JSON.stringify(json), from), json);
    if (canonical) assert.equal(hex(encode(message, from)), bytes);
    else assert.deepEqual(decode(encode(message, from), from), json);
  });
}

for (const [name, each] of cases("invalid")) {
  test(`invalid ${name}`, () => {
    const run = () => (each.hex === undefined ? decodeJSON(each.text, each.from) : decode(unhex(each.hex), each.from));
    assert.throws(run, (error) => {
      assert.ok(error instanceof DecodeError, String(error.stack));
      assert.equal(error.code, each.error);
      if (each.ignorable !== undefined) assert.equal(error.ignorable, each.ignorable);
      return true;
    });
  });
}

for (const [name, { steps }] of cases("sequences")) {
  test(`sequence ${name}`, () => {
    const mirror = new Mirror();
    steps.forEach((step, index) => {
      let code;
      try {
        mirror.apply(decode(unhex(step.hex)));
      } catch (error) {
        assert.ok(error instanceof MirrorError, String(error.stack));
        code = error.code;
      }
      assert.equal(code, step.error, `step ${index}`);
      assert.equal(mirror.needsSnapshot, step.needsSnapshot, `step ${index}`);
      if (step.hash) {
        assert.equal(mirror.stateHash, step.hash, `step ${index}`);
        assert.equal(mirror.tick, step.tick, `step ${index}`);
      }
      if (step.frames) {
        const frames = mirror.preorder().map((view) => ({ id: view.id, frame: mirror.frame(view.number) }));
        assert.deepEqual(frames, step.frames, `step ${index}`);
      }
      for (const { id, tick, frame } of step.shown ?? []) {
        assert.deepEqual(mirror.shownFrame(mirror.numbers.get(id), tick), frame, `step ${index}`);
      }
    });
  });
}

for (const [name, { format, messages, tick, hash }] of cases("conversations")) {
  test(`conversation ${name}`, () => {
    const mirror = new Mirror();
    for (const data of messages) {
      const message = format === "bin" ? decode(unhex(data)) : decodeJSON(data);
      if (message.type === "welcome") mirror.continueIn(message.epoch);
      mirror.apply(message);
    }
    assert.deepEqual([mirror.tick, mirror.stateHash], [tick, hash]);
  });
}

test("a mirror that verifies later takes a snapshot at once, and finds out before anything is built upon it", () => {
  let count = 0;
  for (const [name, { steps }] of cases("sequences")) {
    const [first] = steps, right = decode(unhex(first.hex));
    if (right.type !== "snapshot" || right.chunkCount !== 1 || first.error) continue;
    count++;
    for (const message of [right, { ...right, stateHash: "0123456789abcdef" }]) {
      const mirror = Object.assign(new Mirror(), { verifiesLater: true }), isWrong = message !== right;
      mirror.apply(message);
      assert.equal(mirror.needsSnapshot, false, name);
      const next = () => mirror.apply({ type: "hash", tick: mirror.tick, hash: mirror.stateHash });
      if (isWrong) assert.throws(next, { code: "hash-mismatch" }, name);
      else next();
      assert.equal(mirror.needsSnapshot, isWrong, name);
    }
  }
  assert.ok(count > 0);
});

test("texts of any length are written as UTF-8, with their bytes counted", () => {
  const pieces = ["a", "\u00e9", "\u65e5", "\ud83d\ude00", "\u07ff", "\u0800", "\uffff"];
  for (const piece of pieces) {
    for (const count of [0, 1, 2, 20, 21, 40, 41, 42, 43, 60, 80]) {
      // Names take 256 bytes.
      const name = piece.repeat(count), bytes = Buffer.from(name, "utf8");
      if (bytes.length > 256) continue;
      const message = { type: "presence", client: 0, clock: 0, gone: false, name, color: "#00000000", selection: [] };
      const found = Buffer.from(encode(message)).indexOf(bytes);
      assert.equal(decode(encode(message), "client").name, name);
      assert.ok(count === 0 || found > 0, `${count} of ${piece}`);
    }
  }
});
