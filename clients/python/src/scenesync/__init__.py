"""A client of SceneSync: watch a laid-out scene, and change it."""

from . import messages, ops
from .aio import AsyncClient
from .comments import CommentEvent
from .connecting import Patience
from .errors import ConnectionEnded, DecodeError, EventError, MirrorError, RefusedError, SceneSyncError
from .events import EVENTS, EVERYONE, ReceivedEvent
from .mirror import Mirror
from .scene import Scene, Value, View, button, image, label, list_row, row, scroll, slider, stack, switch, text_field, view
from .session import ANNOTATIONS, SUGGESTIONS, ClientSession
from .sync import Client
from .tls import tls_context
from .tokens import TokenError, TokenProvider, token_command, token_file

__all__ = [
    "ANNOTATIONS",
    "EVENTS",
    "EVERYONE",
    "SUGGESTIONS",
    "AsyncClient",
    "Client",
    "ClientSession",
    "CommentEvent",
    "ConnectionEnded",
    "DecodeError",
    "EventError",
    "Mirror",
    "MirrorError",
    "Patience",
    "ReceivedEvent",
    "RefusedError",
    "Scene",
    "SceneSyncError",
    "TokenError",
    "TokenProvider",
    "Value",
    "View",
    "button",
    "image",
    "label",
    "list_row",
    "messages",
    "ops",
    "row",
    "scroll",
    "slider",
    "stack",
    "switch",
    "text_field",
    "tls_context",
    "token_command",
    "token_file",
    "view",
]
