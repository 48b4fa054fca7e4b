"""A copy of a scene, kept up by the server's messages (SPEC section 9)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from .bits import Writer, wrap32
from .errors import MirrorError
from .frames import SLOTS, Body, Selection, bit_count
from .kinds import NUMBERS, VIEWS, write_fields
from .messages import (
    Add,
    Anim,
    Cancel,
    Content,
    ContentMessage,
    Frame,
    Insets,
    Keyframe,
    Message,
    Move,
    PresencePlace,
    Remove,
    Select,
    Snapshot,
    StateHash,
    Tree,
    View,
)
from .values import Chart, Charts, Face, Faces, Look, Looks, Symbol, Symbols

ANIMATIONS = 4096
MASK64 = (1 << 64) - 1


def view_hash(view_id: str, parent_id: str, content: Content, frame: tuple[int, ...]) -> int:
    """The hash of one view (SPEC section 10)."""
    writer = Writer()
    writer.text(view_id)
    writer.text(parent_id)
    write_fields(content, writer)
    for number in frame:
        writer.data += (number & 0xFFFFFFFF).to_bytes(4, "little")
    value = 0xCBF29CE484222325
    for byte in writer.data:
        value = (value ^ byte) * 0x100000001B3 & MASK64
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK64
    return value ^ value >> 31


def faces_of(faces: Faces | None) -> dict[int, Face | None]:
    """The fonts of lines that a message tells, by view; None for a view that has none any more."""
    if faces is None:
        return {}
    files = tuple(faces.files)
    return {
        view.number: Face(faces.styles[view.style - 1], files) if view.style else None for view in faces.views
    }


def looks_of(looks: Looks | None, symbols: Symbols | None, charts: Charts | None) -> dict[int, Look | None]:
    """The looks that a message tells, by view; None for a view that has none any more."""
    if looks is None:
        return {}
    own = list(looks.looks)
    # A symbol or a chart of a look that is not there is passed over.
    for given in symbols.symbols if symbols else []:
        if 1 <= given.look <= len(own):
            own[given.look - 1] = replace(own[given.look - 1], symbol=Symbol(given.name, given.side, given.mode))
    for chart in charts.charts if charts else []:
        if 1 <= chart.look <= len(own):
            heights = tuple(value.height / 10_000 for value in chart.values)
            drawn = Chart(chart.style, chart.line_width, chart.grid_lines, chart.color, heights)
            own[chart.look - 1] = replace(own[chart.look - 1], chart=drawn)
    return {view.number: own[view.look - 1] if view.look else None for view in looks.views}


def curve_progress(curve: str, time: float) -> float:
    """How far an animation is at a time, both within 0…1."""
    if time <= 0 or time >= 1:
        return 0.0 if time <= 0 else 1.0
    if curve == "linear":
        return time
    x1, x2 = {"easeIn": (0.42, 1.0), "easeOut": (0.0, 0.58), "easeInOut": (0.42, 0.58)}[curve]
    low, high = 0.0, 1.0
    for _ in range(60):
        t = (low + high) / 2
        s = 1 - t
        if 3 * s * s * t * x1 + 3 * s * t * t * x2 + t * t * t < time:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return 3 * (1 - t) * t * t + t * t * t


@dataclass
class Running:
    """An animation under way: how far each view's frame has to go in all."""

    id: int
    start: int
    duration: int
    curve: str
    deltas: dict[int, tuple[int, ...]]


@dataclass
class Node:
    view: View
    children: list[int] = field(default_factory=list)
    hash: int = 0
    face: Face | None = None
    look: Look | None = None


class Mirror:
    """The views by number and by id, in their order; `tick` and `state_hash` say which state it is.

    After a `MirrorError` only a snapshot can be applied (`needs_snapshot`).
    """

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}
        self._numbers: dict[str, int] = {}
        self._chunks: list[Snapshot] = []
        self._ring: list[Selection | None] = [None] * SLOTS
        self._last_deltas: list[tuple[int, ...]] = [()] * SLOTS
        self._next = 0
        self.animations: list[Running] = []
        #: How far scroll views can be scrolled beyond their content, by id: top, left, bottom, right, in units (SPEC AREA-17).
        self.insets: dict[str, tuple[int, ...]] = {}
        self.root: int | None = None
        self.epoch = 0
        self.tick = 0
        self.state_hash = 0
        self.needs_snapshot = True
        #: Whether messages of a tick have come whose frame has not: no tick names this state.
        self.is_within_tick = False
        self._announced_epoch: int | None = None

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, view_id: object) -> bool:
        return view_id in self._numbers

    def __getitem__(self, view_id: str) -> View:
        """The view of that id."""
        return self._nodes[self._numbers[view_id]].view

    def get(self, number: int) -> View | None:
        """The view of that number."""
        node = self._nodes.get(number)
        return node.view if node else None

    def path(self, view_id: str) -> list[str]:
        """The ids of a view and of those that it is in, up to the root."""
        view = self[view_id]
        ids = [view.id]
        while view.parent is not None:
            view = self._nodes[view.parent].view
            ids.append(view.id)
        return ids

    def children(self, view_id: str) -> list[View]:
        """The subviews, the last in front."""
        return [self._nodes[number].view for number in self._nodes[self._numbers[view_id]].children]

    def preorder(self) -> list[View]:
        """All views, superviews before subviews."""
        result = []
        stack = [] if self.root is None else [self.root]
        while stack:
            node = self._nodes[stack.pop()]
            result.append(node.view)
            stack.extend(reversed(node.children))
        return result

    def absolute_frame(self, view_id: str) -> tuple[int, int, int, int]:
        """Where a view stands in the root's coordinates; scrolled containers count."""
        view = self[view_id]
        x, y, width, height = view.frame
        while view.parent is not None:
            view = self._nodes[view.parent].view
            x += view.frame[0] - view.content.content_offset[0]
            y += view.frame[1] - view.content.content_offset[1]
        return x, y, width, height

    def place_in(self, view_id: str, x: float, y: float) -> PresencePlace:
        """A point of the root, in units, as a place in a view, which is the same on every device."""
        left, top, width, height = self.absolute_frame(view_id)
        shares = ((x - left) / width if width else 0.0, (y - top) / height if height else 0.0)
        return PresencePlace(view_id, (min(max(shares[0], 0.0), 1.0), min(max(shares[1], 0.0), 1.0)))

    def point_of(self, place: PresencePlace) -> tuple[float, float] | None:
        """The point of the root, in units, at a place; None where the view is not there, or not on show."""
        number = self._numbers.get(place.view)
        if number is None:
            return None
        view: View | None = self._nodes[number].view
        while view is not None:
            if view.content.hidden:
                return None
            view = None if view.parent is None else self._nodes[view.parent].view
        x, y, width, height = self.absolute_frame(place.view)
        across, down = (min(max(share, 0.0), 1.0) if math.isfinite(share) else 0.0 for share in place.fraction)
        return x + across * width, y + down * height

    def shown_frame(self, view_id: str, tick: int | None = None) -> tuple[int, ...]:
        """A view's frame, or where it is on the way to it while animations move it."""
        number = self._numbers[view_id]
        at = self.tick if tick is None else tick
        frame = [float(value) for value in self._nodes[number].view.frame]
        for running in self.animations:
            delta = running.deltas.get(number)
            if delta is None:
                continue
            elapsed = max(0, at - running.start)
            share = 1 - curve_progress(running.curve, elapsed / running.duration)
            frame = [value - step * share for value, step in zip(frame, delta)]
        return tuple(math.floor(value + 0.5) for value in frame)

    def continue_in(self, epoch: int) -> None:
        """Prepares for the messages of a new connection: empties the ring, and takes the first frame that fits to lead into
        its epoch (SPEC CONN-30)."""
        self._clear_ring()
        self.insets = {}
        self._announced_epoch = epoch

    # --- Messages --------------------------------------------------------------------------------------------------

    @property
    def is_loading(self) -> bool:
        """Whether some chunks of a snapshot have come, and not all."""
        return bool(self._chunks)

    def apply(self, message: Message) -> bool:
        """Applies a message that is about state, or the insets of scroll views; says whether it was."""
        if isinstance(message, Insets):
            known = {} if message.whole else self.insets
            told = {change.id: change.inset for change in message.changes}
            self.insets = {view_id: inset for view_id, inset in {**known, **told}.items() if any(inset)}
        elif isinstance(message, Snapshot):
            self._snapshot(message)
        elif isinstance(message, StateHash):
            self._check(message)
        elif isinstance(message, (Frame, Select, Tree, ContentMessage, Anim, Keyframe)):
            if self.needs_snapshot:
                raise MirrorError("no-snapshot")
            self.needs_snapshot = True
            if isinstance(message, Frame):
                self._frame(message)
            elif isinstance(message, Select):
                self._store(message.selection, message.deltas, message.slot)
            elif isinstance(message, Keyframe):
                self._keyframe(message)
            else:
                if message.tick < self.tick:
                    raise MirrorError("stale-tick")
                self.is_within_tick = True
                if isinstance(message, Tree):
                    self._tree(message)
                elif isinstance(message, ContentMessage):
                    self._content(message)
                else:
                    self._anim(message)
            self.needs_snapshot = False
        else:
            return False
        return True

    def _snapshot(self, chunk: Snapshot) -> None:
        self.needs_snapshot = True
        if chunk.chunk_index == 0:
            self._chunks = []
        expected = len(self._chunks)
        same = all(
            (c.epoch, c.tick, c.state_hash, c.chunk_count)
            == (chunk.epoch, chunk.tick, chunk.state_hash, chunk.chunk_count)
            for c in self._chunks[:1]
        )
        if chunk.chunk_index != expected or not same:
            self._chunks = []
            raise MirrorError("unexpected-chunk", f"{chunk.chunk_index} instead of {expected}")
        self._chunks.append(chunk)
        if sum(len(c.views) for c in self._chunks) > VIEWS + 1:
            self._chunks = []
            raise MirrorError("too-many-views")
        if len(self._chunks) < chunk.chunk_count:
            return
        chunks, self._chunks = self._chunks, []
        self._nodes.clear()
        self._numbers.clear()
        self._clear_ring()
        self.animations = []
        self.insets = {}
        self.root = None
        self.state_hash = 0
        self.epoch, self.tick = chunk.epoch, chunk.tick
        self._announced_epoch = None
        self.is_within_tick = False
        for part in chunks:
            told, seen = faces_of(part.faces), looks_of(part.looks, part.symbols, part.charts)
            for view in part.views:
                node = self._insert(view, None)
                node.face, node.look = told.get(view.number), seen.get(view.number)
        if self.root is None:
            raise MirrorError("misplaced-root")
        if self.state_hash != chunk.state_hash:
            raise MirrorError("hash-mismatch")
        self.needs_snapshot = False

    def _check(self, message: StateHash) -> None:
        if self.needs_snapshot:
            raise MirrorError("no-snapshot")
        if message.tick == self.tick and message.hash != self.state_hash:
            self.needs_snapshot = True
            raise MirrorError("hash-mismatch")

    def _frame(self, frame: Frame) -> None:
        after = frame.tick_after(self.tick)
        if after is None:
            raise MirrorError("wrong-base", f"{frame.tick} after {frame.base_distance} on {self.tick}")
        self._body(frame.body)
        self.tick = after
        self.is_within_tick = False
        if self._announced_epoch is not None:
            self.epoch, self._announced_epoch = self._announced_epoch, None
        self.animations = [a for a in self.animations if self.tick - a.start < a.duration]

    def _body(self, body: Body) -> dict[int, tuple[int, ...]]:
        """Applies a body; returns how groups and rows moved each view."""
        budget = len(self._nodes)
        moved: dict[int, tuple[int, ...]] = {}
        for group in body.groups:
            selection = group.selection
            deltas = group.deltas
            if selection is None:
                slot = group.slot or 0
                selection = self._ring[slot]
                if selection is None or bit_count(selection.mask) != len(deltas):
                    raise MirrorError("unknown-slot", str(group.slot))
                if body.cites_differences:
                    deltas = tuple(wrap32(a + b) for a, b in zip(deltas, self._last_deltas[slot]))
                self._last_deltas[slot] = deltas
            elif group.stores:
                self._store(selection, deltas, self._next)
            budget -= len(selection.numbers)
            if budget < 0:
                raise MirrorError("too-many-changes")
            delta = spread(selection.mask, deltas)
            for number in selection.numbers:
                self._shift(number, delta)
                moved[number] = delta
        if len(body.rows) + len(body.absolute_rows) > budget:
            raise MirrorError("too-many-changes")
        for row in body.rows:
            delta = spread(row.mask, row.values)
            self._shift(row.number, delta)
            moved[row.number] = delta
        for row in body.absolute_rows:
            frame = self._node(row.number).view.frame
            new = spread(row.mask, row.values)
            self._set_frame(
                row.number,
                tuple(n if row.mask >> i & 1 else o for i, (o, n) in enumerate(zip(frame, new))),
            )
        return moved

    def _shift(self, number: int, delta: tuple[int, ...]) -> None:
        frame = self._node(number).view.frame
        self._set_frame(number, tuple(wrap32(a + b) for a, b in zip(frame, delta)))

    def _set_frame(self, number: int, frame: tuple[int, ...]) -> None:
        node = self._node(number)
        node.view = replace(node.view, frame=frame)
        self._rehash(node)

    def _store(self, selection: Selection, deltas: tuple[int, ...], slot: int) -> None:
        self._ring[slot] = selection
        self._last_deltas[slot] = deltas
        self._next = (slot + 1) % SLOTS

    def _clear_ring(self) -> None:
        self._ring = [None] * SLOTS
        self._last_deltas = [()] * SLOTS
        self._next = 0

    def _anim(self, anim: Anim) -> None:
        for change in anim.changes:
            if isinstance(change, Cancel):
                self.animations = [a for a in self.animations if a.id != change.id]
                continue
            if len(self.animations) >= ANIMATIONS:
                raise MirrorError("too-many-animations")
            deltas = self._body(change.body)
            self.animations = [a for a in self.animations if a.id != change.id]
            self.animations.append(
                Running(
                    change.id, anim.tick + change.delay_ticks, change.duration_ticks, change.curve, deltas
                )
            )

    def _keyframe(self, keyframe: Keyframe) -> None:
        if keyframe.tick != self.tick:
            raise MirrorError("wrong-base")
        if len(keyframe.numbers) != len(self._nodes):
            raise MirrorError("malformed-numbering")
        for number in keyframe.numbers:
            self._node(number)
        places = {number: place for place, number in enumerate(keyframe.numbers)}
        if len(places) != len(self._nodes):
            raise MirrorError("malformed-numbering")
        nodes = {}
        for number, node in self._nodes.items():
            parent = None if node.view.parent is None else places[node.view.parent]
            node.view = replace(node.view, number=places[number], parent=parent)
            node.children = [places[child] for child in node.children]
            nodes[places[number]] = node
        self._nodes = nodes
        self._numbers = {node.view.id: number for number, node in nodes.items()}
        self.root = None if self.root is None else places[self.root]
        self._clear_ring()
        for animation in self.animations:
            animation.deltas = {places[n]: d for n, d in animation.deltas.items() if n in places}

    # --- The tree --------------------------------------------------------------------------------------------------

    def face(self, number: int) -> Face | None:
        """The font of a view's lines; None on a grid."""
        return self._node(number).face

    def look(self, number: int) -> Look | None:
        """What is drawn of a view besides its content; None for nothing."""
        return self._node(number).look

    def _node(self, number: int) -> Node:
        node = self._nodes.get(number)
        if node is None:
            raise MirrorError("unknown-view", str(number))
        return node

    def _rehash(self, node: Node) -> None:
        view = node.view
        parent_id = "" if view.parent is None else self._nodes[view.parent].view.id
        new = view_hash(view.id, parent_id, view.content, view.frame)
        self.state_hash = self.state_hash - node.hash + new & MASK64
        node.hash = new

    def _insert(self, view: View, index: int | None) -> Node:
        if view.number in self._nodes or view.number >= NUMBERS:
            raise MirrorError("duplicate-number", str(view.number))
        if view.id in self._numbers:
            raise MirrorError("duplicate-id", view.id)
        if view.parent is None:
            if self.root is not None:
                raise MirrorError("misplaced-root")
            self.root = view.number
        else:
            self._insert_child(view.number, self._node(view.parent), index)
        node = Node(View(view.number, view.id, view.parent, view.frame, view.content))
        self._nodes[view.number] = node
        self._numbers[view.id] = view.number
        self._rehash(node)
        return node

    def _insert_child(self, number: int, parent: Node, index: int | None) -> None:
        place = len(parent.children) if index is None else index
        if place > len(parent.children):
            raise MirrorError("invalid-index", str(place))
        parent.children.insert(place, number)

    def _tree(self, tree: Tree) -> None:
        told, seen = faces_of(tree.faces), looks_of(tree.looks, tree.symbols, tree.charts)
        for change in tree.changes:
            if isinstance(change, Add):
                if len(self._nodes) > VIEWS:
                    raise MirrorError("too-many-views")
                node = self._insert(change, change.index)
                node.face, node.look = told.get(change.number), seen.get(change.number)
            elif isinstance(change, Remove):
                self._remove(change.number)
            else:
                self._move(change)

    def _remove(self, number: int) -> None:
        parent = self._node(number).view.parent
        if parent is None:
            raise MirrorError("misplaced-root")
        self._nodes[parent].children.remove(number)
        stack = [number]
        while stack:
            gone = self._nodes.pop(stack.pop())
            stack.extend(gone.children)
            del self._numbers[gone.view.id]
            self.state_hash = self.state_hash - gone.hash & MASK64
            for animation in self.animations:
                animation.deltas.pop(gone.view.number, None)

    def _move(self, change: Move) -> None:
        node = self._node(change.number)
        if node.view.parent is None:
            raise MirrorError("misplaced-root")
        self._node(change.parent)
        ancestor: int | None = change.parent
        while ancestor is not None:
            if ancestor == change.number:
                raise MirrorError("cycle", str(change.number))
            ancestor = self._nodes[ancestor].view.parent
        self._nodes[node.view.parent].children.remove(change.number)
        self._insert_child(change.number, self._nodes[change.parent], change.index)
        node.view = replace(node.view, parent=change.parent)
        self._rehash(node)

    def _content(self, message: ContentMessage) -> None:
        told, seen = faces_of(message.faces), looks_of(message.looks, message.symbols, message.charts)
        for change in message.changes:
            node = self._node(change.number)
            node.view = replace(node.view, content=change.content)
            if change.number in told:
                node.face = told[change.number]
            if change.number in seen:
                node.look = seen[change.number]
            self._rehash(node)
        for invalidation in message.invalidations:
            self._node(invalidation.number)


def spread(mask: int, values: tuple[int, ...]) -> tuple[int, ...]:
    """A number for each of x, y, width and height; 0 where the mask has none."""
    rest = iter(values)
    return tuple(next(rest) if mask >> place & 1 else 0 for place in range(4))
