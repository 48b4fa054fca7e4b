"""Texts from others stay texts, tokens leave the address, and who may only look cannot change anything."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from conftest import PROGRAM, Server, Visits, agree, ready
from playwright.sync_api import expect

HOSTILE = [
    "<script>window.pwned = 1</script>", "<img src=x onerror='window.pwned = 2'>", "\"><svg onload=window.pwned=3>",
    "\u202eright to left override\u2066", "\u0000\u0001\u0007\u001b[31m", "javascript:window.pwned=4", "é\u0301\u0301\u0301\u0301" * 50,
    "שלום مرحبا 你好 👩‍👩‍👧‍👦", "{{constructor.constructor('window.pwned=5')()}}", "x" * 60000,
]


def test_hostile_texts(server: Server, visits: Visits) -> None:
    views = [{"id": f"label{at}", "kind": "label", "lines": 0, "text": text} for at, text in enumerate(HOSTILE)]
    rules = [f"label{at}.top == root.top + {32 * at}" for at in range(len(HOSTILE))]
    rules += [f"label{at}.{edge} == root.{edge}" for at in range(len(HOSTILE)) for edge in ("leading", "trailing")]
    result = server.apply({"scene": 1, "viewport": {"width": 640, "height": 384}, "views": views, "constraints": rules}, "nasty")
    assert result[0]["result"] == "committed", result
    page = visits.open(f"{server.http}/nasty")
    before = page.evaluate("() => document.scripts.length")
    for at, text in enumerate(HOSTILE):
        page.evaluate("(id) => scenesync.select([id])", f"label{at}")
        if len(text) < 100 and "\u0000" not in text:
            page.wait_for_function("(part) => [...document.querySelectorAll('#right textarea')].some((field) => field.value.includes(part))",
                                   arg=text.split(" ")[0][:8])
    page.fill("#find", "script")
    expect(page.locator("#tree [data-id=label0]")).to_have_attribute("aria-label", re.compile("<script>"))
    assert page.evaluate("() => window.pwned") is None
    assert page.evaluate("() => document.scripts.length") == before
    assert page.evaluate("() => document.querySelectorAll('#tree svg, #tree img, #right svg, #right img').length") == 0
    agree(server, page, room="nasty")


def test_hostile_names(server: Server, visits: Visits) -> None:
    ada = visits.open(f"{server.http}/demo")
    name = "<b onmouseover=window.pwned=1>Eve</b>"
    eve = visits.open(f"{server.http}/demo")
    eve.evaluate("(name) => { scenesync.room.name = name; scenesync.room.sayWhereIAm(); }", name)
    ada.wait_for_function("(name) => [...document.querySelectorAll('#people .person')].some((each) => each.title === name)", arg=name)
    assert ada.locator("#people b").count() == 0


def test_a_text_of_a_megabyte_is_refused_and_said(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    page.evaluate("() => { scenesync.room.send([{ op: 'setView', id: 'brand', text: 'y'.repeat(1e6) }]); }")
    page.wait_for_function("() => document.getElementById('toast').classList.contains('shown')")
    assert "Refused" in page.inner_text("#toast")
    agree(server, page)


def test_markup_cannot_be_made_of_texts(server: Server, visits: Visits) -> None:
    visits.expected += ["This document requires", "Content Security Policy"]
    page = visits.open(f"{server.http}/demo")
    for attempt in ("document.body.innerHTML = '<i>x</i>'", "document.body.insertAdjacentHTML('beforeend', '<i>x</i>')",
                    "document.body.append(Object.assign(document.createElement('script'), { text: 'window.pwned = 1' }))"):
        page.evaluate(f"() => {{ try {{ {attempt}; }} catch {{}} }}")
    assert page.evaluate("() => window.pwned") is None
    assert page.locator("body > i").count() == 0
    assert page.evaluate("() => fetch('http://127.0.0.1:1/').then(() => 'let through', () => 'refused')") == "refused"


def test_tokens(make_server: Callable[..., Server], visits: Visits, folder: Path) -> None:
    secret = folder / "secret"
    secret.write_text("0123456789abcdef0123456789abcdef0123456789ab")
    server = make_server("--auth-secret-file", str(secret))

    def token(role: str) -> str:
        return subprocess.run([PROGRAM, "token", "--secret-file", str(secret), "--room", "demo", "--role", role, "--expires", "1h"],
                              capture_output=True, text=True, check=True).stdout.strip()

    stranger = visits.open(f"{server.http}/demo", wait=False)
    stranger.get_by_text("This room needs a link with a token.").wait_for()

    editor = visits.open(f"{server.http}/demo#token={token('editor')}")
    assert editor.url == f"{server.http}/demo"
    assert editor.inner_text("#status") == "live"
    editor.select_option("#device", "360 720")
    editor.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.root)[2] === 360")
    editor.reload()
    ready(editor)
    assert editor.inner_text("#status") == "live", "a reload of the tab keeps the token"

    viewer = visits.open(f"{server.http}/demo#token={token('viewer')}")
    assert viewer.inner_text("#status") == "live, viewing"
    for control in ("#undo", "#redo", "#device", "#palette button >> nth=0"):
        assert viewer.is_disabled(control), control
    viewer.evaluate("() => scenesync.select(['sidebar'])")
    assert viewer.locator("#right :is(input, textarea, select):not(:disabled)").count() == 0

    # The link that an editor hands on.
    editor.click("#share")
    editor.fill("[aria-label='Token to put into the link']", "abc.def")
    assert editor.input_value("[aria-label='Link to this room']") == f"{server.http}/demo#token=abc.def"
