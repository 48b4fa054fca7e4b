"""Measures the browser page; SCENESYNC names the server's program."""

from __future__ import annotations

import base64
import gzip
import re
import shutil
import statistics
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Benchmarks"), str(ROOT / "Tests" / "Support")]

from report import Report  # noqa: E402
from scenesync_server import Server  # noqa: E402

SECONDS = 6
LOADS = 9


#: So far the moving views go, more than a pixel a tick, so that each tick has a frame; none of them leaves the picture.
DISTANCE = 640
TOGETHER = {100 * row + column for row in range(18, 33) for column in range(40)}
SCATTERED = {100 * row + column for row in range(50) for column in range(0, 48, 4)}


def grid(count: int, inside: set[int]) -> dict[str, Any]:
    """Boxes in a grid of 100 columns, half of them with a text; those that move hang on one constraint, `shift`."""
    views: list[dict[str, Any]] = [{"id": "mover"}]
    rules: list[Any] = ["mover.top == root.top", "mover.width == 1", "mover.height == 1",
                        {"id": "shift", "rule": "mover.leading == root.leading"}]
    for at in range(count):
        name, x, y = f"v{at}", 12 * (at % 100), 16 * (at // 100)
        views.append({"id": name, "kind": "label", "text": f"{at % 10}", "background": "#24283b", "foreground": "#7aa2f7", "border": "single"}
                     if at % 2 else {"id": name, "background": "#1a1b26", "foreground": "#9ece6a", "border": "rounded"})
        if at in inside:
            rules += [f"{name}.leading == mover.leading + {x}", f"{name}.top == root.top + {y}", f"{name}.width == 11", f"{name}.height == 15"]
        else:
            views[-1]["frame"] = [x, y, 11, 15]
    return {"scene": 1, "viewport": {"width": 1240, "height": 800}, "views": views, "constraints": rules}


def boxes(count: int) -> dict[str, Any]:
    """Views in a grid of 100 columns, each with a place, half of them with a text: all that fits into one message."""
    views = [{"id": f"v{at}", "frame": [12 * (at % 100), 16 * (at // 100), 11, 15]} | ({"kind": "label", "text": f"{at % 97}"} if at % 2 else {})
             for at in range(count)]
    return {"scene": 1, "viewport": {"width": 1240, "height": 1600}, "views": views}


def rows(count: int) -> dict[str, Any]:
    """A list of labels under one another."""
    views = [{"id": f"row{at}", "kind": "label", "text": f"Row {at} of a list", "background": "#24283b" if at % 2 else "#1f2335", "foreground": "#c0caf5"}
             for at in range(count)]
    rules = [f"row{at}.top == {f'row{at - 1}.bottom' if at else 'root.top'}" for at in range(count)]
    rules += [f"row{at}.{edge} == root.{edge}" for at in range(count) for edge in ("leading", "trailing")]
    return {"scene": 1, "viewport": {"width": 640, "height": 800}, "views": views, "constraints": rules}


READY = "() => window.scenesync?.firstPicture && scenesync.room.welcome && scenesync.room.mirror.size > 1"
#: In a page of nothing: the second frame, in which such a page would show what came with the first.
BLANK = "requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('first-picture')))"
FETCHED = "() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((sum, each) => sum + each.encodedBodySize, 0)"


def apply(server: Server, value: Any, room: str) -> None:
    results = server.apply(value, room)
    assert results and all(each.get("result") == "committed" for each in results), results


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def moving(browser: Browser, server: Server, room: str, is_described: bool) -> dict[str, float]:
    """Script of each painted frame and frames a second while the views move, by a descriptor or by a frame each tick."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{server.http}/{room}")
    page.wait_for_function(READY)
    # Nobody looks at panels while measuring: they would ask for the document again and again.
    page.click("#show-left")
    page.click("#show-right")
    page.evaluate("(described) => { const { room } = scenesync; room.requestDocument = () => {}; if (!described) { room.client.capabilities = 0; room.client.socket.close(); } }", is_described)
    page.wait_for_timeout(1500)
    page.wait_for_function(READY)
    value = {"op": "animate", "duration": SECONDS + 2, "curve": "linear", "ops": [{"op": "setConstraint", "id": "shift", "constant": DISTANCE}, {"op": "layoutIfNeeded"}]}
    back = {"op": "animate", "duration": 0, "ops": [{"op": "setConstraint", "id": "shift", "constant": 0}, {"op": "layoutIfNeeded"}]}
    apply(server, value, room)
    page.wait_for_timeout(500)
    # The thread's own time, which other programs on the machine do not lengthen.
    inspector = page.context.new_cdp_session(page)
    inspector.send("Performance.enable", {"timeDomain": "threadTicks"})

    def processor_time() -> float:
        return next(each["value"] for each in inspector.send("Performance.getMetrics")["metrics"] if each["name"] == "ScriptDuration")

    before = processor_time()
    result: dict[str, Any] = page.evaluate("""(seconds) => new Promise((done) => {
        scenesync.frames = [];
        let count = 0;
        const start = performance.now(), tick = (now) => {
            count++;
            if (now - start < 1000 * seconds) requestAnimationFrame(tick);
            else done({ script: scenesync.frames, rate: count * 1000 / (now - start) });
        };
        requestAnimationFrame(tick);
    })""", SECONDS - 1)
    spent = processor_time() - before
    page.close()
    apply(server, back, room)
    script = result["script"]
    return {"p50": percentile(script, 0.5), "p95": percentile(script, 0.95), "processor": 1000 * spent / len(script), "painted": len(script) / (SECONDS - 1), "rate": result["rate"]}


def reading(browser: Browser, server: Server) -> tuple[float, float]:
    """Milliseconds of a page's thread in which a snapshot of 10,000 views is decoded and mirrored: the first time in a new page,
    in code that no compiler has seen, and the median of several in one page."""
    first, later = [], []
    for _ in range(5):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        received: list[bytes] = []
        page.on("websocket", lambda socket, to=received: socket.on("framereceived", lambda body: to.append(body if isinstance(body, bytes) else body.encode())))
        page.goto(f"{server.http}/tenthousand")
        page.wait_for_function(READY)
        messages = [base64.b64encode(each).decode() for each in received]
        # A page of its own, so that the room's has compiled nothing for it.
        page.close()
        page = browser.new_page()
        page.goto(f"{server.http}/healthz")
        times: list[float] = page.evaluate("""async (texts) => {
            const { Mirror, decode } = await import("/page/scenesync.js");
            const bodies = texts.map((text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0)));
            const times = [];
            for (let round = 0; round < 9; round++) {
                const mirror = new Mirror(), start = performance.now();
                for (const body of bodies) {
                    const message = decode(body);
                    if (message.type === "snapshot") mirror.apply(message);
                }
                times.push(performance.now() - start);
                if (mirror.size !== 10001) throw new Error(`${mirror.size} views`);
            }
            return times;
        }""", messages)
        page.close()
        first.append(times[0])
        later.append(statistics.median(times[1:]))
    return statistics.median(first), statistics.median(later)


def first_pictures(browser: Browser, server: Server, path: str = "thousand", script: str = "") -> tuple[list[float], int]:
    """Milliseconds from the start of the navigation to the first picture, in a profile that never saw the page; and what it fetched in all."""
    times, fetched = [], 0
    for _ in range(LOADS):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        if script:
            page.add_init_script(script)
        page.goto(f"{server.http}/{path}")
        # Nobody looks into the page meanwhile: the driver's own script would have to be compiled before the picture.
        time.sleep(3)
        times.append(float(page.evaluate("() => performance.getEntriesByName('first-picture')[0].startTime")))
        fetched = max(fetched, int(page.evaluate(FETCHED)))
        context.close()
    return times, fetched


def all_files(server: Server) -> int:
    """Compressed bytes of all files that the page may ever fetch, found by following what they name."""
    size = 0
    found: dict[str, str] = {}
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        request = urllib.request.Request(server.http + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as response:
            body = response.read()
        size += len(body)
        found[path] = gzip.decompress(body).decode()
        for how, each in re.findall(r'(href=|href: *|src=|from *|import\()"([^"]+)"', found[path]):
            if not each.startswith("http"):
                # The address in an element that a script makes is relative to the page, not to the script.
                waiting.append(urljoin("/" if how.startswith("href: ") else path, each))
    return size


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium, "there is no Chromium here"
    with Server("--in-memory") as server:
        apply(server, grid(5000, TOGETHER), "together")
        apply(server, grid(5000, SCATTERED), "scattered")
        apply(server, rows(1000), "thousand")
        apply(server, boxes(10_000), "tenthousand")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium)
            results = {(room, described): moving(browser, server, room, described) for room in ("together", "scattered") for described in (True, False)}
            cold, warm = reading(browser, server)
            loads, fetched = first_pictures(browser, server)
            blank, _ = first_pictures(browser, server, "healthz", BLANK)
            browser.close()
        size = all_files(server)
    report = Report("web", LOADS)
    for (room, described), found in results.items():
        way = "by descriptor" if described else "by frames"
        runs = int(found["painted"] * (SECONDS - 1))
        report.add(f"script of a frame, 600 of 5,000 views move {room}, {way}: 95 of 100 within", found["p95"], runs=runs)
        report.add(f"the same, {room}, {way}: mean of the thread's processor time", found["processor"], runs=runs)
        report.add(f"frames painted, {room}, {way}", found["painted"], runs=runs)
    report.add("snapshot of 10,000 views read, the first in a page", cold, runs=5)
    report.add("snapshot of 10,000 views read, later ones", warm, runs=5)
    report.add("first picture of 1,000 views, median", statistics.median(loads))
    report.add("first picture of 1,000 views, slowest", max(loads))
    report.add("first picture of a page of nothing, median", statistics.median(blank))
    report.add("page, what somebody fetches who looks at a room, compressed", fetched / 1024)
    report.add("page, all files, compressed", size / 1024, runs=1)
    report.finish()


if __name__ == "__main__":
    main()
