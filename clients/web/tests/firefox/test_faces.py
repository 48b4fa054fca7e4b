"""Text in faces: Firefox draws every line as wide as the server measured it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from face_scene import scene
from firefox import Firefox, Page
from scenesync_server import Server

#: Pixels that a line may differ by. Firefox rounds glyphs to a part of a pixel, which is small at the page's size of type.
TOLERANCE = 0.02

# For each line: what the server said of its width, what the browser measures of its words at 16 times the size, in points, and whether
# the page draws it without stretching it.
LINES = """() => {
    const { stage: { faces }, room } = scenesync, g = document.createElement("canvas").getContext("2d"), found = [];
    const measure = (font, text) => { g.font = font; return g.measureText(text).width; };
    for (const { id, content } of room.mirror.preorder()) {
        if (!content.face || content.face.fitted) continue;
        const size = content.face.size / 64, large = `${16 * size}px ${faces.families(content.face)}`;
        for (const { text, place } of content.lines) {
            const words = text.split(" "), spaces = (words.length - 1) * measure(large, " ");
            const own = words.filter(Boolean).reduce((sum, word) => sum + measure(large, word), spaces) / 16;
            const told = place[2] / room.unit, parts = faces.parts(g, faces.font(content.face), text, told * 64 / size, 64 / size / room.unit);
            found.push({ id, text, told, own, stretched: parts.filter(({ stretch }) => stretch !== 1).length });
        }
    }
    return found;
}"""


def faces_are_there(page: Page) -> None:
    page.wait_for("""() => { const faces = window.scenesync?.stage?.faces;
        return faces?.states.size === 2 && [...faces.states.values()].every((state) => state === "ready"); }""")


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_every_line_is_as_wide_as_the_server_says(scale: int, make_server: Callable[..., Server], browser: Firefox) -> None:
    server = make_server()
    server.make_room("faces", scene(scale, seed=scale))
    page = browser.open(f"{server.http}/faces", scale)
    faces_are_there(page)
    lines = page.evaluate(LINES)
    assert len(lines) > 60
    for line in lines:
        # The server's width goes up to the next pixel of the device.
        assert -TOLERANCE <= line["told"] - line["own"] <= 1 / scale + TOLERANCE, line
        assert line["stretched"] == 0, line
