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
    """The question, then a button, a bar and a number for each answer."""
    views: list[object] = [{"id": "question", "kind": "label", "text": question}]
    rules: list[object] = ["question.leading == root.leading + 16", "question.top == root.top + 16"]
    above = "question"
    for number, answer in enumerate(answers):
        name, bar, count = f"answer-{number}", f"bar-{number}", f"count-{number}"
        views += [
            {"id": name, "kind": "button", "text": answer, "events": ["tap"]},
            {"id": bar, "background": "#3a78c2"},
            {"id": count, "kind": "label", "text": "0"},
        ]
        rules += [
            f"{name}.leading == root.leading + 16", f"{name}.width == 120", f"{name}.top == {above}.bottom + 16",
            f"{bar}.leading == {name}.trailing + 8", f"{bar}.top == {name}.top", f"{bar}.bottom == {name}.bottom",
            {"id": f"share-{number}", "rule": f"{bar}.width == 0"},
            f"{count}.leading == {bar}.trailing + 8", f"{count}.top == {bar}.top",
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
                width = 240 * counts[number] / len(votes)
                changes += [
                    ops.set_constraint(f"share-{number}", constant=width),
                    ops.set_view(f"count-{number}", text=str(counts[number])),
                ]
            await scene.animate(0.3, *changes)

        for number in range(len(answers)):
            scene.on("tap", f"answer-{number}")(vote)
        await scene.run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
