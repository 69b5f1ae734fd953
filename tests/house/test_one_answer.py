"""One question that can be asked in two ways has one answer (docs/testing.md has the table of such pairs)."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import partial

import pytest
import sqlalchemy as sa

from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.core.scene import number
from parlour.games import all_games, find
from parlour.house.house import House
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.outcomes import work_out
from parlour.house.settings import Settings
from parlour.house.site import book
from parlour.house.table.live.journal import kept_record
from tests.house import once
from tests.house.people import Person
from tests.house.played import every_ruleset, played
from tests.house.shelf import Shelf


def words(markup: object) -> str:
    """Return the text of markup in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", str(markup))).split())


@pytest.mark.parametrize("name", all_games())
def test_the_sheet_says_nothing_that_the_rules_page_does_not(name: str) -> None:
    """Compare each paragraph and item of it, in every ruleset."""
    game = find(name)
    made = book.drawn(game)
    page = words(f"{made.lead} {made.text}")
    for ruleset in game.rulesets:
        sheet = str(book.sheet(game, ruleset))
        said = [words(one) for one in re.findall(r"<(?:p|li)\b[^>]*>(.*?)</(?:p|li)>", sheet, re.DOTALL)]
        assert len(said) > 3
        assert [one for one in said if one not in page] == [], ruleset


@pytest.fixture
async def finished(settings: Settings) -> dict[str, Match]:
    """Write a complete game of each ruleset into the database; return them by table. No house is open there yet."""
    once.lay(settings)
    found = {f"{at:016x}": played(shape, 7 + at) for at, shape in enumerate(every_ruleset(most=False))}
    async with Shelf(settings.database) as shelf:
        for name, match in found.items():
            await shelf.put(name, match)
    return found


async def test_record_database_and_page_say_the_same_of_whole_games(
    finished: dict[str, Match], house: House, arrive: Callable[[], Person]
) -> None:
    """Compare the downloaded record, the rows of the database, the counted outcomes, the API's answer, and the result
    on the page."""
    person = arrive()
    for name in finished:
        assert not await work_out(house.store, f"{name}-0", most=1)  # as the page You of the first seat does
    for name, match in finished.items():
        text = (await person.get(f"/t/{name}/record")).text
        again = replay(Record.parse(text), find)
        assert Record.parse(text) == kept_record(await house.store.load(name))
        assert (again.returns, again.scores) == (match.returns, match.scores)
        view = (await person.see(name))["table"]
        assert (view["result"], view["scores"]) == (list(again.returns), list(again.scores))
        page = (await person.get(f"/t/{name}")).text
        totals = re.findall(r"<b>(.*?)</b>.*?<output>(.*?)</output>", page[page.index('class="totals"') :])
        near = again.game.race(again.state) or again.scores  # what decides the places
        expected = sorted(zip(again.names, near, again.scores, strict=True), key=lambda one: (-one[1], -one[2]))
        assert [(words(who), html.unescape(shown)) for who, shown in totals[: len(expected)]] == [
            (who, str(number(shown))) for who, shown, _ in expected
        ]
        kept = await house.store.look(partial(outcomes, table=name))
        assert kept == list(zip(again.returns, again.scores, strict=True))


def outcomes(connection: sa.Connection, table: str) -> list[tuple[float, int]]:
    """Return the stored outcomes of a game, by seat."""
    c = ratings.outcomes.c
    rows = connection.execute(sa.select(c.share, c.score).where(c.table_id == table).order_by(c.seat))
    return [(row.share, row.score) for row in rows]
