"""The campaign of `./dev soak power`.

    campaign.py [CUTS [SEED [MODEL…]]]    has the power of a writing server fail so often, and judges what comes back each time; MODEL is
                                          "journalled", "strict" or "new" (see disk.py), all by default

A server runs under `forget.c` while six rooms are written, pictures are brought, and rooms are made, copied, renamed, exported, imported
and deleted. It is killed at a random moment: while it starts, writes, or ends; so is `scenesync import`. From what was recorded a disk is made as the power
failure may have left it, and two more of earlier moments of the same life. A server has to start on each and keep every promise. On the
last one the next life begins, with the same people, who go on in their sessions; one life in five ends without a power failure, so that
the next one begins on what was not synced, and one in four finds its journal ten days older, so that it is compacted.

The moments, and what a disk keeps, follow from SEED; what the server does at a moment does not. POWER_KEEP names a folder for the state
and the record of a life in which something was lost. FORGET_IGNORE_SYNC=1 has the disk lie about syncs: that must be found.
"""

from __future__ import annotations

import contextlib
import copy
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("Support", "Cluster", "Power"):
    sys.path.insert(0, str(ROOT / "Tests" / folder))

from apart import APART  # noqa: E402
from disk import MODELS, SHARES, STRICT, Disk, NotModelled, Record, read_log  # noqa: E402
from guests import Keeper, Painter  # noqa: E402
from judge import PATIENCE, Judge, Promised  # noqa: E402
from nats_servers import free_ports  # noqa: E402
from preload import build_library  # noqa: E402
from writers import Writers  # noqa: E402

#: What records a program's calls.
SOURCE = Path(__file__).with_name("forget.c")
#: Rooms with a writer each, and how often each asks for something, in seconds.
ROOMS, INTERVAL = 6, 0.004
#: Lives of one folder: each judgement reads its journal again.
LIVES = 12
#: Bytes of the texts in folders: the last fill the log, so that it is moved into the database.
PADDINGS = [0, 3000, 6000]
#: The longest sync, in microseconds.
SYNC = 8000
#: When the power fails: after so many seconds at most of a life that starts, that writes, that ends, and that imports a room.
STARTING, WRITING, ENDING, IMPORTING = 0.25, 1.0, 0.08, 0.06
AGE = 10 * 86_400


def recorded(library: Path, root: Path, log: Path, sync: int = SYNC) -> dict[str, str]:
    """The environment of a program whose files below a folder are recorded."""
    more = {"LD_PRELOAD": str(library), "FORGET_ROOT": str(root), "FORGET_LOG": str(log), "FORGET_SYNC_MICROSECONDS": str(sync)}
    return {**os.environ, **more}


@dataclass
class Cut:
    """A power failure: at which moment, and what the disk kept."""

    moment: int
    model: str
    names: str
    share: str
    place: Path

    def __str__(self) -> str:
        return f"{self.model}, names {self.names}, data {self.share}"


def take_all(disk: Disk, records: list[Record]) -> list[str]:
    """Takes the records of a process that was killed to its end; returns what the library did not see."""
    if not records:
        return []
    for record in records[:-1]:
        disk.take(record)
    last = records[-1]
    # The last call was recorded, and perhaps not made.
    if last.kind in "BSEM" or disk.differences():
        disk.take(last)
    # What was created and not recorded came after all that was.
    disk.adopt()
    return disk.differences(last if last.kind == "W" else None)


class Campaign:
    """Life after life, and what was found."""

    def __init__(self, program: str, seed: int, models: list[str], folder: Path) -> None:
        self._program, self._models, self._folder = program, models, folder
        self._chance = random.Random(seed)
        self._seed = seed
        self._library = build_library(SOURCE, folder)
        self._judge = Judge(program)
        self.cuts = 0
        self.acknowledged = 0
        self.answered = 0
        self.records: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.faults: list[str] = []
        #: Cuts after which something was wrong, by model.
        self.failures: Counter[str] = Counter()

    @property
    def compacted(self) -> int:
        return self._judge.compacted

    def run(self, cuts: int) -> None:
        """Goes through folders until the power has failed so often."""
        number = 0
        while self.cuts < cuts:
            place = self._folder / f"folder{number}"
            place.mkdir()
            self._live(place, cuts, self._models[number % len(self._models)], self._chance.choice(PADDINGS))
            shutil.rmtree(place)
            number += 1

    def _live(self, place: Path, cuts: int, model: str, padding: int) -> None:
        """The lives of one folder, until something is lost: what follows would be lost with it."""
        port = free_ports(1)[0]
        root = place / "disk"
        root.mkdir()
        if model == STRICT:
            (root / "data").mkdir()
        failures = self.failures[model]
        rooms = [f"room{number}" for number in range(ROOMS)]
        disk = Disk(root)
        with Writers(rooms, [f"ws://127.0.0.1:{port}"], padding=padding, interval=INTERVAL) as writers:
            painter = Painter(port, self._chance.getrandbits(32), writers.all)
            keeper = Keeper(port, self._chance.getrandbits(32), "kept")
            guests = [painter, keeper]
            for guest in guests:
                guest.start()
            try:
                for life in range(LIVES):
                    if self.cuts >= cuts or self.failures[model] > failures:
                        break
                    log = place / f"log{life}"
                    kind = self._one(root, log, port, keeper)
                    # A process that is killed at once has recorded nothing.
                    records = read_log(log) if log.exists() else []
                    moments = self._moments(records) if self._chance.random() < 0.8 else []
                    for moment in moments:
                        while records and records[0].time <= moment:
                            disk.take(records.pop(0))
                        self._cut(disk, model, place, moment, kind, writers, painter, keeper)
                    missed = take_all(disk, records)
                    if missed:
                        raise NotModelled(f"the library saw too little, {missed[:5]}; the last record is {records[-1:]}")
                    # Without a power failure the next process begins with all that this one wrote.
                    if moments:
                        cut = self._cut(disk, model, place, time.monotonic_ns(), kind, writers, painter, keeper, is_last=True)
                        shutil.rmtree(root)
                        cut.place.rename(root)
                        if self._chance.random() < 1 / 4:
                            grow_old(root / "data")
                        self._count(disk)
                        disk = Disk(root)
                    log.unlink(missing_ok=True)
                # On what is lost no server may start.
                is_whole = self.failures[model] == failures
                late = self._end(root, port, writers, PATIENCE if is_whole else 1)
                if is_whole:
                    self.faults += [f"seed {self._seed}: {room} is not answered to the end" for room in late]
            finally:
                for guest in guests:
                    guest.stop()
            if writers.failure:
                raise writers.failure
        self._count(disk)
        self.acknowledged += sum(len(writer.acknowledged) for writer in writers.all)
        self.answered += sum(guest.count for guest in guests)

    def _end(self, root: Path, port: int, writers: Writers, patience: float) -> list[str]:
        """Lets the writers come to an end at a server that nothing is done to; returns the rooms of those that do not."""
        with subprocess.Popen(
            [self._program, "serve", "--data", str(root / "data"), "--port", str(port)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **APART,
        ) as server:  # fmt: skip
            try:
                return [writer.room for writer in writers.stop(patience)]
            finally:
                server.kill()

    def _count(self, disk: Disk) -> None:
        self.records.update(disk.counts)

    def _one(self, root: Path, log: Path, port: int, keeper: Keeper) -> str:
        """One life, from the server's start to its end; returns what it was at."""
        kind = self._chance.choices(["starting", "writing", "ending", "ended", "importing"], [4, 10, 4, 2, 2])[0]
        if kind == "importing" and keeper.exported:
            self._import(root, log, keeper)
            return kind
        with subprocess.Popen(
            [self._program, "serve", "--data", str(root / "data"), "--port", str(port)],
            env=recorded(self._library, root, log), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **APART,
        ) as server:  # fmt: skip
            try:
                assert server.stdout
                # The moment is the point; nothing is waited for.
                if kind == "starting":
                    time.sleep(self._chance.random() * STARTING)
                    return kind
                line = server.stdout.readline()
                if not line.startswith("listening on "):
                    raise RuntimeError(f"the server does not start: {line!r}")
                time.sleep(self._chance.random() * WRITING)
                if kind == "ending":
                    server.send_signal(signal.SIGTERM)
                    time.sleep(self._chance.random() * ENDING)
                if kind in ("ended", "importing"):
                    kind = "ended"
                    server.send_signal(signal.SIGTERM)
                    server.wait(PATIENCE)
            finally:
                server.kill()
        return kind

    def _import(self, root: Path, log: Path, keeper: Keeper) -> None:
        """Has the command make a room while no server runs; its exit status is its promise."""
        file = root.parent / "exported"
        file.write_bytes(keeper.exported)
        name, step = keeper.announce()
        with subprocess.Popen(
            [self._program, "import", "--data", str(root / "data"), str(file), name],
            env=recorded(self._library, root, log), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **APART,
        ) as command:  # fmt: skip
            # Half of them come to their end.
            with contextlib.suppress(subprocess.TimeoutExpired):
                command.wait(PATIENCE if self._chance.random() < 0.5 else self._chance.random() * IMPORTING)
            if command.poll() is None:
                command.kill()
            elif command.returncode == 0:
                step.promised = time.monotonic_ns()

    def _moments(self, records: list[Record]) -> list[int]:
        """Two moments of a life besides its end."""
        if not records:
            return [time.monotonic_ns()]
        first, last = records[0].time, records[-1].time
        return sorted(self._chance.randint(first, last) for _ in range(2))

    def _cut(
        self, disk: Disk, model: str, place: Path, moment: int, kind: str, writers: Writers, painter: Painter, keeper: Keeper,
        is_last: bool = False,
    ) -> Cut:  # fmt: skip
        """Has the power fail, and judges what is left; returns where that is."""
        self.cuts += 1
        self.kinds[kind] += 1
        cut = Cut(moment, model, self._chance.choice(SHARES), self._chance.choice(SHARES), place / f"cut{self.cuts}")
        disk.cut(cut.place, cut.model, cut.names, cut.share, random.Random(self._chance.getrandbits(32)))
        # What a server has recovered is no longer what the disk kept.
        judged = cut.place
        if is_last:
            judged = place / "judged"
            shutil.copytree(cut.place, judged)
        promised = Promised(copy.copy(writers.history.lines), moment)
        faults = self._judge.faults(judged / "data", promised, painter, keeper, moment, self._chance)
        if faults:
            self.failures[cut.model] += 1
            self.faults += [f"seed {self._seed}, cut {self.cuts}, {kind}, {cut}: {fault}" for fault in faults]
            print("\n".join(self.faults[-len(faults) :][:10]), file=sys.stderr)
            if keep := os.environ.get("POWER_KEEP"):
                kept = Path(keep) / f"seed{self._seed}-cut{self.cuts}"
                shutil.copytree(place, kept, dirs_exist_ok=True)
        shutil.rmtree(judged)
        return cut


def grow_old(data: Path) -> None:
    """Has the journal's groups be older than records are kept."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(data / "journal.sqlite")) as database:
        database.execute("UPDATE groups SET time = time - ?", (AGE,))
        database.commit()


def scratch() -> Path:
    """A folder in memory where there is one: what is synced here costs the machine's disk nothing."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="power-", dir=memory if os.access(memory, os.W_OK) else None))


def main(arguments: list[str]) -> int:
    cuts = int(arguments[0]) if arguments else 1000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    models = arguments[2:] or MODELS
    if unknown := set(models) - set(MODELS):
        print(f"there is no model {sorted(unknown)}; there are {MODELS}", file=sys.stderr)
        return 64
    folder = scratch()
    begun = time.monotonic()
    campaign = Campaign(os.environ["SCENESYNC"], seed, models, folder)
    is_whole = False
    try:
        campaign.run(cuts)
        is_whole = True
    except NotModelled as error:
        print(f"the program did what is not modelled: {error}", file=sys.stderr)
    except subprocess.TimeoutExpired as error:
        print(f"a command does not come to an end, or was stopped: {error}", file=sys.stderr)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not campaign.records["W"] or not (campaign.records["E"] or os.environ.get("FORGET_IGNORE_SYNC")):
        print("no write or no sync was recorded: the library is not at work", file=sys.stderr)
        return 1
    print("cuts while the server was " + ", ".join(f"{kind}: {count}" for kind, count in sorted(campaign.kinds.items())))
    print(f"recorded calls by kind: {dict(sorted(campaign.records.items()))}; {campaign.compacted} journals had been compacted")
    print(
        f"seed {seed}: {campaign.cuts} cuts in {time.monotonic() - begun:.0f} s, {campaign.acknowledged} ops acknowledged, "
        f"{campaign.answered} other requests answered, {sum(campaign.failures.values())} cuts with a fault {dict(campaign.failures)}"
    )
    return 0 if is_whole and not campaign.faults else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
