"""The examples in both languages, each run as a program, and used by people who may only send events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from examples import ARGUMENTS, running
from scenesync import EVENTS, AsyncClient, EventError
from scenesync.messages import DeviceRequest
from scenesync_server import ROOT, Server

FOLDERS = [ROOT / "clients/python/examples", ROOT / "clients/web/examples"]
LANGUAGES = ["python", "node"]


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def server(language: str) -> Iterator[Server]:
    with Server("--in-memory") as server:
        yield server


def play(
    server: Server, language: str, name: str, people: int, body: Callable[[list[AsyncClient]], Awaitable[None]],
    device: DeviceRequest | None = None,
) -> None:  # fmt: skip
    async def run(url: str) -> None:
        clients = [AsyncClient(url, role="participant", capabilities=EVENTS, device=device) for _ in range(people)]
        for client in clients:
            await client.__aenter__()
        await body(clients)
        for client in clients:
            await client.__aexit__(None, None, None)

    with running(server, language, name) as url:
        asyncio.run(asyncio.wait_for(run(url), 60))


def text(client: AsyncClient, id: str) -> str:
    """What a view says, without a button's brackets."""
    return client.mirror[id].content.lines[0].text.strip("[] ") if client.mirror[id].content.lines else ""


async def do(client: AsyncClient, kind: str, id: str, value: object = None) -> None:
    """Does something as soon as the program is there."""
    await client.wait(lambda mirror: id in mirror)
    while await client.send_event(kind, id, value) != "handled":
        await asyncio.sleep(0.02)


async def tap(client: AsyncClient, id: str) -> None:
    await do(client, "tap", id)


def lines(client: AsyncClient, id: str) -> list[str]:
    """What stands in a view and those in it, from above."""
    view = client.mirror[id]
    own = [line.text for line in view.content.lines]
    return own + [text for child in client.mirror.children(id) for text in lines(client, child.id)]


def test_examples_are_short_and_there_are_the_same_in_both_languages() -> None:
    for folder, ending in zip(FOLDERS, ("py", "mjs"), strict=True):
        assert {path.stem for path in folder.glob(f"*.{ending}")} == set(ARGUMENTS)
        for path in folder.glob(f"*.{ending}"):
            assert len(path.read_text().splitlines()) < 100, path


@pytest.mark.parametrize("size", [(390, 844), (640, 384), (320, 568), (1280, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_each_is_whole_on_every_device(server: Server, language: str, name: str, size: tuple[int, int]) -> None:
    async def body(people: list[AsyncClient]) -> None:
        (person,) = people
        # What people use last.
        await person.wait(lambda mirror: {"poll": "answer-1", "noughts": "again", "kiosk": "add-5", "chat": "say"}[name] in mirror)
        mirror = person.mirror
        assert person.session.welcome is not None
        unit = person.session.welcome.units_per_point
        assert mirror["root"].frame[2:] == (size[0] * unit, size[1] * unit)

        def check(id: str, left: float, top: float) -> None:
            for view in mirror.children(id):
                x, y, width, height = view.frame
                x, y = x + left, y + top
                assert x >= 0 and y >= 0 and x + width <= size[0] * unit and y + height <= size[1] * unit, view
                # A button is at least as wide as its title, and nothing of a text is cut off.
                assert all(width >= line.place[2] > 0 and not line.text.endswith("…") for line in view.content.lines), view
                check(view.id, x, y)

        check("root", 0, 0)

    # A terminal of 80 by 24 has 640 by 384 points.
    request = DeviceRequest(columns=80, rows=24) if size == (640, 384) else DeviceRequest(viewport={"width": size[0], "height": size[1]})
    play(server, language, name, 1, body, request)


def test_a_poll(server: Server, language: str) -> None:
    async def body(people: list[AsyncClient]) -> None:
        ann, ben, eve = people

        def share(number: int) -> float:
            return ann.mirror[f"bar-{number}"].frame[2] / ann.mirror[f"track-{number}"].frame[2]

        await tap(ann, "answer-0")
        await tap(ben, "answer-1")
        await tap(eve, "answer-1")
        await ann.wait(lambda mirror: text(ann, "count-1") == "2" and text(ann, "count-0") == "1", 10)
        # Edges are on whole pixels of a track of about 300.
        await ann.wait(lambda mirror: abs(share(1) - 2 / 3) < 0.01 and abs(share(0) - 1 / 3) < 0.01, 10)
        await tap(ann, "answer-1")
        await ann.wait(lambda mirror: text(ann, "count-1") == "3" and share(0) == 0 and share(1) == 1, 10)

    play(server, language, "poll", 3, body)


def test_noughts_and_crosses(server: Server, language: str) -> None:
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

    play(server, language, "noughts", 3, body)


def test_a_kiosk(server: Server, language: str) -> None:
    async def body(people: list[AsyncClient]) -> None:
        (ann,) = people
        for id in ("add-0", "add-4", "add-0"):
            await tap(ann, id)
        await ann.wait(lambda mirror: lines(ann, "basket") == ["2 × Espresso  4.40", "[ Less ]", "1 × Apple pie  3.40", "[ Less ]"], 10)
        await ann.wait(lambda mirror: text(ann, "sum") == "7.80", 10)
        await tap(ann, "less-4")
        await tap(ann, "less-0")
        await ann.wait(lambda mirror: lines(ann, "basket") == ["1 × Espresso  2.20", "[ Less ]"] and text(ann, "sum") == "2.20", 10)
        await tap(ann, "order")
        await ann.wait(lambda mirror: text(ann, "sum") == "Order 1: thank you" and lines(ann, "basket") == [], 10)
        # An empty basket cannot be ordered.
        with pytest.raises(EventError) as refused:
            await ann.send_event("tap", "order")
        assert refused.value.code == "not-editable"

    play(server, language, "kiosk", 1, body)


def test_a_chat(server: Server, language: str) -> None:
    async def body(people: list[AsyncClient]) -> None:
        ann, ben = people
        await do(ann, "input", "name", " Ann ")
        await do(ben, "input", "say", "Who is there?")
        await do(ann, "input", "say", "Me")
        await do(ann, "input", "say", "  ")
        await do(ann, "input", "name", "Anna")
        said = ["Ann is Anna now", "Ann: Me", "Guest N: Who is there?", "Ann is here"]
        for person in people:
            await person.wait(lambda mirror, who=person: len(mirror.children("messages")) == 4)  # type: ignore[misc]
            found = lines(person, "messages")
            assert [found[0], found[1], found[3]] == [said[0], said[1], said[3]]
            assert found[2].startswith("Guest ") and found[2].endswith(": Who is there?")
        # The fields are empty again.
        while ann.interactions["say"].value != "" or ann.interactions["name"].value != "":
            await asyncio.sleep(0.01)
        # Only so many are kept.
        for number in range(100):
            await do(ben, "input", "say", f"{number}")
        await ann.wait(lambda mirror: lines(ann, "messages")[0].endswith(": 99"), 10)
        assert len(lines(ann, "messages")) == 100

    play(server, language, "chat", 2, body)
