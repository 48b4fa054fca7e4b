"""Keyboards, screen readers, small screens, both colour schemes. Most of it is judged by axe-core."""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Server, Visits, look_into, settle
from playwright.sync_api import Page


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {[node['target'] for node in each['nodes']]} {each['nodes'][0].get('failureSummary', '')}" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(server: Server, visits: Visits, scheme: str) -> None:
    page = visits.open(f"{server.http}/demo", color_scheme=scheme)
    settle(page)
    assert violations(page) == []
    look_into(page)
    assert violations(page) == []
    page.evaluate("() => scenesync.select(['brand'])")
    settle(page)
    page.click("#show-learn")
    for tab in ("time", "passes", "network", "ops"):
        page.click(f"#tab-{tab}")
        assert violations(page) == [], tab
    page.evaluate("() => scenesync.select(['brand', 'crumb'])")
    assert violations(page) == []
    page.click("#share")
    assert violations(page) == [], "the dialog"


def test_the_tree_tells_the_views(server: Server, visits: Visits) -> None:
    # High enough for all of them.
    page = visits.open(f"{server.http}/demo", viewport={"width": 1280, "height": 1300})
    rows = page.locator("#tree [role=treeitem]")
    assert rows.count() == 39
    label = page.get_by_role("treeitem", name="crumb, label, Overview")
    # The second of the header's three views, which is in the root.
    assert [label.get_attribute(f"aria-{name}") for name in ("level", "posinset", "setsize")] == ["3", "2", "3"]
    page.evaluate("() => { const m = scenesync.room.mirror; scenesync.expected = m.preorder().map((view) => view.id); }")
    assert page.evaluate("() => [...document.querySelectorAll('#tree .row')].map((row) => row.dataset.id)") == page.evaluate("() => scenesync.expected")


def test_a_long_tree_has_only_the_rows_that_are_seen(server: Server, visits: Visits) -> None:
    views = [{"id": f"row{at}", "kind": "label", "text": f"Row {at}", "frame": [0, 16 * at, 320, 16]} for at in range(9000)]
    server.apply({"scene": 1, "viewport": {"width": 640, "height": 800}, "views": views}, "long")
    page = visits.open(f"{server.http}/long")

    def shown() -> list[str]:
        """The rows that there are and can be seen, from above."""
        return [str(each) for each in page.evaluate("""() => { const box = document.getElementById("tree").getBoundingClientRect();
            return [...document.querySelectorAll("#tree .row")].filter((row) => { const { top, bottom } = row.getBoundingClientRect();
                return bottom > box.top && top < box.bottom; }).map((row) => row.dataset.id); }""")]

    def current() -> tuple[str, list[str]]:
        """What has the focus, and which of how many it says it is."""
        found = page.evaluate("""() => { const { activeElement: e } = document;
            return [e.dataset.id, ["aria-level", "aria-posinset", "aria-setsize"].map((name) => e.getAttribute(name))]; }""")
        return found[0], found[1]

    seen = shown()
    assert seen == ["root", *(f"row{at}" for at in range(len(seen) - 1))]
    assert 10 < len(seen) < 60
    assert page.locator("#tree .row").count() < 80, "9,001 views, and as many rows as are seen and a few"
    assert page.evaluate("() => document.getElementById('tree').scrollHeight") == 9001 * 24 + 8

    page.focus("#tree [data-id=root]")
    page.keyboard.press("End")
    assert current() == ("row8999", ["2", "9000", "9000"])
    assert shown()[-1] == "row8999" and page.locator("#tree .row").count() < 80
    page.keyboard.press("ArrowUp")
    assert current() == ("row8998", ["2", "8999", "9000"])
    assert page.evaluate("() => scenesync.selection") == ["row8998"]
    page.keyboard.press("PageUp")
    above = int(current()[0].removeprefix("row"))
    assert 8998 - 60 < above < 8998 - 10 and f"row{above}" in shown()

    # Scrolling by the wheel leaves the focus where it is, and the keyboard goes on from there.
    page.evaluate("() => { document.getElementById('tree').scrollTop = 24 * 4000; }")
    page.wait_for_function("() => document.querySelector('#tree [data-id=row4005]')")
    assert shown()[0] == "row3999" and current()[0] == f"row{above}"
    order = page.evaluate("() => [...document.querySelectorAll('#tree .row')].map((row) => scenesync.tree.places.get(row.dataset.id))")
    assert order == sorted(order), "a screen reader hears rows in their order"
    page.keyboard.press("ArrowDown")
    assert current()[0] == f"row{above + 1}" and f"row{above + 1}" in shown()
    assert page.locator("#tree [tabindex='0']").count() == 1
    # A view that is chosen elsewhere is shown.
    page.evaluate("() => scenesync.select(['row77'])")
    assert "row77" in shown() and page.locator("#tree [aria-selected=true]").count() == 1
    # Searching says of how many a row is one now.
    page.fill("#find", "row123")
    page.wait_for_function("() => document.querySelectorAll('#tree .row').length === 11")
    assert page.locator("#tree .row").first.get_attribute("aria-setsize") == "11"
    assert violations(page) == []


def test_the_tree_by_keyboard(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    page.focus("#tree [data-id=root]")

    def current() -> str:
        return str(page.evaluate("() => document.activeElement.dataset.id"))

    for key, expected in (("ArrowDown", "header"), ("ArrowDown", "brand"), ("ArrowLeft", "header"), ("ArrowLeft", "header"), ("ArrowDown", "sidebar"),
                          ("ArrowUp", "header"), ("ArrowRight", "header"), ("ArrowRight", "brand"), ("End", "status"), ("Home", "root")):
        page.keyboard.press(key)
        assert current() == expected, key
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    assert page.evaluate("() => scenesync.selection") == ["header", "brand"]
    assert page.locator("#tree [aria-selected=true]").count() == 2
    # One stop of the Tab key, whatever there is in the tree.
    assert page.locator("#tree [tabindex='0']").count() == 1


def test_everything_is_reached_by_tab_in_order(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    page.evaluate("() => document.body.focus()")
    seen: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focus = page.evaluate("""() => { const e = document.activeElement, s = getComputedStyle(e);
            return { key: e.id || e.dataset.id || e.textContent.slice(0, 20), outline: s.outlineStyle, top: e === document.body }; }""")
        if focus["top"] or focus["key"] in seen:
            break
        assert focus["outline"] != "none", f"{focus['key']} shows no focus"
        seen.append(focus["key"])
    wanted = ["brand", "undo", "redo", "watch", "device", "out", "fit", "in", "show-left", "show-right", "show-learn", "share", "find", "root", "over"]
    assert [key for key in seen if key in wanted] == wanted, json.dumps(seen)


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (1280, 800), (3840, 2160)])
def test_every_size_of_screen(server: Server, visits: Visits, size: tuple[int, int]) -> None:
    page = visits.open(f"{server.http}/demo", viewport={"width": size[0], "height": size[1]})
    settle(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight")
    box = page.evaluate("() => { const b = scenesync.stage.box('root'), s = document.getElementById('stage'); return [b.x, b.y, b.x + b.width - s.clientWidth, b.y + b.height - s.clientHeight]; }")
    assert box[0] >= 0 and box[1] >= 0 and box[2] <= 0 and box[3] <= 0, "the whole scene is on the stage"
    for control in ("#share", "#show-left", "#show-right", "#show-learn"):
        bounds = page.locator(control).bounding_box()
        assert bounds and bounds["x"] >= 0 and bounds["x"] + bounds["width"] <= size[0], control


@pytest.mark.parametrize("ratio", [1, 1.5, 3])
def test_crisp_at_any_density(server: Server, visits: Visits, ratio: float) -> None:
    visits.expected.append("getImageData")
    page = visits.open(f"{server.http}/demo", device_scale_factor=ratio)
    settle(page)
    size = page.evaluate("() => { const c = document.getElementById('scene'); return [c.width, c.clientWidth, c.height, c.clientHeight]; }")
    assert size[0] == round(size[1] * ratio) and size[2] == round(size[3] * ratio), "a pixel of the canvas is one of the screen"
    # The bar's left edge is sharp: one pixel is the track's colour, its neighbour the bar's.
    page.click("#in")
    settle(page)
    colors = page.evaluate("""() => { const { stage } = scenesync, index = stage.places.get(scenesync.room.mirror.numbers.get("cpu-bar")), [x, y, w, h] = stage.edges(index);
        return [[x + w - 1, y + 2], [x + w, y + 2]].map(([px, py]) => [...stage.context.getImageData(px, py, 1, 1).data].slice(0, 3)); }""")
    assert colors == [[0x9E, 0xCE, 0x6A], [0x3B, 0x42, 0x61]]
