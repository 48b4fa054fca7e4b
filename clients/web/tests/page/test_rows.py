"""Rows of lists on the page as an application's screen: LANGUAGE.md, "Rows"."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, Visits
from playwright.sync_api import Page
from test_app import Program, element, program

__all__ = ["program"]

FILES = {
    "scene": 1,
    "viewport": {"width": 320, "height": 160},
    "views": [
        {"id": "list", "kind": "stack", "axis": "vertical", "role": "listbox", "label": "Files"},
        *({"id": f"r{at}", "parent": "list", "kind": "label", "text": f"file {at}", "role": "option", "events": ["tap"], "focusable": True,
           "selected": at == 2, "enabled": at != 1}
          for at in range(4)),
        {"id": "more", "parent": "list", "kind": "button", "text": "More", "role": "option", "events": ["tap"]},
    ],
    "constraints": ["H:|[list]|", "list.top == root.top"],
}  # fmt: skip


@pytest.fixture
def scene(folder: Path, make_server: Callable[..., Server]) -> Server:
    file = folder / "files.json"
    file.write_text(json.dumps(FILES))
    return make_server(scene=str(file.with_suffix("")))


def open_list(scene: Server, visits: Visits) -> Page:
    page = visits.open(f"{scene.http}/demo?app", wait=False)
    page.wait_for_function("() => window.scenesync?.firstPicture > 0 && scenesync.controls.widgets.size >= 6")
    return page


def focus(page: Page) -> Any:
    return page.evaluate("() => document.activeElement.dataset.view")


def test_screen_readers_hear_which_row_is_selected(scene: Server, visits: Visits, program: Program) -> None:
    page = open_list(scene, visits)
    snapshot = ["- listbox \"Files\":", "  - option \"file 0\"", "  - option \"file 1\" [disabled]", "  - option \"file 2\" [selected]",
                "  - option \"file 3\"", "  - option \"More\""]  # fmt: skip
    assert page.locator("#controls").aria_snapshot().splitlines() == snapshot
    program.page.evaluate("() => client.send([{ op: 'setView', id: 'r2', selected: false }, { op: 'setView', id: 'more', selected: true }])")
    page.wait_for_function("() => scenesync.room.client.interactions.get('more').selected && document.querySelector('[data-view=more]').ariaSelected === 'true'")
    assert element(page, "r2").get_attribute("aria-selected") == "false"
    assert element(page, "more").get_attribute("aria-pressed") is None


def test_arrows_stay_in_the_list_and_enter_taps(scene: Server, visits: Visits, program: Program) -> None:
    page = open_list(scene, visits)
    page.keyboard.press("Tab")
    # One that cannot be used is passed over.
    passed = []
    for key in ("ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Home", "End", "ArrowUp"):
        page.keyboard.press(key)
        passed.append(focus(page))
    assert passed == ["r0", "r2", "r3", "more", "more", "r0", "more", "r3"]
    page.keyboard.press("Enter")
    assert program.hears(1) == [("tap", "r3", None)]


def test_a_selected_row_looks_different(scene: Server, visits: Visits) -> None:
    page = open_list(scene, visits)
    ground = {at: element(page, f"r{at}").evaluate("(row) => getComputedStyle(row).backgroundColor") for at in (0, 2)}
    assert ground[0] == "rgba(0, 0, 0, 0)" != ground[2]
