"""Firefox, driven by WebDriver BiDi, which it speaks by itself. https://www.w3.org/TR/webdriver-bidi/"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import tempfile
import threading
import time
from typing import Any

from websockets.sync.client import ClientConnection, connect

#: Seconds that something may take that takes less than one on a machine without other work.
PATIENCE = 60


class Failure(Exception):
    """A command that Firefox refused, or a script that threw."""


class Firefox:
    """A headless browser with a profile of its own."""

    def __init__(self, program: str) -> None:
        self.profile = tempfile.TemporaryDirectory()
        command = [program, "--headless", "--no-remote", "--profile", self.profile.name, "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.address: str | None = None
        self.told = threading.Event()
        # Read on, so that the browser never waits for a reader.
        threading.Thread(target=self.read, daemon=True).start()
        if not self.told.wait(PATIENCE) or self.address is None:
            raise Failure("Firefox does not listen")
        self.stack = contextlib.ExitStack()
        self.socket: ClientConnection = self.stack.enter_context(connect(f"{self.address}/session", max_size=None))
        self.count = 0
        self.command("session.new", capabilities={})

    def read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
            if found:
                self.address = found[1]
                self.told.set()
        self.told.set()

    def command(self, method: str, **parameters: Any) -> Any:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=PATIENCE))
            # Events have no number.
            if answer.get("id") != self.count:
                continue
            if answer["type"] == "error":
                raise Failure(f"{method}: {answer['message']}")
            return answer["result"]

    def open(self, url: str, ratio: float = 1) -> Page:
        """A page in a tab of its own, on a screen of so many pixels a point."""
        context = self.command("browsingContext.create", type="tab")["context"]
        self.command("browsingContext.setViewport", context=context, viewport={"width": 1280, "height": 800}, devicePixelRatio=ratio)
        self.command("browsingContext.navigate", context=context, url=url, wait="complete")
        return Page(self, context)

    def close(self) -> None:
        self.stack.close()
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()


class Page:
    """A tab."""

    def __init__(self, browser: Firefox, context: str) -> None:
        self.browser, self.context = browser, context

    def evaluate(self, function: str) -> Any:
        """Calls a function without arguments in the page; its result is what JSON can say of it."""
        done = self.browser.command(
            "script.callFunction", functionDeclaration=f"async () => JSON.stringify(await ({function})())", awaitPromise=True,
            target={"context": self.context},
        )  # fmt: skip
        if done["type"] == "exception":
            raise Failure(done["exceptionDetails"]["text"])
        return json.loads(done["result"]["value"]) if "value" in done["result"] else None

    def wait_for(self, function: str) -> None:
        """Waits until a function without arguments returns something true."""
        deadline = time.monotonic() + PATIENCE
        while not self.evaluate(f"() => Boolean(({function})())"):
            if time.monotonic() > deadline:
                raise Failure(f"never: {function}")
