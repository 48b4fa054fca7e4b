"""Three nodes over three NATS servers, all of them real, whose owners die while rooms are written."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, ROOMS, Cluster, Node, all_are_at_work, finish, journal_of  # noqa: E402
from harm import suffer  # noqa: E402
from jetstream import JetStream  # noqa: E402
from writers import Writers  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    with Cluster() as made:
        yield made


def test_writers_go_on_at_the_next_node_and_nothing_is_lost_doubled_or_refused_that_was_kept():
    with Cluster() as cluster, Writers([f"room{number}" for number in range(ROOMS)], cluster.addresses, each=2) as writers:
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        sessions = {writer.name: writer.session_name for writer in writers.all}
        # The owner dies; one stands still and goes on when another has its rooms; one dies together with its server of the engine; one
        # ends as it should.
        for kind in ("owner", "owner stopped", "both", "owner ends"):
            owner = cluster.owner_of("room0")
            assert suffer(cluster, writers, kind, owner), "nobody wrote at the node that was harmed"
            cluster.servers.wait_for_leader()
            assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        # Each writer went on under the session that its first node gave it.
        assert {writer.name: writer.session_name for writer in writers.all} == sessions
        assert writers.waits(lambda them: all(len(writer.acknowledged) > 100 for writer in them), PATIENCE)
        assert finish(cluster, writers) == []
        assert sum(writer.refused for writer in writers.all) > 100


def test_a_long_journal_is_cut_and_the_next_owner_has_the_rooms_from_their_snapshots():
    # Thirty kilobytes an op: the four megabytes that a shard's journal may have are soon there.
    with Cluster(shards=2) as cluster, Writers(["long"], cluster.addresses, each=4, padding=30_000) as writers:
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        # What a snapshot holds is purged as soon as it is stored.
        cluster.recorder.pause = 0.02
        reader = cluster.connection()
        journal = journal_of("long", 2)
        for _ in range(2):
            before = first_sequence(reader, *journal)
            end = time.monotonic() + 2 * PATIENCE
            while first_sequence(reader, *journal) == before:
                assert time.monotonic() < end, cluster.node(writers.all[0].address or "").log()[-2000:]
                time.sleep(0.1)
            assert suffer(cluster, writers, "owner", cluster.owner_of("long"))
            cluster.servers.wait_for_leader()
            assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        reader.close()
        assert finish(cluster, writers) == []


def first_sequence(reader: JetStream, stream: str, subject: str) -> int:
    """The number of the first message that a journal has."""
    found = reader.message(stream, {"seq": 1, "next_by_subj": subject})
    assert found
    return found[1]


def test_a_node_tells_its_share_and_serves_those_who_look_for_rooms_of_others(cluster: Cluster):
    texts = [node.get("/readyz") for node in cluster.nodes]
    owned = [node.owned() for node in cluster.nodes]
    for text, count in zip(texts, owned):
        assert text == (f"ready: owner of {count} of 8 shards\n" if count else "ready: standby\n")
    with Writers(["somewhere"], cluster.addresses, each=3) as writers:
        assert writers.waits(all_are_at_work, PATIENCE)
        owner = cluster.owner_of("somewhere")
        # They began at each of the nodes, and stayed.
        assert {writer.address for writer in writers.all} == set(cluster.addresses)
        assert owner.metric("scenesync_relay_links") == 2
        assert owner.metric("scenesync_relay_link_members") == 2
        assert sum(node.metric("scenesync_relayed_members") for node in cluster.nodes) == 2
        assert writers.stop(PATIENCE) == []
        assert [end for writer in writers.all for end in writer.ends if "closed with 403" in end] == []
    metrics = owner.get("/metrics")
    assert 'scenesync_shards{state="owner"} ' in metrics
    count = next(line for line in metrics.splitlines() if line.startswith("scenesync_engine_commit_seconds_count"))
    assert int(count.split()[-1]) > 0


def test_a_second_process_of_a_name_does_not_start(cluster: Cluster):
    # With a directory of its own: that of the first is locked.
    folder = cluster.folder / "twin"
    folder.mkdir()
    twin = Node(cluster.nodes[0].name, 0, cluster.engine(0), folder)
    twin.begin()
    assert twin.process
    assert twin.process.wait(PATIENCE) == 78
    assert "another process is node n1 of this cluster already" in twin.log()
    assert cluster.nodes[0].get("/healthz") == "ok\n"
