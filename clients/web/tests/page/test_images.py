"""Pictures: the page paints them where UIKit's content modes have them, and brings them into its exports."""

from __future__ import annotations

import base64
import json
import struct
import urllib.request
import zlib

from conftest import Server, Visits, settle
from playwright.sync_api import Page

MODES = [
    "scaleToFill", "scaleAspectFit", "scaleAspectFill", "redraw", "center", "top", "bottom", "left", "right", "topLeft", "topRight",
    "bottomLeft", "bottomRight",
]  # fmt: skip


def png(width: int, height: int) -> bytes:
    """Red on the left, blue on the right."""
    rows = (b"\0" + b"\xff\0\0" * (width // 2) + b"\0\0\xff" * (width - width // 2)) * height

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bring(server: Server, room: str, data: bytes) -> dict[str, object]:
    request = urllib.request.Request(f"{server.http}/blobs/{room}", data=data, method="PUT")
    with urllib.request.urlopen(request) as answer:
        found: dict[str, object] = json.load(answer)
    return found


def pixel(page: Page, x: float, y: float) -> list[int]:
    found: list[int] = page.evaluate("""([x, y]) => { const { stage } = scenesync, { camera, ratio } = stage;
        const at = [x * camera.scale + camera.x, y * camera.scale + camera.y].map((side) => Math.floor(side * ratio));
        const g = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
        g.drawImage(stage.canvas, ...at, 1, 1, 0, 0, 1, 1);
        return [...g.getImageData(0, 0, 1, 1).data].slice(0, 3); }""", [x, y])  # fmt: skip
    return found


RED, BLUE, GREY = [255, 0, 0], [0, 0, 255], [0xEE, 0xEE, 0xEE]


def test_content_modes(server: Server, visits: Visits) -> None:
    """A picture of 40 × 20 points in views of 80 × 80, which cut what is in them."""
    server.make_room("modes", {"scene": 1, "viewport": {"width": 500, "height": 300}})
    facts = bring(server, "modes", png(80, 40))
    assert (facts["width"], facts["height"], facts["type"]) == (80, 40, "image/png")
    views = [
        {"id": f"v{at}", "kind": "image", "image": {"hash": facts["hash"], "scale": 2}, "contentMode": mode, "clips": True,
         "background": "#eeeeee", "frame": [at % 5 * 100, at // 5 * 100, 80, 80]}
        for at, mode in enumerate(MODES)
    ]  # fmt: skip
    server.apply({"scene": 1, "viewport": {"width": 500, "height": 300}, "views": views}, "modes")
    page = visits.open(f"{server.http}/modes", viewport={"width": 1600, "height": 1000})
    page.wait_for_function("() => { const { shapes } = scenesync.stage; return shapes?.images.size === 1 && !shapes.waiting.size; }")
    page.evaluate("() => scenesync.look(1, 10, 10)")
    settle(page)
    # For each mode: where the picture's left quarter, right quarter and the view's uncovered part are, by hand.
    places: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float] | None]] = {
        "scaleToFill": ((20, 70), (60, 10), None), "redraw": ((20, 70), (60, 10), None),
        "scaleAspectFit": ((20, 40), (60, 40), (40, 10)), "scaleAspectFill": ((10, 5), (70, 75), None),
        "center": ((30, 40), (50, 40), (40, 25)), "top": ((30, 10), (50, 10), (40, 30)), "bottom": ((30, 70), (50, 70), (40, 50)),
        "left": ((10, 40), (30, 40), (60, 40)), "right": ((50, 40), (70, 40), (20, 40)), "topLeft": ((10, 10), (30, 10), (60, 10)),
        "topRight": ((50, 10), (70, 10), (20, 10)), "bottomLeft": ((10, 70), (30, 70), (60, 70)),
        "bottomRight": ((50, 70), (70, 70), (20, 70)),
    }  # fmt: skip
    for at, mode in enumerate(MODES):
        left, top = at % 5 * 100, at // 5 * 100
        red, blue, free = places[mode]
        assert pixel(page, left + red[0], top + red[1]) == RED, mode
        assert pixel(page, left + blue[0], top + blue[1]) == BLUE, mode
        if free:
            assert pixel(page, left + free[0], top + free[1]) == GREY, mode


def test_an_image_view_is_as_large_as_its_picture(server: Server, visits: Visits) -> None:
    server.make_room("own", {"scene": 1, "viewport": {"width": 200, "height": 200}})
    hash_ = bring(server, "own", png(60, 20))["hash"]
    page = visits.open(f"{server.http}/own")
    result = page.evaluate("(hash) => scenesync.room.send([{ op: 'addView', id: 'a', kind: 'image', image: hash }])", hash_)
    assert result["outcome"] == "committed"
    page.wait_for_function("() => scenesync.room.mirror.view('a') && scenesync.room.mirror.frame(scenesync.room.mirror.view('a').number)[2] > 0")
    assert page.evaluate("() => scenesync.room.mirror.frame(scenesync.room.mirror.view('a').number)") == [0, 0, 60, 20]
    page.wait_for_function("() => scenesync.stage.shapes?.images.size === 1 && !scenesync.stage.shapes.waiting.size")
    settle(page)
    assert pixel(page, 10, 10) == RED
    unknown = page.evaluate("() => scenesync.room.send([{ op: 'setView', id: 'a', image: '0'.repeat(64) }])")
    assert unknown["outcome"] == "refused"
    assert unknown["code"] == "bad-value"


def test_the_program_exports_where_it_is(server: Server) -> None:
    server.make_room("svg", {"scene": 1, "viewport": {"width": 100, "height": 100}})
    hash_ = bring(server, "svg", png(20, 10))["hash"]
    server.apply({"scene": 1, "viewport": {"width": 100, "height": 100}, "views": [
        {"id": "a", "kind": "image", "image": hash_, "frame": [10, 10, 40, 40], "contentMode": "scaleAspectFit"}]}, "svg")  # fmt: skip
    svg = server.view("svg", "svg")
    assert f'<image x="10" y="20" width="40" height="20" preserveAspectRatio="none" href="blobs/{hash_}"/>' in svg
    assert base64.b64encode(png(20, 10)).decode() not in svg
