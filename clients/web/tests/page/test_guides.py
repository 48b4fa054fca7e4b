"""What is drawn over a view that is selected: its constraints, and the guides that they name, where they are."""

from __future__ import annotations

from typing import Any

from conftest import Server, Visits, settle
from playwright.sync_api import Page

SCENE: dict[str, Any] = {
    "scene": 1, "viewport": {"width": 640, "height": 400},
    "views": [
        {"id": "panel", "frame": [40, 40, 400, 300], "margins": [10, 20, 30, 40]},
        {"id": "inner", "parent": "panel"},
        {"id": "title", "kind": "label", "text": "Title", "baseline": [13, 3]},
        {"id": "value", "kind": "label", "text": "Value", "baseline": [11, 5]},
        {"id": "middle"},
        {"id": "held"},
        {"id": "rolls", "kind": "scroll", "frame": [460, 200, 100, 80], "contentOffset": [0, 16]},
        {"id": "row", "parent": "rolls"},
    ],
    "guides": [{"id": "column", "parent": "root"}],
    "constraints": [
        "inner.leading == panel.margins.leading", "inner.top == panel.margins.top", "inner.width == 50", "inner.height == 50",
        "title.leading == root.leading + 500", "title.top == root.top + 60",
        "value.leading == root.leading + 560", "value.firstBaseline == title.firstBaseline",
        "middle.centerX == root.centerX", "middle.centerY == root.centerY + 40", "middle.width == 30", "middle.height == 20",
        # The guide's left edge is said, its right one is what the view that follows it has, its top and height are said.
        "column.leading == root.leading + 450", "held.trailing == column.trailing", "column.top == root.top + 120", "column.height == 60",
        "held.leading == root.leading + 470", "held.width == 130", "held.top == column.top", "held.height == 20",
        "row.leading == rolls.content.leading", "row.trailing == rolls.content.trailing", "row.top == rolls.content.top",
        "row.bottom == rolls.content.bottom", "row.width == 90", "row.height == 150",
    ],
}

#: How much of a line of the canvas over the scene is painted, from 0 to 1: across at a y, or down at an x, in points of the root.
SHARE = """([isAcross, at, from, to]) => {
    const { camera } = scenesync.stage, g = document.getElementById("over").getContext("2d");
    const place = (value, isX) => Math.round(value * camera.scale + (isX ? camera.x : camera.y));
    const along = place(from, isAcross), length = place(to, isAcross) - along, across = place(at, !isAcross);
    const { data } = isAcross ? g.getImageData(along, across, length, 1) : g.getImageData(across, along, 1, length);
    let count = 0;
    for (let each = 3; each < data.length; each += 4) if (data[each] > 40) count++;
    return count / length;
}"""


def choose(page: Page, view: str) -> None:
    page.evaluate("(id) => scenesync.select([id])", view)
    page.wait_for_function("() => scenesync.overlay && scenesync.room.document && scenesync.overlay.rules().length")
    page.evaluate("() => scenesync.look(1, 20, 20)")
    settle(page)


def across(page: Page, y: float, left: float, right: float) -> float:
    return float(page.evaluate(SHARE, [True, y, left, right]))


def down(page: Page, x: float, top: float, bottom: float) -> float:
    return float(page.evaluate(SHARE, [False, x, top, bottom]))


def outlined(page: Page, left: float, top: float, right: float, bottom: float) -> bool:
    """Whether a dashed rectangle is there; what is painted besides may cover some of it."""
    # An outline is within its rectangle, on the last pixel of its right and lower edge.
    edges = [across(page, top, left + 4, right - 4), across(page, bottom - 1, left + 4, right - 4),
             down(page, left, top + 4, bottom - 4), down(page, right - 1, top + 4, bottom - 4)]
    return all(share > 0.3 for share in edges)


def test_guides_are_drawn_where_they_are(server: Server, visits: Visits) -> None:
    assert server.apply(SCENE, "guides")[0]["result"] == "committed"
    page = visits.open(f"{server.http}/guides")
    visits.expected.append("getImageData")

    choose(page, "inner")
    # The panel's margins: 10 above, 20 leading, 30 below, 40 trailing of its frame 40, 40, 400 × 300.
    assert outlined(page, 60, 50, 400, 310)
    assert not outlined(page, 40, 40, 440, 340), "the panel itself is no guide"

    choose(page, "value")
    # The title's top at 60 and its first baseline 13 below it: a dashed line over both.
    assert across(page, 73, 502, 598) > 0.4
    assert across(page, 60 + 24, 502, 598) < 0.2

    choose(page, "middle")
    # Through the root's centre from top to bottom; 40 below its centre through the view, and at the centre.
    assert down(page, 320, 2, 398) > 0.4
    assert across(page, 200, 2, 300) > 0.4 and across(page, 240, 2, 300) > 0.4
    assert down(page, 340, 2, 180) < 0.2

    choose(page, "held")
    # The layout guide: from 450 to 470 + 130, from 120 on, 60 high.
    assert outlined(page, 450, 120, 600, 180)

    choose(page, "row")
    # What scrolls begins 16 above the view that shows it, and ends where the row does.
    assert page.evaluate("""async () => { const { Places } = await import("/page/guides.js");
        const { x, y, width, height } = new Places(scenesync).box({ view: "rolls", guide: "content" }); return [x, y, width, height]; }""") == [460, 184, 90, 150]
    assert outlined(page, 460, 184, 550, 334)
    visits.complaints = [each for each in visits.complaints if "getImageData" not in each]


def test_a_guide_that_nothing_decides_is_not_drawn(server: Server, visits: Visits) -> None:
    scene = {**SCENE, "constraints": ["column.leading == root.leading + 450", "held.leading == column.leading", "held.width == 20",
                                      "held.height == 20", "held.top == root.top", "column.width >= 10"]}
    assert server.apply(scene, "loose")[0]["result"] == "committed"
    page = visits.open(f"{server.http}/loose")
    choose(page, "held")
    assert page.evaluate("""async () => { const { Places } = await import("/page/guides.js");
        return new Places(scenesync).box({ view: "column" }) === undefined; }""")


def test_right_to_left(server: Server, visits: Visits) -> None:
    scene = {**SCENE, "viewport": {"width": 640, "height": 400, "direction": "rtl"}, "guides": [{"id": "column", "parent": "root"}],
             "constraints": ["column.leading == root.leading + 100", "column.width == 200", "column.top == root.top", "column.bottom == root.bottom - 10",
                             "held.leading == column.leading + 5", "held.width == 20", "held.height == 20", "held.top == column.top"]}
    assert server.apply(scene, "rtl")[0]["result"] == "committed"
    page = visits.open(f"{server.http}/rtl")
    choose(page, "held")
    # Leading is right: the guide ends 100 before the root's right edge.
    assert page.evaluate("""async () => { const { Places } = await import("/page/guides.js");
        const { x, y, width, height } = new Places(scenesync).box({ view: "column" }); return [x, y, width, height]; }""") == [340, 0, 200, 390]
    left, top, width, height = page.evaluate("() => Object.values(scenesync.stage.shown(scenesync.room.mirror.numbers.get('held')))")
    assert (left + width, top) == (640 - 100 - 5, 0)
