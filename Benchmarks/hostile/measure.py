"""What busy rooms notice of a hostile one on the same thread: `measure.py SCENESYNC [PAIRS [SECONDS]]`.

Two hundred rooms with an editor and a viewer each, who edit ten times a second, with and without a member of another room who sends a
message that is as dear as it can be, again as soon as it is answered. Its messages are made in advance, so that it takes little of
the processors itself. Prints the 99th percentile from an edit to its frame for each run, and the median of the ratios.
"""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import statistics
import struct
import subprocess
import sys
import threading

ROOMS, RATE = 200, 10
VIEWS = 1500


def scene() -> str:
    views = ",".join(f'{{"id":"v{number}"}}' for number in range(VIEWS))
    rules = ",".join(f'"v{number}.width == root.width + {number}"' for number in range(VIEWS))
    return (
        f'[{{"op":"setScene","scene":1,"viewport":{{"width":640,"height":384}},"views":[{views}],"constraints":[{rules}]}}]'
    )


def layouts() -> str:
    """A layout of everything after each of many ops."""
    op = (
        '{"op":"setViewport","width":600},{"op":"layoutIfNeeded"},{"op":"setViewport","width":601},{"op":"layoutIfNeeded"}'
    )
    return "[" + ",".join([op] * 1000) + "]"


def framed(text: str) -> bytes:
    data = text.encode()
    length = struct.pack("!BH", 0x80 | 126, len(data)) if len(data) < 1 << 16 else struct.pack("!BQ", 0x80 | 127, len(data))
    return b"\x81" + (length if len(data) > 125 else bytes([0x80 | len(data)])) + bytes(4) + data


class Attacker:
    """One member of a room of its own."""

    def __init__(self, port: int) -> None:
        self.sent = self.refused = 0
        self._stopping = False
        self._socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET /hostile HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: scenesync.v1.json\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self._socket.recv(4096)
        self._socket.sendall(framed('{"type":"hello","capabilities":0,"token":"","room":"hostile","role":"editor","unitsPerPoint":0,"roots":[],"frameRateMaximum":0}'))
        answer = b""
        while b'"welcome"' not in answer:
            answer += self._socket.recv(4096)
        self._number = 0
        self._is_at_work = threading.Event()
        self._send(scene())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _send(self, ops: str) -> None:
        self._number += 1
        self._socket.sendall(framed(f'{{"type":"ops","clientSequence":{self._number},"baseTick":0,"undoGroup":0,"atomic":false,"ops":{ops}}}'))
        self.sent += 1

    def _run(self) -> None:
        ops = layouts()
        tail = b""
        while not self._stopping:
            data = self._socket.recv(1 << 20)
            if not data:
                raise SystemExit("the server ended the attacker's connection; raise --max-… or send less")
            found = tail + data
            answers = found.count(b'"result"') - tail.count(b'"result"')
            self.refused += found.count(b"too-expensive") - tail.count(b"too-expensive")
            tail = found[-16:]
            for _ in range(answers):
                self._is_at_work.set()
                self._send(ops)

    def wait(self) -> None:
        """Returns once it has its scene and sends what is dear."""
        if not self._is_at_work.wait(60):
            raise SystemExit("the attacker's scene is not accepted")

    def stop(self) -> None:
        self._stopping = True
        self._socket.close()


def run(program: str, is_attacked: bool, seconds: float) -> tuple[float, int, int]:
    server = subprocess.Popen(
        [program, "serve", "--port", "0", "--in-memory", "--log-level", "error"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        attacker = Attacker(port) if is_attacked else None
        if attacker:
            attacker.wait()
        done = subprocess.run(
            [program, "load", f"ws://127.0.0.1:{port}", "--rooms", str(ROOMS), "--editors", str(ROOMS), "--viewers", str(ROOMS),
             "--rate", str(RATE), "--views", "20", "--duration", str(seconds), "--json"],
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(done.stderr)
        sent, refused = (attacker.sent, attacker.refused) if attacker else (0, 0)
        if attacker:
            attacker.stop()
        report = json.loads(done.stdout.strip().splitlines()[-1])
        found = re.search(r'"p99":\s*([0-9.]+)', json.dumps(report))
        if found is None:
            raise SystemExit(f"the load reports no percentile: {report}")
        return float(found[1]), sent, refused
    finally:
        server.kill()
        server.wait()


def main() -> None:
    program = sys.argv[1]
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 15
    ratios = []
    for _ in range(pairs):
        calm, _, _ = run(program, False, seconds)
        attacked, sent, refused = run(program, True, seconds)
        ratios.append(attacked / calm)
        print(f"99 of 100 within {calm} without, {attacked} beside {sent} hostile messages ({refused} too expensive): {ratios[-1]:.2f}")
    print(f"median of {pairs} pairs: {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
