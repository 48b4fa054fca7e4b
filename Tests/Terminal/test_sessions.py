"""Whole sessions in real terminals: an edit that a second viewer sees, and everything that ends or disturbs a viewer."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

from scenesync import Client
from scenesync_server import PROGRAM, Server
from terminal import PyteTerminal, Tmux, view_command

SCENE = {
    "scene": 1,
    "viewport": {"width": 320, "height": 160},
    "views": [
        {"id": "sidebar", "border": "single"},
        {"id": "main", "border": "single"},
        {"id": "title", "parent": "main", "kind": "label", "text": "Title"},
    ],
    "constraints": [
        "V:|[sidebar]|", "V:|[main]|", "H:|[sidebar][main]|",
        {"id": "sidebar-width", "rule": "sidebar.width == 80"},
        {"id": "title-x", "rule": "title.leading == main.leading + 16"},
        {"id": "title-y", "rule": "title.top == main.top + 32"},
    ],
}  # fmt: skip


def make_room(server: Server, name: str = "room") -> str:
    return server.make_room(name, SCENE)


def divider(lines: list[str]) -> int:
    """The column in which the sidebar's top right corner stands; -1 without one."""
    return lines[0].find("┐")


def test_a_whole_edit_that_a_second_viewer_sees(server: Server) -> None:
    url = make_room(server)
    editor = Tmux(view_command(url, "--edit", "--name", "ada"), 100, 24)
    other = Tmux(view_command(url, "--name", "bob"), 40, 11)
    try:
        other.wait(lambda lines: divider(lines) == 9)
        editor.wait(lambda lines: "live" in lines[-1])
        # At natural size a column is 8 points.
        editor.type("0")
        editor.wait(lambda lines: divider(lines) == 9)
        editor.mouse("press", 4, 5)
        editor.mouse("release", 4, 5)
        other.wait(lambda lines: any("ada" in line for line in lines))
        # The divider goes from column 9 to column 19; the op that does it is shown.
        time.sleep(0.7)
        editor.mouse("press", 9, 5)
        for column in (12, 15, 19):
            editor.mouse("drag", column, 5)
        editor.wait(lambda lines: any("sidebar-width: 80 → 160 (+80)" in line for line in lines))
        editor.mouse("release", 19, 5)
        other.wait(lambda lines: divider(lines) == 19)
        editor.wait(lambda lines: any('"id":"sidebar-width","constant":160' in line for line in lines))
        # One step of undo for the whole drag.
        editor.type("u")
        other.wait(lambda lines: divider(lines) == 9)
        editor.type("U")
        other.wait(lambda lines: divider(lines) == 19)
        # A view is added and placed by rules that are completed.
        editor.keys("Escape", "Escape")
        time.sleep(0.3)
        editor.type("/")
        editor.type("main")
        editor.keys("Enter")
        editor.type("a")
        editor.type("note label Hello")
        editor.keys("Enter")
        editor.wait(lambda lines: any('"op":"addView","id":"note"' in line and "✓" in line for line in lines))
        for rule in ("note.leading == title.leading", "note.top == title.bottom"):
            editor.type("c")
            editor.keys("C-u")
            editor.type(rule)
            editor.keys("Enter")
            editor.wait(lambda lines, rule=rule: any(rule in line and "✓" in line for line in lines))
        other.wait(lambda lines: any("Hello" in line for line in lines))
        # What contradicts is refused, with what it contradicts.
        editor.type("c")
        editor.keys("C-u")
        editor.type("sidebar.width == 8")
        editor.keys("Enter")
        editor.wait(lambda lines: any("unsatisfiable" in line and "sidebar-width" in line for line in lines))
        # The text, and the removal.
        editor.type("/")
        editor.type("note")
        editor.keys("Enter")
        editor.type("e")
        editor.keys("C-u")
        editor.type("Bye")
        editor.keys("Enter")
        other.wait(lambda lines: any("Bye" in line for line in lines))
        editor.type("x")
        other.wait(lambda lines: not any("Bye" in line for line in lines))
        # Back through the past and to the present again.
        editor.type("h")
        editor.keys("Home")
        editor.wait(lambda lines: any("of " in line and "ago" in line for line in lines) or any("journal" in line for line in lines))
        editor.keys("End")
        editor.wait(lambda lines: any("● live" in line for line in lines))
        editor.type("q")
        editor.wait(lambda lines: any("ENDED 0" in line for line in lines))
        other.wait(lambda lines: not any("ada" in line for line in lines))
    finally:
        editor.kill()
        other.kill()


def test_kill_9_leaves_the_server_unharmed(server: Server) -> None:
    url = make_room(server)
    killed = Tmux(view_command(url, "--edit"), 60, 12)
    other = Tmux(view_command(url), 40, 11)
    try:
        killed.wait(lambda lines: "live" in lines[-1])
        killed.mouse("press", 4, 5)
        killed.mouse("press", 9, 5)
        killed.mouse("drag", 12, 5)
        os.kill(killed.pid_of("scenesync"), signal.SIGKILL)
        with Client(url, role="editor") as client:
            client.apply([{"op": "setConstraint", "id": "sidebar-width", "constant": 120}])
        other.wait(lambda lines: divider(lines) == 14)
    finally:
        killed.kill()
        other.kill()


def modes(tmux: Tmux) -> str:
    tmux.type("stty -a | tr '\\n' ' '; echo; echo MODES")
    tmux.keys("Enter")
    lines = tmux.wait(lambda lines: "MODES" in lines)
    return " ".join(lines)


def test_suspend_and_come_back(server: Server) -> None:
    url = make_room(server)
    tmux = Tmux("env PS1='$ ' sh -i", 80, 24)
    try:
        tmux.wait(lambda lines: "$" in lines[0])
        tmux.type(f"{view_command(url)} ; echo CODE $?")
        tmux.keys("Enter")
        tmux.wait(lambda lines: "live" in lines[-1])
        tmux.keys("C-z")
        tmux.wait(lambda lines: "live" not in lines[-1] and any(line.startswith("$") for line in lines[1:]))
        said = modes(tmux)
        assert " icanon" in said and " echo " in said and "-icanon" not in said
        tmux.type("clear; fg")
        tmux.keys("Enter")
        tmux.wait(lambda lines: "live" in lines[-1] and any("Title" in line for line in lines))
        # Nothing that the terminal answered is left for the shell.
        tmux.type("q")
        lines = tmux.wait(lambda lines: any(line.startswith("$") for line in lines) and "live" not in lines[-1])
        assert not any("[?" in line or "0n" in line for line in lines), lines
    finally:
        tmux.kill()


def test_signals_give_the_terminal_back(server: Server) -> None:
    url = make_room(server)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGSEGV):
        # Swift's own report of a crash would ask a question on the terminal.
        command = f"SWIFT_BACKTRACE=enable=no {view_command(url)}"
        tmux = Tmux(f"sh -c '{command}; echo CODE $?; stty -a'", 80, 24)
        try:
            tmux.wait(lambda lines: "live" in lines[-1])
            shell = tmux.pid_of("sh")
            viewer = subprocess.run(["pgrep", "-P", str(shell), "scenesync"], capture_output=True, text=True).stdout
            os.kill(int(viewer.split()[0]), number)
            lines = tmux.wait(lambda lines, number=number: any(f"CODE {128 + number}" in line for line in lines) and any("icanon" in line for line in lines))
            assert "-icanon" not in " ".join(lines)
        finally:
            tmux.kill()


def test_a_storm_of_sizes_ends_in_the_right_picture(server: Server) -> None:
    url = make_room(server)
    tmux = Tmux(view_command(url), 60, 20)
    generator = random.Random(7)
    try:
        tmux.wait(lambda lines: "live" in lines[-1])
        for _ in range(60):
            tmux.resize(generator.randrange(2, 200), generator.randrange(2, 60))
        tmux.resize(40, 11)
        fresh = PyteTerminal([PROGRAM, "view", url], 40, 11)
        expected = fresh.wait(lambda lines: "live" in lines[-1] and divider(lines) == 9)[:-1]
        tmux.wait(lambda lines: lines[:-1] == expected)
        assert fresh.end() == 0
    finally:
        tmux.kill()


def test_a_closed_terminal_ends_the_viewer(server: Server) -> None:
    url = make_room(server)
    tmux = Tmux(view_command(url), 60, 12)
    tmux.wait(lambda lines: "live" in lines[-1])
    pid = tmux.pid_of("scenesync")
    tmux.kill()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0]:
        assert time.monotonic() < deadline, "the viewer lives on"
        time.sleep(0.05)
    with Client(url) as client:
        assert client.mirror.tick >= 0


def test_a_server_that_comes_back_is_found_again_without_a_blank_screen(tmp_path: Path) -> None:
    server = Server("--data", str(tmp_path))
    url = make_room(server)
    terminal = PyteTerminal([PROGRAM, "view", "--shared", url], 60, 11)
    try:
        terminal.wait(lambda lines: "live" in lines[-1] and any("Title" in line for line in lines))
        start = len(terminal.written)
        server.stop(signal.SIGKILL)
        lines = terminal.wait(lambda lines: "reconnecting" in lines[-1])
        assert any("Title" in line for line in lines)
        server = Server("--data", str(tmp_path), port=server.port)
        lines = terminal.wait(lambda lines: "live" in lines[-1])
        assert any("Title" in line for line in lines)
        assert b"\x1b[2J" not in terminal.written[start:], "the screen was cleared"
        with Client(url, role="editor") as client:
            client.apply([{"op": "setConstraint", "id": "sidebar-width", "constant": 160}])
        # Fitted into 60 columns: 160 of 320 points are half of it.
        terminal.wait(lambda lines: divider(lines) == 29)
        assert terminal.end() == 0
    finally:
        server.stop()


def test_synchronized_output_only_where_the_terminal_says_so(server: Server) -> None:
    url = make_room(server)
    for knows in (True, False):
        terminal = PyteTerminal([PROGRAM, "view", url], 60, 11, knows_synchronized=knows)
        terminal.wait(lambda lines: "live" in lines[-1])
        terminal.type("?")
        terminal.wait(lambda lines: any("Look" in line for line in lines))
        assert (b"\x1b[?2026h" in terminal.written) == knows
        assert terminal.end() == 0


def test_pipes_get_no_escape_sequences(server: Server) -> None:
    url = make_room(server)
    for options in (["--once"], ["--once", "--format", "json"], ["--once", "--format", "svg"], ["--follow", "--count", "1"]):
        done = subprocess.run([PROGRAM, "view", *options, url], capture_output=True, check=True)
        assert b"\x1b" not in done.stdout and done.stdout and not done.stderr
    refused = subprocess.run([PROGRAM, "view", url], capture_output=True, stdin=subprocess.DEVNULL)
    assert refused.returncode == 64 and b"\x1b" not in refused.stdout


def test_follow_and_wait_for(server: Server) -> None:
    url = make_room(server)
    process = subprocess.Popen(
        [PROGRAM, "view", "--follow", "--wait-for", "late", "--count", "2", url], stdout=subprocess.PIPE, text=True
    )
    with Client(url, role="editor") as client:
        client.apply([{"op": "addView", "id": "late", "frame": [8, 16, 24, 32]}])
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert first["frames"]["late"] == [8, 16, 24, 32] and first["frames"]["root"] == [0, 0, 320, 160]
        client.apply([{"op": "setConstraint", "id": "sidebar-width", "constant": 96}])
        second = json.loads(process.stdout.readline())
        assert second["frames"]["sidebar"] == [0, 0, 96, 160] and "root" not in second["frames"]
    assert process.wait(timeout=20) == 0
    late = subprocess.run([PROGRAM, "view", "--once", "--wait-for", "never", "--timeout", "0.5", url], capture_output=True)
    assert late.returncode == 1 and b"never" in late.stderr
    gone = subprocess.run([PROGRAM, "view", "--once", "--timeout", "2", "ws://127.0.0.1:1/x"], capture_output=True)
    assert gone.returncode == 69


def test_recordings_are_made_without_a_terminal_and_played_on_one(server: Server, tmp_path: Path) -> None:
    url = make_room(server)
    file = tmp_path / "scene.cast"
    subprocess.run(
        [PROGRAM, "view", "--record", str(file), "--size", "40x11", "--seconds", "1", url],
        check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert json.loads(file.read_text().splitlines()[0])["width"] == 40
    terminal = PyteTerminal([PROGRAM, "view", "--play", str(file)], 40, 11)
    terminal.wait(lambda lines: any("Title" in line for line in lines) and "live" in lines[-1])
    terminal.end()
    assert terminal.process.returncode == 0
    bad = tmp_path / "bad.cast"
    bad.write_text("nonsense\n")
    refused = subprocess.run([PROGRAM, "view", "--play", str(bad)], capture_output=True)
    assert refused.returncode == 65 and b"line 1" in refused.stderr
