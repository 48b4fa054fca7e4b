"""What people say about a scene: comments, locks and versions, in the panel and over the scene."""

from __future__ import annotations

import re

from conftest import Server, Visits
from playwright.sync_api import expect

MARKUP = "<img src=x onerror=\"document.title='run'\"> wider?"


def test_a_thread_is_seen_answered_and_resolved_by_others(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    for page in (ada, bob):
        page.locator("#tree [data-id=sidebar]").click()
    ada.get_by_label("Say something about sidebar").fill(MARKUP)
    ada.keyboard.press("Control+Enter")
    # Shown as it was typed, and nothing of it has run.
    expect(bob.locator(".comment .said")).to_have_text(MARKUP)
    assert bob.title() != "run" and bob.locator(".comment img").count() == 0
    # What is typed stays while others say something.
    reply = bob.get_by_label("Reply")
    reply.fill("By twenty")
    ada.get_by_label("Reply").fill("points")
    ada.get_by_role("button", name="Send").first.click()
    expect(ada.locator(".comment .said")).to_have_text([MARKUP, "points"])
    expect(reply).to_have_value("By twenty")
    bob.get_by_role("button", name="Send").first.click()
    expect(ada.locator(".comment .said")).to_have_text([MARKUP, "points", "By twenty"])
    # One removes what one said oneself, and nothing else.
    expect(bob.get_by_role("button", name="Remove", exact=True)).to_have_count(1)
    bob.get_by_role("button", name="👍 0").first.click()
    expect(ada.get_by_role("button", name="👍 1")).to_have_count(1)
    # Without a selection all threads are there, and lead to their views.
    bob.get_by_role("button", name="Resolve").click()
    expect(ada.get_by_role("button", name="Reopen")).to_be_visible()
    ada.keyboard.press("Escape")
    ada.evaluate("() => scenesync.select([])")
    expect(ada.locator("#right summary")).to_have_text("1 resolved")


def test_a_locked_view_is_changed_by_its_holder_alone(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    for page in (ada, bob):
        page.locator("#tree [data-id=crumb]").click()
    ada.get_by_role("button", name="🔓 Lock for me").click()
    expect(bob.locator("#right .lock")).to_contain_text("has this view")
    before = server.frames("demo")["crumb"]
    bob.fill("#right textarea[name=text]", "A longer crumb")
    bob.locator("#right textarea[name=text]").blur()
    expect(bob.locator("#toast")).to_contain_text("locked by")
    assert server.frames("demo")["crumb"] == before
    ada.get_by_role("button", name="Unlock").click()
    expect(bob.locator("#right .lock")).to_have_count(0)


def test_versions_are_named_once(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    for page in (ada, bob):
        page.locator("#look").click()
    for _ in range(2):
        ada.get_by_label("Name of a version").fill("Before the talk")
        ada.get_by_role("button", name="Keep").click()
        expect(bob.locator("#right b", has_text="Before the talk")).to_have_count(1)
    expect(ada.locator("#toast")).to_contain_text("already")


def test_a_version_is_linked_to_restored_and_taken_back(server: Server, visits: Visits) -> None:
    ada, bob = visits.open(f"{server.http}/demo"), visits.open(f"{server.http}/demo")
    ada.locator("#look").click()
    ada.get_by_label("Name of a version").fill("First")
    ada.get_by_role("button", name="Keep").click()
    link = ada.get_by_role("link", name="See version First")
    expect(link).to_have_attribute("href", re.compile(r"/demo#tick=\d+$"))
    first = server.frames("demo")
    bob.locator("#tree [data-id=sidebar]").click()
    bob.keyboard.press("Delete")
    expect(ada.locator("#tree [data-id=sidebar]")).to_have_count(0)
    second = server.frames("demo")
    assert second != first
    # Whoever follows the link sees the past, and the others do not.
    cleo = visits.open(str(link.get_attribute("href")))
    expect(cleo.locator("#tree [data-id=sidebar]")).to_have_count(1)
    assert server.frames("demo") == second
    # One press asks, the second restores.
    restore = ada.get_by_role("button", name="Restore version First")
    restore.click()
    expect(restore).to_have_text("For everybody?")
    assert server.frames("demo") == second
    restore.click()
    expect(ada.locator("#toast")).to_contain_text("Undo brings back")
    expect(bob.locator("#tree [data-id=sidebar]")).to_have_count(1)
    assert server.frames("demo") == first
    ada.locator("#undo").click()
    expect(bob.locator("#tree [data-id=sidebar]")).to_have_count(0)
    assert server.frames("demo") == second
