#!/usr/bin/env python3
"""Writes the seeds of each fuzz target into a folder: the vectors, the examples, and the rules in them."""

import json
import re
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

#: Tables with rows of all kinds, a scroll view with its guides, a container with a scene, and what varies.
STORYBOARD = """<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" useAutolayout="YES" useSafeAreas="YES" initialViewController="v">
<device id="retina6_0" orientation="landscape"/><scenes><scene sceneID="1"><objects><viewController id="v"><layoutGuides>
<viewControllerLayoutGuide type="top" id="t"/><viewControllerLayoutGuide type="bottom" id="u"/></layoutGuides><view key="view" id="r">
<rect key="frame" x="0.0" y="0.0" width="844" height="390"/><subviews><tableView rowHeight="-1" style="insetGrouped" fixedFrame="YES" id="a">
<rect key="frame" x="0.0" y="0.0" width="400" height="390"/><autoresizingMask key="autoresizingMask" widthSizable="YES" flexibleMaxY="YES"/>
<view key="tableHeaderView" id="h"><rect key="frame" x="0.0" y="0.0" width="400" height="9"/></view><sections>
<tableViewSection headerTitle="H" footerTitle="F" id="s"><cells><tableViewCell rowHeight="50" id="c"><rect key="frame" x="16" y="30" width="368" height="50"/>
<tableViewCellContentView key="contentView" id="d"><rect key="frame" x="0.0" y="0.0" width="330" height="49.5"/><subviews>
<label numberOfLines="0" translatesAutoresizingMaskIntoConstraints="NO" id="l"><rect key="frame" x="9" y="9" width="300" height="20"/>
<string key="text">a b</string></label></subviews><constraints>
<constraint firstItem="l" firstAttribute="top" secondItem="d" secondAttribute="topMargin" id="1"/>
<constraint firstItem="d" firstAttribute="bottom" relation="greaterThanOrEqual" secondItem="l" secondAttribute="bottom" constant="4" id="2"/>
</constraints></tableViewCellContentView></tableViewCell></cells></tableViewSection></sections></tableView>
<scrollView translatesAutoresizingMaskIntoConstraints="NO" id="k"><rect key="frame" x="400" y="0.0" width="444" height="300"/><subviews>
<imageView image="i" translatesAutoresizingMaskIntoConstraints="NO" id="m"><rect key="frame" x="0.0" y="0.0" width="9" height="9"/></imageView></subviews>
<constraints><constraint firstItem="m" firstAttribute="width" secondItem="g" secondAttribute="width" id="3"/>
<constraint firstItem="e" firstAttribute="bottom" secondItem="m" secondAttribute="bottom" id="4"/></constraints>
<viewLayoutGuide key="contentLayoutGuide" id="e"/><viewLayoutGuide key="frameLayoutGuide" id="g"/></scrollView>
<containerView id="n"><rect key="frame" x="0.0" y="0.0" width="9" height="9"/><connections><segue destination="w" kind="embed" id="5"/></connections></containerView>
</subviews><constraints><constraint firstItem="k" firstAttribute="top" secondItem="t" secondAttribute="bottom" id="6">
<variation key="widthClass=regular" constant="7"/></constraint><constraint firstItem="p" firstAttribute="top" secondItem="k" secondAttribute="bottom" id="7"/>
</constraints><viewLayoutGuide key="keyboard" id="p"/><variation key="default"><mask key="constraints"><exclude reference="7"/></mask></variation></view>
</viewController></objects></scene><scene sceneID="2"><objects><tableViewController id="w"><tableView key="view" id="x">
<rect key="frame" x="0.0" y="0.0" width="9" height="9"/><prototypes><tableViewCell style="IBUITableViewCellStyleDefault" id="y">
<rect key="frame" x="0.0" y="28" width="9" height="44"/></tableViewCell></prototypes></tableView></tableViewController></objects></scene></scenes>
<resources><image name="i" width="8" height="8"/></resources></document>"""


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
    yield "interface", STORYBOARD.encode()
    yield "interface", b'/* n */ "title.text" = "Hallo\\n\\U00e4";'
    yield "face", b"\x01" + struct.pack("<HB", 100, 7)
    yield "face", b"\x00OTTO"
    for text in ["a b-c d/e 1,234", "Ae\u0301\u0323 \u05e9\u05dc \u65e5\u672c", "\U0001f469\u200d\U0001f467\u00ad\u200b\n\u202e"]:
        for shape in [(0, 40), (33, 90), (66, 20), (133, 255)]:
            yield "text", bytes(shape) + text.encode()
    for path in sorted((ROOT / "protocol" / "examples").glob("*.json")):
        document = json.loads(path.read_text())
        if path.stat().st_size < 20_000:
            yield "document", path.read_bytes()
        for constraint in document.get("constraints", [])[:40]:
            rule = constraint if isinstance(constraint, str) else constraint.get("rule", constraint.get("vfl", ""))
            yield "rule", rule.encode()
        for entry in document.get("sets", {}).values():
            yield "rule", entry.get("when", "").encode()


def dictionary() -> str:
    """The words of Interface Builder's files, which random bytes would not come upon."""
    words = set(re.findall(r"</?\w+|\w+=\"[^\"]*\"|/>", INTERFACE + STORYBOARD))
    return "".join(f"{json.dumps(word)}\n" for word in sorted(words))


def main(folder: str) -> None:
    for index, (target, data) in enumerate(seeds()):
        place = Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        (place / f"seed-{index:05}").write_bytes(data)
    Path(folder, "interface.dict").write_text(dictionary())


main(sys.argv[1])
