#!/usr/bin/env python3
"""Measures what the ring and the Rice code of SPEC.md, section 8, save: four loads of 60 ticks, each written with and
without. A plain encoder: views that move alike are a group from three on, the others are rows.

    .build/client-venv/bin/python protocol/vectors/sizes.py
"""

from __future__ import annotations

import random
from collections import defaultdict

from scenesync.bits import Writer, zigzag
from scenesync.frames import Body, Group, Row, Selection, bit_count, write_body

Frames = list[tuple[int, int, int, int]]
TICKS = 60


def shifted() -> list[Frames]:
    """A list of 1,000 rows of which those below the third move, by another distance in each tick."""
    heights = [20 + (tick * tick) % 37 for tick in range(TICKS + 1)]
    return [[(0, 20 * row + (height if row > 2 else 0), 300, 20) for row in range(1000)] for height in heights]


def mixed() -> list[Frames]:
    """The same of 1,000 views of which every second, at random, moves: what is left of a list after many edits."""
    moving = set(random.Random(2).sample(range(1000), 500))
    return [
        [(0, 20 * row + (tick * tick % 37 if row in moving else 0), 300, 20) for row in range(1000)]
        for tick in range(TICKS + 1)
    ]


def resized() -> list[Frames]:
    """A stack of 100 columns that share a width which grows by a unit in each tick, so that rounding moves some of them."""
    result = []
    for tick in range(TICKS + 1):
        edges = [(1000 + tick) * column // 100 for column in range(101)]
        result.append([(left, 0, right - left, 300) for left, right in zip(edges, edges[1:])])
    return result


def scattered() -> list[Frames]:
    """A hundred views, each on its own way."""
    rng = random.Random(1)
    frames = [[rng.randint(0, 600), rng.randint(0, 300), 40, 40] for _ in range(100)]
    result = []
    for _ in range(TICKS + 1):
        result.append([tuple(frame) for frame in frames])
        for frame in frames:
            frame[0] += rng.randint(-6, 6)
            frame[1] += rng.randint(-6, 6)
    return result  # type: ignore[return-value]


def changes(old: Frames, new: Frames) -> tuple[dict[tuple[int, tuple[int, ...]], list[int]], list[Row]]:
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
    for number, (before, after) in enumerate(zip(old, new)):
        deltas = [b - a for a, b in zip(before, after)]
        mask = sum(1 << side for side, delta in enumerate(deltas) if delta)
        if mask:
            alike[mask, tuple(delta for delta in deltas if delta)].append(number)
    rows = [Row(number, *key) for key, numbers in alike.items() if len(numbers) < 3 for number in numbers]
    return {key: numbers for key, numbers in alike.items() if len(numbers) > 2}, sorted(rows, key=lambda row: row.number)


def row_bytes(rows: list[Row]) -> int:
    """The bytes of rows if each number were a varint and each mask a byte."""
    writer = Writer()
    following = 0
    common = len({row.mask for row in rows}) == 1
    for row in rows:
        writer.varint(row.number - following)
        following = row.number + 1
        if not common:
            writer.u8(row.mask)
        for value in row.values:
            writer.varint(zigzag(value))
    return len(writer.data) + 2


def measure(load: list[Frames], ring: bool, rice: bool) -> int:
    slots: list[Selection | None] = [None] * 64
    following = total = 0
    for old, new in zip(load, load[1:]):
        groups, rows = changes(old, new)
        cited, fresh = [], []
        for (mask, deltas), numbers in groups.items():
            selection = Selection(mask, tuple(numbers))
            if ring and selection in slots:
                cited.append(Group(deltas, slot=slots.index(selection)))
                continue
            fresh.append(Group(deltas, selection=selection, stores=ring))
        cited.sort(key=lambda group: group.slot or 0)
        body = Body(cited + fresh, rows if rice else [])
        writer = Writer()
        write_body(body, 1, 1, writer)
        total += 2 + len(writer.data) + (row_bytes(rows) if rows and not rice else 0)
        for group in fresh if ring else []:
            slots[following] = group.selection
            following = (following + 1) % 64
    assert all(bit_count(slot.mask) for slot in slots if slot)
    return total


def main() -> None:
    print("| load, bytes a tick | ring and Rice | no ring | no Rice | neither |\n|---|---|---|---|---|")
    loads = [("1,000 rows shift", shifted()), ("500 of 1,000 views shift", mixed()), ("100 columns resize", resized()),
             ("100 views scatter", scattered())]  # fmt: skip
    for name, load in loads:
        figures = [measure(load, ring, rice) / TICKS for ring, rice in ((1, 1), (0, 1), (1, 0), (0, 0))]
        print(f"| {name} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")


if __name__ == "__main__":
    main()
