"""The examples of the clients, as the tests of all screens run them: each a program of its own, behind a room of a real server."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from scenesync_server import ROOT, Server

#: What each is started with behind the room's address.
ARGUMENTS: dict[str, list[str]] = {"poll": ["Tea or coffee?", "Tea", "Coffee"], "noughts": [], "kiosk": [], "chat": []}

numbers = itertools.count()


def command(language: str, name: str) -> list[str]:
    """How an example is started, without the room's address."""
    if language == "python":
        return [sys.executable, str(ROOT / "clients/python/examples" / f"{name}.py")]
    # Node has a WebSocket of its own from 22 on.
    socket = str(ROOT / "clients/web/tests/websocket.mjs")
    return ["node", "--import", socket, str(ROOT / "clients/web/examples" / f"{name}.mjs")]


@contextmanager
def running(server: Server, language: str, name: str) -> Iterator[str]:
    """An example behind a room of its own, whose address this gives once it hears what people do."""
    # Whoever was behind a room before would be waited for.
    room = f"{name}-{next(numbers)}"
    # Participants make no rooms.
    url = server.make_room(room, [{"op": "setNeedsLayout"}])
    program = subprocess.Popen([*command(language, name), url, *ARGUMENTS[name]], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None and program.stdout.readline() == "open\n"
        yield url
    finally:
        program.kill()
        program.wait()
