// What a server tells those who repeat its scene, in parts that a client puts together.
import assert from "node:assert/strict";
import test from "node:test";
import { SceneClient, encode } from "../scenesync.js";

/** A connection on which nothing is sent by itself. */
class Quiet {
  readyState = 0;
  sent = [];
  send(data) { this.sent.push(data); }
  close() {}
}

const WELCOME = {
  type: "welcome", session: "s", resumeToken: "r", epoch: 1, version: 1, capabilities: 16384, tickRate: 60, tick: 1, monotonicMilliseconds: 0,
  unitsPerPoint: 1, viewport: [1, 1], scale: 1, cell: [8, 16], role: "viewer",
  limits: { messageBytes: 1, views: 1, constraints: 1, ops: 1, messagesPerSecond: 1, depth: 1, textBytes: 1, inflatedBytes: 1, unacknowledgedFrames: 8 },
};
const part = (text, chunkIndex, more = {}) => ({ type: "records", tick: 7, start: true, author: "me", chunkIndex, chunkCount: 2, text, ...more });

test("records in parts come as one message, and parts that do not go on are dropped", () => {
  const client = new SceneClient({ url: "ws://127.0.0.1:1/r", WebSocket: Quiet, capabilities: 16384, patience: { open: 0, silence: 0 } }), told = [];
  client.onmessage = (message) => { if (message.type === "records") told.push(message); };
  const hear = (message) => client.receive(encode(message, "server").buffer);
  hear(WELCOME);
  assert.equal(client.grants("follow"), true);
  for (const message of [part("[1", 0), part("3]", 1, { tick: 8 }), part("4]", 1), part("[1", 0), part(",2]", 1)]) hear(message);
  assert.deepEqual(told.map(({ text, chunkCount, author }) => [text, chunkCount, author]), [["[1,2]", 1, "me"]]);
  hear({ ...part("[]", 0), chunkCount: 1, start: false, state: { hash: "0102030405060708" } });
  assert.equal(told[1].state.hash, "0102030405060708");
  client.close();
});
