/** A client of SceneSync. SPEC.md and LANGUAGE.md of the protocol say what messages and ops mean. */

/** A whole number; above 2^53 its decimal digits. */
export type U64 = number | string;
export type Rectangle = [x: number, y: number, width: number, height: number];
export type Pair = [number, number];
export type Role = "viewer" | "editor" | "participant";
export type Format = "bin" | "json";
export type Curve = "linear" | "easeIn" | "easeOut" | "easeInOut";
/** What a view is drawn as. */
export type Kind = "view" | "label" | "stack" | "scroll" | "flow" | "image";
/** What a view of a document is. LANGUAGE.md, section 3. */
export type ViewKind = Kind | "button" | "switch" | "slider" | "textField" | "segmented" | "progress";
/** What a view can ask to hear of. LANGUAGE.md, section 3. */
export type EventKind = "tap" | "press" | "hover" | "key" | "scroll" | "input";
export type Border = "none" | "single" | "rounded" | "double" | "heavy";
export type Align = "left" | "center" | "right" | "natural" | "justified";

/** The keys of a view that can be changed. LANGUAGE.md, section 3. */
export interface ViewProperties {
  text?: string;
  lines?: number;
  align?: Align;
  preferredWidth?: number;
  background?: string;
  foreground?: string;
  border?: Border;
  opacity?: number;
  hidden?: boolean;
  clips?: boolean;
  contentMode?:
    | "scaleToFill" | "scaleAspectFit" | "scaleAspectFill" | "redraw" | "center" | "top" | "bottom" | "left" | "right"
    | "topLeft" | "topRight" | "bottomLeft" | "bottomRight";
  collapses?: "width" | "height" | boolean;
  intrinsic?: Pair;
  hugging?: Pair;
  compression?: Pair;
  baseline?: Pair;
  margins?: [top: number, leading: number, bottom: number, trailing: number];
  safeArea?: [top: number, leading: number, bottom: number, trailing: number];
  frame?: Rectangle;
  frameIn?: Pair;
  autoresizing?: (
    | "flexibleLeftMargin" | "flexibleWidth" | "flexibleRightMargin" | "flexibleTopMargin" | "flexibleHeight"
    | "flexibleBottomMargin"
  )[];
  axis?: "horizontal" | "vertical";
  distribution?: "fill" | "fillEqually" | "fillProportionally" | "equalSpacing" | "equalCentering";
  alignment?: "fill" | "leading" | "center" | "trailing" | "top" | "bottom" | "firstBaseline" | "lastBaseline";
  spacing?: number;
  customSpacing?: Record<string, number>;
  arranged?: string[];
  contentOffset?: Pair;
  layoutMarginsRelativeArrangement?: boolean;
  dynamicType?: boolean;
  traits?: Traits;
  variations?: ({ when: string } & Omit<ViewProperties, "traits" | "variations">)[];
  insetsLayoutMarginsFromSafeArea?: boolean;
  preservesSuperviewLayoutMargins?: boolean;
  keyboardUsesBottomSafeArea?: boolean;
  minimumContentSizeCategory?: string;
  maximumContentSizeCategory?: string;
  installed?: boolean;
  alignmentInsets?: [top: number, leading: number, bottom: number, trailing: number];
  contentInset?: [top: number, leading: number, bottom: number, trailing: number];
  contentInsetAdjustmentBehavior?: "automatic" | "scrollableAxes" | "never" | "always";
  layoutMarginsFollowReadableWidth?: boolean;
  baselineRelativeArrangement?: boolean;
  textStyle?: "largeTitle" | "title1" | "title2" | "title3" | "headline" | "body" | "callout" | "subheadline" | "footnote" | "caption1" | "caption2";
  fontSize?: number;
  fontWeight?: "ultraLight" | "thin" | "light" | "regular" | "medium" | "semibold" | "bold" | "heavy" | "black";
  lineBreakMode?: "byWordWrapping" | "byCharWrapping" | "byClipping" | "byTruncatingHead" | "byTruncatingTail" | "byTruncatingMiddle";
  minimumScaleFactor?: number;
  cornerRadius?: number;
  maskedCorners?: ("topLeft" | "topRight" | "bottomLeft" | "bottomRight")[];
  borderWidth?: number;
  borderColor?: string;
  shadow?: { color?: string; offset?: Pair; radius?: number; opacity?: number };
  gradient?: { colors: string[]; locations?: number[]; startPoint?: Pair; endPoint?: Pair };
  tint?: string;
  transform?: { rotation?: number; scale?: number | Pair; translation?: Pair };
  image?: string | { hash: string; scale?: number; width?: number; height?: number; type?: string };
  symbol?: string;
  chart?: {
    values: number[]; style?: "line" | "area" | "bars"; minimum?: number; maximum?: number; color?: string; lineWidth?: number; gridLines?: number;
  };
  events?: EventKind[];
  enabled?: boolean;
  focusable?: boolean;
  selected?: boolean;
  continuous?: boolean;
  scrolls?: "together" | "each";
  label?: string;
  role?: string;
  hint?: string;
  value?: boolean | number | string;
  minimum?: number;
  maximum?: number;
  step?: number;
  placeholder?: string;
  segments?: string[];
}

export type SizeClass = "unspecified" | "compact" | "regular";
export interface Environment {
  horizontalSizeClass?: SizeClass;
  verticalSizeClass?: SizeClass;
  contentSizeCategory?: string;
  userInterfaceStyle?: "unspecified" | "light" | "dark";
  idiom?: string;
  typography?: "unspecified" | "grid" | "faces";
  accessibilityContrast?: "unspecified" | "normal" | "high";
}
/** Traits that a view sets for itself and all below it. SPEC.md, TRAIT-2. */
export interface Traits extends Environment {
  scale?: number;
  direction?: "ltr" | "rtl";
  windowClass?: "unspecified" | "compact" | "medium" | "expanded" | "large" | "extraLarge";
}

/** The keys of a viewport. LANGUAGE.md, section 2. */
export interface ViewportProperties extends Environment {
  width?: number;
  height?: number;
  scale?: number;
  direction?: "ltr" | "rtl";
  rounding?: "pixel" | "none";
  unsatisfiable?: "refuse" | "break";
  cell?: Pair;
  safeArea?: { top?: number; leading?: number; bottom?: number; trailing?: number } | [number, number, number, number];
  keyboard?: number;
  margins?: [top: number, leading: number, bottom: number, trailing: number] | "view" | "controller";
}

export interface View extends ViewProperties {
  id: string;
  parent?: string;
  index?: number;
  kind?: ViewKind;
}

export interface ConstraintObject {
  id?: string;
  rule?: string;
  vfl?: string;
  options?: string[];
  active?: boolean;
  identifier?: string;
  placeholder?: boolean;
  variations?: { when: string; constant?: number; priority?: number; active?: boolean }[];
}
export type Constraint = string | ConstraintObject;

export interface SceneDocument {
  scene: 1;
  viewport: ViewportProperties & { width: number; height: number };
  views?: View[];
  guides?: { id: string; parent?: string }[];
  constraints?: Constraint[];
  sets?: Record<string, { when?: string; constraints: Constraint[] }>;
  devices?: Record<string, Omit<ViewportProperties, "unsatisfiable"> & { strict?: boolean }>;
}

/** An op as the wire has it. */
export interface Op {
  op: string;
  [key: string]: unknown;
}

/** A maker for each op. LANGUAGE.md, section 8. */
export const ops: {
  // --- scripts/op_tables.py writes what follows from protocol/ops.json ---
  setScene(document: SceneDocument): Op;
  addView(id: string, fields?: Omit<View, "id">): Op;
  removeView(id: string): Op;
  moveView(id: string, fields: { parent?: string; index?: number }): Op;
  setView(id: string, fields: ViewProperties): Op;
  resetView(id: string, fields: { keys: (keyof ViewProperties)[] }): Op;
  addGuide(id: string, fields?: { parent?: string }): Op;
  addConstraint(id: string | undefined, fields: Omit<ConstraintObject, "id"> & { set?: string }): Op;
  removeConstraint(id: string): Op;
  setConstraint(id: string, fields: { constant?: number; priority?: number; multiplier?: number; active?: boolean }): Op;
  activateSet(id: string, fields?: { auto?: boolean }): Op;
  deactivateSet(id: string): Op;
  setViewport(fields: ViewportProperties): Op;
  setContentOffset(id: string, fields: { offset: Pair }): Op;
  setNeedsUpdateConstraints(id?: string): Op;
  updateConstraintsIfNeeded(id?: string): Op;
  setNeedsLayout(id?: string): Op;
  layoutIfNeeded(id?: string): Op;
  setNeedsDisplay(id?: string, fields?: { rect?: Rectangle }): Op;
  sizeToFit(id: string): Op;
  animate(duration: number, ops: Op[], fields?: { delay?: number; curve?: Curve; flushUpdates?: boolean }): Op;
  setNeedsUpdateProperties(id?: string): Op;
  updatePropertiesIfNeeded(id?: string): Op;
  // --- end of what scripts/op_tables.py writes ---
};

export interface Line {
  text: string;
  place: [x: number, y: number, width: number];
}

/** What is drawn of a view. SPEC.md, VAL-7. */
export interface Content {
  kind: Kind;
  hidden: boolean;
  clips: boolean;
  opacity: number;
  background?: string;
  foreground?: string;
  border: Border;
  align: Align;
  contentOffset: Pair;
  lines: Line[];
  /** What is drawn besides; no part of the state hash. */
  look?: Look;
}

/** What is drawn of a view besides its content; lengths are in points. SPEC.md, VAL-14. */
export interface Look {
  cornerRadius: number;
  /** 1 top left, 2 top right, 4 bottom left, 8 bottom right. */
  maskedCorners: number;
  borderWidth: number;
  borderColor?: string;
  tint?: string;
  shadow?: { color?: string; offset: Pair; radius: number };
  gradient?: { start: Pair; end: Pair; stops: { location: number; color?: string }[] };
  transform?: { rotation: number; scale: Pair; translation: Pair };
  /** The size is in pixels, `scale` is pixels a point. */
  image?: { hash: string; width: number; height: number; scale: number; mode: NonNullable<ViewProperties["contentMode"]> };
  /** Heights are shares of the view's height, 0 … 1. SPEC.md, VAL-18. */
  chart?: { style: "line" | "area" | "bars"; lineWidth: number; gridLines: number; color?: string; heights: number[] };
  /** In the tint; `side` is that of its square, in points. SPEC.md, VAL-17. */
  symbol?: { name: string; side: number; mode: NonNullable<ViewProperties["contentMode"]> };
}

export interface Refusal {
  code: string;
  message: string;
  opIndex: number;
  conflicting: string[];
}

export interface Committed {
  type: "result";
  clientSequence: U64;
  tick: U64;
  outcome: "committed";
  frames: { id: string; frame: Rectangle }[];
  removedConstraints: string[];
  refusals: Refusal[];
  work?: U64;
}
export interface Refused extends Refusal {
  type: "result";
  clientSequence: U64;
  tick: U64;
  outcome: "refused";
  work?: U64;
}
export type Result = Committed | Refused;

export interface Welcome {
  type: "welcome";
  session: string;
  resumeToken: string;
  epoch: U64;
  version: number;
  capabilities: U64;
  tickRate: number;
  tick: U64;
  monotonicMilliseconds: U64;
  unitsPerPoint: number;
  viewport: Pair;
  scale: number;
  cell: Pair;
  limits: Record<
    | "messageBytes" | "views" | "constraints" | "ops" | "messagesPerSecond" | "depth" | "textBytes" | "inflatedBytes"
    | "unacknowledgedFrames",
    number
  >;
  role: Role;
  work?: Record<"op" | "message" | "tick" | "second", U64>;
  /** Other addresses of the room. */
  alternates?: { urls: string[] };
  /** This client's own number in presence and events; left out by servers that do not tell it. */
  client?: number | string;
  /** What this person's annotations name it by. */
  person?: number | string;
}

export interface PresencePlace {
  view: string;
  fraction: Pair;
}

/** What a member attends to, and what it wants of the others. */
export interface PresenceAwareness {
  /** The device of the scene that it watches; empty for the main one and for one of its own. */
  device: string;
  /** Its client has had no input for 60 seconds. */
  idle: boolean;
  /** It wants to say something. */
  handRaised: boolean;
  /** It asks all others to follow it; servers pass that on of editors alone. */
  spotlight: boolean;
}

/** Asks which size fits a view: next to a width and height wished for, in points, at two priorities, 1 to 1000. */
export interface FittingQuestion {
  view: string;
  size: Pair;
  priorities: Pair;
}

/** Asks what stands behind frames, and, with capability 11, which sizes fit views; `inspection` answers. */
export interface Inspect {
  type: "inspect";
  request: number;
  document: boolean;
  views: string[];
  fittings?: { views: FittingQuestion[] };
}

/** Turns `records` on or off; needs capability 14. A connection begins without them. */
export interface Follow {
  type: "follow";
  enabled: boolean;
}

/** What a replica of the server's scene repeats: SPEC.md, section 20. Parts are put together before `onmessage` gets it. */
export interface Records {
  type: "records";
  /** The tick whose state the replica has after them. */
  tick: U64;
  /** Whether the replica begins anew: the first record is a snapshot. */
  start: boolean;
  /** What records name this client by; empty where that was told already. */
  author: string;
  chunkIndex: number;
  chunkCount: number;
  /** A list of records in JSON. */
  text: string;
  state?: { hash: string };
}

export interface Presence {
  type: "presence";
  client: number;
  clock: number;
  gone: boolean;
  name: string;
  color?: string;
  /** In the root of the device that they watch on, in points. */
  cursor?: { point: Pair };
  /** The same as a place in a view, as shares of its width and height: it means the same on every device. */
  place?: PresencePlace;
  /** Left out, it counts as an empty device and no flag. */
  awareness?: PresenceAwareness;
  selection: string[];
}

export interface ErrorMessage {
  type: "error";
  code: number;
  retryable: boolean;
  retryAfterMilliseconds: number;
  text: string;
}

/** A message of section 6 of SPEC.md: `type` and the members that stand there. */
export interface Message {
  type: string;
  [key: string]: unknown;
}

/** Why bytes are no message; `code` is a name of section 11.1. */
export class DecodeError extends Error {
  readonly code: string;
  readonly offset?: number;
  /** Whether the message is of a later version and may be passed over. */
  readonly ignorable?: boolean;
}

/** Why a message does not fit the mirror; `code` is a name of section 11.2. */
export class MirrorError extends Error {
  readonly code: string;
}

export function decode(bytes: Uint8Array, from?: "server" | "client"): Message;
export function decodeJSON(source: string, from?: "server" | "client"): Message;
export function encode(message: Message, from?: "server" | "client"): Uint8Array;
export function inflate(bytes: Uint8Array, length: number): Uint8Array;
export function parseJSON(text: string): unknown;
export function curveProgress(curve: Curve, time: number): number;
export const limits: Readonly<Record<string, number>>;

export interface MirrorView {
  number: number;
  id: string;
  /** The number of the superview. */
  parent?: number;
  /** The numbers of the subviews, the last in front. */
  children: number[];
  content: Content;
}

/** A renderer's copy of a scene. */
export class Mirror {
  /** Whether the owner calls `verify` some time after a snapshot, so that it can be shown first. */
  verifiesLater: boolean;
  readonly views: Map<number, MirrorView>;
  /** The numbers of views by their ids. */
  readonly numbers: Map<string, number>;
  readonly root?: number;
  readonly epoch: U64;
  readonly tick: U64;
  /** Whether only a snapshot can be applied. */
  readonly needsSnapshot: boolean;
  readonly isWithinTick: boolean;
  readonly size: number;
  readonly stateHash: string;
  view(id: string): MirrorView | undefined;
  /** In the superview, in units. */
  frame(number: number): Rectangle;
  /** The frame, or where a view is on the way to it while animations move it. */
  shownFrame(number: number, tick?: number): Rectangle;
  absoluteFrame(number: number): Rectangle;
  /** A point of the root, in units, as a place in a view. */
  placeIn(number: number, point: Pair): PresencePlace;
  /** The point of the root, in units, at a place; undefined where the view is not there, or not on show. */
  pointOf(place: PresencePlace): Pair | undefined;
  preorder(): MirrorView[];
  /** How far a scroll view can be scrolled beyond its content, in units; zeros for others. Needs capability 4096. */
  inset(id: string): [top: number, left: number, bottom: number, right: number];
  /** Applies a message about state or insets; says whether it was one. Throws `MirrorError`. */
  apply(message: Message): boolean;
  verify(): void;
  continueIn(epoch: U64): void;
}

/** The part of a WebSocket that a client uses: a browser's own, or one from a package. */
export interface SocketConstructor {
  new (url: string, protocols: string[]): unknown;
}

/** How long a client waits for a server that says nothing, in milliseconds; 0 for no limit. SPEC.md, CONN-39 and CONN-40. */
export interface Patience {
  /** In which a connection has to be open. */
  open: number;
  /** In which the server has to welcome the client. */
  welcome: number;
  /** After which the client pings; with 0 a silent server is not noticed. */
  silence: number;
  /** In which something has to come after that ping. */
  answer: number;
  /** The same while the state is on its way. */
  state: number;
}
export const PATIENCE: Patience;

/** The addresses of a room: the user's, what the last welcome named, and the one that worked last. A pass tries each once. */
export class AddressList {
  constructor(given: string[]);
  readonly all: string[];
  readonly present: string;
  begin(): string;
  /** The next address of this pass; undefined where each was tried. */
  next(): string | undefined;
  nextPass(): string;
  settled(): void;
  prove(alternates: string[]): void;
}

/** Notices a server that has fallen silent. Times are milliseconds. */
export class SilenceWatch {
  constructor(patience: Patience);
  /** When something is due; undefined for never. */
  readonly due: number | undefined;
  begin(now: number): void;
  opened(now: number): void;
  welcomed(now: number): void;
  heard(now: number): void;
  stop(): void;
  advance(now: number, answer?: number): "ping" | "give up" | "";
}

/** A client's connections, one after another, without sockets and clocks: where the next one goes, and when. Times are milliseconds. */
export class Connector {
  constructor(addresses: string[], options?: { patience?: Partial<Patience>; reconnects?: boolean; random?: () => number });
  /** When `advance` has something to do; undefined for never. */
  readonly due: number | undefined;
  readonly isWaiting: boolean;
  isEnding: boolean;
  connect(now: number): string;
  opened(now: number): void;
  welcomed(alternates: string[], now: number): void;
  heard(now: number): void;
  note(milliseconds: number): void;
  /** The present connection has ended; what follows, undefined where the client has ended. */
  ended(code: number, now: number): { url: string; delay: number } | undefined;
  advance(now: number, answer?: number): { connect?: string; ping?: true; giveUp?: true; retry?: { url: string; delay: number } };
}

export interface SceneClientOptions {
  /**
   * The room's address, `ws://HOST:PORT/ROOM` or `wss://…`, or several, the preferred first: where a connection ends or does not come
   * about, the next one is tried, and then those that servers named.
   */
  url: string | string[];
  /** The constructor to use: a page's own, or one from a package. */
  WebSocket: SocketConstructor;
  role?: Role;
  room?: string;
  /**
   * The token, or a function that gives one: it is called before each connection and before the present token ends. Where it fails
   * while a connection is open, `onerror` has the error and it is called again.
   */
  token?: string | (() => string | Promise<string>);
  format?: Format;
  /** Bits of section 3.4 of SPEC.md. */
  capabilities?: number;
  reconnects?: boolean;
  verifiesLater?: boolean;
  /** What differs from `PATIENCE`. */
  patience?: Partial<Patience>;
  /** The session of an earlier client of this user, from its `welcome`: goes on with it, for `restore`. */
  resume?: { session: U64; resumeToken: string };
}

/** What people can do with a view. SPEC.md, section 18.2. */
export interface Interaction {
  control: "none" | "button" | "switch" | "slider" | "textField" | "segmented" | "progress";
  events: string[];
  enabled: boolean;
  focusable: boolean;
  selected: boolean;
  continuous: boolean;
  scrollsEach: boolean;
  label: string;
  role: string;
  hint: string;
  value: unknown;
  minimum: number;
  maximum: number;
  step: number;
  placeholder: string;
  segments: string[];
}
/** What somebody did with a view. SPEC.md, section 18.3. */
export interface UserEvent {
  kind: EventKind | "message";
  view?: string;
  /** The one that was shown. */
  tick?: U64;
  /** In points from the view's corner. */
  place?: Pair;
  modifiers?: number;
  value?: unknown;
  to?: number;
}
export interface EventResult {
  eventSequence: U64;
  outcome: "handled" | "unhandled" | "unknown" | "refused";
  code: string;
  message: string;
}

/** What somebody did with a view that this client handles, or a message to it. SPEC.md, section 18.4. */
export interface DeliveredEvent {
  type: "event";
  /** 0 of a message to everyone. */
  sequence: U64;
  /** The sender's number in presence. */
  client: number;
  /** Who the sender's token proves; empty where nobody asked. */
  subject: string;
  kind: EventKind | "message";
  view: string;
  tick: U64;
  place: Pair;
  modifiers: number;
  value: unknown;
}

/** Milliseconds that a JSON Web Token still holds at `now`, milliseconds since 1970; undefined if it names no end, or is no such token. */
export function tokenLifetime(token: string, now: number): number | undefined;

/** When a token provider is called again while a connection is open. Times are milliseconds since 1970. */
export class Renewal {
  /** When to call it; undefined for never. */
  due?: number;
  began(token: string, now: number): void;
  failed(now: number): void;
}

/** What gets a result. */
export interface Request {
  type: "ops" | "undo" | "redo";
  clientSequence: number;
  baseTick?: U64;
  undoGroup?: number;
  atomic?: boolean;
  ops?: Op[];
}

/** A connection to one room, over all its sockets. */
export class SceneClient {
  constructor(options: SceneClientOptions);
  readonly mirror: Mirror;
  readonly welcome?: Welcome;
  readonly isWelcomed: boolean;
  onupdate: (mirror: Mirror) => void;
  onmessage: (message: Message) => void;
  /** A connection ended; `url` and `delay` (milliseconds) are those of the next one. */
  onclose: (end: { code: number; reason: string; willRetry: boolean; url?: string; delay?: number }) => void;
  /** The address of the present connection, or of the last one. */
  readonly url: string;
  /** The addresses known at present: the user's, then those that the last server named. */
  readonly urls: string[];
  /** Begins the first connection again, or the next one without waiting any longer. */
  connect(): void;
  /** Takes the connection for dead. */
  lose(): void;
  onpresence: (presence: Presence) => void;
  onerror: (error: ErrorMessage | DecodeError | Error) => void;
  /** What people can do with views, by their ids; needs capability 1024. */
  readonly interactions: Map<string, Interaction>;
  /** What changed in `interactions`. */
  oninteractions: (message: { whole: boolean; changes: { id: string; interaction?: Interaction }[] }) => void;
  /**
   * What people say about the scene, by the kind (`thread`, `comment`, `lock`, `version`) and id of each, joined by a space; needs
   * capability 8192.
   */
  readonly annotations: Map<string, Record<string, unknown>>;
  /** What changed in `annotations`; a value of `null` is gone. */
  onannotations: (message: {
    whole: boolean;
    changes: { kind: "thread" | "comment" | "lock" | "version" | "suggestion"; id: string; value: Record<string, unknown> | null }[];
  }) => void;
  /**
   * Tells the program behind the scene what somebody did; needs capability 1024. It is sent again after a cut as long as the server
   * remembers this client; otherwise its outcome is `unknown`.
   */
  sendEvent(event: UserEvent): Promise<EventResult>;
  /**
   * Handles the events of some subtrees, now and after every cut; needs capability 1024, and the role of an editor. None handles
   * nothing any more.
   */
  handle(roots: string[]): void;
  /** An event that this client handles: once each, however often it is sent. It is to be answered. */
  onevent: (event: DeliveredEvent) => void;
  /** Says what became of an event that came to `onevent`; the second answer to one says nothing. */
  answer(event: DeliveredEvent, isHandled?: boolean): void;
  /** Sends ops as one batch, again after a cut. */
  send(ops: Op[], options?: { atomic?: boolean; undoGroup?: number }): Promise<Result>;
  /** Takes this client's last step back; needs capability 4. */
  undo(): Promise<Result>;
  redo(): Promise<Result>;
  /** The last sequence that was sent on any connection; requests above it never left. */
  readonly lastSent: number;
  /** Requests without a result, by their sequences. */
  readonly unanswered: Map<number, { message: Request }>;
  /**
   * Sends a request under the sequence that it has: one that an earlier client of the session in `resume` left without a result. The
   * server applies it at most once. Sequences rise from call to call.
   */
  restore(message: Request): Promise<Result>;
  /** Takes back a request that was never sent; says whether it was one. Its promise stays open. */
  withdraw(sequence: number): boolean;
  /** Whether the server granted what a type of message needs. */
  grants(type: string): boolean;
  /** Sends a message that gets no result; throws where the server did not grant it. */
  sendMessage(message: Message): void;
  verify(): void;
  close(): void;
}
