"""Tokens that end while a client is connected, and where the client gets others."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenesync import AsyncClient, Client, ClientSession, TokenError, ops, token_command, token_file
from scenesync.connecting import Retry
from scenesync.errors import ConnectionEnded
from scenesync.messages import Committed
from scenesync.tokens import Renewal, fetch, lifetime
from scenesync_server import EXAMPLES, Server

SECRET = b"a secret of the tests, 32 bytes and more"
#: Seconds that the short tokens of these tests live.
LIFE = 4


def encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def mint(life: float, secret: bytes = SECRET, **claims: object) -> str:
    """A token for every room that lives so many seconds from now."""
    now = time.time()
    body = {"sub": "ada", "role": "editor", "rooms": ["*"], "iat": int(now), "exp": now + life, "jti": str(now), **claims}
    signed = f"{encoded(json.dumps({'alg': 'HS256', 'typ': 'JWT'}).encode())}.{encoded(json.dumps(body).encode())}"
    return f"{signed}.{encoded(hmac.digest(secret, signed.encode(), hashlib.sha256))}"


class Issuer:
    """A provider that counts what it gave. `asked` is set with its call number `awaited`."""

    def __init__(self, awaited: int, life: float = LIFE) -> None:
        self.count, self.awaited, self.life = 0, awaited, life
        self.asked = asyncio.Event()

    async def __call__(self) -> str:
        self.count += 1
        if self.count == self.awaited:
            self.asked.set()
        return mint(self.life)


class Counting(ClientSession):
    """A session that counts its connections."""

    connections = 0

    def connected(self, now: float) -> None:
        self.connections += 1
        super().connected(now)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    secret = tmp_path_factory.mktemp("tokens") / "secret"
    secret.write_bytes(SECRET)
    arguments = ["--in-memory", "--auth-secret-file", str(secret), "--scene", str(EXAMPLES / "dashboard.json")]
    with Server(*arguments) as server:
        yield server.url + "/demo"


# --- Times, made by hand ---------------------------------------------------------------------------------------------


def claims(value: object) -> str:
    return f"e30.{encoded(json.dumps(value).encode())}.x"


@pytest.mark.parametrize(
    "token, left",
    [
        (claims({"exp": 1300}), 300),
        (claims({"exp": 1300.5, "iat": 900}), 300.5),
        # Ended by this clock, which is wrong then: a token that has just been made lives as long as it says.
        (claims({"exp": 900, "iat": 300}), 600),
        (claims({"exp": 900}), 0),
        (claims({"exp": 900, "iat": 950}), 0),
        (claims({"sub": "ada"}), None),
        (claims({"exp": "1300"}), None),
        (claims({"exp": True}), None),
        (claims({"exp": 1e300}), None),
        (claims([1300]), None),
        (claims({"exp": float("inf")}), None),
        ("e30.!!!.x", None),
        ("e30." + encoded(b"[" * 100_000) + ".x", None),
        ("opaque", None),
        ("", None),
    ],
)
def test_how_long_a_token_holds(token: str, left: float | None) -> None:
    assert lifetime(token, 1000) == left


def test_a_token_is_renewed_before_its_end_and_sooner_after_a_failure() -> None:
    renewal = Renewal()
    renewal.began(claims({"exp": 4600}), 1000)
    # An hour: 60 s before the end. Each look at the clock is 60 s apart at most.
    assert renewal.due == 4540 and renewal.pause(1000) == 60 and renewal.pause(4530) == 10 and renewal.pause(4540) == 0
    renewal.failed(4540)
    assert renewal.due == 4555
    renewal.failed(4599)
    assert renewal.due == 4599.5
    renewal.failed(4600)
    assert renewal.due == 4610
    renewal.began(claims({"exp": 1040}), 1000)
    # Forty seconds: after three quarters of them.
    assert renewal.due == 1030
    renewal.began(claims({"exp": 900}), 1000)
    assert renewal.due == 1010
    renewal.began("opaque", 1000)
    assert renewal.due is None and renewal.pause(1000) == 60


def test_another_token_is_tried_once_until_a_welcome() -> None:
    session = ClientSession(urls=["ws://127.0.0.1:1/r", "ws://127.0.0.1:2/r"])
    session.connect(0)
    session.connected(0)
    assert session.may_use_another_token(4001) and not session.may_use_another_token(4003)
    session.set_token("another")
    assert session.disconnected(4001, 0) == Retry("ws://127.0.0.1:2/r", 0)
    session.connected(0)
    assert not session.may_use_another_token(4001)
    session.set_token("a third")
    assert session.disconnected(4001, 0) is None


def test_without_another_token_4001_is_the_end() -> None:
    session = ClientSession(urls=["ws://127.0.0.1:1/r", "ws://127.0.0.1:2/r"])
    session.connect(0)
    session.connected(0)
    assert session.disconnected(4001, 0) is None


# --- Providers -------------------------------------------------------------------------------------------------------


def test_a_file_is_read_at_each_request(tmp_path: Path) -> None:
    path = tmp_path / "token"
    provider = token_file(path)
    with pytest.raises(TokenError, match="No such file"):
        asyncio.run(fetch(provider))
    path.write_text(" first\n")
    assert asyncio.run(fetch(provider)) == "first"
    path.write_text("second")
    assert asyncio.run(fetch(provider)) == "second"
    path.write_text("\n")
    with pytest.raises(TokenError, match="not empty"):
        asyncio.run(fetch(provider))


def test_what_a_command_prints_is_the_token() -> None:
    assert asyncio.run(fetch(token_command(["echo", "a token"]))) == "a token"
    with pytest.raises(TokenError, match="sh ended with status 3: no such user"):
        asyncio.run(fetch(token_command(["sh", "-c", "echo first >&2; echo no such user >&2; exit 3"])))
    with pytest.raises(TokenError, match="no-such-program"):
        asyncio.run(fetch(token_command(["no-such-program"])))
    with pytest.raises(ValueError, match="give the command"):
        token_command([])


def test_functions_of_both_kinds_and_what_is_no_token() -> None:
    async def later() -> str:
        return "later"

    assert asyncio.run(fetch(later)) == "later"
    assert asyncio.run(fetch(lambda: later())) == "later"
    assert asyncio.run(fetch(lambda: "now")) == "now"
    with pytest.raises(TokenError, match="no token: out of order"):

        def broken() -> str:
            raise RuntimeError("out of order")

        asyncio.run(fetch(broken))
    with pytest.raises(TokenError, match="string"):
        asyncio.run(fetch(lambda: b"bytes"))  # type: ignore[arg-type, return-value]


def test_a_provider_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenesync.tokens.PROVIDER_SECONDS", 0.05)
    with pytest.raises(TokenError, match="no token within"):
        asyncio.run(fetch(token_command(["sleep", "60"])))


# --- Against the server ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["bin", "json"])
def test_a_connection_outlives_its_first_token(room: str, format: str) -> None:
    async def run() -> None:
        # Asked at 0, 3 and 6 s: the connection's first token has ended after 4.
        issuer = Issuer(3)
        session = Counting(urls=[room], role="editor", format=format)
        async with AsyncClient(session=session, token=issuer) as client:
            await asyncio.wait_for(issuer.asked.wait(), 30)
            result = await client.apply([ops.set_constraint("sidebar-width", constant=201)])
            assert isinstance(result.outcome, Committed)
            assert session.connections == 1 and issuer.count == 3

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_token_that_nothing_renews_ends_the_connection(room: str) -> None:
    async def run() -> None:
        session = Counting(urls=[room], role="editor")
        only = mint(LIFE)
        async with AsyncClient(session=session, token=lambda: only) as client:
            end = await asyncio.wait_for(client.ended(), 30)
            assert end.code == 4001 and "expired" in end.reason
            assert session.connections == 1

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_token_that_comes_late_opens_the_connection_again(room: str) -> None:
    async def run() -> None:
        first, second, session = mint(LIFE), mint(60), Counting(urls=[room], role="editor")
        was_refused = False

        def provide() -> str:
            # As a file that is written after the end of the token in it.
            nonlocal was_refused
            socket = client._socket
            was_refused = was_refused or socket is not None and socket.close_code == 4001
            return second if was_refused else first

        client = AsyncClient(session=session, token=provide)
        async with client:
            welcomed = client.session.welcome
            await client.wait(lambda mirror: session.connections == 2 and session.is_welcomed, 30)
            assert session.welcome is not welcomed
            await client.apply([ops.set_constraint("sidebar-width", constant=202)])
            assert session.connections == 2

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_token_of_another_issuer_is_refused_without_end(room: str) -> None:
    issued: list[str] = []

    def provide() -> str:
        issued.append(mint(60, secret=b"not the secret of the server, but as long"))
        return issued[-1]

    with pytest.raises(ConnectionEnded) as caught, Client(room, token=provide):
        pass
    assert caught.value.code == 4001
    # One for the connection, and one when the server had refused it.
    assert len(issued) == 2


def test_a_provider_that_fails_says_why(room: str) -> None:
    with pytest.raises(ConnectionEnded, match="out of order"), Client(room, token=token_command(["sh", "-c", "echo out of order >&2; exit 1"])):
        pass


def test_a_failure_is_told_and_the_next_request_succeeds(room: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        calls, done, session = 0, asyncio.Event(), Counting(urls=[room], role="editor")

        async def provide() -> str:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise RuntimeError("the issuer rests")
            if calls == 4:
                done.set()
            # Asked at 0, 4.5 (which fails), 5 and 9.5 s: the first token has ended after 6.
            return mint(6)

        async with AsyncClient(session=session, token=provide) as client:
            await asyncio.wait_for(done.wait(), 30)
            await client.apply([ops.set_constraint("sidebar-width", constant=203)])
            assert session.connections == 1

    asyncio.run(asyncio.wait_for(run(), 60))
    assert [record.getMessage() for record in caplog.records] == ["the token was not renewed: no token: the issuer rests"]


def test_threads_and_the_command_line(room: str, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(mint(60))
    with Client(room, role="editor", token=token_file(path)) as client:
        client.apply([ops.set_constraint("sidebar-width", constant=204)])

    def show(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "scenesync.cli", "show", room, *options], capture_output=True, text=True,
            env={**os.environ, **environment},
        )  # fmt: skip

    # The fourth has no token, the fifth one that has ended.
    assert json.loads(show("--token-file", str(path)).stdout)["frames"]["sidebar"][2] == 204
    assert json.loads(show("--token-command", f"cat '{path}'").stdout)["frames"]["sidebar"][2] == 204
    assert json.loads(show(SCENESYNC_TOKEN=path.read_text()).stdout)["frames"]["sidebar"][2] == 204
    assert show().returncode == 1
    path.write_text(mint(-1))
    assert show("--token-file", str(path)).returncode == 1


def test_each_connection_asks_again_also_after_a_failure(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(SECRET)
    arguments = ["--in-memory", "--auth-secret-file", str(secret), "--scene", str(EXAMPLES / "dashboard.json")]

    async def run() -> None:
        calls = 0

        async def provide() -> str:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise RuntimeError("the issuer rests")
            return mint(600)

        first = await asyncio.to_thread(Server, *arguments)
        session = Counting(urls=[first.url + "/demo"], role="editor")
        async with AsyncClient(session=session, token=provide) as client:
            before = session.token
            await asyncio.to_thread(first.stop)
            second = await asyncio.to_thread(Server, *arguments, port=first.port)
            try:
                await client.wait(lambda mirror: session.connections == 2 and session.is_welcomed, 30)
                # The second call failed, which was an attempt of its own; the token of the third was sent.
                assert calls >= 3 and session.token != before
                await client.apply([ops.set_needs_layout()])
            finally:
                await asyncio.to_thread(second.stop)

    asyncio.run(asyncio.wait_for(run(), 60))
