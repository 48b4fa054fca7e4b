"""The scenes and workloads of the wire benchmark, from fixed seeds.

A workload is a list of ticks; a tick maps the number of each view that changed to its new frame. Numbers are in
preorder, frames relative to the superview, in pixels.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

Frame = tuple[int, int, int, int]
Tick = dict[int, Frame]


@dataclass
class Scene:
    """Views in preorder: id, superview's number, frame, text."""

    ids: list[str] = field(default_factory=list)
    parents: list[int | None] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def add(self, name: str, parent: int | None, frame: Frame, text: str = "") -> int:
        self.ids.append(name)
        self.parents.append(parent)
        self.frames.append(frame)
        self.texts.append(text)
        return len(self.ids) - 1


def edge(value: float) -> int:
    return math.floor(value + 0.5)


WORDS = ("Files Search Settings Profile Notes Inbox Drafts Archive Team Review Build Deploy Budget Report Design "
         "Release Metrics Errors Queue Backup Invoices Clients Roadmap Ideas").split()  # fmt: skip


class Dashboard:
    """A regular scene of 1,000 views: a tool bar, cards in columns, and beside a divider a list of 200 rows.

    Its layout is worked out here as constraints would: edges are rounded in the root's coordinates.
    """

    WIDTH, HEIGHT, COLUMNS, CARDS = 1280, 800, 4, 190

    def __init__(self) -> None:
        self.scene = Scene()
        rng = random.Random(11)
        add = self.scene.add
        self.root = add("root", None, (0, 0, self.WIDTH, self.HEIGHT))
        self.bar = add("toolbar", self.root, (0, 0, self.WIDTH, 40))
        for index in range(8):
            add(f"tool-{index}", self.bar, (8 + 48 * index, 4, 40, 32), WORDS[index])
        self.divider = add("divider", self.root, (240, 40, 4, 760))
        self.main = add("main", self.root, (244, 40, 1036, 760))
        self.panes = [add(f"pane-{index}", self.main, (0, 0, 0, 0)) for index in range(10)]
        self.grid = add("grid", self.main, (0, 0, 0, 0))
        self.cards = []
        for index in range(self.CARDS):
            card = add(f"card-{index}", self.grid, (0, 0, 0, 0))
            title = add(f"card-{index}-title", card, (8, 8, 0, 16), f"{rng.choice(WORDS)} {rng.choice(WORDS)}")
            body = add(f"card-{index}-body", card, (8, 28, 0, 48))
            self.cards.append((card, title, body))
        self.sidebar = add("sidebar", self.root, (0, 40, 240, 760))
        self.head = add("sidebar-head", self.sidebar, (8, 8, 224, 24), "Navigation")
        self.rows_view = add("rows", self.sidebar, (8, 40, 224, 720))
        self.rows = [
            add(f"row-{index}", self.rows_view, (0, 24 * index, 160, 24), f"{rng.choice(WORDS)} {index}")
            for index in range(200)
        ]
        while len(self.scene.ids) < 1000:
            index = len(self.scene.ids)
            add(f"badge-{index}", self.root, (index % 90, 2, 12, 12))
        self.scene.frames = self.layout(240, cards=True)

    def layout(self, width: float, cards: bool) -> list[Frame]:
        """All frames with a sidebar of that width. Without `cards` the columns stay as they are, as in a scroll view."""
        frames = list(self.scene.frames)
        side = edge(width)
        frames[self.sidebar] = (0, 40, side, 760)
        frames[self.head] = (8, 8, side - 16, 24)
        frames[self.rows_view] = (8, 40, side - 16, 720)
        frames[self.divider] = (side, 40, 4, 760)
        left = width + 4
        frames[self.main] = (edge(left), 40, self.WIDTH - edge(left), 760)
        room = self.WIDTH - left
        for index, pane in enumerate(self.panes):
            # Panes share the main area in fifths; edges are rounded in the root's coordinates.
            start, end = left + room * (index % 5) / 5, left + room * (index % 5 + 1) / 5
            frames[pane] = (edge(start) - edge(left), 60 * (index // 5), edge(end) - edge(start), 60)
        frames[self.grid] = (0, 120, self.WIDTH - edge(left), 640)
        for index, (card, title, body) in enumerate(self.cards):
            if not cards and index % self.COLUMNS != 0:
                continue
            column, row = index % self.COLUMNS, index // self.COLUMNS
            if not cards and row >= 10:
                continue
            start, end = left + room * column / 4, left + room * (column + 1) / 4
            frames[card] = (edge(start) - edge(left), 90 * row, edge(end) - edge(start), 84)
            frames[title] = (8, 8, frames[card][2] - 16, 16)
            frames[body] = (8, 28, frames[card][2] - 16, 48)
        return frames


def changes(old: list[Frame], new: list[Frame]) -> Tick:
    return {number: after for number, (before, after) in enumerate(zip(old, new)) if before != after}


def drag(dashboard: Dashboard) -> list[Tick]:
    """Five seconds of a pointer that pulls the divider to and fro."""
    rng = random.Random(1)
    ticks = []
    width, speed = 240.0, 0.0
    frames = dashboard.layout(width, cards=True)
    for _ in range(300):
        speed = max(-9.0, min(9.0, speed * 0.9 + rng.gauss(0, 1.6) + (270 - width) * 0.01))
        width = max(120.0, min(480.0, width + round(speed)))
        new = dashboard.layout(width, cards=False)
        tick = changes(frames, new)
        frames = new
        if tick:
            ticks.append(tick)
        dashboard.scene.frames = frames
    return ticks


def animation(dashboard: Dashboard) -> list[Tick]:
    """Forty animations of the sidebar's width, 18 ticks each, eased in and out; all cards follow."""
    ticks = []
    frames = dashboard.layout(240, cards=True)
    dashboard.scene.frames = frames
    for start, end in ((240, 320), (320, 240)) * 20:
        for step in range(1, 19):
            time = step / 18
            progress = time * time * (3 - 2 * time)
            new = dashboard.layout(start + (end - start) * progress, cards=True)
            tick = changes(frames, new)
            frames = new
            if tick:
                ticks.append(tick)
    return ticks


def animation_whole(dashboard: Dashboard) -> Tick:
    """The same way in one step, as a descriptor tells it."""
    return changes(dashboard.layout(240, cards=True), dashboard.layout(320, cards=True))


def list_shift(dashboard: Dashboard) -> list[Tick]:
    """200 rows move down or up by one row, time and again."""
    rng = random.Random(3)
    frames = list(dashboard.scene.frames)
    ticks = []
    for _ in range(100):
        step = rng.choice((24, -24))
        tick = {}
        for row in dashboard.rows:
            x, y, width, height = frames[row]
            tick[row] = frames[row] = (x, y + step, width, height)
        ticks.append(tick)
    return ticks


MASKS = ((0,), (1,), (0, 1), (2, 3))
SCALE = 8.0


def geometric(rng: random.Random) -> int:
    """Two-sided, never 0: magnitude 1 + geometric."""
    share = math.exp(-1 / SCALE)
    size = 1 + int(math.log(1 - rng.random()) / math.log(share))
    return size if rng.random() < 0.5 else -size


def random_edits(scene: Scene) -> list[Tick]:
    """Each tick ten views of a thousand change by themselves."""
    rng = random.Random(4)
    frames = list(scene.frames)
    ticks = []
    for _ in range(300):
        tick = {}
        for number in rng.sample(range(1, len(frames)), 10):
            frame = list(frames[number])
            for side in rng.choice(MASKS):
                frame[side] += geometric(rng)
            tick[number] = frames[number] = (frame[0], frame[1], frame[2], frame[3])
        ticks.append(dict(sorted(tick.items())))
    return ticks


def random_entropy_bytes() -> float:
    """Bits of `random_edits`' generator a tick, in bytes: which views, which fields, how far."""
    share = math.exp(-1 / SCALE)
    # A geometric magnitude: H(p) / p with p = 1 - share; one more bit for the sign.
    p = 1 - share
    delta = (-p * math.log2(p) - share * math.log2(share)) / p + 1
    views = math.log2(math.comb(999, 10))
    fields = math.log2(len(MASKS)) + delta * sum(map(len, MASKS)) / len(MASKS)
    return (views + 10 * fields) / 8


class Board:
    """A less regular scene: forms in forms, a grid, and notes that people place and push about."""

    def __init__(self) -> None:
        rng = random.Random(21)
        self.scene = Scene()
        add = self.scene.add
        root = add("root", None, (0, 0, 1600, 1000))
        self.forms: list[list[int]] = []
        form_area = add("forms", root, (0, 0, 500, 1000))
        y = 8
        for form in range(14):
            height = 30
            box = add(f"{rng.choice(WORDS).lower()}-form{form}", form_area, (8, y, 484, 0))
            fields = []
            for index in range(rng.randint(4, 14)):
                row = add(f"f{form}-{rng.choice(WORDS).lower()}-{index}", box, (6 + rng.randint(0, 3) * 8, height, 470, 22))
                fields.append(row)
                add(f"f{form}-{index}-caption", row, (0, 3, rng.randint(40, 130), 16), rng.choice(WORDS))
                add(f"f{form}-{index}-input", row, (140, 0, rng.randint(90, 320), 22))
                height += rng.choice((24, 26, 32, 48))
            self.scene.frames[box] = (8, y, 484, height)
            self.forms.append([box, *fields])
            y += height + 12
        self.grid = add("grid", root, (508, 0, 500, 1000))
        self.cells = [[add(f"cell-{r}-{c}", self.grid, (0, 0, 0, 0)) for c in range(9)] for r in range(30)]
        self.weights = [rng.uniform(0.5, 2.0) for _ in range(9)]
        for number, frame in self.grid_frames().items():
            self.scene.frames[number] = frame
        notes = add("notes", root, (1016, 0, 584, 1000))
        self.notes = []
        while len(self.scene.ids) < 1000:
            note = add(f"note-{rng.choice(WORDS).lower()}-{len(self.scene.ids)}", notes,
                       (rng.randint(0, 500), rng.randint(0, 950), rng.randint(40, 160), rng.randint(20, 120)),
                       " ".join(rng.choices(WORDS, k=rng.randint(1, 4))))  # fmt: skip
            self.notes.append(note)

    def grid_frames(self) -> Tick:
        total = sum(self.weights)
        edges = [508 + 500 * sum(self.weights[:c]) / total for c in range(10)]
        return {
            cell: (edge(edges[c]) - 508, 33 * r, edge(edges[c + 1]) - edge(edges[c]), 32)
            for r, row in enumerate(self.cells)
            for c, cell in enumerate(row)
        }


def board(board: Board) -> list[Tick]:
    """300 ticks in which a form grows, two columns change places in width, and three people push notes."""
    rng = random.Random(22)
    frames = list(board.scene.frames)
    groups = [rng.sample(board.notes, rng.randint(1, 25)) for _ in range(3)]
    ticks = []
    for index in range(300):
        new = list(frames)
        for who in range(3):
            if rng.random() < 0.03:
                groups[who] = rng.sample(board.notes, rng.randint(1, 25))
            dx, dy = rng.randint(-6, 6), rng.randint(-6, 6)
            for note in groups[who]:
                x, y, width, height = new[note]
                # At the edge a note stays, so that not all of a group move alike.
                new[note] = (max(0, min(560, x + dx)), max(0, min(980, y + dy)), width, height)
        if index % 3 == 0:
            first, second = rng.sample(range(9), 2)
            step = min(0.05, board.weights[first] - 0.2)
            board.weights[first] -= step
            board.weights[second] += step
            for cell, frame in board.grid_frames().items():
                new[cell] = frame
        if index % 10 == 0:
            form = rng.randrange(len(board.forms))
            box, *fields = board.forms[form]
            place, grow = rng.randrange(len(fields)), rng.choice((-8, 8, 16))
            for row in fields[place + 1 :]:
                x, y, width, height = new[row]
                new[row] = (x, y + grow, width, height)
            x, y, width, height = new[box]
            new[box] = (x, y, width, height + grow)
            for other, *_ in board.forms[form + 1 :]:
                x, y, width, height = new[other]
                new[other] = (x, y + grow, width, height)
        tick = changes(frames, new)
        frames = new
        if tick:
            ticks.append(tick)
    return ticks
