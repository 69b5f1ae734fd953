"""The page You, a player's page, and links that sign in: in a browser, by mouse and by keyboard."""

from __future__ import annotations

import gzip
import random
import re
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, Route, expect

from parlour.house.site.files import SOURCES
from tests.browser.player import (
    GREEDY,
    check_access,
    from_menu,
    my_turn,
    play_to_the_end,
    post,
    press_anything,
    table,
    version,
)  # fmt: skip

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
SECRET = "correct horse"
WIDTHS = ((390, 844), (1280, 800))
# Controls and words are the same in every width: on a phone, and in both with `scripts/nightly --whole`
PHONE_FIRST = [WIDTHS[0], pytest.param(*WIDTHS[1], marks=pytest.mark.whole)]


@pytest.fixture
def name() -> str:
    """Return a name that is free in this house."""
    return f"Ann {secrets.token_hex(3)}"


def claim(page: Page, name: str) -> None:
    """Claim a name on the page You."""
    page.goto("/me")
    form = page.locator('[data-send="/api/me/claim"]')
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(SECRET)
    form.get_by_role("button", name="Create account").click()
    expect(page.locator("#devices")).to_be_attached()


def sign_in(page: Page, name: str) -> None:
    """Sign in on the page You."""
    page.goto("/me")
    page.get_by_text("I have an account").click()
    form = page.locator('[data-send="/api/me/sign-in"]')
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(SECRET)
    form.get_by_role("button", name="Sign in").click()
    expect(page.locator("#devices")).to_be_attached()


def unfold(page: Page) -> None:
    """Open all that is folded."""
    page.locator("main details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")


def a_game(*pages: Page, stop: bool = True) -> str:
    """Start a game of two people that is soon over; return its id."""
    ann, bob = pages
    made = post(ann, "/api/tables", game="fortune", pace="instant", options={"target": "5000"},
                seats=[{"kind": "me"}, {"kind": "open"}])  # fmt: skip
    table = str(made["id"])
    post(bob, f"/api/tables/{table}/sit")
    post(ann, f"/api/tables/{table}/start")
    while stop:
        for page in pages:
            seen = page.evaluate("async (id) => (await fetch(`/api/tables/${id}`)).json()", table)
            if seen["table"]["status"] == "over":
                return table
            if seen["legal"]:
                post(page, f"/api/tables/{table}/moves", move="stop", version=seen["table"]["version"])
    return table


def fits(page: Page) -> None:
    """Check that nothing is wider than the window, and that controls are large enough for a thumb. The tab of the board
    in words is for other senses, and seen when it has the focus."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    pressed = "main :is(button:not(#tab-words), select, input:not([type=hidden], [type=checkbox]), summary)"
    small = page.locator(pressed).evaluate_all(
        "(all) => all.map((one) => [one.outerHTML.slice(0, 60), one.getBoundingClientRect().height])"
        ".filter(([, height]) => height && height < 43.5)"
    )
    assert small == []


def long(page: Page) -> float:
    """Return how long the page is, in windows."""
    return float(page.evaluate("document.documentElement.scrollHeight / innerHeight"))


@pytest.mark.whole
def test_the_script_is_small_and_of_these_pages_alone(visit: Visit) -> None:
    assert len(gzip.compress(SOURCES["me.js"].read_bytes(), 9)) <= 1536
    page = visit()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    assert [one for one in asked if "me.js" in one and "theme" not in one] == []


def test_a_guest_claims_a_name_and_meets_it_taken(visit: Visit, name: str) -> None:
    ann, bob = visit("/"), visit("/")
    from_menu(ann, "Your games and account")
    ann.wait_for_url("**/me")
    expect(ann.get_by_text("You’re playing as a guest")).to_be_visible()
    claim(ann, name)
    expect(ann.locator("header [data-me]")).to_have_text(name)
    from_menu(bob, "Change your name")
    dialog = bob.locator("#name")
    dialog.get_by_label("Name").fill(name.upper())
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("is taken")
    free = re.search(r"These names are free: ([^,]+),", dialog.get_by_role("alert").inner_text())
    assert free
    dialog.get_by_label("Name").fill(free[1])
    dialog.get_by_role("button", name="Save").click()
    expect(bob.locator("header [data-me]")).to_have_text(free[1])


@pytest.mark.whole
def test_a_wrong_password_is_said_in_its_place_and_the_right_one_lets_in(visit: Visit, name: str) -> None:
    ann, phone = visit(), visit("/me", width=390, height=844)
    claim(ann, name)
    phone.get_by_text("I have an account").click()
    form = phone.locator('[data-send="/api/me/sign-in"]')
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill("wrong horse")
    form.get_by_role("button", name="Sign in").click()
    expect(form.get_by_role("alert")).to_have_text("The name or the password is wrong.")
    check_access(phone, "a wrong password")
    form.get_by_label("Password").fill(SECRET)
    form.get_by_label("Password").press("Enter")
    expect(phone.locator("h1")).to_contain_text(name)


@pytest.mark.whole
def test_what_was_played_on_a_phone_comes_along_and_its_other_tab_goes_on(visit: Visit, name: str) -> None:
    """There are two tabs: the game stays open in one while its player signs in in the other."""
    ann, phone, bob = visit(), visit(width=390, height=844), visit()
    claim(ann, name)
    table = a_game(phone, bob, stop=False)
    phone.goto(f"/t/{table}")
    seat = phone.locator('[data-key="scene"] .board')
    expect(seat).to_be_visible()
    other = visit("/me", friend_of=phone)
    sign_in(other, name)
    for page in (phone, bob):  # the open page becomes Ann's without a reload
        page.goto(f"/t/{table}") if page is bob else None
        expect(page.locator('[data-key="seat-0"]').first).to_contain_text(name)
    expect(phone.locator('[data-key="table"]')).to_have_attribute("data-seated", "")
    ann.goto(f"/t/{table}")
    expect(ann.locator('[data-key="table"]')).to_have_attribute("data-seated", "")


@pytest.mark.whole
def test_a_stolen_session_is_ended_while_its_page_is_open(visit: Visit, name: str) -> None:
    ann, bob, thief = visit(), visit(), visit()
    claim(ann, name)
    table = a_game(ann, bob, stop=False)
    sign_in(thief, name)
    thief.goto(f"/t/{table}")
    expect(thief.locator('[data-key="table"]')).to_have_attribute("data-seated", "")
    stays = visit(f"/t/{table}", friend_of=ann)
    ann.goto("/me")
    expect(ann.locator("[data-session]")).to_have_count(1)
    ann.get_by_role("button", name="End all others").click()
    expect(ann.locator("[data-session]")).to_have_count(0)
    expect(thief.get_by_text("You were signed out")).to_be_visible()  # and Ann's data is off the screen
    assert thief.url.endswith("/me#signed-out")
    expect(stays.locator('[data-key="table"]')).to_have_attribute("data-seated", "")
    expect(thief.locator("h1")).to_contain_text("Guest")


@pytest.mark.whole
def test_a_page_of_an_ended_session_says_so_where_something_is_pressed(visit: Visit, name: str) -> None:
    ann, phone = visit(), visit(width=390, height=844)
    claim(ann, name)
    sign_in(phone, name)
    ann.goto("/me")
    ann.locator("[data-session]").get_by_role("button").click()
    expect(ann.locator("[data-session]")).to_have_count(0)
    phone.get_by_role("button", name="Create a link").click()
    said = phone.locator('[data-send="/api/me/device"]').get_by_role("alert")
    expect(said).to_contain_text("You've been signed out")


@pytest.mark.whole
def test_a_link_opens_another_device_once_and_an_old_one_says_why_not(visit: Visit, name: str) -> None:
    ann = visit()
    claim(ann, name)
    ann.get_by_role("button", name="Create a link").click()
    expect(ann.locator(".made svg")).to_be_visible()
    check_access(ann, "a link was made")
    url = ann.get_by_label("Link for another device").input_value()
    tablet = visit(url, width=390, height=844)
    expect(tablet.get_by_role("status")).to_contain_text(f"This signs you in on this device as {name}")
    assert tablet.url.endswith("/link")  # the token is not visible on the screen or in the history
    check_access(tablet, "a link")
    fits(tablet)
    tablet.get_by_role("button", name="Sign in", exact=True).click()
    expect(tablet.locator("h1")).to_contain_text(name)
    late = visit(url)
    expect(late.get_by_role("status")).to_contain_text("This link has already been used")
    check_access(late, "a used link")
    expect(late.get_by_role("button", name="Sign in", exact=True)).to_be_hidden()
    odd = visit("/link#none")
    expect(odd.get_by_role("status")).to_contain_text("isn't valid here")


@pytest.mark.whole
def test_one_person_plays_on_two_devices_in_two_time_zones(visit: Visit, name: str) -> None:
    """They move in turn on each, and once on both at the same moment: that is one move, and both pages show it. Each
    shows times in its own zone."""
    zones = {"America/Sao_Paulo": "GMT-3", "Asia/Tokyo": "GMT+9"}
    here, far = [visit(timezone_id=zone, width=390, height=844) for zone in zones]
    claim(here, name)
    sign_in(far, name)
    for page, (zone, words) in zip((here, far), zones.items(), strict=True):
        page.goto("/me")
        for moment in page.locator(".sessions time").all():
            at = datetime.fromisoformat(str(moment.get_attribute("datetime"))).astimezone(ZoneInfo(zone))
            expect(moment).to_have_text(f"{at.day} {at:%B %Y} at {at:%H:%M} {words}")
        (other,) = page.locator("[data-session]").all()
        said = other.locator("time").inner_text()
        expect(other.get_by_role("button")).to_have_attribute("aria-label", re.compile(f"signed in {re.escape(said)}$"))
    table(here, name, options={}, tempo={"bank": 900})
    far.goto(here.url)
    for page in (here, far, here, far):
        until_stop(page, here, far)
        with page.expect_response("**/moves") as answer:
            page.locator(STOP).click()
        assert answer.value.status == 200
    until_stop(here, here, far)
    before = log(here)
    held: list[Route] = []
    for page in (here, far):
        page.route("**/moves", lambda route: held.append(route))
        page.locator(STOP).evaluate("(one) => one.click()")
    while len(held) < 2:
        here.wait_for_timeout(20)
    with here.expect_response("**/moves") as one, far.expect_response("**/moves") as other_one:
        for route in held:
            route.continue_()
    assert one.value.status == other_one.value.status == 200
    assert one.value.json() == other_one.value.json()  # the same move gets the same answer
    assert my_turn(here)
    agree(here, far)
    lines = log(here)
    assert lines[: len(before)] == before
    assert sum(line.startswith(f"{name} stops") for line in lines[len(before) :]) == 1, lines[len(before) :]
    moments = [page.locator(f"{LOG} time").evaluate_all(MOMENTS) for page in (here, far)]
    assert moments[0]
    assert len({str([at for at, _ in one]) for one in moments}) == 1  # the same moments, in other words
    for one, zone in zip(moments, zones, strict=True):
        hours = [f"{datetime.fromisoformat(at).astimezone(ZoneInfo(zone)):%H:%M}" for at, _ in one]
        assert [words[-5:] for _, words in one] == hours


STOP, LOG = '[data-key="b-stop"][data-action]', '[data-key="log"] li'
MOMENTS = "(all) => all.map((one) => [one.dateTime, one.textContent])"
LINES = """(all) => all.map((one) => {
  const line = one.cloneNode(true);
  for (const time of line.querySelectorAll("time")) time.remove();
  return line.textContent;
})"""


def log(page: Page) -> list[str]:
    """Return the lines of the log without their times, which each device shows in its own zone."""
    return list(page.locator(LOG).evaluate_all(LINES))


def until_stop(page: Page, *devices: Page) -> None:
    """Wait until the player can stop; then check that all devices show the same."""
    choice = random.Random(1)
    while my_turn(page) and not page.locator(STOP).count():
        press_anything(page, choice)
    agree(*devices)


def agree(*devices: Page) -> None:
    """Wait until all devices show the newest position, and the same."""
    for one in devices:
        expect(one.locator("main")).to_have_attribute("data-version", str(version(one)))
    assert len({str(log(one)) for one in devices}) == 1
    assert len({one.locator(".prompt").inner_text() for one in devices}) == 1


@pytest.mark.whole
def test_deleted_while_in_a_game(visit: Visit, name: str) -> None:
    ann, bob = visit(), visit()
    claim(ann, name)
    table = a_game(ann, bob, stop=False)
    bob.goto(f"/t/{table}")
    expect(bob.locator('[data-key="seat-0"]').first).to_contain_text(name)
    tab = visit(f"/t/{table}", friend_of=ann)
    ann.goto("/me")
    ann.get_by_text("Delete account").click()
    form = ann.locator('[data-send="/api/me/delete"]')
    form.get_by_label("Password").fill(SECRET)
    form.get_by_role("button", name="Delete my account").click()
    expect(ann.get_by_text("Your account is deleted, with your name and messages.")).to_be_visible()
    expect(ann.locator("header [data-me]")).to_contain_text("Guest")
    expect(bob.locator('[data-key="seat-0"]').first).to_contain_text("Somebody")
    expect(tab.locator('[data-key="table"][data-seated]')).to_have_count(0)
    expect(bob.locator("body")).not_to_contain_text(name)


@pytest.mark.whole
def test_the_pages_in_both_themes_and_widths(visit: Visit, size: Callable[[int, int], int], name: str) -> None:
    bob = visit()
    post(bob, "/api/me", name="Bob")
    for width, height in WIDTHS[: size(1, 2)]:
        ann = visit("/me", width=width, height=height, folded=True)
        fits(ann)
        assert long(ann) < 1.6
        check_access(ann, f"a guest's page, {width}", themes=True)
        unfold(ann)
        check_access(ann, f"the same, opened, {width}", themes=True)
        fits(ann)
        post(ann, "/api/me", name=(mine := f"{name} {width}"))
        for _ in range(2):
            a_game(ann, bob)
        table = post(ann, "/api/tables", game="fortune", pace="instant", seats=[{"kind": "me"}, GREEDY])["id"]
        claim(ann, mine)
        expect(ann.get_by_role("heading", name="Results")).to_be_visible()
        expect(ann.locator(f'.played a[href="/t/{table}"]')).to_contain_text(re.compile("your turn|waiting for Greedy"))
        assert ann.locator("main h2").all_inner_texts()[:2] == ["Your games", "Your record"]
        assert long(ann) < 1.8
        check_access(ann, f"Ann's page, folded, {width}", themes=True)
        unfold(ann)
        fits(ann)
        check_access(ann, f"Ann's page, {width}", themes=True)
        ann.get_by_role("link", name="on your page").click()
        expect(ann.locator("h1")).to_have_text(mine)
        fits(ann)
        check_access(ann, f"what others see, {width}", themes=True)
        expect(ann.locator(".played li")).to_have_count(2)


@pytest.mark.whole
def test_all_of_it_by_keyboard(visit: Visit, name: str) -> None:
    page, bob = visit("/me"), visit()
    post(bob, "/api/me", name="Bob")
    a_game(page, bob)
    page.reload()
    page.get_by_label("Name", exact=True).first.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(SECRET)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Signed in")).to_be_visible()
    page.get_by_role("button", name="Create a link").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copy")).to_be_focused()
    page.get_by_text("Choose which to show").press("Enter")
    page.locator("[name=result]").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("result=shared"))
    expect(page.get_by_text("No matching games.")).to_be_visible()


@pytest.mark.whole
def test_the_export_is_downloaded(visit: Visit, tmp_path: Path) -> None:
    page = visit("/me")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download all your data").click()
    waiting.value.save_as(path := tmp_path / "mine.zip")
    assert path.read_bytes()[:2] == b"PK"
    assert waiting.value.suggested_filename == "parlour-mine.zip"


@pytest.mark.whole
def test_a_picture_is_chosen_by_keyboard_and_a_moment_pinned_in_the_replay(visit: Visit) -> None:
    page = visit("/me", width=390, height=844, folded=True)
    page.locator("#picture > summary").press("Enter")
    shown = page.locator(".preview .avatar")
    before = shown.inner_html()
    for part, key in (
        ("Figure", "ArrowRight"),
        ("Pattern", "ArrowLeft"),
        ("Ground", "ArrowRight"),
        ("Ink", "ArrowLeft"),
    ):
        page.get_by_role("group", name=part).locator(":checked").press(key)
    chosen = shown.inner_html()
    assert chosen != before
    page.get_by_role("button", name="Save the picture").press("Enter")
    expect(page.get_by_text("Your picture is saved.")).to_be_visible()
    assert page.locator(".hero summary > .avatar").inner_html() == chosen, "what was shown is what the house draws"
    check_access(page, "the page You, with pictures to choose from")

    made = play_to_the_end(page)
    page.goto(f"/t/{made}/replay?step=12")
    page.get_by_role("button", name="Pin this moment").press("Enter")
    expect(page.get_by_role("button", name="Pinned")).to_be_visible()
    page.goto("/me")
    picture = page.get_by_role("img", name="The board at this moment")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("naturalWidth", 900)
    page.get_by_role("link", name="The board at this moment").press("Enter")
    expect(page.locator("#at")).to_have_text(re.compile("^12 of "))
    page.goto("/me")
    assert page.locator(".fold[open]").count() == 0
    page.evaluate("location.hash = 'quiet'")  # an address opens what it names, and what that is in
    expect(page.locator("#notifications[open] > .part > #quiet[open]")).to_be_visible()
    page.get_by_role("button", name="Remove this moment").press("Enter")
    expect(page.locator(".moments")).to_have_count(0)
    expect(page.locator(".fold[open]")).to_contain_text("press Pin this moment")  # the address is now #moments
