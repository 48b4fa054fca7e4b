"""Makers of ops (LANGUAGE section 8): plain dictionaries, as the wire and scene documents have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Unpack

Op = dict[str, Any]
Pair = Sequence[float]
Rectangle = Sequence[float]
Kind = Literal[
    "view", "label", "stack", "scroll", "flow", "image", "button", "switch", "slider", "textField", "segmented", "progress",
]  # fmt: skip
SizeClass = Literal["unspecified", "compact", "regular"]
Curve = Literal["linear", "easeIn", "easeOut", "easeInOut"]
Option = Literal[
    "alignAllLeft", "alignAllRight", "alignAllTop", "alignAllBottom", "alignAllLeading", "alignAllTrailing", "alignAllCenterX",
    "alignAllCenterY", "alignAllLastBaseline", "alignAllFirstBaseline", "directionLeadingToTrailing", "directionLeftToRight",
    "directionRightToLeft",
]  # fmt: skip


class ViewProperties(TypedDict, total=False):
    """The keys of a view (LANGUAGE section 3), in Python's style."""

    text: str
    lines: int
    align: Literal["left", "center", "right", "natural", "justified"]
    preferred_width: float
    background: str
    foreground: str
    border: Literal["none", "single", "rounded", "double", "heavy"]
    opacity: float
    hidden: bool
    clips: bool
    content_mode: Literal[
        "scaleToFill", "scaleAspectFit", "scaleAspectFill", "redraw", "center", "top", "bottom", "left", "right", "topLeft",
        "topRight", "bottomLeft", "bottomRight",
    ]  # fmt: skip
    collapses: Literal["width", "height"] | bool
    intrinsic: Pair
    hugging: Pair
    compression: Pair
    baseline: Pair
    margins: Sequence[float]
    safe_area: Sequence[float]
    frame: Rectangle
    frame_in: Pair
    autoresizing: Sequence[str]
    axis: Literal["horizontal", "vertical"]
    distribution: Literal["fill", "fillEqually", "fillProportionally", "equalSpacing", "equalCentering"]
    alignment: Literal["fill", "leading", "center", "trailing", "top", "bottom", "firstBaseline", "lastBaseline"]
    spacing: float
    custom_spacing: Mapping[str, float]
    arranged: Sequence[str]
    content_offset: Pair
    layout_margins_relative_arrangement: bool
    dynamic_type: bool
    traits: Mapping[str, Any]
    variations: Sequence[Mapping[str, Any]]
    insets_layout_margins_from_safe_area: bool
    preserves_superview_layout_margins: bool
    keyboard_uses_bottom_safe_area: bool
    minimum_content_size_category: str
    maximum_content_size_category: str
    installed: bool
    alignment_insets: Sequence[float]
    content_inset: Sequence[float]
    content_inset_adjustment_behavior: Literal["automatic", "scrollableAxes", "never", "always"]
    layout_margins_follow_readable_width: bool
    baseline_relative_arrangement: bool
    text_style: Literal[
        "largeTitle", "title1", "title2", "title3", "headline", "body", "callout", "subheadline", "footnote", "caption1", "caption2"
    ]
    font_size: float
    font_weight: Literal["ultraLight", "thin", "light", "regular", "medium", "semibold", "bold", "heavy", "black"]
    line_break_mode: Literal[
        "byWordWrapping", "byCharWrapping", "byClipping", "byTruncatingHead", "byTruncatingTail", "byTruncatingMiddle"
    ]
    minimum_scale_factor: float
    corner_radius: float
    masked_corners: Sequence[Literal["topLeft", "topRight", "bottomLeft", "bottomRight"]]
    border_width: float
    border_color: str
    shadow: Mapping[str, Any]
    gradient: Mapping[str, Any]
    tint: str
    transform: Mapping[str, Any]
    image: str | Mapping[str, Any]
    symbol: str
    chart: Mapping[str, Any]
    events: Sequence[Literal["tap", "press", "hover", "key", "scroll", "input"]]
    enabled: bool
    focusable: bool
    selected: bool
    continuous: bool
    scrolls: Literal["together", "each"]
    label: str
    role: str
    hint: str
    value: bool | float | str
    minimum: float
    maximum: float
    step: float
    placeholder: str
    segments: Sequence[str]


class ViewportProperties(TypedDict, total=False):
    """The keys of a viewport (LANGUAGE section 2)."""

    width: float
    height: float
    scale: float
    direction: Literal["ltr", "rtl"]
    rounding: Literal["pixel", "none"]
    unsatisfiable: Literal["refuse", "break"]
    cell: Pair
    safe_area: Mapping[str, float] | Sequence[float]
    keyboard: float
    margins: Sequence[float] | Literal["view", "controller"]
    horizontal_size_class: SizeClass
    vertical_size_class: SizeClass
    content_size_category: str
    user_interface_style: Literal["unspecified", "light", "dark"]
    accessibility_contrast: Literal["unspecified", "normal", "high"]
    idiom: str
    typography: Literal["unspecified", "grid", "faces"]


def _op(name: str, fields: Mapping[str, Any]) -> Op:
    """Leaves out what is None; keys are given in Python's style and sent in JSON's."""
    result: Op = {"op": name}
    for key, value in fields.items():
        if value is not None:
            head, *rest = key.split("_")
            result[head + "".join(part.title() for part in rest)] = value
    return result


# --- scripts/op_tables.py writes what follows from protocol/ops.json ---


def set_scene(document: Mapping[str, Any]) -> Op:
    """Makes the room's scene, or replaces it."""
    return {"op": "setScene", **document}


def add_view(
    id: str,
    parent: str | None = None,
    index: int | None = None,
    kind: Kind | None = None,
    **properties: Unpack[ViewProperties],
) -> Op:
    """Adds a view; `properties` are the document's keys, as `background="#102030"`."""
    return _op("addView", {"id": id, "parent": parent, "index": index, "kind": kind, **properties})


def remove_view(id: str) -> Op:
    """Removes a view and its subviews."""
    return _op("removeView", {"id": id})


def move_view(id: str, parent: str | None = None, index: int | None = None) -> Op:
    """Gives a view another superview, another place, or both."""
    return _op("moveView", {"id": id, "parent": parent, "index": index})


def set_view(id: str, **properties: Unpack[ViewProperties]) -> Op:
    """Changes the properties that are given."""
    return _op("setView", {"id": id, **properties})


def reset_view(id: str, *keys: str) -> Op:
    """Puts properties back to what they are when they are not given; `keys` are the document's, as `"background"`."""
    return _op("resetView", {"id": id, "keys": list(keys)})


def add_guide(id: str, parent: str | None = None) -> Op:
    """Adds a layout guide."""
    return _op("addGuide", {"id": id, "parent": parent})


def remove_constraint(id: str) -> Op:
    """Removes a constraint."""
    return _op("removeConstraint", {"id": id})


def set_constraint(
    id: str,
    constant: float | None = None,
    priority: float | None = None,
    multiplier: float | None = None,
    active: bool | None = None,
) -> Op:
    """Changes what is given of a constraint."""
    return _op("setConstraint", {
        "id": id,
        "constant": constant,
        "priority": priority,
        "multiplier": multiplier,
        "active": active,
    })


def activate_set(id: str, auto: bool | None = None) -> Op:
    """Puts a set in force, or (`auto`) leaves that to its condition again."""
    return _op("activateSet", {"id": id, "auto": auto})


def deactivate_set(id: str) -> Op:
    """Puts a set out of force."""
    return _op("deactivateSet", {"id": id})


def set_viewport(**fields: Unpack[ViewportProperties]) -> Op:
    """Changes the viewport: `width`, `height`, `scale`, …"""
    return _op("setViewport", {**fields})


def set_content_offset(id: str, x: float, y: float) -> Op:
    """Scrolls."""
    return _op("setContentOffset", {"id": id, "offset": [x, y]})


def set_needs_update_constraints(id: str | None = None) -> Op:
    """Marks a view, or `root`, for the update-constraints pass."""
    return _op("setNeedsUpdateConstraints", {"id": id})


def update_constraints_if_needed(id: str | None = None) -> Op:
    """Runs the update-constraints pass now for a subtree."""
    return _op("updateConstraintsIfNeeded", {"id": id})


def set_needs_layout(id: str | None = None) -> Op:
    """Marks a view, or `root`, for the layout pass."""
    return _op("setNeedsLayout", {"id": id})


def layout_if_needed(id: str | None = None) -> Op:
    """Lays a subtree out at this place of the batch; the result carries the frames that changed."""
    return _op("layoutIfNeeded", {"id": id})


def set_needs_display(id: str | None = None, rect: Rectangle | None = None) -> Op:
    """Marks a view, or the rectangle `[x, y, width, height]` of it, for the display pass."""
    return _op("setNeedsDisplay", {"id": id, "rect": rect})


def size_to_fit(id: str) -> Op:
    """Gives a view the size of its content."""
    return _op("sizeToFit", {"id": id})


def animate(
    duration: float,
    ops: Sequence[Op],
    delay: float | None = None,
    curve: Curve | None = None,
    flush_updates: bool | None = None,
) -> Op:
    """Runs ops and animates what a `layout_if_needed` among them lays out, or with `flush_updates` all that they leave pending."""
    return _op("animate", {
        "duration": duration,
        "delay": delay,
        "curve": curve,
        "flush_updates": flush_updates,
        "ops": list(ops),
    })


def set_needs_update_properties(id: str | None = None) -> Op:
    """Marks a view, or `root`, for the properties pass."""
    return _op("setNeedsUpdateProperties", {"id": id})


def update_properties_if_needed(id: str | None = None) -> Op:
    """Runs the properties pass now for a subtree."""
    return _op("updatePropertiesIfNeeded", {"id": id})


# --- end of what scripts/op_tables.py writes ---


# Written by hand: its parameters have an order of their own. scripts/op_tables.py holds their names against protocol/ops.json.
def add_constraint(
    rule: str | None = None,
    id: str | None = None,
    active: bool | None = None,
    set: str | None = None,
    *,
    vfl: str | None = None,
    options: Sequence[Option] | None = None,
    identifier: str | None = None,
    placeholder: bool | None = None,
    variations: Sequence[Mapping[str, Any]] | None = None,
) -> Op:
    """Adds a constraint such as `a.leading == b.trailing + 8 @750`, or a visual format, to a set if one is named."""
    return _op(
        "addConstraint",
        {
            "set": set, "id": id, "rule": rule, "vfl": vfl, "options": options, "active": active, "identifier": identifier,
            "placeholder": placeholder, "variations": variations,
        },
    )  # fmt: skip
