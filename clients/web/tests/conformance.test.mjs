// The client against a server that plays its part, good and nasty; SCENESYNC names the program.
import assert from "node:assert/strict";
import test from "node:test";
import { SceneClient } from "../scenesync.js";
import { startSuite } from "../../../Tests/Support/server.mjs";
import { goThrough, takeControl } from "./driver.mjs";
import { TestSocket } from "./socket.mjs";

for (const format of ["bin", "json"]) {
  test(`the live suite, ${format}`, { timeout: 120000 }, async () => {
    const excluded = format === "json" ? ["--exclude", "8.1-2"] : [];
    const { url, count, ended, output } = await startSuite(["--control", "--patience", "10", ...excluded]);
    await takeControl(url, TestSocket);
    for (let number = 1; number <= count; number++) {
      await goThrough(SceneClient, { url: `${url}/case-${number}`, WebSocket: TestSocket, format });
    }
    assert.equal(await ended, 0, output());
    assert.match(output(), /0 NON-STRICT, 0 FAILED, 0 INFORMATIONAL/);
  });
}
