// The wall: the scene on several devices at once, each with a connection, a picture and problems of its own. A gesture on
// one changes the same constraints as on the stage, and shows on all.
import { $, color, h, throttled, toast } from "./dom.js";
import { Drag } from "./drag.js";
import { clear, frame, paintPeople } from "./people.js";
import { can, Room } from "./room.js";
import { Stage } from "./stage.js";

/** What there is to look at where the scene names no devices. */
const USUAL = [
  ["phone", { width: 390, height: 844, scale: 3, idiom: "phone" }], ["tablet", { width: 820, height: 1180, scale: 2, idiom: "pad" }],
  ["desk", { width: 1280, height: 800, scale: 2, idiom: "desktop" }], ["TV", { width: 1920, height: 1080, idiom: "tv" }],
  ["terminal", { width: 640, height: 384, idiom: "terminal" }],
];
const SIZES = [
  ["Text as it is", ""], ["Small text", "extraSmall"], ["Large text", "extraExtraExtraLarge"], ["Larger text", "accessibilityLarge"], ["Largest text", "accessibilityExtraExtraExtraLarge"],
];
const REACH = 6;
/** The height of a device's picture, in CSS pixels, where its width allows it. */
const HEIGHT = 380;

export class Wall {
  tiles = [];
  /** What all devices of the wall have besides their own. */
  changes = {};

  constructor(app) {
    this.app = app;
    this.element = $("wall");
    const toggle = (text, key, value) => h("button", { text, "aria-pressed": "false", onclick: ({ currentTarget }) => {
      const isOn = currentTarget.getAttribute("aria-pressed") !== "true";
      currentTarget.setAttribute("aria-pressed", String(isOn));
      this.change(key, isOn ? value : undefined);
    } });
    this.grid = h("div", { id: "tiles" });
    this.element.replaceChildren(
      h("div", { class: "line", role: "group", "aria-label": "All devices" },
        this.dark = toggle("Dark", "userInterfaceStyle", "dark"), this.light = toggle("Light", "userInterfaceStyle", "light"),
        toggle("Right to left", "direction", "rtl"),
        h("select", { "aria-label": "Text size", onchange: ({ target }) => this.change("contentSizeCategory", target.value || undefined) },
          ...SIZES.map(([text, value]) => h("option", { text, value })))),
      this.grid);
    app.room.on("selection", () => this.schedule());
    app.room.on("people", () => this.schedule());
    addEventListener("resize", () => this.schedule());
  }

  get isOpen() { return !this.element.hidden; }

  toggle() {
    this.element.hidden = !this.element.hidden;
    $("show-wall").setAttribute("aria-expanded", String(this.isOpen));
    for (const tile of this.tiles.splice(0)) tile.close();
    this.grid.replaceChildren();
    if (this.isOpen) this.open();
    this.app.inspector?.refresh();
  }

  open() {
    const { names = [] } = this.app.room.granted ?? {};
    const devices = names.length ? names.map((name) => [name, { name, viewport: {} }]) : USUAL.map(([name, viewport]) => [name, { name: "", viewport }]);
    this.tiles = [["Shared", { name: "", viewport: {} }], ...devices].map(([title, device]) => new Tile(this, title, device));
    this.grid.append(...this.tiles.map(({ element }) => element));
  }

  /** Looks at all devices in another way: dark or light, from the other side, with other text. Dark and light exclude each other. */
  change(key, value) {
    if (value === undefined) delete this.changes[key];
    else this.changes[key] = value;
    const style = this.changes.userInterfaceStyle;
    this.dark.setAttribute("aria-pressed", String(style === "dark"));
    this.light.setAttribute("aria-pressed", String(style === "light"));
    for (const tile of this.tiles) tile.watch();
  }

  schedule() {
    if (this.isScheduled || !this.isOpen) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      let isMoving = false;
      for (const tile of this.tiles) isMoving = tile.paint() || isMoving;
      if (isMoving) this.schedule();
    });
  }
}

/** One device of the wall. */
class Tile {
  constructor(wall, title, device) {
    const { url, room, token } = wall.app.joining;
    Object.assign(this, { wall, app: wall.app, title, device });
    this.canvas = h("canvas", { role: "img", "aria-label": `The scene on ${title}` });
    this.over = h("canvas", { tabindex: "0", role: "application", "aria-label": `${title}: click selects, drag moves` });
    this.place = h("div", { class: "device" }, this.canvas, this.over);
    this.size = h("span", { class: "note" });
    this.problems = h("details", { class: "problems", hidden: true }, h("summary"), h("ul"));
    this.element = h("figure", { "data-device": title }, h("figcaption", { class: "line" }, h("b", { text: title }), this.size), this.place, this.problems);
    this.stage = new Stage(this.canvas);
    this.stage.token = token;
    this.stage.wantsPaint = () => wall.schedule();
    this.room = new Room({ url, room, token, WebSocket, device: this.wanted });
    this.room.wantsDocument = () => false;
    this.room.on("structure", () => { this.stage.isStale = true; });
    for (const name of ["update", "structure"]) this.room.on(name, () => wall.schedule());
    for (const name of ["device", "diagnostics"]) this.room.on(name, () => this.tell());
    this.room.on("problem", (error) => toast(error.text ?? error.message, "bad"));
    this.tellPointer = throttled(60, () => this.app.room.sayWhereIAm());
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"]) this.over.addEventListener(type, (event) => this[type](event));
  }

  /** The device with what the whole wall has changed. */
  get wanted() { return { name: this.device.name, columns: 0, rows: 0, viewport: { ...this.device.viewport, ...this.wall.changes } }; }

  watch() { this.room.watch(this.wanted); }

  close() { this.room.close(); }

  /** Size and problems in words. */
  tell() {
    const { welcome, granted, diagnostics: { ambiguous, broken, feedbackLoop } } = this.room;
    if (welcome) this.size.textContent = `${welcome.viewport[0]} × ${welcome.viewport[1]}`;
    const jump = (id) => h("button", { class: "link", text: id, onclick: () => this.app.select([id]) });
    const items = [
      ...granted?.reason ? [h("li", { class: "bad", text: granted.reason })] : [],
      ...broken.map((id) => h("li", { class: "bad" }, h("b", { text: "given up " }), h("code", { text: id }))),
      ...feedbackLoop.map((id) => h("li", { class: "bad" }, h("b", { text: "feedback loop " }), jump(id))),
      ...ambiguous.map((id) => h("li", { class: "warn" }, h("b", { text: "left open " }), jump(id))),
    ];
    this.problems.hidden = items.length === 0;
    this.problems.firstChild.textContent = items.length === 1 ? "1 problem" : `${items.length} problems`;
    this.problems.lastChild.replaceChildren(...items);
    this.wall.schedule();
  }

  // --- Painting ------------------------------------------------------------------------------------------------------

  /** Returns whether something is still on its way. */
  paint() {
    const { room, stage, place } = this;
    if (!room.welcome || room.mirror.needsSnapshot) return false;
    if (stage.isStale) stage.rebuild(room.mirror, room.welcome);
    const { mirror } = room, width = mirror.width[mirror.root] / stage.unit, height = mirror.height[mirror.root] / stage.unit;
    const shape = `${Math.max(160, Math.round(HEIGHT * width / height))}px ${width} / ${height}`;
    if (this.shape !== shape) {
      this.shape = shape;
      place.style.width = shape.split(" ")[0];
      place.style.aspectRatio = `${width} / ${height}`;
    }
    const ratio = devicePixelRatio || 1, { clientWidth, clientHeight } = place;
    stage.resize(Math.max(1, Math.round(clientWidth * ratio)), Math.max(1, Math.round(clientHeight * ratio)), ratio);
    const isDark = (this.wall.changes.userInterfaceStyle ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const paper = isDark ? "#16161e" : "#ffffff", scale = clientWidth / width;
    if (stage.camera.scale !== scale || stage.paper !== paper) {
      Object.assign(stage, { paper, backdrop: paper, needsAll: true });
      stage.camera.scale = scale;
    }
    const isMoving = stage.paint(room.tickNow());
    this.paintOver();
    return isMoving;
  }

  paintOver() {
    const { stage, app } = this, g = this.over.getContext("2d");
    clear(g, stage);
    for (const id of app.selection) {
      const box = stage.box(id);
      if (box) frame(g, box, color("--accent"), 1.5);
    }
    paintPeople(g, { stage, room: app.room });
  }

  // --- Gestures ------------------------------------------------------------------------------------------------------

  at({ clientX, clientY }) {
    const { left, top } = this.over.getBoundingClientRect(), { scale } = this.stage.camera;
    return [(clientX - left) / scale, (clientY - top) / scale];
  }

  id(event) {
    const number = this.stage.hit(...this.at(event));
    return number === undefined ? undefined : this.room.mirror.views.get(number).id;
  }

  /** The edges of the view that is selected which a press would take hold of; all of them within it. */
  edges(event) {
    const { app, stage } = this, [id] = app.selection, box = app.selection.length === 1 && id !== "root" && stage.box(id);
    if (!box) return "";
    const { left, top } = this.over.getBoundingClientRect(), x = event.clientX - left - box.x, y = event.clientY - top - box.y;
    if (x < -REACH || y < -REACH || x > box.width + REACH || y > box.height + REACH) return "";
    const reachX = Math.min(REACH, box.width / 4), reachY = Math.min(REACH, box.height / 4);
    return (x < reachX ? "l" : x > box.width - reachX ? "r" : "") + (y < reachY ? "t" : y > box.height - reachY ? "b" : "");
  }

  pointerdown(event) {
    const { app } = this;
    this.over.setPointerCapture(event.pointerId);
    this.from = [event.clientX, event.clientY];
    this.pressed = this.edges(event);
    if (this.pressed) return;
    const id = this.id(event), isMore = event.shiftKey || event.ctrlKey || event.metaKey;
    if (id === undefined) app.select([]);
    else if (isMore || !app.selection.includes(id)) app.select([id], isMore);
    if (id !== undefined && id !== "root" && !isMore) this.pressed = "lrtb";
    this.wall.schedule();
  }

  pointermove(event) {
    const { app } = this;
    const cursor = this.at(event), place = this.stage.placeAt(cursor);
    // Who knows no places sees the pointer where it is on the main device.
    Object.assign(app.room.presence, { cursor: place && app.stage.pointOf(place) || cursor, place });
    this.tellPointer();
    if (!event.buttons) {
      this.over.style.cursor = this.edges(event) ? "move" : "default";
      return;
    }
    const dx = event.clientX - this.from[0], dy = event.clientY - this.from[1];
    if (!this.pressed || (!this.drag && Math.hypot(dx, dy) < 3) || !app.room.mayEdit || !this.room.has(can.inspect)) return;
    // What holds the views is asked on this device; the change is one of the page's own, so that it takes it back.
    this.drag ??= new Drag(app.room, app.selection.filter((id) => id !== "root"), this.pressed, (why) => toast(why, "bad"), this.room);
    const { scale } = this.stage.camera;
    this.drag.move(Math.round(dx / scale), Math.round(dy / scale));
  }

  pointerup() {
    this.drag?.end();
    this.drag = this.pressed = undefined;
  }

  pointercancel() { this.pointerup(); }

  pointerleave() {
    this.app.room.presence.cursor = this.app.room.presence.place = undefined;
    this.tellPointer();
  }
}
