"""The moderators' pages in a browser: sign-in with a key, all pages, actions, sign-out; and what others see of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import parlour
from parlour.core import html
from parlour.core.scene import SPECTATOR
from parlour.games import all_games
from tests.browser.player import check_access, post
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
SIZES = ((390, 844), (1280, 800))
ROOMS = ("", "/people", "/tables", "/tournaments", "/clubs", "/reports", "/bans", "/log")


@pytest.fixture(scope="module")
def home(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, Path]:
    """Start a separate house, as actions there affect everyone; return it and its database."""
    database = tmp_path_factory.mktemp("house") / "parlour.db"
    return nursery.start(database=f"sqlite:///{database}"), database


def key(home: tuple[Server, Path]) -> str:
    """Return what `parlour house key` prints."""
    server, database = home
    command = [
        sys.executable,
        "-m",
        "parlour",
        "house",
        "key",
        "--url",
        server.url,
        "--database",
        f"sqlite:///{database}",
    ]
    link, words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert "It works once, for 10 minutes" in words
    return link


def enter(visit: Visit, home: tuple[Server, Path], **settings: object) -> Page:
    page = visit(key(home), base=home[0].url, **settings)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Server")).to_be_visible()
    return page


def at_table(visit: Visit, home: tuple[Server, Path]) -> tuple[Page, Page]:
    """Return Ann and Bob, one of whom has been rude."""
    ann, bob = visit(base=home[0].url), visit(base=home[0].url)
    post(ann, "/api/me", name="Ann")
    post(bob, "/api/me", name="Bob")
    made = post(ann, "/api/tables", game="family-trade", seats=[{"kind": "me"}, {"kind": "open"}])
    post(bob, f"/api/tables/{made['id']}/sit")
    post(ann, f"/api/tables/{made['id']}/start")
    for page in (ann, bob):
        page.goto(f"/t/{made['id']}")
    post(bob, f"/api/tables/{made['id']}/chat", text="You play badly.")
    post(ann, "/api/me/report", table=made["id"], seat=1, reason="rude", words="This hurts.")
    return ann, bob


def fits(page: Page) -> None:
    """Check that nothing is wider than the window, and that controls are large enough for a thumb."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    small = page.locator("main :is(button, select, input:not([type=hidden]), summary, .rooms a)").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility() && !one.closest('.shown'))"
        ".map((one) => [one.outerHTML.slice(0, 60), one.getBoundingClientRect().height])"
        ".filter(([, height]) => height < 43.5)"
    )
    assert small == [], page.url


@pytest.mark.whole
def test_every_page_of_the_house(visit: Visit, home: tuple[Server, Path], size: Callable[[int, int], int]) -> None:
    ann, _ = at_table(visit, home)
    page = enter(visit, home)

    def is_good(what: str) -> None:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            fits(page)
            rooms = page.get_by_role("navigation", name="Moderation")
            assert (rooms.bounding_box() or {})["height"] < 110, (what, width, "more than two lines")
            for here in rooms.locator("[aria-current]").all():
                expect(here).to_be_in_viewport(ratio=0.99)
            if (width, height) in SIZES[: size(1, 2)]:
                check_access(page, f"{what}, {width}", themes=True)

    post(ann, "/api/me/claim", name="Organiser", password="correct horse")
    post(ann, "/api/tournaments", name="Spring Cup " + "W" * 12, game="fortune", system="swiss", rounds=3)
    looks = {"figure": "owl", "pattern": "plain", "ground": "slate", "ink": "cream"}
    post(ann, "/api/clubs", name="Thursday Traders " + "W" * 12, about="We meet on Thursdays. " * 4, **looks)
    post(page, "/house/ban", network="203.0.113.0/24", length="week", words="Too many accounts.")
    for room in (
        *ROOMS,
        f"/tables/{ann.get_attribute('main', 'data-table')}",
        "/reports?which=done",
        "/tables?status=over",
    ):
        page.goto(f"/house{room}")
        is_good(f"/house{room}")
    page.goto("/house/people")
    page.get_by_role("link", name="Bob").first.click()
    expect(page.get_by_role("heading", name="Bob", exact=True)).to_be_visible()
    is_good("a person")


@pytest.mark.whole
def test_a_report_is_read_and_who_was_rude_is_banned_by_keyboard(visit: Visit, home: tuple[Server, Path]) -> None:
    ann, bob = at_table(visit, home)
    page = enter(visit, home)
    page.get_by_role("link", name="Reports", exact=True).press("Enter")
    card = page.locator(".report").last
    expect(card).to_contain_text("You play badly.")
    expect(page.get_by_role("navigation", name="Moderation").locator('[aria-current="page"]')).to_have_text("Reports")
    card.get_by_label("What you did about it").fill("Banned for a day.")
    before = page.locator(".report").count()
    card.get_by_label("What you did about it").press("Enter")
    expect(page.locator(".report")).to_have_count(before - 1)  # those of other tests are still open
    page.get_by_role("link", name="People").click()
    page.get_by_role("link", name="Bob").first.click()
    page.get_by_label("For").select_option("a day")
    page.get_by_label("Message to them").fill("Be kind.")
    page.get_by_role("button", name="Ban").click()
    expect(page.get_by_role("button", name="Lift the ban of Bob")).to_be_visible()
    expect(bob.locator(".net")).to_contain_text("You are banned from this house until")  # on the open page
    bob.reload()
    expect(bob.locator("main")).to_contain_text("Be kind.")
    check_access(bob, "banned")
    expect(ann.locator("#panel-about .present")).to_contain_text("away, bot")
    page.get_by_role("button", name="Lift the ban of Bob").click()
    expect(page.get_by_role("button", name="Lift the ban of Bob")).to_have_count(0)
    bob.goto("/")
    expect(bob.locator("main")).to_be_visible()
    page.get_by_role("link", name="Log").click()
    for words in ("banned", "Be kind.", "lifted the ban of", "closed report", "Banned for a day."):
        expect(page.locator("main")).to_contain_text(words)


@pytest.mark.whole
def test_a_link_for_a_lost_password_is_made_with_a_reason_and_shown_once(
    visit: Visit, home: tuple[Server, Path]
) -> None:
    ann = visit(base=home[0].url)
    mine = post(ann, "/api/me/claim", name="Zoë", password="correct horse")["id"]
    page = enter(visit, home, width=390, height=844)
    page.goto(f"/house/people/{mine}")
    fits(page)
    page.get_by_label("How you know it’s them").fill("She rang me up.")
    page.get_by_role("button", name="Log this and create a link").click()
    expect(page.get_by_role("button", name="Copy")).to_be_focused()
    link = page.get_by_label("Link for Zoë").input_value()
    expect(page.get_by_label("How you know it’s them")).to_be_hidden()
    fits(page)
    check_access(page, "a link was made")
    page.reload()
    assert link.partition("#")[2] not in page.content()
    page.get_by_role("link", name="Log").click()
    expect(page.locator(".rows li").first).to_contain_text("created a password reset link for")
    expect(page.locator(".rows li").first).to_contain_text("She rang me up.")
    new = visit(link, base=home[0].url)
    new.get_by_label("New password").fill("battery staple")
    new.get_by_role("button", name="Sign in", exact=True).click()
    expect(new.locator("h1")).to_contain_text("Zoë")
    ann.goto("/me")
    expect(ann.locator("h1")).to_contain_text("Guest")  # her old session is gone


@pytest.mark.whole
def test_a_notice_is_on_every_open_page_and_each_dismisses_it(visit: Visit, home: tuple[Server, Path]) -> None:
    ann, bob = at_table(visit, home)
    lobby, rules, small = (
        visit("/", base=home[0].url),
        visit("/rules/fortune", base=home[0].url),
        visit("/", base=home[0].url, width=390, height=844),
    )
    page = enter(visit, home)
    page.locator("[name=text]:not([type=hidden])").fill("The house closes at ten. <b>")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator(".says")).to_have_text("The house closes at ten. <b>")
    rules.reload()
    for one in (ann, bob, lobby, rules, small):
        expect(one.locator(".notice")).to_contain_text("The house closes at ten. <b>")
        assert one.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if one in (rules, small):
            check_access(one, "a notice")
    ann.get_by_role("button", name="Dismiss").press("Enter")
    expect(ann.locator(".notice")).to_have_count(0)
    ann.reload()
    expect(ann.locator(".scene .prompt")).to_be_visible()
    expect(bob.locator(".notice")).to_be_visible()  # each closes it for themselves
    expect(ann.locator(".notice")).to_have_count(0)
    page.get_by_role("button", name="Withdraw").click()
    expect(bob.locator(".notice")).to_have_count(0)
    expect(lobby.locator(".notice")).to_have_count(0)


@pytest.mark.whole
def test_hidden_hands_are_shown_after_a_reason_and_the_log_has_it(visit: Visit, home: tuple[Server, Path]) -> None:
    ann, _ = at_table(visit, home)
    page = enter(visit, home)
    page.goto(f"/house/tables/{ann.get_attribute('main', 'data-table')}")
    expect(page.get_by_role("heading", name="As a spectator sees it")).to_be_visible()
    page.get_by_text("See what players see").click()
    page.get_by_label("Reason").fill("Ann says that her cards changed.")
    page.get_by_role("button", name="Log this and look").click()
    expect(page.get_by_role("heading", name="As Ann sees it")).to_be_visible()
    page.get_by_role("navigation", name="Seats").get_by_role("link", name="Bob").click()
    expect(page.get_by_role("heading", name="As Bob sees it")).to_be_visible()
    check_access(page, "a look")
    page.get_by_role("link", name="Log").click()
    expect(page.locator(".rows li").first).to_contain_text("Ann says that her cards changed.")


# The pictures of pieces that are twice as high as what they are on, and lines of prices with a frame of their own
LARGER = """() => [...document.querySelectorAll(".board .token > svg, .board .says")].filter((one) => {
  const mine = one.getBoundingClientRect(), on = one.parentElement.getBoundingClientRect();
  return one.matches(".says") ? getComputedStyle(one).borderLeftStyle !== "none" : mine.height > 2 * on.height;
}).map((one) => one.parentElement.dataset.key)"""


def test_no_style_of_these_pages_reaches_a_board(browser: Browser) -> None:
    """Once a graph's class was also that of Gatsby's rows, whose pictures then covered the Racetrack."""
    page, house = browser.new_page(viewport={"width": 390, "height": 844}), Path(parlour.__file__).parent / "house"
    sheets = ("page.css", "table.css", "people.css", "house.css")
    looks = "".join(next(house.rglob(sheet)).read_text("utf-8") for sheet in sheets)
    for name, game in all_games().items():
        scene = parlour.new(name, seed=3).scene(SPECTATOR)
        page.set_content(
            f"<!doctype html><style>{html.look()}{looks}{html.style(game)}</style>{html.SHAPES}{html.art(game)}"
            f'<main class="house"><div class="replay shown game-{name}">{html.render(scene)}</div></main>'
        )
        assert page.locator(".board").count() == 1
        assert page.evaluate(LARGER) == [], name
    page.close()


def test_who_leaves_is_out_and_a_stranger_finds_nothing(visit: Visit, home: tuple[Server, Path]) -> None:
    link = key(home)
    page = visit(link, base=home[0].url)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Server")).to_be_visible()
    assert page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{home[0].url}/")
    for path in ("/house", link):
        page.goto(path)
        expect(page.get_by_role("heading")).to_contain_text("There is no page at /house")
