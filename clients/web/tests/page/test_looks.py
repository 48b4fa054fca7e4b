"""Corners, lines, shadows, gradients, tints and transforms: the page against the program's SVG, both drawn by the same Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Server, Visits, settle
from test_picture import compare


def boxes(*looks: dict[str, Any]) -> list[dict[str, Any]]:
    """Views of 80 × 60 in rows of four."""
    return [
        {"id": f"v{at}", "frame": [20 + at % 4 * 100, 20 + at // 4 * 90, 80, 60], "background": "systemBlue", **look}
        for at, look in enumerate(looks)
    ]


SCENES: dict[str, list[dict[str, Any]]] = {
    "corners": boxes(
        {"cornerRadius": 8}, {"cornerRadius": 100}, {"cornerRadius": 20, "maskedCorners": ["topLeft", "bottomRight"]},
        {"cornerRadius": 20, "maskedCorners": []}, {"cornerRadius": 12, "maskedCorners": ["topRight"], "background": "#ff000080"},
        {"cornerRadius": 0.5}, {"cornerRadius": 30, "maskedCorners": ["bottomLeft", "bottomRight"]},
    ),
    "lines": boxes(
        {"borderWidth": 1}, {"borderWidth": 4, "borderColor": "systemRed"}, {"borderWidth": 3, "cornerRadius": 16, "borderColor": "label"},
        {"borderWidth": 100}, {"borderWidth": 6, "cornerRadius": 20, "maskedCorners": ["topLeft"], "borderColor": "#00000080"},
        {"borderWidth": 2, "border": "rounded", "foreground": "#000000"}, {"borderWidth": 0.5, "borderColor": "separator"},
    ),
    "shadows": boxes(
        {"shadow": {}}, {"shadow": {"offset": [6, 8], "radius": 4, "opacity": 0.5}}, {"shadow": {"radius": 0, "offset": [5, 5]}},
        {"shadow": {"color": "systemRed", "offset": [0, 0], "radius": 8}, "cornerRadius": 20},
        {"shadow": {"radius": 6}, "clips": True}, {"shadow": {"opacity": 0}},
    ),
    "gradients": boxes(
        {"gradient": {"colors": ["#ff0000", "#0000ff"]}},
        {"gradient": {"colors": ["systemGreen", "systemYellow", "#ffffff"], "startPoint": [0, 0], "endPoint": [1, 1]}, "cornerRadius": 12},
        {"gradient": {"colors": ["#000000", "#ffffff"], "locations": [0.5, 0.5], "startPoint": [0, 0.5], "endPoint": [1, 0.5]}},
        {"gradient": {"colors": ["#ffffff00", "#000000"]}, "borderWidth": 2},
        {"gradient": {"colors": ["tint", "label"], "startPoint": [0.25, 0], "endPoint": [0.75, 0]}, "background": "#00000000"},
    ),
    "groups": [
        *boxes({"clips": True, "cornerRadius": 20}, {"opacity": 0.5, "cornerRadius": 8, "borderWidth": 4}),
        {"id": "inner", "parent": "v0", "frame": [-10, -10, 60, 40], "background": "systemRed"},
        {"id": "over", "parent": "v1", "frame": [20, 20, 80, 60], "background": "systemGreen", "cornerRadius": 4},
    ],
    "transforms": [
        *boxes(
            {"transform": {"rotation": 30}}, {"transform": {"scale": [0.5, 1.25]}, "cornerRadius": 10},
            {"transform": {"translation": [10, -10], "rotation": 90, "scale": 0.75}, "shadow": {"offset": [8, 0], "radius": 2}},
            {"transform": {"scale": [-1, 1]}, "gradient": {"colors": ["#ff0000", "#0000ff"], "startPoint": [0, 0], "endPoint": [1, 0]}},
            {"transform": {"rotation": 45}, "opacity": 0.6}, {"transform": {"rotation": -20}, "clips": True, "cornerRadius": 16},
        ),
        {"id": "in0", "parent": "v0", "frame": [10, 10, 30, 30], "background": "systemRed", "transform": {"rotation": 15}},
        {"id": "in4", "parent": "v4", "frame": [40, 30, 60, 60], "background": "systemGreen"},
        {"id": "in5", "parent": "v5", "frame": [40, 30, 60, 60], "background": "systemGreen"},
    ],
}  # fmt: skip


def scene(views: list[dict[str, Any]], **viewport: Any) -> dict[str, Any]:
    return {"scene": 1, "viewport": {"width": 440, "height": 220, **viewport}, "views": views}


@pytest.mark.parametrize("style", ["light", "dark"])
@pytest.mark.parametrize("name", sorted(SCENES))
def test_page_and_program_draw_the_same(server: Server, visits: Visits, name: str, style: str) -> None:
    server.make_room(f"{name}-{style}", scene(SCENES[name], userInterfaceStyle=style, accessibilityContrast="high"))
    page = visits.open(f"{server.http}/{name}-{style}", viewport={"width": 1600, "height": 1000})
    page.wait_for_function("() => scenesync.stage.shapes")
    settle(page)
    found = compare(page, server.view("svg", f"{name}-{style}"), 440, 220)
    assert found["share"] < 0.005, found
    assert found["worst"] < 24, found


def test_what_is_hit_is_what_is_shown_there(server: Server, visits: Visits) -> None:
    views = [{"id": "a", "frame": [100, 100, 100, 20], "background": "#ff0000", "transform": {"rotation": 90}}]
    views.append({"id": "b", "parent": "a", "frame": [90, 0, 10, 20], "background": "#00ff00"})
    server.make_room("hits", scene(views, width=300, height=220))
    page = visits.open(f"{server.http}/hits")
    page.wait_for_function("() => scenesync.stage.shapes")
    settle(page)
    found = page.evaluate("""() => {
        const { stage, room } = scenesync;
        const at = (x, y) => room.mirror.views.get(stage.hit(x, y)).id;
        const a = stage.shown(room.mirror.view("a").number);
        return { hits: [at(195, 110), at(150, 155), at(150, 65), at(150, 165)], shown: [a.x, a.y, a.width, a.height] };
    }""")
    assert found == {"hits": ["root", "b", "a", "root"], "shown": [140, 60, 20, 100]}


def test_colours_follow_the_device(server: Server, visits: Visits) -> None:
    server.make_room("follow", scene([{"id": "a", "frame": [0, 0, 440, 220], "background": "systemBackground", "cornerRadius": 4}]))
    page = visits.open(f"{server.http}/follow")
    page.wait_for_function("() => scenesync.stage.shapes")
    pixel = """() => { const { stage } = scenesync, box = stage.box("a");
        const g = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
        g.drawImage(stage.canvas, (box.x + box.width / 2) * stage.ratio, (box.y + box.height / 2) * stage.ratio, 1, 1, 0, 0, 1, 1);
        return [...g.getImageData(0, 0, 1, 1).data]; }"""
    settle(page)
    assert page.evaluate(pixel) == [255, 255, 255, 255]
    page.evaluate("""() => scenesync.room.send([{ op: "setViewport", userInterfaceStyle: "dark" }])""")
    page.wait_for_function(f"() => ({pixel})()[0] === 0")
