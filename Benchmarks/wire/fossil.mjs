// Fossil deltas between whole states: node fossil.mjs fossil-delta.mjs WORKLOADS.json
//
// A state is every view's frame as four int16 in a row, the form that a delta of bytes finds most in. Every delta is applied
// and held against the state that it is to make. Times are the best of several rounds, in microseconds a tick.
import { pathToFileURL } from "node:url";
import { measure, microseconds } from "./rounds.mjs";

const { createDelta, applyDelta } = await import(pathToFileURL(process.argv[2]).href);
const ROUNDS = 3;

function run(scene, ticks) {
  const frames = new Int16Array(4 * scene.views.length);
  scene.views.forEach(({ frame }, number) => frames.set(frame, 4 * number));
  let before = new Uint8Array(frames.slice().buffer), encoding = 0, decoding = 0;
  const sizes = ticks.map((tick) => {
    for (const [number, ...frame] of tick) frames.set(frame, 4 * number);
    const after = new Uint8Array(frames.slice().buffer);
    let begin = process.hrtime.bigint();
    const delta = createDelta(before, after);
    encoding += microseconds(begin);
    begin = process.hrtime.bigint();
    const made = applyDelta(before, delta);
    decoding += microseconds(begin);
    if (Buffer.compare(Buffer.from(made), Buffer.from(after)) !== 0) throw new Error("a delta makes another state");
    before = after;
    return delta.length;
  });
  return { sizes, encoding: encoding / ticks.length, decoding: decoding / ticks.length };
}

measure(process.argv[3], ROUNDS, run);
