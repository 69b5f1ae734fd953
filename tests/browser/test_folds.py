"""What is folded on a phone: two folds beside each other, which stay where they are; a desk has all of it open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, post

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
PLACES = "(all) => all.map((one) => { const r = one.getBoundingClientRect(); return [r.left, r.top, r.width]; })"
PHONES = ((390, 844), (360, 740), (667, 375))


@pytest.mark.parametrize("page_of", ["help", "privacy", "contact", "about"])
def test_a_page_of_words_is_a_list_of_topics_on_a_phone(visit: Visit, page_of: str) -> None:
    page = visit(f"/{page_of}", width=390, height=844, folded=True)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "one window"
    topic = page.locator(".topic").first
    if page_of != "contact":  # what visitors want most can be read at once there
        expect(topic.locator(".part")).to_be_hidden()
        topic.locator("summary").click()
    expect(topic.locator(".part")).to_be_visible()
    check_access(page, f"{page_of} on a phone", themes=True)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    for one in page.locator(".topic > .part").all():
        expect(one).to_be_visible()
    assert page.locator(".topic:not([open])").count() == 0, "those who hear the page know it"


def test_folds_keep_their_places_when_one_opens(visit: Visit) -> None:
    page = visit("/sw.js", width=390, height=844, folded=True)
    post(page, "/api/me/claim", name="Fiona Fold", password="correct horse")
    page.goto("/me")
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        heads = page.locator(".settings > .fold > summary")
        before = heads.evaluate_all(PLACES)
        assert before[0][1] == before[1][1], "two beside each other"
        assert before[0][0] < before[1][0]
        assert min(one[2] for one in before) >= 150
        heads.nth(1).click()
        after = heads.evaluate_all(PLACES)
        scrolled = page.evaluate("scrollY")
        assert [x[0] for x in after] == [x[0] for x in before]
        assert after[0][1] == after[1][1], "neither moves for the other"
        part = page.locator(".settings > .fold > .part").nth(1).bounding_box()
        assert part
        assert part["y"] >= after[1][1] + 40, "what it holds is below both"
        assert part["width"] > 1.8 * after[0][2]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        heads.nth(1).click()
        assert page.evaluate("scrollY") <= scrolled
    page.evaluate("location.hash = 'tokens'")
    expect(page.locator("#tokens[open] > .part")).to_be_visible()
    expect(page.locator("#tokens > summary")).to_be_in_viewport()
    check_access(page, "settings on a phone, one of them open")


def test_an_edition_is_one_window_of_folds_that_say_what_is_changed(visit: Visit) -> None:
    page = visit("/new/fortune", width=390, height=844, folded=True)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "one window"
    cards = page.locator('[data-key="part-deck"]')
    cards.locator("summary").click()
    page.locator('[name="deck.gold"]').fill("5")
    page.locator('[name="deck.gold"]').blur()
    expect(cards.locator("summary mark")).to_have_text("gold: 5")
    expect(cards).to_have_attribute("open", "")
    page.reload()
    expect(cards.locator("summary mark")).to_have_text("gold: 5")
    expect(cards).not_to_have_attribute("open", "")
    page.goto("/new/fortune?deck.gold=99")
    expect(page.locator("#wrong-deck\\.gold")).to_be_visible()
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto("/new/family-trade")
    expect(page.locator(".values .fold > .part").first).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    for one in page.locator(".values > .folds > .fold > .part").all():
        expect(one).to_be_visible()
