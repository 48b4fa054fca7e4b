"""People who write to rooms of a cluster: each goes on at another node when its own is gone, and notes what it asked for and was told."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from typing import Any

from crowd import run_before_others, waits
from scenesync import ops
from scenesync.connecting import OWNER_CHANGED, SETTLED, Abandoned, Patience
from scenesync.messages import Refused, Result
from scenesync.session import ClientSession
from sockets import Closed, Socket

#: How long a writer waits for a node that says nothing: as a client may that knows its network, it asks after a quarter of a second whether
#: the node is there, and gives it up after another.
PATIENCE = Patience(open=1.0, welcome=2.0, silence=0.25, answer=0.25)
#: Between the end of a connection that was not welcomed, and the next one.
PAUSE = 0.05
#: Every so many ops one that cannot be accepted.
REFUSED_EVERY = 7


class History:
    """Events in the order in which they happened."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.lines: list[dict[str, Any]] = []

    def add(self, kind: str, session: str, number: int, **more: Any) -> None:
        with self._lock:
            line = {"type": kind, "time": time.monotonic_ns(), "session": session, "number": number, **more}
            self.lines.append(line)


class Writer:
    """Somebody who keeps a few ops under way in one room."""

    def __init__(
        self, number: int, room: str, addresses: list[str], history: History, padding: int = 0, interval: float = 0, ahead: int = 3,
        token: str = "",
    ) -> None:  # fmt: skip
        """Asks for something each `interval` seconds at most, and while fewer than `ahead` ops wait."""
        self.number, self.room = number, room
        self._addresses = addresses
        self._history = history
        self._ahead = ahead
        self._interval = interval
        #: When the next op may be asked for.
        self._due = 0.0
        #: So many bytes follow the numbers in each text.
        self._padding = ":" + "x" * padding if padding else ""
        # Where to connect next is decided here, for the time that it takes is measured.
        self._session = ClientSession(
            role="editor", room=room, token=token, format="json", capabilities=1 << 7, urls=addresses, patience=PATIENCE
        )
        self._next = 1
        #: When something came last, and when the present connection was welcomed.
        self._heard = 0.0
        self._welcomed_at = 0.0
        #: The numbers of messages that wait, with those of their ops, 0 for the room's preparation, and when they were asked for.
        self._waiting: dict[int, tuple[int, float]] = {}
        self._place = number % len(addresses)
        self.is_stopping = False
        #: Ops that it sends besides once it can, each list as one message; nobody waits for their results.
        self.others: deque[list[ops.Op]] = deque()
        #: The node that it is connected to.
        self.address: str | None = None
        #: When something was acknowledged, and when it was asked for.
        self.acknowledged: list[tuple[float, float]] = []
        self.refused = 0
        #: Why the last one was.
        self.reason = ""
        self.connections = 0
        #: Why connections ended.
        self.ends: deque[str] = deque(maxlen=50)

    @property
    def name(self) -> str:
        return str(self.number)

    @property
    def session_name(self) -> str:
        """The session that the server gave."""
        return self._session.welcome.session if self._session.welcome else ""

    @property
    def story(self) -> str:
        """Where it stands, for people."""
        now = time.monotonic()
        waits = [f"{number} asked for {now - asked:.3f} s ago" for number, asked in self._waiting.values()]
        return (
            f"{self.room} at {self.address}, heard {now - self._heard:.3f} s ago, welcomed {now - self._welcomed_at:.3f} s ago, waits for "
            f"{waits}, last ends {list(self.ends)[-5:]}"
        )

    @property
    def next_number(self) -> int:
        """The number that the next op will have."""
        return self._next

    @property
    def has_settled(self) -> bool:
        """Whether its connection has lasted for so long that the same address may be tried again (SPEC CONN-34)."""
        return self.address is not None and time.monotonic() - self._welcomed_at >= SETTLED

    @property
    def is_done(self) -> bool:
        return self.is_stopping and not self._waiting

    async def run(self) -> None:
        """Writes until it is told to stop and nothing waits."""
        self._prepare()
        while not self.is_done:
            address = self._addresses[self._place]
            code: int | None = None
            self._welcomed_at = 0.0
            try:
                await self._connect(address)
            except ConnectionRefusedError as error:
                # This one costs nothing, and the others may have the room already.
                self.ends.append(f"{address}: {error!r}")
            except (OSError, Closed, asyncio.TimeoutError) as error:
                now = time.monotonic()
                age = f"after {now - self._welcomed_at:.3f} s" if self.address else "not welcomed"
                self.ends.append(f"{now:.3f} {address}: {error!r}, {age}")
                code = getattr(error, "code", None)
                if self.address is None:
                    await asyncio.sleep(PAUSE)
            lasted = self.has_settled
            self.address = None
            self._session.disconnected(None, time.monotonic())
            if self.is_done:
                return
            # As a client does (SPEC CONN-34), the same node first where only the room's owner changed.
            if not (lasted and code == OWNER_CHANGED):
                self._place = (self._place + 1) % len(self._addresses)

    async def _connect(self, address: str) -> None:
        socket = await Socket.connect(f"{address}/{self.room}", "scenesync.v1.json", PATIENCE.open)
        self.connections += 1
        self._heard = time.monotonic()
        self._session.connected(self._heard)
        self._flush(socket)
        loop = asyncio.get_running_loop()
        alarm = loop.call_later(self._patience, self._wake, socket, loop)
        self._alarm = alarm
        try:
            while not self.is_done:
                data = await socket.receive()
                self._heard = time.monotonic()
                event = self._session.receive(data, self._heard)
                if self._session.is_welcomed and self.address is None:
                    self.address = address
                    self._due = self._welcomed_at = self._heard
                if isinstance(event, Result):
                    self._take(event)
                if self._session.is_welcomed:
                    self._write()
                self._flush(socket)
        finally:
            self._alarm.cancel()
            socket.abort()

    def _wake(self, socket: Socket, loop: asyncio.AbstractEventLoop) -> None:
        """Does what is due without anything being heard."""
        now = time.monotonic()
        if isinstance(self._session.wake(now), Abandoned) or self.is_done:
            socket.abort()
            return
        if self._session.is_welcomed:
            self._write()
        self._flush(socket)
        self._alarm = loop.call_later(self._patience, self._wake, socket, loop)

    @property
    def _patience(self) -> float:
        """Seconds until there is something to do without hearing anything."""
        due = [self._session.wake_at]
        if self._interval and len(self._waiting) < self._ahead:
            due.append(self._due)
        return min(0.25, *(max(0.001, at - time.monotonic()) for at in due if at is not None))

    def _flush(self, socket: Socket) -> None:
        for data in self._session.take_outgoing():
            socket.send(str(data))

    def _prepare(self) -> None:
        sequence = self._session.apply([ops.add_view(f"v{self.number}", kind="label")])
        self._waiting[sequence] = (0, time.monotonic())

    def _write(self) -> None:
        while self.others:
            self._session.apply(self.others.popleft())
        while not self.is_stopping and len(self._waiting) < self._ahead and time.monotonic() >= self._due:
            self._due = time.monotonic() + self._interval
            number = self._next
            self._next += 1
            batch = [ops.set_view(f"v{self.number}", text=f"{self.number}:{number}{self._padding}")]
            if number % REFUSED_EVERY == 0:
                batch.append(ops.remove_view("there-is-none"))
            self._history.add("invoked", self.name, number, room=self.room)
            self._waiting[self._session.apply(batch, atomic=True)] = (number, time.monotonic())

    def _take(self, result: Result) -> None:
        number, invoked = self._waiting.pop(result.client_sequence, (0, 0.0))
        if not number:
            return
        if isinstance(result.outcome, Refused):
            self.refused += 1
            self.reason = result.outcome.message
            self._history.add("refused", self.name, number)
        else:
            self._history.add("acknowledged", self.name, number)
            self.acknowledged.append((time.monotonic(), invoked))

    def give_up(self) -> None:
        """Notes what was never answered."""
        for number, _ in self._waiting.values():
            if number:
                self._history.add("unknown", self.name, number)


class Writers:
    """Writers on a thread of their own."""

    def __init__(
        self, rooms: list[str], addresses: list[str], each: int = 1, padding: int = 0, interval: float = 0,
        runs_before_others: bool = False, token: str = "", first: int = 1,
    ) -> None:  # fmt: skip
        """`first` is the number of the first writer."""
        self._runs_before_others = runs_before_others
        self.history = History()
        self.all = [
            Writer(first + index * each + place, room, addresses, self.history, padding, interval, token=token)
            for index, room in enumerate(rooms)
            for place in range(each)
        ]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self.failure: BaseException | None = None

    async def _run(self) -> None:
        if self._runs_before_others:
            run_before_others()
        try:
            await asyncio.gather(*(writer.run() for writer in self.all))
        except BaseException as error:
            self.failure = error
            raise

    def __enter__(self) -> Writers:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for writer in self.all:
            writer.is_stopping = True
        self._thread.join(5)

    def stop(self, patience: float) -> list[Writer]:
        """Asks for nothing new and waits for answers; those that still wait then are returned."""
        for writer in self.all:
            writer.is_stopping = True
        self._thread.join(patience)
        late = [writer for writer in self.all if not writer.is_done]
        for writer in late:
            writer.give_up()
        return late

    def waits(self, condition: Any, patience: float) -> bool:
        """Waits until something holds of the writers."""
        return waits(self, condition, patience)
