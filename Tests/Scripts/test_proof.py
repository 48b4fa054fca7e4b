"""`./dev soak proof`: time is shared out, slices follow one another, and what failed is told with its command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import proof  # noqa: E402


def clock(step: float) -> Iterator[float]:
    """The time goes on by a step whenever it is asked for."""
    now = 0.0
    while True:
        yield now
        now += step


def campaign(script: str, name: str = "trial", seeds: int = 1) -> proof.Campaign:
    return proof.Campaign(name, "it holds", "cases", 5, 1, lambda seed, count: ["sh", "-c", script, "sh", str(seed), str(count)], seeds=seeds)


def test_slices_follow_one_another_until_the_time_is_over(tmp_path: Path) -> None:
    log, ticks = tmp_path / "log", clock(10)
    outcome = proof.run(campaign("echo ran $1 $2", seeds=5), 60, 100, log, clock=lambda: next(ticks))
    # The clock is read before the first slice, after each, and before each but the first.
    assert [line for line in log.read_text().splitlines() if line.startswith("ran")] == ["ran 100 5", "ran 105 5", "ran 110 5"]
    assert (outcome.cases, outcome.failure) == (15, None)
    assert outcome.row == f"| it holds | `sh -c echo ran $1 $2 sh 100 15` | 15 cases, {round(outcome.seconds)} s | 0 failed |"


def test_one_slice_runs_whatever_the_time(tmp_path: Path) -> None:
    assert proof.run(campaign("true"), 0, 1, tmp_path / "log").cases == 5


@pytest.mark.parametrize("name", sorted(proof.WITHOUT_SEEDS))
def test_cases_without_seeds_run_once(tmp_path: Path, name: str) -> None:
    assert proof.run(campaign("true", name), 60, 1, tmp_path / "log").cases == 5


def test_a_failure_ends_its_campaign_and_is_told(tmp_path: Path) -> None:
    outcome = proof.run(campaign('[ "$1" -lt 3 ] || { echo seed $1 fails; exit 1; }'), 60, 1, tmp_path / "log")
    assert outcome.cases == 10 and outcome.failure and outcome.failure[-2:] == ["3", "5"]
    assert outcome.last_lines[-1] == "seed 3 fails"
    assert "**failed**" in outcome.row


def test_wrong_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["0"], ["five"], ["1", "-1"], ["1", "2", "nothing"]):
        assert proof.main(arguments) == 64
    assert "there is no campaign nothing" in capsys.readouterr().err


def test_every_campaign_has_a_command_that_there_is() -> None:
    known = (proof.ROOT / "scripts" / "soak").read_text()
    for each in proof.CAMPAIGNS:
        words = each.command(1, each.slice)
        if "scripts/soak" in words:
            assert f"\n{words[words.index('scripts/soak') + 1]})" in known, words
