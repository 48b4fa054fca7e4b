"""Whether programs under `clocks.c` have the clocks that they are given, and wait as long as they mean to."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from clocks import SOURCE, Clocks, under

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))

from preload import build_library  # noqa: E402

HOUR = 3600
#: Reads a clock that is left alone, and those that are set, before and after a wait of half a second, each time that it is asked.
PROGRAM = """
import json, sys, threading, time
def clocks():
    return [time.clock_gettime(time.CLOCK_TAI), time.time(), time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME)]
for line in sys.stdin:
    before = clocks()
    threading.Event().wait(0.5)
    print(json.dumps([before, clocks()]), flush=True)
"""


@dataclass
class Reading:
    """A true time, and by how much clocks are ahead then: the wall's, the monotonic one, CLOCK_BOOTTIME."""

    true: float
    ahead: list[float]


class Program:
    """A program with clocks of its own."""

    def __init__(self, folder: Path) -> None:
        self.clocks = Clocks(folder / "clocks")
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=under(build_library(SOURCE, folder), self.clocks), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        true = time.clock_gettime(time.CLOCK_TAI)
        self._usual = [clock - true for clock in (time.time(), time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME))]

    def read(self) -> tuple[Reading, Reading]:
        """Its clocks before and after the wait."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        first, second = json.loads(self.process.stdout.readline())
        return self._reading(first), self._reading(second)

    def _reading(self, clocks: list[float]) -> Reading:
        return Reading(clocks[0], [clock - clocks[0] - usual for clock, usual in zip(clocks[1:], self._usual)])


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    yield program
    program.process.kill()
    program.process.wait()


def test_clocks_are_set_while_the_program_runs(program: Program) -> None:
    def ahead(*hours: float) -> bool:
        first, second = program.read()
        # A wait is not shorter than it was meant to be, and none takes hours.
        assert 0.5 <= second.true - first.true + 0.001 < HOUR / 2
        # A thread may have to wait for its turn between two clocks.
        expected = [pytest.approx(hour * HOUR, abs=60) for hour in hours]
        return first.ahead == expected and second.ahead == expected

    assert ahead(0, 0, 0)
    program.clocks.step(wall=-24 * HOUR)
    assert ahead(-24, 0, 0)
    program.clocks.step(wall=25 * HOUR, monotonic=HOUR, boot=2 * HOUR)
    assert ahead(1, 1, 2)
    program.clocks.correct()
    assert ahead(0, 1, 2)


def test_a_drift_goes_on_from_where_it_begins(program: Program) -> None:
    """A hundred times too fast, so that half a second is 50 more."""
    program.clocks.step(monotonic=HOUR, drift=100)
    first, second = program.read()
    assert second.ahead[1] - first.ahead[1] == pytest.approx(100 * (second.true - first.true), rel=0.5)
    assert first.ahead[1] >= HOUR
    program.clocks.correct()
    third, fourth = program.read()
    assert third.ahead[1] >= second.ahead[1] and fourth.ahead[1] == pytest.approx(third.ahead[1], abs=10)
