"""Writes the workloads as JSON (`workloads`), the same as text for the encoder in C (`ticks WORKLOADS.json`), and the table of
results (`table FOLDER`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import workloads  # noqa: E402
from report import Report  # noqa: E402
from workloads import Scene, Tick  # noqa: E402


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


def write_ticks(path: Path) -> None:
    """As `encoder/main.c` reads it: what changed in each tick, with the old frames, which the JSON leaves to be remembered."""
    for scene in json.loads(path.read_text())["scenes"].values():
        for name, ticks in scene["workloads"].items():
            frames = [view["frame"] for view in scene["views"]]
            print(name, len(ticks))
            for tick in ticks:
                print(len(tick))
                for number, *frame in tick:
                    print(number, *frames[number], *frame)
                    frames[number] = frame


COLYSEUS = "@colyseus/schema"
#: Peers that run in Node, and the files of their figures.
IN_NODE = {COLYSEUS: "wire-colyseus.json", "Fossil delta": "wire-fossil.json"}

#: What the workloads are called in rows of the table.
TITLES = {"drag": "drag", "animation": "animation", "list": "list shift", "random": "random edits", "board": "second scene"}

#: Ticks of each workload.
TICKS = 200


def check_messages(folder: Path, ours: dict[str, Any], names: Iterable[str]) -> None:
    """Fails unless the encoder in C made the very bytes that ours made."""
    for path in folder.glob("wire-encoder-*.txt"):
        messages: dict[str, list[str]] = {}
        for line in path.read_text().splitlines():
            name, message = line.split()
            messages.setdefault(name, []).append(message)
        for name in names:
            if messages.get(name) != ours[name]["messages"]:
                raise SystemExit(f"{path.stem} and the encoder in Swift differ in {name}")


def table(folder: Path) -> None:
    from packed import PACKED
    from peers import PEERS, snapshot_message_pack

    ours = json.loads((folder / "wire-ours.json").read_text())
    node = json.loads((folder / "wire-node.json").read_text())
    scenes, work, _ = build()
    check_messages(folder, ours, work)
    per_tick = {name: ours[name]["bytes"] / ours[name]["ticks"] for name in work}
    per_view = {name: ours[name]["bytes"] / ours[name]["views"] for name in work}
    peers = {
        peer: {name: sum(encode(scenes[SCENE_OF[name]], ticks)) / len(ticks) for name, ticks in work.items()}
        for peer, encode in PEERS.items()
    }
    times: dict[str, dict[str, tuple[float, float]]] = {}
    for peer, (measure, is_timed) in PACKED.items():
        outcomes = {name: measure(scenes[SCENE_OF[name]], ticks) for name, ticks in work.items()}
        peers[peer] = {name: sum(outcome.sizes) / len(outcome.sizes) for name, outcome in outcomes.items()}
        if is_timed:
            times[peer] = {name: outcome.microseconds() for name, outcome in outcomes.items()}
    for peer, path in IN_NODE.items():
        if not (folder / path).exists():
            print(f"not measured, as there is no checkout of it: {peer}")
            continue
        found = json.loads((folder / path).read_text())
        peers[peer] = {name: sum(found[name]["sizes"]) / len(found[name]["sizes"]) for name in work}
        times[peer] = {name: (found[name]["encodeMicroseconds"], found[name]["decodeMicroseconds"]) for name in work}
    times["ours, in Swift"] = {
        name: (ours[name]["nanosecondsPerView"] * ours[name]["views"] / ours[name]["ticks"] / 1000, float("nan")) for name in work
    }
    times["ours, in Node"] = {name: (float("nan"), node[name]["microsecondsPerTick"]) for name in work}
    entropy = workloads.random_entropy_bytes()
    snapshot = {name: ours[f"snapshot-{name}"]["bytes"] / ours[f"snapshot-{name}"]["views"] for name in scenes}
    pack = {name: snapshot_message_pack(scene) / len(scene.ids) for name, scene in scenes.items()}
    descriptor = ours["descriptor"]["bytes"] / ours["descriptor"]["views"]

    def line(label: str, figures: dict[str, float]) -> None:
        print(f"  {label:18}" + "".join(f"{figures[name]:11.1f}" if figures[name] == figures[name] else f"{'':11}" for name in work))

    heading = f"  {'':18}" + "".join(f"{name:>11}" for name in work)
    print("bytes a tick:", heading, sep="\n")
    for peer, sizes in peers.items():
        line(peer, sizes)
    line("ours", per_tick)
    line("views a tick", {name: ours[name]["views"] / ours[name]["ticks"] for name in work})
    for side, title in enumerate(("encoding, µs a tick:", "decoding, µs a tick:")):
        print(title, heading, sep="\n")
        for peer, figures in times.items():
            if figures["drag"][side] == figures["drag"][side]:
                line(peer, {name: pair[side] for name, pair in figures.items()})
    print()
    report = Report("wire", TICKS)

    def against(name: str) -> None:
        if COLYSEUS in peers:
            ratio = peers[COLYSEUS][name] / per_tick[name]
            report.add(f"{name}, times smaller than {COLYSEUS}", ratio, 1, COLYSEUS, ratio)
        smallest = min(peers, key=lambda peer: peers[peer][name])
        ratio = peers[smallest][name] / per_tick[name]
        report.add(f"{name}, times smaller than the smallest peer", ratio, 1, smallest, ratio)

    def encode(name: str) -> None:
        report.add(f"encode, {name}", ours[name]["nanosecondsPerView"])

    def against_c(name: str, title: str) -> None:
        times = ours[name]["nanosecondsPerViewInC"]
        if times:
            compiler = min(times, key=lambda compiler: times[compiler])
            mine, theirs = ours[name]["nanosecondsPerView"], times[compiler]
            report.add(f"encoding a changed view, {title}, against the same work in C", mine, theirs, f"C, {compiler}", mine / theirs)

    report.add("divider drag", per_view["drag"])
    report.add("animation, frames", per_view["animation"])
    report.add("animation, descriptor", descriptor)
    report.add("list shift of 200 rows", per_tick["list"])
    report.add("random edits, times the generator's entropy", per_tick["random"] / entropy, entropy, "entropy, B/tick",
               per_tick["random"] / entropy)  # fmt: skip
    report.add("snapshot, 1,000 named views with texts", snapshot["dashboard"], pack["dashboard"], "MessagePack",
               pack["dashboard"] / snapshot["dashboard"])  # fmt: skip
    for name in ("drag", "animation", "list", "random"):
        against(name)
    for name in ("drag", "animation", "list", "random"):
        encode(name)
    for name, title in TITLES.items():
        against_c(name, title)
    report.add("state of one client, 1,000 views", ours["member-dashboard"]["bytesPerMember"])
    report.add("decode in Node, animation tick", node["animation"]["microsecondsPerTick"])
    report.add("second scene, frames", per_view["board"])
    report.add("second scene, snapshot", snapshot["board"], pack["board"], "MessagePack", pack["board"] / snapshot["board"])
    against("board")
    encode("board")
    report.add("decode in Node, second scene", node["board"]["microsecondsPerTick"])
    report.finish()


if __name__ == "__main__":
    if sys.argv[1] == "workloads":
        write_workloads()
    elif sys.argv[1] == "ticks":
        write_ticks(Path(sys.argv[2]))
    else:
        table(Path(sys.argv[2]))
