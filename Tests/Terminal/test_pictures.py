"""Pictures in terminals that answer as kitty, iTerm2, a sixel terminal, tmux, and as one that says nothing of pictures."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import struct
import subprocess
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scenesync_server import PATIENCE, PROGRAM, Server
from terminal import PyteTerminal, Tmux, view_command

COLUMNS, ROWS = 40, 10
CELL = (6, 12)
RED, BLUE = (255, 0, 0), (0, 0, 255)
STRING = re.compile(rb"\x1b(?:_|P|\])[^\x1b\x07]*(?:\x1b\\|\x07)")


def png(width: int, height: int, left: tuple[int, int, int] = RED, right: tuple[int, int, int] = BLUE) -> bytes:
    """One colour on the left, another on the right."""
    rows = (b"\0" + bytes(left) * (width // 2) + bytes(right) * (width - width // 2)) * height

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def decode_png(file: bytes) -> list[list[tuple[int, int, int]]]:
    """The pixels of a PNG of eight bits a channel without interlace. Source: W3C, PNG, sections 9 and 11."""
    place, data, width, height, depth = 8, b"", 0, 0, 3
    while place < len(file):
        length, kind = struct.unpack(">I4s", file[place : place + 8])
        body = file[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height, bits, form = struct.unpack(">IIBB", body[:10])
            assert (bits, form) in ((8, 2), (8, 6))
            depth = 3 if form == 2 else 4
        elif kind == b"IDAT":
            data += body
        place += 12 + length
    raw, rows, above = zlib.decompress(data), [], bytes(width * depth)
    for y in range(height):
        start = y * (1 + width * depth)
        line, kind_ = bytearray(raw[start + 1 : start + 1 + width * depth]), raw[start]
        for x in range(len(line)):
            a = line[x - depth] if x >= depth else 0
            b, c = above[x], above[x - depth] if x >= depth else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + [0, a, b, (a + b) // 2, nearest][kind_]) & 0xFF
        above = bytes(line)
        rows.append([(line[x], line[x + 1], line[x + 2]) for x in range(0, len(line), depth)])
    return rows


def decode_sixel(text: bytes) -> list[list[tuple[int, int, int] | None]]:
    """The pixels of a sixel picture; none where it draws nothing. Source: DEC, VT330/VT340 Programmer Reference Manual, chapter 14."""
    found = re.fullmatch(rb"0;1;0q\"1;1;(\d+);(\d+)(.*)", text, re.DOTALL)
    assert found, text[:40]
    width, height = int(found[1]), int(found[2])
    pixels: list[list[tuple[int, int, int] | None]] = [[None] * width for _ in range(height)]
    colors: dict[int, tuple[int, int, int]] = {}
    color, x, y = 0, 0, 0
    for part in re.finditer(rb"#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|(\$)|(-)", found[3]):
        number, red, green, blue, chosen, count, repeated, single, back, down = part.groups()
        if number:
            colors[int(number)] = (round(int(red) * 2.55), round(int(green) * 2.55), round(int(blue) * 2.55))
        elif chosen:
            color = int(chosen)
        elif back:
            x = 0
        elif down:
            x, y = 0, y + 6
        else:
            bits = (repeated or single)[0] - 63
            for _ in range(int(count or 1)):
                for row in range(6):
                    if bits >> row & 1:
                        pixels[y + row][x] = colors[color]
                x += 1
    return pixels


class PictureTerminal(PyteTerminal):
    """A terminal that answers what it is made for; what strings hold is kept, and shown to pyte as nothing."""

    def __init__(self, arguments: list[str], kind: str, environment: dict[str, str] | None = None) -> None:
        self.kind = kind
        self.strings: list[bytes] = []
        self.pending = b""
        super().__init__(arguments, COLUMNS, ROWS, environment={"TMUX": "", "STY": "", "TERM_PROGRAM": "", **(environment or {})})
        feed = self.stream.feed
        self.stream.feed = lambda data: feed(self.without_strings(data))  # type: ignore[method-assign]

    def without_strings(self, data: bytes) -> bytes:
        data = self.pending + data
        # A string that has only begun waits for its end.
        begun = max(data.rfind(start) for start in (b"\x1b_", b"\x1bP", b"\x1b]", b"\x1b"))
        cut = data.rfind(b"\x1b_"), data.rfind(b"\x1bP"), data.rfind(b"\x1b]")
        start = max(cut)
        if start >= 0 and not STRING.match(data, start):
            data, self.pending = data[:start], data[start:]
        elif begun == len(data) - 1 and begun >= 0:
            data, self.pending = data[:-1], data[-1:]
        else:
            self.pending = b""
        self.strings += [match[0] for match in STRING.finditer(data)]
        return STRING.sub(b"", data)

    def answer(self, data: bytes) -> None:
        replies = {
            "kitty": {b"\x1b[>q": b"\x1bP>|kitty(0.35.0)\x1b\\", b"\x1b_Gi=31": b"\x1b_Gi=31;OK\x1b\\"},
            "iterm2": {b"\x1b[>q": b"\x1bP>|iTerm2 3.5.0\x1b\\", b"ReportCellSize": b"\x1b]1337;ReportCellSize=12.0;6.0;1.0\x07"},
            "sixel": {b"\x1b[>q": b"\x1bP>|XTerm(379)\x1b\\", b"\x1b[?1;1;0S": b"\x1b[?1;0;16S"},
            "tmux": {b"\x1b[>q": b"\x1bP>|tmux 3.4\x1b\\", b"\x1b[>c": b"\x1b[>84;0;0c"},
            "silent": {},
        }[self.kind]
        for question, reply in replies.items():
            if question in data:
                os.write(self.descriptor, reply)
        if self.kind != "silent" and b"\x1b[16t" in data:
            os.write(self.descriptor, b"\x1b[6;%d;%dt" % (CELL[1], CELL[0]))
        if self.kind == "silent":
            return
        attributes = b"\x1b[?62;4;22c" if self.kind == "sixel" else b"\x1b[?62;22c"
        for _ in range(data.count(b"\x1b[c")):
            os.write(self.descriptor, attributes)
        for _ in range(data.count(b"\x1b[5n")):
            os.write(self.descriptor, b"\x1b[0n")

    def until(self, mark: bytes, count: int = 1) -> list[bytes]:
        """The strings that begin with a mark, once there are so many."""
        self.wait(lambda _: sum(string.startswith(mark) for string in self.strings) >= count)
        return [string for string in self.strings if string.startswith(mark)]

    def cells(self) -> list[str]:
        """The blocks of the screen."""
        return ["".join("#" if character in "▀▄" else "." for character in line) for line in self.screen.display]


def bring(server: Server, room: str, data: bytes) -> str:
    request = urllib.request.Request(f"{server.http}/blobs/{room}", data=data, method="PUT")
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        found: dict[str, str] = json.load(answer)
    return found["hash"]


#: Forty columns by nine rows; the last row is the status line's.
VIEWPORT = {"width": COLUMNS * 8, "height": (ROWS - 1) * 16}


def room(server: Server, *views: dict[str, object], file: bytes | None = None, name: str = "room") -> str:
    """A room with a picture of ten cells by four from the third column and the second row on, and further views."""
    url = server.make_room(name, {"scene": 1, "viewport": VIEWPORT})
    hash_ = bring(server, name, file or png(20, 4))
    photo = {"id": "photo", "kind": "image", "image": {"hash": hash_}, "frame": [16, 16, 80, 64]}
    done = server.apply({"scene": 1, "viewport": VIEWPORT, "views": [photo, *views]}, name)
    assert done[-1]["result"] == "committed", done
    return url


@contextmanager
def viewer(url: str, kind: str, *options: str, environment: dict[str, str] | None = None) -> Iterator[PictureTerminal]:
    terminal = PictureTerminal([PROGRAM, "view", *options, url], kind, environment)
    try:
        yield terminal
    finally:
        if terminal.process.poll() is None:
            terminal.end()


def kitty_files(terminal: PictureTerminal) -> list[bytes]:
    """The files that were sent, joined from their pieces."""
    files: list[bytes] = []
    for string in terminal.strings:
        if found := re.fullmatch(rb"\x1b_Ga=t,f=100,i=\d+,q=1(?:,m=1)?;(.*)\x1b\\", string, re.DOTALL):
            files.append(found[1])
        elif found := re.fullmatch(rb"\x1b_Gq=1,m=[01];(.*)\x1b\\", string, re.DOTALL):
            files[-1] += found[1]
    return [base64.b64decode(file) for file in files]


def test_kitty_has_the_file_itself_and_places_moves_hides_and_removes_it(server: Server) -> None:
    file = png(20, 4)
    with viewer(room(server, file=file), "kitty") as terminal:
        placed = terminal.until(b"\x1b_Ga=p")
        assert kitty_files(terminal) == [file]
        assert b",x=0,y=0,w=20,h=4,c=10,r=4,C=1,z=-1,q=1" in placed[0]
        assert not any("#" in line for line in terminal.cells()), "blocks would lie behind the pixels"
        server.apply({"op": "setView", "id": "photo", "frame": [40, 16, 80, 64]}, "room")
        terminal.until(b"\x1b_Ga=p", 2)
        assert len(kitty_files(terminal)) == 1, "a picture that moves is not sent again"
        assert len(terminal.until(b"\x1b_Ga=d,d=i")) == 1
        server.apply({"op": "setView", "id": "photo", "hidden": True}, "room")
        terminal.until(b"\x1b_Ga=d,d=i", 2)
        assert terminal.end() == 0
        assert terminal.strings[-1] == b"\x1b_Ga=d,d=A,q=2\x1b\\"
        assert terminal.written.rindex(b"\x1b_Ga=d,d=A") < terminal.written.rindex(b"\x1b[?1049l")


def test_kitty_gets_pixels_of_what_is_no_png_or_does_not_fill_its_cells(server: Server) -> None:
    # By the content mode the picture is 80 by 16 points in the middle of 64: a row, from 1.5 on.
    url = room(server)
    server.apply({"op": "setView", "id": "photo", "contentMode": "scaleAspectFit"}, "room")
    with viewer(url, "kitty") as terminal:
        placed = terminal.until(b"\x1b_Ga=p")
        (file,) = kitty_files(terminal)
        pixels = decode_png(file)
        # Ten cells of 6 pixels, two rows of 12, of which 6 above and 6 below are not the picture's.
        assert (len(pixels[0]), len(pixels)) == (60, 24)
        assert [pixels[12][0], pixels[12][59]] == [RED, BLUE]
        assert b",x=0,y=0,w=60,h=24,c=10,r=2," in placed[0]


def test_kitty_cuts_a_picture_where_something_is_in_front_of_it(server: Server) -> None:
    box = {"id": "box", "background": "#00ff00", "frame": [56, 48, 80, 64]}
    with viewer(room(server, box), "kitty") as terminal:
        placed = terminal.until(b"\x1b_Ga=p", 2)
        # Of ten columns and four rows those from the fifth column and the second row on are hidden.
        assert {re.search(rb"x=.*r=\d+", string)[0] for string in placed} == {  # type: ignore[index]
            b"x=0,y=0,w=20,h=2,c=10,r=2", b"x=0,y=2,w=10,h=2,c=5,r=2",
        }  # fmt: skip
        # The help covers all of it; what is hidden is removed.
        terminal.type("?")
        terminal.until(b"\x1b_Ga=d,d=i", 2)


def test_kitty_is_drawn_anew_after_a_change_of_size_and_ctrl_l(server: Server) -> None:
    with viewer(room(server), "kitty") as terminal:
        terminal.until(b"\x1b_Ga=p")
        terminal.type("\x0c")
        terminal.until(b"\x1b_Ga=p", 2)
        assert len(kitty_files(terminal)) == 2
        assert terminal.until(b"\x1b_Ga=d,d=A")


def test_a_signal_removes_the_pictures_too(server: Server) -> None:
    with viewer(room(server), "kitty") as terminal:
        terminal.until(b"\x1b_Ga=p")
        terminal.process.send_signal(signal.SIGTERM)
        terminal.until(b"\x1b_Ga=d,d=A")
        assert terminal.process.wait(PATIENCE) == 128 + signal.SIGTERM


def test_iterm2_has_a_file_of_what_can_be_seen(server: Server) -> None:
    box = {"id": "box", "background": "#00ff00", "frame": [16, 16, 40, 64]}
    with viewer(room(server, box), "iterm2") as terminal:
        (string,) = terminal.until(b"\x1b]1337;File=")
        found = re.fullmatch(rb"\x1b\]1337;File=inline=1;size=(\d+);width=5;height=4;preserveAspectRatio=0;doNotMoveCursor=1:(.*)\x07", string)
        assert found, string[:120]
        pixels = decode_png(base64.b64decode(found[2]))
        assert (len(pixels[0]), len(pixels)) == (5 * CELL[0], 4 * CELL[1])
        assert {pixel for row in pixels for pixel in row[1:]} == {BLUE}


def test_sixels_are_the_pixels_and_are_drawn_where_the_picture_is(server: Server) -> None:
    with viewer(room(server), "sixel") as terminal:
        (string,) = terminal.until(b"\x1bP0;1;0q")
        assert b"\x1b[2;3H\x1bP0;1;0q" in terminal.written
        pixels = decode_sixel(string[2:-2])
        assert (len(pixels[0]), len(pixels)) == (10 * CELL[0], 4 * CELL[1])
        assert all(row[0] == RED and row[-1] == BLUE for row in pixels)
        # No more colours than the terminal has.
        assert len(set(re.findall(rb"#(\d+);2;", string))) <= 16
        # Hidden, its cells are written over.
        server.apply({"op": "setView", "id": "photo", "hidden": True}, "room")
        terminal.wait(lambda _: terminal.written.endswith(b" " * 10) or terminal.written.count(b" " * 10) >= 4)


@pytest.mark.parametrize("kind", ["tmux", "silent"])
def test_other_terminals_have_blocks(server: Server, kind: str) -> None:
    box = {"id": "box", "background": "#00ff00", "frame": [56, 48, 80, 64]}
    with viewer(room(server, box), kind) as terminal:
        terminal.wait(lambda _: terminal.screen.buffer[1][2].bg == "ff0000")
        row = [terminal.screen.buffer[3][column].bg for column in range(2, 12)]
        assert row == ["ff0000"] * 5 + ["00ff00"] * 5
        assert [terminal.screen.buffer[1][column].bg for column in range(2, 12)] == ["ff0000"] * 5 + ["0000ff"] * 5
        assert not any(string.startswith((b"\x1b_G", b"\x1bP0", b"\x1b]1337;File")) for string in terminal.strings)


def test_a_multiplexer_is_not_asked_what_would_be_its_title(server: Server) -> None:
    with viewer(room(server), "tmux") as terminal:
        terminal.wait(lambda lines: "live" in lines[-1])
        assert not any(string.startswith(b"\x1b_") for string in terminal.strings)


def test_tmux_itself_shows_blocks(server: Server) -> None:
    terminal = Tmux(view_command(room(server)), COLUMNS, ROWS)
    try:
        terminal.wait(lambda lines: "live" in lines[-1])
        terminal.wait(lambda _: "48;2;255;0;0m" in terminal.run("capture-pane", "-p", "-e"))
    finally:
        terminal.kill()


def test_the_option_decides_and_without_colours_there_are_no_pictures(server: Server) -> None:
    url = room(server)
    with viewer(url, "silent", "--pictures", "none") as terminal:
        terminal.wait(lambda lines: "live" in lines[-1])
        assert terminal.screen.buffer[1][2].bg == "default"
    with viewer(url, "kitty", "--pictures", "blocks") as terminal:
        terminal.wait(lambda _: terminal.screen.buffer[1][2].bg == "ff0000")
        assert not any(string.startswith(b"\x1b_G") for string in terminal.strings)
    with viewer(url, "kitty", "--pictures", "sixel") as terminal:
        terminal.until(b"\x1bP0;1;0q")
    with viewer(url, "kitty", environment={"NO_COLOR": "1"}) as terminal:
        terminal.wait(lambda lines: "live" in lines[-1])
        assert not any(string.startswith(b"\x1b_G") for string in terminal.strings)


def test_a_picture_that_cannot_be_had_says_so_and_comes_once_it_can(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as server:
        url = room(server)
        (file,) = (path for path in (tmp_path / "blobs").iterdir() if path.is_file())
        bytes_ = file.read_bytes()
        file.unlink()
        with viewer(url, "silent") as terminal:
            terminal.wait(lambda lines: any("no pic" in line for line in lines))
            file.write_bytes(bytes_)
            terminal.wait(lambda _: terminal.screen.buffer[1][2].bg == "ff0000")


def test_once_prints_blocks_and_text_as_before(server: Server) -> None:
    url = room(server)

    def once(*options: str) -> str:
        done = subprocess.run(
            [PROGRAM, "view", "--once", *options, url], capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        return done.stdout

    ansi = once("--format", "ansi", "--color", "truecolor").split("\n")
    assert ansi[1] == "  \x1b[48;2;255;0;0m     \x1b[48;2;0;0;255m     \x1b[m"
    assert "\x1b[48;5;196m" in once("--format", "ansi", "--color", "256")
    assert "\x1b[41m" in once("--format", "ansi", "--color", "16") or "\x1b[101m" in once("--format", "ansi", "--color", "16")
    assert once("--format", "text").strip() == ""
    assert once("--format", "ansi", "--color", "never").strip() == ""
    assert once("--format", "ansi", "--color", "truecolor", "--pictures", "none").strip() == ""


def test_a_recording_has_blocks(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "session.cast"
    subprocess.run(
        [PROGRAM, "view", "--record", str(file), "--size", f"{COLUMNS}x{ROWS}", "--seconds", "2", room(server)],
        timeout=PATIENCE, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    text = "".join(json.loads(line)[2] for line in file.read_text().splitlines()[1:])
    assert "48;2;255;0;0" in text and "48;2;0;0;255" in text
    assert "\x1b_G" not in text and "\x1bP" not in text
