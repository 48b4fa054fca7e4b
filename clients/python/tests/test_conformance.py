"""The client against a server that plays its part, good and nasty (`scenesync conformance --serve`)."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess

import pytest
from scenesync import AsyncClient, ConnectionEnded


@pytest.mark.parametrize("format", ["bin", "json"])
def test_live_suite(format: str) -> None:
    command = [os.environ["SCENESYNC"], "conformance", "--serve", "--patience", "20"]
    # These cases are about bytes alone.
    if format == "json":
        command += ["--exclude", "8.1-2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        found = re.match(r"listening on (\S+), (\d+) cases", server.stdout.readline())
        assert found

        async def run() -> None:
            for case in range(1, int(found[2]) + 1):
                client = AsyncClient(f"{found[1]}/case-{case}", reconnects=False, format=format)
                try:
                    async with client:
                        await client.ended()
                except ConnectionEnded:
                    pass

        asyncio.run(asyncio.wait_for(run(), 120))
        report = server.stdout.read()
    assert server.returncode == 0, report
    assert "0 NON-STRICT, 0 FAILED" in report, report
