"""Where a client connects next and when, and when it gives a server up, with times made by hand."""

from __future__ import annotations

import random

import pytest
from scenesync.connecting import (
    Abandoned,
    AddressList,
    Connect,
    Connector,
    Patience,
    Retry,
    SilenceWatch,
    is_private,
    unix_socket,
)

A, B, C = "ws://127.0.0.1:1/r", "ws://127.0.0.1:2/r", "ws://127.0.0.1:3/r"
#: An address, and whether it is taken of a server where the user gave a private one, and where an open one.
ALTERNATES = [
    ("wss://b/r", True, True),
    ("ws://b/r", False, True),
    ("ws://127.0.0.1:7/r", True, True),
    ("ws://127.9.9.9/r", True, True),
    ("ws://[::1]/r", True, True),
    ("ws://LOCALHOST:1/r", True, True),
    ("ws://127.0.0.1.evil.example/r", False, True),
    ("ws://localhost.evil.example/r", False, True),
    ("ws://128.0.0.1/r", False, True),
    ("ws://[::2]/r", False, True),
    ("http://b/r", False, False),
    ("wss://", False, False),
    ("", False, False),
    ("wss://user@b/r", False, False),
    ("wss://b/r#x", False, False),
    ("wss://b:99999/r", False, False),
    ("wss://b/\u0001", False, False),
    ("ws+unix:///run/x:/r", False, False),
    ("wss://b/" + "r" * 504, True, True),
    ("wss://b/" + "r" * 505, False, False),
]


@pytest.mark.parametrize(
    "url, expected",
    [
        ("ws+unix:///run/s.sock:/demo?x=1", ("/run/s.sock", "/demo?x=1")),
        ("ws+unix:///run/s.sock", ("/run/s.sock", "/")),
        ("ws+unix:///" + "x" * 106, ("/" + "x" * 106, "/")),
        ("ws+unix:///" + "x" * 107, None),
        ("ws+unix://run/s", None),
        ("ws+unix:///", None),
        ("ws+unix:///a b", None),
        ("ws+unix:///run/s:demo", None),
        ("ws+unix:///run/s:/a#b", None),
        ("wss+unix:///run/s", None),
        ("ws://localhost/r", None),
    ],
)
def test_the_address_of_a_unix_socket(url: str, expected: tuple[str, str] | None) -> None:
    assert unix_socket(url) == expected
    assert is_private(url) == (expected is not None or url == "ws://localhost/r")


def test_a_pass_tries_each_address_once_and_around() -> None:
    addresses = AddressList([A, B, C])
    assert addresses.begin() == A
    assert [addresses.next(), addresses.next(), addresses.next()] == [B, C, None]
    assert addresses.next_pass() == A
    addresses.settled()
    assert [addresses.next(), addresses.next(), addresses.next()] == [B, C, None]


def test_alternates_come_last_and_in_place_of_those_before() -> None:
    addresses = AddressList([A])
    addresses.begin()
    addresses.prove([B, A])
    assert addresses.all == [A, B]
    assert addresses.next() == B
    # The server at B does not name itself.
    addresses.prove([C])
    assert addresses.all == [A, C, B]


@pytest.mark.parametrize("url, where_private, where_open", ALTERNATES)
def test_what_is_taken_of_a_server(url: str, where_private: bool, where_open: bool) -> None:
    for given in ("wss://a/r", A, "ws://[::1]:1/r", "ws://localhost/r"):
        addresses = AddressList(["ws://open.example/r", given])
        addresses.prove([url])
        assert (url in addresses.all) == where_private, given
    addresses = AddressList(["ws://open.example/r"])
    addresses.prove([url])
    assert (url in addresses.all) == where_open


def test_a_silent_server_is_pinged_once_and_given_up() -> None:
    watch = SilenceWatch(Patience(silence=2, answer=3))
    watch.welcomed(100)
    assert [watch.advance(101.9), watch.advance(102), watch.advance(104.9)] == ["", "ping", ""]
    watch.heard(104.9)
    assert watch.due == 106.9
    assert [watch.advance(106.9), watch.advance(109.9)] == ["ping", "give up"]
    assert watch.due is None


def test_a_client_that_stood_still_asks_once_more() -> None:
    watch = SilenceWatch(Patience(silence=2, answer=3))
    watch.welcomed(0)
    assert [watch.advance(2), watch.advance(7), watch.advance(60)] == ["ping", "ping", "give up"]


def test_all_refused_is_the_end_before_the_first_welcome() -> None:
    connector = Connector([A, B], Patience(), False)
    assert connector.connect(0) == A
    assert connector.ended(None, 0) == Retry(B, 0)
    assert connector.advance(0) == Connect(B)
    assert connector.ended(None, 0) is None


def test_a_told_time_holds_for_the_next_attempt() -> None:
    connector = Connector([A, B], Patience(), True)
    connector.connect(0)
    connector.opened(0)
    connector.welcomed([], 0)
    connector.note(1.5)
    assert connector.ended(4030, 5) == Retry(B, 1.5)
    assert connector.advance(6.4) == ""
    assert connector.advance(6.5) == Connect(B)


def test_the_same_address_comes_first_where_only_the_owner_changed() -> None:
    connector = Connector([A, B], Patience(), True)
    connector.connect(0)
    connector.opened(0)
    connector.welcomed([], 0)
    assert connector.ended(4031, 5) == Retry(A, 0)
    assert connector.advance(5) == Connect(A)
    connector.opened(5)
    connector.welcomed([], 5)
    # What lasted for less than a second was no success.
    assert connector.ended(4031, 5.5) == Retry(B, 0)
    alone = Connector([A], Patience(), True)
    alone.connect(0)
    alone.opened(0)
    alone.welcomed([], 0)
    assert alone.ended(4031, 2) == Retry(A, 0)


def test_an_attempt_that_hangs_is_given_up() -> None:
    connector = Connector([A, B], Patience(open=5), True)
    connector.connect(0)
    assert connector.advance(1.9) == ""
    # One of several addresses has 2 s to open in the first pass, twice as long in the next, and the client's patience at most.
    assert connector.advance(2) == Abandoned(Retry(B, 0))
    assert connector.advance(2) == Connect(B)
    connector.opened(3)
    connector.welcomed([], 3)
    assert connector.ended(None, 3.5) is not None
    now = 3.5
    for limit in (4, 4, 5, 5):
        now = connector.due or 0
        assert isinstance(connector.advance(now), Connect)
        assert connector.due == now + limit
        assert isinstance(connector.advance(now + limit), Abandoned)
    alone = Connector([A], Patience(open=5), True)
    alone.connect(0)
    assert alone.due == 5


@pytest.mark.parametrize("seed", range(100))
def test_random_failures(seed: int) -> None:
    """It always comes back where an address works, and tries none twice within the shortest wait."""
    rng = random.Random(seed)
    urls = [f"ws://127.0.0.1:{number}/r" for number in range(1, 2 + rng.randrange(4))]
    connector = Connector(urls[: 1 + rng.randrange(len(urls))], Patience(), True)
    now, attempts = 0.0, [(0.0, connector.connect(0))]
    connector.opened(now)
    connector.welcomed(urls, now)
    good = rng.choice(urls)
    retry = connector.ended(None, now)
    while True:
        assert retry
        assert connector.due == pytest.approx(now + retry.after)
        now += retry.after
        due = connector.advance(now)
        assert due == Connect(retry.url)
        attempts.append((now, retry.url))
        if retry.url == good and len(attempts) > 20:
            break
        if rng.random() < 0.3:
            # It admits the client, and drops it within a second.
            connector.opened(now)
            connector.welcomed(urls, now)
            now += rng.random() * 0.9
        elif rng.random() < 0.3:
            now += 5
            given_up = connector.advance(now)
            assert isinstance(given_up, Abandoned)
            retry = given_up.retry
            continue
        retry = connector.ended(None, now)
    for url in urls:
        times = [time for time, each in attempts if each == url]
        assert all(later - earlier >= 0.1875 for earlier, later in zip(times, times[1:]))
