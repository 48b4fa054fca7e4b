"""Servers that are told to end as soon as they say that they listen, as a machine that is shut down may tell them."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

#: Many at once, so that their threads wait for each other: a server alone has long heard of signals by then.
SERVERS = 24


def ending(_: int) -> int:
    command = [os.environ["SCENESYNC"], "serve", "--in-memory", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout and server.stdout.readline().startswith("listening on ")
        server.terminate()
        try:
            return server.wait(20)
        finally:
            server.kill()


def test_servers_end_that_are_told_to_at_once() -> None:
    with ThreadPoolExecutor(SERVERS) as pool:
        assert list(pool.map(ending, range(SERVERS))) == [0] * SERVERS
