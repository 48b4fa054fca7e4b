"""Changing the scene: edges, views, rules, sets; every gesture is seen by a second browser and the terminal viewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from conftest import ROOT, Server, Visits, agree, look_into, place, settle
from playwright.sync_api import Page


def test_a_drag_that_comes_back_changes_nothing(server: Server, visits: Visits) -> None:
    page = visits.open(f"{server.http}/demo")
    before = agree(server, page)
    left, top, width, height = place(page, "sidebar")
    page.mouse.click(left + width / 2, top + 4)
    left, top, width, height = place(page, "sidebar")
    page.mouse.move(left + width, top + height / 2)
    page.mouse.down()
    page.mouse.move(left + width - 40, top + height / 2, steps=3)
    # The first places are on their way when the last one comes.
    page.wait_for_function("() => scenesync.room.log.length > 0")
    page.mouse.move(left + width, top + height / 2)
    page.mouse.up()
    assert agree(server, page) == before


def two(server: Server, visits: Visits) -> tuple[Page, Page]:
    pages = [visits.open(f"{server.http}/demo") for _ in range(2)]
    for page in pages:
        look_into(page)
    return pages[0], pages[1]


def choose(page: Page, *views: str) -> None:
    page.evaluate("(ids) => scenesync.select(ids)", list(views))
    settle(page)


def drag(page: Page, start: tuple[float, float], dx: float, dy: float) -> None:
    """By so many points of the scene."""
    scale = page.evaluate("() => scenesync.stage.camera.scale")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + dx * scale, start[1] + dy * scale, steps=5)
    page.mouse.up()
    page.wait_for_function("() => scenesync.overlay !== undefined")
    settle(page)


def rules(page: Page) -> dict[str, str]:
    """The server's rules, by id."""
    found: dict[str, str] = page.evaluate("""async () => Object.fromEntries((await scenesync.room.inspect([], true)).document.constraints.map(({ id, rule }) => [id, rule]))""")
    return found


def test_an_edge_changes_the_width_that_holds_it(server: Server, visits: Visits) -> None:
    ada, bob = two(server, visits)
    choose(ada, "sidebar")
    left, top, width, height = place(ada, "sidebar")
    drag(ada, (left + width - 1, top + height / 2), 40, 0)
    assert agree(server, ada, bob)["sidebar"] == [0, 48, 200, 288]
    assert rules(ada)["sidebar-width"] == "sidebar.width == 200 @750"
    # However many messages it took, one step takes it back.
    assert ada.evaluate("() => scenesync.room.log.length") >= 1
    ada.click("#undo")
    assert agree(server, ada, bob)["sidebar"] == [0, 48, 160, 288]


def test_a_view_is_moved_by_what_holds_its_place(server: Server, visits: Visits) -> None:
    ada, bob = two(server, visits)
    x, y, width, height = agree(server, ada, bob)["brand"]
    left, top, wide, high = place(ada, "brand")
    drag(ada, (left + wide / 2, top + high / 2), 24, 8)
    assert agree(server, ada, bob)["brand"] == [x + 24, y + 8, width, height]
    held = [rule for rule in rules(ada).values() if rule.startswith("brand.")]
    assert sorted(held) == ["brand.centerY == header.centerY + 8", "brand.leading == header.leading + 40"]


def test_what_cannot_be_dragged_says_why(server: Server, visits: Visits) -> None:
    ada, bob = two(server, visits)
    before = agree(server, ada, bob)
    left, top, width, height = place(ada, "menu-alerts")
    drag(ada, (left + width / 2, top + height / 2), 30, 30)
    assert "menu-alerts cannot be dragged" in ada.inner_text("#toast")
    assert agree(server, ada, bob) == before


def test_arrow_keys_are_one_step(server: Server, visits: Visits) -> None:
    ada, bob = two(server, visits)
    before = agree(server, ada, bob)
    choose(ada, "crumb")
    ada.focus("#over")
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "ArrowDown"):
        ada.keyboard.press(key)
    ada.wait_for_function("() => scenesync.room.log.length > 0 && scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('crumb'))[0] > 0")
    settle(ada)
    ada.wait_for_function("(x) => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('crumb'))[0] === x", arg=before["crumb"][0] + 10)
    after = agree(server, ada, bob)["crumb"]
    assert after[:2] == [before["crumb"][0] + 10, before["crumb"][1] + 1]
    ada.keyboard.press("Control+z")
    assert agree(server, ada, bob) == before


def test_rules_are_texts_with_completion(server: Server, visits: Visits) -> None:
    ada, bob = two(server, visits)
    choose(ada, "sidebar")
    field = ada.get_by_label("Constraint sidebar-width")
    assert field.input_value() == "sidebar.width == 160 @750"
    field.fill("sidebar.width == 0.5 * root.width @750")
    field.press("Enter")
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('sidebar'))[2] === 320")
    assert agree(server, ada, bob)["sidebar"][2] == 320

    fresh = ada.get_by_label("A new constraint")
    fresh.press_sequentially("si")
    assert ada.locator(".words:not([hidden]) [role=option]").all_inner_texts() == ["sidebar"]
    fresh.press("Tab")
    fresh.press_sequentially(".wi")
    fresh.press("Tab")
    assert fresh.input_value() == "sidebar.width"
    fresh.press_sequentially(" <= 240 @he")
    fresh.press("Enter")
    ada.locator(".error:not(:empty)").wait_for()
    assert ada.locator(".error:not(:empty)").inner_text() != ""
    assert fresh.get_attribute("aria-invalid") is not None
    fresh.fill("sidebar.width <= 240")
    fresh.press("Enter")
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('sidebar'))[2] === 240")
    assert agree(server, ada, bob)["sidebar"][2] == 240

    # What contradicts is refused, with the constraints that stand against it, and nothing changes.
    fresh = ada.get_by_label("A new constraint")
    fresh.fill("header.height == 99")
    fresh.press("Enter")
    # What was refused before may still be shown.
    ada.locator("#toast.bad.shown", has_text="contradict").wait_for()
    assert agree(server, ada, bob)["header"][3] == 48

    # While a field holds what was refused the panel stays as it is; leaving the field brings it up to date.
    fresh.blur()
    ada.get_by_label("rule is active").uncheck()
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('sidebar'))[2] === 320")
    ada.get_by_label("Remove rule").click()
    ada.wait_for_function("() => ![...document.querySelectorAll('#right [aria-label]')].some((each) => each.ariaLabel === 'Remove rule')")
    assert "rule" not in rules(ada)
    assert agree(server, ada, bob)["sidebar"][2] == 320


def test_why_is_it_here(server: Server, visits: Visits) -> None:
    ada, _ = two(server, visits)
    choose(ada, "brand")
    ada.locator("#why code").first.wait_for()
    told = ada.locator("#why li").all_inner_texts()
    assert "brand.leading == header.leading + 16" in told
    assert "brand.centerY == header.centerY" in told
    assert any(line.endswith("its content") for line in told)


def test_sets_are_switched(server: Server, visits: Visits) -> None:
    ada, bob = two(server, visits)
    ada.get_by_role("checkbox", name="compact").check()
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('sidebar'))[2] === 96")
    assert agree(server, ada, bob)["sidebar"][2] == 96
    ada.wait_for_function("() => scenesync.room.sets.get('compact').overridden")
    ada.get_by_role("button", name="auto").click()
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.numbers.get('sidebar'))[2] === 160")
    assert agree(server, ada, bob)["sidebar"][2] == 160


def test_several_views_share(server: Server, visits: Visits) -> None:
    ada, bob = two(server, visits)
    choose(ada, "brand", "cpu-title")
    ada.get_by_role("button", name="leading", exact=True).click()
    ada.locator("#toast.bad.shown").wait_for()
    assert "contradict" in ada.inner_text("#toast"), "each is held elsewhere already"
    choose(ada, "brand", "crumb")
    ada.get_by_role("button", name="bottom", exact=True).click()
    settle(ada)
    assert "crumb.bottom == brand.bottom" in rules(ada).values()
    agree(server, ada, bob)


def test_problems_are_listed_and_lead_there(server: Server, visits: Visits) -> None:
    server.apply({"scene": 1, "viewport": {"width": 300, "height": 200, "unsatisfiable": "break"},
                  "views": [{"id": "box", "background": "#334455"}, {"id": "loose"}],
                  "constraints": [{"id": "narrow", "rule": "box.width == 100"}, {"id": "wide", "rule": "box.width == 200"},
                                  "box.leading == root.leading", "box.top == root.top", "box.height == 50"]}, "trouble")
    page = visits.open(f"{server.http}/trouble")
    page.locator(".problems .bad").wait_for()
    page.wait_for_function("() => document.querySelector('.problems .bad')?.textContent.includes('it contradicts')")
    texts = page.locator(".problems li").all_inner_texts()
    assert any("given up" in text and "box.width == " in text for text in texts), texts
    assert any("left open" in text and "loose" in text for text in texts), texts
    page.locator(".problems .warn button").click()
    assert page.evaluate("() => scenesync.selection") == ["loose"]


def test_exported_code(server: Server, visits: Visits, folder: Path) -> None:
    """It is the very code that the Swift tests compile, and whose layout they compare with the scene's."""
    exported = ROOT / "Tests/ExportedCode"
    server.apply(json.loads((exported / "scene.json").read_text()), "code")
    page = visits.open(f"{server.http}/code")
    page.click("#share")
    saved: dict[str, str] = {}
    for name in ("UIKit, Swift", "SnapKit, Swift", "ConstraintLayout, XML"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        saved[name] = path.read_text()
    for name, module in (("UIKit, Swift", "ForUIKit"), ("SnapKit, Swift", "ForSnapKit")):
        compiled = (exported / module / "Scene.swift").read_text()
        assert saved[name] == compiled.removeprefix("// swift-format-ignore-file\n")

    android = ElementTree.fromstring(saved["ConstraintLayout, XML"])
    space, auto = "{http://schemas.android.com/apk/res/android}", "{http://schemas.android.com/apk/res-auto}"
    found = {each.get(f"{space}id"): each for each in android.iter()}
    ids = {each.get(f"{space}id", "").removeprefix("@+id/") for each in android.iter()}
    for each in android.iter():
        for key, value in each.items():
            assert not value.startswith("@id/") or value.removeprefix("@id/") in ids, (key, value)
    column = found["@+id/column"]
    assert column.tag == "Space" and column.get(f"{auto}layout_constraintStart_toEndOf") == "@id/switch"
    assert found["@+id/title"].get(f"{space}text") == 'Tab\\tand "quotes" \\\\ é'
    # In a LinearLayout a subview has nothing that only a ConstraintLayout understands, and loses no rule unsaid.
    assert found["@+id/loose"].tag == "View" and not any("_to" in key for key in found["@+id/loose"].keys())
    assert "<!-- loose.left == rows.left + 3 -->" in saved["ConstraintLayout, XML"]
    assert "intrinsic [40,20], baseline [14,6]" in saved["ConstraintLayout, XML"]


def test_taking_away_and_bringing_back(server: Server, visits: Visits, folder: Path) -> None:
    ada, bob = two(server, visits)
    before = agree(server, ada, bob)
    saved: dict[str, str] = {}
    ada.click("#share")
    for name in ("Document", "SVG", "PNG", "UIKit, Swift", "SnapKit, Swift", "ConstraintLayout, XML"):
        with ada.expect_download() as download:
            ada.get_by_role("button", name=name, exact=True).click()
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        if name != "PNG":
            saved[name] = path.read_text()
        else:
            data = path.read_bytes()
            assert data[:8] == b"\x89PNG\r\n\x1a\n"
            assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (1280, 768)
    ada.get_by_role("button", name="Close").click()

    def rectangles(svg: str) -> list[tuple[str | None, ...]]:
        return [tuple(each.get(key) for key in ("x", "y", "width", "height", "fill", "stroke")) for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect")]

    theirs = server.view("svg")
    assert rectangles(saved["SVG"]) == rectangles(theirs)
    texts = [each.text for each in ElementTree.fromstring(saved["SVG"]).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [each.text for each in ElementTree.fromstring(theirs).iter("{http://www.w3.org/2000/svg}text")]

    assert "sidebar.leadingAnchor.constraint(equalTo: root.leadingAnchor)," in saved["UIKit, Swift"]
    assert "sidebar.widthAnchor.constraint(equalToConstant: 160).at(750)," in saved["UIKit, Swift"]
    assert "cpuBar.widthAnchor.constraint(equalTo: cpuTrack.widthAnchor, multiplier: 0.5)," in saved["UIKit, Swift"]
    assert "activity.leadingAnchor.constraint(equalTo: main.layoutMarginsGuide.leadingAnchor)," in saved["UIKit, Swift"]
    assert "make.leading.equalTo(header.snp.leading).offset(16)" in saved["SnapKit, Swift"]
    assert "make.width.equalTo(160).priority(750)" in saved["SnapKit, Swift"]
    android = ElementTree.fromstring(saved["ConstraintLayout, XML"])
    space = "{http://schemas.android.com/apk/res/android}"
    auto = "{http://schemas.android.com/apk/res-auto}"
    brand = next(each for each in android.iter() if each.get(f"{space}id") == "@+id/brand")
    assert brand.tag == "TextView" and brand.get(f"{space}text") == "SceneSync"
    assert brand.get(f"{auto}layout_constraintStart_toStartOf") == "parent" and brand.get(f"{space}layout_marginStart") == "16dp"

    ada.select_option("#device", "360 720")
    assert agree(server, ada, bob) != before
    document: dict[str, Any] = json.loads(saved["Document"])
    assert document["scene"] == 1
    ada.evaluate("""(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "scene.json", { type: "application/json" }));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", saved["Document"])
    ada.wait_for_function("() => scenesync.room.mirror.frame(scenesync.room.mirror.root)[2] === 640")
    assert agree(server, ada, bob) == before
