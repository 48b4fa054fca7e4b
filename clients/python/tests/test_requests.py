"""Requests of a session that no dialogue can bring about: what is asked for between two connections."""

from __future__ import annotations

import pytest
from scenesync import ClientSession
from scenesync.messages import FollowRequest, Hello, Limits, Message, Ops, Records, Result, Undo, Welcome, decode, encode
from scenesync.session import NotGranted

UNDO = 1 << 2


def make() -> ClientSession:
    session = ClientSession(role="editor", capabilities=UNDO, urls=["ws://first/room"])
    session.connect(0)
    return session


def connect(session: ClientSession, capabilities: int) -> None:
    session.connected(0)
    session.receive(encode(Welcome("s", "t", 1, 1, capabilities, limits=Limits()), False), 0)


def sent(session: ClientSession) -> list[Message]:
    """What the session has sent since the last call, its greeting apart."""
    return [each for each in (decode(bytes(data), True) for data in session.take_outgoing()) if not isinstance(each, Hello)]  # type: ignore[arg-type]


def test_an_undo_between_connections_waits_for_the_next() -> None:
    session = make()
    connect(session, UNDO)
    session.disconnected(1006, 1)
    sequence = session.undo()
    assert sent(session) == []
    connect(session, UNDO)
    assert sent(session) == [Undo(sequence)]


def test_an_undo_that_was_never_sent_holds_nothing_up() -> None:
    session = make()
    connect(session, UNDO)
    session.disconnected(1006, 1)
    undo, ops = session.undo(), session.apply([])
    connect(session, 0)
    assert sent(session) == [Ops(ops, 0, 0, False, [])]
    assert session.take_given_up() == [undo]
    session.receive(encode(Result(ops, 1), False), 0)
    # It is forgotten, not kept for a server that takes it.
    session.disconnected(1006, 1)
    connect(session, UNDO)
    assert sent(session) == [] and session.take_given_up() == []


def test_an_undo_that_was_sent_holds_up_what_is_behind_it() -> None:
    session = make()
    connect(session, UNDO)
    first, undo = session.apply([]), session.undo()
    session.disconnected(1006, 1)
    sent(session)
    connect(session, 0)
    assert sent(session) == [Ops(first, 0, 0, False, [])]
    later = session.apply([])
    assert sent(session) == [] and session.take_given_up() == []
    session.disconnected(1006, 1)
    connect(session, UNDO)
    assert sent(session) == [Ops(first, 0, 0, False, []), Undo(undo), Ops(later, 0, 0, False, [])]


def test_an_undo_that_the_connection_does_not_grant_is_refused_at_once() -> None:
    session = make()
    connect(session, 0)
    with pytest.raises(NotGranted):
        session.undo()


def part(text: str, index: int, count: int = 2, tick: int = 7) -> bytes:
    return encode(Records(tick, True, "me", index, count, text), False)


def test_records_in_parts_come_as_one_message() -> None:
    session = make()
    connect(session, 1 << 14)
    session.receive(part("[1", 0), 0)
    # One that does not go on with it is dropped with what came before.
    session.receive(part("3]", 1, tick=8), 0)
    session.receive(part("[1", 0), 0)
    assert session.receive(part(",2]", 1), 0) == Records(7, True, "me", 0, 1, "[1,2]")


def test_following_needs_the_servers_consent() -> None:
    session = make()
    connect(session, 0)
    with pytest.raises(NotGranted):
        session.send(FollowRequest(True))
    session = make()
    connect(session, 1 << 14)
    session.send(FollowRequest(True))
    assert sent(session) == [FollowRequest(True)]
