"""Plays whole servers against one another: `measure.py CLIENT SCRIPTS SCENESYNC REPEATS [NAME=COMMAND…]`.

Each repeat runs all servers with each number of watchers, in an order that changes. A ratio is the median of those within repeats.
"""

from __future__ import annotations

import functools
import json
import os
import random
import re
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import Report  # noqa: E402

# Servers have one half of the cores and the client the other, as in the transport's benchmark.
CORES = sorted(os.sched_getaffinity(0))
SERVER_CORES = CORES[: max(1, len(CORES) // 2)]
CLIENT_CORES = CORES[len(CORES) // 2 :]

RATE, SECONDS = 60, 8
WATCHERS = (1, 100, 1000)
OURS = "SceneSync"
#: What the client knows of each server: how to count its messages, and which script has its edits.
KINDS = {OURS: "scenesync", "pycrdt-websocket": "yjs", "MessagePack over uWebSockets": "deltas"}
#: The key of a figure in the client's answer, its name, and what to divide it by.
FIGURES = (
    ("median", "from an edit to a watcher, median", 1), ("p99", "from an edit to a watcher, 99 of 100 within", 1),
    ("bytes", "bytes of an edit to a watcher", 1), ("cpu", "server's processor time for a second of edits", 1),
    ("memory", "server's memory", 2**20),
)  # fmt: skip


def on(cores: list[int]):
    return functools.partial(os.sched_setaffinity, 0, cores)


def play(client: str, scripts: Path, name: str, command: list[str], watchers: int) -> dict[str, float]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=on(SERVER_CORES)) as server:
        try:
            line = server.stdout.readline()
            found = re.search(r"listening on (?:ws://127.0.0.1:)?(\d+)", line)
            if not found:
                raise SystemExit(f"{name} said {line!r}")
            words = [client, KINDS[name], found[1], str(scripts / f"{KINDS[name]}.script"), watchers, RATE, SECONDS, server.pid]
            done = subprocess.run([str(word) for word in words], capture_output=True, text=True, preexec_fn=on(CLIENT_CORES))
        finally:
            server.kill()
    if done.returncode:
        raise SystemExit(f"{name}, {watchers} watchers: {done.stderr}")
    return json.loads(done.stdout)


def remark(name: str, watchers: int, runs: list[dict[str, float]]) -> None:
    """Says what makes figures less than they seem."""
    in_time = min(run["inTime"] for run in runs)
    if in_time < 0.999:
        arrived = min(run["arrived"] for run in runs)
        print(f"    {name} does not hold the rate with {watchers:,} watchers: {100 * in_time:.1f} % had come a second after the last "
              f"edit, {100 * arrived:.1f} % twenty seconds later; its times are of what came")  # fmt: skip
    busiest = max(run["client"] for run in runs)
    if busiest > 0.8:
        print(f"    {name}, {watchers:,} watchers: the client was busy for {100 * busiest:.0f} % of the time")


def main() -> None:
    client, scripts, program, repeats = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    # Nothing is kept on disk, as the others keep nothing.
    commands = {OURS: [program, "serve", "--in-memory", "--port", "0"]}
    commands |= {name: command.split() for name, command in (each.split("=", 1) for each in sys.argv[5:])}
    runs: dict[tuple[str, int], list[dict[str, float]]] = {(name, count): [] for name in commands for count in WATCHERS}
    shuffle = random.Random(1)
    for _ in range(repeats):
        for name, count in shuffle.sample(list(runs), len(runs)):
            runs[name, count].append(play(client, scripts, name, commands[name], count))
    report = Report("whole", repeats)
    for count in WATCHERS:
        for name in commands:
            remark(name, count, runs[name, count])
        for peer in list(commands)[1:]:
            for key, title, scale in FIGURES:
                ours, theirs = ([run[key] / scale for run in runs[name, count]] for name in (OURS, peer))
                ratio = statistics.median(b / a for a, b in zip(ours, theirs))
                report.add(f"{title}, {count:,}, against {peer}", statistics.median(ours), statistics.median(theirs), peer, ratio)
    report.finish()


if __name__ == "__main__":
    main()
