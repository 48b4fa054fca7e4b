"""The language of documents and ops by example, written by hand from LANGUAGE.md. `generate.py` writes the files; `README.md` describes
the cases. What is expected was worked out from the text; the server had no part in it."""

from __future__ import annotations

from typing import Any

RULES: list[tuple[str, str, list[str]]] = [
    # text, its canonical form, the rules that it shows
    ("a.width == 3", "a.width == 3", ["RULE-9"]),
    (" a . width==+3 ", "a.width == 3", ["RULE-9"]),
    ("a.leading >= 2*b.trailing+8@750", "a.leading >= 2 * b.trailing + 8 @750", ["RULE-9"]),
    ("b.right == a-b.left", "b.right == a-b.left", ["RULE-5"]),
    ("a.left == b.right-8", "a.left == b.right - 8", ["RULE-5"]),
    ("a.left == b.left - -8", "a.left == b.left + 8", ["RULE-9"]),
    ("a.left == 1 * b.left + 0", "a.left == b.left", ["RULE-9"]),
    ("a.top <= b.lastBaseline @required", "a.top <= b.lastBaseline", ["RULE-6"]),
    ("a.top <= b.top @high", "a.top <= b.top @750", ["RULE-6"]),
    ("a.top <= b.top @low", "a.top <= b.top @250", ["RULE-6"]),
    ("a.top <= b.top @ 1", "a.top <= b.top @1", ["RULE-6"]),
    ("a.top <= b.top @999.5", "a.top <= b.top @999.5", ["RULE-6"]),
    ("a.height == 0.5 * b.width", "a.height == 0.5 * b.width", ["RULE-7"]),
    ("a.centerX == b.left", "a.centerX == b.left", ["RULE-7"]),
    ("a.left == 12", "a.left == 12", ["RULE-7"]),
    ("a.width == 1e2", "a.width == 100", ["RULE-9"]),
    ("a.left == root.margins.leading", "a.left == root.margins.leading", ["RULE-4"]),
    ("a.left == 1.5E1", "a.left == 15", ["RULE-9"]),
    ("a.bottom == root.keyboard.top", "a.bottom == root.keyboard.top", ["RULE-4"]),
    ("a.width == scaled(40)", "a.width == scaled(40)", ["RULE-10"]),
    ("a.left==b.right-scaled ( 8 )@750", "a.left == b.right - scaled(8) @750", ["RULE-10"]),
    ("a.left >= 2*b.left+scaled(-3)", "a.left >= 2 * b.left - scaled(3)", ["RULE-10"]),
    ("a.left == b.left + scaled(0)", "a.left == b.left + scaled(0)", ["RULE-10"]),
    ("a.left == scaled(-3)", "a.left == scaled(-3)", ["RULE-10"]),
]
BAD_RULES: list[tuple[str, str, list[str]]] = [
    # text, the refusal's code, the rules that it breaks
    ("", "bad-rule", ["RULE-2"]),
    ("a.width", "bad-rule", ["RULE-2"]),
    ("a.width = 3", "bad-rule", ["RULE-2"]),
    ("a.width == 3 px", "bad-rule", ["RULE-2"]),
    ("a.width == .5", "bad-rule", ["RULE-2"]),
    ("a.width == 5.", "bad-rule", ["RULE-2"]),
    ("a.width == 2 * 3", "bad-rule", ["RULE-2"]),
    ("a.width == b.width * 2", "bad-rule", ["RULE-2"]),
    ("a.left == - 8", "bad-rule", ["RULE-2"]),
    ("a.Width == 3", "bad-rule", ["RULE-2"]),
    ("9a.width == 3", "bad-rule", ["RULE-2"]),
    ("width == 3", "bad-rule", ["RULE-2"]),
    ("a.nowhere.left == 3", "bad-rule", ["RULE-2"]),
    ("a.width == 3 @", "bad-rule", ["RULE-2"]),
    ("a.width == 3 @medium", "bad-rule", ["RULE-2"]),
    (f"{'n' * 65}.width == 3", "bad-rule", ["RULE-2"]),
    ("a.width == 1e999", "bad-rule", ["RULE-2"]),
    ("a.width == 3 @0", "bad-rule", ["RULE-6"]),
    ("a.width == 3 @1000.5", "bad-rule", ["RULE-6"]),
    ("a.width == b.left", "bad-rule", ["RULE-7"]),
    ("a.left == b.top", "bad-rule", ["RULE-7"]),
    ("a.centerY == b.centerX", "bad-rule", ["RULE-7"]),
    ("a.width == scaled 3", "bad-rule", ["RULE-2"]),
    ("a.width == scaled()", "bad-rule", ["RULE-2"]),
    ("a.width == scaled(b.width)", "bad-rule", ["RULE-2"]),
    ("a.width == 2 * scaled(3)", "bad-rule", ["RULE-2"]),
    ("a.width == scaled(3", "bad-rule", ["RULE-2"]),
    ("a.left == scaled.right + 3", "unknown-view", ["RULE-3"]),
    ("a.width == Scaled(3)", "bad-rule", ["RULE-2"]),
    ("a.width == scaled(1000001)", "bad-value", ["RULE-2"]),
    ("a.width == 1000001", "bad-value", ["RULE-2"]),
    ("a.width == 1000001 * b.width", "bad-value", ["RULE-2"]),
]
FORMATS: list[tuple[str, list[str], list[str], list[str]]] = [
    # text, options, the rules that it stands for where its views are in the root, the ids that it shows
    ("[a]-[b]", [], ["b.leading == a.trailing + 8"], ["VFL-1", "VFL-2", "VFL-4"]),
    ("[a][b]", [], ["b.leading == a.trailing"], ["VFL-4"]),
    ("H:|-[a(>=120@high)]-20-[b]|", [], ["a.leading == root.leading + 8", "a.width >= 120 @750", "b.leading == a.trailing + 20",
                                          "root.trailing == b.trailing"], ["VFL-1", "VFL-3", "VFL-4", "DOC-3"]),
    ("V:|[a(b)]-(>=3,<=9@low)-[b]", [], ["a.top == root.top", "a.height == b.height", "b.top >= a.bottom + 3",
                                          "b.top <= a.bottom + 9 @250"], ["VFL-2", "VFL-4"]),
    ("|-(-8)-[a]", [], ["a.leading == root.leading - 8"], ["VFL-4"]),
    ("[a]-[b]", ["alignAllTop", "alignAllBottom"], ["b.leading == a.trailing + 8", "a.top == b.top", "a.bottom == b.bottom"],
     ["VFL-5"]),
    ("[a][b]", ["directionLeftToRight"], ["b.left == a.right"], ["VFL-5"]),
    ("[a]-[b]", ["directionRightToLeft"], ["a.left == b.right + 8"], ["VFL-5"]),
    ("[a]", [], [], ["VFL-1"]),
]  # fmt: skip
BAD_FORMATS: list[tuple[str, list[str], str, list[str]]] = [
    ("[]", [], "bad-rule", ["VFL-1"]),
    ("[a", [], "bad-rule", ["VFL-1"]),
    ("[a]-", [], "bad-rule", ["VFL-1"]),
    ("[a]--[b]", [], "bad-rule", ["VFL-1"]),
    ("[a]-gap-[b]", [], "bad-rule", ["VFL-1"]),
    ("[a]-(-8-[b]", [], "bad-rule", ["VFL-1"]),
    ("[a]--8-[b]", [], "bad-rule", ["VFL-1"]),
    ("|", [], "bad-rule", ["VFL-1"]),
    ("|[a]|[b]", [], "bad-rule", ["VFL-1"]),
    ("h:[a]", [], "bad-rule", ["VFL-1"]),
    ("a.width == 3", [], "bad-rule", ["VFL-1"]),
    ("[a]-[b]", ["alignAllLeading"], "bad-rule", ["VFL-5"]),
    ("V:[a]-[b]", ["alignAllTop"], "bad-rule", ["VFL-5"]),
    ("[a]-[b]", ["directionLeftToRight", "directionRightToLeft"], "bad-rule", ["VFL-5"]),
    ("[a]-[b]", ["alignAllMiddle"], "bad-value", ["VFL-5"]),
]
CONDITIONS: list[tuple[str, str, list[str]]] = [
    ("root.width<600", "root.width < 600", ["SET-1"]),
    (" a.height >= 2 and root.width <= 3.5 ", "a.height >= 2 and root.width <= 3.5", ["SET-1"]),
    ("root.margins.width > -1", "root.margins.width > -1", ["SET-1"]),
    ("windowClass >= medium", "root.windowClass >= medium", ["SET-1"]),
    ("idiom != phone", "root.idiom != phone", ["SET-1"]),
    ("typography == faces", "root.typography == faces", ["SET-1"]),
    ("accessibilityContrast == high", "root.accessibilityContrast == high", ["SET-1"]),
    ("a.contentSizeCategory >= large and displayScale < 2", "a.contentSizeCategory >= large and root.displayScale < 2", ["SET-1"]),
]
BAD_CONDITIONS: list[tuple[str, str, list[str]]] = [
    ("", "bad-rule", ["SET-1"]),
    ("root.width", "bad-rule", ["SET-1"]),
    ("root.left < 3", "bad-rule", ["SET-1"]),
    ("root.width == 3", "bad-rule", ["SET-1"]),
    ("root.width < a.width", "bad-rule", ["SET-1"]),
    ("root.width < 3 or a.width < 3", "bad-rule", ["SET-1"]),
    ("root.width < 3 and", "bad-rule", ["SET-1"]),
    ("idiom == toaster", "bad-rule", ["SET-1"]),
    ("idiom < phone", "bad-rule", ["SET-1"]),
    ("typography > grid", "bad-rule", ["SET-1"]),
    ("accessibilityContrast == low", "bad-rule", ["SET-1"]),
    ("windowClass == regular", "bad-rule", ["SET-1"]),
]
VIEWPORT = {"width": 100, "height": 100}


def document(**keys: Any) -> dict[str, Any]:
    return {"scene": 1, "viewport": VIEWPORT, **keys}


AB = [{"id": "a"}, {"id": "b"}]
DOCUMENTS: list[tuple[str, dict[str, Any], str | None, list[str]]] = [
    ("the least document", document(), None, ["DOC-1"]),
    ("no scene", {"viewport": VIEWPORT}, "bad-op", ["DOC-1"]),
    ("no viewport", {"scene": 1}, "bad-op", ["DOC-1"]),
    ("a viewport without a height", {"scene": 1, "viewport": {"width": 3}}, "bad-op", ["DOC-1"]),
    ("another version", {**document(), "scene": 2}, "bad-value", ["DOC-1", "LANG-2"]),
    ("an unknown key", document(colour="red"), "bad-op", ["LANG-1"]),
    ("null is no list", document(views=None), "bad-op", ["LANG-2"]),
    ("a viewport too wide", {"scene": 1, "viewport": {"width": 100001, "height": 3}}, "bad-value", ["DOC-4"]),
    ("a scale too fine", {"scene": 1, "viewport": {**VIEWPORT, "scale": 0.09}}, "bad-value", ["DOC-4"]),
    ("a priority of 0", document(views=[{"id": "a", "hugging": [0, 250]}]), "bad-value", ["DOC-4"]),
    ("a number above a million", document(views=[{"id": "a", "spacing": 1000001}]), "bad-value", ["DOC-4"]),
    ("a fraction of lines", document(views=[{"id": "a", "lines": 1.5}]), "bad-value", ["LANG-2"]),
    ("a whole number with a fraction of zero", document(views=[{"id": "a", "lines": 2.0}]), None, ["LANG-2"]),
    ("a name that begins with a digit", document(views=[{"id": "9"}]), "bad-value", ["LANG-2"]),
    ("a parent after its child", document(views=[{"id": "b", "parent": "a"}, {"id": "a"}]), None, ["DOC-2"]),
    ("a view named root", document(views=[{"id": "root"}]), "duplicate-id", ["DOC-2"]),
    ("two views of one name", document(views=[{"id": "a"}, {"id": "a"}]), "duplicate-id", ["DOC-2"]),
    ("a guide of a view's name", document(views=[{"id": "a"}], guides=[{"id": "a"}]), "duplicate-id", ["DOC-2"]),
    ("a constraint of a view's name", document(views=AB, constraints=[{"id": "a", "rule": "a.left == 3"}]), None, ["DOC-2"]),
    ("two constraints of one name, one in a set",
     document(views=AB, constraints=[{"id": "x", "rule": "a.left == 3"}], sets={"s": {"constraints": [{"id": "x", "rule": "b.left == 3"}]}}),
     "duplicate-id", ["DOC-2"]),
    ("a parent that is not there", document(views=[{"id": "a", "parent": "b"}]), "unknown-view", ["DOC-2"]),
    ("a guide as parent", document(views=[{"id": "a", "parent": "g"}], guides=[{"id": "g"}]), "unknown-view", ["DOC-2"]),
    ("views in each other", document(views=[{"id": "a", "parent": "b"}, {"id": "b", "parent": "a"}]), "cycle", ["DOC-2"]),
    ("a frame's place without the frame", document(views=[{"id": "a", "frameIn": [1, 1]}]), "bad-value", ["DOC-6"]),
    ("a gap after no child", document(views=[{"id": "a", "kind": "stack", "customSpacing": {"gone": 3}}]), None, ["DOC-7"]),
    ("a condition about nothing", document(sets={"s": {"when": "gone.width < 3", "constraints": []}}), None, ["DOC-7"]),
    ("a visual format's name of 193 bytes", document(views=AB, constraints=[{"id": "n" * 193, "vfl": "[a]-[b]"}]), "bad-value", ["DOC-7"]),
    ("a rule's name of 200 bytes", document(views=AB, constraints=[{"id": "n" * 200, "rule": "a.left == 3"}]), None, ["DOC-7"]),
    ("keys of other kinds", document(views=[{"id": "a", "axis": "vertical", "text": "x", "contentOffset": [1, 2]}]), None, ["PROP-1"]),
    ("a stack of a view that is not there", document(views=[{"id": "a", "kind": "stack", "arranged": ["gone"]}]), "unknown-view", ["PROP-2"]),
    ("a stack of a view that is no child", document(views=[{"id": "a", "kind": "stack", "arranged": ["b"]}, {"id": "b"}]), "bad-value",
     ["PROP-2"]),
    ("a control of every kind", document(views=[{"id": kind, "kind": kind} for kind in
     ("button", "switch", "slider", "textField", "segmented", "progress")]), None, ["PROP-3"]),
    ("each value of a control", document(views=[{"id": "a", "value": True}, {"id": "b", "value": -1.5}, {"id": "c", "value": "x"}]), None,
     ["LANG-2"]),
    ("a list as value", document(views=[{"id": "a", "kind": "slider", "value": [1]}]), "bad-op", ["LANG-2"]),
    ("a value beyond a million", document(views=[{"id": "a", "kind": "slider", "value": 1000001}]), "bad-value", ["DOC-4"]),
    ("every kind of event", document(views=[{"id": "a", "events": ["input", "tap", "press", "hover", "key", "scroll"]}]), None, ["PROP-1"]),
    ("a kind of event twice", document(views=[{"id": "a", "events": ["tap", "tap"]}]), "bad-value", ["PROP-5"]),
    ("a kind of event that no view asks for", document(views=[{"id": "a", "events": ["message"]}]), "bad-value", ["LANG-2"]),
    ("an unknown kind of event", document(views=[{"id": "a", "events": ["pinch"]}]), "bad-value", ["LANG-2"]),
    ("64 segments", document(views=[{"id": "a", "kind": "segmented", "segments": ["s"] * 64}]), None, ["PROP-5"]),
    ("65 segments", document(views=[{"id": "a", "kind": "segmented", "segments": ["s"] * 65}]), "limit", ["PROP-5"]),
    ("a segment of 1025 bytes", document(views=[{"id": "a", "segments": ["s" * 1025]}]), "limit", ["PROP-5"]),
    ("a label of 4096 bytes", document(views=[{"id": "a", "label": "s" * 4096}]), None, ["PROP-5"]),
    ("a hint of 4097 bytes", document(views=[{"id": "a", "hint": "s" * 4097}]), "limit", ["PROP-5"]),
    ("an unknown role", document(views=[{"id": "a", "role": "knob"}]), "bad-value", ["LANG-2"]),
    ("a step below zero", document(views=[{"id": "a", "kind": "slider", "step": -1}]), "bad-value", ["DOC-4"]),
    ("an unknown way of scrolling", document(views=[{"id": "a", "kind": "scroll", "scrolls": "never"}]), "bad-value", ["LANG-2"]),
    ("no faces", document(faces=[]), "limit", ["TEXT-2"]),
    ("a face without a hash", document(faces=[{"name": "Inter", "weight": 400}]), "bad-op", ["TEXT-2"]),
    ("a face whose hash is none", document(faces=[{"name": "Inter", "weight": 400, "hash": "0" * 63}]), "bad-value", ["TEXT-2"]),
    ("a face whose name is no family's", document(faces=[{"name": "a;b", "weight": 400, "hash": "0" * 64}]), "bad-value", ["TEXT-2"]),
    ("two faces of a weight", document(faces=[{"name": "Inter", "weight": 400, "hash": str(digit) * 64} for digit in range(2)]),
     "duplicate-id", ["TEXT-2"]),
    ("a size of text below 1", document(views=[{"id": "a", "kind": "label", "fontSize": 0.5}]), "bad-value", ["TEXT-3"]),
    ("a text style that is none", document(views=[{"id": "a", "kind": "label", "textStyle": "title4"}]), "bad-value", ["TEXT-3"]),
    ("a colour by name", document(views=[{"id": "a", "background": "systemBackground", "foreground": "tint"}]), None, ["LOOK-1"]),
    ("a colour whose name is none", document(views=[{"id": "a", "background": "red"}]), "bad-value", ["LOOK-1"]),
    ("a corner that no view has", document(views=[{"id": "a", "maskedCorners": ["top"]}]), "bad-value", ["LANG-2"]),
    ("a radius below 0", document(views=[{"id": "a", "cornerRadius": -1}]), "bad-value", ["DOC-4"]),
    ("a gradient of one colour", document(views=[{"id": "a", "gradient": {"colors": ["label"]}}]), "bad-value", ["LOOK-6"]),
    ("a gradient without colours", document(views=[{"id": "a", "gradient": {"startPoint": [0, 0]}}]), "bad-op", ["LOOK-6"]),
    ("a gradient with a location too few",
     document(views=[{"id": "a", "gradient": {"colors": ["label", "tint"], "locations": [0]}}]), "bad-value", ["LOOK-6"]),
    ("a gradient that goes back",
     document(views=[{"id": "a", "gradient": {"colors": ["label", "tint"], "locations": [1, 0]}}]), "bad-value", ["LOOK-6"]),
    ("a shadow of more than full strength", document(views=[{"id": "a", "shadow": {"opacity": 2}}]), "bad-value", ["DOC-4"]),
    ("an image whose hash is none", document(views=[{"id": "a", "kind": "image", "image": "0" * 63}]), "bad-value", ["IMG-1"]),
    ("an image of no pixels",
     document(views=[{"id": "a", "kind": "image", "image": {"hash": "0" * 64, "width": 0, "height": 1}}]), "bad-value", ["IMG-1"]),
    ("an image without a hash", document(views=[{"id": "a", "kind": "image", "image": {"scale": 1}}]), "bad-op", ["IMG-1"]),
    ("a symbol of the set", document(views=[{"id": "a", "kind": "image", "symbol": "square.and.arrow.up"}]), None, ["IMG-6"]),
    ("a symbol that the set has not", document(views=[{"id": "a", "kind": "image", "symbol": "gaer"}]), "bad-value", ["IMG-6"]),
    ("a symbol that is no text", document(views=[{"id": "a", "kind": "image", "symbol": 1}]), "bad-op", ["LANG-2"]),
    ("a chart", document(views=[{"id": "a", "chart": {"values": [1, 2.5, -3], "style": "area", "minimum": 0, "gridLines": 3}}]), None, ["LOOK-9"]),
    ("a chart of nothing", document(views=[{"id": "a", "chart": {"values": []}}]), None, ["LOOK-9"]),
    ("a chart without values", document(views=[{"id": "a", "chart": {"style": "bars"}}]), "bad-op", ["LOOK-9"]),
    ("a chart of 257 values", document(views=[{"id": "a", "chart": {"values": 257 * [1]}}]), "bad-value", ["LOOK-9"]),
    ("a chart in a style that is none", document(views=[{"id": "a", "chart": {"values": [1], "style": "pie"}}]), "bad-value", ["LANG-2"]),
    ("a chart with half a line", document(views=[{"id": "a", "chart": {"values": [1], "gridLines": 0.5}}]), "bad-value", ["LANG-2"]),
    ("a transform by three factors", document(views=[{"id": "a", "transform": {"scale": [1, 1, 1]}}]), "bad-value", ["LANG-2"]),
    ("a transform with a key that is none", document(views=[{"id": "a", "transform": {"skew": 1}}]), "bad-op", ["LANG-1"]),
    ("a variation of a label", document(views=[{"id": "a", "variations": [{"when": "idiom == pad", "label": "x"}]}]), "bad-value", ["PROP-4"]),
    ("64 devices", document(devices={f"d{n}": {"width": 100 + n} for n in range(64)}), None, ["DVC-1"]),
    ("65 devices", document(devices={f"d{n}": {"width": 100 + n} for n in range(65)}), "limit", ["DVC-1"]),
    ("a device of no width", document(devices={"d": {"width": 0.5}}), "bad-value", ["DVC-1"]),
    ("a device that breaks constraints", document(devices={"d": {"unsatisfiable": "break"}}), "bad-op", ["DVC-1"]),
    ("neither rule nor visual format", document(constraints=[{"id": "x"}]), "bad-op", ["RULE-1"]),
    ("both rule and visual format", document(views=AB, constraints=[{"rule": "a.left == 3", "vfl": "[a]"}]), "bad-op", ["RULE-1"]),
    ("options of a rule", document(views=AB, constraints=[{"rule": "a.left == 3", "options": []}]), "bad-op", ["RULE-1"]),
    ("options of a bare format under rule", document(views=AB, constraints=[{"rule": "[a]-[b]", "options": ["alignAllTop"]}]), None,
     ["RULE-1", "VFL-1"]),
    ("a bare text that begins with a bracket", document(views=AB, constraints=["[a]-[b(3)]"]), None, ["VFL-1"]),
    ("a rule about nothing", document(constraints=["gone.left == 3"]), "unknown-view", ["RULE-3"]),
    ("a visual format about nothing", document(views=AB, constraints=["[a(gone)]"]), "unknown-view", ["RULE-3"]),
    ("a guide that only scroll views have", document(views=AB, constraints=["a.left == b.content.left"]), "bad-rule", ["RULE-4"]),
    ("a guide of a scroll view", document(views=[{"id": "a"}, {"id": "b", "kind": "scroll"}], constraints=["a.left == b.content.left"]), None,
     ["RULE-4"]),
    ("a superview that is not shared", document(views=[{"id": "a"}, {"id": "b", "parent": "a"}], constraints=["|[a][b]"]), "bad-rule",
     ["VFL-3"]),
    ("a contradiction", document(views=AB, constraints=["a.width == 3", "a.width == 4"]), "unsatisfiable", ["OP-8"]),
]  # fmt: skip
SCENE = document(
    views=[{"id": "a"}, {"id": "b", "parent": "a"}, {"id": "t", "kind": "label", "text": "hi"}],
    constraints=[{"id": "w", "rule": "a.width == 30"}, {"id": "row", "vfl": "H:|-5-[a]-[t]"}],
    sets={"s": {"constraints": [{"id": "h", "rule": "a.height == 3"}]}},
)
OPS: list[tuple[str, list[dict[str, Any]], list[tuple[int, str]], list[str]]] = [
    ("what does not exist", [
        {"op": "removeView", "id": "gone"}, {"op": "setView", "id": "gone", "hidden": True}, {"op": "moveView", "id": "a", "parent": "gone"},
        {"op": "addView", "id": "x", "parent": "gone"}, {"op": "layoutIfNeeded", "id": "gone"}, {"op": "removeConstraint", "id": "gone"},
        {"op": "setConstraint", "id": "gone", "constant": 3}, {"op": "activateSet", "id": "gone"}, {"op": "deactivateSet", "id": "gone"},
        {"op": "addConstraint", "rule": "a.left == 3", "set": "gone"}, {"op": "addConstraint", "rule": "gone.left == 3"}],
     [(0, "unknown-view"), (1, "unknown-view"), (2, "unknown-view"), (3, "unknown-view"), (4, "unknown-view"), (5, "unknown-constraint"),
      (6, "unknown-constraint"), (7, "unknown-set"), (8, "unknown-set"), (9, "unknown-set"), (10, "unknown-view")], ["OP-4", "REF-1"]),
    ("the root", [
        {"op": "setView", "id": "root", "hidden": True}, {"op": "resetView", "id": "root", "keys": ["hidden"]},
        {"op": "moveView", "id": "root", "index": 0}, {"op": "removeView", "id": "root"}, {"op": "setNeedsLayout", "id": "root"}],
     [(0, "not-editable"), (1, "not-editable"), (2, "not-editable"), (3, "not-editable")], ["OP-5"]),
    ("a view's kind", [{"op": "setView", "id": "a", "kind": "label"}, {"op": "setView", "id": "a", "kind": "view"},
                        {"op": "resetView", "id": "a", "keys": ["kind"]}], [(0, "not-editable"), (2, "bad-value")], ["OP-2"]),
    ("a view into itself", [{"op": "moveView", "id": "a", "parent": "b"}, {"op": "moveView", "id": "a", "parent": "a"}],
     [(0, "cycle"), (1, "cycle")], ["OP-6"]),
    ("the name of a visual format", [
        {"op": "setConstraint", "id": "row", "constant": 3}, {"op": "setConstraint", "id": "row.0", "constant": 3},
        {"op": "setConstraint", "id": "row", "active": False}, {"op": "setConstraint", "id": "w", "multiplier": 2},
        {"op": "setConstraint", "id": "row.1", "multiplier": 2}, {"op": "removeConstraint", "id": "row"}],
     [(0, "bad-value"), (3, "bad-value")], ["OP-7", "DOC-3"]),
    ("names that are taken", [{"op": "addView", "id": "a"}, {"op": "addView", "id": "root"}, {"op": "addGuide", "id": "b"},
                               {"op": "addConstraint", "id": "w", "rule": "b.left == 3"}, {"op": "addConstraint", "id": "row.1", "rule": "b.left == 3"}],
     [(0, "duplicate-id"), (1, "duplicate-id"), (2, "duplicate-id"), (3, "duplicate-id"), (4, "duplicate-id")], ["OP-2", "DOC-2"]),
    ("keys and types", [
        {"op": "explode"}, {"id": "a"}, {"op": "removeView"}, {"op": "removeView", "id": "a", "x": 1}, {"op": "removeView", "id": 3},
        {"op": "setConstraint", "id": "w"}, {"op": "moveView", "id": "a"}, {"op": "setContentOffset", "id": "a"},
        {"op": "addView", "id": "x", "hidden": None}], [(n, "bad-op") for n in range(9)], ["OP-1", "LANG-1", "LANG-2"]),
    ("impossible values", [
        {"op": "addView", "id": "9"}, {"op": "setView", "id": "a", "opacity": 1.1}, {"op": "setView", "id": "a", "background": "red"},
        {"op": "setView", "id": "a", "border": "thick"}, {"op": "setConstraint", "id": "w", "priority": 1001},
        {"op": "setContentOffset", "id": "a", "offset": [1, 2]}, {"op": "setContentOffset", "id": "a", "offset": [1]},
        {"op": "animate", "duration": 3601, "ops": []}], [(n, "bad-value") for n in range(8)], ["LANG-2", "OP-2", "DOC-4"]),
    ("a contradiction leaves no trace", [
        {"op": "addConstraint", "id": "x", "rule": "a.width == 31"}, {"op": "addConstraint", "id": "x", "rule": "a.width == 31 @999"},
        {"op": "addConstraint", "id": "y", "rule": "a.height == 4"}, {"op": "activateSet", "id": "s"},
        {"op": "setConstraint", "id": "y", "constant": 3}, {"op": "activateSet", "id": "s"}],
     [(0, "unsatisfiable"), (3, "unsatisfiable")], ["OP-8", "OP-10"]),
    ("setScene among others", [{"op": "setNeedsLayout"}, {"op": "setScene", **document()}], [(1, "bad-op")], ["OP-1"]),
    ("an animation is whole or not at all", [
        {"op": "animate", "duration": 1, "ops": [{"op": "addView", "id": "x"}, {"op": "removeView", "id": "gone"}]}, {"op": "addView", "id": "x"}],
     [(0, "unknown-view")], ["OP-10", "REF-1"]),
    ("what takes each change back", [
        {"op": "setView", "id": "a", "hidden": True}, {"op": "resetView", "id": "a", "keys": ["hidden"]}, {"op": "addGuide", "id": "g"},
        {"op": "addConstraint", "set": "s", "rule": "g.left == 3"}, {"op": "activateSet", "id": "s", "auto": True}], [], ["OP-3", "SET-2"]),
]  # fmt: skip


def cases() -> dict[str, list[dict[str, Any]]]:
    def case(kind: str, name: str, rules: list[str], **fields: Any) -> dict[str, Any]:
        return {"name": name, "rules": rules, "level": "required", "kind": kind, **fields}

    def named(text: str) -> str:
        return f"“{text if len(text) < 60 else text[:56] + '…'}”"

    return {
        "rules": [case("rule", named(text), ids, text=text, canonical=canonical) for text, canonical, ids in RULES]
        + [case("rule", named(text), ids, text=text, error=code) for text, code, ids in BAD_RULES],
        "formats": [
            case("format", " ".join([named(text), *options]), ids, text=text, options=options, stands=stands)
            for text, options, stands, ids in FORMATS
        ]
        + [
            case("format", " ".join([named(text), *options]), ids, text=text, options=options, error=code)
            for text, options, code, ids in BAD_FORMATS
        ],
        "conditions": [case("condition", named(text), ids, text=text, canonical=canonical) for text, canonical, ids in CONDITIONS]
        + [case("condition", named(text), ids, text=text, error=code) for text, code, ids in BAD_CONDITIONS],
        "documents": [
            case("document", name, ids, document=value, **({"error": code} if code else {})) for name, value, code, ids in DOCUMENTS
        ],
        "ops": [
            case("ops", name, ids, scene=SCENE, ops=ops, refusals=[{"opIndex": index, "code": code} for index, code in refusals])
            for name, ops, refusals, ids in OPS
        ],
    }
