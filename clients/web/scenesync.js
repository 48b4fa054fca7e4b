//# allFunctionsCalledOnLoad
// A client of SceneSync (protocol/SPEC.md, version 1) in one module without dependencies: the codec for both formats,
// a mirror of the scene, ops, and a connection. One file on purpose: a page copies it and needs nothing else. By its first
// line browsers compile it whole in the background, where they would compile each function when it is first called.
//
//   import { SceneClient, ops } from "./scenesync.js";
//   const client = new SceneClient({ url: "ws://127.0.0.1:7070/demo", WebSocket, role: "editor" });
//   client.onupdate = (mirror) => draw(mirror);
//   await client.send([ops.setConstraint("sidebar-width", { constant: 300 })]);
//
// A decoded message is the object that the JSON format carries: the same names, hashes as 16 hexadecimal digits,
// integers above 2^53 as decimal digits in a string.
//
// `scenesync.d.ts` says what each part of it takes and gives.
//
// The modules of this file are in clients/web/source; scripts/web_client.py joins them.

// --- Errors and limits (SPEC sections 11 and 13) ---------------------------------------------------------------------

/** Bytes or JSON that are no message. `code` is a name of SPEC section 11.1; `ignorable`, of section 12. */
export class DecodeError extends Error {
  constructor(code, offset, detail) {
    super(code + (offset === undefined ? "" : ` at byte ${offset}`) + (detail ? `: ${detail}` : ""));
    this.code = code;
    this.offset = offset;
    this.ignorable = false;
  }
}

/** A message that does not fit the mirror; only a snapshot helps then. `code` is a name of SPEC section 11.2. */
export class MirrorError extends Error {
  constructor(code, detail) {
    super(code + (detail === undefined ? "" : `: ${detail}`));
    this.code = code;
  }
}

export const limits = {
  messageBytes: 1 << 20, inflatedBytes: 1 << 22, views: 10000, constraints: 50000, ops: 10000, textBytes: 65536,
  numbers: 1 << 20, idBytes: 64, nameBytes: 256, tokenBytes: 4096, chunks: 1024, jsonDepth: 64, animations: 4096, eventValueBytes: 4096,
};

// --- Deflate (RFC 1951) ----------------------------------------------------------------------------------------------

const TABLE_BITS = 9;

/** Reads a raw deflate stream (RFC 1951) of exactly `length` bytes that ends with the last of `bytes`; null if it is none. */
export function inflate(bytes, length) {
  const output = new Uint8Array(length);
  let size = 0, offset = 0, hold = 0, held = 0;
  const bad = {};
  const bits = (count) => {
    while (held < count) {
      if (offset >= bytes.length) throw bad;
      hold |= bytes[offset++] << held;
      held += 8;
    }
    const value = hold & ((1 << count) - 1);
    hold >>>= count;
    held -= count;
    return value;
  };
  // As many bits as there is room for.
  const fill = () => {
    for (; held < 24 && offset < bytes.length; held += 8) hold |= bytes[offset++] << held;
  };
  // Canonical Huffman codes: how many there are of each length, the symbols in the order of their codes, and for short
  // codes a table by the next bits of the stream, of which each entry is `symbol << 4 | length`.
  const huffman = (lengths, mayBeIncomplete) => {
    const counts = new Uint16Array(16), starts = new Uint16Array(16), codes = new Uint16Array(16);
    const symbols = new Uint16Array(lengths.length), table = new Uint16Array(1 << TABLE_BITS);
    for (const each of lengths) counts[each]++;
    let left = 1;
    for (let each = 1; each < 16; each++) {
      left = 2 * left - counts[each];
      if (left < 0) throw bad;
      starts[each] = each > 1 ? starts[each - 1] + counts[each - 1] : 0;
      codes[each] = each > 1 ? (codes[each - 1] + counts[each - 1]) << 1 : 0;
    }
    if (left > 0 && !(mayBeIncomplete && lengths.length - counts[0] <= 1)) throw bad;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol];
      if (length === 0) continue;
      symbols[starts[length]++] = symbol;
      if (length > TABLE_BITS) continue;
      // Codes come with their highest bit first.
      let reversed = 0;
      for (let code = codes[length]++, bit = 0; bit < length; bit++, code >>= 1) reversed = reversed << 1 | code & 1;
      for (let each = reversed; each < 1 << TABLE_BITS; each += 1 << length) table[each] = symbol << 4 | length;
    }
    return { counts, symbols, table };
  };
  // The entry of a code that is longer than the table's.
  const longEntry = ({ counts, symbols }, ahead) => {
    let code = 0, first = 0, index = 0;
    for (let each = 1; each < 16; each++, ahead >>= 1) {
      code |= ahead & 1;
      if (code - counts[each] < first) return symbols[index + (code - first)] << 4 | each;
      index += counts[each];
      first = (first + counts[each]) << 1;
      code <<= 1;
    }
    throw bad;
  };
  const symbol = (codes) => {
    fill();
    const entry = codes.table[hold & ((1 << TABLE_BITS) - 1)] || longEntry(codes, hold);
    bits(entry & 15);
    return entry >> 4;
  };
  // Nearly all of the work, before an engine has compiled any of it: hence one loop, local variables, and no calls.
  const codes = (literals, distances) => {
    const mask = (1 << TABLE_BITS) - 1, near = literals.table, far = distances.table, end = bytes.length;
    let ahead = hold, left = held, at = offset, to = size;
    for (;;) {
      for (; left < 24 && at < end; left += 8) ahead |= bytes[at++] << left;
      let entry = near[ahead & mask] || longEntry(literals, ahead), count = entry & 15;
      const value = entry >> 4;
      if (count > left) throw bad;
      ahead >>>= count;
      left -= count;
      if (value < 256) {
        if (to >= length) throw bad;
        output[to++] = value;
        continue;
      }
      if (value === 256) break;
      if (value > 285) throw bad;
      const extra = value < 265 || value === 285 ? 0 : (value - 261) >> 2;
      const base = value < 265 ? value - 254 : value === 285 ? 258 : ((4 + ((value - 265) & 3)) << extra) + 3;
      const run = base + (ahead & ((1 << extra) - 1));
      ahead >>>= extra;
      left -= extra;
      for (; left < 24 && left >= 0 && at < end; left += 8) ahead |= bytes[at++] << left;
      entry = far[ahead & mask] || longEntry(distances, ahead);
      count = entry & 15;
      ahead >>>= count;
      left -= count;
      for (; left < 24 && left >= 0 && at < end; left += 8) ahead |= bytes[at++] << left;
      const code = entry >> 4, more = code < 4 ? 0 : (code - 2) >> 1;
      const distance = (code < 4 ? code : (2 + (code & 1)) << more) + 1 + (ahead & ((1 << more) - 1));
      ahead >>>= more;
      left -= more;
      // Less than nothing is left where the stream ends too soon.
      if (left < 0 || code > 29 || distance > to || to + run > length) throw bad;
      for (const last = to + run; to < last; to++) output[to] = output[to - distance];
    }
    hold = ahead;
    held = left;
    offset = at;
    size = to;
  };
  const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  try {
    for (let last = 0; !last; ) {
      last = bits(1);
      const type = bits(2);
      if (type === 0) {
        // The rest of the byte is left out; whole bytes that are held already go back.
        offset -= held >> 3;
        hold = held = 0;
        if (offset + 4 > bytes.length) throw bad;
        const count = bytes[offset] | (bytes[offset + 1] << 8);
        if (count !== (~(bytes[offset + 2] | (bytes[offset + 3] << 8)) & 0xffff)) throw bad;
        offset += 4;
        if (offset + count > bytes.length || size + count > length) throw bad;
        output.set(bytes.subarray(offset, offset + count), size);
        offset += count;
        size += count;
      } else if (type === 1) {
        const lengths = Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
        codes(huffman(lengths), huffman(Array(32).fill(5)));
      } else if (type === 2) {
        const literalCount = bits(5) + 257, distanceCount = bits(5) + 1, count = bits(4) + 4;
        if (literalCount > 286 || distanceCount > 30) throw bad;
        const codeLengths = Array(19).fill(0);
        for (let index = 0; index < count; index++) codeLengths[ORDER[index]] = bits(3);
        const lengthCode = huffman(codeLengths);
        const lengths = [];
        while (lengths.length < literalCount + distanceCount) {
          const value = symbol(lengthCode);
          if (value < 16) { lengths.push(value); continue; }
          if (value === 16 && lengths.length === 0) throw bad;
          const repeated = value === 16 ? lengths[lengths.length - 1] : 0;
          const times = value === 16 ? 3 + bits(2) : value === 17 ? 3 + bits(3) : 11 + bits(7);
          for (let step = 0; step < times; step++) lengths.push(repeated);
        }
        if (lengths.length > literalCount + distanceCount || lengths[256] === 0) throw bad;
        codes(huffman(lengths.slice(0, literalCount), true), huffman(lengths.slice(literalCount), true));
      } else throw bad;
    }
  } catch (error) {
    if (error !== bad) throw error;
    return null;
  }
  return size === length && offset - (held >> 3) === bytes.length ? output : null;
}

// --- JSON (SPEC section 5) -------------------------------------------------------------------------------------------

const wrong = (name, expected) => new DecodeError("field", undefined, `${name} has to be ${expected}`);

/** JSON without duplicate keys, halves of surrogate pairs, numbers beyond doubles, or more than 64 levels. */
export function parseJSON(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DecodeError("json", undefined, error.message);
  }
  // JSON.parse keeps the last of equal keys, so keys are counted in the text: each is a string before a colon.
  let keys = 0, depth = 0;
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[{\]}]/g)) {
    if (token[1]) keys++;
    else if (token[0] === "[" || token[0] === "{") depth++;
    else if (token[0] === "]" || token[0] === "}") depth--;
    if (depth > limits.jsonDepth) throw new DecodeError("json", undefined, "nested too deeply");
  }
  const whole = (string) => { if (/\p{Surrogate}/u.test(string)) throw new DecodeError("json", undefined, "half a pair"); };
  const visit = (value) => {
    if (typeof value === "string") whole(value);
    else if (typeof value === "number" && !Number.isFinite(value)) throw new DecodeError("json", undefined, "beyond doubles");
    else if (Array.isArray(value)) value.forEach(visit);
    else if (value && typeof value === "object") {
      for (const [key, element] of Object.entries(value)) { keys--; whole(key); visit(element); }
    }
  };
  visit(value);
  if (keys !== 0) throw new DecodeError("json", undefined, "a key twice");
  return value;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function integer(value, low, high, name) {
  if (!Number.isInteger(value) || value < low || value > high) throw wrong(name, `an integer in ${low}…${high}`);
  return value;
}

function array(value, maximum, name) {
  if (!Array.isArray(value) || value.length > maximum) throw wrong(name, `a list of at most ${maximum}`);
  return value;
}

/** Takes members out of a copy of an object, so that what is left over is known. */
class Members {
  constructor(value, name) {
    if (!isObject(value)) throw wrong(name, "an object");
    this.left = new Map(Object.entries(value));
  }
  has(name) { return this.left.has(name); }
  take(name) {
    if (!this.left.has(name)) throw wrong(name, "there");
    const value = this.left.get(name);
    this.left.delete(name);
    return value;
  }
  finish() { for (const name of this.left.keys()) throw wrong(name, "left out, as nobody knows it"); }
}

// --- Bytes (SPEC section 4) ------------------------------------------------------------------------------------------

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const toUTF8 = new TextEncoder();
const isASCII = (text) => /^[\0-\x7f]*$/.test(text);
/** One letter for each byte. */
const latin = new TextDecoder("latin1");
const zigzag = (value) => ((value << 1) ^ (value >> 31)) >>> 0;
const unzigzag = (value) => (value >>> 1) ^ -(value & 1);
const bitCount = (mask) => (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);

class Reader {
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

class Writer {
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

class BitReader {
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

class BitWriter {
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

// --- Kinds of fields: each reads and writes bytes, and checks what came as JSON ---------------------------------------

const number = (bits, low = 0, high = 2 ** bits - 1) => ({
  read(reader) {
    const start = reader.offset, value = bits === 8 ? reader.u8() : reader.u32();
    if (value < low || value > high) throw new DecodeError("invalid-value", start);
    return value;
  },
  write: (writer, value) => (bits === 8 ? writer.u8(value) : writer.u32(value)),
  check: (value, name) => integer(value, low, high, name),
});
const U8 = number(8), U32 = number(32), NUMBER = number(32, 0, limits.numbers - 1);
const U64 = {
  read: (reader) => reader.u64(),
  write: (writer, value) => writer.u64(value),
  check(value, name) {
    if (typeof value !== "string") return integer(value, 0, 9007199254740992, name);
    if (!/^[1-9][0-9]{15,19}$/.test(value) || BigInt(value) <= 9007199254740992n || BigInt(value) >> 64n) {
      throw wrong(name, "an integer below 2^64");
    }
    return value;
  },
};
const FIXED64 = {
  read(reader) {
    let text = "";
    for (const byte of reader.take(8)) text = byte.toString(16).padStart(2, "0") + text;
    return text;
  },
  write(writer, value) { for (let at = 14; at >= 0; at -= 2) writer.u8(parseInt(value.slice(at, at + 2), 16)); },
  check(value, name) {
    if (typeof value !== "string" || !/^[0-9a-f]{16}$/.test(value)) throw wrong(name, "16 hexadecimal digits");
    return value;
  },
};
const F64 = {
  read(reader) {
    const start = reader.offset, bytes = reader.take(8);
    const value = new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
    if (!Number.isFinite(value)) throw new DecodeError("invalid-value", start);
    return value;
  },
  write(writer, value) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    writer.append(bytes);
  },
  check(value, name) {
    if (typeof value !== "number") throw wrong(name, "a number");
    return value;
  },
};
const FLAG = {
  read: (reader) => reader.flag(),
  write: (writer, value) => writer.u8(value ? 1 : 0),
  check(value, name) {
    if (typeof value !== "boolean") throw wrong(name, "true or false");
    return value;
  },
};
const text = (maximum, isValid = () => true) => ({
  read(reader) {
    const start = reader.offset, value = reader.text(maximum);
    if (!isValid(value)) throw new DecodeError("invalid-value", start);
    return value;
  },
  write: (writer, value) => writer.text(value),
  check(value, name) {
    if (typeof value !== "string" || toUTF8.encode(value).length > maximum || !isValid(value)) {
      throw wrong(name, `a text of at most ${maximum} bytes`);
    }
    return value;
  },
});
const choice = (...names) => ({
  read(reader) {
    const start = reader.offset, index = reader.u8();
    if (index >= names.length) throw new DecodeError("invalid-value", start);
    return names[index];
  },
  write: (writer, value) => writer.u8(names.indexOf(value)),
  check(value, name) {
    if (!names.includes(value)) throw wrong(name, `one of ${names.join(", ")}`);
    return value;
  },
});
const several = (count, kind) => ({
  read(reader) { return Array.from({ length: count }, () => kind.read(reader)); },
  write(writer, values) { for (const value of values) kind.write(writer, value); },
  check(values, name) {
    if (array(values, count, name).length !== count) throw wrong(name, `${count} numbers`);
    return values.map((value) => kind.check(value, name));
  },
});
const INT32 = {
  read: (reader) => reader.zigzag(),
  write: (writer, value) => writer.zigzag(value),
  check: (value, name) => integer(value, -(2 ** 31), 2 ** 31 - 1, name),
};
const list = (kind, maximum) => ({
  read(reader) {
    const count = reader.count(maximum), values = [];
    for (let index = 0; index < count; index++) values.push(kind.read(reader));
    return values;
  },
  write(writer, values) {
    writer.u32(values.length);
    for (const value of values) kind.write(writer, value);
  },
  check: (values, name) => array(values, maximum, name).map((value) => kind.check(value, name)),
});
const COLOR = {
  isOptional: true,
  read(reader) {
    if (!reader.flag()) return undefined;
    const digits = Array.from(reader.take(4), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return "#" + (digits.endsWith("ff") ? digits.slice(0, 6) : digits);
  },
  write(writer, value) {
    writer.u8(value === undefined ? 0 : 1);
    const digits = ((value ?? "").slice(1) + "ff").slice(0, 8);
    for (let at = 0; value !== undefined && at < 8; at += 2) writer.u8(parseInt(digits.slice(at, at + 2), 16));
  },
  check(value, name) {
    if (typeof value !== "string" || !/^#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/.test(value)) throw wrong(name, "#rrggbb[aa]");
    const lower = value.toLowerCase();
    return lower.length === 9 && lower.endsWith("ff") ? lower.slice(0, 7) : lower;
  },
};
const MAYBE_NUMBER = {
  isOptional: true,
  read(reader) {
    const start = reader.offset, value = reader.u32();
    if (value > limits.numbers) throw new DecodeError("invalid-value", start);
    return value ? value - 1 : undefined;
  },
  write: (writer, value) => writer.u32(value === undefined ? 0 : value + 1),
  check: NUMBER.check,
};
const JSON_TEXT = {
  read(reader) {
    const bytes = reader.take(reader.count(limits.messageBytes));
    let value;
    try { value = utf8.decode(bytes); } catch { throw new DecodeError("json", reader.offset, "not UTF-8"); }
    return parseJSON(value);
  },
  write: (writer, value) => writer.text(JSON.stringify(value)),
  check: (value) => value,
};

/** Fields in order; `rule` says what is wrong between them, if anything. */
const struct = (fields, rule = () => undefined) => {
  const entries = Object.entries(fields);
  return {
    fields,
    read(reader) {
      const value = {};
      for (const [name, kind] of entries) {
        const field = kind.read(reader, value);
        if (kind.isInline) Object.assign(value, field);
        else if (field !== undefined) value[name] = field;
      }
      const broken = rule(value);
      if (broken) throw new DecodeError("invalid-value", reader.offset, broken);
      return value;
    },
    write(writer, value) {
      for (const [name, kind] of entries) kind.write(writer, kind.isInline ? value : value[name], value);
    },
    takeFrom(members) {
      const value = {};
      for (const [name, kind] of entries) {
        if (kind.isInline) Object.assign(value, kind.takeFrom(members));
        else if (members.has(name) || !kind.isOptional) value[name] = kind.check(members.take(name), name);
      }
      const broken = rule(value);
      if (broken) throw wrong("message", `other: ${broken}`);
      return value;
    },
    check(value, name) {
      const members = new Members(value, name), result = this.takeFrom(members);
      members.finish();
      return result;
    },
  };
};
const maybe = (kind) => ({
  isOptional: true,
  read: (reader) => (reader.flag() ? kind.read(reader) : undefined),
  write(writer, value) {
    writer.u8(value === undefined ? 0 : 1);
    if (value !== undefined) kind.write(writer, value);
  },
  check: (value, name) => kind.check(value, name),
});
const tagged = (tag, isInline, kinds) => {
  const tags = choice(...Object.keys(kinds));
  return {
    isInline,
    read(reader) {
      const name = tags.read(reader);
      return { [tag]: name, ...kinds[name].read(reader) };
    },
    write(writer, value) {
      tags.write(writer, value[tag]);
      kinds[value[tag]].write(writer, value);
    },
    takeFrom(members) {
      const name = tags.check(members.take(tag), tag);
      return { [tag]: name, ...kinds[name].takeFrom(members) };
    },
    check(value, name) {
      const members = new Members(value, name), result = this.takeFrom(members);
      members.finish();
      return result;
    },
  };
};

// --- Frame diffs (SPEC section 8) ------------------------------------------------------------------------------------

function readSet(form, maximum, reader) {
  const start = reader.offset, numbers = [];
  let next = 0;
  if (form === 0) {
    for (let count = reader.count(maximum, 2); count > 0; count--) {
      const at = reader.offset, first = next + reader.u32(), head = reader.u32(), length = Math.floor(head / 2) + 1;
      const stride = head & 1 ? reader.u32() + 2 : 1;
      if (length > maximum - numbers.length) throw new DecodeError("too-many", at);
      const last = first + (length - 1) * stride;
      if (last >= limits.numbers || (head & 1 && length === 1)) throw new DecodeError("malformed-selection", at);
      for (let each = first; each <= last; each += stride) numbers.push(each);
      next = last + 1;
    }
  } else if (form === 1) {
    for (let count = reader.count(maximum); count > 0; count--) {
      const at = reader.offset, each = next + reader.u32();
      if (each >= limits.numbers) throw new DecodeError("malformed-selection", at);
      numbers.push(each);
      next = each + 1;
    }
  } else if (form === 2) {
    const first = reader.u32(), bytes = reader.take(reader.count(limits.numbers / 8 + 1));
    if (!bytes.length || !(bytes[0] & 1) || !bytes[bytes.length - 1]) throw new DecodeError("malformed-selection", start);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      if (!((bytes[bit >> 3] >> (bit & 7)) & 1)) continue;
      if (first + bit >= limits.numbers) throw new DecodeError("malformed-selection", start);
      if (numbers.length >= maximum) throw new DecodeError("too-many", start);
      numbers.push(first + bit);
    }
  } else throw new DecodeError("invalid-value", start);
  if (!numbers.length) throw new DecodeError("malformed-selection", start);
  return numbers;
}

function writeSelection(writer, { mask, numbers }, stores) {
  const runs = new Writer(), gaps = new Writer(), bitmap = new Writer();
  const found = [];
  for (let index = 0; index < numbers.length; ) {
    let end = index + 1, step = end < numbers.length ? numbers[end] - numbers[index] : 1;
    while (end < numbers.length && numbers[end] - numbers[end - 1] === step) end++;
    if (step > 1 && end - index < 3) [end, step] = [index + 1, 1];
    found.push([numbers[index], end - index, step]);
    index = end;
  }
  runs.u32(found.length);
  let next = 0;
  for (const [first, length, step] of found) {
    runs.u32(first - next);
    runs.u32(((length - 1) << 1) | (step > 1 ? 1 : 0));
    if (step > 1) runs.u32(step - 2);
    next = first + (length - 1) * step + 1;
  }
  gaps.u32(numbers.length);
  next = 0;
  for (const each of numbers) { gaps.u32(each - next); next = each + 1; }
  const bits = new Uint8Array((numbers[numbers.length - 1] - numbers[0] >> 3) + 1);
  for (const each of numbers) bits[(each - numbers[0]) >> 3] |= 1 << ((each - numbers[0]) & 7);
  bitmap.u32(numbers[0]);
  bitmap.u32(bits.length);
  bitmap.append(bits);
  const forms = [runs, gaps, bitmap], least = Math.min(...forms.map((form) => form.length));
  const form = forms.findIndex((each) => each.length === least);
  writer.u8(mask | (form << 4) | (stores ? 0x40 : 0));
  writer.append(forms[form].data);
}

function newSelection(head, start, budget, reader) {
  if (!(head & 15)) throw new DecodeError("malformed-selection", start);
  return { mask: head & 15, numbers: readSet((head >> 4) & 3, budget, reader) };
}

function sectionCount(reader, bytesEach) {
  const start = reader.offset, count = reader.count(limits.views + 1, bytesEach);
  if (!count) throw new DecodeError("invalid-value", start);
  return count;
}

function readRows(reader, key) {
  const start = reader.offset, count = sectionCount(reader, 0), rows = [];
  if (Math.floor((count + 3) / 4) > reader.remaining) throw new DecodeError("truncated", reader.offset);
  const common = reader.u8();
  if (common > 15) throw new DecodeError("invalid-value", start);
  const parameters = reader.u8(), bits = new BitReader(reader);
  for (let index = 0, next = 0; index < count; index++) {
    const at = reader.offset, number = next + bits.rice(parameters & 15), mask = common || bits.bits(4);
    if (!mask || number >= limits.numbers) throw new DecodeError("malformed-selection", at);
    const values = [];
    for (let left = bitCount(mask); left > 0; left--) values.push(unzigzag(bits.rice(parameters >> 4)));
    rows.push({ number, mask, [key]: values });
    next = number + 1;
  }
  bits.finish();
  return rows;
}

function riceParameter(values) {
  if (!values.length) return 0;
  const scaled = Math.floor((values.reduce((sum, value) => sum + value, 0) * 11) / (values.length * 16));
  return Math.min(15, scaled ? Math.floor(Math.log2(scaled)) : 0);
}

function writeRows(writer, rows, key) {
  const common = rows.every((row) => row.mask === rows[0].mask) ? rows[0].mask : 0;
  const gaps = rows.map((row, index) => row.number - (index ? rows[index - 1].number + 1 : 0));
  const gapParameter = riceParameter(gaps), parameter = riceParameter(rows.flatMap((row) => row[key].map(zigzag)));
  writer.u32(rows.length);
  writer.u8(common);
  writer.u8(gapParameter | (parameter << 4));
  const bits = new BitWriter(writer);
  rows.forEach((row, index) => {
    bits.rice(gaps[index], gapParameter);
    if (!common) bits.put(row.mask, 4);
    for (const value of row[key]) bits.rice(zigzag(value), parameter);
  });
  bits.finish();
}

/** Of a citations' parameter byte: deltas are differences to the last ones of their slots. */
const DIFFERENCES = 8;

function readCitations(reader, body) {
  const start = reader.offset, count = reader.count(64, 0);
  if (!count) throw new DecodeError("invalid-value", start);
  if (Math.floor((3 * count + 7) / 8) > reader.remaining) throw new DecodeError("truncated", reader.offset);
  const parameters = reader.u8(), bits = new BitReader(reader);
  body.citesDifferences = (parameters & DIFFERENCES) !== 0;
  for (let index = 0, next = 0; index < count; index++) {
    const at = reader.offset, slot = next + bits.rice(parameters & 7), deltas = [];
    if (slot > 63) throw new DecodeError("malformed-selection", at);
    for (let left = bits.short() + 1; left > 0; left--) deltas.push(unzigzag(bits.rice(parameters >> 4)));
    body.groups.push({ slot, deltas });
    next = slot + 1;
  }
  bits.finish();
}

function writeCitations(writer, groups, differences) {
  const gaps = groups.map(({ slot }, index) => slot - (index ? groups[index - 1].slot + 1 : 0));
  const gapParameter = riceParameter(gaps), parameter = riceParameter(groups.flatMap(({ deltas }) => deltas.map(zigzag)));
  writer.u32(groups.length);
  writer.u8(gapParameter | (differences ? DIFFERENCES : 0) | (parameter << 4));
  const bits = new BitWriter(writer);
  groups.forEach(({ deltas }, index) => {
    bits.rice(gaps[index], gapParameter);
    bits.short(deltas.length - 1);
    for (const delta of deltas) bits.rice(zigzag(delta), parameter);
  });
  bits.finish();
}

/** A body, and for a frame (`distances`) how far its ticks are apart. */
function readBody(reader, distances) {
  const start = reader.offset, flags = reader.u8();
  const body = { citesDifferences: false, groups: [], rows: [], absoluteRows: [] }, result = { baseDistance: 1, durableDistance: 1, body };
  if (flags & 0x80) {
    const deltas = [reader.zigzag()];
    if (flags & 0x40) deltas.push(reader.zigzag());
    body.groups.push({ slot: flags & 63, deltas });
    return result;
  }
  if (flags & 0x40) {
    if (!distances) throw new DecodeError("invalid-value", start);
    result.baseDistance = reader.u64();
    result.durableDistance = reader.u64();
  }
  if (flags & 0x0c) throw new DecodeError("invalid-value", start);
  if (flags & 2) readCitations(reader, body);
  if (flags & 1) {
    let budget = limits.views + 1;
    for (let count = sectionCount(reader, 2); count > 0; count--) {
      const at = reader.offset, head = reader.u8();
      if (head & 0x80) throw new DecodeError("invalid-value", at);
      const group = { ...newSelection(head, at, budget, reader), stores: (head & 0x40) !== 0, deltas: [] };
      budget -= group.numbers.length;
      for (let left = bitCount(group.mask); left > 0; left--) group.deltas.push(reader.zigzag());
      body.groups.push(group);
    }
  }
  if (flags & 0x10) body.rows = readRows(reader, "deltas");
  if (flags & 0x20) body.absoluteRows = readRows(reader, "values");
  return result;
}

function writeBody(writer, { citesDifferences, groups, rows, absoluteRows }, base = 1, durable = 1) {
  const isNear = base === 1 && durable === 1, [first] = groups;
  if (isNear && !citesDifferences && groups.length === 1 && !rows.length && !absoluteRows.length && first.slot !== undefined && first.deltas.length <= 2) {
    writer.u8(0x80 | (first.deltas.length === 2 ? 0x40 : 0) | first.slot);
    for (const delta of first.deltas) writer.zigzag(delta);
    return;
  }
  const cited = groups.filter(({ slot }) => slot !== undefined), fresh = groups.filter(({ slot }) => slot === undefined);
  writer.u8((isNear ? 0 : 0x40) | (fresh.length ? 1 : 0) | (cited.length ? 2 : 0) | (rows.length ? 0x10 : 0) | (absoluteRows.length ? 0x20 : 0));
  if (!isNear) {
    writer.u64(base);
    writer.u64(durable);
  }
  if (cited.length) writeCitations(writer, cited, citesDifferences);
  if (fresh.length) writer.u32(fresh.length);
  for (const group of fresh) {
    writeSelection(writer, group, group.stores);
    for (const delta of group.deltas) writer.zigzag(delta);
  }
  if (rows.length) writeRows(writer, rows, "deltas");
  if (absoluteRows.length) writeRows(writer, absoluteRows, "values");
}

function takeSelection(members) {
  const mask = integer(members.take("mask"), 1, 15, "mask");
  const numbers = array(members.take("numbers"), limits.views + 1, "numbers");
  numbers.forEach((each, index) => {
    integer(each, 0, limits.numbers - 1, "numbers");
    if (index && each <= numbers[index - 1]) throw wrong("numbers", "ascending");
  });
  if (!numbers.length) throw wrong("numbers", "not empty");
  return { mask, numbers };
}

function checkBody(value, name) {
  const members = new Members(value, name);
  const body = { citesDifferences: FLAG.check(members.take("citesDifferences"), "citesDifferences") };
  let budget = limits.views + 1, nextSlot = 0;
  const int32s = (from, key) => array(from.take(key), 4, key).map((each) => INT32.check(each, key));
  body.groups = array(members.take("groups"), limits.views + 1, "groups").map((element) => {
    const group = new Members(element, "groups");
    const result = group.has("slot")
      ? { slot: integer(group.take("slot"), 0, 63, "slot") }
      : { ...takeSelection(group), stores: FLAG.check(group.take("stores"), "stores") };
    result.deltas = int32s(group, "deltas");
    group.finish();
    const { length } = result.deltas;
    if (!length || (result.mask && bitCount(result.mask) !== length)) throw wrong("deltas", "one for each bit of the mask");
    if (result.slot < nextSlot) throw wrong("groups", "citations first, in the order of their slots");
    nextSlot = (result.slot ?? 63) + 1;
    budget -= result.numbers?.length ?? 0;
    if (budget < 0) throw wrong("groups", "of each view once");
    return result;
  });
  if (body.citesDifferences && body.groups[0]?.slot === undefined) throw wrong("citesDifferences", "false without citations");
  for (const [section, key] of [["rows", "deltas"], ["absoluteRows", "values"]]) {
    let next = 0;
    body[section] = array(members.take(section), limits.views + 1, section).map((element) => {
      const row = new Members(element, section);
      const number = integer(row.take("number"), 0, limits.numbers - 1, "number");
      const mask = integer(row.take("mask"), 1, 15, "mask"), values = int32s(row, key);
      row.finish();
      if (values.length !== bitCount(mask)) throw wrong(key, "one for each bit of the mask");
      if (number < next) throw wrong(section, "in the order of their numbers");
      next = number + 1;
      return { number, mask, [key]: values };
    });
  }
  members.finish();
  return body;
}

const BODY = {
  read: (reader) => readBody(reader, false).body,
  write: (writer, value) => writeBody(writer, value),
  check: checkBody,
};
const FRAME_BODY = {
  isInline: true,
  read: (reader) => readBody(reader, true),
  write: (writer, value) => writeBody(writer, value.body, value.baseDistance, value.durableDistance),
  takeFrom(members) {
    const baseDistance = U64.check(members.take("baseDistance"), "baseDistance");
    const durableDistance = U64.check(members.take("durableDistance"), "durableDistance");
    return { baseDistance, durableDistance, body: checkBody(members.take("body"), "body") };
  },
};
/** A selection, and the deltas that it was used with last. */
const USED_SELECTION = {
  isInline: true,
  read(reader) {
    const start = reader.offset, head = reader.u8();
    if ((head & 0xc0) !== 0x40) throw new DecodeError("invalid-value", start);
    const selection = newSelection(head, start, limits.views + 1, reader);
    return { selection, deltas: Array.from({ length: bitCount(selection.mask) }, () => reader.zigzag()) };
  },
  write(writer, { selection, deltas }) {
    writeSelection(writer, selection, true);
    for (const delta of deltas) writer.zigzag(delta);
  },
  takeFrom(outer) {
    const members = new Members(outer.take("selection"), "selection"), selection = takeSelection(members);
    members.finish();
    return { selection, deltas: several(bitCount(selection.mask), INT32).check(outer.take("deltas"), "deltas") };
  },
};
const KEYFRAME_NUMBERS = {
  read(reader) {
    const numbers = [];
    for (let count = reader.count(limits.views + 1), next = 0; count > 0; count--) {
      const start = reader.offset, value = (next + reader.zigzag()) >>> 0;
      if (value >= limits.numbers) throw new DecodeError("invalid-value", start);
      numbers.push(value);
      next = value + 1;
    }
    return numbers;
  },
  write(writer, values) {
    writer.u32(values.length);
    values.forEach((value, index) => writer.zigzag(value - (index ? values[index - 1] + 1 : 0)));
  },
  check: list(NUMBER, limits.views + 1).check,
};

// --- Messages (SPEC sections 6 and 7) --------------------------------------------------------------------------------

const isIdentifier = (value) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(value);
const ID = text(limits.idBytes), NAME = text(limits.nameBytes), TOKEN = text(limits.tokenBytes), LONG = text(limits.textBytes);
const IDS = list(ID, limits.views), RULES = list(text(256), limits.constraints);
const ROLE = choice("viewer", "editor", "participant");
const LINE = struct({ text: LONG, place: several(3, INT32) });
const STYLE = struct({
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
const encodedStyles = new WeakMap();

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
const ALTERNATES = 8, ALTERNATE_BYTES = 512;

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
function hashPrefix(id, parentID, content, to, at) {
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
class HashSum {
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

// --- The mirror (SPEC section 9) -------------------------------------------------------------------------------------

/** How far an animation is at a time; both within 0…1. */
export function curveProgress(curve, time) {
  if (time <= 0) return 0;
  if (time >= 1) return 1;
  if (curve === "linear") return time;
  const [x1, x2] = { easeIn: [0.42, 1], easeOut: [0, 0.58], easeInOut: [0.42, 0.58] }[curve];
  let low = 0, high = 1;
  for (let step = 0; step < 60; step++) {
    const t = (low + high) / 2, s = 1 - t;
    if (3 * s * s * t * x1 + 3 * s * t * t * x2 + t * t * t < time) low = t;
    else high = t;
  }
  const t = (low + high) / 2;
  return 3 * (1 - t) * t * t + t * t * t;
}

/**
 * A copy of the scene. Views are told apart by number or by id; frames are in typed arrays, so that a frame diff costs
 * a few nanoseconds a view. The state hash is computed on request, about once a second.
 */
export class Mirror {
  /** Whether the owner calls `verify` some time after a snapshot, so that it can be shown first; the next message does it at the latest. */
  verifiesLater = false;

  constructor() {
    this.needsSnapshot = true;
    this.expectedHash = undefined;
    this.epoch = 0;
    this.tick = 0;
    this.chunks = [];
    /** How far scroll views can be scrolled beyond their content, in units: top, left, bottom, right, by their ids (SPEC AREA-17). */
    this.insets = new Map();
    /** Whether messages of a tick have come whose frame has not: no tick names this state. */
    this.isWithinTick = false;
    this.clear();
  }

  /** Prepares for a new connection: empties the ring; the first frame that fits leads into its epoch (SPEC CONN-30). */
  continueIn(epoch) {
    this.forgetSelections();
    this.insets.clear();
    this.announcedEpoch = epoch;
  }

  clear() {
    this.insets.clear();
    this.views = new Map();
    this.numbers = new Map();
    this.root = undefined;
    this.animations = [];
    this.x = new Int32Array(64);
    this.y = new Int32Array(64);
    this.width = new Int32Array(64);
    this.height = new Int32Array(64);
    this.isThere = new Uint8Array(64);
    /** Whether the parts of a view's hash that do not change with its frame are in `prefixes`, four for each view. */
    this.isHashed = new Uint8Array(64);
    this.prefixes = new Uint16Array(256);
    this.forgetSelections();
  }

  forgetSelections() {
    this.ring = Array(64).fill(undefined);
    this.lastDeltas = Array(64).fill(undefined);
    this.nextSlot = 0;
  }

  /** How many views there are. */
  get size() { return this.views.size; }

  /** The view of an id: number, id, parent (a number), children (numbers), content. Its frame: `frame(number)`. */
  view(id) { return this.views.get(this.numbers.get(id)); }

  /** x, y, width and height in the superview, in units. */
  frame(number) { return [this.x[number], this.y[number], this.width[number], this.height[number]]; }

  /** The frame, or where a view is on the way to it while animations move it. */
  shownFrame(number, tick = this.tick) {
    let frame = this.frame(number);
    for (const animation of this.animations) {
      const delta = animation.deltas.get(number);
      if (!delta) continue;
      const share = 1 - curveProgress(animation.curve, Math.max(0, tick - animation.start) / animation.duration);
      frame = frame.map((value, side) => value - delta[side] * share);
    }
    return frame.map((value) => Math.floor(value + 0.5));
  }

  /** Where a view stands in the root's coordinates; scrolled containers count. */
  absoluteFrame(number) {
    let [x, y, width, height] = this.frame(number);
    for (let view = this.views.get(this.views.get(number).parent); view; view = this.views.get(view.parent)) {
      x += this.x[view.number] - view.content.contentOffset[0];
      y += this.y[view.number] - view.content.contentOffset[1];
    }
    return [x, y, width, height];
  }

  /** A point of the root, in units, as a place in a view, which is the same on every device. */
  placeIn(number, [pointX, pointY]) {
    const [x, y, width, height] = this.absoluteFrame(number), share = (distance, extent) => (extent > 0 ? Math.min(Math.max(distance / extent, 0), 1) : 0);
    return { view: this.views.get(number).id, fraction: [share(pointX - x, width), share(pointY - y, height)] };
  }

  /** The point of the root, in units, at a place; undefined where the view is not there, or not on show. */
  pointOf({ view: id, fraction }) {
    const number = this.numbers.get(id);
    if (number === undefined) return undefined;
    for (let view = this.views.get(number); view; view = this.views.get(view.parent)) if (view.content.hidden) return undefined;
    const [x, y, width, height] = this.absoluteFrame(number), [across, down] = fraction.map((share) => Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1));
    return [x + across * width, y + down * height];
  }

  /** All views, superviews before subviews, siblings in their order. */
  preorder() {
    const result = [], stack = this.root === undefined ? [] : [this.root];
    while (stack.length) {
      const view = this.views.get(stack.pop());
      result.push(view);
      for (let index = view.children.length - 1; index >= 0; index--) stack.push(view.children[index]);
    }
    return result;
  }

  /** 16 hexadecimal digits. */
  get stateHash() {
    const sum = new HashSum(), { x, y, width, height, isHashed, prefixes } = this;
    for (const { number, id, parent, content } of this.views.values()) {
      if (!isHashed[number]) {
        hashPrefix(id, this.views.get(parent)?.id ?? "", content, prefixes, 4 * number);
        isHashed[number] = 1;
      }
      sum.add(prefixes, 4 * number, x[number], y[number], width[number], height[number]);
    }
    return sum.text;
  }

  /** Compares the state with the hash of the snapshot that it came from, if that was not done. Throws MirrorError. */
  verify() {
    const { expectedHash } = this;
    this.expectedHash = undefined;
    if (expectedHash === undefined || expectedHash === this.stateHash) return;
    this.needsSnapshot = true;
    throw new MirrorError("hash-mismatch");
  }

  /** The insets of a view: top, left, bottom, right, in units. */
  inset(id) { return this.insets.get(id) ?? [0, 0, 0, 0]; }

  takeInsets({ whole, changes }) {
    if (whole) this.insets.clear();
    for (const { id, inset } of changes) {
      if (inset.every((edge) => edge === 0)) this.insets.delete(id);
      else this.insets.set(id, inset);
    }
  }

  /** Applies a message that is about state, or the insets of scroll views; returns whether it was. Throws MirrorError. */
  apply(message) {
    if (message.type === "insets") {
      this.takeInsets(message);
      return true;
    }
    const apply = appliers[message.type];
    if (!apply) return false;
    if (message.type === "snapshot") {
      apply(this, message);
      return true;
    }
    if (this.needsSnapshot) throw new MirrorError("no-snapshot");
    this.verify();
    this.needsSnapshot = true;
    apply(this, message);
    this.needsSnapshot = false;
    return true;
  }

  require(number) {
    const view = this.views.get(number);
    if (!view) throw new MirrorError("unknown-view", number);
    return view;
  }

  store(selection, deltas, slot) {
    this.ring[slot] = selection;
    this.lastDeltas[slot] = deltas;
    this.nextSlot = (slot + 1) % 64;
  }

  setFrame(number, frame) {
    this.x[number] = frame[0];
    this.y[number] = frame[1];
    this.width[number] = frame[2];
    this.height[number] = frame[3];
  }

  makeRoom(number) {
    if (number < this.isThere.length) return;
    for (const name of ["x", "y", "width", "height", "isThere", "isHashed", "prefixes"]) {
      const larger = new this[name].constructor(2 * (number + 1) * (name === "prefixes" ? 4 : 1));
      larger.set(this[name]);
      this[name] = larger;
    }
  }

  /** Moves views by the same deltas; the whole cost of a frame. */
  shift(mask, numbers, deltas) {
    const { isThere } = this, sides = [this.x, this.y, this.width, this.height];
    for (let index = 0; index < numbers.length; index++) {
      if (!isThere[numbers[index]]) throw new MirrorError("unknown-view", numbers[index]);
    }
    for (let side = 0, at = 0; side < 4; side++) {
      if (!((mask >> side) & 1)) continue;
      const column = sides[side], delta = deltas[at++];
      for (let index = 0; index < numbers.length; index++) column[numbers[index]] += delta;
    }
  }

  /** Applies a body; `note` hears how groups and rows moved each view. */
  applyBody(body, note) {
    let budget = this.views.size;
    for (const group of body.groups) {
      let selection = group, { deltas } = group;
      if (group.slot !== undefined) {
        selection = this.ring[group.slot];
        if (!selection || bitCount(selection.mask) !== deltas.length) throw new MirrorError("unknown-slot", group.slot);
        if (body.citesDifferences) {
          const last = this.lastDeltas[group.slot];
          deltas = deltas.map((delta, index) => (delta + last[index]) | 0);
        }
        this.lastDeltas[group.slot] = deltas;
      } else if (group.stores) this.store(group, deltas, this.nextSlot);
      budget -= selection.numbers.length;
      if (budget < 0) throw new MirrorError("too-many-changes");
      this.shift(selection.mask, selection.numbers, deltas);
      if (note) for (const each of selection.numbers) note(each, spread(selection.mask, deltas));
    }
    if (body.rows.length + body.absoluteRows.length > budget) throw new MirrorError("too-many-changes");
    for (const row of body.rows) {
      this.shift(row.mask, [row.number], row.deltas);
      note?.(row.number, spread(row.mask, row.deltas));
    }
    for (const { number, mask, values } of body.absoluteRows) {
      this.require(number);
      const next = spread(mask, values);
      this.setFrame(number, this.frame(number).map((value, side) => ((mask >> side) & 1 ? next[side] : value)));
    }
  }

  insert(view, index) {
    if (this.views.has(view.number)) throw new MirrorError("duplicate-number", view.number);
    if (this.numbers.has(view.id)) throw new MirrorError("duplicate-id", view.id);
    if (view.parent === undefined) {
      if (this.root !== undefined) throw new MirrorError("misplaced-root");
      this.root = view.number;
    } else this.insertChild(view.number, this.require(view.parent), index);
    const { number, id, parent, content, frame } = view;
    this.views.set(number, { number, id, parent, content, children: [] });
    this.numbers.set(id, number);
    this.makeRoom(number);
    this.isThere[number] = 1;
    this.isHashed[number] = 0;
    this.setFrame(number, frame);
  }

  insertChild(number, parent, index = parent.children.length) {
    if (index > parent.children.length) throw new MirrorError("invalid-index", index);
    if (index === parent.children.length) parent.children.push(number);
    else parent.children.splice(index, 0, number);
  }

  takeChild(view) {
    if (view.parent === undefined) throw new MirrorError("misplaced-root");
    const { children } = this.views.get(view.parent);
    children.splice(children.indexOf(view.number), 1);
  }
}

function spread(mask, values) {
  let at = 0;
  return [0, 1, 2, 3].map((side) => ((mask >> side) & 1 ? values[at++] : 0));
}

/** A tick so many later; undefined beyond 64 bits. As elsewhere a number, or digits above 2^53. */
function later(tick, distance) {
  if (typeof tick === "number" && typeof distance === "number" && tick + distance <= Number.MAX_SAFE_INTEGER) return tick + distance;
  const sum = BigInt(tick) + BigInt(distance);
  return sum >> 64n ? undefined : sum <= 9007199254740992n ? Number(sum) : `${sum}`;
}

const notBefore = (mirror, tick) => {
  if (tick < mirror.tick) throw new MirrorError("stale-tick");
  mirror.isWithinTick = true;
};

/** The fonts of lines that a message tells, by view; `undefined` for a view that has none any more (SPEC FACE-1). */
function facesOf({ faces }) {
  return new Map(faces?.views.map(({ number, style }) => [number, style ? { ...faces.styles[style - 1], files: faces.files } : undefined]));
}

/** Gives a view the font of its lines, which is no part of the state hash. */
function giveFace(content, face) {
  if (face) content.face = face;
  else delete content.face;
}

/** What is drawn of views besides their contents that a message tells, by view; `undefined` for a view that has it no more (SPEC VAL-14). */
function looksOf({ looks, symbols, charts }) {
  const own = [...looks?.looks ?? []];
  // A symbol or a chart of a look that is not there is passed over (SPEC VAL-17, VAL-18).
  for (const { look, ...symbol } of symbols?.symbols ?? []) if (own[look - 1]) own[look - 1] = { ...own[look - 1], symbol };
  for (const { look, values, ...chart } of charts?.charts ?? []) if (own[look - 1]) own[look - 1] = { ...own[look - 1], chart: { ...chart, heights: values.map(({ height }) => height / 10000) } };
  return new Map(looks?.views.map(({ number, look }) => [number, look ? own[look - 1] : undefined]));
}

/** Gives a view its look, which is no part of the state hash. */
function giveLook(content, look) {
  if (look) content.look = look;
  else delete content.look;
}

const appliers = {
  snapshot(mirror, chunk) {
    mirror.needsSnapshot = true;
    const chunks = chunk.chunkIndex === 0 ? [] : mirror.chunks, [first] = chunks, expected = chunks.length;
    mirror.chunks = [];
    const isSame = !first || ["epoch", "tick", "stateHash", "chunkCount"].every((name) => first[name] === chunk[name]);
    if (chunk.chunkIndex !== expected || !isSame) throw new MirrorError("unexpected-chunk", `${chunk.chunkIndex} instead of ${expected}`);
    chunks.push(chunk);
    if (chunks.reduce((sum, each) => sum + each.views.length, 0) > limits.views + 1) throw new MirrorError("too-many-views");
    if (chunks.length < chunk.chunkCount) {
      mirror.chunks = chunks;
      return;
    }
    mirror.clear();
    [mirror.epoch, mirror.tick, mirror.announcedEpoch, mirror.isWithinTick] = [chunk.epoch, chunk.tick, undefined, false];
    let largest = 0;
    for (const { views } of chunks) for (const { number } of views) if (number > largest) largest = number;
    mirror.makeRoom(largest);
    for (const { views } of chunks) for (const view of views) mirror.insert(view);
    for (const each of chunks) {
      for (const [number, face] of facesOf(each)) if (mirror.views.has(number)) giveFace(mirror.views.get(number).content, face);
      for (const [number, look] of looksOf(each)) if (mirror.views.has(number)) giveLook(mirror.views.get(number).content, look);
    }
    if (mirror.root === undefined) throw new MirrorError("misplaced-root");
    mirror.expectedHash = chunk.stateHash;
    if (!mirror.verifiesLater) mirror.verify();
    mirror.needsSnapshot = false;
  },
  frame(mirror, { tick: low, baseDistance, durableDistance, body }) {
    const tick = later(mirror.tick, baseDistance);
    const isSmall = typeof tick === "number" && typeof durableDistance === "number";
    if (tick === undefined || (typeof tick === "number" ? tick % 256 : Number(BigInt(tick) & 255n)) !== low
      || (isSmall ? durableDistance > tick : BigInt(durableDistance) > BigInt(tick))) {
      throw new MirrorError("wrong-base", `${low} after ${baseDistance} on ${mirror.tick}`);
    }
    mirror.applyBody(body);
    mirror.tick = tick;
    mirror.isWithinTick = false;
    if (mirror.announcedEpoch !== undefined) [mirror.epoch, mirror.announcedEpoch] = [mirror.announcedEpoch, undefined];
    if (mirror.animations.length) {
      mirror.animations = mirror.animations.filter(({ start, duration }) => tick - start < duration);
    }
  },
  select: (mirror, { selection, deltas, slot }) => mirror.store(selection, deltas, slot),
  hash(mirror, { tick, hash }) {
    if (tick === mirror.tick && hash !== mirror.stateHash) throw new MirrorError("hash-mismatch");
  },
  tree(mirror, { tick, changes, faces, looks, symbols, charts }) {
    notBefore(mirror, tick);
    const told = facesOf({ faces }), seen = looksOf({ looks, symbols, charts });
    for (const change of changes) {
      if (change.change === "add") {
        if (mirror.views.size > limits.views) throw new MirrorError("too-many-views");
        mirror.insert(change, change.index);
        giveFace(change.content, told.get(change.number));
        giveLook(change.content, seen.get(change.number));
      } else if (change.change === "remove") {
        const view = mirror.require(change.number), stack = [view];
        mirror.takeChild(view);
        while (stack.length) {
          const gone = stack.pop();
          stack.push(...gone.children.map((child) => mirror.views.get(child)));
          mirror.views.delete(gone.number);
          mirror.numbers.delete(gone.id);
          mirror.isThere[gone.number] = 0;
          for (const animation of mirror.animations) animation.deltas.delete(gone.number);
        }
      } else {
        const view = mirror.require(change.number);
        if (view.parent === undefined) throw new MirrorError("misplaced-root");
        mirror.require(change.parent);
        for (let each = change.parent; each !== undefined; each = mirror.views.get(each).parent) {
          if (each === change.number) throw new MirrorError("cycle", each);
        }
        mirror.takeChild(view);
        mirror.insertChild(view.number, mirror.views.get(change.parent), change.index);
        view.parent = change.parent;
        mirror.isHashed[view.number] = 0;
      }
    }
  },
  content(mirror, { tick, changes, invalidations, faces, looks, symbols, charts }) {
    notBefore(mirror, tick);
    const told = facesOf({ faces }), seen = looksOf({ looks, symbols, charts });
    for (const { number, content } of changes) {
      const view = mirror.require(number), { face, look } = view.content;
      giveFace(content, told.has(number) ? told.get(number) : face);
      giveLook(content, seen.has(number) ? seen.get(number) : look);
      view.content = content;
      mirror.isHashed[number] = 0;
    }
    for (const { number } of invalidations) mirror.require(number);
  },
  anim(mirror, { tick, changes }) {
    notBefore(mirror, tick);
    for (const change of changes) {
      const others = () => mirror.animations.filter(({ id }) => id !== change.id);
      if (change.change === "cancel") {
        mirror.animations = others();
        continue;
      }
      if (mirror.animations.length >= limits.animations) throw new MirrorError("too-many-animations");
      const deltas = new Map();
      mirror.applyBody(change.body, (number, delta) => deltas.set(number, delta));
      const { id, delayTicks, durationTicks, curve } = change;
      mirror.animations = [...others(), { id, start: tick + delayTicks, duration: durationTicks, curve, deltas }];
    }
  },
  keyframe(mirror, { tick, numbers }) {
    if (tick !== mirror.tick) throw new MirrorError("wrong-base");
    if (numbers.length !== mirror.views.size) throw new MirrorError("malformed-numbering");
    numbers.forEach((number) => mirror.require(number));
    const places = new Map(numbers.map((number, place) => [number, place]));
    if (places.size !== mirror.views.size) throw new MirrorError("malformed-numbering");
    const old = mirror.preorder().map((view) => ({ view, frame: mirror.frame(view.number) }));
    mirror.views = new Map();
    mirror.isThere.fill(0);
    mirror.isHashed.fill(0);
    mirror.makeRoom(numbers.length);
    for (const { view, frame } of old) {
      view.number = places.get(view.number);
      view.parent = places.get(view.parent);
      view.children = view.children.map((child) => places.get(child));
      mirror.views.set(view.number, view);
      mirror.numbers.set(view.id, view.number);
      mirror.isThere[view.number] = 1;
      mirror.setFrame(view.number, frame);
    }
    mirror.root = places.get(mirror.root);
    mirror.forgetSelections();
    for (const animation of mirror.animations) {
      animation.deltas = new Map([...animation.deltas].map(([number, delta]) => [places.get(number), delta]));
    }
  },
};

// --- Ops (LANGUAGE section 8) ----------------------------------------------------------------------------------------

const op = (name) => (id, fields = {}) => ({ op: name, id, ...fields });

/** Makers of ops: `ops.setConstraint("w", { constant: 3 })`; each takes the subject's id and further keys. */
export const ops = {
  // --- scripts/op_tables.py writes what follows from protocol/ops.json ---
  ...Object.fromEntries([
    "addView", "removeView", "moveView", "setView", "resetView", "addGuide", "addConstraint", "removeConstraint",
    "setConstraint", "activateSet", "deactivateSet", "setContentOffset", "setNeedsUpdateConstraints",
    "updateConstraintsIfNeeded", "setNeedsLayout", "layoutIfNeeded", "setNeedsDisplay", "sizeToFit",
    "setNeedsUpdateProperties", "updatePropertiesIfNeeded"
  ].map((name) => [name, op(name)])),
  setScene: (document) => ({ op: "setScene", ...document }),
  setViewport: (fields) => ({ op: "setViewport", ...fields }),
  animate: (duration, ops, fields = {}) => ({ op: "animate", duration, ops, ...fields }),
  // --- end of what scripts/op_tables.py writes ---
};

// --- Addresses, attempts and silence (SPEC sections 3.5 and 3.6) -----------------------------------------------------

/** Close codes after which the same would happen again; codes that are not known are tried again. */
const FINAL = new Set([1002, 1007, 1009, 4000, 4001, 4003, 4004, 4005, 4006, 4009, 4010, 4011]);
const HASH_MISMATCH = 4012;
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
function parseAddress(address) {
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

// --- Tokens (SPEC CONN-9, CONN-10) -----------------------------------------------------------------------------------

/** A token is renewed this long before its end, or after three quarters of its life if that is later; milliseconds. */
const TOKEN_LEAD = 60000;
/** Milliseconds between two calls of a token provider: a server admits one new token in ten seconds. The second near the end. */
const TOKEN_PAUSE = 10000, TOKEN_RETRY = 500;
/**
 * Milliseconds that a JSON Web Token still holds; undefined if it names no end, or is no such token. Where it has ended by this
 * machine's clock, that clock is probably wrong, and the token's whole life is the answer.
 */
export function tokenLifetime(token, now) {
  try {
    const [, body, , ...more] = token.split(".");
    const { exp, iat } = JSON.parse(atob(body.replace(/-/g, "+").replace(/_/g, "/")));
    if (more.length > 0 || typeof exp !== "number" || Math.abs(exp) >= 1e12) return undefined;
    return exp * 1000 > now ? exp * 1000 - now : Math.max(0, (exp - (typeof iat === "number" ? iat : exp)) * 1000);
  } catch {
    return undefined;
  }
}

/** When a token provider is called again while a connection is open. It has no clock: `now` is milliseconds since 1970. */
export class Renewal {
  /** A token is in use from now on. */
  began(token, now) {
    const left = tokenLifetime(token, now);
    this.end = now + left;
    this.due = left === undefined ? undefined : now + Math.max(left > 0 ? TOKEN_RETRY : TOKEN_PAUSE, left - Math.min(TOKEN_LEAD, left / 4));
  }

  /** The provider failed, or gave the token that is in use: asks again sooner the nearer the end is. */
  failed(now) { this.due = now + (this.end > now ? Math.max(TOKEN_RETRY, (this.end - now) / 4) : TOKEN_PAUSE); }
}

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
