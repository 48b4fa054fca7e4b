"""Events through a real server: how long a tap takes to show at another client, with a program in Python behind the scene, and how many
events a second one program can be told. Senders and programs are processes of their own, in Python."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "Tests" / "Support")]

from report import Report  # noqa: E402
from scenesync import EVENTS, AsyncClient, Scene, ops  # noqa: E402
from scenesync_server import Server  # noqa: E402

TAPS = 600
SENDERS = 6
SECONDS = 4.0
#: Events that each sender has on their way.
DEPTH = 100
SCENE = {
    "scene": 1, "viewport": {"width": 400, "height": 300},
    "views": [{"id": "bar"}, {"id": "add", "kind": "button", "text": "Add", "events": ["tap"]}],
    "constraints": ["bar.leading == root.leading", "bar.top == root.top", "bar.height == 16",
                    {"id": "width", "rule": "bar.width == 0"}],
}  # fmt: skip


async def answer_taps(url: str, ready: multiprocessing.synchronize.Event) -> None:
    """The program of the first measurement: each tap makes the bar another point wide."""
    count = 0
    async with Scene.connect(url) as scene:
        await scene.apply(ops.set_scene(SCENE))

        @scene.on("tap", "add")
        async def tap(_: object) -> None:
            nonlocal count
            count += 1
            await scene.apply(ops.set_constraint("width", constant=count % 300))

        await scene.handles_all()
        ready.set()
        await scene.run()


async def count_taps(url: str, ready: multiprocessing.synchronize.Event) -> None:
    """The program of the second: it answers and does nothing."""
    async with AsyncClient(url, role="editor", capabilities=EVENTS) as client:
        await client.apply([ops.set_scene(SCENE)])
        await client.handle(["root"])
        await client.apply([ops.set_needs_layout()])
        ready.set()
        async for event in client.received():
            await client.answer(event)


async def send_taps(url: str, sent: multiprocessing.Queue[tuple[int, float]]) -> None:
    """Sends as many taps as come back, for some seconds."""
    async with AsyncClient(url, role="participant", capabilities=EVENTS) as client:
        await client.wait(lambda mirror: "add" in mirror)
        until = time.monotonic() + SECONDS
        handled = 0

        async def loop() -> None:
            nonlocal handled
            while time.monotonic() < until:
                if await client.send_event("tap", "add") != "handled":
                    raise SystemExit("an event was lost")
                handled += 1

        began = time.monotonic()
        await asyncio.gather(*(loop() for _ in range(DEPTH)))
        sent.put((handled, time.monotonic() - began))


async def tap_and_look(url: str) -> tuple[list[float], int]:
    """Taps as a participant, looks as another viewer; milliseconds from one to the other, and ticks a second."""
    delays: list[float] = []
    async with AsyncClient(url, role="participant", capabilities=EVENTS) as person, AsyncClient(url) as viewer:
        await viewer.wait(lambda mirror: "bar" in mirror)
        for number in range(1, TAPS + 1):
            # Not in step with the ticks.
            await asyncio.sleep(0.011 + 0.0017 * (number % 7))
            began = time.monotonic()
            tapped = asyncio.create_task(person.send_event("tap", "add"))
            await viewer.wait(lambda mirror, width=number % 300: mirror["bar"].frame[2] == width, 5)
            delays.append((time.monotonic() - began) * 1000)
            assert await tapped == "handled"
        rate = viewer.session.welcome.tick_rate if viewer.session.welcome else 60
    return delays, rate


def process(work: object, *arguments: object) -> multiprocessing.Process:
    started = multiprocessing.Process(target=lambda: asyncio.run(work(*arguments)), daemon=True)  # type: ignore[operator]
    started.start()
    return started


def main() -> None:
    report = Report("events", TAPS)
    with Server("--in-memory") as server:
        ready = multiprocessing.Event()
        program = process(answer_taps, server.url + "/latency", ready)
        ready.wait(20)
        delays, rate = asyncio.run(tap_and_look(server.url + "/latency"))
        program.kill()
        delays.sort()
        tick = 1000 / rate
        report.add("from a tap to the frame that answers it elsewhere, program in Python, median", delays[len(delays) // 2] / tick)
        report.add("the same, 99 of 100 within", delays[len(delays) * 99 // 100] / tick)
        ready = multiprocessing.Event()
        program = process(count_taps, server.url + "/many", ready)
        ready.wait(20)
        sent: multiprocessing.Queue[tuple[int, float]] = multiprocessing.Queue()
        senders = [process(send_taps, server.url + "/many", sent) for _ in range(SENDERS)]
        results = [sent.get(timeout=SECONDS + 30) for _ in senders]
        program.kill()
        report.add("events through one room to one program, both in Python", sum(count / seconds for count, seconds in results), runs=1)
    report.finish()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
