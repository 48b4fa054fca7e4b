"""Values inside messages (SPEC section 2), and the kinds of their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .frames import Body, BodyKind
from .kinds import (
    CONSTRAINTS,
    F64,
    ID_BYTES,
    IDENTIFIER,
    INFLATED_BYTES,
    MESSAGE_BYTES,
    NAME_BYTES,
    NUMBERS,
    OPS,
    TEXT_BYTES,
    TOKEN_BYTES,
    U64,
    VIEWS,
    Choice,
    Doubles,
    Fixed64,
    Flag,
    Integers,
    JSONText,
    ListOf,
    Maybe,
    MaybeColor,
    MaybeNumber,
    Struct,
    Text,
    Texts,
    Unsigned,
    field,
)

U8 = Unsigned(8)
U32 = Unsigned(32)
NUMBER = Unsigned(32, lambda value: value < NUMBERS)
ID = Text(ID_BYTES)
NAME = Text(NAME_BYTES)
TOKEN = Text(TOKEN_BYTES)
LONG = Text(TEXT_BYTES)
IDS = Texts(VIEWS, ID_BYTES)
RULES = Texts(CONSTRAINTS, 256)
ROLE = Choice("viewer", "editor", "participant")
CHUNKS = 1024


@dataclass
class Line:
    """A line of a label, broken and placed by the server."""

    text: str = field(LONG, "")
    place: tuple[int, ...] = field(Integers(3), (0, 0, 0))


@dataclass
class Style:
    """What is drawn of a view, without its lines."""

    kind: str = field(Choice("view", "label", "stack", "scroll", "flow", "image"), "view")
    hidden: bool = field(Flag(), False)
    clips: bool = field(Flag(), False)
    opacity: int = field(U8, 255)
    background: str | None = field(MaybeColor(), None)
    foreground: str | None = field(MaybeColor(), None)
    border: str = field(Choice("none", "single", "rounded", "double", "heavy"), "none")
    align: str = field(Choice("left", "center", "right", "natural", "justified"), "natural")
    content_offset: tuple[int, ...] = field(Integers(2), (0, 0))


@dataclass
class Content(Style):
    """What is drawn of a view."""

    lines: list[Line] = field(ListOf(Struct(Line), TEXT_BYTES), list)


@dataclass(frozen=True)
class FaceFile:
    """A face by the hash of its file."""

    name: str = field(Text(64), "")
    weight: int = field(U32, 0)
    hash: str = field(Text(64), "")


@dataclass(frozen=True)
class FaceStyle:
    """A size and weight of faces."""

    weight: int = field(U32, 0)
    #: The em, in 1/64 point.
    size: int = field(U32, 0)
    #: How far the baseline of each line lies below its top, in units.
    ascent: int = field(U32, 0)
    #: Whether lines have to be fitted to their widths.
    fitted: bool = field(Flag(), False)


@dataclass
class FaceOfView:
    number: int = field(NUMBER, 0)
    #: The place of its style, from 1; 0 for none.
    style: int = field(U32, 0)


@dataclass
class Faces:
    """The fonts of views' lines (SPEC FACE-1)."""

    files: list[FaceFile] = field(ListOf(Struct(FaceFile), 8), list)
    styles: list[FaceStyle] = field(ListOf(Struct(FaceStyle), VIEWS + 1), list)
    views: list[FaceOfView] = field(ListOf(Struct(FaceOfView), VIEWS + 1), list)

    def broken_rule(self) -> str | None:
        fits = all(view.style <= len(self.styles) for view in self.views)
        return None if fits else "the place of a style"


@dataclass(frozen=True)
class Face:
    """The font of a view's lines."""

    style: FaceStyle
    #: In the order in which characters look for a glyph.
    files: tuple[FaceFile, ...]


@dataclass(frozen=True)
class Shadow:
    """What a view's area casts."""

    color: str | None = field(MaybeColor(), None)
    #: Right and down, in points.
    offset: tuple[float, float] = field(Doubles(2), (0.0, 0.0))
    #: The standard deviation of the blur, in points.
    radius: float = field(F64(), 0.0)


@dataclass(frozen=True)
class Stop:
    """A colour of a gradient."""

    location: float = field(F64(), 0.0)
    color: str | None = field(MaybeColor(), None)


@dataclass
class Gradient:
    """A linear gradient; start and end are shares of the view's size."""

    start: tuple[float, float] = field(Doubles(2), (0.0, 0.0))
    end: tuple[float, float] = field(Doubles(2), (0.0, 0.0))
    stops: list[Stop] = field(ListOf(Struct(Stop), 16), list)


@dataclass(frozen=True)
class Transform:
    """Scales, turns (clockwise, in degrees) and moves a view about its centre."""

    rotation: float = field(F64(), 0.0)
    scale: tuple[float, float] = field(Doubles(2), (1.0, 1.0))
    translation: tuple[float, float] = field(Doubles(2), (0.0, 0.0))


CONTENT_MODE = Choice(
    "scaleToFill", "scaleAspectFit", "scaleAspectFill", "redraw", "center", "top", "bottom", "left", "right", "topLeft", "topRight", "bottomLeft", "bottomRight"
)


@dataclass(frozen=True)
class Image:
    """A picture, by the hash of its file; `width` and `height` are in pixels, `scale` is pixels a point."""

    hash: str = field(Text(64), "")
    width: int = field(U32, 0)
    height: int = field(U32, 0)
    scale: float = field(F64(), 0.0)
    mode: str = field(CONTENT_MODE, "scaleToFill")


@dataclass(frozen=True)
class Symbol:
    """A symbol by its name, in the look's tint; `side` is that of its square, in points (SPEC VAL-17)."""

    name: str = ""
    side: float = 0.0
    mode: str = "scaleToFill"


@dataclass(frozen=True)
class Chart:
    """Values drawn over a view; `heights` are shares of its height, from left to right (SPEC VAL-18)."""

    style: str = "line"
    line_width: float = 0.0
    grid_lines: int = 0
    color: str | None = None
    heights: tuple[float, ...] = ()


@dataclass
class Look:
    """What is drawn of a view besides its content (SPEC VAL-14)."""

    corner_radius: float = field(F64(), 0.0)
    #: 1 top left, 2 top right, 4 bottom left, 8 bottom right.
    masked_corners: int = field(U32, 15)
    border_width: float = field(F64(), 0.0)
    border_color: str | None = field(MaybeColor(), None)
    tint: str | None = field(MaybeColor(), None)
    shadow: Shadow | None = field(Maybe(Shadow), None)
    gradient: Gradient | None = field(Maybe(Gradient), None)
    transform: Transform | None = field(Maybe(Transform), None)
    image: Image | None = field(Maybe(Image), None)
    #: Comes beside the looks, as `Symbols`.
    symbol: Symbol | None = None
    #: Comes beside the looks, as `Charts`.
    chart: Chart | None = None

    def broken_rule(self) -> str | None:
        return None if self.masked_corners <= 15 else "at most 15"


@dataclass
class LookOfView:
    number: int = field(NUMBER, 0)
    #: The place of its look, from 1; 0 for none.
    look: int = field(U32, 0)


@dataclass
class Looks:
    """The looks of views (SPEC VAL-14)."""

    looks: list[Look] = field(ListOf(Struct(Look), VIEWS + 1), list)
    views: list[LookOfView] = field(ListOf(Struct(LookOfView), VIEWS + 1), list)

    def broken_rule(self) -> str | None:
        fits = all(view.look <= len(self.looks) for view in self.views)
        return None if fits else "the place of a look"


@dataclass
class SymbolOfLook:
    #: The place of the look, from 1.
    look: int = field(U32, 0)
    name: str = field(Text(64), "")
    side: float = field(F64(), 0.0)
    mode: str = field(CONTENT_MODE, "scaleToFill")


@dataclass
class Symbols:
    """The symbols of a message's looks (SPEC VAL-17)."""

    symbols: list[SymbolOfLook] = field(ListOf(Struct(SymbolOfLook), VIEWS + 1), list)


@dataclass
class ChartHeight:
    height: int = field(U32, 0)

    def broken_rule(self) -> str | None:
        return None if self.height <= 10_000 else "at most 10,000"


@dataclass
class ChartOfLook:
    #: The place of the look, from 1.
    look: int = field(U32, 0)
    style: str = field(Choice("line", "area", "bars"), "line")
    line_width: float = field(F64(), 0.0)
    grid_lines: int = field(U32, 0)
    color: str | None = field(MaybeColor(), None)
    values: list[ChartHeight] = field(ListOf(Struct(ChartHeight), 256), list)

    def broken_rule(self) -> str | None:
        return None if self.grid_lines <= 16 else "at most 16"


@dataclass
class Charts:
    """The charts of a message's looks (SPEC VAL-18)."""

    charts: list[ChartOfLook] = field(ListOf(Struct(ChartOfLook), VIEWS + 1), list)


@dataclass
class View:
    """Everything that the wire says of a view."""

    number: int = field(NUMBER, 0)
    id: str = field(Text(ID_BYTES, lambda value: bool(IDENTIFIER.match(value))), "")
    parent: int | None = field(MaybeNumber(), None)
    frame: tuple[int, ...] = field(Integers(4), (0, 0, 0, 0))
    content: Content = field(Struct(Content), Content)


@dataclass
class Resume:
    session: str = field(NAME, "")
    token: str = field(TOKEN, "")
    epoch: int = field(U64(), 0)
    last_tick: int = field(U64(), 0)


@dataclass
class DeviceList:
    """Devices on which ops that were committed do not hold."""

    names: list[str] = field(Texts(256, ID_BYTES), list)


@dataclass
class Alternates:
    """Other addresses of a room. What is no `ws:` or `wss:` URL, or too long, is passed over where it is used."""

    urls: list[str] = field(Texts(8, TEXT_BYTES), list)


@dataclass
class WorkBudget:
    """What changing a room may cost, in units of work."""

    op: int = field(U64(), 0)
    message: int = field(U64(), 0)
    tick: int = field(U64(), 0)
    second: int = field(U64(), 0)


@dataclass
class ReplicaHash:
    """The state hash that a replica of the server's scene has at a tick."""

    hash: int = field(Fixed64(), 0)


@dataclass
class CycleDurations:
    ops: int = field(U32, 0)
    update_constraints: int = field(U32, 0)
    solve: int = field(U32, 0)
    layout: int = field(U32, 0)
    display: int = field(U32, 0)


@dataclass
class Limits:
    """What `welcome` announces."""

    message_bytes: int = field(U32, MESSAGE_BYTES)
    views: int = field(U32, VIEWS)
    constraints: int = field(U32, CONSTRAINTS)
    ops: int = field(U32, OPS)
    messages_per_second: int = field(U32, 0)
    depth: int = field(U32, 512)
    text_bytes: int = field(U32, TEXT_BYTES)
    inflated_bytes: int = field(U32, INFLATED_BYTES)
    unacknowledged_frames: int = field(U32, 32)


@dataclass
class Add(View):
    """A new view, at that place among its siblings."""

    index: int = field(U32, 0)


@dataclass
class Remove:
    number: int = field(NUMBER, 0)


@dataclass
class Move:
    number: int = field(NUMBER, 0)
    parent: int = field(NUMBER, 0)
    index: int = field(U32, 0)


@dataclass
class ContentChange:
    number: int = field(NUMBER, 0)
    content: Content = field(Struct(Content), Content)


@dataclass
class Invalidation:
    number: int = field(NUMBER, 0)
    frame: tuple[int, ...] = field(Integers(4), (0, 0, 0, 0))


@dataclass
class NamedFrame:
    id: str = field(ID, "")
    frame: tuple[float, ...] = field(Doubles(4), (0.0, 0.0, 0.0, 0.0))


@dataclass
class Refused:
    """Why an op, or a batch, was not taken."""

    code: str = field(Text(64), "")
    message: str = field(LONG, "")
    op_index: int = field(U32, 0)
    conflicting: list[str] = field(RULES, list)


@dataclass
class Committed:
    frames: list[NamedFrame] = field(ListOf(Struct(NamedFrame), VIEWS + 1), list)
    removed_constraints: list[str] = field(RULES, list)
    refusals: list[Refused] = field(ListOf(Struct(Refused), OPS), list)


@dataclass
class Cursor:
    point: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))


@dataclass
class PresencePlace:
    """A place in a view, as shares of its width and height, 0 to 1 each: the same on every device."""

    view: str = field(Text(ID_BYTES), "")
    fraction: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))


@dataclass
class PresenceAwareness:
    """What a member attends to, and what it wants of the others."""

    #: The device of the scene that it watches; empty for the main one and for one of its own.
    device: str = field(Text(ID_BYTES), "")
    #: Its client has had no input for 60 seconds.
    idle: bool = field(Flag(), False)
    #: It wants to say something.
    hand_raised: bool = field(Flag(), False)
    #: It asks all others to follow it; servers pass that on of editors alone.
    spotlight: bool = field(Flag(), False)


@dataclass
class FittingQuestion:
    """Asks which size fits a view: next to a width and height wished for, in points, at two priorities."""

    view: str = field(Text(ID_BYTES), "")
    size: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))
    priorities: tuple[float, ...] = field(Doubles(2), (50.0, 50.0))


@dataclass
class FittingList:
    views: list[FittingQuestion] = field(ListOf(Struct(FittingQuestion), 16), list)


@dataclass
class Interaction:
    """What people can do with a view, and what is said of it to those who do not see it."""

    control: str = field(Choice("none", "button", "switch", "slider", "textField", "segmented", "progress"), "none")
    events: list[str] = field(Texts(16, 16), list)
    enabled: bool = field(Flag(), True)
    focusable: bool = field(Flag(), False)
    selected: bool = field(Flag(), False)
    continuous: bool = field(Flag(), False)
    scrolls_each: bool = field(Flag(), False)
    label: str = field(LONG, "")
    role: str = field(Text(32), "")
    hint: str = field(LONG, "")
    value: Any = field(JSONText(), None)
    minimum: float = field(F64(), 0.0)
    maximum: float = field(F64(), 1.0)
    step: float = field(F64(), 0.0)
    placeholder: str = field(LONG, "")
    segments: list[str] = field(Texts(64, TEXT_BYTES), list)


@dataclass
class InteractionChange:
    """How one view's interaction changed; None takes it away."""

    id: str = field(Text(ID_BYTES), "")
    interaction: Interaction | None = field(Maybe(Interaction), None)


@dataclass
class InsetChange:
    """How far a scroll view can be scrolled beyond its content from now on: top, left, bottom, right, in units."""

    id: str = field(Text(ID_BYTES), "")
    inset: tuple[int, ...] = field(Integers(4), (0, 0, 0, 0))


@dataclass
class AnnotationChange:
    """What an annotation says from now on, as an object; None where it is gone."""

    kind: str = field(Choice("thread", "comment", "lock", "version", "suggestion"), "thread")
    id: str = field(Text(72), "")
    value: Any = field(JSONText(), None)


@dataclass
class Answer:
    """What a handler made of an event."""

    sequence: int = field(U64(), 0)
    handled: bool = field(Flag(), True)


@dataclass
class EventResult:
    """What became of an event of the client's."""

    event_sequence: int = field(U64(), 0)
    outcome: str = field(Choice("handled", "unhandled", "unknown", "refused"), "handled")
    code: str = field(Text(64), "")
    message: str = field(LONG, "")


@dataclass
class Start:
    """An animation: how frames change in all, and when."""

    id: int = field(U32, 0)
    delay_ticks: int = field(U32, 0)
    duration_ticks: int = field(Unsigned(32, lambda value: value > 0), 1)
    curve: str = field(Choice("linear", "easeIn", "easeOut", "easeInOut"), "linear")
    body: Body = field(BodyKind(), Body)

    def broken_rule(self) -> str | None:
        return "absolute rows in an animation" if self.body.absolute_rows else None


@dataclass
class Cancel:
    id: int = field(U32, 0)
