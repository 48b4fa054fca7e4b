// Runs the live suite in a browser: node clients/web/tests/browser.mjs BROWSER SCENESYNC
//
// A page imports scenesync.js as any page would, goes through the cases with the browser's own WebSocket, and says when
// it is done; the suite's own exit status is the verdict.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSuite } from "../../../Tests/Support/server.mjs";

const [browser, program] = process.argv.slice(2);
const module = readFileSync(new URL("../scenesync.js", import.meta.url));
const { url, count, ended } = await startSuite(["--patience", "30"], { program, onOutput: (data) => process.stdout.write(data) });

const page = `<!doctype html><meta charset="utf-8"><script type="module">
import { SceneClient } from "/scenesync.js";
for (let number = 1; number <= ${count}; number++) {
  await new Promise((resolve) => {
    const client = new SceneClient({ url: "${url}/case-" + number, WebSocket, reconnects: false });
    client.onclose = resolve;
  });
}
</script>`;
const files = createServer((request, response) => {
  const isModule = request.url === "/scenesync.js";
  response.writeHead(200, { "content-type": isModule ? "text/javascript" : "text/html" });
  response.end(isModule ? module : page);
}).listen(0, "127.0.0.1");
await once(files, "listening");

const profile = mkdtempSync(join(tmpdir(), "scenesync-browser-"));
const window = spawn(browser, [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", `--user-data-dir=${profile}`,
  "--remote-debugging-port=0", `http://127.0.0.1:${files.address().port}/`,
], { stdio: "ignore" });
const status = await ended;
window.kill();
await once(window, "exit");
files.close();
rmSync(profile, { recursive: true, force: true });
process.exit(status);
