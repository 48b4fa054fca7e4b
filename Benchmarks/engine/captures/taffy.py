"""Writes one of Yoga's captured trees for `taffy_driver`, which has no reader of JSON: a line for each node.

    capture WIDTH HEIGHT
    node PARENT NAME=VALUE…

A value is a keyword, points, or a number and %. Styles are resolved as Yoga resolves them: edges for text from the left, `flex` as
grow, shrink and basis. What is Yoga's default is left out, and is what `taffy_driver` takes without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from node import END, SIZE, START, Node

KEYWORDS = {
    "align-content", "align-items", "align-self", "display", "flex-direction", "flex-wrap", "justify-content", "overflow",
    "position-type",
}  # fmt: skip
FLEX = {"flex", "flex-grow", "flex-shrink", "flex-basis"}
SIZES = [prefix + size for prefix in ("", "min-", "max-") for size in SIZE.values()]
GAPS = {"row-gap", "column-gap", "gap"}
#: Names of edges, in the capture and as they are written.
EDGES = {"position": "inset", "margin": "margin", "padding": "padding", "border": "border"}


def written(value: Any) -> str | None:
    """A length; none where it is Yoga's default."""
    if isinstance(value, dict):
        return f"{value['value']:.9g}" + ("%" if value["unit"] == "pct" else "")
    return value if value == "auto" else None


def styles(node: Node) -> Iterator[tuple[str, str | None]]:
    unknown = [name for name in node.style if name not in KEYWORDS | FLEX | GAPS | {*SIZES} and name.split("-")[0] not in EDGES]
    if unknown:
        raise SystemExit(f"node {node.index}: {', '.join(unknown)} is not written for Taffy")
    yield from ((name, node.style[name]) for name in node.style if name in KEYWORDS)
    yield from ((name, written(node.style.get(name))) for name in SIZES)
    yield from ((name, written(node.style.get(name, node.style.get("gap")))) for name in ("row-gap", "column-gap"))
    flex = node.style.get("flex", 0)
    yield "flex-grow", f"{node.grow:.9g}"
    yield "flex-shrink", f"{node.style.get('flex-shrink', max(-flex, 0)):.9g}"
    # Points and not a share, which would be the content where the container's size is not known.
    yield "flex-basis", "0" if node.has_no_basis else written(node.style.get("flex-basis"))
    for name, title in EDGES.items():
        for axis in START:
            for is_end, side in (False, START[axis]), (True, END[axis]):
                yield f"{title}-{side}", written(node.edge(name, axis, is_end))
    if node.is_measured:
        yield "content", f"{node.natural['x']:.9g},{node.natural['y']:.9g}"


def write(nodes: list[Node]) -> str:
    root = nodes[0]
    lines = [f"capture {root.size['x']:.9g} {root.size['y']:.9g}"]
    for node in nodes:
        words = [f"{name}={value}" for name, value in styles(node) if value is not None]
        lines.append(" ".join(["node", str(node.parent.index if node.parent else -1), *words]))
    return "\n".join(lines) + "\n"
