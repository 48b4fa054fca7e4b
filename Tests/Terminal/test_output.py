"""Where the output goes decides what is written: nothing for readers that are gone, no escape sequences for terminals that know none."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from pathlib import Path

import pytest
from scenesync_server import EXAMPLES, PATIENCE, PROGRAM, Server

BOX = {
    "scene": 1,
    "viewport": {"width": 64, "height": 48},
    "views": [{"id": "box", "border": "rounded", "frame": [0, 0, 64, 48]}],
}


def ends_with_its_reader(arguments: list[str]) -> int:
    """The exit status of a program whose output nobody reads any more after its first line."""
    with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.stdout.close()
        try:
            return process.wait(PATIENCE)
        finally:
            process.kill()


def test_following_a_room_at_rest_ends_with_its_reader(server: Server) -> None:
    url = server.make_room("rest", BOX)
    assert ends_with_its_reader(["view", "--follow", url]) == -13, "as by SIGPIPE"


def test_following_notices_a_reader_that_is_gone_from_the_start(server: Server) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    # Nothing can be written: the server does not know the room, so no state ever comes.
    with subprocess.Popen([PROGRAM, "view", "--follow", f"{server.url}/rest"], stdout=writer, stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        try:
            assert process.wait(PATIENCE) == -13
        finally:
            process.kill()


def test_a_recording_into_a_pipe_ends_with_its_reader(server: Server, tmp_path: Path) -> None:
    url = server.make_room("rest", BOX)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [PROGRAM, "view", "--record", str(pipe), "--size", "20x5", url], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as process:
        with pipe.open() as reader:
            assert '"version"' in reader.readline()
        try:
            assert process.wait(PATIENCE) == -13
        finally:
            process.kill()


def test_other_streams_end_with_their_readers() -> None:
    # A verdict that nobody read is a failure.
    assert ends_with_its_reader(["conformance", "--serve"]) == 1


def test_a_server_goes_on_without_a_reader() -> None:
    with Server("--in-memory") as server:
        assert server.process.stdout is not None
        server.process.stdout.close()
        assert server.make_room("rest", BOX)


def on_terminal(arguments: list[str], **environment: str) -> tuple[int, bytes, bytes]:
    """Runs a program on a pseudo-terminal; its status, what it wrote there, and its errors."""
    terminal, program = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name not in ("TERM", "LANG", "LC_ALL", "LC_CTYPE")}
    process = subprocess.Popen(
        [PROGRAM, *arguments], stdin=program, stdout=program, stderr=subprocess.PIPE, env={**inherited, **environment}
    )
    os.close(program)
    written = b""
    try:
        while select.select([terminal], [], [], PATIENCE)[0]:
            try:
                written += os.read(terminal, 1 << 16)
            except OSError:
                break
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        os.close(terminal)
    return process.returncode, written, errors


@pytest.mark.parametrize(
    ("environment", "says"), [({"TERM": "dumb"}, b"TERM is dumb"), ({"TERM": ""}, b"TERM is not set"), ({}, b"TERM is not set")]
)
@pytest.mark.parametrize(
    ("command", "advice"), [(["view"], b"--once"), (["view", "--app"], b"--once"), (["view", "--play"], b"another terminal"),
                            (["cluster", "top"], b"--once")]
)  # fmt: skip
def test_no_escapes_where_none_are_known(
    server: Server, tmp_path: Path, environment: dict[str, str], says: bytes, command: list[str], advice: bytes
) -> None:
    recording = tmp_path / "scene.cast"
    recording.write_text('{"version": 2, "width": 10, "height": 2}\n')
    subject = str(recording) if "--play" in command else f"{server.url}/demo"
    status, written, errors = on_terminal([*command, subject], **environment)
    assert status == 64
    assert written == b""
    assert says in errors and advice in errors


def test_not_a_terminal_says_what_to_use(server: Server) -> None:
    done = subprocess.run([PROGRAM, "view", f"{server.url}/demo"], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (64, b"")
    assert b"must be a terminal" in done.stderr and b"--once" in done.stderr and b"--follow" in done.stderr


@pytest.mark.parametrize(("locale", "corner"), [("C", "+"), ("C.UTF-8", "\u256d"), ("de_DE.ISO-8859-1", "+")])
def test_borders_are_of_the_locale(server: Server, locale: str, corner: str) -> None:
    url = server.make_room("box", BOX)
    environment = {**os.environ, "LC_ALL": locale}
    text = subprocess.run(
        [PROGRAM, "view", "--once", "--format", "text", url], capture_output=True, timeout=PATIENCE, env=environment, check=True
    ).stdout
    assert text.decode()[0] == corner
    assert corner != "+" or text.isascii()
    laid_out = subprocess.run(
        [PROGRAM, "layout", "--format", "text", str(EXAMPLES / "dashboard.json")], capture_output=True, timeout=PATIENCE,
        env=environment, check=True,
    ).stdout  # fmt: skip
    assert (corner == "+") == laid_out.isascii()


def test_a_plain_terminal_without_utf8_gets_ascii(server: Server) -> None:
    url = server.make_room("box", BOX)
    terminal, program = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "view", url], stdin=program, stdout=program, stderr=subprocess.DEVNULL, env={**os.environ, "TERM": "vt220", "LC_ALL": "C"}
    ) as process:
        os.close(program)
        written = b""
        while b"live" not in written:
            written += os.read(terminal, 1 << 16)
        os.write(terminal, b"\x03")
        assert process.wait(PATIENCE) == 0
    os.close(terminal)
    assert written.isascii() and b"+---" in written
