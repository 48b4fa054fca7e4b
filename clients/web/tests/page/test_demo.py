"""The rooms of `scenesync demo` as application's screens: by keyboard alone and by mouse; others see it; judged by axe-core."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Visits
from demo import demo
from playwright.sync_api import Page, expect
from scenesync_server import Server

#: What each room has on its screen when its program is there.
LAST = {"demo": "wave", "board": "new-card", "clock": "time"}


@pytest.fixture
def rooms() -> Iterator[Server]:
    with demo() as server:
        yield server


def open_room(rooms: Server, visits: Visits, room: str, **options: Any) -> Page:
    page = visits.open(f"{rooms.http}/{room}?app", wait=False, **options)
    page.wait_for_function("(id) => window.scenesync?.firstPicture > 0 && scenesync.controls.widgets.has(id)", arg=LAST[room])
    return page


def element(page: Page, view: str) -> Any:
    return page.locator(f'#controls [data-view="{view}"]')


def reach(page: Page, view: str) -> None:
    """Tab, until the view has the focus."""
    for _ in range(40):
        if page.evaluate("() => document.activeElement?.dataset.view") == view:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {view}")


#: The names of the cards in a column, and what stands on them.
CARDS = """(column) => { const { mirror } = scenesync.room;
    const text = (view) => view.content.lines.map((line) => line.text).join(" ") + view.children.map((child) => text(mirror.views.get(child))).join("");
    return mirror.view(column + "-cards").children.map((child) => mirror.views.get(child)).map((card) => [card.id, text(card)]); }"""


def cards(page: Page, column: str) -> dict[str, str]:
    """The cards of a column by what stands on them."""
    return {text: name for name, text in page.evaluate(CARDS, column)}


def hold(page: Page, column: str, texts: list[str]) -> None:
    """Waits until a column holds these cards, in this order, and shows them in its room."""
    page.wait_for_function(
        f"([column, texts]) => JSON.stringify(({CARDS})(column).map(([, text]) => text)) === JSON.stringify(texts)", arg=[column, texts]
    )


def test_waving_and_turning_pages_by_keyboard(rooms: Server, visits: Visits) -> None:
    page, other = open_room(rooms, visits, "demo"), open_room(rooms, visits, "demo")
    reach(page, "wave")
    page.keyboard.press("Enter")
    for each in (page, other):
        expect(element(each, "waves")).to_have_text("1 wave")
    page.keyboard.press("Space")
    expect(element(other, "waves")).to_have_text("2 waves")
    for name in ("server", "people", "overview"):
        reach(page, f"menu-{name}")
        page.keyboard.press("Enter")
        for each in (page, other):
            expect(element(each, "crumb")).to_have_text(name.capitalize())
            expect(element(each, f"menu-{name}")).to_have_attribute("aria-selected", "true")
            # The one page stands where pages are, the others are hidden from screen readers too.
            each.wait_for_function(
                """(name) => { const { mirror } = scenesync.room, { stage } = scenesync, shown = (id) => stage.shown(mirror.numbers.get(id));
                return shown(name).x === shown("pages").x
                    && ["overview", "server", "people"].every((id) => mirror.view(id).content.hidden === (id !== name)); }""",
                arg=name,
            )
    # What the page does, a terminal shows.
    assert "2 waves" in rooms.view("text", "demo")


def test_the_board_by_keyboard(rooms: Server, visits: Visits) -> None:
    page, other = open_room(rooms, visits, "board"), open_room(rooms, visits, "board")
    reach(page, "new-card")
    page.keyboard.type("Buy tea")
    page.keyboard.press("Enter")
    for each in (page, other):
        hold(each, "todo", ["Write the handbook", "Measure the encoder twice", "Pick a name for the cat", "Buy tea"])
        expect(element(each, "count")).to_have_text("7 cards")
    expect(element(page, "new-card")).to_have_value("")
    # By its own keys to the next column.
    card = cards(page, "todo")["Write the handbook"]
    reach(page, card)
    page.keyboard.press("ArrowRight")
    for each in (page, other):
        hold(each, "doing", ["Draw the divider drag", "Teach stacks to collapse", "Write the handbook"])
    # It has kept the focus.
    page.keyboard.press("ArrowRight")
    for each in (page, other):
        hold(each, "done", ["One constant, one cycle", "Write the handbook"])
    # Chosen, and then its column.
    card = cards(page, "todo")["Buy tea"]
    reach(page, card)
    page.keyboard.press("Enter")
    expect(element(other, card)).to_have_attribute("aria-label", "Buy tea")
    reach(page, "doing-title")
    page.keyboard.press("Enter")
    for each in (page, other):
        hold(each, "doing", ["Draw the divider drag", "Teach stacks to collapse", "Buy tea"])


def middle(page: Page, view: str) -> tuple[float, float]:
    box = page.evaluate("(id) => scenesync.stage.box(id)", view)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_is_dragged_by_mouse(rooms: Server, visits: Visits) -> None:
    page, other = open_room(rooms, visits, "board"), open_room(rooms, visits, "board")
    hold(page, "doing", ["Draw the divider drag", "Teach stacks to collapse"])
    # Before the card that it is let go on.
    page.mouse.move(*middle(page, cards(page, "todo")["Write the handbook"]))
    page.mouse.down()
    page.mouse.move(*middle(page, cards(page, "doing")["Teach stacks to collapse"]), steps=5)
    page.mouse.up()
    for each in (page, other):
        hold(each, "doing", ["Draw the divider drag", "Write the handbook", "Teach stacks to collapse"])
    # Let go over a column where no card is: to its end.
    page.mouse.move(*middle(page, cards(page, "done")["One constant, one cycle"]))
    page.mouse.down()
    page.mouse.move(*middle(page, "todo"), steps=5)
    page.mouse.up()
    for each in (page, other):
        hold(each, "todo", ["Measure the encoder twice", "Pick a name for the cat", "One constant, one cycle"])
        hold(each, "done", [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(rooms: Server, visits: Visits, scheme: str) -> None:
    for room in LAST:
        for size in ({"width": 1280, "height": 800}, {"width": 390, "height": 844}):
            page = open_room(rooms, visits, room, color_scheme=scheme, viewport=size)
            found = Axe().run(page).response["violations"]
            assert [f"{each['id']}: {[node['target'] for node in each['nodes']]}" for each in found] == [], (room, size)
