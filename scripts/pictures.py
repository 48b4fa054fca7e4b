"""Makes the pictures in docs/pictures from the running program: `pictures.py`. SCENESYNC names the program.

    viewer.svg    the terminal viewer with its inspector, as a terminal of 136 × 28 cells shows it
    page.png      the browser page with a view selected, in headless Chromium

The figures of the status line and of the clock are those of the run, so a picture may differ in them from the one before.
"""

from __future__ import annotations

import shutil
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "Tests" / "Support"), str(ROOT / "Tests" / "Terminal")]

import pyte  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from scenesync_server import PROGRAM, Server  # noqa: E402
from terminal import PyteTerminal  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
COLUMNS, ROWS = 136, 28
#: Points of a cell, and colours where the program sets none.
CELL = (8.4, 17)
BACKGROUND, FOREGROUND = "#16161e", "#c0caf5"
NAMED = {
    "black": "#15161e", "red": "#f7768e", "green": "#9ece6a", "brown": "#e0af68", "blue": "#7aa2f7", "magenta": "#bb9af7",
    "cyan": "#7dcfff", "white": "#a9b1d6",
}  # fmt: skip
SELECTED = "sidebar"


def colour(name: str, otherwise: str) -> str:
    if name == "default":
        return otherwise
    return NAMED.get(name.removeprefix("bright"), f"#{name}")


def svg(screen: pyte.Screen) -> str:
    """The screen as SVG: a rectangle for each run of one background, and a text for each run of one pen."""
    width, height = CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {screen.columns * width:g} {screen.lines * height:g}" '
        f'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">',
        f'<rect width="100%" height="100%" fill="{BACKGROUND}"/>',
    ]
    for row in range(screen.lines):
        column = 0
        while column < screen.columns:
            first = screen.buffer[row][column]
            pen = (first.fg, first.bg, first.bold, first.italics, first.underscore, first.reverse)
            start, text = column, ""
            while column < screen.columns:
                cell = screen.buffer[row][column]
                if (cell.fg, cell.bg, cell.bold, cell.italics, cell.underscore, cell.reverse) != pen:
                    break
                text += cell.data or ""
                column += 1
            ink, paper = colour(first.fg, FOREGROUND), colour(first.bg, BACKGROUND)
            if first.reverse:
                ink, paper = paper, ink
            if paper != BACKGROUND:
                parts.append(f'<rect x="{start * width:g}" y="{row * height:g}" width="{(column - start) * width:g}" '
                             f'height="{height:g}" fill="{paper}"/>')  # fmt: skip
            if text.strip():
                style = (' font-weight="bold"' if first.bold else "") + (' text-decoration="underline"' if first.underscore else "")
                # The length pins the run to its cells, whatever font the reader has.
                parts.append(f'<text x="{start * width:g}" y="{row * height + 13:g}" textLength="{(column - start) * width:g}" '
                             f'fill="{ink}"{style} xml:space="preserve">{escape(text)}</text>')  # fmt: skip
    return "\n".join([*parts, "</svg>", ""])


def draw_viewer(server: Server) -> None:
    terminal = PyteTerminal([PROGRAM, "view", "--edit", f"{server.url}/demo"], COLUMNS, ROWS)
    try:
        terminal.wait(lambda lines: any("Overview" in line for line in lines))
        # A click on the sidebar, below its entries, and the inspector; then a drag of its right edge, whose op is shown.
        terminal.type("\x1b[<0;10;21M\x1b[<0;10;21mi")
        terminal.wait(lambda lines: any("holds it along y" in line for line in lines) and any("╮╭" in line for line in lines))
        edge = next(line for line in terminal.screen.display if "╮╭" in line).index("╮") + 1
        terminal.type(f"\x1b[<0;{edge};12M\x1b[<32;{edge + 1};12M\x1b[<32;{edge + 2};12M")
        terminal.wait(lambda lines: any("sidebar.width == 192" in line for line in lines))
        while terminal.pump(0.5):
            pass
        (PICTURES / "viewer.svg").write_text(svg(terminal.screen))
    finally:
        terminal.end()


def draw_page(server: Server) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        raise SystemExit("pictures: there is no Chromium; install it (Debian: chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
        page.goto(f"{server.url.replace('ws', 'http', 1)}/demo")
        page.wait_for_function("() => window.scenesync?.firstPicture > 0 && scenesync.tree")
        left, top, width, height = page.evaluate("""(id) => {
            const box = scenesync.stage.box(id), at = document.getElementById("over").getBoundingClientRect();
            return [box.x + at.x, box.y + at.y, box.width, box.height]; }""", SELECTED)
        # A minute of the charts, or most of it.
        charted = "() => scenesync.room.mirror.view('cpu-chart').content.look?.chart?.heights.length >= 40"
        page.wait_for_function(charted, timeout=90_000)
        page.mouse.click(left + width / 2, top + height - 12)
        page.hover("#right")
        page.wait_for_function("() => scenesync.inspector && scenesync.room.document")
        page.wait_for_timeout(500)
        page.screenshot(path=str(PICTURES / "page.png"))
        browser.close()


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with Server("--in-memory", command="demo") as server:
        draw_viewer(server)
        draw_page(server)
    for name in ("viewer.svg", "page.png"):
        print(f"docs/pictures/{name}: {(PICTURES / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
