"""The examples as application's screens in a terminal of 80 by 24, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from examples import ARGUMENTS, running
from scenesync_server import PROGRAM, Server
from terminal import PyteTerminal

ENTER, TAB = "\r", "\t"


def has(*words: str) -> Callable[[list[str]], bool]:
    """Whether each stands somewhere on the screen."""
    return lambda lines: all(any(word in line for line in lines) for word in words)


def reach(app: PyteTerminal, word: str, beside: str = "") -> None:
    """Tab, until a word, or the one in the line of another, has the focus."""
    app.wait(lambda lines: any(word in line and beside in line for line in lines))
    row, line = next((row, line) for row, line in enumerate(app.screen.display) if word in line and beside in line)
    column = line.index(word)
    for _ in range(30):
        app.type(TAB)
        for _ in range(10):
            app.pump(0.05)
            if app.screen.buffer[row][column].reverse:
                return
    raise AssertionError(f"Tab does not come to {word}")


def poll(app: PyteTerminal) -> None:
    reach(app, "[ Coffee ]")
    app.type(ENTER)
    lines = app.wait(lambda lines: any("Coffee" in line and line.endswith("1") for line in lines))
    assert any("Tea" in line and line.endswith("0") for line in lines)


def noughts(app: PyteTerminal) -> None:
    app.wait(has("X begins", "[ Again ]"))
    app.type(TAB + " ")
    app.wait(has("O's turn", " X "))
    reach(app, "[ Again ]")
    app.type(ENTER)
    app.wait(has("X begins"))


def kiosk(app: PyteTerminal) -> None:
    reach(app, "[ Add ]", beside="Green tea")
    app.type(ENTER)
    app.wait(has("1 × Green tea  2.50", "[ Less ]"))
    reach(app, "[ Order ]")
    app.type(ENTER)
    app.wait(has("Order 1: thank you"))


def chat(app: PyteTerminal) -> None:
    reach(app, "Your name")
    app.type("Ada" + ENTER)
    app.wait(has("Ada is here", "Say something"))
    reach(app, "Say something")
    app.type("Hello" + ENTER)
    app.wait(has("Ada: Hello", "Ada is here"))


USES = {"poll": poll, "noughts": noughts, "kiosk": kiosk, "chat": chat}


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
@pytest.mark.parametrize("language", ["python", "node"])
def test_by_keyboard_alone(server: Server, language: str, name: str) -> None:
    with running(server, language, name) as url:
        app = PyteTerminal([PROGRAM, "view", "--app", url], 80, 24)
        USES[name](app)
        assert app.end() == 0
