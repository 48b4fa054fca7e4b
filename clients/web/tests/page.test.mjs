// The page's pure parts: which constants a drag changes, what rules say, and what they become in other languages.
// What is expected was worked out by hand from what the rules mean.
import assert from "node:assert/strict";
import test from "node:test";
import { changesFor } from "../page/drag.js";
import { toConstraintLayout } from "../page/export.js";
import { toSnapKit, toUIKit } from "../page/uikit.js";
import { completions, parseRule, rulesOf } from "../page/rules.js";

const scene = (rules, more = {}) => ({
  scene: 1, viewport: { width: 400, height: 300, ...more },
  views: [{ id: "box" }, { id: "inner", parent: "box" }, { id: "other" }], constraints: Object.entries(rules).map(([id, rule]) => ({ id, rule })),
});
const moved = (rules, edges, { view = "box", isAlongX = true, holding = Object.keys(rules), ...more } = {}) => {
  const changes = changesFor(scene(rules, more), view, isAlongX, edges, holding);
  return typeof changes === "string" ? changes : Object.fromEntries(changes.map(({ id, constant }) => [id, constant]));
};
const by = (distance) => ({ low: distance, high: distance });

test("a view that is held at one edge moves with it, and keeps its width", () => {
  assert.deepEqual(moved({ x: "box.leading == root.leading + 8", w: "box.width == 100" }, by(5)), { x: 13 });
  assert.deepEqual(moved({ x: "box.centerX == root.centerX" }, by(-5)), { x: -5 });
});

test("a view that is held at both edges moves both", () => {
  assert.deepEqual(moved({ x: "box.leading == root.leading + 8", y: "box.trailing == root.trailing - 8" }, by(5)), { x: 13, y: -3 });
});

test("where the view stands on the right of a rule the constant goes the other way, by the multiplier", () => {
  assert.deepEqual(moved({ x: "root.trailing == box.trailing + 20" }, by(5)), { x: 15 });
  assert.deepEqual(moved({ x: "root.trailing == 2 * box.trailing + 20" }, by(5)), { x: 10 });
});

test("what others say of the view follows it and does not change", () => {
  const rules = { x: "box.leading == root.leading", next: "other.leading == box.trailing + 8", deep: "inner.leading == box.leading + 4" };
  assert.deepEqual(moved(rules, by(5)), { x: 5 });
});

test("from right to left, leading and trailing run the other way, left and right do not", () => {
  assert.deepEqual(moved({ x: "box.leading == root.leading + 8" }, by(5), { direction: "rtl" }), { x: 3 });
  assert.deepEqual(moved({ x: "box.left == root.left + 8" }, by(5), { direction: "rtl" }), { x: 13 });
  assert.deepEqual(moved({ x: "box.leading == root.leading + 8", w: "box.width == 100" }, { low: 0, high: 10 }, { direction: "rtl" }), { x: -2, w: 110 });
});

test("an edge changes the width, or the constraint at that edge", () => {
  assert.deepEqual(moved({ x: "box.leading == root.leading", w: "box.width == 100 @750" }, { low: 0, high: 30 }), { w: 130 });
  assert.deepEqual(moved({ x: "box.leading == root.leading", w: "box.width == 100" }, { low: 10, high: 0 }), { x: 10, w: 90 });
  assert.deepEqual(moved({ x: "box.leading == root.leading", y: "box.trailing == root.trailing - 8" }, { low: 0, high: -30 }), { y: -38 });
  assert.deepEqual(moved({ x: "box.centerX == root.centerX", w: "box.width == 100" }, { low: 0, high: 20 }), { x: 10, w: 120 });
  assert.deepEqual(moved({ w: "box.width == 0.5 * root.width + 4", x: "box.leading == root.leading" }, { low: 0, high: 6 }), { w: 10 });
});

test("up and down are apart from sideways", () => {
  const rules = { x: "box.leading == root.leading", y: "box.top == root.top + 3", h: "box.height == 40" };
  assert.deepEqual(moved(rules, by(4), { isAlongX: false }), { y: 7 });
  assert.deepEqual(moved(rules, { low: 0, high: 4 }, { isAlongX: false }), { h: 44 });
});

test("what does not hold the view is left alone, and nothing to change is said", () => {
  const rules = { x: "box.leading == root.leading", weak: "box.leading == root.leading + 50 @100" };
  assert.deepEqual(moved(rules, by(4), { holding: ["x"] }), { x: 4 });
  assert.equal(typeof moved(rules, by(4), { holding: [] }), "string");
  assert.equal(typeof moved({ x: "box.leading == root.leading" }, { low: 0, high: 4 }), "string");
  assert.equal(typeof moved({ x: "box.leading >= root.leading" }, by(4)), "string");
});

test("rules are read as the grammar says", () => {
  assert.deepEqual(parseRule("a-b.left == c.right-8 @high"), {
    first: { view: "a-b", guide: undefined, attribute: "left" }, relation: "==", multiplier: 1,
    second: { view: "c", guide: undefined, attribute: "right" }, constant: -8, priority: 750,
  });
  const margin = parseRule(" a.leading >= 0.5 * root.margins.leading + 2.5 @751 ");
  assert.deepEqual([margin.relation, margin.multiplier, margin.second.guide, margin.constant, margin.priority], [">=", 0.5, "margins", 2.5, 751]);
  assert.deepEqual([parseRule("a.width == -3").constant, parseRule("a.width == 3").second], [-3, undefined]);
  assert.deepEqual(parseRule("a.bottom == root.keyboard.top").second, { view: "root", guide: "keyboard", attribute: "top" });
  for (const text of ["a.width == scaled(40)", "H:|[a]|", "a.width = 3", "a.middle == 3", "width == 3", "a.width == b"]) assert.equal(parseRule(text), undefined, text);
});

test("sets' rules count only while their set holds", () => {
  const document = { constraints: [{ id: "a", rule: "x.width == 1", active: false }], sets: { s: { constraints: [{ id: "b", rule: "x.width == 2" }] } } };
  const active = (sets) => Object.fromEntries(rulesOf(document, sets).map((rule) => [rule.id, rule.active]));
  assert.deepEqual(active(new Map([["s", { active: false }]])), { a: false, b: false });
  assert.deepEqual(active(new Map([["s", { active: true }]])), { a: false, b: true });
});

test("completions are what may stand there", () => {
  const ids = ["root", "row", "box"];
  assert.deepEqual(completions("ro", ids), { words: ["root", "row"], length: 2 });
  assert.deepEqual(completions("row.wi", ids).words, ["width"]);
  assert.deepEqual(completions("row.width == box.", ids).words.filter((word) => !["margins", "safeArea", "readable", "keyboard"].includes(word)), ["width"]);
  assert.deepEqual(completions("row.width == ", ids).words, ids);
  assert.deepEqual(completions("row.top == root.margins.", ids).words, ["top", "bottom", "centerY", "firstBaseline", "lastBaseline"]);
  assert.deepEqual(completions("row.width == 3 @", ids).words, ["required", "high", "low"]);
  assert.deepEqual(completions("row.width ", ids).words, ["== ", "<= ", ">= "]);
});

test("texts and names cannot break out of the code that they are put into", () => {
  const document = {
    scene: 1, viewport: { width: 1, height: 1 }, constraints: [{ id: "c", rule: "class--x.width == 3" }, { id: "d", rule: "class--x.width == 0.3 * root.height" }],
    views: [{ id: "class", kind: "label", text: 'a"b\\(c)\n\u2028</x><!--' }, { id: "class--x" }, { id: "classX" }],
  };
  const swift = toUIKit(document);
  assert.ok(swift.includes(String.raw`classView.text = "a\"b\\(c)\u{a}\u{2028}</x><!--"`), swift);
  assert.ok(swift.includes("let classX = UIView()") && swift.includes("let classX2 = UIView()"), "names stay apart");
  assert.ok(toSnapKit(document).includes("make.width.equalTo(3)"));
  const xml = toConstraintLayout(document);
  assert.ok(xml.includes('android:text="a&quot;b\\\\(c)\\n\u2028&lt;/x&gt;&lt;!--"'), xml);
  for (const comment of xml.match(/<!--[^]*?-->/g)) assert.ok(!comment.slice(4, -3).includes("--"), comment);
});
