"""Our frames against those that Xcode stored in files of Interface Builder, and every scene on other devices."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SCENESYNC", str(ROOT / ".build/debug/scenesync"))
#: In points; the stored frames have whole pixels, and files of older versions say no scale.
TOLERANCE = 0.5 + 1e-3
#: Rows whose frames are no oracle; see README.md.
NO_ORACLE = {"pixel", "default-size", "stale"}
PATIENCE = 120

with gzip.open(Path(__file__).with_name("corpus.jsonl.gz"), "rt") as lines:
    SCENES: list[dict[str, Any]] = [json.loads(line) for line in lines]
ORACLES = [scene for scene in SCENES if scene.get("why") not in NO_ORACLE]

#: Width, height, and the safe area: top, sides, bottom.
SCREENS = {
    "se": (320, 568, 20, 0, 0), "se3": (375, 667, 20, 0, 0), "mini": (375, 812, 50, 0, 34), "pro": (393, 852, 59, 0, 34),
    "max": (430, 932, 59, 0, 34), "landscape": (852, 393, 0, 59, 21), "pad": (1024, 1366, 24, 0, 20), "third": (375, 1366, 24, 0, 20),
}  # fmt: skip
DEVICES = {
    f"{name}-{direction}-{category}": {
        "width": width, "height": height, "safeArea": [top, side, bottom, side], "direction": direction, "contentSizeCategory": category,
    }
    for name, (width, height, top, side, bottom) in SCREENS.items()
    for direction in ("ltr", "rtl")
    for category in ("extraSmall", "large", "accessibilityExtraExtraExtraLarge")
}  # fmt: skip
#: The one scene that has no answer on some screen: a view is wider by its safe area, which is larger by as much.
RESTLESS = {"4cb2dbc4/3c3101637f6b#0"}


def laid_out(document: dict[str, Any], *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([PROGRAM, "layout", "-", *options], input=json.dumps(document).encode(), capture_output=True, timeout=PATIENCE)


@pytest.mark.parametrize("scene", ORACLES, ids=[scene["id"] for scene in ORACLES])
def test_frames_are_those_that_xcode_stored(scene: dict[str, Any]) -> None:
    done = laid_out(scene["document"])
    assert done.returncode == 0, done.stderr.decode()
    frames = json.loads(done.stdout)["frames"]
    wrong = {
        name: (expected, frames[name])
        for name, expected in scene["expected"].items()
        if name not in scene["skip"] and any(abs(a - b) > TOLERANCE for a, b in zip(expected, frames[name], strict=True))
    }
    assert wrong == {}


def test_most_rows_are_oracles() -> None:
    assert (len(SCENES), len(ORACLES)) == (459, 435)


@pytest.mark.parametrize("scene", SCENES[:: 1 if os.environ.get("SCENESYNC_WHOLE_CORPUS") else 12], ids=lambda scene: scene["id"])
def test_every_device_has_a_layout_or_a_reason(scene: dict[str, Any]) -> None:
    done = laid_out({**scene["document"], "devices": DEVICES}, "--all-devices")
    said = done.stderr.decode()
    devices = json.loads(done.stdout)["devices"]
    assert devices.keys() == DEVICES.keys()
    errors = [error for device in devices.values() for error in device.get("errors", [])]
    assert done.returncode == (2 if errors else 0), said
    assert bool(errors) == (scene["id"] in RESTLESS), said
    # Swift's text for a value is for nobody.
    assert "LayoutError" not in said and "brokeConstraint" not in said


def test_a_layout_that_does_not_come_to_rest_says_so() -> None:
    scene = next(scene for scene in SCENES if scene["id"] in RESTLESS)
    device = DEVICES["landscape-ltr-large"]
    done = laid_out({**scene["document"], "devices": {"landscape": device}}, "--device", "landscape")
    errors = json.loads(done.stdout)["errors"]
    assert done.returncode == 2
    assert len(errors) == 1 and "does not come to rest" in errors[0] and '"v7"' in errors[0]
    assert errors[0] in done.stderr.decode()
