// Where a client connects next and when, and when it gives a server up, with times made by hand.
import assert from "node:assert/strict";
import test from "node:test";
import { AddressList, Connector, PATIENCE, SceneClient, SilenceWatch } from "../scenesync.js";

const A = "ws://127.0.0.1:1/r", B = "ws://127.0.0.1:2/r", C = "ws://127.0.0.1:3/r";

test("a pass tries each address once and around (SPEC CONN-34)", () => {
  const addresses = new AddressList([A, B, C]);
  assert.equal(addresses.begin(), A);
  assert.deepEqual([addresses.next(), addresses.next(), addresses.next()], [B, C, undefined]);
  assert.equal(addresses.nextPass(), A);
  addresses.settled();
  assert.deepEqual([addresses.next(), addresses.next(), addresses.next()], [B, C, undefined]);
});

test("alternates come last, and in place of those before (SPEC CONN-37)", () => {
  const addresses = new AddressList([A]);
  addresses.begin();
  addresses.prove([B, A]);
  assert.deepEqual(addresses.all, [A, B]);
  assert.equal(addresses.next(), B);
  // The server at B does not name itself.
  addresses.prove([C]);
  assert.deepEqual(addresses.all, [A, C, B]);
});

// An address, and whether it is taken of a server where the user gave a private one, and where an open one.
for (const [address, wherePrivate, whereOpen] of [
  ["wss://b/r", true, true], ["ws://b/r", false, true], ["ws://127.0.0.1:7/r", true, true], ["ws://127.9.9.9/r", true, true],
  ["ws://[::1]/r", true, true], ["ws://LOCALHOST:1/r", true, true], ["ws://127.0.0.1.evil.example/r", false, true],
  ["ws://localhost.evil.example/r", false, true], ["ws://128.0.0.1/r", false, true], ["ws://[::2]/r", false, true],
  ["http://b/r", false, false], ["wss://", false, false], ["", false, false], ["wss://user@b/r", false, false],
  ["wss://b/r#x", false, false], ["wss://b:99999/r", false, false], ["wss://b/\u0001", false, false],
  [`wss://b/${"r".repeat(504)}`, true, true], [`wss://b/${"r".repeat(505)}`, false, false],
]) {
  test(`what is taken of a server: ${address.slice(0, 40)} ${address.length} (SPEC CONN-38)`, () => {
    for (const given of ["wss://a/r", A, "ws://[::1]:1/r", "ws://localhost/r"]) {
      const addresses = new AddressList(["ws://open.example/r", given]);
      addresses.prove([address]);
      assert.equal(addresses.all.includes(address), wherePrivate, given);
    }
    const addresses = new AddressList(["ws://open.example/r"]);
    addresses.prove([address]);
    assert.equal(addresses.all.includes(address), whereOpen);
  });
}

test("a silent server is pinged once and given up, and any byte begins anew (SPEC CONN-39)", () => {
  const watch = new SilenceWatch({ ...PATIENCE, silence: 2000, answer: 3000 });
  watch.welcomed(100);
  assert.deepEqual([watch.advance(2099), watch.advance(2100), watch.advance(5099)], ["", "ping", ""]);
  watch.heard(5099);
  assert.equal(watch.due, 7099);
  assert.deepEqual([watch.advance(7099), watch.advance(10099)], ["ping", "give up"]);
  assert.equal(watch.due, undefined);
  // A page that stood still asks once more.
  watch.welcomed(0);
  assert.deepEqual([watch.advance(2000), watch.advance(7000), watch.advance(60000)], ["ping", "ping", "give up"]);
  // While the state is on its way, it waits longer.
  watch.welcomed(0);
  assert.deepEqual([watch.advance(2000, 20000), watch.advance(21999), watch.advance(22000)], ["ping", "", "give up"]);
});

test("all refused is the end before the first welcome; a told time holds for the next attempt; what hangs is given up", () => {
  const first = new Connector([A, B], { reconnects: false });
  assert.equal(first.connect(0), A);
  assert.deepEqual(first.ended(1006, 0), { url: B, delay: 0 });
  assert.deepEqual(first.advance(0), { connect: B });
  assert.equal(first.ended(1006, 0), undefined);
  const told = new Connector([A, B]);
  told.connect(0);
  told.opened(0);
  told.welcomed([], 0);
  told.note(1500);
  assert.deepEqual(told.ended(4030, 5000), { url: B, delay: 1500 });
  assert.deepEqual(told.advance(6499), {});
  assert.deepEqual(told.advance(6500), { connect: B });
  const { giveUp, retry } = told.advance(11500);
  assert.deepEqual([giveUp, retry.url, retry.delay >= 187.5 && retry.delay <= 250], [true, A, true]);
});

test("the same address comes first where only the owner changed (SPEC CONN-34)", () => {
  const connector = new Connector([A, B]);
  connector.connect(0);
  connector.opened(0);
  connector.welcomed([], 0);
  assert.deepEqual(connector.ended(4031, 5000), { url: A, delay: 0 });
  assert.deepEqual(connector.advance(5000), { connect: A });
  connector.opened(5000);
  connector.welcomed([], 5000);
  // What lasted for less than a second was no success.
  assert.deepEqual(connector.ended(4031, 5500), { url: B, delay: 0 });
  const alone = new Connector([A]);
  alone.connect(0);
  alone.opened(0);
  alone.welcomed([], 0);
  assert.deepEqual(alone.ended(4031, 2000), { url: A, delay: 0 });
});

test("random failures: it comes back where an address works, and tries none twice within the shortest wait", () => {
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed;
    const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
    const urls = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, number) => `ws://127.0.0.1:${number + 1}/r`);
    const connector = new Connector(urls.slice(0, 1 + Math.floor(random() * urls.length)), { random });
    let now = 0;
    const attempts = [[now, connector.connect(now)]], good = urls[Math.floor(random() * urls.length)];
    connector.opened(now);
    connector.welcomed(urls, now);
    let retry = connector.ended(1006, now);
    for (;;) {
      now += retry.delay;
      assert.ok(Math.abs(connector.due - now) < 1e-6);
      assert.deepEqual(connector.advance(Math.max(now, connector.due)), { connect: retry.url });
      attempts.push([now, retry.url]);
      if (retry.url === good && attempts.length > 20) break;
      assert.ok(attempts.length < 100);
      const what = random();
      if (what < 0.3) {
        // It admits the client, and drops it within a second.
        connector.opened(now);
        connector.welcomed(urls, now);
        now += random() * 900;
      } else if (what < 0.6) {
        now += PATIENCE.open + 1;
        const due = connector.advance(now);
        assert.ok(due.giveUp);
        retry = due.retry;
        continue;
      }
      retry = connector.ended(1006, now);
    }
    for (const url of urls) {
      const times = attempts.filter(([, each]) => each === url).map(([time]) => time);
      times.slice(1).forEach((time, index) => assert.ok(time - times[index] >= 187.5 - 1e-6, `seed ${seed}, ${url}`));
    }
  }
});

test("an address that is none is refused at once, and so is a list without any", () => {
  for (const url of ["http://a/b", [A, "b"], []]) {
    assert.throws(() => new SceneClient({ url, WebSocket: class {} }), SyntaxError);
  }
});

test("a connection that is asked for while another is under way comes in its place (SPEC CONN-35)", () => {
  const open = new Set();
  class Slow {
    constructor(url) { open.add(Object.assign(this, { url })); }
    close() { open.delete(this); }
  }
  const client = new SceneClient({ url: [A, B], WebSocket: Slow, patience: { open: 0 } });
  client.connect();
  client.connect();
  assert.deepEqual([...open].map(({ url }) => url), [A]);
  client.close();
  assert.equal(open.size, 0);
});

test("[CONN-40] one of several addresses has less time to open, and more with each pass; a single one has all", () => {
  const several = new Connector([A, B], { random: () => 0 });
  several.connect(0);
  assert.equal(several.due, 2000);
  several.opened(10);
  several.welcomed([], 10);
  let now = several.ended(1006, 20) && several.due;
  for (const limit of [2000, 4000, 4000, 5000]) {
    assert.ok(several.advance(now).connect);
    assert.equal(several.due, now + limit);
    now += limit;
    assert.ok(several.advance(now).giveUp);
    now = several.due;
  }
  const alone = new Connector([A]);
  alone.connect(0);
  assert.equal(alone.due, PATIENCE.open);
});
