"""A poll: everybody taps an answer, and the bars grow while people vote.

    python poll.py ws://127.0.0.1:7070/poll "Tea or coffee?" Tea Coffee Water

Watch it with `scenesync view --app ws://127.0.0.1:7070/poll`, or in a browser at http://127.0.0.1:7070/poll?app.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from scenesync import ReceivedEvent, Scene, ops


def document(question: str, answers: list[str]) -> ops.Op:
    """The question, then for each answer a button, a bar in its track, and a number."""
    views: list[object] = [{"id": "question", "kind": "label", "text": question, "lines": 0, "role": "heading"}]
    rules: list[object] = ["H:|-[question]-|", "question.top == root.margins.top"]
    above = "question"
    for number, answer in enumerate(answers):
        name, track, bar, count = f"answer-{number}", f"track-{number}", f"bar-{number}", f"count-{number}"
        views += [
            {"id": name, "kind": "button", "text": answer, "events": ["tap"]},
            {"id": track, "background": "#88888840"},
            {"id": bar, "parent": track, "background": "#3a78c2"},
            {"id": count, "kind": "label", "text": "0", "align": "right"},
        ]
        # The buttons are as wide as the widest, but leave half of the screen to the bars.
        rules += [
            f"H:|-[{name}]-[{track}]-[{count}(24)]-|", f"{name}.top == {above}.bottom + 16", f"{name}.height >= 32",
            f"{name}.width == answer-0.width", f"{name}.width <= 0.5 * root.width",
            f"{track}.top == {name}.top", f"{track}.bottom == {name}.bottom", f"{count}.centerY == {name}.centerY",
            f"V:|[{bar}]|", f"{bar}.leading == {track}.leading", {"id": f"share-{number}", "rule": f"{bar}.width == 0 * {track}.width"},
        ]  # fmt: skip
        above = name
    return ops.set_scene({"scene": 1, "viewport": {"width": 480, "height": 240}, "views": views, "constraints": rules})


async def main(url: str, question: str, answers: list[str]) -> None:
    votes: dict[int, int] = {}
    async with Scene.connect(url) as scene:
        await scene.apply(document(question, answers))

        async def vote(event: ReceivedEvent) -> None:
            # One vote for each person; who taps another answer changes it.
            votes[event.client] = int(event.view.removeprefix("answer-"))
            counts = Counter(votes.values())
            changes = []
            for number in range(len(answers)):
                changes += [
                    ops.set_constraint(f"share-{number}", multiplier=counts[number] / len(votes)),
                    ops.set_view(f"count-{number}", text=str(counts[number])),
                ]
            await scene.animate(0.3, *changes)

        for number in range(len(answers)):
            scene.on("tap", f"answer-{number}")(vote)
        await scene.handles_all()
        print("open", flush=True)
        await scene.run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
