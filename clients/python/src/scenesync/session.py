"""The client's side of the protocol without I/O: bytes in, events and bytes out (SPEC sections 3 and 9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .connecting import UNAUTHENTICATED, Abandoned, Connect, Connector, Patience, Retry, is_worth_another_try
from .errors import DecodeError, IgnorableMessage, MirrorError
from .events import EVENTS, EventLedger, ReceivedEvent
from .messages import (
    Ack,
    Anim,
    Annotations,
    ContentMessage,
    DeliveredEvent,
    DeviceGrant,
    DeviceRequest,
    Diagnostics,
    ErrorMessage,
    EventResults,
    FollowRequest,
    Frame,
    HandledEvents,
    HandleRequest,
    Hello,
    Inspect,
    Inspection,
    Interactions,
    Keyframe,
    Message,
    Ops,
    Ping,
    Pong,
    Presence,
    Records,
    Redo,
    Result,
    Resume,
    Resync,
    Seek,
    Select,
    SentEvent,
    Snapshot,
    StateHash,
    Subscribe,
    TraceRequest,
    Tree,
    Undo,
    Welcome,
    decode,
    decode_json,
    encode,
)
from .mirror import Mirror
from .ops import Op
from .values import EventResult, Interaction

STATE = (Snapshot, Frame, Select, Tree, ContentMessage, Anim, Keyframe, StateHash)
SUBPROTOCOLS = {"bin": "scenesync.v1.bin", "json": "scenesync.v1.json"}


#: The bit of the capabilities for annotations.
ANNOTATIONS = 1 << 13
#: The bit of the capabilities for suggestions, beside that for annotations.
SUGGESTIONS = 1 << 15
# The bit of `Hello.capabilities` for devices.
DEVICES = 1 << 9


@dataclass
class Updated:
    """The mirror moved on: a snapshot is complete, or a tick is."""

    mirror: Mirror


Event = Welcome | Updated | Result | Presence | Diagnostics | ErrorMessage | ReceivedEvent | Message


#: Bit 7 of the capabilities: a merged frame in place of the snapshot after coming back.
MERGED_RESUME = 1 << 7
#: The capabilities of messages that a client may send only where they were granted.
NEEDED: dict[type[Message], int] = {
    Undo: 1 << 2, Redo: 1 << 2, Subscribe: 1 << 3, Seek: 1 << 4, TraceRequest: 1 << 5, Inspect: 1 << 8,
    FollowRequest: 1 << 14, DeviceRequest: DEVICES, SentEvent: EVENTS, HandleRequest: EVENTS, HandledEvents: EVENTS,
}  # fmt: skip
#: The capability that questions about sizes need besides.
FITTING = 1 << 11
#: Seconds after which a frame is acknowledged even if no others follow (SPEC MSG-15).
ACKNOWLEDGEMENT_SECONDS = 0.9
#: The number of members whose presence is put in order; of more, the one silent for longest is forgotten.
CLOCKS = 4096


#: The close code of states that differed again and again.
HASH_MISMATCH = 4012


class NotGranted(Exception):
    """The server did not grant the capability that a message needs."""


class ClientSession:
    """One client, over all its connections. The owner of the socket connects where `connect` and `wake` say, sends what
    `take_outgoing` returns, calls `wake` at `wake_at`, and tells the time in seconds of a clock that only goes forward."""

    def __init__(
        self,
        role: str = "viewer",
        room: str = "",
        token: str = "",
        format: str = "bin",
        capabilities: int = 0,
        roots: list[str] | None = None,
        frame_rate_maximum: int = 0,
        device: DeviceRequest | None = None,
        urls: Sequence[str] = (),
        reconnects: bool = True,
        patience: Patience | None = None,
    ) -> None:
        self.format = format
        self.mirror = Mirror()
        self.welcome: Welcome | None = None
        self.is_welcomed = False
        self.connector = Connector(urls, patience or Patience(), reconnects)
        self.patience = patience or Patience()
        self._acknowledges_at: float | None = None
        #: The stamp of the session's own ping that has no answer.
        self._open_ping: int | None = None
        self._hello = Hello(capabilities=capabilities, token=token, room=room, role=role, roots=roots or [],
                            frame_rate_maximum=frame_rate_maximum)  # fmt: skip
        self._capabilities = capabilities
        if device is not None:
            self._capabilities |= DEVICES
            self._hello.device = device
        self._next_sequence = 1
        self._unanswered: dict[int, Ops | Undo | Redo] = {}
        #: The last of them that was sent on any connection.
        self._last_sent = 0
        #: Whether a part of a snapshot had come before the last message about state.
        self._was_loading = False
        self._given_up: list[int] = []
        self._outgoing: list[bytes | str] = []
        self._events = EventLedger()
        #: What people say about the scene, by kind (`thread`, `comment`, `lock`, `version`) and id; needs capability 13.
        self.annotations: dict[tuple[str, str], Any] = {}
        #: The last clock of each member's presence on this connection.
        self._clocks: dict[int, int] = {}
        #: The chunks of an inspection that is not complete.
        self._inspection: list[Inspection] = []
        self._records: list[Records] = []
        self._event_results: list[EventResult] = []
        self._frames = 0
        self._frames_per_ack = 1
        self._is_lost = False
        self._begins_anew = False
        #: Whether a server refused the token since the last welcome.
        self._was_unauthenticated = False
        #: Whether no server has seen the token yet.
        self._token_is_new = True

    @property
    def token(self) -> str:
        """The token of the next `hello`, or of the present connection."""
        return self._hello.token

    @property
    def subprotocol(self) -> str:
        return SUBPROTOCOLS[self.format]

    @property
    def urls(self) -> list[str]:
        """The addresses known at present: the user's, then those that the last welcome named."""
        return self.connector.urls

    @property
    def wake_at(self) -> float | None:
        """When `wake` has something to do; `None` for never."""
        times = [time for time in (self._acknowledges_at, self.connector.due) if time is not None]
        return min(times, default=None)

    @property
    def granted(self) -> int:
        """The capabilities that hold for the present connection."""
        return self.welcome.capabilities if self.welcome and self.is_welcomed else 0

    def take_outgoing(self) -> list[bytes | str]:
        """The WebSocket messages to send, in order."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def send(self, message: Message) -> None:
        """Sends a message that gets no result; raises `NotGranted` where the server would refuse it (SPEC CONN-20)."""
        needed = NEEDED.get(type(message), 0)
        if isinstance(message, Inspect) and message.fittings is not None:
            needed |= FITTING
        if self.granted & needed != needed:
            raise NotGranted(f"{type(message).__name__} needs capability {needed}; ask for it in `capabilities`")
        if isinstance(message, Seek) and not message.live:
            # The mirror may show the past from now on.
            self._begins_anew = True
        self._send(message)

    def _send(self, message: Message) -> None:
        self._outgoing.append(encode(message, True) if self.format == "bin" else message.to_text())

    def connect(self, now: float) -> str:
        """Begins the first connection; returns where to."""
        return self.connector.connect(now)

    def connected(self, now: float) -> None:
        """Begins a connection that is open: says hello, with what it takes to go on where the last one ended."""
        self.connector.opened(now)
        self.is_welcomed = False
        self._acknowledges_at = self._open_ping = None
        self._is_lost = False
        self._frames = 0
        self._outgoing.clear()
        if self._begins_anew:
            # What there is is of no use to this connection (SPEC CONN-32).
            self._begins_anew = False
            self.mirror = Mirror()
        hello = self._hello
        hello.capabilities = self._capabilities
        if self.welcome:
            if self.mirror.needs_snapshot or self.mirror.is_within_tick:
                # No tick names what there is (SPEC CONN-32).
                hello.capabilities &= ~MERGED_RESUME
            hello.resume = Resume(
                self.welcome.session, self.welcome.resume_token, self.mirror.epoch, self.mirror.tick
            )
        self._token_is_new = False
        self._send(hello)

    def set_token(self, token: str) -> None:
        """Uses another token: at once on an open connection (SPEC CONN-9), and for later ones. The present token does nothing."""
        if token == self._hello.token:
            return
        self._hello.token = token
        self._token_is_new = not self.is_welcomed
        if self.is_welcomed:
            self._send(Hello(token=token))

    def may_use_another_token(self, code: int | None) -> bool:
        """Whether a connection that has ended with this code allows one more attempt with another token: after 4001, once until a
        server welcomes the client. `set_token` and then `disconnected` follow."""
        self._pause()
        return code == UNAUTHENTICATED and not self._was_unauthenticated

    def disconnected(self, code: int | None, now: float) -> Retry | None:
        """Ends a connection, or an attempt at one; says when `wake` begins the next one, `None` for never.

        After 4001 there is a next one if the owner called `set_token` with another token since the last `hello`.
        """
        self._pause()
        if code == UNAUTHENTICATED:
            comes_back = self._token_is_new and not self._was_unauthenticated
            self._was_unauthenticated = True
            if comes_back:
                # The end was the old token's, like one of the network.
                return self.connector.ended(None, now)
        if code == HASH_MISMATCH:
            self._begins_anew = True
        return self.connector.ended(code, now)

    def _pause(self) -> None:
        self.is_welcomed = False
        self._acknowledges_at = None

    def end(self) -> None:
        """The client is to end: the present connection's end is the last."""
        self.connector.is_ending = True

    def heard(self, now: float) -> None:
        """Bytes came, perhaps of a message that is not complete yet: the server is not silent."""
        self.connector.heard(now)

    def change_device(self, device: DeviceRequest) -> None:
        """Asks for another device, now where the server granted the capability `devices`, bit 9, and after every cut."""
        self._capabilities |= DEVICES
        self._hello.device = device
        if self.granted & DEVICES:
            self._send(device)

    def apply(self, ops: Sequence[Op], atomic: bool = False, undo_group: int = 0) -> int:
        """Sends ops as one batch, again after a cut; returns the sequence that the result will carry."""
        return self._request(lambda sequence: Ops(sequence, self.mirror.tick, undo_group, atomic, list(ops)))

    def undo(self) -> int:
        """Takes the client's last step back; returns the sequence that the result will carry."""
        return self._step(Undo)

    def redo(self) -> int:
        """Does the step again that was taken back last."""
        return self._step(Redo)

    def _step(self, kind: type[Undo] | type[Redo]) -> int:
        if self.is_welcomed and self.granted & NEEDED[kind] == 0:
            raise NotGranted(f"{kind.__name__} needs capability {NEEDED[kind]}; ask for it in `capabilities`")
        return self._request(kind)

    # --- Annotations (SPEC section 19) -----------------------------------------------------------------------------

    def _take_annotations(self, message: Annotations) -> None:
        if message.whole:
            self.annotations.clear()
        for change in message.changes:
            if change.value is None:
                self.annotations.pop((change.kind, change.id), None)
            else:
                self.annotations[change.kind, change.id] = change.value

    # --- Events (SPEC section 18) ----------------------------------------------------------------------------------

    @property
    def interactions(self) -> dict[str, Interaction]:
        """What people can do with views, by id."""
        return self._events.interactions

    def send_event(self, event: SentEvent) -> int | None:
        """Sends a user's action, again after a cut; returns the sequence that its result carries, `None` where 256 wait for
        theirs."""
        exchanges = bool(self.granted & EVENTS)
        numbered = self._events.send(event, exchanges)
        if numbered is None:
            return None
        if exchanges:
            self._send(numbered)
        return numbered.event_sequence

    def handle(self, roots: list[str]) -> None:
        """Handles the events of some subtrees, now and after every cut; an editor's right."""
        request = self._events.handle(roots)
        if self.granted & EVENTS:
            self._send(request)

    def answer(self, event: ReceivedEvent, is_handled: bool = True) -> None:
        """Says what became of an event that the client handles; the second answer to one says nothing."""
        message = self._events.answer(event, is_handled)
        if message and self.granted & EVENTS:
            self._send(message)

    def take_event_results(self) -> list[EventResult]:
        """What became of the client's events since the last call."""
        results, self._event_results = self._event_results, []
        return results

    def _request(self, make: Callable[[int], Ops | Undo | Redo]) -> int:
        sequence = self._next_sequence
        self._next_sequence += 1
        self._unanswered[sequence] = make(sequence)
        if self.is_welcomed:
            self._send_requests(self._last_sent)
        return sequence

    def _send_requests(self, last: int) -> None:
        """Sends the requests behind a sequence, in their order.

        What was sent before and is not granted now waits, with everything behind it: a later one would overtake it. What was never
        sent and is not granted is given up (SPEC CONN-24).
        """
        for sequence, message in list(self._unanswered.items()):
            needed = NEEDED.get(type(message), 0)
            if self.granted & needed != needed:
                if sequence <= self._last_sent:
                    return
                del self._unanswered[sequence]
                self._given_up.append(sequence)
                continue
            if sequence > last:
                self._send(message)
            self._last_sent = max(self._last_sent, sequence)

    def take_given_up(self) -> list[int]:
        """The sequences of `undo` and `redo` that the server does not take, since the last call: they were not sent."""
        given_up, self._given_up = self._given_up, []
        return given_up

    def receive(self, data: bytes | str, now: float = 0.0) -> Event | None:
        """Takes a WebSocket message in; raises `DecodeError` for one that cannot be read: close with 4000 then."""
        self.connector.heard(now)
        if isinstance(data, str) != (self.format == "json"):
            raise DecodeError("invalid-value", detail="a WebSocket message of the other subprotocol's kind")
        try:
            message = decode_json(data) if isinstance(data, str) else decode(data)
        except IgnorableMessage:
            return None
        if isinstance(message, Welcome):
            self._admit(message, now)
        elif isinstance(message, DeviceGrant):
            # From here on frames are those of the device, in its unit.
            if self.welcome:
                self.welcome.units_per_point = message.units_per_point
                self.welcome.viewport = message.viewport
                self.welcome.scale = message.scale
                self.welcome.cell = message.cell
        elif isinstance(message, Result):
            self._unanswered.pop(message.client_sequence, None)
        elif isinstance(message, ErrorMessage):
            if message.retry_after_milliseconds:
                self.connector.note(message.retry_after_milliseconds / 1000)
        elif isinstance(message, Pong) and message.t0 == self._open_ping:
            self._open_ping = None
            return None
        elif isinstance(message, DeliveredEvent):
            received, answer = self._events.receive(message)
            if answer:
                self._send(answer)
            return received
        elif isinstance(message, Presence):
            if not self._is_news(message):
                return None
        elif isinstance(message, Inspection):
            return self._join(message)
        elif isinstance(message, Records):
            return self._join_records(message)
        elif isinstance(message, EventResults):
            self._event_results += self._events.take_results(message)
        elif isinstance(message, Interactions):
            self._events.take_interactions(message)
        elif isinstance(message, Annotations):
            self._take_annotations(message)
        else:
            return self._update(message, now)
        return message

    def _is_news(self, presence: Presence) -> bool:
        """Whether a presence is no older than the last one of its member (SPEC MSG-11)."""
        if presence.clock < self._clocks.get(presence.client, 0):
            return False
        self._clocks.pop(presence.client, None)
        if len(self._clocks) >= CLOCKS:
            del self._clocks[next(iter(self._clocks))]
        self._clocks[presence.client] = presence.clock
        return True

    def _join(self, chunk: Inspection) -> Inspection | None:
        """Takes a chunk of an inspection; with the last one, the whole as one message."""
        if chunk.chunk_index == 0:
            self._inspection = []
        parts = self._inspection
        if len(parts) != chunk.chunk_index or any(
            (part.request, part.chunk_count) != (chunk.request, chunk.chunk_count) for part in parts[:1]
        ):
            self._inspection = []
            return None
        parts.append(chunk)
        if len(parts) < chunk.chunk_count:
            return None
        self._inspection = []
        return Inspection(chunk.request, 0, 1, "".join(part.text for part in parts))

    def _join_records(self, chunk: Records) -> Records | None:
        """The same for what a replica repeats: the parts of one message follow one another."""
        if chunk.chunk_index == 0:
            self._records = []
        parts = self._records
        if len(parts) != chunk.chunk_index or any((part.tick, part.chunk_count) != (chunk.tick, chunk.chunk_count) for part in parts[:1]):
            self._records = []
            return None
        parts.append(chunk)
        if len(parts) < chunk.chunk_count:
            return None
        self._records = []
        return replace(chunk, chunk_index=0, chunk_count=1, text="".join(part.text for part in parts))

    def _admit(self, welcome: Welcome, now: float) -> None:
        if self.is_welcomed:
            raise DecodeError("invalid-value", detail="a second welcome")
        self.welcome = welcome
        self.is_welcomed = True
        self._was_unauthenticated = False
        self.connector.welcomed(welcome.alternates.urls if welcome.alternates else [], now)
        # A quarter of the frames that it may owe (SPEC MSG-14).
        self._frames_per_ack = max(1, welcome.limits.unacknowledged_frames // 4)
        # The numbers of members are those of a connection's server.
        self._clocks.clear()
        self._inspection = []
        self._records = []
        self.mirror.continue_in(welcome.epoch)
        self._send_requests(0)
        messages, lost = self._events.admit(welcome)
        self._event_results += lost
        for message in messages:
            self._send(message)

    def _update(self, message: Message, now: float) -> Event | None:
        if self._is_lost:
            # What was on its way does not fit either, and one request is enough (SPEC CONN-14).
            if isinstance(message, STATE) and not (isinstance(message, Snapshot) and message.chunk_index == 0):
                return None
            self._is_lost = not isinstance(message, Snapshot)
        self._was_loading = self.mirror.is_loading
        try:
            if not self.mirror.apply(message):
                return message
        except MirrorError as error:
            self._lose(error)
            return None
        whole = isinstance(message, Snapshot) and not self.mirror.needs_snapshot
        if not whole and not isinstance(message, Frame):
            return None
        self._frames += 1
        if whole or self._frames >= self._frames_per_ack:
            self._acknowledge()
        elif self._acknowledges_at is None:
            self._acknowledges_at = now + ACKNOWLEDGEMENT_SECONDS
        return Updated(self.mirror)

    def _lose(self, error: MirrorError) -> None:
        self._acknowledges_at = None
        # Before the first chunk of the first snapshot there is nothing to lose, and it is on its way (SPEC ERR-1).
        if error.code != "no-snapshot" or self._was_loading:
            self._is_lost = True
            self._send(Resync(self.mirror.tick, self.mirror.state_hash))

    def _acknowledge(self) -> None:
        self._frames = 0
        self._acknowledges_at = None
        self._send(Ack(self.mirror.tick))

    def wake(self, now: float) -> Connect | Abandoned | None:
        """Does what is due; returns what the owner of the socket has to do with it."""
        if self._acknowledges_at is not None and self._acknowledges_at <= now:
            self._acknowledges_at = None
            if self.is_welcomed and not self.mirror.needs_snapshot:
                self._acknowledge()
        due = self.connector.advance(now)
        if isinstance(due, Abandoned):
            self._pause()
        if not isinstance(due, str):
            return due
        if due == "ping":
            self._open_ping = int(now * 1_000_000)
            self._send(Ping(self._open_ping))
        return None


def refusals(result: Result) -> list[Any]:
    """All that was refused of a batch, whether whole or in part."""
    outcome = result.outcome
    return [outcome] if hasattr(outcome, "code") else list(outcome.refusals)


__all__ = ["ClientSession", "DecodeError", "Event", "Updated", "is_worth_another_try", "refusals"]
