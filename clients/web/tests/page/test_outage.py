"""What people do while the server does not answer is sent later or refused in words, and leaving the page before that asks.

The faults that these guard: a drag that waited for an answer on a connection that ended was dropped without a word, an undo between two
connections was said to be unsupported, and pages could be closed over changes that nobody had got yet.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Server, Visits, agree, look_into, place, settle
from playwright.sync_api import Page, expect
from test_app import FORM, element, open_app

BOX = {
    "scene": 1,
    "viewport": {"width": 400, "height": 300},
    "views": [{"id": "a", "background": "#336699"}],
    "constraints": [
        {"id": "w", "rule": "a.width == 100"}, {"id": "h", "rule": "a.height == 100"}, "a.left == root.left", "a.top == root.top",
    ],
}  # fmt: skip


class Outage:
    """A server that stands still: it keeps its connections and answers nothing."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def begin(self) -> None:
        os.kill(self.server.process.pid, signal.SIGSTOP)

    def end(self) -> None:
        os.kill(self.server.process.pid, signal.SIGCONT)


@pytest.fixture
def outage(server: Server) -> Iterator[Outage]:
    made = Outage(server)
    yield made
    made.end()


@pytest.fixture
def page(server: Server, visits: Visits) -> Page:
    visits.expected += ["WebSocket"]
    server.make_room("box", BOX)
    opened = visits.open(f"{server.http}/box")
    left, top, width, height = place(opened, "a")
    opened.mouse.click(left + width / 2, top + height / 2)
    look_into(opened)
    settle(opened)
    return opened


def drag_edge(page: Page, points: float) -> None:
    """Drags the right edge of `a` by so many points of the scene."""
    left, top, width, height = place(page, "a")
    scale = page.evaluate("() => scenesync.stage.camera.scale")
    page.mouse.move(left + width, top + height / 2)
    page.mouse.down()
    page.mouse.move(left + width + points * scale, top + height / 2, steps=5)
    page.mouse.up()


def asks_before_leaving(page: Page) -> bool:
    """Whether the page has the browser ask before it is left."""
    asked: bool = page.evaluate("() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    return asked


STATUS, UNSAVED = "#status", "no answer, 1 unsaved"


def test_a_drag_waits_for_the_server(server: Server, outage: Outage, page: Page) -> None:
    assert not asks_before_leaving(page)
    outage.begin()
    drag_edge(page, -40)
    assert asks_before_leaving(page)
    # Long before the connection is given up.
    expect(page.locator(STATUS)).to_have_text(UNSAVED)
    expect(page.locator(STATUS)).to_have_text("offline, coming back, 1 unsaved", timeout=20000)
    outage.end()
    expect(page.locator(STATUS)).to_have_text("live", timeout=20000)
    assert agree(server, page, room="box")["a"] == [0, 0, 60, 100]
    assert not asks_before_leaving(page)


def test_drags_of_one_outage_add_up(server: Server, outage: Outage, page: Page) -> None:
    outage.begin()
    expect_waiting(page)
    drag_edge(page, -30)
    # Nothing of the first one is to be seen yet, and the second one begins at the same place.
    drag_edge(page, -20)
    outage.end()
    assert agree(server, page, room="box")["a"] == [0, 0, 50, 100]
    page.click("#undo")
    assert agree(server, page, room="box")["a"] == [0, 0, 70, 100]


def expect_waiting(page: Page) -> None:
    """The page has given its connection up."""
    page.wait_for_function("() => scenesync.room.status === 'waiting'")


def test_keys_and_panels_wait_for_the_server(server: Server, outage: Outage, page: Page) -> None:
    drag_edge(page, 50)
    assert agree(server, page, room="box")["a"] == [0, 0, 150, 100]
    outage.begin()
    expect_waiting(page)
    page.keyboard.press("Control+z")
    page.select_option("#device", "360 720")
    page.click("#palette button:text-is('view')")
    page.click("#palette button:text-is('view')")
    page.get_by_label("Pin leading as it is").click()
    page.get_by_label("Pin leading as it is").click()
    page.get_by_label("Opacity").fill("50")
    outage.end()
    now = agree(server, page, room="box")
    assert now["root"] == [0, 0, 360, 720]
    # The undo was meant for the drag, and everything else came after it.
    assert now["a"] == [0, 0, 100, 100]
    assert {"view-1", "view-2"} <= now.keys()
    assert page.inner_text("#toast") == ""


def test_the_past_is_refused_in_words(outage: Outage, page: Page) -> None:
    page.click("#show-learn")
    page.get_by_role("tab", name="Time line").click()
    outage.begin()
    expect_waiting(page)
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator("#toast")).to_have_text("The server does not answer: the past has to wait. Try again when it is back.")
    # What cannot be sent later does not hold the page.
    assert not asks_before_leaving(page)


def test_the_link_is_at_hand_without_a_server(outage: Outage, page: Page) -> None:
    page.hover("#share")
    page.wait_for_function("() => scenesync.share")
    outage.begin()
    page.click("#share")
    expect(page.get_by_label("Link to this room")).to_be_visible()


def test_a_part_that_cannot_be_fetched_is_said(outage: Outage, page: Page) -> None:
    # The pointer has not been there yet, so that the part has to be fetched.
    assert page.evaluate("() => !scenesync.wall")
    outage.begin()
    page.click("#show-wall")
    expect(page.locator("#toast")).to_have_text("The server does not answer: this opens when it is back.")
    outage.end()
    expect(page.locator("#wall")).to_be_visible()


def test_what_cannot_be_sent_any_more_is_said(
    server: Server, make_server: Callable[..., Server], page: Page, visits: Visits, folder: Path
) -> None:
    visits.expected += ["WebSocket"]
    secret = folder / "secret"
    secret.write_text("a" * 32)
    server.stop(signal.SIGKILL)
    expect_waiting(page)
    drag_edge(page, -40)
    # The server that answers there now does not let the page in.
    make_server("--auth-secret-file", str(secret), port=server.port)
    expect(page.locator("#toast")).to_contain_text("closed with 4001", timeout=20000)
    expect(page.locator(STATUS)).to_have_text("refused")
    assert not asks_before_leaving(page)


def test_an_event_that_may_be_lost_is_said(visits: Visits, make_server: Callable[..., Server], folder: Path) -> None:
    visits.expected += ["WebSocket"]
    file = folder / "form.json"
    file.write_text(json.dumps(FORM))
    scene = make_server(scene=str(file.with_suffix("")))
    screen = open_app(scene, visits)
    os.kill(scene.process.pid, signal.SIGSTOP)
    element(screen, "save").click()
    expect(screen.locator(STATUS)).to_contain_text("No answer yet: what you did last waits")
    assert asks_before_leaving(screen)
    # What comes back is another server, which knows nothing of the tap.
    scene.stop(signal.SIGKILL)
    make_server(scene=str(file.with_suffix("")), port=scene.port)
    expect(screen.locator(STATUS)).to_contain_text("what you did last may not have arrived", timeout=20000)
    assert not asks_before_leaving(screen)
