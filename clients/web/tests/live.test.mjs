// The client against the server itself; SCENESYNC names the program.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { SceneClient, ops } from "../scenesync.js";
import { startServer } from "../../../Tests/Support/server.mjs";
import { TestSocket } from "./socket.mjs";

const scene = fileURLToPath(new URL("../../../protocol/examples/dashboard.json", import.meta.url));

/** Resolves when the mirror is as wanted, now or after an update. */
const until = (client, isWanted) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => reject(new Error("not within 5 s")), 5000);
  const check = () => {
    if (client.mirror.needsSnapshot || !isWanted(client.mirror)) return;
    clearTimeout(timer);
    resolve();
  };
  client.onupdate = check;
  check();
});
const width = (mirror, id) => mirror.frame(mirror.numbers.get(id))[2];

test("editors and viewers in both formats see the same scene", { timeout: 30000 }, async () => {
  const server = await startServer("--scene", scene);
  const url = `${server.url}/demo`;
  const make = (options) => new SceneClient({ url, WebSocket: TestSocket, reconnects: false, ...options });
  const editor = make({ role: "editor" }), viewer = make({ format: "json" });
  try {
    const result = await editor.send([ops.setConstraint("sidebar-width", { constant: 300 })]);
    assert.equal(result.outcome, "committed");
    await Promise.all([editor, viewer].map((client) => until(client, (mirror) => width(mirror, "sidebar") === 300)));
    assert.equal(editor.mirror.stateHash, viewer.mirror.stateHash);
    const refused = await editor.send([ops.removeView("nothing")]);
    assert.equal(refused.code, "unknown-view");
    await editor.send([ops.animate(0.2, [ops.setConstraint("sidebar-width", { constant: 200 }), ops.layoutIfNeeded("root")])]);
    await Promise.all([editor, viewer].map((client) => until(client, (mirror) => width(mirror, "sidebar") === 200)));
    assert.equal(editor.mirror.stateHash, viewer.mirror.stateHash);
    const forbidden = await viewer.send([ops.removeView("sidebar")]);
    assert.equal(forbidden.code, "forbidden");
  } finally {
    editor.close();
    viewer.close();
    await server.stop();
  }
});

test("a refused address is passed over, and a frozen server left for the one that it named", { timeout: 30000 }, async () => {
  const second = await startServer("--scene", scene), first = await startServer("--scene", scene, "--alternate", second.url);
  const urls = [`${first.url}/demo`, `${second.url}/demo`], ends = [];
  const patience = { silence: 500, answer: 500 };
  const viewer = new SceneClient({ url: ["ws://127.0.0.1:1/demo", urls[0]], WebSocket: TestSocket, patience });
  const editor = new SceneClient({ url: urls[1], WebSocket: TestSocket, role: "editor" });
  viewer.onclose = ({ willRetry, url }) => ends.push([willRetry, url]);
  try {
    await until(viewer, () => true);
    assert.deepEqual(ends, [[true, urls[0]]]);
    assert.deepEqual(viewer.urls, ["ws://127.0.0.1:1/demo", ...urls]);
    first.child.kill("SIGSTOP");
    await editor.send([ops.setConstraint("sidebar-width", { constant: 310 })]);
    await until(viewer, (mirror) => width(mirror, "sidebar") === 310);
    assert.deepEqual(ends.at(-1), [true, urls[1]]);
  } finally {
    viewer.close();
    editor.close();
    first.child.kill("SIGCONT");
    await Promise.all([first.stop(), second.stop()]);
  }
});
