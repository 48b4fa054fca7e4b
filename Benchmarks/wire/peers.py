"""What others would send for the same work. Every encoder goes through the same ticks and returns bytes a tick.

Those that pack numbers, whose times are taken too, are in `packed.py`; those that run in Node in files of their own."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable

import jsonpatch
import msgpack
import pycrdt
from workloads import Frame, Scene, Tick

Peer = Callable[[Scene, list[Tick]], list[int]]
FIELDS = "xywh"


def json_patch(scene: Scene, ticks: list[Tick]) -> list[int]:
    """RFC 6902, made by the `jsonpatch` package from the changed views before and after."""
    frames = list(scene.frames)
    sizes = []
    for tick in ticks:
        before = {"views": {str(number): dict(zip(FIELDS, frames[number])) for number in tick}}
        after = {"views": {str(number): dict(zip(FIELDS, frame)) for number, frame in tick.items()}}
        sizes.append(len(json.dumps(jsonpatch.make_patch(before, after).patch, separators=(",", ":"))))
        for number, frame in tick.items():
            frames[number] = frame
    return sizes


def colyseus_number(value: int) -> bytes:
    """Its number encoding: one byte below 128, else a type byte and the smallest integer."""
    if 0 <= value < 128:
        return bytes([value])
    if 0 <= value <= 0xFF:
        return bytes([0xCC, value])
    return b"\xcd" + struct.pack("<H", value)


def colyseus_like(scene: Scene, ticks: list[Tick]) -> list[int]:
    """A schema of int16 fields as Colyseus encodes changes: our own encoder after its sources, not its library.

    A message is its type byte; each changed view SWITCH_TO_STRUCTURE (255) and its number, then for each changed field
    an operation byte (REPLACE with the field's index) and the value.
    """
    frames = list(scene.frames)
    sizes = []
    for tick in ticks:
        output = bytearray([14])
        for number, frame in tick.items():
            output += b"\xff" + colyseus_number(number)
            for side in range(4):
                if frame[side] != frames[number][side]:
                    output += bytes([0x80 | side]) + struct.pack("<H", frame[side] & 0xFFFF)
            frames[number] = frame
        sizes.append(len(output))
    return sizes


def yjs(scene: Scene, ticks: list[Tick]) -> list[int]:
    """A CRDT document (pycrdt, the Rust port of Yjs): a map of fields for each view, an update for each tick."""
    document = pycrdt.Doc()
    views = document.get("views", type=pycrdt.Map)
    handles = []
    with document.transaction():
        for number, frame in enumerate(scene.frames):
            views[str(number)] = pycrdt.Map(dict(zip(FIELDS, frame)))
    handles = [views[str(number)] for number in range(len(scene.frames))]
    frames = list(scene.frames)
    sizes: list[int] = []
    document.observe(lambda event: sizes.append(len(event.update)))
    for tick in ticks:
        with document.transaction():
            for number, frame in tick.items():
                for side, name in enumerate(FIELDS):
                    if frame[side] != frames[number][side]:
                        handles[number][name] = frame[side]
                frames[number] = frame
    if len(sizes) != len(ticks):
        raise RuntimeError(f"{len(sizes)} updates for {len(ticks)} ticks")
    return sizes


PEERS: dict[str, Peer] = {
    "JSON Patch": json_patch,
    "Colyseus-like": colyseus_like,
    "pycrdt": yjs,
}


def snapshot_message_pack(scene: Scene) -> int:
    """MessagePack of all views as lists, as a plain program would send them."""
    rows = [[i, p, *f, t] for i, p, f, t in zip(scene.ids, scene.parents, scene.frames, scene.texts)]
    return len(msgpack.packb(rows))


__all__ = ["PEERS", "Frame", "snapshot_message_pack"]
