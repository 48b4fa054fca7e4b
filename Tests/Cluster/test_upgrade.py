"""A rolling upgrade: node after node is drained, ended, and started again with another build, under load.

SCENESYNC_BEFORE names the build that all nodes run at first. Without it that is the one under test, which restarts every node and
changes no version; what nodes of different versions do is tried without I/O by `MixedVersionTests`.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, Cluster, all_are_at_work, finish, program, program_before  # noqa: E402
from viewers import Viewers  # noqa: E402
from watching import ROOM, Seen, Watch, all_have  # noqa: E402
from writers import Writers  # noqa: E402

#: Viewers, a third of them at each node.
VIEWERS = 30
#: Seconds between two edits.
INTERVAL = 0.05
#: Nobody is without the picture for longer, in seconds; how long it is, is printed.
LONGEST = 5.0


def upgrade(cluster: Cluster, number: int, writers: Writers, viewers: Viewers) -> tuple[Seen, Seen, list[float]]:
    """Upgrades one node; what viewers at the others saw of it, and those at the node itself, and for how long these were away."""
    node, writer = cluster.nodes[number], writers.all[0]
    there = {viewer for viewer in viewers.all if viewer.url == f"{node.address}/{ROOM}"}
    watches = {viewer: Watch(viewer) for viewer in viewers.all}
    for viewer in there:
        viewer.absences.clear()
    viewers.delay = 0.0
    drained = cluster.operate("drain", node.name)
    assert drained.stdout == f"{node.name} owns nothing\n", drained.stderr
    node.kill(signal.SIGTERM)
    wanted = writer.next_number
    assert viewers.waits(lambda them: all_have(them, wanted), PATIENCE), f"not all viewers see what came after {node.name} went"
    elsewhere, beside = Seen(), Seen()
    for viewer, watch in watches.items():
        (beside if viewer in there else elsewhere).add(watch.seen())
    node.program = program()
    node.start()
    return elsewhere, beside, sorted(time for viewer in there for time in viewer.absences)


def test_nodes_are_upgraded_one_after_another_and_only_the_drained_ones_viewers_reconnect():
    before = program_before()
    rooms = [ROOM, "hall", "garden"]
    with Cluster(before=before) as cluster, Writers(rooms, cluster.addresses, each=2, interval=INTERVAL) as writers:
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        with Viewers(VIEWERS, ROOM, f"v{writers.all[0].number}", cluster.addresses) as viewers:
            assert viewers.waits(lambda them: all_have(them, 1), PATIENCE), "the viewers do not see the room"
            for number, node in enumerate(cluster.nodes):
                elsewhere, beside, absences = upgrade(cluster, number, writers, viewers)
                middle, longest = absences[len(absences) // 2], absences[-1]
                print(
                    f"{node.name}: elsewhere {elsewhere}; there {beside}; away for {middle:.3f} s, {longest:.3f} s at most; "
                    f"the measuring thread was late by {viewers.delay:.3f} s"
                )
                # Nobody at another node is closed, and nobody holds what does not fit. A room that goes to another owner may begin again.
                assert (elsewhere.closed, elsewhere.resyncs, beside.resyncs) == (0, 0, 0), (elsewhere, beside)
                assert elsewhere.snapshots <= len(elsewhere.gaps) and beside.snapshots <= 2 * len(beside.gaps), (elsewhere, beside)
                assert longest < LONGEST, absences
                assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
                if number == 0 and before:
                    take_back(cluster)
                # Whoever sits elsewhere goes home.
                for viewer in viewers.all:
                    if viewer.url != viewer.home:
                        viewer.begin_anew()
                assert viewers.waits(
                    lambda them: all(viewer.url == viewer.home for viewer in them) and all_have(them, 1), PATIENCE
                ), "the viewers do not come back to their nodes"
        cluster.wait_for_owners(8)
        assert finish(cluster, writers) == []


def take_back(cluster: Cluster) -> None:
    """The first node, which is of the later version, has a room and keeps it from those of the earlier one."""
    first, second = cluster.nodes[0], cluster.nodes[1]
    if cluster.owner_of(ROOM) is not first:
        moved = cluster.operate("move", "--room", ROOM, first.name)
        assert moved.returncode == 0, moved.stderr
    refused = cluster.operate("move", "--room", ROOM, second.name)
    print(f"a move back to the build of before: {refused.stdout or refused.stderr}")
    if refused.returncode == 0:
        # The other build tells the same version.
        return
    assert f"look at the log of {first.name}" in refused.stderr, refused.stderr
    assert "upgrade it first" in first.log(), first.log()[-2000:]
    assert cluster.owner_of(ROOM) is first
