"""Each person looks at the scene on a device of their own choice, and edits on one show on all."""

from __future__ import annotations

from conftest import FRAMES, Server, Visits, look_into, place
from playwright.sync_api import Page


def waits_for(page: Page, view: str, width: float) -> None:
    """The page's mirror has a view that wide."""
    page.wait_for_function(f"([view, width]) => ({FRAMES})()[view][2] === width", arg=[view, width])


def test_each_page_has_its_own_device(server: Server, visits: Visits) -> None:
    url = f"{server.http}/demo"
    ada, bob, eve = (visits.open(url) for _ in range(3))
    assert ada.locator("#watch option").all_inner_texts() == ["Shared", "This window", "phone", "desk", "terminal"]
    bob.select_option("#watch", "phone")
    eve.select_option("#watch", "desk")
    # Beside a sidebar of 240 on the desk, of 96 on the phone, of 160 for all others.
    waits_for(bob, "main", 390 - 96)
    waits_for(eve, "main", 1280 - 240)
    waits_for(ada, "main", 640 - 160)

    # One edit moves all three, each in its own layout: of the main view the margins are taken off.
    ada.evaluate("() => void scenesync.room.send([{op: 'setView', id: 'main', margins: [16, 40, 16, 40]}])")
    waits_for(ada, "activity", 480 - 80)
    waits_for(bob, "activity", 294 - 80)
    waits_for(eve, "activity", 1040 - 80)

    # Back on the shared one, and in the window's own size.
    bob.select_option("#watch", "")
    waits_for(bob, "root", 640)
    bob.select_option("#watch", "own window")
    waits_for(bob, "root", bob.evaluate("() => document.getElementById('stage').clientWidth"))


MIRROR = """(title) => { const { room } = scenesync.wall.tiles.find((tile) => tile.title === title);
    return Object.fromEntries(room.mirror.preorder().map((view) => [view.id, room.mirror.frame(view.number).map((value) => value / room.unit)])); }"""


def on_device(page: Page, title: str, view: str, frame: list[float]) -> None:
    """A device of the wall shows a view there."""
    page.wait_for_function(
        f"([title, view, frame]) => ({MIRROR})(title)[view]?.every((side, at) => Math.abs(side - frame[at]) < 0.01)", arg=[title, view, frame]
    )


def open_wall(page: Page) -> None:
    page.click("#show-wall")
    page.wait_for_function("""() => scenesync.wall?.tiles.length && scenesync.wall.tiles.every(({ room, shape }) =>
        room.granted && !room.mirror.needsSnapshot && shape)""")


def place_on(page: Page, title: str, view: str) -> tuple[float, float, float, float]:
    """Where a device of the wall shows a view, in the window's pixels; and its pixels a point."""
    # A mirror is ahead of the picture until that is painted.
    page.wait_for_function("() => !scenesync.wall.isScheduled")
    found = page.evaluate("""([title, view]) => { const tile = scenesync.wall.tiles.find((tile) => tile.title === title), box = tile.stage.box(view);
        tile.over.scrollIntoView({ block: "center" });
        const at = tile.over.getBoundingClientRect();
        return [box.x + at.x + box.width / 2, box.y + at.y + box.height / 2, box.width, tile.stage.camera.scale]; }""", [title, view])  # fmt: skip
    return found[0], found[1], found[2], found[3]


def test_a_drag_on_one_device_of_the_wall_shows_on_all(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo", viewport={"width": 1800, "height": 1000})
    open_wall(page)
    assert page.locator("#wall figcaption b").all_inner_texts() == ["Shared", "phone", "desk", "terminal"]
    # `brand` is a label of nine columns, 16 from the leading edge and in the middle of a header of 48, below the safe area.
    for title in ("Shared", "phone", "desk", "terminal"):
        on_device(page, title, "brand", [16, 16, 72, 16])
    x, y, _, scale = place_on(page, "phone", "brand")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 24 * scale, y, steps=4)
    page.mouse.up()
    for title in ("Shared", "phone", "desk", "terminal"):
        on_device(page, title, "brand", [40, 16, 72, 16])
    waits_for(page, "brand", 72)
    # It was the page's own step, whichever device it was made on.
    page.wait_for_function("() => scenesync.room.log.every((entry) => entry.result)")
    page.click("#undo")
    for title in ("Shared", "phone", "desk"):
        on_device(page, title, "brand", [16, 16, 72, 16])


def test_a_drag_from_right_to_left_goes_the_other_way(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo", viewport={"width": 1800, "height": 1000})
    open_wall(page)
    page.get_by_role("button", name="Right to left").click()
    # From the right edge of the phone's 390: 16 and the label's 72.
    on_device(page, "phone", "brand", [390 - 16 - 72, 16, 72, 16])
    x, y, _, scale = place_on(page, "phone", "brand")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 24 * scale, y, steps=4)
    page.mouse.up()
    # Away from the leading edge, which is the right one here and the left one on the stage.
    on_device(page, "phone", "brand", [390 - 40 - 72, 16, 72, 16])
    page.wait_for_function(f"() => ({FRAMES})().brand[0] === 40")


def test_the_wall_shows_larger_text_and_the_problems_of_each_device(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo", viewport={"width": 1800, "height": 1000})
    open_wall(page)
    page.select_option("#wall select", "extraExtraExtraLarge")
    # The cell is 11 × 22 at XXXL: nine columns.
    on_device(page, "desk", "brand", [16, 13, 99, 22])
    # The main view has 480 points on the main device, which accepts, and 294 on the phone.
    page.evaluate("""() => void scenesync.room.send([{op: 'addConstraint', id: 'wide', rule: 'main.width >= 450'}])""")
    page.wait_for_function("""() => { const { problems } = scenesync.wall.tiles.find(({ title }) => title === "phone");
        return !problems.hidden && /given up/.test(problems.textContent); }""")
    assert page.evaluate("""() => scenesync.wall.tiles.find(({ title }) => title === "desk").problems.hidden""")
    # A wall that is closed leaves nobody behind.
    page.click("#show-wall")
    page.wait_for_function("() => scenesync.wall.tiles.length === 0 && document.getElementById('wall').hidden")


def test_the_inspector_says_for_each_device_what_holds_a_view(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo", viewport={"width": 1800, "height": 1000})
    look_into(page)
    open_wall(page)
    page.evaluate("() => scenesync.select(['sidebar'])")
    page.wait_for_function("() => document.querySelectorAll('#why [data-device]').length === 4")
    held = {
        each.get_attribute("data-device"): each.inner_text() for each in page.locator("#why [data-device]").all()
    }
    # The set for narrow screens is in force on the phone alone.
    assert "sidebar.width == 96 @760" in held["phone"] and "96" not in held["Shared"]
    assert "sidebar.width == 160 @750" in held["terminal"]
    assert "160" not in held["desk"]


def test_on_a_phone_the_scene_fills_the_phone(server: Server, visits: Visits) -> None:
    phone = visits.open(
        f"{server.http}/demo", viewport={"width": 390, "height": 700}, device_scale_factor=2, is_mobile=True, has_touch=True
    )
    width, height = phone.evaluate("() => [document.getElementById('stage').clientWidth, document.getElementById('stage').clientHeight]")
    assert (width, height) == (390, 700 - 48)
    waits_for(phone, "root", 390)
    assert phone.evaluate(FRAMES)["root"] == [0, 0, 390, 652]
    phone.wait_for_function("() => { const { scale, x, y } = scenesync.stage.camera; return scale === 1 && x === 0 && y === 0; }")
    # Two pixels a point, as the phone has them; it is told apart from a narrow window of a desk.
    assert phone.evaluate("() => scenesync.room.unit") == 2
    assert phone.evaluate("() => scenesync.room.client.device.viewport.idiom") == "phone"
    desk = visits.open(f"{server.http}/demo", viewport={"width": 390, "height": 700})
    waits_for(desk, "root", 640)


def test_a_pointer_stands_in_the_same_view_on_every_device(server: Server, visits: Visits) -> None:
    url = f"{server.http}/demo"
    ada, bob = (visits.open(url) for _ in range(2))
    bob.select_option("#watch", "phone")
    waits_for(bob, "root", 390)
    # The label at the trailing end of the header: at 536 on the main device, at 286 on the phone.
    x, y, width, height = place(ada, "live")
    # The first move fetches what tells of pointers.
    ada.mouse.move(x, y)
    ada.wait_for_function("() => scenesync.overlay !== undefined")
    ada.mouse.move(x + width / 4, y + height / 2)
    seen = """() => { const [ada] = scenesync.room.people.values(); return ada?.place && [ada.place.view, ...scenesync.stage.pointOf(ada.place)]; }"""
    bob.wait_for_function(f"() => ({seen})()?.[0] === 'live'")
    view, left, top = bob.evaluate(seen)
    assert view == "live" and abs(left - (390 - 16 - 88 + 22)) < 1.5 and abs(top - (47 + 24)) < 1.5
    # And the other way, from a device of the wall.
    open_wall(bob)
    px, py, _, _ = place_on(bob, "desk", "brand")
    bob.mouse.move(px, py, steps=2)
    ada.wait_for_function(f"() => ({seen})()?.[0] === 'brand'")
    _, left, top = ada.evaluate(seen)
    assert abs(left - (16 + 36)) < 3 and abs(top - 24) < 3
