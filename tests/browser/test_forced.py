"""The page plays an only choice after a beat, but not for players who prefer to press it themselves; and a pass that is
kept until something changes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from parlour.core.match import Match
from parlour.games import find
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import text
from tests.browser.player import BARE, READY, post, version, wait_past, wait_until
from tests.house.serving import Nursery, Server
from tests.house.shelf import Shelf, Shelved

pytestmark = pytest.mark.browser
BEAT = 1_200  # milliseconds
LEGAL = "async (path) => (await (await fetch(path)).json()).legal.length"


def forced() -> Match:
    """Return a Family Trade in which a player can only announce one card to go, or only throw in the hand."""
    for seed in range(50):
        match, choice = Match(find("family-trade"), 2, seed=seed), random.Random(seed)
        while not match.over:
            legal = match.legal_action_ids()
            if len(legal) == 1 and not match.can_undo(match.current_player):
                return match
            match.play(choice.choice(legal))
    raise AssertionError("no such position")


def passing() -> tuple[Match, list[str]]:
    """Return a Family Trade in which a pass that the first player keeps fits this turn, the next, not the one after,
    and then again; and the moves, by turns with the second player: each discards what they draw."""
    for seed in range(200):
        match = Match(find("family-trade"), 2, options={"ruleset": "battle-royale"}, seed=seed)
        before, offers, moves = [], list[str](), list[str]()
        while len(offers) < 40 and match.current_player == len(moves) % 2 and match.state.phase == r.TURN:
            if match.current_player == 0:
                keep = match.scene(0).keep
                before.append(match.clone())
                offers.append(keep.same if keep else "")
            moves.append(text.format_action(match.state, match.state.drawn))
            match.play(moves[-1])
        for at, (one, two, other, last) in enumerate(zip(offers, offers[1:], offers[2:], offers[3:], strict=False)):
            if one == two == last != other == "":
                return before[at], moves[2 * at : 2 * at + 7]
    raise AssertionError("no such position")


async def shelve(database: Path, match: Match) -> Shelved:
    async with Shelf(f"sqlite:///{database}") as shelf:
        return await shelf.put("0" * 8, match)


@pytest.fixture
def at_the_table(visit: Callable[..., Page], nursery: Nursery, tmp_path: Path) -> Iterator[Callable[[], Page]]:
    """Yield a function that opens the page of the player with the only choice; time stands still on it."""
    match = forced()
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright already runs a loop in this thread
        shelved = elsewhere.submit(asyncio.run, shelve(tmp_path / "parlour.db", match)).result()
    server: Server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")

    def sit() -> Page:
        page = visit(BARE, base=server.url, forced=True)
        cookies = shelved.cookies[match.current_player].items()
        page.context.add_cookies([{"name": name, "value": value, "url": server.url} for name, value in cookies])
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        page.goto(f"/t/{shelved.id}")
        return page

    yield sit
    server.kill()


@pytest.mark.whole
def test_the_only_choice_makes_itself_after_a_beat(at_the_table: Callable[[], Page]) -> None:
    page = at_the_table()
    at = version(page)
    expect(page.locator(".scene .soon")).to_have_count(1)
    page.clock.run_for(BEAT - 200)
    expect(page.locator(".scene .soon")).to_have_count(1)
    assert version(page) == at
    page.clock.run_for(400)
    wait_past(page, at)


@pytest.mark.whole
def test_escape_leaves_it_to_the_person_and_so_does_the_preference(at_the_table: Callable[[], Page]) -> None:
    page = at_the_table()
    at = version(page)
    expect(page.locator(".scene .soon")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".scene .soon")).to_have_count(0)
    page.reload()
    expect(page.locator(".scene .soon")).to_have_count(1)
    page.keyboard.press("?")
    page.get_by_role("button", name="Preferences").click()
    with page.expect_response("**/api/me/preferences"):
        page.get_by_label("If only one move is possible").select_option("press")
    page.clock.run_for(3 * BEAT)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.clock.run_for(3 * BEAT)
    expect(page.locator(".scene .soon")).to_have_count(0)
    assert version(page) == at
    page.reload()
    expect(page.locator(".scene [data-action]")).not_to_have_count(0)
    page.clock.run_for(3 * BEAT)
    assert version(page) == at


def test_a_pass_is_kept_beyond_another_decision_and_takes_the_players_own_time(
    visit: Callable[..., Page], nursery: Nursery, tmp_path: Path
) -> None:
    """So the time does not tell others at the table that it is kept."""
    match, moves = passing()
    with ThreadPoolExecutor(1) as elsewhere:
        shelved = elsewhere.submit(asyncio.run, shelve(tmp_path / "parlour.db", match)).result()
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", patience=0.3)
    page, other = (visit(BARE, base=server.url, forced=True) for _ in range(2))
    for seat, one in enumerate((page, other)):
        cookies = shelved.cookies[seat].items()
        one.context.add_cookies([{"name": name, "value": value, "url": server.url} for name, value in cookies])
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.goto(f"/t/{shelved.id}")
    soon, keep, stop = (
        page.locator(f".scene .{name}") for name in ("soon", "act[data-keep]", "act.keep:not([data-keep])")
    )

    def answer(number: int) -> None:
        """Make the second player's move; all wait a little before it, as if someone were asked about the discard."""
        path = f"/api/tables/{shelved.id}"
        assert wait_until(page, lambda: bool(other.evaluate(LEGAL, path)))
        at = version(page)
        post(other, f"{path}/moves", move=moves[number], version=at)
        assert wait_until(page, lambda: bool(page.evaluate(READY)))

    def pressed(at: int) -> None:
        wait_past(page, at)
        expect(stop).to_have_text("Stop passing")

    at = version(page)
    expect(keep).to_have_count(1)
    page.clock.run_for(3_000)  # the player's own time
    keep.click()
    pressed(at)
    answer(1)
    at = version(page)
    expect(soon).to_have_attribute("data-keep", str(keep.get_attribute("data-keep")))
    page.clock.run_for(2_500)
    assert version(page) == at
    page.clock.run_for(700)
    pressed(at)
    answer(3)
    at = version(page)
    expect(keep).to_have_count(0)  # a card fits
    page.clock.run_for(10_000)
    assert (version(page), soon.count()) == (at, 0)
    page.locator(f'.scene [data-action="{moves[4]}"]').first.click()
    pressed(at)
    answer(5)
    at = version(page)
    expect(soon).to_have_count(1)
    page.clock.run_for(6_200)
    pressed(at)
    stop.click()
    expect(stop).to_have_count(0)
