// The package as npm packs it, and its types.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as prediction from "../predict.js";
import * as replica from "../replica.js";
import * as module from "../scenesync.js";
import * as programs from "../scene.js";

const folder = fileURLToPath(new URL("../", import.meta.url));
const types = readFileSync(new URL("../scenesync.d.ts", import.meta.url), "utf8");
const programTypes = readFileSync(new URL("../scene.d.ts", import.meta.url), "utf8");
const names = JSON.parse(readFileSync(new URL("../../../protocol/names.json", import.meta.url), "utf8"));
const has = (program) => spawnSync(program, ["--version"]).status === 0;

test("the package has the modules, their types and a README, and nothing else", (context) => {
  const listed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const file of listed.files) assert.ok(readFileSync(join(folder, file)).length > 0, file);
  // Debian's Node comes without npm.
  if (!has("npm")) return context.diagnostic("there is no npm to pack with");
  const { status, stdout, stderr } = spawnSync("npm", ["pack", "--dry-run", "--json", "--offline"], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const [{ name, version, files }] = JSON.parse(stdout);
  assert.equal(name, "scenesync");
  assert.match(version, /^1\.\d+\.\d+$/);
  assert.deepEqual(files.map(({ path }) => path).sort(), [
    "README.md", "package.json", "predict.d.ts", "predict.js", "replica.d.ts", "replica.js", "scene.d.ts", "scene.js", "scenesync.d.ts", "scenesync.js",
  ]);
});

test("the types name every export, op, key of a view and method", () => {
  const declared = (text) => [...text.matchAll(/^export (?:const|class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared(types).sort(), Object.keys(module).sort());
  assert.deepEqual([...declared(programTypes), ...declared(types)].sort(), Object.keys(programs).sort());
  for (const [file, exported] of [["predict", prediction], ["replica", replica]]) {
    assert.deepEqual(declared(readFileSync(new URL(`../${file}.d.ts`, import.meta.url), "utf8")).sort(), Object.keys(exported).sort());
  }
  const makers = types.slice(types.indexOf("export const ops"), types.indexOf("};", types.indexOf("export const ops")));
  assert.deepEqual([...makers.matchAll(/^  (\w+)\(/gm)].map(([, name]) => name), names.ops);
  const keys = types.slice(types.indexOf("export interface ViewProperties"), types.indexOf("}\n", types.indexOf("export interface ViewProperties")));
  assert.deepEqual(["kind", ...[...keys.matchAll(/^  (\w+)\?:/gm)].map(([, name]) => name)], names.viewKeys);
  for (const name of ["Mirror", "SceneClient", "Scene", "View", "Batch", "NewView", "ReceivedEvent", "Value"]) {
    const both = types + programTypes, text = both.slice(both.search(new RegExp(`export class ${name}[ <]`))), body = text.slice(0, text.indexOf("\n}"));
    const methods = new Set([...body.matchAll(/^  (\w+)(?:<\w+>)?\(/gm)].map(([, method]) => method)), kind = programs[name];
    for (const method of methods) assert.ok(method in kind.prototype, `${name}.${method}`);
    // Of a program's classes everything is declared; the others have parts that are nobody else's business.
    if (!(name in module)) {
      for (const method of Object.getOwnPropertyNames(kind.prototype)) {
        assert.ok(method === "constructor" || methods.has(method) || new RegExp(`^  (readonly )?${method}:`, "m").test(body), `${name}.${method}`);
      }
    }
  }
});

test("a program with types compiles, and a wrong one does not", { skip: has("tsc") ? false : "there is no tsc" }, () => {
  const scratch = mkdtempSync(join(tmpdir(), "scenesync-types-"));
  const compile = (text) => {
    writeFileSync(join(scratch, "program.ts"), `import { Scene, SceneClient, Value, button, label, ops, stack } from ${JSON.stringify(join(folder, "scene.js"))};
import { Prediction, WorkerReplica } from ${JSON.stringify(join(folder, "predict.js"))};\n${text}`);
    return spawnSync("tsc", ["--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node", join(scratch, "program.ts")], {
      encoding: "utf8",
    });
  };
  try {
    const good = compile(`
      const client = new SceneClient({ url: "ws://localhost/demo", WebSocket, role: "editor", capabilities: 4 });
      client.onupdate = (mirror) => { const frame = mirror.frame(mirror.numbers.get("a") ?? 0); frame[2].toFixed(); };
      client.send([ops.addView("a", { kind: "label", text: "x" }), ops.resetView("a", { keys: ["text"] })]).then((result) => {
        if (result.outcome === "refused") result.code.trim(); else result.refusals.length;
      });
      client.undo();
      const replica = new WorkerReplica(new Worker("replica.js"));
      const prediction = new Prediction({ replica, truth: () => client.mirror, unit: () => client.welcome?.unitsPerPoint ?? 1, changed: (isStructural) => void isStructural });
      const entry = { ops: [ops.setConstraint("w", { constant: 3 })], isSent: true };
      prediction.add(entry).then(async () => { if (prediction.decided(entry, await client.send(entry.ops))) prediction.close(); prediction.figures.wrong.toFixed(); });
      const scene = await Scene.connect("ws://localhost/demo", { token: "t" });
      const width = new Value(3);
      scene.bind("bar-width", "constant", width, (value) => 2 * value);
      scene.on("tap", "add", async (event) => { await scene.view("list").append(stack([label(event.view), button("b", { id: "c" })])); });
      for await (const event of scene.events("input", "name")) { if (event.value === "") event.decline(); else break; }
      await scene.batch((batch) => batch.view("a").set({ text: "b" }));
      const outcome: "handled" | "unhandled" | "unknown" = await scene.send({ a: 1 }, { to: 3 });
      (await scene.closed).code.toFixed();
    `);
    assert.equal(good.status, 0, good.stdout);
    for (const wrong of ['ops.addView("a", { kind: "knob" });', 'ops.setView("a", { opacity: "1" });', "ops.explode();", "new Prediction({});", 'button("a", { txt: "b" });', 'new Scene();']) {
      assert.notEqual(compile(wrong).status, 0, wrong);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
