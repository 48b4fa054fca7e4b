"""Holds the client's names against protocol/names.json."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

from scenesync import ops, session
from scenesync.messages import CLIENT_TYPES, SERVER_TYPES

NAMES = json.loads((Path(__file__).parents[3] / "protocol" / "names.json").read_text())


def makers() -> dict[str, object]:
    """The makers of ops, by the name of the op."""
    functions = inspect.getmembers(ops, inspect.isfunction)
    return {
        re.sub(r"_(\w)", lambda match: match[1].upper(), name): function
        for name, function in functions
        if not name.startswith("_") and function.__module__ == ops.__name__
    }


def test_there_is_a_maker_for_each_op_and_no_other() -> None:
    assert sorted(makers()) == sorted(NAMES["ops"])


def test_each_maker_makes_its_op() -> None:
    arguments = {"setScene": ({},), "animate": (0.3, []), "setContentOffset": ("a", 0, 0)}
    needs_nothing = {"setViewport"}
    for name, maker in makers().items():
        made = maker(*(() if name in needs_nothing else arguments.get(name, ("a",))))  # type: ignore[operator]
        assert made["op"] == name


def test_the_messages_have_their_type_bytes() -> None:
    assert {name: byte for byte, (name, _) in CLIENT_TYPES.items()} == NAMES["clientMessages"]
    assert {name: byte for byte, (name, _) in SERVER_TYPES.items()} == NAMES["serverMessages"]


def test_the_client_comes_back_after_the_codes_that_are_worth_it() -> None:
    for name, code in NAMES["closeCodes"].items():
        assert session.is_worth_another_try(code) == (name in NAMES["retryableCloseCodes"]), name


def test_the_properties_of_views_are_the_documents() -> None:
    keys = [re.sub(r"_(\w)", lambda match: match[1].upper(), key) for key in ops.ViewProperties.__annotations__]
    assert ["kind", *keys] == NAMES["viewKeys"]


def test_the_properties_of_viewports_are_the_documents() -> None:
    keys = {re.sub(r"_(\w)", lambda match: match[1].upper(), key) for key in ops.ViewportProperties.__annotations__}
    document = json.loads((Path(__file__).parents[3] / "protocol/schemas/document.json").read_text())
    assert keys == set(document["$defs"]["viewport"]["properties"])
