/** Programs behind a scene: they own what it shows, and hear what people do with it. */
import type {
  Curve, EventKind, Mirror, Op, Pair, Result, Role, SceneClient, SceneClientOptions, SocketConstructor, U64, ViewKind, ViewProperties,
} from "./scenesync.js";

export * from "./scenesync.js";

/** `to` of a message for all other members that understand events. */
export const EVERYONE: number;

/** Ops that were refused. */
export class RefusedError extends Error {
  readonly code: string;
  readonly opIndex: number;
  /** The constraints that do not go together. */
  readonly conflicting: string[];
}
/** An event that was refused. SPEC.md, EVT-12. */
export class EventError extends Error {
  readonly code: string;
}
/** The connection has ended and does not come back. */
export class ConnectionEnded extends Error {
  /** The close code. */
  readonly code: number;
  readonly reason: string;
}

/** A view's keys; without an `id` it gets one that nobody has. */
export type NewViewProperties = ViewProperties & { id?: string };
/** A view that is not in a scene yet, with the views in it. */
export class NewView {
  readonly id: string;
  readonly kind: ViewKind;
  readonly properties: ViewProperties;
  readonly children: NewView[];
  /** What adds it and those in it, as the last of a superview or at a place in it. */
  ops(parent: string, index?: number): Op[];
}
/** A view of any kind, with the views in it. */
export function view(kind: ViewKind, properties?: NewViewProperties, children?: NewView[]): NewView;
/** Text. */
export function label(text: string, properties?: NewViewProperties): NewView;
/** A title that is tapped. */
export function button(title: string, properties?: NewViewProperties): NewView;
/** A switch: on or off. */
export function toggle(value?: boolean, properties?: NewViewProperties): NewView;
/** A number between `minimum` and `maximum`. */
export function slider(value?: number, properties?: NewViewProperties): NewView;
/** One line that people write. */
export function textField(value?: string, properties?: NewViewProperties): NewView;
/** Views one below the other. */
export function stack(children: NewView[], properties?: NewViewProperties): NewView;
/** Views one beside the other. */
export function row(children: NewView[], properties?: NewViewProperties): NewView;
/** A part of its content. */
export function scroll(children: NewView[], properties?: NewViewProperties): NewView;
/** A picture's place. */
export function image(properties?: NewViewProperties): NewView;

/** A value that changes, to be bound to a scene. */
export class Value<T> {
  constructor(value: T);
  value: T;
  /** Has a function called after each change; returns what ends that. */
  listen(listener: () => void): () => void;
}

/** A view by its id, of a scene or of a batch of changes to one. */
export class View {
  readonly id: string;
  set(properties: ViewProperties): Promise<void>;
  /** Adds a view, with those in it, as the last in this one. */
  append(added: NewView): Promise<View>;
  insert(index: number, added: NewView): Promise<View>;
  move(to: { parent?: string | View; index?: number }): Promise<void>;
  remove(): Promise<void>;
  /** Removes all views in it, as one batch. */
  clear(): Promise<void>;
  /** The ids of the views in it, in order. */
  readonly children: string[];
  /** Its lines as they are shown; undefined while it is not there. */
  readonly text: string | undefined;
}

/** Changes that are gathered to be sent as one: nothing goes out, and nothing is waited for. */
export class Batch {
  readonly ops: Op[];
  readonly mirror: Mirror;
  view(id: string): View;
  apply(...ops: Op[]): Promise<void>;
}

/** Something that somebody did with a view that a program handles, or a message to it. SPEC.md, section 18.4. */
export class ReceivedEvent {
  readonly kind: EventKind | "message";
  readonly view: string;
  readonly value: any;
  /** The sender's number in presence. */
  readonly client: number;
  /** Who the sender's token proves; empty where nobody asked. */
  readonly subject: string;
  readonly place: Pair;
  readonly modifiers: number;
  readonly tick: U64;
  /** Tells the sender now that it was handled. */
  accept(): void;
  /** Tells the sender that it was not handled, and will not be. */
  decline(): void;
}

export type Handler = (event: ReceivedEvent) => unknown;
export interface SceneOptions extends Omit<SceneClientOptions, "url" | "WebSocket"> {
  /** A WebSocket where there is none, as in Node before 22. */
  WebSocket?: SocketConstructor;
  /** `editor` unless it is said. */
  role?: Role;
}

/**
 * A program's connection to a room, over all its sockets. Its handlers run one after another, in the order in which events came. An event
 * is `handled` when its handler returns, `unhandled` when that throws, or when there is none.
 */
export class Scene {
  static connect(url: string | string[], options?: SceneOptions): Promise<Scene>;
  /** A scene over a client of one's own, which asked for capability 1024. */
  constructor(client: SceneClient);
  readonly client: SceneClient;
  readonly mirror: Mirror;
  /** Called with what a handler threw, and with why a bound value was refused; `console.error` unless set. */
  onerror: (error: unknown) => void;
  /** Resolves to why, when the connection has ended for good. */
  readonly closed: Promise<ConnectionEnded>;
  /** A view by its id, whether it is there yet or not. */
  view(id: string): View;
  /** Resolves to the mirror as soon as it is whole and `condition(mirror)` holds. */
  until(condition: (mirror: Mirror) => boolean): Promise<Mirror>;
  close(): void;
  /** Sends ops as one batch, which is taken whole or not at all; throws a `RefusedError` if not. */
  apply(...ops: Op[]): Promise<Result | undefined>;
  /** Has a function change a batch, and sends what it gathered when it has ended: all of it or, if it throws, nothing. */
  batch(change: (batch: Batch) => unknown): Promise<Result | undefined>;
  /** Makes changes, and shows what they move on its way. */
  animate(seconds: number, change: Op[] | ((batch: Batch) => unknown), options?: { delay?: number; curve?: Curve }): Promise<Result | undefined>;
  /** Lets a key of a view, or `constant`, `multiplier` or `priority` of a constraint, follow a value; at most one op a tick. */
  bind<T>(id: string, key: keyof ViewProperties | "constant" | "multiplier" | "priority", value: Value<T>, convert?: (value: T) => unknown): () => void;
  /** Handles a kind of event of a view and those in it. Returns what ends that. */
  on(kind: EventKind | "message", view: string, handler: Handler): () => void;
  /** Handles a kind of event of the whole scene. */
  on(kind: EventKind | "message", handler: Handler): () => void;
  /**
   * The same for `for await`: an event is `handled` when the loop asks for the next or says `event.accept()`, `unhandled` when the loop is
   * left or says `event.decline()`.
   */
  events(kind: EventKind | "message", view?: string): AsyncIterableIterator<ReceivedEvent>;
  /** Waits until the server knows of all handlers there are. */
  handlesAll(): Promise<void>;
  /** Sends a message to a member, to `EVERYONE`, or to whoever handles a view. */
  send(value: unknown, options?: { to?: number; view?: string }): Promise<"handled" | "unhandled" | "unknown">;
}
