"""The client's side of the protocol without I/O: bytes in, events and bytes out (SPEC sections 3 and 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import DecodeError, IgnorableMessage, MirrorError
from .messages import (
    Ack,
    DeviceGrant,
    DeviceRequest,
    Diagnostics,
    ErrorMessage,
    Frame,
    Hello,
    Message,
    Ops,
    Presence,
    Result,
    Resume,
    Resync,
    Snapshot,
    Welcome,
    decode,
    decode_json,
    encode,
)
from .mirror import Mirror
from .ops import Op

SUBPROTOCOLS = {"bin": "scenesync.v1.bin", "json": "scenesync.v1.json"}


# The bit of `Hello.capabilities` for devices.
DEVICES = 1 << 9


@dataclass
class Updated:
    """The mirror moved on: a snapshot is complete, or a tick is."""

    mirror: Mirror


Event = Welcome | Updated | Result | Presence | Diagnostics | ErrorMessage | Message


class ClientSession:
    """One client, over all its connections. The owner of the socket sends what `take_outgoing` returns."""

    def __init__(
        self,
        role: str = "viewer",
        room: str = "",
        token: str = "",
        format: str = "bin",
        capabilities: int = 0,
        device: DeviceRequest | None = None,
    ) -> None:
        self.format = format
        self.mirror = Mirror()
        self.welcome: Welcome | None = None
        self.is_welcomed = False
        self._hello = Hello(capabilities=capabilities, token=token, room=room, role=role)
        if device is not None:
            self._hello.capabilities |= DEVICES
            self._hello.device = device
        self._next_sequence = 1
        self._unanswered: dict[int, Ops] = {}
        self._outgoing: list[bytes | str] = []
        self._frames = 0
        self._frames_per_ack = 1

    @property
    def subprotocol(self) -> str:
        return SUBPROTOCOLS[self.format]

    def take_outgoing(self) -> list[bytes | str]:
        """The WebSocket messages to send, in order."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def send(self, message: Message) -> None:
        self._outgoing.append(encode(message, True) if self.format == "bin" else message.to_text())

    def connected(self) -> None:
        """Begins a connection: says hello, with what it takes to go on where the last one ended."""
        self.is_welcomed = False
        self._frames = 0
        self._outgoing.clear()
        if self.welcome:
            self._hello.resume = Resume(
                self.welcome.session, self.welcome.resume_token, self.mirror.epoch, self.mirror.tick
            )
        self.send(self._hello)

    def change_device(self, device: DeviceRequest) -> None:
        """Asks for another device, now and after every cut; needs the capability `devices`, bit 9."""
        self._hello.capabilities |= DEVICES
        self._hello.device = device
        if self.is_welcomed:
            self.send(device)

    def apply(self, ops: list[Op], atomic: bool = False, undo_group: int = 0) -> int:
        """Sends ops as one batch, again after a cut; returns the sequence that the result will carry."""
        sequence = self._next_sequence
        self._next_sequence += 1
        message = Ops(sequence, self.mirror.tick, undo_group, atomic, ops)
        self._unanswered[sequence] = message
        if self.is_welcomed:
            self.send(message)
        return sequence

    def receive(self, data: bytes | str) -> Event | None:
        """Takes a WebSocket message in; raises `DecodeError` for one that cannot be read: close with 4000 then."""
        try:
            message = decode_json(data) if isinstance(data, str) else decode(data)
        except IgnorableMessage:
            return None
        if isinstance(message, Welcome):
            self.welcome = message
            self.is_welcomed = True
            # A quarter of the frames that it may owe (SPEC MSG-7).
            self._frames_per_ack = max(1, message.limits.unacknowledged_frames // 4)
            for ops in self._unanswered.values():
                self.send(ops)
        elif isinstance(message, DeviceGrant):
            # From here on frames are those of the device, in its unit.
            if self.welcome:
                self.welcome.units_per_point = message.units_per_point
                self.welcome.viewport = message.viewport
                self.welcome.scale = message.scale
                self.welcome.cell = message.cell
        elif isinstance(message, Result):
            self._unanswered.pop(message.client_sequence, None)
        else:
            return self._update(message)
        return message

    def _update(self, message: Message) -> Event | None:
        try:
            if not self.mirror.apply(message):
                return message
        except MirrorError as error:
            # What follows until the snapshot does not fit either, and one request is enough.
            if error.code != "no-snapshot":
                self.send(Resync(self.mirror.tick, self.mirror.state_hash))
            return None
        whole = isinstance(message, Snapshot) and not self.mirror.needs_snapshot
        if not whole and not isinstance(message, Frame):
            return None
        self._frames += 1
        if whole or self._frames >= self._frames_per_ack:
            self._frames = 0
            self.send(Ack(self.mirror.tick))
        return Updated(self.mirror)


def is_worth_another_try(code: int | None) -> bool:
    """Whether the same would not happen again at once (SPEC section 11.3)."""
    return code is None or not 4000 <= code < 5000 or code in (4008, 4012, 4029, 4030)


def refusals(result: Result) -> list[Any]:
    """All that was refused of a batch, whether whole or in part."""
    outcome = result.outcome
    return [outcome] if hasattr(outcome, "code") else list(outcome.refusals)


__all__ = ["ClientSession", "DecodeError", "Event", "Updated", "is_worth_another_try", "refusals"]
