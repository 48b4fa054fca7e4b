// Recordings: what the members of a room received in a range of ticks, in one file (docs/recordings.md). Written by
// `scenesync record` and by the page; read by the page that plays them (player.js).
import { Mirror, decode } from "./scenesync.js";

const BEGINS = 1, METRICS = 2, HASH = 4;
const VERSION = 1;
const asText = new TextDecoder(), asBytes = new TextEncoder();

class Bytes {
  constructor(bytes) { Object.assign(this, { bytes, at: 0 }); }

  number() {
    let value = 0, factor = 1;
    for (;;) {
      const byte = this.take(1)[0];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
      if (factor > 2 ** 49) throw new Error("a number in the recording is too large");
    }
  }

  take(count) {
    if (count > this.bytes.length - this.at) throw new Error("the recording is cut short");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  json() { return JSON.parse(asText.decode(this.take(this.number()))); }
}

/** A recording, read from its bytes. Throws for bytes that are none. */
export class Recording {
  constructor(bytes) {
    const source = new Bytes(bytes), header = source.json();
    if (header.recording !== VERSION) throw new Error(`a recording of version ${header.recording}, expected ${VERSION}`);
    Object.assign(this, header);
    this.tracks = header.tracks.map(({ device, moments }) => {
      const track = { device, moments: [] };
      let tick = header.first, metrics;
      for (let index = 0; index < moments; index++) {
        tick += source.number();
        const [flags] = source.take(1), moment = { tick, begins: (flags & BEGINS) !== 0 };
        if (flags & METRICS) metrics = source.json();
        moment.metrics = metrics;
        if (flags & HASH) moment.hash = Array.from(source.take(8), (byte) => byte.toString(16).padStart(2, "0")).reverse().join("");
        moment.messages = Array.from({ length: source.number() }, () => source.take(source.number()));
        track.moments.push(moment);
      }
      if (!track.moments[0]?.begins) throw new Error("a device of the recording does not begin with the whole scene");
      return track;
    });
  }

  get seconds() { return (this.last - this.first) / this.tickRate; }
}

/** The bytes of a recording: the header's fields, and for each track its device and moments as `Recording` reads them. */
export function write(header, tracks) {
  const parts = [], push = (bytes) => parts.push(bytes);
  const number = (value) => {
    const bytes = [];
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
    push(Uint8Array.of(...bytes, value));
  };
  const sized = (bytes) => {
    number(bytes.length);
    push(bytes);
  };
  sized(asBytes.encode(JSON.stringify({ recording: VERSION, ...header, tracks: tracks.map(({ device, moments }) => ({ device, moments: moments.length })) })));
  for (const { moments } of tracks) {
    let { first: tick } = header;
    for (const moment of moments) {
      number(moment.tick - tick);
      ({ tick } = moment);
      push(Uint8Array.of((moment.begins ? BEGINS : 0) | (moment.metrics ? METRICS : 0) | (moment.hash ? HASH : 0)));
      if (moment.metrics) sized(asBytes.encode(JSON.stringify(moment.metrics)));
      if (moment.hash) push(Uint8Array.from(moment.hash.match(/../g).reverse(), (digits) => parseInt(digits, 16)));
      number(moment.messages.length);
      for (const message of moment.messages) sized(message);
    }
  }
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The scene of one track at the tick that was asked for last. */
export class Playback {
  checked = 0;
  /** Ticks whose scene is not the one that was recorded. */
  wrong = [];

  constructor(recording, track) {
    Object.assign(this, { recording, track, next: 0, mirror: new Mirror(), metrics: undefined });
  }

  /** Goes to a tick. Returns whether views came, went, or look different since the last time, beyond their frames. */
  seek(tick) {
    const { moments } = this.track, behind = moments.findIndex((moment) => moment.tick > tick), end = behind < 0 ? moments.length : behind;
    let isOther = false;
    if (end < this.next || this.next === 0) {
      // From the last whole scene before it.
      const begin = moments.slice(0, Math.max(1, end)).findLastIndex(({ begins }) => begins);
      this.next = Math.max(0, begin);
    }
    for (; this.next < Math.max(1, end); this.next++) isOther = this.show(moments[this.next]) || isOther;
    return isOther;
  }

  show({ tick, begins, metrics, hash, messages }) {
    if (begins) this.mirror = new Mirror();
    let isOther = begins || metrics !== this.metrics;
    this.metrics = metrics;
    for (const bytes of messages) {
      const message = decode(bytes);
      if (message.type !== "frame" && message.type !== "anim") isOther = true;
      this.mirror.apply(message);
    }
    if (hash !== undefined) {
      this.checked++;
      if (hash !== this.mirror.stateHash) this.wrong.push(tick);
    }
    return isOther;
  }
}
