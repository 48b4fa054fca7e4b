#!/usr/bin/env python3
"""Makes the set of symbols from Bootstrap Icons, by the table `Sources/EmbeddedFiles/symbols/table.tsv`.

    python -m venv V
    V/bin/pip install django-js-lib-bootstrap-icons==1.11.3.0 fonttools==4.68.0
    V/bin/python scripts/symbols.py [--check]

It writes, each time the whole file or the part between its own marks:

- `Sources/EmbeddedFiles/symbols/symbols.json`, which servers hand out and renderers draw: by name what a terminal writes, and the
  outline as the data of an SVG path, on a grid of 960 units, filled by the nonzero rule. Icons are drawn on 16 units; 960 is a whole
  multiple, so their straight edges stay where they are.
- `Sources/SceneDocument/SymbolNames.swift`, `symbols` of `protocol/names.json` and `symbolName` of `protocol/schemas/document.json`: the
  names that a document may use;
- the address of the file in `clients/web/page/symbols.js`;
- `docs/pictures/symbols.svg`: all symbols with their names.

`--check` compares instead of writing.
"""

import hashlib
import importlib.util
import json
import pathlib
import re
import sys
import textwrap

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib import SVGPath

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Sources/EmbeddedFiles/symbols"
# Over all names and bytes of the icons that the table names; another release draws others.
SOURCE_DIGEST = "3ecdc70817ed833d6680ab4e8903f6ea87604f58b41c429c761f7dd85d868690"
BOX, ICON = 960, 16
# Curves reach a hair beyond the square, which nobody sees.
SLACK = 0.1


def table():
    """The rows: name, icon, characters of a terminal."""
    lines = (FOLDER / "table.tsv").read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def source():
    """The folder of the icons, in the package that is installed."""
    found = importlib.util.find_spec("js_lib_bootstrap_icons")
    if found is None:
        sys.exit("symbols: pip install django-js-lib-bootstrap-icons==1.11.3.0 first")
    return pathlib.Path(found.origin).parent / "static/bootstrap-icons"


def data(icon):
    """The outline of an icon as the data of a path.

    What reaches beyond its square, where a browser would cut it, is made smaller to fit.
    """
    pen, bounds, path = DataPen(), BoundsPen(None), SVGPath.fromstring(icon)
    path.draw(bounds)
    left, top, right, bottom = bounds.bounds
    if min(left, top) < -SLACK or max(right, bottom) > ICON + SLACK:
        scale = ICON / max(right - left, bottom - top, ICON)
        x, y = (max(-low * scale, min(0, ICON - high * scale)) for low, high in ((left, right), (top, bottom)))
        path.draw(TransformPen(pen, (scale, 0, 0, scale, x, y)))
    else:
        path.draw(pen)
    return "".join(pen.parts)


class DataPen:
    """Writes an outline as the data of a path, in whole units and relative to the point before."""

    def __init__(self):
        self.parts, self.here, self.start, self.last = [], (0, 0), (0, 0), ""

    def unit(self, point):
        return tuple(round(value * BOX / ICON) for value in point)

    def put(self, letter, numbers):
        text = "" if letter == self.last else letter
        for number in numbers:
            text += f"{number}" if number < 0 or not text or text[-1].isalpha() else f" {number}"
        # A letter that is left out leaves no mark between two numbers.
        if letter == self.last and not text.startswith("-"):
            text = " " + text
        self.parts.append(text)
        self.last = letter

    def relative(self, points):
        return [value for point in points for value in (point[0] - self.here[0], point[1] - self.here[1])]

    def moveTo(self, point):
        to = self.unit(point)
        self.last = ""
        self.put("M" if not self.parts else "m", self.relative([to]) if self.parts else to)
        # Further pairs behind a move would be lines.
        self.here, self.start, self.last = to, to, "m "

    def lineTo(self, point):
        to = self.unit(point)
        across, down = to[0] - self.here[0], to[1] - self.here[1]
        if across and down:
            self.put("l", [across, down])
        elif across:
            self.put("h", [across])
        elif down:
            self.put("v", [down])
        self.here = to

    def curveTo(self, *points):
        points = [self.unit(point) for point in points]
        if any(point != self.here for point in points):
            self.put("c", self.relative(points))
        self.here = points[-1]

    def qCurveTo(self, *points):
        points = [self.unit(point) for point in points]
        assert len(points) == 2
        if any(point != self.here for point in points):
            self.put("q", self.relative(points))
        self.here = points[-1]

    def closePath(self):
        self.put("z", [])
        self.here, self.last = self.start, ""

    def endPath(self):
        """An area needs no closing."""
        self.last = ""


def picture(symbols):
    """All symbols with their names, in light and dark browsers."""
    columns, width, height = 6, 190, 74
    rows = -(-len(symbols) // columns)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * width}" height="{rows * height}" font-family="Inter, sans-serif" font-size="11">',
        "<style>svg{background:#fff;color:#1c1c1e}@media(prefers-color-scheme:dark){svg{background:#1c1c1e;color:#f2f2f7}}"
        "path,text{fill:currentColor}</style>",
    ]
    for index, (name, (_, path)) in enumerate(symbols.items()):
        x, y = index % columns * width + width // 2, index // columns * height
        out.append(f'<path transform="translate({x - 16} {y + 12}) scale({32 / BOX:.5f})" d="{path}"/>')
        out.append(f'<text x="{x}" y="{y + 60}" text-anchor="middle">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    rows, folder = table(), source()
    names = [row[0] for row in rows]
    if names != sorted(set(names)):
        sys.exit("symbols: the names of table.tsv are not in order, each once")
    icons = {icon: (folder / f"{icon}.svg").read_bytes() for icon in sorted({row[1] for row in rows})}
    digest = hashlib.sha256(b"".join(name.encode() + b"\n" + svg for name, svg in icons.items())).hexdigest()
    if digest != SOURCE_DIGEST:
        sys.exit(f"symbols: the icons have SHA-256 {digest}, expected {SOURCE_DIGEST} (Bootstrap Icons 1.11.3 by this table)")
    symbols = {name: [text, data(icons[icon])] for name, icon, text in rows}
    lines = [f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}" for name, value in symbols.items()]
    made = f'{{"version":1,"box":{BOX},"symbols":{{\n' + ",\n".join(lines) + "\n}}\n"
    swift = [
        "// Written by scripts/symbols.py from Sources/EmbeddedFiles/symbols/table.tsv.",
        "",
        "extension SymbolName {",
        "    /// The names of the set, in order. Names are added; none is removed, for journals have them.",
        "    public static let all: [String] = [",
        *[f'        "{name}",' for name in names],
        "    ]",
        "}",
        "",
    ]
    protocol, schema, page = ROOT / "protocol/names.json", ROOT / "protocol/schemas/document.json", ROOT / "clients/web/page/symbols.js"
    choices = textwrap.fill(", ".join(map(json.dumps, names)), 120, initial_indent=" " * 8, subsequent_indent=" " * 8)
    listed = json.loads(protocol.read_text())
    listed["symbols"] = names
    address = f'export const SET = "symbols/{hashlib.sha256(made.encode()).hexdigest()}";'
    files = {
        FOLDER / "symbols.json": made,
        ROOT / "Sources/SceneDocument/SymbolNames.swift": "\n".join(swift),
        protocol: json.dumps(listed, indent=2) + "\n",
        schema: re.sub(r'("symbolName": \{\n      "enum": )\[[^]]*\]', rf"\1[\n{choices}\n      ]", schema.read_text()),
        page: re.sub(r'export const SET = ".*";', address, page.read_text()),
        ROOT / "docs/pictures/symbols.svg": picture(symbols),
    }
    differing = 0
    for path, text in files.items():
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            differing += 1
            print(f"{path.name} differs; make it with scripts/symbols.py")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
