"""Noughts and crosses: the first two who tap play, all others watch.

    python noughts.py ws://127.0.0.1:7070/noughts
"""

from __future__ import annotations

import asyncio
import sys

from scenesync import ReceivedEvent, Scene, ops

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def document() -> ops.Op:
    """Three rows of three cells, what is to be done above them, and a button below."""
    rows = [{"id": f"row-{row}", "kind": "stack", "parent": "board", "axis": "horizontal", "distribution": "fillEqually"}
            for row in range(3)]  # fmt: skip
    cells = [{"id": f"cell-{cell}", "kind": "button", "parent": f"row-{cell // 3}", "text": " ", "border": "single",
              "events": ["tap"], "label": f"row {cell // 3 + 1}, column {cell % 3 + 1}"} for cell in range(9)]  # fmt: skip
    return ops.set_scene({
        "scene": 1, "viewport": {"width": 240, "height": 240},
        "views": [
            {"id": "status", "kind": "label", "text": "X begins", "role": "status"},
            {"id": "board", "kind": "stack", "axis": "vertical", "distribution": "fillEqually"}, *rows, *cells,
            {"id": "again", "kind": "button", "text": "Again", "events": ["tap"]},
        ],
        "constraints": [
            "status.top == root.margins.top", "status.centerX == root.centerX", "board.top == status.bottom + 8",
            "again.top == board.bottom + 8", "again.bottom <= root.margins.bottom", "again.centerX == root.centerX",
            "again.height == 32", "status.height == 16", "board.centerX == root.centerX", "board.leading >= root.margins.leading",
            # As large as there is room, and square if it can be.
            "board.width == 480 @high", "board.width <= 480", "board.height == board.width @740",
        ],
    })  # fmt: skip


class Game:
    """Whose turn it is, and who has which cells."""

    def __init__(self) -> None:
        self.cells = [" "] * 9
        self.players: list[int] = []

    @property
    def turn(self) -> str:
        return "XO"[sum(cell != " " for cell in self.cells) % 2]

    @property
    def winner(self) -> str | None:
        for a, b, c in LINES:
            if self.cells[a] != " " and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None

    def play(self, client: int, cell: int) -> bool:
        """Takes a cell, if it is that person's turn and the cell is free."""
        if len(self.players) < 2 and client not in self.players:
            self.players.append(client)
        place = "XO".index(self.turn)
        mine = place < len(self.players) and self.players[place] == client
        if not mine or self.winner or self.cells[cell] != " ":
            return False
        self.cells[cell] = self.turn
        return True

    @property
    def status(self) -> str:
        if self.winner:
            return f"{self.winner} has won"
        return f"{self.turn}'s turn" if " " in self.cells else "Nobody has won"


async def main(url: str) -> None:
    games = [Game()]
    async with Scene.connect(url) as scene:
        await scene.apply(document())

        @scene.on("tap", "board")
        async def tap(event: ReceivedEvent) -> None:
            game, cell = games[-1], int(event.view.removeprefix("cell-"))
            if game.play(event.client, cell):
                await scene.apply(ops.set_view(event.view, text=game.cells[cell]), ops.set_view("status", text=game.status))

        @scene.on("tap", "again")
        async def again(event: ReceivedEvent) -> None:
            games.append(Game())
            cleared = [ops.set_view(f"cell-{cell}", text=" ") for cell in range(9)]
            await scene.apply(*cleared, ops.set_view("status", text="X begins"))

        await scene.handles_all()
        print("open", flush=True)
        await scene.run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
