"""A suggestion's branch is on the node of its room, and both survive its death."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from administration import ask, document  # noqa: E402
from cluster import PATIENCE, Cluster, shard_of  # noqa: E402
from scenesync import ANNOTATIONS, SUGGESTIONS, ops  # noqa: E402
from scenesync.errors import RefusedError  # noqa: E402
from scenesync.sync import Client  # noqa: E402

#: Rooms of one cluster, enough of them that chance would not put each beside its branch.
ROOMS = [f"plan{number}" for number in range(6)]


def test_branches_are_with_their_rooms_and_come_along_to_the_next_node():
    with Cluster() as cluster:
        shards = cluster.recorder.description["shards"]
        for room in ROOMS:
            assert ask(cluster.nodes[0], "PUT", f"{room}/scene", document("as it was")).status == 200
            assert shard_of(f"{room}~wide", shards) == shard_of(room, shards)
        for room in ROOMS:
            owner = cluster.owner_of(room)
            # A member at another node suggests, and one at the third changes the branch.
            first, second = (node for node in cluster.nodes if node is not owner)
            with Client(f"{first.address}/{room}", role="editor", capabilities=ANNOTATIONS | SUGGESTIONS, timeout=PATIENCE) as ann:
                ann.apply([{"op": "suggest", "id": "wide", "name": "Wider"}])
            with Client(f"{second.address}/{room}~wide", role="editor", timeout=PATIENCE) as bob:
                bob.apply([ops.set_view("v0", text="suggested")])
            # The owner has the branch as a room of its own.
            rooms = ask(owner, "GET", "").json["rooms"]
            assert f"{room}~wide" in [each["room"] for each in rooms]

        room = ROOMS[0]
        dead = cluster.owner_of(room)
        addresses = [f"{node.address}/{room}" for node in cluster.nodes if node is not dead]
        dead.kill(signal.SIGKILL)
        with Client(*addresses, role="editor", capabilities=ANNOTATIONS | SUGGESTIONS, timeout=PATIENCE) as ann:
            # It waits until the next node owns both.
            result = ann.apply([{"op": "acceptSuggestion", "id": "wide"}])
            assert not result.outcome.refusals
            ann.wait(lambda mirror: [line.text for line in mirror["v0"].content.lines] == ["suggested"], timeout=PATIENCE)
        branch = [address + "~wide" for address in addresses]
        with Client(*branch, role="editor", timeout=PATIENCE) as bob:
            # The branch learns of the acceptance once that is kept.
            end = time.monotonic() + PATIENCE
            with pytest.raises(RefusedError) as refusal:
                while time.monotonic() < end:
                    bob.apply([ops.set_view("v0", text="too late")])
            assert refusal.value.code == "conflict"
