"""`scenesync cluster top`: what it says of real nodes, once and live in a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import pyte
import pytest

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, Cluster, all_are_at_work, program  # noqa: E402
from writers import Writers  # noqa: E402

SHARDS = 8


@pytest.fixture(scope="module")
def cluster():
    with Cluster(shards=SHARDS, zones=["a", "a", "b"]) as made:
        yield made


class Top:
    """The command on a terminal of 160 columns."""

    def __init__(self, cluster: Cluster) -> None:
        self.screen = pyte.Screen(160, 30)
        self._stream = pyte.ByteStream(self.screen)
        self.process, self._terminal = self._start([program(), "cluster", "top", cluster.servers.address])

    @staticmethod
    def _start(command: list[str]) -> tuple[int, int]:
        process, terminal = pty.fork()
        if process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(command[0], command)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 160, 0, 0))
        os.kill(process, signal.SIGWINCH)
        return process, terminal

    def shows(self, pattern: str) -> str:
        """Waits until a line of the screen has it."""
        end = time.monotonic() + PATIENCE
        while True:
            for line in self.screen.display:
                if re.search(pattern, line):
                    return line
            assert time.monotonic() < end, (pattern, [line.rstrip() for line in self.screen.display if line.strip()])
            if select.select([self._terminal], [], [], 0.1)[0]:
                self._stream.feed(os.read(self._terminal, 65536))

    def press(self, key: bytes) -> None:
        os.write(self._terminal, key)

    def end(self) -> int:
        self.press(b"q")
        while True:
            # What it still writes has to be taken, or it does not end.
            if select.select([self._terminal], [], [], 0.05)[0]:
                try:
                    os.read(self._terminal, 65536)
                except OSError:
                    pass
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                os.close(self._terminal)
                return os.waitstatus_to_exitcode(status)


def members(cluster: Cluster, writers: Writers) -> dict[str, int]:
    """How many writers are connected to each node: on a busy machine one may have left a node that was silent for two seconds."""
    return {node.name: sum(writer.address == node.address for writer in writers.all) for node in cluster.nodes}


def test_once_prints_each_node_with_its_zone_and_shards(cluster: Cluster):
    with Writers(["room"], cluster.addresses, each=3, interval=0.05) as writers:
        assert writers.waits(all_are_at_work, PATIENCE)
        # Nodes count their members once a second.
        end = time.monotonic() + PATIENCE
        rows: dict[str, list[str]] = {}
        expected = members(cluster, writers)
        while sum(expected.values()) < 3 or {name: int(row[4]) for name, row in rows.items()} != expected:
            assert time.monotonic() < end, (rows, expected)
            expected = members(cluster, writers)
            shown = subprocess.run(
                [program(), "cluster", "top", cluster.servers.address, "--once"], capture_output=True, text=True, timeout=PATIENCE
            )
            assert shown.returncode == 0, shown.stderr
            lines = shown.stdout.splitlines()
            rows = {line.split()[0]: line.split() for line in lines if re.match(r"n\d ", line)}
    assert lines[0] == f"3 nodes, 0 silent; {SHARDS} shards, {SHARDS} owned; 0 takeovers seen"
    assert [(name, row[1], row[2]) for name, row in sorted(rows.items())] == [("n1", "a", "up"), ("n2", "a", "up"), ("n3", "b", "up")]
    assert sum(int(row[3]) for row in rows.values()) == SHARDS
    # Those at other nodes than the room's owner, which commits.
    owner = cluster.owner_of("room").name
    assert sum(int(row[5]) for row in rows.values()) == sum(count for name, count in expected.items() if name != owner)
    assert sum(int(row[9]) for row in rows.values()) > 0, lines


def test_live_it_shows_a_death_and_the_takeovers(cluster: Cluster):
    top = Top(cluster)
    top.shows(r"3 nodes, 0 silent; 8 shards, 8 owned")
    owner = max(cluster.nodes, key=lambda node: node.owned())
    owner.kill()
    top.shows(rf"^{owner.name} .*silent")
    top.shows(r"3 nodes, 1 silent; 8 shards, 8 owned; [1-9]\d* takeovers seen")
    # With zones, a shard goes to another one than its owner's.
    line = top.shows(rf"shard \d+: {owner.name} ▸ n\d, epoch 2")
    receiver = re.findall(r"▸ (n\d)", line)[0]
    zones = dict(zip(("n1", "n2", "n3"), ("a", "a", "b")))
    assert zones[receiver] != zones[owner.name], line
    cluster.restore()
    top.shows(r"3 nodes, 0 silent")
    assert top.end() == 0


class Stranger:
    """A client of NATS that beats as a node which never registered, with a copy of a real node's beat."""

    NODE = 77

    def __init__(self, cluster: Cluster) -> None:
        self._socket = socket.create_connection(cluster.servers.places[0], timeout=PATIENCE)
        self._file = self._socket.makefile("rb")
        self._file.readline()
        self._socket.sendall(b'CONNECT {"verbose":false,"pedantic":false}\r\nSUB ss.n.beat 1\r\n')
        while not (line := self._file.readline().split())[:1] == [b"MSG"]:
            assert line, "the connection ended"
        beat = bytearray(self._file.read(int(line[-1])))
        # The node's number stands after "SSCB", the version and the cluster.
        beat[13:15] = struct.pack("<H", self.NODE)
        self._beat = bytes(beat)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def _work(self) -> None:
        message = f"PUB ss.n.beat {len(self._beat)}\r\n".encode() + self._beat + b"\r\n"
        while not self._ends.wait(0.1):
            self._socket.sendall(message)

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        self._socket.close()


def test_a_node_that_never_registered_is_named_and_ignored(cluster: Cluster):
    stranger = Stranger(cluster)
    try:
        shown = subprocess.run(
            [program(), "cluster", "top", cluster.servers.address, "--once"], capture_output=True, text=True, timeout=PATIENCE
        )
    finally:
        stranger.close()
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(f"3 nodes, 0 silent; {SHARDS} shards, {SHARDS} owned"), shown.stdout
    assert f"ignored: beats of nodes that never registered: {Stranger.NODE}\n" in shown.stdout


def test_what_is_missing_is_said_in_words():
    shown = subprocess.run([program(), "cluster", "top", "nats://127.0.0.1:1"], capture_output=True, text=True, timeout=PATIENCE)
    assert shown.returncode == 69
    assert "127.0.0.1:1" in shown.stderr
