"""The package builds as its users get it: a wheel and a source distribution, with types and a README."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy without what builds leave behind."""
    copy = tmp_path / "python"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "build", "dist"))
    return copy


def build(source: Path, what: str) -> Path:
    program = f"import setuptools.build_meta as backend; print(backend.build_{what}('dist'))"
    (source / "dist").mkdir()
    done = subprocess.run([sys.executable, "-c", program], cwd=source, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return source / "dist" / done.stdout.splitlines()[-1]


def test_wheel(source: Path) -> None:
    with zipfile.ZipFile(build(source, "wheel")) as wheel:
        names = set(wheel.namelist())
        metadata = next(name for name in names if name.endswith("METADATA"))
        text = wheel.read(metadata).decode()
    assert {"scenesync/py.typed", "scenesync/__init__.py", "scenesync/ops.py"} <= names
    assert not [name for name in names if "test" in name]
    assert "\nVersion: 1.1.0\n" in text and "\nDescription-Content-Type: text/markdown\n" in text
    assert "AsyncClient" in text


def test_source_distribution(source: Path) -> None:
    with tarfile.open(build(source, "sdist")) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {"pyproject.toml", "README.md", "src/scenesync/py.typed", "src/scenesync/session.py"} <= names
