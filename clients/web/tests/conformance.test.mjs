// The client against a server that plays its part, good and nasty; SCENESYNC names the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { SceneClient } from "../scenesync.js";
import { TestSocket } from "./socket.mjs";

for (const format of ["bin", "json"]) {
  test(`the live suite, ${format}`, { timeout: 120000 }, async () => {
    const excluded = format === "json" ? ["--exclude", "8.1-2"] : [];
    const server = spawn(process.env.SCENESYNC, ["conformance", "--serve", "--patience", "10", ...excluded]);
    let output = "";
    server.stdout.on("data", (data) => { output += data; });
    const exited = once(server, "exit");
    while (!output.includes("\n")) await once(server.stdout, "data");
    const [, url, count] = output.match(/listening on (\S+), (\d+) cases/);
    for (let number = 1; number <= Number(count); number++) {
      await new Promise((resolve) => {
        const client = new SceneClient({ url: `${url}/case-${number}`, WebSocket: TestSocket, format, reconnects: false });
        client.onclose = resolve;
      });
    }
    const [status] = await exited;
    assert.equal(status, 0, output);
    assert.match(output, /0 NON-STRICT, 0 FAILED/);
  });
}
