"""The page behind a proxy that gives the server a path of its own, as docs/operating.md says."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator

import pytest
from conftest import Server, Visits, agree, look_into, ready
from playwright.sync_api import expect


class Proxy(socketserver.ThreadingTCPServer):
    """Serves what is at a server's root below `/scene/`; what is elsewhere is not its business."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Passage)
        self.upstream = port
        #: Paths that were asked for and are not the server's.
        self.strays: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/scene"


class Passage(socketserver.BaseRequestHandler):
    """One request, or one WebSocket connection."""

    server: Proxy

    def handle(self) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            received = self.request.recv(65536)
            if not received:
                return
            head += received
        path = head.split(b" ", 2)[1]
        if not path.startswith(b"/scene/"):
            self.server.strays.append(path.decode())
            self.request.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        head = head.replace(b"/scene/", b"/", 1)
        forwarded = b"\r\nX-Forwarded-For: 192.0.2.7\r\n"
        if not re.search(rb"\r\nupgrade:", head, re.IGNORECASE):
            head = re.sub(rb"\r\nconnection:[^\r]*", b"", head, flags=re.IGNORECASE)
            forwarded += b"Connection: close\r\n"
        with socket.create_connection(("127.0.0.1", self.server.upstream)) as upstream:
            upstream.sendall(head.replace(b"\r\n", forwarded, 1))
            back = threading.Thread(target=copy, args=(upstream, self.request), daemon=True)
            back.start()
            copy(self.request, upstream)
            back.join()


def copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


@pytest.fixture
def proxies() -> Iterator[Callable[[Server], Proxy]]:
    made: list[Proxy] = []

    def make(server: Server) -> Proxy:
        made.append(Proxy(server.port))
        return made[-1]

    yield make
    for each in made:
        each.shutdown()
        each.server_close()
    assert [each.strays for each in made] == [[] for _ in made]


def test_everything_is_found_below_the_path(
    make_server: Callable[..., Server], proxies: Callable[[Server], Proxy], visits: Visits
) -> None:
    server = make_server("--insecure-bind", "--trusted-proxy", "127.0.0.1")
    proxy = proxies(server)
    page = visits.open(f"{proxy.http}/demo")
    expect(page.locator("#status")).to_have_text("live")
    look_into(page)
    for part in ("#show-wall", "#show-learn"):
        page.click(part)
    page.wait_for_function("() => scenesync.wall?.tiles.every((tile) => tile.room.status === 'live') && scenesync.learn")
    page.click("#share")
    expect(page.get_by_label("Link to this room")).to_have_value(f"{proxy.http}/demo")
    page.get_by_role("button", name="Close").click()
    page.select_option("#device", "360 720")
    assert agree(server, page)["root"] == [0, 0, 360, 720]
    # The brand leads to the server's own first page, which is the room `demo`.
    page.click("#brand")
    ready(page)
    assert page.url == f"{proxy.http}/"
    expect(page.locator("#room")).to_have_text("demo")


def test_the_scene_alone_is_found_below_the_path(
    make_server: Callable[..., Server], proxies: Callable[[Server], Proxy], visits: Visits
) -> None:
    proxy = proxies(make_server("--insecure-bind", "--trusted-proxy", "127.0.0.1"))
    page = visits.open(f"{proxy.http}/demo?app", wait=False)
    page.wait_for_function("() => window.scenesync?.firstPicture > 0")


def test_without_keys_the_page_says_what_helps(server: Server, proxies: Callable[[Server], Proxy], visits: Visits) -> None:
    page = visits.open(f"{proxies(server).http}/demo", wait=False)
    expect(page.locator("#status")).to_have_text("refused")
    expect(page.locator("#notice")).to_contain_text("--insecure-bind")
    assert "token" not in page.inner_text("#notice")


def test_tokens_of_servers_under_one_origin_stay_apart(
    make_server: Callable[..., Server], proxies: Callable[[Server], Proxy], visits: Visits
) -> None:
    server = make_server("--insecure-bind")
    page = visits.open(f"{proxies(server).http}/demo#token=secret", wait=False)
    page.wait_for_function("() => location.hash === '' && sessionStorage.length > 0")
    assert page.evaluate("() => ({ ...sessionStorage })") == {"scenesync-token scene/demo": "secret"}
