// Noughts and crosses: the first two who tap play, all others watch.
//
//   node noughts.mjs ws://127.0.0.1:7070/noughts
import process from "node:process";
import { Scene, ops } from "../scene.js";

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/** Three rows of three cells, what is to be done above them, and a button below. */
function document() {
  const rows = [0, 1, 2].map((row) => ({ id: `row-${row}`, kind: "stack", parent: "board", distribution: "fillEqually" }));
  const cells = Array.from({ length: 9 }, (_, cell) => ({
    id: `cell-${cell}`, kind: "button", parent: `row-${Math.floor(cell / 3)}`, text: " ", border: "single", events: ["tap"],
    label: `row ${Math.floor(cell / 3) + 1}, column ${cell % 3 + 1}`,
  }));
  return ops.setScene({
    scene: 1, viewport: { width: 240, height: 240 },
    views: [
      { id: "status", kind: "label", text: "X begins", role: "status" },
      { id: "board", kind: "stack", axis: "vertical", distribution: "fillEqually" }, ...rows, ...cells,
      { id: "again", kind: "button", text: "Again", events: ["tap"] },
    ],
    constraints: [
      "status.top == root.margins.top", "status.centerX == root.centerX", "board.top == status.bottom + 8",
      "again.top == board.bottom + 8", "again.bottom <= root.margins.bottom", "again.centerX == root.centerX",
      "again.height == 32", "status.height == 16", "board.centerX == root.centerX", "board.leading >= root.margins.leading",
      // As large as there is room, and square if it can be.
      "board.width == 480 @high", "board.width <= 480", "board.height == board.width @740",
    ],
  });
}

/** Whose turn it is, and who has which cells. */
class Game {
  cells = Array(9).fill(" ");
  players = [];

  get turn() { return "XO"[this.cells.filter((cell) => cell !== " ").length % 2]; }
  get winner() {
    const line = LINES.find(([a, b, c]) => this.cells[a] !== " " && this.cells[a] === this.cells[b] && this.cells[b] === this.cells[c]);
    return line && this.cells[line[0]];
  }
  get status() {
    if (this.winner) return `${this.winner} has won`;
    return this.cells.includes(" ") ? `${this.turn}'s turn` : "Nobody has won";
  }
  /** Takes a cell, if it is that person's turn and the cell is free. */
  play(client, cell) {
    if (this.players.length < 2 && !this.players.includes(client)) this.players.push(client);
    const isTheirs = this.players["XO".indexOf(this.turn)] === client;
    if (!isTheirs || this.winner || this.cells[cell] !== " ") return false;
    this.cells[cell] = this.turn;
    return true;
  }
}

const scene = await Scene.connect(process.argv[2]);
await scene.apply(document());
let game = new Game();
scene.on("tap", "board", async ({ client, view }) => {
  const cell = Number(view.replace("cell-", ""));
  if (game.play(client, cell)) await scene.apply(ops.setView(view, { text: game.cells[cell] }), ops.setView("status", { text: game.status }));
});
scene.on("tap", "again", async () => {
  game = new Game();
  await scene.batch((batch) => {
    game.cells.forEach((text, cell) => batch.view(`cell-${cell}`).set({ text }));
    batch.view("status").set({ text: "X begins" });
  });
});

await scene.handlesAll();
console.log("open");
