"""The client against the server itself; the program is named by the environment."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenesync import AsyncClient, Client, RefusedError, ops
from scenesync.errors import ConnectionEnded
from scenesync.messages import Committed, DeviceRequest, Presence, PresenceAwareness, PresencePlace
from scenesync.session import DEVICES, EVENTS
from scenesync_server import EXAMPLES, Server


@pytest.fixture(scope="module")
def room() -> Iterator[str]:
    with Server("--in-memory", "--scene", str(EXAMPLES / "dashboard.json")) as server:
        yield server.url + "/demo"


@pytest.mark.parametrize("format", ["bin", "json"])
def test_sync(room: str, format: str) -> None:
    with Client(room, role="editor", format=format) as client:
        width = {"bin": 301, "json": 302}[format]
        result = client.apply([ops.set_constraint("sidebar-width", constant=width)])
        assert isinstance(result.outcome, Committed) and not result.outcome.refusals
        client.wait(lambda mirror: mirror["sidebar"].frame[2] == width, timeout=5)
        with pytest.raises(RefusedError) as caught:
            client.apply([ops.set_constraint("no-such-constraint", constant=1)])
        assert caught.value.code == "unknown-constraint"
        assert client.read(len) > 30


def test_a_unix_socket(tmp_path: Path) -> None:
    listeners = ["--listen", "127.0.0.1:0", f"unix:{tmp_path}/s"]
    with Server("--in-memory", "--scene", str(EXAMPLES / "dashboard.json"), *listeners):
        with Client(f"ws+unix://{tmp_path}/s:/demo", role="editor") as client:
            client.apply([ops.set_constraint("sidebar-width", constant=303)])
            client.wait(lambda mirror: mirror["sidebar"].frame[2] == 303, timeout=5)
    with pytest.raises(ConnectionEnded), Client(f"ws+unix://{tmp_path}/s:/demo", reconnects=False):
        pass


def test_others_see_it(room: str) -> None:
    async def run() -> None:
        async with AsyncClient(room, role="editor") as editor, AsyncClient(room, format="json") as viewer:
            name = "made-here"
            await editor.apply([ops.add_view(name, background="#102030"), ops.add_constraint(f"{name}.width == 7")])
            await viewer.wait(lambda mirror: name in mirror and mirror[name].frame[2] == 7, 5)
            animation = [ops.set_constraint("sidebar-width", constant=200), ops.layout_if_needed("root")]
            await editor.apply([ops.animate(0.2, animation)])
            await viewer.wait(lambda mirror: mirror["sidebar"].frame[2] == 200, 5)
            await editor.wait(lambda mirror: mirror.state_hash == viewer.mirror.state_hash, 5)
            await editor.apply([ops.remove_view(name)])
            await viewer.wait(lambda mirror: name not in mirror, 5)
            await editor.send(Presence(clock=1, name="Ada", selection=["sidebar"]))
            async for event in viewer.events():
                if isinstance(event, Presence):
                    assert event.name == "Ada"
                    break
            with pytest.raises(RefusedError) as caught:
                await viewer.apply([ops.remove_view("sidebar")])
            assert caught.value.code == "forbidden"

    asyncio.run(asyncio.wait_for(run(), 30))


def test_nobody_there() -> None:
    with pytest.raises(ConnectionEnded):
        with Client("ws://127.0.0.1:1/demo"):
            pass


def test_command_line(room: str) -> None:
    def cli(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "scenesync.cli", *arguments], input=text, capture_output=True, text=True
        )

    op = json.dumps(ops.set_constraint("sidebar-width", constant=250))
    done = cli("apply", room, "-", text=op)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcome"] == "committed"
    shown = json.loads(cli("show", room).stdout)
    assert shown["frames"]["sidebar"][2] == 250
    assert json.loads(cli("decode", "4a0102ff01").stdout) == {"type": "pong", "t0": 1, "t1": 2, "t2": 255}
    assert cli("decode", "4a01").returncode == 65
    assert cli("show", "ws://127.0.0.1:1/demo").returncode == 69
    assert cli("apply", room, "-", text='{"op": "nonsense"}').returncode == 1


def test_a_pointer_stands_in_the_same_view_on_every_device(room: str) -> None:
    async def run() -> None:
        async with (
            AsyncClient(room, role="editor") as desk,
            AsyncClient(room, format="json", capabilities=DEVICES, device=DeviceRequest("phone")) as phone,
        ):
            # A quarter across the label and half down, wherever it is here.
            x, y, width, height = desk.mirror.absolute_frame("live")
            place = desk.mirror.place_in("live", x + width / 4, y + height / 2)
            assert place == PresencePlace("live", (0.25, 0.5))
            await desk.send(Presence(clock=2, name="Eve", place=place))
            async for event in phone.events():
                if isinstance(event, Presence) and event.name == "Eve":
                    break
            assert event.place == place
            # On the phone (390 points at three pixels each) it ends 16 points before the edge, eleven columns wide.
            assert phone.mirror.point_of(event.place) == ((390 - 16 - 88 + 22) * 3, (47 + 24) * 3)
            assert phone.mirror.point_of(PresencePlace("nobody", (0.0, 0.0))) is None

    asyncio.run(asyncio.wait_for(run(), 30))


def test_awareness_reaches_others_and_a_participant_asks_nobody_to_follow(room: str) -> None:
    async def run() -> None:
        async with (
            AsyncClient(room, role="editor") as editor,
            AsyncClient(room, role="participant", format="json", capabilities=EVENTS) as guest,
        ):
            for sender, other, asks in ((editor, guest, True), (guest, editor, False)):
                name = f"asks-{asks}"
                wanted = PresenceAwareness("phone", idle=True, hand_raised=True, spotlight=True)
                await sender.send(Presence(clock=1, name=name, awareness=wanted))
                async for event in other.events():
                    if isinstance(event, Presence) and event.name == name:
                        break
                assert event.awareness == PresenceAwareness("phone", idle=True, hand_raised=True, spotlight=asks)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_following_ends_with_its_reader(room: str) -> None:
    with subprocess.Popen([sys.executable, "-m", "scenesync.cli", "follow", room], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline()
        # Nothing changes in the room from here on, so nothing is written.
        process.stdout.close()
        try:
            assert process.wait(60) == -signal.SIGPIPE
        finally:
            process.kill()
