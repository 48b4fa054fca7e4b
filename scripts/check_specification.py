"""Checks the specification, and makes its index: each rule with the vectors, dialogues, live cases and scenarios that try it.

    check_specification.py           checks protocol/SPEC.md, LANGUAGE.md and INDEX.md
    check_specification.py --write   writes INDEX.md anew

Rules stand in bullets that begin with an id. Their numbers count up in each document and leave none out, no rule holds two obligations, no
obligation stands outside of a rule, what is cited exists, and each rule with a MUST is tried. What tries a rule is said by the
vectors that name rules (`rules`), by scenarios (`statement`), and by protocol/evidence.json for those that have none; each of its entries
has to match something that whoever has only this folder can run. The sizes of section 8.6 are measured again. SCENESYNC names the program.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROTOCOL = ROOT / "protocol"
PROGRAM = os.environ.get("SCENESYNC", str(ROOT / ".build/debug/scenesync"))
DOCUMENTS = ["SPEC.md", "LANGUAGE.md"]
ID = re.compile(r"\b([A-Z]{2,5})-([0-9]+)\b")
RULE = re.compile(r"^- \[([A-Z]{2,5}-[0-9]+)\] ")
#: What obliges: a word of RFC 2119 that is not only advice.
OBLIGES = re.compile(r"\b(MUST NOT|MUST|SHALL NOT|SHALL|REQUIRED)\b")

problems: list[str] = []


def complain(text: str) -> None:
    problems.append(text)


def rules_of(name: str) -> dict[str, str]:
    """The rules of a document by their ids, with their texts on one line."""
    rules: dict[str, str] = {}
    last: dict[str, int] = defaultdict(int)
    current: str | None = None
    is_code = False
    for number, line in enumerate((PROTOCOL / name).read_text().splitlines(), 1):
        if line.startswith("```"):
            is_code = not is_code
        if is_code:
            continue
        if found := RULE.match(line):
            current = found[1]
            family, count = current.split("-")
            if int(count) != last[family] + 1:
                complain(f"{name}:{number}: {current} does not follow {family}-{last[family]}")
            last[family] = int(count)
            rules[current] = line[found.end() :]
        elif current and line.startswith("  "):
            rules[current] += " " + line.strip()
        else:
            current = None
            if OBLIGES.search(line) and "key words" not in line and "RFC 2119" not in line:
                complain(f"{name}:{number}: an obligation outside of a rule: {line[:80]}")
    for rule, text in rules.items():
        if len(OBLIGES.findall(text)) > 1:
            complain(f"{name}: {rule} holds several obligations")
    return rules


def cases(path: str) -> list[tuple[str, dict[str, Any]]]:
    """All vectors below a folder, with the names of their files."""
    return [
        (file.stem, case)
        for file in sorted((PROTOCOL / "vectors/v1" / path).glob("*.json"))
        for case in json.loads(file.read_text())
    ]


def live() -> list[tuple[str, str, str]]:
    """The live cases: server or client, number and title."""
    done = subprocess.run([PROGRAM, "conformance", "--list"], capture_output=True, text=True, timeout=60, check=True)
    return [(who, number, title) for who, number, _, title in (line.split("\t") for line in done.stdout.splitlines())]


def selected(selector: str, catalogue: list[tuple[str, str, str]]) -> list[str]:
    """What an entry of evidence.json matches, as the index shows it.

    `valid`, `invalid`, `sequences` and `conversations` take conditions such as `section=4.1`, `error=truncated`, `file=json` and
    `name~word`, `language` the same; `server` and `client` the number of a live case, `scenario` that of a scenario which proves more than
    its statement."""
    kind, _, rest = selector.partition(" ")
    if kind == "scenario":
        return [f"scenario {rest}" for _ in (PROTOCOL / "scenarios").glob(f"{rest}-*.json")]
    if kind in ("server", "client"):
        return [f"{who} {number}" for who, number, _ in catalogue if who == kind and number == rest]
    conditions = re.findall(r"(\w+)([=~])('[^']*'|\S+)", rest)
    count = 0
    for file, case in cases(kind):
        values = {**case, "file": file, "errors": " ".join(step.get("error", "") for step in case.get("steps", []))}
        if all(
            (str(values.get(key, "")) == value.strip("'")) if sign == "=" else value.strip("'") in str(values.get(key, ""))
            for key, sign, value in conditions
        ):
            count += 1
    what = ", ".join(f"{key} {value}".strip() for key, _, value in conditions)
    return [f"{kind}: {count} ({what})" if what else f"{kind}: {count}"] if count else []


def evidence(rules: set[str]) -> dict[str, list[str]]:
    """For each rule what tries it."""
    catalogue = live()
    found: dict[str, list[str]] = defaultdict(list)

    def note(rule: str, what: str, by: str) -> None:
        if rule not in rules:
            complain(f"{by} names {rule}, which is no rule")
        found[rule].append(what)

    for file, case in cases("dialogues"):
        for rule in case["rules"]:
            note(rule, f"{file[:-1]} {case['id']}", f"the dialogue {case['id']}")
    for file, case in cases("language"):
        for rule in case["rules"]:
            note(rule, f"language: {case['name']}", f"language/{file}, {case['name']}")
    for path in sorted((PROTOCOL / "scenarios").glob("*.json")):
        statement = json.loads(path.read_text()).get("statement", "")
        # The statements of the engine have ids of their own; those of this document are rules here.
        for rule in statement.split():
            if rule in rules:
                found[rule].append(f"scenario {path.name[:3]}")
    for rule, selectors in json.loads((PROTOCOL / "evidence.json").read_text()).items():
        for selector in selectors:
            matches = selected(selector, catalogue)
            if not matches:
                complain(f"evidence.json: {rule}: {selector} matches nothing")
            for match in matches:
                note(rule, match, "evidence.json")
    return found


def citations(rules: set[str]) -> None:
    """What code, tests and documents cite of the specification exists."""
    families = {rule.split("-")[0] for rule in rules}
    # The statements about the engine, in the scenarios' README, share the names of none of these.
    paths = [path for folder, suffix in (("Sources", "swift"), ("Tests", "swift"), ("clients", "py"), ("clients", "js"), ("docs", "md"))
             for path in (ROOT / folder).rglob(f"*.{suffix}")]  # fmt: skip
    for path in [*paths, *(PROTOCOL / name for name in DOCUMENTS)]:
        for family, number in ID.findall(path.read_text()) if path.is_file() else ():
            if family in families and f"{family}-{number}" not in rules:
                complain(f"{path.relative_to(ROOT)} cites {family}-{number}, which is no rule")


def index(documents: dict[str, dict[str, str]], found: dict[str, list[str]]) -> str:
    lines = [
        "# Index of rules",
        "",
        "Made by a script, and checked with each change: each rule with what tries it. `server` and `client` are live cases of",
        "`scenesync conformance`, `scenario` files of [scenarios](scenarios); the others are vectors of [vectors](vectors), with their count.",
        "A rule without a MUST may have none. Cases about tokens need `--tokens`, 6.15-1 needs `--slow`.",
    ]
    for name, rules in documents.items():
        lines += ["", f"## {name}", "", "| rule | tried by |", "|---|---|"]
        for rule in rules:
            numbers = [what[9:] for what in found.get(rule, []) if what.startswith("scenario ")]
            others = list(dict.fromkeys(what for what in found.get(rule, []) if not what.startswith("scenario ")))
            scenarios = [f"scenarios {' '.join(numbers)}"] if numbers else []
            lines.append(f"| {rule} | {'; '.join([*others, *scenarios]) or '–'} |")
    return "\n".join(lines) + "\n"


def sizes() -> None:
    """The table of section 8.6 is what the script prints that it names."""
    done = subprocess.run([sys.executable, str(PROTOCOL / "vectors/sizes.py")], capture_output=True, text=True, timeout=60, check=True)
    text = (PROTOCOL / "SPEC.md").read_text()
    for line in done.stdout.splitlines():
        if line not in text:
            complain(f"SPEC.md, section 8.6, has other figures than vectors/sizes.py: {line}")


def ops() -> None:
    """Each op has its row in the language's table, and something beside the program's own tests that uses it."""
    language = (PROTOCOL / "LANGUAGE.md").read_text()
    folders = ("scenarios", "vectors/v1/language", "vectors/v1/dialogues")
    texts = [path.read_text() for folder in folders for path in (PROTOCOL / folder).glob("*.json")]
    for name in json.loads((PROTOCOL / "names.json").read_text())["ops"]:
        if not re.search(rf"^\|[^\n|]*`{name}`", language, re.MULTILINE):
            complain(f"LANGUAGE.md has no row for the op {name}")
        use = re.compile(rf'"op\\?": ?\\?"{name}\\?"')
        if not any(use.search(text) for text in texts):
            complain(f"no scenario, vector or dialogue has the op {name}")


def main() -> None:
    documents = {name: rules_of(name) for name in DOCUMENTS}
    rules: dict[str, str] = {}
    for each in documents.values():
        rules |= each
    found = evidence(set(rules))
    for rule, text in rules.items():
        if OBLIGES.search(text) and rule not in found:
            complain(f"nothing tries {rule}: {text[:90]}")
    citations(set(rules))
    sizes()
    ops()
    text = index(documents, found)
    path = PROTOCOL / "INDEX.md"
    if "--write" in sys.argv[1:]:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        complain("protocol/INDEX.md is old; run scripts/check_specification.py --write")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(rules)} rules, {sum(rule in found for rule in rules)} tried, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
