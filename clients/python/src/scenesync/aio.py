"""The asynchronous client, over `websockets`."""

from __future__ import annotations

import asyncio
import logging
import ssl
import sys
from collections import deque
from collections.abc import AsyncIterator, Coroutine
from types import TracebackType
from typing import Any, TypeVar

import websockets
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.asyncio.client import connect as open_socket

from .connecting import Abandoned, Connect, Retry, parts, unix_socket
from .errors import ConnectionEnded, DecodeError, EventError, RefusedError
from .events import ReceivedEvent
from .messages import Annotations, DeviceRequest, ErrorMessage, Message, Presence, Refused, Result, SentEvent
from .mirror import Mirror
from .ops import Op
from .session import ClientSession, Event, NotGranted, Updated
from .tls import PathName, tls_context
from .tokens import RETRY_SECONDS, Renewal, TokenError, TokenProvider, fetch, wall_clock
from .values import EventResult, Interaction

MESSAGE_BYTES = 1 << 24

T = TypeVar("T")
log = logging.getLogger("scenesync")


async def _until(due: float | None, work: Coroutine[Any, Any, T]) -> T:
    """What `work` comes to, unless it takes beyond a time of the loop: `asyncio.TimeoutError` then.

    A task for each message, as `wait_for` makes one, takes longer than to read and answer the message.
    """
    left = None if due is None else max(0.0, due - asyncio.get_running_loop().time())
    if left == 0:
        # What can be done at once would go before what is due, again and again.
        work.close()
        raise asyncio.TimeoutError
    if sys.version_info >= (3, 11):
        async with asyncio.timeout(left):
            return await work
    return await asyncio.wait_for(work, left)


class _Silence(Exception):
    """The session has given the connection up."""

    def __init__(self, retry: Retry | None) -> None:
        super().__init__()
        self.retry = retry


class _Connection(ClientConnection):
    """A connection that knows when bytes came: parts of a long message, too."""

    heard_at: float | None = None

    def data_received(self, data: bytes) -> None:
        self.heard_at = self.loop.time()
        super().data_received(data)


class AsyncClient:
    """A connection to one room; use it with `async with`.

        async with AsyncClient("ws://127.0.0.1:7070/demo", role="editor") as client:
            await client.apply([ops.set_constraint("sidebar-width", constant=300)])
            async for mirror in client.updates():
                print(mirror["main"].frame)

    Several addresses may be given, the preferred first: where a connection ends or does not come about, the next one is tried, and
    then those that servers named. Each is `ws://HOST:PORT/ROOM`, `wss://…`, or
    `ws+unix:///FILE:/ROOM` for a Unix socket.

    `token` is a string or a provider: a function or a coroutine function that returns one, such as `token_file(path)` and
    `token_command(arguments)`. A provider is asked before each connection and before the present token ends.

    `ca_file`, `certificate_file` and `key_file` are PEM files for `wss:` addresses: the certificates to trust in place of the
    system's, and the client's own certificate. `ssl_context` takes the place of all three.
    """

    def __init__(
        self, *urls: str, session: ClientSession | None = None, token: str | TokenProvider = "",
        ca_file: PathName | None = None, certificate_file: PathName | None = None, key_file: PathName | None = None,
        ssl_context: ssl.SSLContext | None = None, **options: Any,
    ) -> None:  # fmt: skip
        for url in urls:
            if parts(url) is None and unix_socket(url) is None:
                raise ValueError(f"{url!r} is no ws:// or wss:// address")
        if session is None and not urls:
            raise ValueError("give the address of a room")
        if ssl_context is not None and (ca_file, certificate_file, key_file) != (None, None, None):
            raise ValueError("give an ssl_context or files, not both")
        self._tls = ssl_context or tls_context(ca_file, certificate_file, key_file)
        self._provider = None if isinstance(token, str) else token
        self.session = session or ClientSession(urls=urls, **options)
        if isinstance(token, str) and token:
            self.session.set_token(token)
        self._renewal = Renewal()
        self._results: dict[int, asyncio.Future[Result]] = {}
        self._event_results: dict[int, asyncio.Future[EventResult]] = {}
        # A server sends no more than 1,024 that are not answered.
        self._received: asyncio.Queue[ReceivedEvent | None] = asyncio.Queue()
        self._updated = asyncio.Condition()
        self._version = 0
        self._annotated = 0
        self._events: asyncio.Queue[Event] = asyncio.Queue(maxsize=1024)
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._end: ConnectionEnded | None = None
        self._closing = asyncio.Event()
        self._outbox: deque[bytes | str] = deque()
        self._last_error: ErrorMessage | None = None

    @property
    def mirror(self) -> Mirror:
        return self.session.mirror

    async def __aenter__(self) -> AsyncClient:
        self._task = asyncio.create_task(self._run())
        await self.wait(lambda mirror: True)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.session.end()
        self._closing.set()
        if self._socket:
            await self._socket.close()
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)

    async def apply(self, ops: list[Op], *, atomic: bool = False, undo_group: int = 0) -> Result:
        """Sends ops and waits until they are decided; raises `RefusedError` if nothing of them was taken."""
        return await self._decided(self.session.apply(ops, atomic, undo_group))

    async def undo(self) -> Result:
        """Takes this client's last step back; needs capability 2, `1 << 2`."""
        return await self._decided(self.session.undo())

    async def redo(self) -> Result:
        """Does the step again that was taken back last."""
        return await self._decided(self.session.redo())

    async def _decided(self, sequence: int) -> Result:
        future = asyncio.get_running_loop().create_future()
        self._results[sequence] = future
        await self._flush()
        if self._end:
            raise self._end
        result: Result = await future
        if isinstance(result.outcome, Refused):
            refused = result.outcome
            raise RefusedError(refused.code, refused.message, refused.op_index, refused.conflicting)
        return result

    # --- Annotations -----------------------------------------------------------------------------------------------

    @property
    def annotations(self) -> dict[tuple[str, str], Any]:
        """What people say about the scene, by kind (`thread`, `comment`, `lock`, `version`; `suggestion` with capability 15) and id;
        needs capability 13, `ANNOTATIONS`."""
        return self.session.annotations

    async def annotation_updates(self) -> AsyncIterator[dict[tuple[str, str], Any]]:
        """The annotations as they are, and again each time they changed; changes that come while the caller is busy are one. Ends
        with the connection."""
        seen = -1
        while True:
            async with self._updated:
                while self._annotated == seen and self._end is None:
                    await self._updated.wait()
                if self._end:
                    return
                seen = self._annotated
            yield self.annotations

    # --- Events ----------------------------------------------------------------------------------------------------

    @property
    def interactions(self) -> dict[str, Interaction]:
        """What people can do with views, by id; needs capability 10, `EVENTS`, as what follows."""
        return self.session.interactions

    async def send_event(
        self, kind: str, view: str = "", value: Any = None, *, place: tuple[float, float] = (0.0, 0.0), modifiers: int = 0,
        to: int = 0,
    ) -> str:  # fmt: skip
        """Sends what somebody did, and waits for what became of it: `handled`, `unhandled` or `unknown`; raises `EventError`
        where it was refused. A `message` may name a member in `to`, or `EVERYONE`."""
        event = SentEvent(0, to, kind, view, self.mirror.tick, place, modifiers, value)
        sequence = self.session.send_event(event)
        if sequence is None:
            raise EventError("limit", "256 events wait for their results; await some")
        future = asyncio.get_running_loop().create_future()
        self._event_results[sequence] = future
        await self._flush()
        if self._end:
            raise self._end
        result: EventResult = await future
        if result.outcome == "refused":
            raise EventError(result.code, result.message)
        return result.outcome

    async def handle(self, roots: list[str]) -> None:
        """Handles the events of some subtrees, now and after every cut; an editor's right."""
        self.session.handle(roots)
        await self._flush()

    async def received(self) -> AsyncIterator[ReceivedEvent]:
        """The events that this client handles, and messages to it; each is to be answered."""
        while event := await self._received.get():
            yield event

    async def answer(self, event: ReceivedEvent, is_handled: bool = True) -> None:
        """Says what became of an event."""
        self.session.answer(event, is_handled)
        await self._flush()

    async def send(self, message: Message) -> None:
        """Sends any message of a client, such as `Presence`."""
        self.session.send(message)
        await self._flush()

    async def change_device(self, device: DeviceRequest) -> None:
        """Watches the scene on another device, now and after every cut; the state on it follows."""
        self.session.change_device(device)
        await self._flush()

    async def wait(self, condition: Any, timeout: float | None = None) -> Mirror:
        """Waits until the mirror is whole and `condition(mirror)` holds."""

        async def until() -> Mirror:
            async with self._updated:
                while self._end is None and (self.mirror.needs_snapshot or not condition(self.mirror)):
                    await self._updated.wait()
                if self._end:
                    raise self._end
                return self.mirror

        return await asyncio.wait_for(until(), timeout)

    async def updates(self) -> AsyncIterator[Mirror]:
        """The mirror, each time it moved on; updates that come while the caller is busy are one."""
        seen = -1
        while True:
            async with self._updated:
                while self._version == seen and self._end is None:
                    await self._updated.wait()
                if self._end:
                    return
                seen = self._version
            if not self.mirror.needs_snapshot:
                yield self.mirror

    async def ended(self) -> ConnectionEnded:
        """Waits until the connection has ended for good."""
        async with self._updated:
            while self._end is None:
                await self._updated.wait()
            return self._end

    async def events(self) -> AsyncIterator[Event]:
        """Presence, diagnostics, traces and errors; the oldest are dropped when 1,024 wait."""
        while True:
            yield await self._events.get()

    # --- The connection --------------------------------------------------------------------------------------------

    async def _flush(self) -> None:
        self._outbox.extend(self.session.take_outgoing())
        if self._socket and self._end is None:
            try:
                while self._outbox:
                    # What waits for a slow server when this is cancelled has been handed over already.
                    await self._socket.send(self._outbox.popleft())
            except websockets.ConnectionClosed:
                pass  # The loop that receives hears of it too, and sends again what has no answer.

    async def _flush_in_time(self) -> None:
        """Sends without waiting for a server that takes nothing in longer than until something is due."""
        self._outbox.extend(self.session.take_outgoing())
        if not self._outbox:
            return
        try:
            await _until(self.session.wake_at, self._flush())
        except asyncio.TimeoutError:
            pass

    # --- Tokens ----------------------------------------------------------------------------------------------------

    async def _fetch_token(self) -> bool:
        """Asks the provider for a token and uses it; returns whether it is another one.

        Raises `TokenError`, and `ConnectionEnded` if the client is closed meanwhile.
        """
        if self._provider is None:
            return False
        asking = asyncio.create_task(fetch(self._provider))
        closing = asyncio.create_task(self._closing.wait())
        try:
            await asyncio.wait({asking, closing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            closing.cancel()
            if not asking.done():
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
        if asking.cancelled():
            raise ConnectionEnded(None, "closed")
        token, before = asking.result(), self.session.token
        self.session.set_token(token)
        return token != before

    async def _ask_after(self, code: int | None) -> None:
        """Asks the provider for another token where the server has ended the connection for the present one."""
        if self.session.may_use_another_token(code):
            try:
                await self._fetch_token()
            except (TokenError, ConnectionEnded):
                pass

    async def _renew(self) -> None:
        """Renews the token of the present connection, each time before it ends; runs as long as the connection."""
        while True:
            # A token that the provider gives between hello and welcome would reach no server.
            pause = self._renewal.pause(wall_clock()) if self.session.is_welcomed else RETRY_SECONDS
            if pause > 0:
                await asyncio.sleep(pause)
                continue
            try:
                if await self._fetch_token():
                    self._renewal.began(self.session.token, wall_clock())
                    await self._flush()
                else:
                    self._renewal.failed(wall_clock())
            except TokenError as error:
                log.warning("the token was not renewed: %s", error)
                self._renewal.failed(wall_clock())
            except ConnectionEnded:
                return

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        url: str | None = self.session.connect(clock())
        while url is not None:
            end, retry = await self._hold(url)
            self._socket = None
            if retry is None:
                return await self._finish(end)
            url = await self._pause()
        await self._finish(ConnectionEnded(None, ""))

    async def _hold(self, url: str) -> tuple[ConnectionEnded, Retry | None]:
        """One connection, from its opening to its end; how it ended, and what the session does then."""
        clock = asyncio.get_running_loop().time
        code: int | None = None
        reason = ""
        socket: ClientConnection | None = None
        try:
            await self._fetch_token()
        except TokenError as error:
            return ConnectionEnded(None, str(error)), self.session.disconnected(None, clock())
        except ConnectionEnded as end:
            return end, None
        renewing: asyncio.Task[None] | None = None
        tls: dict[str, Any] = {"ssl": self._tls} if self._tls and url.startswith("wss:") else {}
        try:
            # The session notices silence, and no later than the library would.
            unix = unix_socket(url)
            connect, place = (unix_connect, (unix[0], f"ws://localhost{unix[1]}")) if unix else (open_socket, (url,))
            socket = await connect(
                *place, subprotocols=[websockets.Subprotocol(self.session.subprotocol)], compression=None,
                max_size=MESSAGE_BYTES, open_timeout=self.session.patience.open, ping_interval=None,
                create_connection=_Connection, **tls,
            )  # fmt: skip
            if socket.subprotocol != self.session.subprotocol:
                await socket.close(1002, "no subprotocol")
                return ConnectionEnded(1002, "the server speaks no subprotocol of ours"), None
            self._socket = socket
            self._outbox.clear()
            self.session.connected(clock())
            if self._provider:
                self._renewal.began(self.session.token, wall_clock())
                renewing = asyncio.create_task(self._renew())
            await self._flush_in_time()
            async for data in self._messages(socket):
                try:
                    await self._receive(data)
                except DecodeError as error:
                    await socket.close(4000, error.code)
                    raise
            code, reason = socket.close_code, socket.close_reason or ""
        except _Silence as silence:
            # A closing handshake would wait for the server once more.
            if socket:
                socket.transport.abort()
            return ConnectionEnded(None, "the server does not answer"), silence.retry
        except websockets.ConnectionClosed as error:
            code = error.rcvd.code if error.rcvd else None
            reason = error.rcvd.reason if error.rcvd else str(error)
        except ssl.SSLCertVerificationError as error:
            reason = f"{error}; name the authority that signed the server's certificate in ca_file"
        except (OSError, websockets.InvalidHandshake, TimeoutError, asyncio.TimeoutError) as error:
            reason = str(error) or "the server does not answer"
        except DecodeError as error:
            code, reason = 4000, str(error)
            self.session.end()
        finally:
            if renewing:
                renewing.cancel()
            if socket and not self._closing.is_set():
                await socket.close()
        if self._last_error and code == self._last_error.code:
            reason = self._last_error.text
        await self._ask_after(code)
        return ConnectionEnded(code, reason), self.session.disconnected(code, clock())

    async def _pause(self) -> str | None:
        """Waits until the next connection begins; returns where to, `None` where the client was told to end meanwhile."""
        clock = asyncio.get_running_loop().time
        while True:
            due = self.session.wake(clock())
            if isinstance(due, Connect):
                return due.url
            try:
                await asyncio.wait_for(self._closing.wait(), max(0.0, (self.session.wake_at or 0.0) - clock()))
                return None
            except asyncio.TimeoutError:
                continue

    async def _messages(self, socket: ClientConnection) -> AsyncIterator[bytes | str]:
        """The messages that come; does meanwhile what is due."""
        clock = asyncio.get_running_loop().time
        while True:
            try:
                data = await _until(self.session.wake_at, socket.recv())
            except asyncio.TimeoutError:
                if isinstance(socket, _Connection) and socket.heard_at is not None:
                    # Once: what was heard before the last ping is no answer to it.
                    self.session.heard(socket.heard_at)
                    socket.heard_at = None
                action = self.session.wake(clock())
                if isinstance(action, Abandoned):
                    raise _Silence(action.retry) from None
                await self._flush_in_time()
                continue
            except websockets.ConnectionClosedOK:
                return
            yield data

    async def _receive(self, data: bytes | str) -> None:
        event = self.session.receive(data, asyncio.get_running_loop().time())
        await self._flush_in_time()
        for sequence in self.session.take_given_up():
            given_up = self._results.pop(sequence, None)
            if given_up and not given_up.done():
                given_up.set_exception(NotGranted("the server does not take undo and redo: it was not sent"))
        for result in self.session.take_event_results():
            waiting = self._event_results.pop(result.event_sequence, None)
            if waiting and not waiting.done():
                waiting.set_result(result)
        if isinstance(event, ReceivedEvent):
            self._received.put_nowait(event)
        elif isinstance(event, Result):
            future = self._results.pop(event.client_sequence, None)
            if future and not future.done():
                future.set_result(event)
        elif isinstance(event, Updated):
            async with self._updated:
                self._version += 1
                self._updated.notify_all()
        elif event is not None:
            if isinstance(event, ErrorMessage):
                self._last_error = event
            if isinstance(event, Annotations):
                async with self._updated:
                    self._annotated += 1
                    self._updated.notify_all()
            if self._events.full():
                self._events.get_nowait()
            self._events.put_nowait(event)

    async def _finish(self, end: ConnectionEnded) -> None:
        async with self._updated:
            self._end = end
            self._updated.notify_all()
        self._received.put_nowait(None)
        waiting: list[asyncio.Future[Any]] = [*self._results.values(), *self._event_results.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(end)


__all__ = ["AsyncClient", "Presence"]
