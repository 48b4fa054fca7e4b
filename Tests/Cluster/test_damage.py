"""A journal that holds what no owner wrote, or lacks what was acknowledged: its shard stops, says where, and nothing else does."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, Cluster, all_are_at_work, finish, journal_of, program, shard_of  # noqa: E402
from jetstream import JetStream  # noqa: E402
from journal import GROUP, HEADER, read_record  # noqa: E402
from writers import Writers  # noqa: E402

SHARDS = 8


def rooms(count: int) -> list[str]:
    """Rooms of as many shards."""
    found: dict[int, str] = {}
    number = 0
    while len(found) < count:
        found.setdefault(shard_of(f"r{number}", SHARDS), f"r{number}")
        number += 1
    return list(found.values())


def sealed(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()[:16]


class Journal:
    """A shard's journal, as somebody with the right to publish sees it."""

    def __init__(self, engine: JetStream, room: str) -> None:
        self.engine = engine
        self.shard = shard_of(room, SHARDS)
        self.stream, self.subject = journal_of(room, SHARDS)

    def last(self) -> tuple[int, bytes]:
        found = self.engine.message(self.stream, {"last_by_subj": self.subject})
        assert found
        return found[1], found[2]

    def foreign(self) -> list[int]:
        return [self.engine.publish(self.subject, b"hello")]

    def damaged(self) -> list[int]:
        data = bytearray(self.last()[1])
        data[60] ^= 1
        return [self.engine.publish(self.subject, bytes(data))]

    def later_version(self) -> list[int]:
        data = self.last()[1]
        return [self.engine.publish(self.subject, sealed(data[:4] + b"\x02" + data[5:-16]))]

    def misfit(self) -> list[int]:
        """Records with the next numbers whose predecessors are not there. The owner writes meanwhile, so one of some has the number
        that is next when it is kept."""
        record = read_record(self.last()[1])
        found = []
        for number in range(record.number + 1, record.number + 6):
            fields = (b"SSCR", 1, GROUP, record.shard, record.cluster, record.epoch, *record.author, number, bytes(16))
            found.append(self.engine.publish(self.subject, sealed(HEADER.pack(*fields) + bytes(4))))
        return found

    def forget(self) -> int:
        sequence, _ = self.last()
        answer = self.engine.ask(f"$JS.API.STREAM.MSG.DELETE.{self.stream}", {"seq": sequence})
        assert answer.get("success"), answer
        return sequence


def said(cluster: Cluster, journal: Journal, end: float) -> str:
    """What some node says of a shard that stops."""
    pattern = re.compile(rf"shard {journal.shard} is stopped: .*")
    while True:
        for node in cluster.nodes:
            if found := pattern.search(node.log()):
                return found[0]
        assert time.monotonic() < end, f"nobody says that shard {journal.shard} is stopped"
        time.sleep(0.05)


def test_a_shard_with_a_wrong_record_stops_and_is_mended_and_the_others_go_on():
    names = rooms(6)
    with Cluster(shards=SHARDS) as cluster, Writers(names, cluster.addresses, each=1) as writers:
        assert writers.waits(all_are_at_work, PATIENCE), [list(writer.ends)[-3:] for writer in writers.all]
        engine = cluster.connection()
        journals = [Journal(engine, name) for name in names]
        harmed = {
            "foreign": (journals[0], journals[0].foreign(), "begins with"),
            "damaged": (journals[1], journals[1].damaged(), "checksum"),
            "later": (journals[2], journals[2].later_version(), "version 2, expected 1"),
            "misfit": (journals[3], journals[3].misfit(), "the record's predecessor is not in the journal"),
        }
        for journal, sequences, words in harmed.values():
            text = said(cluster, journal, time.monotonic() + PATIENCE)
            assert any(f"{journal.subject} at sequence {sequence}: " in text for sequence in sequences), text
            assert re.search(words, text), text
        stopped = sum(node.metric('scenesync_shards{state="stopped"}') for node in cluster.nodes)
        assert stopped >= 4
        # The other shards go on.
        well = writers.all[4:]
        before = [len(writer.acknowledged) for writer in well]
        assert writers.waits(
            lambda _: all(len(writer.acknowledged) > count + 20 for writer, count in zip(well, before)), PATIENCE
        )
        # Nothing of those that stopped was acknowledged behind the wrong record: they hold what they held, once it is gone.
        for journal, sequences, _ in harmed.values():
            for sequence in sequences:
                answer = engine.ask(f"$JS.API.STREAM.MSG.DELETE.{journal.stream}", {"seq": sequence})
                assert answer.get("success"), answer
        for node in cluster.nodes:
            node.kill(15)
        for node in cluster.nodes:
            node.begin()
        for node in cluster.nodes:
            node.wait()
        cluster.wait_for_owners(SHARDS)
        counts = [len(writer.acknowledged) for writer in writers.all]
        assert writers.waits(
            lambda every: all_are_at_work(every) and all(len(w.acknowledged) > count + 20 for w, count in zip(every, counts)), PATIENCE
        ), [list(writer.ends)[-2:] for writer in writers.all]
        removed = {(journal.subject, sequence) for journal, sequences, _ in harmed.values() for sequence in sequences}
        for subject, messages in cluster.recorder.messages.items():
            messages[:] = [message for message in messages if (subject, message[0]) not in removed]
        assert finish(cluster, writers) == []


def test_an_engine_that_forgets_what_it_acknowledged_is_noticed():
    with Cluster(shards=SHARDS) as cluster, Writers(["r0"], cluster.addresses, each=1) as writers:
        assert writers.waits(all_are_at_work, PATIENCE)
        journal = Journal(cluster.connection(), "r0")
        sequence = journal.forget()
        # The leader is asked for half a minute, for one that was replaced may answer from the past; a reader that begins again asks as
        # long again.
        text = said(cluster, journal, time.monotonic() + 4 * PATIENCE)
        assert journal.subject in text and int(re.findall(r"sequence (\d+)", text)[0]) >= sequence, text
        assert "the engine" in text or "records are missing" in text, text
        shown = subprocess.run(
            [program(), "cluster", "status", cluster.servers.address], capture_output=True, text=True, timeout=PATIENCE
        )
        assert shown.returncode in (0, 1), shown.stderr
        for writer in writers.all:
            writer.is_stopping = True
