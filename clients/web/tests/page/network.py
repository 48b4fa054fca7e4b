"""A network between a page and its server: slow, standing still, or gone."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Coroutine
from typing import Any

#: Each way, in seconds.
DELAY = 0.15


class Network:
    """Passes a server on. Its WebSocket connections are as slow as `delay` says, in seconds each way; its pages are not."""

    def __init__(self, port: int, delay: float = 0.0) -> None:
        self.upstream = port
        self.delay = delay
        self._is_gone = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        #: Whether pieces are delivered: to the server, and to the page.
        self._flowing = [asyncio.Event(), asyncio.Event()]
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.release()
        self._server = self._call(asyncio.start_server(self._handle, "127.0.0.1", 0, limit=1 << 20))
        self.port: int = self._server.sockets[0].getsockname()[1]

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def hold(self, backwards_only: bool = False) -> None:
        """Nothing of a WebSocket connection arrives any more until `release`: either way, or only what the server sends."""
        self._call(self._set_flowing(backwards_only, False))

    def release(self) -> None:
        self._call(self._set_flowing(True, True))

    def cut(self) -> None:
        """Ends every WebSocket connection, and makes none until `mend`."""
        self._is_gone = True
        self._call(self._end_all())

    def mend(self) -> None:
        self._is_gone = False

    def stop(self) -> None:
        self._call(self._cancel_all())
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _set_flowing(self, *directions: bool) -> None:
        for event, is_flowing in zip(self._flowing, directions, strict=True):
            if is_flowing:
                event.set()
            else:
                event.clear()

    async def _cancel_all(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _end_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            is_socket = re.search(rb"\r\nupgrade:", head, re.IGNORECASE) is not None
            if is_socket and self._is_gone:
                return writer.transport.abort()
            if not is_socket:
                # One request a connection: the next one may be another kind.
                head = re.sub(rb"\r\nconnection:[^\r]*", b"", head, flags=re.IGNORECASE)
                head = head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            back, there = await asyncio.open_connection("127.0.0.1", self.upstream)
            there.write(head)
            if is_socket:
                self._writers |= {writer, there}
            await asyncio.gather(self._copy(reader, there, is_socket, 0), self._copy(back, writer, is_socket, 1))
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            # Cancelled at the end of a test, which the streams' own callback would complain of.
            pass
        finally:
            writer.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_socket: bool, way: int) -> None:
        """Each piece arrives `delay` after it came, in order."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, piece = await pieces.get()
                if is_socket:
                    await asyncio.sleep(max(0.0, due - self._loop.time()))
                    await self._flowing[way].wait()
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()

        delivery = asyncio.ensure_future(deliver())
        try:
            while piece := await reader.read(65536):
                pieces.put_nowait((self._loop.time() + self.delay, piece))
            pieces.put_nowait((self._loop.time() + self.delay, b""))
            await delivery
        except OSError:
            delivery.cancel()
