// What `@colyseus/schema` itself sends for the workloads: node colyseus.mjs BUNDLE WORKLOADS.json
//
// The state is an array of views with four int16 fields, its smallest form. A decoder takes every message, and what it has at
// the end is held against the encoder's state. Times are the best of several rounds, in microseconds a tick.
import { pathToFileURL } from "node:url";
import { measure, microseconds } from "./rounds.mjs";

const { ArraySchema, Decoder, Encoder, schema } = await import(pathToFileURL(process.argv[2]).href);
const FIELDS = ["x", "y", "w", "h"];
const ROUNDS = 12;

const View = schema({ x: "int16", y: "int16", w: "int16", h: "int16" }, "View");
const State = schema({ views: [View] }, "State");
Encoder.BUFFER_SIZE = 1 << 20;

function run(scene, ticks) {
  const state = new State();
  state.views = new ArraySchema();
  for (const { frame } of scene.views) {
    const view = new View();
    FIELDS.forEach((name, side) => (view[name] = frame[side]));
    state.views.push(view);
  }
  const encoder = new Encoder(state), copy = new State(), decoder = new Decoder(copy);
  decoder.decode(encoder.encodeAll());
  encoder.discardChanges();
  let encoding = 0, decoding = 0;
  const sizes = ticks.map((tick) => {
    let begin = process.hrtime.bigint();
    for (const [number, x, y, w, h] of tick) {
      const view = state.views[number];
      if (view.x !== x) view.x = x;
      if (view.y !== y) view.y = y;
      if (view.w !== w) view.w = w;
      if (view.h !== h) view.h = h;
    }
    const message = Uint8Array.from(encoder.encode());
    encoder.discardChanges();
    encoding += microseconds(begin);
    begin = process.hrtime.bigint();
    decoder.decode(message);
    decoding += microseconds(begin);
    // Its type byte, as a room sends it.
    return message.length + 1;
  });
  for (let number = 0; number < scene.views.length; number++) {
    for (const name of FIELDS) {
      if (state.views[number][name] !== copy.views[number][name]) throw new Error(`view ${number} differs`);
    }
  }
  return { sizes, encoding: encoding / ticks.length, decoding: decoding / ticks.length };
}

measure(process.argv[3], ROUNDS, run);
