"""Reads streams of NATS JetStream over a socket, with nothing of the server's code: enough for the checker of histories."""

from __future__ import annotations

import base64
import json
import secrets
import socket
import ssl
import threading
import time
from pathlib import Path
from typing import Any

#: A fault, and nothing else, takes longer than so many seconds.
PATIENCE = 30
#: JetStream's number for "no message found".
NO_MESSAGE = 10037
#: How many messages are asked for at a time.
BATCH = 256


class Unanswered(Exception):
    """No server answers."""


class JetStream:
    """A connection that asks one question after another, at any server of a list that answers."""

    def __init__(self, places: list[tuple[str, int]], ca: Path | None = None, user: tuple[str, str] | None = None) -> None:
        """The servers by address and port; with a CA's certificates and a user where they want TLS and one."""
        self._places = places
        self._ca = ca
        self._user = {"user": user[0], "pass": user[1]} if user else {}
        self._socket: socket.socket | None = None
        self._bytes = b""
        self._inbox = ""
        self._count = 0

    def close(self) -> None:
        if self._socket:
            self._socket.close()
        self._socket = None

    def _connect(self) -> None:
        for place in self._places:
            try:
                self._open(place)
                return
            except OSError:
                self.close()
        raise Unanswered("no NATS server takes a connection")

    def _open(self, place: tuple[str, int]) -> None:
        self._socket = socket.create_connection(place, timeout=2)
        self._bytes = b""
        self._inbox = f"_INBOX.{secrets.token_hex(8)}"
        if self._ca:
            # The server says who it is in the open, and speaks TLS then.
            self._line()
            self._socket = ssl.create_default_context(cafile=str(self._ca)).wrap_socket(self._socket, server_hostname=place[0])
        options = json.dumps({"verbose": False, "headers": True, "no_responders": True, **self._user})
        self._socket.sendall(f"CONNECT {options}\r\nSUB {self._inbox}.* 1\r\n".encode())

    def _line(self) -> bytes:
        assert self._socket
        while b"\r\n" not in self._bytes:
            self._fill()
        line, self._bytes = self._bytes.split(b"\r\n", 1)
        return line

    def _fill(self) -> None:
        assert self._socket
        data = self._socket.recv(1 << 16)
        if not data:
            raise OSError("the server ended the connection")
        self._bytes += data

    def _take(self, count: int) -> bytes:
        while len(self._bytes) < count + 2:
            self._fill()
        data, self._bytes = self._bytes[:count], self._bytes[count + 2 :]
        return data

    def _ask_once(self, subject: str, question: dict[str, Any]) -> dict[str, Any]:
        inbox = self._send(subject, question)
        while True:
            header, body = self._answer(inbox)
            if header:
                raise OSError("no server leads the stream")
            return json.loads(body)

    def _send(self, subject: str, question: dict[str, Any] | bytes) -> str:
        if self._socket is None:
            self._connect()
        assert self._socket
        self._count += 1
        inbox = f"{self._inbox}.{self._count}"
        data = question if isinstance(question, bytes) else json.dumps(question).encode()
        self._socket.sendall(f"PUB {subject} {inbox} {len(data)}\r\n".encode() + data + b"\r\n")
        return inbox

    def _answer(self, inbox: str) -> tuple[str, bytes]:
        """The header and the body of the next answer to a question."""
        while True:
            words = self._line().decode().split()
            match words[0] if words else "":
                case "PING":
                    assert self._socket
                    self._socket.sendall(b"PONG\r\n")
                case "MSG":
                    body = self._take(int(words[-1]))
                    if words[1] == inbox:
                        return "", body
                case "HMSG":
                    length = int(words[-2])
                    data = self._take(int(words[-1]))
                    if words[1] == inbox:
                        return data[:length].decode(), data[length:]
                case "-ERR":
                    raise OSError(" ".join(words))

    def batch(self, stream: str, sequence: int, subject: str) -> list[tuple[str, int, bytes]]:
        """Messages from a sequence number on that some replica has, which may lag: subject, sequence number and bytes of each."""
        found: list[tuple[str, int, bytes]] = []
        try:
            inbox = self._send(f"$JS.API.DIRECT.GET.{stream}", {"seq": sequence, "next_by_subj": subject, "batch": BATCH})
            while True:
                header, body = self._answer(inbox)
                status, *lines = header.split("\r\n")
                if status != "NATS/1.0":
                    # The batch ends, there is none, or nobody answers.
                    return found
                fields = dict(line.split(": ", 1) for line in lines if ": " in line)
                found.append((fields["Nats-Subject"], int(fields["Nats-Sequence"]), body))
        except OSError:
            self.close()
            return found

    def publish(self, subject: str, data: bytes) -> int:
        """Has a stream keep a message, whatever it keeps already; returns its sequence number."""
        inbox = self._send(subject, data)
        header, body = self._answer(inbox)
        answer = json.loads(body)
        if header or "error" in answer:
            raise Unanswered(f"{subject}: {header or answer}")
        return answer["seq"]

    def leader(self, stream: str) -> str:
        """The name of the server that leads a stream; empty during an election, and while a replica is not what the leader is."""
        cluster = self.ask(f"$JS.API.STREAM.INFO.{stream}", {}).get("cluster", {})
        is_whole = all(replica.get("current") and not replica.get("offline") for replica in cluster.get("replicas", []))
        return cluster.get("leader", "") if is_whole else ""

    def ask(self, subject: str, question: dict[str, Any]) -> dict[str, Any]:
        """Asks until a server answers, also over an election."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self._ask_once(subject, question)
            except OSError as error:
                self.close()
                if time.monotonic() > end:
                    raise Unanswered(f"{subject}: {error}") from error
                time.sleep(0.05)
            except Unanswered:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def message(self, stream: str, question: dict[str, Any]) -> tuple[str, int, bytes] | None:
        """A message by the stream's leader: its subject, sequence number and bytes; None where there is none."""
        answer = self.ask(f"$JS.API.STREAM.MSG.GET.{stream}", question)
        if "error" in answer:
            if answer["error"].get("err_code") == NO_MESSAGE:
                return None
            raise Unanswered(str(answer["error"]))
        found = answer["message"]
        return found["subject"], found["seq"], base64.b64decode(found.get("data", ""))


class StreamRecorder:
    """Copies the messages of a cluster's journals while it runs: what is purged later is in the copy."""

    def __init__(self, connection: JetStream, prefix: str = "ss") -> None:
        self._connection = connection
        self._prefix = prefix
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
        self._thread.join(2 * PATIENCE)
        assert not self._thread.is_alive(), "the recorder hangs"
        self._copy()
        self._connection.close()

    def history(self) -> list[dict[str, Any]]:
        """The journals as lines of a history."""
        lines: list[dict[str, Any]] = []
        for subject, messages in sorted(self.messages.items()):
            lines.append({
                "type": "journal", "subject": subject, "shard": int(subject.rsplit(".", 1)[1]),
                "cluster": str(int(self.description["cluster"], 16)), "entries": "scene",
            })  # fmt: skip
            lines += [
                {"type": "record", "subject": subject, "sequence": sequence, "bytes": data.hex()} for sequence, data in messages
            ]
        return lines
