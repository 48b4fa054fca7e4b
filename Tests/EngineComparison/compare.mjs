// Holds the engine in WebAssembly against the native one: reads what scenesync-engine prints, makes the same calls, and compares the
// answers, each a JSON text, byte by byte. Frames, refusals, work and state hashes are in them.
//
//   scenesync-engine random 1 10000 | node Tests/EngineComparison/compare.mjs .build/wasm/engine.wasm
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [path] = process.argv.slice(2);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {});
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function put(text) {
  const bytes = encoder.encode(text);
  const address = exports.engine_allocate(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  return [address, bytes.length];
}

const answer = () => decoder.decode(new Uint8Array(exports.memory.buffer, exports.engine_output(), exports.engine_outputCount()));

let handle = 0;
const calls = {
  open(budget, document) {
    exports.engine_close(handle);
    handle = exports.engine_open(...put(document), ...put(""), Number(budget));
  },
  apply: (budget, atomic, ops) => exports.engine_apply(handle, ...put(ops), Number(atomic), Number(budget)),
  tick: (budget, count) => exports.engine_tick(handle, Number(count), Number(budget)),
  explain: (budget, view) => exports.engine_explain(handle, ...put(view), Number(budget)),
  frames: (budget) => exports.engine_frames(handle, Number(budget)),
  changed: () => exports.engine_changed(handle),
  picture: () => exports.engine_picture(handle),
  hash: () => exports.engine_hash(handle),
  document: () => exports.engine_document(handle),
};

const counts = { documents: 0, opened: 0, batches: 0, refusals: 0, stopped: 0, answers: 0, differ: 0 };
let opening = "";
let last = Date.now();
for await (const line of createInterface({ input: process.stdin })) {
  const fields = line.split("\t");
  const expected = fields.pop();
  const [name, ...values] = fields;
  if (name === "open") {
    opening = values[1];
    counts.documents += 1;
  }
  try {
    calls[name](...values);
  } catch (error) {
    console.error(`a trap: ${error.stack}\nin ${fields.join(" ")}\nof the scene ${opening}`);
    process.exit(1);
  }
  const found = answer();
  counts.answers += 1;
  if (name === "open" && handle !== 0) counts.opened += 1;
  if (name === "apply") counts.batches += 1;
  if (expected.includes('"too-expensive"')) counts.stopped += 1;
  if (expected.includes('"code":') && name === "apply") counts.refusals += 1;
  if (found !== expected) {
    counts.differ += 1;
    if (counts.differ <= 5) console.error(`differs in ${fields.join(" ")}\n  native ${expected}\n  wasm   ${found}\n  of the scene ${opening}`);
  }
  if (Date.now() - last > 60_000) {
    console.error(`${counts.batches} batches, ${counts.differ} differ`);
    last = Date.now();
  }
}
console.log(
  `${counts.documents} documents (${counts.opened} opened), ${counts.batches} batches (${counts.refusals} with refusals), ` +
    `${counts.answers} answers (${counts.stopped} at a limit), ${counts.differ} differ, 0 traps, ` +
    `${(exports.memory.buffer.byteLength / 2 ** 20).toFixed(1)} MiB of memory`,
);
process.exit(counts.differ === 0 && counts.answers > 0 ? 0 : 1);
