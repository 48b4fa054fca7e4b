"""The page in Firefox: a room, an edit, and a recording from a folder."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from firefox import Firefox
from scenesync_server import EXAMPLES, PROGRAM, Server


def test_a_room_is_drawn_and_follows_its_changes(make_server: Callable[..., Server], browser: Firefox) -> None:
    server = make_server()
    page = browser.open(f"{server.http}/demo")
    page.wait_for("() => window.scenesync?.isPainted")
    drawn = page.evaluate("() => { const { canvas } = scenesync.stage; return canvas.width * canvas.height > 0; }")
    assert drawn
    server.apply([{"op": "setViewport", "width": 500}])
    page.wait_for("""() => { const { room } = scenesync; const { root } = room.mirror;
        return room.mirror.frame(root)[2] / room.unit === 500; }""")


def test_a_recording_plays_from_a_folder(browser: Firefox, tmp_path: Path) -> None:
    data = tmp_path / "data"
    running = Server("--data", str(data), "--scene", str(EXAMPLES / "dashboard.json"))
    for width in range(500, 600, 20):
        running.apply([{"op": "setViewport", "width": width}])
    running.stop()
    file = tmp_path / "room.html"
    subprocess.run([PROGRAM, "record", "demo", "--data", str(data), "-o", str(file)], check=True)
    page = browser.open(file.as_uri())
    page.wait_for("() => window.player")
    # Every hash in it is that of the scene that its messages lead to.
    tracks = page.evaluate("() => player.verify()")
    assert tracks
    for track in tracks:
        assert track["wrong"] == [] and track["checked"] >= 1, track
