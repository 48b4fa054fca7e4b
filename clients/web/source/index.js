//# allFunctionsCalledOnLoad
// A client of SceneSync (protocol/SPEC.md, version 1) in one module without dependencies: the codec for both formats,
// a mirror of the scene, ops, and a connection. One file on purpose: a page copies it and needs nothing else. By its first
// line browsers compile it whole in the background, where they would compile each function when it is first called.
//
//   import { SceneClient, ops } from "./scenesync.js";
//   const client = new SceneClient({ url: "ws://127.0.0.1:7070/demo", WebSocket, role: "editor" });
//   client.onupdate = (mirror) => draw(mirror);
//   await client.send([ops.setConstraint("sidebar-width", { constant: 300 })]);
//
// A decoded message is the object that the JSON format carries: the same names, hashes as 16 hexadecimal digits,
// integers above 2^53 as decimal digits in a string.
//
// `scenesync.d.ts` says what each part of it takes and gives.

export { DecodeError, MirrorError, limits } from "./errors.js";
export { inflate } from "./inflate.js";
export { parseJSON } from "./json.js";
export { decode, decodeJSON, encode } from "./messages.js";
export { Mirror, curveProgress } from "./mirror.js";
export { ops } from "./ops.js";
export { PATIENCE, AddressList, SilenceWatch, Connector } from "./connecting.js";
export { tokenLifetime, Renewal } from "./tokens.js";
export { SceneClient } from "./client.js";
