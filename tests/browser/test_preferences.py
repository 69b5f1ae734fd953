"""Preferences in a browser: chosen by mouse and keyboard, applied at once, on the person's other device too."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.house.accounts.preferences.choices import PREFERENCES
from tests.browser.player import GREEDY, check_access, from_menu, my_turn, post, settle, table, version, wait_past
from tests.browser.test_me import claim, fits, sign_in

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
STOP = '[data-key="b-stop"][data-action]'
DICE = ".grid [data-part]"


def prefer(page: Page, **chosen: str) -> None:
    for name, value in chosen.items():
        post(page, "/api/me/preferences", name=name, value=value)
    page.reload()


def choose(page: Page, name: str, value: str) -> None:
    """Choose a value in the form on the page, and wait until the house has stored it."""
    with page.expect_response("**/api/me/preferences"):
        page.locator(f"[data-prefer={name}]").select_option(value)


def to_stop(page: Page) -> None:
    """Open a table of Fortune where you may stop or choose dice: on the Island of Skulls all are rolled."""
    for _ in range(40):
        table(page)
        if my_turn(page):
            settle(page)
            if page.locator(STOP).count() and page.locator(DICE).count():
                return
    raise AssertionError("never a turn with dice to choose")


@pytest.mark.parametrize(
    ("width", "height", "theme"),
    [
        (390, 844, "light"), (1280, 800, "dark"),
        *[pytest.param(*more, marks=pytest.mark.whole) for more in ((390, 844, "dark"), (1280, 800, "light"))],
    ],
)  # fmt: skip
@pytest.mark.whole
def test_the_choices_fit_and_can_be_read(visit: Visit, width: int, height: int, theme: str) -> None:
    page = visit("/me", width=width, height=height)
    prefer(page, theme=theme)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    expect(page.locator("#preferences [data-prefer]")).to_have_count(len(PREFERENCES))
    fits(page)
    check_access(page, "/me")
    table(page)
    page.locator("[data-help]").click()
    page.get_by_role("button", name="Preferences").click()
    box = page.locator("dialog#preferences")
    for one in PREFERENCES.values():
        field = box.get_by_label(re.compile(f"^{re.escape(one.title)} (?!speed)"))
        field.scroll_into_view_if_needed()
        expect(field).to_be_in_viewport(ratio=1)
    check_access(page, "preferences at the table")


@pytest.mark.whole
def test_a_choice_is_in_force_at_once_and_on_the_other_device(visit: Visit) -> None:
    name = f"Ann {secrets.token_hex(3)}"
    desk, phone = visit("/me"), visit("/me", width=390, height=844)
    claim(desk, name)
    sign_in(phone, name)
    choose(desk, "theme", "dark")
    choose(desk, "suits", "four")
    assert desk.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    phone.goto("/")
    assert phone.evaluate("({...document.documentElement.dataset})") == {
        "mine": "", "theme": "dark", "suits": "four", "forced": "press",
    }  # fmt: skip
    phone.goto("/rules/aces-and-faces")  # the same for everyone: the theme is the last that this browser knew
    assert phone.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    with phone.expect_response("**/api/me/preferences"):  # the page does not wait for the house; the other device must
        from_menu(phone, "Light or dark")
        assert phone.evaluate("getComputedStyle(document.body).colorScheme") == "light"
    desk.reload()
    assert desk.evaluate("document.documentElement.dataset.theme") == "light"
    choose(desk, "theme", "system")
    expect(desk.locator("html[data-theme]")).to_have_count(0)


@pytest.mark.whole
def test_what_cannot_be_kept_is_said_and_holds_on_this_page(visit: Visit) -> None:
    page = visit("/me")
    page.route("**/api/me/preferences", lambda route: route.abort())
    page.locator("[data-prefer=theme]").select_option("dark")
    expect(page.locator("#preferences .reason")).to_contain_text("couldn’t save it")
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"


@pytest.mark.whole
def test_a_turn_ends_at_the_second_press(visit: Visit) -> None:
    """It needs two presses by mouse and by key; any other press, or Escape, cancels. Rolling needs only one."""
    page = visit()
    prefer(page, confirm="end")
    to_stop(page)
    at = version(page)
    for undo in (lambda: page.keyboard.press("Escape"), lambda: page.locator(DICE).first.click()):
        page.locator(STOP).click()
        expect(page.locator(".asked")).to_have_count(1)
        expect(page.locator('[data-key="reason"]')).to_have_text("Press again to confirm this move.")
        undo()
        expect(page.locator(".asked")).to_have_count(0)
        expect(page.locator('[data-key="reason"]')).to_have_text("")
    assert version(page) == at
    page.keyboard.press("s")
    expect(page.locator(STOP)).to_have_class(re.compile("asked"))
    page.keyboard.press("s")
    wait_past(page, at)
    to_stop(page)
    at = version(page)
    page.locator("[data-all]").click()
    page.locator('[data-key="b-pick"]').click()
    wait_past(page, at)


@pytest.mark.whole
def test_every_move_is_asked_again_also_one_on_the_board(visit: Visit) -> None:
    page = visit()
    prefer(page, confirm="move")
    table(page, game="aces-and-faces", options={}, seats=[{"kind": "me"}, GREEDY])
    page.locator(".scene [data-action]").first.wait_for()
    settle(page)
    at = version(page)
    one = page.locator(".scene .board [data-action], .scene .acts [data-action]").first
    one.click()
    expect(page.locator(".asked")).to_have_count(1)
    assert version(page) == at
    one.click()
    wait_past(page, at)


MOVES = """async () => {
  const one = document.querySelector(".scene .board *"), table = document.querySelector("script[src*='table.js']").src;
  one.style.animation = "hinted 5s";
  const { still, slowness } = await import(table.replace("table.js", "preferences.js"));
  const slow = getComputedStyle(document.documentElement).getPropertyValue("--slow");
  return [still(), slowness(), getComputedStyle(one).animationName, slow.trim()];
}"""


@pytest.mark.parametrize(
    ("device", "chosen", "moves"),
    [
        ("no-preference", "system", True),
        ("no-preference", "less", False),
        ("reduce", "system", False),
        ("reduce", "full", True),
    ],
)
@pytest.mark.suite("*less*", "*full*")
def test_motion_is_as_the_device_says_or_as_the_person_does(
    visit: Visit, device: str, chosen: str, moves: bool
) -> None:
    page = visit(reduced_motion=device)
    prefer(page, motion=chosen, speed="slow")
    table(page)
    page.locator(".scene .board").wait_for()
    still, slowness, animation, slow = page.evaluate(MOVES)
    assert (not still, slowness) == (moves, 1.7)
    assert animation == ("hinted" if moves else "none")
    assert slow == ("420ms" if moves else "0ms")


@pytest.mark.whole
def test_four_suits_have_four_colours(visit: Visit) -> None:
    page = visit("/")
    colours = """() => ["D", "H", "C", "S"].map((suit) => {
      const symbol = document.querySelector(`symbol[id$="-5${suit}"]`);
      return [...symbol.querySelectorAll("[fill*='--pip']")].map((one) => getComputedStyle(one).fill)[0];
    })"""
    for suits, different in (("two", 2), ("four", 4)):
        prefer(page, suits=suits)
        table(page, game="aces-and-faces", options={}, seats=[{"kind": "me"}, GREEDY])
        assert len(set(page.evaluate(colours))) == different
