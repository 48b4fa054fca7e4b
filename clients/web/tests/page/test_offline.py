"""A page whose server is gone goes on: what is done shows, is kept over a reload and a restart of the browser, and is sent once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import CHROMIUM, Op, Server, Visits, agree, frames, look_into, place, ready, settle
from network import Network
from playwright.sync_api import BrowserContext, BrowserType, Page, expect
from test_outage import BOX, STATUS, asks_before_leaving, drag_edge
from test_prediction import does

pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture
def network(server: Server, networks: Callable[..., Network], visits: Visits) -> Network:
    visits.expected += ["WebSocket", "ERR_EMPTY_RESPONSE"]
    server.make_room("box", BOX)
    return networks(server, 0)


def prepared(page: Page) -> Page:
    """A page on which `a` is selected, with all that it needs without a server."""
    page.on("dialog", lambda dialog: dialog.accept())
    left, top, width, height = place(page, "a")
    page.mouse.click(left + width / 2, top + height / 2)
    look_into(page)
    settle(page)
    page.wait_for_function("() => scenesync.outbox && scenesync.room.told?.hash === scenesync.room.truth.stateHash")
    return page


@pytest.fixture
def page(network: Network, visits: Visits) -> Page:
    return prepared(visits.open(f"{network.http}/box"))


def cut(network: Network, *pages: Page) -> None:
    network.cut()
    for page in pages:
        page.wait_for_function("() => scenesync.room.ahead.isAheadOfCut")


def back(network: Network, *pages: Page) -> None:
    network.mend()
    for page in pages:
        page.wait_for_function("() => scenesync.room.status === 'live' && scenesync.room.left === 0")


def add(page: Page, *ids: str) -> None:
    """Ops of which the server refuses the second one of a name: a change that is sent twice does not pass unseen."""
    page.evaluate("(ids) => { for (const id of ids) scenesync.room.send([{ op: 'addView', id }]); }", list(ids))
    page.wait_for_function("(id) => scenesync.room.mirror.numbers.has(id)", arg=ids[-1])


def reload(page: Page) -> None:
    page.evaluate("() => scenesync.outbox.storage.last")
    page.reload()
    page.wait_for_function("() => window.scenesync?.outbox")


def test_drags_go_on_without_the_server(server: Server, network: Network, page: Page) -> None:
    cut(network, page)
    drag_edge(page, 40)
    page.wait_for_function("() => scenesync.isPainted")
    assert frames(page)["a"] == [0, 0, 140, 100]
    expect(page.locator(STATUS)).to_have_text("offline, coming back, 1 unsaved")
    expect(page.locator("#changes")).to_have_text("1 change waits")
    # The next one begins where the first one ended.
    drag_edge(page, 40)
    page.wait_for_function("() => scenesync.isPainted")
    assert frames(page)["a"] == [0, 0, 180, 100]
    assert asks_before_leaving(page)
    # The panels show what was done.
    expect(page.locator("#right input[aria-label='Constraint w']")).to_have_value("a.width == 180")
    expect(page.locator("#why")).to_contain_text("a.width == 180")
    assert server.frames("box")["a"] == [0, 0, 100, 100]
    back(network, page)
    assert agree(server, page, room="box")["a"] == [0, 0, 180, 100]
    expect(page.locator("#changes")).to_be_hidden()
    assert not asks_before_leaving(page)


def test_two_hundred_changes_survive_a_reload_and_a_killed_server(
    make_server: Callable[..., Server], networks: Callable[..., Network], visits: Visits, folder: Path
) -> None:
    visits.expected += ["WebSocket", "ERR_EMPTY_RESPONSE"]
    server = make_server(data=str(folder))
    server.make_room("box", BOX)
    network = networks(server, 0)
    page = prepared(visits.open(f"{network.http}/box"))
    cut(network, page)
    add(page, *(f"v{number}" for number in range(150)))
    # Of the other fifty each is a width more.
    page.evaluate("() => { for (let wide = 101; wide <= 150; wide++) scenesync.room.send([{ op: 'setConstraint', id: 'w', constant: wide }]); }")
    expect(page.locator("#changes")).to_have_text("200 changes wait")
    page.wait_for_function("() => scenesync.isPainted")
    assert frames(page)["a"] == [0, 0, 150, 100]
    reload(page)
    expect(page.locator(STATUS)).to_have_text("offline, coming back, 200 unsaved")
    expect(page.locator("#changes")).to_have_text("200 changes wait")
    server.stop(signal.SIGKILL)
    after = make_server(data=str(folder), port=server.port)
    assert after.frames("box").keys() == {"root", "a"}
    back(network, page)
    ready(page)
    now = agree(after, page, room="box")
    assert now["a"] == [0, 0, 150, 100]
    assert now.keys() == {"root", "a", *(f"v{number}" for number in range(150))}
    # A change that came twice would be refused.
    expect(page.locator("#changes")).to_be_hidden()
    # Once the browser has it on disk that they are gone.
    page.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('scenesync-outbox'))")
    page.reload()
    ready(page)
    assert page.evaluate("() => scenesync.outbox") is None


def test_what_was_sent_before_a_reload_is_not_done_twice(server: Server, network: Network, visits: Visits, page: Page) -> None:
    other = visits.open(f"{server.http}/box")
    # The op arrives, its answer does not.
    network.hold(backwards_only=True)
    page.evaluate("() => { scenesync.room.send([{ op: 'addView', id: 'once' }]); }")
    other.wait_for_function("() => scenesync.room.mirror.numbers.has('once')")
    expect(page.locator("#changes")).to_have_text("1 change waits")
    network.cut()
    reload(page)
    expect(page.locator("#changes")).to_have_text("1 change waits")
    network.release()
    back(network, page)
    ready(page)
    expect(page.locator("#changes")).to_be_hidden()
    assert agree(server, page, room="box").keys() == {"root", "a", "once"}


def test_a_server_that_forgot_the_page_is_not_sent_it_again(
    make_server: Callable[..., Server], server: Server, network: Network, visits: Visits, page: Page
) -> None:
    network.hold(backwards_only=True)
    page.evaluate("() => { scenesync.room.send([{ op: 'addView', id: 'lost' }]); }")
    expect(page.locator("#changes")).to_have_text("1 change waits")
    network.cut()
    reload(page)
    # Another server, which knows neither the room nor the session.
    server.stop(signal.SIGKILL)
    after = make_server(port=server.port)
    after.make_room("box", BOX)
    network.release()
    back(network, page)
    ready(page)
    expect(page.locator("#changes")).to_have_text("1 refused")
    assert after.frames("box").keys() == {"root", "a"}
    page.click("#changes")
    expect(page.locator("#outbox li")).to_contain_text("the server does not remember whether it was done")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function("() => scenesync.room.truth.numbers.has('lost')")
    expect(page.locator("#changes")).to_be_hidden()


@pytest.fixture
def restarted(browser_type: BrowserType, folder: Path) -> Iterator[Callable[[], BrowserContext]]:
    """A browser whose profile outlives it."""
    running: list[BrowserContext] = []

    def start() -> BrowserContext:
        while running:
            running.pop().close()
        running.append(browser_type.launch_persistent_context(str(folder), executable_path=CHROMIUM, viewport={"width": 1280, "height": 800}))
        running[-1].set_default_timeout(60000)
        return running[-1]

    yield start
    for each in running:
        each.close()


def test_changes_survive_a_restart_of_the_browser(server: Server, network: Network, restarted: Callable[[], BrowserContext]) -> None:
    page = restarted().new_page()
    page.goto(f"{network.http}/box")
    ready(page)
    prepared(page)
    cut(network, page)
    add(page, "kept")
    expect(page.locator("#changes")).to_have_text("1 change waits")
    page.evaluate("() => scenesync.outbox.storage.last")
    page = restarted().new_page()
    page.goto(f"{network.http}/box")
    expect(page.locator("#changes")).to_have_text("1 change waits")
    back(network, page)
    ready(page)
    page.wait_for_function("() => scenesync.room.truth.numbers.has('kept')")
    expect(page.locator("#changes")).to_be_hidden()


def test_of_two_tabs_each_sends_its_own_and_one_that_is_closed_leaves_its_to_the_other(
    server: Server, network: Network, visits: Visits, page: Page
) -> None:
    second = page.context.new_page()
    second.goto(f"{network.http}/box")
    ready(second)
    prepared(second)
    cut(network, page, second)
    add(page, "first")
    add(second, "second")
    assert second.evaluate("() => scenesync.room.left") == 0, "the first tab lives, and its changes are its own"
    page.evaluate("() => scenesync.outbox.storage.last")
    page.close()
    expect(second.locator("#changes")).to_have_text("2 changes wait")
    third = second.context.new_page()
    third.goto(f"{network.http}/box")
    third.wait_for_function("() => window.scenesync?.outbox")
    assert third.evaluate("() => scenesync.room.left") == 0
    back(network, second, third)
    second.wait_for_function("() => ['first', 'second'].every((id) => scenesync.room.truth.numbers.has(id))")
    for each in (second, third):
        expect(each.locator("#changes")).to_be_hidden()
    assert agree(server, second, room="box").keys() == {"root", "a", "first", "second"}


def test_what_is_refused_later_is_listed_with_its_reason(server: Server, network: Network, visits: Visits, page: Page) -> None:
    other = visits.open(f"{server.http}/box")
    cut(network, page)
    drag_edge(page, 60)
    add(page, "fine", "taken")
    most: Op = {"op": "addConstraint", "id": "most", "rule": "a.width <= 120"}
    does(other, most)
    does(other, {"op": "addView", "id": "taken"})
    back(network, page)
    expect(page.locator("#changes")).to_have_text("2 refused")
    assert agree(server, page, room="box").keys() == {"root", "a", "fine", "taken"}
    page.click("#changes")
    lines = page.locator("#outbox li")
    expect(lines.nth(0)).to_contain_text("setConstraint w")
    expect(lines.nth(0)).to_contain_text("most")
    expect(lines.nth(1)).to_contain_text("taken")
    lines.nth(1).get_by_role("button", name="Drop").click()
    expect(lines).to_have_count(1)
    # Once the other's rule is gone, it goes through.
    does(other, {"op": "removeConstraint", "id": "most"})
    lines.nth(0).get_by_role("button", name="Try again").click()
    expect(page.locator("#changes")).to_be_hidden()
    assert agree(server, page, room="box")["a"] == [0, 0, 160, 100]
    assert page.evaluate("async () => (await scenesync.outbox.storage.all('changes')).length") == 0


def test_what_waits_can_be_dropped_and_taken_back(server: Server, network: Network, page: Page) -> None:
    cut(network, page)
    drag_edge(page, 20)
    add(page, "one", "two", "three")
    page.click("#changes")
    page.locator("#outbox li", has_text="addView two").get_by_role("button", name="Drop").click()
    page.wait_for_function("() => !scenesync.room.mirror.numbers.has('two')")
    page.locator("#outbox").get_by_role("button", name="Close").click()
    assert {"one", "three"} < frames(page).keys()
    page.click("#undo")
    page.wait_for_function("() => !scenesync.room.mirror.numbers.has('three')")
    expect(page.locator("#changes")).to_have_text("2 changes wait")
    back(network, page)
    now = agree(server, page, room="box")
    assert now.keys() == {"root", "a", "one"}
    assert now["a"] == [0, 0, 120, 100]


def test_where_nothing_can_be_kept_that_is_said(server: Server, network: Network, visits: Visits) -> None:
    page = visits.open("about:blank", wait=False)
    # As browsers have it for a page that came by http from another machine.
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })")
    page.goto(f"{network.http}/box")
    ready(page)
    prepared(page)
    cut(network, page)
    add(page, "one")
    page.click("#changes")
    expect(page.locator("#outbox")).to_contain_text("lost with this tab")
    page.locator("#outbox").get_by_role("button", name="Close").click()
    back(network, page)
    assert agree(server, page, room="box").keys() == {"root", "a", "one"}
    expect(page.locator("#changes")).to_be_hidden()
