"""Measures text in faces beside the same on the grid: `measure.py TEXT_BENCH ROUNDS`.

Each figure comes from a process of its own. Grid and faces take turns, and a row is the median of the ratios of two processes that
followed one another; of memory it is the difference.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from report import Report  # noqa: E402

#: What is measured, with the row's name and the factor to the row's unit.
ROWS = {
    "number": ("a label's new number, op to encoded frame, against the grid", 1e6),
    "list": ("first layout of a list of 1,000 rows, against the grid", 1e3),
    "memory": ("memory of a label of 40 characters, more than on the grid", 1),
}


def measured(bench: str, name: str, typography: str) -> float:
    return float(subprocess.run([bench, name, typography], check=True, capture_output=True, text=True).stdout)


def main() -> None:
    bench, rounds = sys.argv[1], int(sys.argv[2])
    report = Report("text", rounds)
    for name, (row, factor) in ROWS.items():
        pairs = [(measured(bench, name, "grid") * factor, measured(bench, name, "faces") * factor) for _ in range(rounds)]
        grid, faces = (statistics.median(column) for column in zip(*pairs, strict=True))
        if name == "memory":
            report.add(row, statistics.median(b - a for a, b in pairs))
        else:
            report.add(row, faces, grid, "grid", statistics.median(b / a for a, b in pairs))
    report.finish()


if __name__ == "__main__":
    main()
