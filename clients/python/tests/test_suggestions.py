"""Suggestions by the client: a branch is opened, changed, accepted whole or in parts, updated and refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scenesync import ANNOTATIONS, SUGGESTIONS, AsyncClient, RefusedError, ops
from scenesync.messages import Annotations
from scenesync_server import EXAMPLES, Server

BOTH = ANNOTATIONS | SUGGESTIONS
UNDO = 1 << 2


@pytest.fixture
def room() -> Iterator[str]:
    with Server("--in-memory", "--scene", str(EXAMPLES / "dashboard.json")) as server:
        yield server.url + "/demo"


def editor(url: str, capabilities: int = BOTH | UNDO) -> AsyncClient:
    return AsyncClient(url, role="editor", capabilities=capabilities)


async def heard(client: AsyncClient, condition: Callable[[], bool]) -> None:
    """Waits until a condition holds for what the client was told of annotations."""

    async def until() -> None:
        if condition():
            return
        async for event in client.events():
            if isinstance(event, Annotations) and condition():
                return

    await asyncio.wait_for(until(), 10)


async def told(client: AsyncClient, name: str, state: str, key: str = "state") -> Any:
    """Waits until the suggestion is in a state, and has a value of that key."""

    def value() -> Any:
        return client.annotations.get(("suggestion", name), {})

    await heard(client, lambda: value().get("state") == state and key in value())
    return value()


async def shows(client: AsyncClient, width: float) -> None:
    await client.wait(lambda mirror: mirror["sidebar"].frame[2] == width, 10)


def test_accepted_whole_as_one_step(room: str) -> None:
    async def run() -> None:
        async with editor(room) as ada, editor(room) as bob, editor(room, ANNOTATIONS) as old:
            await shows(ada, 160)
            await ada.apply([{"op": "suggest", "id": "wider", "name": "A wider sidebar", "note": "by 40"}])
            opened = await told(bob, "wider", state="open")
            assert (opened["name"], opened["note"]) == ("A wider sidebar", "by 40")
            async with editor(f"{room}~wider") as branch:
                await shows(branch, 160)
                await branch.apply([ops.set_constraint("sidebar-width", constant=200)])
                await shows(branch, 200)
                # The room is as it was, and takes it with the acceptance.
                assert bob.mirror["sidebar"].frame[2] == 160
                await bob.apply([{"op": "acceptSuggestion", "id": "wider"}])
                await shows(ada, 200)
                decided = (await told(ada, "wider", state="accepted"))["decided"]
                assert decided["by"] != opened["author"], "Bob decided what Ada opened"
                # A decided branch takes no more changes.
                await told(branch, "wider", state="accepted")
                with pytest.raises(RefusedError) as caught:
                    await branch.apply([ops.set_constraint("sidebar-width", constant=201)])
                assert caught.value.code == "conflict"
            await bob.undo()
            await shows(ada, 160)
            await ada.apply([{"op": "addComment", "id": "last", "view": "sidebar", "text": "done"}])
            await heard(old, lambda: ("thread", "last") in old.annotations)
            assert not [kind for kind, _ in old.annotations if kind == "suggestion"], "told to those alone who know them"

    asyncio.run(run())


def test_accepted_in_parts_and_refused_with_a_reason(room: str) -> None:
    async def run() -> None:
        async with editor(room) as ada:
            await ada.apply([{"op": "suggest", "id": "both", "name": "Both"}])
            async with editor(f"{room}~both") as branch:
                await branch.apply([ops.set_constraint("sidebar-width", constant=200), ops.set_view("crumb", text="A crumb")])
            before = ada.mirror["crumb"].content.lines[0].text
            await ada.apply([{"op": "acceptSuggestion", "id": "both", "only": ["sidebar-width"]}])
            await shows(ada, 200)
            assert ada.mirror["crumb"].content.lines[0].text == before
            await told(ada, "both", state="open")
            await ada.apply([{"op": "refuseSuggestion", "id": "both", "reason": "the text stays"}])
            assert (await told(ada, "both", state="refused"))["reason"] == "the text stays"
            assert ada.mirror["crumb"].content.lines[0].text == before
            await ada.apply([{"op": "reopenSuggestion", "id": "both"}])
            await told(ada, "both", state="open")

    asyncio.run(run())


def test_conflicts_are_named_and_change_nothing_until_settled(room: str) -> None:
    async def run() -> None:
        async with editor(room) as ada:
            await ada.apply([{"op": "suggest", "id": "wider", "name": "Wider"}])
            async with editor(f"{room}~wider") as branch:
                await branch.apply([ops.set_constraint("sidebar-width", constant=200)])
                await ada.apply([ops.set_constraint("sidebar-width", constant=180)])
                with pytest.raises(RefusedError) as caught:
                    await ada.apply([{"op": "acceptSuggestion", "id": "wider"}])
                assert caught.value.code == "conflict" and "sidebar-width" in str(caught.value)
                assert ada.mirror["sidebar"].frame[2] == 180
                await branch.apply([{"op": "updateSuggestion"}])
                conflicts = (await told(branch, "wider", "open", "conflicts"))["conflicts"]
                assert any("sidebar-width" in conflict for conflict in conflicts)
                # The branch has kept its own, on the room's scene as its base.
                await shows(branch, 200)
                await ada.apply([{"op": "acceptSuggestion", "id": "wider"}])
                await shows(ada, 200)

    asyncio.run(run())


def test_a_branch_of_none_is_refused_and_a_branch_has_none(room: str) -> None:
    async def run() -> None:
        async with editor(room) as ada:
            await ada.apply([{"op": "suggest", "id": "wider", "name": "Wider"}])
            with pytest.raises(RefusedError) as taken:
                await ada.apply([{"op": "suggest", "id": "wider", "name": "Again"}])
            assert taken.value.code == "duplicate-id"
            with pytest.raises(RefusedError) as unknown:
                await ada.apply([{"op": "acceptSuggestion", "id": "narrower"}])
            assert unknown.value.code == "unknown-suggestion"
            async with editor(f"{room}~wider") as branch:
                with pytest.raises(RefusedError) as nested:
                    await branch.apply([{"op": "suggest", "id": "inner", "name": "Inner"}])
                assert nested.value.code == "bad-op"
            await ada.apply([{"op": "removeSuggestion", "id": "wider"}])
            await heard(ada, lambda: ("suggestion", "wider") not in ada.annotations)

    asyncio.run(run())
