"""The playground's static files in Chromium. PLAYGROUND names their folder, which `./dev playground` writes."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

FOLDER = os.environ["PLAYGROUND"]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
DOCUMENT = """{
  "scene": 1,
  "viewport": {"width": 200, "height": 100},
  "devices": {"small": {"width": 120, "height": 80}},
  "views": [{"id": "bar", "background": "#ff0000"}],
  "constraints": [
    "H:|[bar]|",
    "bar.top == root.top",
    {"id": "height", "rule": "bar.height == 40"}
  ]
}"""
#: Typing is laid out after a pause, on machines that may be busy.
PATIENCE = 60_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=FOLDER))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def context() -> Iterator[BrowserContext]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_context(viewport={"width": 1400, "height": 860})
        browser.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(address)
    expect(page.locator("#status")).to_contain_text("layouts in", timeout=PATIENCE)
    yield page
    assert complaints == []


def write(page: Page, text: str) -> None:
    page.locator("#source").fill(text)


def pixel(page: Page, device: str, x: float, y: float) -> list[int]:
    """A pixel's colour, at a share of the width and height of a device's picture."""
    return page.locator(f'figure[data-device="{device}"] canvas').evaluate(
        """(canvas, [x, y]) => [...canvas.getContext("2d").getImageData(x * canvas.width, y * canvas.height, 1, 1).data]""", [x, y]
    )


def test_a_text_is_laid_out_on_all_its_devices(page: Page) -> None:
    write(page, DOCUMENT)
    expect(page.locator("figure")).to_have_count(2, timeout=PATIENCE)
    expect(page.locator('figure[data-device="small"] figcaption')).to_contain_text("120 × 80")
    # 40 of 100 points are red, and 40 of 80.
    assert pixel(page, "", 0.5, 0.35)[:3] == [255, 0, 0]
    assert pixel(page, "", 0.5, 0.45)[:3] != [255, 0, 0]
    assert pixel(page, "small", 0.5, 0.45)[:3] == [255, 0, 0]
    assert pixel(page, "small", 0.5, 0.55)[:3] != [255, 0, 0]


def test_a_fault_is_told_with_its_line(page: Page) -> None:
    write(page, DOCUMENT.replace('"bar.top == root.top"', '"bar.top === root.top"'))
    expect(page.locator("#fault")).to_contain_text("line 8", timeout=PATIENCE)
    expect(page.locator("#lines .bad")).to_have_text("8")
    page.locator("#fault").click()
    assert page.evaluate("getSelection().toString().trim() || source.value.slice(source.selectionStart, source.selectionEnd).trim()") == '"bar.top === root.top",'
    write(page, DOCUMENT.replace('"bar.top == root.top"', '"bar.height == 50"'))
    expect(page.locator("#fault")).to_contain_text("contradict", timeout=PATIENCE)
    expect(page.locator("#lines .bad")).to_have_text("8")
    write(page, DOCUMENT)
    expect(page.locator("#fault")).to_be_empty(timeout=PATIENCE)


def test_a_click_tells_why_a_view_is_where_it_is(page: Page) -> None:
    write(page, DOCUMENT)
    expect(page.locator("figure")).to_have_count(2, timeout=PATIENCE)
    page.locator('figure[data-device="small"] canvas').click(position={"x": 20, "y": 20})
    expect(page.locator("#why")).to_contain_text("bar.height == 40", timeout=PATIENCE)


def test_it_works_without_network_and_sends_nothing(page: Page, context: BrowserContext) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    context.set_offline(True)
    page.locator("#examples").select_option("kanban")
    expect(page.locator("#status")).to_contain_text("layouts in", timeout=PATIENCE)
    write(page, DOCUMENT)
    expect(page.locator("figure")).to_have_count(2, timeout=PATIENCE)
    assert requests == []


def test_a_link_brings_the_text_back(page: Page, context: BrowserContext) -> None:
    write(page, DOCUMENT)
    page.locator("#share").click()
    page.wait_for_url("**/#d=*", timeout=PATIENCE)
    other = context.new_page()
    other.goto(page.url)
    expect(other.locator("#source")).to_have_value(DOCUMENT, timeout=PATIENCE)
