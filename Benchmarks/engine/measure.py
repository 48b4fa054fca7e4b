"""Measures the layout engine: `measure.py ENGINE_BENCH KIWI_DRIVER SCRIPT [NAME=DRIVER…] [captures=DRIVER,FOLDER]`.

NAME is Yoga or Taffy; FOLDER has Yoga's captured trees, which DRIVER lays out with Yoga, and Taffy's driver with Taffy.

Each figure comes from a process of its own and is the median of five rounds, in which we and the peers take turns. A ratio is the
median of those of the turns: a machine that is slower for some seconds is so for both sides of a turn, and for one of two medians.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "captures")]

from replay import WORKS as CAPTURE_WORKS  # noqa: E402
from replay import Replay, replays  # noqa: E402
from report import Report  # noqa: E402

ROUNDS = 5
#: How often in each round what is done once in a process is done, peers in turns, as a single time of a few milliseconds says little.
TURNS_OF_BUILDS = 5
NAMES = [
    "build-1k", "build-10k", "edit-1k", "edit-10k", "resize-1k", "resize-10k", "move-1", "move-100", "move-5000", "batch-1k",
    "batch-10k", "idle", "siblings-100", "siblings-10k", "memory", "tree-memory",
]
#: What Yoga and Taffy do in each round, how often, and to how many nodes.
WORKS = {
    "build-1k": ("build", 1000, 1), "build-10k": ("build", 10_000, 1), "edit-1k": ("edit", 1000, 200),
    "edit-10k": ("edit", 10_000, 200), "resize-1k": ("resize", 1000, 100), "resize-10k": ("resize", 10_000, 20),
    "batch-1k": ("batch", 1000, 50), "batch-10k": ("batch", 10_000, 20), "tree-memory": ("memory", 10_000, 1),
}  # fmt: skip
#: The same of the layouts that programs have: rounds alone, as the scene has its size.
SCENE_WORKS = {
    "list-build": 1, "list-edit": 200, "list-resize": 50, "list-batch": 50, "list-memory": 1, "dashboard-build": 20,
    "dashboard-edit": 2000, "dashboard-resize": 500, "dashboard-batch": 500,
}  # fmt: skip
SCENES = {"list": "list of 1,000 rows", "dashboard": "dashboard"}
#: Edits in kiwi's script, whose section has their sum.
KIWI_EDITS = 400
#: How often each is repeated while instructions are counted.
COUNTED = {"build-1k": 1, "resize-1k": 50, "edit-1k": 100, "move-1": 100, "move-100": 50, "move-5000": 4, "batch-1k": 20, "idle": 1000}


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_frames(drivers: dict[str, str]) -> None:
    """Makes sure that the peers lay the same tree out to the same frames, to a thousandth of a point or two for rounding."""
    if len(drivers) < 2:
        return
    for count in ("1000", "10000"):
        first, second = ([float(word) for word in output(driver, "frames", count, "3").split()] for driver in drivers.values())
        furthest = max(abs(a - b) for a, b in zip(first, second, strict=True))
        if furthest > 0.01:
            raise SystemExit(f"{' and '.join(drivers)} lay {count} views out differently, by {furthest}")
        print(f"    {' and '.join(drivers)} agree on all frames of {count} views within {furthest:.3f}")


def check_scenes(bench: str, drivers: dict[str, str]) -> None:
    """Makes sure that the peers lay each scene out to our frames, after edits, a batch, and a change of the width."""
    for scene, title in SCENES.items():
        ours, *theirs = (
            [float(word) for word in output(program, f"{scene}-frames", "5").split()] for program in (bench, *drivers.values())
        )
        for peer, frames in zip(drivers, theirs, strict=True):
            furthest = max(abs(a - b) for a, b in zip(ours, frames, strict=True))
            if furthest > 0.01:
                raise SystemExit(f"{peer} lays the {title} out differently, by {furthest}")
            print(f"    {peer} and we agree on all {len(ours) // 4} frames of the {title} within {furthest:.3f}")


def sample(bench: str, kiwi: str, script: str, drivers: dict[str, str], captures: list[Replay]) -> dict[str, list[float]]:
    """Each figure, in seconds or bytes, in the order of the turns."""
    samples: dict[str, list[float]] = defaultdict(list)
    peers = {name: (work, str(count), str(rounds)) for name, (work, count, rounds) in WORKS.items()}
    peers |= {name: (name, str(rounds)) for name, rounds in SCENE_WORKS.items()}
    for _ in range(ROUNDS):
        for name in (*NAMES, *SCENE_WORKS):
            for _ in range(TURNS_OF_BUILDS if "build" in name else 1):
                samples[name].append(float(output(bench, name)))
                for peer, driver in drivers.items() if name in peers else ():
                    samples[f"{peer}-{name}"].append(float(output(driver, *peers[name])))
        for line in output(kiwi, script, "3").splitlines():
            section, seconds = line.split()[:2]
            if section == "build":
                samples["kiwi-build-1k"].append(float(seconds))
            elif section == "edit":
                samples["kiwi-edit-1k"].append(float(seconds) / KIWI_EDITS)
        for capture in captures:
            for work in CAPTURE_WORKS:
                samples[f"{capture.name}-{work}"].append(capture.measure("ours", work))
                for peer in capture.peers:
                    samples[f"{peer}-{capture.name}-{work}"].append(capture.measure(peer, work))
    return samples


def ratio(figures: list[float], ours: list[float]) -> float:
    """How many times as large as ours something is, turn by turn; kiwi, which takes long to build, has one turn in a round."""
    if len(figures) != len(ours):
        return statistics.median(figures) / statistics.median(ours)
    return statistics.median(figure / own for figure, own in zip(figures, ours, strict=True))


def instructions(bench: str, name: str, rounds: int) -> int:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bench, name, str(rounds)]
    errors = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    found = re.search(r"Collected\s*:\s*(\d+)", errors)
    if not found:
        raise SystemExit(f"callgrind counted nothing for {name}")
    return int(found[1])


def main() -> None:
    bench, kiwi, script, *named = sys.argv[1:]
    drivers = dict(each.split("=", 1) for each in named)
    replayed = drivers.pop("captures", None)
    check_frames(drivers)
    check_scenes(bench, drivers)
    captures = replays(bench, *replayed.split(",", 1), drivers.get("Taffy")) if replayed else []
    samples = sample(bench, kiwi, script, drivers, captures)
    found = {name: statistics.median(values) for name, values in samples.items()}
    report = Report("engine", ROUNDS)

    def against(title: str, name: str, peer: str, peer_name: str, scale: float) -> None:
        report.add(title, found[name] * scale, found[peer] * scale, peer_name, ratio(samples[peer], samples[name]))

    def figure(title: str, name: str, scale: float) -> None:
        report.add(title, found[name] * scale)

    against("build and first layout, nested tree of 1,000, against kiwi", "build-1k", "kiwi-build-1k", "kiwi", 1e3)
    against("one constant in that tree, to changed frames, against kiwi", "edit-1k", "kiwi-edit-1k", "kiwi", 1e6)
    figure("build and first layout, nested tree of 1,000", "build-1k", 1e3)
    figure("one constant of 10,000 views, 1 moves", "move-1", 1e6)
    figure("one constant of 10,000 views, 100 move", "move-100", 1e6)
    figure("one constant of 10,000 views, 5,000 move", "move-5000", 1e3)
    figure("100 random constants, tree of 1,000, one cycle", "batch-1k", 1e3)
    figure("a cycle with nothing marked", "idle", 1e9)
    report.add("cost of a sibling, 10,000 against 100", found["siblings-10k"] * 1e6, found["siblings-100"] * 1e6, "itself at 100",
               found["siblings-10k"] / found["siblings-100"])  # fmt: skip
    figure("memory of a view with 4 constraints", "memory", 1)
    for peer in drivers:
        for size, suffix in ("1,000", "1k"), ("10,000", "10k"):
            for work, name, scale in (
                ("build and first layout, nested tree", "build", 1e3), ("one edit, nested tree", "edit", 1e6),
                ("root resized, every view moves, nested tree", "resize", 1e3), ("100 random edits, nested tree", "batch", 1e3),
            ):  # fmt: skip
                against(f"{work} of {size}, against {peer}", f"{name}-{suffix}", f"{peer}-{name}-{suffix}", peer, scale)
        against(f"memory of a view of a nested tree of 10,000, against {peer}", "tree-memory", f"{peer}-tree-memory", peer, 1)
        for scene, title in SCENES.items():
            for work, name in (
                ("build and first layout", "build"), ("one edit", "edit"), ("root resized", "resize"), ("100 random edits", "batch"),
            ):  # fmt: skip
                against(f"{work}, {title}, against {peer}", f"{scene}-{name}", f"{peer}-{scene}-{name}", peer, 1e6)
        against(f"memory of a view, list of 1,000 rows, against {peer}", "list-memory", f"{peer}-list-memory", peer, 1)
    for capture in captures:
        for work, name, scale in (
            ("build and first layout", "build", 1e6), ("one edit", "edit", 1e6), ("root resized", "resize", 1e6),
            ("100 random edits", "batch", 1e6), ("memory of a view", "memory", 1),
        ):  # fmt: skip
            for peer in capture.peers:
                title = f"{work}, {capture.name}, against {peer}"
                against(title, f"{capture.name}-{name}", f"{peer}-{capture.name}-{name}", peer, scale)
    report.finish()
    if shutil.which("valgrind") is None:
        print("instruction counts: valgrind is not installed")
        return
    for name, rounds in COUNTED.items():
        # With rounds less without, so that the making of the scene does not count.
        count = (instructions(bench, name, rounds) - instructions(bench, name, 0)) // rounds
        print(f"{name:62} {count:12} instructions")


if __name__ == "__main__":
    main()
