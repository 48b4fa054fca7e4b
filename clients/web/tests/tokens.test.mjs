// Tokens that end while a client is connected, and where the client gets others. SCENESYNC names the program.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Renewal, SceneClient, ops, tokenLifetime } from "../scenesync.js";
import { startServer } from "../../../Tests/Support/server.mjs";
import { TestSocket } from "./socket.mjs";

const SECRET = "a secret of the tests, 32 bytes and more";
const scene = fileURLToPath(new URL("../../../protocol/examples/dashboard.json", import.meta.url));
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = (value) => `e30.${encoded(value)}.x`;

/** A token for every room that lives so many seconds from now. */
const mint = (life, secret = SECRET) => {
  const now = Date.now() / 1000, body = { sub: "ada", role: "editor", rooms: ["*"], iat: Math.floor(now), exp: now + life, jti: String(now) };
  const signed = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded(body)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
};

/** A server that asks for tokens, for the time of `body`; it has the room's address and a folder. */
const withServer = async (body) => {
  const folder = mkdtempSync(join(tmpdir(), "scenesync-tokens-")), secret = join(folder, "secret");
  writeFileSync(secret, SECRET);
  const server = await startServer("--auth-secret-file", secret, "--scene", scene);
  try {
    await body(`${server.url}/demo`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A client, the ends of its connections, and promises of its first error and its last end. */
const enter = (url, token, options = {}) => {
  const ends = [], client = new SceneClient({ url, WebSocket: TestSocket, role: "editor", token, ...options });
  const failed = new Promise((resolve) => { client.onerror = resolve; });
  const ended = new Promise((resolve) => {
    client.onclose = (end) => {
      ends.push([end.code, end.willRetry]);
      if (!end.willRetry) resolve(end);
    };
  });
  return { client, ends, failed, ended };
};

test("how long a token holds", () => {
  const now = 1_000_000;
  assert.equal(tokenLifetime(claims({ exp: 1300 }), now), 300_000);
  assert.equal(tokenLifetime(claims({ exp: 1300.5, iat: 900 }), now), 300_500);
  // Ended by this clock, which is wrong then: a token that has just been made lives as long as it says.
  assert.equal(tokenLifetime(claims({ exp: 900, iat: 300 }), now), 600_000);
  assert.equal(tokenLifetime(claims({ exp: 900 }), now), 0);
  assert.equal(tokenLifetime(claims({ exp: 900, iat: 950 }), now), 0);
  for (const wrong of [claims({ sub: "ada" }), claims({ exp: "1300" }), claims({ exp: 1e300 }), claims(null), "e30.!!!.x", "opaque", "", "a.b.c.d"]) {
    assert.equal(tokenLifetime(wrong, now), undefined, wrong);
  }
});

test("a token is renewed before its end, and sooner after a failure", () => {
  const renewal = new Renewal();
  renewal.began(claims({ exp: 4600 }), 1_000_000);
  assert.equal(renewal.due, 4_540_000);
  renewal.failed(4_540_000);
  assert.equal(renewal.due, 4_555_000);
  renewal.failed(4_599_000);
  assert.equal(renewal.due, 4_599_500);
  renewal.failed(4_600_000);
  assert.equal(renewal.due, 4_610_000);
  renewal.began(claims({ exp: 1040 }), 1_000_000);
  assert.equal(renewal.due, 1_030_000);
  renewal.began(claims({ exp: 900 }), 1_000_000);
  assert.equal(renewal.due, 1_010_000);
  renewal.began("opaque", 1_000_000);
  assert.equal(renewal.due, undefined);
});

test("connections outlive their first tokens, in both formats", { timeout: 60000 }, () => withServer(async (url) => {
  await Promise.all(["bin", "json"].map(async (format, number) => {
    // Called at 0, 3 and 6 s: the connection's first token has ended after 4.
    let calls = 0, third;
    const wasThird = new Promise((resolve) => { third = resolve; });
    const provide = () => {
      if (++calls === 3) third();
      return number ? mint(4) : Promise.resolve(mint(4));
    };
    const { client, ends } = enter(url, provide, { format });
    await wasThird;
    const result = await client.send([ops.setConstraint("sidebar-width", { constant: 210 + number })]);
    assert.equal(result.outcome, "committed");
    assert.deepEqual([ends, calls], [[], 3]);
    client.close();
  }));
}));

test("without another token the end is final; one that comes late opens the connection again", { timeout: 60000 }, () => withServer(async (url) => {
  const only = mint(3), first = mint(3), second = mint(60);
  const fixed = enter(url, () => only);
  let wasClosed = false;
  class Watched extends TestSocket {
    set onclose(handler) { this.handler = handler; }
    get onclose() {
      return (end) => {
        wasClosed ||= end.code === 4001;
        this.handler?.(end);
      };
    }
  }
  // As of a page whose issuer answers only after the end of its token.
  const late = enter(url, async () => (wasClosed ? second : first), { WebSocket: Watched });
  const reopened = new Promise((resolve) => {
    let welcomes = 0;
    late.client.onmessage = ({ type }) => { if (type === "welcome" && ++welcomes === 2) resolve(); };
  });
  assert.equal((await fixed.ended).code, 4001);
  assert.deepEqual(fixed.ends, [[4001, false]]);
  await reopened;
  assert.equal((await late.client.send([ops.setNeedsLayout("root")])).outcome, "committed");
  assert.deepEqual(late.ends, [[4001, true]]);
  late.client.close();
}));

test("tokens of another issuer are tried once more, and then no longer", { timeout: 30000 }, () => withServer(async (url) => {
  let calls = 0;
  const { ended } = enter(url, () => mint(60 + ++calls, "not the secret of the server, but as long"));
  assert.equal((await ended).code, 4001);
  assert.equal(calls, 2);
}));

test("a failure is told, and the next call succeeds", { timeout: 60000 }, () => withServer(async (url) => {
  let calls = 0, last;
  const wasLast = new Promise((resolve) => { last = resolve; });
  const { client, ends, failed } = enter(url, async () => {
    calls++;
    if (calls === 2) throw new Error("the issuer rests");
    if (calls === 4) last();
    // Called at 0, 4.5 (which fails), 5 and 9.5 s: the first token has ended after 6.
    return mint(6);
  });
  assert.equal((await failed).message, "no token: the issuer rests");
  await wasLast;
  assert.equal((await client.send([ops.setNeedsLayout("root")])).outcome, "committed");
  assert.deepEqual(ends, []);
  client.close();
}));

test("a provider that fails at first says why, and one that is awaited can be closed", { timeout: 30000 }, async () => {
  const url = "ws://127.0.0.1:1/demo";
  for (const [provide, reason] of [[() => { throw new Error("out of order"); }, "no token: out of order"], [() => 7, /has to return a string/], [async () => "", /has to return a string/]]) {
    const end = await enter(url, provide).ended;
    assert.equal(end.code, 1006);
    if (typeof reason === "string") assert.equal(end.reason, reason);
    else assert.match(end.reason, reason);
  }
  let give, sockets = 0;
  class Counted extends TestSocket {
    constructor(...words) {
      super(...words);
      sockets++;
    }
  }
  const { client, ended } = enter(url, () => new Promise((resolve) => { give = resolve; }), { WebSocket: Counted });
  client.close();
  assert.equal((await ended).code, 1000);
  give("too late");
  await new Promise(setImmediate);
  assert.equal(sockets, 0);
});

test("each connection asks again, also after a failure", { timeout: 30000 }, () => withServer(async (url) => {
  let calls = 0;
  const { client, ends } = enter(url, async () => {
    calls++;
    if (calls === 2) throw new Error("the issuer rests");
    return mint(600 + calls);
  });
  const welcomed = () => new Promise((resolve) => { client.onmessage = ({ type }) => { if (type === "welcome") resolve(); }; });
  await welcomed();
  const before = client.token;
  client.lose();
  await welcomed();
  assert.equal((await client.send([ops.setNeedsLayout("root")])).outcome, "committed");
  assert.equal(calls, 3);
  assert.notEqual(client.token, before);
  assert.deepEqual(ends, [[1006, true], [1006, true]]);
  client.close();
}));
