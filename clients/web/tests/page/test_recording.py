"""Recordings: the page that `scenesync record` writes, and that of the last minute, played from a folder without a server."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from conftest import PROGRAM, Server, Visits
from playwright.sync_api import Page, expect

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
    text = file.read_text()
    place = text.index(">", text.index('id="recording"')) + 1
    file.write_text(text[: place + 200] + ("A" if text[place + 200] != "A" else "B") + text[place + 201 :])
    visits.expected += ["ERR_", "TypeError"]
    page = visits.open(file.as_uri(), wait=False)
    expect(page.locator("#fault")).to_be_visible()
