"""Makes docs/gallery: each example of protocol/examples on a phone, a desk and a terminal, and moving: `gallery.py`. SCENESYNC names the
program.

    NAME-phone.svg, NAME-desk.svg    the example laid out for its devices of these names
    NAME-terminal.svg                the same for a terminal, with the letters and colours that the viewer draws
    NAME.cast                        an edit and its way back, animated, as `scenesync view --play` and asciinema show it; of the
                                     rooms of `scenesync demo`, what happens in them
    README.md                        the page that shows them

Run twice, it writes the same pictures, but for rooms of the demo, whose pictures show the machine and the time; casts have the times of
their run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

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
#: The examples that programs of `scenesync demo` move by themselves: the room, the arguments of the demo, and what is seen.
ALIVE = {
    "board": ("board", ("--crowd", "3"), "robots move cards from column to column"),
    "clock": ("clock", (), "the hands move all the time"),
    "monitor": ("demo", ("--crowd", "3"), "bars follow the machine, and robots press the button"),
}
#: A scene of thousands of views is no picture for a page.
TOO_LARGE = 100_000
SECONDS = 4.0
#: Values of a chart, one of each second.
CHARTED = 30


def layout(file: Path, device: str, form: str) -> str:
    command = [PROGRAM, "layout", str(file), "--device", device, "--format", form]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={"COLORTERM": "truecolor", "TERM": "xterm-256color"}).stdout


def terminal_picture(file: Path) -> str:
    lines = layout(file, "terminal", "ansi").splitlines()
    rows = min(len(lines), 40)
    screen = pyte.Screen(max(map(len, (re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines))), rows)
    pyte.Stream(screen).feed("\r\n".join(lines[:rows]))
    return svg(screen)


def viewing(name: str, url: str) -> list[str]:
    """The command that records the viewer of a room."""
    return [PROGRAM, "view", "--record", str(GALLERY / f"{name}.cast"), "--seconds", str(SECONDS), "--size", "80x24", "--shared", url]


def record_alive(name: str, folder: Path) -> Path:
    """Records the viewer of a room of the demo. Returns a file in a folder: the room as it is then."""
    room, arguments, _ = ALIVE[name]
    with Server("--in-memory", *arguments, command="demo") as server:
        subprocess.run(viewing(name, f"{server.url}/{room}"), check=True, timeout=SECONDS + 20)
        while True:
            with urlopen(f"{server.url.replace('ws', 'http', 1)}/admin/rooms/{room}/scene") as answer:
                document = json.load(answer)
            # Where it has charts, they show what came in half a minute.
            if all(len(view["chart"]["values"]) >= CHARTED for view in document["views"] if "chart" in view):
                break
            threading.Event().wait(1)
        file = folder / f"{name}.json"
        file.write_text(json.dumps(document))
        return file


def record(name: str, file: Path) -> None:
    """Records the viewer while an edit is made and taken back."""
    there, back, _ = EDITS[name]
    with Server("--in-memory", "--scene", str(file)) as server:
        viewer = subprocess.Popen(viewing(name, f"{server.url}/demo"))
        for edit, seconds in ((there, 0.8), (back, 1.0)):
            # A pause in what people watch.
            threading.Event().wait(seconds)
            results = server.apply({"op": "animate", "duration": 0.7, "ops": [edit, {"op": "layoutIfNeeded"}]})
            if not results or results[-1].get("result") != "committed" or "refusals" in results[-1]:
                sys.exit(f"gallery: {name}: the server answered {results}")
        if viewer.wait(SECONDS + 20) != 0:
            sys.exit(f"gallery: {name} could not be recorded")


def main() -> None:
    with TemporaryDirectory() as folder:
        make(Path(folder))


def make(folder: Path) -> None:
    """Makes all pictures; the folder is for files between."""
    GALLERY.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Gallery",
        "",
        "The examples of [protocol/examples](../../protocol/examples), each one document for all of its devices. `scenesync new NAME` prints them,",
        "`scenesync view --play FILE` shows a cast. `./dev gallery` makes this page and its pictures from the running program.",
        "",
    ]
    files = sorted(EXAMPLES.glob("*.json"))
    if unknown := {file.stem for file in files} ^ (set(EDITS) | set(ALIVE)):
        sys.exit(f"gallery: say in EDITS or ALIVE what moves in {', '.join(sorted(unknown))}")
    for file in files:
        name = file.stem
        views = len(json.loads(file.read_text())["views"])
        lines += [f"## {name}", "", f"{views} views. In [the cast]({name}.cast), {(ALIVE.get(name) or EDITS[name])[2]}.", ""]
        if name in ALIVE:
            # Its document alone has none of what the program shows.
            file = record_alive(name, folder)
        else:
            record(name, file)
        row = []
        for device in DEVICES:
            picture = terminal_picture(file) if device == "terminal" else layout(file, device, "svg")
            path = GALLERY / f"{name}-{device}.svg"
            path.unlink(missing_ok=True)
            if len(picture) < TOO_LARGE:
                path.write_text(picture)
                row.append((device, f"![{name} on a {device}]({path.name})"))
        heads, pictures = zip(*row)
        lines += [f"| {' | '.join(heads)} |", "|" + "---|" * len(row), f"| {' | '.join(pictures)} |", ""]
    (GALLERY / "README.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
