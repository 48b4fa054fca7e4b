"""pycrdt-websocket's server under uvicorn with uvloop, as its documentation has it. Prints the port that it listens on."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
import uvloop
from pycrdt.websocket import ASGIServer, WebsocketServer


async def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    rooms = WebsocketServer(auto_clean_rooms=False)
    # No compression and no pings, as with the other servers.
    config = uvicorn.Config(ASGIServer(rooms), log_level="error", ws_per_message_deflate=False, ws_ping_interval=None, lifespan="off")
    async with rooms:
        print(f"listening on {listener.getsockname()[1]}", flush=True)
        await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
