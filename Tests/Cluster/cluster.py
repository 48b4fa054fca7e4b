"""A cluster: three NATS servers and three nodes of `scenesync serve`, on loopback or each pair on a machine of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Support"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from apart import APART  # noqa: E402
from check_history import check  # noqa: E402
from jetstream import JetStream  # noqa: E402
from nats_servers import RECORDER, NATSServers, free_ports  # noqa: E402
from network import Machines  # noqa: E402
from recorder import StreamRecorder  # noqa: E402
from writers import Writer, Writers  # noqa: E402

#: A fault, and nothing else, takes longer than so many seconds.
PATIENCE = 60
#: The rooms of a test.
ROOMS = 4


def program() -> str:
    """The server of this checkout."""
    named = os.environ.get("SCENESYNC")
    candidates = [Path(named)] if named else [ROOT / ".build-tests/release/scenesync", ROOT / ".build/release/scenesync"]
    for candidate in candidates:
        if candidate.exists():
            return str(candidate.resolve())
    raise FileNotFoundError("scenesync was not built; ./dev build makes it")


def program_before() -> str | None:
    """The server of an earlier build, which SCENESYNC_BEFORE names; None without one."""
    named = os.environ.get("SCENESYNC_BEFORE")
    return str(Path(named).resolve(strict=True)) if named else None


def shard_of(room: str, shards: int) -> int:
    """A room's shard, by the description of the format: a suggestion's branch has its room's."""
    return int.from_bytes(hashlib.sha256(room.split("~")[0].encode()).digest()[:8], "big") % shards


def journal_of(room: str, shards: int) -> tuple[str, str]:
    """The stream that has the journal of a room's shard, and the journal's subject in it."""
    shard = shard_of(room, shards)
    return f"ss-journal-{shard % 3}", f"ss.j.{shard % 3}.{shard}"


class Node:
    """One node: always at the same address, in one process after another."""

    def __init__(
        self, name: str, port: int, engine: list[str], folder: Path, host: str = "127.0.0.1", within: list[str] | None = None
    ) -> None:
        """`engine` has the options that tell where the engine is, `within` the words with which the node's command begins."""
        self.name, self.host, self.port, self._engine, self._folder = name, host, port, engine, folder
        self.within = within or []
        self.process: subprocess.Popen[str] | None = None
        self.address = f"ws://{host}:{port}"
        #: What the next process runs.
        self.program = program()

    def start(self) -> None:
        """Starts a process, and returns once it accepts connections."""
        self.begin()
        self.wait()

    def begin(self) -> None:
        """Starts a process."""
        log = open(self._folder / f"{self.name}.log", "ab")  # noqa: SIM115
        self.process = subprocess.Popen(
            [*self.within, self.program, "serve", *self._engine, "--node", self.name, "--host", self.host, "--port", str(self.port),
             "--data", str(self._folder / self.name), "--log-level", "info",
             *([] if self.host == "127.0.0.1" else ["--insecure-bind"])],
            stdout=subprocess.PIPE, stderr=log, text=True, **APART,
        )  # fmt: skip
        log.close()

    def wait(self) -> None:
        """Returns once the process accepts connections."""
        assert self.process and self.process.stdout
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"node {self.name} printed {line!r}: {self.log()[-2000:]}")

    def send(self, what: int) -> None:
        assert self.process, f"node {self.name} does not run"
        self.process.send_signal(what)

    def kill(self, what: int = signal.SIGKILL) -> None:
        self.send(what)
        assert self.process
        self.process.wait(PATIENCE)
        self.process = None

    def log(self) -> str:
        return (self._folder / f"{self.name}.log").read_text(errors="replace")

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://{self.host}:{self.port}{path}", timeout=5) as answer:
            return answer.read().decode()

    def seconds(self) -> float:
        """The processor time that the process has taken."""
        assert self.process
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def owned(self) -> int:
        """How many shards the node owns."""
        return int(self.metric('scenesync_shards{state="owner"}'))

    def knows_owners(self) -> int:
        """Of how many shards the node knows the owner; another node hears of one a moment after it serves."""
        return self.owned() + int(self.metric('scenesync_shards{state="standby"}'))

    def metric(self, name: str) -> float:
        """What `/metrics` says of a name with its labels; 0 where it does not name it."""
        lines = (line.rsplit(" ", 1) for line in self.get("/metrics").splitlines())
        return next((float(words[1]) for words in lines if words[0] == name), 0)


class Cluster:
    """Servers, nodes, and a recorder of the journals; ends with a `with` block."""

    def __init__(
        self, nodes: int = 3, shards: int = 8, is_secure: bool = False, machines: Machines | None = None,
        zones: list[str] | None = None, options: list[str] | None = None, before: str | None = None,
        within: list[list[str]] | None = None,
    ) -> None:  # fmt: skip
        """On loopback, or with a node and a server on each machine, whose engine is secure then. `zones` has each node's, `options`
        what all have besides, `before` the program that makes the cluster and that all nodes run at first, `within` the words with which
        each node's command begins on loopback."""
        self.folder = Path(tempfile.mkdtemp(prefix="cluster-"))
        self.machines = machines
        places = [(host, machines.within(number)) for number, host in enumerate(machines.hosts)] if machines else None
        self.servers = NATSServers(is_secure=is_secure or machines is not None, places=places)
        self.nodes: list[Node] = []
        try:
            subprocess.run(
                [before or program(), "cluster", "init", self.servers.address, "--shards", str(shards), *self._credentials("tls-ca", "nkey")],
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            self.recorder = StreamRecorder(self.connection(), taps=[self.connection([place]) for place in self.servers.places])
            ports = [7070] * nodes if machines else free_ports(nodes)
            for number, port in enumerate(ports):
                host, words = places[number] if places else ("127.0.0.1", within[number] if within else [])
                zone = ["--zone", zones[number]] if zones else []
                engine = [*self.engine(number), *zone, *(options or [])]
                self.nodes.append(Node(f"n{number + 1}", port, engine, self.folder, host, words))
                self.nodes[-1].program = before or program()
            # Together, so that they share the shards.
            for node in self.nodes:
                node.begin()
            for node in self.nodes:
                node.wait()
            self.wait_for_owners(shards)
        except BaseException:
            self.close()
            raise

    def _credentials(self, ca: str, key: str) -> list[str]:
        folder = self.servers.credentials
        return [f"--{ca}", str(folder / "ca.pem"), f"--{key}", str(folder / "user.seed")] if folder else []

    def engine(self, number: int) -> list[str]:
        """The options that tell a node where the engine is: the server beside it first."""
        places = self.servers.places[number:] + self.servers.places[:number]
        scheme = "tls" if self.servers.credentials else "nats"
        address = f"{scheme}://" + ",".join(f"{host}:{port}" for host, port in places)
        return ["--cluster", address, *self._credentials("cluster-ca", "cluster-nkey")]

    def connection(self, places: list[tuple[str, int]] | None = None) -> JetStream:
        """A connection to the engine, or to some of its servers, that is no node's."""
        folder = self.servers.credentials
        return JetStream(places or self.servers.places, folder / "ca.pem" if folder else None, RECORDER if folder else None)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def addresses(self) -> list[str]:
        return [node.address for node in self.nodes]

    def node(self, address: str) -> Node:
        return next(node for node in self.nodes if node.address == address)

    def owner_of(self, room: str) -> Node:
        """The node that owns a room's shard, by what nodes have logged."""
        shard = shard_of(room, self.recorder.description["shards"])
        pattern = re.compile(rf"this node owns shard {shard} in epoch (\d+)")
        epochs = [(max(map(int, pattern.findall(node.log())), default=0), number) for number, node in enumerate(self.nodes)]
        return self.nodes[max(epochs)[1]]

    def operate(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What `scenesync cluster` does, by an operator."""
        command = [program(), "cluster", words[0], self.servers.address, *words[1:]]
        return subprocess.run(command, capture_output=True, text=True)

    def room_elsewhere(self, room: str, names: Iterable[str]) -> str:
        """The first of some names whose room another node owns than `room`. A machine that is busy for long may leave one node with all
        shards; then it gives one away."""
        owner, shards = self.owner_of(room), self.recorder.description["shards"]
        apart = [name for name in names if shard_of(name, shards) != shard_of(room, shards)]
        for name in apart:
            if self.owner_of(name) is not owner:
                return name
        receiver = next(node for node in self.nodes if node is not owner)
        done = self.operate("move", "--room", apart[0], receiver.name)
        assert done.returncode == 0, done.stderr
        return apart[0]

    def wait_for_owners(self, shards: int) -> None:
        """Returns once each shard has an owner that all nodes know."""
        end = time.monotonic() + PATIENCE
        while True:
            running = [node for node in self.nodes if node.process]
            counts = [node.owned() for node in running]
            known = [node.knows_owners() for node in running]
            if sum(counts) == shards and known == len(running) * [shards]:
                return
            if time.monotonic() > end:
                raise RuntimeError(f"nodes own {counts} and know the owners of {known} of {shards} shards")
            time.sleep(0.02)

    def close(self) -> None:
        for node in self.nodes:
            if node.process:
                node.process.kill()
                node.process.wait()
        self.servers.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def server_of(self, node: Node) -> int:
        """The number of the NATS server that is thought to stand beside a node."""
        return self.nodes.index(node)

    def restore(self) -> None:
        """Starts what does not run."""
        for number, process in enumerate(self.servers.processes):
            if process is None:
                self.servers.start(number)
        for node in self.nodes:
            if node.process is None:
                node.start()


def all_are_at_work(writers: list[Writer]) -> bool:
    return all(writer.address and writer.acknowledged for writer in writers)


def all_have_settled(writers: list[Writer]) -> bool:
    return all(writer.has_settled and writer.acknowledged for writer in writers)


def finish(cluster: Cluster, writers: Writers, path: Path | None = None) -> list[str]:
    """Ends the writing, and says what is wrong with the history."""
    late = writers.stop(PATIENCE)
    cluster.recorder.finish()
    lines = writers.history.lines + cluster.recorder.history()
    if path:
        path.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    faults = check(json.dumps(line) for line in lines)
    faults += [f"writer {writer.name} got no answer to the end: {list(writer.ends)[-3:]}" for writer in late]
    return faults
