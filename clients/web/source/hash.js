import { Writer } from "./bytes.js";
import { encodedStyles, STYLE } from "./messages.js";

// --- The state hash (SPEC section 10) --------------------------------------------------------------------------------

/**
 * FNV-1a on four parts of 16 bits, the lowest first, which are small numbers in every engine; the prime is 2^40 + 0x1b3.
 * Goes on from the parts at `at` in `from` with so many bytes, and writes the parts to `place` in `to`.
 */
function fnv(from, at, bytes, count, to, place) {
  let a = from[at], b = from[at + 1], c = from[at + 2], d = from[at + 3];
  for (let index = 0; index < count; index++) {
    const low = a ^ bytes[index], second = b * 0x1b3 + (low * 0x1b3 >>> 16), third = c * 0x1b3 + (low << 8) + (second >>> 16);
    d = d * 0x1b3 + (b << 8) + (third >>> 16) & 0xffff;
    a = low * 0x1b3 & 0xffff;
    b = second & 0xffff;
    c = third & 0xffff;
  }
  to[place] = a;
  to[place + 1] = b;
  to[place + 2] = c;
  to[place + 3] = d;
}

const FNV_BASIS = Uint16Array.of(0x2325, 0x8422, 0x9ce4, 0xcbf2);
const hashWriter = new Writer();

/** Writes the four parts of the hash of everything but the frame to `at` in `to`. */
export function hashPrefix(id, parentID, content, to, at) {
  const writer = hashWriter, style = encodedStyles.get(content.contentOffset);
  writer.length = 0;
  writer.text(id);
  writer.text(parentID);
  if (style) writer.append(style);
  else STYLE.write(writer, content);
  writer.u32(content.lines.length);
  for (const { text, place } of content.lines) {
    writer.text(text);
    for (let index = 0; index < 3; index++) writer.zigzag(place[index]);
  }
  fnv(FNV_BASIS, 0, writer.bytes, writer.length, to, at);
}

const frameBytes = new Uint8Array(16), frameWords = new DataView(frameBytes.buffer), hashParts = new Uint16Array(4);

/** A sum of views' hashes modulo 2^64, as numbers: big integers would take most of the time in which a snapshot is read. */
export class HashSum {
  constructor() {
    // Each is a sum of numbers of 32 bits, few enough to be exact.
    this.low = this.high = 0;
    // The number that `multiply` works on.
    this.wordLow = this.wordHigh = 0;
  }

  /** Adds the hash of a view: that of everything but the frame is at `place` in `prefixes`. */
  add(prefixes, place, x, y, width, height) {
    frameWords.setInt32(0, x, true);
    frameWords.setInt32(4, y, true);
    frameWords.setInt32(8, width, true);
    frameWords.setInt32(12, height, true);
    fnv(prefixes, place, frameBytes, frameBytes.length, hashParts, 0);
    // The finalizer of SplitMix64.
    this.wordLow = hashParts[1] << 16 | hashParts[0];
    this.wordHigh = hashParts[3] << 16 | hashParts[2];
    this.fold(30);
    this.multiply(0xbf58476d, 0x1ce4e5b9);
    this.fold(27);
    this.multiply(0x94d049bb, 0x133111eb);
    this.fold(31);
    this.low += this.wordLow >>> 0;
    this.high += this.wordHigh >>> 0;
  }

  /** The exclusive or with itself, shifted to the right. */
  fold(count) {
    this.wordLow ^= this.wordLow >>> count | this.wordHigh << 32 - count;
    this.wordHigh ^= this.wordHigh >>> count;
  }

  multiply(high, low) {
    const { wordLow, wordHigh } = this, a = wordLow & 0xffff, b = wordLow >>> 16, c = low & 0xffff, d = low >>> 16;
    const near = a * c, left = a * d, right = b * c, middle = (near >>> 16) + (left & 0xffff) + (right & 0xffff);
    const carry = b * d + (left >>> 16) + (right >>> 16) + (middle >>> 16);
    this.wordLow = middle << 16 | near & 0xffff;
    this.wordHigh = carry + Math.imul(wordLow, high) + Math.imul(wordHigh, low) | 0;
  }

  /** 16 hexadecimal digits. */
  get text() {
    const carry = Math.floor(this.low / 0x100000000), digits = (word) => (word >>> 0).toString(16).padStart(8, "0");
    return digits((this.high + carry) % 0x100000000) + digits(this.low % 0x100000000);
  }
}
