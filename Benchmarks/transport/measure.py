"""Plays the servers against one another: `measure.py TRANSPORT_BENCH SCENESYNC REPEATS [NAME=SERVER…]`.

Each repeat runs all servers, in an order that changes; what counts is the median of the ratios within repeats, because
absolute figures wander with whatever else the machine does.
"""

from __future__ import annotations

import functools
import json
import os
import random
import re
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import Report  # noqa: E402

# Servers have one half of the cores and those whom they serve the other, as on machines apart. Otherwise the scheduler, which
# likes those who wake one another close together, now and then puts both on one core while the other sleeps.
CORES = sorted(os.sched_getaffinity(0))
SERVER_CORES = CORES[: max(1, len(CORES) // 2)]
CLIENT_CORES = CORES[len(CORES) // 2 :]


#: Servers of others, by name.
PEERS = dict(each.split("=", 1) for each in sys.argv[4:])


def on(cores: list[int]):
    return functools.partial(os.sched_setaffinity, 0, cores)


class Server:
    """A server in a process of its own."""

    def __init__(self, command: list[str], trace: str | None = None):
        prefix = ["strace", "-f", "-c", "-o", trace] if trace else []
        self.process = subprocess.Popen(prefix + command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        preexec_fn=on(SERVER_CORES))  # fmt: skip
        line = self.process.stdout.readline()
        found = re.search(r"listening on (\d+)", line)
        if not found:
            raise SystemExit(f"{command} said {line!r}")
        self.port = int(found[1])
        self.pid = self.process.pid
        if trace:
            children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
            self.traced = int(children[0])

    def stop(self) -> None:
        if hasattr(self, "traced"):
            subprocess.run(["kill", str(self.traced)], check=False)
        else:
            self.process.kill()
        self.process.wait()


def servers(bench: str, clients: int, frames: int, size: int = 200) -> dict[str, list[str]]:
    common = ["--frames", str(frames), "--bytes", str(size)]
    return {
        "raw": [bench, "raw", "--clients", str(clients), *common],
        "ours": [bench, "ours", *common],
        **{name: [program, str(frames), str(size)] for name, program in PEERS.items()},
    }


def drain(bench: str, server: Server, clients: int, frames: int, rounds: int, *more: str) -> str:
    command = [bench, "drain", "--port", str(server.port), "--server", str(server.pid), "--clients", str(clients),
               "--frames", str(frames), "--rounds", str(rounds), *more]  # fmt: skip
    return subprocess.run(command, check=True, capture_output=True, text=True, preexec_fn=on(CLIENT_CORES)).stdout


def per_second(bench: str, command: list[str], clients: int, frames: int, rounds: int) -> float:
    """Frames for each second of processor time of the server."""
    server = Server(command)
    try:
        delivered, _, spent = map(float, drain(bench, server, clients, frames, rounds).split())
    finally:
        server.stop()
    return delivered / spent


def compete(bench: str, clients: int, frames: int, repeats: int, rounds: int, names: list[str]) -> dict[str, list[float]]:
    commands = servers(bench, clients, frames)
    results: dict[str, list[float]] = {name: [] for name in names}
    shuffle = random.Random(clients * 10 + frames)
    for _ in range(repeats):
        for name in shuffle.sample(names, len(names)):
            results[name].append(per_second(bench, commands[name], clients, frames, rounds))
    return results


def ratio(results: dict[str, list[float]], peer: str) -> float:
    return statistics.median(a / b for a, b in zip(results["ours"], results[peer]))


def system_calls(bench: str, clients: int) -> float:
    """System calls of our server for each delivered frame: what rounds more cost, so that handshakes do not count."""
    totals = []
    for rounds in (50, 250):
        with tempfile.NamedTemporaryFile("r") as trace:
            server = Server(servers(bench, clients, 1)["ours"], trace.name)
            try:
                drain(bench, server, clients, 1, rounds)
            finally:
                server.stop()
            total = re.search(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?total", trace.read(), re.M)
        if not total:
            raise SystemExit("strace wrote no table")
        totals.append(int(total[1]))
    return (totals[1] - totals[0]) / (200 * clients)


def memory(bench: str, clients: int) -> float:
    """Bytes that the server holds for each idle connection."""
    server = Server([bench, "ours"])
    try:
        drain(bench, server, 50, 1, 1, "--hold", "1")
        before = resident(server.pid)
        with subprocess.Popen(
            [sys.executable, __file__, "hold", str(server.port), str(clients)], stdout=subprocess.PIPE, text=True
        ) as holder:
            holder.stdout.readline()
            after = resident(server.pid)
            holder.kill()
    finally:
        server.stop()
    return (after - before) / clients


def secure_memory(bench: str, clients: int) -> float:
    with tempfile.TemporaryDirectory() as directory:
        server = Server([bench, "ours", "--tls", directory])
        try:
            warm = hold(server.port, 50, True)
            before = resident(server.pid)
            kept = hold(server.port, clients, True)
            after = resident(server.pid)
            del warm, kept
        finally:
            server.stop()
    return (after - before) / clients


def live(program: str, viewers: int, rate: int, tick_rate: int, seconds: int, repeats: int) -> list[dict]:
    """What a whole server with a live room spends and how late its frames are, once for each repeat."""
    reports = []
    for _ in range(repeats):
        command = [program, "serve", "--in-memory", "--port", "0", "--tick-rate", str(tick_rate)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=on(SERVER_CORES)) as server:
            address = server.stdout.readline().split()[-1]
            load = [program, "load", address, "--viewers", str(viewers), "--rate", str(rate), "--duration", str(seconds),
                    "--editors", "2", "--server-pid", str(server.pid), "--json"]  # fmt: skip
            done = subprocess.run(load, capture_output=True, text=True, preexec_fn=on(CLIENT_CORES))
            server.terminate()
        if done.returncode:
            raise SystemExit(done.stderr + done.stdout)
        reports.append(json.loads(done.stdout))
    return reports


def raw_rate(bench: str, clients: int, rate: int, size: int, seconds: int) -> tuple[float, list[float]]:
    """Processor seconds a second of the plain loop at a rate; in how many ms half, and 99 of 100, of its rounds arrive."""
    command = servers(bench, clients, 1, size)["raw"] + ["--rate", str(rate)]
    server = Server(command)
    try:
        arguments = ["--seconds", str(seconds), "--bytes", str(size)]
        _, elapsed, spent, *spreads = map(float, drain(bench, server, clients, 1, 1, *arguments).split())
    finally:
        server.stop()
    return spent / elapsed, spreads


def processor_times() -> tuple[int, int]:
    """What the processors did so far, in all, and how much of it the host gave to other machines; in the kernel's units."""
    times = [int(each) for each in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return sum(times[:8]), times[7]


# Of its time, so much may be taken away in a round that counts.
STOLEN_MAXIMUM = 0.005


def undisturbed(repeats: int, measure: Callable[[], tuple]) -> list[tuple]:
    """What `measure` gives in the rounds, of at most three times as many, in which the host took least time away: such rounds
    tell of the host's other guests, and say it of both sides of a ratio at different moments."""
    rounds: list[tuple[float, tuple]] = []
    while len(rounds) < 3 * repeats and sum(share <= STOLEN_MAXIMUM for share, _ in rounds) < repeats:
        all_before, stolen_before = processor_times()
        values = measure()
        all_after, stolen_after = processor_times()
        rounds.append(((stolen_after - stolen_before) / (all_after - all_before), values))
    best = sorted(rounds, key=lambda each: each[0])[:repeats]
    print(f"    {len(rounds)} rounds; the {len(best)} count in which the host took least, up to {100 * best[-1][0]:.1f} %")
    return [values for _, values in best]


def report_live(report: Report, bench: str, program: str, repeats: int) -> None:
    def measure() -> tuple:
        raw, spread = raw_rate(bench, 1000, 60, 24, 10)
        answer = live(program, 1000, 60, 60, 10, 1)[0]
        cores = answer["serverSeconds"] / answer["seconds"]
        # Both are brought to the same number of frames: a loaded machine makes either drop some.
        scale = 60_000 / (answer["frames"] / answer["seconds"])
        tails = (answer[key]["p99"] / 1000 for key in ("frameMicroseconds", "editorFrameMicroseconds"))
        return cores * scale / raw, cores, raw, *tails, spread

    ratios, ours, peers, tails, editors, spreads = zip(*undisturbed(repeats, measure))
    report.add("processor at 60 Hz × 1,000 viewers, whole server, against raw", statistics.median(ours), statistics.median(peers),
               "raw", statistics.median(ratios), runs=repeats)  # fmt: skip
    report.add("mutation to frame at any of 1,000 viewers, 60 Hz, p99", statistics.median(tails), runs=repeats)
    report.add("the same at another editor, 1,000 viewers in the room, p99", statistics.median(editors), runs=repeats)
    half, most = (statistics.median(column) for column in zip(*spreads))
    print(f"    from first to last arrival the plain loop alone takes {half:.3g} ms, in one round of 100 {most:.3g} ms")
    answer = live(program, 5000, 10, 10, 10, 1)[0]
    lost = answer["missed"] + answer["dropped"] + answer["failed"]
    report.add("5,000 viewers of one room at 10 Hz: frames missed and members dropped", lost, runs=1)


def resident(pid: int) -> int:
    time.sleep(0.5)
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def hold(port: int, clients: int, secure: bool) -> list[socket.socket]:
    """Connections that have shaken hands and say nothing."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    request = (
        b"GET /bench HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Protocol: bench\r\n\r\n"
    )
    kept = []
    for _ in range(clients):
        connection = socket.create_connection(("127.0.0.1", port))
        if secure:
            connection = context.wrap_socket(connection)
        connection.sendall(request)
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += connection.recv(4096)
        if b" 101 " not in answer:
            raise SystemExit(answer)
        kept.append(connection)
    return kept


def main() -> None:
    bench, program, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3])
    report = Report("transport", repeats)
    report_live(report, bench, program, min(repeats, 5))
    for clients, rounds in ((1000, 400), (5000, 100)):
        results = compete(bench, clients, 1, repeats, rounds, ["raw", "ours", *PEERS])
        medians = {name: statistics.median(values) for name, values in results.items()}
        for peer in ("raw", *PEERS):
            report.add(f"broadcast to {clients:,}, against {peer}", medians["ours"], medians[peer], peer, ratio(results, peer))
    # Whether receivers sleep between two messages, which the kernel makes the sender pay for, differs from run to run.
    joined = 2 * repeats + 1
    results = compete(bench, 1000, 4, joined, 150, ["raw", "ours"])
    report.add("four frames a tick to 1,000, against a raw send of each", statistics.median(results["ours"]),
               statistics.median(results["raw"]), "raw", ratio(results, "raw"), runs=joined)  # fmt: skip
    report.add("system calls for each delivered frame", system_calls(bench, 1000), runs=1)
    report.add("memory of an idle connection", memory(bench, 5000), runs=1)
    report.add("memory of an idle TLS connection", secure_memory(bench, 1000), runs=1)
    report.finish()


if __name__ == "__main__":
    if sys.argv[1] == "hold":
        connections = hold(int(sys.argv[2]), int(sys.argv[3]), False)
        print("held", flush=True)
        time.sleep(60)
    else:
        main()
