// Holds the module's own inflate against zlib's deflate.
import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";
import { inflate } from "../scenesync.js";

test("what zlib deflates is inflated to the same, and what is damaged is refused or of the right length", () => {
  let seed = 1;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor(seed / 2 ** 32 * below);
  };
  for (let round = 0; round < 400; round++) {
    // Few and many different bytes, in runs, so that codes of all lengths occur, and blocks that are stored.
    const letters = 1 + random(256), bytes = new Uint8Array(random(3000));
    for (let at = 0; at < bytes.length;) {
      const byte = random(letters), end = at + 1 + random(random(4) ? 2 : 300);
      for (; at < end && at < bytes.length; at++) bytes[at] = byte;
    }
    const packed = deflateRawSync(bytes, { level: random(10), strategy: random(5) });
    assert.deepEqual(inflate(packed, bytes.length), bytes, `round ${round}`);
    const damaged = Uint8Array.from(packed);
    damaged[random(damaged.length)] ^= 1 << random(8);
    const result = inflate(damaged, bytes.length);
    assert.ok(result === null || result.length === bytes.length, `round ${round}`);
  }
});
