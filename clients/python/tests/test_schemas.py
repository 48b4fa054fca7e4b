"""The JSON Schemas of protocol/schemas against all examples, scenarios and vectors, and against the server's readers on random
input. SCENESYNC_WIRE names the program that reads."""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

PROTOCOL = Path(__file__).parents[3] / "protocol"
WIRE = os.environ.get("SCENESYNC_WIRE", str(PROTOCOL.parent / ".build/debug/scenesync-wire"))
SCHEMAS = {path.stem: json.loads(path.read_text()) for path in sorted((PROTOCOL / "schemas").glob("*.json"))}
REGISTRY: Registry[Any] = Registry().with_resources(
    [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()]
)
#: What a schema cannot see: names, a tree, grammars.
BEYOND = {"duplicate-id", "unknown-view", "cycle", "bad-rule"}


def validator(name: str, part: str = "") -> Draft202012Validator:
    return Draft202012Validator({"$ref": SCHEMAS[name]["$id"] + part}, registry=REGISTRY)


VALIDATORS = {
    "document": validator("document"),
    "op": validator("op"),
    "scenario": validator("scenario"),
    "client-json": validator("messages", "#/$defs/client"),
    "server-json": validator("messages", "#/$defs/server"),
}


def complaint(kind: str, value: Any) -> str:
    """The first fault that the schema finds; empty for none."""
    error = next(VALIDATORS[kind].iter_errors(value), None)
    return "" if error is None else f"{error.json_path}: {error.message[:300]}"


def cases(path: str) -> list[Any]:
    return [case for file in sorted((PROTOCOL / "vectors/v1" / path).glob("*.json")) for case in json.loads(file.read_text())]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


def test_the_schemas_have_all_names() -> None:
    names = json.loads((PROTOCOL / "names.json").read_text())
    assert list(SCHEMAS["document"]["$defs"]["viewProperties"]["properties"]) == names["viewKeys"]
    assert SCHEMAS["op"]["then"]["properties"]["op"]["enum"] == names["ops"]
    reset = SCHEMAS["op"]["$defs"]["resetView"]["properties"]["keys"]["items"]["enum"]
    assert reset == [key for key in names["viewKeys"] if key != "kind"]
    messages = SCHEMAS["messages"]["$defs"]
    assert messages["client"]["properties"]["type"]["enum"] == list(names["clientMessages"])
    assert messages["server"]["properties"]["type"]["enum"] == list(names["serverMessages"])
    expect = SCHEMAS["scenario"]["properties"]["steps"]["items"]["oneOf"][2]["properties"]["expect"]["properties"]
    assert expect["refused"]["enum"] == [None, *names["refusalCodes"]]


@pytest.mark.parametrize("path", sorted((PROTOCOL / "examples").glob("*.json")), ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    assert complaint("document", json.loads(path.read_text())) == ""


@pytest.mark.parametrize("path", sorted((PROTOCOL / "scenarios").glob("*.json")), ids=lambda path: path.stem)
def test_scenarios(path: Path) -> None:
    scenario = json.loads(path.read_text())
    assert complaint("scenario", scenario) == ""
    refused = any("refused" in step.get("expect", {}) for step in scenario["steps"])
    for step in scenario["steps"]:
        for op in [] if refused else step.get("apply", []):
            assert complaint("op", op) == "", op


def test_messages_of_the_vectors() -> None:
    for case in cases("valid"):
        assert complaint(f"{case['from']}-json", case["json"]) == "", case["name"]


def test_messages_of_the_dialogues() -> None:
    """Whoever is not under test sends nothing wrong; a value that is repeated or an address stands for a text, one
    that was kept for a number."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return "x" if "$repeat" in value else {key: plain(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        is_kept = isinstance(value, str) and value.startswith("$") and value not in ("$first", "$second", "$refused")
        return 1 if is_kept and not value.endswith((".session", ".token")) else value

    count = 0
    for case in cases("dialogues"):
        sender = "client-json" if case["steps"][0].get("connect") else "server-json"
        for step in case["steps"]:
            for message in (step.get("send"), step.get("answer")):
                if message is not None:
                    assert complaint(sender, plain(message)) == "", (case["id"], message)
                    count += 1
    assert count > 700


def test_messages_of_the_conversations() -> None:
    texts = [text for case in cases("conversations") if case["format"] == "json" for text in case["messages"]]
    assert len(texts) > 200
    for text in texts:
        assert complaint("server-json", json.loads(text)) == "", text[:200]


@pytest.mark.parametrize("kind", ["valid", "invalid", "sequences", "conversations"])
def test_the_vectors_are_as_their_schema_says(kind: str) -> None:
    schema = Draft202012Validator(json.loads((PROTOCOL / "vectors/schema.json").read_text()))
    for path in sorted((PROTOCOL / "vectors/v1" / kind).glob("*.json")):
        error = next(schema.evolve(schema={**schema.schema, "oneOf": [
            {"type": "array", "items": {"$ref": f"#/$defs/{kind}"}}]}).iter_errors(json.loads(path.read_text())), None)  # fmt: skip
        assert error is None, (path.name, error.message[:300])


#: Refused messages in which a schema sees nothing wrong: the order of things, or what two fields say together.
UNSEEN = {
    "2^64",
    "a frame whose groups are out of order",
    "a frame whose rows are out of order",
    "a row with too few deltas",
    "numbers that do not ascend",
    "differences without a citation",
    "a select with too few deltas",
    "an extension that must be understood",
}


def test_refused_messages_of_the_vectors() -> None:
    seen = set()
    for case in cases("invalid"):
        if "text" in case and case["error"] not in ("json", "empty") and not case.get("ignorable"):
            if not complaint(f"{case['from']}-json", json.loads(case["text"])):
                seen.add(case["name"])
    assert seen == UNSEEN


def test_documents_of_the_language() -> None:
    """What is taken is right by the schema, and what is refused for a key's sake is wrong."""
    for case in cases("language"):
        if case["kind"] != "document":
            continue
        error, fault = case.get("error"), complaint("document", case["document"])
        # Whether a view is another's child, a schema cannot see.
        if error in (*BEYOND, "unsatisfiable") or case["rules"] == ["PROP-2"] or "goes back" in case["name"]:
            continue
        assert (error is None) == (fault == ""), (case["name"], fault)


def test_ops_of_the_language() -> None:
    beyond = []
    for case in cases("language"):
        if case["kind"] != "ops":
            continue
        assert complaint("document", case["scene"]) == ""
        refused = {refusal["opIndex"]: refusal["code"] for refusal in case["refusals"]}
        for index, op in enumerate(case["ops"]):
            fault = complaint("op", op)
            if refused.get(index) not in ("bad-op", "bad-value"):
                # That `root` cannot be added, a schema can say.
                assert fault == "" or op["id"] == "root", (case["name"], index, fault)
            elif not fault:
                beyond.append(f"{case['name']} {index}")
    assert beyond == [
        "the name of a visual format 0", "the name of a visual format 3", "impossible values 5", "setScene among others 1",
    ]  # fmt: skip


def errors(lines: list[tuple[str, Any]]) -> list[str | None]:
    """What the server's readers say of values: an error's name, or nothing."""
    text = "".join(f"{kind} {json.dumps(value).encode().hex()}\n" for kind, value in lines)
    done = subprocess.run([WIRE], input=text, capture_output=True, text=True, timeout=60, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(lines)
    return [json.loads(answer).get("error") for answer in answers]


# --- Random values, made from what the schemas themselves say ----------------------------------------------------------

TEXTS = ["", "a", "Files", "é 日本", "x" * 70, "H:|[a]|", "[a]-[b]", "a.width == 3", "root.width < 600"]
NAMES = ["a", "b", "side-bar", "_x9", "root", "9a", "a b", "é", "n" * 64, "n" * 65, "#3", "row.2", ""]
NUMBERS = [0, 1, -1, 0.5, 1.0, 2.5, 8, 250, 1000, 1001, 1e6, -1e6, 1000001, 1e5, 16, 16.5, 3600, 3601, 10000, 10001, 1e2]
COLORS = ["#102030", "#10203040", "#AbCdEf", "#12345", "red", "#1020304"]


def any_value(rng: random.Random) -> Any:
    return rng.choice([None, True, False, rng.choice(NUMBERS), rng.choice(TEXTS), rng.choice(NAMES), [], {}, [1, 2],
                       [1, 2, 3, 4], [-1, 5], ["a"], rng.choice(COLORS)])  # fmt: skip


GOOD_VIEWS: list[dict[str, Any]] = [
    {"id": "a", "kind": "label", "text": "Files", "lines": 2, "align": "center", "hugging": [251, 250]},
    {"id": "b", "parent": "a", "index": 0, "background": "#102030", "border": "rounded", "opacity": 0.5, "hidden": False},
    {"id": "c", "kind": "stack", "axis": "vertical", "distribution": "fill", "alignment": "leading", "spacing": 8,
     "customSpacing": {"a": 3}, "arranged": []},
    {"id": "d", "kind": "scroll", "contentOffset": [1, -2], "clips": True, "margins": [1, 2, 3, 4], "safeArea": [0, 0, 0, 0]},
    {"id": "e", "frame": [1, 2, 3, 4], "frameIn": [10, 20], "autoresizing": ["flexibleWidth"], "collapses": "width",
     "layoutMarginsRelativeArrangement": True, "dynamicType": False, "traits": {"idiom": "phone", "scale": 2, "direction": "rtl"},
     "variations": [{"when": "idiom == pad", "hidden": True, "installed": False, "keyboardUsesBottomSafeArea": False}],
     "insetsLayoutMarginsFromSafeArea": False, "preservesSuperviewLayoutMargins": True, "installed": True,
     "alignmentInsets": [1, 0, 2, 0], "layoutMarginsFollowReadableWidth": True,
     "minimumContentSizeCategory": "small", "maximumContentSizeCategory": "unspecified",
     "intrinsic": [-1, 20], "compression": [750, 1], "baseline": [3, 4], "contentMode": "redraw", "preferredWidth": 90},
    {"id": "f", "kind": "segmented", "segments": ["Day", "Week"], "value": 1, "events": ["input", "hover"], "enabled": False,
     "focusable": True, "selected": True, "continuous": True, "scrolls": "each", "label": "Span", "role": "tablist", "hint": "Which one",
     "minimum": -1, "maximum": 2, "step": 0.5, "placeholder": "none"},
    {"id": "s", "kind": "scroll", "contentInset": [1, 2, 3, 4], "contentInsetAdjustmentBehavior": "never"},
    {"id": "t", "kind": "stack", "axis": "vertical", "baselineRelativeArrangement": True},
    {"id": "u", "kind": "label", "textStyle": "title1", "fontSize": 20, "fontWeight": "bold", "lineBreakMode": "byClipping", "minimumScaleFactor": 0.5},
    {"id": "l", "cornerRadius": 8, "maskedCorners": ["topLeft"], "borderWidth": 1, "borderColor": "separator", "tint": "systemRed",
     "background": "systemBackground", "shadow": {"color": "#000000", "offset": [0, 1], "radius": 2, "opacity": 0.5},
     "gradient": {"colors": ["tint", "#00000000"], "locations": [0, 1], "startPoint": [0, 0], "endPoint": [1, 1]},
     "transform": {"rotation": 45, "scale": [1, 2], "translation": [3, 4]}},
    {"id": "n", "kind": "image", "image": "0" * 64, "contentMode": "topRight"},
    {"id": "p", "kind": "image", "symbol": "square.and.arrow.up"},
    {"id": "q", "chart": {"values": [0, 1.5, -2], "style": "area", "minimum": -2, "maximum": 2, "color": "tint", "lineWidth": 3, "gridLines": 16}},
    {"id": "o", "image": {"hash": "a" * 64, "scale": 2, "width": 8192, "height": 1, "type": "image/png"}},
    {"id": "m", "transform": {"scale": 2}, "shadow": {}, "gradient": {"colors": ["label", "label"]}},
    {"id": "g", "kind": "switch", "value": True}, {"id": "h", "kind": "textField", "value": "Ada"},
]  # fmt: skip
GOOD_CONSTRAINTS: list[Any] = [
    "a.width == 30 @750", "H:|[a]|", "[b(20)]", {"rule": "b.top == a.top + 3", "id": "top", "active": False},
    {"rule": "a.top == 3", "variations": [{"when": "idiom == pad", "constant": 9}, {"when": "idiom == tv", "active": False}]},
    {"rule": "a.top == 4", "placeholder": True},
    {"vfl": "V:[b]", "options": ["alignAllLeft"], "identifier": "note"}, {"rule": "[a(3)]", "options": []},
]  # fmt: skip
GOOD_OPS: list[dict[str, Any]] = [
    {"op": "removeView", "id": "a"}, {"op": "moveView", "id": "a", "parent": "b", "index": 3},
    {"op": "setView", "id": "a", "text": "x", "hidden": True}, {"op": "resetView", "id": "a", "keys": ["text", "frame"]},
    {"op": "addGuide", "id": "g", "parent": "a"}, {"op": "addConstraint", "set": "s", "rule": "a.left == 3"},
    {"op": "addConstraint", "id": "f", "vfl": "[a]-[b]", "options": ["alignAllTop"]}, {"op": "removeConstraint", "id": "f.0"},
    {"op": "setConstraint", "id": "#0", "constant": 3, "priority": 750}, {"op": "setConstraint", "id": "x", "active": True},
    {"op": "activateSet", "id": "s", "auto": True}, {"op": "deactivateSet", "id": "s"},
    {"op": "setViewport", "width": 100, "direction": "rtl", "cell": [8, 16]}, {"op": "setContentOffset", "id": "d", "offset": [0, 9]},
    {"op": "setNeedsUpdateConstraints"}, {"op": "updateConstraintsIfNeeded", "id": "a"}, {"op": "setNeedsLayout", "id": "a"},
    {"op": "setNeedsUpdateProperties"}, {"op": "updatePropertiesIfNeeded", "id": "a"},
    {"op": "setViewport", "safeArea": {"top": 3}, "keyboard": 300, "margins": "controller", "verticalSizeClass": "compact"},
    {"op": "layoutIfNeeded"}, {"op": "setNeedsDisplay", "id": "a", "rect": [0, 0, 3, 4]}, {"op": "sizeToFit", "id": "a"},
    {"op": "animate", "duration": 0.3, "delay": 1, "curve": "easeIn", "flushUpdates": True, "ops": [{"op": "layoutIfNeeded"}]},
]  # fmt: skip


def document(rng: random.Random) -> dict[str, Any]:
    views = [view for view in GOOD_VIEWS if view["id"] in "ab" or rng.random() < 0.5]
    value: dict[str, Any] = {
        "scene": 1,
        "viewport": {"width": 640, "height": 384.5, "scale": 2, "rounding": "none", "unsatisfiable": "break"},
        "views": views,
    }
    if rng.random() < 0.7:
        value["constraints"] = rng.sample(GOOD_CONSTRAINTS, 3)
    if rng.random() < 0.5:
        value["guides"] = [{"id": "g"}, {"id": "h", "parent": "a"}]
    if rng.random() < 0.5:
        value["sets"] = {"s": {"when": "root.width < 600", "constraints": ["a.height == 3"]}, "t": {"constraints": []}}
    if rng.random() < 0.5:
        value["devices"] = {"phone": {"width": 300, "idiom": "phone", "safeArea": [1, 2, 3, 4]}, "tv": {"contentSizeCategory": "large", "typography": "faces", "accessibilityContrast": "high"}}
    return copy.deepcopy(value)


def op(rng: random.Random) -> dict[str, Any]:
    view = {"op": "addView", **rng.choice(GOOD_VIEWS[2:])}
    scene = {"op": "setScene", **document(rng)}
    return copy.deepcopy(rng.choice([*GOOD_OPS, view, scene, document(rng)]))


def scenario(rng: random.Random) -> dict[str, Any]:
    value = {
        "name": "n", "statement": "OP-1", "scene": document(rng), "settle": False, "watch": ["a"],
        "hooks": {"a": {"updateProperties": [], "layoutSubviews": [rng.choice(GOOD_OPS)]}},
        "steps": [{"apply": [rng.choice(GOOD_OPS), {"op": "wrong"}], "atomic": True}, {"tick": 3},
                  {"expect": {"device": "phone", "frames": {"a": [0, 0, 1, 2]}, "trace": [], "refused": "bad-op", "broken": [],
                              "ambiguous": ["a"], "displayed": ["a"], "hash": "14b025c034a4594c"}}],
    }  # fmt: skip
    return copy.deepcopy(value)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and element, as its container and its key."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield value, key
        yield from places(inner)


def spoil(value: Any, rng: random.Random) -> None:
    """Changes one thing somewhere: it may be wrong then, and need not be."""
    found = list(places(value))
    if not found:
        return
    container, key = rng.choice(found)
    match rng.randrange(4):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            container[rng.choice(["id", "extra", "options", "rule", "vfl", "frameIn", "op", "parent"])] = any_value(rng)
        case 2 if isinstance(container, list):
            container.append(any_value(rng))
        case _:
            container[key] = any_value(rng)


@pytest.mark.parametrize("kind", ["document", "op", "scenario"])
def test_schema_and_reader_agree_on_random_values(kind: str) -> None:
    make = {"document": document, "op": op, "scenario": scenario}[kind]
    rng = random.Random(21)
    values = [make(rng) for _ in range(1500)]
    for number, value in enumerate(values):
        for _ in range(number % 3):
            spoil(value, rng)
    taken = refused = beyond = 0
    for value, error in zip(values, errors([(kind, value) for value in values])):
        if error in BEYOND:
            beyond += 1
            continue
        fault = complaint(kind, value)
        taken, refused = taken + (error is None), refused + (error is not None)
        assert (error is None) == (fault == ""), f"the reader says {error}, the schema {fault}: {json.dumps(value)}"
    assert min(taken, refused) > 250 and beyond < 500, (taken, refused, beyond)


@pytest.mark.parametrize("sender", ["client", "server"])
def test_schema_and_reader_agree_on_random_messages(sender: str) -> None:
    """What the schema refuses, the reader refuses. The other way round there is more, in the messages with bodies or faces alone."""
    rng = random.Random(22)
    kind = f"{sender}-json"
    pool = [case["json"] for case in cases("valid") if case["from"] == sender and len(json.dumps(case["json"])) < 2000]
    values = [copy.deepcopy(rng.choice(pool)) for _ in range(3000)]
    for value in values:
        if rng.random() < 0.8:
            spoil(value, rng)
    taken = refused = unseen = 0
    for value, error in zip(values, errors([(kind, value) for value in values])):
        fault = complaint(kind, value)
        if error and not fault:
            unseen += 1
            assert value["type"] in ("frame", "select", "anim", "snapshot", "tree", "content"), (error, value)
            continue
        taken, refused = taken + (error is None), refused + (error is not None)
        assert (error is None) == (fault == ""), f"the reader says {error}, the schema {fault}: {json.dumps(value)}"
    assert min(taken, refused) > 500 and unseen < 600, (taken, refused, unseen)
