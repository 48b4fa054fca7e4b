"""The examples as application's screens in a terminal of 80 by 24, by keyboard alone."""

from __future__ import annotations

import pytest
from examples import ARGUMENTS, running
from scenesync_server import PROGRAM, Server
from terminal import ENTER, TAB, PyteTerminal, has, reach


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
