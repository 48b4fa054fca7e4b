// The delivered file and the modules that it is made of.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as delivered from "../scenesync.js";
import * as modules from "../source/index.js";

const scripts = fileURLToPath(new URL("../../../scripts/", import.meta.url));
const python = (program, input = "") => spawnSync("python3", ["-B", "-c", program], { cwd: scripts, encoding: "utf8", input });

/** What the script makes of modules, or its complaint. */
const join = (files) => {
  const program = `
import json, sys
from web_client import Mistake, join
try:
    print(join(json.load(sys.stdin)), end="")
except Mistake as mistake:
    print("mistake:", mistake)
`;
  const { stdout, stderr, status } = python(program, JSON.stringify(files));
  assert.equal(status, 0, stderr);
  return stdout;
};

test("the delivered file is what the modules give, and exports the same", () => {
  const { status, stderr } = spawnSync("python3", ["-B", "web_client.py"], { cwd: scripts, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.deepEqual(Object.keys(delivered), Object.keys(modules));
});

const a = "const inner = 1, other = 2;\n\nexport const one = inner + other;\n", b = 'import { one } from "./a.js";\n\nexport function two() { return 2 * one; }\n';
const index = '// A client.\n\nexport { two } from "./b.js";\n';

test("modules are joined in the order of their imports, with the exports of the index alone", async () => {
  const joined = join({ index, a, b });
  assert.equal(joined, `// A client.
//
// The modules of this file are in clients/web/source; scripts/web_client.py joins them.

const inner = 1, other = 2;

const one = inner + other;

export function two() { return 2 * one; }
`);
  const module = await import(`data:text/javascript;base64,${Buffer.from(joined).toString("base64")}`);
  assert.deepEqual([Object.keys(module), module.two()], [["two"], 6]);
});

test("what would not work in one scope is refused", () => {
  assert.match(join({ index, a, b: `${b}\nclass inner {}\n` }), /^mistake: a\.js and b\.js both declare inner/);
  assert.match(join({ index, a, b: `${b}\nfunction other() {}\n` }), /both declare other/);
  assert.match(join({ index, a, b: b.replace("one }", "inner }") }), /b\.js imports inner, which a\.js does not export/);
  assert.match(join({ index, a: `import { two } from "./b.js";\n${a}`, b }), /circle: index > b > a > b/);
  assert.match(join({ index, b }), /b\.js imports \.\/a\.js, which is not there/);
  assert.match(join({ index, a, b, c: "" }), /no module imports c/);
  assert.match(join({ index: index.replace("two", "three"), a, b }), /index\.js exports three, which b\.js does not/);
  assert.match(join({ index, a, b: b.replace("import { one }", "import * as one") }), /b\.js: write imports as/);
  assert.match(join({ index, a, b: `${b}export default two;\n` }), /b\.js: write imports as/);
  assert.match(join({ index: `${index}two();\n`, a, b }), /index\.js: a comment and/);
});
