"""Clients that know several addresses, against real servers that die or freeze."""

from __future__ import annotations

import asyncio
import os
import signal
import time

from scenesync import AsyncClient, Patience, ops
from scenesync_server import Server

SCENE = {"scene": 1, "viewport": {"width": 320, "height": 160}, "views": [{"id": "a"}], "constraints": []}


def test_a_refused_address_is_passed_over() -> None:
    async def play(url: str) -> None:
        async with AsyncClient("ws://127.0.0.1:1/demo", "ws://127.0.0.1:2/demo", f"{url}/demo", role="editor") as client:
            await client.apply([ops.add_view("b")])
            await client.wait(lambda mirror: "b" in mirror, timeout=10)

    with Server("--in-memory") as server:
        server.apply(SCENE)
        asyncio.run(asyncio.wait_for(play(server.url), 30))


def test_a_frozen_server_is_left_for_the_one_that_it_named() -> None:
    async def play(first: Server, second: Server) -> None:
        patience = Patience(silence=1.0, answer=1.0)
        # One reads, the other writes more than the frozen server's machine takes in for it.
        async with AsyncClient(f"{first.url}/demo", role="editor", patience=patience) as editor, AsyncClient(
            f"{first.url}/demo", format="json", patience=patience
        ) as viewer:
            await viewer.wait(lambda mirror: "a" in mirror, timeout=10)
            assert editor.session.urls == [f"{first.url}/demo", f"{second.url}/demo"]
            os.kill(first.process.pid, signal.SIGSTOP)
            start = time.monotonic()
            # Words that nothing lays out.
            words = [ops.set_view("a", label="x" * 4_000)] * 15
            writes = [asyncio.create_task(editor.apply([*words, ops.add_view(f"n{n}")])) for n in range(150)]
            # Until it is gone, what it showed stays.
            assert "a" in viewer.mirror
            results = await asyncio.gather(*writes)
            assert time.monotonic() - start < 20
            assert [refusal for result in results for refusal in result.outcome.refusals] == []
            await viewer.wait(lambda mirror: all(f"n{n}" in mirror for n in range(150)), timeout=20)

    with Server("--in-memory") as second:
        second.apply(SCENE)
        with Server("--in-memory", "--alternate", second.url) as first:
            first.apply(SCENE)
            try:
                asyncio.run(asyncio.wait_for(play(first, second), 60))
            finally:
                os.kill(first.process.pid, signal.SIGCONT)
