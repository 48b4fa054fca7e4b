import { DecodeError, limits } from "./errors.js";
import { toUTF8, utf8 } from "./bytes.js";
import { array, integer, Members, parseJSON, wrong } from "./json.js";

// --- Kinds of fields: each reads and writes bytes, and checks what came as JSON ---------------------------------------

export const number = (bits, low = 0, high = 2 ** bits - 1) => ({
  read(reader) {
    const start = reader.offset, value = bits === 8 ? reader.u8() : reader.u32();
    if (value < low || value > high) throw new DecodeError("invalid-value", start);
    return value;
  },
  write: (writer, value) => (bits === 8 ? writer.u8(value) : writer.u32(value)),
  check: (value, name) => integer(value, low, high, name),
});
export const U8 = number(8), U32 = number(32), NUMBER = number(32, 0, limits.numbers - 1);
export const U64 = {
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
export const FIXED64 = {
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
export const F64 = {
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
export const FLAG = {
  read: (reader) => reader.flag(),
  write: (writer, value) => writer.u8(value ? 1 : 0),
  check(value, name) {
    if (typeof value !== "boolean") throw wrong(name, "true or false");
    return value;
  },
};
export const text = (maximum, isValid = () => true) => ({
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
export const choice = (...names) => ({
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
export const several = (count, kind) => ({
  read(reader) { return Array.from({ length: count }, () => kind.read(reader)); },
  write(writer, values) { for (const value of values) kind.write(writer, value); },
  check(values, name) {
    if (array(values, count, name).length !== count) throw wrong(name, `${count} numbers`);
    return values.map((value) => kind.check(value, name));
  },
});
export const INT32 = {
  read: (reader) => reader.zigzag(),
  write: (writer, value) => writer.zigzag(value),
  check: (value, name) => integer(value, -(2 ** 31), 2 ** 31 - 1, name),
};
export const list = (kind, maximum) => ({
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
export const COLOR = {
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
export const MAYBE_NUMBER = {
  isOptional: true,
  read(reader) {
    const start = reader.offset, value = reader.u32();
    if (value > limits.numbers) throw new DecodeError("invalid-value", start);
    return value ? value - 1 : undefined;
  },
  write: (writer, value) => writer.u32(value === undefined ? 0 : value + 1),
  check: NUMBER.check,
};
export const JSON_TEXT = {
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
export const struct = (fields, rule = () => undefined) => {
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
export const maybe = (kind) => ({
  isOptional: true,
  read: (reader) => (reader.flag() ? kind.read(reader) : undefined),
  write(writer, value) {
    writer.u8(value === undefined ? 0 : 1);
    if (value !== undefined) kind.write(writer, value);
  },
  check: (value, name) => kind.check(value, name),
});
export const tagged = (tag, isInline, kinds) => {
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
