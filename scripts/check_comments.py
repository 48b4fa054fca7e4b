"""Checks comments and documents: the width of comments in Swift, and words that have a plainer replacement.

    check_comments.py                 checks the tree
    check_comments.py --wrap PATH…    wraps paragraphs of comments below these folders or files that are too wide

A line that holds only a comment has 100 columns at most, but in rows of tables. `words.tsv` beside this script has the words. They are not looked
for in the modules of PENDING, which are still to be reworded; a module leaves that list once and does not return. Lists, tables, code
and drawings in comments are never wrapped: shorten those by hand.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = 100

#: Folders whose comments are not looked through for words yet.
PENDING = (
    "Benchmarks", "Package.swift", "Sources/AutoLayout", "Sources/Cassowary", "Sources/CharacterWidth", "Sources/Conformance",
    "Sources/ConstraintLanguage", "Sources/Deflate", "Sources/EmbeddedFiles", "Sources/Essentials", "Sources/LayoutValues",
    "Sources/LoadGenerator", "Sources/SQLite", "Sources/SceneClientSession", "Sources/SceneDocument", "Sources/SceneModel",
    "Sources/SceneServer", "Sources/SceneSession", "Sources/SceneSimulation", "Sources/SceneStore", "Sources/SceneWire",
    "Sources/SeededRandom", "Sources/Signatures", "Sources/Threads", "Sources/WebSocketAddress", "Sources/WebSocketTransport", "Sources/WindowRoom",
    "Sources/WireTool", "Sources/scenesync", "Tests", "clients/terminal", "protocol",
)  # fmt: skip

COMMENT = re.compile(r"^(\s*)(///?)( .*)?$")
#: What begins a paragraph of its own: an item of a list, a heading, a table, a mark, a directive.
ITEM = re.compile(r"^(\s*)([-*] |\d+\. )")
#: A row of a table, which cannot be divided.
ROW = re.compile(r"^\s*/// \|")
VERBATIM = re.compile(r"^( {4,}|\||#|MARK:|swift-|swiftlint|```)")


def is_in(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == each or path.startswith(each + "/") for each in folders)


def tracked(*patterns: str) -> list[str]:
    """The files of the checkout, and those that are about to be added."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [name for name in names if (ROOT / name).is_file()]


# --- Wrapping --------------------------------------------------------------------------------------------------------


def fill(words: list[str], first: str, rest: str) -> list[str]:
    """Words as lines of at most `COLUMNS` columns; `first` and `rest` begin the first line and the others."""
    lines, line, is_empty = [], first, True
    for word in words:
        if not is_empty and len(line) + 1 + len(word) > COLUMNS:
            lines.append(line)
            line, is_empty = rest, True
        line, is_empty = (line if is_empty else line + " ") + word, False
    return [*lines, line]


def wrap(lines: list[str]) -> list[str]:
    """The same lines with each paragraph of comments filled that has a line of more than `COLUMNS` columns."""
    result: list[str] = []
    index, is_code = 0, False
    while index < len(lines):
        match = COMMENT.match(lines[index])
        text = (match[3] or "")[1:] if match else ""
        if match and text.startswith("```"):
            is_code = not is_code
        if match is None or not text.strip() or is_code or VERBATIM.match(text):
            result.append(lines[index])
            index += 1
            continue
        begin = match[1] + match[2] + " "
        item = ITEM.match(text)
        indent = len(item[0]) if item and item[2][0].isdigit() else len(item[1]) + 2 if item else len(text) - len(text.lstrip())
        paragraph = [lines[index]]
        index += 1
        while index < len(lines):
            following = COMMENT.match(lines[index])
            more = (following[3] or "")[1:] if following else ""
            if following is None or following[1] + following[2] + " " != begin or not more.strip() or ITEM.match(more):
                break
            # A deeper line is code below a paragraph, but the rest of an item in a list.
            if more.startswith(("```", "|", "#", "MARK:")) or (VERBATIM.match(more) and not item):
                break
            if len(more) - len(more.lstrip()) != indent:
                break
            paragraph.append(lines[index])
            index += 1
        if all(len(line) <= COLUMNS for line in paragraph):
            result += paragraph
            continue
        words = " ".join(COMMENT.match(line)[3] or "" for line in paragraph).split()  # type: ignore[index]
        if item:
            # The mark of an item is its first word, or two for a number.
            first = begin + item[0]
            words = words[1:]
        else:
            first = begin + " " * indent
        result += fill(words, first, begin + " " * indent)
    return result


def wrap_files(arguments: list[str]) -> None:
    for name in tracked(*arguments):
        if name.endswith(".swift"):
            before = (ROOT / name).read_text()
            after = "\n".join(wrap(before.split("\n")))
            if after != before:
                (ROOT / name).write_text(after)


# --- Checking --------------------------------------------------------------------------------------------------------


def words() -> list[tuple[re.Pattern[str], str]]:
    lines = (ROOT / "scripts/words.tsv").read_text().splitlines()
    pairs = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(re.compile(rf"\b{word}\b", re.I), better) for word, better in pairs]


def comments(name: str) -> list[tuple[int, str]]:
    """The numbers and lines of a Swift file that hold only a comment."""
    lines = (ROOT / name).read_text().splitlines()
    return [(number, line) for number, line in enumerate(lines, 1) if COMMENT.match(line)]


def prose(name: str) -> list[tuple[int, str]]:
    """The numbers and lines of a document, without fenced blocks and code in backticks."""
    result, is_code = [], False
    for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code:
            result.append((number, re.sub(r"`[^`]*`", "", line)))
    return result


def check() -> int:
    table = words()
    complaints: list[str] = []

    def judge(name: str, lines: list[tuple[int, str]]) -> None:
        for (number, line), (_, following) in zip(lines, [*lines[1:], (0, "")]):
            # A phrase may be divided by the end of a line.
            text = line + " " + re.sub(r"^\s*///? ?", "", following).lstrip()
            for pattern, better in table:
                found = pattern.search(text)
                if found and found.start() < len(line):
                    complaints.append(f"{name}:{number}: “{found[0]}”: write {better}")

    for name in tracked("*.swift"):
        found = comments(name)
        complaints += [
            f"{name}:{number}: a comment of {len(line)} columns, at most {COLUMNS}; scripts/check_comments.py --wrap {name}"
            for number, line in found if len(line) > COLUMNS and not ROW.match(line)
        ]  # fmt: skip
        if not is_in(name, PENDING):
            judge(name, found)
    for name in tracked("README.md", "CHANGELOG.md", "docs/*.md", "Benchmarks/RESULTS.md"):
        # The gallery is written by gallery.py.
        if name.startswith("docs/gallery/"):
            continue
        judge(name, prose(name))
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--wrap"]:
        wrap_files(sys.argv[2:])
    else:
        sys.exit(check())
