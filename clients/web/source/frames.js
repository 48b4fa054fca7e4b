import { DecodeError, limits } from "./errors.js";
import { bitCount, BitReader, BitWriter, unzigzag, Writer, zigzag } from "./bytes.js";
import { array, integer, Members, wrong } from "./json.js";
import { FLAG, INT32, list, NUMBER, several, U64 } from "./kinds.js";

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

export const BODY = {
  read: (reader) => readBody(reader, false).body,
  write: (writer, value) => writeBody(writer, value),
  check: checkBody,
};
export const FRAME_BODY = {
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
export const USED_SELECTION = {
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
export const KEYFRAME_NUMBERS = {
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
