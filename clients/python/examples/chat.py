"""A chat: people give themselves names, and see what the others write.

    python chat.py ws://127.0.0.1:7070/chat
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque

from scenesync import ReceivedEvent, Scene, label, ops

#: How many messages are kept.
KEPT = 100


def document() -> ops.Op:
    """The messages, which end above the fields, and the fields above the keyboard, if there is one."""
    fields = [{"id": name, "kind": "textField", "label": text, "placeholder": text, "events": ["input"], "border": "single"}
              for name, text in (("name", "Your name"), ("say", "Say something"))]  # fmt: skip
    return ops.set_scene({
        "scene": 1, "viewport": {"width": 390, "height": 844},
        "views": [
            {"id": "place", "kind": "scroll", "scrolls": "each", "role": "log", "label": "Messages", "focusable": True},
            {"id": "messages", "parent": "place", "kind": "stack", "axis": "vertical", "spacing": 4}, *fields,
        ],
        "constraints": [
            "H:|-[place]-|", "H:|-[name(120)]-[say]-|", "name.height == 48", "say.height == 48", "say.top == name.top",
            "place.top == root.margins.top", "place.bottom == name.top - 8", "name.bottom == root.keyboard.top - 8",
            "messages.leading == place.content.leading", "messages.trailing == place.content.trailing",
            "messages.top == place.content.top", "messages.bottom == place.content.bottom",
            "messages.width == place.viewport.width",
        ],
    })  # fmt: skip


async def main(url: str) -> None:
    names: dict[int, str] = {}
    kept: deque[str] = deque()
    async with Scene.connect(url) as scene:
        await scene.apply(document())

        async def empty(event: ReceivedEvent) -> None:
            """Takes what somebody wrote out of the field: it is empty again only after it held that."""
            await scene.view(event.view).set(value=event.value)
            await scene.view(event.view).set(value="")

        async def show(text: str) -> None:
            """Adds a message, the newest above, where every screen shows it."""
            async with scene.batch():
                kept.append((await scene.view("messages").insert(0, label(text, lines=0))).id)
                if len(kept) > KEPT:
                    await scene.view(kept.popleft()).remove()

        @scene.on("input", "name")
        async def call(event: ReceivedEvent) -> None:
            before, names[event.client] = names.get(event.client), event.value.strip()[:20] or "Nobody"
            await show(f"{before} is {names[event.client]} now" if before else f"{names[event.client]} is here")
            await empty(event)

        @scene.on("input", "say")
        async def say(event: ReceivedEvent) -> None:
            if event.value.strip():
                await show(f"{names.get(event.client, f'Guest {event.client}')}: {event.value.strip()[:500]}")
            await empty(event)

        await scene.handles_all()
        print("open", flush=True)
        await scene.run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
