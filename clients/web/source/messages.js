import { DecodeError, limits } from "./errors.js";
import { isASCII, latin, Reader, toUTF8, Writer } from "./bytes.js";
import { inflate } from "./inflate.js";
import { isObject, Members, parseJSON, wrong } from "./json.js";
import { choice, COLOR, F64, FIXED64, FLAG, INT32, JSON_TEXT, list, maybe, MAYBE_NUMBER, NUMBER, number, several, struct, tagged, text, U32, U64, U8 } from "./kinds.js";
import { BODY, FRAME_BODY, KEYFRAME_NUMBERS, USED_SELECTION } from "./frames.js";

// --- Messages (SPEC sections 6 and 7) --------------------------------------------------------------------------------

const isIdentifier = (value) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(value);
const ID = text(limits.idBytes), NAME = text(limits.nameBytes), TOKEN = text(limits.tokenBytes), LONG = text(limits.textBytes);
const IDS = list(ID, limits.views), RULES = list(text(256), limits.constraints);
const ROLE = choice("viewer", "editor", "participant");
const LINE = struct({ text: LONG, place: several(3, INT32) });
export const STYLE = struct({
  kind: choice("view", "label", "stack", "scroll", "flow", "image"), hidden: FLAG, clips: FLAG, opacity: U8,
  background: COLOR, foreground: COLOR, border: choice("none", "single", "rounded", "double", "heavy"),
  align: choice("left", "center", "right", "natural", "justified"), contentOffset: several(2, INT32),
});
const CONTENT = struct({ ...STYLE.fields, lines: list(LINE, limits.textBytes) });
const VIEW = struct({
  number: NUMBER, id: text(limits.idBytes, isIdentifier), parent: MAYBE_NUMBER, frame: several(4, INT32), content: CONTENT,
});
const REFUSAL = struct({ code: text(64), message: LONG, opIndex: U32, conflicting: RULES });

/** The bytes of the styles of snapshots, by their `contentOffset`: all views of a style have the same array, and no others do. */
export const encodedStyles = new WeakMap();

// All this runs once for every view of the very first message, before an engine has compiled any of it: hence plain loops.
function readColumns(reader) {
  const count = reader.count(limits.views + 1, 10), texts = [], styles = [], views = [];
  // Texts of ASCII, as most are, are cut out of one.
  const whole = latin.decode(reader.bytes);
  for (let left = reader.count(limits.messageBytes); left > 0; left--) {
    const start = reader.offset, length = reader.count(limits.textBytes), line = whole.slice(reader.offset, reader.offset + length);
    if (isASCII(line)) reader.offset += length;
    else reader.offset = start;
    texts.push(reader.offset > start ? line : reader.text(limits.textBytes));
  }
  for (let left = reader.count(count); left > 0; left--) {
    const start = reader.offset, style = STYLE.read(reader);
    styles.push(style);
    encodedStyles.set(style.contentOffset, reader.bytes.slice(start, reader.offset));
  }
  const invalid = () => new DecodeError("invalid-value", reader.offset);
  // Differences to the value before and `step` more, each below `maximum` if there is one.
  const sums = (step, maximum) => {
    const values = reader.u32s(count);
    for (let index = 0, last = 0; index < count; index++) {
      const coded = values[index], value = last + (coded >>> 1 ^ -(coded & 1));
      if ((value >>> 0) >= maximum) throw invalid();
      values[index] = value;
      last = value + step;
    }
    return values;
  };
  const numbers = sums(1, limits.numbers), parents = sums(0, limits.numbers + 1);
  const shares = reader.u32s(count), lengths = reader.u32s(count);
  if (lengths.some((each) => each > limits.idBytes)) throw new DecodeError("too-many", reader.offset);
  const letters = latin.decode(reader.take(lengths.reduce((sum, each) => sum + each, 0)));
  if (/[^\w-]/.test(letters)) throw invalid();
  const frames = [0, 1, 2, 3].map(() => new Int32Array(sums(0).buffer));
  const chosen = reader.u32s(count), counts = reader.u32s(count);
  const lineCount = counts.reduce((sum, each) => sum + each, 0);
  if (lineCount * 4 > reader.remaining) throw new DecodeError("truncated", reader.offset);
  const placed = reader.u32s(4 * lineCount);
  for (let index = 0, at = 0, next = 0, id = ""; index < count; index++) {
    const share = shares[index], length = lengths[index], style = styles[chosen[index]];
    if (share > id.length || share + length > limits.idBytes || style === undefined) throw invalid();
    // An identifier begins with a letter or an underscore, which come after whatever else it may contain.
    if (share === 0 && !(length > 0 && letters.charCodeAt(at) >= 65)) throw invalid();
    id = id.slice(0, share) + letters.slice(at, at += length);
    const { kind, hidden, clips, opacity, background, foreground, border, align, contentOffset } = style;
    const lines = new Array(counts[index]);
    for (let place = 0; place < lines.length; place++, next += 4) {
      if (placed[next] >= texts.length) throw invalid();
      const x = placed[next + 1], y = placed[next + 2], width = placed[next + 3];
      lines[place] = { text: texts[placed[next]], place: [x >>> 1 ^ -(x & 1), y >>> 1 ^ -(y & 1), width >>> 1 ^ -(width & 1)] };
    }
    // Most views have a parent and both colours. What is not there from the beginning takes an object room of its own.
    let content;
    if (background && foreground) content = { kind, hidden, clips, opacity, background, foreground, border, align, contentOffset, lines };
    else {
      content = { kind, hidden, clips, opacity, border, align, contentOffset, lines };
      if (background) content.background = background;
      if (foreground) content.foreground = foreground;
    }
    const number = numbers[index], frame = [frames[0][index], frames[1][index], frames[2][index], frames[3][index]];
    views.push(parents[index] ? { number, id, parent: parents[index] - 1, frame, content } : { number, id, frame, content });
  }
  return views;
}

function writeColumns(writer, views) {
  const texts = new Map(), styles = new Map(), chosen = [];
  for (const { content } of views) {
    for (const line of content.lines) if (!texts.has(line.text)) texts.set(line.text, texts.size);
    const style = new Writer();
    STYLE.write(style, content);
    const key = String.fromCharCode(...style.data);
    if (!styles.has(key)) styles.set(key, { index: styles.size, data: style.data });
    chosen.push(styles.get(key).index);
  }
  writer.u32(views.length);
  writer.u32(texts.size);
  for (const line of texts.keys()) writer.text(line);
  writer.u32(styles.size);
  for (const { data } of styles.values()) writer.append(data);
  views.forEach((view, index) => writer.zigzag(view.number - (index ? views[index - 1].number + 1 : 0)));
  const parents = views.map((view) => (view.parent === undefined ? 0 : view.parent + 1));
  parents.forEach((parent, index) => writer.zigzag(parent - (parents[index - 1] ?? 0)));
  const shares = views.map(({ id }, index) => {
    const previous = index ? views[index - 1].id : "";
    let count = 0;
    while (count < id.length && count < previous.length && id[count] === previous[count]) count++;
    return count;
  });
  for (const share of shares) writer.u32(share);
  views.forEach(({ id }, index) => writer.u32(id.length - shares[index]));
  views.forEach(({ id }, index) => writer.append(toUTF8.encode(id.slice(shares[index]))));
  for (let side = 0; side < 4; side++) {
    views.forEach((view, index) => writer.zigzag((view.frame[side] - (index ? views[index - 1].frame[side] : 0)) | 0));
  }
  for (const index of chosen) writer.u32(index);
  for (const { content } of views) writer.u32(content.lines.length);
  for (const { content } of views) {
    for (const line of content.lines) {
      writer.u32(texts.get(line.text));
      for (const value of line.place) writer.zigzag(value);
    }
  }
}

const VIEWS = {
  read(reader, snapshot) {
    const broken = snapshotRule(snapshot);
    if (broken) throw new DecodeError("invalid-value", reader.offset, broken);
    if (!snapshot.deflated) return readColumns(reader);
    const start = reader.offset, length = reader.u32();
    if (length > limits.inflatedBytes) throw new DecodeError("too-many", start);
    const packed = reader.take(reader.count(limits.messageBytes));
    const columns = packed.length * 1032 + 1032 < length ? null : inflate(packed, length);
    if (!columns) throw new DecodeError("malformed-deflate", start);
    const inner = new Reader(columns), views = readColumns(inner);
    if (inner.remaining) throw new DecodeError("malformed-deflate", start);
    return views;
  },
  write(writer, views, snapshot) {
    if (!snapshot.deflated) return writeColumns(writer, views);
    // A stream of stored blocks: a client hardly ever writes snapshots.
    const columns = new Writer(), blocks = new Writer();
    writeColumns(columns, views);
    let rest = columns.data;
    do {
      const block = rest.subarray(0, 0xffff);
      rest = rest.subarray(0xffff);
      const low = block.length & 0xff, high = block.length >> 8;
      blocks.append([rest.length ? 0 : 1, low, high, ~low & 0xff, ~high & 0xff]);
      blocks.append(block);
    } while (rest.length);
    writer.u32(columns.length);
    writer.u32(blocks.length);
    writer.append(blocks.data);
  },
  check: list(VIEW, limits.views + 1).check,
};
const snapshotRule = ({ chunkIndex, chunkCount }) =>
  chunkCount > limits.chunks ? "too many chunks" : chunkIndex >= chunkCount ? "a chunk beyond the last" : undefined;

const PRESENCE = struct({
  client: U32, clock: U32, gone: FLAG, name: NAME, color: COLOR, cursor: maybe(struct({ point: several(2, F64) })),
  selection: list(ID, 1024),
});
const DEVICE = struct({ name: ID, columns: U32, rows: U32, viewport: JSON_TEXT });
/** Any JSON that is not too long, as what comes with an event. */
const isEventValue = (value) => toUTF8.encode(JSON.stringify(value)).length <= limits.eventValueBytes;
const EVENT_VALUE = {
  ...JSON_TEXT,
  read: (reader) => {
    const value = JSON_TEXT.read(reader);
    if (!isEventValue(value)) throw new DecodeError("invalid-value", reader.offset, "the value is too long");
    return value;
  },
  check: (value, name) => {
    if (!isEventValue(value)) throw wrong(name, `JSON of at most ${limits.eventValueBytes} bytes`);
    return value;
  },
};
const EVENT = {
  kind: choice("tap", "press", "hover", "key", "scroll", "input", "message"), view: ID, tick: U64, place: several(2, F64),
  modifiers: number(8, 0, 15), value: EVENT_VALUE,
};
const INTERACTION = struct({
  control: choice("none", "button", "switch", "slider", "textField", "segmented", "progress"), events: list(text(16), 16),
  enabled: FLAG, focusable: FLAG, selected: FLAG, continuous: FLAG, scrollsEach: FLAG, label: LONG, role: text(32),
  hint: LONG, value: JSON_TEXT, minimum: F64, maximum: F64, step: F64, placeholder: LONG, segments: list(LONG, 64),
});
/** Ends that know no events do not know that role. */
const participantRule = ({ role, capabilities }) =>
  role === "participant" && !(Number(capabilities) & 1024) ? "a participant without events" : undefined;
const SUBSCRIPTION = { roots: list(ID, 64), frameRateMaximum: U32 };
const client = {
  hello: struct({
    capabilities: U64, token: TOKEN, room: NAME, role: ROLE,
    resume: maybe(struct({ session: NAME, token: TOKEN, epoch: U64, lastTick: U64 })), unitsPerPoint: F64, ...SUBSCRIPTION,
  }, participantRule),
  ack: struct({ tick: U64, lagMilliseconds: U32 }),
  ops: struct({ clientSequence: U64, baseTick: U64, undoGroup: U32, atomic: FLAG, ops: JSON_TEXT }),
  resync: struct({ tick: U64, hash: FIXED64 }),
  ping: struct({ t0: U64 }),
  presence: PRESENCE,
  undo: struct({ clientSequence: U64 }),
  redo: struct({ clientSequence: U64 }),
  subscribe: struct(SUBSCRIPTION),
  seek: struct({ live: FLAG, tick: U64, speed: F64 }),
  trace: struct({ enabled: FLAG, watch: list(ID, 1024) }),
  inspect: struct({ request: U32, document: FLAG, views: list(ID, 64) }),
  device: DEVICE,
  follow: struct({ enabled: FLAG }),
  event: struct({ eventSequence: U64, to: U32, ...EVENT }),
  handle: struct({ roots: list(ID, 64) }),
  handled: struct({ answers: list(struct({ sequence: U64, handled: FLAG }), 1024) }),
};
const server = {
  welcome: struct({
    session: NAME, resumeToken: TOKEN, epoch: U64, version: U32, capabilities: U64, tickRate: U32, tick: U64,
    monotonicMilliseconds: U64, unitsPerPoint: F64, viewport: several(2, F64), scale: F64, cell: several(2, F64),
    limits: struct({
      messageBytes: U32, views: U32, constraints: U32, ops: U32, messagesPerSecond: U32, depth: U32, textBytes: U32,
      inflatedBytes: U32, unacknowledgedFrames: U32,
    }),
    role: ROLE,
  }, participantRule),
  snapshot: struct(
    { epoch: U64, tick: U64, chunkIndex: U32, chunkCount: U32, deflated: FLAG, stateHash: FIXED64, views: VIEWS }, snapshotRule),
  frame: struct({ tick: number(8), body: FRAME_BODY }),
  select: struct({ slot: number(8, 0, 63), selection: USED_SELECTION }),
  tree: struct({
    tick: U64,
    changes: list(tagged("change", false, {
      add: struct({ ...VIEW.fields, index: U32 }), remove: struct({ number: NUMBER }),
      move: struct({ number: NUMBER, parent: NUMBER, index: U32 }),
    }), 4 * limits.views),
  }),
  content: struct({
    tick: U64, changes: list(struct({ number: NUMBER, content: CONTENT }), limits.views + 1),
    invalidations: list(struct({ number: NUMBER, frame: several(4, INT32) }), 4 * limits.views),
  }),
  hash: struct({ tick: U64, hash: FIXED64 }),
  result: struct({
    clientSequence: U64, tick: U64,
    outcome: tagged("outcome", true, {
      committed: struct({
        frames: list(struct({ id: ID, frame: several(4, F64) }), limits.views + 1), removedConstraints: RULES,
        refusals: list(REFUSAL, limits.ops),
      }),
      refused: REFUSAL,
    }),
  }),
  error: struct({ code: U32, retryable: FLAG, retryAfterMilliseconds: U32, text: LONG }),
  pong: struct({ t0: U64, t1: U64, t2: U64 }),
  presence: PRESENCE,
  anim: struct({
    tick: U64,
    changes: list(tagged("change", false, {
      start: struct(
        { id: U32, delayTicks: U32, durationTicks: number(32, 1),
          curve: choice("linear", "easeIn", "easeOut", "easeInOut"), body: BODY },
        ({ body }) => (body.absoluteRows.length ? "absolute rows in an animation" : undefined)),
      cancel: struct({ id: U32 }),
    }), limits.animations),
  }),
  diagnostics: struct({ tick: U64, ambiguous: IDS, broken: RULES, feedbackLoop: IDS }),
  trace: struct({
    tick: U64, durations: maybe(struct({ ops: U32, updateConstraints: U32, solve: U32, layout: U32, display: U32 })),
    events: list(text(256), limits.messageBytes),
  }),
  keyframe: struct({ tick: U64, numbers: KEYFRAME_NUMBERS }),
  inspection: struct({ request: U32, chunkIndex: U32, chunkCount: U32, text: text(1 << 19) }, snapshotRule),
  device: struct({
    name: ID, fit: choice("exact", "nearest", "main"), reason: LONG, unitsPerPoint: F64, viewport: several(2, F64),
    scale: F64, cell: several(2, F64), maximum: U32, names: list(ID, 64),
  }),
  interactions: struct({
    whole: FLAG, changes: list(struct({ id: ID, interaction: maybe(INTERACTION) }), limits.views + 1),
  }),
  event: struct({ sequence: U64, client: U32, subject: NAME, ...EVENT }),
  eventResults: struct({
    results: list(struct({
      eventSequence: U64, outcome: choice("handled", "unhandled", "unknown", "refused"), code: text(64), message: LONG,
    }), 1024),
  }),
  insets: struct({ whole: FLAG, changes: list(struct({ id: ID, inset: several(4, INT32) }), limits.views + 1) }),
  annotations: struct({
    whole: FLAG,
    changes: list(struct({ kind: choice("thread", "comment", "lock", "version", "suggestion"), id: text(72), value: JSON_TEXT }), 1024),
  }),
  records: struct({
    tick: U64, start: FLAG, author: text(64), chunkIndex: U32, chunkCount: U32, text: text(1 << 19), state: maybe(struct({ hash: FIXED64 })),
  }, snapshotRule),
};
// The types' bytes follow one another, but for those of the last column: the ones between stand for unknown types.
const types = (messages, first, others) => {
  const list = Object.entries(messages).map(([type, kind], index) => ({ type, kind, byte: others[type] ?? first + index }));
  return {
    byByte: new Map(list.map((entry) => [entry.byte, entry])), byName: new Map(list.map((entry) => [entry.type, entry])),
  };
};
const directions = {
  client: types(client, 0x01, { device: 0x0e, follow: 0x0f, event: 0x20, handle: 0x21, handled: 0x22 }),
  server: types(server, 0x41, { device: 0x52, interactions: 0x53, event: 0x54, eventResults: 0x55, insets: 0x56,
    annotations: 0x57, records: 0x58 }),
};

/** The most addresses that a server names, and the bytes of the longest that is taken (SPEC CONN-37, CONN-38). */
export const ALTERNATES = 8, ALTERNATE_BYTES = 512;

/** The fonts of views' lines (SPEC FACE-1). */
const FACES = struct(
  {
    files: list(struct({ name: text(64), weight: U32, hash: text(64) }), 8),
    styles: list(struct({ weight: U32, size: U32, ascent: U32, fitted: FLAG }), limits.views + 1),
    views: list(struct({ number: NUMBER, style: U32 }), limits.views + 1),
  },
  ({ styles, views }) => (views.some(({ style }) => style > styles.length) ? "the place of a style" : undefined));

const POINT = several(2, F64);
const CONTENT_MODE = choice(
  "scaleToFill", "scaleAspectFit", "scaleAspectFill", "redraw", "center", "top", "bottom", "left", "right", "topLeft", "topRight", "bottomLeft", "bottomRight");
/** What is drawn of views besides their contents (SPEC VAL-14). */
const LOOKS = struct(
  {
    looks: list(struct({
      cornerRadius: F64, maskedCorners: U32, borderWidth: F64, borderColor: COLOR, tint: COLOR,
      shadow: maybe(struct({ color: COLOR, offset: POINT, radius: F64 })),
      gradient: maybe(struct({ start: POINT, end: POINT, stops: list(struct({ location: F64, color: COLOR }), 16) })),
      transform: maybe(struct({ rotation: F64, scale: POINT, translation: POINT })),
      image: maybe(struct({ hash: text(64), width: U32, height: U32, scale: F64, mode: CONTENT_MODE })),
    }, ({ maskedCorners }) => (maskedCorners > 15 ? "at most 15" : undefined)), limits.views + 1),
    views: list(struct({ number: NUMBER, look: U32 }), limits.views + 1),
  },
  ({ looks, views }) => (views.some(({ look }) => look > looks.length) ? "the place of a look" : undefined));

/** The symbols of a message's looks (SPEC VAL-17). */
const SYMBOLS = struct({ symbols: list(struct({ look: U32, name: text(64), side: F64, mode: CONTENT_MODE }), limits.views + 1) });
/** The charts of a message's looks (SPEC VAL-18). */
const CHARTS = struct({
  charts: list(
    struct({
      look: U32, style: choice("line", "area", "bars"), lineWidth: F64, gridLines: U32, color: COLOR,
      values: list(struct({ height: U32 }, ({ height }) => (height > 10000 ? "a height of at most 10,000" : undefined)), 256),
    }, ({ gridLines }) => (gridLines > 16 ? "at most 16 lines" : undefined)),
    limits.views + 1),
});
/** What is told of views besides their contents. */
const BESIDES = { 2: ["faces", FACES], 4: ["looks", LOOKS], 6: ["symbols", SYMBOLS], 8: ["charts", CHARTS] };

/** The extensions of version 1, by type and id: a member's name and what it is. */
const extras = {
  snapshot: BESIDES, tree: BESIDES, content: BESIDES,
  welcome: { 2: ["work", struct({ op: U64, message: U64, tick: U64, second: U64 })], 4: ["incarnation", U64], 6: ["alternates", struct({ urls: list(LONG, ALTERNATES) })], 8: ["client", U64],
    10: ["person", U64] },
  result: { 2: ["work", U64], 6: ["devices", struct({ names: list(ID, 256) })] },
  hello: { 2: ["device", DEVICE] },
  presence: {
    2: ["place", struct({ view: ID, fraction: several(2, F64) })], 4: ["awareness", struct({ device: ID, idle: FLAG, handRaised: FLAG, spotlight: FLAG })],
  },
  inspect: { 2: ["fittings", struct({ views: list(struct({ view: ID, size: several(2, F64), priorities: several(2, F64) }), 16) })] },
  diagnostics: { 2: ["unfinished", U64] },
};

function unknownType(isIgnorable) {
  const error = new DecodeError("unknown-type", 0);
  error.ignorable = isIgnorable;
  return error;
}

function checkLength(length) {
  if (length === 0) throw new DecodeError("empty");
  if (length > limits.messageBytes) throw new DecodeError("too-long");
}

/** A message from a Uint8Array. `from` is its sender: "server" or "client". Throws DecodeError. */
export function decode(bytes, from = "server") {
  checkLength(bytes.length);
  const reader = new Reader(bytes), byte = reader.u8(), known = directions[from].byByte.get(byte);
  if (!known) throw unknownType(byte >= 0x80);
  const message = { type: known.type, ...known.kind.read(reader) };
  while (reader.remaining) {
    const id = reader.u32(), count = reader.count(limits.messageBytes);
    if (id & 1) throw new DecodeError("unknown-extension", reader.offset);
    const content = reader.take(count), extra = extras[known.type]?.[id];
    if (extra) message[extra[0]] = extra[1].read(new Reader(content));
  }
  return message;
}

/** A message from a JSON text. Throws DecodeError. */
export function decodeJSON(source, from = "server") {
  checkLength(toUTF8.encode(source).length);
  const members = new Members(parseJSON(source), "message");
  const type = text(64).check(members.take("type"), "type"), known = directions[from].byName.get(type);
  if (!known) throw unknownType(type.startsWith("x-"));
  const message = { type, ...known.kind.takeFrom(members) };
  for (const [name, kind] of Object.values(extras[type] ?? {})) {
    if (members.has(name)) message[name] = kind.check(members.take(name), name);
  }
  if (members.has("extensions")) {
    const extensions = members.take("extensions");
    if (!isObject(extensions)) throw wrong("extensions", "an object");
    for (const [id, content] of Object.entries(extensions)) {
      if (!/^(0|[1-9][0-9]{0,9})$/.test(id) || Number(id) > 0xffffffff) throw wrong("extensions", "of ids");
      if (typeof content !== "string" || !/^([0-9a-fA-F]{2})*$/.test(content)) throw wrong("extensions", "of hexadecimal texts");
      if (Number(id) & 1) throw new DecodeError("unknown-extension");
    }
  }
  members.finish();
  return message;
}

/** The bytes of a message. `from` is its sender. */
export function encode(message, from = "client") {
  const { byte, kind } = directions[from].byName.get(message.type), writer = new Writer();
  writer.u8(byte);
  kind.write(writer, message);
  for (const [id, [name, extra]] of Object.entries(extras[message.type] ?? {})) {
    if (message[name] === undefined) continue;
    const content = new Writer();
    extra.write(content, message[name]);
    writer.u32(Number(id));
    writer.u32(content.data.length);
    writer.append(content.data);
  }
  return writer.data.slice();
}
