"""JSON as SPEC section 5 requires it."""

from __future__ import annotations

import json
from typing import Any

from .errors import DecodeError

JSON_DEPTH = 64


def parse_json(data: bytes) -> Any:
    """JSON as SPEC section 5 requires it: no duplicate keys, nothing after it, numbers within doubles, 64 levels."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            raise ValueError("a key twice")
        return result

    def constant(name: str) -> Any:
        raise ValueError(f"{name} is no JSON")

    try:
        text = data.decode()
        value = json.loads(text, object_pairs_hook=members, parse_constant=constant)
        sound(value, 0)
    except (ValueError, OverflowError, RecursionError) as error:
        raise DecodeError("json", detail=str(error)) from None
    return value


def sound(value: Any, depth: int) -> None:
    if isinstance(value, (dict, list)):
        if depth >= JSON_DEPTH:
            raise ValueError("nested too deeply")
        for element in value.values() if isinstance(value, dict) else value:
            sound(element, depth + 1)
        for key in value if isinstance(value, dict) else ():
            key.encode()
    elif isinstance(value, str):
        value.encode()
    elif not isinstance(value, bool) and isinstance(value, (int, float)):
        if float(value) in (float("inf"), float("-inf")):
            raise ValueError("a number beyond doubles")
