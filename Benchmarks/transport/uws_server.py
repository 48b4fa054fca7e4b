"""uWebSockets behind socketify: everybody is subscribed to a topic, and any message publishes a round to it."""

import sys

from socketify import App, AppListenOptions, CompressOptions, OpCode

frames, size = int(sys.argv[1]), int(sys.argv[2])
payload = b"U" * size
app = App()


def opened(ws):
    ws.subscribe("room")


def message(ws, data, opcode):
    for _ in range(frames):
        app.publish("room", payload, OpCode.BINARY, False)


app.ws("/*", {"compression": CompressOptions.DISABLED, "open": opened, "message": message})
app.listen(AppListenOptions(port=0, host="127.0.0.1"), lambda config: print(f"listening on {config.port}", flush=True))
app.run()
