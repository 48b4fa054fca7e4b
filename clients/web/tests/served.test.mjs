// The client as servers hand it out: without comments and needless spaces, and to the page without what it never uses.
// SCENESYNC names the program.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { startServer } from "../../../Tests/Support/server.mjs";

const folder = new URL("../../../protocol/vectors/v1/valid/", import.meta.url);
const vectors = readdirSync(folder).filter((file) => file.endsWith(".json")).flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")));
const unhex = (text) => Uint8Array.from(Buffer.from(text, "hex"));
const hex = (bytes) => Buffer.from(bytes).toString("hex");

test("every vector, by both of the served clients", { timeout: 30000 }, async () => {
  const server = await startServer();
  try {
    const load = async (path) => {
      const source = await (await fetch(server.http + path)).text();
      return import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
    };
    const [whole, own] = [await load("/scenesync.js"), await load("/page/scenesync.js")];
    const count = { whole: 0, heard: 0, said: 0 };
    for (const { from, hex: bytes, json, canonical } of vectors) {
      assert.deepEqual(whole.decode(unhex(bytes), from), json);
      assert.deepEqual(whole.decodeJSON(JSON.stringify(json), from), json);
      if (canonical) assert.equal(hex(whole.encode(json, from)), bytes);
      count.whole++;
      // The page hears servers, and says what clients say, both in bytes.
      if (from === "server") {
        assert.deepEqual(own.decode(unhex(bytes), from), json);
        count.heard++;
      } else if (canonical) {
        assert.equal(hex(own.encode(json, from)), bytes);
        count.said++;
      }
    }
    assert.ok(count.whole > 100 && count.heard > 50 && count.said > 20, JSON.stringify(count));
  } finally {
    await server.stop();
  }
});
