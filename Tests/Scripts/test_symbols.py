"""The files of scripts/symbols.py agree, whether or not the icons that they are made from are here."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Sources/EmbeddedFiles/symbols"
BOX = 960
COUNTS = {"M": 2, "m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "q": 4, "z": 0}

FILE = (FOLDER / "symbols.json").read_bytes()
SET = json.loads(FILE)
ROWS = [line.split("\t") for line in (FOLDER / "table.tsv").read_text().splitlines() if not line.startswith("#")]


def test_the_files_have_the_names_of_the_table() -> None:
    names = [row[0] for row in ROWS]
    assert names == sorted(set(names))
    assert SET["version"] == 1
    assert SET["box"] == BOX
    assert [(name, text) for name, (text, _) in SET["symbols"].items()] == [(name, text) for name, _, text in ROWS]
    assert json.loads((ROOT / "protocol/names.json").read_text())["symbols"] == names
    assert json.loads((ROOT / "protocol/schemas/document.json").read_text())["$defs"]["symbolName"] == {"enum": names}
    assert re.findall(r'^        "(.+)",$', (ROOT / "Sources/SceneDocument/SymbolNames.swift").read_text(), re.M) == names
    picture = (ROOT / "docs/pictures/symbols.svg").read_text()
    assert re.findall(r">([a-z0-9.]+)</text>", picture) == names


def test_the_page_asks_for_this_file() -> None:
    page = (ROOT / "clients/web/page/symbols.js").read_text()
    assert f'export const SET = "symbols/{hashlib.sha256(FILE).hexdigest()}";' in page


def ends(data: str) -> list[tuple[int, int]]:
    """The ends of all parts of a path, by a reader of its own; an outline that is none is an error."""
    found, here, start = [], (0, 0), (0, 0)
    assert data[0] == "M"
    for letter, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", data):
        count = COUNTS[letter]
        assert re.fullmatch(r"( ?-?\d+)*", text), text
        numbers = [int(number) for number in re.findall(r"-?\d+", text)]
        if count == 0:
            assert not numbers
            here = start
            continue
        assert numbers and len(numbers) % count == 0, (letter, text)
        if letter in "Mm":
            assert len(numbers) == 2
        for at in range(0, len(numbers), count):
            *_, across, down = (0, *numbers[at : at + count]) if count > 1 else (numbers[at], 0) if letter == "h" else (0, numbers[at])
            here = (across, down) if letter == "M" else (here[0] + across, here[1] + down)
            found.append(here)
        if letter in "Mm":
            start = here
    return found


def test_outlines_are_whole_and_within_their_square() -> None:
    for name, (_, data) in SET["symbols"].items():
        for x, y in ends(data):
            # Some icons reach a hair beyond their square.
            assert -2 <= x <= BOX + 2, name
            assert -2 <= y <= BOX + 2, name
    # By hand: `minus` is a bar from 2 to 14 of 16 units, 1 high, with round ends.
    minus = ends(SET["symbols"]["minus"][1])
    assert (min(y for _, y in minus), max(y for _, y in minus)) == (450, 510)
    assert (min(x for x, _ in minus), max(x for x, _ in minus)) == (120, 840)


def test_the_script_makes_the_same() -> None:
    if importlib.util.find_spec("js_lib_bootstrap_icons") and importlib.util.find_spec("fontTools"):
        subprocess.run([sys.executable, str(ROOT / "scripts/symbols.py"), "--check"], check=True)
