"""What may be done to a cluster, and how long its writers wait afterwards."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable

from cluster import PATIENCE, Cluster, Node, journal_of
from writers import Writer, Writers

#: What can be done to the owner of some rooms, or to the server of the engine beside it.
KINDS = ["owner", "engine", "both", "owner stopped", "engine stopped", "owner ends"]
#: What can be done besides where nodes have machines of their own.
LINK_CUT = "link cut"
#: What keeps the server beside the owner from leading a stream.
WITHOUT_ENGINE = {"engine", "both", "engine stopped", LINK_CUT}


class Harm:
    """What is done to the owner of some rooms, and how it is undone."""

    def __init__(self, cluster: Cluster, kind: str, owner: Node) -> None:
        self.cluster, self.kind, self.owner = cluster, kind, owner

    def do(self) -> None:
        servers, beside = self.cluster.servers, self.cluster.server_of(self.owner)
        if self.kind in ("owner", "both"):
            self.owner.kill()
        if self.kind in ("engine", "both"):
            servers.kill(beside)
        if self.kind == "owner stopped":
            self.owner.send(signal.SIGSTOP)
        if self.kind == "engine stopped":
            servers.send(beside, signal.SIGSTOP)
        if self.kind == "owner ends":
            self.owner.kill(signal.SIGTERM)
        if self.kind == LINK_CUT:
            assert self.cluster.machines, "the nodes have no machines of their own"
            self.cluster.machines.cut(beside)

    def undo(self) -> None:
        beside = self.cluster.server_of(self.owner)
        if self.kind == "owner stopped":
            self.owner.send(signal.SIGCONT)
        if self.kind == "engine stopped":
            self.cluster.servers.send(beside, signal.SIGCONT)
        if self.kind == LINK_CUT and self.cluster.machines:
            self.cluster.machines.join(beside)
        self.cluster.restore()


class Wait:
    """How long a writer waited for its first new acknowledgement."""

    def __init__(self, kind: str, seconds: float, is_led: bool, is_connected: bool, story: str = "") -> None:
        #: What was done.
        self.kind = kind
        self.seconds = seconds
        #: Whether the server that was harmed led the stream of the room's journal.
        self.is_led = is_led
        #: Whether the writer was connected to the node that was harmed; otherwise that owned its room.
        self.is_connected = is_connected
        #: Which writer it was, and what its connections came to since.
        self.story = story


def have_news(writers: Iterable[Writer], moment: float) -> bool:
    """Whether each has had something acknowledged that it asked for after a moment."""
    return all(writer.acknowledged and writer.acknowledged[-1][1] > moment for writer in writers)


def suffer(
    cluster: Cluster, writers: Writers, kind: str, owner: Node, leaders: dict[str, str] | None = None, seen: Callable[[], None] | None = None
) -> list[Wait]:
    """Harms the cluster once; returns for each writer that this concerns how long it took until something was acknowledged that it
    asked for afterwards: whose room the node owns, who is connected to it, or whose journal is led by a server that is harmed.
    `leaders` has the server that leads each stream before. `seen` is called when all have one, before the harm is undone."""
    leaders = leaders or {}
    beside = f"n{cluster.server_of(owner) + 1}" if kind in WITHOUT_ENGINE else ""
    shards = cluster.recorder.description["shards"]
    led, connected, hit = set(), set(), []
    for writer in writers.all:
        if beside and leaders.get(journal_of(writer.room, shards)[0]) == beside:
            led.add(writer)
        if writer.address == owner.address:
            connected.add(writer)
        if writer in led or writer in connected or cluster.owner_of(writer.room) is owner:
            hit.append(writer)
    harm = Harm(cluster, kind, owner)
    addresses = {writer: writer.address for writer in hit}
    for writer in hit:
        writer.ends.clear()
    begun = time.monotonic()
    harm.do()
    done = time.monotonic()
    try:
        is_over = writers.waits(lambda all: all and have_news(hit, done), PATIENCE)
        late = [writer.story for writer in hit if not have_news([writer], done)]
        assert is_over, f"{kind}: nothing new is acknowledged: {late}"
        if seen:
            seen()
        return [
            Wait(
                kind, next(at for at, invoked in writer.acknowledged if invoked > done) - begun, writer in led, writer in connected,
                f"{writer.room}, at {addresses[writer]}, then {'; '.join(writer.ends) or 'still there'}; at {writer.address}",
            )  # fmt: skip
            for writer in hit
        ]
    finally:
        harm.undo()
