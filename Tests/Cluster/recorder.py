"""Copies the journals of a cluster while it runs, with nothing of the server's code."""

from __future__ import annotations

import json
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

from jetstream import BATCH, PATIENCE, JetStream, Unanswered

#: Where a journal's record has its number and its predecessor's checksum, and how long its own is, at its end (see journal.py).
NUMBER, NUMBER_OFFSET, CHECKSUM = struct.Struct("<Q16s"), 34, 16


def filled(messages: list[tuple[int, bytes]], heard: dict[bytes, bytes]) -> list[tuple[int, bytes]]:
    """A journal's messages with those that were purged before they were copied, as far as they were heard by their checksums."""
    result: list[tuple[int, bytes]] = []
    number, checksum = 0, bytes(CHECKSUM)
    for sequence, data in messages:
        present, previous = NUMBER.unpack_from(data, NUMBER_OFFSET) if len(data) >= NUMBER_OFFSET + NUMBER.size else (0, b"")
        if present > number + 1:
            missing: list[bytes] = []
            while len(missing) < present - number - 1 and previous in heard:
                missing.append(heard[previous])
                previous = NUMBER.unpack_from(missing[-1], NUMBER_OFFSET)[1]
            # Otherwise the gap stays, and the checker finds it.
            if previous == checksum:
                result += [(sequence - place, before) for place, before in reversed(list(enumerate(missing, 1)))]
        result.append((sequence, data))
        if present > number:
            number, checksum = present, data[-CHECKSUM:]
    return result


class Tap(threading.Thread):
    """Hears what is published on subjects at one server, whether it is kept or not, and begins again where that ends."""

    def __init__(self, connection: JetStream, subject: str, hear: Callable[[bytes], None]) -> None:
        super().__init__(daemon=True)
        self._connection, self._subject, self._hear = connection, subject, hear
        self.is_stopping = False
        self.start()

    def run(self) -> None:
        while not self.is_stopping:
            try:
                self._connection.listen(self._subject, self._hear)
            except (OSError, Unanswered):
                self._connection.close()
                time.sleep(0.05)


class StreamRecorder:
    """Copies the messages of a cluster's journals while it runs: what is purged later is in the copy.

    A journal's beginning may be purged before it was copied, for snapshots hold it. Then the records come from what was heard when they
    were published: each names its predecessor by the checksum of all its bytes, so that those before a record of the journal are known.
    """

    def __init__(self, connection: JetStream, prefix: str = "ss", taps: list[JetStream] | None = None) -> None:
        """`taps` are connections to single servers, at each of which publishes are heard."""
        self._connection = connection
        self._prefix = prefix
        #: Records by checksum, as they were published.
        self._heard: dict[bytes, bytes] = {}
        self._taps = [Tap(tap, f"{prefix}.j.>", self._hear) for tap in taps or []]
        self._next = [1, 1, 1]
        #: How long it waits once it has found all that is there, in seconds.
        self.pause = 0.25
        #: By subject: sequence numbers and bytes in the stream's order.
        self.messages: dict[str, list[tuple[int, bytes]]] = {}
        self._stopping = threading.Event()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        found = self._connection.message(f"{prefix}-metadata", {"last_by_subj": f"{prefix}.m.cluster"})
        assert found, "the cluster was not created"
        self.description = json.loads(found[2])
        self._thread.start()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                if not self._copy_batches():
                    self._stopping.wait(self.pause)
            except Unanswered as error:
                self._failure = error

    def _copy_batches(self) -> int:
        """Copies what some replica has, which costs the servers little; what is there at the end, their leader says."""
        count = 0
        for number in range(3):
            found = self._connection.batch(
                f"{self._prefix}-journal-{number}", self._next[number], f"{self._prefix}.j.{number}.>"
            )
            count += sum(self._note(number, *message) for message in found) == BATCH
        return count

    def _note(self, number: int, subject: str, sequence: int, data: bytes) -> bool:
        # One that was replaced may answer from the past.
        if sequence < self._next[number]:
            return False
        self.messages.setdefault(subject, []).append((sequence, data))
        self._next[number] = sequence + 1
        return True

    def _copy(self) -> None:
        for number in range(3):
            while True:
                found = self._connection.message(
                    f"{self._prefix}-journal-{number}", {"seq": self._next[number], "next_by_subj": f"{self._prefix}.j.{number}.>"}
                )
                if found is None:
                    break
                self._note(number, *found)

    def finish(self) -> None:
        """Stops, and copies what is there at the end."""
        self._stopping.set()
        for tap in self._taps:
            tap.is_stopping = True
        self._thread.join(2 * PATIENCE)
        assert not self._thread.is_alive(), "the recorder hangs"
        self._copy()
        self._connection.close()

    def _hear(self, data: bytes) -> None:
        self._heard[data[-CHECKSUM:]] = data

    def history(self) -> list[dict[str, Any]]:
        """The journals as lines of a history."""
        lines: list[dict[str, Any]] = []
        for subject, messages in sorted(self.messages.items()):
            messages = filled(messages, self._heard)
            lines.append({
                "type": "journal", "subject": subject, "shard": int(subject.rsplit(".", 1)[1]),
                "cluster": str(int(self.description["cluster"], 16)), "entries": "scene",
            })  # fmt: skip
            lines += [
                {"type": "record", "subject": subject, "sequence": sequence, "bytes": data.hex()} for sequence, data in messages
            ]
        return lines
