"""A player's accuracy in analysed games: on the page You, on their own page, and in their export."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from parlour.analysis.evaluation import TOO_FEW
from parlour.core.game import Game
from parlour.house.analysis import schema as analysis
from parlour.house.database.migrations.versions import m0016_accuracies, m0032_errors, m0033_within, m0034_luck
from parlour.house.house import House
from parlour.house.ratings import accuracies
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.accuracies import Judged, Kept
from parlour.house.ratings.graphs import course
from parlour.house.ratings.results import Wanted
from parlour.house.settings import Settings
from parlour.house.table.storage import schema as storage
from tests.found import added
from tests.house.accounts.test_belongings import SECRET, a_game, packed
from tests.house.analysis.test_analysis import analysed as analysis_of
from tests.house.analysis.test_analysis import finished
from tests.house.people import ME, OPEN, Person, guest_of, play_on


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, analysis=1)


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def analysed(house: House, table: str, *shares: float | None) -> None:
    """Store an analysis with these values."""
    await house.store.do(partial(accuracies.keep, table_id=table, seats=[Kept(one) for one in shares]))


def labels(page: str) -> list[str]:
    """Return the text of the graphs on a page."""
    return re.findall(r'aria-label="(The accuracy [^"]+)"', page.replace("\N{NO-BREAK SPACE}", " "))


async def test_an_analysis_is_kept_with_how_accurate_each_was(ann: Person, bob: Person, house: House) -> None:
    assert "No games yet" in (await ann.get("/me")).text
    for _ in range(20):  # the deal is random, and sometimes nothing is at stake
        table = await finished(ann, bob, "bet", "bet")
        seen = await analysis_of(ann, table)
        if "accuracy" in seen["html"]:
            break
    shown = 0  # each has a single decision
    for person in (ann, bob):
        page, own = (await person.get("/me")).text, Wanted((await guest_of(person)).id)
        for found in await house.store.look(partial(accuracies.of, wanted=own)):
            assert found.game == "kuhn"
            assert (found.decisions, found.within) == (1, 1.0)
            assert f'<span class="value">{TOO_FEW}</span>' in page
            assert f'href="/t/{table}/replay"' in page
            shown += 1
    assert shown
    assert seen["html"].count(f"<small>{TOO_FEW} for an accuracy") == shown

    old = [{"seat": 0, "before": 0.5, "after": 0.5}]  # as the earlier method stored it, without `uniform`
    more = {"table_id": table, "rules": 1, "way": "1/old", "judgements": old}

    def made_again(connection: sa.Connection) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """Return what is stored, and what the migration makes of the analyses from before it."""
        rows = sa.select(ratings.accuracies).order_by(ratings.accuracies.c.seat)
        kept = [tuple(row) for row in connection.execute(rows)]
        connection.execute(sa.insert(analysis.analyses).values(more))
        with Operations.context(MigrationContext.configure(connection)):
            m0034_luck.downgrade()
            m0016_accuracies.downgrade()
            m0016_accuracies.upgrade()
            m0032_errors.upgrade()
            m0033_within.upgrade()
            m0034_luck.upgrade()
        return kept, [tuple(row) for row in connection.execute(rows)]

    kept, again = await house.store.do(made_again)
    assert [row[:2] for row in kept] == [row[:2] for row in again]
    for column in range(2, 5):
        assert [row[column] for row in kept] == pytest.approx([row[column] for row in again])
    assert [row[3] for row in kept] == [sum(one["seat"] == seat for one in seen["decisions"]) for _, seat, *_ in kept]
    assert "points lost a decision" in (await ann.get("/me")).text + (await bob.get("/me")).text


async def test_others_see_what_was_listed_and_only_what_they_may(
    ann: Person, bob: Person, house: House, arrive: Callable[[], Person]
) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    open_game, secret = await a_game(ann, bob), await a_game(ann, bob, public=False)
    await analysed(house, open_game, 0.5, 0.9)
    await analysed(house, secret, 0.8, None)
    mine, hers = (await ann.get("/me")).text, (await arrive().get("/p/Ann")).text
    assert labels(mine) == ["The accuracy in Kuhn poker in 2 analysed games: 65 % on average, 80 % in the latest."]
    assert labels(hers) == ["The accuracy in Kuhn poker in 1 analysed game: 50 %."]
    assert secret not in hers
    assert "80" not in " ".join(labels(hers))
    assert labels((await bob.get("/me")).text) == ["The accuracy in Kuhn poker in 1 analysed game: 90 %."]


async def test_what_a_bot_played_is_nobodys(ann: Person, bob: Person, house: House) -> None:
    """This holds if the bot played to the end, and if its player came back."""
    table = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN]))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    seen = await ann.see(table)
    late = bob if seen["legal"] else ann  # their bot has no move to make
    await late.do(f"tables/{table}/leave")
    await late.do(f"tables/{table}/sit")
    await play_on(table, 9, ann, bob)
    await analysed(house, table, 0.5, 0.5)
    assert not labels((await late.get("/me")).text)
    assert labels((await (ann if late is bob else bob).get("/me")).text)
    async with house.store.write() as connection:
        await connection.execute(sa.update(storage.seats).values(kind="bot"))
    assert not labels((await ann.get("/me")).text)
    assert not labels((await bob.get("/me")).text)


async def test_it_is_taken_home_and_goes_with_the_person(ann: Person, bob: Person, house: House) -> None:
    table = await a_game(ann, bob)
    await analysed(house, table, 0.25, None)
    about, _ = await packed(ann)
    assert about["accuracy"] == [
        {"table": table, "accuracy": 0.25, "within": None, "decisions": 0, "lost": 0.0, "luck": None}
    ]
    assert (await packed(bob))[0]["accuracy"] == []
    mine = (await guest_of(ann)).id
    await ann.do("me/delete", word="delete")
    assert await house.store.look(partial(accuracies.of, wanted=Wanted(mine))) == []


def test_the_graph_is_the_games_in_order_and_their_mean() -> None:
    shown = course([Judged("a", "fortune", "", 1.0), Judged("b", "fortune", "", 0.0), Judged("c", "fortune", "", 0.5)])
    assert shown.line == "0.0,0.0 50.0,40.0 100.0,20.0"
    assert (shown.mean, shown.games, shown.last) == ("20.0", 3, "/t/c/replay")
    assert shown.error == ""
    lost = course([Judged("a", "fortune", "", 1.0, 30, 0.3), Judged("b", "fortune", "", 0.0, 10, 0.5)])
    assert lost.error == "2.0 points lost a decision"
    vague = course([Judged("a", "fortune", "", 0.0, 3, 0.5, 1.17)])
    assert (vague.value, vague.line, vague.words, vague.games) == (TOO_FEW, "", "", 1)
    assert vague.error == "16.7 points lost a decision"
    several = [Judged(table, "fortune", "", 0.5, 3, 0.5, 0.8) for table in "abc"]  # together 0.46
    assert course(several[:2]).value == TOO_FEW
    assert course(several).value == "50\N{NO-BREAK SPACE}%"
    one = course([Judged("a", "fortune", "", 0.75)])
    assert (one.line, one.mean) == ("0.0,10.0 100.0,10.0", "10.0")
    assert one.words.replace("\N{NO-BREAK SPACE}", " ") == "The accuracy in Fortune in 1 analysed game: 75 %."


def test_luck_is_taken_out_of_the_games_of_which_it_is_known() -> None:
    """Mean and interval by hand: 0.5, 0.7, 0.6, 0.5, 0.7 have mean 0.6 and standard deviation 0.1; the quantile of
    Student's distribution with four degrees of freedom is 2.776."""
    known = [
        Judged("a", "gatsby", "", 0.5, luck=luck, share=share)
        for share, luck in ((1.0, 0.5), (1.0, 0.3), (1.0, 0.4), (0.0, -0.5), (1.0, 0.3))
    ]
    words = course(known).fair.replace("\N{NO-BREAK SPACE}", " ")
    assert words == "80 % of them won, 60 % ± 12 without luck"
    older = Judged("b", "gatsby", "", 0.5, share=0.0)  # analysed before luck was kept
    assert course([older, *known]).fair.replace("\N{NO-BREAK SPACE}", " ").startswith("80 % of 5 won, 60 %")
    assert course(known[:4]).fair == "", "too few"
    wild = [one._replace(luck=4 * (one.luck or 0.0)) for one in known]
    assert course(wild).fair == "", "the interval says nothing"


async def test_an_analysis_keeps_the_luck_of_each_seat(ann: Person, bob: Person, house: House) -> None:
    """A game of Gatsby for two: what one won by luck the other lost."""
    await ann.do("me/claim", name="Ann", password=SECRET)
    table = str((await ann.do("tables", game="gatsby", seats=[ME, OPEN]))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await play_on(table, 10_000, ann, bob)
    seen = await analysis_of(ann, table)
    rows = await house.store.look(lambda connection: connection.execute(sa.select(ratings.accuracies)).all())
    lucks = [row.luck for row in rows]
    assert len(lucks) == 2
    assert lucks[0] == pytest.approx(-lucks[1])
    assert lucks[0] != 0
    for luck in lucks:  # in the graph's sums, by seat
        assert f", luck {round(100 * luck):+} points".replace("-", "−") in seen["html"]
    mine = Wanted((await guest_of(ann)).id)
    (found,) = await house.store.look(partial(accuracies.of, wanted=mine))
    assert found.luck in lucks
    assert found.share in (0.0, 1.0)
