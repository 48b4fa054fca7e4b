import { toUTF8 } from "./bytes.js";
import { ALTERNATE_BYTES, ALTERNATES } from "./messages.js";

// --- Addresses, attempts and silence (SPEC sections 3.5 and 3.6) -----------------------------------------------------

/** Close codes after which the same would happen again; codes that are not known are tried again. */
const FINAL = new Set([1002, 1007, 1009, 4000, 4001, 4003, 4004, 4005, 4006, 4009, 4010, 4011]);
export const HASH_MISMATCH = 4012;
const OWNER_CHANGED = 4031;

/** How long a client waits for a server that says nothing, in milliseconds; 0 for no limit (SPEC CONN-39, CONN-40). */
export const PATIENCE = {
  /** In which a connection has to be open. */
  open: 5000,
  /** In which the server has to welcome the client. */
  welcome: 10000,
  /** After which the client pings; with 0 a silent server is not noticed. */
  silence: 2000,
  /** In which something has to come after that ping. */
  answer: 2000,
  /** The same while the state is on its way: a message is not seen here before it is complete, and this one may be long. */
  state: 20000,
};
/**
 * Milliseconds after which the end of a connection that was welcomed begins another pass over the addresses; a shorter one counts
 * as an attempt, so that servers that admit clients and drop them at once are not tried without waiting.
 */
const SETTLED = 1000;
/** Milliseconds that an attempt at one of several addresses may take in the first pass over them; doubled with each pass. */
const FIRST_OPENING = 2000;

/** The parts of a WebSocket URL; undefined where it is none. */
export function parseAddress(address) {
  if (!/^wss?:\/\/[\x21-\x7e]+$/.test(address) || address.includes("#")) return undefined;
  try {
    const url = new URL(address);
    return url.username || url.password ? undefined : url;
  } catch {
    return undefined;
  }
}

/** Whether what is said there stays secret on the way: TLS, or this machine itself. */
function isPrivate(address) {
  const url = parseAddress(address);
  return url !== undefined && (url.protocol === "wss:" || /^(localhost|\[::1\]|127(\.\d+){3})$/.test(url.hostname));
}

/** The addresses of a room: the user's, what the last welcome named, and the one that worked last. A pass tries each once. */
export class AddressList {
  constructor(given) {
    this.given = given;
    // What the user kept from readers on the way is not sent in the open because a server said so.
    this.takesPlain = !given.some(isPrivate);
    this.alternates = [];
    this.proven = [];
    this.tried = new Set();
    this.present = given[0];
  }

  get all() { return [...new Set([...this.given, ...this.alternates, ...this.proven])]; }

  begin() {
    this.present = this.proven[0] ?? this.given[0];
    this.tried = new Set([this.present]);
    return this.present;
  }

  /** The next address of this pass; undefined where each was tried. */
  next() {
    const known = this.all, start = known.indexOf(this.present) + 1;
    const found = [...known.slice(start), ...known.slice(0, start)].find((address) => !this.tried.has(address));
    if (found === undefined) return undefined;
    this.tried.add(found);
    return this.present = found;
  }

  nextPass() {
    this.tried.clear();
    return this.next();
  }

  /** A connection to the present address had lasted: its end begins a pass, in which that was tried. */
  settled() { this.tried = new Set([this.present]); }

  /** The present address works, and its server named these. */
  prove(alternates) {
    this.proven = [this.present];
    this.alternates = alternates.slice(0, ALTERNATES).filter((address) =>
      toUTF8.encode(address).length <= ALTERNATE_BYTES && parseAddress(address) !== undefined && (this.takesPlain || isPrivate(address)));
  }
}

/** Notices a server that has fallen silent. Times are milliseconds. */
export class SilenceWatch {
  constructor(patience) {
    this.patience = patience;
    this.stop();
  }

  enter(stage, now, milliseconds) {
    this.stage = stage;
    this.due = milliseconds > 0 ? now + milliseconds : undefined;
  }

  /** An attempt at a connection, which may take `maximum` where that is less than the client's patience. */
  begin(now, maximum = Infinity) { this.enter("opening", now, Math.min(this.patience.open, maximum)); }
  opened(now) { this.enter("greeting", now, this.patience.welcome); }
  welcomed(now) {
    this.enter("listening", now, this.patience.silence);
    this.isSecond = false;
  }

  /** Bytes came, whatever they are. */
  heard(now) {
    if (this.stage === "greeting") this.opened(now);
    else if (this.stage === "listening" || this.stage === "asking") this.welcomed(now);
  }

  stop() { this.enter("off", 0, 0); }

  /** What is due: "ping", "give up" or nothing. `answer` is how long to wait for what follows a ping. */
  advance(now, answer = this.patience.answer) {
    if (this.due === undefined || this.due > now) return "";
    // So late a call means that this page or machine stood still, and the answer may wait to be read.
    const wasLate = this.stage === "asking" && !this.isSecond && now - this.due > this.patience.answer / 2;
    if (this.stage === "listening" || wasLate) {
      this.isSecond = wasLate;
      this.enter("asking", now, Math.max(1, answer));
      return "ping";
    }
    this.stop();
    return "give up";
  }
}

/**
 * A client's connections, one after another: where the next one goes and when it begins, and when the present one is given up. It
 * has no socket and no clock; times are milliseconds.
 */
export class Connector {
  constructor(addresses, { patience = {}, reconnects = true, random = Math.random } = {}) {
    this.addresses = new AddressList(addresses);
    this.patience = { ...PATIENCE, ...patience };
    this.silence = new SilenceWatch(this.patience);
    this.random = random;
    this.reconnects = reconnects;
    this.passes = 0;
    this.isEnding = this.wasWelcomed = false;
  }

  /** When `advance` has something to do; undefined for never. */
  get due() { return this.waitsUntil ?? this.silence.due; }

  get isWaiting() { return this.waitsUntil !== undefined; }

  /** Begins the first connection, or the next one now; returns where to. */
  connect(now) {
    const address = this.isWaiting ? this.addresses.present : this.addresses.begin();
    this.waitsUntil = undefined;
    // The machine of one of several addresses may be gone, and another one is as good.
    this.silence.begin(now, this.addresses.all.length > 1 ? FIRST_OPENING * 2 ** Math.min(this.passes, 6) : Infinity);
    return address;
  }

  opened(now) {
    this.told = this.welcomedAt = undefined;
    this.silence.opened(now);
  }

  welcomed(alternates, now) {
    this.wasWelcomed = true;
    this.welcomedAt = now;
    this.passes = 0;
    this.addresses.prove(alternates);
    this.silence.welcomed(now);
  }

  heard(now) { this.silence.heard(now); }

  /** The server said how long to wait before the next connection. */
  note(milliseconds) { this.told = milliseconds; }

  /** The present connection has ended, or the attempt at one: `{ url, delay }` of the next one, undefined where the client has ended. */
  ended(code, now) {
    this.silence.stop();
    const lasted = this.welcomedAt !== undefined && now - this.welcomedAt >= SETTLED;
    if (lasted) this.addresses.settled();
    const told = this.told;
    this.told = this.welcomedAt = this.waitsUntil = undefined;
    // Trying the rest of the addresses is no reconnecting as long as none has worked.
    if ((!this.reconnects && this.wasWelcomed) || this.isEnding || FINAL.has(code)) return undefined;
    // The room has another server behind the same one.
    let url = lasted && code === OWNER_CHANGED ? this.addresses.present : this.addresses.next(), delay = told ?? 0;
    if (url === undefined) {
      if (!this.wasWelcomed) return undefined;
      // 0.25 s, doubled each time up to 8 s, and up to a quarter less, so that not all come back at once.
      delay = told ?? Math.min(8000, 125 * 2 ** Math.min(++this.passes, 6)) * (1 - this.random() / 4);
      url = this.addresses.nextPass();
    }
    this.waitsUntil = now + delay;
    return { url, delay };
  }

  /** What is due: `{ connect }`, `{ ping }`, `{ giveUp, retry }`, or nothing of these. */
  advance(now, answer) {
    if (this.isWaiting) return this.waitsUntil > now ? {} : { connect: this.connect(now) };
    const what = this.silence.advance(now, answer);
    return what === "give up" ? { giveUp: true, retry: this.ended(1006, now) } : what === "ping" ? { ping: true } : {};
  }
}
