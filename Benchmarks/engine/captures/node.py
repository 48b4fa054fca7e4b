"""A node of one of Yoga's captured trees: its styles, and its frame in Yoga's layout."""

from __future__ import annotations

from typing import Any

START, END = {"x": "left", "y": "top"}, {"x": "right", "y": "bottom"}
SIZE, CENTER = {"x": "width", "y": "height"}, {"x": "centerX", "y": "centerY"}
#: What two frames may differ by for the rounding of numbers of 32 bits.
SLACK = 0.01


class Node:
    """A node of the capture, its styles resolved for text from the left."""

    def __init__(self, tree: dict[str, Any], parent: Node | None, frames: list[list[float]], nodes: list[Node]):
        self.index, self.parent = len(nodes), parent
        nodes.append(self)
        self.style: dict[str, Any] = tree.get("style") or {}
        left, top, width, height = frames[self.index]
        self.start, self.size = {"x": left, "y": top}, {"x": width, "y": height}
        state = tree.get("node") or {}
        self.is_measured = "measure-funcs" in state
        answers = state.get("measure-funcs") or []
        # How wide it is without an exact width, and how high it was at last, as in `driver.cpp`.
        natural = [answer for answer in answers if answer["width-mode"] != "exactly"] or answers[:1]
        self.natural = {"x": natural[-1]["output-width"], "y": answers[-1]["output-height"]} if natural else {"x": 0, "y": 0}
        #: Whether it was seen at more than one height, as a text that breaks is.
        self.breaks = len({answer["output-height"] for answer in answers}) > 1
        self.children = [Node(child, self, frames, nodes) for child in tree.get("children") or []]
        direction = self.style.get("flex-direction", "column")
        self.main, self.is_reverse = ("x" if direction.startswith("row") else "y"), direction.endswith("reverse")
        flex = self.style.get("flex", 0)
        self.grow = self.style.get("flex-grow", max(flex, 0))
        self.shrink = self.style.get("flex-shrink", 0)
        self.has_no_basis = flex > 0 and "flex-basis" not in self.style
        self.is_absolute = self.style.get("position-type") == "absolute"
        self.is_hidden = self.style.get("display") == "none"
        self.is_scrolling = self.style.get("overflow") == "scroll"
        self.status: dict[str, str] = {}
        #: By how much it is larger than its contents, where neither styles nor constraints say why.
        self.excess = {"x": 0.0, "y": 0.0}
        #: How strongly texts in it resist being narrower than their content.
        self.resistance = {"x": 750, "y": 750}

    def edge(self, name: str, axis: str, is_end: bool) -> Any:
        side = (END if is_end else START)[axis]
        sides = [side, "horizontal" if axis == "x" else "vertical", "all"]
        if axis == "x":
            sides.insert(0, "end" if is_end else "start")
        return next((self.style[f"{name}-{each}"] for each in sides if f"{name}-{each}" in self.style), None)

    def points(self, name: str, axis: str) -> tuple[float, float]:
        values = [self.edge(name, axis, is_end) for is_end in (False, True)]
        if any(isinstance(value, dict) and value["unit"] == "pct" for value in values):
            raise SystemExit(f"node {self.index}: {name} in percent is not translated")
        return tuple(value["value"] if isinstance(value, dict) else 0 for value in values)  # type: ignore[return-value]

    def border(self, axis: str) -> tuple[float, float]:
        return self.points("border", axis)

    def padding(self, axis: str) -> tuple[float, float]:
        """Padding and border."""
        border, padding = self.border(axis), self.points("padding", axis)
        return border[0] + padding[0], border[1] + padding[1]

    def margin(self, axis: str) -> tuple[float, float]:
        return self.points("margin", axis)

    def has_auto_margin(self, axis: str, is_end: bool) -> bool:
        return self.edge("margin", axis, is_end) == "auto"

    def length(self, axis: str, prefix: str = "") -> tuple[float, bool] | None:
        """A width or a height, and whether it is a share of the container's."""
        value = self.style.get(prefix + SIZE[axis])
        if not isinstance(value, dict):
            return None
        return (value["value"] / 100, True) if value["unit"] == "pct" else (value["value"], False)

    def offset(self, axis: str) -> float:
        """By how much a node in the flow is moved from its place."""
        for is_end in (False, True):
            value = self.edge("position", axis, is_end)
            if isinstance(value, dict):
                return -value["value"] if is_end else value["value"]
        return 0

    def inner(self, axis: str) -> float:
        return self.size[axis] - sum(self.padding(axis))

    def end(self, axis: str) -> float:
        return self.start[axis] + self.size[axis]

    def expands(self, axis: str) -> bool:
        """Whether it takes all the room that it is offered: a row does in which something grows, as Yoga had it of old."""
        if self.length(axis) or self.is_absolute or self.is_hidden:
            return False
        return any(
            child.expands(axis) or child.length(axis) == (1, True) or (axis == self.main and child.grow > 0) for child in self.children
            if not child.is_absolute and not child.is_hidden)  # fmt: skip

    def flow(self) -> list[Node]:
        return [child for child in self.children if not child.is_absolute and not child.is_hidden]

    def contents(self, axis: str) -> float:
        """How much its children take, in one line, with its padding."""
        sizes = [child.size[axis] + sum(child.margin(axis)) for child in self.flow()]
        return sum(self.padding(axis)) + (sum(sizes) if axis == self.main else max(sizes, default=0))

    def is_snug(self, axis: str) -> bool:
        """Whether it is as large as its contents or as its least or largest size."""
        is_limited = any(self.length(axis, prefix) for prefix in ("min-", "max-")) or self.style.get("flex-wrap") == "wrap"
        return is_limited or abs(self.contents(axis) - self.size[axis]) <= SLACK

    def holds_text(self, axis: str) -> bool:
        """Whether a text decides on its size along an axis, so that less room makes it smaller."""
        length = self.length(axis)
        if self.is_absolute or self.is_hidden or (length and not length[1]):
            return False
        return self.is_measured or any(child.holds_text(axis) for child in self.children)

    def is_lone_text(self) -> bool:
        """Whether there is nothing but one text in it."""
        flow = self.flow()
        return self.is_measured or (len(flow) == 1 and flow[0].is_lone_text())
