"""Writers and viewers of some rooms, in this process or in one with clocks of its own.

    people.py JSON    `addresses`, `rooms`, `first` (a writer's number) and `token`; answers each line of standard input with one of JSON:
                      "news" says how far everybody is, "stop" ends the writing, "end" prints what there is to judge, and ends

A viewer of each room watches the text of the writer in the same process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Cluster"))

from cluster import all_are_at_work  # noqa: E402
from viewers import Viewers  # noqa: E402
from writers import Writers  # noqa: E402

#: How often each writer asks for something, in seconds.
INTERVAL = 0.03
#: How long the last answers may take.
PATIENCE = 60


class People:
    """Writers, and a viewer for each."""

    def __init__(self, addresses: list[str], rooms: list[str], first: int, token: str) -> None:
        self._writers = Writers(rooms, addresses, interval=INTERVAL, token=token, first=first)
        self._writers.__enter__()
        # Viewers make no rooms.
        if not self._writers.waits(all_are_at_work, PATIENCE):
            raise RuntimeError("the writers do not get to work")
        self._viewers = [
            Viewers(1, room, f"v{first + number}", addresses, token=token, runs_before_others=False) for number, room in enumerate(rooms)
        ]
        for viewer in self._viewers:
            viewer.__enter__()

    def news(self) -> dict[str, Any]:
        """How many ops were acknowledged to each writer, and which one each viewer sees."""
        for failure in [self._writers.failure, *(viewers.failure for viewers in self._viewers)]:
            if failure:
                raise failure
        return {
            "written": [len(writer.acknowledged) for writer in self._writers.all],
            "shown": [viewers.all[0].shown for viewers in self._viewers],
        }

    def moments(self) -> list[list[float]]:
        """When the picture of each viewer moved on, since this was asked last."""
        result = []
        for viewers in self._viewers:
            viewer = viewers.all[0]
            result.append(viewer.moments)
            viewer.moments = []
        return result

    def stop(self) -> list[str]:
        """Ends the writing; returns the rooms of those that get no answer."""
        return [writer.room for writer in self._writers.stop(PATIENCE)]

    def end(self) -> dict[str, Any]:
        """What there is to judge."""
        hashes = [viewers.all[0].session.mirror.state_hash for viewers in self._viewers]
        ends = [end for writer in self._writers.all for end in writer.ends]
        ends += [end for viewers in self._viewers for end in viewers.all[0].ends]
        return {
            "lines": self._writers.history.lines,
            "hashes": hashes,
            "ends": ends,
            "connections": sum(writer.connections for writer in self._writers.all),
            "resyncs": sum(viewers.all[0].session.resyncs for viewers in self._viewers),
        }

    def leave(self) -> None:
        self._writers.__exit__()
        for viewers in self._viewers:
            viewers.__exit__()


class Elsewhere:
    """The same in another process."""

    def __init__(self, environment: dict[str, str], **options: Any) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__)), json.dumps(options)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def _ask(self, what: str) -> Any:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the people elsewhere are gone")
        return json.loads(line)

    def news(self) -> dict[str, Any]:
        news: dict[str, Any] = self._ask("news")
        return news

    def stop(self) -> list[str]:
        late: list[str] = self._ask("stop")
        return late

    def end(self) -> dict[str, Any]:
        result: dict[str, Any] = self._ask("end")
        return result

    def leave(self) -> None:
        self._process.kill()
        self._process.wait()


def main() -> None:
    people = People(**json.loads(sys.argv[1]))
    begun = time.monotonic()
    for line in sys.stdin:
        print(json.dumps(getattr(people, line.strip())()), flush=True)
        if time.monotonic() < begun:
            raise RuntimeError("the monotonic clock goes back")


if __name__ == "__main__":
    main()
