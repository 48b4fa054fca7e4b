"""The examples as application's screens: by keyboard alone, for fingers, in the dark, and judged by axe-core."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Server, Visits
from examples import ARGUMENTS, running
from playwright.sync_api import Page, expect

#: What each has on its screen when it is there.
LAST = {"poll": "answer-1", "noughts": "again", "kiosk": "add-5", "chat": "say"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def open_example(url: str, visits: Visits, name: str, **options: Any) -> Page:
    page = visits.open(f"{url.replace('ws', 'http', 1)}?app", wait=False, **options)
    page.wait_for_function("(id) => window.scenesync?.firstPicture > 0 && scenesync.controls.widgets.has(id)", arg=LAST[name])
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


def poll(page: Page) -> None:
    reach(page, "answer-1")
    page.keyboard.press("Enter")
    expect(element(page, "count-1")).to_have_text("1")


def noughts(page: Page) -> None:
    reach(page, "cell-4")
    page.keyboard.press("Space")
    expect(element(page, "cell-4")).to_have_text("X")
    expect(element(page, "status")).to_have_text("O's turn")
    reach(page, "again")
    page.keyboard.press("Enter")
    expect(element(page, "status")).to_have_text("X begins")


def kiosk(page: Page) -> None:
    reach(page, "add-2")
    page.keyboard.press("Enter")
    expect(element(page, "sum")).to_have_text("2.50")
    page.keyboard.press("Enter")
    expect(element(page, "sum")).to_have_text("5.00")
    reach(page, "less-2")
    page.keyboard.press("Enter")
    expect(element(page, "sum")).to_have_text("2.50")
    reach(page, "order")
    page.keyboard.press("Space")
    expect(element(page, "sum")).to_have_text("Order 1: thank you")
    expect(element(page, "order")).to_be_disabled()


def chat(page: Page) -> None:
    reach(page, "name")
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    expect(page.locator("#controls .words", has_text="Ada is here")).to_have_count(1)
    reach(page, "say")
    page.keyboard.type("Hello")
    page.keyboard.press("Enter")
    expect(page.locator("#controls .words", has_text=re.compile("^Ada: Hello$"))).to_have_count(1)
    expect(element(page, "say")).to_have_value("")


USES: dict[str, Callable[[Page], None]] = {"poll": poll, "noughts": noughts, "kiosk": kiosk, "chat": chat}


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
@pytest.mark.parametrize("language", ["python", "node"])
def test_by_keyboard_alone(server: Server, visits: Visits, language: str, name: str) -> None:
    with running(server, language, name) as url:
        USES[name](open_example(url, visits, name))


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark"}, PHONE], ids=["light", "dark", "phone"])
def test_axe_finds_nothing(server: Server, visits: Visits, name: str, options: dict[str, Any]) -> None:
    with running(server, "python", name) as url:
        page = open_example(url, visits, name, **options)
        USES[name](page)
        found = Axe().run(page).response["violations"]
        assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in found] == []


def pixel(page: Page, x: float, y: float) -> list[int]:
    return list(page.evaluate("([x, y]) => [...scenesync.stage.context.getImageData(x, y, 1, 1).data].slice(0, 3)", [x, y]))


def test_the_paper_is_dark_in_the_dark(server: Server, visits: Visits) -> None:
    visits.expected.append("getImageData")
    with running(server, "python", "kiosk") as url:
        page = open_example(url, visits, "kiosk", color_scheme="dark")
        assert pixel(page, 600, 400) == [0x16, 0x16, 0x1E]
        page.emulate_media(color_scheme="light")
        page.wait_for_function("() => scenesync.stage.paper === '#ffffff' && !scenesync.stage.isStale")
        assert pixel(page, 600, 400) == [255, 255, 255]
        # What is written in a dark colour was chosen for white.
        page.emulate_media(color_scheme="dark")
        server.apply([{"op": "setView", "id": "sum", "foreground": "#202020"}], url.rsplit("/", 1)[1])
        page.wait_for_function("() => scenesync.stage.needsPaper && !scenesync.stage.isStale")
        assert pixel(page, 600, 400) == [255, 255, 255]


def test_buttons_are_drawn_without_brackets(server: Server, visits: Visits) -> None:
    with running(server, "python", "kiosk") as url:
        page = open_example(url, visits, "kiosk")
        drawn = page.evaluate("""() => { const { stage } = scenesync, { context } = stage, seen = [], before = context.fillText;
            context.fillText = (text, ...rest) => { seen.push(text); before.call(context, text, ...rest); };
            stage.needsAll = true;
            stage.paint(scenesync.room.tickNow());
            context.fillText = before;
            return seen; }""")
        assert drawn.count("Add") == 6 and drawn.count("Order") == 1 and "Espresso  2.20" in drawn
        assert not [text for text in drawn if "[" in text]


def test_a_finger_may_miss_by_a_little(server: Server, visits: Visits) -> None:
    with running(server, "python", "kiosk") as url:
        page = open_example(url, visits, "kiosk", **PHONE)
        boxes = [element(page, f"add-{number}").bounding_box() for number in range(6)]
        assert all(box["height"] == 44 for box in boxes[1:5])
        # They do not overlap, and a tap above the picture is the button's.
        assert all(below["y"] >= above["y"] + above["height"] for above, below in zip(boxes[1:], boxes[2:], strict=False))
        page.touchscreen.tap(boxes[2]["x"] + 10, boxes[2]["y"] + 4)
        expect(element(page, "sum")).to_have_text("2.50")
        page.touchscreen.tap(boxes[3]["x"] + 10, boxes[3]["y"] + 40)
        expect(element(page, "sum")).to_have_text("4.40")


def test_safe_areas_and_the_keyboard_are_the_devices(server: Server, visits: Visits) -> None:
    with running(server, "python", "chat") as url:
        page = open_example(url, visits, "chat", **PHONE)
        assert "viewport-fit=cover" in page.locator("meta[name=viewport]").get_attribute("content")
        page.evaluate("""() => { document.documentElement.style.setProperty("--safe-top", "47px");
            document.documentElement.style.setProperty("--safe-bottom", "34px"); dispatchEvent(new Event("resize")); }""")
        page.wait_for_function("() => scenesync.stage.box('place').y === 47 + 8")
        # A keyboard of 336 points, as a browser tells it: the fields stand above it.
        element(page, "say").focus()
        page.evaluate("""() => { Object.defineProperty(visualViewport, "height", { configurable: true, value: innerHeight - 336 });
            visualViewport.dispatchEvent(new Event("resize")); }""")
        page.wait_for_function("() => { const box = scenesync.stage.box('say'); return box.y + box.height === innerHeight - 336 - 8; }")


def test_a_field_stays_above_a_keyboard_that_the_scene_does_not_reckon_with(server: Server, visits: Visits) -> None:
    with running(server, "python", "chat") as url:
        page = open_example(url, visits, "chat", **PHONE)
        rules = [{"op": "addView", "id": "low", "kind": "textField", "events": ["input"]},
                 {"op": "addConstraint", "id": "low-1", "rule": "low.bottom == root.bottom - 10"},
                 {"op": "addConstraint", "id": "low-2", "vfl": "H:|[low]|"}]  # fmt: skip
        server.apply(rules, url.rsplit("/", 1)[1])
        element(page, "low").focus()
        page.evaluate("""() => { Object.defineProperty(visualViewport, "height", { configurable: true, value: innerHeight - 300 });
            visualViewport.dispatchEvent(new Event("resize")); }""")
        page.wait_for_function("() => { const box = scenesync.stage.box('low'); return box.y + box.height === innerHeight - 300 - 8; }")
        page.evaluate("() => document.activeElement.blur()")
        page.wait_for_function("() => { const box = scenesync.stage.box('low'); return box.y + box.height === innerHeight - 10; }")
