"""Holds measured figures against `targets.json`: prints the table of a group and writes its rows to `.out/GROUP.json`.

    report.py GROUP MEASURED     reports a list of {"name", "ours", "peer", "peerName", "ratio", "runs"}, as programs print it
    report.py merge              joins the rows of all groups in `.out/results.json`

Groups that are measured in Python use `Report` themselves.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OUT = HERE / ".out"


class Report:
    """The rows of one group of benchmarks."""

    def __init__(self, group: str, runs: int):
        """`runs` is the number of runs behind a figure, where a row gives no other."""
        targets = json.loads((HERE / "targets.json").read_text())[group]
        self.group, self.runs, self.prefix = group, runs, targets["prefix"]
        self.targets = {target["name"]: target for target in targets["rows"]}
        self.rows: list[dict[str, Any]] = []
        self.reported: set[str] = set()

    def add(self, name: str, ours: float, peer: float | None = None, peer_name: str | None = None,
            ratio: float | None = None, runs: int | None = None) -> None:  # fmt: skip
        """Adds a row and prints it. `ratio` is what the target is held against; without one, that is `ours`."""
        target = self.targets.get(name)
        if target is None:
            raise SystemExit(f"{self.group}: Benchmarks/targets.json has no row “{name}”; add one, with null for no target")
        # A target that names a peer says nothing about other peers.
        is_held = "peer" not in target or target["peer"] == peer_name
        must, aim = (target["must"], target["aim"]) if is_held else (None, None)
        figure = ours if ratio is None or target.get("heldAgainst") == "ours" else ratio
        self.reported.add(name)
        self.rows.append({
            "name": self.prefix + name, "unit": target["unit"], "ours": significant(ours), "peer": significant(peer),
            "peerName": peer_name, "ratio": significant(ours if ratio is None else ratio), "must": must, "aim": aim,
            "betterIs": target["betterIs"], "runs": self.runs if runs is None else runs,
        })  # fmt: skip

        def reaches(goal: float | None) -> bool:
            slack = target.get("tolerance", 0)
            if goal is None:
                return False
            return figure >= goal * (1 - slack) if target["betterIs"] == "higher" else figure <= goal * (1 + slack)

        against = "" if peer is None else f"x{significant(self.rows[-1]['ratio'], 4):<9g} {peer_name} {peer:.6g}"
        verdict = "" if must is None else (
            f"must {must:g}" + ("" if aim is None else f", aim {aim:g}")
            + f": {'aim' if reaches(aim) else 'ok' if reaches(must) else 'MISSED'}")
        print(f"{name:76} {ours:12.6g} {target['unit']:18} {against:36} {verdict}".rstrip(), flush=True)

    def finish(self) -> None:
        """Names the rows that were not measured and writes the others."""
        for name in self.targets:
            if name not in self.reported:
                print(f"NOT measured here: {name}")
        OUT.mkdir(exist_ok=True)
        text = "[" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in self.rows) + "]\n"
        (OUT / f"{self.group}.json").write_text(text)


def significant(value: float | None, digits: int = 9) -> float | None:
    """The value without digits that no clock gave."""
    return None if value is None else float(f"{value:.{digits}g}")


def merge() -> None:
    groups = json.loads((HERE / "targets.json").read_text())
    rows = [row for group in groups if (OUT / f"{group}.json").exists() for row in json.loads((OUT / f"{group}.json").read_text())]
    (OUT / "results.json").write_text("[" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]\n")


def main() -> None:
    if sys.argv[1:] == ["merge"]:
        return merge()
    if len(sys.argv) != 3:
        raise SystemExit("usage: report.py GROUP MEASURED | report.py merge")
    report = Report(sys.argv[1], 1)
    for row in json.loads(Path(sys.argv[2]).read_text()):
        report.add(row["name"], row["ours"], row.get("peer"), row.get("peerName"), row.get("ratio"), row["runs"])
    report.finish()


if __name__ == "__main__":
    main()
