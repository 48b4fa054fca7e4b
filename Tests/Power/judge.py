"""Starts a server on what a disk kept, and says what of its promises is broken."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import re
import sqlite3
import subprocess
from collections.abc import Iterable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from guests import BROKEN, Keeper, Painter, connect, request
from kept import Room, read_journal

Op = tuple[str, int]
#: A fault, and nothing else, takes longer than so many seconds.
PATIENCE = 30
#: Rooms that are replayed after each cut.
REPLAYED = 2
#: What of `scenesync doctor` concerns the disk.
CHECKS = {"journal", "rooms", "crashes"}


class Promised:
    """What writers were told until a moment, and all that they ever asked for."""

    def __init__(self, lines: Iterable[dict[str, Any]], moment: int) -> None:
        self.rooms: dict[Op, str] = {}
        self.acknowledged: set[Op] = set()
        self.refused: set[Op] = set()
        for line in lines:
            op = (line["session"], line["number"])
            if line["type"] == "invoked":
                self.rooms[op] = line["room"]
            elif line["type"] == "refused":
                self.refused.add(op)
            elif line["type"] == "acknowledged" and line["time"] <= moment:
                self.acknowledged.add(op)


def name(op: Op) -> str:
    return f"op {op[1]} of writer {op[0]}"


def check_ops(promised: Promised, journal: dict[str, Room]) -> list[str]:
    """What is wrong with the ops of a journal, however many records a compaction has removed from its beginning."""
    faults = []
    found: dict[Op, int] = {}
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for room, kept in journal.items():
        if kept.sequences != list(range(kept.sequences[0], kept.sequences[0] + len(kept.sequences)) if kept.sequences else []):
            faults.append(f"room {room} has records {kept.sequences[:3]} to {kept.sequences[-3:]}, which do not follow one another")
        for text in kept.texts:
            # Rooms of others have other texts.
            if not re.match(r"\d+:\d+(:|$)", text):
                continue
            session, number = text.split(":")[:2]
            op = (session, int(number))
            found[op] = found.get(op, 0) + 1
            if promised.rooms.get(op) != room:
                faults.append(f"{name(op)} is kept in room {room}, it was meant for {promised.rooms.get(op)}")
            if op[1] < last.get(session, 0):
                faults.append(f"{name(op)} comes after op {last[session]}")
            last[session] = max(op[1], last.get(session, 0))
            first.setdefault(session, op[1])
    faults += [f"{name(op)} is kept {count} times" for op, count in found.items() if count > 1]
    faults += [f"{name(op)} was refused and is kept" for op in promised.refused & found.keys()]
    for op in sorted(promised.acknowledged - found.keys()):
        sequences = journal.get(promised.rooms[op], Room()).sequences
        # Before the first record that is left, a snapshot has what the ops made.
        is_compacted = bool(sequences) and sequences[0] > 1
        if not is_compacted or op[1] > first.get(op[0], op[1]):
            faults.append(f"{name(op)} was acknowledged and is not kept")
    return faults


def get_scene(server: HTTPConnection, room: str) -> tuple[int, str]:
    """A room's document. A room that is not in memory has none before something else has opened it."""
    status, _ = request(server, "GET", f"/admin/rooms/{room}/snapshot")
    if status != 200:
        return status, ""
    status, body = request(server, "GET", f"/admin/rooms/{room}/scene")
    return status, body.decode()


def check_texts(promised: Promised, server: HTTPConnection) -> list[str]:
    """Whether each room opens and shows an op that is not older than the last one that was acknowledged to its writer."""
    latest: dict[str, int] = {}
    for session, number in promised.acknowledged:
        latest[session] = max(number, latest.get(session, 0))
    faults = []
    for session, number in latest.items():
        room = promised.rooms[session, number]
        status, body = get_scene(server, room)
        found = re.search(rf'"{session}:(\d+)[:"]', body)
        shown = int(found[1]) if found else 0
        if status != 200 or shown < number or (session, shown) not in promised.rooms:
            faults.append(f"room {room} shows op {shown} of writer {session}, {number} was acknowledged (status {status})")
    return faults


def check_pictures(painter: Painter, server: HTTPConnection, moment: int) -> list[str]:
    faults = []
    for picture, possible in painter.pictures.possible(moment).items():
        status, body = request(server, "GET", f"/blobs/{hashlib.sha256(picture).hexdigest()}")
        if (status == 200) not in possible or (status == 200 and body != picture):
            faults.append(f"a picture of {len(picture)} bytes is answered with {status} and {len(body)} bytes")
    return faults


def check_rooms(keeper: Keeper, server: HTTPConnection, moment: int) -> list[str]:
    faults = []
    renamed = list(keeper.renamed)
    possible = keeper.rooms.possible(moment)
    are_there = {}
    for room, states in possible.items():
        status, body = get_scene(server, room)
        are_there[room] = status == 200
        if are_there[room] not in states or status not in (200, 404) or (status == 200 and '"kept"' not in body):
            faults.append(f"room {room} is answered with {status}, it may be there: {sorted(states)}")
    for step, old, new in renamed:
        # With a promise, what may be there says all.
        if step.begun <= moment and not step.is_promised(moment) and are_there[old] == are_there[new]:
            faults.append(f"of the names {old} and {new} of one room there are {'both' if are_there[old] else 'none'}")
    return faults


class Judge:
    """Judges one data folder after another."""

    def __init__(self, program: str) -> None:
        self._program = program
        #: Journals whose beginning a compaction had removed.
        self.compacted = 0

    def faults(self, data: Path, promised: Promised, painter: Painter, keeper: Keeper, moment: int, chance: random.Random) -> list[str]:
        """What is wrong with a folder that a power failure at a moment left. The folder is changed."""
        if not data.exists():
            faults = [f"there is no folder {data.name}"] if promised.acknowledged else []
            return faults[:1]
        log = data.parent / "judge.log"
        with log.open("wb") as errors, subprocess.Popen(
            [self._program, "serve", "--data", str(data), "--port", "0", "--log-level", "warning"],
            stdout=subprocess.PIPE, stderr=errors, text=True,
        ) as server:  # fmt: skip
            try:
                assert server.stdout
                line = server.stdout.readline()
                if not line.startswith("listening on "):
                    return [f"the server does not start: {log.read_text(errors='replace')[-500:]}"]
                port = int(line.strip().rsplit(":", 1)[1])
                with contextlib.closing(connect(port)) as asked:
                    faults = check_texts(promised, asked) + check_pictures(painter, asked, moment) + check_rooms(keeper, asked, moment)
                journal = read_journal(data)
                self.compacted += any(room.sequences[:1] > [1] for room in journal.values())
                faults += check_ops(promised, journal)
            except (*BROKEN, sqlite3.Error) as error:
                return [f"the server does not answer, or its journal cannot be read: {error!r}"]
            finally:
                server.kill()
        lines = [line for line in log.read_text(errors="replace").splitlines() if " error " in line]
        # The server cannot know whether there was more than the file `lock`; here it is known that nothing was promised yet.
        is_nothing_lost = not promised.acknowledged and not faults
        faults += [f"the server logs: {line}" for line in lines if not (is_nothing_lost and "shows that a server wrote" in line)]
        return faults + self._doctor(data) + self._replay(data, chance)

    def _doctor(self, data: Path) -> list[str]:
        done = subprocess.run(
            [self._program, "doctor", "--data", str(data), "--port", "0", "--json"], capture_output=True, text=True, timeout=PATIENCE
        )
        findings = json.loads(done.stdout)["findings"]
        return [f"doctor: {each['text']}" for each in findings if each["check"] in CHECKS and each["level"] != "ok"]

    def _replay(self, data: Path, chance: random.Random) -> list[str]:
        """Replays some rooms; all would take most of the time."""
        faults = []
        rooms = [name for name, room in sorted(read_journal(data).items()) if room.sequences]
        for room in chance.sample(rooms, min(REPLAYED, len(rooms))):
            done = subprocess.run(
                [self._program, "replay", "--data", str(data), "--verify", room], capture_output=True, text=True, timeout=PATIENCE
            )
            if done.returncode:
                faults.append(f"replay of {room}: {done.stderr.strip()}")
        return faults
