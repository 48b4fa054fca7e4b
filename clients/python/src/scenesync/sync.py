"""The client for programs without an event loop: the asynchronous one on a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, TypeVar

from .aio import AsyncClient
from .messages import DeviceRequest, Message, Result
from .mirror import Mirror
from .ops import Op

T = TypeVar("T")


class Client:
    """A connection to one room; use it with `with`.

    with Client("ws://127.0.0.1:7070/demo", role="editor") as client:
        client.apply([ops.set_constraint("sidebar-width", constant=300)])
        client.wait(lambda mirror: mirror["sidebar"].frame[2] == 300, timeout=5)

    Several addresses may be given, as with `AsyncClient`.
    """

    def __init__(self, *urls: str, timeout: float = 10.0, **options: Any) -> None:
        self._timeout = timeout
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scenesync", daemon=True)
        self._thread.start()

        async def make() -> AsyncClient:
            return AsyncClient(*urls, **options)

        self._client = self._call(make())

    def _call(self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout or self._timeout)

    def __enter__(self) -> Client:
        try:
            self._call(self._client.__aenter__())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection and its thread."""
        try:
            self._call(self._client.__aexit__(None, None, None))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(self._timeout)

    @property
    def mirror(self) -> Mirror:
        """The mirror as it stands; another thread keeps it up, so compare within `read` or `wait`."""
        return self._client.mirror

    def read(self, reader: Callable[[Mirror], T]) -> T:
        """Runs `reader` while nothing changes the mirror."""

        async def run() -> T:
            return reader(self._client.mirror)

        return self._call(run())

    def apply(self, ops: list[Op], *, atomic: bool = False, undo_group: int = 0) -> Result:
        """As `AsyncClient.apply`."""
        return self._call(self._client.apply(ops, atomic=atomic, undo_group=undo_group))

    def undo(self) -> Result:
        """As `AsyncClient.undo`."""
        return self._call(self._client.undo())

    def redo(self) -> Result:
        """As `AsyncClient.redo`."""
        return self._call(self._client.redo())

    def send(self, message: Message) -> None:
        """As `AsyncClient.send`."""
        self._call(self._client.send(message))

    def change_device(self, device: DeviceRequest) -> None:
        """Watches the scene on another device, now and after every cut; the state on it follows."""
        self._call(self._client.change_device(device))

    def wait(self, condition: Callable[[Mirror], bool], timeout: float | None = None) -> Mirror:
        """Waits until the condition holds; raises `TimeoutError` otherwise."""
        limit = timeout or self._timeout
        return self._call(self._client.wait(condition, limit), limit + 1)
