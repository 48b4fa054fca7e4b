"""The client against a server that plays its part, good and nasty (`scenesync conformance --serve`), and mutants of it, each of
which must fail an essential case."""

from __future__ import annotations

import pytest
from driver import CAPABILITIES, make_session, run_suite
from scenesync import ClientSession
from scenesync.errors import MirrorError
from scenesync.frames import Selection
from scenesync.messages import Welcome
from scenesync.mirror import Mirror


@pytest.mark.parametrize("format", ["bin", "json"])
def test_live_suite(format: str) -> None:
    # These cases are about bytes alone.
    excluded = ["--exclude", "8.1-2"] if format == "json" else []
    status, report = run_suite(format, make_session, *excluded)
    assert status == 0, report
    assert "0 NON-STRICT, 0 FAILED, 0 INFORMATIONAL" in report, report


class NeverAcknowledges(ClientSession):
    def _acknowledge(self) -> None:
        self._frames = 0
        self.wake_at = None


class OtherSlot(Mirror):
    def _store(self, selection: Selection, deltas: tuple[int, ...], slot: int) -> None:
        super()._store(selection, deltas, (slot + 1) % 64)


class UsesOtherSlot(ClientSession):
    def __init__(self, role: str, format: str, capabilities: int) -> None:
        super().__init__(role=role, format=format, capabilities=capabilities)
        self.mirror = OtherSlot()


class KeepsStaleMirror(ClientSession):
    """Asks for a snapshot, and goes on with what it has until that comes."""

    def _lose(self, error: MirrorError) -> None:
        super()._lose(error)
        if error.code == "hash-mismatch":
            self._is_lost = False
            self.mirror.needs_snapshot = False


class IgnoresHashes(ClientSession):
    """Takes its own state for right whatever the server says."""

    def _lose(self, error: MirrorError) -> None:
        if error.code == "hash-mismatch":
            self.mirror.needs_snapshot = False
        else:
            super()._lose(error)


class SendsAgainTwice(ClientSession):
    def _admit(self, welcome: Welcome) -> None:
        super()._admit(welcome)
        for request in self._unanswered.values():
            self._send(request)


class ForgetsAnimations(ClientSession):
    def _admit(self, welcome: Welcome) -> None:
        super()._admit(welcome)
        self.mirror.animations = []


@pytest.mark.parametrize(
    "mutant", [NeverAcknowledges, UsesOtherSlot, KeepsStaleMirror, IgnoresHashes, SendsAgainTwice, ForgetsAnimations]
)
def test_mutants_fail_essential_cases(mutant: type[ClientSession]) -> None:
    def make(format: str) -> ClientSession:
        return mutant(role="editor", format=format, capabilities=CAPABILITIES)

    status, report = run_suite("bin", make, "--essential")
    assert status == 1, report
    assert "\nFAILED\t" in "\n" + report, report
