"""What a standby costs: memory and processor time of a node that owns nothing, and of the one that owns a thousand rooms at rest.

    standby.py [ROOMS]     prints both, before and after the rooms are made, over twenty seconds each
"""

from __future__ import annotations

import asyncio
import sys
import time

from cluster import PATIENCE, Cluster, Node
from scenesync import ops
from scenesync.messages import Result
from scenesync.session import ClientSession
from sockets import Socket

#: Views of each room, and seconds of a measurement.
VIEWS = 50
SECONDS = 20


async def make(address: str, room: str) -> None:
    """Makes a room and leaves it."""
    session = ClientSession(role="editor", room=room, format="json", urls=[address])
    socket = await Socket.connect(f"{address}/{room}", "scenesync.v1.json", 10)
    session.connected(time.monotonic())
    session.apply([ops.add_view(f"v{number}", kind="label", text=f"view {number}") for number in range(VIEWS)])
    while True:
        for data in session.take_outgoing():
            socket.send(str(data))
        if isinstance(session.receive(await socket.receive(), time.monotonic()), Result):
            break
    socket.abort()


async def make_all(address: str, count: int) -> None:
    for number in range(count):
        await make(address, f"room{number}")


def wait_for_rest(nodes: list[Node]) -> None:
    """Returns once nothing happens any more: twice in a row no ticks and the same memory, by the nodes' own counts."""
    end = time.monotonic() + 2 * PATIENCE
    before, same = None, 0
    while same < 2:
        assert time.monotonic() < end, f"the nodes do not come to rest: {before}"
        time.sleep(2)
        counts = [
            line
            for node in nodes
            for line in node.get("/metrics").splitlines()
            if line.startswith(("scenesync_ticks_total ", "scenesync_memory_bytes{", "scenesync_second_copy_records_total "))
        ]
        same = same + 1 if counts == before else 0
        before = counts


def measure(node: Node) -> tuple[float, float]:
    """MiB of memory, and the share of a processor."""
    before = node.seconds()
    time.sleep(SECONDS)
    share = (node.seconds() - before) / SECONDS
    return node.metric("scenesync_resident_bytes") / 2**20, share


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with Cluster(nodes=2, shards=1, options=["--freeze-after", "1", "--unload-after", "86400"]) as cluster:
        owner = max(cluster.nodes, key=lambda node: node.owned())
        standby = next(node for node in cluster.nodes if node is not owner)
        for text, is_made in (("without rooms", False), (f"with {count} rooms of {VIEWS} views at rest", True)):
            if is_made:
                asyncio.run(make_all(owner.address, count))
            wait_for_rest(cluster.nodes)
            for name, node in (("owner", owner), ("standby", standby)):
                memory, share = measure(node)
                rooms = int(node.metric("scenesync_rooms"))
                print(f"{name} {text}: {memory:.0f} MiB, {100 * share:.1f} % of a processor, {rooms} rooms in memory")


if __name__ == "__main__":
    main()
