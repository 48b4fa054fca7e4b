"""What can go wrong, as codes that `protocol/SPEC.md` defines and the test vectors name."""

from __future__ import annotations


class SceneSyncError(Exception):
    """The base of every error of this package."""


class DecodeError(SceneSyncError):
    """Bytes or JSON that are no message; `code` is one of SPEC section 11.1."""

    def __init__(self, code: str, offset: int | None = None, detail: str = "") -> None:
        place = "" if offset is None else f" at byte {offset}"
        super().__init__(f"{code}{place}{': ' + detail if detail else ''}")
        self.code = code
        self.offset = offset


class IgnorableMessage(DecodeError):
    """A message of a later version that may be passed over (SPEC section 12)."""


class MirrorError(SceneSyncError):
    """A message that does not fit the mirror; only a snapshot helps then. Codes: SPEC section 11.2."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}{': ' + detail if detail else ''}")
        self.code = code


class EventError(SceneSyncError):
    """An event that was not taken in; `code` is one of SPEC EVT-12."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class RefusedError(SceneSyncError):
    """Ops that the server did not take."""

    def __init__(self, code: str, message: str, op_index: int, conflicting: list[str]) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.op_index = op_index
        self.conflicting = conflicting


class ConnectionEnded(SceneSyncError):
    """The server said why it ends the connection, or the connection was lost."""

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(f"closed with {code}: {reason}")
        self.code = code
        self.reason = reason
