"""Comments as events for programs: each once, with the people that it mentions, across reconnects and edits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from scenesync import ANNOTATIONS, EVENTS, AsyncClient, CommentEvent, Scene
from scenesync.comments import REMEMBERED, CommentLedger
from scenesync.session import NotGranted
from scenesync_server import EXAMPLES, Server

PATIENCE = 10


@pytest.fixture
def room() -> Iterator[str]:
    with Server("--in-memory", "--scene", str(EXAMPLES / "dashboard.json")) as server:
        yield server.url + "/demo"


def participant(url: str) -> AsyncClient:
    return AsyncClient(url, role="participant", capabilities=EVENTS)


def note(op: str, id: str = "c1", **fields: Any) -> list[dict[str, Any]]:
    return [{"op": op, "id": id, **fields}]


def heard_by(scene: Scene) -> asyncio.Queue[CommentEvent]:
    queue: asyncio.Queue[CommentEvent] = asyncio.Queue()
    scene.on_comment(queue.put_nowait)
    return queue


def test_new_comments_and_mentions(room: str) -> None:
    async def run() -> None:
        async with participant(room) as ada, Scene.connect(room, capabilities=ANNOTATIONS) as scene:
            await ada.apply(note("addComment", "old", view="sidebar", text="before the program"))
            async for annotations in scene.client.annotation_updates():
                if ("comment", "old.1") in annotations:
                    break
            heard = heard_by(scene)
            await scene.handles_all()
            bob, eve = "bob@example.org", "eve@example.org"

            async def next_event() -> tuple[str, int, tuple[str, ...], bool, str]:
                event = await heard.get()
                return event.thread, event.number, event.mentions, event.is_edit, event.about["view"]

            await ada.apply(note("addComment", view="sidebar", text="Wider?", mentions=[bob]))
            assert await next_event() == ("c1", 1, (bob,), False, "sidebar")
            # The program's own comment has number 2 and is no event, as an edit of the text alone.
            await scene.apply(*note("replyComment", text="Noted"))
            await ada.apply(note("editComment", number=1, text="Wider now?", mentions=[bob]))
            await ada.apply(note("replyComment", text="By 40"))
            assert await next_event() == ("c1", 3, (), False, "sidebar")
            await ada.apply(note("editComment", number=1, text="Now?", mentions=[bob, eve]))
            assert await next_event() == ("c1", 1, (eve,), True, "sidebar")
            await ada.apply(note("addComment", "last", view="main", text="end"))
            assert await next_event() == ("last", 1, (), False, "main")

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_a_cut_loses_and_doubles_no_comment(room: str) -> None:
    async def run() -> None:
        async with participant(room) as ada, Scene.connect(room, capabilities=ANNOTATIONS) as scene:
            heard = heard_by(scene)
            await scene.handles_all()
            await ada.apply(note("addComment", view="sidebar", text="one"))
            assert (await heard.get()).text == "one"
            assert scene.client._socket is not None
            scene.client._socket.transport.abort()
            await ada.apply(note("replyComment", text="two"))
            assert (await heard.get()).text == "two"
            await ada.apply(note("replyComment", text="three"))
            assert (await heard.get()).text == "three"
            assert heard.empty()

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_a_handler_that_fails_ends_nothing(room: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with participant(room) as ada, Scene.connect(room, capabilities=ANNOTATIONS) as scene:
            heard: asyncio.Queue[str] = asyncio.Queue()

            @scene.on_comment
            async def mail(comment: CommentEvent) -> None:
                if comment.number == 1:
                    raise ValueError("on purpose")
                heard.put_nowait(comment.text)

            await scene.handles_all()
            await ada.apply(note("addComment", view="sidebar", text="one"))
            await ada.apply(note("replyComment", text="two"))
            assert await heard.get() == "two"

    asyncio.run(asyncio.wait_for(run(), PATIENCE))
    assert "the handler of comment 1 of 'c1' failed" in caplog.text


def test_without_the_capability(room: str) -> None:
    async def run() -> None:
        async with Scene.connect(room) as scene:
            with pytest.raises(NotGranted):
                scene.on_comment(lambda _: None)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


# --- The ledger ------------------------------------------------------------------------------------------------------


def comment(time: int, text: str = "x", mentions: tuple[str, ...] = (), person: str = "7") -> dict[str, Any]:
    author = {"person": person, "name": "Ada", "subject": "ada@example.org"}
    return {"number": 1, "author": author, "time": time, "text": text, "mentions": list(mentions)}


def test_a_part_of_the_whole_makes_nothing_new() -> None:
    ledger = CommentLedger()
    both = {("comment", "a.1"): comment(1), ("comment", "b.1"): comment(2)}
    assert [each.thread for each in ledger.take(both, None)] == ["a", "b"]
    # The whole comes again in two messages, and the first has one of them.
    assert ledger.take({("comment", "a.1"): comment(1)}, None) == []
    assert ledger.take(both, None) == []
    # A thread that was removed may leave its name to another.
    assert [each.is_edit for each in ledger.take({("comment", "a.1"): comment(3)}, None)] == [False]


def test_own_comments_and_mentions_that_stay() -> None:
    ledger = CommentLedger()
    assert ledger.take({("comment", "a.1"): comment(1, mentions=("bob",))}, 7) == []
    assert [each.mentions for each in ledger.take({("comment", "b.1"): comment(2, mentions=("bob",))}, 8)] == [("bob",)]
    assert ledger.take({("comment", "b.1"): comment(2, mentions=())}, 8) == []
    (event,) = ledger.take({("comment", "b.1"): comment(2, mentions=("bob", "eve"))}, 8)
    assert (event.mentions, event.is_edit, event.author, event.subject) == (("bob", "eve"), True, "Ada", "ada@example.org")


def test_memory_is_bounded() -> None:
    ledger = CommentLedger()
    for start in range(0, 3 * REMEMBERED, REMEMBERED // 2):
        ledger.take({("comment", f"t{id}.1"): comment(id) for id in range(start, start + REMEMBERED // 2)}, None)
        assert len(ledger._known) <= REMEMBERED
