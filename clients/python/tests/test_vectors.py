"""All vectors of version 1."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from scenesync.errors import DecodeError, IgnorableMessage, MirrorError
from scenesync.messages import StateHash, Welcome, decode, decode_json, encode
from scenesync.mirror import Mirror

VECTORS = Path(__file__).parents[3] / "protocol" / "vectors" / "v1"


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in sorted((VECTORS / kind).glob("*.json"))
        for case in json.loads(path.read_text())
    ]


@pytest.mark.parametrize("case", cases("valid"))
def test_valid(case: dict[str, Any]) -> None:
    client = case["from"] == "client"
    message = decode(bytes.fromhex(case["hex"]), client)
    assert message.to_json() == case["json"]
    assert decode_json(json.dumps(case["json"]), client) == message
    if case["canonical"]:
        assert encode(message, client).hex() == case["hex"]
    else:
        assert decode(encode(message, client), client) == message


@pytest.mark.parametrize("case", cases("invalid"))
def test_invalid(case: dict[str, Any]) -> None:
    client = case["from"] == "client"
    with pytest.raises(DecodeError) as caught:
        decode(bytes.fromhex(case["hex"]), client) if "hex" in case else decode_json(case["text"], client)
    assert caught.value.code == case["error"]
    if "ignorable" in case:
        assert isinstance(caught.value, IgnorableMessage) == case["ignorable"]


@pytest.mark.parametrize("case", cases("sequences"))
def test_sequences(case: dict[str, Any]) -> None:
    mirror = Mirror()
    for step in case["steps"]:
        code = None
        try:
            mirror.apply(decode(bytes.fromhex(step["hex"])))
        except MirrorError as error:
            code = error.code
        assert code == step.get("error")
        assert mirror.needs_snapshot == step["needsSnapshot"]
        if "hash" in step:
            assert f"{mirror.state_hash:016x}" == step["hash"]
            assert mirror.tick == step["tick"]
        if "frames" in step:
            assert [{"id": view.id, "frame": list(view.frame)} for view in mirror.preorder()] == step["frames"]
        for shown in step.get("shown", []):
            assert list(mirror.shown_frame(shown["id"], shown["tick"])) == shown["frame"]


@pytest.mark.parametrize("case", cases("conversations"))
def test_conversations(case: dict[str, Any]) -> None:
    mirror = Mirror()
    for data in case["messages"]:
        message = decode(bytes.fromhex(data)) if case["format"] == "bin" else decode_json(data)
        if isinstance(message, Welcome):
            mirror.continue_in(message.epoch)
        mirror.apply(message)
    assert (mirror.tick, f"{mirror.state_hash:016x}") == (case["tick"], case["hash"])


def test_worked_sessions() -> None:
    """The messages of section 16, byte by byte: both connections lead one mirror to where the text says."""
    text = (VECTORS.parents[1] / "SPEC.md").read_text()
    section = text[text.index("## 16. ") : text.index("## 17. ")]
    lines = [line for line in section.splitlines() if re.fullmatch(r"    ([0-9a-f]{2} ?)+", line)]
    mirror, hashes = Mirror(), 0
    for line in lines:
        data = bytes.fromhex(line)
        client = data[0] < 0x40
        message = decode(data, client)
        assert encode(message, client) == data, line
        if isinstance(message, Welcome):
            mirror.continue_in(message.epoch)
        if not client:
            mirror.apply(message)
        # That they are right, the mirror checks.
        hashes += isinstance(message, StateHash) and message.tick == mirror.tick
    assert (len(lines), hashes) == (17, 2)
    assert mirror["a"].frame[:2] == (8, 12) and mirror["b"].frame[:2] == (0, 4)


def test_schema_covers_every_case() -> None:
    """The schema itself, by the subset of JSON Schema that it uses."""
    schema = json.loads((VECTORS.parent / "schema.json").read_text())
    for kind in ("valid", "invalid", "sequences", "conversations"):
        required = schema["$defs"][kind]["required"]
        known = schema["$defs"][kind]["properties"]
        for parameter in cases(kind):
            case = parameter.values[0]
            assert set(required) <= set(case) <= set(known), case["name"]
