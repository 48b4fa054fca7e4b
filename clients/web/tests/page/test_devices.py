"""Each person looks at the scene on a device of their own choice, and edits on one show on all."""

from __future__ import annotations

from conftest import FRAMES, Server, Visits
from playwright.sync_api import Page


def waits_for(page: Page, view: str, width: float) -> None:
    """The page's mirror has a view that wide."""
    page.wait_for_function(f"([view, width]) => ({FRAMES})()[view][2] === width", arg=[view, width])


def test_each_page_has_its_own_device(server: Server, visits: Visits) -> None:
    url = f"{server.http}/demo"
    ada, bob, eve = (visits.open(url) for _ in range(3))
    assert ada.locator("#watch option").all_inner_texts() == ["Shared", "This window", "phone", "desk", "terminal"]
    bob.select_option("#watch", "phone")
    eve.select_option("#watch", "desk")
    # Beside a sidebar of 240 on the desk, of 96 on the phone, of 160 for all others.
    waits_for(bob, "main", 390 - 96)
    waits_for(eve, "main", 1280 - 240)
    waits_for(ada, "main", 640 - 160)

    # One edit moves all three, each in its own layout: of the main view the margins are taken off.
    ada.evaluate("() => void scenesync.room.send([{op: 'setView', id: 'main', margins: [16, 40, 16, 40]}])")
    waits_for(ada, "activity", 480 - 80)
    waits_for(bob, "activity", 294 - 80)
    waits_for(eve, "activity", 1040 - 80)

    # Back on the shared one, and in the window's own size.
    bob.select_option("#watch", "")
    waits_for(bob, "root", 640)
    bob.select_option("#watch", "own window")
    waits_for(bob, "root", bob.evaluate("() => document.getElementById('stage').clientWidth"))
