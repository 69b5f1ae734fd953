"""Levels at tables: which there are to choose, and seats that name one which their game has no longer."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import sqlalchemy as sa
from litestar import Litestar

from parlour import bots
from parlour.games import all_games, find
from parlour.house.app import open_house
from parlour.house.house import House
from parlour.house.ratings.pages import bots_shown
from parlour.house.ratings.rows import BOT, START, Rating
from parlour.house.settings import Settings
from parlour.house.table.storage import schema as storage
from tests.house.people import ME, OPEN, Person
from tests.house.table.test_custom_bots import until

HARD = {"kind": "bot", "bot": "hard"}  # Fortune has no such level


async def test_lobby_table_and_programs_are_offered_the_levels_of_the_game(ann: Person) -> None:
    page = (await ann.get("/")).text
    for game in all_games().values():
        assert (await ann.get(f"/api/games/{game.name}")).json()["bots"] == list(bots.choices(game))
    every = [
        level for game in all_games().values() for _ in range(game.facts.players[1]) for level in bots.choices(game)
    ]
    for level in bots.LEVELS:  # once in the form for each seat
        assert page.count(f'value="bot:{level}"') == every.count(level)
    table = await ann.make(ME, OPEN)
    waiting = (await ann.get(f"/t/{table}")).text
    for level in bots.LEVELS:
        assert (f'value="bot:{level}"' in waiting) == (level in bots.declared(find("fortune")))


async def test_a_seat_for_a_level_that_there_is_not_gets_the_next_better(ann: Person) -> None:
    table = await ann.make(ME, HARD, wait=True)
    seat = (await ann.see(table))["table"]["seats"][1]
    assert (seat["bot"], seat["name"]) == ("expert", "Expert bot")
    await ann.do(f"tables/{table}/seats", seat=1, kind="bot", bot="optimal")  # not offered, as `expert` is the same
    refusal = await ann.refused(f"tables/{table}/seats", 400, "unknown-name", seat=1, kind="bot", bot="genius")
    assert refusal["allowed"] == list(bots.choices(find("fortune")))


async def test_an_old_seat_of_such_a_level_is_played_and_says_by_whom(
    ann: Person, house: House, create: Callable[[Settings], Litestar], settings: Settings
) -> None:
    table = await ann.make(ME, HARD, wait=True)
    old = sa.update(storage.seats).where(storage.seats.c.table_id == table, storage.seats.c.seat == 1)
    await house.store.do(lambda connection: connection.execute(old.values(bot="hard", name="Hard bot")).rowcount)
    await house.close()
    later = create(settings)
    made = await open_house(later)
    try:
        async with Person(
            transport=httpx.ASGITransport(app=later), base_url="http://house.test", cookies=ann.cookies
        ) as again:
            waiting = (await again.get(f"/t/{table}")).text
            assert "bot, played by expert" in waiting
            assert '<option value="bot:expert" selected>' in waiting
            await again.do(f"tables/{table}/start")
            seen = await until(again, table, lambda seen: seen["legal"] and seen["table"]["version"] > 8)
            assert (seen["table"]["chat"], seen["table"]["seats"][1]["bot"]) == ([], "hard")
            assert "bot: hard, played by expert" in (await again.get(f"/t/{table}")).text
    finally:
        await made.close()


async def test_the_best_of_every_ruleset_have_bots_beside_them_before_a_person_is_rated(ann: Person) -> None:
    """Also where the arena measured none: these are named in the order in which a person chooses from them."""
    for game in all_games().values():
        for ruleset in game.rulesets:
            page = (await ann.get(f"/best/{game.name}", params={"ruleset": ruleset} if ruleset else {})).text
            rungs = page.partition('<ol class="climb placed">')[2].partition("</ol>")[0]
            shown = [one.name for one in bots_shown(game, ruleset, [])]
            assert set(shown) == set(bots.choices(game)), (game.name, ruleset)
            assert rungs.count("<li>") == len(shown)
            if "arena hasn’t measured them" in page:
                assert shown == list(bots.choices(game))


def test_a_rating_of_such_a_level_stays_and_says_so() -> None:
    def shown(name: str) -> str:
        rated = Rating("fortune", "", BOT + name, START.mu, START.sigma, 3, sure=False)
        return next(one.here for one in bots_shown(find("fortune"), "", [rated]) if one.name == name)

    assert shown("hard").endswith("in 3 rated games here. No longer a level here: expert plays in its place.")
    assert shown("easy").endswith("in 3 rated games here")
