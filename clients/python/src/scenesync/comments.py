"""Comments as events for programs, without I/O: which of a room's annotations a program was not given yet (SPEC section 19)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Comments that are remembered at least; a room has at most half as many.
REMEMBERED = 20_000


@dataclass(frozen=True)
class CommentEvent:
    """A comment that was written, or one whose edit mentions further people."""

    #: The name of its thread, as `replyComment` takes it.
    thread: str
    #: Its number in the thread; 1 opens it.
    number: int
    text: str
    #: The people that it mentions, of an edit those that it did not mention before.
    mentions: tuple[str, ...]
    #: The author's name, and the subject of the author's token; empty without one.
    author: str
    subject: str
    #: Milliseconds since 1970, by the server's clock.
    time: int
    #: What the thread is about: `view` with an optional `place`, `constraint`, or `point`.
    about: Mapping[str, Any]
    #: Whether the comment itself is an earlier one.
    is_edit: bool


class CommentLedger:
    """Gives each comment once, also where the annotations come whole again after a cut."""

    def __init__(self) -> None:
        # By id when it was written, which tells a comment from an earlier one of that id, and whom it mentions.
        self._known: OrderedDict[str, tuple[int, frozenset[str]]] = OrderedDict()

    def take(self, annotations: Mapping[tuple[str, str], Any], person: int | None) -> list[CommentEvent]:
        """The comments that are new since the last call, in the order of their times, without the ones that `person` wrote."""
        found = []
        for (kind, id), value in annotations.items():
            if kind != "comment":
                continue
            mentions, time = value.get("mentions", []), int(value["time"])
            before = self._known.get(id)
            if before == (time, frozenset(mentions)):
                continue
            self._known[id] = (time, frozenset(mentions))
            is_edit = before is not None and before[0] == time
            if before is not None and is_edit:
                mentions = [each for each in mentions if each not in before[1]]
            author = value["author"]
            if author["person"] == str(person) or (is_edit and not mentions):
                continue
            thread = id.rpartition(".")[0]
            found.append(
                CommentEvent(
                    thread, int(value["number"]), value["text"], tuple(mentions), author["name"], author.get("subject", ""), time,
                    annotations.get(("thread", thread), {}), is_edit,
                )
            )  # fmt: skip
        self._forget(annotations)
        return sorted(found, key=lambda comment: (comment.time, comment.thread, comment.number))

    def _forget(self, annotations: Mapping[tuple[str, str], Any]) -> None:
        """Forgets the oldest removed comments beyond the limit."""
        excess = len(self._known) - REMEMBERED
        if excess <= 0:
            return
        gone = [id for id in self._known if ("comment", id) not in annotations]
        for id in gone[:excess]:
            del self._known[id]


__all__ = ["CommentEvent", "CommentLedger"]
