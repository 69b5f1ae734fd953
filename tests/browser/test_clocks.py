"""Clocks on the page: where they are, that they run even if the device's clock is wrong, and what happens when one is
up; and how a tempo is chosen in the lobby."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import check_access, my_turn, picked, table
from tests.browser.test_call import LISTEN

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
SECONDS = "(clock) => clock.textContent.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)"


def left(page: Page, seat: int) -> int:
    """Return the seconds that a plate shows."""
    return int(page.locator(f'[data-key="seat-{seat}"] .clock').evaluate(SECONDS))


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
@pytest.mark.suite("390*")
def test_a_clock_runs_on_the_plate_of_who_decides(visit: Visit, width: int, height: int) -> None:
    page = visit(width=width, height=height)
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


@pytest.mark.whole
def test_a_device_whose_clock_is_changed_shows_the_same_time_as_the_house(visit: Visit) -> None:
    """It moves a year ahead and a year back while a clock runs: the plate stays within a second of the house's time."""
    page = visit()
    here = {"kind": "here", "name": "Bob"}
    path = f"/api/tables/{table(page, tempo={'bank': 300}, seats=[{'kind': 'me'}, here])}"
    running = page.locator(".seat .clock.runs")
    expect(running).to_be_visible()
    year = 366 * 86400
    for moment in (time.time() + year, time.time() - year):
        page.clock.set_system_time(moment)
        assert abs(page.evaluate("Date.now()") / 1000 - moment) < 120  # the page sees the changed time
        shown = running.inner_text()
        expect(running).not_to_have_text(shown)  # it still runs
        seen = page.evaluate("async (path) => (await fetch(path)).json()", path)["table"]
        (until,) = [one["until"] for one in seen["clocks"] if one["until"]]
        before = time.time()
        plate = running.evaluate(SECONDS)
        assert int(until - time.time()) - 1 <= plate <= int(until - before) + 1


@pytest.mark.whole
def test_a_player_out_of_time_sees_it_and_sits_down_again(visit: Visit) -> None:
    """They get one warning before, by a sound and in the same words on their plate and for screen readers."""
    page = visit()
    page.add_init_script(LISTEN)
    here = {"kind": "here", "name": "Bob"}
    table(page, tempo={"bank": 12, "delay": 1}, seats=[{"kind": "me"}, here])
    with page.expect_response("**/sound.js"):
        page.mouse.click(640, 40)
    clock = page.locator(".seat .clock.runs")
    expect(clock).to_have_class(re.compile("low"))
    expect(clock).to_have_text(re.compile(r"^\d+ s left$"), timeout=30_000)
    page.wait_for_function("() => notes.filter((one) => one === 740).length === 2")
    expect(page.locator("#announcements")).to_contain_text(re.compile(r"You have \d+ seconds? left"))
    expect(page.locator('[data-key="log"]')).to_contain_text("is out of time; a bot plays on", timeout=30_000)
    # A player who has not touched the page for a while also hears their turn: another sound.
    assert page.evaluate("notes.filter((one) => one === 740)") == [740, 740]


@pytest.mark.whole
def test_a_tempo_is_chosen_in_the_lobby_and_said_in_the_waiting_room(visit: Visit) -> None:
    page = visit("/", timezone_id="America/Sao_Paulo")
    picked(page, "gatsby").locator(".more").click()
    dialog = page.locator("#more-gatsby")
    days, own = (
        dialog.get_by_role("group", name="Clocks paused on"),
        dialog.get_by_role("group", name="Custom clocks"),
    )
    expect(days).to_be_hidden()
    time = dialog.get_by_label("Time")
    time.select_option(label="10 min each, 10 s more a decision")
    expect(days).to_be_hidden()
    expect(own).to_be_hidden()
    time.select_option(label="12 h a decision")
    for day in ("Saturdays", "Sundays"):
        days.get_by_label(day).focus()
        page.keyboard.press("Space")
    dialog.locator("select[name=seat]").nth(1).select_option("open")
    check_access(page, "a tempo in the dialog")
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/t/"))
    room = page.locator(".room")
    expect(room).to_contain_text("12 h a decision; not on Saturdays and Sundays (America/Sao_Paulo)")
    room.get_by_text("Change the time").click()
    expect(days := room.get_by_role("group", name="Clocks paused on")).to_be_hidden()
    room.get_by_label("Time").select_option(label="Custom")
    expect(days).to_be_hidden()
    room.get_by_label("Minutes per player").fill("0.01")
    room.get_by_label("Extra seconds per decision").fill("2")
    room.get_by_role("button", name="Set the time").click()
    expect(room).to_contain_text("Give each player at least 5 seconds")
    room.get_by_label("Minutes per player").fill("7")
    check_access(page, "a tempo in the waiting room")
    room.get_by_role("button", name="Set the time").click()
    expect(room).to_contain_text("Time: 7 min each, 2 s more a decision.")
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto("/")
    expect(page.locator(".running")).to_contain_text("7 min each, 2 s more a decision")


@pytest.mark.whole
def test_a_slow_game_shows_only_the_clock_that_runs(visit: Visit) -> None:
    page = visit()
    table(page, tempo={"delay": 3 * 86400}, seats=[{"kind": "me"}, {"kind": "here"}])
    assert my_turn(page)
    expect(page.locator(".seat .clock")).to_have_count(1)
    expect(page.locator(".seat .clock")).to_have_text("3 d 0 h")


@pytest.mark.whole
def test_first_steps_wait_for_a_game_in_which_there_is_time_to_read(visit: Visit) -> None:
    page = visit(guide=True)
    here = {"kind": "here", "name": "Bob"}
    table(page, tempo={"bank": 300}, seats=[{"kind": "me"}, here])
    expect(page.locator(".seat .clock.runs")).to_be_visible()
    expect(page.locator("#guide")).to_be_hidden()
    table(page, tempo={"delay": 2 * 86400}, seats=[{"kind": "me"}, here])
    expect(page.locator(".seat .clock.runs")).to_be_visible()
    expect(page.locator("#guide")).to_be_visible()


@pytest.mark.whole
def test_behind_a_proxy_the_page_of_a_player_says_that_it_is_there(visit: Visit) -> None:
    """It does as long as it is open; not if the house itself would notice, and not after the page is closed."""
    said: list[str] = []
    for more in ({}, {"extra_http_headers": {"X-Forwarded-For": "192.0.2.1"}}):
        page = visit(**more)
        page.on("request", lambda request: said.append(request.url) if "/here?" in request.url else None)
        table(page, seats=[{"kind": "me"}, {"kind": "open"}])
        page.wait_for_timeout(4000)
        if not more:
            assert not said
    with page.expect_response(lambda answer: "/here?" in answer.url) as answered:
        pass
    assert answered.value.status == 204
    expect(page.locator(".net")).to_be_hidden()
    size = answered.value.request.sizes()
    print(size)
    page.goto("/rules/fortune")
    many = len(said)
    page.wait_for_timeout(4000)
    assert len(said) == many
