"""Writes the workloads as JSON (`workloads`), and the table of results (`table FOLDER`)."""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path
from typing import Any

import workloads
from workloads import Scene, Tick


def build() -> tuple[dict[str, Scene], dict[str, list[Tick]], Tick]:
    """Scenes as they are before their workloads, the workloads, and the animation in one step."""
    dashboard = workloads.Dashboard()
    start = list(dashboard.scene.frames)
    work = {}
    for name, make in (
        ("drag", lambda: workloads.drag(dashboard)),
        ("animation", lambda: workloads.animation(dashboard)),
        ("list", lambda: workloads.list_shift(dashboard)),
        ("random", lambda: workloads.random_edits(dashboard.scene)),
    ):
        dashboard.scene.frames = list(start)
        work[name] = make()
    dashboard.scene.frames = list(start)
    whole = workloads.animation_whole(dashboard)
    dashboard.scene.frames = list(start)
    board = workloads.Board()
    board_start = list(board.scene.frames)
    work["board"] = workloads.board(board)
    board.scene.frames = board_start
    return {"dashboard": dashboard.scene, "board": board.scene}, work, whole


SCENE_OF = {"drag": "dashboard", "animation": "dashboard", "list": "dashboard", "random": "dashboard", "board": "board"}


def write_workloads() -> None:
    scenes, work, whole = build()
    output: dict[str, Any] = {"scenes": {}}
    for name, scene in scenes.items():
        output["scenes"][name] = {
            "views": [
                {"id": i, "parent": p, "frame": list(f), "text": t}
                for i, p, f, t in zip(scene.ids, scene.parents, scene.frames, scene.texts)
            ],
            "workloads": {
                key: [[[number, *frame] for number, frame in tick.items()] for tick in ticks]
                for key, ticks in work.items()
                if SCENE_OF[key] == name
            },
        }
    output["scenes"]["dashboard"]["whole"] = [[number, *frame] for number, frame in whole.items()]
    json.dump(output, sys.stdout)


def entry(name: str, unit: str, ours: float, must: float | None, aim: float | None, peer: float | None = None,
          peer_name: str = "", higher: bool = False, ratio: float | None = None) -> dict[str, Any]:  # fmt: skip
    return {
        "name": f"wire: {name}", "unit": unit, "ours": round(ours, 4), "peer": None if peer is None else round(peer, 4),
        "peerName": peer_name, "ratio": None if ratio is None else round(ratio, 3), "must": must, "aim": aim,
        "betterIs": "higher" if higher else "lower", "runs": 200,
    }  # fmt: skip


def table(folder: Path) -> None:
    from peers import PEERS, snapshot_message_pack

    ours = json.loads((folder / "wire-ours.json").read_text())
    node = json.loads((folder / "wire-node.json").read_text())
    scenes, work, _ = build()
    per_tick = {name: ours[name]["bytes"] / ours[name]["ticks"] for name in work}
    per_view = {name: ours[name]["bytes"] / ours[name]["views"] for name in work}
    peers = {
        peer: {name: sum(encode(scenes[SCENE_OF[name]], ticks)) / len(ticks) for name, ticks in work.items()}
        for peer, encode in PEERS.items()
    }
    colyseus = peers["Colyseus-like"]
    entropy = workloads.random_entropy_bytes()
    snapshot = {name: ours[f"snapshot-{name}"]["bytes"] / ours[f"snapshot-{name}"]["views"] for name in scenes}
    pack = {name: snapshot_message_pack(scene) / len(scene.ids) for name, scene in scenes.items()}
    descriptor = ours["descriptor"]["bytes"] / ours["descriptor"]["views"]

    def against(name: str, must: float | None, aim: float | None) -> dict[str, Any]:
        ratio = colyseus[name] / per_tick[name]
        return entry(f"{name}, times smaller than Colyseus-like", "×", ratio, must, aim, 1, "Colyseus-like", True, ratio)

    def encode(name: str, must: float) -> dict[str, Any]:
        return entry(f"encode, {name}", "ns/changed view", ours[name]["nanosecondsPerView"], must, 15)

    rows = [
        entry("divider drag", "B/moved view", per_view["drag"], 0.65, 0.4),
        entry("animation, frames", "B/view/tick", per_view["animation"], 0.05, 0.03),
        entry("animation, descriptor", "B/view", descriptor, 0.4, 0.1),
        entry("list shift of 200 rows", "B/tick", per_tick["list"], 8, 5),
        entry("random edits, times the generator's entropy", "×", per_tick["random"] / entropy, 1.6, 1.25, entropy,
              "entropy, B/tick", ratio=per_tick["random"] / entropy),
        entry("snapshot, 1,000 named views with texts", "B/view", snapshot["dashboard"], 7, 6, pack["dashboard"], "MessagePack",
              ratio=pack["dashboard"] / snapshot["dashboard"]),
        against("drag", 10, 15),
        against("animation", 150, 250),
        against("list", 250, 300),
        against("random", 2.2, 3),
        encode("drag", 25),
        encode("animation", 25),
        encode("list", 25),
        encode("random", 40),
        entry("state of one client, 1,000 views", "B", ours["member-dashboard"]["bytesPerMember"], 1024, 256),
        entry("decode in Node, animation tick", "µs/tick", node["animation"]["microsecondsPerTick"], 8, 5),
        entry("second scene, frames", "B/changed view", per_view["board"], None, None),
        entry("second scene, snapshot", "B/view", snapshot["board"], None, None, pack["board"], "MessagePack",
              ratio=pack["board"] / snapshot["board"]),
        against("board", None, None),
        encode("board", 40) | {"must": None, "aim": None},
        entry("decode in Node, second scene", "µs/tick", node["board"]["microsecondsPerTick"], None, None),
    ]  # fmt: skip
    (folder / "wire.json").write_text(json.dumps(rows, indent=1) + "\n")

    print("bytes a tick, plain:")
    print(f"  {'':14}" + "".join(f"{name:>11}" for name in work))
    for peer, sizes in peers.items():
        print(f"  {peer:14}" + "".join(f"{sizes[name]:11.1f}" for name in work))
    print(f"  {'ours':14}" + "".join(f"{per_tick[name]:11.1f}" for name in work))
    print(f"  {'views a tick':14}" + "".join(f"{ours[name]['views'] / ours[name]['ticks']:11.1f}" for name in work))
    print(f"\n  {'':52}{'ours':>10}{'must':>8}{'aim':>8}")
    for row in rows:
        better = (lambda a, b: a >= b) if row["betterIs"] == "higher" else (lambda a, b: a <= b)
        verdict = "" if row["must"] is None else (
            "aim" if better(row["ours"], row["aim"]) else "ok" if better(row["ours"], row["must"]) else "MISSED")
        shown = [("" if row[key] is None else f"{row[key]:g}") for key in ("ours", "must", "aim")]
        name = f"{row['name'].removeprefix('wire: ')} [{row['unit']}]"
        print(f"  {name:52}{shown[0]:>10}{shown[1]:>8}{shown[2]:>8}  {verdict}")


if __name__ == "__main__":
    if sys.argv[1] == "workloads":
        write_workloads()
    else:
        table(Path(sys.argv[2]))
