"""What an audience at other nodes costs a room's owner.

    audience.py [VIEWERS [RATE [SECONDS]]]     has so many (3,000) watch a room at three nodes that do not own it, with so many edits a
                                               second (10) for so long (20), prints the owner's processor time beside that without anybody
                                               who watches, and when what was edited came beside a server without a cluster
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import Any

from cluster import Cluster
from scenesync_server import PROGRAM, Server


def load(addresses: list[str], viewers: int, rate: float, duration: float) -> dict[str, Any]:
    words = [PROGRAM, "load", *addresses, "--viewers", str(viewers), "--editors", "1", "--rate", str(rate)]
    words += ["--duration", str(duration), "--joins", "1500", "--json"]
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{words} ended with {run.returncode}: {run.stderr[-2000:]}")
    return json.loads(run.stdout)


def alone(viewers: int, rate: float, duration: float) -> dict[str, Any]:
    """The same at a server without a cluster."""
    with tempfile.TemporaryDirectory() as folder, Server("--data", folder) as server:
        return load([server.url], viewers, rate, duration)


def main(arguments: list[str]) -> int:
    viewers = int(arguments[0]) if arguments else 3000
    rate = float(arguments[1]) if len(arguments) > 1 else 10
    duration = float(arguments[2]) if len(arguments) > 2 else 20
    with Cluster(nodes=4) as cluster:
        owner = cluster.owner_of("load-1")
        edges = [node for node in cluster.nodes if node is not owner]
        shares, told = [], []
        for count in (0, viewers):
            before = owner.seconds(), sum(node.metric("scenesync_attaches_total") for node in edges)
            told.append(load([node.address for node in edges], count, rate, duration))
            shares.append(owner.seconds() - before[0])
            attaches = sum(node.metric("scenesync_attaches_total") for node in edges) - before[1]
            print(f"{count} viewers: the owner took {shares[-1]:.2f} s, {attaches:.0f} links began; {json.dumps(told[-1])}")
        assert cluster.owner_of("load-1") is owner, "the room has gone to another node"
    print(f"owner's processor time: {shares[1] / shares[0]:.2f} times that without viewers")
    print(f"a server without a cluster: {json.dumps(alone(viewers, rate, duration))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
