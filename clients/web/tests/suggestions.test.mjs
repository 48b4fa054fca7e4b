// Suggestions by the client: opened, changed in their branch, accepted, updated and refused; SCENESYNC names the program.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { SceneClient, ops } from "../scenesync.js";
import { startServer } from "../../../Tests/Support/server.mjs";
import { TestSocket } from "./socket.mjs";

const scene = fileURLToPath(new URL("../../../protocol/examples/dashboard.json", import.meta.url));
const ANNOTATIONS = 1 << 13, SUGGESTIONS = 1 << 15, UNDO = 1 << 2;

/** Resolves when `condition()` holds, now or after an update or an annotation. */
const until = (client, condition) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => reject(new Error("not within 5 s")), 5000);
  const check = () => {
    if (client.mirror.needsSnapshot || !condition()) return;
    clearTimeout(timer);
    resolve();
  };
  client.onupdate = client.onannotations = check;
  check();
});
const width = ({ mirror }) => mirror.frame(mirror.numbers.get("sidebar"))[2];
const state = (client, id) => client.annotations.get(`suggestion ${id}`)?.state;

/** Runs `body` with a way to join rooms of a server of its own. */
const withServer = async (body) => {
  const server = await startServer("--scene", scene), clients = [];
  const join = (room, capabilities = ANNOTATIONS | SUGGESTIONS | UNDO) => {
    const client = new SceneClient({ url: `${server.url}/${room}`, WebSocket: TestSocket, reconnects: false, role: "editor", capabilities });
    clients.push(client);
    return client;
  };
  try {
    await body(join);
  } finally {
    for (const client of clients) client.close();
    await server.stop();
  }
};
const committed = async (client, ...list) => assert.equal((await client.send(list)).outcome, "committed");

test("a suggestion is changed in its branch, accepted as one step, and undone", { timeout: 30000 }, () => withServer(async (join) => {
  const ada = join("demo"), bob = join("demo"), old = join("demo", ANNOTATIONS);
  await until(ada, () => width(ada) === 160);
  await committed(ada, { op: "suggest", id: "wider", name: "A wider sidebar" });
  await until(bob, () => state(bob, "wider") === "open");
  const branch = join("demo~wider");
  await until(branch, () => width(branch) === 160);
  await committed(branch, ops.setConstraint("sidebar-width", { constant: 200 }));
  await until(branch, () => width(branch) === 200);
  assert.equal(width(bob), 160);
  await committed(bob, { op: "acceptSuggestion", id: "wider" });
  await until(ada, () => width(ada) === 200 && state(ada, "wider") === "accepted");
  await until(branch, () => state(branch, "wider") === "accepted");
  const late = await branch.send([ops.setConstraint("sidebar-width", { constant: 201 })]);
  assert.equal(late.code, "conflict");
  await bob.undo();
  await until(ada, () => width(ada) === 160);
  await committed(ada, { op: "addComment", id: "last", view: "sidebar", text: "done" });
  await until(old, () => old.annotations.has("thread last"));
  assert.deepEqual([...old.annotations.keys()].filter((key) => key.startsWith("suggestion ")), []);
}));

test("a conflict is named and changes nothing; updated, the branch is accepted", { timeout: 30000 }, () => withServer(async (join) => {
  const ada = join("demo");
  await committed(ada, { op: "suggest", id: "wider", name: "Wider" });
  const branch = join("demo~wider");
  await committed(branch, ops.setConstraint("sidebar-width", { constant: 200 }));
  await committed(ada, ops.setConstraint("sidebar-width", { constant: 180 }));
  const refused = await ada.send([{ op: "acceptSuggestion", id: "wider" }]);
  assert.equal(refused.code, "conflict");
  assert.match(refused.message, /sidebar-width/);
  await until(ada, () => width(ada) === 180);
  await committed(branch, { op: "updateSuggestion" });
  await until(branch, () => branch.annotations.get("suggestion wider")?.conflicts?.some((each) => each.includes("sidebar-width")));
  assert.equal(width(branch), 200);
  await committed(ada, { op: "acceptSuggestion", id: "wider" });
  await until(ada, () => width(ada) === 200);
}));

test("a suggestion is refused with a reason, opened again, and removed", { timeout: 30000 }, () => withServer(async (join) => {
  const ada = join("demo");
  await committed(ada, { op: "suggest", id: "wider", name: "Wider" });
  assert.equal((await ada.send([{ op: "suggest", id: "wider", name: "Again" }])).code, "duplicate-id");
  assert.equal((await ada.send([{ op: "acceptSuggestion", id: "other" }])).code, "unknown-suggestion");
  await committed(ada, { op: "refuseSuggestion", id: "wider", reason: "too wide" });
  await until(ada, () => state(ada, "wider") === "refused");
  assert.equal(ada.annotations.get("suggestion wider").reason, "too wide");
  await committed(ada, { op: "reopenSuggestion", id: "wider" });
  await until(ada, () => state(ada, "wider") === "open");
  await committed(ada, { op: "removeSuggestion", id: "wider" });
  await until(ada, () => !ada.annotations.has("suggestion wider"));
}));
