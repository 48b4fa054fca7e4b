// What lies over the scene: selections, other people's cursors, constraints drawn as Interface Builder draws them, and
// the handles; and the gestures on them. A gesture changes constraints, never frames that constraints decide.
import { $, color, throttled, toast } from "./dom.js";
import { Drag, Following } from "./drag.js";
import { Places, paintRules } from "./guides.js";
import { clear, frame, paintPeople } from "./people.js";
import { can } from "./room.js";
import { namesView, rulesOf, show } from "./rules.js";

const REACH = 6;
const CURSORS = { l: "ew-resize", r: "ew-resize", t: "ns-resize", b: "ns-resize", lt: "nwse-resize", rb: "nwse-resize", rt: "nesw-resize", lb: "nesw-resize", lrtb: "move" };

export class Overlay {
  /** `early` are events of the canvas that came before all this. */
  constructor(app, early) {
    this.app = app;
    this.canvas = $("over");
    this.context = this.canvas.getContext("2d");
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "dblclick", "keydown", "pointerleave"]) {
      this.canvas.addEventListener(type, (event) => this[type](event));
    }
    this.tell = throttled(60, () => app.room.sayWhereIAm());
    this.takeColors();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.takeColors());
    for (const event of early.splice(0)) this[event.type](event);
  }

  takeColors() {
    this.colors = Object.fromEntries(["accent", "warn", "bad", "panel", "dim"].map((name) => [name, color(`--${name}`)]));
  }

  // --- Places --------------------------------------------------------------------------------------------------------

  toScene(event) {
    const { camera } = this.app.stage, box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left - camera.x) / camera.scale, (event.clientY - box.top - camera.y) / camera.scale];
  }

  box(id) { return this.app.stage.box(id); }

  /** Others see the pointer there. */
  point(cursor) { Object.assign(this.app.room.presence, { cursor, place: cursor && this.app.stage.placeAt(cursor) }); }

  /** The rules that speak of what is selected; made anew with the document or the selection. */
  rules() {
    const { room, selection } = this.app;
    if (this.rulesFor !== room.document || this.rulesOf !== selection) {
      this.rulesFor = room.document;
      this.rulesOf = selection;
      this.found = room.document && selection.length <= 4
        ? rulesOf(room.document, room.sets).filter((rule) => selection.some((id) => namesView(rule, id))) : [];
    }
    return this.found;
  }

  // --- Painting ------------------------------------------------------------------------------------------------------

  paint() {
    const { app, context: g } = this, { stage, room } = app;
    const isEmpty = !app.selection.length && app.hovered === undefined && !room.people.size && !room.mayEdit && !room.client.annotations.size;
    if (isEmpty && this.wasEmpty) return;
    this.wasEmpty = isEmpty;
    clear(g, stage);
    if (room.mayEdit) this.paintViewportHandle(g);
    const hovered = app.hovered !== undefined && !app.selection.includes(app.hovered) && this.box(app.hovered);
    if (hovered) frame(g, hovered, this.colors.accent, 1, [3, 3]);
    const rules = this.rules();
    if (rules.length) paintRules(g, new Places(app), rules, { colors: this.colors, broken: room.diagnostics.broken, marked: app.ruleHovered });
    for (const id of app.selection) {
      const box = this.box(id);
      if (!box) continue;
      frame(g, box, this.colors.accent, 1.5);
      if (room.mayEdit && id !== "root" && app.selection.length === 1) this.paintHandles(g, box);
      if (app.selection.length === 1 && !this.drag) {
        const { width, height } = stage.shown(room.mirror.view(id).number);
        this.label(g, `${id}  ${show(width)} × ${show(height)}`, box.x + box.width / 2, box.y + box.height + 24, this.colors.accent);
      }
    }
    app.inspector?.notes.paint(g, this);
    paintPeople(g, app);
  }

  paintHandles(g, { x, y, width, height }) {
    g.fillStyle = this.colors.panel;
    g.strokeStyle = this.colors.accent;
    g.lineWidth = 1;
    for (const [px, py] of [[x, y], [x + width / 2, y], [x + width, y], [x, y + height / 2], [x + width, y + height / 2], [x, y + height], [x + width / 2, y + height], [x + width, y + height]]) {
      g.fillRect(Math.round(px) - 3, Math.round(py) - 3, 6, 6);
      g.strokeRect(Math.round(px) - 2.5, Math.round(py) - 2.5, 5, 5);
    }
  }

  paintViewportHandle(g) {
    const box = this.box("root");
    if (!box) return;
    const x = box.x + box.width + 6, y = box.y + box.height + 6;
    g.strokeStyle = this.colors.dim;
    g.lineWidth = 2;
    g.beginPath();
    g.moveTo(x, y - 12);
    g.lineTo(x, y);
    g.lineTo(x - 12, y);
    g.stroke();
  }

  label(g, text, x, y, color) {
    const width = g.measureText(text).width + 10, left = Math.min(Math.max(2, x - width / 2), this.canvas.clientWidth - width - 2);
    g.fillStyle = color;
    g.beginPath();
    g.roundRect(left, y - 8, width, 16, 4);
    g.fill();
    g.fillStyle = this.colors.panel;
    g.textBaseline = "middle";
    g.fillText(text, left + 5, y + 0.5);
  }

  // --- Gestures ------------------------------------------------------------------------------------------------------

  /** What a press here would take hold of: edges of the view that is selected, the viewport's corner, or nothing. */
  grip(event) {
    const { app } = this, frame = this.canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
    if (!app.room.mayEdit) return undefined;
    const root = this.box("root");
    if (root && Math.abs(x - root.x - root.width - 3) < 10 && Math.abs(y - root.y - root.height - 3) < 10) return { viewport: true, cursor: "nwse-resize" };
    if (app.selection.length !== 1 || app.selection[0] === "root") return undefined;
    const box = this.box(app.selection[0]);
    if (!box || x < box.x - REACH || y < box.y - REACH || x > box.x + box.width + REACH || y > box.y + box.height + REACH) return undefined;
    const reachX = Math.min(REACH, box.width / 4), reachY = Math.min(REACH, box.height / 4);
    let edges = x < box.x + reachX ? "l" : x > box.x + box.width - reachX ? "r" : "";
    edges += y < box.y + reachY ? "t" : y > box.y + box.height - reachY ? "b" : "";
    return edges ? { edges, cursor: CURSORS[edges] } : undefined;
  }

  pointerdown(event) {
    const { app } = this, { room } = app;
    this.canvas.focus({ preventScroll: true, focusVisible: false });
    this.capture(event.pointerId);
    this.from = [event.clientX, event.clientY];
    this.point(this.toScene(event));
    this.tell();
    if (event.button === 1 || event.buttons === 4) {
      this.pan = { ...app.stage.camera };
      return;
    }
    this.pressed = this.grip(event);
    if (this.pressed) return void app.predict();
    const number = app.stage.hit(...this.toScene(event)), id = number === undefined ? undefined : room.mirror.views.get(number).id;
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
    if (id === undefined) {
      app.select([]);
      this.pan = { ...app.stage.camera };
    } else if (isMore || !app.selection.includes(id)) app.select([id], isMore);
    if (id !== undefined && id !== "root" && room.mayEdit && !isMore) {
      this.pressed = { edges: "lrtb", cursor: "move" };
      app.predict();
    }
  }

  capture(pointer) {
    try {
      this.canvas.setPointerCapture(pointer);
    } catch {
      // It was let go of before all this was there.
    }
  }

  pointermove(event) {
    const { app } = this, { room, stage } = app;
    this.point(this.toScene(event));
    this.tell();
    if (!event.buttons) {
      const number = stage.hit(...this.toScene(event));
      const id = number === undefined ? undefined : room.mirror.views.get(number).id;
      this.canvas.style.cursor = this.grip(event)?.cursor ?? "default";
      if (id !== app.hovered) app.hover(id === "root" ? undefined : id);
      return;
    }
    const dx = event.clientX - this.from[0], dy = event.clientY - this.from[1];
    if (this.pan) return void app.look(this.pan.scale, this.pan.x + dx, this.pan.y + dy);
    if (!this.pressed || (!this.drag && Math.hypot(dx, dy) < 3)) return;
    const { scale } = stage.camera;
    this.canvas.style.cursor = this.pressed.cursor;
    this.begin();
    this.drag?.move(Math.round(dx / scale), Math.round(dy / scale));
  }

  begin() {
    const { app } = this, { room } = app;
    if (this.drag) return;
    if (this.pressed.viewport) {
      // The scene stays under the pointer.
      app.isFitted = false;
      this.drag = new ViewportDrag(app);
    } else if (room.has(can.inspect)) this.drag = new Drag(room, app.selection.filter((id) => id !== "root"), this.pressed.edges, (why) => toast(why, "bad"));
    else toast("This server does not say what holds views, so that nothing can be dragged.", "bad");
  }

  pointerup() {
    this.drag?.end();
    this.drag = this.pressed = this.pan = undefined;
    this.app.schedule();
  }

  pointercancel() { this.pointerup(); }

  pointerleave() {
    this.point(undefined);
    this.tell();
    this.app.hover(undefined);
  }

  dblclick() { $("right").querySelector("[name=text]")?.focus(); }

  /** Arrow keys move what is selected, by a point or by eight; with Alt they make it larger. */
  keydown(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key], { app } = this;
    const ids = app.selection.filter((id) => id !== "root");
    if (!step || !ids.length || !app.room.has(can.inspect) || !app.room.mayEdit) return;
    event.preventDefault();
    app.predict();
    const now = performance.now(), by = event.shiftKey ? 8 : 1;
    // Presses that follow one another are one drag, and one step of undo.
    if (!this.nudging || now > this.nudging.until || this.nudging.isLarger !== event.altKey || this.nudging.ids !== app.selection) {
      const drag = new Drag(app.room, ids, event.altKey ? "rb" : "lrtb", (why) => toast(why, "bad"));
      this.nudging = { drag, sum: [0, 0], isLarger: event.altKey, ids: app.selection };
    }
    this.nudging.until = now + 1000;
    this.nudging.sum = this.nudging.sum.map((value, axis) => value + step[axis] * by);
    this.nudging.drag.move(...this.nudging.sum);
    // Each press is whole by itself.
    this.nudging.drag.end();
  }
}

/** Dragging the root's corner changes the viewport; every member's layout follows. */
class ViewportDrag extends Following {
  constructor({ room, stage }) {
    super(room);
    const { width, height } = stage.shown(room.mirror.root);
    Object.assign(this, { width, height });
  }

  ops(dx, dy) { return [{ op: "setViewport", width: Math.max(1, Math.round(this.width + dx)), height: Math.max(1, Math.round(this.height + dy)) }]; }
}
