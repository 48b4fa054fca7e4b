import { DecodeError } from "./errors.js";

// --- Bytes (SPEC section 4) ------------------------------------------------------------------------------------------

export const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
export const toUTF8 = new TextEncoder();
export const isASCII = (text) => /^[\0-\x7f]*$/.test(text);
/** One letter for each byte. */
export const latin = new TextDecoder("latin1");
export const zigzag = (value) => ((value << 1) ^ (value >> 31)) >>> 0;
export const unzigzag = (value) => (value >>> 1) ^ -(value & 1);
export const bitCount = (mask) => (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);

export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }
  get remaining() { return this.bytes.length - this.offset; }
  u8() {
    if (this.offset >= this.bytes.length) throw new DecodeError("truncated", this.offset);
    return this.bytes[this.offset++];
  }
  take(count) {
    if (count > this.remaining) throw new DecodeError("truncated", this.offset);
    return this.bytes.subarray(this.offset, (this.offset += count));
  }
  u32() {
    const byte = this.bytes[this.offset];
    if (byte >= 0x80) return this.longU32();
    if (byte === undefined) throw new DecodeError("truncated", this.offset);
    this.offset++;
    return byte;
  }
  /** Many numbers in one loop, which engines compile at once while they still only interpret what is around it. */
  u32s(count) {
    const { bytes } = this, values = new Uint32Array(count);
    let at = this.offset;
    for (let index = 0; index < count; index++) {
      const byte = bytes[at];
      if (byte < 0x80) {
        values[index] = byte;
        at++;
      } else {
        this.offset = at;
        values[index] = this.u32();
        at = this.offset;
      }
    }
    this.offset = at;
    return values;
  }
  longU32() {
    const start = this.offset;
    let value = this.u8() & 0x7f;
    for (let shift = 7; ; shift += 7) {
      const byte = this.u8();
      if (shift > 28 || (shift === 28 && (byte & 0x7f) > 15) || byte === 0) throw new DecodeError("malformed-varint", start);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
  u64() {
    const start = this.offset;
    let value = 0, wide;
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8();
      if (shift > 63 || (shift === 63 && (byte & 0x7f) > 1) || (byte === 0 && shift > 0)) {
        throw new DecodeError("malformed-varint", start);
      }
      // Beyond 49 bits a number no longer holds everything.
      if (shift === 49) wide = BigInt(value);
      if (wide === undefined) value += (byte & 0x7f) * 2 ** shift;
      else wide |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) break;
    }
    if (wide === undefined) return value;
    return wide <= 9007199254740992n ? Number(wide) : String(wide);
  }
  zigzag() { return unzigzag(this.u32()); }
  flag() {
    const start = this.offset, value = this.u8();
    if (value > 1) throw new DecodeError("invalid-value", start);
    return value === 1;
  }
  count(maximum, bytesEach = 1) {
    const start = this.offset, count = this.u32();
    if (count > maximum) throw new DecodeError("too-many", start);
    if (count * bytesEach > this.remaining) throw new DecodeError("truncated", this.offset);
    return count;
  }
  text(maximum) {
    const count = this.count(maximum), start = this.offset;
    try {
      return utf8.decode(this.take(count));
    } catch {
      throw new DecodeError("invalid-utf8", start);
    }
  }
}

export class Writer {
  constructor() {
    this.bytes = new Uint8Array(64);
    this.length = 0;
  }
  get data() { return this.bytes.subarray(0, this.length); }
  makeRoom(count) {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(2 * (this.length + count));
    larger.set(this.data);
    this.bytes = larger;
  }
  append(bytes) {
    this.makeRoom(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }
  u8(value) {
    this.makeRoom(1);
    this.bytes[this.length++] = value;
  }
  u32(value) {
    for (; value >= 0x80; value >>>= 7) this.u8((value & 0x7f) | 0x80);
    this.u8(value);
  }
  u64(value) {
    let rest = BigInt(value);
    for (; rest >= 0x80n; rest >>= 7n) this.u8(Number(rest & 0x7fn) | 0x80);
    this.u8(Number(rest));
  }
  zigzag(value) { this.u32(zigzag(value)); }
  text(value) {
    if (value.length >= 42 || !this.shortText(value)) this.longText(value);
  }
  /**
   * A text of fewer than 42 units, which takes three bytes for each at most, so that its count is one byte. Names and most lines are
   * that short, and calls of an encoder for each would take most of the time in which a state is hashed. False, with nothing
   * written, where units come in pairs.
   */
  shortText(value) {
    this.makeRoom(128);
    const { bytes, length } = this;
    let at = length + 1;
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index);
      if (unit < 0x80) bytes[at++] = unit;
      else if (unit < 0x800) {
        bytes[at++] = 0xc0 | unit >> 6;
        bytes[at++] = 0x80 | unit & 0x3f;
      } else if (unit < 0xd800 || unit > 0xdfff) {
        bytes[at++] = 0xe0 | unit >> 12;
        bytes[at++] = 0x80 | unit >> 6 & 0x3f;
        bytes[at++] = 0x80 | unit & 0x3f;
      } else return false;
    }
    bytes[length] = at - length - 1;
    this.length = at;
    return true;
  }
  longText(value) {
    const encoded = toUTF8.encode(value);
    this.u32(encoded.length);
    this.append(encoded);
  }
}

const RICE_ESCAPE = 16;

export class BitReader {
  constructor(reader) {
    this.reader = reader;
    this.value = this.left = 0;
  }
  bit() {
    if (this.left === 0) {
      this.value = this.reader.u8();
      this.left = 8;
    }
    const bit = this.value & 1;
    this.value >>= 1;
    this.left--;
    return bit;
  }
  bits(count) {
    let value = 0;
    for (let place = 0; place < count; place++) value |= this.bit() << place;
    return value >>> 0;
  }
  rice(parameter) {
    const start = this.reader.offset;
    let ones = 0;
    while (ones < RICE_ESCAPE && this.bit()) ones++;
    if (ones < RICE_ESCAPE) return ((ones << parameter) | this.bits(parameter)) >>> 0;
    const value = this.bits(32);
    if (value >>> parameter < RICE_ESCAPE) throw new DecodeError("malformed-varint", start);
    return value;
  }
  /** A number of at most three: so many ones, and a zero unless they are three. */
  short() {
    let ones = 0;
    while (ones < 3 && this.bit()) ones++;
    return ones;
  }
  finish() {
    if (this.value) throw new DecodeError("invalid-value", this.reader.offset);
  }
}

export class BitWriter {
  constructor(writer) {
    this.writer = writer;
    this.value = this.count = 0;
  }
  put(value, count) {
    for (let place = 0; place < count; place++) {
      this.value |= ((value >>> place) & 1) << this.count;
      if (++this.count === 8) this.finish();
    }
  }
  rice(value, parameter) {
    const ones = value >>> parameter;
    if (ones < RICE_ESCAPE) {
      this.put((1 << ones) - 1, ones + 1);
      this.put(value, parameter);
    } else {
      this.put(0xffff, RICE_ESCAPE);
      this.put(value, 32);
    }
  }
  short(value) { this.put((1 << value) - 1, Math.min(value + 1, 3)); }
  finish() {
    if (this.count) this.writer.u8(this.value);
    this.value = this.count = 0;
  }
}
