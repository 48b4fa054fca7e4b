"""The cluster's key: messages that do not prove it are refused, and it is changed while rooms are edited."""

from __future__ import annotations

import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, Cluster, all_are_at_work, program  # noqa: E402
from writers import Writer, Writers  # noqa: E402

SHARDS = 8
FIRST, SECOND = "11" * 32, "22" * 32
#: A sealed message has so many bytes before the message.
SEAL = 29


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "cluster.key"
    path.write_text(FIRST + "\n")
    return path


@pytest.fixture(scope="module")
def cluster(key: Path) -> Iterator[Cluster]:
    with Cluster(shards=SHARDS, options=["--cluster-key", str(key)]) as made:
        yield made


class Outsider:
    """A client of NATS that may publish and subscribe, and has no key."""

    def __init__(self, cluster: Cluster) -> None:
        self._socket = socket.create_connection(cluster.servers.places[0], timeout=PATIENCE)
        self._file = self._socket.makefile("rb")
        self._file.readline()
        self._socket.sendall(b'CONNECT {"verbose":false,"pedantic":false}\r\nSUB ss.n.beat 1\r\n')

    def beat(self) -> bytes:
        """The next beat that a node sends."""
        while (line := self._file.readline().split())[:1] != [b"MSG"]:
            assert line, "the connection ended"
        return self._file.read(int(line[-1]))

    def publish(self, subject: str, data: bytes) -> None:
        self._socket.sendall(f"PUB {subject} {len(data)}\r\n".encode() + data + b"\r\n")

    def flush(self) -> None:
        """Waits until the server has taken what was published."""
        self._socket.sendall(b"PING\r\n")
        while self._file.readline() != b"PONG\r\n":
            pass

    def close(self) -> None:
        self._socket.close()


def order_to_drain(cluster_number: bytes, node: int) -> bytes:
    return b"SSCO\1" + cluster_number + struct.pack("<BH", 2, node)


def owned(cluster: Cluster) -> list[int]:
    return [node.owned() for node in cluster.nodes]


def test_what_is_not_proved_is_not_believed(cluster: Cluster, key: Path):
    outsider = Outsider(cluster)
    try:
        sealed = outsider.beat()
        assert sealed[:5] == b"SSCS\1" and sealed[SEAL : SEAL + 4] == b"SSCB"
        number = sealed[SEAL + 5 : SEAL + 13]
        before = owned(cluster)
        assert sum(before) == SHARDS
        beat = bytearray(sealed[SEAL:])
        beat[13:15] = struct.pack("<H", 77)
        for _ in range(20):
            # Without a proof, and with that of another message.
            outsider.publish("ss.n.beat", bytes(beat))
            outsider.publish("ss.n.beat", sealed[:SEAL] + bytes(beat))
            for node in range(1, 4):
                order = order_to_drain(number, node)
                outsider.publish("ss.n.order", order)
                outsider.publish("ss.n.order", sealed[:SEAL] + order)
                # What a node sent on one subject proves nothing on another.
                outsider.publish("ss.n.order", sealed)
                outsider.publish(f"ss.l.{node}", sealed)
        outsider.flush()
        with Writers(["room"], cluster.addresses, each=3, interval=0.05) as writers:
            assert writers.waits(all_are_at_work, PATIENCE)
        assert owned(cluster) == before
        assert all("refused, the last on ss." in node.log() for node in cluster.nodes)
    finally:
        outsider.close()
    command = [program(), "cluster", "top", cluster.servers.address, "--once"]
    with_key = subprocess.run([*command, "--cluster-key", str(key)], capture_output=True, text=True, timeout=PATIENCE)
    assert with_key.stdout.startswith(f"3 nodes, 0 silent; {SHARDS} shards, {SHARDS} owned"), with_key
    without = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert "no node beats" in without.stdout, without


def test_the_key_is_changed_while_rooms_are_edited(cluster: Cluster, key: Path):
    def install(text: str) -> None:
        key.write_text(text)
        counts = [node.log().count("were read again") for node in cluster.nodes]
        for node in cluster.nodes:
            node.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + PATIENCE
        for node, count in zip(cluster.nodes, counts):
            while node.log().count("were read again") == count:
                assert time.monotonic() < end, node.log()[-2000:]
                time.sleep(0.02)

    before = owned(cluster)
    with Writers(["one", "two"], cluster.addresses, each=2, interval=0.05) as writers:
        assert writers.waits(all_are_at_work, PATIENCE)
        for text in (f"{FIRST}\n{SECOND}\n", f"{SECOND}\n{FIRST}\n", f"# the new one\n{SECOND}\n"):
            install(text)
            goals = [len(writer.acknowledged) + 5 for writer in writers.all]

            def are_past(crowd: list[Writer], goals: list[int] = goals) -> bool:
                return all(len(writer.acknowledged) >= goal for writer, goal in zip(crowd, goals))

            assert writers.waits(are_past, PATIENCE)
    assert owned(cluster) == before
    outsider = Outsider(cluster)
    assert outsider.beat()[:5] == b"SSCS\1"
    outsider.close()


def test_the_last_node_does_not_drain_and_keys_are_made_once(tmp_path: Path):
    path = tmp_path / "made.key"
    with Cluster(nodes=1, shards=2) as alone:
        drained = subprocess.run(
            [program(), "cluster", "drain", alone.servers.address, "n1"], capture_output=True, text=True, timeout=PATIENCE
        )
        assert drained.returncode == 1
        assert "no other node is heard" in drained.stderr
        assert owned(alone) == [2]
        # An order of an earlier version's command comes all the same.
        outsider = Outsider(alone)
        number = outsider.beat()[5:13]
        outsider.publish("ss.n.order", order_to_drain(number, 1))
        outsider.flush()
        with Writers(["room"], alone.addresses, each=1, interval=0.05) as writers:
            assert writers.waits(all_are_at_work, PATIENCE)
        assert owned(alone) == [2]
        assert "is refused: no other node is heard" in alone.nodes[0].log()
        outsider.close()
        command = [program(), "cluster", "init", alone.servers.address, "--shards", "2", "--cluster-key", str(path)]
        for said in ("made", "there"):
            made = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
            assert f"{said} key {path}" in made.stdout, made
        assert path.stat().st_mode & 0o777 == 0o600
        assert len(bytes.fromhex(path.read_text().strip())) == 32
