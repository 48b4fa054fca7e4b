"""Counts the instructions of messages beside their price: `measure.py BOMBS_BENCH …`, see `--help`.

A search goes by processor time, which is quick and coarse; what it found worst is counted by callgrind, which is neither.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

#: What is counted: the room's steps from the message's text to the frame that answers it.
COUNTED = "*bombs_bench5Trial*countedAnswer*"


@dataclass
class Found:
    """A case of the search."""

    goal: str
    views: str
    kind: str
    case: str
    instructions: int = 0
    units: int = 0
    length: int = 0

    @property
    def rate(self) -> float:
        return self.instructions / max(self.units, 1)


def cases(bench: str, *words: str) -> list[Found]:
    """The cases that the program prints, the best of each goal first."""
    output = subprocess.run([bench, *words], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split() for line in output.splitlines()]
    return [Found(goal=words[0], views=words[6], kind=words[7], case=words[8]) for words in lines]


def count(bench: str, found: list[Found]) -> None:
    """Runs cases under callgrind, which writes a file after each."""
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        # Two patterns that are the same would share their options' fate: the second one's is lost.
        tool += [f"--toggle-collect={COUNTED}", "--dump-after=*countedAnswer*"]
        lines = "".join(f"{case.case} {case.views}\n" for case in found)
        # Tables that are laid out anew in each process would differ a little.
        environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
        run = subprocess.run([*tool, bench, "run"], input=lines, capture_output=True, text=True, check=True, env=environment)
        for number, (case, line) in enumerate(zip(found, run.stdout.splitlines(), strict=True), 1):
            totals = re.search(r"^(?:totals|summary): (.*)$", Path(f"{folder}/out.{number}").read_text(), re.M)
            if totals is None:
                raise SystemExit(f"callgrind told no total of {case.case}")
            _, _, case.units, _, case.length = (int(word) for word in line.split())
            case.instructions = int(totals[1].split()[0])


def kept(file: str) -> list[Found]:
    """What earlier searches found: a kind, a number of views and a case in each line."""
    lines = [line.split() for line in Path(file).read_text().splitlines()]
    return [Found(goal="kept", views=views, kind=kind, case=case) for kind, views, case in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts the instructions of messages beside their price.")
    parser.add_argument("bench", help="the program bombs-bench")
    parser.add_argument("--search", type=int, default=0, metavar="TRIES", help="search with so many tries")
    parser.add_argument("--best", type=int, default=20, metavar="COUNT", help="how many finds of each goal are counted")
    parser.add_argument("--sample", type=int, default=0, metavar="COUNT", help="count random messages")
    parser.add_argument("--seed", type=int, default=1, help="of the search and of the random messages")
    parser.add_argument("--cases", metavar="FILE", help="count what an earlier search found")
    parser.add_argument("--within", type=float, metavar="TIMES", help="fail if the dearest instructions are more times the cheapest")
    options = parser.parse_args()
    found = cases(options.bench, "search", str(options.search), str(options.seed)) if options.search else []
    goals = dict.fromkeys(case.goal for case in found)
    chosen = [case for goal in goals for case in [case for case in found if case.goal == goal][: options.best]]
    chosen += cases(options.bench, "sample", str(options.sample), str(options.seed)) if options.sample else []
    chosen += kept(options.cases) if options.cases else []
    count(options.bench, chosen)
    for case in sorted(chosen, key=lambda case: case.rate):
        print(f"{case.rate:8.1f} {case.goal:12} {case.units:9} units {case.length:7} bytes  {case.kind} {case.views} {case.case}")
    rates = [case.rate for case in chosen]
    apart = max(rates) / min(rates)
    print(
        f"instructions for a unit: {min(rates):.1f} to {max(rates):.1f}, {apart:.2f} times, "
        f"median {statistics.median(rates):.1f} of {len(rates)} messages"
    )
    if options.within is not None and apart > options.within:
        raise SystemExit(f"messages of one price differ by {apart:.2f} times in their instructions; {options.within} are allowed")


if __name__ == "__main__":
    main()
