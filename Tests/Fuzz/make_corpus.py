#!/usr/bin/env python3
"""Writes the seeds of each fuzz target into a folder: the vectors, the examples, and the rules in them."""

import json
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "protocol" / "vectors" / "v1"

INTERFACE = """<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" useAutolayout="YES" useSafeAreas="YES"><device id="retina4_7"/><objects>
<view id="r"><rect key="frame" x="0.0" y="0.0" width="375" height="667"/><subviews>
<label text="a" translatesAutoresizingMaskIntoConstraints="NO" id="l"><rect key="frame" x="16" y="20" width="40" height="21"/>
<fontDescription key="fontDescription" style="UICTFontTextStyleBody"/><variation key="heightClass=compact" hidden="YES"/></label>
<stackView axis="vertical" id="s"><rect key="frame" x="0.0" y="50" width="50" height="60"/><subviews><button id="b">
<rect key="frame" x="0.0" y="0.0" width="50" height="30"/><state key="normal" title="t"/></button></subviews></stackView></subviews>
<viewLayoutGuide key="safeArea" id="g"/><constraints><constraint firstItem="l" firstAttribute="top" secondItem="g" secondAttribute="top" id="c"/>
<constraint firstItem="l" firstAttribute="leadingMargin" secondItem="s" secondAttribute="leading" multiplier="3:4" priority="9" id="d"/></constraints>
</view></objects></document>"""


def seeds():
    for path in sorted(VECTORS.glob("*/*.json")):
        for case in json.loads(path.read_text()):
            if "steps" in case:
                messages = [bytes.fromhex(step["hex"]) for step in case["steps"] if "hex" in step][:20]
                yield "sequence", b"".join(struct.pack("<H", len(m)) + m for m in messages if len(m) < 1 << 16)
                continue
            if "from" not in case:
                continue
            if "hex" in case:
                yield case["from"], bytes.fromhex(case["hex"])
            if "text" in case:
                yield case["from"] + "-json", case["text"].encode()
            if "json" in case:
                yield case["from"] + "-json", json.dumps(case["json"]).encode()
    state = {"id": "a", "ambiguous": True, "needsUpdateConstraints": False, "needsLayout": False, "needsDisplay": True,
             "constraints": ["w"], "horizontal": [{"id": "w", "kind": "constraint", "rule": "a.width == 3"}],
             "vertical": [{"kind": "contentSize", "rule": "a.height == 16 @251"}]}  # fmt: skip
    yield "inspection", b'{"tick":5}'
    yield "inspection", json.dumps(
        {"tick": 7, "sets": [{"id": "s", "active": True, "overridden": False}], "views": [state],
         "broken": [{"id": "w", "conflicts": ["v"]}], "document": {"scene": 1, "viewport": {"width": 9, "height": 9}}}
    ).encode()  # fmt: skip
    yield "interface", INTERFACE.encode()
    yield "interface", b'/* n */ "title.text" = "Hallo\\n\\U00e4";'
    for path in sorted((ROOT / "protocol" / "examples").glob("*.json")):
        document = json.loads(path.read_text())
        if path.stat().st_size < 20_000:
            yield "document", path.read_bytes()
        for constraint in document.get("constraints", [])[:40]:
            rule = constraint if isinstance(constraint, str) else constraint.get("rule", constraint.get("vfl", ""))
            yield "rule", rule.encode()
        for entry in document.get("sets", {}).values():
            yield "rule", entry.get("when", "").encode()


def main(folder: str) -> None:
    for index, (target, data) in enumerate(seeds()):
        place = Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        (place / f"seed-{index:05}").write_bytes(data)


main(sys.argv[1])
