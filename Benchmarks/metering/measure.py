"""Counts what metering costs: `measure.py METERED UNMETERED [WITHIN]`, two folders with the programs of a release build each.

`run` makes the second from a copy of the sources whose meters count nothing. The same work is done by both under callgrind; with
WITHIN, more than that share of the instructions in any row is a failure.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

#: What the layout engine does, and how often.
ENGINE = {"build-1k": 1, "resize-1k": 20, "edit-1k": 100, "move-1": 2000, "batch-1k": 10}
#: What the solver replays, and with how many views.
SOLVER = {"tree": 100, "cells": 100, "chain": 100}

#: What a session does, besides.
SESSION = ["tick-1k"]


def instructions(*command: str) -> int:
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    # Tables that are laid out anew in each process would differ by as much as is looked for.
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    errors = subprocess.run([*tool, *command], check=True, capture_output=True, text=True, env=environment).stderr
    found = re.search(r"Collected\s*:\s*(\d+)", errors)
    if found is None:
        raise SystemExit(f"callgrind counted nothing for {' '.join(command)}")
    return int(found[1])


def engine(folder: str, name: str) -> int:
    """With rounds less without, so that the making of the scene does not count."""
    bench = f"{folder}/engine-bench"
    return instructions(bench, name, str(ENGINE[name])) - instructions(bench, name, "0")


def solver(folder: str, name: str) -> int:
    return instructions(f"{folder}/solver-bench", "replay", name, str(SOLVER[name]))


def session(folder: str, name: str) -> int:
    return instructions(f"{folder}/session-bench", name)


def main() -> None:
    metered, unmetered = sys.argv[1:3]
    within = float(sys.argv[3]) if len(sys.argv) > 3 else None
    dearest = 0.0
    # Counts are the same whatever else runs.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [
            (count.__name__, name, pool.submit(count, unmetered, name), pool.submit(count, metered, name))
            for count, names in ((engine, ENGINE), (solver, SOLVER), (session, SESSION))
            for name in names
            if count is not session or within is None
        ]
        for kind, name, without, metering in rows:
            share = metering.result() / without.result() - 1
            dearest = max(dearest, share)
            print(f"{kind} {name:12} {without.result():12} instructions without, {share:+.2%} with")
    if within is not None and dearest > within:
        raise SystemExit(f"metering costs {dearest:.2%} of the instructions; {within:.1%} is allowed")


if __name__ == "__main__":
    main()
