"""The rooms of `scenesync demo`, as the tests of all screens use them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from scenesync import EVENTS, AsyncClient
from scenesync.errors import SceneSyncError
from scenesync_server import PATIENCE, Server

#: What does nothing and is dealt with, once the program behind a room is there: the page that is shown, a press that ends at once.
HARMLESS = {"demo": ("tap", "menu-overview", None), "board": ("press", "todo", "ended")}


async def there(url: str, room: str) -> None:
    """Returns once the program behind a room deals with what people do."""
    kind, view, value = HARMLESS[room]
    while True:
        try:
            async with AsyncClient(f"{url}/{room}", role="participant", capabilities=EVENTS) as person:
                await person.wait(lambda mirror: view in mirror)
                while await person.send_event(kind, view, value) != "handled":
                    await asyncio.sleep(0.02)
                return
        except SceneSyncError:
            # The room is the program's to make.
            await asyncio.sleep(0.05)


@contextmanager
def demo(*arguments: str) -> Iterator[Server]:
    """A demo whose programs are there."""

    async def all_there(url: str) -> None:
        for room in HARMLESS:
            await asyncio.wait_for(there(url, room), PATIENCE)

    with Server("--in-memory", *arguments, command="demo") as server:
        # In a thread of its own: where a browser is driven, this one has a loop already.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: asyncio.run(all_there(server.url))).result()
        yield server
