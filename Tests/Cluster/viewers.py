"""People who watch a room of a cluster: each notes when its picture moved on, and what a client should not have to do."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

from crowd import run_before_others, waits
from scenesync.connecting import Connect
from scenesync.messages import Message, Resync, Snapshot
from scenesync.session import MERGED_RESUME, ClientSession, Event, Updated
from sockets import Closed, Socket

#: How long an address has for the opening handshake, in seconds.
OPENING = 2.0
#: Between two looks at what is due, and at how late such a look is.
LOOK = 0.02
#: Seconds between the joins of two viewers: the room is not what is tried at first.
JOINS_APART = 0.01


class CountingSession(ClientSession):
    """Counts the whole states that it receives, and how often it has to ask for one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.snapshots = self.resyncs = 0

    def _send(self, message: Message) -> None:
        self.resyncs += isinstance(message, Resync)
        super()._send(message)

    def _update(self, message: Message, now: float) -> Event | None:
        self.snapshots += isinstance(message, Snapshot) and message.chunk_index == 0
        return super()._update(message, now)


class Viewer:
    """Somebody who watches a room, and goes on where the client's rules say when a connection ends."""

    def __init__(self, urls: list[str], room: str, view: str, format: str, token: str = "") -> None:
        """Watches the text of `view`, `NAME:NUMBER`, which counts up. Begins at the first of `urls`."""
        self._urls, self._room, self._view, self._format, self._token = urls, room, view, format, token
        self._begin()
        self.is_stopping = False
        #: The URL that it is welcome at.
        self.url: str | None = None
        #: The last number that it has seen.
        self.shown = 0
        #: When the picture moved on, since this was emptied.
        self.moments: list[float] = []
        #: Why connections ended, since this was emptied.
        self.ends: list[str] = []
        #: From the end of a connection until the picture moved on again, in seconds, since this was emptied.
        self.absences: list[float] = []
        self._ended: float | None = None
        self._socket: Socket | None = None
        self._leaves = False

    def _begin(self) -> None:
        capabilities = MERGED_RESUME
        self.session = CountingSession(
            room=self._room, token=self._token, format=self._format, capabilities=capabilities, urls=self._urls
        )
        self._is_new = True

    @property
    def home(self) -> str:
        """The address that it prefers."""
        return self._urls[0]

    def begin_anew(self) -> None:
        """Leaves, and joins as somebody else at the address that it prefers; `url` is None until then."""
        self.url = None
        self._leaves = True

    async def run(self) -> None:
        """Watches until it is told to stop."""
        url = self.home
        while not self.is_stopping:
            if self._is_new:
                self._is_new = False
                url = self.session.connect(time.monotonic())
            session, code = self.session, None
            try:
                await self._watch(url)
            except (OSError, Closed, asyncio.TimeoutError) as error:
                self.ends.append(f"{url}: {error!r}")
                code = error.code if isinstance(error, Closed) else None
            self.url = self._socket = None
            self._ended = self._ended or time.monotonic()
            if session is not self.session or self.is_stopping:
                continue
            retry = session.disconnected(code, time.monotonic())
            if retry is None:
                raise RuntimeError(f"a viewer gave up: {self.ends[-3:]}")
            while not isinstance(due := session.wake(time.monotonic()), Connect):
                await asyncio.sleep(min(retry.after, LOOK))
            url = due.url

    async def _watch(self, url: str) -> None:
        session = self.session
        self._socket = socket = await Socket.connect(url, session.subprotocol, OPENING)
        now = time.monotonic()
        session.connected(now)
        self._flush(socket)
        try:
            while session is self.session and not self.is_stopping:
                data = await socket.receive()
                now = time.monotonic()
                event = session.receive(data, now)
                if session.is_welcomed and not self._leaves:
                    self.url = url
                if isinstance(event, Updated):
                    self.moments.append(now)
                    if self._ended is not None:
                        self.absences.append(now - self._ended)
                        self._ended = None
                    self._look()
                self._flush(socket)
        finally:
            socket.abort()

    def _look(self) -> None:
        mirror = self.session.mirror
        if self._view in mirror:
            text = "".join(line.text for line in mirror[self._view].content.lines)
            self.shown = int(text.split(":")[1]) if ":" in text else 0

    def _flush(self, socket: Socket) -> None:
        for data in self.session.take_outgoing():
            socket.send(data)

    def wake(self, now: float) -> None:
        """Does what is due without anything being heard: acknowledges, asks a silent server, leaves."""
        if self._leaves:
            self._leaves = False
            self._begin()
        if self._socket and (self._is_new or self.is_stopping):
            self._socket.abort()
        elif self._socket and self.session.is_welcomed:
            self.session.wake(now)
            self._flush(self._socket)


class Viewers:
    """Viewers on a thread of their own."""

    def __init__(
        self, count: int, room: str, view: str, addresses: list[str], token: str = "", runs_before_others: bool = True
    ) -> None:
        """As many at each address; every fourth receives JSON."""
        self._token, self._runs_before_others = token, runs_before_others
        self._urls = [f"{address}/{room}" for address in addresses]
        self._room, self._view = room, view
        self.all = [self._viewer(number, "json" if number // len(addresses) % 4 == 3 else "bin") for number in range(count)]
        #: How late the thread came to do what was due at most, in seconds, since this was set to 0: so exact are the moments.
        self.delay = 0.0
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._newcomers: list[Viewer] = []

    def _viewer(self, number: int, format: str) -> Viewer:
        place = number % len(self._urls)
        return Viewer(self._urls[place:] + self._urls[:place], self._room, self._view, format, self._token)

    def join_at_each(self) -> list[Viewer]:
        """One more comes at each address; they have not seen what was before."""
        newcomers = [self._viewer(number, "bin") for number in range(len(self._urls))]
        self._newcomers += newcomers
        return newcomers

    async def _run(self) -> None:
        if self._runs_before_others:
            run_before_others()
        tasks = []
        try:
            for viewer in self.all:
                tasks.append(asyncio.create_task(viewer.run()))
                await asyncio.sleep(JOINS_APART)
            due = time.monotonic()
            while not all(task.done() for task in tasks):
                while self._newcomers:
                    self.all.append(self._newcomers.pop())
                    tasks.append(asyncio.create_task(self.all[-1].run()))
                now = time.monotonic()
                self.delay = max(self.delay, now - due)
                for viewer in self.all:
                    viewer.wake(now)
                for task in tasks:
                    if task.done() and (error := task.exception()):
                        raise error
                due = time.monotonic() + LOOK
                await asyncio.sleep(LOOK)
        except Exception as error:
            self.failure = error
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def __enter__(self) -> Viewers:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for viewer in self.all:
            viewer.is_stopping = True
        self._thread.join(5)

    def waits(self, condition: Callable[[list[Viewer]], bool], patience: float) -> bool:
        """Waits until something holds of the viewers."""
        return waits(self, condition, patience)
