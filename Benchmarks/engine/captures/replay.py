"""Yoga's captured trees: has them written as constraints, and for Taffy, compares the frames, and measures all."""

from __future__ import annotations

import subprocess
from pathlib import Path

import taffy
from node import SLACK
from translator import Translator

OUT = Path(__file__).resolve().parents[2] / ".out"
NAMES = ["chat-mac", "feed-android", "profile-ios", "rendering-sample-mac"]
#: What is measured, how often in a process: trees or rounds.
WORKS = {"build": 10, "edit": 300, "resize": 300, "batch": 50, "memory": 10}
#: Rounds after which the frames are compared.
COMPARED = (1, 8, 15, 22)
#: The edited leaf is the middle one of those that are measured, or the next behind it whose edit changes so many frames.
CHANGED = 10

Frames = list[list[float]]


def differing(first: Frames, second: Frames) -> int:
    """How many frames are not the same."""
    return sum(any(abs(a - b) > SLACK for a, b in zip(one, other, strict=True)) for one, other in zip(first, second, strict=True))


class Replay:
    """One capture, as Yoga and we lay it out, and Taffy where there is a driver of it."""

    def __init__(self, name: str, bench: str, driver: str, folder: Path, taffy_driver: str | None):
        self.name = name
        self.capture, self.scene, self.styles = folder / f"{name}.json", OUT / f"{name}.scene", OUT / f"{name}.styles"
        self.programs = {"ours": [bench, "capture", str(self.scene)], "Yoga": [driver, str(self.capture)]}
        if taffy_driver:
            self.programs["Taffy"] = [taffy_driver, "capture", str(self.styles)]
        self.leaf = 0

    @property
    def peers(self) -> list[str]:
        return [who for who in self.programs if who != "ours"]

    def output(self, who: str, work: str, rounds: int, leaf: int | None = None) -> str:
        command = [*self.programs[who], work, str(rounds), str(self.leaf if leaf is None else leaf)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def frames(self, who: str, work: str, rounds: int = 1, leaf: int | None = None) -> Frames:
        return [[float(word) for word in line.split()] for line in self.output(who, work, rounds, leaf).splitlines()]

    def measure(self, who: str, work: str) -> float:
        return float(self.output(who, work, WORKS[work]))

    def prepare(self) -> None:
        """Writes the scene, finds the leaf that is edited, and tells how far the frames agree."""
        first = self.frames("Yoga", "first-frames")
        if differing(first, self.frames("Yoga", "recorded")):
            raise SystemExit(f"{self.name}: contents are laid out otherwise than the recorded answers")
        translator = Translator(self.capture, first)
        self.scene.write_text(translator.translate())
        self.styles.write_text(taffy.write(translator.nodes))
        wrong = differing(first, self.frames("ours", "first-frames"))
        if wrong:
            raise SystemExit(f"{self.name}: {wrong} of {len(first)} frames of the first layout are not Yoga's")
        measured = [node for node in translator.nodes if node.is_measured]
        middle = len(measured) // 2
        self.leaf = next(
            node.index for node in measured[middle:] + measured[:middle]
            if differing(first, self.frames("Yoga", "edit-frames", 2, node.index)) >= CHANGED)  # fmt: skip
        print(f"    {self.name}: {len(first)} nodes as {translator.constraints} constraints and {len(measured)} contents, "
              f"{sum(node.breaks for node in measured)} of which were recorded at several heights; the first layout has Yoga's frames")
        for reason, count in translator.notes.items():
            if count:
                print(f"        {count} {reason}")
        # Taffy has no errata to lay a tree out as Yoga did of old, so that it may differ from the start.
        firsts = {who: self.frames(who, "first-frames") for who in self.programs}
        if "Taffy" in firsts:
            print(f"        Taffy: {differing(first, firsts['Taffy'])} frames of the first layout are not Yoga's")
        for work in "edit", "resize", "batch":
            frames = {who: [self.frames(who, f"{work}-frames", rounds) for rounds in COMPARED] for who in self.programs}
            for who, found in frames.items():
                changed = max(differing(firsts[who], each) for each in found)
                wrong = max(differing(yoga, each) for yoga, each in zip(frames["Yoga"], found, strict=True))
                print(f"        {work}, {who}: up to {changed} frames change" + f", up to {wrong} are not Yoga's" * (who != "Yoga"))


def replays(bench: str, driver: str, folder: str, taffy_driver: str | None) -> list[Replay]:
    """Those that are found, ready to be measured."""
    found = [Replay(name, bench, driver, Path(folder), taffy_driver) for name in NAMES if (Path(folder) / f"{name}.json").exists()]
    for each in found:
        each.prepare()
    return found
