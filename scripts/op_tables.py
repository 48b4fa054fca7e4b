"""Writes from protocol/ops.json what other files have of each op.

    op_tables.py           checks that the files are what the table gives
    op_tables.py --write   writes them

    protocol/names.json                    the list `ops`
    protocol/schemas/op.json               the whole file
    clients/python/src/scenesync/ops.py    the makers, between two comments
    clients/web/source/ops.js              the makers, between two comments; scripts/web_client.py delivers them
    clients/web/scenesync.d.ts             the types of the makers, between two comments

An op of the table has a `name`, a `summary` and `keys`, each with a `name`, a `type` of TYPES and `required`, false where it is not given.
`with` names what else the op takes, one of MIXINS. With `needsOptional`, one of the keys that are not required has to be there.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TABLE, DOCUMENT = "protocol/ops.json", "protocol/schemas/document.json"
NAMES, SCHEMA = "protocol/names.json", "protocol/schemas/op.json"
PYTHON, WEB, TYPESCRIPT = "clients/python/src/scenesync/ops.py", "clients/web/source/ops.js", "clients/web/scenesync.d.ts"

BEGIN, END = "--- scripts/op_tables.py writes what follows from protocol/ops.json ---", "--- end of what scripts/op_tables.py writes ---"
#: The most columns of what is written.
COLUMNS = 120
MOST_OPS = 10_000
NAME = re.compile(r"[a-z][A-Za-z]*")

Schema = dict[str, Any]


class Mistake(Exception):
    """What is wrong with the table or a file, for the person who changes them."""


def reference(name: str) -> Schema:
    """A definition of the schema of documents."""
    return {"$ref": f"document.json#/$defs/{name}"}


def number(minimum: int, maximum: int) -> Schema:
    """A number between two, both included."""
    return {"type": "number", "minimum": minimum, "maximum": maximum}


@dataclass(frozen=True)
class Type:
    """The type of a key in each language."""

    schema: Schema
    python: str
    typescript: str
    #: The parameters of Python and the value from them, where those of a required key differ; `{}` is its name, here and in the note.
    parameters: tuple[str, ...] = ()
    value: str = "{}"
    #: What the Python docstring adds to the summary.
    note: str = ""


@dataclass(frozen=True)
class Mixin:
    """What an op takes besides its keys: a part of the schema of documents, and its type in each language."""

    schema: Schema
    parameters: tuple[str, ...]
    #: Members of a Python dictionary.
    members: tuple[str, ...]
    typescript: str
    #: The JavaScript parameter of an op that takes nothing else.
    parameter: str = "fields"
    #: Keys that the TypeScript type has already.
    has: tuple[str, ...] = ()
    #: Whether a maker has to be given some of it.
    is_needed: bool = True
    #: Whether Python gives it in JSON's style.
    is_json: bool = False
    #: Whether the Python makers are written by hand; their parameters and docstrings are held against the table.
    is_by_hand: bool = False
    note: str = ""


TYPES = {
    "name": Type(reference("name"), "str", "string"),
    "newName": Type({"allOf": [reference("name"), {"not": {"const": "root"}}]}, "str", "string"),
    "constraintName": Type(reference("constraintName"), "str", "string"),
    "index": Type({"type": "integer", "minimum": 0, "maximum": 10_000}, "int", "number"),
    "flag": Type({"type": "boolean"}, "bool", "boolean"),
    "number": Type(number(-1_000_000, 1_000_000), "float", "number"),
    "priority": Type(number(1, 1000), "float", "number"),
    "seconds": Type(number(0, 3600), "float", "number"),
    "pair": Type(reference("point"), "Pair", "Pair", ("x: float", "y: float"), "[x, y]"),
    "rectangle": Type(reference("rectangle"), "Rectangle", "Rectangle"),
    "curve": Type({"enum": ["linear", "easeIn", "easeOut", "easeInOut"]}, "Curve", "Curve"),
    "viewKeys": Type(
        # `schema` below puts the keys in.
        {"type": "array", "items": {"enum": []}},
        "Sequence[str]", "(keyof ViewProperties)[]", ("*{}: str",), "list({})",
        note='`{}` are the document\'s, as `"background"`',
    ),
    "ops": Type(
        {
            "type": "array",
            "items": {
                "allOf": [{"$ref": "#"}, {"not": {"properties": {"op": {"const": "setScene"}}, "required": ["op"]}}, {"required": ["op"]}],
            },
            "maxItems": MOST_OPS,
        },
        "Sequence[Op]", "Op[]", value="list({})",
    ),
}  # fmt: skip

MIXINS = {
    "document": Mixin(
        {"allOf": [reference("documentKeys")]},
        ("document: Mapping[str, Any]",), ("**document",), "SceneDocument", parameter="document", is_json=True,
    ),
    "view": Mixin(
        {"allOf": [reference("viewProperties")]},
        ("kind: Kind | None = None", "**properties: Unpack[ViewProperties]"), ('"kind": kind', "**properties"), "View",
        has=("id", "parent", "index"), is_needed=False,
        note='`properties` are the document\'s keys, as `background="#102030"`',
    ),
    "viewProperties": Mixin(
        {"allOf": [reference("viewProperties")]},
        ("**properties: Unpack[ViewProperties]",), ("**properties",), "ViewProperties",
    ),
    # The Python maker has an order of its own: `rule` comes first, and the keys of visual formats are given by name alone.
    "constraint": Mixin({"allOf": [reference("constraintKeys")]}, (), (), "ConstraintObject", has=("id",), is_by_hand=True),
    "viewport": Mixin({}, ("**fields: Unpack[ViewportProperties]",), ("**fields",), "ViewportProperties"),
}  # fmt: skip

NOTHING = Mixin({}, (), (), "", is_needed=False)
#: Keys of a view that stay as they are made.
NOT_RESETTABLE = {"kind"}


@dataclass(frozen=True)
class Key:
    """A key of an op."""

    name: str
    type: Type
    required: bool


class Op:
    """An op of the table."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.name: str = entry.get("name", "")
        where = f"{TABLE}: {self.name or entry}"
        if unknown := set(entry) - {"name", "summary", "keys", "with", "needsOptional"}:
            raise Mistake(f"{where} has {', '.join(sorted(unknown))}, which no op has")
        if not NAME.fullmatch(self.name) or not entry.get("summary"):
            raise Mistake(f"{where} needs a name and a summary")
        if (mixin := entry.get("with")) not in {None, *MIXINS}:
            raise Mistake(f"{where} is with {mixin}: write one of {', '.join(MIXINS)}")
        self.keys: list[Key] = []
        for key in entry.get("keys", []):
            if unknown := set(key) - {"name", "type", "required"}:
                raise Mistake(f"{where}: a key has {', '.join(sorted(unknown))}, which no key has")
            if not NAME.fullmatch(key.get("name", "")):
                raise Mistake(f"{where}: a key needs a name")
            if key.get("type") not in TYPES:
                raise Mistake(f"{where}: the type of {key['name']} is {key.get('type')}: write one of {', '.join(TYPES)}")
            self.keys.append(Key(key["name"], TYPES[key["type"]], key.get("required", False)))
        self.summary: str = entry["summary"]
        self.mixin = MIXINS[mixin] if mixin else NOTHING
        self.needs_optional: bool = entry.get("needsOptional", False)
        self.required = [key for key in self.keys if key.required]
        self.optional = [key for key in self.keys if not key.required]
        self.has_id = "id" in {*(key.name for key in self.keys), *self.mixin.has}


def read_table(root: Path) -> list[Op]:
    """The ops of the table."""
    ops = [Op(entry) for entry in json.loads((root / TABLE).read_text())["ops"]]
    names = [op.name for op in ops]
    for name in names:
        if names.count(name) > 1:
            raise Mistake(f"{TABLE} has {name} twice")
    return ops


def laid(begin: str, parts: list[str], end: str, indent: str = "") -> str:
    """Parts in one line if it is not too long, or in a line each."""
    line = indent + begin + ", ".join(parts) + end
    if len(line) <= COLUMNS:
        return line
    return "\n".join([indent + begin, *(f"{indent}    {part}," for part in parts), indent + end])


def packed(parts: list[str], indent: str) -> list[str]:
    """Parts with commas between them, in lines that are as full as possible."""
    lines = [indent + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > COLUMNS:
            lines[-1] += ","
            lines.append(indent + part)
        else:
            lines[-1] += ", " + part
    return lines


# --- Names and schema ------------------------------------------------------------------------------------------------


def names_file(before: str, ops: list[Op]) -> str:
    """The file of names with the names of the ops."""
    return json.dumps({**json.loads(before), "ops": [op.name for op in ops]}, indent=2, ensure_ascii=False) + "\n"


def schema(ops: list[Op], view_keys: list[str], viewport_keys: list[str]) -> Schema:
    """The JSON Schema of an op."""

    def definition(op: Op) -> Schema:
        properties: Schema = {"op": {"const": op.name}}
        for key in op.keys:
            properties[key.name] = key.type.schema
            if key.type is TYPES["viewKeys"]:
                properties[key.name] = {**key.type.schema, "items": {"enum": [each for each in view_keys if each not in NOT_RESETTABLE]}}
        if op.mixin is MIXINS["viewport"]:
            # A viewport requires its size; here every key of it may be missing.
            properties |= {key: reference(f"viewport/properties/{key}") for key in viewport_keys}
        result: Schema = {"type": "object", "properties": properties, "required": ["op", *(key.name for key in op.required)], **op.mixin.schema}
        if op.needs_optional:
            # A choice of two is spelt out; of more keys, the members are counted.
            if len(op.optional) <= 2:
                result["anyOf"] = [{"required": [key.name]} for key in op.optional]
            else:
                result["minProperties"] = len(result["required"]) + 1
        return {**result, "unevaluatedProperties": False}

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://scenesync.example/protocol/v1/op.json",
        "title": "An op of SceneSync",
        "description": "LANGUAGE.md, section 8. A document without op counts as setScene. The message ops carries a list of them: #/$defs/ops.",
        "type": "object",
        "if": {"required": ["op"]},
        "then": {
            "properties": {"op": {"enum": [op.name for op in ops]}},
            "allOf": [{"if": {"properties": {"op": {"const": op.name}}}, "then": {"$ref": f"#/$defs/{op.name}"}} for op in ops],
        },
        "else": {"$ref": "document.json"},
        "$defs": {
            "ops": {"type": "array", "items": {"$ref": "#"}, "maxItems": MOST_OPS},
            **{op.name: definition(op) for op in ops},
        },
    }


def json_text(value: Any, indent: str = "", begin: str = "") -> str:
    """JSON whose short objects and lists are in one line."""
    line = indent + begin + json.dumps(value, ensure_ascii=False)
    # A comma may follow.
    if len(line) < COLUMNS or not isinstance(value, (dict, list)):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        members = [json_text(each, inner, json.dumps(name) + ": ") for name, each in value.items()]
        return f"{indent}{begin}{{\n" + ",\n".join(members) + f"\n{indent}}}"
    if all(isinstance(each, str) for each in value):
        return "\n".join([f"{indent}{begin}[", *packed([json.dumps(each) for each in value], inner), f"{indent}]"])
    return f"{indent}{begin}[\n" + ",\n".join(json_text(each, inner) for each in value) + f"\n{indent}]"


# --- Python ----------------------------------------------------------------------------------------------------------


def snake(name: str) -> str:
    """A name in Python's style."""
    return re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name)


def docstring(op: Op, ops: list[Op]) -> str:
    """The summary with the names of ops and keys in Python's style, and the notes of types."""
    own = {each.name for each in ops} | {key.name for key in op.keys}
    text = re.sub(r"`(\w+)`", lambda match: f"`{snake(match[1])}`" if match[1] in own else match[0], op.summary)
    notes = [note for note in (*(key.type.note.format(snake(key.name)) for key in op.required), op.mixin.note) if note]
    return "; ".join([text.removesuffix("."), *notes]) + "." if notes else text


def python_maker(op: Op, ops: list[Op]) -> str:
    """The function that makes an op."""
    parameters: list[str] = []
    for key in op.required:
        parameters += [each.format(snake(key.name)) for each in key.type.parameters or ("{}: " + key.type.python,)]
    parameters += [f"{snake(key.name)}: {key.type.python} | None = None" for key in op.optional]
    parameters += op.mixin.parameters
    members = []
    for key in op.keys:
        name = snake(key.name)
        members.append(f'"{name}": ' + (key.type.value.format(name) if key.required else name))
    members += op.mixin.members
    if op.mixin.is_json:
        body = laid("return {", [f'"op": "{op.name}"', *members], "}", "    ")
    else:
        body = laid(f'return _op("{op.name}", {{', members, "})", "    ")
    return "\n".join([laid(f"def {snake(op.name)}(", parameters, ") -> Op:"), f'    """{docstring(op, ops)}"""', body])


def python_makers(ops: list[Op]) -> str:
    """The functions, but those that are written by hand."""
    makers = [python_maker(op, ops) for op in ops if not op.mixin.is_by_hand]
    return "\n\n" + "\n\n\n".join(makers) + "\n\n\n"


def check_by_hand(text: str, ops: list[Op], constraint_keys: list[str]) -> None:
    """Holds the makers that are written by hand, those of constraints, against the table."""
    functions = {each.name: each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)}
    for op in ops:
        if not op.mixin.is_by_hand:
            continue
        function = functions.get(snake(op.name))
        if function is None:
            raise Mistake(f"{PYTHON} has no {snake(op.name)}: write it below what scripts/op_tables.py writes")
        found = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
        expected = {snake(key) for key in (*(key.name for key in op.keys), *constraint_keys)}
        if wrong := found ^ expected:
            raise Mistake(f"{PYTHON}: the parameters of {function.name} are not the keys of {TABLE}: compare {', '.join(sorted(wrong))}")
        if ast.get_docstring(function) != docstring(op, ops):
            raise Mistake(f"{PYTHON}: the docstring of {function.name} is not the summary of {TABLE}: write “{docstring(op, ops)}”")


# --- JavaScript ------------------------------------------------------------------------------------------------------


def web_makers(ops: list[Op]) -> str:
    """The members of the object with the makers."""
    lines = ["...Object.fromEntries(["]
    lines += [line.removeprefix("  ") for line in packed([f'"{op.name}"' for op in ops if op.has_id], "    ")]
    lines.append("].map((name) => [name, op(name)])),")
    for op in ops:
        if op.has_id:
            continue
        if op.keys:
            required = [key.name for key in op.required]
            lines.append(f'{op.name}: ({", ".join([*required, "fields = {}"])}) => ({{ op: "{op.name}", {", ".join(required)}, ...fields }}),')
        else:
            lines.append(f'{op.name}: ({op.mixin.parameter}) => ({{ op: "{op.name}", ...{op.mixin.parameter} }}),')
    return "".join(f"  {line}\n" for line in lines)


def typescript_maker(op: Op) -> str:
    """The type of a maker."""
    mixin, further = op.mixin, [key for key in op.keys if key.name != "id"]
    if not op.keys and not op.has_id:
        return f"{op.name}({mixin.parameter}: {mixin.typescript}): Op;"
    if not op.has_id:
        further = op.optional
    parts = [f'Omit<{mixin.typescript}, "id">' if "id" in mixin.has else mixin.typescript] if mixin.typescript else []
    if own := [key for key in further if key.name not in mixin.has]:
        parts.append("{ " + "; ".join(f"{key.name}{'' if key.required else '?'}: {key.type.typescript}" for key in own) + " }")
    needs_fields = mixin.is_needed or op.needs_optional or any(key.required for key in further)
    if op.has_id:
        is_given = any(key.name == "id" for key in op.required)
        parameters = ["id: string" if is_given else "id: string | undefined" if needs_fields else "id?: string"]
    else:
        parameters = [f"{key.name}: {key.type.typescript}" for key in op.required]
    if parts:
        parameters.append(f"fields{'' if needs_fields else '?'}: {' & '.join(parts)}")
    return f"{op.name}({', '.join(parameters)}): Op;"


# --- Files -----------------------------------------------------------------------------------------------------------


def between(name: str, before: str, written: str) -> str:
    """A file with what is between its two comments replaced."""
    lines = before.split("\n")
    marks = [index for index, line in enumerate(lines) if line.strip("#/ ") in (BEGIN, END)]
    if [lines[index].strip("#/ ") for index in marks] != [BEGIN, END]:
        raise Mistake(f"{name} needs a comment “{BEGIN}” and, after it, one “{END}”")
    return "\n".join([*lines[: marks[0] + 1], *written.removesuffix("\n").split("\n"), *lines[marks[1] :]])


def files(root: Path) -> dict[str, str]:
    """The text of each file, by its name."""
    ops = read_table(root)
    before = {name: (root / name).read_text() for name in (NAMES, PYTHON, WEB, TYPESCRIPT)}
    definitions = json.loads((root / DOCUMENT).read_text())["$defs"]
    check_by_hand(before[PYTHON], ops, list(definitions["constraintKeys"]["properties"]))
    view_keys, viewport_keys = json.loads(before[NAMES])["viewKeys"], list(definitions["viewport"]["properties"])
    return {
        NAMES: names_file(before[NAMES], ops),
        SCHEMA: json_text(schema(ops, view_keys, viewport_keys)) + "\n",
        PYTHON: between(PYTHON, before[PYTHON], python_makers(ops)),
        WEB: between(WEB, before[WEB], web_makers(ops)),
        TYPESCRIPT: between(TYPESCRIPT, before[TYPESCRIPT], "".join(f"  {typescript_maker(op)}\n" for op in ops)),
    }


def main() -> int:
    status = 0
    try:
        for name, text in files(ROOT).items():
            if "--write" in sys.argv[1:]:
                (ROOT / name).write_text(text)
            elif (ROOT / name).read_text() != text:
                print(f"{name} is not what {TABLE} gives: run scripts/op_tables.py --write", file=sys.stderr)
                status = 1
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
