"""How programs are started that an interrupt at the terminal is not for: their launcher ends them."""

from __future__ import annotations

import sys
from typing import Any

#: What `subprocess.Popen` is told. A process group of its own, not a session: Linux shares the processors among sessions first (see
#: sched(7), "The autogroup feature"), and on two processors the threads of a program whose session has little to do wait 20 ms and more
#: for their turn, while a processor is idle.
APART: dict[str, Any] = {"process_group": 0} if sys.version_info >= (3, 11) else {"start_new_session": True}
