"""Measures devices: `measure.py DEVICES_BENCH SCENESYNC ROUNDS`.

Figures of a room come from a process of its own and are medians of the rounds; what eight devices cost that are named and not watched
is the median of ratios of two processes, one after the other. Those of a live server are the ratio of two loads that follow one
another, and the time of a client that asks for sizes that nobody has.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "clients" / "python" / "src")]

from report import Report  # noqa: E402
from scenesync.session import DEVICES  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402

NAMES = ["one-row-0", "one-row-0-of-8", "one-row-8", "divider-0", "divider-8", "sights-1", "sights-5", "memory", "left", "question"]
#: What is held against one another, how often in each round: the two take turns.
IN_TURNS, TURNS = ("one-row-0", "one-row-0-of-8"), 10
# As in the transport's measurements: the server has one half of the cores, the load the other.
CORES = sorted(os.sched_getaffinity(0))
SERVER_CORES = CORES[: max(1, len(CORES) // 2)]
CLIENT_CORES = CORES[len(CORES) // 2 :]


def on(cores: list[int]):
    return functools.partial(os.sched_setaffinity, 0, cores)


def sample(bench: str, rounds: int) -> dict[str, list[list[float]]]:
    """What each measurement prints, in the order of the processes."""
    samples: dict[str, list[list[float]]] = defaultdict(list)
    for _ in range(rounds):
        for name in [name for name in NAMES if name not in IN_TURNS] + TURNS * list(IN_TURNS):
            output = subprocess.run([bench, name], check=True, capture_output=True, text=True).stdout
            samples[name].append([float(word) for word in output.split()])
    return samples


class Server:
    """A server in memory."""

    def __init__(self, program: str, *arguments: str):
        command = [program, "serve", "--in-memory", "--port", "0", "--tick-rate", "60", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=on(SERVER_CORES))
        assert self.process.stdout
        self.address = self.process.stdout.readline().split()[-1]

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()


def load(program: str, devices: int, viewers: int, seconds: int) -> float:
    """Processor seconds of the server for each thousand frames."""
    with Server(program) as server:
        command = [program, "load", server.address, "--viewers", str(viewers), "--devices", str(devices), "--rate", "60",
                   "--duration", str(seconds), "--server-pid", str(server.process.pid), "--json"]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=on(CLIENT_CORES))
    if done.returncode:
        raise SystemExit(f"the load ended with {done.returncode}: {done.stderr}{done.stdout}")
    answer = json.loads(done.stdout)
    return answer["serverSeconds"] / answer["frames"] * 1000


def document(views: int) -> dict:
    """Rows in two columns, which are as wide as the screen lets them be."""
    rows = [{"id": f"r{n}", "parent": "left" if n % 2 else "right"} for n in range(views - 2)]
    rules: list = ["left.leading == root.leading", "right.leading == left.trailing", "right.trailing == root.trailing",
                   "left.width == right.width", "V:|[left]|", "V:|[right]|"]  # fmt: skip
    for number, row in enumerate(rows):
        rules += [f"H:|-[{row['id']}]-|", f"{row['id']}.top == {row['parent']}.top + {number // 2 * 18}", f"{row['id']}.height == 16"]
    return {"scene": 1, "viewport": {"width": 800, "height": 600}, "views": [{"id": "left"}, {"id": "right"}, *rows],
            "constraints": rules}  # fmt: skip


async def first_frames(address: str, sizes: int) -> list[float]:
    """Milliseconds from a terminal's question for its size to the whole state on it."""
    took = []
    async with connect(address, subprotocols=["scenesync.v1.json"], max_size=None) as socket:
        hello = {"type": "hello", "capabilities": DEVICES, "token": "", "room": "", "role": "viewer", "unitsPerPoint": 0,
                 "roots": [], "frameRateMaximum": 0}  # fmt: skip
        await socket.send(json.dumps(hello))
        await state(socket)
        for number in range(sizes):
            # A second in which the room's questions earn what they may cost.
            await asyncio.sleep(1)
            start = time.perf_counter()
            await socket.send(json.dumps({"type": "device", "name": "", "columns": 100 + number, "rows": 40, "viewport": {}}))
            assert await state(socket) == (100 + number) * 8
            took.append((time.perf_counter() - start) * 1000)
    return took


async def state(socket) -> float | None:
    """Waits for the last part of a snapshot; gives the width of the device that came before it."""
    width = None
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "device":
            width = message["viewport"][0]
        if message["type"] == "snapshot" and message["chunkIndex"] + 1 == message["chunkCount"]:
            return width


def question(program: str, views: int) -> list[float]:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as scene:
        json.dump(document(views), scene)
        scene.flush()
        with Server(program, "--scene", scene.name) as server:
            return asyncio.run(first_frames(f"{server.address}/demo", 9))


def main() -> None:
    bench, program, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    report = Report("devices", rounds)
    samples = sample(bench, rounds)
    found = {name: [statistics.median(column) for column in zip(*values)] for name, values in samples.items()}
    none_named, eight_named = (samples[name] for name in IN_TURNS)
    ratios = [named[0] / none[0] for none, named in zip(none_named, eight_named)]
    report.add("one constant on 9 devices (8 and the main one), ops to 9 encoded frames", found["one-row-8"][0] * 1000)
    report.add("the same on the main one alone", found["one-row-0"][0] * 1000)
    report.add("the same, eight devices named and not watched, against none named", statistics.median(ratios), runs=len(ratios))
    report.add("a divider on 9 devices, 250 views move on each", found["divider-8"][0] * 1000)
    parts = [five[0] / one[0] for one, five in zip(samples["sights-1"], samples["sights-5"])]
    report.add("a tick with 1,000 viewers who see 5 different parts, against one part", statistics.median(parts), runs=len(parts))
    live, frozen = found["memory"]
    report.add("memory of one more device of 1,000 views", live / 2**20)
    report.add("the same, frozen", frozen / 2**20)
    report.add("left of a device that nobody watches any more", found["left"][0])
    report.add("hello with a new size to its state, 1,000 views", found["question"][0] * 1000)
    report.add("a window's resizing to its state, 1,000 views", found["question"][1] * 1000)
    took = question(program, 1000)
    report.add("a terminal of a new size on a live server, question to its state", statistics.median(took), runs=len(took))
    # In turns, so that both meet the machine as it is.
    pairs = [(load(program, 1, 1000, 8), load(program, 8, 1000, 8)) for _ in range(rounds)]
    report.add("1,000 viewers on 8 devices, server's processor time a frame, against one", statistics.median(b for _, b in pairs),
               statistics.median(a for a, _ in pairs), "one device", statistics.median(b / a for a, b in pairs))  # fmt: skip
    report.finish()
    print(f"\nwith what is said once a second: {found['one-row-8'][1] * 1000:.3g} ms on 9 devices, {found['one-row-0'][1] * 1000:.3g} on one")
    print("a terminal of a new size: " + ", ".join(f"{each:.1f}" for each in took) + " ms")
    print("1,000 viewers, 8 devices against one: " + ", ".join(f"{b / a:.3f}" for a, b in pairs))


if __name__ == "__main__":
    main()
