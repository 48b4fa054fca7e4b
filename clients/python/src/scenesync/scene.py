"""A program behind a scene: it owns what the scene shows, and hears what people do with it.

    async with Scene.connect("ws://127.0.0.1:7070/board", role="editor") as scene:
        @scene.on("tap", "add")
        async def add(event):
            await scene.view("list").append(label("new card"))
        await scene.run()
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import ops
from .aio import AsyncClient
from .comments import CommentEvent, CommentLedger
from .events import EVENTS, ReceivedEvent
from .messages import Result
from .mirror import Mirror
from .ops import Op
from .session import ANNOTATIONS, NotGranted

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .ops import Kind, ViewProperties

Handler = Callable[[ReceivedEvent], Awaitable[None] | None]
CommentHandler = Callable[[CommentEvent], Awaitable[None] | None]
log = logging.getLogger("scenesync")


# --- Views to be added -----------------------------------------------------------------------------------------------


@dataclass
class NewView:
    """A view that is not in a scene yet, with the views in it."""

    kind: Kind
    properties: ViewProperties
    children: tuple[NewView, ...] = ()
    id: str = field(default_factory=lambda: "v-" + uuid.uuid4().hex[:12])

    def ops(self, parent: str, index: int | None = None) -> list[Op]:
        made = [ops.add_view(self.id, parent, index, self.kind, **self.properties)]
        for child in self.children:
            made += child.ops(self.id)
        return made


def view(kind: Kind, *children: NewView, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """A view of any kind, with the views in it; without an `id` it gets a unique one."""
    made = NewView(kind, properties, children)
    if id is not None:
        made.id = id
    return made


def label(text: str, /, *, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """Text."""
    properties["text"] = text
    return view("label", id=id, **properties)


def button(title: str, /, *, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """A title that is tapped."""
    properties.setdefault("events", ["tap"])
    properties["text"] = title
    return view("button", id=id, **properties)


def switch(value: bool = False, /, *, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """On or off."""
    properties.setdefault("events", ["input"])
    properties["value"] = value
    return view("switch", id=id, **properties)


def slider(value: float = 0, /, *, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """A number between `minimum` and `maximum`."""
    properties.setdefault("events", ["input"])
    properties["value"] = value
    return view("slider", id=id, **properties)


def text_field(value: str = "", /, *, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """One line that people write."""
    properties.setdefault("events", ["input"])
    properties["value"] = value
    return view("textField", id=id, **properties)


def stack(*children: NewView, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """Views one below the other."""
    properties.setdefault("axis", "vertical")
    return view("stack", *children, id=id, **properties)


def row(*children: NewView, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """Views one beside the other."""
    properties["axis"] = "horizontal"
    return view("stack", *children, id=id, **properties)


def list_row(
    content: str | NewView, /, *children: NewView, id: str | None = None, **properties: Unpack[ViewProperties]
) -> NewView:
    """A row of a list that people tap or reach by arrow keys: a text, or views one beside the other.

    Give the stack around the rows the role `listbox`. Whether it is `selected` is yours to say, when you hear the tap.
    """
    properties.setdefault("role", "option")
    properties.setdefault("events", ["tap"])
    properties.setdefault("focusable", True)
    if isinstance(content, str) and not children:
        return label(content, id=id, **properties)
    first = label(content) if isinstance(content, str) else content
    return row(first, *children, id=id, **properties)


def scroll(*children: NewView, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """A part of its content."""
    return view("scroll", *children, id=id, **properties)


def image(*, id: str | None = None, **properties: Unpack[ViewProperties]) -> NewView:
    """A picture's place."""
    return view("image", id=id, **properties)


# --- The scene -------------------------------------------------------------------------------------------------------


class Value:
    """A value that changes, to be bound to a scene."""

    def __init__(self, value: Any = None) -> None:
        self._value = value
        self._listeners: list[Callable[[Any], None]] = []

    def get(self) -> Any:
        return self._value

    def set(self, value: Any) -> None:
        """Changes the value; those that are bound to it follow with the next tick."""
        if value == self._value:
            return
        self._value = value
        for listener in self._listeners:
            listener(value)


class View:
    """A view of a scene, by its id."""

    def __init__(self, scene: Scene, id: str) -> None:
        self.scene = scene
        self.id = id

    async def set(self, **properties: Unpack[ViewProperties]) -> None:
        """Changes properties."""
        await self.scene.apply(ops.set_view(self.id, **properties))

    async def append(self, new: NewView) -> View:
        """Adds a view, with those in it, as the last in this one."""
        await self.scene.apply(*new.ops(self.id))
        return View(self.scene, new.id)

    async def insert(self, index: int, new: NewView) -> View:
        """Adds a view, with those in it, at a place in this one."""
        await self.scene.apply(*new.ops(self.id, index))
        return View(self.scene, new.id)

    async def move(self, parent: str | View | None = None, index: int | None = None) -> None:
        """Gives the view another superview, another place, or both."""
        name = parent.id if isinstance(parent, View) else parent
        await self.scene.apply(ops.move_view(self.id, name, index))

    async def remove(self) -> None:
        """Removes the view and those in it."""
        await self.scene.apply(ops.remove_view(self.id))

    async def clear(self) -> None:
        """Removes all views in it, as one batch."""
        await self.scene.apply(*(ops.remove_view(child) for child in self.children))

    @property
    def children(self) -> list[str]:
        """The ids of the views in it, in order."""
        return [child.id for child in self.scene.mirror.children(self.id)]

    @property
    def text(self) -> str:
        """Its lines as they are shown."""
        return "\n".join(line.text for line in self.scene.mirror[self.id].content.lines)


class Scene:
    """A program's connection to a room. Its handlers run one after another, in the order in which events came, as on UIKit's
    main thread: what takes long belongs into a task of its own. An event is `handled` when its handler returns, `unhandled` when it
    raises or there is none; errors are logged."""

    def __init__(self, client: AsyncClient) -> None:
        self.client = client
        self._handlers: dict[tuple[str, str], Handler] = {}
        self._batch: ContextVar[list[Op] | None] = ContextVar("batch", default=None)
        self._bound: dict[object, Callable[[], Op]] = {}
        self._flushing: asyncio.Task[None] | None = None
        self._flushed = asyncio.Event()
        self._dispatching: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        self._comment_handler: CommentHandler | None = None
        self._comments: asyncio.Task[None] | None = None
        self._comments_began: asyncio.Future[None] | None = None
        # Held by the handler that runs.
        self._turn = asyncio.Lock()

    @classmethod
    def connect(cls, *urls: str, role: str = "editor", capabilities: int = 0, **options: Any) -> Scene:
        """A scene to be used with `async with`. The connection is made again after a cut, at the next address where several are
        known."""
        return cls(AsyncClient(*urls, role=role, capabilities=capabilities | EVENTS, **options))

    async def __aenter__(self) -> Scene:
        await self.client.__aenter__()
        self._dispatching = asyncio.create_task(self._dispatch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in (self._telling, self._flushing, self._dispatching, self._comments):
            if task:
                task.cancel()
        await self.client.__aexit__(kind, error, trace)

    @property
    def mirror(self) -> Mirror:
        """The views as they are now."""
        return self.client.mirror

    def view(self, id: str) -> View:
        """A view by its id, whether it is there yet or not."""
        return View(self, id)

    # --- Changing it -----------------------------------------------------------------------------------------------

    async def apply(self, *batch: Op, atomic: bool = False) -> Result | None:
        """Sends ops as one batch and waits for their result; within `batch()` they wait for its end. Raises `RefusedError`, which
        carries the conflict, if one was refused."""
        if not batch:
            return None
        waiting = self._batch.get()
        if waiting is not None:
            waiting.extend(batch)
            return None
        return await self.client.apply(list(batch), atomic=atomic or len(batch) > 1)

    @asynccontextmanager
    async def batch(self) -> AsyncIterator[None]:
        """What is changed inside is one batch, taken whole or not at all."""
        waiting: list[Op] = []
        token = self._batch.set(waiting)
        try:
            yield
        finally:
            self._batch.reset(token)
        await self.apply(*waiting, atomic=True)

    async def animate(self, seconds: float, *changes: Awaitable[Any] | Op, curve: ops.Curve | None = None) -> None:
        """Makes changes, and shows what they move on its way: `animate(0.3, scene.view("list").append(label("new")))`."""
        waiting: list[Op] = []
        token = self._batch.set(waiting)
        try:
            for change in changes:
                if isinstance(change, dict):
                    waiting.append(change)
                else:
                    await change
        finally:
            self._batch.reset(token)
        await self.apply(ops.animate(seconds, waiting, curve=curve, flush_updates=True))

    # --- Bound values ----------------------------------------------------------------------------------------------

    def bind(self, id: str, key: str, value: Value, convert: Callable[[Any], Any] = lambda value: value) -> None:
        """Lets a key of a view, or `constant`, `multiplier` or `priority` of a constraint, follow a value; at most one op a
        tick. `convert` makes what is sent of it."""

        def op() -> Op:
            if key in ("constant", "multiplier", "priority"):
                return ops.set_constraint(id, **{key: convert(value.get())})
            return ops.set_view(id, **{key: convert(value.get())})

        def changed(_: Any) -> None:
            self._bound[(id, key)] = op
            self._flushed.set()

        value._listeners.append(changed)
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        changed(None)

    async def _flush(self) -> None:
        while True:
            await self._flushed.wait()
            self._flushed.clear()
            bound, self._bound = self._bound, {}
            try:
                await self.client.apply([op() for op in bound.values()])
            except Exception:
                log.exception("a bound value was refused")
            rate = self.client.session.welcome.tick_rate if self.client.session.welcome else 60
            await asyncio.sleep(1 / max(rate, 1))

    # --- Hearing of it ---------------------------------------------------------------------------------------------

    def on(self, kind: str, view: str = "root") -> Callable[[Handler], Handler]:
        """Handles a kind of event of a view and those in it: the handler of the nearest view is called."""

        def decorate(handler: Handler) -> Handler:
            self._handlers[(kind, view)] = handler
            # Handlers that are set one after another are announced together.
            if self._telling is None:
                self._telling = asyncio.get_running_loop().create_task(self._tell())
            return handler

        return decorate

    async def _tell(self) -> None:
        self._telling = None
        await self.client.handle(sorted({view for _, view in self._handlers}))

    def on_comment(self, handler: CommentHandler) -> CommentHandler:
        """Handles comments: each that is written from now on, and each edit that mentions further people, once, also across
        reconnects; not the program's own. Needs `capabilities=ANNOTATIONS`, and raises `NotGranted` without. `handles_all` waits until
        the handler misses none. The server keeps no event for a program that is not running: what was written before is in
        `client.annotations`."""
        if self.client.session.granted & ANNOTATIONS == 0:
            raise NotGranted("on_comment needs capability 13; ask for it in `capabilities`")
        self._comment_handler = handler
        if self._comments is None:
            self._comments_began = asyncio.get_running_loop().create_future()
            self._comments = asyncio.create_task(self._hear_comments(self._comments_began))
        return handler

    async def _hear_comments(self, began: asyncio.Future[None]) -> None:
        ledger = CommentLedger()
        # The answer comes after all that the server had to say of annotations.
        try:
            await self.client.apply([ops.set_needs_layout()])
        except Exception as error:
            began.set_exception(error)
            return
        except asyncio.CancelledError:
            began.cancel()
            raise
        ledger.take(self.client.annotations, None)
        began.set_result(None)
        async for told in self.client.annotation_updates():
            welcome = self.client.session.welcome
            try:
                comments = ledger.take(told, welcome.person if welcome else None)
            except (KeyError, ValueError):
                log.exception("the server's annotations are not as specified; comments are not heard any more")
                raise
            for comment in comments:
                if self._comment_handler is not None:
                    await self._call(self._comment_handler, comment)

    async def handles_all(self) -> None:
        """Waits until the server knows of all handlers there are."""
        if self._telling:
            await self._telling
        if self._comments_began:
            await self._comments_began
        # The server takes messages in order, and answers this one.
        await self.client.apply([ops.set_needs_layout()])

    async def send(self, value: Any, to: int = 0, view: str = "") -> str:
        """Sends a message to a member, to `EVERYONE`, or to the handler of a view; returns the result."""
        return await self.client.send_event("message", view, value, to=to)

    async def run(self) -> None:
        """Waits until the connection has ended for good."""
        raise await self.client.ended()

    async def _dispatch(self) -> None:
        async for event in self.client.received():
            handler = self._handler(event)
            is_handled = handler is not None
            if handler is not None:
                is_handled = await self._call(handler, event)
            await self.client.answer(event, is_handled)

    async def _call(self, handler: Callable[[Any], Awaitable[None] | None], event: ReceivedEvent | CommentEvent) -> bool:
        """Calls a handler when no other one runs; whether it returned."""
        async with self._turn:
            try:
                result = handler(event)
                if result is not None:
                    await result
            except Exception:
                if isinstance(event, CommentEvent):
                    log.exception("the handler of comment %d of %r failed", event.number, event.thread)
                else:
                    log.exception("the handler of %s on %r failed", event.kind, event.view)
                return False
            return True

    def _handler(self, event: ReceivedEvent) -> Handler | None:
        # A message may be about no view, and a view may be gone already.
        path = self.mirror.path(event.view) if event.view in self.mirror else [event.view, "root"]
        for id in path:
            if handler := self._handlers.get((event.kind, id)):
                return handler
        return None


__all__ = ["NewView", "Scene", "Value", "View"]
