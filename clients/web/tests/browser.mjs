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
const modules = { "/scenesync.js": "../scenesync.js", "/driver.mjs": "driver.mjs" };
const { url, count, ended } = await startSuite(["--control", "--patience", "30"], { program, onOutput: (data) => process.stdout.write(data) });

const page = `<!doctype html><meta charset="utf-8"><script type="module">
import { SceneClient } from "/scenesync.js";
import { goThrough, takeControl } from "/driver.mjs";
await takeControl("${url}", WebSocket);
for (let number = 1; number <= ${count}; number++) await goThrough(SceneClient, { url: "${url}/case-" + number, WebSocket });
</script>`;
const files = createServer((request, response) => {
  const file = modules[request.url];
  response.writeHead(200, { "content-type": file ? "text/javascript" : "text/html" });
  response.end(file ? readFileSync(new URL(file, import.meta.url)) : page);
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
