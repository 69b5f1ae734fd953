"""Numbers changed in the browser: marked, shared by a link, played by two; by keyboard, on phones, without a script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from parlour.games import all_games
from tests.browser.player import check_access, picked, take_a_seat
from tests.browser.test_me import PHONE_FIRST, fits

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
GOLD = "Fortune Cards, gold: 5 instead of 3"
SWORDS = "Bonus of the Sea Battles, 4 swords: 2,000 instead of 1,000"


def value(page: Page, path: str, text: str) -> None:
    """Type a value into its field, and leave the field."""
    page.locator(f'[name="{path}"]').fill(text)
    page.locator(f'[name="{path}"]').blur()


@pytest.mark.parametrize(("width", "height"), PHONE_FIRST)
def test_one_changes_numbers_and_a_friend_plays_by_them(visit: Visit, width: int, height: int) -> None:
    """Ann changes two numbers and shares the link; Bob, new here, opens a table by it, and Ann sits down there."""
    ann = visit("/", width=width, height=height)
    picked(ann, "fortune").get_by_role("button", name="More choices").click()
    ann.locator("#more-fortune").get_by_role("link", name="Change the numbers").click()
    ann.wait_for_url("**/new/fortune")
    go = ann.get_by_role("region", name=re.compile("Your numbers|Play it"))
    expect(go).to_contain_text("Nothing is changed yet.")
    value(ann, "deck.gold", "5")
    expect(go).to_contain_text(GOLD)
    value(ann, "sea_battle_bonus.2", "2,000")
    expect(go).to_contain_text(SWORDS)
    gold = ann.locator('[data-key="field-deck.gold"]')
    expect(gold).to_have_class(re.compile("changed"))
    expect(ann.locator(".values mark")).to_have_text(["gold: 5", "4 swords: 2,000"])
    value(ann, "deck.truce", "0")
    ann.get_by_role("link", name="Fortune Cards, truce: back to 3").click()
    expect(ann.locator('[name="deck.truce"]')).to_have_value("3")
    expect(ann.locator('[name="deck.truce"]')).to_be_focused()
    expect(go).not_to_contain_text("truce")
    link = ann.get_by_label("Link to these numbers").input_value()
    assert link == f"{ann.url.partition('/new')[0]}/new/fortune?deck.gold=5&sea_battle_bonus.2=2000" == ann.url
    fits(ann)
    check_access(ann, "the numbers of an edition")
    bob = visit(link, width=width, height=height)
    expect(bob.locator('[name="deck.gold"]')).to_have_value("5")
    bob.get_by_role("button", name="Open a table").click()
    bob.wait_for_url("**/t/*")
    expect(bob.get_by_role("region", name="Waiting room")).to_contain_text(GOLD)
    ann.goto("/")
    if width < 768:
        ann.get_by_role("radio", name="Tables").check()
    table = bob.url.rpartition("/")[2]
    row = ann.locator(f'[data-key="waiting-{table}"]')
    expect(row).to_contain_text(f"changed numbers: {GOLD} · {SWORDS}")
    row.get_by_role("link").click()
    ann.wait_for_url(bob.url)
    take_a_seat(ann, "Ann")
    bob.get_by_role("button", name="Start", exact=True).click()
    for page in (ann, bob):
        expect(page.locator(".scene .board")).to_be_visible()
        said = page.locator(".numbers").all_text_contents()  # beside the log, and under "Table"
        assert said == [f"Changed numbers. {GOLD}. {SWORDS}. All numbers"] * 2


@pytest.mark.whole
def test_by_keyboard_alone_with_a_mistake_on_the_way(visit: Visit) -> None:
    page = visit("/new/gatsby", width=390, height=844)
    tokens = page.locator('[name="tokens"]')
    tokens.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    faults = page.locator(".faults")
    expect(faults).to_be_focused()
    expect(faults).to_contain_text("1 thing can’t be used")
    expect(tokens).to_have_value("99")
    sentence = "Influence tokens is 99, but it must be 1 to 60 (GA-1)."
    assert (tokens.get_attribute("aria-describedby") or "").split()[0] == "wrong-tokens"
    expect(page.locator("#wrong-tokens")).to_have_text(sentence)
    expect(page.get_by_role("button", name="Play bots")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Play bots").press("Enter")
    expect(faults).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=sentence)).to_be_focused()
    check_access(page, "a mistake in the numbers")
    page.keyboard.press("Enter")
    expect(tokens).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("12")
    page.keyboard.press("Tab")
    expect(faults).to_be_hidden()
    expect(page.get_by_role("link", name="Influence tokens: back to 20")).to_be_visible()
    racetrack = page.locator('[name="racetrack"]')
    racetrack.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("-\n-\n-\n-\nswap")
    page.keyboard.press("Tab")
    expect(page.locator(".changes")).to_contain_text("Racetrack")
    expect(racetrack).to_have_value("-\n-\n-\n-\nswap")
    page.reload()
    expect(racetrack).to_have_value("-\n-\n-\n-\nswap")
    fits(page)
    page.get_by_role("button", name="Play bots").press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.locator(".numbers").first).to_contain_text("Influence tokens: 12 instead of 20")


def test_what_was_typed_before_the_script_came_is_checked(visit: Visit) -> None:
    page = visit("/")
    late: list[Route] = []
    page.route("**/edition.js", lambda route: late.append(route))
    page.goto("/new/gatsby", wait_until="commit")
    page.locator('[name="tokens"]').fill("99")
    page.keyboard.press("Tab")
    expect(page.locator('[name="tokens"]')).not_to_be_focused()
    assert not page.locator("#wrong-tokens").count()
    late[0].continue_()
    expect(page.locator("#wrong-tokens")).to_contain_text("Influence tokens is 99")


def test_without_a_script_the_form_still_answers(visit: Visit) -> None:
    page = visit("/new/fortune", java_script_enabled=False)
    page.locator('[name="deck.gold"]').fill("7")
    page.locator('[name="deck.storm"]').fill("x")
    page.get_by_role("button", name="Check the numbers").click()
    expect(page.locator(".faults")).to_contain_text("Fortune Cards, storm must be a whole number, not 'x' (FO-2).")
    expect(page.locator('[name="deck.gold"]')).to_have_value("7")
    page.locator('[name="deck.storm"]').fill("1")
    page.get_by_role("button", name="Check the numbers").click()
    expect(page.get_by_label("Link to these numbers")).to_have_value(
        re.compile(r"/new/fortune\?deck\.gold=7&deck\.storm=1$")
    )
    page.get_by_role("link", name="Put everything back").click()
    expect(page.locator('[name="deck.gold"]')).to_have_value("3")


@pytest.mark.whole
@pytest.mark.parametrize("name", all_games())
def test_every_game_fits_a_phone_and_a_desk(visit: Visit, name: str) -> None:
    page = visit(f"/new/{name}", width=320, height=568)
    for width, height in ((320, 568), (390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        check_access(page, f"the numbers of {name}")
