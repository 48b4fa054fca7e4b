"""What happens to a server besides the writing of rooms: pictures are brought, rooms are made, copied, renamed, exported, imported and
deleted, and what each answer promises is noted."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import random
import socket
import threading
import time
from dataclasses import dataclass
from typing import Any

#: What goes wrong with a request while the server is being killed.
BROKEN = (OSError, http.client.HTTPException)
#: Bytes of a picture at most.
PICTURE = 60_000
#: Seconds at most between two requests.
PAUSE = 0.15


def request(connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    """Asks a server."""
    connection.request(method, path, body)
    answer = connection.getresponse()
    return answer.status, answer.read()


def connect(port: int) -> http.client.HTTPConnection:
    """A connection to the server on this machine, which opens when it is used."""
    return http.client.HTTPConnection("127.0.0.1", port, timeout=20)


@dataclass
class Step:
    """A room or a picture that was to come or to go: from when on, and since when it was promised."""

    begun: int
    comes: bool
    promised: int | None = None

    def is_promised(self, moment: int) -> bool:
        return self.promised is not None and self.promised <= moment


class Promises:
    """What of a kind must be there, by name."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._steps: dict[Any, list[Step]] = {}

    def begin(self, name: Any, comes: bool) -> Step:
        step = Step(time.monotonic_ns(), comes)
        with self._lock:
            self._steps.setdefault(name, []).append(step)
        return step

    def possible(self, moment: int) -> dict[Any, set[bool]]:
        """Whether each may be there, and may not be there, after a power failure at a moment."""
        with self._lock:
            all_steps = {name: list(steps) for name, steps in self._steps.items()}
        result = {}
        for name, steps in all_steps.items():
            found = {False}
            for step in steps:
                if step.begun > moment:
                    break
                found = {step.comes} if step.is_promised(moment) else found | {step.comes}
            result[name] = found
        return result


class Guest(threading.Thread):
    """Sends one request after another, also while the server is away."""

    def __init__(self, port: int, seed: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._chance = random.Random(seed)
        self._stopping = threading.Event()
        #: Answers that promise something.
        self.count = 0

    def stop(self) -> None:
        self._stopping.set()
        self.join(30)

    def run(self) -> None:
        while not self._stopping.is_set():
            try:
                # What is asked for while the server is away would only make a longer list of what may be there.
                with contextlib.closing(socket.create_connection(("127.0.0.1", self._port), timeout=1)):
                    pass
                self.act()
            except BROKEN:
                # There is no notice when it is back.
                self._stopping.wait(0.02)
            self._stopping.wait(self._chance.random() * PAUSE)

    def act(self) -> None:
        raise NotImplementedError

    def ask(self, method: str, path: str, body: bytes | None, *steps: Step) -> bytes:
        """Asks, and notes that steps were promised where the answer says so."""
        with contextlib.closing(connect(self._port)) as connection:
            status, answer = request(connection, method, path, body)
        if status // 100 == 2:
            now = time.monotonic_ns()
            self.count += 1
            for step in steps:
                step.promised = now
        return answer


class Painter(Guest):
    """Brings pictures, each another one, and has a writer's view show it then."""

    def __init__(self, port: int, seed: int, writers: list[Any]) -> None:
        super().__init__(port, seed)
        self._writers = writers
        #: By room and bytes.
        self.pictures = Promises()

    def act(self) -> None:
        writer = self._chance.choice(self._writers)
        # A GIF of 3 by 2; what follows its header is as good as any.
        picture = b"GIF89a\x03\x00\x02\x00\x00\x00\x00," + self._chance.randbytes(self._chance.randint(8, PICTURE))
        step = self.pictures.begin(picture, True)
        self.ask("PUT", f"/blobs/{writer.room}", picture, step)
        if step.promised is not None:
            writer.others.append([{"op": "setView", "id": f"v{writer.number}", "image": hashlib.sha256(picture).hexdigest()}])


class Keeper(Guest):
    """Makes rooms and does with them what administrators can. Each name is used for one room."""

    def __init__(self, port: int, seed: int, name: str) -> None:
        super().__init__(port, seed)
        self._name, self._next = name, 0
        self.rooms = Promises()
        #: Old and new names of rooms, and the step that brings the new one.
        self.renamed: list[tuple[Step, str, str]] = []
        self._present: list[str] = []
        #: A room as a file; empty before one was exported.
        self.exported = b""

    def announce(self) -> tuple[str, Step]:
        """The name of a room that is to come."""
        self._next += 1
        name = f"{self._name}{self._next}"
        return name, self.rooms.begin(name, True)

    def act(self) -> None:
        kind = self._chance.choice(["make", "copy", "rename", "import", "delete"]) if self._present else "make"
        if kind == "make":
            name, step = self.announce()
            document = {"scene": 1, "viewport": {"width": 90, "height": 60}, "views": [{"id": "it", "kind": "label", "text": "kept"}]}
            self.ask("PUT", f"/admin/rooms/{name}/scene", json.dumps(document).encode(), step)
            self._keep(name, step)
            return
        source = self._chance.choice(self._present)
        if kind == "delete":
            # With any outcome, nothing more is done with this name.
            self._present.remove(source)
            self.ask("DELETE", f"/admin/rooms/{source}", None, self.rooms.begin(source, False))
            return
        if kind == "import":
            self.exported = self.ask("GET", f"/admin/rooms/{source}/snapshot", None)
            name, step = self.announce()
            self.ask("PUT", f"/admin/rooms/{name}/snapshot", self.exported, step)
        elif kind == "copy":
            name, step = self.announce()
            self.ask("POST", f"/admin/rooms/{source}/copy?to={name}", b"", step)
        else:
            self._present.remove(source)
            name, step = self.announce()
            self.renamed.append((step, source, name))
            self.ask("POST", f"/admin/rooms/{source}/rename?to={name}", b"", step, self.rooms.begin(source, False))
        self._keep(name, step)

    def _keep(self, name: str, step: Step) -> None:
        if step.promised is not None:
            self._present.append(name)
