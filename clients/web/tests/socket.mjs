// A WebSocket for Node versions that have none: just enough of RFC 6455 for tests on loopback.
import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";

export class TestSocket {
  constructor(address, protocols) {
    const { hostname, port, pathname } = new URL(address);
    const key = randomBytes(16).toString("base64");
    this.input = Buffer.alloc(0);
    this.parts = [];
    /** Whether a message has begun and not ended. */
    this.isInside = false;
    this.onopen = this.onmessage = this.onclose = this.onerror = () => {};
    this.stream = connect(Number(port), hostname, () => {
      this.stream.write(
        `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ${protocols.join(", ")}\r\n\r\n`,
      );
    });
    this.accept = createHash("sha1").update(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
    this.stream.on("data", (data) => {
      this.input = Buffer.concat([this.input, data]);
      if (!this.isOpen) this.shakeHands();
      if (this.isOpen) this.readFrames();
    });
    this.stream.on("error", (error) => this.onerror(error));
    this.stream.on("close", () => this.onclose({ code: this.code ?? 1006, reason: this.reason ?? "" }));
  }

  shakeHands() {
    const end = this.input.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.input.subarray(0, end).toString();
    this.input = this.input.subarray(end + 4);
    if (!head.startsWith("HTTP/1.1 101") || !head.includes(this.accept)) return this.stream.destroy();
    this.protocol = /^sec-websocket-protocol: *(\S+)/im.exec(head)?.[1] ?? "";
    this.isOpen = true;
    this.onopen();
  }

  /** Whether a frame has a reserved bit or opcode or a mask, is a wrong control frame, or begins or continues a message out of turn. */
  breaksRules(first, second) {
    const opcode = first & 15, isWhole = first & 128, length = second & 127;
    if (first & 0x70 || second & 128) return true;
    if (opcode > 7) return opcode > 10 || !isWhole || length > 125;
    return opcode > 2 || (opcode === 0) !== this.isInside;
  }

  readFrames() {
    while (this.input.length >= 2) {
      const [first, second] = this.input;
      let length = second & 127, at = 2;
      if (length === 126) [length, at] = [this.input.length >= 4 ? this.input.readUInt16BE(2) : Infinity, 4];
      else if (length === 127) [length, at] = [this.input.length >= 10 ? Number(this.input.readBigUInt64BE(2)) : Infinity, 10];
      if (this.breaksRules(first, second)) {
        this.stream.removeAllListeners("data").resume();
        return this.close(1002);
      }
      if (this.input.length < at + length) return;
      const payload = this.input.subarray(at, at + length), opcode = first & 15;
      this.input = this.input.subarray(at + length);
      if (opcode === 8) {
        if (payload.length >= 2) [this.code, this.reason] = [payload.readUInt16BE(0), payload.subarray(2).toString()];
        this.write(8, payload.subarray(0, 2));
        this.stream.end();
      } else if (opcode === 9) this.write(10, payload);
      else if (opcode < 3) {
        if (opcode) this.kind = opcode;
        this.parts.push(payload);
        this.isInside = !(first & 128);
        if (this.isInside) continue;
        const whole = Buffer.concat(this.parts);
        this.parts = [];
        this.onmessage({ data: this.kind === 1 ? whole.toString() : Uint8Array.from(whole).buffer });
      }
    }
  }

  write(opcode, payload) {
    const mask = randomBytes(4), size = payload.length;
    const head = size < 126 ? Buffer.from([0x80 | opcode, 0x80 | size]) : Buffer.alloc(size < 65536 ? 4 : 10);
    if (size >= 126) {
      head[0] = 0x80 | opcode;
      head[1] = 0x80 | (size < 65536 ? 126 : 127);
      if (size < 65536) head.writeUInt16BE(size, 2);
      else head.writeBigUInt64BE(BigInt(size), 2);
    }
    this.stream.write(Buffer.concat([head, mask, Buffer.from(payload.map((byte, index) => byte ^ mask[index & 3]))]));
  }

  send(data) {
    if (typeof data === "string") this.write(1, Buffer.from(data));
    else this.write(2, Buffer.from(data));
  }

  close(code = 1000, reason = "") {
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code, 0);
    payload.write(reason, 2);
    if (this.isOpen) this.write(8, payload);
    this.code = code;
    this.stream.end();
  }

  /** Ends it without waiting for the other end. */
  terminate() { this.stream.destroy(); }
}
