"""The dialogues of the vectors with the client's session, without sockets and on a clock of the test's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from driver import Commands, make_session, obey
from scenesync.errors import DecodeError
from scenesync.messages import decode, decode_json, encode
from scenesync.session import Updated, delay

DIALOGUES = json.loads(
    (Path(__file__).parents[3] / "protocol/vectors/v1/dialogues/clients.json").read_text()
)
#: Types that may come between those that are waited for, unless a step says otherwise.
IDLE = ["ack", "ping", "presence"]
PATIENCE = 4000


def difference(value: Any, pattern: Any, path: str = "message") -> str | None:
    """Where a message is not as a pattern has it."""
    if isinstance(pattern, dict):
        number = int(value) if not isinstance(value, (dict, list)) else 0
        if "$from" in pattern:
            return None if pattern["$from"] <= number <= pattern["$to"] else f"{path} is {value}"
        if "$with" in pattern:
            return None if number & pattern["$with"] == pattern["$with"] else f"{path} is {value}"
        if "$without" in pattern:
            return None if number & pattern["$without"] == 0 else f"{path} is {value}"
        for key, inner in pattern.items():
            if key not in value:
                return f"{path}.{key} is missing"
            found = difference_of(value[key], inner, f"{path}.{key}")
            if found:
                return found
        return None
    return None if value == pattern else f"{path} is {value}, not {pattern}"


def difference_of(value: Any, pattern: Any, path: str) -> str | None:
    if isinstance(pattern, dict) and not any(key.startswith("$") for key in pattern) and not isinstance(value, dict):
        return f"{path} is {value}"
    return difference(value, pattern, path)


class Player:
    """A client and the world around it."""

    def __init__(self, format: str) -> None:
        self.session = make_session(format)
        self.format = format
        self.now = 0.0
        self.heard: list[dict[str, Any]] = []
        self.commands = Commands(self.session)
        self.closed: int | None = None
        self.attempts = 0
        self.returns = False
        self.open()

    def open(self) -> None:
        self.closed = None
        self.session.connected()
        self.take()

    def take(self) -> None:
        for data in self.session.take_outgoing():
            message = decode(data, True) if isinstance(data, bytes) else decode_json(data, True)
            self.heard.append(message.to_json())

    def deliver(self, data: bytes | str) -> None:
        try:
            event = self.session.receive(data, self.now)
        except DecodeError:
            self.closed = 4000
            return
        self.session.take_event_results()
        if isinstance(event, Updated):
            command = self.commands.take(event.mirror)
            if command is not None:
                obey(self.session, command, self.commands)
        self.take()

    def send(self, message: dict[str, Any]) -> None:
        text = json.dumps(message)
        self.deliver(encode(decode_json(text), False) if self.format == "bin" else text)

    def advance(self, until: float) -> bool:
        """Lets time go on to the next thing that is due; false where there is none until then."""
        due = self.session.wake_at
        if due is None or due > until:
            self.now = until
            return False
        self.now = due
        self.session.wake(self.now)
        self.take()
        return True

    def expect(self, pattern: dict[str, Any], among: list[str], milliseconds: float) -> None:
        until = self.now + milliseconds / 1000
        while True:
            while self.heard:
                message = self.heard.pop(0)
                found = difference(message, pattern)
                if not found:
                    return
                assert message["type"] in among, f"{found}: {message}"
            assert self.closed is None, f"it closed instead of {pattern}"
            assert self.advance(until), f"nothing came that is {pattern}"

    def silence(self, types: list[str], milliseconds: float) -> None:
        until = self.now + milliseconds / 1000
        while self.advance(until):
            pass
        assert not [message for message in self.heard if message["type"] in types]
        self.heard.clear()

    def run(self, step: dict[str, Any]) -> None:
        if "send" in step:
            self.send(step["send"])
        elif "expect" in step:
            type = step["expect"]["type"]
            among = step.get("among", [name for name in IDLE if name != type])
            self.expect(step["expect"], among, step.get("within", PATIENCE))
        elif "may" in step:
            until = self.now + step["for"] / 1000
            while self.advance(until):
                pass
            if any(not difference(message, step["may"]) for message in self.heard):
                self.send(step["answer"])
            self.heard.clear()
        elif "silence" in step:
            self.silence(step["silence"], step["for"])
        elif "wrongKind" in step:
            pong = '{"type": "pong", "t0": 0, "t1": 0, "t2": 0}'
            self.deliver(pong if self.format == "bin" else encode(decode_json(pong), False))
        elif "closed" in step:
            assert self.closed in step["closed"]
        elif "close" in step:
            self.closed = step["close"]
            self.returns = self.session.disconnected(self.closed)
        elif "reconnect" in step:
            assert self.returns
            self.heard.clear()
            wait = delay(self.attempts + 1, self.session.retry_after)
            assert step["reconnect"]["from"] <= wait * 1000 <= step["reconnect"]["to"]
            self.now += wait
            self.open()
        elif "away" in step:
            assert not self.returns
        else:
            raise AssertionError(f"an unknown step: {step}")


@pytest.mark.parametrize("format", ["bin", "json"])
@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue["id"])
def test_dialogue(dialogue: dict[str, Any], format: str) -> None:
    player = Player(format)
    for number, step in enumerate(dialogue["steps"], 1):
        try:
            player.run(step)
        except AssertionError as error:
            raise AssertionError(f"step {number}: {error}") from error
