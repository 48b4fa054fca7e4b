"""What the command line prints, whoever wrote it."""

from __future__ import annotations

import json

import pytest
from scenesync.cli import main, shown


def test_what_a_terminal_would_obey_is_escaped() -> None:
    assert shown("a\x1b]0;x\x07\x7f\x9b2J\u202e\u2066b") == r"a\u001b]0;x\u0007\u007f\u009b2J\u202e\u2066b"
    assert shown("Zoë \\ 画面 🙂") == "Zoë \\ 画面 🙂"
    text = json.dumps({"text": "\x9b\u202e\x7f"}, ensure_ascii=False)
    assert json.loads(shown(text)) == json.loads(text)


def test_a_message_of_a_server_obeys_it(capsys: pytest.CaptureFixture[str]) -> None:
    # error 4009 with the text U+009B 2J.
    assert main(["decode", "49 a9 1f 00 00 04 c2 9b 32 4a".replace(" ", "")]) == 0
    printed = capsys.readouterr().out
    assert "\\u009b2J" in printed and "\x9b" not in printed
