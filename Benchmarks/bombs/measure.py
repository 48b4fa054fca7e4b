"""Counts the instructions of what a search for mispriced messages found: `measure.py BOMBS_BENCH TRIES SEED [CASES]`.

The search goes by processor time, which is quick and coarse; what it found worst is counted by callgrind, which is neither.
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


def search(bench: str, tries: str, seed: str) -> list[Found]:
    """The best cases of a search, those that are told first for each goal."""
    output = subprocess.run([bench, "search", tries, seed], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split() for line in output.splitlines()]
    return [Found(goal=words[0], views=words[6], kind=words[7], case=words[8]) for words in lines]


def count(bench: str, found: Found) -> None:
    """Runs a case under callgrind."""
    with tempfile.TemporaryDirectory() as folder:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", f"--toggle-collect={COUNTED}"]
        run = subprocess.run([*tool, bench, "run", found.case, found.views], capture_output=True, text=True, check=True)
        totals = re.search(r"^(?:totals|summary): (.*)$", Path(f"{folder}/out").read_text(), re.M)
    if totals is None:
        raise SystemExit(f"callgrind told no total of {found.case}")
    _, _, found.units, _, found.length = (int(word) for word in run.stdout.split())
    found.instructions = int(totals[1].split()[0])


def main() -> None:
    bench, tries, seed = sys.argv[1:4]
    limit = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    found = search(bench, tries, seed)
    chosen = [
        case for goal in dict.fromkeys(case.goal for case in found) for case in [c for c in found if c.goal == goal][:limit]
    ]
    for case in chosen:
        count(bench, case)
        print(f"{case.rate:8.1f} {case.goal:12} {case.units:9} units {case.length:7} bytes  {case.kind}", flush=True)
    rates = [case.rate for case in chosen]
    print(f"instructions for a unit: {min(rates):.1f} to {max(rates):.1f}, median {statistics.median(rates):.1f}")


if __name__ == "__main__":
    main()
