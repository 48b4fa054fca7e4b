"""`protocol/messages.json` is enough to read and write every message, and says what the codec here does."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from scenesync.errors import DecodeError
from scenesync.messages import CLIENT_TYPES, SERVER_TYPES

PROTOCOL = Path(__file__).parents[3] / "protocol"
sys.path.insert(0, str(PROTOCOL / "vectors"))

import model  # noqa: E402


def cases(folder: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in sorted((PROTOCOL / "vectors/v1" / folder).glob("*.json"))
        for case in json.loads(path.read_text())
    ]


@pytest.mark.parametrize("case", cases("valid"))
def test_the_model_reads_and_writes_the_valid_vectors(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    assert model.decode(data, case["from"]) == case["json"]
    if case["canonical"] and not case["json"].get("deflated"):
        assert model.encode(case["json"], case["from"]).hex() == case["hex"]


#: Vectors of these sections are about the bodies, columns and sets that the model leaves to the text, or about JSON.
LEFT_TO_THE_TEXT = ("7", "8")


def is_of_the_model(case: dict[str, Any]) -> bool:
    """Whether a vector is about limits, ranges or extensions of fields that the model has."""
    if "hex" not in case or case["error"] not in ("too-many", "invalid-value", "unknown-extension"):
        return False
    # The role is one of the list since events came; the text has it only beside them.
    return not case["section"].startswith(LEFT_TO_THE_TEXT) and case["name"] != "a role beyond the list"


@pytest.mark.parametrize("case", [each for each in cases("invalid") if is_of_the_model(each.values[0])])
def test_the_model_refuses_what_its_limits_and_ranges_say(case: dict[str, Any]) -> None:
    with pytest.raises(DecodeError) as caught:
        model.decode(bytes.fromhex(case["hex"]), case["from"])
        # Rules between two fields are the text's.
        raise DecodeError(case["error"]) if case["section"] in BETWEEN else AssertionError(case["name"])
    assert caught.value.code == case["error"]


#: Sections with rules between two fields, or about what a text says: a chunk among its chunks, a face among its styles, a participant
#: without events, ids.
BETWEEN = ("2", "6.2", "6.5", "6.6", "6.12", "6.16", "6.28", "18.1", "18.3")


def test_every_message_and_field_is_that_of_the_codec() -> None:
    def camel(name: str) -> str:
        return re.sub("_([a-z])", lambda found: found[1].upper(), name)

    for sender, types in (("client", CLIENT_TYPES), ("server", SERVER_TYPES)):
        assert {byte: name for byte, (name, _) in types.items()} == {
            each["type"]: each["name"] for each in model.MODEL["messages"] if each["from"] == sender
        }
        for byte, (_, cls) in types.items():
            message = model.MESSAGES[sender, byte]
            extras = {number: name for number, (name, _) in cls.extras.items()}
            assert extras == {each["id"]: each["name"] for each in message.get("extensions", [])}
            own = [camel(each.name) for each in dataclasses.fields(cls) if each.name not in extras.values()]
            beside = ["baseDistance", "durableDistance"] if message["name"] == "frame" else []
            assert set(own) == {each["name"] for each in message["fields"]} | set(beside), message["name"]


def test_the_model_is_what_its_schema_says() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((PROTOCOL / "schemas/model.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(model.MODEL)
    used = set(re.findall(r'"of": "(\w+)"', json.dumps(model.MODEL)))
    assert used == set(model.CHOICES) | set(model.STRUCTURES)
