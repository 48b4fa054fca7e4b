"""Whether programs under `clocks.c` have the clocks that they are given, and wait as long as they mean to."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clocks import SOURCE, Clocks, under

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))

from preload import build_library  # noqa: E402

HOUR = 3600
#: Reads its clocks, and how long half a second is, each time that it is asked.
PROGRAM = """
import json, sys, threading, time
for line in sys.stdin:
    begun = time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID)
    clocks = [time.time(), time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME)]
    before = time.monotonic()
    threading.Event().wait(0.5)
    print(json.dumps([*clocks, time.monotonic() - before]), flush=True)
"""


class Program:
    """A program with clocks of its own."""

    def __init__(self, folder: Path) -> None:
        self.clocks = Clocks(folder / "clocks")
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=under(build_library(SOURCE, folder), self.clocks), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def distances(self) -> list[float]:
        """By how much its clocks are ahead, how long half a second is for it, and how long that truly was."""
        assert self.process.stdin and self.process.stdout
        begun = time.monotonic()
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        answer: list[Any] = json.loads(self.process.stdout.readline())
        took = time.monotonic() - begun
        true = [time.time() - took, begun, time.clock_gettime(time.CLOCK_BOOTTIME) - took]
        return [shown - now for shown, now in zip(answer, true)] + [answer[3], took]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    yield program
    program.process.kill()
    program.process.wait()


def near(*values: float) -> list[Any]:
    return [pytest.approx(value, abs=0.4) for value in values]


def test_clocks_are_set_while_the_program_runs(program: Program) -> None:
    assert program.distances() == near(0, 0, 0, 0.5, 0.5)
    program.clocks.step(wall=-24 * HOUR)
    assert program.distances() == near(-24 * HOUR, 0, 0, 0.5, 0.5)
    program.clocks.step(wall=25 * HOUR, monotonic=HOUR, boot=2 * HOUR)
    assert program.distances() == near(HOUR, HOUR, 2 * HOUR, 0.5, 0.5)
    program.clocks.correct()
    assert program.distances() == near(0, HOUR, 2 * HOUR, 0.5, 0.5)


def test_a_drift_goes_on_from_where_it_begins(program: Program) -> None:
    """Twice as fast: half a second is over when half of it has passed."""
    program.clocks.step(monotonic=HOUR, drift=1.0)
    _, first, _, half, _ = program.distances()
    _, second, _, _, took = program.distances()
    assert half == pytest.approx(2 * took, rel=0.4) and second - first == pytest.approx(took, abs=0.4)
    program.clocks.correct()
    _, third, _, half, _ = program.distances()
    assert third >= second and half == pytest.approx(0.5, abs=0.2)
