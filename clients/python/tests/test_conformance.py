"""The client against a server that plays its part, good and nasty (`scenesync conformance --serve`), and mutants of it, each of
which must fail an essential case."""

from __future__ import annotations

from typing import Any

import pytest
from driver import CAPABILITIES, make_session, run_suite
from scenesync import ClientSession
from scenesync.connecting import Retry
from scenesync.errors import MirrorError
from scenesync.frames import Selection
from scenesync.messages import Anim, Cancel, DeviceRequest, Keyframe, Snapshot, Start, Welcome
from scenesync.mirror import Mirror, Node


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
        self._acknowledges_at = None


class OtherSlot(Mirror):
    def _store(self, selection: Selection, deltas: tuple[int, ...], slot: int) -> None:
        super()._store(selection, deltas, (slot + 1) % 64)


class UsesOtherSlot(ClientSession):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
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
    def _admit(self, welcome: Welcome, now: float) -> None:
        super()._admit(welcome, now)
        for request in self._unanswered.values():
            self._send(request)


class ForgetsAnimations(ClientSession):
    def _admit(self, welcome: Welcome, now: float) -> None:
        super()._admit(welcome, now)
        self.mirror.animations = []


class KeepsAnimations(Mirror):
    """Lets animations go on over a snapshot."""

    def _snapshot(self, chunk: Snapshot) -> None:
        animations = self.animations
        super()._snapshot(chunk)
        self.animations = animations


class KeepsNumbers(Mirror):
    """Empties the ring at a keyframe, and leaves the numbers as they are."""

    def _keyframe(self, keyframe: Keyframe) -> None:
        self._clear_ring()


class AnimatesOldNumbers(Mirror):
    """Renumbers views, and not what moves."""

    def _keyframe(self, keyframe: Keyframe) -> None:
        deltas = [animation.deltas for animation in self.animations]
        super()._keyframe(keyframe)
        for animation, old in zip(self.animations, deltas):
            animation.deltas = old


class AnimatesTwice(Mirror):
    """Lets an animation go on when another one of the same id begins."""

    def _anim(self, anim: Anim) -> None:
        for change in anim.changes:
            before = self.animations
            super()._anim(Anim(anim.tick, [change]))
            if isinstance(change, Start):
                self.animations = [*before, self.animations[-1]]


class NeverCancels(Mirror):
    def _anim(self, anim: Anim) -> None:
        super()._anim(Anim(anim.tick, [change for change in anim.changes if not isinstance(change, Cancel)]))


class PutsLast(Mirror):
    """Adds and moves views behind all others."""

    def _insert_child(self, number: int, parent: Node, index: int | None) -> None:
        super()._insert_child(number, parent, None)


def with_mirror(kind: type[Mirror]) -> type[ClientSession]:
    class Mutant(ClientSession):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.mirror = kind()

    Mutant.__name__ = kind.__name__
    return Mutant


def comes_back_after(code: int) -> type[ClientSession]:
    class Mutant(ClientSession):
        def disconnected(self, found: int | None, now: float) -> Retry | None:
            return super().disconnected(None if found == code else found, now)

    Mutant.__name__ = f"ComesBackAfter{code}"
    return Mutant


class ForgetsItsDevice(ClientSession):
    """Asks for a device, and comes back without it."""

    def connected(self, now: float) -> None:
        self._hello.device = None
        super().connected(now)


class NeverAsksForDevices(ClientSession):
    def change_device(self, device: DeviceRequest) -> None:
        pass


#: Mutants, each with an essential case that it fails.
MUTANTS = [
    (NeverAcknowledges, "3.2-1"),
    (UsesOtherSlot, "8.3-1"),
    (KeepsStaleMirror, "6.7-3"),
    (IgnoresHashes, "6.7-1"),
    (SendsAgainTwice, "3.5-1"),
    (ForgetsAnimations, "3.5-8"),
    (with_mirror(KeepsAnimations), "6.12-3"),
    (with_mirror(KeepsNumbers), "6.15-3"),
    (with_mirror(AnimatesOldNumbers), "6.15-4"),
    (with_mirror(AnimatesTwice), "6.12-4"),
    (with_mirror(NeverCancels), "6.12-5"),
    (with_mirror(PutsLast), "6.5-3"),
    (comes_back_after(4010), "11.3-8"),
    (comes_back_after(4011), "11.3-9"),
    (comes_back_after(1007), "11.3-10"),
    (comes_back_after(4001), "11.3-11"),
    (NeverAsksForDevices, "17.5-1"),
    (ForgetsItsDevice, "17.5-2"),
]


@pytest.mark.parametrize("mutant, case", MUTANTS, ids=[mutant.__name__ for mutant, _ in MUTANTS])
def test_mutants_fail_essential_cases(mutant: type[ClientSession], case: str) -> None:
    def make(format: str, url: str) -> ClientSession:
        return mutant(role="editor", format=format, capabilities=CAPABILITIES, urls=[url])

    # That the client itself passes the case, `test_live_suite` shows.
    status, report = run_suite("bin", make, "--essential", "--only", case)
    assert status == 1, report
    assert f"FAILED\t{case}\t" in report, report
