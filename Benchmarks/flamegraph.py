"""Draws where a program spends its time: `flamegraph.py SVG TITLE ROOT PROGRAM [ARGUMENT…]`.

Runs the program under `perf record` and writes a flame graph as SVG: a box for each function, as wide as its share of the samples,
on the box of its caller (Gregg, "The Flame Graph", CACM 59(6), 2016). Shown are samples below the innermost function whose name
contains ROOT, so that making what is measured is left out; an empty ROOT shows all.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, ROW, FONT = 1200, 17, 11
#: Boxes narrower than this many pixels are left out, with all on them.
NARROWEST = 1.0
#: By where the code lies.
COLOURS = {"kernel": "#b0b0b8", "library": "#e8d48a", "program": "#e8946a"}


@dataclass
class Frame:
    """A function in one place of the call tree."""

    name: str
    kind: str
    count: int = 0
    callees: dict[str, Frame] = field(default_factory=dict)


def demangled(text: str) -> str:
    return subprocess.run(["swift", "demangle", "--simplified"], input=text, check=True, capture_output=True, text=True).stdout


def stacks(command: list[str]) -> Iterator[list[tuple[str, str]]]:
    """For each sample its functions and where each lies, from the outermost in."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        subprocess.run(["perf", "record", "-q", "-F", "5000", "-g", "-o", data, *command], check=True, stdout=subprocess.DEVNULL)
        text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym,dso"], check=True, capture_output=True, text=True, errors="replace").stdout
    program = Path(command[0]).name
    for block in demangled(text).split("\n\n"):
        stack = []
        for line in block.strip().splitlines():
            found = re.match(r"\s*[0-9a-f]+ (.*) \((.*)\)$", line)
            if not found:
                continue
            name, place = re.sub(r"\+0x[0-9a-f]+$", "", found[1]), found[2]
            kind = "kernel" if place.startswith("[") and "kernel" in place else "program" if Path(place).name == program else "library"
            stack.append((name, kind))
        if stack:
            yield stack[::-1]


def tree(command: list[str], root: str) -> Frame:
    top = Frame(root or "all", "program")
    for stack in stacks(command):
        if root:
            places = [index for index, (name, _) in enumerate(stack) if root in name]
            if not places:
                continue
            stack = stack[places[-1] :]
        frame = top
        frame.count += 1
        for name, kind in stack:
            frame = frame.callees.setdefault(name, Frame(name, kind))
            frame.count += 1
    if top.count == 0:
        raise SystemExit(f"flamegraph: no sample has a function with {root!r} in its name")
    return top


def boxes(frame: Frame, x: float, depth: int, scale: float, out: list[str]) -> int:
    """Adds a function's box and those on it; returns how deep they go."""
    width = frame.count * scale
    if width < NARROWEST:
        return depth
    share = 100 * width / WIDTH
    title = escape(f"{frame.name}: {share:.1f} %")
    letters = int((width - 6) / (FONT * 0.6))
    text = frame.name if len(frame.name) <= letters else frame.name[: max(0, letters - 1)] + "…"
    label = f'<text x="{x + 3:.1f}" y="{depth * ROW + 12}">{escape(text)}</text>' if letters >= 4 else ""
    out.append(f'<g><title>{title}</title><rect x="{x:.1f}" y="{depth * ROW}" width="{width:.1f}" height="{ROW - 1}" fill="{COLOURS[frame.kind]}"/>{label}</g>')
    deepest = depth + 1
    for callee in sorted(frame.callees.values(), key=lambda each: each.name):
        deepest = max(deepest, boxes(callee, x, depth + 1, scale, out))
        x += callee.count * scale
    return deepest


def main() -> None:
    if len(sys.argv) < 5:
        raise SystemExit("usage: flamegraph.py SVG TITLE ROOT PROGRAM [ARGUMENT…]")
    path, title, root, *command = sys.argv[1:]
    top = tree(command, root)
    out: list[str] = []
    height = boxes(top, 0, 1, WIDTH / top.count, out) * ROW
    # The outermost function lies at the top, where a page is read from.
    Path(path).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="{FONT}">\n'
        f'<rect width="100%" height="100%" fill="#fff"/><text x="3" y="12">{escape(title)}: {top.count} samples</text>\n' + "\n".join(out) + "\n</svg>\n"
    )


if __name__ == "__main__":
    main()
