"""Clocks on the page: where they stand, that they run, whatever the device's own clock says, and what follows when one
is up; and how a tempo is chosen in the lobby."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, my_turn, table

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
SECONDS = "(clock) => clock.textContent.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)"


def left(page: Page, seat: int) -> int:
    """The seconds that a plate shows."""
    return int(page.locator(f'[data-key="seat-{seat}"] .clock').evaluate(SECONDS))


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_a_clock_runs_on_the_plate_of_who_decides(visit: Visit, width: int, height: int) -> None:
    page = visit(width=width, height=height, reduced_motion="reduce")
    page.clock.install(time="2031-05-05T05:05:05")  # the device is years ahead
    here = {"kind": "here", "name": "Bob"}
    table(page, tempo={"bank": 300, "increment": 5}, seats=[{"kind": "me"}, here, here, here])
    page.clock.resume()
    clocks = page.locator(".seat .clock")
    expect(clocks).to_have_count(4)
    running = page.locator(".seat .clock.runs")
    expect(running).to_have_count(1)
    assert 280 < running.evaluate(SECONDS) <= 300
    shown = running.inner_text()
    expect(running).not_to_have_text(shown)  # it runs
    assert clocks.all_inner_texts().count("5:00") == 3
    boxes = clocks.evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom])"
    )
    for box in boxes:
        assert 0 <= box[0] < box[2] <= width
        assert 0 <= box[1] < box[3] <= height
    check_access(page, f"clocks, {width}")


def test_who_is_out_of_time_is_told_and_sits_down_again(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    here = {"kind": "here", "name": "Bob"}
    table(page, tempo={"bank": 4, "delay": 1}, seats=[{"kind": "me"}, here])
    clock = page.locator(".seat .clock.runs")
    expect(clock).to_have_class(re.compile("low"))
    expect(page.locator("#told")).to_contain_text(re.compile(r"You have \d+ seconds? left"))
    expect(page.locator('[data-key="log"]')).to_contain_text("is out of time; a bot plays on", timeout=20_000)


def test_a_tempo_is_chosen_in_the_lobby_and_said_in_the_waiting_room(visit: Visit) -> None:
    page = visit(timezone_id="America/Sao_Paulo")
    page.locator("article.game-gatsby .more").click()
    dialog = page.locator("#more-gatsby")
    weekend = dialog.get_by_label("Clocks stand on Saturdays and Sundays")
    expect(weekend).to_be_hidden()
    time = dialog.get_by_label("Time")
    time.select_option(label="15 min each, 10 s more a decision")
    expect(weekend).to_be_hidden()
    time.select_option(label="3 days a decision")
    weekend.check()
    dialog.locator("select[name=seat]").nth(1).select_option("open")
    check_access(page, "a tempo in the dialog")
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/t/"))
    said = "3 days a decision; not on Saturdays and Sundays (America/Sao_Paulo)"
    expect(page.locator(".room")).to_contain_text(said)
    page.goto("/")
    expect(page.locator(".running")).to_contain_text("3 days a decision")


def test_a_slow_game_shows_only_the_clock_that_runs(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    table(page, tempo={"delay": 3 * 86400}, seats=[{"kind": "me"}, {"kind": "here"}])
    assert my_turn(page)
    expect(page.locator(".seat .clock")).to_have_count(1)
    expect(page.locator(".seat .clock")).to_have_text("3 d 0 h")


def test_first_steps_wait_for_a_game_in_which_there_is_time_to_read(visit: Visit) -> None:
    page = visit(guide=True, reduced_motion="reduce")
    here = {"kind": "here", "name": "Bob"}
    table(page, tempo={"bank": 300}, seats=[{"kind": "me"}, here])
    expect(page.locator(".seat .clock.runs")).to_be_visible()
    expect(page.locator("#guide")).to_be_hidden()
    table(page, tempo={"delay": 2 * 86400}, seats=[{"kind": "me"}, here])
    expect(page.locator(".seat .clock.runs")).to_be_visible()
    expect(page.locator("#guide")).to_be_visible()
