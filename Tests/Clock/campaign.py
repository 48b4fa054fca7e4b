"""The campaign of `./dev soak clock`.

    campaign.py [RUNS [SEED]]    sets the clocks of a server, of its clients, or of a node of a cluster RUNS times (200) while rooms are
                                 written and watched, and judges the outcome

Half of the runs have one server, half a cluster of three nodes; each takes one program and one kind of change by chance:

- the wall clock goes forward or back by an hour or a day, back by more days than records are kept, or back by a second, as with a leap
  second;
- all clocks go forward by an hour or a day, as those of a virtual machine that is restored;
- the machine is suspended: the program stands still for a second, and then its wall clock and CLOCK_BOOTTIME are an hour ahead;
- all clocks are a hundredth too fast or too slow;
- the server ends by SIGKILL as well and starts again with the changed clocks.

Some seconds later the wall clock is put back. All writers and viewers, half of them in a process with true clocks and half in one whose
clocks are changed, must have something acknowledged and see it within STALL seconds of true time after each change, and no picture may
change more often than BURST times in a second. A token that holds by every clock must hold, and one that has ended by the server's clock must not. At the end
every op that was acknowledged is in the journal once and in order, also the first ones: no clock was ahead by the days for which
records are kept. All mirrors have the state of a member that joins last, and of a replay. In a cluster no journal forks, and each shard
has one owner.
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
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
for folder in ("Support", "Cluster", "Power", "Clock"):
    sys.path.insert(0, str(ROOT / "Tests" / folder))

from apart import APART  # noqa: E402
from check_history import check  # noqa: E402
from clocks import SOURCE, Clocks, under  # noqa: E402
from cluster import PATIENCE, Cluster, Node  # noqa: E402
from judge import Promised, check_ops  # noqa: E402
from kept import read_journal  # noqa: E402
from nats_servers import free_ports  # noqa: E402
from people import Elsewhere, People  # noqa: E402
from preload import build_library  # noqa: E402

ROOMS = ["room0", "room1", "room2"]
HOUR, DAY = 3600, 86_400
#: Changes by name: of the wall clock, the monotonic one, CLOCK_BOOTTIME, and the drift.
CHANGES: dict[str, dict[str, float]] = {
    "wall +1 h": {"wall": HOUR},
    "wall -1 h": {"wall": -HOUR},
    "wall +1 day": {"wall": DAY},
    "wall -1 day": {"wall": -DAY},
    "wall -8 days": {"wall": -8 * DAY},
    "leap second": {"wall": -1},
    "all +1 h": {"wall": HOUR, "monotonic": HOUR, "boot": HOUR},
    "all +1 day": {"wall": DAY, "monotonic": DAY, "boot": DAY},
    "suspended": {"wall": HOUR, "boot": HOUR},
    "1 % fast": {"drift": 0.01},
    "1 % slow": {"drift": -0.01},
}
#: Of all runs with one server, those in which it is killed as well.
KILLED = 0.15
#: Seconds of true time within which everybody goes on.
STALL = 3.0
#: More often a picture of 60 ticks a second does not move on in a second, also after a pause.
BURST = 150
#: So long changed clocks are watched, in seconds, and clocks that are put back.
WATCHED = 1.5
#: How long a suspended program stands still.
SUSPENDED = 1.0
#: Between two looks.
LOOK = 0.02


class Subject:
    """What the clocks are set of: a program whose process changes, or the clients."""

    def __init__(self, name: str, clocks: Clocks, process: Callable[[], subprocess.Popen[str] | None] | None) -> None:
        self.name, self.clocks, self._process = name, clocks, process

    def suspend(self) -> None:
        """Has the program stand still for a while."""
        process = self._process() if self._process else None
        if process:
            process.send_signal(signal.SIGSTOP)
            time.sleep(SUSPENDED)
            process.send_signal(signal.SIGCONT)


class Watch:
    """Everybody who writes and watches, and how they get on."""

    def __init__(self, people: People, elsewhere: Elsewhere) -> None:
        self._all: list[People | Elsewhere] = [people, elsewhere]
        self._here = people
        self.longest = 0.0
        self.fastest = 0

    def goes_on(self, patience: float, seconds: float) -> list[str]:
        """Waits until each writer has had answers to what was asked for from now on, and each viewer has seen them; then goes on to look
        for some seconds."""
        begun = time.monotonic()
        before = [each.news() for each in self._all]
        self._here.moments()
        while True:
            now = [each.news() for each in self._all]
            # A writer is three ahead at most: with the fifth it has asked for one of these after the change.
            late = [
                f"{what} {place} of {index}" for index, (old, new) in enumerate(zip(before, now)) for what in ("written", "shown")
                for place, (first, last) in enumerate(zip(old[what], new[what])) if last < first + 5
            ]  # fmt: skip
            took = time.monotonic() - begun
            if not late:
                break
            if took > patience:
                return [f"nothing new after {took:.1f} s: {late}"]
            time.sleep(LOOK)
        self.longest = max(self.longest, took)
        time.sleep(max(0, seconds - took))
        faults = []
        for moments in self._here.moments():
            gaps = [later - earlier for earlier, later in zip([begun, *moments], [*moments, time.monotonic()])]
            if max(gaps) > STALL:
                faults.append(f"a picture stands for {max(gaps):.1f} s")
            most = max((sum(first <= moment < first + 1 for moment in moments) for first in moments), default=0)
            self.fastest = max(self.fastest, most)
            if most > BURST:
                faults.append(f"a picture moves on {most} times in a second")
        return faults


class Campaign:
    """Run after run against one server or one cluster."""

    def __init__(self, name: str, chance: random.Random, subjects: list[Subject], watch: Watch) -> None:
        self._name, self._chance, self._subjects, self._watch = name, chance, subjects, watch
        self.faults: list[str] = []
        self.counts: Counter[str] = Counter()
        #: Looks for more that may be wrong after each change.
        self.looks: list[Callable[[], list[str]]] = []
        #: Ends the server and starts it again, where that is tried.
        self.restart: Callable[[], None] | None = None

    def run(self, number: int) -> None:
        subject, (kind, change) = self._chance.choice(self._subjects), self._chance.choice(list(CHANGES.items()))
        text = f"{self._name} {number}: {kind} of {subject.name}"
        if kind == "suspended":
            subject.suspend()
        subject.clocks.step(**change)
        if self.restart and self._chance.random() < KILLED:
            self.restart()
            text += ", killed"
        self.counts[kind] += 1
        faults = self._watch.goes_on(STALL, WATCHED)
        faults += [fault for look in self.looks for fault in look()]
        subject.clocks.correct()
        faults += [f"after it: {fault}" for fault in self._watch.goes_on(STALL, 0)]
        self.faults += [f"{text}: {fault}" for fault in faults]
        print(text + "".join(f"\n    {fault}" for fault in faults), file=sys.stderr)


class Server:
    """A server with tokens, always at the same port."""

    def __init__(self, program: str, folder: Path, environment: dict[str, str]) -> None:
        self._program, self._folder, self._environment = program, folder, environment
        self.port = free_ports(1)[0]
        self.address = f"ws://127.0.0.1:{self.port}"
        self.secret = folder / "secret"
        self.secret.write_text("of more than thirty-two bytes, and known to this campaign alone")
        self.data = folder / "data"
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def token(self, expires: str) -> str:
        command = [self._program, "token", "--secret-file", str(self.secret), "--room", "*", "--role", "admin", "--expires", expires]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._program, "serve", "--port", str(self.port), "--data", str(self.data), "--auth-secret-file", str(self.secret)],
                env=self._environment, stdout=subprocess.PIPE, stderr=log, text=True, **APART,
            )  # fmt: skip
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the server does not start: {self.log()[-1000:]}")

    def stop(self, number: int = signal.SIGKILL) -> None:
        if self.process:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)
            self.process = None

    def restart(self) -> None:
        self.stop()
        self.start()

    def log(self) -> str:
        return (self._folder / "log").read_text(errors="replace")

    def status(self, token: str) -> int:
        """What an administrator's request with a token is answered with."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/admin/rooms", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code


def check_hashes(everybody: list[People | Elsewhere], address: str, token: str) -> list[str]:
    """Whether all mirrors come to the state that a member has that joins now."""
    end = time.monotonic() + STALL
    while faults := different_hashes([each.end() for each in everybody], address, token):
        if time.monotonic() > end:
            break
    return faults


def different_hashes(results: list[dict[str, Any]], address: str, token: str) -> list[str]:
    faults = []
    for place, room in enumerate(ROOMS):
        command = [os.environ["SCENESYNC"], "view", "--once", "--format", "json", f"{address}/{room}"]
        environment = {**os.environ, "SCENESYNC_TOKEN": token} if token else dict(os.environ)
        shown = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)["hash"]
        found = [f"{result['hashes'][place]:016x}" for result in results]
        if set(found) != {shown}:
            faults.append(f"mirrors of {room} have the states {found}, the server has {shown}")
    return faults


def stop(people: People, elsewhere: Elsewhere) -> list[str]:
    """Ends the writing."""
    return [f"{room} is not answered to the end" for each in (people, elsewhere) for room in each.stop()]


def history(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The histories of both processes, whose times have nothing to do with each other."""
    lines = [line for result in results for line in result["lines"]]
    return [{**line, "time": number} for number, line in enumerate(lines)]


def summary(name: str, results: list[dict[str, Any]], watch: Watch, campaign: Campaign) -> str:
    lines = history(results)
    acknowledged = sum(line["type"] == "acknowledged" for line in lines)
    return (
        f"{name}: {sum(campaign.counts.values())} runs, {acknowledged} ops acknowledged, {sum(each['connections'] for each in results)} "
        f"connections, longest wait {watch.longest:.2f} s, at most {watch.fastest} moves of a picture in a second, "
        f"{len(campaign.faults)} wrong; {dict(campaign.counts)}"
    )


def run_server(runs: int, chance: random.Random, folder: Path, library: Path) -> list[str]:
    """Runs with one server, and clients that have tokens."""
    clocks, theirs = Clocks(folder / "server.clocks"), Clocks(folder / "clients.clocks")
    server = Server(os.environ["SCENESYNC"], folder, under(library, clocks))
    # One is valid by all clocks, one ends between an hour and a day.
    token, short = server.token("10d"), server.token("2h")
    begun = time.time()
    options: dict[str, Any] = {"addresses": [server.address], "rooms": ROOMS, "token": token}
    people, elsewhere = People(first=1, **options), Elsewhere(under(library, theirs), first=11, **options)
    watch = Watch(people, elsewhere)
    subjects = [Subject("the server", clocks, lambda: server.process), Subject("the clients", theirs, None)]
    campaign = Campaign("server", chance, subjects, watch)
    campaign.restart = server.restart

    def tokens() -> list[str]:
        is_valid = time.time() + clocks.wall < begun + 2 * HOUR
        faults = [] if server.status(token) == 200 else ["a token is refused that holds by every clock"]
        if (server.status(short) == 200) != is_valid:
            faults.append(f"a token that {'holds' if is_valid else 'has ended'} by the server's clock is answered otherwise")
        return faults

    campaign.looks.append(tokens)
    try:
        campaign.faults += watch.goes_on(PATIENCE, 0)
        for number in range(runs):
            campaign.run(number)
        campaign.faults += stop(people, elsewhere)
        campaign.faults += check_hashes([people, elsewhere], server.address, token)
        results = [people.end(), elsewhere.end()]
        campaign.faults += [f"a member is closed: {end}" for each in results for end in each["ends"] if "4001" in end or "4003" in end]
        server.stop(signal.SIGTERM)
        journal = read_journal(server.data)
        campaign.faults += check_ops(Promised(history(results), sys.maxsize), journal)
        campaign.faults += [f"{room} has lost its first records" for room in ROOMS if journal[room].sequences[:1] != [1]]
        campaign.faults += check_replays(server.data, results)
        campaign.faults += [line for line in server.log().splitlines() if " error " in line]
        print(summary("server", results, watch, campaign))
        return campaign.faults
    finally:
        people.leave()
        elsewhere.leave()
        server.stop()


def check_replays(data: Path, results: list[dict[str, Any]]) -> list[str]:
    """Whether the journal makes of each room what its viewers see."""
    faults = []
    for place, room in enumerate(ROOMS):
        command = [os.environ["SCENESYNC"], "replay", "--data", str(data), "--verify", room]
        done = subprocess.run(command, capture_output=True, text=True)
        shown = f"{results[0]['hashes'][place]:016x}"
        if done.returncode or json.loads(done.stdout)["hash"] != shown:
            faults.append(f"the replay of {room} ends otherwise than {shown}: {done.stdout[:100]} {done.stderr}")
    return faults


def run_cluster(runs: int, chance: random.Random, folder: Path, library: Path) -> list[str]:
    """Runs with a cluster, one node of which has other clocks than the rest."""
    all_clocks = [Clocks(folder / f"node{number}.clocks") for number in range(3)]
    within = [["env", f"LD_PRELOAD={library}", f"CLOCKS_FILE={clocks.path}"] for clocks in all_clocks]
    theirs = Clocks(folder / "clients.clocks")
    with Cluster(within=within) as cluster:
        shards = cluster.recorder.description["shards"]
        options: dict[str, Any] = {"addresses": cluster.addresses, "rooms": ROOMS, "token": ""}
        people, elsewhere = People(first=1, **options), Elsewhere(under(library, theirs), first=11, **options)
        watch = Watch(people, elsewhere)

        def subject(node: Node, clocks: Clocks) -> Subject:
            return Subject(f"node {node.name}", clocks, lambda: node.process)

        subjects = [subject(node, clocks) for node, clocks in zip(cluster.nodes, all_clocks)]
        campaign = Campaign("cluster", chance, [*subjects, Subject("the clients", theirs, None)], watch)

        def owners() -> list[str]:
            try:
                cluster.wait_for_owners(shards)
            except RuntimeError as error:
                return [str(error)]
            return []

        campaign.looks.append(owners)
        try:
            campaign.faults += watch.goes_on(PATIENCE, 0)
            for number in range(runs):
                campaign.run(number)
            campaign.faults += stop(people, elsewhere)
            campaign.faults += check_hashes([people, elsewhere], cluster.addresses[0], "")
            results = [people.end(), elsewhere.end()]
            cluster.recorder.finish()
            lines = history(results) + cluster.recorder.history()
            campaign.faults += check(json.dumps(line) for line in lines)
            print(summary("cluster", results, watch, campaign))
            return campaign.faults
        finally:
            people.leave()
            elsewhere.leave()


def main(arguments: list[str]) -> int:
    runs = int(arguments[0]) if arguments else 200
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    folder = Path(tempfile.mkdtemp(prefix="clock-"))
    begun = time.monotonic()
    try:
        library = build_library(SOURCE, folder)
        faults = run_server((runs + 1) // 2, random.Random(seed), folder, library)
        faults += run_cluster(runs // 2, random.Random(seed + 1), folder, library)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(faults[:50]))
    print(f"seed {seed}: {runs} runs in {time.monotonic() - begun:.0f} s, {len(faults)} wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
