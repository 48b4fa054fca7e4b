"""Prints how the Swift sources are divided: sizes of files, width of lines, the places of an op, and the fields that are shared.

    structure.py [FOLDER …]    the sources by default

A field is shared where an extension of its type in another file can write it. Value types that are records, all of whose stored
properties are public, share by design and are not listed.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ["Sources", "clients/terminal"]
MOST_LINES, MOST_COLUMNS, MOST_SHARED = 300, 100, 12

TYPE = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?P<access>(?:public |package |private |fileprivate |internal |final |indirect )*)(?P<kind>class|struct|actor|enum) (?P<name>\w+)")
EXTENSION = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |private |fileprivate )?extension (?P<name>[\w.]+)")
FIELD = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?P<access>(?:(?:public|package|private|fileprivate|internal|final|unowned|weak|lazy|nonisolated)(?:\(\w+\))? )*)(?P<kind>var|let) (?P<name>\w+)(?P<rest>.*)$")
#: A condition for each stored property that is computed on demand, rather than stored.
COMPUTED = re.compile(r"\{\s*(?:get\b|$|[^}]*\})")


@dataclass
class Type:
    """A type with its stored properties, by whether others may write them."""

    kind: str
    file: Path
    writable: list[str] = field(default_factory=list)
    stored: int = 0
    all_public: bool = True
    files: set[Path] = field(default_factory=set)


def code(text: str) -> list[str]:
    """The lines without comments and the contents of strings."""
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match[0].count("\n"), text, flags=re.S)
    text = re.sub(r'(#*)"""\n.*?"""\1', lambda match: '""' + "\n" * match[0].count("\n"), text, flags=re.S)
    text = re.sub(r'#"[^\n]*?"#', '""', text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return [re.sub(r"//.*", "", line) for line in text.split("\n")]


def is_stored(rest: str, following: str) -> bool:
    """Whether a declaration stores a value, judged by what follows its name."""
    rest = rest.rstrip()
    if "=" in rest.split("{")[0].replace("==", ""):
        return True
    if rest.endswith("{"):
        return bool(re.match(r"\s*(?:willSet|didSet)", following))
    return "{" not in rest or bool(re.search(r"\{\s*(?:willSet|didSet)", rest))


def read(path: Path, module: str, types: dict[str, Type], extensions: dict[str, set[Path]]) -> None:
    """Adds what a file declares. Types and extensions are found by their module and name."""
    depth = 0
    open_types: list[tuple[int, str]] = []
    lines = code(path.read_text())
    for index, line in enumerate(lines):
        if found := EXTENSION.match(line):
            extensions[f"{module}.{found['name']}"].add(path)
        elif found := TYPE.match(line):
            name = ".".join([module, *(each for _, each in open_types), found["name"]])
            types.setdefault(name, Type(found["kind"], path))
            if "{" in line or (index + 1 < len(lines)):
                open_types.append((depth, found["name"]))
        elif open_types and depth == open_types[-1][0] + 1 and (found := FIELD.match(line)):
            following = lines[index + 1] if index + 1 < len(lines) else ""
            if "static" not in line and is_stored(found["rest"], following):
                type_ = types[".".join([module, *(each for _, each in open_types)])]
                type_.stored += 1
                access = found["access"]
                type_.all_public = type_.all_public and "public " in access and "(set)" not in access
                if found["kind"] == "var" and not re.search(r"(?:private|fileprivate)(?:\(set\))? ", access):
                    type_.writable.append(found["name"])
        depth += line.count("{") - line.count("}")
        while open_types and depth <= open_types[-1][0] and "}" in line:
            open_types.pop()


def op_places() -> int:
    """The rows of the recipe in docs/contributing.md."""
    text = (ROOT / "docs/contributing.md").read_text()
    recipe = text.split("### Add an op\n", 1)[1].split("\n### ", 1)[0]
    return sum(line.startswith("| `") for line in recipe.split("\n"))


def main() -> int:
    folders = sys.argv[1:] or FOLDERS
    files = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.swift") if ".build" not in path.parts)
    types: dict[str, Type] = {}
    extensions: dict[str, set[Path]] = defaultdict(set)
    long_files, wide = [], 0
    for path in files:
        lines = path.read_text().split("\n")
        if len(lines) > MOST_LINES:
            long_files.append((len(lines), path))
        wide += sum(len(line) > MOST_COLUMNS for line in lines)
        parts = path.relative_to(ROOT).parts
        read(path, parts[1] if parts[0] == "Sources" else parts[0], types, extensions)
    print(f"files: {len(files)}, lines over {MOST_COLUMNS} columns: {wide}, rows of the recipe for an op: {op_places()}")
    print(f"files over {MOST_LINES} lines: {len(long_files)}")
    for count, path in sorted(long_files, reverse=True):
        print(f"  {count:5} {path.relative_to(ROOT)}")
    shared = []
    for name, type_ in types.items():
        others = extensions[name] - {type_.file}
        if others and len(type_.writable) > MOST_SHARED and not (type_.kind == "struct" and type_.all_public):
            shared.append((len(type_.writable), name, type_, len(others)))
    print(f"types with more than {MOST_SHARED} shared fields: {len(shared)}")
    for count, name, type_, others in sorted(shared, key=lambda each: (-each[0], each[1])):
        print(f"  {count:5} of {type_.stored} in {type_.kind} {name}, extended in {others} other files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
