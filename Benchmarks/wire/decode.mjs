// Times the JavaScript client's decoder and mirror: node decode.mjs RESULT.json, the output of wire-bench.
import { readFileSync } from "node:fs";
import { Mirror, decode } from "../../clients/web/scenesync.js";

const result = JSON.parse(readFileSync(process.argv[2], "utf8"));
const bytes = (messages) => messages.map((text) => Uint8Array.from(Buffer.from(text, "hex")));
const scenes = { drag: "dashboard", animation: "dashboard", list: "dashboard", random: "dashboard", board: "board" };
const output = {};
for (const [name, scene] of Object.entries(scenes)) {
  const snapshot = bytes(result[`snapshot-${scene}`].messages), messages = bytes(result[name].messages);
  let best = Infinity, hash;
  for (let round = 0; round < 60; round++) {
    const mirror = new Mirror();
    for (const chunk of snapshot) mirror.apply(decode(chunk));
    const begin = process.hrtime.bigint();
    for (const message of messages) mirror.apply(decode(message));
    best = Math.min(best, Number(process.hrtime.bigint() - begin));
    hash ??= mirror.stateHash;
    if (mirror.stateHash !== hash) throw new Error("two rounds differ");
  }
  output[name] = { microsecondsPerTick: best / 1000 / messages.length };
}
console.log(JSON.stringify(output));
