"""Events through a real server: how long a tap takes to show at another client, with a program in Python behind the scene, how much longer
while a member floods a room, and how many events a second one program can be told. Senders and programs are processes of their own, in
Python."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

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
#: Events a second that a member may send where one floods, and how many times as many that one sends.
ALLOWANCE = 240
FLOOD = 10
#: Taps of one turn of a comparison, and turns; they alternate, so that both sides have the same machine.
TURN_TAPS = 200
TURNS = 5
SCENE = {
    "scene": 1, "viewport": {"width": 400, "height": 300},
    "views": [{"id": "bar"}, {"id": "add", "kind": "button", "text": "Add", "events": ["tap"]},
              {"id": "other", "kind": "button", "text": "Other", "events": ["tap"]}],
    "constraints": ["bar.leading == root.leading", "bar.top == root.top", "bar.height == 16",
                    {"id": "width", "rule": "bar.width == 0"}],
}  # fmt: skip


async def answer_taps(url: str, ready: multiprocessing.synchronize.Event) -> None:
    """The program of the first measurement: each tap makes the bar another point wide. It hears the other button and does nothing."""
    count = 0
    async with Scene.connect(url) as scene:
        await scene.apply(ops.set_scene(SCENE))

        @scene.on("tap", "add")
        async def tap(_: object) -> None:
            nonlocal count
            count += 1
            await scene.apply(ops.set_constraint("width", constant=count % 300))

        @scene.on("tap", "other")
        async def nothing(_: object) -> None:
            pass

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


async def flood(url: str, on: multiprocessing.synchronize.Event, refused: multiprocessing.sharedctypes.Synchronized[int]) -> None:
    """Sends as many events as `FLOOD` says while that is on, and comes back at once whenever the server ends the connection."""
    hello = json.dumps({"type": "hello", "capabilities": EVENTS, "token": "", "room": "", "role": "participant", "unitsPerPoint": 0,
                        "roots": [], "frameRateMaximum": 0})  # fmt: skip

    def event(number: int) -> str:
        return (f'{{"type":"event","eventSequence":{number},"to":0,"kind":"tap","view":"other","tick":0,"place":[0,0],"modifiers":0,'
                '"value":null}')  # fmt: skip

    async def count_refusals(socket: ClientConnection) -> None:
        # The server ends the connection again and again, at times before a message is over.
        with contextlib.suppress(ConnectionClosed):
            async for message in socket:
                if isinstance(message, str):
                    refused.value += message.count('"refused"')

    while True:
        while not on.is_set():
            await asyncio.sleep(0.01)
        try:
            async with connect(url, subprotocols=["scenesync.v1.json"], compression=None) as socket:  # type: ignore[list-item]
                await socket.send(hello)
                # Welcome: what comes before it may be refused.
                await socket.recv()
                reader = asyncio.create_task(count_refusals(socket))
                began, sent = time.monotonic(), 0
                while on.is_set() and not reader.done():
                    due = int((time.monotonic() - began) * ALLOWANCE * FLOOD)
                    for number in range(sent + 1, due + 1):
                        await socket.send(event(number))
                    sent = max(sent, due)
                    await asyncio.sleep(0.01)
                await socket.close()
                await asyncio.gather(reader, return_exceptions=True)
        except ConnectionClosed:
            pass


async def tap_and_look(url: str, taps: int = TAPS, first: int = 1) -> tuple[list[float], int]:
    """Taps as a participant, looks as another viewer; milliseconds from one to the other, and ticks a second. `first` is the number of
    the first tap that the program gets."""
    delays: list[float] = []
    async with AsyncClient(url, role="participant", capabilities=EVENTS) as person, AsyncClient(url) as viewer:
        await viewer.wait(lambda mirror: "bar" in mirror)
        for number in range(first, first + taps):
            # Not in step with the ticks.
            await asyncio.sleep(0.011 + 0.0017 * (number % 7))
            began = time.monotonic()
            tapped = asyncio.create_task(person.send_event("tap", "add"))
            await viewer.wait(lambda mirror, width=number % 300: mirror["bar"].frame[2] == width, 5)
            delays.append((time.monotonic() - began) * 1000)
            assert await tapped == "handled"
        rate = viewer.session.welcome.tick_rate if viewer.session.welcome else 60
    return delays, rate


def measure_flood(report: Report) -> None:
    """From a tap to its frame, in the room that is flooded and in another, against the same without the flood."""
    with Server("--in-memory", "--max-events-per-second", str(ALLOWANCE)) as server:
        rooms = {"same": server.url + "/flooded", "other": server.url + "/quiet"}
        programs = []
        for url in rooms.values():
            ready = multiprocessing.Event()
            programs.append(process(answer_taps, url, ready))
            ready.wait(20)
        on, refused = multiprocessing.Event(), multiprocessing.Value("Q", 0)
        flooder = process(flood, rooms["same"], on, refused)
        tick = 0.0
        for room, url in rooms.items():
            delays: dict[bool, list[float]] = {False: [], True: []}
            for turn in range(2 * TURNS):
                is_flooded = turn % 2 == 1
                if is_flooded:
                    before = refused.value
                    on.set()
                    # Until it has spent its allowance, it does not flood.
                    while refused.value == before:
                        time.sleep(0.01)
                some, rate = asyncio.run(tap_and_look(url, TURN_TAPS, 1 + turn * TURN_TAPS))
                on.clear()
                tick = 1000 / rate
                delays[is_flooded] += some
            late = {key: sorted(values)[len(values) * 99 // 100] / tick for key, values in delays.items()}
            where = "in the same room" if room == "same" else "in another room"
            report.add(f"while one member floods, {where}, 99 of 100 within", late[True], runs=TURNS * TURN_TAPS)
            report.add(f"the same against without the flood, {where}", late[True], late[False], "without the flood",
                       late[True] / late[False], runs=TURNS * TURN_TAPS)  # fmt: skip
        print(f"{refused.value} events of the flood were refused", flush=True)
        for each in [*programs, flooder]:
            each.kill()


def process(work: object, *arguments: object) -> multiprocessing.Process:
    started = multiprocessing.Process(target=lambda: asyncio.run(work(*arguments)), daemon=True)  # type: ignore[operator]
    started.start()
    return started


def throughput_in_swift(url: str) -> float:
    """The rate that `events-bench` prints, the median of three."""
    rates = []
    for number in range(3):
        done = subprocess.run([os.environ["EVENTS_BENCH"], f"{url}-{number}"], capture_output=True, text=True, check=True)
        rates.append(float(done.stdout))
    return sorted(rates)[1]


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
    with Server("--in-memory", "--max-events-per-second", "100000") as server:
        report.add("events through one room to one program, both in Swift", throughput_in_swift(server.url + "/many"))
    measure_flood(report)
    report.finish()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
