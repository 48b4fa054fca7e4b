"""A scene painted on characters once more, plainly: what a screen must show, by the Python client's own mirror.

Shares no code with the viewer. One cell of the screen is one cell of the scene's text grid.
"""

from __future__ import annotations

from math import floor

BORDERS = {
    "single": "─│┌┐└┘",
    "rounded": "─│╭╮╰╯",
    "double": "═║╔╗╚╝",
    "heavy": "━┃┏┓┗┛",
}
CELL = (8, 16)
RIGHT_HALF = ""


def edge(value: float, size: int) -> int:
    return floor(value / size + 0.5)


class Picture:
    """Rows of cells; the right half of a wide character is empty."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]

    def put(self, column: int, row: int, text: str, clip: tuple[int, int, int, int]) -> None:
        if clip[0] <= column < clip[2] and clip[1] <= row < clip[3]:
            self.cells[row][column] = text

    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]


def paint(mirror, columns: int, rows: int, width=lambda character: 1) -> Picture:
    """Only characters of one scalar, of the widths that `width` says."""
    picture = Picture(columns, rows)
    root = next(iter(mirror.preorder()))
    children: dict[int, list] = {}
    for view in mirror.preorder():
        if view.parent is not None:
            children.setdefault(view.parent, []).append(view)

    def visit(view, x: int, y: int, clip: tuple[int, int, int, int]) -> None:
        content = view.content
        if content.hidden or content.opacity == 0:
            return
        left, top = x + view.frame[0], y + view.frame[1]
        right, bottom = left + view.frame[2], top + view.frame[3]
        box = (edge(left, CELL[0]), edge(top, CELL[1]), edge(right, CELL[0]), edge(bottom, CELL[1]))
        seen = (max(box[0], clip[0]), max(box[1], clip[1]), min(box[2], clip[2]), min(box[3], clip[3]))
        if content.background is not None and len(content.background) == 7 and content.opacity == 255:
            for row in range(seen[1], seen[3]):
                for column in range(seen[0], seen[2]):
                    picture.put(column, row, " ", seen)
        border(picture, BORDERS.get(content.border), box, seen)
        for line in content.lines:
            row = edge(top + line.place[1], CELL[1])
            if line is content.lines[0]:
                row = min(row, box[3] - 1)
            text(picture, line.text, edge(left + line.place[0], CELL[0]), row, box, seen, width)
        inner = seen if content.clips or content.kind == "scroll" else clip
        below = children.get(view.number, [])
        for child in below:
            visit(child, left - content.content_offset[0], top - content.content_offset[1], inner)
        if content.kind == "scroll":
            bars(picture, view, below, box, seen)

    visit(root, 0, 0, (0, 0, columns, rows))
    return picture


def border(picture: Picture, glyphs: str | None, box, seen) -> None:
    left, top, right, bottom = box
    if glyphs is None or right - left < 2 or bottom - top < 2:
        return
    horizontal, vertical, *corners = glyphs
    for column in range(max(left + 1, 0), min(right - 1, picture.columns)):
        picture.put(column, top, horizontal, seen)
        picture.put(column, bottom - 1, horizontal, seen)
    for row in range(max(top + 1, 0), min(bottom - 1, picture.rows)):
        picture.put(left, row, vertical, seen)
        picture.put(right - 1, row, vertical, seen)
    for (column, row), glyph in zip(
        [(left, top), (right - 1, top), (left, bottom - 1), (right - 1, bottom - 1)], corners, strict=True
    ):
        picture.put(column, row, glyph, seen)


def text(picture: Picture, line: str, column: int, row: int, box, seen, width) -> None:
    room = box[2] - box[0]
    if sum(map(width, line)) > room:
        kept, used = "", 0
        for character in line:
            if used + width(character) > room - 1:
                break
            kept += character
            used += width(character)
        line = kept + "…" if room > 0 else ""
    columns = sum(map(width, line))
    column = min(max(column, box[0]), box[2] - columns)
    for character in line:
        picture.put(column, row, character, seen)
        if width(character) == 2:
            picture.put(column + 1, row, RIGHT_HALF, seen)
        column += width(character)


def bars(picture: Picture, view, below, box, seen) -> None:
    margin = 0 if view.content.border == "none" else 1
    left, top, right, bottom = box
    height = max((child.frame[1] + child.frame[3] for child in below), default=0)
    length = bottom - top - 2 * margin
    if height > view.frame[3] > 0 and right - left >= 3 and bottom - top >= 2 + 2 * margin:
        size = min(max(1, floor(length * view.frame[3] / height + 0.5)), length)
        share = min(max(view.content.content_offset[1], 0), height - view.frame[3]) / (height - view.frame[3])
        start = floor(share * (length - size) + 0.5)
        for index in range(length):
            glyph = "┃" if start <= index < start + size else "│"
            picture.put(right - 1, top + margin + index, glyph, seen)
