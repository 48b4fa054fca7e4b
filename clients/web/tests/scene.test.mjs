// Programs behind a scene, against the server itself; SCENESYNC names the program.
import assert from "node:assert/strict";
import test from "node:test";
import { ConnectionEnded, EVERYONE, EventError, RefusedError, Scene, SceneClient, Value, button, label, ops, row, slider, stack } from "../scene.js";
import { startServer } from "../../../Tests/Support/server.mjs";
import { TestSocket } from "./socket.mjs";

const SCENE = {
  scene: 1, viewport: { width: 400, height: 300 },
  views: [
    { id: "list", kind: "stack", axis: "vertical" },
    { id: "add", kind: "button", text: "Add", events: ["tap"] },
    { id: "volume", kind: "slider", events: ["input"], value: 0 },
    { id: "bar", background: "#ff8000" },
  ],
  constraints: [
    "list.leading == root.leading", "list.top == root.top", "bar.height == 16", "bar.leading == root.leading", "bar.top == root.top + 100",
    { id: "bar-width", rule: "bar.width == 100" },
  ],
};

/** A person who may only send events: a scene of one's own, without handlers. */
const visit = (url) => Scene.connect(url, { role: "participant", WebSocket: TestSocket });
const outcome = async (person, fields) => {
  const { outcome: result, code } = await person.client.sendEvent(fields);
  return code ? `${result} ${code}` : result;
};
const tap = (person, view) => outcome(person, { kind: "tap", view });
const enter = (person, view, value) => outcome(person, { kind: "input", view, value });
/** Drops a client's connection as a network does that fails. */
const cut = ({ client }) => client.socket.stream.destroy();

/** Runs a program behind a room of its own, and a participant who uses it. */
function play(name, body) {
  test(name, { timeout: 30000 }, async () => {
    const server = await startServer(), url = `${server.url}/room`;
    const scene = await Scene.connect(url, { WebSocket: TestSocket });
    const errors = [];
    scene.onerror = (error) => errors.push(error);
    let person;
    try {
      await scene.apply(ops.setScene(SCENE));
      person = await visit(url);
      await person.until((mirror) => mirror.view("add"));
      await body(scene, person, errors, url);
    } finally {
      scene.close();
      person?.close();
      await server.stop();
    }
  });
}

play("a tap adds a card", async (scene, person, errors) => {
  scene.on("tap", "add", () => scene.animate(0.1, (batch) => batch.view("list").append(label("new card"))));
  await scene.handlesAll();
  assert.equal(await tap(person, "add"), "handled");
  await person.until(() => person.view("list").children.length === 1);
  assert.equal(person.view(person.view("list").children[0]).text, "new card");
  assert.deepEqual(errors, []);
});

play("what nobody handles, what fails, and what is declined", async (scene, person, errors) => {
  assert.equal(await tap(person, "add"), "unhandled");
  const mistake = new Error("on purpose");
  scene.on("input", "volume", () => { throw mistake; });
  scene.on("tap", "list", () => assert.fail("another view's"));
  await scene.handlesAll();
  assert.equal(await enter(person, "volume", 1), "unhandled");
  assert.deepEqual(errors, [mistake]);
  assert.equal(await tap(person, "add"), "unhandled");
  // In place of the handler before.
  const end = scene.on("input", "volume", (event) => { if (event.value > 1) event.decline(); });
  assert.equal(await enter(person, "volume", 1), "handled");
  assert.equal(await enter(person, "volume", 2), "unhandled");
  end();
  await scene.handlesAll();
  assert.equal(await enter(person, "volume", 1), "unhandled");
  assert.equal(await tap(person, "bar"), "refused not-editable");
  await assert.rejects(person.apply(ops.removeView("bar")), (error) => error instanceof RefusedError && error.code === "forbidden");
});

play("refusals carry the conflict", async (scene) => {
  await scene.apply(ops.addConstraint("wide", { rule: "bar.width >= 90" }));
  await assert.rejects(scene.apply(ops.setConstraint("bar-width", { constant: 50 })), (error) => {
    assert.ok(error instanceof RefusedError);
    assert.equal(error.code, "unsatisfiable");
    assert.deepEqual([...error.conflicting].sort(), ["bar-width", "wide"]);
    return true;
  });
});

play("a loop handles an event when it asks for the next", async (scene, person) => {
  const seen = [], events = scene.events("input", "volume");
  await scene.handlesAll();
  const outcomes = [1, 2, 3, 4, 5].map((value) => enter(person, "volume", value));
  for await (const event of events) {
    seen.push(event.value);
    if (event.value === 2) event.decline();
    if (event.value === 3) {
      event.accept();
      break;
    }
  }
  // Those that waited for the loop are nobody's.
  assert.deepEqual(await Promise.all(outcomes), ["handled", "unhandled", "handled", "unhandled", "unhandled"]);
  assert.deepEqual(seen, [1, 2, 3]);
  await scene.handlesAll();
  assert.equal(await enter(person, "volume", 6), "unhandled");
});

play("a loop that an error ends has not handled its event, and others go on meanwhile", async (scene, person) => {
  const outer = scene.events("input", "volume"), inner = scene.events("tap", "add");
  await scene.handlesAll();
  const [entered, tapped] = [enter(person, "volume", 1), tap(person, "add")];
  await assert.rejects(async () => {
    for await (const event of outer) {
      for await (const other of inner) {
        assert.deepEqual([event.value, other.view, other.client], [1, "add", event.client]);
        other.accept();
        break;
      }
      throw new Error("on purpose");
    }
  }, /on purpose/);
  assert.deepEqual(await Promise.all([entered, tapped]), ["unhandled", "handled"]);
});

play("bound values send no more than one op a tick", async (scene, person) => {
  const width = new Value(0), sent = [], { client } = scene, { send } = client;
  client.send = (list, options) => {
    sent.push(...list);
    return send.call(client, list, options);
  };
  const end = scene.bind("bar-width", "constant", width, (value) => value / 10);
  for (let step = 0; step <= 1200; step++) {
    width.value = step;
    if (step % 100 === 0) await undefined;
  }
  const frame = (mirror) => mirror.frame(mirror.numbers.get("bar"))[2];
  await person.until((mirror) => frame(mirror) === 120 * person.client.welcome.unitsPerPoint);
  // The first value, and the last; perhaps one that was set in between.
  assert.ok(sent.length <= 3, JSON.stringify(sent));
  assert.deepEqual(sent.at(-1), { op: "setConstraint", id: "bar-width", constant: 120 });
  end();
  const before = sent.length;
  width.value = 7;
  await scene.handlesAll();
  // What asks for an answer itself is one.
  assert.equal(sent.length, before + 1);
});

play("a bound value that is refused is told", async (scene, person, errors) => {
  const told = new Promise((resolve) => { scene.onerror = resolve; });
  scene.bind("nobody", "text", new Value("a"));
  assert.equal((await told).code, "unknown-view");
  assert.deepEqual(errors, []);
});

play("batches and views", async (scene, person) => {
  let one;
  await scene.batch(async (batch) => {
    one = await batch.view("list").append(row([label("a"), button("b")]));
    batch.view("list").insert(0, stack([label("c"), slider(0.5, { id: "inner" })]));
    assert.deepEqual(batch.ops.map(({ op }) => op), Array(6).fill("addView"));
  });
  await Promise.all([person, scene].map((each) => each.until((mirror) => mirror.view("inner"))));
  const list = scene.view("list");
  assert.equal(list.children.length, 2);
  assert.equal(list.children[1], one.id);
  // One that cannot be taken leaves nothing of the others, one that fails sends nothing.
  await assert.rejects(scene.batch((batch) => {
    batch.view("list").append(label("d", { id: "d" }));
    batch.view("nobody").remove();
  }), { code: "unknown-view" });
  await assert.rejects(scene.batch((batch) => {
    batch.view("list").append(label("e", { id: "e" }));
    throw new Error("on purpose");
  }), /on purpose/);
  await scene.view(one.id).move({ index: 0 });
  await scene.until(() => list.children[0] === one.id);
  assert.ok(!scene.mirror.view("d") && !scene.mirror.view("e"));
  await scene.view(one.id).move({ parent: scene.view("bar") });
  await scene.until(() => scene.view("bar").children[0] === one.id);
  await scene.view("add").set({ text: "More" });
  await scene.until(() => scene.view("add").text === "[ More ]");
  await list.clear();
  await person.until(() => person.view("list").children.length === 0);
  assert.equal(await scene.apply(), undefined);
  assert.equal(scene.view("nobody").text, undefined);
});

play("messages between members", async (scene, person) => {
  const heard = person.events("message");
  scene.on("message", (event) => scene.send({ echo: event.value }, { to: event.client }));
  await scene.handlesAll();
  const said = person.send("hello");
  const first = await heard.next();
  assert.deepEqual(first.value.value, { echo: "hello" });
  first.value.accept();
  assert.equal(await said, "handled");
  assert.equal(await scene.send("all", { to: EVERYONE }), "handled");
  assert.equal((await heard.next()).value.value, "all");
  await assert.rejects(person.send("x", { view: "nobody" }), (error) => error instanceof EventError && error.code === "unknown-view");
  assert.equal(await scene.send("x", { to: 999_999 }), "unhandled");
});

play("a cut of both ends loses and doubles no event", async (scene, person) => {
  const seen = [];
  const isHalfway = new Promise((resolve) => {
    scene.on("input", "volume", ({ value }) => {
      seen.push(value);
      if (value === 3) resolve();
    });
  });
  await scene.handlesAll();
  const outcomes = Array.from({ length: 10 }, (_, value) => enter(person, "volume", value));
  await isHalfway;
  cut(scene);
  cut(person);
  assert.deepEqual(await Promise.all(outcomes), Array(10).fill("handled"));
  assert.deepEqual(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal((await scene.apply(ops.setConstraint("bar-width", { constant: 120 }))).outcome, "committed");
});

play("what is closed says so", async (scene, person, errors, url) => {
  const events = scene.events("tap", "add"), waits = scene.until(() => false);
  scene.close();
  const { code } = await scene.closed;
  assert.equal(code, 1000);
  await assert.rejects(waits, ConnectionEnded);
  await assert.rejects(scene.apply(ops.setNeedsLayout()), ConnectionEnded);
  await assert.rejects(scene.until(() => true), ConnectionEnded);
  assert.deepEqual(await events.next(), { done: true, value: undefined });
  assert.equal(await scene.send("x"), "unhandled");
  // Between two connections, too.
  cut(person);
  await new Promise((resolve) => { person.client.socket.onclose = ((before) => (end) => { before(end); resolve(); })(person.client.socket.onclose); });
  person.close();
  assert.equal((await person.closed).code, 1000);
  await assert.rejects(Scene.connect(url.replace("room", "%00"), { WebSocket: TestSocket }), ConnectionEnded);
});

test("a program handles at most 64 views, and several handlers in a row are told of at once", async () => {
  class Quiet { close() {} }
  const scene = new Scene(new SceneClient({ url: "ws://nowhere", WebSocket: Quiet })), told = [];
  scene.client.handle = (roots) => told.push(roots.length);
  for (let at = 0; at < 64; at++) scene.on("tap", `view-${at}`, () => {});
  scene.on("input", "view-0", () => {});
  await undefined;
  assert.deepEqual(told, [64]);
  assert.throws(() => scene.on("tap", "one-more", () => {}), RangeError);
});

test("where there is no WebSocket that is said", async () => {
  await assert.rejects(Scene.connect("ws://nowhere", { WebSocket: null }), /WebSocket/);
});
