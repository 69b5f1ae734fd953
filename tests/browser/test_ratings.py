"""Rated games in a browser: choosing one, seeing that it is rated, being paired for one, and everyone's rating."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, picked, post, take_a_seat
from tests.browser.test_me import SECRET, WIDTHS, fits

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


@pytest.fixture
def named(visit: Visit) -> Callable[..., tuple[Page, str]]:
    """Return a function that creates a person with an account, and returns their page and name."""

    def new(**settings: object) -> tuple[Page, str]:
        page, name = visit(**settings), f"Ann {secrets.token_hex(4)}"
        post(page, "/api/me/claim", name=name, password=SECRET)
        return page, name

    return new


STOPS = """async (path) => {
  const headers = { "Content-Type": "application/json" };
  for (;;) {
    const { legal, table: { status, version } } = await (await fetch(path)).json();
    if (status === "over") return;
    const move = legal.includes("stop") ? "stop" : legal[0];
    if (move) await fetch(`${path}/moves`, { method: "POST", headers, body: JSON.stringify({ move, version }) });
    else await new Promise((later) => setTimeout(later, 30));
  }
}"""  # stops as soon as possible


def rated_game(ann: Page, bob: Page) -> str:
    """Play a rated game that Bob loses by leaving it; return its id."""
    table = str(post(ann, "/api/tables", game="fortune", rated=True, pace="instant",
                     seats=[{"kind": "me"}, {"kind": "open"}])["id"])  # fmt: skip
    post(bob, f"/api/tables/{table}/sit")
    post(ann, f"/api/tables/{table}/start")
    post(bob, f"/api/tables/{table}/leave")
    ann.evaluate(STOPS, f"/api/tables/{table}")
    return table


@pytest.mark.whole
def test_a_table_is_made_rated_before_anybody_else_sits_there(
    visit: Visit, named: Callable[..., tuple[Page, str]]
) -> None:
    (ann, name), guest = named(width=390, height=844), visit()
    table = post(ann, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])["id"]
    ann.goto(f"/t/{table}")
    button = ann.get_by_role("button", name="Make it rated")
    button.focus()
    ann.keyboard.press("Enter")
    expect(ann.locator('[data-key="rated"]')).to_contain_text("it counts as a loss, even if your bot wins")
    expect(ann.get_by_text("Time: 20 min each")).to_be_visible()
    check_access(ann, "a rated table")
    fits(ann)
    guest.goto(f"/t/{table}")
    expect(guest.locator('[data-key="rated"]')).to_be_visible()
    room = guest.get_by_role("region", name="Waiting room")
    expect(room.get_by_role("link", name=name)).to_have_attribute("href", f"/p/{name.replace(' ', '%20')}")
    take_a_seat(guest, "Guest of Ann")
    expect(room.get_by_role("alert")).to_contain_text("Create one under You (/me)")
    bob, _ = named()
    bob.goto(f"/t/{table}")
    take_a_seat(bob)
    expect(ann.get_by_text("Everyone is here.")).to_be_visible()
    expect(ann.get_by_role("button", name="Make it unrated")).to_have_count(0)


@pytest.mark.whole
def test_a_rated_table_is_made_with_more_choices(visit: Visit, named: Callable[..., tuple[Page, str]]) -> None:
    (ann, _), guest = named(width=390, height=844, color_scheme="dark"), visit()
    for page in (ann, guest):
        page.goto("/")
        picked(page, "fortune").get_by_role("button", name="More choices").click()
    box = ann.locator("dialog[open]").get_by_role("checkbox", name="Rated")
    expect(box).to_have_accessible_description(re.compile("^A rated game changes the ratings of all its players"))
    for name, other, usual in (("edition", "classic-35", "shafir-35"), ("seat", "here", "open"), ("hints", "on", "")):
        select = ann.locator(f"dialog[open] select[name={name}]").nth(int(name == "seat"))
        for value, may in ((other, False), (usual, True)):
            select.select_option(value)
            expect(box).to_be_enabled(enabled=may)
    programs = ann.locator("dialog[open]").get_by_role("checkbox", name="Programs may play")
    for may in (False, True):
        programs.set_checked(not may)
        expect(box).to_be_enabled(enabled=may)
    box.focus()
    ann.keyboard.press("Space")
    expect(box).to_be_checked()
    kept = ann.locator("dialog[open]").get_by_label("Name of the player to invite to seat 2")
    expect(kept).to_be_hidden()
    ann.locator("dialog[open] select[name=seat]").nth(1).select_option("link")
    kept.fill("no such name")
    check_access(ann, "a rated table is chosen")
    ann.get_by_role("button", name="Open the table").click()
    expect(ann.locator("dialog[open]")).to_contain_text("No account here has this name.")
    ann.locator("dialog[open] select[name=seat]").nth(1).select_option("open")
    expect(kept).to_be_hidden()
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(guest.get_by_role("checkbox", name="Rated")).to_have_count(0)
    expect(guest.locator("dialog[open]")).to_contain_text("Rated games need an account.")
    ann.get_by_role("button", name="Open the table").click()
    expect(ann.locator('[data-key="rated"]')).to_contain_text("The result counts for the ratings")
    guest.goto("/")
    expect(guest.locator('[data-key="waiting"]')).to_contain_text("rated")


@pytest.mark.whole
def test_a_guest_is_not_offered_what_they_cannot_have(visit: Visit) -> None:
    guest = visit()
    table = post(guest, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])["id"]
    guest.goto(f"/t/{table}")
    expect(guest.get_by_role("region", name="Waiting room")).to_be_visible()
    expect(guest.get_by_role("button", name="Make it rated")).to_have_count(0)
    guest.goto("/best/fortune")
    guest.get_by_role("link", name="Create one").click()
    guest.wait_for_url("**/me")


@pytest.mark.whole
def test_two_are_paired_from_the_page_of_the_best(named: Callable[..., tuple[Page, str]]) -> None:
    (ann, _), (bob, _) = named(), named(width=390, height=844)
    ann.goto("/best/gatsby")
    ann.get_by_role("button", name="Find players").click()
    ann.wait_for_url("**/")  # the lobby, where she waits
    expect(ann.get_by_text("for a rated game of Gatsby")).to_be_visible()
    bob.goto("/best/gatsby")
    bob.get_by_role("button", name="Find players").click()
    bob.wait_for_url("**/t/*")
    ann.wait_for_url("**/t/*")
    assert bob.url == ann.url
    bob.locator("[data-drawer]").click()
    bob.get_by_role("tab", name="Table").click()
    expect(bob.locator("#panel-about")).to_contain_text("Rated. The result counts")


@pytest.mark.whole
def test_how_strong_somebody_is_stands_on_their_page_and_among_the_best(
    named: Callable[..., tuple[Page, str]],
) -> None:
    (ann, name), (bob, _) = named(), named()
    table = rated_game(ann, bob)
    ann.goto(f"/t/{table}")
    expect(ann.get_by_role("region", name="Result").get_by_role("link", name=name, exact=True)).to_be_attached()
    result = ann.get_by_role("region", name="Result")
    expect(result.locator(".rating")).to_have_count(2)  # it is counted in a moment, and appears without a reload
    for one in result.locator(".rating").all_inner_texts():
        assert re.fullmatch(r"Rating\s+\d{3,4} \([+−]\d+\)", one.strip()), one
    for width, height in WIDTHS:
        ann.set_viewport_size({"width": width, "height": height})
        for path in ("/me", f"/p/{name}"):
            ann.goto(path)
            ratings = ann.get_by_role("region", name="Ratings")
            for _ in range(50):  # the result is counted in a moment
                if ratings.count():
                    break
                ann.wait_for_timeout(100)
                ann.reload()
            picture = ratings.get_by_role("img")
            expect(picture).to_have_attribute(
                "aria-label", re.compile("^The rating in Fortune is probably between [0-9]+ and [0-9]+")
            )
            expect(ratings).to_contain_text("4 more rated games")
            expect(ratings).to_contain_text("provisional")
            if (width, height) == WIDTHS[0]:
                check_access(ann, path, themes=True)
            fits(ann)
        ratings.get_by_role("link", name="Best players of Fortune").click()
        ann.wait_for_url("**/best/fortune")
        mine = ann.get_by_role("row").filter(has_text=name)
        expect(mine).to_contain_text("you")
        if (width, height) == WIDTHS[0]:
            check_access(ann, "the best", themes=True)
        fits(ann)
