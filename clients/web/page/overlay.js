// What lies over the scene: selections, other people's cursors, constraints drawn as Interface Builder draws them, and
// the handles; and the gestures on them. A gesture changes constraints, never frames that constraints decide.
import { $, throttled, toast } from "./dom.js";
import { Drag } from "./drag.js";
import { can } from "./room.js";
import { isExtent, isHorizontal, itemBox, namesView, position, rulesOf, show } from "./rules.js";

const REACH = 6;
const css = (name) => getComputedStyle(document.body).getPropertyValue(name);
const CURSORS = { l: "ew-resize", r: "ew-resize", t: "ns-resize", b: "ns-resize", lt: "nwse-resize", rb: "nwse-resize", rt: "nesw-resize", lb: "nesw-resize", lrtb: "move" };

export class Overlay {
  constructor(app) {
    this.app = app;
    this.canvas = $("over");
    this.context = this.canvas.getContext("2d");
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "dblclick", "keydown", "pointerleave"]) {
      this.canvas.addEventListener(type, (event) => this[type](event));
    }
    this.tell = throttled(60, () => app.room.sayWhereIAm());
    this.refreshColors();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refreshColors());
  }

  refreshColors() {
    this.colors = {};
    for (const name of ["accent", "warn", "bad", "text", "panel", "dim", "bg"]) this.colors[name] = this.resolve(css(`--${name}`));
    const { stage } = this.app;
    stage.backdrop = this.colors.bg;
    stage.paper = matchMedia("(prefers-color-scheme: dark)").matches ? this.colors.bg : "#ffffff";
    stage.needsAll = true;
    this.app.schedule();
  }

  /** A colour that may be light-dark(…) as the one that holds now. */
  resolve(value) {
    this.canvas.style.color = value;
    return getComputedStyle(this.canvas).color;
  }

  // --- Places --------------------------------------------------------------------------------------------------------

  toStage({ x, y, width, height }) {
    const { camera } = this.app.stage;
    return { x: x * camera.scale + camera.x, y: y * camera.scale + camera.y, width: width * camera.scale, height: height * camera.scale };
  }

  toScene(event) {
    const { camera } = this.app.stage, box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left - camera.x) / camera.scale, (event.clientY - box.top - camera.y) / camera.scale];
  }

  box(id) {
    const view = this.app.room.mirror.view(id), shown = view && this.app.stage.shown(view.number);
    return shown && this.toStage(shown);
  }

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
    const { app, context: g, canvas } = this, { stage, room } = app, { ratio } = stage;
    if (canvas.width !== stage.canvas.width || canvas.height !== stage.canvas.height) {
      Object.assign(canvas, { width: stage.canvas.width, height: stage.canvas.height });
    }
    const isEmpty = !app.selection.length && app.hovered === undefined && !room.people.size && !room.mayEdit;
    if (isEmpty && this.wasEmpty) return;
    this.wasEmpty = isEmpty;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, canvas.width, canvas.height);
    g.font = "11px system-ui, sans-serif";
    if (room.mayEdit) this.paintViewportHandle(g);
    const hovered = app.hovered !== undefined && !app.selection.includes(app.hovered) && this.box(app.hovered);
    if (hovered) this.frame(g, hovered, this.colors.accent, 1, [3, 3]);
    for (const rule of this.rules()) this.paintRule(g, rule);
    for (const id of app.selection) {
      const box = this.box(id);
      if (!box) continue;
      this.frame(g, box, this.colors.accent, 1.5);
      if (room.mayEdit && id !== "root" && app.selection.length === 1) this.paintHandles(g, box);
      if (app.selection.length === 1 && !this.drag) {
        const { width, height } = stage.shown(room.mirror.view(id).number);
        this.label(g, `${id}  ${show(width)} × ${show(height)}`, box.x + box.width / 2, box.y + box.height + 24, this.colors.accent);
      }
    }
    this.paintPeople(g);
  }

  frame(g, { x, y, width, height }, color, thick, dashes = []) {
    g.strokeStyle = color;
    g.lineWidth = thick;
    g.setLineDash(dashes);
    g.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(width) - 1, Math.round(height) - 1);
    g.setLineDash([]);
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

  /** One constraint: a beam between edges, a measure along an extent, a dashed guide through a centre or a baseline. */
  paintRule(g, { id, parts, active }) {
    const { stage, room } = this.app, { first, second, relation, constant, priority } = parts;
    const one = itemBox(first, stage, room), other = second && itemBox(second, stage, room);
    if (!one || (second && !other)) return;
    const isRightToLeft = room.document.viewport?.direction === "rtl", isAlongX = isHorizontal(first.attribute);
    const color = room.diagnostics.broken.includes(id) ? this.colors.bad : priority < 1000 ? this.colors.warn : this.colors.accent;
    const isMarked = this.app.ruleHovered === id;
    g.globalAlpha = active ? 1 : 0.4;
    g.strokeStyle = color;
    g.lineWidth = isMarked ? 2.5 : 1.25;
    g.setLineDash(active && relation === "==" ? [] : [4, 3]);
    const a = this.toStage(one), b = other && this.toStage(other);
    const text = `${relation === "==" ? "" : relation === "<=" ? "≤ " : "≥ "}${show(Math.abs(constant))}`;
    if (isExtent(first.attribute)) {
      const at = isAlongX ? a.y + a.height + 5 : a.x + a.width + 5;
      this.beam(g, isAlongX, isAlongX ? a.x : a.y, isAlongX ? a.x + a.width : a.y + a.height, at);
      if (isMarked || (!second && active)) this.tag(g, second ? "=" : text, isAlongX, isAlongX ? a.x + a.width / 2 : a.y + a.height / 2, at, color);
    } else if (other) {
      const from = position(b, second.attribute, isRightToLeft), to = position(a, first.attribute, isRightToLeft);
      const low = isAlongX ? Math.max(a.y, b.y) : Math.max(a.x, b.x);
      const high = isAlongX ? Math.min(a.y + a.height, b.y + b.height) : Math.min(a.x + a.width, b.x + b.width);
      const across = high > low ? (low + high) / 2 : isAlongX ? a.y + a.height / 2 : a.x + a.width / 2;
      if (/center|Baseline/.test(first.attribute) || Math.abs(to - from) < 2) {
        // A guide along the edge or the centre that both share.
        const begin = isAlongX ? Math.min(a.y, b.y) : Math.min(a.x, b.x);
        const end = isAlongX ? Math.max(a.y + a.height, b.y + b.height) : Math.max(a.x + a.width, b.x + b.width);
        g.setLineDash([5, 3]);
        this.line(g, !isAlongX, begin, end, to);
        if (constant) this.tag(g, text, isAlongX, to, across, color);
      } else {
        this.beam(g, isAlongX, from, to, across);
        this.tag(g, text, isAlongX, (from + to) / 2, across, color);
      }
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  line(g, isAlongX, from, to, across) {
    const at = Math.round(across) + 0.5;
    g.beginPath();
    if (isAlongX) { g.moveTo(from, at); g.lineTo(to, at); } else { g.moveTo(at, from); g.lineTo(at, to); }
    g.stroke();
  }

  /** A line with a foot at each end. */
  beam(g, isAlongX, from, to, across) {
    this.line(g, isAlongX, from, to, across);
    for (const end of [from, to]) this.line(g, !isAlongX, across - 4, across + 4, Math.round(end) - (end === to ? 1 : 0));
  }

  tag(g, text, isAlongX, along, across, color) {
    const [x, y] = isAlongX ? [along, across] : [across, along], width = g.measureText(text).width + 6;
    g.setLineDash([]);
    g.fillStyle = this.colors.panel;
    g.globalAlpha *= 0.92;
    g.fillRect(x - width / 2, y - 7, width, 14);
    g.fillStyle = color;
    g.textBaseline = "middle";
    g.fillText(text, x - width / 2 + 3, y + 0.5);
  }

  paintPeople(g) {
    const { camera } = this.app.stage;
    for (const { name, color = "#7aa2f7", cursor, selection } of this.app.room.people.values()) {
      for (const id of selection) {
        const box = this.box(id);
        if (box) this.frame(g, box, color, 2);
      }
      if (!cursor) continue;
      const x = cursor.point[0] * camera.scale + camera.x, y = cursor.point[1] * camera.scale + camera.y;
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
    this.canvas.setPointerCapture(event.pointerId);
    this.from = [event.clientX, event.clientY];
    if (event.button === 1 || event.buttons === 4) {
      this.pan = { ...app.stage.camera };
      return;
    }
    this.pressed = this.grip(event);
    if (this.pressed) return;
    const number = app.stage.hit(...this.toScene(event)), id = number === undefined ? undefined : room.mirror.views.get(number).id;
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
    if (id === undefined) {
      app.select([]);
      this.pan = { ...app.stage.camera };
    } else if (isMore || !app.selection.includes(id)) app.select([id], isMore);
    if (id !== undefined && id !== "root" && room.mayEdit && !isMore) this.pressed = { edges: "lrtb", cursor: "move" };
  }

  pointermove(event) {
    const { app } = this, { room, stage } = app;
    room.presence.cursor = this.toScene(event);
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
    this.drag = this.pressed = this.pan = undefined;
    this.app.schedule();
  }

  pointercancel() { this.pointerup(); }

  pointerleave() {
    this.app.room.presence.cursor = undefined;
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
    const now = performance.now(), by = event.shiftKey ? 8 : 1;
    // Presses that follow one another are one drag, and one step of undo.
    if (!this.nudging || now > this.nudging.until || this.nudging.isLarger !== event.altKey || this.nudging.ids !== app.selection) {
      const drag = new Drag(app.room, ids, event.altKey ? "rb" : "lrtb", (why) => toast(why, "bad"));
      this.nudging = { drag, sum: [0, 0], isLarger: event.altKey, ids: app.selection };
    }
    this.nudging.until = now + 1000;
    this.nudging.sum = this.nudging.sum.map((value, axis) => value + step[axis] * by);
    this.nudging.drag.move(...this.nudging.sum);
  }
}

/** Dragging the root's corner changes the viewport; everybody's layout follows. */
class ViewportDrag {
  constructor({ room, stage }) {
    const { width, height } = stage.shown(room.mirror.root);
    Object.assign(this, { room, width, height, group: room.group(), isBusy: false });
  }

  move(dx, dy) {
    this.wanted = [Math.max(1, Math.round(this.width + dx)), Math.max(1, Math.round(this.height + dy))];
    this.pump();
  }

  async pump() {
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.wanted) {
      const [width, height] = this.wanted;
      this.wanted = undefined;
      await this.room.send([{ op: "setViewport", width, height }], this.group);
    }
    this.isBusy = false;
  }
}
