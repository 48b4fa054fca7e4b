"""The client in the cases of the live suite that command it over the control connection, also while it is away."""

from __future__ import annotations

import pytest
from driver import make_session, run_suite

#: `conformance --list` has their titles.
CASES = [
    "3.4-3", "3.5-12", "3.5-13", "3.5-14", "3.5-15", "3.5-16", "3.5-17", "6.11-1", "6.11-2", "6.18-4", "6.21-1", "6.24-1", "6.25-1",
    "6.28-1",
]  # fmt: skip


@pytest.mark.parametrize("format", ["bin", "json"])
def test_driven_cases(format: str) -> None:
    status, report = run_suite(format, make_session, *(word for case in CASES for word in ("--only", case)))
    assert status == 0, report
    assert f"{len(CASES)} OK, 0 NON-STRICT, 0 FAILED, 0 INFORMATIONAL" in report, report
