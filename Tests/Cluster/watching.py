"""The measurement of `./dev soak viewers`.

    watching.py [DEATHS [VIEWERS [MOVES]]]     kills the owner of a room so often (100) while so many (200) watch it at three nodes and one
                                               edits, then has the room moved so often (0), and prints what they noticed

With each move goes another round in which an operator's command runs as well and the room stays: what viewers notice then is the machine's.

Those at other nodes than the owner's are to keep their connections and states: what a client does only where its state does not fit is
counted. At the end all have the state of those who join then, and the history of the edits is checked. Ends with 1 where one of these
does not hold. CLUSTER_LOGS names a folder for what nodes printed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from campaign import percentile
from cluster import PATIENCE, Cluster, Node, all_are_at_work, finish
from crowd import run_before_others
from scenesync import ops
from scenesync_server import PROGRAM
from viewers import Viewer, Viewers
from writers import Writers

ROOM = "watched"
#: Seconds between two edits, at most ahead of their results by three.
INTERVAL = 0.1
#: Seconds that an animation takes, longer than a move; how far it goes, in points, so that each tick shows; and the frames of it that
#: are seen before a move. All go the same way: those that go to and fro add up to standing still.
ANIMATION, FAR, FRAMES = 4.0, 480, 10


#: A view that an animation moves.
PATH = [ops.add_view("mover"), *(ops.add_constraint(rule, id) for id, rule in (
    ("path", "mover.left == root.left"), ("above", "mover.top == root.top"), ("width", "mover.width == 10"), ("height", "mover.height == 10")
))]  # fmt: skip


@dataclass
class Seen:
    """What viewers saw of one death, or of all."""

    closed: int = 0
    resyncs: int = 0
    snapshots: int = 0
    #: The longest time for which each saw no change, in seconds.
    gaps: list[float] = field(default_factory=list)

    def add(self, other: Seen) -> None:
        self.closed += other.closed
        self.resyncs += other.resyncs
        self.snapshots += other.snapshots
        self.gaps += other.gaps

    def __str__(self) -> str:
        gaps = self.gaps or [0.0]
        return (
            f"{len(self.gaps)} gaps, p50 {percentile(gaps, 0.5):.3f} s, p99 {percentile(gaps, 0.99):.3f} s, longest {max(gaps):.3f} s; "
            f"{self.closed} connections closed, {self.resyncs} resyncs, {self.snapshots} snapshots"
        )


class Watch:
    """What a viewer has done up to a moment, against which more is counted."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._session = viewer.session
        self._before = (viewer.session.resyncs, viewer.session.snapshots)
        viewer.ends.clear()
        # The last one is where the first gap begins.
        del viewer.moments[:-1]

    def seen(self) -> Seen:
        assert self._session is self._viewer.session, "the viewer began anew"
        moments = list(self._viewer.moments)
        gap = max((later - earlier for earlier, later in pairwise(moments)), default=0.0)
        return Seen(
            len(self._viewer.ends), self._session.resyncs - self._before[0], self._session.snapshots - self._before[1], [gap]
        )


class Watching:
    """Death after death."""

    def __init__(self, cluster: Cluster, writers: Writers, viewers: Viewers) -> None:
        self._cluster, self._writers, self._viewers = cluster, writers, viewers
        #: Of those at other nodes than the owner's, and of those at the owner's.
        self.elsewhere, self.there = Seen(), Seen()
        #: Where the view that is animated is to be.
        self._moved = 0
        #: How late the viewers' thread was at most.
        self.delay = 0.0
        #: Links that nodes began which were not killed.
        self.attaches = 0

    def die(self) -> None:
        """The owner dies, and starts again afterwards."""
        self._suffer("died", lambda owner: owner.kill())

    def move(self) -> None:
        """An operator has the room go to another node, in the middle of an animation, which the server runs for these viewers."""
        nodes = self._cluster.nodes
        self._animate()
        self._suffer("gave the room away", lambda owner: self._move(f"n{(nodes.index(owner) + 1) % len(nodes) + 1}"))

    def _animate(self) -> None:
        """Something moves with each tick for the next seconds; returns once all viewers have seen some of it."""
        self._moved += FAR
        change = [ops.set_constraint("path", constant=self._moved), ops.layout_if_needed()]
        self._writers.all[0].others.append([ops.animate(ANIMATION, change, curve="linear")])
        before = {viewer: len(viewer.moments) for viewer in self._viewers.all}
        assert self._viewers.waits(
            lambda them: all(len(viewer.moments) >= before.get(viewer, 0) + FRAMES for viewer in them), PATIENCE
        ), "the animation is not seen"

    def stay(self) -> None:
        """An operator looks at the cluster in the middle of an animation."""
        self._animate()
        self._suffer("kept the room", lambda owner: self._operate("status"))

    def _move(self, receiver: str) -> None:
        self._operate("move", "--room", ROOM, receiver)

    def _operate(self, what: str, *words: str) -> None:
        # An operator's machine is another one: on this one the command gives way to the nodes.
        order = ["nice", "-n", "19", PROGRAM, "cluster", what, self._cluster.servers.address, *words]
        subprocess.run(order, check=True, capture_output=True)

    def _suffer(self, what: str, harm: Callable[[Node], None]) -> None:
        """Waits until everybody sees what was asked for after the harm; then all are as before."""
        cluster, writer, viewers = self._cluster, self._writers.all[0], self._viewers
        owner = cluster.owner_of(ROOM)
        others = [node for node in cluster.nodes if node is not owner]
        attaches = sum(node.metric("scenesync_attaches_total") for node in others)
        there = {viewer for viewer in viewers.all if viewer.url == f"{owner.address}/{ROOM}"}
        watches = {viewer: Watch(viewer) for viewer in viewers.all}
        viewers.delay = 0.0
        harm(owner)
        wanted = writer.next_number
        is_over = viewers.waits(lambda them: all_have(them, wanted), PATIENCE)
        late = [(viewer.url, viewer.shown, viewer.ends[-3:]) for viewer in viewers.all if viewer.shown < wanted]
        assert is_over, f"{len(late)} viewers see nothing new, wanted {wanted}: {late[:5]}; writer: {list(writer.ends)[-3:]}"
        elsewhere, beside = Seen(), Seen()
        for viewer, watch in watches.items():
            seen = watch.seen()
            (beside if viewer in there else elsewhere).add(seen)
            if viewer not in there and (seen.closed or seen.resyncs or seen.snapshots):
                print(f"at {viewer.url}, {viewer.session.format}: {seen}; {viewer.ends}", file=sys.stderr)
        self.attaches += int(sum(node.metric("scenesync_attaches_total") for node in others) - attaches)
        self.delay = max(self.delay, viewers.delay)
        print(f"{time.strftime('%H:%M:%S')} {owner.name} {what}. Elsewhere: {elsewhere}. There: {beside}", file=sys.stderr)
        self.elsewhere.add(elsewhere)
        self.there.add(beside)
        self._come_together()

    def _come_together(self) -> None:
        """What died starts again, and its viewers go back to it."""
        self._cluster.restore()
        self._cluster.servers.wait_for_leader()
        for viewer in self._viewers.all:
            if viewer.url != viewer.home:
                viewer.begin_anew()
        wanted = self._writers.all[0].next_number
        assert self._viewers.waits(
            lambda them: all(viewer.url == viewer.home for viewer in them) and all_have(them, wanted), PATIENCE
        ), "the viewers do not come back to their nodes"

    def take(self) -> tuple[Seen, Seen]:
        """What those at other nodes than the owner's have seen since this was last asked, and those at the owner's."""
        taken = (self.elsewhere, self.there)
        self.elsewhere, self.there = Seen(), Seen()
        return taken

    def compare(self) -> list[str]:
        """Says which states differ at the end from those of people who join then."""
        count = len(self._viewers.all) + len(self._viewers.join_at_each())
        states: dict[tuple[int, int], int] = {}

        def agree(them: list[Viewer]) -> bool:
            states.clear()
            for viewer in them:
                state = (viewer.session.mirror.state_hash, viewer.shown)
                states[state] = states.get(state, 0) + 1
            is_complete = len(them) == count and not any(viewer.session.mirror.needs_snapshot for viewer in them)
            return is_complete and len(states) == 1

        if self._viewers.waits(agree, PATIENCE):
            return []
        return [f"{len(states)} different states of (hash, last edit): {states}"]


def all_have(viewers: list[Viewer], number: int) -> bool:
    return all(viewer.shown >= number for viewer in viewers)


def hand_overs(cluster: Cluster, state: str) -> float:
    """Rooms that nodes opened after a hand-over, by what their state was beside the former owner's."""
    return sum(node.metric(f'scenesync_handed_over_rooms_total{{state="{state}"}}') for node in cluster.nodes)


def run(deaths: int, count: int, moves: int) -> int:
    with Cluster() as cluster, Writers([ROOM], cluster.addresses, interval=INTERVAL, runs_before_others=True) as writers:
        assert writers.waits(all_are_at_work, PATIENCE), "the editor does not get to work"
        view = f"v{writers.all[0].number}"
        try:
            with Viewers(count, ROOM, view, cluster.addresses) as viewers:
                assert viewers.waits(lambda them: all_have(them, 1), PATIENCE), "the viewers do not see the room"
                watching = Watching(cluster, writers, viewers)
                for _ in range(deaths):
                    watching.die()
                died = watching.take()
                if moves:
                    writers.all[0].others.append(PATH)
                moved, stayed = (Seen(), Seen()), (Seen(), Seen())
                for _ in range(moves):
                    watching.move()
                    for part, seen in zip(moved, watching.take(), strict=True):
                        part.add(seen)
                    watching.stay()
                    for part, seen in zip(stayed, watching.take(), strict=True):
                        part.add(seen)
                states = {state: hand_overs(cluster, state) for state in ("equal", "different")}
                faults = finish(cluster, writers)
                if states["different"] or moves and not states["equal"]:
                    faults.append(f"the states of rooms that were handed over: {states}")
                faults += watching.compare()
        finally:
            if folder := os.environ.get("CLUSTER_LOGS"):
                Path(folder).mkdir(parents=True, exist_ok=True)
                for log in cluster.folder.glob("*.log"):
                    shutil.copy(log, folder)
    told = []
    rounds = (f"{deaths} deaths of the owner", died), (f"{moves} moves of the room", moved), (f"{moves} times without a move", stayed)
    for harms, seen in rounds:
        if seen[0].gaps:
            print(f"{harms}, {count} viewers at three nodes, an edit each {1000 * INTERVAL:.0f} ms")
            print(f"at other nodes: {seen[0]}")
            print(f"at the owner's: {seen[1]}")
            told.append(seen[0])
    if moves:
        print(f"rooms handed over whose state was the former owner's: {states['equal']:.0f}, another: {states['different']:.0f}")
    print(f"links begun by the others: {watching.attaches}; the measuring thread was late by {1000 * watching.delay:.0f} ms at most")
    print(f"{len(writers.all[0].acknowledged)} edits acknowledged; {len(faults)} faults")
    print("\n".join(faults[:50]))
    return 1 if faults or any(seen.closed or seen.resyncs or seen.snapshots for seen in told) else 0


def main(arguments: list[str]) -> int:
    deaths = int(arguments[0]) if arguments else 100
    count = int(arguments[1]) if len(arguments) > 1 else 200
    # All threads of this process share one lock: one that waits for a processor would keep the others waiting.
    run_before_others()
    moves = int(arguments[2]) if len(arguments) > 2 else 0
    try:
        return run(deaths, count, moves)
    except AssertionError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
