"""Terminals for the viewer: pyte on a pseudo-terminal, and tmux. Both are emulators that others wrote."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shlex
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Callable

import pyte
from scenesync_server import PATIENCE, PROGRAM

ENTER, TAB = "\r", "\t"


class PyteTerminal:
    """A program on a pseudo-terminal that pyte emulates; it answers DA1, DECRQM and DSR as a good terminal does."""

    def __init__(
        self, arguments: list[str], columns: int, rows: int, knows_synchronized: bool = True,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.knows_synchronized = knows_synchronized
        self.descriptor, program = pty.openpty()
        fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            arguments, stdin=program, stdout=program, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor",
                 **(environment or {})},
        )  # fmt: skip
        os.close(program)

    def pump(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:
            return False
        self.written += data
        self.answer(data)
        self.stream.feed(data.replace(b"\x1b[?2026$p", b""))
        return bool(data)

    def answer(self, data: bytes) -> None:
        if b"\x1b[?2026$p" in data:
            os.write(self.descriptor, b"\x1b[?2026;%d$y" % (2 if self.knows_synchronized else 0))
        for _ in range(data.count(b"\x1b[c")):
            os.write(self.descriptor, b"\x1b[?62;22c")
        for _ in range(data.count(b"\x1b[5n")):
            os.write(self.descriptor, b"\x1b[0n")

    def wait(self, holds: Callable[[list[str]], bool]) -> list[str]:
        """The screen once it is as wished."""
        deadline = time.monotonic() + PATIENCE
        while True:
            lines = [line.rstrip() for line in self.screen.display]
            if holds(lines):
                return lines
            if time.monotonic() > deadline:
                raise AssertionError("the screen stayed:\n" + "\n".join(lines))
            self.pump(0.2)

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def end(self) -> int:
        """Ends the program, whatever it shows, and tells its exit code."""
        self.type("\x03")
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            self.pump(0.05)
        code = self.process.wait(timeout=PATIENCE)
        # What it wrote last.
        while self.pump(0):
            pass
        os.close(self.descriptor)
        return code


class Tmux:
    """A tmux server of one's own, with a session that runs a command."""

    def __init__(self, command: str, columns: int, rows: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.base = ["tmux", "-S", f"{self.folder.name}/socket", "-f", "/dev/null"]
        environment = "TERM=tmux-256color COLORTERM=truecolor"
        subprocess.run(
            [*self.base, "new-session", "-d", "-x", str(columns), "-y", str(rows),
             f"{environment} {command}; echo ENDED $?; exec sleep 1000"],
            check=True, env={**os.environ, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip

    def run(self, *arguments: str) -> str:
        return subprocess.run([*self.base, *arguments], check=True, capture_output=True, text=True).stdout

    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.run("capture-pane", "-p").split("\n")[:-1]]

    def wait(self, holds: Callable[[list[str]], bool]) -> list[str]:
        deadline = time.monotonic() + PATIENCE
        while True:
            lines = self.lines()
            if holds(lines):
                return lines
            if time.monotonic() > deadline:
                raise AssertionError("the screen stayed:\n" + "\n".join(lines))
            time.sleep(0.05)

    def keys(self, *keys: str) -> None:
        self.run("send-keys", *keys)

    def type(self, text: str) -> None:
        self.run("send-keys", "-l", text)

    def mouse(self, kind: str, column: int, row: int) -> None:
        """`press`, `drag` or `release` at a cell, from 0."""
        button, final = {"press": (0, "M"), "drag": (32, "M"), "release": (0, "m")}[kind]
        self.type(f"\x1b[<{button};{column + 1};{row + 1}{final}")

    def resize(self, columns: int, rows: int) -> None:
        self.run("resize-window", "-x", str(columns), "-y", str(rows))

    def pid_of(self, name: str) -> int:
        """The process of that name in the pane."""
        shell = self.run("list-panes", "-F", "#{pane_pid}").strip()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = subprocess.run(["pgrep", "-P", shell, name], capture_output=True, text=True).stdout.split()
            if found:
                return int(found[0])
            time.sleep(0.05)
        raise AssertionError(f"no {name} below {shell}")

    def kill(self) -> None:
        subprocess.run([*self.base, "kill-server"], check=False, stderr=subprocess.DEVNULL)
        self.folder.cleanup()


def has(*words: str) -> Callable[[list[str]], bool]:
    """Whether each stands somewhere on the screen."""
    return lambda lines: all(any(word in line for line in lines) for word in words)


def reach(app: PyteTerminal, word: str, beside: str = "", side: int = 0) -> None:
    """Tab, until a word, or the one in the line of another, has the focus.

    What is higher than two rows has it at its sides alone: so many columns left of the word.
    """
    app.wait(lambda lines: any(word in line and beside in line for line in lines))
    row = column = 0
    for _ in range(30):
        app.type(TAB)
        for _ in range(10):
            app.pump(0.05)
            # It may move; and a placeholder is gone once its field has the focus.
            found = ((row, line.index(word) - side) for row, line in enumerate(app.screen.display) if word in line and beside in line)
            row, column = next(found, (row, column))
            if app.screen.buffer[row][column].reverse:
                return
    raise AssertionError(f"Tab does not come to {word}")


def view_command(url: str, *options: str) -> str:
    return shlex.join([PROGRAM, "view", *options, url])
