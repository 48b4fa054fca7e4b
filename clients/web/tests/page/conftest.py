"""A real server, a real Chromium, and what the tests of the page share.

SCENESYNC names the program; CHROMIUM the browser, Debian's by default.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from network import DELAY, Network
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "Tests" / "Support"))

import scenesync_server  # noqa: E402
from scenesync_server import EXAMPLES, PROGRAM, ROOT  # noqa: E402, F401

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
#: Milliseconds that tests wait for what comes. Nothing here takes seconds, but a machine may have other things to do.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

Op = dict[str, Any]


class Server(scenesync_server.Server):
    """A server with a scene of the examples in the room `demo`."""

    def __init__(self, *arguments: str, port: int = 0, data: str | None = None, scene: str = "dashboard") -> None:
        where = ["--data", data] if data else ["--in-memory"]
        super().__init__(*where, "--scene", str(EXAMPLES / f"{scene}.json"), *arguments, port=port)


@pytest.fixture(scope="session")
def browser_type() -> Iterator[BrowserType]:
    if not CHROMIUM:
        pytest.skip("no Chromium here")
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(browser_type: BrowserType) -> Iterator[Browser]:
    launched = browser_type.launch(executable_path=CHROMIUM)
    yield launched
    launched.close()


@pytest.fixture
def visits_at(browser_type: BrowserType) -> Iterator[Callable[[float], Visits]]:
    """A browser on a screen of so many pixels a point, from its first moment on.

    A context's `device_scale_factor` comes while the page is loading already, and what is drawn from fonts that were looked up before
    keeps their looks.
    """
    made: list[tuple[Browser, Visits]] = []

    def launch(ratio: float) -> Visits:
        arguments = [f"--force-device-scale-factor={ratio}", "--window-size=1280,900"]
        launched = browser_type.launch(executable_path=CHROMIUM, args=arguments)
        made.append((launched, Visits(launched, {"no_viewport": True})))
        return made[-1][1]

    yield launch
    for launched, visits in made:
        visits.close()
        launched.close()
    assert [visits.complaints for _, visits in made] == [[] for _ in made]


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def make_server() -> Iterator[Callable[..., Server]]:
    running: list[Server] = []

    def make(*arguments: str, **options: Any) -> Server:
        running.append(Server(*arguments, **options))
        return running[-1]

    yield make
    for each in running:
        each.stop()


@pytest.fixture
def networks() -> Iterator[Callable[[Server], Network]]:
    made: list[Network] = []

    def make(server: Server, delay: float = DELAY) -> Network:
        made.append(Network(server.port, delay))
        return made[-1]

    yield make
    for each in made:
        each.stop()


@pytest.fixture
def engine(server: Server) -> None:
    """These tests need what `./dev wasm` makes before the server is built."""
    if "true" not in server.text("/page/engine.js"):
        pytest.skip("this server was built without the engine")


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


class Visits:
    """Opens pages, and notes whatever a browser complains of."""

    def __init__(self, browser: Browser, screen: dict[str, Any] | None = None) -> None:
        self.browser = browser
        self.screen = screen or {"viewport": {"width": 1280, "height": 800}}
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        #: Complaints that a test brings about on purpose contain one of these.
        self.expected: list[str] = []

    def open(self, url: str, wait: bool = True, **options: Any) -> Page:
        """A page in a browser profile of its own: another person."""
        context = self.browser.new_context(**{**self.screen, "color_scheme": "light", **options})
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.note(message.type, message.text))
        page.on("pageerror", lambda error: self.note("error", str(error)))
        page.goto(url)
        if wait:
            ready(page)
        return page

    def note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(each in text for each in self.expected):
            self.complaints.append(text)

    def close(self) -> None:
        while self.contexts:
            self.contexts.pop().close()


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    made = Visits(browser)
    yield made
    made.close()
    assert made.complaints == []


def ready(page: Page) -> None:
    """The scene is painted, what is around it is shown, and the tree is there unless its panel is folded away."""
    page.wait_for_function("""() => window.scenesync?.firstPicture > 0 && !document.getElementById("share").disabled
        && (scenesync.tree || document.body.classList.contains("no-left"))""")


def look_into(page: Page) -> None:
    """Points at the panel on the right, which then tells what holds the scene."""
    page.hover("#right")
    page.wait_for_function("() => scenesync.inspector && scenesync.room.document")


FRAMES = """() => Object.fromEntries(scenesync.room.mirror.preorder().map((view) =>
    [view.id, scenesync.room.mirror.frame(view.number).map((value) => value / scenesync.room.unit)]))"""


def frames(page: Page) -> dict[str, list[float]]:
    """Where the page's mirror has every view."""
    return {name: [float(side) for side in frame] for name, frame in page.evaluate(FRAMES).items()}


def settle(page: Page) -> None:
    """Everything that the page sent was answered, and what came of it was painted."""
    # A drag asks what holds the views before it sends anything.
    page.wait_for_function("""() => { const { room, overlay } = scenesync, { log } = room;
        return room.client.unanswered.size === 0 && !room.requests?.size && !overlay?.drag && log.every((entry) => entry.result !== undefined)
            && (Number(room.mirror.tick) >= Math.max(0, ...log.map((entry) => Number(entry.result.tick))) || !room.isStale); }""")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def agree(server: Server, *pages: Page, room: str = "demo") -> dict[str, list[float]]:
    """Every page and the terminal viewer have the same frames; they are given back."""
    for page in pages:
        settle(page)
    truth = server.frames(room)
    for page in pages:
        page.wait_for_function(
            f"(truth) => {{ const mine = ({FRAMES})(); return Object.keys(mine).length === Object.keys(truth).length"
            " && Object.entries(truth).every(([id, frame]) => mine[id]?.every((side, at) => side === frame[at])); }", arg=truth)
        assert frames(page) == truth
    return truth


def place(page: Page, view: str) -> tuple[float, float, float, float]:
    """Where a view is shown, in the window's pixels: left, top, width, height."""
    # A mirror is ahead of the picture until that is painted.
    page.wait_for_function("() => scenesync.isPainted")
    box = page.evaluate("""(id) => { const box = scenesync.stage.box(id), at = document.getElementById("over").getBoundingClientRect();
        return [box.x + at.x, box.y + at.y, box.width, box.height]; }""", view)
    return box[0], box[1], box[2], box[3]
