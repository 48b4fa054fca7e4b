"""A client's connections, one after another, without I/O: where the next one goes and when, and when the present one is given up
(SPEC sections 3.5 and 3.6)."""

from __future__ import annotations

import ipaddress
import random
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

#: The most addresses that a server names, and the bytes of the longest.
ALTERNATES, ALTERNATE_BYTES = 8, 512
#: Seconds after which the end of a connection that was welcomed begins another pass over the addresses; a shorter one counts as
#: an attempt, so that servers that admit clients and drop them at once are not tried without waiting.
SETTLED = 1.0
#: Seconds that an attempt at one of several addresses may take in the first pass over them; doubled with each pass.
FIRST_OPENING = 2.0
#: Another server of the cluster serves the room, which the same address leads to.
OWNER_CHANGED = 4031
#: No valid token, or its end.
UNAUTHENTICATED = 4001
#: Close codes after which the same would happen again; codes that are not known are tried again.
FINAL_CODES = {1002, 1007, 1009, 4000, 4001, 4003, 4004, 4005, 4006, 4009, 4010, 4011}


def is_worth_another_try(code: int | None) -> bool:
    """Whether the same would not happen again at once (SPEC section 11.3)."""
    return code not in FINAL_CODES


def delay(passes: int) -> float:
    """Seconds to wait before all addresses are tried again, after so many times that they all failed (SPEC CONN-33)."""
    return min(8.0, 0.125 * 2.0 ** min(passes, 6)) * random.uniform(0.75, 1)


@dataclass(frozen=True)
class Patience:
    """How long a client waits for a server that says nothing, in seconds (SPEC CONN-39, CONN-40); `None` for no limit."""

    #: In which a connection has to be open, its handshakes included.
    open: float | None = 5.0
    #: In which the server has to welcome the client, unless bytes come.
    welcome: float | None = 10.0
    #: After which the client pings; `None` for never, and then a silent server is not noticed.
    silence: float | None = 2.0
    #: In which something has to come after that ping.
    answer: float = 2.0


@dataclass(frozen=True)
class Retry:
    """The connection has ended; the next one begins after so many seconds."""

    url: str
    after: float


@dataclass(frozen=True)
class Connect:
    """The owner of the socket connects there now."""

    url: str


@dataclass(frozen=True)
class Abandoned:
    """The server is silent: the owner drops its socket. `retry` is `None` where the client has ended."""

    retry: Retry | None


def parts(url: str) -> SplitResult | None:
    """The parts of a WebSocket URL; `None` where it is none."""
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError:
        return None
    is_one = split.scheme in ("ws", "wss") and split.hostname and not split.username and "#" not in url and port != 0
    return split if is_one and url.isascii() and url.isprintable() and " " not in url else None


def unix_socket(url: str) -> tuple[str, str] | None:
    """The file and the path of `ws+unix:///FILE:/PATH`, the address of a Unix socket; `None` where it is none."""
    if not url.startswith("ws+unix://"):
        return None
    file, colon, path = url.removeprefix("ws+unix://").partition(":")
    is_file = file.startswith("/") and 1 < len(file.encode()) <= 107 and file.isprintable() and " " not in file
    is_path = path.startswith("/") if colon else True
    is_plain = path.isascii() and path.isprintable() and " " not in path and "#" not in path
    return (file, path or "/") if is_file and is_path and is_plain else None


def is_private(url: str) -> bool:
    """Whether what is said there stays secret on the way: TLS, or this machine itself."""
    if unix_socket(url):
        return True
    split = parts(url)
    if split is None:
        return False
    host = split.hostname or ""
    if split.scheme == "wss" or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class AddressList:
    """The addresses of a room: the user's, what the last welcome named, and the one that worked last. A pass tries each once."""

    def __init__(self, given: Sequence[str]) -> None:
        self._given = list(given)
        # What the user kept from readers on the way is not sent in the open because a server said so.
        self._takes_plain = not any(is_private(url) for url in given)
        self._alternates: list[str] = []
        self._proven: list[str] = []
        self._tried: set[str] = set()
        #: The address that was tried last.
        self.present = self._given[0] if given else ""

    @property
    def all(self) -> list[str]:
        return list(dict.fromkeys([*self._given, *self._alternates, *self._proven]))

    def begin(self) -> str:
        self._tried = {self.present}
        return self.present

    def next(self) -> str | None:
        """The next address of this pass; `None` where each was tried."""
        known = self.all
        start = known.index(self.present) + 1 if self.present in known else 0
        for url in known[start:] + known[:start]:
            if url not in self._tried:
                self._tried.add(url)
                self.present = url
                return url
        return None

    def next_pass(self) -> str:
        self._tried = set()
        return self.next() or self.present

    def settled(self) -> None:
        """A connection to the present address had lasted: its end begins a pass, in which that was tried."""
        self._tried = {self.present}

    def prove(self, alternates: Sequence[str]) -> None:
        """The present address works, and its server named these."""
        self._proven = [self.present]
        self._alternates = [url for url in alternates[:ALTERNATES] if self._is_acceptable(url)]

    def _is_acceptable(self, url: str) -> bool:
        if len(url.encode()) > ALTERNATE_BYTES or parts(url) is None:
            return False
        return self._takes_plain or is_private(url)


class SilenceWatch:
    """Notices a server that has fallen silent."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._stage = "off"
        self._is_second = False
        #: When something is due; `None` for never.
        self.due: float | None = None

    def _enter(self, stage: str, now: float, seconds: float | None) -> None:
        self._stage, self.due = stage, None if seconds is None else now + seconds

    def begin(self, now: float, maximum: float | None = None) -> None:
        """An attempt at a connection, which may take `maximum` seconds where that is less than the client's patience."""
        limits = [limit for limit in (self._patience.open, maximum) if limit is not None]
        self._enter("opening", now, min(limits) if self._patience.open is not None else None)

    def opened(self, now: float) -> None:
        self._enter("greeting", now, self._patience.welcome)

    def welcomed(self, now: float) -> None:
        self._enter("listening", now, self._patience.silence)
        self._is_second = False

    def heard(self, now: float) -> None:
        """Bytes came, whatever they are."""
        if self._stage == "greeting":
            self.opened(now)
        elif self._stage in ("listening", "asking"):
            self.welcomed(now)

    def stop(self) -> None:
        self._stage, self.due = "off", None

    def advance(self, now: float) -> str:
        """What is due: `ping`, `give up` or nothing."""
        if self.due is None or self.due > now:
            return ""
        # So late a call means that this process or machine stood still, and the answer may wait to be read.
        was_late = self._stage == "asking" and not self._is_second and now - self.due > self._patience.answer / 2
        if self._stage == "listening" or was_late:
            self._is_second = was_late
            self._enter("asking", now, self._patience.answer)
            return "ping"
        self.stop()
        return "give up"


class Connector:
    """A client's connections, one after another. It knows of messages only what they mean for that."""

    def __init__(self, urls: Sequence[str], patience: Patience, reconnects: bool) -> None:
        self._addresses = AddressList(urls)
        self._silence = SilenceWatch(patience)
        self._reconnects = reconnects
        self._passes = 0
        self._was_welcomed = False
        self._welcomed_at: float | None = None
        self._waits_until: float | None = None
        #: How long the server said to wait before the next connection.
        self._told: float | None = None
        #: Whether the end of the present connection is the last.
        self.is_ending = False

    @property
    def urls(self) -> list[str]:
        """The addresses known at present, in order."""
        return self._addresses.all

    @property
    def due(self) -> float | None:
        """When `advance` has something to do; `None` for never."""
        return self._silence.due if self._waits_until is None else self._waits_until

    def connect(self, now: float) -> str:
        """Begins the first connection."""
        url = self._addresses.begin()
        self._silence.begin(now, self._opening)
        return url

    @property
    def _opening(self) -> float | None:
        """What an attempt may take: the machine of one of several addresses may be gone, and another one is as good."""
        return FIRST_OPENING * 2.0 ** min(self._passes, 6) if len(self._addresses.all) > 1 else None

    def opened(self, now: float) -> None:
        self._told = self._welcomed_at = self._waits_until = None
        self._silence.opened(now)

    def welcomed(self, alternates: Sequence[str], now: float) -> None:
        self._was_welcomed, self._welcomed_at, self._passes = True, now, 0
        self._addresses.prove(alternates)
        self._silence.welcomed(now)

    def heard(self, now: float) -> None:
        self._silence.heard(now)

    def note(self, retry_after: float) -> None:
        """The server said how long to wait before the next connection."""
        self._told = retry_after

    def ended(self, code: int | None, now: float) -> Retry | None:
        """The present connection has ended, or the attempt at one; `None` where the client has."""
        self._silence.stop()
        lasted = self._welcomed_at is not None and now - self._welcomed_at >= SETTLED
        if lasted:
            self._addresses.settled()
        told, self._told, self._welcomed_at = self._told, None, None
        # Trying the rest of the addresses is no reconnecting as long as none has worked.
        may = self._reconnects or not self._was_welcomed
        if not may or self.is_ending or not is_worth_another_try(code):
            return None
        # The room may have another server behind the same one.
        is_there = lasted and code == OWNER_CHANGED
        url, wait = self._addresses.present if is_there else self._addresses.next(), told or 0.0
        if url is None:
            if not self._was_welcomed:
                return None
            self._passes += 1
            url, wait = self._addresses.next_pass(), told or delay(self._passes)
        self._waits_until = now + wait
        return Retry(url, wait)

    def advance(self, now: float) -> Connect | Abandoned | str:
        """What is due: a connection, an end, `ping`, or nothing."""
        if self._waits_until is not None:
            if self._waits_until > now:
                return ""
            self._waits_until = None
            self._silence.begin(now, self._opening)
            return Connect(self._addresses.present)
        what = self._silence.advance(now)
        return Abandoned(self.ended(None, now)) if what == "give up" else what


__all__ = ["Abandoned", "AddressList", "Connect", "Connector", "Patience", "Retry", "SilenceWatch", "delay"]
