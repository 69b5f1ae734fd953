"""The lobby: what it shows at first sight, one's tables as they are now, and every choice in a dialog."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.games import all_games, find
from tests.browser.player import GREEDY, check_access, my_turn, post

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
BOXES = """(all) => all.map((one) => {
  const box = one.getBoundingClientRect();
  return [Math.round(box.top), box.width / box.height, box.bottom];
})"""


def test_every_cover_is_whole_and_two_games_are_on_a_phones_first_screen(visit: Visit) -> None:
    page = visit(width=1280, height=800)
    covers = page.locator("article .cover").evaluate_all(BOXES)
    assert len(covers) == len(all_games())
    assert len({top for top, _, _ in covers}) <= 2
    for _, shape, _ in covers:
        assert shape == pytest.approx(400 / 240, abs=0.02)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    ends = [end for _, _, end in page.locator("article.game").evaluate_all(BOXES)]
    assert ends[1] <= 844
    check_access(page, "lobby, phone")


def test_ones_tables_are_told_without_a_reload_and_at_most_every_five_seconds(visit: Visit) -> None:
    page = visit()
    page.clock.install(time=0)
    page.clock.pause_at(1_000)  # else time on the page goes on by itself
    page.goto("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    running = page.locator(".running")
    expect(running).to_be_hidden()
    other = visit("/health")  # the same person elsewhere, where time goes on
    other.context.add_cookies(page.context.cookies())
    other.goto("/")
    waits = post(other, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    page.clock.fast_forward(4000)
    assert not asked
    page.clock.fast_forward(2000)
    expect(running.locator("li")).to_have_count(1)
    expect(running).to_contain_text("waiting")
    made = post(other, "/api/tables", game="fortune", pace="instant", seats=[{"kind": "me"}, GREEDY])
    other.goto(made["url"])
    assert my_turn(other)
    post(other, f"/api/tables/{waits['id']}/start", bots=True)
    post(other, f"/api/tables/{waits['id']}/pace", pace="slow")
    page.clock.fast_forward(6000)
    expect(running.locator("li")).to_have_count(2)
    expect(running.locator("li").first).to_contain_text("your turn")
    assert len(asked) == 2
    assert all(one.endswith("/?only=tables") for one in asked)


def test_a_ruleset_is_chosen_by_what_it_is_and_the_dialog_asks_for_a_name(visit: Visit) -> None:
    page = visit()
    game = find("family-trade")
    card = page.locator("article.game-family-trade")
    line = game.ruleset_line("battle-royale")
    assert line.startswith("Battle Royale: ")
    card.get_by_label(line).check()
    card.get_by_role("button", name="More choices").click()
    dialog = page.get_by_role("dialog", name="Family Trade")
    expect(dialog.locator('[name="option:ruleset"]')).to_have_value("battle-royale")
    dialog.get_by_label("Your name").fill("Ann")
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator("[data-me]")).to_have_text("Ann")
    page.goto("/")
    card.get_by_role("button", name="More choices").click()
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("Your name")).to_be_hidden()
    page.keyboard.press("Escape")
    card.get_by_label(line).check()
    card.get_by_role("button", name="Play a bot").click()
    page.wait_for_url(re.compile("/t/"))
    table = page.get_attribute("main", "data-table")
    seen = page.evaluate("async (table) => (await (await fetch(`/api/tables/${table}`)).json()).table", table)
    assert [option["value"] for option in seen["options"] if option["name"] == "ruleset"] == ["battle-royale"]


def test_a_name_taken_in_a_game_is_in_its_seat_its_log_and_for_the_others(visit: Visit) -> None:
    """One that is read from right to left, and one as wide as can be: the words round them stay, and nothing breaks."""
    ann = visit(width=390, height=844, reduced_motion="reduce")
    friend = visit(reduced_motion="reduce")
    ann.goto(post(ann, "/api/tables", game="fortune", pace="instant", seats=[{"kind": "me"}, {"kind": "open"}])["url"])
    expect(ann.get_by_label("What shall we call you?")).to_be_visible()  # there is no board yet
    friend.goto(ann.url)
    friend.get_by_role("button", name="Sit here").click()
    ann.get_by_role("button", name="Start").click()
    ann.locator('[data-key="scene"] .board').wait_for()
    expect(ann.get_by_label("What shall we call you?")).to_be_hidden()
    log = '[data-key="log"] bdi'
    friend.locator(log).first.wait_for()
    for name in ("\u05d3\u05e0\u05d4 \u05db\u05d4\u05df", "W" * 24):
        ann.locator("[data-opens=name]").click()
        ann.locator("#name").get_by_label("Name").fill(name)
        ann.locator("#name").get_by_role("button", name="Save").click()
        for page in (ann, friend):
            expect(page.locator(f'[data-key="seat-0"] bdi:text-is("{name}")').first).to_be_attached()
            expect(page.locator(log).filter(has_text=name)).not_to_have_count(0)
        assert ann.evaluate("document.documentElement.scrollWidth") <= 390
    turn = ann.locator(".prompt").inner_text() + friend.locator(".prompt").inner_text()
    assert "Guest" not in turn or "W" in turn
