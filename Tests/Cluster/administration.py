"""An administrator of a cluster, who asks any node."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any

from cluster import Node

#: Longer than a node waits for another one, in seconds.
PATIENCE = 40


@dataclass(frozen=True)
class Answer:
    """An answer over HTTP: `retry_after` has the header's seconds, `None` without one."""

    status: int
    kind: str
    body: bytes
    retry_after: str | None = None

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


def ask(node: Node, method: str, path: str, body: Any = None) -> Answer:
    """Asks a node for something under `/admin/rooms`, or that itself; a `body` that is no bytes is sent as JSON."""
    sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection(node.host, node.port, timeout=PATIENCE)
    try:
        connection.request(method, f"/admin/rooms/{path}".rstrip("/"), sent)
        response = connection.getresponse()
        kind = response.getheader("content-type") or ""
        return Answer(response.status, kind, response.read(), response.getheader("retry-after"))
    finally:
        connection.close()


def document(text: str = "", views: int = 1) -> dict[str, Any]:
    """A document of labels with a text each, whose height is that of a line."""
    labels = [{"id": f"v{number}", "kind": "label", "text": text} for number in range(views)]
    return {"scene": 1, "viewport": {"width": 400, "height": 300}, "views": labels, "constraints": []}


def texts(scene: Any) -> list[str]:
    """The texts of a document's labels."""
    return [view.get("text", "") for view in scene["views"]]
