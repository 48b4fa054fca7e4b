"""`scenesync open FILE --edit`: what a team changes of a scene is in its file, and what other programs save is in the scene."""

from __future__ import annotations

import http.client
import json
import signal
import stat
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_commands import FILE, PROGRAM, run

#: Seconds that anything may take.
PATIENCE = 60


def eventually(what: str, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Session:
    """A server that writes a file."""

    def __init__(self, folder: Path, name: str = "good.xib") -> None:
        self.folder, self.file = folder, folder / name
        self.notes = folder / "notes.txt"
        with self.notes.open("w") as notes:
            self.process = subprocess.Popen(
                [PROGRAM, "open", name, "--edit", "--no-viewer"], cwd=folder, stdout=subprocess.PIPE, stderr=notes, text=True
            )
        assert self.process.stdout
        self.url = self.process.stdout.readline().split(" ")[2].strip()
        self.says("is laid out")

    def says(self, text: str, times: int = 1) -> None:
        eventually(f"{text} in {self.notes.read_text()}", lambda: self.notes.read_text().count(text) >= times)

    def apply(self, *ops: dict[str, object]) -> dict[str, object]:
        (self.folder / "ops.json").write_text(json.dumps(list(ops)))
        done = run(self.folder, "apply", self.url, "ops.json")
        result: dict[str, object] = json.loads(done.stdout)
        return result

    def frame(self, view: str) -> list[float]:
        done = run(self.folder, "view", self.url, "--once", "--format", "json")
        frames: dict[str, list[float]] = json.loads(done.stdout)["frames"]
        return frames[view]

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE) == 0


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "good.xib").write_text(FILE.replace("WIDTH", "50"))
    made = Session(tmp_path)
    yield made
    if made.process.poll() is None:
        made.process.kill()
        made.process.wait()


def constant(name: str, value: float) -> dict[str, object]:
    return {"op": "setConstraint", "id": name, "constant": value}


def test_a_change_is_in_the_file_and_nothing_else_differs(session: Session) -> None:
    before = session.file.read_text()
    assert session.apply(constant("bh", 44))["result"] == "committed"
    expected = before.replace('constant="40" id="bh"', 'constant="44" id="bh"')
    eventually("the file is written", lambda: session.file.read_text() == expected)
    # Taken back, the file is what it was.
    session.apply(constant("bh", 40))
    eventually("the file is written", lambda: session.file.read_text() == before)


def test_what_the_file_cannot_say_is_refused_and_the_rest_is_kept(session: Session) -> None:
    result = session.apply({"op": "addView", "id": "new"}, constant("bw", 60))
    refusals = result["refusals"]
    assert isinstance(refusals, list)
    assert refusals[0]["code"] == "not-editable"
    assert "in Xcode" in refusals[0]["message"]
    eventually("the file is written", lambda: 'constant="60" id="bw"' in session.file.read_text())


def test_what_another_program_saves_comes_into_the_scene(session: Session) -> None:
    session.apply(constant("bw", 60))
    eventually("the file is written", lambda: 'constant="60" id="bw"' in session.file.read_text())
    session.file.write_text(session.file.read_text().replace('constant="40" id="bh"', 'constant="44" id="bh"'))
    session.says("is laid out", times=2)
    assert session.frame("box") == [10, 20, 60, 44]
    # From here on changes are made to that version.
    session.apply(constant("bx", 12))
    eventually("the file is written", lambda: 'constant="12" id="bx"' in session.file.read_text())
    assert 'constant="44" id="bh"' in session.file.read_text()


def test_a_constant_changed_on_both_sides_is_not_lost_in_silence(session: Session) -> None:
    # The program is stopped, so that both changes wait for it.
    session.process.send_signal(signal.SIGSTOP)
    session.file.write_text(session.file.read_text().replace('constant="50" id="bw"', 'constant="70" id="bw"'))
    (session.folder / "ops.json").write_text(json.dumps([constant("bw", 60)]))
    other = subprocess.Popen([PROGRAM, "apply", session.url, "ops.json"], cwd=session.folder, stdout=subprocess.PIPE, text=True)
    session.process.send_signal(signal.SIGCONT)
    told = json.loads(other.communicate(timeout=PATIENCE)[0])
    # It comes before the file, which is a conflict; while the file is read, and is refused; or after it.
    if told["result"] == "committed":
        eventually("the file is written", lambda: 'constant="60" id="bw"' in session.file.read_text())
    else:
        assert "read again" in told["message"]
        session.says("is laid out", times=2)
        assert session.frame("box") == [10, 20, 70, 40]


def test_a_file_with_errors_holds_changes_up_until_it_is_mended(session: Session) -> None:
    good = session.file.read_text()
    session.file.write_text(good[:300])
    session.says("ends within an element")
    result = session.apply(constant("bw", 60))
    assert (result["result"], result["code"]) == ("refused", "conflict")
    assert session.file.read_text() == good[:300]
    session.file.write_text(good)
    session.says("is laid out", times=2)
    assert session.apply(constant("bw", 60))["result"] == "committed"
    eventually("the file is written", lambda: 'constant="60" id="bw"' in session.file.read_text())


def test_the_file_keeps_its_mode_and_stays_behind_its_link(tmp_path: Path) -> None:
    file = tmp_path / "good.xib"
    file.write_text(FILE.replace("WIDTH", "50"))
    file.chmod(0o640)
    (tmp_path / "link.xib").symlink_to("good.xib")
    session = Session(tmp_path, "link.xib")
    session.apply(constant("bw", 61))
    session.end()
    assert 'constant="61" id="bw"' in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert (tmp_path / "link.xib").is_symlink()
    # Nothing else is left in the folder.
    assert sorted(each.name for each in tmp_path.iterdir()) == ["good.xib", "link.xib", "notes.txt", "ops.json"]


def test_a_file_that_breaks_while_a_change_waits_is_not_written_over(session: Session) -> None:
    good = session.file.read_text()
    session.apply(constant("bw", 60))
    session.file.write_text(good[:300])
    # Perhaps the change was in the file already.
    waits = "is written" not in session.notes.read_text()
    session.says("ends within an element")
    for _ in range(5):
        assert session.frame("box") == [10, 20, 60, 40]
    assert session.file.read_text() == good[:300]
    # It is tried again when the file changes, and not before.
    assert session.notes.read_text().count("ends within an element") <= 2
    session.file.write_text(good)
    session.says("is laid out", times=2)
    if waits:
        eventually("the change is written", lambda: 'constant="60" id="bw"' in session.file.read_text())


def test_a_save_while_an_earlier_one_is_merged_is_not_written_over(tmp_path: Path) -> None:
    # A scene of which reading, merging and laying out take a while.
    views = "".join(
        f"""<view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="v{index}">
        <rect key="frame" x="0.0" y="0.0" width="9" height="9"/>
        <constraints><constraint firstAttribute="width" constant="9" id="w{index}"/>
        <constraint firstAttribute="height" constant="9" id="h{index}"/></constraints></view>"""
        for index in range(150)
    )
    text = FILE.replace("WIDTH", "50").replace("<subviews>", "<subviews>" + views)
    (tmp_path / "good.xib").write_text(text)
    session = Session(tmp_path)
    for trial in range(12):
        session.apply(constant("bw", 60 + trial))
        # Another program, which does not know of that, saves twice in a row.
        first = text.replace('constant="40" id="bh"', f'constant="{100 + trial}" id="bh"')
        second = first.replace('constant="20" id="by"', f'constant="{200 + trial}" id="by"')
        session.file.write_text(first)
        time.sleep(0.015 * trial)
        session.file.write_text(second)
        wanted = f'constant="{200 + trial}" id="by"'
        eventually("the room has both", lambda trial=trial: session.frame("box")[1::2] == [200 + trial, 100 + trial])
        assert wanted in session.file.read_text(), f"trial {trial}"
    session.end()
    assert 'constant="111" id="bh"' in session.file.read_text()
    assert 'constant="211" id="by"' in session.file.read_text()


def test_a_version_that_the_room_refuses_is_not_written_over(tmp_path: Path) -> None:
    other = '<view contentMode="scaleToFill" id="other"><rect key="frame" x="0.0" y="0.0" width="9" height="9"/></view>'
    text = FILE.replace("WIDTH", "50").replace("<subviews>", "<subviews>" + other)
    (tmp_path / "good.xib").write_text(text)
    session = Session(tmp_path)
    # Nobody else replaces a view that somebody has locked, and a version of the file replaces all.
    assert session.apply({"op": "lock", "view": "other"})["result"] == "committed"
    assert session.apply(constant("bw", 60))["result"] == "committed"
    version = text.replace('constant="40" id="bh"', 'constant="44" id="bh"')
    session.file.write_text(version)
    session.says("is locked by")
    for _ in range(5):
        assert session.frame("box") == [10, 20, 60, 40]
    # What waited was merged with that version, or was in the file before; nothing is built on the former one.
    assert session.file.read_text() in (version, version.replace('constant="50" id="bw"', 'constant="60" id="bw"'))
    assert session.notes.read_text().count("is locked by") <= 2
    refused = session.apply(constant("bw", 61))
    assert (refused["result"], refused["code"]) == ("refused", "conflict")
    # The other program takes its version back: changes go on from the one before.
    was_written = "is written" in session.notes.read_text()
    session.file.write_text(text.replace('constant="50" id="bw"', 'constant="60" id="bw"') if was_written else text)
    session.says("is laid out", times=2)
    assert session.apply(constant("bx", 12))["result"] == "committed"
    eventually("the file is written", lambda: 'constant="12" id="bx"' in session.file.read_text())
    assert 'constant="60" id="bw"' in session.file.read_text()
    assert 'constant="40" id="bh"' in session.file.read_text()
    session.end()


def test_a_version_that_is_too_long_for_a_message_is_said_and_ends_nothing(session: Session) -> None:
    good = session.file.read_text()
    label = f'<label text="{"x" * 60_000}" id="l"><rect key="frame" x="0.0" y="0.0" width="9" height="9"/></label>'
    session.file.write_text(good.replace("<subviews>", "<subviews>" + label * 20))
    session.says("as a document, the most are 1048576; split it")
    session.file.write_text(good)
    session.says("is laid out", times=2)
    assert session.apply(constant("bw", 60))["result"] == "committed"


def test_the_last_change_is_in_the_file_when_the_program_ends(session: Session) -> None:
    session.apply(constant("bw", 61))
    session.end()
    assert 'constant="61" id="bw"' in session.file.read_text()


def test_a_document_is_not_edited_so(tmp_path: Path) -> None:
    (tmp_path / "my.json").write_text('{"scene": 1, "viewport": {"width": 100, "height": 100}}')
    done = run(tmp_path, "open", "my.json", "--edit", "--no-viewer")
    assert done.returncode != 0
    assert "serve --scene" in done.stderr


# --- Files that are dropped on a page --------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server with keys."""
    (tmp_path / "secret").write_text("a" * 32)
    process = subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", "--in-memory", "--auth-secret-file", "secret"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdout
    yield process.stdout.readline().split(" ")[2].strip().replace("ws://", "http://").rstrip("/")
    process.terminate()
    process.wait(PATIENCE)


def post(url: str, body: bytes, token: str | None) -> tuple[int, str]:
    request = urllib.request.Request(url, body, {"authorization": f"Bearer {token}"} if token else {}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def token(folder: Path, role: str, room: str) -> str:
    return run(folder, "token", "--secret-file", "secret", "--role", role, "--room", room).stdout.strip()


def test_a_file_is_converted_for_people_who_may_change_the_room(server: str, tmp_path: Path) -> None:
    file = FILE.replace("WIDTH", "50").encode()
    editor = token(tmp_path, "editor", "board")
    status, text = post(f"{server}/convert/board?name=Main.xib", file, editor)
    answer = json.loads(text)
    assert (status, answer["scene"], [scene["id"] for scene in answer["scenes"]]) == (200, "root", ["root"])
    (tmp_path / "out.json").write_text(json.dumps(answer["document"]))
    assert json.loads(run(tmp_path, "layout", "out.json").stdout)["frames"]["box"] == [10, 20, 50, 40]
    # Nobody else, and for no other room.
    assert post(f"{server}/convert/board?name=Main.xib", file, None)[0] == 401
    assert post(f"{server}/convert/other?name=Main.xib", file, editor)[0] == 403
    assert post(f"{server}/convert/board?name=Main.xib", file, token(tmp_path, "viewer", "board"))[0] == 403


@pytest.mark.parametrize(
    ("body", "query", "reason"),
    [
        (b"", "name=Main.xib", "Main.xib"),
        (FILE[:400].encode(), "name=Main.xib", "ends within an element"),
        (FILE.replace("WIDTH", "50").encode(), "name=Main.xib&scene=nobody", 'no scene "nobody"'),
        (b"{}", "name=my.json", "is no .storyboard or .xib"),
        # The name is for messages: nothing of this machine is read.
        (b"no XML", "name=../../etc/passwd.xib", "passwd.xib: line 1"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "name=Main.xib", "document type"),
    ],
)
def test_what_is_no_such_file_is_refused_in_a_sentence(server: str, tmp_path: Path, body: bytes, query: str, reason: str) -> None:
    status, text = post(f"{server}/convert/board?{query}", body, token(tmp_path, "editor", "board"))
    assert status == 422
    assert reason in text
    assert "/etc" not in text


def test_a_file_that_is_too_large_is_not_read(server: str, tmp_path: Path) -> None:
    connection = http.client.HTTPConnection(server.removeprefix("http://"), timeout=PATIENCE)
    connection.putrequest("POST", "/convert/board?name=Main.xib")
    connection.putheader("authorization", f"Bearer {token(tmp_path, 'editor', 'board')}")
    connection.putheader("content-length", str(5 << 20))
    connection.endheaders()
    # The length suffices.
    assert connection.getresponse().status == 413
