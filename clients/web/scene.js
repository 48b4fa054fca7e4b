// A program behind a scene: it owns what the scene shows, and hears what people do with it. In browsers and Node, without
// dependencies but for scenesync.js, whose names it passes on.
//
//   import { Scene, label } from "scenesync";
//   const scene = await Scene.connect("ws://127.0.0.1:7070/board");
//   scene.on("tap", "add", () => scene.view("list").append(label("new card")));
import { SceneClient, ops } from "./scenesync.js";

export * from "./scenesync.js";

/** The bit of the capabilities for events. */
const EVENTS = 1024;
/** Subtrees that one client can handle (SPEC section 18.4). */
const ROOTS = 64;
/** Keys of a constraint; others are a view's. */
const CONSTRAINT_KEYS = new Set(["constant", "multiplier", "priority"]);
/** `to` of a message for all other members that understand events. */
export const EVERYONE = 0xffffffff;

/** Ops that were refused. `code` says why, `opIndex` which, and `conflicting` which constraints do not go together. */
export class RefusedError extends Error {
  constructor({ code, message, opIndex, conflicting }) {
    super(message ? `${code}: ${message}` : code);
    this.name = "RefusedError";
    Object.assign(this, { code, opIndex, conflicting });
  }
}

/** An event that was refused; `code` says why (SPEC EVT-12). */
export class EventError extends Error {
  constructor({ code, message }) {
    super(message ? `${code}: ${message}` : code);
    this.name = "EventError";
    this.code = code;
  }
}

/** The connection has ended and does not come back; `code` is its close code. */
export class ConnectionEnded extends Error {
  constructor(code, reason) {
    super(`the connection ended with ${code}${reason ? `: ${reason}` : ""}`);
    this.name = "ConnectionEnded";
    Object.assign(this, { code, reason });
  }
}

// --- Views to be added -----------------------------------------------------------------------------------------------

const randomDigits = () => Math.floor(Math.random() * 2 ** 24).toString(16).padStart(6, "0");

/** A view that is not in a scene yet, with the views in it. */
export class NewView {
  constructor(kind, { id = `v-${randomDigits()}${randomDigits()}`, ...properties }, children) {
    Object.assign(this, { id, kind, properties, children });
  }

  /** What adds it and those in it, as the last of their superview or at a place in it. */
  ops(parent, index) {
    const place = index === undefined ? { parent } : { parent, index };
    return [
      ops.addView(this.id, { ...place, kind: this.kind, ...this.properties }),
      ...this.children.flatMap((child) => child.ops(this.id)),
    ];
  }
}

/** A view of any kind, with the views in it; without an `id` it gets a unique one. */
export const view = (kind, properties = {}, children = []) => new NewView(kind, properties, children);
/** Text. */
export const label = (text, properties = {}) => view("label", { ...properties, text });
/** A title that is tapped. */
export const button = (text, properties = {}) => view("button", { events: ["tap"], ...properties, text });
/** A switch: on or off. (`switch` is a word of the language.) */
export const toggle = (value = false, properties = {}) => view("switch", { events: ["input"], ...properties, value });
/** A number between `minimum` and `maximum`. */
export const slider = (value = 0, properties = {}) => view("slider", { events: ["input"], ...properties, value });
/** One line that people write. */
export const textField = (value = "", properties = {}) => view("textField", { events: ["input"], ...properties, value });
/** Views one below the other. */
export const stack = (children, properties = {}) => view("stack", { axis: "vertical", ...properties }, children);
/** Views one beside the other. */
export const row = (children, properties = {}) => view("stack", { ...properties, axis: "horizontal" }, children);
/** A part of its content. */
export const scroll = (children, properties = {}) => view("scroll", properties, children);
/** A picture's place. */
export const image = (properties = {}) => view("image", properties);

// --- What is changed -------------------------------------------------------------------------------------------------

/** A value that changes, to be bound to a scene. */
export class Value {
  #value;
  #listeners = new Set();

  constructor(value) { this.#value = value; }
  get value() { return this.#value; }
  /** Those that are bound to it follow with the next tick. */
  set value(value) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
  /** Has a function called after each change; returns what ends that. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** A view by its id, of a scene or of a batch of changes to one. */
export class View {
  #owner;

  constructor(owner, id) {
    this.#owner = owner;
    this.id = id;
  }
  /** Changes properties. */
  async set(properties) { await this.#owner.apply(ops.setView(this.id, properties)); }
  /** Adds a view, with those in it, as the last in this one. */
  append(added) { return this.insert(undefined, added); }
  /** Adds a view, with those in it, at a place in this one. */
  async insert(index, added) {
    await this.#owner.apply(...added.ops(this.id, index));
    return new View(this.#owner, added.id);
  }
  /** Gives the view another superview (`parent`: an id or a view), another place (`index`), or both. */
  async move({ parent, index }) {
    const fields = { parent: parent instanceof View ? parent.id : parent, index };
    for (const key of Object.keys(fields)) if (fields[key] === undefined) delete fields[key];
    await this.#owner.apply(ops.moveView(this.id, fields));
  }
  /** Removes the view and those in it. */
  async remove() { await this.#owner.apply(ops.removeView(this.id)); }
  /** Removes all views in it, as one batch. */
  async clear() { await this.#owner.apply(...this.children.map((id) => ops.removeView(id))); }
  /** The ids of the views in it, in order. */
  get children() {
    const { mirror } = this.#owner, found = mirror.view(this.id);
    return found ? found.children.map((number) => mirror.views.get(number).id) : [];
  }
  /** Its lines as they are shown; undefined while it is not there. */
  get text() { return this.#owner.mirror.view(this.id)?.content.lines.map((line) => line.text).join("\n"); }
}

/** Changes that are gathered to be sent as one: used as a scene is, but nothing is sent or awaited. */
export class Batch {
  ops = [];
  #scene;

  constructor(scene) { this.#scene = scene; }
  /** The views as they are before the batch. */
  get mirror() { return this.#scene.mirror; }
  view(id) { return new View(this, id); }
  async apply(...list) { this.ops.push(...list); }
}

// --- What is heard ---------------------------------------------------------------------------------------------------

/** A user's action on a view that a program handles, or a message to the program. */
export class ReceivedEvent {
  #answer;

  constructor({ kind, view: subject, value, client, subject: sender, place, modifiers, tick }, answer) {
    Object.assign(this, { kind, view: subject, value, client, subject: sender, place, modifiers, tick });
    this.#answer = answer;
  }
  /** Tells the sender now that it was handled. */
  accept() { this.#answer(true); }
  /** Tells the sender that it was not handled, and will not be. */
  decline() { this.#answer(false); }
}

/** The events of one kind and view, for one loop. */
class EventStream {
  #waiting = [];
  #current;
  #wake;
  #hasEnded = false;
  #ended;

  constructor(ended) { this.#ended = ended; }
  [Symbol.asyncIterator]() { return this; }

  push(event) {
    if (this.#hasEnded) return event.decline();
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** The loop has done its work with an event when it asks for the next. */
  async next() {
    this.#current?.accept();
    this.#current = undefined;
    while (this.#waiting.length === 0) {
      if (this.#hasEnded) return { done: true, value: undefined };
      await new Promise((resolve) => { this.#wake = resolve; });
      this.#wake = undefined;
    }
    this.#current = this.#waiting.shift();
    return { done: false, value: this.#current };
  }

  /** The loop was left. Nothing tells `break` from an error that was thrown, so what was not accepted was not handled. */
  async return() {
    this.#current?.decline();
    this.#current = undefined;
    this.end();
    return { done: true, value: undefined };
  }

  end() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const event of this.#waiting.splice(0)) event.decline();
    this.#ended();
    this.#wake?.();
  }
}

// --- The scene -------------------------------------------------------------------------------------------------------

/**
 * A program's connection to a room, over all its sockets. Its handlers run one after another, in the order in which events came, as on
 * UIKit's main thread: what takes long goes on by itself. An event is `handled` when its handler returns, `unhandled` when that throws,
 * or when there is none.
 */
export class Scene {
  /** A room; the connection is made again after a cut. Rejects with `ConnectionEnded` where there is none to be had. */
  static async connect(url, { role = "editor", capabilities = 0, WebSocket = globalThis.WebSocket, ...options } = {}) {
    if (!WebSocket) throw new TypeError("there is no WebSocket here (Node has its own from 22 on): name one in the options");
    const scene = new Scene(new SceneClient({ url, WebSocket, role, capabilities: capabilities | EVENTS, ...options }));
    await scene.until(() => true);
    return scene;
  }

  /** Called with what a handler threw, and with why a bound value was refused. */
  onerror = (error) => console.error(error);
  /** Resolves to why, when the connection has ended for good. */
  closed;
  #end;
  #close;
  /** Of those who wait for the mirror: { condition, resolve, reject }. */
  #waiting = new Set();
  /** By kind and view: { view, take }. */
  #handlers = new Map();
  #streams = new Set();
  #telling;
  /** Events that wait for the handlers before them. */
  #queue = [];
  #isDispatching = false;
  /** What makes the op of each bound key that has changed. */
  #bound = new Map();
  #isFlushing = false;

  /** A scene over a client of one's own, which asked for capability 1024; its `onupdate`, `onevent` and `onclose` are the scene's. */
  constructor(client) {
    this.client = client;
    this.closed = new Promise((resolve) => { this.#close = resolve; });
    client.onupdate = () => this.#updated();
    client.onevent = (message) => this.#take(message);
    client.onclose = ({ code, reason, willRetry }) => { if (!willRetry) this.#ended(new ConnectionEnded(code, reason)); };
  }

  /** The views as they are now. */
  get mirror() { return this.client.mirror; }

  /** A view by its id, whether it is there yet or not. */
  view(id) { return new View(this, id); }

  /** Resolves to the mirror as soon as it is whole and `condition(mirror)` holds. */
  until(condition) {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      this.#waiting.add({ condition, resolve, reject });
      this.#updated();
    });
  }

  /** Ends the connection. */
  close() { this.client.close(); }

  #updated() {
    if (this.mirror.needsSnapshot) return;
    for (const entry of this.#waiting) {
      try {
        if (!entry.condition(this.mirror)) continue;
        entry.resolve(this.mirror);
      } catch (error) {
        entry.reject(error);
      }
      this.#waiting.delete(entry);
    }
  }

  #ended(end) {
    this.#end = end;
    for (const { reject } of this.#waiting) reject(end);
    this.#waiting.clear();
    for (const stream of this.#streams) stream.end();
    this.#close(end);
  }

  // --- Changing it

  /** Sends ops as one batch, which is taken whole or not at all; throws a `RefusedError` if not. */
  apply(...list) { return this.#send(list, list.length > 1); }

  async #send(list, atomic) {
    if (this.#end) throw this.#end;
    if (list.length === 0) return undefined;
    const result = await this.client.send(list, { atomic }).catch((error) => { throw this.#end ?? error; });
    if (result.outcome === "refused") throw new RefusedError(result);
    return result;
  }

  /** Has a function change a batch, and sends what it gathered when it has ended: all of it or, if it throws, nothing. */
  async batch(change) {
    const batch = new Batch(this);
    await change(batch);
    return this.#send(batch.ops, true);
  }

  /**
   * Makes changes, and shows what they move on its way: `animate(0.3, (batch) => batch.view("list").append(label("new")))`, or
   * ops in a list.
   */
  async animate(seconds, change, options = {}) {
    const batch = new Batch(this);
    if (typeof change === "function") await change(batch);
    else await batch.apply(...change);
    return this.apply(ops.animate(seconds, batch.ops, { flushUpdates: true, ...options }));
  }

  /**
   * Lets a key of a view, or `constant`, `multiplier` or `priority` of a constraint, follow a value; at most one op a tick. `convert`
   * makes what is sent of it. Returns what ends that.
   */
  bind(id, key, value, convert = (given) => given) {
    const make = CONSTRAINT_KEYS.has(key) ? ops.setConstraint : ops.setView;
    const changed = () => {
      this.#bound.set(`${key} ${id}`, () => make(id, { [key]: convert(value.value) }));
      this.#flush();
    };
    changed();
    return value.listen(changed);
  }

  async #flush() {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // What is set in one go is sent once.
    await undefined;
    while (this.#bound.size > 0 && !this.#end) {
      const makers = [...this.#bound.values()];
      this.#bound.clear();
      try {
        const { refusals } = await this.#send(makers.map((make) => make()), false);
        for (const refusal of refusals) this.onerror(new RefusedError(refusal));
      } catch (error) {
        if (error !== this.#end) this.onerror(error);
      }
      await new Promise((done) => setTimeout(done, 1000 / Math.max(this.client.welcome?.tickRate ?? 60, 1)));
    }
    this.#isFlushing = false;
  }

  // --- Hearing of it

  /**
   * Handles a kind of event of a view and those in it: the handler of the nearest view is called. `on(kind, handler)` is about the
   * whole scene. Returns what ends that.
   */
  on(kind, subject, handler) {
    if (typeof subject === "function") return this.on(kind, "root", subject);
    return this.#register(kind, subject, (event, answer) => this.#enqueue(event, answer, handler));
  }

  /**
   * A kind of event of a view and those in it, for `for await`. An event is `handled` when the loop asks for the next, or says
   * `event.accept()`; `unhandled` when the loop is left, or says `event.decline()`. Loops do not wait for each other, nor for handlers.
   */
  events(kind, subject = "root") {
    const stream = new EventStream(() => {
      this.#streams.delete(stream);
      forget();
    });
    const forget = this.#register(kind, subject, (event) => stream.push(event));
    this.#streams.add(stream);
    if (this.#end) stream.end();
    return stream;
  }

  #register(kind, subject, take) {
    const key = `${kind} ${subject}`, entry = { view: subject, take };
    const views = new Set([...this.#handlers.values()].map((each) => each.view));
    if (views.size >= ROOTS && !views.has(subject)) throw new RangeError(`a program handles ${ROOTS} views: handle one that they are in`);
    this.#handlers.set(key, entry);
    this.#tell();
    return () => {
      // Another may have taken its place.
      if (this.#handlers.get(key) !== entry) return;
      this.#handlers.delete(key);
      this.#tell();
    };
  }

  /** Tells the server which views are handled, once for several handlers in a row. */
  #tell() {
    this.#telling ??= Promise.resolve().then(() => {
      this.#telling = undefined;
      if (!this.#end) this.client.handle([...new Set([...this.#handlers.values()].map((entry) => entry.view))].sort());
    });
  }

  /** Waits until the server knows of all handlers there are. */
  async handlesAll() {
    await this.#telling;
    // The server takes messages in order, and answers this one.
    await this.apply(ops.setNeedsLayout());
  }

  /**
   * Sends a message: to a member by its number in presence, to `EVERYONE`, or to the handler of a view. Resolves to what became of
   * it: `handled`, `unhandled` or `unknown`; throws an `EventError` where it was refused.
   */
  async send(value, { to = 0, view: subject = "" } = {}) {
    const result = await this.client.sendEvent({ kind: "message", view: subject, value, to });
    if (result.outcome === "refused") throw new EventError(result);
    return result.outcome;
  }

  #take(message) {
    const answer = (isHandled) => this.client.answer(message, isHandled);
    const event = new ReceivedEvent(message, answer), entry = this.#entryFor(message);
    if (entry) entry.take(event, answer);
    else answer(false);
  }

  #entryFor({ kind, view: subject }) {
    // A message may be about no view, and a view may be gone already.
    const path = this.mirror.view(subject) ? [] : [subject, "root"];
    for (let at = this.mirror.view(subject); at; at = this.mirror.views.get(at.parent)) path.push(at.id);
    for (const id of path) {
      const entry = this.#handlers.get(`${kind} ${id}`);
      if (entry) return entry;
    }
    return undefined;
  }

  async #enqueue(event, answer, handler) {
    this.#queue.push({ event, answer, handler });
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      let isHandled = true;
      try {
        await next.handler(next.event);
      } catch (error) {
        isHandled = false;
        this.onerror(error);
      }
      // What it answered itself stands.
      next.answer(isHandled);
    }
    this.#isDispatching = false;
  }
}
