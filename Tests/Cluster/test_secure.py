"""Nodes that reach their engine by TLS and sign in with a key."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, Cluster, Node, all_are_at_work, finish  # noqa: E402
from harm import suffer  # noqa: E402
from writers import Writers  # noqa: E402


def test_rooms_outlive_their_node_over_tls_and_strangers_are_refused_in_words():
    with Cluster(is_secure=True) as cluster, Writers(["room0", "room1"], cluster.addresses, each=2) as writers:
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        owner = cluster.owner_of("room0")
        assert suffer(cluster, writers, "owner", owner)
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        folder = cluster.servers.credentials
        assert folder
        right = cluster.engine(0)
        address = right[1]
        plain = address.replace("tls://", "nats://")
        for engine, words in [
            ([*right[:3], str(folder / "other.pem"), *right[4:]], "give the CA file that signed"),
            ([*right[:5], str(folder / "other.seed")], "give the seed of an nkey that its configuration lists"),
            (right[:4], "give the seed of an nkey"),
            (["--cluster", plain], "TLS"),
            (["--cluster", address], "CA file"),
        ]:
            stranger = Node("stranger", 0, engine, cluster.folder)
            stranger.begin()
            assert stranger.process
            assert stranger.process.wait(PATIENCE) == 78, engine
            assert words in stranger.log().splitlines()[-1], stranger.log()
        assert finish(cluster, writers) == []
