"""Runs the campaigns of docs/proof.md for a chosen time, and prints one table of what they found: `./dev soak proof`.

    proof.py [MINUTES [SEED [NAME…]]]    60 minutes of all campaigns, or of those named; seeds from SEED on, by default of the day

The time is shared out among the campaigns. Each runs a slice of cases, with seeds that follow one another, and another one until its
time is over; at least one, so that a short time may become longer. The builds come first and are not counted. A campaign that fails
ends, and the others go on. Their output is in .build/proof/; the last lines of what failed are printed, with the command that repeats
it. Ends with 1 if anything failed.
"""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / ".build" / "proof"
PROGRAM = ".build/release/scenesync"
#: Lines of its output that are printed of a campaign that failed.
LAST_LINES = 20
#: Seeds that a day may use before those of the next begin, and the day whose seeds begin at 0.
SEEDS_OF_A_DAY = 1_000_000
FIRST_DAY = datetime.date(2026, 1, 1)


@dataclass(frozen=True)
class Campaign:
    """What tries a promise, in slices of so many cases."""

    name: str
    promise: str
    unit: str
    #: Cases of one slice.
    slice: int
    #: How much of the time it has, against the others.
    weight: float
    #: The command of a slice by its first seed and its number of cases.
    command: Callable[[int, int], list[str]]
    #: How many seeds a slice uses; one campaign uses one for all of its cases, another one for each.
    seeds: int = 1


def soak(*words: str) -> list[str]:
    return ["scripts/soak", *words]


CAMPAIGNS = [
    Campaign("simulate", "a room, its journal and its members come through crashes, full disks, damage and repairs", "seeds", 500, 6,
             lambda seed, count: [PROGRAM, "simulate", "--seed", str(seed), "--count", str(count)], seeds=500),
    Campaign("nodes", "nodes of a cluster agree on one owner", "seeds", 200, 2,
             lambda seed, count: [PROGRAM, "simulate", "--nodes", "3", "--seed", str(seed), "--count", str(count)], seeds=200),
    Campaign("sessions", "a cluster of real sessions and journals keeps what it acknowledged", "seeds", 20, 6,
             lambda seed, count: [PROGRAM, "simulate", "--sessions", "--seed", str(seed), "--count", str(count)], seeds=20),
    Campaign("kill", "what was acknowledged survives `kill -9` of the server", "kills", 10, 2, lambda _, count: soak("kill", str(count))),
    Campaign("power", "what was acknowledged survives a power failure", "cuts", 20, 3, lambda seed, count: soak("power", str(count), str(seed))),
    Campaign("clock", "clocks may be wrong, be set, drift, or stand still", "runs", 4, 3, lambda seed, count: soak("clock", str(count), str(seed))),
    Campaign("cluster", "a cluster on NATS keeps what it acknowledged when nodes and servers die", "harms", 4, 3,
             lambda seed, count: soak("cluster", str(count), str(seed))),
    Campaign("viewers", "viewers go on when the owner of their room dies", "deaths", 2, 1, lambda _, count: soak("viewers", str(count), "50")),
    Campaign("bombs", "no message costs more than it is charged for", "tries", 200_000, 2,
             lambda seed, count: soak("bombs", str(count), str(seed))),
    Campaign("accepted", "what a scene accepts can be opened again", "scenes", 2000, 1, lambda _, count: soak("accepted", str(count))),
    Campaign("edges", "members at other nodes have the owner's scene", "times the cases of the tests", 4, 1, lambda _, count: soak("edges", str(count))),
    Campaign("server", "a busy server keeps its memory and its connections", "seconds", 60, 1,
             lambda _, count: ["env", f"SECONDS_OF_SOAK={count}", *soak("server")]),
    Campaign("faults", "faults that are planted in the engine are found", "times all of them", 1, 1, lambda _, __: soak("faults")),
    Campaign("mutants", "faults that are planted in a client are found", "times all of them", 1, 2, lambda _, __: soak("mutants")),
]
#: Campaigns whose cases have no seed: another slice would be the same again.
WITHOUT_SEEDS = {"accepted", "edges", "faults", "mutants"}


@dataclass
class Outcome:
    """What a campaign has done."""

    campaign: Campaign
    first_seed: int
    cases: int = 0
    seconds: float = 0.0
    #: The command that failed, if one did.
    failure: list[str] | None = None
    last_lines: list[str] = field(default_factory=list)

    @property
    def row(self) -> str:
        command = " ".join(self.campaign.command(self.first_seed, self.cases))
        found = f"**failed**: `{' '.join(self.failure)}`" if self.failure else "0 failed"
        return f"| {self.campaign.promise} | `{command}` | {self.cases:,} {self.campaign.unit}, {duration(self.seconds)} | {found} |"


def duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{round(seconds)} s" if seconds < 120 else f"{minutes // 60} h {minutes % 60} min" if minutes >= 120 else f"{minutes} min"


def run(campaign: Campaign, seconds: float, seed: int, log: Path, clock: Callable[[], float] = time.monotonic) -> Outcome:
    """Runs slices of a campaign until its time is over or one fails."""
    outcome = Outcome(campaign, seed)
    start = clock()
    with log.open("w") as file:
        while outcome.cases == 0 or (clock() - start < seconds and campaign.name not in WITHOUT_SEEDS):
            command = campaign.command(seed, campaign.slice)
            file.write(f"$ {' '.join(command)}\n")
            file.flush()
            status = subprocess.run(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
            outcome.seconds = clock() - start
            if status != 0:
                outcome.failure = command
                break
            outcome.cases += campaign.slice
            seed += campaign.seeds
    if outcome.failure:
        outcome.last_lines = log.read_text(errors="replace").splitlines()[-LAST_LINES:]
    return outcome


def table(outcomes: Sequence[Outcome]) -> str:
    return "\n".join(["| promise | command | how long | found |", "|---|---|---|---|", *(outcome.row for outcome in outcomes)])


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def main(arguments: Sequence[str]) -> int:
    try:
        minutes = float(arguments[0]) if arguments else 60.0
        seed = int(arguments[1]) if len(arguments) > 1 else max(0, (datetime.date.today() - FIRST_DAY).days) * SEEDS_OF_A_DAY
        if minutes <= 0 or seed < 0:
            raise ValueError
    except ValueError:
        print("proof.py: [MINUTES [SEED [NAME…]]], with minutes above 0 and a seed from 0", file=sys.stderr)
        return 64
    known = {campaign.name: campaign for campaign in CAMPAIGNS}
    names = list(arguments[2:]) or list(known)
    if unknown := [name for name in names if name not in known]:
        print(f"proof.py: there is no campaign {', '.join(unknown)}; there is {', '.join(known)}", file=sys.stderr)
        return 64
    LOGS.mkdir(parents=True, exist_ok=True)
    chosen = [known[name] for name in names]
    weight = sum(campaign.weight for campaign in chosen)
    outcomes = []
    for campaign in chosen:
        share = 60 * minutes * campaign.weight / weight
        print(f"{campaign.name}: {duration(share)}", file=sys.stderr, flush=True)
        outcomes.append(run(campaign, share, seed, LOGS / f"{campaign.name}.log"))
        if outcomes[-1].failure:
            print("\n".join(["", *outcomes[-1].last_lines, ""]), file=sys.stderr)
    commit = output("git", "describe", "--always", "--dirty") or "no repository"
    head = f"{datetime.date.today()}, {commit}, {platform.machine()} with {os.cpu_count()} processors, seed {seed}"
    text = f"{head}\n\n{table(outcomes)}\n"
    (LOGS / "table.md").write_text(text)
    print(text, end="")
    return 1 if any(outcome.failure for outcome in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
