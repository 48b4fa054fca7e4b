"""What the viewer's bytes make two independent emulators show, held against a picture that is painted once more."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pyte
import pytest
from painter import paint
from scenesync import Client, ops
from terminal import PROGRAM, PyteTerminal, Server, Tmux, view_command

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "protocol/examples").glob("*.json"))
ROW_MAXIMUM = 60


def make_room(server: Server, name: str, document: dict) -> tuple[str, Client]:
    url = f"{server.url}/{name}"
    subprocess.run([PROGRAM, "apply", url, "-"], input=json.dumps(document), text=True, check=True, stdout=subprocess.DEVNULL)
    return url, Client(url, role="editor").__enter__()


def cells(document: dict) -> tuple[int, int]:
    viewport = document["viewport"]
    return int(viewport["width"]) // 8, int(viewport["height"]) // 16


def without_status(lines: list[str]) -> list[str]:
    return lines[:-1]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_in_both_emulators(server: Server, example: str) -> None:
    document = json.loads((ROOT / f"protocol/examples/{example}.json").read_text())
    columns, rows = cells(document)
    rows = min(rows, ROW_MAXIMUM)
    document["viewport"]["height"] = rows * 16
    url, client = make_room(server, example, document)
    expected = paint(client.mirror, columns, rows).lines()
    assert any(expected)
    on_pyte = PyteTerminal([PROGRAM, "view", url], columns, rows + 1)
    on_tmux = Tmux(view_command(url), columns, rows + 1)
    try:
        on_pyte.wait(lambda lines: without_status(lines) == expected)
        on_tmux.wait(lambda lines: without_status(lines) == expected)
        assert on_pyte.end() == 0
    finally:
        on_tmux.kill()
        client.close()


@pytest.mark.parametrize("style", ["none", "single", "rounded", "double", "heavy"])
def test_every_box_style(server: Server, style: str) -> None:
    document = {
        "scene": 1,
        "viewport": {"width": 160, "height": 96},
        "views": [
            {"id": "back", "frame": [0, 0, 96, 64], "border": style, "background": "#203040"},
            {"id": "front", "frame": [48, 32, 96, 64], "border": style, "background": "#402030", "foreground": "#ff8800"},
            {"id": "inside", "parent": "front", "frame": [8, 16, 200, 16], "kind": "label", "text": "cut at the edge"},
        ],
    }
    document["views"][1]["clips"] = True
    url, client = make_room(server, "boxes", document)
    expected = paint(client.mirror, 20, 6).lines()
    terminal = PyteTerminal([PROGRAM, "view", url], 20, 7)
    terminal.wait(lambda lines: without_status(lines) == expected)
    cell = terminal.screen.buffer[3][8]
    assert cell.bg == "402030", "the front box hides what is behind it"
    corner = terminal.screen.buffer[2][6]
    if style != "none":
        assert corner.fg == "ff8800" and corner.bg == "402030"
    assert terminal.end() == 0
    client.close()


# A text, and the columns that it takes.
WIDTHS = [
    ("ascii", 5), ("日本語", 6), ("한글", 4), ("ﬁn", 2), ("é", 1), ("e\u0301", 1), ("🙂", 2), ("👨\u200d👩\u200d👧", 2),
    ("🇩🇪", 2), ("❤\ufe0f", 2), ("a\u0300\u0301b", 2), ("½±", 2), ("ｆｕｌｌ", 8),
]  # fmt: skip


@pytest.mark.parametrize("emulator", ["pyte", "tmux"])
def test_every_width_class(server: Server, emulator: str) -> None:
    """Behind each text stands a bar: it must be in its column, whatever the emulator makes of the text."""
    views = []
    for index, (text, columns) in enumerate(WIDTHS):
        views.append({"id": f"t{index}", "kind": "label", "text": text, "frame": [0, index * 16, columns * 8, 16]})
        views.append({"id": f"b{index}", "kind": "label", "text": "|end", "frame": [columns * 8, index * 16, 32, 16]})
    document = {"scene": 1, "viewport": {"width": 160, "height": 16 * len(WIDTHS)}, "views": views}
    url, client = make_room(server, "widths", document)
    rows = len(WIDTHS) + 1
    if emulator == "pyte":
        terminal = PyteTerminal([PROGRAM, "view", url], 20, rows)
        terminal.wait(lambda lines: all("|end" in line for line in without_status(lines)))
        for row, (text, columns) in enumerate(WIDTHS):
            assert [terminal.screen.buffer[row][columns + i].data for i in range(4)] == list("|end"), text
        assert terminal.end() == 0
    else:
        tmux = Tmux(view_command(url), 20, rows)
        try:
            tmux.wait(lambda lines: all("|end" in line for line in without_status(lines)))
            # tmux is asked what stands from the bar's column on, by its own reckoning of columns.
            for row, (text, columns) in enumerate(WIDTHS):
                tmux.run("copy-mode")
                tmux.run("send-keys", "-X", "top-line")
                tmux.run("send-keys", "-X", "start-of-line")
                for _ in range(row):
                    tmux.run("send-keys", "-X", "cursor-down")
                tmux.run("send-keys", "-X", "start-of-line")
                line = tmux.lines()[row]
                assert line.endswith("|end"), text
                tmux.run("send-keys", "-X", "cancel")
        finally:
            tmux.kill()
    client.close()


@pytest.mark.parametrize("seed", range(6))
def test_differences_end_in_the_same_screen_as_drawing_anew(server: Server, seed: int, tmp_path: Path) -> None:
    """Random edits while a viewer looks and records; then its screen, the recording's and a new viewer's are the same."""
    generator = random.Random(seed)
    texts = ["abc", "日本語", "🙂 x", "e\u0301te\u0301", "|", "long text that is cut somewhere", "─│"]
    views = [
        {
            "id": f"v{index}", "kind": generator.choice(["view", "label"]),
            "border": generator.choice(["none", "single", "heavy"]),
            "frame": [generator.randrange(0, 240), generator.randrange(0, 120), generator.randrange(8, 120), generator.randrange(16, 80)],
        }
        for index in range(20)
    ]  # fmt: skip
    for view in views:
        if view["kind"] == "label":
            view["text"] = generator.choice(texts)
        if generator.random() < 0.5:
            view["background"] = generator.choice(["#204060", "#602040", "#20602080"])
    url, client = make_room(server, f"random{seed}", {"scene": 1, "viewport": {"width": 320, "height": 160}, "views": views})
    recording = tmp_path / "session.cast"
    terminal = PyteTerminal(
        [PROGRAM, "view", "--record", str(recording), url], 40, 11, knows_synchronized=seed % 2 == 0
    )
    terminal.wait(lambda lines: "live" in lines[-1])
    for _ in range(60):
        view = generator.choice(views)["id"]
        change = generator.randrange(4)
        if change == 0:
            op = ops.set_view(view, hidden=generator.random() < 0.3)
        elif change == 1:
            op = ops.set_view(view, opacity=generator.choice([0.3, 0.7, 1]))
        elif change == 2:
            op = ops.set_view(view, text=generator.choice(texts)) if view in texts else ops.set_view(view, foreground="#ff0000")
        else:
            op = ops.set_view(
                view, frame=[generator.randrange(0, 240), generator.randrange(0, 120), generator.randrange(8, 120), generator.randrange(16, 80)]
            )  # fmt: skip
        client.apply([op])
        terminal.pump(0)
    last = f"{client.mirror.tick}"
    fresh = PyteTerminal([PROGRAM, "view", url], 40, 11)
    expected = without_status(fresh.wait(lambda lines: "live" in lines[-1] and any(lines[:-1])))
    terminal.wait(lambda lines: without_status(lines) == expected)
    for row in range(10):
        for column in range(40):
            one, other = terminal.screen.buffer[row][column], fresh.screen.buffer[row][column]
            assert (one.data, one.bg) == (other.data, other.bg), (seed, last, row, column)
            if one.data != " ":
                assert one.fg == other.fg, (seed, row, column)
    assert terminal.end() == 0 and fresh.end() == 0
    lines = recording.read_text().splitlines()
    header = json.loads(lines[0])
    assert (header["version"], header["width"], header["height"]) == (2, 40, 11)
    screen = pyte.Screen(40, 11)
    stream = pyte.Stream(screen)
    for line in lines[1:]:
        _, kind, data = json.loads(line)
        if kind == "o":
            stream.feed(data)
    assert [line.rstrip() for line in screen.display][:-1] == expected
    client.close()
