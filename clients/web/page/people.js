// The other members: the list of them, their pointers and selections, following one of them, and what this member wants of them.
import { $, h } from "./dom.js";

/** Milliseconds without input after which a member is idle. */
const IDLE = 60_000;
const COLOR = "#7aa2f7";
/** How far from the stage's edges, in its pixels, a followed person is kept. */
const MARGIN = 24;
/** How many members the list shows. */
const SHOWN = 8;

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

/** Where on the stage a person points, in its CSS pixels; undefined where they point at nothing that is shown. */
function pointer({ place, cursor }, stage) {
  const { camera } = stage;
  // A place in a view means the same on every device; a point only on that of its sender.
  const point = place ? stage.pointOf(place) : cursor?.point;
  return point && [point[0] * camera.scale + camera.x, point[1] * camera.scale + camera.y];
}

/** `room` knows the people, and `stage` where views are. */
export function paintPeople(g, { room, stage }) {
  for (const person of room.people.values()) {
    const { name, selection, awareness } = person, color = awareness?.idle ? "#9aa0b5" : person.color ?? COLOR;
    for (const id of selection) {
      const box = stage.box(id);
      if (box) frame(g, box, color, 2);
    }
    const at = pointer(person, stage);
    if (!at) continue;
    const [x, y] = at;
    g.fillStyle = color;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + 4, y + 14);
    g.lineTo(x + 7.5, y + 8.5);
    g.lineTo(x + 14, y + 7);
    g.fill();
    const text = (awareness?.handRaised ? "✋ " : "") + name.slice(0, 24), width = g.measureText(text).width + 10;
    g.beginPath();
    g.roundRect(x + 10, y + 12, width, 16, 4);
    g.fill();
    g.fillStyle = "#10121c";
    g.textBaseline = "middle";
    g.fillText(text, x + 15, y + 20.5);
  }
}

/** Lists people, follows one of them, and paints them while nothing else is painted over the scene. */
export class People {
  /** The number of the member that is followed. */
  followed = undefined;
  /** Whether that is because it asked everybody to. */
  isAsked = false;
  /** The members whose spotlight is on: it is followed when it begins. */
  spotlights = new Set();
  badges = new Map();
  heardAt = performance.now();

  constructor(app) {
    this.app = app;
    this.context = $("over").getContext("2d");
    this.hand = h("button", { id: "hand", text: "✋", title: "Raise a hand", "aria-label": "Raise a hand", onclick: () => this.toggle("handRaised") });
    this.spotlight = h("button", { id: "spotlight", text: "Follow me", title: "Ask everybody to follow you", onclick: () => this.toggle("spotlight") });
    this.banner = h("div", { id: "following", role: "status" });
    this.tools = h("div", { class: "group", role: "group", "aria-label": "Ask the others" }, this.hand, this.spotlight);
    $("people").after(this.tools);
    $("stage").append(this.banner);
    for (const type of ["pointermove", "pointerdown", "keydown", "wheel"]) addEventListener(type, () => this.input(), { passive: true, capture: true });
    setInterval(() => this.setIdle(performance.now() - this.heardAt >= IDLE), 1000);
    app.room.on("status", () => this.update());
    $("fit").addEventListener("click", () => this.stop());
    this.update();
  }

  // --- This member ---------------------------------------------------------------------------------------------------

  toggle(flag) {
    const { awareness } = this.app.room;
    awareness[flag] = !awareness[flag];
    this.app.tellPresence();
    this.update();
  }

  input() {
    this.heardAt = performance.now();
    this.setIdle(false);
  }

  setIdle(idle) {
    const { awareness } = this.app.room;
    if (awareness.idle === idle) return;
    awareness.idle = idle;
    this.app.tellPresence();
  }

  // --- The others ----------------------------------------------------------------------------------------------------

  /** The room's people, or what is known of them, have changed. */
  update() {
    const { room } = this.app, { handRaised, spotlight } = room.awareness;
    this.hand.setAttribute("aria-pressed", String(handRaised));
    this.spotlight.setAttribute("aria-pressed", String(spotlight));
    this.spotlight.hidden = room.welcome?.role !== "editor";
    this.tools.hidden = !room.people.size && !handRaised && !spotlight;
    for (const [client, { awareness }] of room.people) {
      const isOn = awareness?.spotlight === true;
      if (isOn && !this.spotlights.has(client) && this.followed === undefined) this.follow(client, true);
      this.spotlights[isOn ? "add" : "delete"](client);
    }
    for (const client of this.spotlights) if (!room.people.has(client)) this.spotlights.delete(client);
    if (!room.people.has(this.followed) || this.isAsked && !this.spotlights.has(this.followed)) this.stop();
    this.list();
    this.keepInSight();
  }

  list() {
    const { people } = this.app.room;
    for (const client of this.badges.keys()) if (!people.has(client)) this.badges.delete(client);
    // Of many people those who want to say something are seen first.
    const isUp = ([, { awareness }]) => Number(awareness?.handRaised ?? false);
    const shown = [...people].sort((a, b) => isUp(b) - isUp(a)).slice(0, SHOWN).map(([client, person]) => this.badge(client, person));
    const place = $("people");
    if (shown.length !== place.children.length || shown.some((item, index) => item !== place.children[index])) place.replaceChildren(...shown);
  }

  /** The element of one person; the same one as before, so that it keeps the focus. */
  badge(client, { name, color = COLOR, awareness = {} }) {
    let item = this.badges.get(client);
    if (!item) {
      const follow = () => (this.followed === client ? this.stop() : this.follow(client, false));
      item = h("span", { role: "listitem" }, h("button", { class: "person", onclick: follow }));
      this.badges.set(client, item);
    }
    const { device, idle, handRaised } = awareness, button = item.firstChild, isFollowed = this.followed === client;
    const words = [name, device && `on ${device}`, idle && "idle", handRaised && "hand raised"].filter(Boolean);
    item.setAttribute("aria-label", words.join(", "));
    button.title = words.join(", ");
    button.setAttribute("aria-label", `Follow ${name}`);
    button.setAttribute("aria-pressed", String(isFollowed));
    button.textContent = [...name][0]?.toUpperCase() ?? "?";
    button.style.background = color;
    button.style.borderColor = color;
    for (const [word, isOn] of [["idle", idle], ["hand", handRaised], ["followed", isFollowed]]) button.classList.toggle(word, isOn === true);
    return item;
  }

  // --- Following -----------------------------------------------------------------------------------------------------

  follow(client, isAsked) {
    Object.assign(this, { followed: client, isAsked });
    const { name } = this.app.room.people.get(client);
    this.banner.replaceChildren(isAsked ? `${name} asks everybody to follow. ` : `Following ${name}. `,
      h("button", { class: "quiet", text: "Stop", "aria-label": `Stop following ${name}`, onclick: () => this.stop() }));
    this.list();
    this.keepInSight();
  }

  /** Follows no member from now on. A spotlight that is on stays unfollowed until it begins anew. */
  stop() {
    if (this.followed === undefined) return;
    this.followed = undefined;
    this.isAsked = false;
    this.banner.replaceChildren();
    this.list();
  }

  /** Moves the scene where the followed person would leave the stage. */
  keepInSight() {
    const { app } = this, person = app.room.people.get(this.followed), box = person && app.stage.box(person.selection[0]);
    const at = person && (pointer(person, app.stage) ?? (box && [box.x + box.width / 2, box.y + box.height / 2]));
    if (!at) return;
    const { camera } = app.stage, { clientWidth, clientHeight } = $("stage");
    const beyond = (value, extent) => (value < MARGIN || value > extent - MARGIN ? extent / 2 - value : 0);
    const dx = beyond(at[0], clientWidth), dy = beyond(at[1], clientHeight);
    if (dx || dy) app.pan(camera.scale, camera.x + dx, camera.y + dy);
  }

  paint() {
    const { context: g, app } = this;
    clear(g, app.stage);
    paintPeople(g, app);
  }
}
