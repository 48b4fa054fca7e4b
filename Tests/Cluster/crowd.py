"""What threads of many people have in common."""

from __future__ import annotations

import contextlib
import os
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


def run_before_others() -> None:
    """Has this thread run whenever it can, and before all others, so that what it measures is not how long it waits for a processor. What it
    starts is as others are. Only root may; others measure with the machine's delays."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        pass
