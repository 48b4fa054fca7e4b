"""Counts the tests of one `swift test` from its event stream, and tells on standard error what went wrong.

The stream is a file that the tests write themselves. The text on standard output passes through a pipe, into which lines of tests that end
in one moment do not always fit; those are lost. The stream also names the tests before they begin: whatever did not end is known.

Prints PASSED FAILED SKIPPED UNFINISHED.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

#: Problems that are told in full; the log has the others.
TOLD = 40


def records(path: Path) -> list[dict[str, Any]]:
    """The records of a stream, without a last one that was cut when the process ended."""
    lines = path.read_bytes().split(b"\n") if path.exists() else []
    found = []
    for number, line in enumerate(lines):
        try:
            found += [json.loads(line)] if line else []
        except ValueError:
            if number + 1 < len(lines):
                raise
    return found


def is_failure(issue: dict[str, Any]) -> bool:
    """Whether an issue fails its test: one that is expected does not, nor does a warning."""
    return not issue.get("isKnown", False) and issue.get("severity", issue.get("_severity", "error")) == "error"


class Count:
    """The outcomes of the tests of one run."""

    def __init__(self, stream: list[dict[str, Any]]) -> None:
        self.planned: dict[str, str] = {}
        self.started: set[str] = set()
        self.ended: set[str] = set()
        self.skipped: set[str] = set()
        self.failed: set[str] = set()
        self.problems: list[str] = []
        #: Issues of no test, or of a whole suite.
        self.strays = 0
        for record in stream:
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    self.planned[payload["id"]] = payload.get("displayName") or payload["name"]
            else:
                self.take(payload)

    def take(self, event: dict[str, Any]) -> None:
        """Takes one event in."""
        test = event.get("testID", "")
        kind = event["kind"]
        if kind == "testStarted":
            self.started.add(test)
        elif kind == "testEnded":
            self.ended.add(test)
        elif kind == "testSkipped":
            # With a suite its tests are skipped, which have no events of their own.
            self.skipped |= {each for each in self.planned if each == test or each.startswith(test + "/")}
        elif kind == "issueRecorded" and is_failure(event["issue"]):
            where = event["issue"].get("sourceLocation") or {}
            text = " ".join(message["text"] for message in event.get("messages", []))
            self.problems.append(f"{self.planned.get(test, test)}: {where.get('_filePath', '')}:{where.get('line', '')}: {text}")
            if test in self.planned:
                self.failed.add(test)
            else:
                self.strays += 1

    @property
    def unfinished(self) -> set[str]:
        """Tests that were to run and did not come to an end."""
        return set(self.planned) - self.ended - self.skipped

    @property
    def figures(self) -> tuple[int, int, int, int]:
        """Passed, failed, skipped and unfinished tests. Each test is in one of the four."""
        unfinished = self.unfinished
        failed = self.failed - unfinished
        skipped = self.skipped - failed - unfinished
        passed = set(self.planned) - failed - skipped - unfinished
        return len(passed), len(failed) + self.strays, len(skipped), len(unfinished)


def main() -> None:
    count = Count(records(Path(sys.argv[1])))
    running = [test for test in count.unfinished if test in count.started]
    problems = count.problems + [f"{count.planned[test]}: was running when the process ended" for test in sorted(running)]
    for problem in problems[:TOLD]:
        print(problem, file=sys.stderr)
    if len(problems) > TOLD:
        print(f"and {len(problems) - TOLD} more", file=sys.stderr)
    print(*count.figures)


if __name__ == "__main__":
    main()
