// The other members: their pointers and selections.
import { $ } from "./dom.js";

/** Empties the canvas over the stage, of the stage's size, for painting in CSS pixels. */
export function clear(g, { canvas: { width, height }, ratio }) {
  const { canvas } = g;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "11px system-ui, sans-serif";
}

/** The outline of a rectangle. */
export function frame(g, { x, y, width, height }, color, thick, dashes = []) {
  g.strokeStyle = color;
  g.lineWidth = thick;
  g.setLineDash(dashes);
  g.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(width) - 1, Math.round(height) - 1);
  g.setLineDash([]);
}

/** `room` knows the people, and `stage` where views are. */
export function paintPeople(g, { room, stage }) {
  const { camera } = stage;
  for (const { name, color = "#7aa2f7", cursor, place, selection } of room.people.values()) {
    for (const id of selection) {
      const box = stage.box(id);
      if (box) frame(g, box, color, 2);
    }
    // A place in a view means the same on every device; a point only on that of its sender.
    const point = place ? stage.pointOf(place) : cursor?.point;
    if (!point) continue;
    const x = point[0] * camera.scale + camera.x, y = point[1] * camera.scale + camera.y;
    g.fillStyle = color;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + 4, y + 14);
    g.lineTo(x + 7.5, y + 8.5);
    g.lineTo(x + 14, y + 7);
    g.fill();
    const text = name.slice(0, 24), width = g.measureText(text).width + 10;
    g.beginPath();
    g.roundRect(x + 10, y + 12, width, 16, 4);
    g.fill();
    g.fillStyle = "#10121c";
    g.textBaseline = "middle";
    g.fillText(text, x + 15, y + 20.5);
  }
}

/** Paints people while nothing else is painted over the scene. */
export class People {
  constructor(app) {
    this.app = app;
    this.context = $("over").getContext("2d");
  }

  paint() {
    const { context: g, app } = this;
    clear(g, app.stage);
    paintPeople(g, app);
  }
}
