"""The rooms of `scenesync demo` as application's screens in a terminal: by keyboard alone and by mouse; others see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from demo import demo
from scenesync_server import PROGRAM, Server
from terminal import ENTER, PyteTerminal, Tmux, has, reach, view_command

RIGHT, DOWN = "\x1b[C", "\x1b[B"


@pytest.fixture
def rooms() -> Iterator[Server]:
    with demo() as server:
        yield server


def open_app(server: Server, room: str) -> PyteTerminal:
    return PyteTerminal([PROGRAM, "view", "--app", f"{server.url}/{room}"], 80, 24)


def column_of(lines: list[str], text: str) -> int:
    """Which of the board's three columns of 80 cells a text stands in; -1 for none."""
    return next((line.index(text) * 3 // 80 for line in lines if text in line), -1)


def stands(text: str, column: int) -> Callable[[list[str]], bool]:
    return lambda lines: column_of(lines, text) == column


def below(*texts: str, column: int) -> Callable[[list[str]], bool]:
    """Whether texts stand in a column, each further down than the one before, from its first card's row on, and nothing moves."""

    def holds(lines: list[str]) -> bool:
        rows = [next((row for row, line in enumerate(lines) if text in line), -1) for text in texts]
        return rows[0] == 5 and rows == sorted(rows) and all(stands(text, column)(lines) for text in texts)

    return holds


def test_waving_and_turning_pages_by_keyboard(rooms: Server) -> None:
    app, other = open_app(rooms, "demo"), open_app(rooms, "demo")
    for screen in (app, other):
        screen.wait(has("2 people here", "Processor"))
    reach(app, "[ Wave ]")
    app.type(ENTER)
    for screen in (app, other):
        screen.wait(has("1 wave", "waved"))
    for page, word in (("Server", "Ticks a second"), ("People", "Here now")):
        reach(app, page)
        app.type(ENTER)
        for screen in (app, other):
            # Its title in the middle of the header, what is on it, and nothing of the first page.
            screen.wait(lambda lines, page=page, word=word: page in lines[1] and has(word)(lines) and not has("Processor")(lines))
    app.wait(has("2 people without a name"))
    reach(other, "Overview")
    other.type(ENTER)
    app.wait(has("Processor", "turned to Overview"))
    assert app.end() == other.end() == 0


def test_the_board_by_keyboard(rooms: Server) -> None:
    app, other = open_app(rooms, "board"), open_app(rooms, "board")
    for screen in (app, other):
        screen.wait(lambda lines: "6 cards" in lines[1] and stands("Write the handbook", 0)(lines))
    # A new card goes below those that wait already.
    reach(app, "a new card")
    app.type("Buy tea" + ENTER)
    for screen in (app, other):
        screen.wait(lambda lines: "7 cards" in lines[1] and stands("Buy tea", 0)(lines))
    # By its own keys to the next column.
    reach(app, "Write the handbook", side=1)
    app.type(RIGHT)
    for screen in (app, other):
        screen.wait(stands("Write the handbook", 1))
    # Chosen, and then its column.
    reach(app, "Buy tea", side=1)
    app.type(ENTER)
    reach(app, "Done")
    app.type(ENTER)
    for screen in (app, other):
        screen.wait(stands("Buy tea", 2))
    assert app.end() == other.end() == 0


def test_a_card_is_dragged_by_mouse(rooms: Server) -> None:
    board = Tmux(view_command(f"{rooms.url}/board", "--app"), 80, 24)
    other = open_app(rooms, "board")
    try:
        lines = board.wait(lambda lines: stands("Write the handbook", 0)(lines) and stands("Teach stacks", 1)(lines))
        other.wait(stands("Write the handbook", 0))

        def cell(text: str) -> tuple[int, int]:
            return next((line.index(text), row) for row, line in enumerate(lines) if text in line)

        board.mouse("press", *cell("Write the handbook"))
        board.mouse("drag", 40, 12)
        board.mouse("release", *cell("Teach stacks"))
        # Before the card that it was let go on.
        for screen in (board, other):
            screen.wait(below("Draw the", "Write the", "Teach stacks", column=1))
        # Let go over a column where no card is: to its end.
        lines = board.wait(below("Measure the", "Pick a name", column=0))
        board.mouse("press", *cell("Pick a name"))
        board.mouse("release", 70, 20)
        for screen in (board, other):
            screen.wait(stands("Pick a name", 2))
        assert other.end() == 0
    finally:
        board.kill()


def test_the_clock_can_be_read_without_colours(rooms: Server) -> None:
    app = PyteTerminal([PROGRAM, "view", "--app", f"{rooms.url}/clock"], 80, 24, environment={"NO_COLOR": "1"})
    # Its hands are letters there.
    app.wait(lambda lines: all(any(hand in line for line in lines) for hand in "HMS") and any(":" in line for line in lines))
    assert app.end() == 0
