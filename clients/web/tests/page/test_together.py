"""Two browsers and a terminal viewer in one room see the same frames after every gesture; offline, restarts, the past."""

from __future__ import annotations

import signal

from conftest import Server, Visits, agree, frames, place, settle
from playwright.sync_api import expect


def test_gestures_are_seen_by_all(server: Server, visits: Visits) -> None:
    # High enough that the tree need not scroll, which would take a row from under the pointer.
    ada, bob = (visits.open(f"{server.http}/demo", viewport={"width": 1280, "height": 1300}) for _ in range(2))
    first = agree(server, ada, bob)

    ada.select_option("#device", "360 720")
    assert agree(server, ada, bob)["root"] == [0, 0, 360, 720]
    ada.click("#undo")
    assert agree(server, ada, bob) == first
    ada.click("#redo")
    assert agree(server, ada, bob)["root"] == [0, 0, 360, 720]
    ada.click("#undo")

    # The corner below the scene changes the viewport, by the pointer's way over the zoom.
    settle(ada)
    scale = ada.evaluate("() => scenesync.stage.camera.scale")
    left, top, width, height = place(ada, "root")
    ada.mouse.move(left + width + 3, top + height + 3)
    ada.mouse.down()
    ada.mouse.move(left + width + 3 - 100 * scale, top + height + 3 + 40 * scale, steps=6)
    ada.mouse.up()
    assert agree(server, ada, bob)["root"] == [0, 0, 540, 424]
    ada.keyboard.press("Control+z")
    assert agree(server, ada, bob) == first

    # A new view, chosen as soon as it is there, and taken away again by a key.
    bob.click("#palette button:text-is('view')")
    bob.wait_for_function("() => scenesync.selection[0] === 'view-1'")
    added = agree(server, ada, bob)["view-1"]
    assert added[2:] == [96, 64]
    assert added[0] == (640 - 96) / 2 and added[1] == (384 - 64) / 2
    bob.focus("#over")
    bob.keyboard.press("Delete")
    assert agree(server, ada, bob) == first

    # Drag and drop in the tree.
    ada.locator("#tree [data-id=hint]").drag_to(ada.locator("#tree [data-id=header]"))
    moved = agree(server, ada, bob)
    assert ada.evaluate("() => { const m = scenesync.room.mirror; return m.views.get(m.view('hint').parent).id; }") == "header"
    assert moved != first

    # A text is changed in the panel.
    bob.locator("#tree [data-id=crumb]").click()
    bob.fill("#right textarea[name=text]", "A longer crumb")
    bob.locator("#right textarea[name=text]").blur()
    assert agree(server, ada, bob)["crumb"][2] == 14 * 8


def test_presence_has_names_and_is_withdrawn(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    for page, name in ((ada, "Ada"), (bob, "Bob")):
        page.click("#share")
        page.get_by_label("Your name, as others see it").fill(name)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Close").click()
    ada.get_by_role("listitem", name="Bob").wait_for()
    bob.get_by_role("listitem", name="Ada").wait_for()
    assert ada.get_by_role("listitem", name="Ada").count() == 0, "oneself is not among the others"
    left, top, width, height = place(ada, "sidebar")
    ada.mouse.click(left + width / 2, top + height - 20)
    bob.wait_for_function("() => [...scenesync.room.people.values()].some((person) => person.selection.includes('sidebar') && person.cursor)")
    bob.context.close()
    visits.contexts.remove(bob.context)
    ada.wait_for_function("() => scenesync.room.people.size === 0")


def test_a_raised_hand_idleness_and_the_device_are_in_the_list(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    server.apply({"op": "setDevice", "id": "phone", "width": 360, "height": 720})
    name = ada.evaluate("() => scenesync.room.name")
    entry = bob.get_by_role("listitem", name=name)
    expect(entry).to_have_attribute("aria-label", name)
    ada.get_by_role("button", name="Raise a hand").click()
    expect(entry).to_have_attribute("aria-label", f"{name}, hand raised")
    expect(ada.get_by_role("button", name="Raise a hand")).to_have_attribute("aria-pressed", "true")
    ada.select_option("#watch", "phone")
    expect(entry).to_have_attribute("aria-label", f"{name}, on phone, hand raised")
    # As if nothing had been touched for a minute.
    ada.evaluate("() => { scenesync.people.heardAt -= 60000; }")
    expect(entry).to_have_attribute("aria-label", f"{name}, on phone, idle, hand raised")
    ada.keyboard.press("Shift")
    expect(entry).to_have_attribute("aria-label", f"{name}, on phone, hand raised")
    ada.get_by_role("button", name="Raise a hand").click()
    ada.select_option("#watch", "")
    expect(entry).to_have_attribute("aria-label", name)


def test_everybody_is_asked_to_follow_and_may_stop(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    name = ada.evaluate("() => scenesync.room.name")
    # The scene is pushed out of Bob's sight; Ada points at a view of it.
    bob.wait_for_function("() => scenesync.firstPicture")
    bob.evaluate("() => scenesync.pan(1, -5000, -5000)")
    left, top, width, height = place(ada, "sidebar")
    ada.mouse.move(left + width / 2, top + height / 2)
    ada.get_by_role("button", name="Follow me").click()
    expect(bob.locator("#following")).to_contain_text(f"{name} asks everybody to follow")
    # Ada's pointer has left the stage for the button; the view that she selects leads Bob there.
    ada.locator("#tree [data-id=sidebar]").click()
    in_sight = """() => {
        const { x, y, width, height } = scenesync.stage.box("sidebar"), stage = document.getElementById("stage");
        return x + width > 0 && y + height > 0 && x < stage.clientWidth && y < stage.clientHeight;
    }"""
    bob.wait_for_function(in_sight)
    bob.get_by_role("button", name=f"Stop following {name}").click()
    expect(bob.locator("#following")).to_be_empty()
    # The spotlight goes on, and Bob stays free.
    ada.get_by_role("button", name="Raise a hand").click()
    expect(bob.get_by_role("listitem", name=f"{name}, hand raised")).to_be_visible()
    expect(bob.locator("#following")).to_be_empty()
    # He may follow by himself, until he moves the scene.
    bob.get_by_role("button", name=f"Follow {name}", exact=True).click()
    expect(bob.locator("#following")).to_contain_text(f"Following {name}")
    bob.mouse.move(600, 400)
    bob.mouse.wheel(0, 10)
    expect(bob.locator("#following")).to_be_empty()


def test_offline_and_back_without_a_flash(server: Server, visits: Visits) -> None:
    visits.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket", "getImageData"]
    page = visits.open(f"{server.http}/demo")
    # Each frame that the browser shows is looked at: the header's middle has the header's colour or there was a flash.
    page.evaluate("""() => {
        const { stage } = scenesync, box = scenesync.stage.box("header"), g = stage.context;
        window.colors = new Set();
        const look = () => { window.colors.add([...g.getImageData(box.x + 60, box.y + 6, 1, 1).data].join()); requestAnimationFrame(look); };
        look();
    }""")
    page.context.set_offline(True)
    page.wait_for_function("() => scenesync.room.status === 'waiting'")
    expect(page.locator("#status")).to_have_text("offline, coming back")
    server.apply({"op": "setConstraint", "id": "sidebar-width", "constant": 300})
    assert frames(page)["sidebar"][2] == 160, "what was last seen stays"
    page.context.set_offline(False)
    page.wait_for_function("() => scenesync.room.status === 'live'")
    assert agree(server, page)["sidebar"][2] == 300
    assert page.evaluate("() => [...window.colors]") == ["36,40,59,255"]


def test_a_killed_server_comes_back(visits: Visits, folder: object) -> None:
    visits.expected += ["WebSocket", "ERR_CONNECTION_REFUSED"]
    server = Server(data=str(folder))
    try:
        page = visits.open(f"{server.http}/demo")
        page.select_option("#device", "768 1024")
        before = agree(server, page)
        server.stop(signal.SIGKILL)
        page.wait_for_function("() => scenesync.room.status === 'waiting'")
        server = Server(data=str(folder), port=server.port)
        page.wait_for_function("() => scenesync.room.status === 'live'", timeout=20000)
        assert agree(server, page) == before
    finally:
        server.stop()


def test_the_past_is_ones_own(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    start = ada.evaluate("() => Number(scenesync.room.mirror.tick)")
    ada.select_option("#device", "360 720")
    later = agree(server, ada, bob)
    ada.click("#show-learn")
    ada.locator("#tab-time").wait_for()
    ada.evaluate("(tick) => scenesync.learn.scrub(tick)", start)
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.root)[2] === 640")
    expect(ada.locator("#status")).to_have_text("the past")
    expect(ada.locator("#undo"), "the past is for looking").to_be_disabled()
    assert frames(bob) == later
    ada.get_by_role("button", name="Live").click()
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.root)[2] === 360")
    assert agree(server, ada, bob) == later


def test_animations_run_on_the_pages_own_clock(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    settle(page)
    page.evaluate("""() => {
        const { room, stage } = scenesync, number = room.mirror.numbers.get("sidebar"), arrange = stage.arrange.bind(stage);
        window.widths = [];
        stage.arrange = (tick) => { const result = arrange(tick); window.widths.push(stage.w[stage.places.get(number)]); return result; };
        window.frames = room.samples.length;
    }""")
    server.apply({"op": "animate", "duration": 0.5, "curve": "linear", "ops": [
        {"op": "setConstraint", "id": "sidebar-width", "constant": 260}, {"op": "layoutIfNeeded"}]})
    page.wait_for_function("() => window.widths.at(-1) === 260")
    widths = page.evaluate("() => window.widths")
    between = [width for width in widths if 160 < width < 260]
    assert len(set(between)) >= 5, widths
    assert all(after >= before for before, after in zip(widths, widths[1:])), "it never goes back"
    # Half a second of motion came as a descriptor, not as thirty frames.
    assert page.evaluate("() => scenesync.room.samples.length - window.frames") <= 3


def test_learning(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    page.click("#show-learn")
    page.click("#tab-passes")
    page.wait_for_function("() => scenesync.learn.isWatching")
    page.select_option("#device", "768 1024")
    page.get_by_text("layoutSubviews root").first.wait_for()
    page.click("#tab-ops")
    # The passes may be heard of before the answer to the ops.
    expect(page.locator("#learn-body")).to_contain_text('{"op":"setViewport","width":768,"height":1024}')
    expect(page.locator("#learn-body")).to_contain_text("committed at tick")
    page.click("#tab-network")
    page.wait_for_function("() => /Round trip\\s+[\\d.]+ ms/.test(document.getElementById('learn-body').innerText)", timeout=8000)


def test_a_server_that_falls_silent_counts_as_gone(server: Server, visits: Visits) -> None:
    visits.expected += ["WebSocket"]
    page = visits.open(f"{server.http}/demo")
    settle(page)
    server.process.send_signal(signal.SIGSTOP)
    try:
        page.wait_for_function("() => scenesync.room.status === 'waiting'", timeout=20000)
    finally:
        server.process.send_signal(signal.SIGCONT)
    page.wait_for_function("() => scenesync.room.status === 'live'", timeout=20000)
    agree(server, page)
