"""Makes the same edits in the format of each server: `scripts.py FOLDER COUNT`.

The scene has 200 rows of five views. An edit moves one row, all five views of it: for SceneSync by the constant of one constraint,
from which the server finds the frames, for the others by the frames themselves. SceneSync's messages are those of the client in
`clients/python`, Yjs' those of pycrdt.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pycrdt

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))

from scenesync import ops  # noqa: E402
from scenesync.messages import Hello, Ops, encode  # noqa: E402

ROWS, LENGTH = 200, 5
HEIGHT, GAP = 10, 4


def width(row: int, place: int) -> int:
    return 20 + (row + place) % 7


def frames(row: int, left: int) -> list[tuple[int, int, int, int, int]]:
    """The number and the frame of each view of a row."""
    found, x = [], left
    for place in range(LENGTH):
        found.append((row * LENGTH + place, x, row * (HEIGHT + 2), width(row, place), HEIGHT))
        x += width(row, place) + GAP
    return found


def edits(count: int) -> Iterator[tuple[int, int]]:
    """The row that an edit moves, and its new left edge, which is never its old one."""
    lefts = [10] * ROWS
    for number in range(count):
        row = number * 7 % ROWS
        left = 10 + (number * 13 + 5) % 300
        lefts[row] = left if left != lefts[row] else left + 1
        yield row, lefts[row]


def write(path: Path, watcher: bytes, greetings: list[bytes], messages: list[bytes]) -> None:
    parts = [struct.pack("<II", len(greetings), len(messages))]
    for message in [watcher, *greetings, *messages]:
        parts += [struct.pack("<I", len(message)), message]
    path.write_bytes(b"".join(parts))


def scenesync(path: Path, count: int) -> None:
    views, constraints = [], []
    for row in range(ROWS):
        for place in range(LENGTH):
            name = f"v{row}x{place}"
            views.append({"id": name})
            before = f"v{row}x{place - 1}"
            constraints.append(
                {"id": f"left{row}", "rule": f"{name}.left == root.left + 10"} if place == 0 else f"{name}.left == {before}.right + {GAP}")
            constraints += [f"{name}.top == root.top + {row * (HEIGHT + 2)}", f"{name}.width == {width(row, place)}",
                            f"{name}.height == {HEIGHT}"]  # fmt: skip
    scene = {"op": "setScene", "scene": 1, "viewport": {"width": 800, "height": 2400}, "views": views, "constraints": constraints}
    messages = [
        encode(Ops(client_sequence=number + 2, ops=[ops.set_constraint(f"left{row}", constant=left)]), True)
        for number, (row, left) in enumerate(edits(count))
    ]
    greetings = [encode(Hello(role="editor"), True), encode(Ops(client_sequence=1, ops=[scene]), True)]
    write(path, encode(Hello(role="viewer"), True), greetings, messages)


def yjs(path: Path, count: int) -> None:
    """One map of four numbers for each view, of which an edit sets what differs: x. All numbers are whole, and written as such."""
    document = pycrdt.Doc(client_id=1)
    updates: list[bytes] = []
    document.observe(lambda event: updates.append(event.update))
    views: pycrdt.Map = document.get("views", type=pycrdt.Map)
    with document.transaction():
        for row in range(ROWS):
            for number, *frame in frames(row, 10):
                views[str(number)] = pycrdt.Map({key: float(value) for key, value in zip("xywh", frame)})
    held = [views[str(number)] for number in range(ROWS * LENGTH)]
    for row, left in edits(count):
        with document.transaction():
            for number, x, *_ in frames(row, left):
                held[number]["x"] = float(x)
    messages = [pycrdt.create_update_message(update) for update in updates]
    # A question for everything that there is; the answer is the scene.
    question = pycrdt.create_sync_message(pycrdt.Doc())
    write(path, question, [question, messages[0]], messages[1:])


def packed(value: int) -> bytes:
    """A number that is not negative, in MessagePack."""
    if value < 128:
        return bytes([value])
    return bytes([0xCC, value]) if value < 256 else b"\xcd" + struct.pack(">H", value)


def deltas(path: Path, count: int) -> None:
    def message(views: list[tuple[int, int, int, int, int]]) -> bytes:
        numbers = [number for view in views for number in view]
        return b"\xdc" + struct.pack(">H", len(numbers)) + b"".join(packed(number) for number in numbers)

    scene = message([view for row in range(ROWS) for view in frames(row, 10)])
    write(path, b"", [scene], [message(frames(row, left)) for row, left in edits(count)])


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    scenesync(folder / "scenesync.script", count)
    yjs(folder / "yjs.script", count)
    deltas(folder / "deltas.script", count)


if __name__ == "__main__":
    main()
