// What the application's page draws before the scene says so, and what becomes of events when connections end.
import assert from "node:assert/strict";
import test from "node:test";
import { isMirroredSlider, linesWith, segmentPlaces, titleOf } from "../page/own.js";
import { SceneClient } from "../scenesync.js";

const view = (...texts) => ({ content: { lines: texts.map((text) => ({ text, place: [0, 0, 0] })) } });
const drawn = (control, texts, value, more = {}) =>
  linesWith(view(...texts), { control, minimum: 0, maximum: 1, ...more }, value)?.map(({ text }) => text);

test("a control with another value looks as the scene would show it (LANGUAGE CTL-3, CTL-4, CTL-7)", () => {
  assert.deepEqual(drawn("switch", ["○────"], true, { value: false }), ["━━━━●"]);
  assert.deepEqual(drawn("switch", ["━━━━●"], false, { value: true }), ["○────"]);
  assert.deepEqual(drawn("switch", ["────○"], true, { value: false }), ["●━━━━"]);
  assert.deepEqual(drawn("switch", ["●━━━━"], false, { value: true }), ["────○"]);
  assert.deepEqual(drawn("switch", ["●"], false, { value: true }), ["○"]);
  const range = { minimum: 10, maximum: 20, value: 15 };
  assert.deepEqual(drawn("slider", ["━━━━●────"], 12.5, range), ["━━●──────"]);
  assert.deepEqual(drawn("slider", ["────────●"], 20, { ...range, value: 10 }), ["●━━━━━━━━"]);
  assert.deepEqual(drawn("slider", ["●"], 20, range), ["●"]);
  const span = { segments: ["Day", "Week", "Month"], value: 1 };
  assert.deepEqual(drawn("segmented", [" Day │[Week]│ Month "], 2, span), [" Day │ Week │[Month]"]);
  assert.deepEqual(drawn("segmented", [" Month │[Week]│ Day "], 0, span), [" Month │ Week │[Day]"]);
  assert.deepEqual(drawn("segmented", ["[Month]│ Week │ Day "], 0, { ...span, value: 2 }), [" Month │ Week │[Day]"]);
  assert.deepEqual(drawn("segmented", [" D… │ W… │ M… "], 0, { ...span, value: null }), ["[D…]│ W… │ M… "]);
  assert.deepEqual(drawn("segmented", ["■│··"], 1, { segments: ["a", "b"], value: 0 }), ["·│■■"]);
  assert.equal(drawn("textField", ["Ada"], "Bob"), undefined);
  assert.equal(drawn("switch", [], true), undefined);
  assert.equal(isMirroredSlider("●────", { minimum: 0, maximum: 1, value: 0 }), false);
  assert.equal(isMirroredSlider("────●", { minimum: 0, maximum: 1, value: 0 }), true);
});

test("segments are where their words are", () => {
  const places = (text, more) => segmentPlaces(text, { segments: ["A", "Bc"], value: 0, ...more }, (part) => part.length)
    .map(({ start, width }) => [Math.round(start * text.length), Math.round(width * text.length)]);
  assert.deepEqual(places("[A]│ Bc "), [[0, 3], [4, 4]]);
  assert.deepEqual(places(" Bc │[A]"), [[5, 3], [0, 4]]);
  assert.deepEqual(places(" Bc │ A ", { value: null }), [[5, 3], [0, 4]]);
});

test("a button's title is what stands between its brackets", () => {
  assert.equal(titleOf(view("[ Save ]")), "Save");
  assert.equal(titleOf(view("[•Bold ]")), "Bold");
  assert.equal(titleOf(view("[   Save   ]")), "Save");
  assert.equal(titleOf(view("Sa…")), "Sa…");
  assert.equal(titleOf(view()), "");
});

/** A socket whose other end is the test. */
class Line {
  static made = [];
  sent = [];
  readyState = 1;
  constructor() { Line.made.push(this); }
  send(text) { this.sent.push(JSON.parse(text)); }
  close() {}
  hear(message) { this.onmessage({ data: JSON.stringify(message) }); }
  events() { return this.sent.filter(({ type }) => type === "event"); }
}

const welcome = (more = {}) => ({
  type: "welcome", session: "s", resumeToken: "t", epoch: 1, version: 1, capabilities: 1024, tickRate: 60, tick: 0, monotonicMilliseconds: 0,
  unitsPerPoint: 1, viewport: [10, 10], scale: 1, cell: [8, 16],
  limits: {
    messageBytes: 1 << 20, views: 10000, constraints: 50000, ops: 10000, messagesPerSecond: 100, depth: 512, textBytes: 65536,
    inflatedBytes: 1 << 22, unacknowledgedFrames: 8,
  },
  role: "participant", incarnation: 7, ...more,
});

function connect() {
  Line.made = [];
  const client = new SceneClient({ url: "ws://nowhere/room", WebSocket: Line, format: "json", role: "participant", capabilities: 1024, patience: { open: 0, welcome: 0, silence: 0 } });
  /** The connection is cut, and the client comes back. */
  const cut = () => {
    client.ended(1006, "");
    client.connect();
    return Line.made.at(-1);
  };
  return { client, line: Line.made[0], cut };
}
const settled = async (promise) => Promise.race([promise.then(({ outcome, code }) => [outcome, code]), new Promise((done) => setImmediate(done, "waits"))]);

test("an event is counted, told, and has its result (SPEC EVT-9, EVT-11)", async () => {
  const { client, line } = connect();
  const early = client.sendEvent({ kind: "tap", view: "a" });
  assert.deepEqual(line.events(), []);
  line.hear(welcome());
  const late = client.sendEvent({ kind: "input", view: "b", value: 3, place: [1, 2], modifiers: 5, tick: 9 });
  assert.deepEqual(line.events(), [
    { type: "event", eventSequence: 1, to: 0, kind: "tap", view: "a", tick: 0, place: [0, 0], modifiers: 0, value: null },
    { type: "event", eventSequence: 2, to: 0, kind: "input", view: "b", tick: 9, place: [1, 2], modifiers: 5, value: 3 },
  ]);
  line.hear({ type: "eventResults", results: [{ eventSequence: 2, outcome: "refused", code: "not-editable", message: "" }] });
  assert.deepEqual(await settled(late), ["refused", "not-editable"]);
  assert.equal(await settled(early), "waits");
  line.hear({ type: "eventResults", results: [{ eventSequence: 1, outcome: "handled", code: "", message: "" }] });
  assert.deepEqual(await settled(early), ["handled", ""]);
});

test("events without a result are sent again to a server that knows them, and are unknown to another (SPEC EVT-11)", async () => {
  const { client, line, cut } = connect();
  line.hear(welcome());
  const first = client.sendEvent({ kind: "tap", view: "a" }), again = cut();
  const second = client.sendEvent({ kind: "tap", view: "b" });
  again.hear(welcome({ epoch: 2 }));
  assert.deepEqual(again.events().map(({ eventSequence }) => eventSequence), [1, 2]);
  const third = cut();
  const unsent = client.sendEvent({ kind: "tap", view: "c" });
  third.hear(welcome({ incarnation: 8 }));
  assert.deepEqual(await Promise.all([settled(first), settled(second)]), [["unknown", ""], ["unknown", ""]]);
  // What nobody was told of is told now.
  assert.deepEqual(third.events().map(({ eventSequence }) => eventSequence), [3]);
  assert.equal(await settled(unsent), "waits");
  const fourth = cut();
  fourth.hear(welcome({ session: "other", incarnation: 8 }));
  assert.deepEqual(await settled(unsent), ["unknown", ""]);
});

test("an undo that was sent holds back what is behind it; one that was not is refused and holds nothing (SPEC CONN-24)", async () => {
  const { client, line, cut } = connect(), undos = { capabilities: 4, role: "editor" }, none = { capabilities: 0, role: "editor" };
  const requests = (of) => of.sent.filter(({ type }) => ["ops", "undo"].includes(type)).map(({ type, clientSequence }) => `${type} ${clientSequence}`);
  line.hear(welcome(undos));
  client.undo();
  const second = cut();
  second.hear(welcome(none));
  client.send([]);
  assert.deepEqual(requests(second), []);
  const third = cut();
  third.hear(welcome(undos));
  assert.deepEqual(requests(third), ["undo 1", "ops 2"]);
  for (const clientSequence of [1, 2]) third.hear({ type: "result", clientSequence, tick: 1, outcome: "committed", frames: [], removedConstraints: [], refusals: [] });
  const fourth = cut(), unsent = client.undo();
  client.send([]);
  fourth.hear(welcome(none));
  assert.deepEqual(requests(fourth), ["ops 4"]);
  await assert.rejects(unsent, /does not take undo/);
});

test("a device that is asked for before the welcome is asked for after it", () => {
  const { client, line } = connect();
  line.onopen?.();
  client.changeDevice({ name: "phone" });
  line.hear(welcome({ capabilities: 512, role: "editor" }));
  assert.deepEqual(line.sent.filter(({ type }) => type === "device").map(({ name }) => name), ["phone"]);
});

test("no more than 256 events wait (SPEC EVT-11), and none for a server that takes none", async () => {
  const { client, line, cut } = connect();
  line.hear(welcome());
  for (let count = 0; count < 256; count++) client.sendEvent({ kind: "tap", view: "a" });
  assert.deepEqual(await settled(client.sendEvent({ kind: "tap", view: "a" })), ["refused", "limit"]);
  assert.equal(line.events().length, 256);
  const other = cut();
  other.hear(welcome({ capabilities: 0, role: "viewer" }));
  assert.deepEqual(await settled(client.sendEvent({ kind: "tap", view: "a" })), ["unhandled", ""]);
  assert.equal(client.events.size, 0);
});

test("insets are those told since the last whole message, snapshot or welcome (SPEC AREA-18, section 17.6)", () => {
  const { client, line, cut } = connect();
  line.hear(welcome());
  line.hear({ type: "insets", whole: true, changes: [{ id: "a", inset: [1, 2, 3, 4] }, { id: "b", inset: [0, 0, 9, 0] }] });
  line.hear({ type: "insets", whole: false, changes: [{ id: "a", inset: [0, 0, 0, 0] }, { id: "c", inset: [5, 0, 0, 0] }] });
  assert.deepEqual([...client.mirror.insets.keys()], ["b", "c"]);
  assert.deepEqual([client.mirror.inset("a"), client.mirror.inset("b")], [[0, 0, 0, 0], [0, 0, 9, 0]]);
  line.hear({ type: "insets", whole: true, changes: [{ id: "d", inset: [7, 0, 0, 0] }] });
  assert.deepEqual([...client.mirror.insets.keys()], ["d"]);
  cut().hear(welcome());
  assert.equal(client.mirror.insets.size, 0);
});

test("interactions are all of what is known after a whole message, and changes to it after others (SPEC EVT-5, EVT-6)", () => {
  const { client, line } = connect(), told = [];
  client.oninteractions = (message) => told.push(message.changes.map(({ id }) => id));
  line.hear(welcome());
  const interaction = {
    control: "switch", events: ["input"], enabled: true, focusable: true, selected: false, continuous: false, scrollsEach: false, label: "",
    role: "", hint: "", value: true, minimum: 0, maximum: 1, step: 0, placeholder: "", segments: [],
  };
  line.hear({ type: "interactions", whole: true, changes: [{ id: "a", interaction }, { id: "b", interaction }] });
  line.hear({ type: "interactions", whole: false, changes: [{ id: "a" }, { id: "c", interaction: { ...interaction, value: false } }] });
  assert.deepEqual([...client.interactions].map(([id, { value }]) => [id, value]), [["b", true], ["c", false]]);
  line.hear({ type: "interactions", whole: true, changes: [] });
  assert.equal(client.interactions.size, 0);
  assert.deepEqual(told, [["a", "b"], ["a", "c"], []]);
});
