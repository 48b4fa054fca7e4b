"""Measures a session and its store: `measure.py SESSION_BENCH ROUNDS`.

Each figure comes from a process of its own and is the median of the rounds. Instructions are what later runs compare; where
the machine counts none, they are left out. What is durable is measured several times in a round, store and bare file in turns in one
process: the slowest of a hundred syncs say what the disk did, which differs from one process to the next by more than the two do. Its
ratio is the median of those of the processes.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from report import Report  # noqa: E402

NAMES = [
    "groups", "floor", "durable", "tick-1k", "tick-10k", "memory", "replay", "stampede", "open-1k", "snapshot-10k", "threads-1",
    "threads-2",
]  # fmt: skip
#: How often in each round store and bare file are measured in turns.
TURNS_OF_DURABLE = 3
COUNTED = ["groups", "tick-1k", "tick-10k", "replay"]


def sample(bench: str, rounds: int) -> dict[str, list[list[float]]]:
    """What each measurement printed, in the order of the processes."""
    samples: dict[str, list[list[float]]] = defaultdict(list)
    for _ in range(rounds):
        for name in NAMES:
            for _ in range(TURNS_OF_DURABLE if name == "durable" else 1):
                with tempfile.TemporaryDirectory() as folder:
                    output = subprocess.run([bench, name, f"{folder}/data"], check=True, capture_output=True, text=True).stdout
                samples[name].append([float(word) for word in output.split()])
    return samples


def instructions(bench: str, name: str) -> int | None:
    if shutil.which("perf") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        command = ["perf", "stat", "-e", "instructions:u", "-x,", bench, name, f"{folder}/data"]
        errors = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    found = re.search(r"^(\d+),.*instructions", errors, re.M)
    return int(found[1]) if found else None


def main() -> None:
    bench, rounds = sys.argv[1], int(sys.argv[2])
    samples = sample(bench, rounds)
    found = {name: [statistics.median(column) for column in zip(*values)] for name, values in samples.items()}
    report = Report("session", rounds)
    groups, floor = found["groups"][0], found["floor"][0]
    frozen, live, freezing, thawing = found["memory"]
    rate, half, slow, share, bare_half, bare_slow = found["durable"]
    ratios = [process[2] / process[5] for process in samples["durable"]]
    report.add("1,000 rooms, a batch a tick at 60 Hz, durable", rate, runs=len(ratios))
    report.add("the same: 99 of 100 acknowledged within", slow, runs=len(ratios))
    report.add("the same against a bare file", slow, bare_slow, "write + fdatasync", statistics.median(ratios), len(ratios))
    report.add("batches for each second of processor, against a bare file", groups, floor, "write + fdatasync", groups / floor)
    report.add("tick of 1,000 views, 10 mutations, ops to encoded frame", found["tick-1k"][0] * 1000)
    report.add("tick of 10,000 views, 100 mutations", found["tick-10k"][0] * 1000)
    report.add("memory of an idle session of 1,000 views", frozen / 2**20)
    report.add("to thaw it", thawing * 1000)
    report.add("a room of 1,000 views from its journal to the state that is sent", found["open-1k"][0] * 1000)
    report.add("replay of 200,000 ops, same hash", found["replay"][0])
    report.add("2,000 members come back at once: all told", found["stampede"][0] * 1000)
    report.add("the tick after it", found["stampede"][1] * 1000)
    encoding, decoding, size = found["snapshot-10k"]
    report.add("snapshot of 10,000 views, encoded", encoding * 1000)
    report.add("snapshot of 10,000 views, decoded", decoding * 1000)
    one, two = found["threads-1"][0], found["threads-2"][0]
    report.add("ticks of 200 busy rooms, two threads against one", two, one, "one thread", two / one)
    report.finish()
    print(f"\nsnapshot of 10,000 views: {size / 1000:.0f} kB")
    print(f"durable: half within {half:.1f} ms, the bare file's {bare_half:.1f}; {share:.0%} of a processor")
    print("99 of 100 against the bare file, process by process:", *(f"{ratio:.2f}" for ratio in sorted(ratios)))
    print(f"a session of 1,000 views before it is frozen: {live / 2**20:.2f} MiB; to freeze it: {freezing * 1000:.1f} ms")
    for name in COUNTED:
        count = instructions(bench, name)
        if count is not None:
            print(f"instructions-{name}: {count:.4g}")


if __name__ == "__main__":
    main()
