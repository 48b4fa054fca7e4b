"""The examples, each run as a program, and used by people who may only send events."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from scenesync import EVENTS, AsyncClient
from scenesync_server import Server

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server("--in-memory") as server:
        yield server


def play(
    server: Server, name: str, arguments: list[str], people: int, body: Callable[[list[AsyncClient]], Awaitable[None]]
) -> None:
    url = f"{server.url}/{name}"

    async def run() -> None:
        # Participants make no rooms.
        async with AsyncClient(url, role="editor"):
            pass
        program = await asyncio.create_subprocess_exec(sys.executable, str(EXAMPLES / f"{name}.py"), url, *arguments)
        try:
            clients = [AsyncClient(url, role="participant", capabilities=EVENTS) for _ in range(people)]
            for client in clients:
                await client.__aenter__()
            await body(clients)
            for client in clients:
                await client.__aexit__(None, None, None)
        finally:
            program.kill()
            await program.wait()

    asyncio.run(asyncio.wait_for(run(), 60))


def text(client: AsyncClient, id: str) -> str:
    """What a view says, without a button's brackets."""
    return client.mirror[id].content.lines[0].text.strip("[] ") if client.mirror[id].content.lines else ""


async def tap(client: AsyncClient, id: str) -> None:
    """Taps as soon as the program is there."""
    await client.wait(lambda mirror: id in mirror)
    while await client.send_event("tap", id) != "handled":
        await asyncio.sleep(0.02)


def test_examples_are_short() -> None:
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text().splitlines()) < 120, path
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        assert len(lines) < 100, path


def test_a_poll(server: Server) -> None:
    async def body(people: list[AsyncClient]) -> None:
        ann, ben, eve = people
        await tap(ann, "answer-0")
        await tap(ben, "answer-1")
        await tap(eve, "answer-1")
        await ann.wait(lambda mirror: text(ann, "count-1") == "2" and text(ann, "count-0") == "1", 10)
        # Two thirds of 240 points.
        await ann.wait(lambda mirror: mirror["bar-1"].frame[2] == 160 and mirror["bar-0"].frame[2] == 80, 10)
        await tap(ann, "answer-1")
        await eve.wait(lambda mirror: text(eve, "count-1") == "3" and mirror["bar-0"].frame[2] == 0, 10)

    play(server, "poll", ["Tea or coffee?", "Tea", "Coffee"], 3, body)


def test_noughts_and_crosses(server: Server) -> None:
    async def body(people: list[AsyncClient]) -> None:
        ann, ben, eve = people
        for person, cell in ((ann, 0), (ben, 3), (ann, 1), (ben, 4)):
            await tap(person, f"cell-{cell}")
        # Neither who watches nor whose turn it is not may take a cell, nor anybody one that is taken.
        await tap(eve, "cell-2")
        await tap(ben, "cell-2")
        await tap(ann, "cell-4")
        await tap(ann, "cell-2")
        await eve.wait(lambda mirror: text(eve, "status") == "X has won", 10)
        assert [text(eve, f"cell-{cell}") for cell in range(6)] == ["X", "X", "X", "O", "O", ""]
        await tap(ben, "cell-5")
        await tap(eve, "again")
        await ann.wait(lambda mirror: text(ann, "status") == "X begins" and text(ann, "cell-0") == "", 10)

    play(server, "noughts", [], 3, body)
