"""Rated games: which count, for whom, once and in one order; and the numbers, compared with the paper's formulas."""

from __future__ import annotations

import asyncio
import html
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.analysis.skill import Skill, after, points
from parlour.core.game import Game
from parlour.house.accounts import schema as accounts
from parlour.house.database.all_tables import metadata
from parlour.house.database.store import Conflict, Store
from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.ratings import pages
from parlour.house.ratings import results as stored
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.outcomes import count_late
from parlour.house.ratings.results import Outcome
from parlour.house.table.storage import queries
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import SeatRow, TableRow
from tests.found import added
from tests.house.people import BOT, LINK, ME, OPEN, Person, guest_of, play_on
from tests.house.table.test_undo import play

SECRET = "correct horse"
BETA = 25 / 6


# The paper: R. Weng, C.-J. Lin, JMLR 12 (2011), algorithm 4 (Plackett-Luce), for two teams of one player each ---------
def by_the_paper(mu: Sequence[float], sigma: Sequence[float], rank: Sequence[int]) -> list[tuple[float, float]]:
    """Return both players after a game, by the updates of algorithm 4, written from the paper alone."""
    c = math.sqrt(sum(one**2 + BETA**2 for one in sigma))
    e = [math.exp(one / c) for one in mu]
    found = []
    for i in range(2):
        omega = delta = 0.0
        for q in range(2):
            if rank[q] > rank[i]:  # q still competes only if it did not finish before i
                continue
            p = e[i] / sum(e[s] for s in range(2) if rank[s] >= rank[q])
            alike = sum(rank[s] == rank[q] for s in range(2))
            omega += ((1 - p) if q == i else -p) / alike
            delta += p * (1 - p) / alike
        share = sigma[i] ** 2 / c
        gamma = sigma[i] / c
        mean = mu[i] + share * omega
        variance = sigma[i] ** 2 * max(1 - gamma * sigma[i] ** 2 / c**2 * delta, 0.0001)
        found.append((mean, math.sqrt(variance)))
    return found


SKILLS = st.builds(Skill, st.floats(0, 50), st.floats(0.5, 25 / 3))


@given(SKILLS, SKILLS, st.booleans())
def test_two_who_meet_are_rated_as_the_paper_says(one: Skill, other: Skill, won: bool) -> None:
    expected = by_the_paper((one.mu, other.mu), (one.sigma, other.sigma), (1, 2) if won else (1, 1))
    found = after({"one": one, "other": other}, iter([("one", "other", won)]))
    assert found["one"] == pytest.approx(expected[0])
    assert found["other"] == pytest.approx(expected[1])


def replayed(games: Sequence[tuple[list[str], list[float], list[bool]]]) -> dict[str, tuple[float, float, int]]:
    """Return all ratings after these games (players, shares, who was away), from the paper's formulas and the house's
    rules in docs/decisions.md, without the house's code."""
    known: dict[str, tuple[float, float]] = {}
    played: dict[str, int] = {}
    for players, shares, away in games:
        for one in dict.fromkeys(players):
            mu, sigma = known.get(one, (25.0, 25 / 3))
            known[one] = mu, sigma if one.startswith("bot:") else min(25 / 3, math.hypot(sigma, 25 / 300))
            played[one] = played.get(one, 0) + 1
        seats = range(len(players))
        winners = [i for i in seats if shares[i] > 0 and not away[i]]
        pairs: list[tuple[int, int, int]]
        if winners:
            pairs = []
            for at, i in enumerate(winners):
                pairs += [(i, j, 2) for j in seats if j not in winners]
                pairs += [(i, j, 1) for j in winners[at + 1 :]]
        else:
            pairs = [(i, j, 2) for i in seats if not away[i] for j in seats if away[j]]
        factors: dict[str, list[tuple[float, float]]] = {one: [] for one in players}  # precision, and it times the mean
        for i, j, place in pairs:
            a, b = players[i], players[j]
            if a != b:
                mus, sigmas = zip(known[a], known[b], strict=True)
                for one, (mu, sigma) in zip((a, b), by_the_paper(mus, sigmas, (1, place)), strict=True):
                    was, wide = known[one]
                    factors[one].append((1 / sigma**2 - 1 / wide**2, mu / sigma**2 - was / wide**2))
        for one, some in factors.items():
            mu, sigma = known[one]
            precision = 1 / sigma**2 + sum(weight for weight, _ in some)
            known[one] = (mu / sigma**2 + sum(pull for _, pull in some)) / precision, precision**-0.5
    return {one: (*known[one], played[one]) for one in known}


def table_row(number: int, *, game: str = "fortune") -> TableRow:
    return TableRow(
        id=f"{number:016x}", game=game, rules=1, edition="", parts={}, options={}, public=True, pace=0.0,
        status="playing", host="", seed="", commitment="", names=[], words=[], rematch="", created=float(number),
        touched=float(number), rated=True,
    )  # fmt: skip


@st.composite
def rated_games(draw: st.DrawFn) -> tuple[list[str], list[float], list[bool]]:
    players = draw(
        st.lists(st.sampled_from(["ann", "bob", "cy", "di", "bot:easy", "bot:hard"]), min_size=2, max_size=5)
    )
    people = [one for one in players if not one.startswith("bot:")]
    if len(set(people)) < len(people) or not people:  # people take one seat each
        players = ["ann", *[one for one in players if one.startswith("bot:")], "bob"]
    winners = draw(st.sets(st.sampled_from(range(len(players))), min_size=1))
    shares = [1 / len(winners) if i in winners else 0.0 for i in range(len(players))]
    away = [not one.startswith("bot:") and draw(st.booleans()) for one in players]
    return players, shares, away


def counted(games: Sequence[tuple[list[str], list[float], list[bool]]]) -> tuple[dict[str, Any], list[Any]]:
    """Return the ratings in the database after these games, each a minute after the last, and its rows in order."""
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        for number, (players, shares, away) in enumerate(games):
            row = table_row(number)
            seats = [
                SeatRow(row.id, i, "bot", bot=one[4:]) if one.startswith("bot:") else SeatRow(row.id, i, "guest", one)
                for i, one in enumerate(players)
            ]
            queries.create(connection, row, seats, [])
            for seat, gone in enumerate(away):
                if gone:
                    which = (storage.seats.c.table_id == row.id) & (storage.seats.c.seat == seat)
                    connection.execute(sa.update(storage.seats).where(which).values(kind="bot", bot="easy"))
            rating_rows.count(connection, row.id, shares, number * rating_rows.DAY)
        found = {
            row.player: (row.mu, row.sigma, row.games) for row in connection.execute(sa.select(ratings.ratings)).all()
        }
        order = sa.select(ratings.rated).order_by(ratings.rated.c.number, ratings.rated.c.seat)
        return found, list(connection.execute(order).all())


@settings(max_examples=25)
@given(st.lists(rated_games(), max_size=12))
def test_the_ratings_are_those_of_an_independent_calculation(
    games: list[tuple[list[str], list[float], list[bool]]],
) -> None:
    said = [any(True for _ in rating_rows.said(*game)) for game in games]
    found, rows = counted(games)
    expected = replayed([game for game, counts in zip(games, said, strict=True) if counts])
    assert found.keys() == expected.keys()
    for player, values in expected.items():
        assert found[player] == pytest.approx(values)
    numbers = sorted({row.number for row in rows if row.number})
    assert numbers == list(range(1, sum(said) + 1))  # one order, without gaps
    for player, (mu, sigma, _) in found.items():  # the last point of each course is the rating
        last = [row for row in rows if row.player == player and row.number][-1]
        assert (last.mu, last.sigma) == (mu, sigma)


def test_nobody_gains_by_losing_and_the_absent_only_lose() -> None:
    assert list(rating_rows.said(["a", "b", "c"], [1, 0, 0], [False] * 3)) == [("a", "b", True), ("a", "c", True)]
    assert list(rating_rows.said(["a", "b", "c"], [0.5, 0.5, 0], [True, False, False])) == [
        ("b", "a", True), ("b", "c", True),
    ]  # fmt: skip
    # a's bot won: a has lost to all who stayed, whose ratings towards each other don't change
    assert list(rating_rows.said(["a", "b", "c"], [1, 0, 0], [True, False, False])) == [
        ("b", "a", True),
        ("c", "a", True),
    ]
    assert list(rating_rows.said(["a", "b"], [1, 0], [True, True])) == []


def test_two_people_count_ten_times_a_day_with_each_other() -> None:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)

        def game(number: int, *people: str, at: float) -> int:
            row = table_row(number)
            seats = [SeatRow(row.id, i, "guest", one) for i, one in enumerate(people)]
            queries.create(connection, row, seats, [])
            rating_rows.count(connection, row.id, [1.0, *[0.0] * (len(people) - 1)], at)
            return int(
                connection.scalar(sa.select(ratings.rated.c.number).where(ratings.rated.c.table_id == row.id)) or 0
            )

        assert [game(i, "ann", "bob", at=float(i)) for i in range(12)] == [*range(1, 11), 0, 0]
        assert game(20, "bob", "cy", "ann", at=20.0) == 0  # nor if a third player joins them
        assert game(21, "ann", "cy", at=21.0) == 11
        assert game(22, "ann", "bob", at=rating_rows.DAY + 0.5) == 12  # the first of them was a day ago
        games = connection.scalar(sa.select(ratings.ratings.c.games).where(ratings.ratings.c.player == "bob"))
        assert games == 11


# At real tables ------------------------------------------------------------------------------------------
async def known(person: Person, name: str) -> str:
    """Claim a name; return the guest's id."""
    guest = await person.do("me/claim", name=name, password=SECRET)
    return str(guest["id"])


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def rated_table(ann: Person, bob: Person, game: str = "kuhn") -> str:
    """Start a rated game of two that is soon over; return its id."""
    table = await ann.make(ME, OPEN, game=game, rated=True)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


async def rows_of(house: House, table: str) -> list[Any]:
    """Return the rows of a game, by seat."""

    def read(connection: sa.Connection) -> list[Any]:
        query = sa.select(ratings.rated).where(ratings.rated.c.table_id == table).order_by(ratings.rated.c.seat)
        return list(connection.execute(query).all())

    return await house.store.look(read)


async def when_counted(house: House, table: str) -> list[Any]:
    """Return the same, once the game is counted."""
    while True:
        rows = await rows_of(house, table)
        if all(row.number is not None for row in rows):
            return rows
        await asyncio.sleep(0.02)


async def played_to_its_end(house: House, table: str, person: Person) -> list[Any]:
    """Play at random to the end against a bot that has taken over; return the rows of the game."""
    await person.do(f"tables/{table}/pace", pace="instant")
    choice = random.Random(1)
    while (seen := await person.see(table))["table"]["status"] != "over":
        if seen["legal"]:
            body = {"move": choice.choice(seen["legal"]), "version": seen["table"]["version"]}
            await person.post(f"/api/tables/{table}/moves", json=body)
        else:
            await asyncio.sleep(0.03)
    return await when_counted(house, table)


async def test_a_rated_game_counts_once_and_an_ordinary_one_never(ann: Person, bob: Person, house: House) -> None:
    one, other = await known(ann, "Ann"), await known(bob, "Bob")
    table = await rated_table(ann, bob)
    seen = (await ann.see(table))["table"]
    assert (seen["rated"], seen["hints"], bool(seen["tempo"])) == (True, False, True)
    assert [row.player for row in await rows_of(house, table)] == [one, other]
    await play_on(table, 10_000, ann, bob)
    rows = await when_counted(house, table)
    assert [row.number for row in rows] == [1, 1]
    kept = await house.store.look(partial(rating_rows.of, player=one))
    assert [(rating.mu, rating.sigma, rating.games) for rating in kept] == [(rows[0].mu, rows[0].sigma, 1)]
    assert rows[0].mu != 25.0
    assert await count_late(house.store, 10) == 0
    outcomes = [Outcome(1.0, 0), Outcome(0.0, 0)]
    with pytest.raises(Conflict):  # nor by another process later
        await house.store.do(partial(stored.keep_outcomes, table_id=table, outcomes=outcomes))
    assert await house.store.look(partial(rating_rows.of, player=one)) == kept
    ordinary = await ann.make(ME, OPEN)
    await bob.do(f"tables/{ordinary}/sit")
    await ann.do(f"tables/{ordinary}/start")
    assert await rows_of(house, ordinary) == []


async def test_the_result_says_by_how_much_each_rating_changed(ann: Person, bob: Person, house: House) -> None:
    """There are two games: before the first, each has the initial rating; before the second, the one after the
    first."""
    await known(ann, "Ann"), await known(bob, "Bob")
    before = [25.0, 25.0]
    for _ in range(2):
        table = await rated_table(ann, bob)
        await play_on(table, 10_000, ann, bob)
        after = [row.mu for row in await when_counted(house, table)]
        assert await house.store.look(partial(rating_rows.moved, table_id=table)) == tuple(
            zip(before, after, strict=True)
        )
        shown = [(round(points(was)), round(points(now))) for was, now in zip(before, after, strict=True)]
        said = [f"{now} ({now - was:+d})".replace("-", "−") for was, now in shown]
        for _ in range(500):
            page = (await bob.get(f"/t/{table}")).text
            if all(f"</span>{one}</small>" in page for one in said):
                break
            await asyncio.sleep(0.02)
        else:
            raise AssertionError(f"not told: {said}")
        before = after


async def test_a_game_that_the_house_did_not_count_is_counted_later(ann: Person, bob: Person, house: House) -> None:
    """The house went down between the last move and the count."""
    one, _ = await known(ann, "Ann"), await known(bob, "Bob")
    table = await rated_table(ann, bob)
    await play_on(table, 10_000, ann, bob)
    first = await when_counted(house, table)

    def forget(connection: sa.Connection) -> None:
        connection.execute(sa.delete(ratings.outcomes))
        connection.execute(sa.delete(ratings.ratings))
        connection.execute(sa.update(ratings.rated).values(number=None, mu=None, sigma=None, at=None))

    await house.store.do(forget)
    assert await asyncio.gather(*[count_late(house.store, 10) for _ in range(3)]) in ([1, 1, 1], [1, 0, 0], [1, 1, 0])
    again = await rows_of(house, table)
    assert [(row.number, row.mu, row.sigma) for row in again] == [(row.number, row.mu, row.sigma) for row in first]
    assert [rating.games for rating in await house.store.look(partial(rating_rows.of, player=one))] == [1]


@pytest.mark.whole
async def test_who_is_away_at_the_end_has_lost(ann: Person, bob: Person, house: House) -> None:
    await known(ann, "Ann")
    await known(bob, "Bob")
    table = await rated_table(ann, bob, "fortune")  # a bot plays on, whose process knows no games of the tests
    await bob.do(f"tables/{table}/leave")
    await ann.refused(f"tables/{table}/end", 403, "forbidden")
    won, lost = await played_to_its_end(house, table, ann)
    assert (won.away, lost.away) == (False, True)
    assert won.mu > 25.0 > lost.mu


async def test_the_result_says_whose_hands_finished(ann: Person, bob: Person, house: House) -> None:
    """Bob bets with the king and leaves, and Ann gives up: his seat wins, his rating falls."""
    await known(ann, "Ann")
    await known(bob, "Bob")
    table = await rated_table(ann, bob)
    live = await house.table(table)
    assert live.match is not None
    live.match.state.hand[:] = [1, 2]
    await play(table, ann, "pass")
    await play(table, bob, "bet")
    await bob.do(f"tables/{table}/leave")
    await play(table, ann, "pass")
    won, lost = await when_counted(house, table)
    assert won.mu > 25.0 > lost.mu
    view = (await ann.see(table))["table"]
    assert (view["result"], view["seats"][1]["left"]) == ([0.0, 1.0], True)
    for person in (ann, bob):
        for _ in range(500):
            page = (await person.get(f"/t/{table}")).text
            if 'class="why"' in page:
                break
            await asyncio.sleep(0.02)
        result = html.unescape(re.sub(r"<[^>]*>", "", page[page.index('data-key="result"') :]))
        assert ("Your bot won" if person is bob else "Bob's bot won") in result
        assert "finished first, played to the end by a bot; a loss for the rating" in result
        assert "Bob wins" not in result
        assert "Bob's bot wins at" in html.unescape(page)  # in the preview of a link to it


async def test_who_deletes_themself_in_a_rated_game_has_lost_it_and_is_rated_no_more(
    ann: Person, bob: Person, house: House
) -> None:
    """Her clock runs as usual, a bot ends the game, and she keeps what she won."""
    await known(ann, "Ann")
    gone = await known(bob, "Bob")
    table = await rated_table(ann, bob, "fortune")
    live = await house.table(table)
    assert live.row.due is not None  # clocks run
    await bob.do("me/delete", password=SECRET)
    won, lost = await played_to_its_end(house, table, ann)
    assert (won.away, lost.away) == (False, True)
    assert won.mu > 25.0
    assert live.row.due is None
    assert lost.player != gone
    assert await house.store.look(partial(rating_rows.of, player=gone)) == []
    total, best = await house.store.look(partial(rating_rows.best, game="fortune", ruleset="", page=0))
    assert (total, [one.name for one in best]) == (1, ["Ann"])


async def test_those_who_stayed_cannot_end_a_rated_game_that_somebody_left(
    ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    """It would spare the absent player a loss, or take a win from them."""
    eve = arrive()
    for person, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        await known(person, name)
    table = await ann.make(ME, OPEN, OPEN, rated=True)
    for person in (bob, eve):
        await person.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await eve.do(f"tables/{table}/leave")
    for person in (ann, bob):
        said = await person.refused(f"tables/{table}/end", 403, "forbidden")
        assert "only if everyone who started it agrees" in said["message"]
        assert 'data-post="end"' not in (await person.get(f"/t/{table}")).text
    await eve.do("me/delete", password=SECRET)  # no more than if she were away
    await ann.refused(f"tables/{table}/end", 403, "forbidden")


async def test_all_who_began_a_rated_game_may_end_it(ann: Person, bob: Person, house: House) -> None:
    await known(ann, "Ann")
    await known(bob, "Bob")
    table = await rated_table(ann, bob)
    await bob.do(f"tables/{table}/leave")
    await bob.do(f"tables/{table}/sit")
    for person in (ann, bob):
        await person.do(f"tables/{table}/end")
    assert (await ann.see(table))["table"]["status"] == "closed"
    assert [row.number for row in await rows_of(house, table)] == [None, None]


async def test_bots_are_rated_by_their_level(ann: Person, house: House) -> None:
    one = await known(ann, "Ann")
    table = await ann.make(ME, BOT, rated=True, pace="instant")
    assert [row.player for row in await rows_of(house, table)] == [one, "bot:greedy"]
    await ann.refused(f"tables/{table}/end", 403, "forbidden")


async def test_who_may_play_and_what_can_be_rated(ann: Person, bob: Person, arrive: Callable[[], Person]) -> None:
    eve = arrive()
    await ann.refused("tables", 403, "forbidden", game="fortune", rated=True)
    await known(ann, "Ann")
    await known(eve, "Eve")
    here = {"kind": "here"}
    for body in (
        {"seats": [ME, here]},
        {"seats": [ME, OPEN], "hints": True},
        {"seats": [ME, OPEN], "options": {"target": "5000"}},
    ):
        await ann.refused("tables", 400, "bad-setup", game="fortune", rated=True, **body)
    table = await ann.make(ME, OPEN, LINK)
    await bob.refused(f"tables/{table}/rated", 403, "not-host", rated=True)
    await ann.do(f"tables/{table}/rated", rated=True)
    await ann.refused(f"tables/{table}/seats", 400, "bad-setup", seat=1, kind="here")
    error = await bob.refused(f"tables/{table}/sit", 403, "forbidden")
    assert "/me" in error["message"]
    await eve.do(f"tables/{table}/sit")
    # a seated player has seen whether the game is rated
    await ann.refused(f"tables/{table}/rated", 409, "seat-taken", rated=False)
    await ann.do(f"tables/{table}/rated", rated=True)
    await ann.do(f"tables/{table}/start", bots=True)
    assert {round(clock["left"]) for clock in (await ann.see(table))["table"]["clocks"]} == {20 * 60}


async def test_nobody_is_sat_down_at_a_rated_rematch(ann: Person, bob: Person, house: House) -> None:
    await known(ann, "Ann")
    await known(bob, "Bob")
    table = await rated_table(ann, bob)
    await play_on(table, 10_000, ann, bob)
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    seen = (await bob.see(again))["table"]
    assert (seen["rated"], seen["status"]) == (True, "waiting")
    assert sorted(seat["kind"] for seat in seen["seats"]) == ["guest", "link"]
    (invited,) = (await bob.get("/api/invitations")).json()["invitations"]
    await bob.do(f"tables/{again}/sit", token=invited["token"])
    await ann.do(f"tables/{again}/start")
    assert len(await rows_of(house, again)) == 2
    replay = await ann.do(f"tables/{table}/play-on", step=0)
    assert (await ann.see(replay["id"]))["table"]["rated"] is False


async def test_who_is_deleted_leaves_the_best_and_what_others_have_stays(
    ann: Person, bob: Person, house: House
) -> None:
    one, other = await known(ann, "Ann"), await known(bob, "Bob")
    table = await rated_table(ann, bob)
    await play_on(table, 10_000, ann, bob)
    await when_counted(house, table)
    total, best = await house.store.look(partial(rating_rows.best, game="kuhn", ruleset="", page=0))
    assert (total, {one.name for one in best}) == (2, {"Ann", "Bob"})
    under_way = await rated_table(ann, bob)
    before = await house.store.look(partial(rating_rows.of, player=other))
    await ann.do("me/delete", password=SECRET)
    total, best = await house.store.look(partial(rating_rows.best, game="kuhn", ruleset="", page=0))
    assert (total, [one.name for one in best]) == (1, ["Bob"])
    assert await house.store.look(partial(rating_rows.of, player=other)) == before
    assert await house.store.look(partial(rating_rows.of, player=one)) == []
    names = [row.player for row in await rows_of(house, under_way)]
    assert one not in names
    assert all(one not in row.player for row in await rows_of(house, table))
    assert (await guest_of(bob)).id == other


# Several processes ---------------------------------------------------------------------------------------
@pytest.mark.service
async def test_two_processes_count_the_same_games_once_and_in_one_order(database: str) -> None:
    """Each counts all of them at the same time; the numbers are the same as when counted one after the other."""
    stores = Store(database), Store(database)
    for store in stores:
        await store.open()
    people = [f"person {i}" for i in range(6)]
    games = [(number, people[number % 6], people[(number + 1 + number // 6 % 3) % 6]) for number in range(30)]
    rows = {number: table_row(number) for number, _, _ in games}
    for number, one, other in games:
        seats = [SeatRow(rows[number].id, i, "guest", who) for i, who in enumerate((one, other))]
        await stores[0].do(partial(queries.create, table=rows[number], seats=seats, steps=[]))

    async def keep(store: Store, number: int) -> bool:
        outcomes = [Outcome(1.0, 1), Outcome(0.0, 0)]
        while True:
            try:
                await store.do(partial(stored.keep_outcomes, table_id=rows[number].id, outcomes=outcomes))
            except Conflict:
                return False
            except StoreFailed:  # on a busy machine sixty writers wait longer for each other than a house lets them
                continue
            return True

    done = await asyncio.gather(*[keep(store, number) for number, _, _ in games for store in stores])
    assert sum(done) == len(games)

    def read(connection: sa.Connection) -> tuple[list[Any], dict[str, Any]]:
        c = ratings.rated.c
        order = connection.execute(sa.select(c.number, c.player).order_by(c.number, c.seat)).all()
        kept = connection.execute(sa.select(ratings.ratings)).all()
        return list(order), {row.player: (row.mu, row.sigma, row.games) for row in kept}

    order, kept = await stores[1].look(read)
    assert [row.number for row in order] == [number for number in range(1, len(games) + 1) for _ in range(2)]
    played = [
        ([one.player, other.player], [1.0, 0.0], [False] * 2) for one, other in zip(*[iter(order)] * 2, strict=True)
    ]
    expected = replayed(played)
    assert {player: pytest.approx(values) for player, values in expected.items()} == kept
    total, best = await stores[0].look(partial(rating_rows.best, game="fortune", ruleset="", page=0))
    assert (total, best) == (0, [])  # none of them has an account
    for store in stores:
        await store.close()


# What pages say ------------------------------------------------------------------------------------------
async def test_the_pages_say_how_strong_somebody_is(ann: Person, bob: Person, house: House) -> None:
    await known(ann, "Ann")
    await known(bob, "Bob")
    nobody = (await ann.get("/best/kuhn")).text
    assert "No person is rated yet." in nobody
    assert '<ol class="climb placed">' in nobody  # the bots are in the place of people
    assert 'id="bots-title"' not in nobody
    assert 'id="ratings-title">' not in (await bob.get("/me")).text
    table = await rated_table(ann, bob)
    await play_on(table, 10_000, ann, bob)
    rows = await when_counted(house, table)
    best = (await bob.get("/best/kuhn")).text
    first, second = ("Ann", "Bob") if rows[0].mu > rows[1].mu else ("Bob", "Ann")
    assert best.index(f'href="/p/{first}"') < best.index(f'href="/p/{second}"')
    assert "The podium opens with three established ratings." in best
    assert re.findall(r"<tr[^>]*><td>(.*?)</td><th.*?<a href=\"/p/(\w+)", best) == [("1", first), ("2", second)]
    people, _, bots = best.partition('id="bots-title"')
    assert people.count('<svg class="avatar"') == 2
    assert bots  # beside them, though the arena has not measured this game
    for path in ("/me", "/p/Ann"):
        page = (await ann.get(path)).text
        assert f'<span class="value">{points(rows[0].mu):.0f}</span>' in page
        assert "provisional" in page
        assert '<a href="/best/kuhn">' in page
    assert "Create one" not in best
    assert (await ann.get("/best/kuhn?page=2")).is_success  # beyond the last page: empty
    assert (await ann.get("/best/none")).status_code == 404
    assert (await ann.get("/best/kuhn?ruleset=none")).status_code == 404
    assert 'href="/best/fortune"' in (await ann.get("/rules/fortune")).text


async def test_established_ratings_have_the_podium_and_the_places_go_on(
    arrive: Callable[[], Person], house: House
) -> None:
    def rate(connection: sa.Connection) -> None:
        for i in range(6):
            there = {"id": f"p{i}", "created": 0.0}
            connection.execute(sa.insert(accounts.guests).values(name=f"Player {i}", **there))
            connection.execute(sa.insert(accounts.people).values(likeness=f"player{i}", password="", **there))
            values = {"player": f"p{i}", "mu": 40.0 - i, "sigma": 1.0 + i, "games": 20, "sure": i < 4}
            connection.execute(sa.insert(ratings.ratings).values(game="kuhn", ruleset="", **values))

    await house.store.do(rate)
    best = (await arrive().get("/best/kuhn")).text
    steps = best[best.index('class="up"') : best.index("</ol>")]
    assert re.findall(r'<li class="p(.)">.*?<bdi>(.*?)</bdi>', steps) == [
        ("1", "Player 0"), ("2", "Player 1"), ("3", "Player 2"),
    ]  # fmt: skip
    assert re.findall(r"<tr><td>(.*?)</td>", best) == ["4", "5", "6"]
    assert "The podium opens" not in best


def test_the_best_are_paged_and_the_sure_come_first() -> None:
    engine = sa.create_engine("sqlite://")
    number = 2 * rating_rows.PAGE + 5
    with engine.begin() as connection:
        metadata.create_all(connection)
        rng = random.Random(7)
        for i in range(number + 2):
            player = f"p{i}" if i < number else f"bot:{i}"
            values = {"player": player, "mu": rng.gauss(25, 5), "sigma": 3.0, "games": 1, "sure": i % 3 > 0}
            connection.execute(sa.insert(ratings.ratings).values(game="one", ruleset="", **values))
            if i < number:
                connection.execute(sa.insert(accounts.guests).values(id=player, name=player, created=0.0))
                connection.execute(
                    sa.insert(accounts.people).values(id=player, likeness=player, password="", created=0.0)
                )
        levels = rating_rows.bots_in(connection, "one", "")
        found_on = [rating_rows.best(connection, "one", "", page) for page in range(4)]
        plan = " ".join(
            str(row)
            for row in connection.exec_driver_sql(
                "EXPLAIN QUERY PLAN SELECT * FROM ratings WHERE game = 'one' AND ruleset = '' "
                "ORDER BY sure DESC, mu DESC LIMIT 50"
            )
        )
    assert [(total, len(rows)) for total, rows in found_on] == [(number, 50), (number, 50), (number, 5), (number, 0)]
    found = [one for _, rows in found_on for one in rows]
    assert found == sorted(found, key=lambda one: (-one.sure, -one.mu))
    assert {one.player for one in levels} == {f"bot:{number}", f"bot:{number + 1}"}, "bots have no rank"
    assert "ratings_by_strength" in plan
    assert "TEMP B-TREE" not in plan


@given(st.integers(1, pages.CHARTED - 1), st.floats(0, 50), st.floats(0.5, 25 / 3))
def test_a_rating_after_few_games_has_its_interval_and_no_graph(games: int, mu: float, sigma: float) -> None:
    points = [rating_rows.Point(str(i), mu, sigma, float(i)) for i in range(games)]
    drawn = pages.shown(rating_rows.Rating("fortune", "", "x", mu, sigma, games, sure=False), points)
    assert (drawn.line, drawn.band) == ("", "")
    assert drawn.few is not None
    assert 0 <= drawn.few.low <= drawn.few.at <= drawn.few.high <= 100
    assert (drawn.few.played, drawn.few.left) == (games, pages.CHARTED - games)
    assert f"between {drawn.low} and {drawn.high}" in drawn.words


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(0.5, 25 / 3)), min_size=pages.CHARTED, max_size=30))
def test_the_picture_of_a_rating_holds_the_line_in_its_band(course: list[tuple[float, float]]) -> None:
    points = [rating_rows.Point(str(i), mu, sigma, float(i)) for i, (mu, sigma) in enumerate(course)]
    mu, sigma = course[-1]
    drawn = pages.shown(rating_rows.Rating("fortune", "", "x", mu, sigma, len(course), sure=False), points)
    line = [tuple(map(float, one.split(","))) for one in drawn.line.split()]
    band = [tuple(map(float, one.split(","))) for one in drawn.band.split()]
    upper, lower = band[: len(line)], band[: len(line) - 1 : -1]
    for (x, y), (above_x, above), (below_x, below) in zip(line, upper, lower, strict=True):
        assert x == above_x == below_x
        assert 0 <= above <= y <= below <= pages.HEIGHT
        assert 0 <= x <= 100
    assert (line[0][0], line[-1][0]) == (0, 100)


async def test_names_lead_to_pages_and_a_guests_former_name_does_not(ann: Person, bob: Person) -> None:
    """Ann plays as a guest, and claims another name; Bob claims his own."""

    async def linked(table: str) -> list[str]:
        return [seat["page"] for seat in (await bob.see(table))["table"]["seats"]]

    table = await ann.make(ME, OPEN, game="kuhn", pace="instant")
    await bob.do(f"tables/{table}/sit")
    assert await linked(table) == ["", ""]
    await known(bob, "Bob")
    assert await linked(table) == ["", "/p/Bob"]
    page = (await ann.get(f"/t/{table}")).text
    assert page.count('<a href="/p/Bob"><bdi>Bob</bdi></a>') == 2  # the waiting room, the tab Table
    await ann.do(f"tables/{table}/start")
    await play_on(table, 10_000, ann, bob)
    await known(ann, "Cleo")
    assert await linked(table) == ["", "/p/Bob"]  # nothing reveals that she was Ann
    assert "Cleo" not in (await bob.get(f"/t/{table}")).text
    await bob.do("me", name="Robert")  # the game says Bob, a name that another may have now
    assert await linked(table) == ["", ""]
