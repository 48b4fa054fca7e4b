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
