"""The campaign of `./dev soak cluster`.

    campaign.py [KILLS [SEED [KIND…]]]     harms a cluster so often while writers write, prints how long it took until something new was
                                           acknowledged, and has the history checked at the end; KIND is one of "owner", "engine", "both",
                                           "owner stopped", "engine stopped", "owner ends" and "link cut", all of them by default

Each node has a machine of its own, with a server of the engine beside it: a network namespace. It takes root to make these.
CLUSTER_HISTORY names a file for the history, CLUSTER_LOGS a folder for what nodes and servers printed.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import sys
import time
from pathlib import Path

from cluster import PATIENCE, Cluster, Node, all_are_at_work, all_have_settled, finish
from harm import KINDS, LINK_CUT, Wait, suffer
from network import Machines, Unavailable, move_to_own_network
from writers import Writers

#: Rooms with a writer each, who asks for something so often, in seconds: together they take a small part of a core.
ROOMS = 20
INTERVAL = 0.05
#: So many seconds pass from one harm's end to the next, and all writers have been connected for a second: a node that has just started stands
#: by for nobody yet, and a cluster of which two nodes fail within a second is another experiment.
PACE = 2.0


#: A wait of more seconds is told of where the stream was led elsewhere.
NOTABLE = 0.6


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def late_ticks(node: Node) -> int:
    """How many ticks a node has left out since it started."""
    return int(node.metric("scenesync_late_ticks_total"))


class Campaign:
    """Harm after harm, and what was seen of each."""

    def __init__(self, cluster: Cluster, writers: Writers, seed: int, kinds: list[str]) -> None:
        self._cluster, self._writers, self._kinds = cluster, writers, kinds
        self._chance = random.Random(seed)
        self._engine = cluster.connection()
        self._servers = [cluster.connection([place]) for place in cluster.servers.places]
        self.waits: list[Wait] = []
        #: By kind, ticks that nodes left out which were not harmed.
        self.late_ticks = dict.fromkeys(kinds, 0)

    def harm(self) -> None:
        """Harms the owner of some room, and waits until everybody is at work again."""
        cluster, writers = self._cluster, self._writers
        owner = cluster.owner_of(self._chance.choice(writers.all).room)
        leaders = self._leaders()
        # Rooms that went back to their nodes meanwhile had some writers connect anew.
        assert writers.waits(all_have_settled, PATIENCE), "the writers do not get to work again"
        kind = self._chance.choice(self._kinds)
        begun = time.strftime("%H:%M:%S") + f"{time.time() % 1:.3f}"[1:]
        before = {node: late_ticks(node) for node in cluster.nodes}
        late = [0]

        def look() -> None:
            late[0] = sum(late_ticks(node) - count for node, count in before.items() if node is not owner)

        waits = suffer(cluster, writers, kind, owner, leaders, look)
        self.waits += waits
        longest = max((wait.seconds for wait in waits), default=0)
        self.late_ticks[kind] += late[0]
        print(
            f"{begun} {kind} of {owner.name}: {len(waits)} writers, {longest:.3f} s at most; {late[0]} ticks left out elsewhere",
            file=sys.stderr,
        )
        # Of those whose stream was led elsewhere, what held up the one that waited longest.
        slowest = max((wait for wait in waits if not wait.is_led), key=lambda wait: wait.seconds, default=None)
        if slowest and slowest.seconds > NOTABLE:
            print(f"    {slowest.seconds:.3f} s: {slowest.story}", file=sys.stderr)
        cluster.servers.wait_for_leader()
        time.sleep(PACE)

    def _leaders(self) -> dict[str, str]:
        """The server that leads each stream of records, once all servers have what it has: harm meets a cluster that is whole."""
        end = time.monotonic() + PATIENCE
        # A link that was cut for some seconds carries nothing before TCP tries again, which may take as long.
        for here, there in itertools.permutations(self._servers, 2):
            while not here.hears(there):
                assert time.monotonic() < end, "the servers do not hear one another again"
        while True:
            leaders = {name: self._engine.leader(name) for name in (f"ss-journal-{number}" for number in range(3))}
            if all(leaders.values()):
                return leaders
            assert time.monotonic() < end, f"the streams do not come together again: {leaders}"
            time.sleep(0.05)

    def report(self) -> list[str]:
        lines = []
        for kind, is_led, is_connected in itertools.product(self._kinds, (False, True), (False, True)):
            values = [
                wait.seconds for wait in self.waits if (wait.kind, wait.is_led, wait.is_connected) == (kind, is_led, is_connected)
            ]
            if values:
                lines.append(
                    f"{kind}, stream led {'there' if is_led else 'elsewhere'}, writer connected "
                    f"{'there' if is_connected else 'elsewhere'}: {len(values)} waits, p50 {percentile(values, 0.5):.3f} s, "
                    f"p99 {percentile(values, 0.99):.3f} s, longest {max(values):.3f} s"
                )
        return [*lines, f"ticks left out at nodes that were not harmed: {self.late_ticks}"]


def run(kills: int, seed: int, kinds: list[str]) -> int:
    with Machines() as machines, Cluster(machines=machines) as cluster:
        rooms = [f"room{number}" for number in range(ROOMS)]
        try:
            with Writers(rooms, cluster.addresses, each=1, interval=INTERVAL) as writers:
                if not writers.waits(all_are_at_work, PATIENCE):
                    print("the writers do not get to work", file=sys.stderr)
                    return 1
                campaign = Campaign(cluster, writers, seed, kinds)
                for number in range(kills):
                    try:
                        campaign.harm()
                    except AssertionError as error:
                        print(f"kill {number}: {error}", file=sys.stderr)
                        return 1
                kept = os.environ.get("CLUSTER_HISTORY")
                faults = finish(cluster, writers, Path(kept) if kept else None)
        finally:
            if folder := os.environ.get("CLUSTER_LOGS"):
                Path(folder).mkdir(parents=True, exist_ok=True)
                for log in [*cluster.folder.glob("*.log"), *(cluster.servers.folder.glob("*.log"))]:
                    shutil.copy(log, Path(folder) / f"{log.parent.name.split('-')[0]}-{log.name}")
    acknowledged = sum(len(writer.acknowledged) for writer in writers.all)
    refused = sum(writer.refused for writer in writers.all)
    print("\n".join(campaign.report()))
    print(f"{kills} kills, {acknowledged} ops acknowledged, {refused} refused, {len(faults)} faults")
    print("\n".join(faults[:50]))
    return 1 if faults else 0


def main(arguments: list[str]) -> int:
    kills = int(arguments[0]) if arguments else 200
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    kinds = arguments[2:] or [*KINDS, LINK_CUT]
    if unknown := set(kinds) - {*KINDS, LINK_CUT}:
        print(f"there is no kind {sorted(unknown)}; there are {[*KINDS, LINK_CUT]}", file=sys.stderr)
        return 64
    try:
        move_to_own_network()
        return run(kills, seed, kinds)
    except Unavailable as error:
        print(
            f"the campaign needs network namespaces, which cannot be made here: {error}\nRun it as root, or within"
            " `unshare --user --map-root-user --net`.", file=sys.stderr
        )  # fmt: skip
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
