"""Writes one of Yoga's captured trees as constraints, as an author of Auto Layout would.

Along each axis a node's size comes from outside (a length, two edges that are pinned, a share of what is left), from its
contents, which it hugs, or from both: a stretched child of a row that is as high as the highest. Flexbox finds out by laying
out; a constraint has to be written for one of these. Yoga's frames tell which branch a node takes, where the styles alone do
not: whether children that may grow fill their container or overflow it, whether a text has to do with less room than its
content takes, and in which line of a wrapping container a child is. Numbers are taken from the frames only where `notes`
counts it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from node import CENTER, END, SIZE, SLACK, START, Node

OTHER = {"x": "y", "y": "x"}
#: Priorities. A container that is as large as the largest of its children wishes to be small, weaker than any content.
REQUIRED, WISH = 1000, 50
#: By how much weaker a text resists that may shrink, so that it gives way before others; once more for each container around it
#: that may, as the others in there give way before those outside, but after it.
SHRINKS = 5
#: Where a node's size comes from.
OUTER, HUG, MIXED = "outer", "hug", "mixed"


class Translator:
    def __init__(self, capture: Path, frames: list[list[float]]):
        self.nodes: list[Node] = []
        self.root = Node(json.loads(capture.read_text())["tree"], None, frames, self.nodes)
        self.lines: list[str] = []
        self.guides = 0
        #: How many nodes are what the frames say rather than what the styles do, by reason.
        self.notes: Counter[str] = Counter()

    # Lines of the scene.

    def say(self, node: Node | int, attribute: str, constant: float, other: Node | int | None = None, of: str = "", *,
            relation: str = "=", multiplier: float = 1, priority: float = REQUIRED) -> None:  # fmt: skip
        index = lambda item: item.index if isinstance(item, Node) else item
        line = f"constraint {index(node)} {attribute} {relation} {constant:.9g} {priority:g}"
        self.lines.append(line if other is None else f"{line} {index(other)} {of or attribute} {multiplier:.9g}")

    def wish_small(self, node: Node, axis: str) -> None:
        self.say(node, SIZE[axis], 0, priority=WISH)

    def note(self, reason: str) -> None:
        self.notes[reason] += 1

    def guide(self, owner: Node) -> int:
        self.lines.append(f"guide {owner.index}")
        self.guides += 1
        return -self.guides

    # Sizes.

    def clamped(self, node: Node, axis: str, size: float) -> float:
        """A length in points within the least and the largest that are in points too, and as large as padding."""
        for prefix, choose in ("max-", min), ("min-", max):
            limit = node.length(axis, prefix)
            if limit and not limit[1]:
                size = choose(size, limit[0])
        return max(size, sum(node.padding(axis)))

    def fix(self, node: Node, axis: str, container: Node, length: tuple[float, bool]) -> None:
        """Gives a node its length."""
        node.status[axis] = OUTER
        value, is_share = length
        if is_share:
            self.say(node, SIZE[axis], -value * sum(container.padding(axis)), container, SIZE[axis], multiplier=value)
        else:
            self.say(node, SIZE[axis], self.clamped(node, axis, value))

    def limit(self, node: Node, axis: str, container: Node) -> None:
        """Says the least and the largest size of a node whose size is no length."""
        for prefix, relation in ("min-", ">"), ("max-", "<"):
            limit = node.length(axis, prefix)
            if limit is None or (limit[1] and container.status[axis] != OUTER):
                continue
            value, is_share = limit
            if is_share:
                self.say(node, SIZE[axis], -value * sum(container.padding(axis)), container, SIZE[axis], relation=relation,
                         multiplier=value)  # fmt: skip
            else:
                self.say(node, SIZE[axis], value, relation=relation)

    def hug(self, node: Node, axis: str, container: Node) -> None:
        """Has a node be as large as its contents."""
        node.status[axis] = HUG
        if not node.is_measured and not node.is_snug(axis):
            node.excess[axis] = node.size[axis] - node.contents(axis)
            self.note("differ in size from their contents, by as much as in the frames")
        self.limit(node, axis, container)
        if node.is_measured:
            return
        least = node.length(axis, "min-")
        if least and not least[1] and node.flow():
            # It may be larger than its contents.
            node.status[axis] = MIXED
            self.wish_small(node, axis)
        elif not node.flow():
            self.say(node, SIZE[axis], self.clamped(node, axis, 0))

    def reaches(self, node: Node, axis: str, container: Node) -> bool:
        """Whether a node is as large as it may be."""
        largest = node.length(axis, "max-")
        return largest is not None and abs(node.size[axis] - largest[0] * (container.inner(axis) if largest[1] else 1)) <= SLACK

    # Places.

    def at_start(self, node: Node, axis: str, container: Node, relation: str = "=") -> None:
        constant = container.padding(axis)[0] + node.margin(axis)[0] + node.offset(axis)
        self.say(node, START[axis], constant, container, relation=relation)

    def at_end(self, node: Node, axis: str, container: Node, relation: str = "=", priority: float = REQUIRED) -> None:
        constant = node.offset(axis) - container.padding(axis)[1] - node.margin(axis)[1] - container.excess[axis]
        self.say(node, END[axis], constant, container, relation=relation, priority=priority)

    def at_center(self, node: Node, axis: str, container: Node) -> None:
        first, last = (container.padding(axis)[side] + node.margin(axis)[side] for side in (0, 1))
        self.say(node, CENTER[axis], (first - last) / 2 + node.offset(axis), container)

    def fits(self, last: Node, axis: str, container: Node) -> bool:
        """Whether a node ends within its container in Yoga's layout."""
        fits = last.end(axis) + last.margin(axis)[1] <= container.size[axis] - container.padding(axis)[1] + SLACK
        self.notes["have texts that end outside their container, and no limit"] += not fits
        return fits

    # Containers.

    def place(self, container: Node) -> None:
        """Says the sizes and places of all children."""
        flow = container.flow()
        for child in container.children:
            for axis in START:
                shrinks = child.shrink > 0 and axis == container.main and not child.is_absolute
                child.resistance[axis] = container.resistance[axis] - SHRINKS * shrinks
        if flow:
            lines = list(self.wrapped(container, flow))
            if len(lines) > 1:
                self.place_lines(container, lines)
            else:
                self.place_along(container, flow)
                self.place_across(container, flow)
        for child in container.children:
            if child.is_hidden:
                self.hide(child)
                continue
            if child.is_absolute:
                self.place_absolute(container, child, "x")
                self.place_absolute(container, child, "y")
            self.place(child)

    def place_along(self, container: Node, flow: list[Node]) -> None:
        axis, status = container.main, container.status[container.main]
        first, last = flow[0], flow[-1]
        if container.is_reverse:
            first, last, flow = last, first, flow[::-1]
        growing = [child for child in flow if child.grow > 0]
        taken = sum(child.size[axis] + sum(child.margin(axis)) for child in flow)
        # Whether those that may grow fill what is left; else the contents are larger, or decide.
        fills = bool(growing) and status != HUG and (status == MIXED or taken <= container.inner(axis) + SLACK)
        if fills and status == OUTER:
            self.notes["may grow and do, as contents leave room"] += sum(not child.has_no_basis for child in growing)
        if not growing and status == OUTER and abs(taken - container.inner(axis)) <= SLACK:
            growing = [child for child in flow if child.expands(axis)][:1]
            fills = bool(growing)
            self.notes["fill their container, as something in them grows"] += len(growing)
        elif growing and status == OUTER and not fills:
            self.notes["may grow and do not, as contents are larger"] += len(growing)
        for child in flow:
            length = child.length(axis)
            if child in growing and fills:
                child.status[axis] = status
                self.limit(child, axis, container)
                if status == MIXED and length and not length[1]:
                    self.say(child, SIZE[axis], length[0], relation=">")
            elif length and not (child.has_no_basis and status == OUTER) and not (length[1] and status == HUG):
                self.fix(child, axis, container, length)
            elif status == OUTER and child.expands(axis) and not child.holds_text(axis) and self.reaches(child, axis, container):
                self.fix(child, axis, container, child.length(axis, "max-"))
                self.note("fill their container, as something in them grows")
            else:
                self.hug(child, axis, container)
        if fills and status == OUTER:
            self.share(container, growing)
        for before, child in zip(flow, flow[1:]):
            gap = before.margin(axis)[1] + child.margin(axis)[0] + child.offset(axis) - before.offset(axis)
            if self.justify(container) != "space-between" or fills or status == HUG:
                self.say(child, START[axis], gap, before, END[axis])
        if fills or status == HUG:
            self.at_start(first, axis, container)
            # A largest size matters more, and then something is left over.
            has_largest = fills and any(child.length(axis, "max-") for child in growing)
            if has_largest:
                self.at_end(last, axis, container, "<")
            self.at_end(last, axis, container, priority=200 if has_largest else REQUIRED)
            return
        self.justified(container, flow)
        if status == MIXED:
            self.at_end(last, axis, container, "<")
            if self.justify(container) in ("center", "flex-end"):
                self.at_start(first, axis, container, ">")
        elif any(child.shrink or (child.status[axis] != OUTER and self.is_limited(child, axis)) for child in flow) and (
            self.fits(last, axis, container) and not container.is_scrolling
            and self.justify(container) not in ("flex-end", "space-between")
        ):  # fmt: skip
            self.at_end(last, axis, container, "<")

    def is_limited(self, node: Node, axis: str) -> bool:
        """Whether a text has to do with the room that the container of the node has."""
        return node.holds_text(axis) and (axis == "x" or (len(node.parent.flow()) == 1 and node.is_lone_text()))

    def justify(self, container: Node) -> str:
        justify = container.style.get("justify-content", "flex-start")
        if container.is_reverse:
            return {"flex-start": "flex-end", "flex-end": "flex-start"}.get(justify, justify)
        return justify

    def justified(self, container: Node, flow: list[Node]) -> None:
        axis, justify, first, last = container.main, self.justify(container), flow[0], flow[-1]
        if justify == "center":
            if len(flow) == 1:
                self.at_center(first, axis, container)
                return
            guide = self.guide(container)
            begin, end = first.margin(axis)[0] + container.padding(axis)[0], last.margin(axis)[1] + container.padding(axis)[1]
            self.say(guide, START[axis], -first.offset(axis), first)
            self.say(guide, END[axis], -last.offset(axis), last)
            self.say(guide, CENTER[axis], (begin - end) / 2, container)
        elif justify == "flex-end":
            self.at_end(last, axis, container)
        elif justify == "space-between" and len(flow) > 1:
            self.at_start(first, axis, container)
            self.at_end(last, axis, container)
            gaps = []
            for before, child in zip(flow, flow[1:]):
                if len(flow) == 2:
                    break
                gap = self.guide(container)
                self.say(gap, START[axis], before.margin(axis)[1], before, END[axis])
                self.say(gap, END[axis], -child.margin(axis)[0], child, START[axis])
                gaps.append(gap)
            for gap in gaps[1:]:
                self.say(gap, SIZE[axis], 0, gaps[0])
        elif justify in ("flex-start", "space-between"):
            self.at_start(first, axis, container)
        else:
            raise SystemExit(f"node {container.index}: justify-content {justify} is not translated")

    def share(self, container: Node, growing: list[Node]) -> None:
        """What is left is shared by those that grow."""
        axis, first = container.main, growing[0]
        for child in growing[1:]:
            ratio = child.grow / first.grow
            if first.has_no_basis and child.has_no_basis:
                constant = sum(child.padding(axis)) - ratio * sum(first.padding(axis))
            else:
                constant = child.size[axis] - ratio * first.size[axis]
                self.note("share what is left beside contents, whose sizes are those of the frames")
            self.say(child, SIZE[axis], constant, first, multiplier=ratio)

    def align(self, container: Node, child: Node, axis: str) -> str:
        if child.has_auto_margin(axis, True):
            return "center" if child.has_auto_margin(axis, False) else "flex-start"
        if child.has_auto_margin(axis, False):
            return "flex-end"
        own = child.style.get("align-self", "auto")
        align = container.style.get("align-items", "stretch") if own == "auto" else own
        if align not in ("stretch", "flex-start", "center", "flex-end"):
            raise SystemExit(f"node {child.index}: {align} is not translated")
        return align

    def place_across(self, container: Node, flow: list[Node]) -> None:
        axis = OTHER[container.main]
        status = container.status[axis]
        if status == HUG and len(flow) > 1:
            # As large as the largest.
            status = MIXED
            self.wish_small(container, axis)
        for child in flow:
            align, length = self.align(container, child, axis), child.length(axis)
            if status != OUTER and length and length[1]:
                # A share of a container that its contents decide on is the whole of it, or nothing that they have a say in.
                if length[0] == 1:
                    align = "stretch"
                length = None
            fills = child.expands(axis) and child.size[axis] >= container.inner(axis) - sum(child.margin(axis)) - SLACK
            stretches = (align == "stretch" or (fills and status == OUTER)) and not length
            if stretches and align != "stretch":
                self.note("fill their container, as something in them grows")
            if status == HUG:
                self.at_start(child, axis, container)
                self.at_end(child, axis, container)
                if length:
                    self.fix(child, axis, container, length)
                else:
                    self.hug(child, axis, container)
                continue
            if length:
                self.fix(child, axis, container, length)
            elif stretches:
                child.status[axis] = status
                self.limit(child, axis, container)
            else:
                self.hug(child, axis, container)
            if stretches:
                self.at_start(child, axis, container)
                # A largest size matters more.
                self.at_end(child, axis, container, priority=700 if child.length(axis, "max-") else REQUIRED)
                continue
            {"center": self.at_center, "flex-end": self.at_end}.get(align, self.at_start)(child, axis, container)
            if status == MIXED or (
                child.status[axis] != OUTER and self.is_limited(child, axis) and self.fits(child, axis, container)
            ):  # fmt: skip
                if align == "flex-end":
                    self.at_start(child, axis, container, ">")
                else:
                    self.at_end(child, axis, container, "<")

    def wrapped(self, container: Node, flow: list[Node]) -> Iterator[list[Node]]:
        """The lines of a container, which its frames tell."""
        axis, line = container.main, [flow[0]]
        for child in flow[1:]:
            if container.style.get("flex-wrap") == "wrap" and child.start[axis] < line[-1].start[axis]:
                yield line
                line = []
            line.append(child)
        yield line

    def place_lines(self, container: Node, lines: list[list[Node]]) -> None:
        """Lines as they are broken in the frames."""
        axis, across, above = container.main, OTHER[container.main], None
        for line in lines:
            before = None
            for child in line:
                self.note("lie in lines that wrap, broken where they are in the frames")
                for each in START:
                    length = child.length(each)
                    if length:
                        self.fix(child, each, container, length)
                    else:
                        self.hug(child, each, container)
                if before:
                    self.say(child, START[axis], before.margin(axis)[1] + child.margin(axis)[0], before, END[axis])
                else:
                    self.at_start(child, axis, container)
                if above:
                    self.say(child, START[across], above.margin(across)[1] + child.margin(across)[0], above, END[across])
                else:
                    self.at_start(child, across, container)
                before = child
            above = max(line, key=lambda child: child.end(across) + child.margin(across)[1])
        for each, last in (axis, max((line[-1] for line in lines), key=lambda child: child.end(axis))), (across, above):
            if container.status[each] == HUG:
                self.at_end(last, each, container)

    def hide(self, node: Node) -> None:
        """A node that is not displayed has no size."""
        for axis in START:
            self.say(node, START[axis], 0, node.parent)
            self.say(node, SIZE[axis], 0)
        for child in node.children:
            self.hide(child)

    def place_absolute(self, container: Node, node: Node, axis: str) -> None:
        border, margin = container.border(axis), node.margin(axis)
        inset = [node.edge("position", axis, is_end) for is_end in (False, True)]
        first, last = (value if isinstance(value, dict) else None for value in inset)
        length = node.length(axis)
        if length:
            self.fix(node, axis, container, length)
        elif first and last:
            node.status[axis] = OUTER
        else:
            self.hug(node, axis, container)
        align = self.justify(container) if axis == container.main else self.align(container, node, axis)
        if first and first["unit"] == "pct":
            if first["value"] != 100:
                raise SystemExit(f"node {node.index}: an inset of {first['value']} percent is not translated")
            # Of what is within the padding.
            self.say(node, START[axis], border[0] + margin[0] - sum(container.padding(axis)), container, END[axis])
        elif first:
            self.say(node, START[axis], border[0] + margin[0] + first["value"], container)
        if last and (not first or not length):
            self.say(node, END[axis], -border[1] - margin[1] - last["value"], container)
        if first or last:
            pass
        elif align == "center":
            self.say(node, CENTER[axis], (border[0] + margin[0] - border[1] - margin[1]) / 2, container)
        elif align == "flex-end":
            self.say(node, END[axis], -border[1] - margin[1], container)
        else:
            self.say(node, START[axis], border[0] + margin[0], container)
        within = node.size[axis] + sum(margin) <= container.size[axis] - sum(border) + SLACK
        holds_text = node.is_measured or any(child.holds_text(axis) for child in node.children)
        if node.status[axis] != OUTER and axis == "x" and holds_text and within:
            self.say(node, SIZE[axis], -sum(border) - sum(margin), container, relation="<")

    def translate(self) -> str:
        """The scene, as `CaptureFile.swift` reads it."""
        for axis in START:
            self.root.status[axis] = OUTER
        self.place(self.root)
        views = [f"window {self.root.size['x']:.9g} {self.root.size['y']:.9g}"]
        for node in self.nodes[1:]:
            line = f"view {node.parent.index}"
            if node.is_measured:
                line += "".join(f" {node.natural[axis] + sum(node.padding(axis)):.9g}" for axis in START)
            views.append(line)
        for node in self.nodes:
            for axis in START:
                if node.is_measured and node.resistance[axis] != 750:
                    views.append(f"resistance {node.index} {axis} 250 {node.resistance[axis]}")
        return "\n".join(views + self.lines) + "\n"

    @property
    def constraints(self) -> int:
        return sum(line.startswith("constraint") for line in self.lines)
