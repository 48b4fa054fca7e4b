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
