"""What the viewer's bytes make two independent emulators show, held against a picture that is painted once more."""

from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path

import pyte
import pytest
from painter import paint
from scenesync import Client, ops
from scenesync_server import PATIENCE, PROGRAM, Server
from terminal import PyteTerminal, Tmux, view_command

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "protocol/examples").glob("*.json"))
ROW_MAXIMUM = 60


def make_room(server: Server, name: str, document: dict) -> tuple[str, Client]:
    url = server.make_room(name, document)
    return url, Client(url, role="editor", timeout=PATIENCE).__enter__()


def cells(document: dict) -> tuple[int, int]:
    viewport = document["viewport"]
    return int(viewport["width"]) // 8, int(viewport["height"]) // 16


def without_status(lines: list[str]) -> list[str]:
    return lines[:-1]


def styled_cells(screen: pyte.Screen) -> list[tuple[str, str, str]]:
    """What all cells but the status line's show: text, background, and the text's colour where there is text."""
    shown = [screen.buffer[row][column] for row in range(screen.lines - 1) for column in range(screen.columns)]
    return [(cell.data, cell.bg, cell.fg if cell.data != " " else "") for cell in shown]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_in_both_emulators(server: Server, example: str) -> None:
    document = json.loads((ROOT / f"protocol/examples/{example}.json").read_text())
    # What the viewer shows is laid out for a terminal; so is what is expected.
    document["viewport"] = document["devices"]["terminal"]
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


# A text, and the columns in which its characters begin; then the column after it. Where terminals disagree on what is within
# a text (sequences of emoji), only that column is certain.
WIDTHS: list[tuple[str, list[int] | None, int]] = [
    ("ascii", [0, 1, 2, 3, 4], 5), ("日本語", [0, 2, 4], 6), ("한글", [0, 2], 4), ("ﬁn", [0, 1], 2), ("é", [0], 1),
    ("e\u0301", [0], 1), ("🙂", [0], 2), ("👨\u200d👩\u200d👧", None, 2), ("🇩🇪", None, 2), ("❤\ufe0f", None, 2),
    ("a\u0300\u0301b", [0, 1], 2), ("½±", [0, 1], 2), ("ｆｕｌｌ", [0, 2, 4, 6], 8),
]  # fmt: skip


def character_columns(tmux: Tmux, row: int, end: int) -> list[int]:
    """The columns before `end` in which characters of a row begin, as tmux itself reckons: its copy mode's cursor goes through
    them."""
    tmux.run("copy-mode")
    for command in ["top-line", "start-of-line", *["cursor-down"] * row, "start-of-line"]:
        tmux.run("send-keys", "-X", command)
    columns: list[int] = []
    while True:
        x, y = map(int, tmux.run("display-message", "-p", "#{copy_cursor_x} #{copy_cursor_y}").split())
        if y != row or x >= end or columns and x <= columns[-1]:
            break
        columns.append(x)
        tmux.run("send-keys", "-X", "cursor-right")
    tmux.run("send-keys", "-X", "cancel")
    return columns


@pytest.mark.parametrize("emulator", ["pyte", "tmux"])
def test_every_width_class(server: Server, emulator: str) -> None:
    """Behind each text stands a bar: it must be in its column, whatever the emulator makes of the text."""
    views = []
    for index, (text, _, end) in enumerate(WIDTHS):
        views.append({"id": f"t{index}", "kind": "label", "text": text, "frame": [0, index * 16, end * 8, 16]})
        views.append({"id": f"b{index}", "kind": "label", "text": "|end", "frame": [end * 8, index * 16, 32, 16]})
    document = {"scene": 1, "viewport": {"width": 160, "height": 16 * len(WIDTHS)}, "views": views}
    url, client = make_room(server, "widths", document)
    rows = len(WIDTHS) + 1
    if emulator == "pyte":
        terminal = PyteTerminal([PROGRAM, "view", url], 20, rows)
        terminal.wait(lambda lines: all("|end" in line for line in without_status(lines)))
        for row, (text, columns, end) in enumerate(WIDTHS):
            shown = [terminal.screen.buffer[row][column].data for column in range(end + 4)]
            assert shown[end:] == list("|end"), text
            if columns is not None:
                # The right half of a wide character is empty.
                starts = [column for column in range(end) if shown[column] != ""]
                assert starts == columns and "".join(shown[:end]) == unicodedata.normalize("NFC", text), text
        assert terminal.end() == 0
    else:
        tmux = Tmux(view_command(url), 20, rows)
        try:
            lines = tmux.wait(lambda lines: all("|end" in line for line in without_status(lines)))
            for row, (text, columns, end) in enumerate(WIDTHS):
                found = character_columns(tmux, row, end + 4)
                assert found[-4:] == [end, end + 1, end + 2, end + 3], (text, found)
                assert lines[row].endswith("|end"), text
                if columns is not None:
                    assert found[:-4] == columns and lines[row] == text + "|end", (text, found)
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
    fresh = PyteTerminal([PROGRAM, "view", url], 40, 11)
    fresh.wait(lambda lines: "live" in lines[-1] and any(lines[:-1]))

    def agree(lines: list[str]) -> bool:
        fresh.pump(0)
        return styled_cells(terminal.screen) == styled_cells(fresh.screen)

    # The last edit may be one of colours alone, which the texts of the screen do not tell.
    terminal.wait(agree)
    expected = without_status([line.rstrip() for line in terminal.screen.display])
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


@pytest.mark.parametrize(
    ("options", "environment", "foreground", "background"),
    [
        ([], {"COLORTERM": "truecolor"}, "ff8800", "402030"),
        # Of xterm's 256: 208 is ff8700, 236 is 303030.
        ([], {"COLORTERM": "", "TERM": "xterm-256color"}, "ff8700", "303030"),
        ([], {"COLORTERM": "", "TERM": "xterm"}, "brown", "black"),
        ([], {"NO_COLOR": "1"}, "default", "default"),
        (["--color", "never"], {}, "default", "default"),
        (["--color", "16"], {}, "brown", "black"),
    ],
)
def test_colours_that_a_terminal_lacks_become_the_nearest(
    server: Server, options: list[str], environment: dict[str, str], foreground: str, background: str
) -> None:
    document = {
        "scene": 1,
        "viewport": {"width": 80, "height": 16},
        "views": [{"id": "text", "kind": "label", "text": "colour", "frame": [0, 0, 80, 16], "foreground": "#ff8800", "background": "#402030"}],
    }  # fmt: skip
    url, client = make_room(server, "colours", document)
    terminal = PyteTerminal([PROGRAM, "view", *options, url], 10, 2, environment=environment)
    terminal.wait(lambda lines: lines[0] == "colour")
    cell = terminal.screen.buffer[0][0]
    assert (cell.fg, cell.bg) == (foreground, background)
    assert terminal.end() == 0
    client.close()
