// The package without its engine: files, types, and what the module declares.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as module from "../autolayout.js";

const folder = fileURLToPath(new URL("../", import.meta.url));
const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("the package lists its files, all of which but the engine are here", () => {
  const { files, version } = JSON.parse(read("package.json"));
  assert.deepEqual(files.filter((name) => name !== "engine.wasm"), ["autolayout.js", "autolayout.d.ts", "document.d.ts", "README.md"]);
  for (const name of files) if (name !== "engine.wasm") assert.ok(read(name).length > 0, name);
  assert.equal(version, JSON.parse(read("../web/package.json")).version);
});

test("the types name every export and method", () => {
  const types = read("autolayout.d.ts");
  const declared = [...types.matchAll(/^export (?:const|class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(module).sort());
  const body = types.slice(types.indexOf("export class Scene"));
  const methods = [...body.matchAll(/^  (?:static )?(\w+)\(/gm)].map(([, name]) => name);
  const own = [...Object.getOwnPropertyNames(module.Scene.prototype), "open", "restore"].filter((name) => name !== "constructor");
  assert.deepEqual(methods.filter((name) => name !== "constructor").sort(), own.sort());
});

test("documents have the same types as in the client of a server", () => {
  const theirs = read("../web/scenesync.d.ts");
  const blocks = read("document.d.ts").split("\n\n").slice(1);
  assert.ok(blocks.length > 10);
  for (const block of blocks) assert.ok(theirs.includes(block.trim()), block);
});

const hasCompiler = spawnSync("tsc", ["--version"]).status === 0;

test("a program with types compiles, and wrong ones do not", { skip: hasCompiler ? false : "there is no tsc" }, () => {
  const scratch = mkdtempSync(join(tmpdir(), "autolayout-types-"));
  const good = `
    await load();
    const scene = await Scene.open({ scene: 1, viewport: { width: 400, height: 300 }, views: [{ id: "a", kind: "label" }], constraints: ["a.top == 0"] }, { budget: 1e6 });
    try { scene.apply([{ op: "removeView", id: "a" }], { atomic: false }).refusals?.length; } catch (error) {
      if (error instanceof ConflictError) error.constraints[0].line?.toFixed();
    }
    scene.tick(2).isPending;
    const [x, y, width, height] = scene.frames()["a"]!; (x + y + width + height).toFixed();
    scene.explain("a").vertical.map((influence) => influence.rule);
    scene.changed().removed.join();
    (await Scene.open(JSON.stringify(scene.document()))).dispose();`;
  const wrongs = ["new Scene();", "await Scene.open({ scene: 2 });", "(await Scene.open('')).apply(3);", "(await Scene.open('')).frames().a.x;"];
  const programs = [good, ...wrongs].map((text, index) => {
    const program = join(scratch, `program${index}.ts`);
    writeFileSync(program, `import { ConflictError, Scene, load } from ${JSON.stringify(join(folder, "autolayout.js"))};\n${text}`);
    return program;
  });
  try {
    const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node"];
    const { stdout } = spawnSync("tsc", [...options, ...programs], { encoding: "utf8" });
    const faulty = programs.map((_, index) => stdout.includes(`program${index}.ts(`));
    assert.deepEqual(faulty, [false, ...wrongs.map(() => true)], stdout);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

test("where the engine is not there, loading says which file is missing", async () => {
  await assert.rejects(module.load(new URL("none/engine.wasm", import.meta.url)), /engine\.wasm/);
});
