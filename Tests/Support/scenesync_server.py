"""Runs `scenesync serve` for tests, benchmarks and pictures.

SCENESYNC names the program; the debug build is the default.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "protocol" / "examples"
PROGRAM = str(Path(os.environ.get("SCENESYNC", ROOT / ".build/debug/scenesync")).resolve())

#: A fault, and nothing else, takes longer than so many seconds.
PATIENCE = 60


class Server:
    """A server in a process of its own, on a free port unless one is given. It stops at the end of a `with` block."""

    def __init__(
        self, *arguments: str, port: int = 0, before_start: Callable[[], Any] | None = None, command: str = "serve"
    ) -> None:
        """`before_start` runs in the new process before the program does; `command` may be `demo` too."""
        self.process = subprocess.Popen(
            [PROGRAM, command, "--port", str(port), *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, preexec_fn=before_start,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("listening on "), f"the server printed {line!r}"
        self.url = line.split()[-1]
        self.http = self.url.replace("ws", "http", 1)
        self.port = int(self.url.rsplit(":", 1)[1])

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Sends a signal, if the process still runs, and waits for its end."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(PATIENCE)

    def apply(self, value: Any, room: str = "demo", *arguments: str) -> list[dict[str, Any]]:
        """Sends a document, an op or ops as another member does, and returns the results."""
        done = self._apply(value, room, *arguments)
        return [json.loads(line) for line in done.stdout.splitlines() if line]

    def make_room(self, room: str, value: Any) -> str:
        """Sends a document or ops, all of which have to be taken, and returns the room's address."""
        done = self._apply(value, room)
        assert done.returncode == 0, done.stdout + done.stderr
        return f"{self.url}/{room}"

    def _apply(self, value: Any, room: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PROGRAM, "apply", "--timeout", str(PATIENCE), f"{self.url}/{room}", "-", *arguments],
            input=json.dumps(value), capture_output=True, text=True, timeout=2 * PATIENCE, check=False,
        )  # fmt: skip

    def view(self, form: str = "json", room: str = "demo") -> str:
        """The picture of a room as the terminal viewer prints it."""
        done = subprocess.run(
            [PROGRAM, "view", "--once", "--format", form, f"{self.url}/{room}"], capture_output=True, text=True,
            timeout=PATIENCE, check=True,
        )  # fmt: skip
        return done.stdout

    def frames(self, room: str = "demo") -> dict[str, list[float]]:
        """The frames of a room's views, by the views' ids."""
        return {name: [float(side) for side in frame] for name, frame in json.loads(self.view(room=room))["frames"].items()}

    def text(self, path: str) -> str:
        """What is at a path of the server's address."""
        with urllib.request.urlopen(self.http + path, timeout=PATIENCE) as response:
            body: bytes = response.read()
        return body.decode()
