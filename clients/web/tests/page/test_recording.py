"""Recordings: the page that `scenesync record` writes, and that of the last minute, played from a folder without a server."""

from __future__ import annotations

import json
import re
import subprocess
import time
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from conftest import PROGRAM, Server, Visits
from playwright.sync_api import Page, expect
from scenesync_server import PATIENCE

#: The player fetches nothing: a page that is opened from a folder may not, and one that is sent to somebody has no server.
SCENE = {
    "scene": 1, "viewport": {"width": 400, "height": 200, "typography": "faces"},
    "devices": {"phone": {"width": 200, "height": 300, "scale": 2}},
    "views": [
        {"id": "bar", "background": "#334455", "cornerRadius": 8},
        {"id": "title", "parent": "bar", "kind": "label", "text": "Hello", "foreground": "#ffffff"},
    ],
    "constraints": [
        "bar.leading == root.leading + 10", "bar.top == root.top + 10", "bar.height == 60", {"id": "w", "rule": "bar.width == 100"},
        "title.leading == bar.leading + 8", "title.centerY == bar.centerY",
    ],
}


def width(value: int) -> list[dict[str, Any]]:
    return [{"op": "setConstraint", "id": "w", "constant": value}]


def change(server: Server) -> None:
    """Some seconds of a session: widths that are set and animated, a comment, a view that comes and goes."""
    for value in range(100, 160, 10):
        server.apply(width(value))
    server.apply([{"op": "animate", "duration": 0.3, "ops": [*width(300), {"op": "layoutIfNeeded"}]}])
    server.apply([{"op": "addComment", "id": "c1", "view": "bar", "text": "<b>Wider?</b>"}])
    server.apply([{"op": "addView", "id": "extra", "parent": "bar"}, {"op": "setView", "id": "title", "text": "Good bye"}])
    server.apply([{"op": "removeView", "id": "extra"}])
    server.apply(width(260))
    # What was animated is still on its way.
    deadline = time.monotonic() + PATIENCE
    while server.frames("demo")["bar"][2] != 260:
        assert time.monotonic() < deadline, server.frames("demo")


def verified(page: Page) -> list[dict[str, Any]]:
    page.wait_for_function("() => window.player")
    found: list[dict[str, Any]] = page.evaluate("() => player.verify()")
    return found


def test_a_recording_plays_from_a_folder(make_server: Any, visits: Visits, folder: Path) -> None:
    data = folder / "data"
    (folder / "scene.json").write_text(json.dumps(SCENE))
    server = make_server("--scene", str(folder / "scene.json"), data=str(data))
    change(server)
    frames = server.frames("demo")
    server.stop()
    file = folder / "demo.html"
    done = subprocess.run([PROGRAM, "record", "demo", "--data", str(data), "-o", str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    page = visits.open(file.as_uri(), wait=False)
    # Every hash in it is that of the scene that its messages lead to, on the shared viewport and on the phone.
    tracks = verified(page)
    assert [track["device"] for track in tracks] == ["", "phone"]
    for track in tracks:
        assert track["wrong"] == [] and track["checked"] >= 2, track
    # It ends with the scene as the server had it.
    page.evaluate("() => player.seek(player.recording.last)")
    ends = page.evaluate("""() => {
        const { mirror, metrics } = player.playback;
        return Object.fromEntries(mirror.preorder().map(({ id, number }) => [id, mirror.frame(number).map((side) => side / metrics.unitsPerPoint)]));
    }""")
    assert ends == frames
    # And begins as it was.
    page.get_by_label("Time").fill("0")
    assert page.evaluate("() => player.playback.mirror.view('extra')") is None
    assert page.evaluate("() => player.playback.mirror.frame(player.playback.mirror.numbers.get('bar'))[2] / player.playback.metrics.unitsPerPoint") == 100
    # What people said is shown as text, and leads to its moment.
    expect(page.locator("#captions li")).to_have_count(1)
    page.locator("#captions button").click()
    expect(page.locator("#caption")).to_contain_text("<b>Wider?</b>")
    page.get_by_label("Device").select_option("phone")
    # It plays to its end, and stops there.
    page.get_by_label("Speed").select_option("16 ×")
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => player.tick === player.recording.last && !player.isPlaying")
    assert page.evaluate("() => player.playback.wrong") == []
    # Its text is set in the face that it was measured in.
    page.wait_for_function("() => [...player.stage.faces?.states.values() ?? []].some((state) => state === 'ready')")


def test_what_was_damaged_is_said(make_server: Any, visits: Visits, folder: Path) -> None:
    data = folder / "data"
    server = make_server(data=str(data))
    server.apply([{"op": "setView", "id": "crumb", "text": "Other"}])
    server.stop()
    file = folder / "demo.html"
    subprocess.run([PROGRAM, "record", "demo", "--data", str(data), "-o", str(file)], check=True, capture_output=True)
    head, base64, tail = re.split(r'(?<=<script id="recording" type="text/plain">)([^<]+)', file.read_text())
    visits.expected += ["ERR_", "TypeError"]
    file.write_text(head + base64[: len(base64) // 8 * 4] + tail)
    page = visits.open(file.as_uri(), wait=False)
    expect(page.locator("#fault")).to_contain_text("cannot be played")
    # Another state than the hash in it says.
    packed = zlib.decompress(b64decode(base64), -zlib.MAX_WBITS)
    assert packed.count(b"Other") >= 1
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    file.write_text(head + b64encode(packer.compress(packed.replace(b"Other", b"Wrong")) + packer.flush()).decode() + tail)
    page = visits.open(file.as_uri(), wait=False)
    page.wait_for_function("() => window.player")
    page.keyboard.press("End")
    expect(page.locator("#fault")).to_contain_text("is not the one that was recorded")


def test_the_last_minute_is_taken_away(make_server: Any, visits: Visits, folder: Path) -> None:
    (folder / "scene.json").write_text(json.dumps(SCENE))
    server = make_server("--scene", str(folder / "scene.json"))
    page = visits.open(f"{server.http}/demo")
    page.mouse.move(500, 300)
    page.wait_for_function("() => scenesync.recorder?.stretches.length")
    change(server)
    page.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('bar'))[2] === 260 * scenesync.room.unit")
    page.locator("#share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Last minute, a page").click()
    file = folder / "last.html"
    download.value.save_as(file)
    player = visits.open(file.as_uri(), wait=False)
    (track,) = verified(player)
    assert track["wrong"] == [] and track["checked"] >= 2
    player.evaluate("() => player.seek(player.recording.last)")
    assert player.evaluate("() => player.playback.mirror.stateHash") == page.evaluate("() => scenesync.room.mirror.stateHash")
    expect(player.locator("#captions li")).to_have_count(1)
