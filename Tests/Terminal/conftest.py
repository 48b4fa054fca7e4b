from __future__ import annotations

from collections.abc import Iterator

import pytest

from terminal import Server


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server("--in-memory")
    yield server
    server.stop()
