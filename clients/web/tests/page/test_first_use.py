"""What a page fetches: little for looking; each tool at its first use, of which nothing is lost."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

from conftest import EXAMPLES, PROGRAM, Server, Visits, agree, place, ready, settle
from playwright.sync_api import Page, Route, WebSocket, expect

#: What the browser fetched, by its own entries: names, and transferred bytes without headers.
FETCHED = """() => Object.fromEntries([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .map((each) => [new URL(each.name).pathname, each.encodedBodySize]))"""


def fetched(page: Page) -> dict[str, int]:
    found: dict[str, int] = page.evaluate(FETCHED)
    return found


def test_who_only_looks_fetches_little(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    page.wait_for_timeout(2000)
    found = fetched(page)
    assert set(found) == {"/demo", "/favicon.svg", "/page/page.css", "/page/tree.js",
                          *(f"/page/{name}.js" for name in ("join", "main", "room", "stage", "dom", "scenesync"))}
    assert 30_000 < sum(found.values()) < 100 * 1024
    assert page.evaluate("() => scenesync.room.document === undefined"), "nobody asked what holds the scene"


def test_the_scene_comes_while_the_scripts_are_fetched(make_server: Callable[..., Server], visits: Visits, folder: Path) -> None:
    secret = folder / "secret"
    secret.write_text("0123456789abcdef0123456789abcdef0123456789ab")
    server = make_server("--auth-secret-file", str(secret))
    token = subprocess.run([PROGRAM, "token", "--secret-file", str(secret), "--room", "demo", "--role", "editor", "--expires", "1h"],
                           capture_output=True, text=True, check=True).stdout.strip()
    page = visits.open("about:blank", wait=False)
    sockets: list[WebSocket] = []
    said: list[bytes] = []
    heard: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        sockets.append(socket)
        socket.on("framesent", lambda data: said.append(bytes(data)))
        socket.on("framereceived", lambda data: heard.append(bytes(data)))

    waiting: list[Route] = []
    page.on("websocket", listen)
    page.route("**/page/main.js", lambda route: waiting.append(route))
    page.goto(f"{server.http}/demo#token={token}", wait_until="commit")
    for _ in range(500):
        if waiting and any(each[0] == 0x42 for each in heard):
            break
        page.wait_for_timeout(20)
    assert [each[0] for each in heard][:2] == [0x41, 0x42], "the welcome and the scene are there"
    waiting[0].continue_()
    ready(page)
    assert len(sockets) == 1 and [each[0] for each in said].count(1) == 1, "what was said early is what the client says"
    assert page.inner_text("#status") == "live"
    page.select_option("#device", "360 720")
    page.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.root)[2] === 360")


def test_other_people_are_seen_without_the_tools(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    left, top, width, height = place(bob, "header")
    bob.mouse.click(left + width / 2, top + 4)
    ada.wait_for_function("() => scenesync.people && [...scenesync.room.people.values()].some((person) => person.cursor && person.selection.includes('header'))")
    settle(ada)
    # Bob's colour is around the header, and his cursor on it.
    ada.wait_for_function("""() => { const g = document.getElementById("over").getContext("2d"), { data } = g.getImageData(0, 0, g.canvas.width, g.canvas.height);
        let count = 0;
        for (let at = 3; at < data.length; at += 4) if (data[at]) count++;
        return count > 500; }""")
    visits.complaints = [each for each in visits.complaints if "getImageData" not in each]
    visits.expected.append("getImageData")
    found = fetched(ada)
    assert "/page/people.js" in found and "/page/overlay.js" not in found
    assert sum(found.values()) < 100 * 1024


def test_the_first_gesture_is_not_lost(server: Server, visits: Visits) -> None:
    """A whole drag that is over before what carries it out is there."""
    page = visits.open(f"{server.http}/demo")
    held = threading.Event()
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route) if not held.is_set() else route.continue_()

    page.route("**/page/overlay.js", hold)
    x, y, width, height = agree(server, page)["brand"]
    scale = page.evaluate("() => scenesync.stage.camera.scale")
    left, top, wide, high = place(page, "brand")
    page.mouse.move(left + wide / 2, top + high / 2)
    page.mouse.down()
    page.mouse.move(left + wide / 2 + 24 * scale, top + high / 2 + 8 * scale, steps=4)
    page.mouse.up()
    assert page.evaluate("() => scenesync.overlay === undefined && scenesync.selection.length === 0")
    held.set()
    for route in waiting:
        route.continue_()
    page.wait_for_function("() => scenesync.selection[0] === 'brand'")
    page.wait_for_function("(x) => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('brand'))[0] === x", arg=x + 24)
    assert agree(server, page)["brand"] == [x + 24, y + 8, width, height]
    # And none happens twice.
    page.click("#undo")
    assert agree(server, page)["brand"] == [x, y, width, height]


def test_the_keyboard_reaches_every_tool(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    page.focus("#look")
    page.keyboard.press("Enter")
    page.get_by_text("None: every constraint holds").wait_for()
    # The focus stays in the panel, of which the button is gone.
    page.wait_for_function("() => document.activeElement.id === 'right'")
    page.focus("#show-learn")
    page.keyboard.press("Enter")
    page.locator("#tab-time").wait_for()
    page.focus("#share")
    page.keyboard.press("Enter")
    page.get_by_label("Link to this room").wait_for()
    page.keyboard.press("Escape")
    page.focus("#palette button >> nth=1")
    page.keyboard.press("Enter")
    page.wait_for_function("() => scenesync.selection[0] === 'label-1'")
    page.focus("#over")
    before = agree(server, page)["label-1"]
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(x) => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('label-1'))[0] === x", arg=before[0] + 1)


def test_problems_are_told_to_who_did_not_ask(server: Server, visits: Visits) -> None:
    server.apply({"scene": 1, "viewport": {"width": 300, "height": 200}, "views": [{"id": "loose"}]}, "loose")
    page = visits.open(f"{server.http}/loose")
    page.locator(".problems .warn").wait_for()


def test_what_could_not_be_fetched_is_tried_again(server: Server, visits: Visits) -> None:
    visits.expected += ["Failed to load resource", "Failed to fetch"]
    page = visits.open(f"{server.http}/demo")
    page.route("**/page/export.js", lambda route: route.abort())
    page.click("#share")
    page.wait_for_function("() => document.getElementById('toast').textContent.includes('could not be fetched')")
    page.unroute("**/page/export.js")
    page.click("#share")
    page.get_by_label("Link to this room").wait_for()


def test_a_document_dropped_first_of_all(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/empty-room")
    document = json.loads((EXAMPLES / "dashboard.json").read_text())
    page.evaluate("""(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "scene.json", { type: "application/json" }));
        for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", json.dumps(document))
    page.wait_for_function("(count) => scenesync.room.mirror.size === count", arg=len(document["views"]) + 1)


XIB = """<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" useAutolayout="YES" useSafeAreas="YES">
    <objects>
        <view contentMode="scaleToFill" id="one" userLabel="First">
            <rect key="frame" x="0.0" y="0.0" width="200" height="100"/>
            <subviews>
                <label text="Hello" translatesAutoresizingMaskIntoConstraints="NO" id="title">
                    <rect key="frame" x="10" y="20" width="50" height="20"/>
                </label>
            </subviews>
            <constraints>
                <constraint firstItem="title" firstAttribute="leading" secondItem="one" secondAttribute="leading" constant="10" id="a"/>
                <constraint firstItem="title" firstAttribute="top" secondItem="one" secondAttribute="top" constant="20" id="b"/>
            </constraints>
        </view>
        <view contentMode="scaleToFill" id="two" userLabel="Second">
            <rect key="frame" x="0.0" y="0.0" width="300" height="100"/>
        </view>
    </objects>
</document>
"""


def drop(page: Page, name: str, text: str) -> None:
    page.evaluate("""([name, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", [name, text])


def test_a_file_of_interface_builder_is_dropped(server: Server, visits: Visits) -> None:
    visits.expected.append("422")
    page = visits.open(f"{server.http}/dropped")
    drop(page, "Main.xib", XIB)
    # It has two scenes: which one is asked.
    page.get_by_role("button", name="Second").wait_for()
    page.get_by_role("button", name="First").click()
    page.wait_for_function("() => scenesync.room.mirror.preorder().some(({ content }) => content.lines?.[0]?.text === 'Hello')")
    assert place(page, "title")
    drop(page, "Broken.xib", XIB[:400])
    expect(page.locator("#toast")).to_contain_text("Broken.xib: line")


def test_much_that_moves_is_composed(server: Server, visits: Visits) -> None:
    views = [{"id": f"v{at}", "background": "#335577", "frame": [12 * (at % 20), 16 * (at // 20), 10, 14]} for at in range(100)]
    server.apply({"scene": 1, "viewport": {"width": 400, "height": 200}, "views": views}, "many")
    page = visits.open(f"{server.http}/many")
    assert page.evaluate("() => scenesync.stage.composer === undefined")
    server.apply([{"op": "setView", "id": f"v{at}", "frame": [12 * (at % 20) + 3, 16 * (at // 20), 10, 14]} for at in range(100)], "many")
    page.wait_for_function("() => scenesync.stage.composer !== undefined")
