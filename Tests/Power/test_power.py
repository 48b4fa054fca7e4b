"""Whether the power campaign sees what it has to see: programs that promise too early, disks that lie, journals that are wrong."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaign import SOURCE, Campaign, recorded, take_all
from disk import JOURNALLED, MODELS, SHARES, STRICT, Disk, NotModelled, read_log
from judge import Promised, check_ops
from kept import Room
from preload import build_library

#: Lines that a program promises before it is killed.
PROMISES = 45


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(SOURCE, tmp_path_factory.mktemp("library"))


def run(library: Path, folder: Path, code: list[str], lines: int) -> tuple[Disk, list[str]]:
    """Runs a program of Python under the library, and kills it when it has printed so many lines; returns its disk and the lines."""
    root = folder / "disk"
    root.mkdir()
    disk = Disk(root)
    with subprocess.Popen(
        [sys.executable, *code], env=recorded(library, root, folder / "log", sync=0), stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout
        printed = [program.stdout.readline().strip() for _ in range(lines)]
        program.kill()
        # What was promised after that was promised as well.
        printed += program.stdout.read().split("\n")[:-1]
    assert take_all(disk, read_log(folder / "log")) == []
    return disk, [line for line in printed if line]


def states(disk: Disk, folder: Path, models: list[str]) -> Iterator[tuple[str, Path]]:
    """States that a disk may be in, with all extremes."""
    for number, (model, names, share) in enumerate((model, names, share) for model in models for names in SHARES for share in SHARES):
        place = folder / f"cut{number}"
        disk.cut(place, model, names, share, random.Random(number))
        yield f"{model}, {names}, {share}", place


def lost(kind: str, library: Path, folder: Path, models: list[str]) -> list[str]:
    """After which states of the disk something is missing that the program of a kind had promised."""
    disk, promised = run(library, folder, [str(Path(__file__).with_name("diligent.py")), str(folder / "disk"), kind], PROMISES)
    found = []
    for name, place in states(disk, folder, models):
        file = place / "lines"
        lines = file.read_text(errors="replace").split("\n") if file.exists() else []
        if lines[: len(promised)] != promised:
            found.append(name)
    return found


def test_what_is_synced_is_kept(library: Path, tmp_path: Path) -> None:
    assert lost("synced", library, tmp_path, MODELS) == []


def test_a_promise_before_the_sync_is_found(library: Path, tmp_path: Path) -> None:
    assert len(lost("late", library, tmp_path, MODELS)) > len(MODELS) * len(SHARES)


def test_a_rename_without_a_sync_of_its_folder_is_found(library: Path, tmp_path: Path) -> None:
    assert lost("replaced", library, tmp_path, [STRICT])


def test_a_rename_before_the_bytes_are_synced_is_found(library: Path, tmp_path: Path) -> None:
    assert lost("unsynced", library, tmp_path, [JOURNALLED])


def test_a_call_that_is_not_modelled_ends_the_campaign(library: Path, tmp_path: Path) -> None:
    code = "import os, sys; os.symlink('a', sys.argv[1] + '/b'); print('done', flush=True); input()"
    with pytest.raises(NotModelled, match="symlink"):
        run(library, tmp_path, ["-c", code, str(tmp_path / "disk")], 1)


def test_a_write_that_the_library_does_not_see_is_found(library: Path, tmp_path: Path) -> None:
    disk, _ = run(library, tmp_path, [str(Path(__file__).with_name("diligent.py")), str(tmp_path / "disk"), "synced"], 1)
    with (tmp_path / "disk" / "lines").open("a") as file:
        file.write("more")
    assert "other bytes" in disk.differences()[0]


def test_a_creation_whose_record_was_cut_off_is_adopted(library: Path, tmp_path: Path) -> None:
    disk, _ = run(library, tmp_path, [str(Path(__file__).with_name("diligent.py")), str(tmp_path / "disk"), "synced"], 1)
    (tmp_path / "disk" / "new").mkdir()
    assert disk.differences()
    disk.adopt()
    assert disk.differences() == []
    disk.cut(tmp_path / "cut", JOURNALLED, "none", "none", random.Random(1))
    assert not (tmp_path / "cut" / "new").exists()


def test_names_follow_the_model(library: Path, tmp_path: Path) -> None:
    """A new file that is synced, in a folder that is not."""
    code = (
        "import os, sys; file = os.open(sys.argv[1] + '/new', os.O_CREAT | os.O_WRONLY); os.write(file, b'x'); os.fsync(file);"
        " print('done', flush=True); input()"
    )
    disk, _ = run(library, tmp_path, ["-c", code, str(tmp_path / "disk")], 1)
    disk.cut(tmp_path / "journalled", JOURNALLED, "none", "none", random.Random(1))
    disk.cut(tmp_path / "strict", STRICT, "none", "none", random.Random(1))
    assert (tmp_path / "journalled" / "new").read_bytes() == b"x" and not (tmp_path / "strict" / "new").exists()


def history(*events: tuple[str, str, int]) -> Promised:
    return Promised([{"type": kind, "session": session, "number": number, "room": "r", "time": 1} for kind, session, number in events], 2)


TOLD = [(kind, "1", number) for number, answer in enumerate(["acknowledged", "acknowledged", "refused"], 1) for kind in ("invoked", answer)]


@pytest.mark.parametrize(
    ("sequences", "texts", "fault"),
    [
        ([1, 2, 3], ["1:1", "1:2"], ""),
        ([7, 8], ["1:2:xx"], ""),
        ([1, 2], ["1:1"], "op 2 of writer 1 was acknowledged and is not kept"),
        ([1, 2, 3], ["1:1", "1:2", "1:2"], "kept 2 times"),
        ([1, 2, 3], ["1:2", "1:1"], "op 1 of writer 1 comes after op 2"),
        ([1, 2, 3], ["1:1", "1:2", "1:3"], "refused and is kept"),
        ([1, 2, 3], ["1:1", "1:2", "1:9"], "meant for None"),
        ([1, 3], ["1:1", "1:2"], "do not follow"),
    ],
)
def test_journals_are_judged(sequences: list[int], texts: list[str], fault: str) -> None:
    faults = check_ops(history(*TOLD), {"r": Room(sequences, texts)})
    assert fault in " ".join(faults) and bool(faults) == bool(fault)


needs_program = pytest.mark.skipif("SCENESYNC" not in os.environ, reason="SCENESYNC names no program")


@needs_program
def test_a_server_keeps_its_promises(tmp_path: Path) -> None:
    campaign = Campaign(os.environ["SCENESYNC"], 5, [JOURNALLED], tmp_path)
    campaign.run(3)
    assert campaign.faults == [] and campaign.records["W"] and campaign.records["E"]


@needs_program
def test_a_disk_that_lies_about_syncs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGET_IGNORE_SYNC", "1")
    campaign = Campaign(os.environ["SCENESYNC"], 7, [JOURNALLED], tmp_path)
    campaign.run(3)
    assert any("was acknowledged" in fault for fault in campaign.faults)
