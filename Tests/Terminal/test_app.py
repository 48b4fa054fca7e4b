"""A room as an application's screen in a real terminal: `view --app`."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from scenesync import Scene
from scenesync.events import ReceivedEvent
from scenesync_server import PROGRAM, Server
from terminal import PyteTerminal

SCENE = {
    "scene": 1,
    "viewport": {"width": 320, "height": 160},
    "views": [
        {"id": "title", "kind": "label", "text": "Settings"},
        {"id": "save", "kind": "button", "text": "Save", "events": ["tap"]},
        {"id": "on", "kind": "switch", "events": ["input"]},
        {"id": "name", "kind": "textField", "placeholder": "Your name", "events": ["input"]},
    ],
    "constraints": [
        "V:|[title][on][name]", "title.leading == root.leading", "on.leading == root.leading", "H:|[name]|",
        "save.trailing == root.trailing", "save.bottom == root.bottom",
    ],
}  # fmt: skip


def reversed_cells(terminal: PyteTerminal, row: int) -> list[int]:
    return [column for column in range(terminal.screen.columns) if terminal.screen.buffer[row][column].reverse]


def open_app(server: Server, columns: int, rows: int) -> PyteTerminal:
    url = server.make_room("room", SCENE)
    return PyteTerminal([PROGRAM, "view", "--app", url], columns, rows)


def test_the_scene_fills_the_terminal_and_nothing_is_around_it(server: Server) -> None:
    app = open_app(server, 80, 24)
    # The button stands in the last row, where the viewer has its status line.
    lines = app.wait(lambda lines: lines[23].endswith("[ Save ]"))
    assert lines[:3] == ["Settings", "○────", "Your name"]
    assert lines[3:23] == [""] * 20
    assert lines[23] == " " * 72 + "[ Save ]"
    app.type("q")
    assert app.end() == 0


def test_keys_use_what_has_the_focus(server: Server) -> None:
    app = open_app(server, 60, 12)
    app.wait(lambda lines: lines[11].endswith("[ Save ]"))
    app.type("\t")
    app.wait(lambda lines: reversed_cells(app, 11) == list(range(52, 60)))
    app.type("\t")
    app.wait(lambda lines: reversed_cells(app, 1) == list(range(5)))
    app.type("\t")
    # The cursor of the text field.
    app.wait(lambda lines: reversed_cells(app, 2) == [0] and lines[2] == "")
    app.type("Ada q")
    app.wait(lambda lines: lines[2] == "Ada q" and reversed_cells(app, 2) == [5])
    # Nobody handles it, so what was written is not kept.
    app.type("\r")
    app.wait(lambda lines: lines[2] == "")
    app.type("\x1b[Z")
    app.wait(lambda lines: lines[2] == "Your name" and reversed_cells(app, 1) == list(range(5)))
    # Neither is a switch: it goes back.
    app.type(" ")
    app.wait(lambda lines: lines[1] == "○────")
    assert app.end() == 0


def test_a_server_that_goes_is_said(server: Server) -> None:
    app = open_app(server, 40, 8)
    app.wait(lambda lines: lines[7].endswith("[ Save ]"))
    server.stop()
    app.wait(lambda lines: "reconnecting" in lines[7])
    assert app.end() == 0


def test_what_does_not_go_together_is_refused() -> None:
    for options in (["--once"], ["--edit"], ["--follow"], ["--beside", "phone"]):
        done = subprocess.run([PROGRAM, "view", "--app", *options, "ws://127.0.0.1:1/room"], capture_output=True, text=True, timeout=30)
        assert done.returncode == 64, options
        assert "--app" in done.stderr


@contextmanager
def program(server: Server) -> Iterator[list[tuple[str, str, object]]]:
    """A program behind the room, in a thread of its own; what it hears. It takes over each value, and counts taps in the title."""
    heard: list[tuple[str, str, object]] = []
    loop = asyncio.new_event_loop()
    ready, end = threading.Event(), asyncio.Event()

    async def run() -> None:
        async with Scene.connect(f"{server.url}/room") as scene:

            @scene.on("tap")
            async def tap(event: ReceivedEvent) -> None:
                heard.append((event.kind, event.view, event.value))
                await scene.view("title").set(text=f"Saved {len(heard)}")

            @scene.on("input")
            async def enter(event: ReceivedEvent) -> None:
                heard.append((event.kind, event.view, event.value))
                await scene.view(event.view).set(value=event.value)

            await scene.handles_all()
            ready.set()
            await end.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        assert ready.wait(30)
        yield heard
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(30)
        loop.close()


def test_what_people_do_comes_to_the_program_and_back(server: Server) -> None:
    app = open_app(server, 60, 12)
    other = PyteTerminal([PROGRAM, "view", "--app", f"{server.url}/room"], 50, 10)
    app.wait(lambda lines: lines[11].endswith("[ Save ]"))
    with program(server) as heard:
        app.type("\t\r")
        app.wait(lambda lines: lines[0] == "Saved 1")
        # A click on the button, in the last row from column 53 on.
        app.type("\x1b[<0;55;12M\x1b[<0;55;12m")
        app.wait(lambda lines: lines[0] == "Saved 2")
        app.type("\t ")
        app.wait(lambda lines: lines[1] == "━━━━●" and ("input", "on", True) in heard)
        app.type("\tAda\r")
        app.wait(lambda lines: lines[2] == "Ada")
        # What shows on another screen is the scene's.
        other.wait(lambda lines: lines[:3] == ["Saved 2", "━━━━●", "Ada"])
    assert heard == [("tap", "save", None), ("tap", "save", None), ("input", "on", True), ("input", "name", "Ada")]
    assert app.end() == other.end() == 0
