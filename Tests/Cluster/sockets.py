"""A WebSocket of a client, on asyncio: opening one costs a tenth of what a whole library takes, so that writers
that look for their room do not keep the processors from those who serve it."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from urllib.parse import urlsplit

TEXT, BINARY, PONG = 1, 2, 10
#: The longest message that is taken, in bytes.
MAXIMUM = 1 << 24


class Closed(Exception):
    """The connection is closed; the text has the peer's code and reason, and `code` the code where there is one."""

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text)
        self.code = code


class Socket:
    """A connection that is open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @staticmethod
    async def connect(url: str, subprotocol: str, patience: float) -> Socket:
        """Opens a connection; raises OSError, asyncio.TimeoutError or Closed."""
        return await asyncio.wait_for(Socket._open(url, subprotocol), patience)

    @staticmethod
    async def _open(url: str, subprotocol: str) -> Socket:
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=MAXIMUM)
        is_open = False
        try:
            writer.write(
                f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Protocol: {subprotocol}\r\n\r\n".encode()
            )
            answer = await reader.readuntil(b"\r\n\r\n")
            if not answer.startswith(b"HTTP/1.1 101 "):
                raise Closed(f"the handshake was answered with {answer.splitlines()[0]!r}")
            is_open = True
        except asyncio.IncompleteReadError:
            raise Closed("the opening handshake was cut short") from None
        finally:
            if not is_open:
                writer.transport.abort()
        return Socket(reader, writer)

    def send(self, data: str | bytes) -> None:
        """Sends a message."""
        if isinstance(data, str):
            self._send(TEXT, data.encode())
        else:
            self._send(BINARY, data)

    def _send(self, opcode: int, data: bytes) -> None:
        length = len(data)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
        # A key of zeros leaves the bytes as they are; it protects caches between clients and servers, of which there are none here.
        self._writer.write(head + bytes(4) + data)

    async def receive(self) -> str | bytes:
        """The next message; raises Closed. Must not be cancelled, for a part of a message would be lost."""
        message = b""
        is_text = True
        while True:
            try:
                first, second = await self._reader.readexactly(2)
                length = second & 0x7F
                if length == 126:
                    (length,) = struct.unpack("!H", await self._reader.readexactly(2))
                elif length == 127:
                    (length,) = struct.unpack("!Q", await self._reader.readexactly(8))
                data = await self._reader.readexactly(length)
            except (asyncio.IncompleteReadError, OSError) as error:
                raise Closed(f"the connection ended: {error}") from None
            match first & 0x0F:
                case opcode if opcode in (0, TEXT, BINARY):
                    is_text = opcode == TEXT if opcode else is_text
                    message += data
                    if first & 0x80:
                        return message.decode() if is_text else message
                case 9:
                    self._send(PONG, data)
                case 8:
                    code = struct.unpack("!H", data[:2])[0] if len(data) >= 2 else 1005
                    raise Closed(f"closed with {code}: {data[2:].decode(errors='replace')}", code)

    def abort(self) -> None:
        """Ends the connection without a word."""
        self._writer.transport.abort()
