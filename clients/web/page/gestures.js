// What people do with the elements over the picture, as events for the program behind the scene. Where something is done is
// found in the mirror as it is shown; what only concerns this screen, such as scrolling by itself, stays here.
import { linesWith } from "./own.js";
import { rowAfter } from "./rows.js";

/** How long a handled value is shown before the scene confirms it. */
const PATIENCE = 1000;
/** How far a finger moves, in pixels, before it scrolls instead of tapping. */
const SLACK = 6;

/** Whether a click was made by the keyboard. Other events of a pointer count nothing, so their detail is 0 always. */
const isByKey = (event) => event.type === "click" && event.detail === 0;

export class Gestures {
  /** Values that were chosen here and that the scene does not say yet, by view: { value, result }. */
  own = new Map();
  hovered = [];
  held = undefined;

  constructor({ place, stage, room, changed }) {
    Object.assign(this, { place, stage, room, changed });
    const listen = (type, body, options) => place.addEventListener(type, body, options);
    for (const type of ["pointerdown", "mousedown", "click", "touchstart"]) listen(type, (event) => this.guard(event), { capture: true, passive: false });
    listen("pointerdown", (event) => this.press(event));
    for (const type of ["pointerup", "pointercancel"]) listen(type, (event) => this.release(event));
    listen("pointermove", (event) => this.move(event));
    listen("pointerleave", () => this.hover([]));
    // A browser that drags a selected text along would take the pointer away from the press.
    listen("dragstart", (event) => event.target.matches?.('[type="text"]') || event.preventDefault());
    listen("click", (event) => this.tap(event));
    listen("keydown", (event) => this.key(event));
    listen("input", (event) => this.input(event, false));
    listen("change", (event) => this.input(event, true));
    listen("focusin", (event) => this.reveal(event));
    listen("focusout", (event) => this.leave(event));
    listen("wheel", (event) => this.wheel(event), { passive: false });
  }

  get mirror() { return this.stage.mirror; }
  interaction(view) { return this.room.client.interactions.get(view.id); }
  above(view) { return view.parent === undefined ? undefined : this.mirror.views.get(view.parent); }

  // --- Which view is meant -------------------------------------------------------------------------------------------

  /** The topmost view at a place of the window; undefined beside the scene. */
  hit({ clientX, clientY }) {
    const { stage } = this, number = stage.items.length ? stage.hit(...this.point({ clientX, clientY })) : undefined;
    return number === undefined ? undefined : this.mirror.views.get(number);
  }

  /** A place of the window in points of the root. */
  point({ clientX, clientY }) {
    const { left, top } = this.place.getBoundingClientRect(), { x, y, scale } = this.stage.camera;
    return [(clientX - left - x) / scale, (clientY - top - y) / scale];
  }

  /** From a view upward the nearest that asks for a kind of event; undefined where that one cannot be used. */
  target(view, kind) {
    let found;
    for (let each = view; each; each = this.above(each)) {
      const interaction = this.interaction(each);
      if (!found && interaction?.events.includes(kind)) found = each;
      // What cannot be used swallows, and so does all that lies in it.
      if (interaction?.enabled === false) return undefined;
    }
    return found;
  }

  /** The view of an element. */
  viewOf(element) {
    const id = element?.closest("[data-view]")?.dataset.view;
    return id === undefined ? undefined : this.mirror.view(id);
  }

  /** The view that something was done with: by its place where it has one, otherwise by what has the focus. */
  viewAt(event) { return isByKey(event) ? this.viewOf(event.target) : this.meant(event); }

  /** The topmost view at a place, or the control that reaches there for fingers beyond its picture, if nothing there can be used. */
  meant(event, at = event) {
    const hit = this.hit(at), control = this.viewOf(event.target);
    if (!control || !hit || this.interaction(control)?.control === "none") return hit;
    const around = new Set();
    for (let each = control; each; each = this.above(each)) around.add(each);
    for (let each = hit; each && !around.has(each); each = this.above(each)) if (this.interaction(each)) return hit;
    const shown = this.stage.box(control.id), { left, top } = this.place.getBoundingClientRect();
    const isInside = shown && at.clientY - top >= shown.y && at.clientY - top < shown.y + shown.height && at.clientX - left >= shown.x;
    // Over its picture lies what was hit.
    return isInside ? hit : control;
  }

  /** Keeps what lies under another view from being used through it: elements are only there for some views. */
  guard(event) {
    const view = this.viewOf(event.target), touch = event.touches?.[0];
    if (!view || isByKey(event)) return;
    for (let each = this.meant(event, touch ?? event); each; each = this.above(each)) if (each === view) return;
    event.preventDefault();
    if (event.type === "click") event.stopPropagation();
  }

  // --- Telling -------------------------------------------------------------------------------------------------------

  /** Sends an event about a view; resolves to its result. */
  send(kind, view, event, value = null) {
    const shown = this.stage.shown(view.number), isPointed = event?.clientX !== undefined && !isByKey(event);
    const [x, y] = isPointed ? this.point(event) : [0, 0];
    const place = isPointed && shown ? [x - shown.x, y - shown.y] : [0, 0];
    const modifiers = ["shiftKey", "ctrlKey", "altKey", "metaKey"].reduce((bits, key, bit) => bits | (event?.[key] ? 1 << bit : 0), 0);
    const sent = this.room.client.sendEvent({ kind, view: view.id, tick: this.mirror.tick, place, modifiers, value });
    // Where a pointer was means nothing later.
    if (kind !== "hover") this.follow(sent);
    return sent;
  }

  /** Says so if what somebody did was lost, or may have been. */
  async follow(sent) {
    const { room } = this;
    room.start(sent);
    const { outcome, code, message } = await sent;
    room.finish(sent);
    if (outcome === "unknown") room.emit("problem", new Error("The connection was cut: what you did last may not have arrived."));
    else if (code === "limit" || (outcome === "unhandled" && message)) room.emit("problem", new Error(`What you did last was not sent: ${message}.`));
  }

  press(event) {
    const view = this.meant(event);
    this.held = { at: [event.clientX, event.clientY], id: event.pointerId, scroller: this.scroller(view), scrolled: false };
    this.held.taps = view && this.target(view, "tap");
    this.held.pressed = view && this.target(view, "press");
    const shown = this.held.taps && this.place.querySelector(`[data-view="${this.held.taps.id}"]`);
    shown?.classList.add("pressed");
    this.held.shown = shown;
    if (this.held.pressed) this.send("press", this.held.pressed, event, "began");
  }

  release(event) {
    const { held } = this;
    if (!held || held.id !== event.pointerId) return;
    held.shown?.classList.remove("pressed");
    if (held.pressed) {
      const isUp = event.type === "pointerup", under = isUp && this.hit(event), over = under && this.target(under, "press");
      if (over && over.id !== held.pressed.id) this.send("press", over, event, "dropped");
      this.send("press", held.pressed, event, isUp ? "ended" : "cancelled");
    }
    held.isOver = true;
  }

  tap(event) {
    const { held } = this, view = this.viewAt(event), found = view && this.target(view, "tap");
    this.held = undefined;
    const isKey = isByKey(event);
    if (!found || (!isKey && (held?.scrolled || held?.taps !== found))) return;
    this.send("tap", found, event);
  }

  move(event) {
    const { held } = this;
    if (held && !held.isOver && held.id === event.pointerId && event.pointerType === "touch" && held.scroller) {
      const [x, y] = held.at, [dx, dy] = [x - event.clientX, y - event.clientY];
      if (!held.scrolled && Math.hypot(dx, dy) < SLACK) return;
      if (!held.scrolled) held.shown?.classList.remove("pressed");
      held.scrolled = true;
      held.at = [event.clientX, event.clientY];
      this.scroll(held.scroller, dx, dy);
      return;
    }
    if (event.pointerType === "touch") return;
    const view = this.hit(event), found = view && this.target(view, "hover");
    this.hover(found ? [found] : [], event);
  }

  hover(views, event) {
    const now = new Set(views.map(({ id }) => id));
    for (const view of this.hovered) if (!now.has(view.id) && this.mirror.numbers.has(view.id)) this.send("hover", view, undefined, false);
    const before = new Set(this.hovered.map(({ id }) => id));
    for (const view of views) if (!before.has(view.id)) this.send("hover", view, event, true);
    this.hovered = views;
  }

  key(event) {
    const view = this.viewOf(event.target), found = view && this.target(view, "key");
    if (found && !event.isComposing) this.send("key", found, event, event.key);
    const { target } = event, isArea = target.matches("div");
    if (target.matches('[type="text"]') && event.key === "Escape") return void this.giveUp(view);
    if (isArea && (event.key === "Enter" || event.key === " ") && view) {
      event.preventDefault();
      const tapped = this.target(view, "tap");
      if (tapped) this.send("tap", tapped, undefined);
      return;
    }
    const row = rowAfter(target, event.key);
    if (row) {
      event.preventDefault();
      // The picture scrolls to it, not the browser.
      row.focus({ preventScroll: true });
      return;
    }
    const scroller = isArea && view && this.scroller(view);
    if (!scroller) return;
    const { height } = this.stage.shown(scroller.number), line = this.stage.cell[1];
    const steps = { ArrowDown: line, ArrowUp: -line, PageDown: height - line, PageUp: line - height, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.scroll(scroller, 0, steps[event.key] * this.stage.camera.scale);
  }

  // --- Values --------------------------------------------------------------------------------------------------------

  /** A control holds another value: shown at once, and told if it was decided on or if the program wants each step. */
  input(event, isDecided) {
    const view = this.viewOf(event.target), interaction = view && this.interaction(view);
    if (!interaction) return;
    const { target } = event, { control, continuous } = interaction;
    const value = control === "switch" ? target.checked : control === "textField" ? target.value : Number(target.value);
    if (control === "textField") this.write(view, value, isDecided || continuous);
    // Boxes and buttons decide at once, and say so twice.
    else if (control === "slider" || isDecided) this.choose(view, value, isDecided || continuous);
  }

  /** Somebody writes: what they have written is theirs until it is told. */
  write(view, value, isTold) {
    const own = this.own.get(view.id);
    if (!isTold) this.own.set(view.id, { value, told: own?.told });
    else if (own?.told === undefined && value === this.interaction(view).value) this.settle(view.id);
    else if (own?.told !== value) this.choose(view, value, true);
  }

  choose(view, value, isTold) {
    const found = this.target(view, "input"), interaction = this.interaction(view);
    const entry = { value, told: isTold ? value : this.own.get(view.id)?.told };
    this.own.set(view.id, entry);
    const lines = linesWith(view, interaction, value);
    if (lines) this.stage.ownLines.set(view.id, lines);
    this.changed();
    if (!isTold) return;
    // The value is the control's, so the event is too, unless another view above it asks in its place.
    if (!found) return void this.settle(view.id, entry);
    this.send("input", found, undefined, value).then(({ outcome }) => {
      if (outcome !== "handled") this.settle(view.id, entry);
      else setTimeout(() => this.settle(view.id, entry), PATIENCE);
    });
  }

  /** From here on the view shows what the scene says, if nothing newer was chosen. */
  settle(id, entry) {
    if (entry && this.own.get(id) !== entry) return;
    if (!this.own.delete(id)) return;
    this.stage.ownLines.delete(id);
    this.changed();
  }

  /** What the scene says of views goes before what was chosen here; but not before what somebody is choosing now. */
  told(changes) {
    for (const { id } of changes) {
      const own = this.own.get(id);
      if (own && own.told === own.value) this.settle(id, own);
    }
  }

  leave({ target }) {
    const view = target.matches('[type="text"]') && this.viewOf(target);
    if (!view) return;
    // Without a change in the browser's eyes there may be one in the scene's.
    const own = this.own.get(view.id);
    if (own && own.told === undefined && own.value === this.interaction(view)?.value) this.settle(view.id);
  }

  /** Escape: what was written is forgotten. */
  giveUp(view) {
    this.settle(view.id);
    this.changed();
  }

  // --- Scrolling -----------------------------------------------------------------------------------------------------

  /** From a view upward the nearest that this screen scrolls by itself. */
  scroller(view) {
    for (let each = view; each; each = this.above(each)) if (this.interaction(each)?.scrollsEach) return each;
    return undefined;
  }

  /** How far a view can be scrolled, by its content and its insets, in units: the least and the greatest offset (SPEC AREA-20). */
  limits({ id, number, children, content }) {
    const { mirror } = this, ends = [0, 0];
    for (const child of children) {
      if (mirror.views.get(child).content.hidden) continue;
      ends[0] = Math.max(ends[0], mirror.x[child] + mirror.width[child]);
      ends[1] = Math.max(ends[1], mirror.y[child] + mirror.height[child]);
    }
    const [top, left, bottom, right] = mirror.inset(id);
    const near = [-left, -top], far = [ends[0] - mirror.width[number] + right, ends[1] - mirror.height[number] + bottom];
    // A program may have scrolled it further: there it may stay.
    const least = near.map((end, axis) => Math.min(end, content.contentOffset[axis]));
    return [least, far.map((end, axis) => Math.max(near[axis], end))];
  }

  /** Scrolls a view on this screen, by pixels; whether it moved. */
  scroll(view, dx, dy) {
    const { stage } = this, [least, most] = this.limits(view), [x, y] = stage.ownOffsets.get(view.id) ?? view.content.contentOffset;
    const by = (pixels) => (Number.isFinite(pixels) ? pixels / stage.camera.scale * stage.unit : pixels);
    const next = [x + by(dx), y + by(dy)].map((value, axis) => Math.round(Math.max(Math.min(value, most[axis]), least[axis])));
    if (next[0] === x && next[1] === y) return false;
    stage.ownOffsets.set(view.id, next);
    this.changed();
    return true;
  }

  wheel(event) {
    if (event.ctrlKey) return;
    event.preventDefault();
    const view = this.hit(event), factor = event.deltaMode === 1 ? this.stage.cell[1] : 1;
    const [dx, dy] = [event.deltaX * factor, event.deltaY * factor];
    for (let each = this.scroller(view); each; each = this.scroller(this.above(each))) if (this.scroll(each, dx, dy)) return;
    const found = view && this.target(view, "scroll");
    if (found) this.send("scroll", found, event, [dx / this.stage.camera.scale, dy / this.stage.camera.scale]);
  }

  /** What gets the focus scrolls into view. */
  reveal({ target }) {
    const view = this.viewOf(target);
    // The browser may have scrolled the elements, which stand where the picture has them.
    for (let each = target; each && each !== this.place.parentElement; each = each.parentElement) each.scrollTop = each.scrollLeft = 0;
    for (let each = view && this.scroller(this.above(view)); each; each = this.scroller(this.above(each))) {
      const inner = this.stage.shown(view.number), outer = this.stage.shown(each.number);
      if (!inner || !outer) return;
      const beyond = (start, length, from, room) => (start < from ? start - from : start + length > from + room ? start + length - from - room : 0);
      const { scale } = this.stage.camera;
      this.scroll(each, beyond(inner.x, inner.width, outer.x, outer.width) * scale, beyond(inner.y, inner.height, outer.y, outer.height) * scale);
    }
  }
}
