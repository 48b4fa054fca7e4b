"""The page as an application's screen: what people do comes to the program behind the scene, and shows at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, Visits
from playwright.sync_api import Page

FORM = {
    "scene": 1,
    "viewport": {"width": 640, "height": 384},
    "views": [
        {"id": "bar", "kind": "stack", "role": "navigation", "label": "Top", "background": "#24283b"},
        {"id": "title", "parent": "bar", "kind": "label", "text": "Settings", "role": "heading", "hugging": [200, 251]},
        {"id": "save", "parent": "bar", "kind": "button", "text": "Save", "events": ["tap"], "hint": "Keeps the settings"},
        {"id": "form", "kind": "stack", "axis": "vertical", "spacing": 16, "role": "form", "label": "Settings"},
        {"id": "on", "parent": "form", "kind": "switch", "value": True, "label": "Sound", "events": ["input"]},
        {"id": "level", "parent": "form", "kind": "slider", "value": 3, "maximum": 10, "step": 1, "label": "Volume", "events": ["input"]},
        {"id": "name", "parent": "form", "kind": "textField", "placeholder": "Your name", "label": "Name", "events": ["input"]},
        {"id": "span", "parent": "form", "kind": "segmented", "segments": ["Day", "Week", "Month"], "value": 1, "label": "Span", "events": ["input"]},
        {"id": "done", "parent": "form", "kind": "progress", "value": 0.5, "label": "Done"},
        {"id": "off", "parent": "form", "kind": "button", "text": "Not now", "enabled": False, "events": ["tap"]},
        {"id": "list", "kind": "scroll", "scrolls": "each", "role": "list", "label": "Files"},
        {"id": "rows", "parent": "list", "kind": "stack", "axis": "vertical"},
        *({"id": f"r{at}", "parent": "rows", "kind": "label", "text": f"file {at}", "role": "listitem", "events": ["tap"], "focusable": True}
          for at in range(6)),
    ],
    "constraints": [
        "H:|[bar]|", "bar.top == root.top", "H:|-16-[form]-16-|", "form.top == bar.bottom + 16", "H:|-16-[list]-16-|",
        "list.top == form.bottom + 16", "list.height == 48", "rows.top == list.content.top", "rows.leading == list.content.leading",
        "rows.trailing == list.content.trailing", "rows.bottom == list.content.bottom", "rows.width == list.viewport.width",
    ],
}  # fmt: skip

#: A program behind the scene: it keeps what it hears, and answers as `answer` says, a function of the event.
PROGRAM_PAGE = """async (url) => {
    const { SceneClient } = await import("/scenesync.js");
    window.heard = [];
    window.answer = () => true;
    window.client = new SceneClient({ url, WebSocket, role: "editor", capabilities: 1024 });
    await new Promise((ready) => {
        client.onmessage = async (message) => {
            if (message.type === "welcome") queueMicrotask(() => client.sendMessage({ type: "handle", roots: ["root"] }));
            // The state comes after what was said before it was taken.
            if (message.type === "interactions") ready();
            if (message.type !== "event") return;
            heard.push(message);
            const handled = await answer(message);
            client.sendMessage({ type: "handled", answers: [{ sequence: message.sequence, handled }] });
        };
    });
}"""


class Program:
    """A program behind the scene, in a page of its own."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.evaluate(PROGRAM_PAGE, url)

    def answers(self, body: str) -> None:
        self.page.evaluate(f"() => {{ window.answer = {body}; }}")

    def hears(self, count: int) -> list[tuple[str, str, Any]]:
        """The first events that it heard, once there are so many."""
        self.page.wait_for_function("(count) => heard.length >= count", arg=count)
        return [(event["kind"], event["view"], event.get("value")) for event in self.page.evaluate("() => heard")]


@pytest.fixture
def scene(folder: Path, make_server: Callable[..., Server]) -> Server:
    file = folder / "form.json"
    file.write_text(json.dumps(FORM))
    return make_server(scene=str(file.with_suffix("")))


@pytest.fixture
def program(scene: Server, visits: Visits) -> Iterator[Program]:
    # A document whose policy allows modules, and that does nothing itself.
    visits.expected.append("404")
    page = visits.open(f"{scene.http}/favicon.svg", wait=False)
    yield Program(page, f"{scene.http.replace('http', 'ws')}/demo")


def open_app(scene: Server, visits: Visits, **options: Any) -> Page:
    page = visits.open(f"{scene.http}/demo?app", wait=False, **options)
    page.wait_for_function("() => window.scenesync?.firstPicture > 0 && scenesync.controls.widgets.size >= 16")
    return page


def lines(page: Page, view: str) -> str:
    """What the picture shows of a view."""
    return page.evaluate(
        """(id) => { const { stage, room } = scenesync, at = stage.places.get(room.mirror.numbers.get(id));
        return stage.items[at].content.lines.map((line) => line.text).join(""); }""",
        view,
    )


def shows(page: Page, view: str, text: str) -> None:
    page.wait_for_function(
        """([id, text]) => { const { stage, room } = scenesync, at = stage.places.get(room.mirror.numbers.get(id));
        return stage.items[at].content.lines.map((line) => line.text).join("") === text; }""",
        arg=[view, text],
    )


def element(page: Page, view: str) -> Any:
    return page.locator(f'#controls [data-view="{view}"]')


def test_everything_has_its_role_and_name(scene: Server, visits: Visits) -> None:
    page = open_app(scene, visits, viewport={"width": 390, "height": 844})
    files = "\n".join(f"  - listitem: file {at}" for at in range(6))
    assert page.locator("#controls").aria_snapshot() == f"""\
- navigation "Top":
  - heading "Settings" [level=2]
  - button "Save"
- form "Settings":
  - switch "Sound" [checked]
  - slider "Volume": "3"
  - textbox "Name":
    - /placeholder: Your name
  - radiogroup "Span":
    - radio "Day"
    - radio "Week" [checked]
    - radio "Month"
  - progressbar "Done"
  - button "Not now" [disabled]
- list "Files":
{files}"""
    assert element(page, "save").get_attribute("aria-description") == "Keeps the settings"
    # Laid out for this window, and every element where the picture has its view.
    assert page.evaluate("() => scenesync.stage.shown(scenesync.room.mirror.root)") == {"x": 0, "y": 0, "width": 390, "height": 844}
    for view in ("save", "on", "level", "name", "span", "r0"):
        box = page.evaluate("(id) => scenesync.stage.box(id)", view)
        assert element(page, view).bounding_box() == pytest.approx(box), view


def test_tab_goes_through_what_can_be_used_in_the_order_of_the_views(scene: Server, visits: Visits) -> None:
    page = open_app(scene, visits)
    order = []
    for _ in range(12):
        page.keyboard.press("Tab")
        order.append(page.evaluate("() => document.activeElement.closest('[data-view]')?.dataset.view"))
    # The radio buttons of a group are one stop, the disabled button is none; the list can be scrolled.
    assert order == ["save", "on", "level", "name", "span", "list", "r0", "r1", "r2", "r3", "r4", "r5"]
    # What has the focus is marked, and has been scrolled into the list's 48 points: rows 3, 4 and 5 of 16 each.
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert page.evaluate("() => scenesync.stage.ownOffsets.get('list')[1] / scenesync.room.unit") == 48


def test_taps_come_from_mouse_finger_and_keyboard(scene: Server, visits: Visits, program: Program) -> None:
    page = open_app(scene, visits, has_touch=True)
    box = element(page, "save").bounding_box()
    page.mouse.click(box["x"] + 5, box["y"] + 7)
    page.touchscreen.tap(box["x"] + 5, box["y"] + 7)
    # A click has given it the focus.
    page.keyboard.press("Enter")
    assert program.hears(3) == [("tap", "save", None)] * 3
    assert program.page.evaluate("() => heard.map(({ place }) => place)") == [[5, 7], [5, 7], [0, 0]]
    # A row by the keyboard; the disabled button, and a press that ends elsewhere, by nothing.
    element(page, "off").click(force=True)
    page.mouse.move(box["x"] + 5, box["y"] + 7)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] + 300)
    page.mouse.up()
    element(page, "r0").focus()
    page.keyboard.press("Enter")
    assert program.hears(4)[3:] == [("tap", "r0", None)]


def test_a_press_that_ends_over_another_view_is_told_to_that_one_first(scene: Server, visits: Visits, program: Program) -> None:
    page = open_app(scene, visits)
    program.page.evaluate("() => client.send(['r0', 'r1', 'off'].map((id) => ({ op: 'setView', id, events: ['press'] })))")
    page.wait_for_function("() => ['r0', 'r1', 'off'].every((id) => scenesync.room.client.interactions.get(id).events.includes('press'))")

    def drag(*places: tuple[float, float]) -> None:
        page.mouse.move(*places[0])
        page.mouse.down()
        for place in places[1:]:
            page.mouse.move(*place)
        page.mouse.up()

    first, second, off, bar = (page.evaluate("(id) => scenesync.stage.box(id)", view) for view in ("r0", "r1", "off", "bar"))
    drag((first["x"] + 5, first["y"] + 7), (second["x"] + 9, second["y"] + 3))
    assert program.hears(3) == [("press", "r0", "began"), ("press", "r1", "dropped"), ("press", "r0", "ended")]
    assert program.page.evaluate("() => heard[1].place") == [9, 3]
    # Over what cannot be used, over what hears nothing, and where it began, it only ends.
    for box in (off, bar, first):
        drag((first["x"] + 5, first["y"] + 7), (box["x"] + 5, box["y"] + 5))
    assert program.hears(9)[3:] == [("press", "r0", "began"), ("press", "r0", "ended")] * 3


def test_a_new_value_shows_at_once_and_stays_or_goes(scene: Server, visits: Visits, program: Program) -> None:
    page = open_app(scene, visits)
    program.answers("() => new Promise((done) => { window.decide = done; })")
    assert lines(page, "on") == "━━━━●"
    element(page, "on").click()
    shows(page, "on", "○────")
    assert program.hears(1) == [("input", "on", False)]
    # Not handled: back to what the scene says.
    program.page.evaluate("() => decide(false)")
    shows(page, "on", "━━━━●")
    assert element(page, "on").is_checked()
    # Handled, and the scene says so too.
    element(page, "on").click()
    program.hears(2)
    program.page.evaluate("async () => { await client.send([{ op: 'setView', id: 'on', value: false }]); decide(true); }")
    page.wait_for_function("() => scenesync.gestures.own.size === 0 && scenesync.room.client.interactions.get('on').value === false")
    shows(page, "on", "○────")
    # Handled, but the scene says something else: that is what shows.
    element(page, "on").click()
    program.hears(3)
    program.page.evaluate("async () => { await client.send([{ op: 'setView', id: 'on', value: true, hint: 'x' }, { op: 'setView', id: 'on', value: false }]); decide(true); }")
    page.wait_for_function("() => scenesync.gestures.own.size === 0")
    shows(page, "on", "○────")


def test_sliders_segments_and_fields(scene: Server, visits: Visits, program: Program) -> None:
    program.answers("({ view, value }) => client.send([{ op: 'setView', id: view, value }]).then(() => true)")
    page = open_app(scene, visits)
    element(page, "level").focus()
    page.keyboard.press("ArrowRight")
    assert program.hears(1) == [("input", "level", 4)]
    page.get_by_role("radio", name="Month").click()
    assert program.hears(2)[1:] == [("input", "span", 2)]
    field = element(page, "name")
    field.click()
    page.keyboard.type("Ada")
    assert program.page.evaluate("() => heard.length") == 2
    page.keyboard.press("Enter")
    assert program.hears(3)[2:] == [("input", "name", "Ada")]
    shows(page, "name", "Ada")
    # What was written and not decided on is forgotten with Escape.
    page.keyboard.type(" Lovelace")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.value === 'Ada'")
    page.keyboard.press("Tab")
    # With `continuous` each keystroke is told.
    program.page.evaluate("() => client.send([{ op: 'setView', id: 'name', continuous: true }])")
    page.wait_for_function("() => scenesync.room.client.interactions.get('name').continuous")
    field.focus()
    page.keyboard.press("End")
    page.keyboard.type("!?")
    assert program.hears(5)[3:] == [("input", "name", "Ada!"), ("input", "name", "Ada!?")]
    assert page.get_by_role("radio", name="Month").is_checked()


def test_a_list_scrolls_on_one_screen_alone(scene: Server, visits: Visits, program: Program) -> None:
    page, other = open_app(scene, visits), open_app(scene, visits)
    box = element(page, "list").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.wheel(0, 32)
    page.wait_for_function("() => scenesync.stage.ownOffsets.get('list')?.[1] === 32 * scenesync.room.unit")
    # Two rows further: the point is in the middle of the fourth row, and it ends where the content ends.
    page.mouse.click(box["x"] + 20, box["y"] + 24)
    assert program.hears(1) == [("tap", "r3", None)]
    page.mouse.wheel(0, 1000)
    page.wait_for_function("() => scenesync.stage.ownOffsets.get('list')?.[1] === 48 * scenesync.room.unit")
    assert other.evaluate("() => scenesync.stage.ownOffsets.size") == 0
    assert other.evaluate("() => scenesync.stage.shown(scenesync.room.mirror.numbers.get('r0')).y") == element(other, "list").bounding_box()["y"]


def test_what_is_covered_cannot_be_used(scene: Server, visits: Visits, program: Program) -> None:
    page = open_app(scene, visits)
    before = page.evaluate("() => scenesync.room.mirror.numbers.size")
    program.page.evaluate("() => client.send([{ op: 'addView', id: 'sheet', frame: [0, 0, 2000, 2000] }])")
    page.wait_for_function("(count) => scenesync.room.mirror.numbers.size > count && !scenesync.stage.isStale", arg=before)
    for view in ("save", "on", "name"):
        element(page, view).click(force=True)
    assert page.evaluate("() => document.activeElement.tagName") == "BODY"
    assert element(page, "on").is_checked()
    program.page.evaluate("() => client.send([{ op: 'removeView', id: 'sheet' }])")
    page.wait_for_function("(count) => scenesync.room.mirror.numbers.size === count && !scenesync.stage.isStale", arg=before)
    element(page, "save").click()
    assert program.hears(1) == [("tap", "save", None)]


def test_what_a_superview_forbids_is_disabled(scene: Server, visits: Visits, program: Program) -> None:
    page = open_app(scene, visits)
    program.page.evaluate("() => client.send([{ op: 'setView', id: 'form', enabled: false }])")
    page.wait_for_function("() => document.querySelector('[data-view=on]').disabled")
    for view in ("on", "level", "name", "span"):
        assert element(page, view).is_disabled(), view
    assert element(page, "save").is_enabled()
    assert element(page, "form").get_attribute("aria-disabled") == "true"


def test_an_event_survives_a_cut(scene: Server, visits: Visits, program: Program) -> None:
    page = open_app(scene, visits)
    program.answers("() => new Promise((done) => { window.decide = done; })")
    page.evaluate("() => { window.result = scenesync.room.client.sendEvent({ kind: 'tap', view: 'save' }); }")
    program.hears(1)
    page.evaluate("() => { scenesync.room.lose(); scenesync.room.hurry(); }")
    page.wait_for_function("() => scenesync.room.status === 'live'")
    program.page.evaluate("() => decide(true)")
    assert page.evaluate("() => result.then(({ outcome }) => outcome)") == "handled"
    assert len(program.hears(1)) == 1
    assert page.locator("#status").is_hidden()
