"""Reads streams of NATS JetStream over a socket, with nothing of the server's code: enough for the checker of histories."""

from __future__ import annotations

import base64
import json
import secrets
import socket
import ssl
import time
from collections.abc import Callable
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

    def listen(self, subject: str, hear: Callable[[bytes], None]) -> None:
        """Hears what is published on a subject, until the connection ends."""
        self._connect()
        assert self._socket
        # Silence may last as long as it likes.
        self._socket.settimeout(None)
        self._socket.sendall(f"SUB {subject} 2\r\n".encode())
        while True:
            words = self._line().decode().split()
            match words[0] if words else "":
                case "PING":
                    self._socket.sendall(b"PONG\r\n")
                case "MSG":
                    hear(self._take(int(words[-1])))
                case "HMSG":
                    hear(self._take(int(words[-1]))[int(words[-2]) :])
                case "-ERR":
                    raise OSError(" ".join(words))

    def batch(self, stream: str, sequence: int, subject: str) -> list[tuple[str, int, bytes]]:
        """Messages from a sequence number on that some replica has, which may lag: subject, sequence number and bytes of each. They end
        before the first that was lost on its way, as where a link between two servers is cut: each names the one before it."""
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
                if int(fields["Nats-Last-Sequence"]) != (found[-1][1] if found else 0):
                    return found
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

    def hears(self, other: JetStream) -> bool:
        """Whether a message comes here that another connection sends, which may be one to another server."""
        try:
            if self._socket is None:
                self._connect()
            self._count += 1
            inbox = f"{self._inbox}.{self._count}"
            if other._socket is None:
                other._connect()
            assert other._socket
            other._socket.sendall(f"PUB {inbox} 0\r\n\r\n".encode())
            self._answer(inbox)
            return True
        except (OSError, Unanswered):
            self.close()
            other.close()
            return False

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
