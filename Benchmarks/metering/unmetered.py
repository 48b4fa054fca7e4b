"""Copies the project to a folder and takes its meters out: `unmetered.py FOLDER`. What they were given is then not computed either."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

NOTHING = "var meter: UInt64 { get { 0 } set {} }"
#: What is written instead of what, once in each file.
REPLACEMENTS = {
    "Cassowary/Solver.swift": [("var meter: UInt64 = 0", NOTHING)],
    "Cassowary/Basis.swift": [
        ("var meter: UInt64 = 0", NOTHING),
        ("var meterLimit = UInt64.max", "var meterLimit: UInt64 { get { .max } set {} }"),
    ],
    "Cassowary/Objective.swift": [("var meter: UInt64 = 0", NOTHING)],
    "Cassowary/Solver+Work.swift": [("var isOverdrawn: Bool { work > workLimit }", "var isOverdrawn: Bool { false }")],
    "AutoLayout/Engine/LayoutEngine.swift": [("@safe @exclusivity(unchecked) var meter: UInt64 = 0", NOTHING)],
    "AutoLayout/Engine/LayoutEngine+Work.swift": [
        ("var isOverdrawn: Bool { work > workLimit }", "var isOverdrawn: Bool { false }")
    ],
    "SceneModel/SceneModel.swift": [
        ("var meter: UInt64 = 0", NOTHING),
        ("        chargeTelling()\n        runStrictCycles()\n", "        runStrictCycles()\n"),
        ("        chargeTelling()\n        strictDevices.skipCycles(", "        strictDevices.skipCycles("),
    ],
    "SceneSession/Work/Inbox.swift": [
        ("weight.readingWork + (request.isDocument ? weight.languageWork : 0)", "0")
    ],
}


def unmetered(name: str, text: str) -> str:
    for old, new in REPLACEMENTS.get(name, []):
        if text.count(old) != 1:
            raise SystemExit(f"'{old}' is {text.count(old)} times in {name}, not once: see what meters it now")
        text = text.replace(old, new)
    return text


def main() -> None:
    folder = Path(sys.argv[1])
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    names = tracked.split("\0")[:-1]
    if missing := [name for name in REPLACEMENTS if f"Sources/{name}" not in names]:
        raise SystemExit(f"there is no {missing[0]}: see what meters it now")
    for name in names:
        content = (PROJECT / name).read_bytes()
        if name.startswith("Sources/") and name.endswith(".swift"):
            content = unmetered(name.removeprefix("Sources/"), content.decode()).encode()
        target = folder / name
        # What did not change is not built anew.
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


if __name__ == "__main__":
    main()
