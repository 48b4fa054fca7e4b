"""Counts the instructions of what a search for mispriced messages found: `measure.py BOMBS_BENCH TRIES SEED [CASES [SAMPLE]]`.

The search goes by processor time, which is quick and coarse; what it found worst is counted by callgrind, which is neither.
Of each goal the first CASES are counted, and SAMPLE random ones besides.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
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
        run = subprocess.run([*tool, bench, "run"], input=lines, capture_output=True, text=True, check=True)
        for number, (case, line) in enumerate(zip(found, run.stdout.splitlines(), strict=True), 1):
            totals = re.search(r"^(?:totals|summary): (.*)$", Path(f"{folder}/out.{number}").read_text(), re.M)
            if totals is None:
                raise SystemExit(f"callgrind told no total of {case.case}")
            _, _, case.units, _, case.length = (int(word) for word in line.split())
            case.instructions = int(totals[1].split()[0])


def main() -> None:
    bench, tries, seed = sys.argv[1:4]
    limit = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    sample = sys.argv[5] if len(sys.argv) > 5 else "0"
    found = cases(bench, "search", tries, seed) if tries != "0" else []
    chosen = [
        case for goal in dict.fromkeys(case.goal for case in found) for case in [c for c in found if c.goal == goal][:limit]
    ]
    chosen += cases(bench, "sample", sample, seed)
    count(bench, chosen)
    for case in sorted(chosen, key=lambda case: case.rate):
        print(f"{case.rate:8.1f} {case.goal:12} {case.units:9} units {case.length:7} bytes  {case.kind} {case.views} {case.case}")
    rates = [case.rate for case in chosen]
    print(f"instructions for a unit: {min(rates):.1f} to {max(rates):.1f}, median {statistics.median(rates):.1f}")


if __name__ == "__main__":
    main()
