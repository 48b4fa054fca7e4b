"""A client's events, both ways, without I/O (SPEC section 18): those that it sent, and those that it handles."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from .messages import DeliveredEvent, EventResults, HandledEvents, HandleRequest, Interactions, Message, SentEvent, Welcome
from .values import Answer, EventResult, Interaction

#: The bit of the capabilities for events.
EVENTS = 1 << 10
#: `to` of a message for all other members that understand events.
EVERYONE = 0xFFFFFFFF
#: Events that may wait for their result.
UNANSWERED = 256
#: Answers that are remembered, as many as a server has events with one client.
ANSWERS = 1024


@dataclass(frozen=True)
class ReceivedEvent:
    """A user's action on a view that the client handles, or a message to the client; must be answered once."""

    delivered: DeliveredEvent
    #: Which acquaintance with a server its number belongs to.
    generation: int

    @property
    def kind(self) -> str:
        return self.delivered.kind

    @property
    def view(self) -> str:
        return self.delivered.view

    @property
    def value(self) -> Any:
        return self.delivered.value

    @property
    def client(self) -> int:
        """The sender's number, as in presence."""
        return self.delivered.client

    @property
    def subject(self) -> str:
        """The authenticated subject of the sender; empty without authentication."""
        return self.delivered.subject


class EventLedger:
    """What has to outlast a cut. An event is sent again as long as the server remembers the client; where another one, or one
    that forgot it, welcomes the client, nobody can tell what became of those that were sent."""

    def __init__(self) -> None:
        self.interactions: dict[str, Interaction] = {}
        self._waiting: OrderedDict[int, tuple[SentEvent, bool]] = OrderedDict()
        self._next_sequence = 1
        self._known: tuple[str, int | None] | None = None
        self._generation = 0
        self._roots: list[str] | None = None
        self._last_number = 0
        self._open: set[int] = set()
        self._answers: OrderedDict[int, bool] = OrderedDict()

    def admit(self, welcome: Welcome) -> tuple[list[Message], list[EventResult]]:
        """Begins a connection: what is to be sent, and what became of events that nobody knows of."""
        lost: list[EventResult] = []
        known = (welcome.session, welcome.incarnation)
        if known != self._known:
            self._known = known
            self._generation += 1
            self._last_number = 0
            self._open.clear()
            self._answers.clear()
            for sequence in [sequence for sequence, (_, is_sent) in self._waiting.items() if is_sent]:
                del self._waiting[sequence]
                lost.append(EventResult(sequence, "unknown"))
        if not welcome.capabilities & EVENTS:
            return [], lost
        messages: list[Message] = [] if self._roots is None else [HandleRequest(self._roots)]
        for sequence, (event, _) in self._waiting.items():
            self._waiting[sequence] = (event, True)
            messages.append(event)
        return messages, lost

    def send(self, event: SentEvent, is_welcomed: bool) -> SentEvent | None:
        """Gives an event its number; `None` where too many wait for their result."""
        if len(self._waiting) >= UNANSWERED:
            return None
        event.event_sequence = self._next_sequence
        self._next_sequence += 1
        self._waiting[event.event_sequence] = (event, is_welcomed)
        return event

    def take_results(self, message: EventResults) -> list[EventResult]:
        """The results that were not told before."""
        return [result for result in message.results if self._waiting.pop(result.event_sequence, None)]

    def take_interactions(self, message: Interactions) -> None:
        if message.whole:
            self.interactions.clear()
        for change in message.changes:
            if change.interaction is None:
                self.interactions.pop(change.id, None)
            else:
                self.interactions[change.id] = change.interaction

    def handle(self, roots: list[str]) -> HandleRequest:
        """Names the subtrees that the client handles, on this connection and later ones."""
        self._roots = list(roots)
        return HandleRequest(self._roots)

    def receive(self, event: DeliveredEvent) -> tuple[ReceivedEvent | None, HandledEvents | None]:
        """Takes an event in: the event if it is new, or its answer once more."""
        number = event.sequence
        if number == 0:
            return ReceivedEvent(event, self._generation), None
        if number > self._last_number:
            self._last_number = number
            self._open.add(number)
            return ReceivedEvent(event, self._generation), None
        if number in self._answers:
            return None, HandledEvents([Answer(number, self._answers[number])])
        return None, None

    def answer(self, event: ReceivedEvent, is_handled: bool) -> HandledEvents | None:
        """Answers an event; `None` where it was answered before, or its server is gone."""
        number = event.delivered.sequence
        if event.generation != self._generation or number not in self._open:
            return None
        self._open.remove(number)
        self._answers[number] = is_handled
        while len(self._answers) > ANSWERS:
            self._answers.popitem(last=False)
        return HandledEvents([Answer(number, is_handled)])
