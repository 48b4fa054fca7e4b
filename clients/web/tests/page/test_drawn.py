"""The picture of a scene in Chromium's canvas against the SVG of the program as rsvg-convert draws it: the same but for the edges of letters.

Both have two pixels a point. A pixel differs where one of its channels does by more than a fourth of the whole; on the edges of letters and
curves the two programs smooth differently.
"""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLES, Server, Visits

#: The most pixels that may differ.
SHARE = 0.005
#: Examples on their devices, whose texts are set in faces.
SCENES = [(name, device) for name in ("board", "clock", "monitor") for device in ("", "phone", "desk")]
#: Looks of all kinds, each a document of its own.
LOOKS: dict[str, list[dict[str, Any]]] = {
    "corners": [
        {"id": f"v{at}", "frame": [20 + at % 4 * 90, 20 + at // 4 * 90, 70, 70], "background": "systemIndigo", "cornerRadius": 6 * at,
         "maskedCorners": (["topLeft", "bottomRight"], ["topRight"], ["topLeft", "topRight", "bottomLeft", "bottomRight"])[at % 3],
         "borderWidth": at % 4, "borderColor": "systemOrange"}
        for at in range(12)
    ],
    "shadows": [
        {"id": f"v{at}", "frame": [40 + at % 3 * 120, 40 + at // 3 * 120, 70, 70], "background": "#ffffff", "cornerRadius": 8 * at,
         "shadow": {"color": "#000000", "offset": [at, 4], "radius": 2 * at, "opacity": 0.4}}
        for at in range(6)
    ],
    "gradients": [
        {"id": f"v{at}", "frame": [20 + at % 3 * 120, 20 + at // 3 * 120, 100, 100], "cornerRadius": 10,
         "gradient": {"colors": ["systemPink", "systemYellow", "systemTeal"], "startPoint": start, "endPoint": end, "locations": [0, 0.3, 1]}}
        for at, (start, end) in enumerate([([0, 0], [1, 1]), ([0.5, 0], [0.5, 1]), ([1, 0], [0, 0]), ([0.2, 0.2], [0.4, 0.9])])
    ],
    "transforms": [
        {"id": f"v{at}", "frame": [40 + at % 3 * 120, 40 + at // 3 * 120, 60, 60], "background": "systemGreen", "borderWidth": 4,
         "borderColor": "#000000", "opacity": 0.8, "transform": {"rotation": 25 * at, "scale": 0.6 + 0.2 * at, "translation": [at, -at]}}
        for at in range(6)
    ],
    "charts": [
        {"id": f"v{at}", "frame": [20, 20 + at * 120, 340, 100], "background": "#f2f2f7",
         "chart": {"values": [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5], "style": style, "gridLines": 4, "lineWidth": 3}}
        for at, style in enumerate(("line", "area", "bars"))
    ],
    "symbols": [
        {"id": f"v{at}", "kind": "image", "symbol": name, "frame": [20 + at % 4 * 90, 20 + at // 4 * 90, 60 + at, 70], "tint": "systemRed"}
        for at, name in enumerate(("gear", "heart.fill", "bell", "folder", "trash", "star.fill", "magnifyingglass", "person.2.fill"))
    ],
    "clipped": [
        {"id": "outer", "frame": [40, 40, 300, 200], "background": "systemGray5", "cornerRadius": 60, "clips": True},
        {"id": "inner", "parent": "outer", "frame": [-20, -20, 150, 150], "background": "systemBlue", "opacity": 0.5},
        {"id": "other", "parent": "outer", "frame": [120, 90, 300, 300], "background": "systemPurple", "cornerRadius": 30},
    ],
    "words": [
        {"id": style, "kind": "label", "text": f"{style}: Ünïcödé fi 1,234", "textStyle": style, "frame": [20, 20 + 34 * at, 600, 40]}
        for at, style in enumerate(("largeTitle", "title1", "title2", "headline", "body", "callout", "footnote", "caption2"))
    ],
}  # fmt: skip
COMPARE = """async (source) => {
    const { Stage } = await import("./page/stage.js"), { room } = scenesync, canvas = document.createElement("canvas"), stage = new Stage(canvas);
    const [, , width, height] = room.mirror.frame(room.mirror.root).map((value) => value / room.unit);
    stage.resize(Math.round(2 * width), Math.round(2 * height), 2);
    stage.rebuild(room.mirror, room.welcome);
    await stage.paintWhole(Number(room.mirror.tick) + 1e6);
    const picture = Object.assign(new Image(), { src: source });
    await picture.decode();
    if (picture.width !== canvas.width || picture.height !== canvas.height) return `${picture.width} × ${picture.height}`;
    const draw = (drawn) => {
        const g = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
        g.fillStyle = "#ffffff";
        g.fillRect(0, 0, canvas.width, canvas.height);
        g.drawImage(drawn, 0, 0);
        return g.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const [one, other] = [draw(canvas), draw(picture)];
    let count = 0;
    for (let at = 0; at < one.length; at += 4) {
        if ([0, 1, 2].some((channel) => Math.abs(one[at + channel] - other[at + channel]) > 63)) count++;
    }
    return [count / (one.length / 4), canvas.toDataURL()];
}"""


def compare(server: Server, visits: Visits, room: str, folder: Path) -> float:
    """The share of pixels that differ. The pictures stay in the folder."""
    (folder / "picture.svg").write_text(server.view("svg-outlines", room))
    command = ["rsvg-convert", "--zoom", "2", "--output", str(folder / "rsvg.png"), str(folder / "picture.svg")]
    subprocess.run(command, check=True)
    page = visits.open(f"{server.http}/{room}")
    data = base64.b64encode((folder / "rsvg.png").read_bytes()).decode()
    found = page.evaluate(COMPARE, f"data:image/png;base64,{data}")
    assert isinstance(found, list), f"rsvg-convert's picture is {found}"
    share, canvas = found
    (folder / "canvas.png").write_bytes(base64.b64decode(canvas.partition(",")[2]))
    print(f"{room}: {100 * share:.3f} %")
    return float(share)


@pytest.mark.parametrize(("name", "device"), SCENES)
def test_examples(server: Server, visits: Visits, tmp_path: Path, name: str, device: str) -> None:
    document = json.loads((EXAMPLES / f"{name}.json").read_text())
    devices = document.pop("devices")
    if device:
        document["viewport"] = devices[device]
    room = f"{name}-{device or 'main'}"
    server.make_room(room, document)
    assert compare(server, visits, room, tmp_path) <= SHARE


@pytest.mark.parametrize("name", LOOKS)
def test_looks(server: Server, visits: Visits, tmp_path: Path, name: str) -> None:
    back = {"id": "back", "frame": [0, 0, 640, 400], "background": "#ffffff"}
    server.make_room(name, {"scene": 1, "viewport": {"width": 640, "height": 400, "typography": "faces"}, "views": [back, *LOOKS[name]]})
    assert compare(server, visits, name, tmp_path) <= SHARE
