"""A client of SceneSync: watch a laid-out scene, and change it."""

from . import messages, ops
from .aio import AsyncClient
from .errors import ConnectionEnded, DecodeError, MirrorError, RefusedError, SceneSyncError
from .mirror import Mirror
from .session import ClientSession
from .sync import Client

__all__ = [
    "AsyncClient",
    "Client",
    "ClientSession",
    "ConnectionEnded",
    "DecodeError",
    "Mirror",
    "MirrorError",
    "RefusedError",
    "SceneSyncError",
    "messages",
    "ops",
]
