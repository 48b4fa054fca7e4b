"""The commands that read Interface Builder files: layout, convert, lint and diff, as people run them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCENESYNC", str(ROOT / ".build/debug/scenesync"))

FILE = """<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" useAutolayout="YES" useSafeAreas="YES">
    <device id="retina4_7" orientation="portrait"/>
    <objects>
        <view contentMode="scaleToFill" id="root">
            <rect key="frame" x="0.0" y="0.0" width="200" height="100"/>
            <subviews>
                <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="box" userLabel="Box">
                    <rect key="frame" x="10" y="20" width="WIDTH" height="40"/>
                    <constraints>
                        <constraint firstAttribute="width" constant="50" id="bw"/>
                        <constraint firstAttribute="height" constant="40" id="bh"/>
                    </constraints>
                </view>
            </subviews>
            <constraints>
                <constraint firstItem="box" firstAttribute="leading" secondItem="root" secondAttribute="leading" constant="10" id="bx"/>
                <constraint firstItem="box" firstAttribute="top" secondItem="root" secondAttribute="top" constant="20" id="by"/>
            </constraints>
        </view>
    </objects>
</document>
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.xib").write_text(FILE.replace("WIDTH", "50"))
    (tmp_path / "off.xib").write_text(FILE.replace("WIDTH", "80"))
    return tmp_path


def test_layout_gives_the_frames_of_the_canvas(folder: Path) -> None:
    done = run(folder, "layout", "off.xib")
    assert json.loads(done.stdout)["frames"]["box"] == [10, 20, 50, 40]


def test_lint_ends_with_1_for_findings_and_0_for_none(folder: Path) -> None:
    done = run(folder, "lint", "good.xib")
    assert (done.returncode, done.stdout) == (0, "")
    done = run(folder, "lint", ".")
    assert done.returncode == 1
    assert done.stdout.startswith("off.xib:8: warning: ")
    assert done.stdout.endswith("[misplaced]\n")


def test_lint_ends_with_2_for_what_cannot_be_read(folder: Path) -> None:
    (folder / "cut.xib").write_text(FILE[:300])
    assert run(folder, "lint", ".").returncode == 2
    assert run(folder, "lint", "nowhere").returncode == 2
    (folder / ".scenesync-lint.json").write_text('{"rulez": {}}')
    done = run(folder, "lint", "good.xib")
    assert done.returncode == 2
    assert "unknown key" in done.stderr


def test_fix_changes_the_frame_alone(folder: Path) -> None:
    (folder / "off.xib").chmod(0o640)
    assert run(folder, "lint", "--fix", ".").returncode == 0
    assert (folder / "off.xib").read_text() == FILE.replace("WIDTH", "50")
    assert (folder / "good.xib").read_text() == FILE.replace("WIDTH", "50")
    assert (folder / "off.xib").stat().st_mode & 0o777 == 0o640


def test_a_baseline_accepts_findings(folder: Path) -> None:
    assert run(folder, "lint", "--write-baseline", "b.json", ".").returncode == 0
    assert run(folder, "lint", "--baseline", "b.json", ".").returncode == 0
    (folder / "new.xib").write_text(FILE.replace("WIDTH", "90"))
    done = run(folder, "lint", "--baseline", "b.json", "--format", "json", ".")
    assert done.returncode == 1
    assert [finding["path"] for finding in json.loads(done.stdout)["findings"]] == ["new.xib"]


def test_diff_says_what_moves(folder: Path) -> None:
    (folder / "after.xib").write_text(FILE.replace("WIDTH", "50").replace('constant="20" id="by"', 'constant="32" id="by"'))
    done = run(folder, "diff", "--exit-code", "good.xib", "after.xib")
    assert done.returncode == 1
    assert "Box moved 12 down" in done.stdout
    assert run(folder, "diff", "--exit-code", "good.xib", "off.xib").returncode == 0


def test_convert_goes_both_ways(folder: Path) -> None:
    (folder / "a.json").write_text(run(folder, "convert", "--canvas", "good.xib").stdout)
    (folder / "a.xib").write_text(run(folder, "convert", "a.json", "--to", "xib").stdout)
    frames = json.loads(run(folder, "layout", "a.xib").stdout)["frames"]
    assert frames["box"] == [10, 20, 50, 40]
    assert run(folder, "convert", "good.xib", "--list").stdout == "root\tview\tview root\n"


def test_other_systems_files_are_refused_in_a_sentence(folder: Path) -> None:
    (folder / "mac.xib").write_text('<document type="com.apple.InterfaceBuilder3.Cocoa.XIB"/>')
    done = run(folder, "layout", "mac.xib")
    assert done.returncode == 65
    assert "AppKit" in done.stderr


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture
def branches(tmp_path: Path) -> Path:
    """A repository with the merge driver that docs/lint.md describes, whose file two branches are to change."""
    (tmp_path / "box.xib").write_text(FILE.replace("WIDTH", "50"))
    (tmp_path / ".gitattributes").write_text("*.xib merge=scenesync\n")
    for command in (["init", "-b", "main"], ["config", "merge.scenesync.driver", f"'{PROGRAM}' merge %O %A %B --output %A"], ["add", "."]):
        assert git(tmp_path, *command).returncode == 0
    assert git(tmp_path, "commit", "-m", "Box").returncode == 0
    return tmp_path


def change(folder: Path, branch: str, old: str, new: str) -> None:
    """Changes the file on a branch."""
    git(folder, "switch", "-C", branch, "main" if branch != "main" else "HEAD")
    file = folder / "box.xib"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    assert git(folder, "commit", "-am", branch).returncode == 0


def test_git_merges_changes_of_one_line(branches: Path) -> None:
    line = '<constraint firstAttribute="width" constant="50" id="bw"/>'
    change(branches, "other", line, line.replace('id="bw"', 'priority="750" id="bw"'))
    git(branches, "switch", "main")
    change(branches, "main", line, line.replace("50", "60"))
    done = git(branches, "merge", "other")
    assert done.returncode == 0, done.stdout + done.stderr
    merged = line.replace("50", "60").replace('id="bw"', 'priority="750" id="bw"')
    assert (branches / "box.xib").read_text() == FILE.replace("WIDTH", "50").replace(line, merged)


def test_git_leaves_a_conflict_in_words(branches: Path) -> None:
    line = '<constraint firstAttribute="width" constant="50" id="bw"/>'
    change(branches, "other", line, line.replace("50", "70"))
    git(branches, "switch", "main")
    change(branches, "main", line, line.replace("50", "60"))
    done = git(branches, "merge", "other")
    assert done.returncode == 1
    words = 'constant of constraint bw was "50" and is "60" here and "70" there'
    assert words in done.stderr + done.stdout
    text = (branches / "box.xib").read_text()
    assert f"<!-- merge conflict: {words} -->" in text and line.replace("50", "60") in text
    # The file is still one that can be read.
    assert run(branches, "layout", "box.xib").returncode == 0
    report = run(branches, "merge", "box.xib", "box.xib", "box.xib", "--format", "json", "--output", "same.xib")
    assert (report.returncode, json.loads(report.stdout)) == (0, {"conflicts": [], "staleFrames": 0})
    assert run(branches, "merge", "box.xib", "box.xib", "nowhere.xib").returncode == 65


DOCUMENT = '{"scene":1,"viewport":{"width":200,"height":100},"views":[{"id":"a","kind":"label","text":"A"}],"constraints":[{"id":"w","rule":"a.width == 50"}]}'


def test_documents_are_merged_by_the_names_of_their_parts(tmp_path: Path) -> None:
    ours = DOCUMENT.replace('"text":"A"', '"text":"Ours"')
    theirs = DOCUMENT.replace("50", "60")
    for name, text in (("base", DOCUMENT), ("ours", ours), ("theirs", theirs), ("rival", DOCUMENT.replace("50", "70"))):
        (tmp_path / f"{name}.json").write_text(text)
    merged = run(tmp_path, "merge", "base.json", "ours.json", "theirs.json")
    assert (merged.returncode, json.loads(merged.stdout)) == (0, json.loads(ours.replace("50", "60")))
    done = run(tmp_path, "merge", "base.json", "theirs.json", "rival.json", "--output", "merged.json")
    assert done.returncode == 1
    assert 'constant of constraint "w" was 50 and is 60 here and 70 there' in done.stderr
    assert json.loads((tmp_path / "merged.json").read_text()) == json.loads(theirs)
    (tmp_path / "box.xib").write_text(FILE.replace("WIDTH", "50"))
    mixed = run(tmp_path, "merge", "base.json", "box.xib", "theirs.json")
    assert mixed.returncode == 65 and "nothing in common" in mixed.stderr
