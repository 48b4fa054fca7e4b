"""A program in Python, a terminal and a page at once: what people do at either reaches the program, whose answer both show."""

from __future__ import annotations

import sys

import pytest
from conftest import ROOT, Server, Visits
from examples import running
from playwright.sync_api import Page
from scenesync_server import PROGRAM

sys.path.insert(0, str(ROOT / "Tests" / "Terminal"))

from terminal import ENTER, PyteTerminal, reach  # noqa: E402

SHOWN = "(wanted) => { const view = scenesync.room.mirror.view(wanted[0]); return view?.content.lines[0]?.text === wanted[1]; }"


def wait_for_counts(page: Page, app: PyteTerminal, *counts: str) -> None:
    """Waits until both show so many votes behind each answer, in their order."""
    for number, count in enumerate(counts):
        page.wait_for_function(SHOWN, arg=[f"count-{number}", count])

    def holds(lines: list[str]) -> bool:
        found = [next((line for line in lines if "[" in line and name in line), "") for name in ("Tea", "Coffee")]
        return all(line.split()[-1:] == [count] for line, count in zip(found, counts, strict=True))

    app.wait(holds)


@pytest.mark.parametrize("language", ["python", "node"])
def test_votes_from_both_are_shown_by_both(server: Server, visits: Visits, language: str) -> None:
    with running(server, language, "poll") as url:
        page = visits.open(f"{url.replace('ws', 'http', 1)}?app", wait=False)
        page.wait_for_function("() => window.scenesync?.firstPicture > 0 && scenesync.controls.widgets.has('answer-1')")
        app = PyteTerminal([PROGRAM, "view", "--app", url], 80, 24)
        wait_for_counts(page, app, "0", "0")
        page.locator('#controls [data-view="answer-0"]').click()
        wait_for_counts(page, app, "1", "0")
        reach(app, "[ Coffee ]")
        app.type(ENTER)
        wait_for_counts(page, app, "1", "1")
        # A tap on another answer changes the vote.
        page.locator('#controls [data-view="answer-1"]').click()
        wait_for_counts(page, app, "0", "2")
        app.type("q")
