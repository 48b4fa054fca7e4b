import { DecodeError, MirrorError } from "./errors.js";
import { decode, decodeJSON, encode } from "./messages.js";
import { Mirror } from "./mirror.js";
import { Connector, HASH_MISMATCH, parseAddress } from "./connecting.js";
import { Renewal } from "./tokens.js";

// --- The client (SPEC sections 3 and 9) ------------------------------------------------------------------------------

/** Bit 7: a merged frame in place of the snapshot after coming back. */
const MERGED_RESUME = 128;
/** The capability that a message needs. */
const NEEDS = {
  undo: 4, redo: 4, subscribe: 8, seek: 16, trace: 32, inspect: 256, device: 512, follow: 16384, event: 1024, handle: 1024, handled: 1024,
};
/** The number of members whose presence is put in order. */
const CLOCKS = 4096;
/** The capability that an inspect with `fittings` needs besides. */
const FITTING = 2048;
const STATE = new Set(["snapshot", "frame", "select", "tree", "content", "anim", "keyframe", "hash"]);
/** Events that may wait for a result (SPEC EVT-11). */
const EVENTS = 256;
/** Answers that are remembered, as many as a server has events with one client (SPEC EVT-16). */
const ANSWERS = 1024;
/** Milliseconds after which a frame is acknowledged even if no others follow (SPEC MSG-15). */
const ACKNOWLEDGEMENT = 900;

/** No valid token, or its end. */
const UNAUTHENTICATED = 4001;
/** The longest wait of a timer, in milliseconds; a longer one would overflow. */
const TIMER = 2 ** 31 - 1;

/**
 * A connection to one room: says hello, keeps `mirror`, acknowledges, asks for a snapshot when something does not fit,
 * comes back after a cut, and sends ops once however often it has to send them.
 */
export class SceneClient {
  constructor({ url, WebSocket, role = "viewer", room = "", token = "", format = "bin", capabilities = 0, reconnects = true, verifiesLater = false, device = undefined, patience = {}, resume = undefined }) {
    const urls = [url].flat(), wrong = urls.find((address) => parseAddress(address) === undefined);
    if (urls.length === 0 || wrong !== undefined) throw new SyntaxError(`${wrong} is no ws: or wss: address`);
    Object.assign(this, { WebSocket, role, room, format, capabilities, device });
    /** The token of the next hello, or of the present connection; a function gives the next one. */
    this.provider = typeof token === "function" ? token : undefined;
    this.token = this.provider ? "" : token;
    this.renewal = new Renewal();
    this.isAsking = this.wasUnauthenticated = false;
    this.attempts = 0;
    this.connector = new Connector(urls, { patience, reconnects });
    this.mirror = Object.assign(new Mirror(), { verifiesLater });
    this.welcome = undefined;
    /** The session that an earlier client of this user had, until the server names one: `{ session, resumeToken }`. */
    this.resume = resume;
    this.nextSequence = 1;
    /** The sequence of the last request that was sent on any connection. */
    this.lastSent = 0;
    this.unanswered = new Map();
    this.nextEvent = 1;
    /** Events that have no result, by their numbers. */
    this.events = new Map();
    /** What people can do with views, by their ids; views that are not named have nothing. */
    this.interactions = new Map();
    /** What people say about the scene, by the kind and id of each, joined by a space. */
    this.annotations = new Map();
    /** The subtrees that this client handles; undefined if it never said so. */
    this.roots = undefined;
    this.forgetEvents();
    this.isClosing = this.hasEnded = false;
    /** The last clock of each member's presence on this connection, and the chunks of what is not complete, by the type of message. */
    this.clocks = new Map();
    this.chunks = new Map();
    this.onupdate = this.onmessage = this.onclose = this.onpresence = this.onerror = this.oninteractions = this.onannotations = this.onevent = () => {};
    this.connect();
  }

  /** The addresses known at present: the user's, then those that the last server named. */
  get urls() { return this.connector.addresses.all; }

  /** Begins the first connection, or the next one without waiting any longer. */
  connect() {
    this.hasEnded = false;
    // Of an attempt that is under way nothing is left: there is never more than one connection.
    this.drop();
    this.dial(this.connector.connect(performance.now()));
    this.schedule();
  }

  dial(url) {
    /** The address of the present connection, or of the last one. */
    this.url = url;
    this.isWelcomed = this.isLost = false;
    this.framesSinceAck = 0;
    this.stopAckTimer();
    const attempt = ++this.attempts;
    if (this.provider === undefined) this.openSocket(url);
    else {
      this.fetchToken().then(() => {
        if (attempt !== this.attempts) return;
        this.renewal.began(this.token, Date.now());
        this.openSocket(url);
      }, (error) => { if (attempt === this.attempts) this.ended(1006, error.message); });
    }
  }

  openSocket(url) {
    let socket;
    try {
      socket = new this.WebSocket(url, [`scenesync.v1.${this.format}`]);
    } catch (error) {
      // A browser that may not connect there says so at once.
      this.socket = undefined;
      queueMicrotask(() => this.ended(1006, error.message));
      return;
    }
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    // A socket that was opened before all this was loaded may be open by now.
    if (socket.readyState === 1) this.sayHello();
    else socket.onopen = () => this.sayHello();
    socket.onmessage = ({ data }) => { if (socket === this.socket) this.receive(data); };
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }) => { if (socket === this.socket) this.ended(code, reason); };
  }

  /** Calls the provider and uses its token, on an open connection too (SPEC CONN-9); resolves to whether it is another one. */
  async fetchToken() {
    let token;
    try {
      token = await this.provider();
    } catch (error) {
      throw new Error(`no token: ${error?.message ?? error}`);
    }
    if (typeof token !== "string" || token === "") throw new Error("no token: the function has to return a string that is not empty");
    if (token === this.token) return false;
    this.token = token;
    return true;
  }

  /** Asks for another token and sends it. */
  async renew() {
    this.isAsking = true;
    const { attempts } = this;
    try {
      if (await this.fetchToken()) {
        this.renewal.began(this.token, Date.now());
        // A connection that began meanwhile has said hello with this token, or will.
        if (attempts === this.attempts && this.isWelcomed) {
          this.sendMessage({ type: "hello", capabilities: 0, token: this.token, room: "", role: "viewer", unitsPerPoint: 0, roots: [], frameRateMaximum: 0 });
        }
      } else this.renewal.failed(Date.now());
    } catch (error) {
      this.renewal.failed(Date.now());
      this.onerror(error);
    }
    this.isAsking = false;
    this.schedule();
  }

  /** Milliseconds until the token is to be renewed; undefined for never. */
  get untilRenewal() {
    const waits = this.isWelcomed && this.provider !== undefined && !this.isAsking && this.renewal.due !== undefined;
    return waits ? this.renewal.due - Date.now() : undefined;
  }

  /**
   * Has `wake` called when the connector has something to do. A timer that is too early stays, and finds nothing: that costs less
   * than a new one for each message.
   */
  schedule() {
    const now = performance.now(), due = Math.min(this.connector.due ?? Infinity, now + (this.untilRenewal ?? Infinity));
    if (this.timer !== undefined && this.timerDue <= due) return;
    clearTimeout(this.timer);
    this.timerDue = due;
    this.timer = due === Infinity ? undefined : setTimeout(() => this.wake(), Math.min(TIMER, Math.max(0, due - now)));
  }

  wake() {
    this.timer = undefined;
    if (this.untilRenewal <= 0) this.renew();
    // Of a long message nothing is seen here before its end.
    const now = performance.now(), answer = this.mirror.needsSnapshot ? this.connector.patience.state : undefined;
    const due = this.connector.advance(now, answer);
    if (due.connect !== undefined) this.dial(due.connect);
    else if (due.ping) this.sendMessage({ type: "ping", t0: Math.round(now * 1000) });
    else if (due.giveUp) {
      this.drop();
      this.settle(due.retry, 1006, "the server does not answer");
    }
    this.schedule();
  }

  /** Takes the connection for dead: the network is gone, or the server is silent. The next one begins as after any other end. */
  lose() {
    this.drop();
    this.ended(1006, "the connection was given up");
  }

  /** Lets go of the socket: one without a network would wait long for the other end to close it. */
  drop() {
    const { socket } = this, ignore = () => {};
    this.socket = undefined;
    // What a provider gives to an attempt that is over opens no connection.
    this.attempts++;
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = ignore;
    if (socket.terminate) socket.terminate();
    else socket.close();
  }

  sayHello() {
    this.connector.opened(performance.now());
    if (this.socket.protocol !== undefined && this.socket.protocol !== `scenesync.v1.${this.format}`) {
      this.isClosing = this.connector.isEnding = true;
      this.socket.close(4000, "no subprotocol");
      return;
    }
    if (this.beginsAnew) {
      // What there is is of no use to this connection (SPEC CONN-32).
      this.beginsAnew = false;
      this.mirror = Object.assign(new Mirror(), { verifiesLater: this.mirror.verifiesLater });
    }
    const hello = {
      type: "hello", capabilities: this.capabilities, token: this.token, room: this.room, role: this.role,
      unitsPerPoint: 0, roots: [], frameRateMaximum: 0,
    };
    const known = this.welcome ?? this.resume;
    if (known) {
      const { session, resumeToken: token } = known;
      hello.resume = { session, token, epoch: this.mirror.epoch, lastTick: this.mirror.tick };
      // No tick names what there is (SPEC CONN-32).
      if (this.mirror.needsSnapshot || this.mirror.isWithinTick) hello.capabilities &= ~MERGED_RESUME;
    }
    this.saidDevice = this.device;
    if (this.device) hello.device = this.device;
    this.sendMessage(hello);
  }

  /**
   * Asks for another device, now and after every cut (capability bit 9): `{ name }`, `{ columns, rows }`, or `{ viewport }`
   * with the keys of a document's devices; `{}` is the main one. A message `device` answers, and the state follows.
   */
  changeDevice(request) {
    this.device = { name: "", columns: 0, rows: 0, viewport: {}, ...request };
    this.tellDevice();
  }

  /** Asks for a device that `hello` did not name. */
  tellDevice() {
    if (this.saidDevice === this.device || !this.grants("device")) return;
    this.saidDevice = this.device;
    this.sendMessage({ type: "device", ...this.device });
  }

  /** Whether the server granted what a type of message needs, and `more` capabilities, on this connection. */
  grants(type, more = 0) {
    const needed = (NEEDS[type] ?? 0) | more;
    return needed === 0 || (this.isWelcomed && (Number(BigInt.asUintN(32, BigInt(this.welcome.capabilities))) & needed) === needed);
  }

  /** Sends a message that gets no result; throws where the server did not grant it (SPEC CONN-20). */
  sendMessage(message) {
    if (!this.grants(message.type, message.fittings ? FITTING : 0)) throw new Error(`${message.type} was not granted: ask for it in capabilities`);
    if (message.type === "seek" && !message.live) this.beginsAnew = true;
    this.socket.send(this.format === "bin" ? encode(message) : JSON.stringify(message));
  }

  /** Sends ops as one batch; resolves to the `result` message. */
  send(list, { atomic = false, undoGroup = 0 } = {}) {
    return this.request({ type: "ops", baseTick: this.mirror.tick, undoGroup, atomic, ops: list });
  }

  /** Takes this client's last step back; resolves to the `result` message. */
  undo() { return this.step("undo"); }

  /** Does the step again that was taken back last. */
  redo() { return this.step("redo"); }

  step(type) {
    // Between connections it waits for the next one.
    const isRefused = this.isWelcomed && !this.grants(type);
    return isRefused ? Promise.reject(new Error(`${type} was not granted: ask for it in capabilities`)) : this.request({ type });
  }

  /** Sends what gets a result, again after a cut. */
  request(fields) {
    return this.hasEnded ? Promise.reject(new Error("the connection has ended")) : this.restore({ ...fields, clientSequence: this.nextSequence });
  }

  /**
   * Sends a request under the sequence that it has: one that an earlier client of the same session left without a result. Sequences rise
   * from call to call.
   */
  restore(message) {
    this.nextSequence = message.clientSequence + 1;
    return new Promise((resolve, reject) => {
      this.unanswered.set(message.clientSequence, { message, resolve, reject });
      if (this.isWelcomed) this.sendRequests(this.lastSent);
    });
  }

  /** Takes back a request that was never sent, whose promise stays open; returns whether it was one. */
  withdraw(sequence) { return sequence > this.lastSent && this.unanswered.delete(sequence); }

  /**
   * Sends the requests behind a sequence, in their order. What was sent before and is not granted now waits, with everything behind it: a
   * later one would overtake it. What was never sent and is not granted is given up (SPEC CONN-24).
   */
  sendRequests(last) {
    for (const [sequence, { message, reject }] of this.unanswered) {
      if (this.grants(message.type)) {
        if (sequence > last) this.sendMessage(message);
        this.lastSent = Math.max(this.lastSent, sequence);
      } else if (sequence <= this.lastSent) return;
      else {
        this.unanswered.delete(sequence);
        reject(new Error(`this server does not take ${message.type}: it was not sent`));
      }
    }
  }

  /** Tells the program behind the scene what somebody did (capability bit 10); again after a cut, as long as the server knows this client. */
  sendEvent({ to = 0, kind, view = "", tick = this.mirror.tick, place = [0, 0], modifiers = 0, value = null }) {
    const eventSequence = this.nextEvent++;
    if (this.events.size >= EVENTS) {
      const message = `${EVENTS} events wait for their results; await some`;
      return Promise.resolve({ eventSequence, outcome: "refused", code: "limit", message });
    }
    if (this.hasEnded) return Promise.resolve({ eventSequence, outcome: "unhandled", code: "", message: "the connection has ended" });
    return new Promise((resolve) => {
      const entry = { message: { type: "event", eventSequence, to, kind, view, tick, place, modifiers, value }, resolve, isSent: false };
      this.events.set(eventSequence, entry);
      if (this.grants("event")) this.post(entry);
      // A server that takes no events will not take this one later.
      else if (this.isWelcomed) this.settleEvent({ eventSequence, outcome: "unhandled", code: "", message: "" });
    });
  }

  post(entry) {
    entry.isSent = true;
    this.sendMessage(entry.message);
  }

  settleEvent(result) {
    this.events.get(result.eventSequence)?.resolve(result);
    this.events.delete(result.eventSequence);
  }

  /** Sends again what has no result. A server that does not know this client any more says nothing of what it was sent. */
  resumeEvents(before) {
    const isKnown = before && before.session === this.welcome.session && before.incarnation === this.welcome.incarnation;
    if (!isKnown) this.forgetEvents();
    if (this.roots && this.grants("handle")) this.sendMessage({ type: "handle", roots: this.roots });
    for (const [eventSequence, entry] of this.events) {
      if (!isKnown && entry.isSent) this.settleEvent({ eventSequence, outcome: "unknown", code: "", message: "" });
      else if (this.grants("event")) this.post(entry);
      else this.settleEvent({ eventSequence, outcome: "unhandled", code: "", message: "" });
    }
  }

  /** Numbers and answers mean something to one server only, and no longer than it remembers this client. */
  forgetEvents() {
    this.lastReceived = 0n;
    /** Events that came and have no answer, by their numbers. */
    this.open = new Map();
    /** Answers by the numbers of their events, the oldest first. */
    this.answers = new Map();
  }

  /** Handles the events of some subtrees, on this connection and on later ones (capability bit 10, an editor's right). */
  handle(roots) {
    this.roots = [...roots];
    if (this.grants("handle")) this.sendMessage({ type: "handle", roots: this.roots });
  }

  /** Says what became of an event that came to `onevent`. The second answer to one says nothing, as do those whose server is gone. */
  answer(event, isHandled = true) {
    const number = BigInt(event.sequence);
    if (this.open.get(number) !== event) return;
    this.open.delete(number);
    this.answers.set(number, isHandled);
    if (this.answers.size > ANSWERS) this.answers.delete(this.answers.keys().next().value);
    if (this.grants("handled")) this.sendAnswer(event.sequence, isHandled);
  }

  sendAnswer(sequence, handled) { this.sendMessage({ type: "handled", answers: [{ sequence, handled }] }); }

  takeEvent(event) {
    const number = BigInt(event.sequence);
    if (number > 0n && number <= this.lastReceived) {
      // It was answered while the connection was cut, or the answer was lost with it (SPEC EVT-18).
      if (this.answers.has(number)) this.sendAnswer(event.sequence, this.answers.get(number));
      return;
    }
    // Number 0 is a message to everyone, which needs no answer.
    if (number > 0n) {
      this.lastReceived = number;
      this.open.set(number, event);
    }
    this.onevent(event);
  }

  takeAnnotations({ whole, changes }) {
    if (whole) this.annotations.clear();
    for (const { kind, id, value } of changes) {
      if (value === null) this.annotations.delete(`${kind} ${id}`);
      else this.annotations.set(`${kind} ${id}`, value);
    }
  }

  takeInteractions({ whole, changes }) {
    if (whole) this.interactions.clear();
    for (const { id, interaction } of changes) {
      if (interaction === undefined) this.interactions.delete(id);
      else this.interactions.set(id, interaction);
    }
  }

  close() {
    if (this.hasEnded) return;
    this.isClosing = this.connector.isEnding = true;
    // Between two connections there is none to close.
    if (this.connector.isWaiting || this.socket === undefined) {
      this.drop();
      this.ended(1000, "");
    } else this.socket.close(1000);
  }

  receive(data) {
    this.connector.heard(performance.now());
    let message;
    try {
      if ((typeof data === "string") !== (this.format === "json")) throw new DecodeError("invalid-value", 0, "the other kind of WebSocket message");
      message = typeof data === "string" ? decodeJSON(data) : decode(new Uint8Array(data));
      if (message.type === "welcome" && this.isWelcomed) throw new DecodeError("invalid-value", 0, "a second welcome");
    } catch (error) {
      if (error.ignorable) return;
      this.isClosing = this.connector.isEnding = true;
      this.onerror(error);
      this.socket.close(4000, error.code ?? "");
      return;
    }
    if (message.type === "presence" && !this.isNews(message)) return;
    if (message.type === "inspection" || message.type === "records") message = this.join(message);
    if (message === undefined) return;
    this.onmessage(message);
    if (message.type === "welcome") {
      const before = this.welcome;
      this.welcome = message;
      this.isWelcomed = true;
      this.wasUnauthenticated = false;
      this.connector.welcomed(message.alternates?.urls ?? [], performance.now());
      this.schedule();
      // The numbers of members are those of a connection's server.
      this.clocks.clear();
      this.chunks.clear();
      this.mirror.continueIn(message.epoch);
      this.sendRequests(0);
      this.resumeEvents(before);
      this.tellDevice();
    } else if (message.type === "interactions") {
      this.takeInteractions(message);
      this.oninteractions(message);
    } else if (message.type === "annotations") {
      this.takeAnnotations(message);
      this.onannotations(message);
    } else if (message.type === "event") this.takeEvent(message);
    else if (message.type === "eventResults") for (const result of message.results) this.settleEvent(result);
    else if (message.type === "device") {
      // From here on frames are those of the device, in its unit.
      const { unitsPerPoint, viewport, scale, cell } = message;
      Object.assign(this.welcome, { unitsPerPoint, viewport, scale, cell });
    } else if (message.type === "result") {
      this.unanswered.get(message.clientSequence)?.resolve(message);
      this.unanswered.delete(message.clientSequence);
    } else if (message.type === "presence") this.onpresence(message);
    else if (message.type === "error") {
      if (message.retryAfterMilliseconds > 0) this.connector.note(message.retryAfterMilliseconds);
      this.onerror(message);
    } else this.update(message);
  }

  /** Whether a presence is no older than the last one of its member (SPEC MSG-11). */
  isNews({ client, clock }) {
    if (clock < (this.clocks.get(client) ?? 0)) return false;
    this.clocks.delete(client);
    // The member silent for longest is forgotten.
    if (this.clocks.size >= CLOCKS) this.clocks.delete(this.clocks.keys().next().value);
    this.clocks.set(client, clock);
    return true;
  }

  /** Takes a chunk of an inspection or of records; gives the whole as one message with the last one. */
  join(chunk) {
    const { type, chunkIndex, chunkCount } = chunk, parts = chunkIndex === 0 ? [] : this.chunks.get(type) ?? [], [first = chunk] = parts;
    this.chunks.delete(type);
    if (parts.length !== chunkIndex || first.request !== chunk.request || first.tick !== chunk.tick || first.chunkCount !== chunkCount) return undefined;
    parts.push(chunk);
    if (parts.length < chunkCount) {
      this.chunks.set(type, parts);
      return undefined;
    }
    return { ...chunk, chunkIndex: 0, chunkCount: 1, text: parts.map(({ text }) => text).join("") };
  }

  /** What `body` gives; false where that does not fit the mirror, and a snapshot was asked for. */
  attempt(body) {
    const wasLoading = this.mirror.chunks.length > 0;
    try {
      return body();
    } catch (error) {
      if (!(error instanceof MirrorError)) throw error;
      this.stopAckTimer();
      // Before the first chunk of the first snapshot there is nothing to lose, and it is on its way (SPEC ERR-1).
      if (error.code !== "no-snapshot" || wasLoading) {
        this.isLost = true;
        this.sendMessage({ type: "resync", tick: this.mirror.tick, hash: this.mirror.stateHash });
      }
      return false;
    }
  }

  /** Compares the mirror with the snapshot's hash, where it was asked to leave that until later. */
  verify() { this.attempt(() => this.mirror.verify()); }

  update(message) {
    if (this.isLost && STATE.has(message.type)) {
      // What was on its way does not fit either, and one request is enough (SPEC CONN-14).
      if (message.type !== "snapshot" || message.chunkIndex > 0) return;
      this.isLost = false;
    }
    if (!this.attempt(() => this.mirror.apply(message))) return;
    const isWhole = message.type === "snapshot" && !this.mirror.needsSnapshot;
    if (message.type !== "frame" && !isWhole) return;
    // A quarter of the frames that it may owe (SPEC MSG-14).
    if (isWhole || ++this.framesSinceAck >= this.welcome?.limits.unacknowledgedFrames >>> 2) {
      this.acknowledge();
    } else this.ackTimer ??= setTimeout(() => this.acknowledge(), ACKNOWLEDGEMENT);
    this.onupdate(this.mirror);
  }

  acknowledge() {
    this.stopAckTimer();
    this.framesSinceAck = 0;
    if (this.isWelcomed && !this.mirror.needsSnapshot) this.sendMessage({ type: "ack", tick: this.mirror.tick, lagMilliseconds: 0 });
  }

  stopAckTimer() {
    clearTimeout(this.ackTimer);
    this.ackTimer = undefined;
  }

  ended(code, reason) {
    const mayRetry = code === UNAUTHENTICATED && this.provider !== undefined && !this.wasUnauthenticated && !this.connector.isEnding;
    if (code === UNAUTHENTICATED) this.wasUnauthenticated = true;
    const finish = (retryCode) => this.settle(this.connector.ended(retryCode, performance.now()), code, reason);
    if (!mayRetry) return finish(code);
    // With another token the end is like one of the network; once, until a server welcomes the client.
    this.isWelcomed = false;
    this.connector.silence.stop();
    this.stopAckTimer();
    this.drop();
    const attempt = this.attempts;
    this.fetchToken().catch(() => false).then((isAnother) => { if (attempt === this.attempts) finish(isAnother ? 1006 : code); });
  }

  /** Tells of the end of a connection; `retry` is what the connector does then. */
  settle(retry, code, reason) {
    this.isWelcomed = false;
    this.stopAckTimer();
    if (code === HASH_MISMATCH) this.beginsAnew = true;
    this.onclose({ code, reason, willRetry: retry !== undefined, ...retry });
    this.schedule();
    if (retry === undefined) {
      this.hasEnded = true;
      for (const { reject } of this.unanswered.values()) reject(new Error(`closed with ${code}: ${reason}`));
      this.unanswered.clear();
      for (const [eventSequence, { isSent }] of this.events) {
        const outcome = isSent ? "unknown" : "unhandled";
        this.settleEvent({ eventSequence, outcome, code: "", message: `closed with ${code}` });
      }
    }
  }
}
