"""What is written of each op, and that a change by hand is found."""

from __future__ import annotations

import ast
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

import op_tables  # noqa: E402
from op_tables import DOCUMENT, NAMES, PYTHON, SCHEMA, TABLE, TYPESCRIPT, WEB  # noqa: E402

WRITTEN = (NAMES, SCHEMA, PYTHON, WEB, TYPESCRIPT)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the table and the files that are written."""
    for name in (TABLE, DOCUMENT, *WRITTEN):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, tmp_path / name)
    monkeypatch.setattr(op_tables, "ROOT", tmp_path)
    return tmp_path


@pytest.fixture
def run(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the script; gives its status and what it says."""

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["op_tables.py", *arguments])
        status = op_tables.main()
        return status, capsys.readouterr().err

    return run


def replace(root: Path, name: str, old: str, new: str) -> None:
    text = (root / name).read_text()
    assert old in text
    (root / name).write_text(text.replace(old, new, 1))


def change_table(root: Path, name: str, **members: Any) -> None:
    """Changes an op of the table, or adds one."""
    table = json.loads((root / TABLE).read_text())
    if entry := next((each for each in table["ops"] if each["name"] == name), None):
        entry.update(members)
    else:
        table["ops"].append({"name": name, **members})
    (root / TABLE).write_text(json.dumps(table))


def test_the_files_of_the_tree_are_what_the_table_gives(run: Any) -> None:
    assert run() == (0, "")


@pytest.mark.parametrize("name, old, new", [
    (NAMES, '    "removeView",\n', ""),
    (SCHEMA, '"maximum": 3600', '"maximum": 7200'),
    (PYTHON, "def remove_view(id: str)", "def remove_view(id: int)"),
    (WEB, '"removeView", ', ""),
    (TYPESCRIPT, "removeView(id: string)", "removeView(id: number)"),
])  # fmt: skip
def test_a_change_by_hand_is_found_and_written_over(root: Path, run: Any, name: str, old: str, new: str) -> None:
    replace(root, name, old, new)
    assert run() == (1, f"{name} is not what protocol/ops.json gives: run scripts/op_tables.py --write\n")
    assert run("--write") == (0, "")
    assert (root / name).read_text() == (REPOSITORY / name).read_text()


@pytest.mark.parametrize("name, old, new", [
    (PYTHON, "class ViewProperties", "class Properties"),
    (WEB, "const op = (name)", "const op = (other)"),
    (TYPESCRIPT, "export interface View ", "export interface AnyView "),
])  # fmt: skip
def test_what_is_outside_of_the_comments_stays(root: Path, run: Any, name: str, old: str, new: str) -> None:
    replace(root, name, old, new)
    changed = (root / name).read_text()
    assert run("--write") == (0, "")
    assert (root / name).read_text() == changed


def test_a_new_op_is_in_all_files(root: Path, run: Any) -> None:
    keys = [
        {"name": "id", "type": "name", "required": True},
        {"name": "fastAs", "type": "seconds"},
        {"name": "area", "type": "rectangle", "required": True},
        {"name": "center", "type": "pair"},
    ]
    change_table(root, "turnView", summary="Turns a view, `fastAs` it can, before `setView`.", keys=keys)
    status, complaints = run()
    assert status == 1
    assert [line.split()[0] for line in complaints.splitlines()] == list(WRITTEN)
    assert run("--write") == (0, "")
    assert run() == (0, "")
    assert json.loads((root / NAMES).read_text())["ops"][-1] == "turnView"
    assert json.loads((root / SCHEMA).read_text())["$defs"]["turnView"] == {
        "type": "object",
        "properties": {
            "op": {"const": "turnView"},
            "id": {"$ref": "document.json#/$defs/name"},
            "fastAs": {"type": "number", "minimum": 0, "maximum": 3600},
            "area": {"$ref": "document.json#/$defs/rectangle"},
            "center": {"$ref": "document.json#/$defs/point"},
        },
        "required": ["op", "id", "area"],
        "unevaluatedProperties": False,
    }
    assert '''
def turn_view(id: str, area: Rectangle, fast_as: float | None = None, center: Pair | None = None) -> Op:
    """Turns a view, `fast_as` it can, before `set_view`."""
    return _op("turnView", {"id": id, "fast_as": fast_as, "area": area, "center": center})
''' in (root / PYTHON).read_text()
    assert '"turnView"\n  ].map(' in (root / WEB).read_text()
    expected = "  turnView(id: string, fields: { fastAs?: number; area: Rectangle; center?: Pair }): Op;\n"
    assert expected in (root / TYPESCRIPT).read_text()


def test_an_op_without_a_subject_has_its_required_keys_as_parameters(root: Path, run: Any) -> None:
    keys = [{"name": "auto", "type": "flag"}, {"name": "duration", "type": "seconds", "required": True}]
    change_table(root, "wait", summary="Waits.", keys=keys)
    assert run("--write") == (0, "")
    assert "def wait(duration: float, auto: bool | None = None) -> Op:" in (root / PYTHON).read_text()
    assert '  wait: (duration, fields = {}) => ({ op: "wait", duration, ...fields }),\n' in (root / WEB).read_text()
    assert "  wait(duration: number, fields?: { auto?: boolean }): Op;\n" in (root / TYPESCRIPT).read_text()


def test_long_lines_are_divided(root: Path, run: Any) -> None:
    keys = [{"name": f"number{letter * 12}", "type": "number"} for letter in "ABCDEF"]
    change_table(root, "count", summary="Counts.", keys=keys)
    assert run("--write") == (0, "")
    ast.parse((root / PYTHON).read_text())
    for name in (SCHEMA, WEB):
        old = (REPOSITORY / name).read_text().splitlines()
        assert all(len(line) <= op_tables.COLUMNS or line in old for line in (root / name).read_text().splitlines())


def test_the_keys_of_views_and_viewports_are_those_of_the_other_files(root: Path, run: Any) -> None:
    replace(root, NAMES, '    "segments"\n', '    "segments",\n    "glow"\n')
    replace(root, DOCUMENT, '"keyboard": ', '"notch": {"type": "number"}, "keyboard": ')
    assert run()[1].split()[0] == SCHEMA
    assert run("--write") == (0, "")
    definitions = json.loads((root / SCHEMA).read_text())["$defs"]
    keys = definitions["resetView"]["properties"]["keys"]["items"]["enum"]
    assert (keys[0], keys[-1]) == ("text", "glow")
    assert definitions["setViewport"]["properties"]["notch"] == {"$ref": "document.json#/$defs/viewport/properties/notch"}


def test_the_maker_that_is_written_by_hand_is_held_against_the_table(root: Path, run: Any) -> None:
    change_table(root, "addConstraint", keys=[{"name": "set", "type": "name"}, {"name": "isSoft", "type": "flag"}])
    assert run() == (1, f"{PYTHON}: the parameters of add_constraint are not the keys of {TABLE}: compare is_soft\n")
    change_table(root, "addConstraint", keys=[{"name": "set", "type": "name"}], summary="Adds.")
    assert run() == (1, f"{PYTHON}: the docstring of add_constraint is not the summary of {TABLE}: write “Adds.”\n")
    replace(root, PYTHON, "def add_constraint(", "def add_rule(")
    assert run() == (1, f"{PYTHON} has no add_constraint: write it below what scripts/op_tables.py writes\n")


@pytest.mark.parametrize("members, complaint", [
    ({"summary": ""}, "needs a name and a summary"),
    ({"summary": "Waits.", "key": []}, "has key, which no op has"),
    ({"summary": "Waits.", "with": "views"}, "is with views: write one of document, view,"),
    ({"summary": "Waits.", "keys": [{"name": "for", "type": "hours"}]}, "the type of for is hours: write one of name, newName,"),
    ({"summary": "Waits.", "keys": [{"type": "seconds"}]}, "a key needs a name"),
    ({"summary": "Waits.", "keys": [{"name": "for", "type": "seconds", "default": 1}]}, "a key has default, which no key has"),
])  # fmt: skip
def test_a_mistake_in_the_table_is_named(root: Path, run: Any, members: dict[str, Any], complaint: str) -> None:
    change_table(root, "wait", **members)
    status, said = run("--write")
    assert status == 1
    assert said.startswith("protocol/ops.json: wait") and complaint in said


def test_an_op_that_is_there_twice_and_comments_that_are_missing_are_named(root: Path, run: Any) -> None:
    replace(root, WEB, op_tables.END, "end")
    assert run()[1].startswith(f"{WEB} needs a comment “{op_tables.BEGIN}” and")
    replace(root, TABLE, '"name": "removeView"', '"name": "setView"')
    assert run() == (1, "protocol/ops.json has setView twice\n")
