"""`scenesync open` without a terminal: the page shows what is wrong with the file, and the last good picture."""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from conftest import PROGRAM, Server, Visits
from playwright.sync_api import expect


def scene(text: str) -> dict[str, Any]:
    return {
        "scene": 1, "viewport": {"width": 320, "height": 160},
        "views": [{"id": "greeting", "kind": "label", "text": text}],
        "constraints": ["greeting.leading == root.leading", "greeting.top == root.top"],
    }


def test_a_wrong_document_is_told_with_its_line(visits: Visits, tmp_path: Path) -> None:
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(scene("good")))
    program = subprocess.Popen(
        [PROGRAM, "open", "--no-viewer", str(file)], stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
    try:
        look(visits, program, file)
    finally:
        # Before the program: a page whose requests find nobody complains.
        visits.close()
        program.kill()
        program.communicate()


def look(visits: Visits, program: subprocess.Popen[str], file: Path) -> None:
    assert program.stdout
    program.stdout.readline()
    address = program.stdout.readline().split()[-1]
    assert "?preview#token=" in address, address
    page = visits.open(address)
    text = "scenesync.room.mirror.view('greeting').content.lines[0].text"
    bar = page.locator("#preview")
    expect(bar).to_be_hidden()
    file.write_text(json.dumps(scene("good"), indent=1).replace('"scene": 1', '"scene": 1, "sene": "<img>"'))
    expect(bar).to_be_visible()
    expect(bar).to_contain_text("scene.json: line 2")
    assert page.evaluate("() => document.querySelectorAll('#preview *').length") == 0
    # The token is out of sight, and others of this machine have none.
    assert page.url.endswith("/preview?preview"), page.url
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(address.split("?")[0].replace("/preview", "/preview.json"))
    assert refused.value.code == 401
    assert page.evaluate(f"() => {text}") == "good"
    file.write_text(json.dumps(scene("better")))
    expect(bar).to_be_hidden()
    page.wait_for_function(f"() => {text} === 'better'")


def test_other_servers_are_no_previews(server: Server, visits: Visits) -> None:
    visits.expected.append("404")
    page = visits.open(f"{server.http}/demo?preview")
    assert page.evaluate("async () => (await fetch('/preview.json')).status") == 404
    expect(page.locator("#preview")).to_be_hidden()
