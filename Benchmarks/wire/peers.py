"""What others would send for the same work. Every encoder goes through the same ticks and returns bytes a tick.

Those that pack numbers, whose times are taken too, are in `packed.py`; those that run in Node in files of their own."""

from __future__ import annotations

import json
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
    "pycrdt": yjs,
}


def snapshot_message_pack(scene: Scene) -> int:
    """MessagePack of all views as lists, as a plain program would send them."""
    rows = [[i, p, *f, t] for i, p, f, t in zip(scene.ids, scene.parents, scene.frames, scene.texts)]
    return len(msgpack.packb(rows))


__all__ = ["PEERS", "Frame", "snapshot_message_pack"]
