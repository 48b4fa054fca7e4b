"""A cluster on loopback: three NATS servers and three nodes of `scenesync serve`, and what may be done to them.

As a program, the campaign of `./dev soak cluster`:

    cluster.py [KILLS [SEED]]     harms the cluster so often while writers write, prints how long it took until something new was
                                  acknowledged, and has the history checked at the end
"""

from __future__ import annotations

import json
import os
import random
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

from check_history import check  # noqa: E402
from jetstream import StreamRecorder  # noqa: E402
from nats_servers import NATSServers, free_ports  # noqa: E402
from writers import Writer, Writers  # noqa: E402

#: A fault, and nothing else, takes longer than so many seconds.
PATIENCE = 60
#: The rooms of a test, and of a campaign.
ROOMS = 4
CAMPAIGN_ROOMS = 20


def program() -> str:
    """The server of this checkout."""
    named = os.environ.get("SCENESYNC")
    candidates = [Path(named)] if named else [ROOT / ".build-tests/release/scenesync", ROOT / ".build/release/scenesync"]
    for candidate in candidates:
        if candidate.exists():
            return str(candidate.resolve())
    raise FileNotFoundError("scenesync was not built; ./dev build makes it")


class Node:
    """One node: always at the same address, in one process after another."""

    def __init__(self, name: str, port: int, engine: str, folder: Path) -> None:
        self.name, self.port, self._engine, self._folder = name, port, engine, folder
        self.process: subprocess.Popen[str] | None = None
        self.address = f"ws://127.0.0.1:{port}"

    def start(self) -> None:
        """Starts a process, and returns once it accepts connections."""
        self.begin()
        self.wait()

    def begin(self) -> None:
        """Starts a process."""
        log = open(self._folder / f"{self.name}.log", "ab")  # noqa: SIM115
        self.process = subprocess.Popen(
            [program(), "serve", "--cluster", self._engine, "--node", self.name, "--port", str(self.port),
             "--data", str(self._folder / self.name), "--log-level", "info"],
            stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
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
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return answer.read().decode()

    def owned(self) -> int:
        """How many shards the node owns."""
        for line in self.get("/metrics").splitlines():
            if line.startswith('scenesync_shards{state="owner"}'):
                return int(line.split()[-1])
        return 0


class Cluster:
    """Servers, nodes, and a recorder of the journals; ends with a `with` block."""

    def __init__(self, nodes: int = 3, shards: int = 8) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cluster-"))
        self.servers = NATSServers()
        self.nodes: list[Node] = []
        try:
            subprocess.run(
                [program(), "cluster", "init", self.servers.address, "--shards", str(shards)],
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            self.recorder = StreamRecorder(self.servers.ports)
            self.nodes = [
                Node(f"n{number + 1}", port, self.servers.address, self.folder) for number, port in enumerate(free_ports(nodes))
            ]
            # Together, so that they share the shards.
            for node in self.nodes:
                node.begin()
            for node in self.nodes:
                node.wait()
            self.wait_for_owners(shards)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def addresses(self) -> list[str]:
        return [node.address for node in self.nodes]

    def node(self, address: str) -> Node:
        return next(node for node in self.nodes if node.address == address)

    def wait_for_owners(self, shards: int) -> None:
        """Returns once each shard has an owner."""
        end = time.monotonic() + PATIENCE
        while True:
            counts = [node.owned() for node in self.nodes if node.process]
            if sum(counts) == shards:
                return
            if time.monotonic() > end:
                raise RuntimeError(f"nodes own {counts} of {shards} shards")
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

    def undo(self) -> None:
        if self.kind == "owner stopped":
            self.owner.send(signal.SIGCONT)
        if self.kind == "engine stopped":
            self.cluster.servers.send(self.cluster.server_of(self.owner), signal.SIGCONT)
        self.cluster.restore()


KINDS = ["owner", "engine", "both", "owner stopped", "engine stopped", "owner ends"]


def affected(writers: list[Writer], owner: Node) -> list[Writer]:
    """The writers that are connected to a node."""
    return [writer for writer in writers if writer.address == owner.address]


def suffer(cluster: Cluster, writers: Writers, kind: str, owner: Node) -> list[float]:
    """Harms the cluster once; returns for each writer at the node how long it took until something was acknowledged that it asked for
    afterwards, in seconds."""
    hit = affected(writers.all, owner)
    harm = Harm(cluster, kind, owner)
    begun = time.monotonic()
    harm.do()
    done = time.monotonic()
    try:
        assert writers.waits(
            lambda all: all and have_news(hit, done), PATIENCE
        ), f"{kind}: nothing new is acknowledged: {[list(writer.ends)[-3:] for writer in hit]}"
        return [next(at for at, invoked in writer.acknowledged if invoked > done) - begun for writer in hit]
    finally:
        harm.undo()


def have_news(writers: Iterable[Writer], moment: float) -> bool:
    """Whether each has had something acknowledged that it asked for after a moment."""
    return all(writer.acknowledged and writer.acknowledged[-1][1] > moment for writer in writers)


def all_are_at_work(writers: list[Writer]) -> bool:
    return all(writer.address and writer.acknowledged for writer in writers)


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


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main(arguments: list[str]) -> int:
    kills = int(arguments[0]) if arguments else 200
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    chance = random.Random(seed)
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    with Cluster() as cluster, Writers([f"room{number}" for number in range(CAMPAIGN_ROOMS)], cluster.addresses, each=1) as writers:
        if not writers.waits(all_are_at_work, PATIENCE):
            print("the writers do not get to work", file=sys.stderr)
            return 1
        for number in range(kills):
            owner = cluster.node(chance.choice(writers.all).address or cluster.addresses[0])
            kind = chance.choice(KINDS)
            times[kind] += suffer(cluster, writers, kind, owner)
            cluster.servers.wait_for_leader()
            if not writers.waits(all_are_at_work, PATIENCE):
                print(f"kill {number}: the writers do not get to work again", file=sys.stderr)
                return 1
            if sys.stderr.isatty() or number % 10 == 9:
                acknowledged = sum(len(writer.acknowledged) for writer in writers.all)
                print(f"{number + 1} of {kills}, {acknowledged} ops acknowledged", file=sys.stderr)
        kept = os.environ.get("CLUSTER_HISTORY")
        faults = finish(cluster, writers, Path(kept) if kept else None)
        acknowledged = sum(len(writer.acknowledged) for writer in writers.all)
        refused = sum(writer.refused for writer in writers.all)
    for kind, values in times.items():
        if values:
            print(
                f"{kind}: {len(values)} writers, first new acknowledgement after p50 {percentile(values, 0.5):.3f} s, "
                f"p99 {percentile(values, 0.99):.3f} s, longest {max(values):.3f} s"
            )
    print(f"{acknowledged} ops acknowledged, {refused} refused, {len(faults)} faults")
    for fault in faults[:50]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
