"""Suggestions in the page: opened, shown in words, updated, accepted in parts and whole, refused."""

from __future__ import annotations

import re

from conftest import Server, Visits
from playwright.sync_api import expect

MARKUP = "<img src=x onerror=\"document.title='run'\"> narrower"


def test_a_suggestion_is_made_in_a_branch_shown_in_words_and_accepted(server: Server, visits: Visits) -> None:
    ada = visits.open(f"{server.http}/demo")
    ada.locator("#look").click()
    ada.get_by_label("Name of a suggestion").fill(MARKUP)
    ada.get_by_role("button", name="Suggest", exact=True).click()
    # Shown as it was typed, and nothing of it has run.
    expect(ada.locator(".suggestion b")).to_have_text(MARKUP)
    assert ada.title() != "run" and ada.locator(".suggestion img").count() == 0
    link = ada.get_by_label(f"Branch of suggestion {MARKUP}").get_attribute("href")
    assert link is not None
    branch = link.rsplit("/", 1)[1]
    assert branch.startswith("demo~s")

    bob = visits.open(link)
    bob.locator("#tree [data-id=crumb]").click()
    bob.fill("#right textarea[name=text]", "A longer crumb")
    bob.locator("#right textarea[name=text]").blur()
    bob.evaluate("() => scenesync.select([])")
    expect(bob.locator("#right h2", has_text="Suggestion:")).to_have_text(f"Suggestion: {MARKUP}")

    # The room is as it was; what accepting would change is told in words.
    difference = ada.get_by_role("button", name=f"Difference of suggestion {MARKUP}")
    difference.click()
    changes = ada.get_by_label("What accepting would change")
    expect(changes).to_contain_text("A longer crumb")
    assert "changed since" not in changes.inner_text()
    difference.click()

    accept = ada.get_by_role("button", name=f"Accept suggestion {MARKUP}")
    accept.click()
    expect(accept).to_have_text("Accept for everybody?")
    accept.click()
    expect(ada.locator(".suggestion .note").first).to_contain_text("accepted by")
    expect(ada.locator("#tree [data-id=crumb]")).to_have_attribute("aria-label", re.compile("A longer crumb"))
    # The branch says so, and takes no change any more.
    expect(bob.locator("#right .notes .note").first).to_contain_text("accepted by")


def test_a_refusal_says_why(server: Server, visits: Visits) -> None:
    ada = visits.open(f"{server.http}/demo")
    ada.locator("#look").click()
    ada.get_by_label("Name of a suggestion").fill("Taller")
    ada.get_by_role("button", name="Suggest", exact=True).click()
    refuse = ada.get_by_role("button", name="Refuse suggestion Taller")
    refuse.click()
    ada.get_by_label("Why Taller is refused").fill("Too tall")
    refuse.click()
    expect(ada.locator(".suggestion", has_text="Taller")).to_contain_text(re.compile(r"refused by guest \d+: Too tall"))
    ada.get_by_role("button", name="Reopen suggestion Taller").click()
    expect(ada.get_by_role("button", name="Accept suggestion Taller")).to_be_visible()
