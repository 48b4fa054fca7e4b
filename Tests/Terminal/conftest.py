from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))

from scenesync_server import Server  # noqa: E402


@pytest.fixture
def server() -> Iterator[Server]:
    with Server("--in-memory") as server:
        yield server
