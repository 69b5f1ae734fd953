"""Several holidays of one player, and those that a guest brings along when signing in; on both kinds of database."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.storage import queries, single, timekeeping
from parlour.house.table.storage.rows import Rest
from tests.house.clock import Clock, Pass, by_hand
from tests.house.people import ME, OPEN, Person, guest_of, turn

HOUR, DAY, SECRET = 3600.0, 86400.0, "correct horse"
POST: dict[str, Any] = {"tempo": {"delay": 3 * DAY}}
Arrive = Callable[[], Person]


SUITE = pytest.mark.suite("sqlite*")  # both: the tests of one transaction for a guest and a person


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def settings(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    return settings if request.param == "sqlite" else replace(settings, database=request.getfixturevalue("database"))


@pytest.fixture
async def app(settings: Settings, create: Callable[[Settings], Litestar], clock: Clock) -> AsyncIterator[Litestar]:  # noqa: ARG001
    async with by_hand(create(settings)) as made:
        yield made


async def decided_by(late: Person, other: Person, **body: Any) -> str:
    """Start a game in which it is the first person's turn, in seat 0; return its table."""
    table = await late.make(ME, OPEN, **body)
    await other.do(f"tables/{table}/sit")
    while (found := await turn(table, late, other))[0] is other:
        seen = found[1]
        move = "stop" if "stop" in seen["legal"] else seen["legal"][0]
        await other.do(f"tables/{table}/moves", move=move, version=seen["table"]["version"])
    return table


async def absent(person: Person, table: str) -> list[int]:
    return list((await person.see(table))["table"]["absent"])


async def until_of(person: Person, table: str) -> float:
    """Return when the clock of seat 0 will be up, as the pages show it."""
    clocks = (await person.see(table))["table"]["clocks"]
    return float(next(one["until"] for one in clocks if one["seat"] == 0))


async def due_of(house: House, table: str) -> float:
    """Return when the house will check whether the running clock is up."""
    return float((await house.store.load(table)).table.due or 0)


async def read_again(house: House, table: str) -> None:
    """Let the house read a table again from the database."""
    house.forget(await house.table(table))
    await house.table(table)


async def holidays_of(house: House, person: Person) -> list[Rest]:
    return await house.store.look(partial(timekeeping.holidays, guest=(await guest_of(person)).id))


async def count(house: House, load: Any, table: str) -> tuple[int, Any]:
    """Load a table; return how many statements that took, and what was loaded."""

    def counted(connection: sa.Connection) -> tuple[int, Any]:
        asked: list[str] = []

        def note(*found: Any) -> None:
            asked.append(found[2])

        sa.event.listen(connection, "before_cursor_execute", note)
        try:
            loaded = load(connection, table, 0, 0)
        finally:
            sa.event.remove(connection, "before_cursor_execute", note)
        return len(asked), loaded

    return await house.store.look(counted)


# Several holidays ---------------------------------------------------------------------------------------
@SUITE
async def test_all_holidays_since_the_last_move_are_no_waiting(
    ann: Person, bob: Person, house: House, later: Pass
) -> None:
    await ann.do("me/holiday", until=time.time() + DAY)  # one is over before the table is created
    await later(2 * DAY)
    await ann.do("me/holiday", until=time.time() + 2 * DAY)
    await later(DAY)
    table = await decided_by(ann, bob, absent=int(3 * DAY))  # and one has begun
    await later(DAY + HOUR)  # waited: 1 h
    await ann.do("me/holiday", until=time.time() + 2 * DAY)
    await later(DAY)
    await ann.do("me/holiday")  # it ends early
    await later(DAY)  # waited: 1 day and 1 h
    await ann.do("me/holiday", since=time.time() + DAY, until=time.time() + 4 * DAY)
    assert len((await house.store.load(table)).seats[0].rests) == 3
    await later(4 * DAY + 22 * HOUR)  # waited: 2 days and 23 h
    assert await absent(bob, table) == []
    await bob.refused(f"tables/{table}/absent", 409, "still-here", seat=0)
    await later(2 * HOUR)
    assert await absent(bob, table) == [0]
    await read_again(house, table)
    await later(HOUR)
    assert await absent(bob, table) == [0]


@SUITE
async def test_where_nobody_was_on_holiday_a_table_needs_no_more_statements(
    ann: Person, bob: Person, house: House
) -> None:
    table = await decided_by(ann, bob, absent=int(DAY))
    before, _ = await count(house, queries.load, table)
    await ann.do("me/holiday", until=time.time() + DAY)
    after, loaded = await count(house, queries.load, table)
    assert after == before + 1
    assert loaded.seats[0].rests == (loaded.seats[0].rest,)
    assert loaded.seats[1].rests == ()
    if not house.store.sqlite:
        asked, alike = await count(house, single.load, table)
        assert asked == 1
        assert [seat.rests for seat in alike.seats] == [seat.rests for seat in loaded.seats]
    async with house.store.change(table) as change:
        assert [seat.rests for seat in change.seats] == [seat.rests for seat in loaded.seats]


# Signing in ---------------------------------------------------------------------------------------------
@pytest.fixture
async def carl(arrive: Arrive) -> Person:
    person = arrive()
    await person.do("me/claim", name=f"Carl {secrets.token_hex(3)}", password=SECRET)  # tests share a database
    return person


async def sign_in(guest: Person, person: Person) -> None:
    """Sign a guest in as this person, with their data."""
    await guest.do("me/sign-in", name=(await guest_of(person)).name, password=SECRET, bring=True)


async def test_a_persons_own_holiday_goes_on_where_a_guest_took_one_within_it(
    ann: Person, bob: Person, carl: Person, house: House, later: Pass
) -> None:
    own, brought = await decided_by(carl, bob, **POST), await decided_by(ann, bob, **POST)
    start = time.time()
    await carl.do("me/holiday", until=start + 9 * DAY)
    await later(DAY)
    await ann.do("me/holiday", until=start + 5 * DAY)
    await later(DAY)
    await sign_in(ann, carl)
    assert await holidays_of(house, ann) == [Rest(pytest.approx(start, abs=5), pytest.approx(start + 9 * DAY, abs=5))]
    assert (await bob.see(own))["table"]["seats"][0]["rest"]
    for table, end in ((own, start + 12 * DAY), (brought, start + 11 * DAY)):  # the guest's had run for a day
        assert await until_of(bob, table) == pytest.approx(end, abs=5)
        assert await due_of(house, table) == pytest.approx(end, abs=5)
    await carl.do("me/holiday")  # they can end it, and the clock runs on
    assert await until_of(bob, own) == pytest.approx(start + 5 * DAY, abs=5)


@pytest.mark.parametrize("ended", ["neither", "the person's", "the guest's"])
@pytest.mark.suite("sqlite-*", "postgresql-neither")
async def test_a_guest_signs_in_whose_holiday_began_at_the_same_moment(
    ann: Person, carl: Person, house: House, later: Pass, ended: str
) -> None:
    since = time.time() + DAY
    for person in (ann, carl):
        await person.do("me/holiday", since=since, until=since + 7 * DAY)
    await later(2 * DAY)
    if ended != "neither":
        await (ann if ended == "the guest's" else carl).do("me/holiday")
    await later(DAY)
    await sign_in(ann, carl)
    days = 2 if ended == "the person's" else 7  # what is left of the guest's at sign-in; or of the person's own
    assert await holidays_of(house, carl) == [Rest(since, pytest.approx(since + days * DAY, abs=5))]


@SUITE
async def test_a_clock_keeps_what_a_holiday_gave_it_when_a_guest_brings_a_later_one(
    ann: Person, bob: Person, carl: Person, house: House, later: Pass
) -> None:
    table = await decided_by(carl, bob, tempo={"delay": 7 * DAY})
    start = time.time()
    await carl.do("me/holiday", until=start + 2 * DAY)
    await later(3 * DAY)
    await ann.do("me/holiday", until=start + 9 * DAY)
    await later(DAY)
    assert await until_of(bob, table) == pytest.approx(start + 9 * DAY, abs=5)
    await sign_in(ann, carl)
    assert len(await holidays_of(house, carl)) == 2, "days that were used stay used"
    assert await until_of(bob, table) == pytest.approx(start + 9 * DAY, abs=5)
    assert await due_of(house, table) == pytest.approx(start + 9 * DAY, abs=5)
    assert house.tables[table].row == (await house.store.load(table)).table, "the house knows the clock as it is"


@SUITE
async def test_days_of_two_holidays_that_overlap_count_once_for_who_waits(
    ann: Person, bob: Person, carl: Person, house: House, later: Pass
) -> None:
    table = await decided_by(carl, bob, absent=int(3 * DAY))
    start = time.time()
    await carl.do("me/holiday", until=start + 3 * DAY)
    await later(2 * DAY)
    await ann.do("me/holiday", until=start + 9 * DAY)
    await later(2 * DAY)
    await sign_in(ann, carl)  # four days are covered, of them one twice
    assert len(await holidays_of(house, carl)) == 2
    await read_again(house, table)
    await later(2 * DAY + 23 * HOUR)
    assert await absent(bob, table) == []
    await later(2 * HOUR)
    assert await absent(bob, table) == [0]
