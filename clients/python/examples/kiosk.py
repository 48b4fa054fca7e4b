"""A kiosk: products in a list, a basket with a sum, and a button that orders.

    python kiosk.py ws://127.0.0.1:7070/kiosk
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from scenesync import ReceivedEvent, Scene, button, label, ops, row

PRODUCTS = {"Espresso": 220, "Cappuccino": 310, "Green tea": 250, "Croissant": 190, "Apple pie": 340, "Water": 150}


def price(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def document() -> ops.Op:
    """The products, and the basket below them or, where there is room, beside them. What does not fit is scrolled."""
    lists: list[object] = []
    for name, title in (("products", "What we have"), ("basket", "Basket")):
        lists += [
            {"id": f"{name}-title", "kind": "label", "text": title, "role": "heading", "foreground": "#3a78c2"},
            {"id": f"{name}-place", "kind": "scroll", "scrolls": "each"},
            # Fingers need more room between the lines.
            {"id": name, "parent": f"{name}-place", "kind": "stack", "axis": "vertical", "role": "list", "label": title,
             "variations": [{"when": "idiom == phone", "spacing": 28}]},
        ]
    fills = [f"{name}.{edge} == {name}-place.content.{edge}" for name in ("products", "basket") for edge in ("top", "bottom", "leading", "trailing")]
    fills += [f"{name}.width == {name}-place.viewport.width" for name in ("products", "basket")]
    fills += ["basket-title.leading == basket-place.leading", "V:[basket-title]-[basket-place]-[sum]-|", "order.centerY == sum.centerY",
              "basket-place.leading == sum.leading", "basket-place.trailing == order.trailing", "order.trailing == root.margins.trailing",
              "products-title.top == root.margins.top", "products-title.leading == root.margins.leading",
              "products-place.leading == root.margins.leading", "products-place.top == products-title.bottom + 8"]  # fmt: skip
    below = ["products-place.trailing == root.margins.trailing", "sum.leading == root.margins.leading", "products-place.height == basket-place.height",
             "basket-title.top == products-place.bottom + 8"]  # fmt: skip
    beside = ["products-place.bottom == root.margins.bottom", "basket-title.top == root.margins.top",
              "basket-place.leading == products-place.trailing + 24", "basket-place.width == products-place.width"]  # fmt: skip
    return ops.set_scene({
        "scene": 1, "viewport": {"width": 390, "height": 844},
        "views": [*lists, {"id": "sum", "kind": "label", "text": "0.00", "role": "status", "label": "Sum"},
                  {"id": "order", "kind": "button", "text": "Order", "events": ["tap"], "enabled": False}],
        "constraints": fills,
        "sets": {"narrow": {"when": "root.width < 600", "constraints": below}, "wide": {"when": "root.width >= 600", "constraints": beside}},
    })  # fmt: skip


async def main(url: str) -> None:
    basket: Counter[str] = Counter()
    lines: list[str] = []
    orders = 0
    async with Scene.connect(url) as scene:
        await scene.apply(document())
        async with scene.batch():
            for number, (name, cents) in enumerate(PRODUCTS.items()):
                add = button("Add", id=f"add-{number}", label=f"Add {name}", hugging=[251, 250])
                await scene.view("products").append(row(label(f"{name}  {price(cents)}", hugging=[250, 251]), add, role="listitem"))

        async def show(status: str = "") -> None:
            """The basket as it is now."""
            async with scene.batch():
                for old in lines:
                    await scene.view(old).remove()
                lines.clear()
                for number, (name, cents) in enumerate(PRODUCTS.items()):
                    if basket[name]:
                        line = label(f"{basket[name]} × {name}  {price(basket[name] * cents)}", hugging=[250, 251])
                        less = button("Less", id=f"less-{number}", label=f"One {name} less", hugging=[251, 250])
                        lines.append((await scene.view("basket").append(row(line, less, role="listitem"))).id)
                total = sum(count * PRODUCTS[name] for name, count in basket.items())
                await scene.view("sum").set(text=status or price(total))
                await scene.view("order").set(enabled=total > 0)

        async def change(event: ReceivedEvent) -> None:
            kind, number = event.view.split("-")
            basket[list(PRODUCTS)[int(number)]] += 1 if kind == "add" else -1
            await show()

        @scene.on("tap", "order")
        async def order(event: ReceivedEvent) -> None:
            nonlocal orders
            orders += 1
            basket.clear()
            await show(f"Order {orders}: thank you")

        scene.on("tap", "products")(change)
        scene.on("tap", "basket")(change)
        await scene.handles_all()
        print("open", flush=True)
        await scene.run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
