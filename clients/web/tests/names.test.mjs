// Holds the client's names against protocol/names.json: node --test clients/web/tests/
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { DecodeError, decode, decodeJSON, ops } from "../scenesync.js";

const names = JSON.parse(readFileSync(new URL("../../../protocol/names.json", import.meta.url), "utf8"));

/** The code of the error that reading throws; undefined when it throws none. */
function failure(read) {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof DecodeError, String(error.stack));
    return error.code;
  }
}

test("there is a maker for each op, and no other", () => {
  assert.deepEqual(Object.keys(ops).sort(), [...names.ops].sort());
  for (const name of names.ops) assert.equal(ops[name]("a", []).op, name);
});

for (const [from, table] of [["client", names.clientMessages], ["server", names.serverMessages]]) {
  test(`the messages of a ${from} are known by their bytes and names, and no others`, () => {
    const bytes = new Set(Object.values(table));
    for (let byte = 0; byte < 256; byte++) {
      const isUnknown = failure(() => decode(Uint8Array.of(byte), from)) === "unknown-type";
      assert.equal(isUnknown, !bytes.has(byte), `type ${byte}`);
    }
    for (const name of Object.keys(table)) {
      assert.notEqual(failure(() => decodeJSON(JSON.stringify({ type: name }), from)), "unknown-type", name);
    }
    assert.equal(failure(() => decodeJSON('{"type":"nope"}', from)), "unknown-type");
  });
}
