"""Three NATS servers on loopback: one cluster with JetStream, whose files are in a temporary directory.

NATS_SERVER names the program; `install_nats_server` in scripts/common.sh sets it. As a program:

    nats_servers.py [--secure]          prints a line of JSON once a leader of JetStream is elected, then obeys lines on standard input
                                        (`kill N`, `stop N`, `start N`, `pause N`, `resume N`), each answered by `done`; ends all servers
                                        when its input ends, and on an interrupt
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from apart import APART  # noqa: E402

#: A fault, and nothing else, takes longer than so many seconds.
PATIENCE = 60
#: Between two looks at a condition.
LOOK = 0.02
#: The first version that fences.
LEAST = (2, 11)


#: The user and password of programs that cannot sign with a key, at servers that want one.
RECORDER = ("recorder", "records-what-is-there")
#: The seed of a user's nkey and its public key, of NATS's documentation; another seed, of the bytes 0 to 31.
USER = ("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY", "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
OTHER_SEED = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y"


class Missing(Exception):
    """There is no nats-server that can be used, and why."""


def program() -> str:
    """The path of a nats-server of version 2.11 or newer.

    Raises:
        Missing: says what to do.
    """
    installed = Path(__file__).resolve().parents[2] / ".build/nats-venv/bin/nats-server"
    found = os.environ.get("NATS_SERVER") or (str(installed) if installed.exists() else shutil.which("nats-server"))
    if not found:
        raise Missing("there is no nats-server; ./dev cluster installs one on x86-64, elsewhere put version 2.11 or newer on PATH")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"v(\d+)\.(\d+)", said)
    if version is None or (int(version[1]), int(version[2])) < LEAST:
        raise Missing(f"{found} says {said.strip()!r}, 2.11 or newer is needed; name another one: NATS_SERVER=FILE")
    return found


def _candidates() -> Iterator[int]:
    """Ports below those that the system gives to connections, each once, from a place on that depends on the process."""
    least = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    first, end = 10_000, min(least, 32_768)
    assert end - first > 1000, f"connections get ports from {least} on, expected 11000 or more; see net.ipv4.ip_local_port_range"
    start = os.getpid() * 32 % (end - first)
    yield from range(first + start, end)
    yield from range(first, first + start)


_untried = _candidates()


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, no port twice in the life of the program.

    A server dials the others until they listen: the port of one that is not there yet, or was killed, must not be one that the system
    takes for such a connection. Programs that look for ports at the same time begin at different places.
    """
    found: list[int] = []
    while len(found) < count:
        with socket.socket() as each, contextlib.suppress(OSError):
            port = next(_untried)
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            each.bind(("127.0.0.1", port))
            found.append(port)
    return found


def make_credentials(folder: Path, hosts: list[str]) -> None:
    """Makes certificates for servers at IP addresses, of an authority of their own, another authority, and the keys of users."""
    folder.mkdir()

    def openssl(arguments: str) -> None:
        subprocess.run(["openssl", *arguments.split()], cwd=folder, check=True, capture_output=True)

    for name in ("ca", "other"):
        openssl(f"req -x509 -newkey ed25519 -nodes -days 2 -keyout {name}.key -out {name}.pem -subj /CN={name}")
    openssl("req -newkey ed25519 -nodes -keyout server.key -out server.csr -subj /CN=server")
    names = ",".join(f"IP:{host}" for host in sorted(set(hosts)))
    (folder / "server.ext").write_text(f"subjectAltName={names}\n")
    openssl("x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile server.ext -out server.pem")
    (folder / "user.seed").write_text(USER[0] + "\n")
    (folder / "other.seed").write_text(OTHER_SEED + "\n")


class NATSServers:
    """A cluster of servers. It ends with a `with` block."""

    def __init__(self, count: int = 3, is_secure: bool = False, places: list[tuple[str, list[str]]] | None = None) -> None:
        """Starts the servers and waits until JetStream has a leader.

        Secure servers want TLS and a key; `credentials` is the folder with what their clients need: `ca.pem` and `user.seed`, and
        `other.pem` and `other.seed`, which they do not accept. `places` has for each server the address that it listens on and the
        words with which its command begins, where that is not this machine's loopback.
        """
        self.program = program()
        self.folder = Path(tempfile.mkdtemp(prefix="nats-"))
        self.credentials = self.folder / "credentials" if is_secure else None
        places = places or [("127.0.0.1", [])] * count
        self.hosts = [host for host, _ in places]
        self._prefixes = [prefix for _, prefix in places]
        ports = free_ports(3 * count)
        self.ports, self.routes, self.monitors = (ports[kind::3] for kind in range(3))
        self.processes: list[subprocess.Popen[bytes] | None] = [None] * count
        try:
            if self.credentials:
                make_credentials(self.credentials, self.hosts)
            for number in range(count):
                self._configure(number)
                self.start(number)
            # A server that the leader has not heard of can take no stream.
            self._wait(lambda: self._has_leader() and self._hears_all(), "JetStream has no leader that hears all servers")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> NATSServers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def address(self) -> str:
        """All servers as `scenesync` takes them."""
        scheme = "tls" if self.credentials else "nats"
        return f"{scheme}://" + ",".join(f"{host}:{port}" for host, port in self.places)

    @property
    def places(self) -> list[tuple[str, int]]:
        """Where clients reach the servers: address and port of each."""
        return list(zip(self.hosts, self.ports))

    def _configure(self, number: int) -> None:
        routes = ", ".join(f'"nats://{host}:{port}"' for host, port in zip(self.hosts, self.routes))
        host = self.hosts[number]
        lines = [
            f"server_name: n{number + 1}",
            f'listen: "{host}:{self.ports[number]}"',
            f'http: "{host}:{self.monitors[number]}"',
            # Every commit is on the disk before it is acknowledged.
            f'jetstream {{ store_dir: "{self.folder}/n{number + 1}", sync_interval: always }}',
            f'cluster {{ name: local, listen: "{host}:{self.routes[number]}", routes: [{routes}] }}',
        ]
        if self.credentials:
            lines.append(f'tls {{ cert_file: "{self.credentials}/server.pem", key_file: "{self.credentials}/server.key" }}')
            recorder = f'{{ user: {RECORDER[0]}, password: "{RECORDER[1]}" }}'
            lines.append(f"authorization {{ users: [ {{ nkey: {USER[1]} }}, {recorder} ] }}")
        (self.folder / f"n{number + 1}.conf").write_text("\n".join(lines) + "\n")

    def start(self, number: int) -> None:
        """Starts one server, from 0."""
        with open(self.folder / f"n{number + 1}.log", "ab") as log:
            self.processes[number] = subprocess.Popen(
                [*self._prefixes[number], self.program, "-c", str(self.folder / f"n{number + 1}.conf")],
                stdout=log, stderr=log, **APART,
            )  # fmt: skip

    def send(self, number: int, what: int) -> None:
        """Sends a signal to one server."""
        process = self.processes[number]
        assert process is not None, f"server {number} does not run"
        process.send_signal(what)

    def kill(self, number: int, what: int = signal.SIGKILL) -> None:
        """Ends one server and waits for its end."""
        self.send(number, what)
        process = self.processes[number]
        assert process is not None
        process.wait(PATIENCE)
        self.processes[number] = None

    def look(self, number: int, path: str) -> Any:
        """What one server's monitoring port says."""
        with urllib.request.urlopen(f"http://{self.hosts[number]}:{self.monitors[number]}{path}", timeout=5) as answer:
            return json.load(answer)

    def _has_leader(self) -> bool:
        """Whether all servers that run agree on a leader of JetStream that knows all of them."""
        leaders = set()
        for number, process in enumerate(self.processes):
            if process is None:
                continue
            if process.poll() is not None:
                log = (self.folder / f"n{number + 1}.log").read_text(errors="replace")
                raise RuntimeError(f"server {number} ended with {process.returncode}: {log[-2000:]}")
            try:
                cluster = self.look(number, "/jsz").get("meta_cluster", {})
            except OSError:
                return False
            leaders.add(cluster.get("leader"))
            if cluster.get("cluster_size") != len(self.processes):
                return False
        return len(leaders) == 1 and None not in leaders

    def _hears_all(self) -> bool:
        """Whether the leader of JetStream has heard of all other servers lately."""
        for number in range(len(self.processes)):
            try:
                cluster = self.look(number, "/jsz").get("meta_cluster", {})
            except OSError:
                return False
            if cluster.get("leader") == f"n{number + 1}":
                heard = [peer for peer in cluster.get("replicas", []) if peer.get("current") and not peer.get("offline")]
                return len(heard) == len(self.processes) - 1
        return False

    def wait_for_leader(self) -> None:
        """Returns once JetStream has a leader.

        Raises:
            RuntimeError: a server has ended, or the time is up.
        """
        self._wait(self._has_leader, "JetStream has no leader")

    def _wait(self, condition: Callable[[], bool], fault: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f"{fault} after {PATIENCE} s; the logs are in {self.folder}")
            time.sleep(LOOK)

    def close(self) -> None:
        """Ends all servers and removes their files."""
        for process in self.processes:
            if process is not None:
                process.kill()
        for process in self.processes:
            if process is not None:
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def obey(servers: NATSServers, line: str) -> None:
    """Does what a line of standard input says."""
    word, number = line.split()
    match word:
        case "kill":
            servers.kill(int(number))
        case "stop":
            servers.kill(int(number), signal.SIGTERM)
        case "start":
            servers.start(int(number))
        case "pause":
            servers.send(int(number), signal.SIGSTOP)
        case "resume":
            servers.send(int(number), signal.SIGCONT)
        case _:
            raise ValueError(f"there is no command {word!r}")


def main() -> None:
    if sys.argv[1:] not in ([], ["--secure"]):
        sys.exit("nats_servers: --secure is the only option")
    # So that the servers end with this program, whatever ends it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with NATSServers(is_secure="--secure" in sys.argv) as servers:
            ready = {
                "address": servers.address, "ports": servers.ports, "monitors": servers.monitors,
                "credentials": str(servers.credentials or ""),
            }  # fmt: skip
            print(json.dumps(ready), flush=True)
            for line in sys.stdin:
                obey(servers, line)
                print("done", flush=True)
    except Missing as error:
        sys.exit(f"nats_servers: {error}")
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
