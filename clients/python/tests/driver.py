"""Drives a client as `scenesync conformance --serve` wants it (see its help)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Callable
from typing import Any

from scenesync import AsyncClient, ClientSession, ConnectionEnded
from scenesync.errors import SceneSyncError
from scenesync.events import ReceivedEvent
from scenesync.messages import DeviceRequest, Inspect, Inspection, Presence, Seek, SentEvent, Subscribe
from scenesync.mirror import Mirror
from scenesync.session import Event, NotGranted
from scenesync.values import EventResult
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.typing import Subprotocol

#: All that this client has.
CAPABILITIES = 2047

#: Under which the driver gets commands.
CONTROL = Subprotocol("scenesync.v1.json")

Make = Callable[[str, str], ClientSession]


def make_session(format: str, url: str = "ws://first/case") -> ClientSession:
    return ClientSession(role="editor", format=format, capabilities=CAPABILITIES, urls=[url])


class Commands:
    """What the view `do` says, each text once, and what the session tells of events to whoever owns it."""

    def __init__(self, session: ClientSession) -> None:
        self.last = ""
        self.told: list[str] = []
        #: Events without an answer.
        self.waiting: list[ReceivedEvent] = []
        #: The names of members, by their numbers.
        self.members: dict[int, str] = {}
        #: The text of the last inspection.
        self.inspection: str | None = None

        receive, take_results = session.receive, session.take_event_results

        def note_event(*arguments: Any) -> Event | None:
            event = receive(*arguments)
            if isinstance(event, ReceivedEvent):
                self.told.append(f"event {event.delivered.sequence} {event.kind} {event.view}")
                self.waiting.append(event)
            elif isinstance(event, Presence):
                self.members[event.client] = event.name
                if event.gone:
                    del self.members[event.client]
            elif isinstance(event, Inspection):
                self.inspection = event.text
            return event

        def note_results() -> list[EventResult]:
            results = take_results()
            self.told += [f"result {result.event_sequence} {result.outcome}" for result in results]
            return results

        session.receive, session.take_event_results = note_event, note_results  # type: ignore[method-assign]

    def take(self, mirror: Mirror) -> Any:
        """The command, if there is a new one."""
        if "do" not in mirror:
            return None
        text = "".join(line.text for line in mirror["do"].content.lines)
        if text in ("", self.last):
            return None
        self.last = text
        return json.loads(text)


class UnknownCommand(Exception):
    """A command that this driver does not know."""


def obey(session: ClientSession, command: Any, commands: Commands) -> Any:
    """Does what a command says, and returns the answer to it; what was not granted is not sent."""
    try:
        if isinstance(command, list):
            session.apply(command)
        elif command == "undo":
            session.undo()
        elif command == "redo":
            session.redo()
        elif command == "told":
            told, commands.told = commands.told, []
            session.send(Presence(selection=told))
        elif command == "members":
            return sorted(commands.members.items())
        elif command == "inspection":
            return commands.inspection
        elif "ops" in command:
            session.apply(command["ops"], command["atomic"], command["undoGroup"])
        elif "seek" in command:
            session.send(Seek(**command["seek"]))
        elif "subscribe" in command:
            fields = command["subscribe"]
            session.send(Subscribe(fields["roots"], fields["frameRateMaximum"]))
        elif "inspect" in command:
            session.send(Inspect(**command["inspect"]))
        elif "presence" in command:
            session.send(Presence(**command["presence"]))
        elif "event" in command:
            session.send_event(SentEvent(tick=session.mirror.tick, **command["event"]))
        elif "handle" in command:
            session.handle(command["handle"])
        elif "answer" in command:
            if commands.waiting:
                session.answer(commands.waiting.pop(0), command["answer"])
        elif "children" in command:
            session.send(Presence(selection=[view.id for view in session.mirror.children(command["children"])]))
        elif "device" in command:
            session.change_device(DeviceRequest(**command["device"]))
        elif "shown" in command:
            frame = session.mirror.shown_frame(command["shown"], command["tick"])
            session.send(Presence(name=" ".join(map(str, frame))))
        else:
            raise UnknownCommand
    except NotGranted:
        pass
    return None


class Control:
    """Commands that come over the connection at `/control`, for the client of the present case."""

    client: AsyncClient
    commands: Commands

    async def run(self, socket: ClientConnection) -> None:
        async for text in socket:
            command = json.loads(text)
            try:
                answer = {"answer": obey(self.client.session, command["do"], self.commands)}
                await self.client._flush()
            except UnknownCommand:
                answer = {"cannot": True}
            await socket.send(json.dumps({"id": command["id"], **answer}))


async def go_through(session: ClientSession, control: Control) -> None:
    """One case, from the first connection to the last."""
    client = control.client = AsyncClient(session=session)
    commands = control.commands = Commands(session)
    try:
        async with client:
            async for mirror in client.updates():
                command = commands.take(mirror)
                if command is not None:
                    obey(session, command, commands)
                    await client._flush()
    except (ConnectionEnded, SceneSyncError):
        pass


def run_suite(format: str, make: Make = make_session, *arguments: str) -> tuple[int, str]:
    """Goes through all cases; returns how the suite ended, and what it printed."""
    command = [os.environ["SCENESYNC"], "conformance", "--serve", "--control", "--patience", "20", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        found = re.match(r"listening on (\S+), (\d+) cases", server.stdout.readline())
        assert found

        async def run() -> None:
            control = Control()
            async with open_socket(f"{found[1]}/control", subprotocols=[CONTROL], compression=None) as socket:
                obeying = asyncio.create_task(control.run(socket))
                for case in range(1, int(found[2]) + 1):
                    await go_through(make(format, f"{found[1]}/case-{case}"), control)
                await asyncio.wait([obeying])
                # Once the suite has closed the socket, nothing may have gone wrong.
                obeying.result()

        asyncio.run(asyncio.wait_for(run(), 240))
        report = server.stdout.read()
    return server.returncode, report
