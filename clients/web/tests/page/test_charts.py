"""Charts: painted from the heights that the server sends, in exports and in what is recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conftest import Server, Visits, settle
from test_images import pixel

SCENE: dict[str, Any] = {
    "scene": 1, "viewport": {"width": 300, "height": 200, "userInterfaceStyle": "light"}, "views": [
        {"id": "back", "frame": [0, 0, 300, 200], "background": "#ffffff"},
        {"id": "bars", "frame": [0, 0, 200, 100], "chart": {"values": [1, 0, 0.5, 1], "style": "bars", "minimum": 0, "maximum": 1, "color": "#ff0000"}},
        {"id": "area", "frame": [0, 100, 200, 100], "chart": {"values": [0, 1], "style": "area", "color": "#0000ff", "lineWidth": 4, "gridLines": 1}},
    ],
}  # fmt: skip
RED, WHITE, BLUE, FAINT = [255, 0, 0], [255, 255, 255], [0, 0, 255], [191, 191, 255]
#: Places within bars and beside them, and what is there: each of four bars has 50 points and fills the middle 40.
BARS = [((25, 50), RED), ((48, 50), WHITE), ((75, 90), WHITE), ((125, 75), RED), ((125, 25), WHITE), ((175, 10), RED)]


def test_painted_and_painted_anew(server: Server, visits: Visits) -> None:
    server.make_room("charts", SCENE)
    page = visits.open(f"{server.http}/charts", viewport={"width": 1600, "height": 1000})
    page.wait_for_function("() => scenesync.stage.shapes")
    page.evaluate("() => scenesync.look(1, 10, 10)")
    settle(page)
    for place, colour in BARS:
        assert pixel(page, *place) == colour, place
    # The line goes from 2 points above the bottom to 2 below the top.
    assert pixel(page, 100, 150) == BLUE
    assert pixel(page, 180, 180) == FAINT
    assert pixel(page, 20, 110) == WHITE
    server.apply([{"op": "setView", "id": "bars", "chart": {"values": [0, 1], "style": "bars", "minimum": 0, "maximum": 1, "color": "#ff0000"}}], "charts")
    page.wait_for_function("() => scenesync.room.mirror.view('bars').content.look.chart.heights.join() === '0,1'")
    settle(page)
    assert pixel(page, 25, 50) == WHITE
    assert pixel(page, 150, 50) == RED


def test_exported(server: Server, visits: Visits) -> None:
    server.make_room("svgs", SCENE)
    page = visits.open(f"{server.http}/svgs")
    page.wait_for_function("() => scenesync.stage.shapes")
    svg = page.evaluate("async () => (await import('./page/export.js')).toSVG(scenesync.room)")
    for drawn in (svg, server.view("svg", "svgs")):
        assert '<rect x="5" y="0" width="40" height="100" fill="#ff0000"/>' in drawn
        assert '<rect x="105" y="50" width="40" height="50" fill="#ff0000"/>' in drawn
        assert '<path d="M0 198L200 102" fill="none" stroke="#0000ff" stroke-width="4" stroke-linejoin="round"/>' in drawn
        assert '<path d="M0 198L200 102V200H0Z" fill="#0000ff" fill-opacity="0.25' in drawn
        assert '<rect x="0" y="199" width="200" height="1" fill="#0000ff" fill-opacity="0.25' in drawn


def test_in_the_last_minute(server: Server, visits: Visits, folder: Path) -> None:
    server.make_room("kept", SCENE)
    page = visits.open(f"{server.http}/kept")
    page.wait_for_function("() => scenesync.stage.shapes")
    text = page.evaluate("""async () => {
        const { Recorder } = await import("./page/recorder.js"), { room, stage } = scenesync;
        return new Recorder({ room, stage }).page(); }""")
    (folder / "minute.html").write_text(text)
    played = visits.open((folder / "minute.html").as_uri(), wait=False)
    played.wait_for_function("""() => { const { stage } = window.player ?? {};
        if (!stage?.shapes) return false;
        const { camera, ratio } = stage, at = [25 * camera.scale + camera.x, 50 * camera.scale + camera.y].map((side) => Math.floor(side * ratio));
        const g = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
        g.drawImage(stage.canvas, ...at, 1, 1, 0, 0, 1, 1);
        return g.getImageData(0, 0, 1, 1).data.slice(0, 3).join() === "255,0,0"; }""")
