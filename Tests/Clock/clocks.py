"""The clocks of programs that run under `clocks.c`."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path

SECOND = 1_000_000_000
PRESENT, FORM = struct.Struct("<q"), struct.Struct("<5q")


class Clocks:
    """Clocks that a program reads from a file; they show the true time at first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        #: Seconds by which the wall clock, the monotonic one and the one that counts suspensions are ahead.
        self.wall = self.monotonic = self.boot = 0.0
        self._drift, self._since, self._present = 0.0, time.monotonic(), 0
        self._file = path.open("w+b", buffering=0)
        self._file.write(bytes(PRESENT.size + 2 * FORM.size))

    def step(self, wall: float = 0, monotonic: float = 0, boot: float = 0, drift: float = 0) -> None:
        """Sets clocks by so many seconds; from now on they are too fast by a share of a second each second. No clock but the wall's goes
        back."""
        now = time.monotonic()
        gained = (now - self._since) * self._drift
        self.wall += wall + gained
        self.monotonic += monotonic + gained
        self.boot += boot + gained
        self._drift, self._since, self._present = drift, now, 1 - self._present
        numbers = [int(each * SECOND) for each in (self.wall, self.monotonic, self.boot)]
        self._file.seek(PRESENT.size + self._present * FORM.size)
        self._file.write(FORM.pack(*numbers, int(drift * 1_000_000), int(now * SECOND)))
        self._file.seek(0)
        self._file.write(PRESENT.pack(self._present))

    def correct(self) -> None:
        """Puts the wall clock back to the true time, and ends a drift."""
        self.step()
        self.step(wall=-self.wall)

    def close(self) -> None:
        self._file.close()


#: What makes a program read these clocks.
SOURCE = Path(__file__).with_name("clocks.c")


def under(library: Path, clocks: Clocks) -> dict[str, str]:
    """The environment of a program that reads these clocks."""
    return {**os.environ, "LD_PRELOAD": str(library), "CLOCKS_FILE": str(clocks.path)}
