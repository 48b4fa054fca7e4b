// Requests of a client that is gone, sent by another one that goes on with its session. SCENESYNC names the program.
import assert from "node:assert/strict";
import test from "node:test";
import { startServer } from "../../../Tests/Support/server.mjs";
import { SceneClient, ops } from "../scenesync.js";
import { TestSocket } from "./socket.mjs";

const open = (url, more = {}) => new SceneClient({ url, WebSocket: TestSocket, role: "editor", ...more });
const until = (client, name, isTrue) => new Promise((resolve) => {
  const before = client[name];
  client[name] = (value) => {
    before(value);
    if (isTrue(value)) resolve(value);
  };
});

test("what a client left without a result is done once (SPEC CONN-24, CONN-25)", { timeout: 60000 }, async () => {
  const server = await startServer("--scene", new URL("../../../protocol/examples/dashboard.json", import.meta.url).pathname);
  const url = `${server.url}/demo`;
  try {
    const first = open(url), watcher = open(url);
    await Promise.all([until(first, "onupdate", () => true), until(watcher, "onupdate", () => true)]);
    // The view has come to another client, so the first one's request was done; its answer is never looked at.
    const isDone = until(watcher, "onupdate", (mirror) => mirror.numbers.has("once"));
    first.socket.onmessage = () => {};
    first.send([ops.addView("once")]).catch(() => {});
    await isDone;
    const { session, resumeToken } = first.welcome, [[, { message: sent }]] = first.unanswered;
    assert.deepEqual([first.lastSent, sent.clientSequence], [1, 1]);
    first.drop();
    first.close();

    const areAllThere = until(watcher, "onupdate", (mirror) => ["once", "new", "own"].every((id) => mirror.numbers.has(id)));
    const second = open(url, { resume: { session, resumeToken } });
    const results = [second.restore(sent), second.restore({ ...sent, clientSequence: 5, ops: [ops.addView("new")] })];
    // Numbers go on behind those that were restored.
    results.push(second.send([ops.addView("own")]));
    assert.deepEqual([...second.unanswered.keys()], [1, 5, 6]);
    assert.deepEqual((await Promise.all(results)).map(({ outcome }) => outcome), ["committed", "committed", "committed"]);
    assert.equal(second.welcome.session, session);
    await areAllThere;

    // Without the session it is another request, of which the view is there already.
    const stranger = open(url);
    assert.equal((await stranger.restore(sent)).outcome, "refused");
    for (const client of [second, watcher, stranger]) client.close();
  } finally {
    await server.stop();
  }
});

test("a request that was never sent can be taken back, one that was cannot", { timeout: 60000 }, async () => {
  const server = await startServer();
  try {
    const client = open(`${server.url}/demo`);
    const early = client.send([ops.setViewport({ width: 100 })]);
    const gone = client.send([ops.setViewport({ width: 200 })]);
    assert.equal(client.withdraw(2), true);
    assert.equal(client.withdraw(2), false);
    assert.equal((await early).outcome, "committed");
    assert.equal(client.withdraw(1), false);
    const last = await client.send([ops.setViewport({ height: 50 })]);
    assert.deepEqual([last.outcome, Number(last.clientSequence)], ["committed", 3]);
    const [, , width, height] = client.mirror.frame(client.mirror.root).map((side) => side / client.welcome.unitsPerPoint);
    assert.deepEqual([width, height], [100, 50]);
    assert.equal(await Promise.race([gone, Promise.resolve("open")]), "open");
    client.close();
  } finally {
    await server.stop();
  }
});
