"""The dialogues of the vectors with the client's session, without sockets and on a clock of the test's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from driver import Commands, make_session, obey
from scenesync.errors import DecodeError
from scenesync.messages import decode, decode_json, encode
from scenesync.connecting import Abandoned, Connect, Retry
from scenesync.session import Updated

DIALOGUES = json.loads(
    (Path(__file__).parents[3] / "protocol/vectors/v1/dialogues/clients.json").read_text()
)
#: Types that may come between those that are waited for, unless a step says otherwise.
IDLE = ["ack", "ping", "presence"]
PATIENCE = 4000
#: The addresses of the world here; at the last one nobody listens.
ADDRESSES = {
    "first": "ws://127.0.0.1:1001/case", "second": "ws://127.0.0.1:1002/case", "refused": "ws://127.0.0.1:1003/case",
}  # fmt: skip


def filled(value: Any) -> Any:
    """A message with addresses and long texts in place of what stands for them."""
    if isinstance(value, list):
        return [filled(each) for each in value]
    if isinstance(value, dict):
        if "$repeat" in value:
            return value["$repeat"] * value["count"]
        return {key: filled(inner) for key, inner in value.items()}
    return ADDRESSES.get(value[1:], value) if isinstance(value, str) and value.startswith("$") else value


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
        self.session = make_session(format, ADDRESSES["first"])
        self.format = format
        self.now = 0.0
        self.heard: list[dict[str, Any]] = []
        self.commands = Commands(self.session)
        self.closed: int | None = None
        #: Where the client is connected; `None` where it is not.
        self.at: str | None = None
        #: Connections so far, and how many of them the dialogue has come to.
        self.openings, self.noticed = 0, 1
        self.is_mute = False
        self.retry: Retry | None = None
        self.open(self.session.connect(self.now))

    def open(self, url: str) -> None:
        names = [name for name, address in ADDRESSES.items() if address == url]
        assert names, f"it connects to {url}"
        if names == ["refused"]:
            self.retry = self.session.disconnected(None, self.now)
            return
        self.at, self.closed, self.is_mute = names[0], None, False
        self.openings += 1
        self.heard.clear()
        self.session.connected(self.now)
        self.take()

    def take(self) -> None:
        for data in self.session.take_outgoing():
            message = decode(data, True) if isinstance(data, bytes) else decode_json(data, True)
            self.heard.append(message.to_json())
            if message.type_name == "ping" and not self.is_mute:
                self.send({"type": "pong", "t0": message.to_json()["t0"], "t1": 0, "t2": 0})

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
        self.now = max(self.now, due)
        action = self.session.wake(self.now)
        if isinstance(action, Connect):
            self.open(action.url)
        elif isinstance(action, Abandoned):
            self.at, self.retry = None, action.retry
        self.take()
        return True

    def reconnected(self, at: str, low: float, high: float) -> None:
        """Waits until the client is connected again, there and in time."""
        start = self.now
        while self.openings == self.noticed:
            assert self.advance(start + high / 1000), "it did not connect again"
        self.noticed += 1
        assert self.at == at, f"it connected at the {self.at} address"
        assert self.now - start >= low / 1000, f"it connected after {self.now - start} s"

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
            self.send(filled(step["send"]))
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
            self.closed, self.at = step["close"], None
            self.retry = self.session.disconnected(self.closed, self.now)
        elif "mute" in step:
            self.is_mute = step["mute"]
        elif "reconnect" in step:
            bounds = step["reconnect"]
            self.reconnected(bounds.get("at", "first"), bounds["from"], bounds["to"])
        elif "away" in step:
            until = self.now + step["away"] / 1000
            while self.advance(until):
                assert self.at is None, "it connected again"
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
