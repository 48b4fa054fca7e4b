"""Programs behind a scene, against the server itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from scenesync import (
    EVENTS,
    EVERYONE,
    AsyncClient,
    EventError,
    RefusedError,
    Scene,
    Value,
    button,
    label,
    list_row,
    ops,
    row,
    slider,
    stack,
)
from scenesync.messages import Committed
from scenesync_server import Server

SCENE = {
    "scene": 1,
    "viewport": {"width": 400, "height": 300},
    "views": [
        {"id": "list", "kind": "stack", "axis": "vertical"},
        {"id": "add", "kind": "button", "text": "Add", "events": ["tap"]},
        {"id": "volume", "kind": "slider", "events": ["input"], "value": 0},
        {"id": "bar", "background": "#ff8000"},
    ],
    "constraints": [
        "list.leading == root.leading", "list.top == root.top", "bar.height == 16", "bar.leading == root.leading",
        "bar.top == root.top + 100", {"id": "bar-width", "rule": "bar.width == 100"},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server("--in-memory") as server:
        yield server


count = 0


def play(server: Server, body: Callable[[Scene, AsyncClient], Awaitable[None]]) -> None:
    """Runs a program behind a room of its own, and a participant who uses it."""
    global count
    count += 1
    url = f"{server.url}/room-{count}"

    async def run() -> None:
        async with Scene.connect(url) as scene:
            await scene.apply(ops.set_scene(SCENE))
            async with AsyncClient(url, role="participant", capabilities=EVENTS) as person:
                await person.wait(lambda mirror: "add" in mirror)
                await body(scene, person)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_tap_adds_a_card(server: Server) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        @scene.on("tap", "add")
        async def add(event: Any) -> None:
            await scene.animate(0.1, scene.view("list").append(label("new card")))

        await scene.handles_all()
        assert await person.send_event("tap", "add") == "handled"
        mirror = await person.wait(lambda mirror: len(mirror.children("list")) == 1, 5)
        assert [line.text for line in mirror.children("list")[0].content.lines] == ["new card"]

    play(server, body)


def test_values_that_people_enter(server: Server) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        @scene.on("input", "volume")
        async def changed(event: Any) -> None:
            await scene.view("volume").set(value=event.value)

        await scene.handles_all()
        assert person.interactions["volume"].value == 0
        assert await person.send_event("input", "volume", 0.25) == "handled"
        while person.interactions["volume"].value != 0.25:
            await asyncio.sleep(0.01)

    play(server, body)


def test_what_nobody_handles_and_what_fails(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        assert await person.send_event("tap", "add") == "unhandled"

        @scene.on("input", "volume")
        def fails(event: Any) -> None:
            raise ValueError("on purpose")

        @scene.on("tap", "list")
        def never(event: Any) -> None:
            raise AssertionError("another view's")

        await scene.handles_all()
        with caplog.at_level(logging.CRITICAL, logger="scenesync"):
            assert await person.send_event("input", "volume", 1) == "unhandled"
        assert await person.send_event("tap", "add") == "unhandled"
        with pytest.raises(EventError) as caught:
            await person.send_event("tap", "bar")
        assert caught.value.code == "not-editable"
        with pytest.raises(RefusedError) as refused:
            await person.apply([ops.remove_view("bar")])
        assert refused.value.code == "forbidden"

    play(server, body)


def test_bound_values_send_no_more_than_one_op_a_tick(server: Server) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        width = Value(0.0)
        scene.bind("bar-width", "constant", width)
        sent: list[int] = []
        apply = scene.client.apply

        async def counted(batch: list[Any], **options: Any) -> Any:
            sent.append(len(batch))
            return await apply(batch, **options)

        scene.client.apply = counted  # type: ignore[method-assign]
        for step in range(1000):
            width.set(step / 10)
            if step % 100 == 0:
                await asyncio.sleep(0)
        await person.wait(lambda mirror: mirror["bar"].frame[2] == 100, 5)
        # The first value, and the last; perhaps one that was set in between.
        assert sum(sent) <= 3

    play(server, body)


def test_batches_and_views(server: Server) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        async with scene.batch():
            one = await scene.view("list").append(row(label("a"), button("b")))
            await scene.view("list").insert(0, stack(label("c"), slider(0.5, id="inner")))
        await person.wait(lambda mirror: "inner" in mirror, 5)
        await scene.client.wait(lambda mirror: "inner" in mirror, 5)
        assert len(scene.view("list").children) == 2
        assert scene.view("list").children[1] == one.id
        # One that cannot be taken leaves nothing of the others.
        with pytest.raises(RefusedError) as caught:
            async with scene.batch():
                await scene.view("list").append(label("d", id="d"))
                await scene.view("nobody").remove()
        assert caught.value.code == "unknown-view"
        await one.move(index=0)
        await scene.client.wait(lambda mirror: mirror.children("list")[0].id == one.id, 5)
        assert "d" not in scene.mirror
        await scene.view("list").clear()
        await person.wait(lambda mirror: not mirror.children("list"), 5)

    play(server, body)


def test_messages_between_members(server: Server) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        heard: asyncio.Queue[Any] = asyncio.Queue()

        @scene.on("message")
        async def hear(event: Any) -> None:
            await scene.send({"echo": event.value}, to=event.client)

        async def listen() -> None:
            async for event in person.received():
                await person.answer(event)
                heard.put_nowait(event.value)

        listening = asyncio.create_task(listen())
        await scene.handles_all()
        assert await person.send_event("message", value="hello") == "handled"
        assert await heard.get() == {"echo": "hello"}
        assert await scene.send("all", to=EVERYONE) == "handled"
        assert await heard.get() == "all"
        listening.cancel()

    play(server, body)


def test_a_cut_loses_and_doubles_no_event(server: Server) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        seen: list[int] = []
        gate = asyncio.Event()

        @scene.on("input", "volume")
        async def note(event: Any) -> None:
            seen.append(event.value)
            if event.value == 3:
                gate.set()

        await scene.handles_all()
        outcomes = [asyncio.create_task(person.send_event("input", "volume", number)) for number in range(10)]
        await gate.wait()
        # Both ends are cut while events are on their way.
        for client in (scene.client, person):
            assert client._socket is not None
            client._socket.transport.abort()
        assert await asyncio.gather(*outcomes) == ["handled"] * 10
        assert seen == list(range(10))
        result = await scene.client.apply([ops.set_constraint("bar-width", constant=120)])
        assert isinstance(result.outcome, Committed)

    play(server, body)


def test_rows_of_a_list_are_tapped_and_selected(server: Server) -> None:
    async def body(scene: Scene, person: AsyncClient) -> None:
        files = stack(list_row("one", id="one"), list_row(label("two"), button("x"), id="two", selected=True), role="listbox")
        await scene.view("list").append(files)

        @scene.on("tap", "one")
        async def tap(_: object) -> None:
            await scene.view("two").set(selected=False)
            await scene.view("one").set(selected=True)

        await scene.handles_all()
        while not {"one", "two"} <= person.interactions.keys():
            await asyncio.sleep(0.01)
        assert [(each.role, each.focusable, each.selected) for each in map(person.interactions.get, ("one", "two")) if each] == [
            ("option", True, False), ("option", True, True),
        ]  # fmt: skip
        assert await person.send_event("tap", "one") == "handled"
        while not person.interactions["one"].selected or person.interactions["two"].selected:
            await asyncio.sleep(0.01)

    play(server, body)
