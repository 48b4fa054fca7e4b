"""Tokens: providers that fetch one, and when a connection renews its own (SPEC CONN-9, CONN-10)."""

from __future__ import annotations

import asyncio
import base64
import binascii
import inspect
import json
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from .errors import SceneSyncError

#: Returns the token to use now. A plain function runs on a thread of its own; a coroutine function runs on the loop.
TokenProvider = Callable[[], "str | Awaitable[str]"]

#: Seconds that a provider may take.
PROVIDER_SECONDS = 30.0
#: A token is renewed this long before its end, or after three quarters of its life if that is later.
LEAD_SECONDS = 60.0
#: Seconds between two requests to a provider for the same connection: a server admits one new token in ten seconds.
PAUSE_SECONDS = 10.0
#: Seconds between two requests while the present token is about to end.
RETRY_SECONDS = 0.5
#: The longest sleep, in seconds, before the wall clock is read again: the loop's clock may stop while a machine sleeps.
SLEEP_SECONDS = 60.0


class TokenError(SceneSyncError):
    """A provider gave no token."""


def token_file(path: str | os.PathLike[str]) -> TokenProvider:
    """Provides the content of a file, without surrounding blanks. The file is read at each request, so another program may replace it."""

    def read() -> str:
        return Path(path).read_text(encoding="utf-8").strip()

    return read


def token_command(arguments: Sequence[str]) -> TokenProvider:
    """Provides what a command prints, without surrounding blanks.

    No shell runs the command. A status other than 0 is a `TokenError` that carries its last line of standard error. Raises
    `ValueError` where there is no command.
    """
    if not arguments or not arguments[0]:
        raise ValueError("give the command that prints a token")

    async def run() -> str:
        process = await asyncio.create_subprocess_exec(
            *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        try:
            output, errors = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode != 0:
            last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise TokenError(f"{arguments[0]} ended with status {process.returncode}: {last}")
        return output.decode("utf-8", "replace").strip()

    return run


async def fetch(provider: TokenProvider) -> str:
    """Asks a provider for a token; every failure of the provider, a wrong type and a timeout are a `TokenError`."""

    async def ask() -> str:
        given = provider() if inspect.iscoroutinefunction(provider) else await asyncio.to_thread(provider)
        return await given if inspect.isawaitable(given) else given

    try:
        token = await asyncio.wait_for(ask(), PROVIDER_SECONDS)
    except (asyncio.TimeoutError, TimeoutError):
        raise TokenError(f"no token within {PROVIDER_SECONDS:.0f} s; is the issuer reachable?") from None
    except TokenError:
        raise
    except Exception as error:
        raise TokenError(f"no token: {error}") from error
    if not isinstance(token, str) or not token:
        raise TokenError("no token: the provider has to return a string that is not empty")
    return token


def _seconds(claims: object, name: str) -> float | None:
    value = claims.get(name) if isinstance(claims, dict) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15 else None


def lifetime(token: str, now: float) -> float | None:
    """Seconds that a JSON Web Token still holds; `None` if it names no end, or is no such token.

    Signatures are the server's business: this is a hint when to renew. Where the token has ended by this machine's clock, that
    clock is probably wrong, and the token's whole life is the answer.
    """
    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        body = base64.b64decode(parts[1] + "=" * (-len(parts[1]) % 4), altchars=b"-_", validate=True)
        claims = json.loads(body)
    except (binascii.Error, ValueError, RecursionError):
        return None
    end = _seconds(claims, "exp")
    if end is None:
        return None
    if end > now:
        return end - now
    start = _seconds(claims, "iat")
    return max(0.0, end - start) if start is not None else 0.0


class Renewal:
    """When a provider is asked again while a connection is open. It has no clock and does no I/O: `now` is the wall clock's seconds."""

    def __init__(self) -> None:
        #: When to ask the provider; `None` for never.
        self.due: float | None = None
        self._end = 0.0

    def began(self, token: str, now: float) -> None:
        """A token is in use from now on."""
        left = lifetime(token, now)
        if left is None:
            self.due = None
            return
        self._end = now + left
        self.due = now + max(RETRY_SECONDS if left > 0 else PAUSE_SECONDS, left - min(LEAD_SECONDS, left / 4))

    def failed(self, now: float) -> None:
        """The provider failed, or gave the token that is in use: asks again sooner the nearer the end is."""
        self.due = now + max(RETRY_SECONDS, (self._end - now) / 4) if self._end > now else now + PAUSE_SECONDS

    def pause(self, now: float) -> float:
        """Seconds to sleep before the next look at the clock; 0 if the provider is to be asked now."""
        return SLEEP_SECONDS if self.due is None else min(SLEEP_SECONDS, max(0.0, self.due - now))


def wall_clock() -> float:
    """Seconds since 1970."""
    return time.time()


__all__ = ["Renewal", "TokenError", "TokenProvider", "fetch", "lifetime", "token_command", "token_file"]
