"""The demo with one viewer and nobody who touches it: values change once a second."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "Tests" / "Support")]

from report import Report  # noqa: E402
from scenesync import AsyncClient  # noqa: E402
from scenesync_server import Server  # noqa: E402

#: Until the first values are there, and what is measured.
BEFORE, SECONDS = 5.0, 40.0


class CountingClient(AsyncClient):
    """A viewer that counts the bytes of the messages it is sent."""

    byte_count = 0

    async def _receive(self, data: bytes | str) -> None:
        self.byte_count += len(data)
        await super()._receive(data)


def processor_seconds(process: int) -> float:
    """What the process took of a processor so far, in user and kernel. proc(5)."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def watch(server: Server, room: str) -> tuple[float, float]:
    """The share of a core in percent, and bytes a second, while one viewer watches a room."""
    async with CountingClient(f"{server.url}/{room}") as viewer:
        await asyncio.sleep(BEFORE)
        bytes_before, cpu_before, began = viewer.byte_count, processor_seconds(server.process.pid), time.monotonic()
        await asyncio.sleep(SECONDS)
        seconds = time.monotonic() - began
        cpu = processor_seconds(server.process.pid) - cpu_before
        return 100 * cpu / seconds, (viewer.byte_count - bytes_before) / seconds


def main() -> None:
    report = Report("demo", 1)
    with Server("--in-memory", command="demo") as server:
        cpu, sent = asyncio.run(watch(server, "demo"))
        report.add("the monitor at rest, server and program, of one core", cpu)
        report.add("the monitor at rest, to a viewer", sent)
        cpu, sent = asyncio.run(watch(server, "clock"))
        report.add("the clock, server and program, of one core", cpu)
        report.add("the clock, to a viewer", sent)
    report.finish()


if __name__ == "__main__":
    main()
