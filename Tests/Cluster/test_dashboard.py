"""The dashboard for Grafana asks for what nodes of a cluster tell at /metrics, and for nothing else."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from cluster import PATIENCE, ROOT, Cluster, all_are_at_work  # noqa: E402
from writers import Writers  # noqa: E402

DASHBOARD = ROOT / "docker" / "grafana-dashboard.json"
#: Metrics of a cluster that an operator sees on the dashboard; the others need no look.
SHOWN = re.compile(r"scenesync_(shards|takeover_|engine_commit_|relay|attaches_|second_copy_|late_ticks_|members$|rooms$|resident_)")


def series(text: str) -> dict[str, set[str]]:
    """The names that /metrics tells, with the labels of each, `le` among them."""
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        if line.startswith("# TYPE ") and line.endswith((" counter", " gauge")):
            # One whose labels come with what they count may have no line yet.
            found.setdefault(line.split()[2], set())
        if line and not line.startswith("#"):
            name, labels = re.match(r"([a-z_]+)(?:\{(.*)\})? ", line).groups()  # type: ignore[union-attr]
            found.setdefault(name, set()).update(re.findall(r"([a-z]+)=\"", labels or ""))
    return found


def expressions() -> list[str]:
    board = json.loads(DASHBOARD.read_text())
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]


def test_each_panel_shows_something_that_nodes_tell():
    with Cluster(shards=2) as cluster, Writers(["room"], cluster.addresses, each=3) as writers:
        assert writers.waits(all_are_at_work, PATIENCE)
        told = series(cluster.owner_of("room").get("/metrics"))
    asked = set()
    for expression in expressions():
        selectors = re.findall(r"(scenesync_[a-z_]+)\{([^}]*)\}", expression)
        assert selectors, expression
        for name, matchers in selectors:
            asked.add(name)
            assert name in told, f"{name} is not told: {expression}"
            # Prometheus adds the instance.
            labels = set(re.findall(r"([a-z]+)(?:=~|=)", matchers)) - {"instance"}
            for grouped in re.findall(r"by \(([^)]*)\)", expression):
                labels |= {label.strip() for label in grouped.split(",")} - {"instance"}
            # Codes come with the first refusal.
            assert labels <= told[name] | {"code"}, f"{name} has {told[name]}, {expression} asks for {labels}"
        # Counters are shown by their rates, and gauges are not.
        for name, _ in selectors:
            is_counter = name.endswith(("_total", "_bucket", "_count"))
            assert is_counter == bool(re.search(rf"rate\({name}\{{", expression)), expression
    families = {re.sub(r"_(bucket|count|sum)$", "", name) for name in told}
    missing = {name for name in families if SHOWN.match(name)} - {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked}
    assert not missing, f"the dashboard does not show {sorted(missing)}"


def test_panels_have_numbers_and_places_of_their_own():
    board = json.loads(DASHBOARD.read_text())
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken and at["x"] + at["w"] <= 24, panel["title"]
        taken |= cells
    variables = {variable["name"] for variable in board["templating"]["list"]}
    used = set(re.findall(r"\$\{?([a-z]+)\}?", DASHBOARD.read_text())) - {"interval"}
    assert used <= variables, used
