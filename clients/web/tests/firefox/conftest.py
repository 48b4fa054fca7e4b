"""Firefox, and a server for it. FIREFOX names the browser, Debian's by default."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from firefox import Firefox

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "Tests" / "Support"))

from scenesync_server import EXAMPLES, Server  # noqa: E402

PROGRAM = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


@pytest.fixture(scope="session")
def browser() -> Iterator[Firefox]:
    assert PROGRAM, "no Firefox here: install firefox-esr, or name it with FIREFOX"
    running = Firefox(PROGRAM)
    yield running
    running.close()


@pytest.fixture
def make_server() -> Iterator[Callable[..., Server]]:
    running: list[Server] = []

    def make(*arguments: str, **options: Any) -> Server:
        running.append(Server("--in-memory", "--scene", str(EXAMPLES / "dashboard.json"), *arguments, **options))
        return running[-1]

    yield make
    for each in running:
        each.stop()
