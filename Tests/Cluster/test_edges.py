"""Rooms at nodes that do not own them, and shards that operators move."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, Cluster, all_are_at_work, finish  # noqa: E402
from scenesync import Client  # noqa: E402
from scenesync_server import EXAMPLES, PROGRAM, Server  # noqa: E402
from writers import Writers  # noqa: E402


def operate(cluster: Cluster, *arguments: str) -> str:
    """What `scenesync cluster` prints."""
    done = cluster.operate(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_node_that_does_not_own_a_room_passes_the_conformance_suite():
    with Cluster() as cluster:
        owner = cluster.owner_of("conformance")
        other = next(node for node in cluster.nodes if node is not owner)
        suite = subprocess.run([PROGRAM, "conformance", f"{other.address}/conformance"], capture_output=True, text=True)
        assert suite.returncode == 0, suite.stdout
        assert " 0 NON-STRICT, 0 FAILED" in suite.stdout, suite.stdout
        assert cluster.owner_of("conformance") is owner


def test_a_case_is_tried_anew_where_the_room_goes_to_another_node_meanwhile():
    with Cluster() as cluster:
        owner = cluster.owner_of("conformance")
        edge, receiver = [node for node in cluster.nodes if node is not owner]
        # Within it a participant waits for ten seconds for what became of its event.
        command = [PROGRAM, "conformance", f"{edge.address}/conformance", "--only", "18.4-5"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as suite:
            with Client(f"{edge.address}/conformance", role="editor", timeout=PATIENCE) as watcher:
                watcher.wait(lambda mirror: "list-18-4-5" in mirror, timeout=PATIENCE)
            operate(cluster, "move", "--room", "conformance", f"n{cluster.nodes.index(receiver) + 1}")
            found, _ = suite.communicate(timeout=2 * PATIENCE)
        assert suite.returncode == 0, found
        assert cluster.owner_of("conformance") is receiver


def test_shards_go_where_operators_want_them_while_rooms_are_written():
    with Cluster() as cluster, Writers(["hall", "garden"], cluster.addresses, each=3) as writers:
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        for _ in range(4):
            owner = cluster.owner_of("hall")
            receiver = cluster.nodes[(cluster.nodes.index(owner) + 1) % 3]
            text = operate(cluster, "move", "--room", "hall", f"n{cluster.nodes.index(receiver) + 1}")
            assert f"▸ n{cluster.nodes.index(receiver) + 1}, epoch " in text
            assert cluster.owner_of("hall") is receiver
            assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        owner = cluster.owner_of("hall")
        number = cluster.nodes.index(owner) + 1
        assert operate(cluster, "drain", f"n{number}") == f"n{number} owns nothing\n"
        # The receiver may say that it owns a shard before the one that gave it has read its own last record back.
        cluster.wait_for_owners(8)
        assert owner.owned() == 0
        assert cluster.owner_of("hall") is not owner
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        # It takes no shard, and serves whoever comes to it.
        assert owner.get("/readyz") == "ready: standby\n"
        assert finish(cluster, writers) == []


def test_the_rooms_of_a_single_server_are_copied_into_a_cluster(tmp_path: Path):
    document = json.loads((EXAMPLES / "dashboard.json").read_text())
    with Server("--data", str(tmp_path)) as server:
        for room in ("hall", "garden"):
            assert [result["result"] for result in server.apply(document, room)] == ["committed"]
        frames = server.frames("hall")
    views = len(document["views"])
    with Cluster() as cluster:
        lines = operate(cluster, "import", str(tmp_path)).splitlines()
        assert lines == [f"garden: {views} views", f"hall: {views} views"]
        for node in cluster.nodes:
            view = subprocess.run([PROGRAM, "view", "--once", "--format", "json", f"{node.address}/hall"], capture_output=True, text=True)
            found = {name: [float(side) for side in frame] for name, frame in json.loads(view.stdout)["frames"].items()}
            assert found == frames
        again = subprocess.run([PROGRAM, "cluster", "import", cluster.servers.address, str(tmp_path)], capture_output=True, text=True)
        assert again.returncode == 1
        assert again.stdout.splitlines() == [f"{room}: the cluster has such a room already" for room in ("garden", "hall")]


def test_an_operator_is_told_what_cannot_be_done():
    with Cluster(shards=2) as cluster:
        for arguments, words in [
            (["move", "7", "n1"], '"7" is no shard, expected 0 to 1'),
            (["move", "0", "n9"], "no node is called n9"),
            (["drain", "n9"], "no node is called n9"),
        ]:
            done = cluster.operate(*arguments)
            assert done.returncode != 0 and words in done.stderr, done.stderr
