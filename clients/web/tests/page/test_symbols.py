"""Symbols: the page fetches the set once, paints in the tint, tells screen readers, and brings outlines into its exports."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from conftest import PROGRAM, Server, Visits, settle
from playwright.sync_api import Page
from test_images import pixel

ROOT = Path(__file__).resolve().parents[4]
OUTLINES: dict[str, list[str]] = json.loads((ROOT / "Sources/EmbeddedFiles/symbols/symbols.json").read_text())["symbols"]
SCENE: dict[str, Any] = {
    "scene": 1, "viewport": {"width": 300, "height": 200, "userInterfaceStyle": "light"}, "views": [
        {"id": "back", "frame": [0, 0, 300, 200], "background": "#ffffff"},
        {"id": "own", "kind": "image", "symbol": "square.fill", "frame": [0, 0, 100, 100], "tint": "#ff0000"},
        {"id": "wide", "kind": "image", "symbol": "square.fill", "frame": [100, 0, 200, 100]},
        {"id": "named", "kind": "image", "symbol": "star.fill", "frame": [0, 100, 40, 40], "label": "Favourite"},
        {"id": "press", "kind": "button", "symbol": "trash", "frame": [100, 100, 60, 40], "events": ["tap"]},
    ],
}  # fmt: skip
READY = "() => scenesync.stage.shapes?.symbols && !scenesync.stage.shapes.waiting.size"
RED, WHITE, BLUE, LIGHTER = [255, 0, 0], [255, 255, 255], [0, 0x7A, 0xFF], [0x0A, 0x84, 0xFF]


def fetched(page: Page) -> int:
    count: int = page.evaluate("() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/symbols/')).length")
    return count


def test_painted_in_the_tint(server: Server, visits: Visits) -> None:
    server.make_room("symbols", {"scene": 1, "viewport": {"width": 300, "height": 200}})
    page = visits.open(f"{server.http}/symbols", viewport={"width": 1600, "height": 1000})
    settle(page)
    assert fetched(page) == 0
    server.apply(SCENE, "symbols")
    page.wait_for_function(READY)
    page.evaluate("() => scenesync.look(1, 10, 10)")
    settle(page)
    assert fetched(page) == 1
    assert pixel(page, 50, 50) == RED
    # A square keeps its proportions in a view of 200 × 100: it is 150 to 250 wide.
    assert pixel(page, 200, 50) == BLUE
    assert pixel(page, 120, 50) == WHITE
    assert pixel(page, 280, 50) == WHITE
    # The middle of a star, and a corner that it leaves.
    assert pixel(page, 20, 122) == BLUE
    assert pixel(page, 2, 138) == WHITE
    server.apply([{"op": "setViewport", "userInterfaceStyle": "dark"}, {"op": "setView", "id": "wide", "symbol": "circle.fill"}], "symbols")
    page.wait_for_function("() => scenesync.room.mirror.view('wide').content.look.symbol.name === 'circle.fill'")
    settle(page)
    assert pixel(page, 200, 50) == LIGHTER
    assert fetched(page) == 1


def test_exported_with_its_outline(server: Server, visits: Visits) -> None:
    server.make_room("svgs", SCENE)
    page = visits.open(f"{server.http}/svgs")
    page.wait_for_function(READY)
    svg = page.evaluate("""async () => {
        const { toSVG } = await import("./page/export.js"), { loadSymbols } = await import("./page/symbols.js");
        return toSVG(scenesync.room, new Map(), await loadSymbols((path) => fetch(path))); }""")
    outline = OUTLINES["square.fill"][1]
    assert f'<path transform="translate(0 0) scale({100 / 960})" d="{outline}" fill="#ff0000"/>' in svg
    assert f'<path transform="translate(150 0) scale({100 / 960})" d="{outline}" fill="#007aff"/>' in svg
    # The program's own, of which numbers may have other last digits.
    assert f'd="{outline}" fill="#ff0000"/>' in server.view("svg", "svgs")


def test_told_to_screen_readers(server: Server, visits: Visits) -> None:
    server.make_room("told", SCENE)
    page = visits.open(f"{server.http}/told?app", wait=False)
    page.get_by_role("img", name="square fill").first.wait_for(state="attached")
    assert page.get_by_role("img", name="square fill").count() == 2
    assert page.get_by_role("img", name="Favourite").count() == 1
    assert page.get_by_role("button", name="trash").count() == 1


def played(visits: Visits, file: Path) -> None:
    """Opens a recording from a folder, and looks whether it draws the symbols with what is in it."""
    page = visits.open(file.as_uri(), wait=False)
    page.wait_for_function("() => window.player?.stage.shapes?.symbols?.outlines.has('square.fill') && !player.stage.shapes.waiting.size")
    page.wait_for_function("""() => { const { stage } = player, { camera, ratio } = stage;
        const at = [50 * camera.scale + camera.x, 50 * camera.scale + camera.y].map((side) => Math.floor(side * ratio));
        const g = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
        g.drawImage(stage.canvas, ...at, 1, 1, 0, 0, 1, 1);
        return g.getImageData(0, 0, 1, 1).data.slice(0, 3).join() === "255,0,0"; }""")


def test_the_last_minute_has_the_set(server: Server, visits: Visits, folder: Path) -> None:
    server.make_room("kept", SCENE)
    page = visits.open(f"{server.http}/kept")
    page.wait_for_function(READY)
    text = page.evaluate("""async () => {
        const { Recorder } = await import("./page/recorder.js"), { room, stage } = scenesync;
        return new Recorder({ room, stage }).page(); }""")
    (folder / "minute.html").write_text(text)
    played(visits, folder / "minute.html")


def test_a_recording_has_the_set(make_server: Any, visits: Visits, folder: Path) -> None:
    data = folder / "data"
    (folder / "scene.json").write_text(json.dumps(SCENE))
    server = make_server("--scene", str(folder / "scene.json"), data=str(data))
    for opacity in (0.5, 1):
        server.apply([{"op": "setView", "id": "named", "opacity": opacity}])
    server.stop()
    file = folder / "demo.html"
    done = subprocess.run([PROGRAM, "record", "demo", "--data", str(data), "-o", str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    played(visits, file)
