"""What threads of many people have in common."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any


def waits(crowd: Any, condition: Callable[[list[Any]], bool], patience: float) -> bool:
    """Waits until something holds of all of a crowd; what ended its thread is raised here."""
    end = time.monotonic() + patience
    while not condition(crowd.all):
        if crowd.failure:
            raise crowd.failure
        if time.monotonic() > end:
            return False
        with contextlib.suppress(InterruptedError):
            time.sleep(0.01)
    return True
