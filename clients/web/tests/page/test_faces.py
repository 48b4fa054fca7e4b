"""Text in faces: the browser draws every line as wide as the server measured it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Server, Visits
from face_scene import scene
from playwright.sync_api import Page

# For each line: what the server said of its width, and what the browser measures, in points.
LINES = """() => {
    const { stage, room } = scenesync, g = document.createElement("canvas").getContext("2d"), found = [];
    g.canvas.style.setProperty("text-spacing-trim", "space-all");
    for (const { id, content } of room.mirror.preorder()) {
        if (!content.face || content.face.fitted) continue;
        const font = stage.faces.font(content.face);
        g.font = font;
        for (const { text, place } of content.lines) {
            found.push({ id, text, told: place[2] / room.unit, own: g.measureText(text).width * content.face.size / 64 / 64 });
        }
    }
    return found;
}"""


def faces_are_there(page: Page) -> None:
    page.wait_for_function("""() => { const { faces } = scenesync.stage;
        return faces?.states.size === 2 && [...faces.states.values()].every((state) => state === "ready"); }""")


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_every_line_is_as_wide_as_the_server_says(
    scale: int, make_server: Callable[..., Server], visits_at: Callable[[float], Visits]
) -> None:
    server = make_server()
    server.make_room("faces", scene(scale, seed=scale))
    page = visits_at(scale).open(f"{server.http}/faces")
    faces_are_there(page)
    lines = page.evaluate(LINES)
    assert len(lines) > 60
    for line in lines:
        # The server's width goes up to the next pixel of the device.
        assert -1 / 64 <= line["told"] - line["own"] <= 1 / scale + 1 / 64, line


# By its text: how long a text of an SVG document should be, and how long it is by its glyphs alone.
LENGTHS = """async () => {
    await document.fonts.ready;
    return Object.fromEntries([...document.querySelectorAll("text")].map((text) => {
        const told = text.textLength.baseVal.value;
        text.removeAttribute("textLength");
        return [text.textContent, [told, text.getComputedTextLength()]];
    }));
}"""


def test_saved_pictures_carry_their_faces_along(server: Server, visits: Visits, folder: Path) -> None:
    texts = {"plain": "AVATAR 1,234 ms", "bold": "Größe Русский"}
    labels = [{"id": key, "kind": "label", "text": text, "textStyle": "headline" if key == "bold" else "body"} for key, text in texts.items()]
    viewport = {"width": 400, "height": 100, "typography": "faces"}
    server.make_room("carried", {"scene": 1, "viewport": viewport, "views": labels, "constraints": ["bold.top == plain.bottom"]})
    page = visits.open(f"{server.http}/carried")
    faces_are_there(page)
    page.click("#share")
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG", exact=True).click()
    files = [folder / "page.svg", folder / "program.svg"]
    download.value.save_as(files[0])
    files[1].write_text(server.view("svg", "carried"))
    # The program's has the outlines of these characters alone.
    assert len(files[1].read_text()) < 40_000 < len(files[0].read_text())
    for file in files:
        style = ElementTree.parse(file).getroot().findtext("{http://www.w3.org/2000/svg}style") or ""
        assert re.findall(r'font-family:"(\w+)";font-weight:(\d+)', style) == [("Inter", "400"), ("Inter", "600")]
        alone = page.context.new_page()
        alone.goto(file.as_uri())
        lengths = alone.evaluate(LENGTHS)
        assert set(lengths) == set(texts.values())
        for text, (told, own) in lengths.items():
            # The server's width goes up to the next pixel.
            assert -0.1 <= told - own <= 1.1, (file.name, text, told, own)
        alone.close()


def test_a_face_that_does_not_come_leaves_lines_fitted(server: Server, visits: Visits) -> None:
    server.make_room("faces", scene(1, seed=9))
    visits.expected.append("Failed to load resource")
    page = visits.open(f"{server.http}/faces", wait=False)
    page.route("**/fonts/*", lambda route: route.fulfill(status=404))
    page.reload()
    page.wait_for_function("() => [...(window.scenesync?.stage.faces?.states.values() ?? [])].filter((state) => state === 'failed').length === 2")
    page.wait_for_function("() => scenesync.isPainted")


# The places between the characters of a text in the font of a field, from its start, in pixels.
PLACES = """(field) => {
    const { font, letterSpacing } = getComputedStyle(field), g = document.createElement("canvas").getContext("2d");
    g.font = font;
    g.letterSpacing = letterSpacing;
    const characters = [...new Intl.Segmenter().segment(field.value)].map(({ segment }) => segment);
    let text = "";
    return [[0, 0], ...characters.map((character) => { text += character; return [text.length, g.measureText(text).width]; })];
}"""


def test_a_click_in_a_field_lands_between_the_characters_at_its_place(server: Server, visits: Visits) -> None:
    # Accents of two scalars are one character; digits and capitals are of different widths.
    text = "Te\u0301 AVA 1,23 Größe"
    views = [{"id": "field", "kind": "textField", "value": text, "textStyle": "title2", "events": ["input"]}]
    viewport = {"width": 400, "height": 200, "typography": "faces"}
    rules = ["field.width == 300", "field.centerX == root.centerX", "field.top == root.top + 40"]
    server.make_room("field", {"scene": 1, "viewport": viewport, "views": views, "constraints": rules})
    page = visits.open(f"{server.http}/field?app", wait=False)
    faces_are_there_once(page)
    field = page.locator("input[data-view=field]")
    field.focus()
    # It is set in the face that the scene was measured in, which comes after it.
    page.wait_for_function("""() => getComputedStyle(document.querySelector("input[data-view=field]")).fontFamily.startsWith('scenesync-')""")
    box, places = field.bounding_box(), field.evaluate(PLACES)
    assert box and len(places) == 18
    padding = field.evaluate("(field) => parseFloat(getComputedStyle(field).paddingLeft)")
    for number, (index, x) in enumerate(places):
        # A third of the way to the neighbours, on both sides, is nearest to the place.
        for neighbour in places[max(0, number - 1) : number + 2]:
            page.mouse.click(box["x"] + padding + x + (neighbour[1] - x) / 3, box["y"] + box["height"] / 2)
            assert field.evaluate("(field) => field.selectionStart") == index, (text, index)


def faces_are_there_once(page: Page) -> None:
    page.wait_for_function("() => [...(window.scenesync?.stage.faces?.states.values() ?? [])].some((state) => state === 'ready')")
