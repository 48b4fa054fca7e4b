"""Makes docs/gallery: each example of protocol/examples on a phone, a desk and a terminal, and moving: `gallery.py`. SCENESYNC names the
program.

    NAME-phone.svg, NAME-desk.svg    the example laid out for its devices of these names
    NAME-terminal.svg                the same for a terminal, with the letters and colours that the viewer draws
    NAME.cast                        an edit and its way back, animated, as `scenesync view --play` and asciinema show it
    README.md                        the page that shows them

Run twice, it writes the same pictures; casts have the times of their run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "Tests" / "Support"), str(ROOT / "Tests" / "Terminal"), str(ROOT / "scripts")]

import pyte  # noqa: E402
from pictures import svg  # noqa: E402
from scenesync_server import EXAMPLES, PROGRAM, Server  # noqa: E402

GALLERY = ROOT / "docs" / "gallery"
DEVICES = ("phone", "desk", "terminal")
#: What is changed in each cast: an op that changes something, and one that changes it back.
NARROW, WIDE = {"op": "setViewport", "width": 400}, {"op": "setViewport", "width": 640}
EDITS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "chat": (NARROW, WIDE, "the window gets narrower, and texts wrap anew"),
    "dashboard": (
        {"op": "setConstraint", "id": "sidebar-width", "constant": 280},
        {"op": "setConstraint", "id": "sidebar-width", "constant": 160},
        "the sidebar gets wider, and what is beside it gives way",
    ),
    "holy-grail": (
        {"op": "setConstraint", "id": "header-height", "constant": 128},
        {"op": "setConstraint", "id": "header-height", "constant": 48},
        "the header grows, and the columns below it shrink",
    ),
    "kanban": (NARROW, WIDE, "the window gets narrower, and columns share what is left"),
    "list-1000": (
        {"op": "setConstraint", "id": "height-2", "constant": 96},
        {"op": "setConstraint", "id": "height-2", "constant": 16},
        "one of a thousand rows opens, and the others move on",
    ),
    "settings-form": (NARROW, WIDE, "the window gets narrower, and fields with it"),
}
#: A scene of thousands of views is no picture for a page.
TOO_LARGE = 100_000
SECONDS = 4.0


def layout(file: Path, device: str, form: str) -> str:
    command = [PROGRAM, "layout", str(file), "--device", device, "--format", form]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={"COLORTERM": "truecolor", "TERM": "xterm-256color"}).stdout


def terminal_picture(file: Path) -> str:
    lines = layout(file, "terminal", "ansi").splitlines()
    rows = min(len(lines), 40)
    plain = layout(file, "terminal", "text").splitlines()
    screen = pyte.Screen(max(map(len, plain)), rows)
    pyte.Stream(screen).feed("\r\n".join(lines[:rows]))
    return svg(screen)


def record(name: str, file: Path) -> None:
    """Records the viewer while an edit is made and taken back."""
    there, back, _ = EDITS[name]
    cast = GALLERY / f"{name}.cast"
    with Server("--in-memory", "--scene", str(file)) as server:
        command = [PROGRAM, "view", "--record", str(cast), "--seconds", str(SECONDS), "--size", "80x24", "--shared", f"{server.url}/demo"]
        viewer = subprocess.Popen(command)
        for edit, seconds in ((there, 0.8), (back, 1.0)):
            # A pause in what people watch.
            threading.Event().wait(seconds)
            results = server.apply({"op": "animate", "duration": 0.7, "ops": [edit, {"op": "layoutIfNeeded"}]})
            if not results or results[-1].get("result") != "committed" or "refusals" in results[-1]:
                sys.exit(f"gallery: {name}: the server answered {results}")
        if viewer.wait(SECONDS + 20) != 0:
            sys.exit(f"gallery: {name} could not be recorded")


def main() -> None:
    GALLERY.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Gallery",
        "",
        "The examples of [protocol/examples](../../protocol/examples), each one document for all of its devices. `scenesync new NAME` prints them,",
        "`scenesync view --play FILE` shows a cast. `./dev gallery` makes this page and its pictures from the running program.",
        "",
    ]
    files = sorted(EXAMPLES.glob("*.json"))
    if unknown := {file.stem for file in files} ^ set(EDITS):
        sys.exit(f"gallery: say in EDITS what moves in {', '.join(sorted(unknown))}")
    for file in files:
        name = file.stem
        views = len(json.loads(file.read_text())["views"])
        lines += [f"## {name}", "", f"{views} views. In [the cast]({name}.cast), {EDITS[name][2]}.", ""]
        row = []
        for device in DEVICES:
            picture = terminal_picture(file) if device == "terminal" else layout(file, device, "svg")
            path = GALLERY / f"{name}-{device}.svg"
            path.unlink(missing_ok=True)
            if len(picture) < TOO_LARGE:
                path.write_text(picture)
                row.append((device, f"![{name} on a {device}]({path.name})"))
        record(name, file)
        heads, pictures = zip(*row)
        lines += [f"| {' | '.join(heads)} |", "|" + "---|" * len(row), f"| {' | '.join(pictures)} |", ""]
    (GALLERY / "README.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
