"""A program behind a scene that is killed while it deals with an event, and another that takes its place."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from scenesync import EVENTS, AsyncClient, RefusedError, Scene, ops
from scenesync.events import ReceivedEvent
from scenesync_server import Server

SCENE = {
    "scene": 1,
    "viewport": {"width": 320, "height": 160},
    "views": [{"id": "add", "kind": "button", "text": "Add", "events": ["tap"]}],
}  # fmt: skip

#: Says that it is there, and what it hears; it answers nothing.
STUCK = """
import asyncio, sys
from scenesync import Scene

async def main():
    async with Scene.connect(sys.argv[1]) as scene:
        @scene.on("tap", "add")
        async def tap(event):
            print("tapped", flush=True)
            await asyncio.Event().wait()

        await scene.handles_all()
        print("there", flush=True)
        await scene.run()

asyncio.run(main())
"""


def test_the_sender_is_told_and_another_program_takes_over() -> None:
    async def play(url: str, stuck: subprocess.Popen[str]) -> None:
        assert stuck.stdout is not None
        async with AsyncClient(url, role="participant", capabilities=EVENTS) as person:
            await person.wait(lambda mirror: "add" in mirror)
            lost = asyncio.create_task(person.send_event("tap", "add"))
            assert await asyncio.to_thread(stuck.stdout.readline) == "tapped\n"
            stuck.kill()
            stuck.wait()
            # Whether it was dealt with nobody knows; that is said once the program could not have come back any more.
            assert await asyncio.wait_for(lost, 30) == "unknown"
            async with Scene.connect(url) as scene:
                taps: list[ReceivedEvent] = []

                @scene.on("tap", "add")
                async def tap(event: ReceivedEvent) -> None:
                    taps.append(event)

                await scene.handles_all()
                assert await person.send_event("tap", "add") == "handled"
                assert len(taps) == 1
            # The one who may send events changes nothing.
            try:
                await person.apply([ops.remove_view("add")])
            except RefusedError as refusal:
                assert refusal.code == "forbidden"
            else:
                raise AssertionError("a participant changed the scene")

    with Server("--in-memory") as server:
        assert len(server.apply(SCENE)) == 1
        url = f"{server.url}/demo"
        stuck = subprocess.Popen([sys.executable, "-c", STUCK, url], stdout=subprocess.PIPE, text=True)
        try:
            assert stuck.stdout is not None and stuck.stdout.readline() == "there\n"
            asyncio.run(asyncio.wait_for(play(url, stuck), 60))
        finally:
            stuck.kill()
            stuck.wait()
