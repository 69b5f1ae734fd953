"""A playtest in browsers: a designer makes it and sends a link; of two friends one agrees to notes and one does not."""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.player import check_access, post, settle, take_a_seat
from tests.browser.test_editions import value
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
SEE = "async (id) => (await fetch('/api/tables/' + id)).json()"
PLAY = """async (id) => {  // plays while it is this person's turn; returns whether the game is over
  for (;;) {
    const { table, legal } = await (await fetch(`/api/tables/${id}`)).json();
    if (table.status === "over") return true;
    if (!legal.length) return false;
    const move = legal.includes("stop") ? "stop" : legal[0], headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ move, version: table.version });
    await fetch(`/api/tables/${id}/moves`, { method: "POST", headers, body });
  }
}"""
SHOWS = "(version) => document.querySelector('main').dataset.version === version"


@pytest.fixture
def visit(visit: Visit, request: pytest.FixtureRequest) -> Visit:
    """Return what opens a page. Only in the long form do bots play, and games get their analyses: that is a minute of a
    processor for each playtest, beside all other tests. The house's own tests do both."""
    if request.config.getoption("--whole"):
        return visit

    def open_page(*args: Any, **more: Any) -> Page:
        page = visit(*args, **more)
        waits = {"status": "waiting", "done": 0, "total": 1, "ahead": 1}
        page.route(re.compile("/api/playtests/[^/]+/(bots|expert)$"), lambda route: route.fulfill(json=waits))
        return page

    return open_page


def made(visit: Visit, *, compared: bool = False) -> tuple[Page, str]:
    """Let a designer who has read nothing change a value and make a playtest; return the page and the link."""
    page = visit("/")
    page.get_by_role("link", name="Open a playtest").click()
    page.get_by_role("link", name="Fortune", exact=True).click()
    if compared:
        page.get_by_role("link", name="Compare them with a second edition").click()
        expect(page.get_by_text("The numbers on this page")).to_be_visible()
    value(page, "deck.gold", "5")
    expect(page.get_by_text("Fortune Cards, gold: 5 instead of 3")).to_be_visible()
    page.get_by_label("Name of the playtest").fill("Gold rush")
    page.get_by_role("button", name="Make the link").click()
    page.wait_for_url("**/playtests/*")
    return page, page.get_by_label("Link for players").input_value()


def play(*people: Page) -> None:
    """Play the table that these people have open to its end, and open it again."""
    table = str(people[0].get_attribute("main", "data-table"))
    for page in people:
        page.goto("/playtests")  # a page of the table would show hundreds of moves
    while not any(page.evaluate(PLAY, table) for page in people):
        pass
    for page in people:
        page.goto(f"/t/{table}")


@pytest.mark.slow
@pytest.mark.whole
def test_one_friend_agrees_and_the_other_does_not(visit: Visit) -> None:
    designer, link = made(visit, compared=True)
    expect(designer.get_by_text("No one has played yet.")).to_be_visible()
    check_access(designer, "a new playtest", themes=True)
    bob = visit(link, width=390, height=844)
    eve = visit(link)
    for page, name in ((bob, "Bob"), (eve, "Zoe")):
        post(page, "/api/me", name=name)
    check_access(bob, "the invite link", themes=True)
    assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bob.get_by_role("button", name="Yes, take notes and play").click()
    bob.wait_for_url("**/t/*")
    eve.get_by_role("button", name="No, just play").click()
    eve.wait_for_url("**/t/*")
    for page in (bob, eve):
        page.locator(".scene .board").wait_for()
        page.wait_for_timeout(700)
        assert not page.locator("dialog[open]").count()  # both were asked, once
    refuse(bob, eve)
    for page, words in ((bob, "Plugh"), (eve, "Xyzzy")):
        post(page, f"/api/tables/{page.get_attribute('main', 'data-table')}/chat", text=words)
    play(bob, eve)
    answer(bob)
    eve.wait_for_timeout(3500)
    assert not eve.locator("dialog[open]").count()
    eve.get_by_role("button", name="Playtest").click()
    expect(eve.get_by_role("dialog", name="This game is a playtest")).to_be_visible()
    what_the_designer_sees(designer)


def refuse(*people: Page) -> None:
    """Let everyone press what they can't do, each on their turn, until they see the rule."""
    waiting = list(people)
    table = str(people[0].get_attribute("main", "data-table"))
    for _ in range(40):
        for page in people:
            seen: Any = page.evaluate(SEE, table)
            if not seen["legal"]:
                continue
            page.wait_for_function(SHOWS, arg=str(seen["table"]["version"]))
            refused = page.locator('.scene button[data-clause]:not([data-clause=""]):visible')
            if page in waiting and refused.count():
                refused.first.evaluate("(one) => one.click()")  # which Playwright does not press: it is disabled
                expect(page.locator(".scene a.clause:visible").first).to_be_visible()
                waiting.remove(page)
            post(page, f"/api/tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])
        if not waiting:
            return
    raise AssertionError("nothing was refused")


def answer(page: Page) -> None:
    """Answer the questions when they come."""
    page.locator("main[data-status=over]").wait_for(timeout=60_000)  # the page shows the game to its end first
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name="How was the game?").wait_for()
    settle(page)
    check_access(page, "the questions", themes=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for group, label in (
        ("How much fun was it?", "very much"), ("How clear were the rules?", "partly"),
        ("How long did it feel?", "right"), ("Would you play it again?", "yes"),
    ):  # fmt: skip
        dialog.get_by_role("group", name=group).get_by_label(label, exact=True).check()
    dialog.get_by_label("What would you change?").fill("More gold still.")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_role("heading", name="Thank you")).to_be_visible()


def what_the_designer_sees(page: Page) -> None:
    """Check the page and the export: everything of Bob under a number, nothing of Eve."""
    page.reload()
    main = page.locator("main")
    for words in (
        "Edition A",
        "Edition B",
        "1 of 1 tried what it forbids",
        "Plugh",
        "More gold still.",
        "Fortune Cards, gold: 5 instead of 3",
    ):
        expect(main).to_contain_text(words)
    text = main.inner_text()
    for words in ("Xyzzy", "Zoe", "Bob", "P2"):
        assert words not in text, words
    check_access(page, "a playtest", themes=True)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as pack:
        texts = "".join(pack.read(name).decode() for name in pack.namelist())
    assert "Plugh" in texts
    for words in ("Xyzzy", "Zoe", "Bob"):
        assert words not in texts, words
    page.get_by_role("link", name="table 1").first.click()
    page.wait_for_url("**/replay?step=*")


@pytest.mark.whole
def test_who_comes_by_the_address_of_the_table_is_asked_there_and_can_stop(visit: Visit) -> None:
    _, link = made(visit)
    bob = visit(link)
    bob.get_by_role("button", name="No, just play").click()
    bob.wait_for_url("**/t/*")
    eve = visit(bob.url, width=390, height=844)
    take_a_seat(eve, "Eve")
    dialog = eve.get_by_role("dialog", name="This game is a playtest")
    dialog.get_by_role("button", name="Yes, take notes").click()
    expect(dialog).not_to_be_visible()
    eve.reload()
    eve.locator(".scene .board").wait_for()
    eve.get_by_role("button", name="Playtest").click()
    eve.get_by_role("button", name="Stop, and delete my notes").click()
    expect(eve.get_by_role("dialog")).not_to_be_visible()
    eve.reload()
    eve.locator(".scene .board").wait_for()
    eve.wait_for_timeout(700)
    assert not eve.locator("dialog[open]").count()  # asked once
    eve.goto("/playtests")
    expect(eve.get_by_text("We take no notes about you.")).to_be_visible()


def test_numbers_that_were_changed_become_a_playtest(visit: Visit) -> None:
    designer = visit("/new/fortune?deck.gold=7&option:target=5000&table:players=3")
    designer.get_by_label("Name of the playtest").fill("Gold rush")
    designer.get_by_role("button", name="Make the link").click()
    designer.wait_for_url("**/playtests/*")
    friend = visit(designer.get_by_label("Link for players").input_value())
    friend.get_by_role("button", name="No, just play").click()
    expect(friend.locator("main.table")).to_be_visible()
    table = friend.evaluate(SEE, str(friend.get_attribute("main", "data-table")))["table"]
    assert len(table["seats"]) == 3
    assert "5000" in str(table["options"])
    assert "7 instead of 3" in str(table["changes"])


class Hands:
    """Someone at work: every press and every text is counted."""

    def __init__(self) -> None:
        self.acts = 0

    def press(self, target: Locator) -> None:
        """Press something."""
        target.click()
        self.acts += 1

    def type(self, target: Locator, text: str) -> None:
        """Press a field and type over what it has."""
        target.click(click_count=3)
        target.page.keyboard.type(text)
        self.acts += 2


@pytest.mark.slow
@pytest.mark.whole  # bots play behind everything else, which on a busy machine is minutes later
def test_from_a_value_to_ten_thousand_games_and_a_table_for_two_friends(
    visit: Visit, nursery: Nursery, tmp_path: Path
) -> None:
    """A new user changes a value of the example game, sees 10,000 games of bots with intervals, and seats two friends.
    Their work is counted; the seconds that the test took are printed."""
    # The houses of other tests play by the plain rules, and bots of these play far fewer games.
    house = nursery.start(database=f"sqlite:///{tmp_path / 'parlour.db'}", engine="")
    hands, page, began = Hands(), visit("/", base=house.url), time.monotonic()
    hands.press(page.get_by_role("link", name="Open a playtest"))
    hands.press(page.get_by_role("link", name="Fortune", exact=True))
    hands.type(page.locator('[name="deck.gold"]'), "5")
    hands.press(page.get_by_role("button", name="Make the link"))
    page.wait_for_url("**/playtests/*")
    hands.press(page.get_by_role("button", name="Copy the link"))
    link = page.get_by_label("Link for players").input_value()
    friends = [visit(link, base=house.url), visit(link, base=house.url, width=390, height=844)]
    for friend in friends:
        hands.press(friend.get_by_role("button", name="No, just play"))
    for friend in friends:
        friend.locator(".scene .board").wait_for()
    seated = time.monotonic() - began
    table = page.get_by_role("table", name="10,000 games of each edition")
    table.wait_for(timeout=300_000)  # it is drawn without a press
    print(
        f"\n{hands.acts} acts; friends seated after {seated:.1f} s, games shown after {time.monotonic() - began:.1f} s"
    )
    assert hands.acts <= 10
    assert table.get_by_role("columnheader").all_inner_texts() == ["As printed", "Your numbers", "Difference"]
    row = table.get_by_role("row", name="1st to play wins").get_by_role("cell").all_inner_texts()
    assert [bool(re.fullmatch(r"[+−]?\d+\.\d+ ± \d+\.\d+ %", cell)) for cell in row] == [True] * 3
    check_access(page, "what bots do", themes=True)
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    table.wait_for(timeout=2_000)  # kept


def test_by_keyboard_alone_two_editions_with_a_mistake_on_the_way(visit: Visit) -> None:
    page = visit("/playtests", width=390, height=844)
    page.get_by_role("link", name="Fortune", exact=True).press("Enter")
    field = page.locator('[name="deck.gold"]')
    field.wait_for()  # its fold is open
    field.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("99")
    page.keyboard.press("Tab")
    expect(page.locator("#wrong-deck\\.gold")).to_contain_text("Fortune Cards, gold is 99")
    button = page.get_by_role("button", name="Make the link")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.press("Enter")
    expect(page.locator(".faults")).to_be_focused()
    field.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("5")
    page.keyboard.press("Tab")
    page.get_by_role("link", name="Compare them with a second edition").press("Enter")
    expect(page.locator(".both")).to_contain_text("Fortune Cards, gold: 5 instead of 3")
    button.press("Enter")
    page.wait_for_url("**/playtests/*")
    expect(page.locator("main")).to_contain_text("Fortune Cards, gold: 5 instead of 3")


def test_without_a_script_a_playtest_is_made_all_the_same(visit: Visit) -> None:
    page = visit("/playtests", java_script_enabled=False)
    page.get_by_role("link", name="Fortune", exact=True).click()
    page.locator('[name="deck.gold"]').fill("99")
    page.get_by_role("button", name="Check the numbers").click()
    expect(page.locator(".faults")).to_contain_text("Fortune Cards, gold is 99")
    page.locator('[name="deck.gold"]').fill("5")
    page.get_by_role("button", name="Check the numbers").click()
    page.get_by_label("Name of the playtest").fill("Gold rush")
    page.get_by_role("button", name="Make the link").click()
    page.wait_for_url("**/playtests/*")
    expect(page.locator("main")).to_contain_text("Fortune Cards, gold: 5 instead of 3")
    assert "/try/" in page.get_by_label("Link for players").input_value()
