"""Clocks at a table: what runs, what a decision costs, what happens when time is up, and what a restart gives back."""

from __future__ import annotations

import asyncio
import contextlib
import html
import re
import sqlite3
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.cli.app import run
from parlour.core.replay import verify
from parlour.games import find
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.settings import Settings
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import DAY, LAG
from parlour.house.table.storage import schema as storage
from tests.house.forging import ROYALE_SEATS, forge_here, royale
from tests.house.people import BOT, ME, OPEN, Person, guest_of, time_is_over, turn, two_at_table

OWN, WANTS, MORE = "1 oil 1 shrimp", "2 gold", "1 crypto 1 currency"  # hands; two gold lead to a question
LIVE = {"bank": 60.0, "increment": 10.0}
SLOW = {"delay": DAY}
Later = Callable[[float], Awaitable[None]]
SOON = 60.0  # seconds; a bot’s first move starts a process, which takes its time on a busy machine


@pytest.fixture
def later(house: House) -> Later:
    """Return a function that lets time pass for the clocks. (If the house's time jumped, it would give it back.)"""

    async def pass_on(seconds: float) -> None:
        c = storage.tables.c
        went = sa.update(storage.tables).where(c.due.is_not(None)).values(due=c.due - seconds, began=c.began - seconds)
        async with house.store.write() as connection:
            await connection.execute(went)
        for table in house.tables.values():
            table.doubtful = True

    return pass_on


async def until(fact: Callable[[], Any]) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(SOON):
        while not fact():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def log(person: Person, table: str) -> str:
    """Return the text of a table's page, with its log."""
    return html.unescape(re.sub(r"<[^>]*>", "", (await person.get(f"/t/{table}")).text))


async def clocks(person: Person, table: str) -> dict[int, tuple[float, float]]:
    """Return what each seat has left, and when the running clock will be up."""
    seen = await person.see(table)
    return {one["seat"]: (one["left"], one["until"]) for one in seen["table"]["clocks"]}


async def choice(table: Table) -> None:
    """Wait until the next decision has several moves."""
    assert table.match is not None
    assert len(table.match.legal_action_ids()) > 1


async def decide(table: str, *people: Person, thought: float | None = None) -> Person:
    """Make the first legal move as the player whose turn it is; return them."""
    person, seen = await turn(table, *people)
    more = {} if thought is None else {"thought": thought}
    await person.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"], **more)
    return person


async def test_a_decision_costs_its_time_and_gains_the_increment(
    ann: Person, bob: Person, house: House, later: Later
) -> None:
    table = await two_at_table(ann, bob, tempo=LIVE)
    before = await clocks(ann, table)
    person, seen = await turn(table, ann, bob)
    mine = int(seen["table"]["my_seat"])
    assert {seat: left for seat, (left, _) in before.items()} == {0: 60, 1: 60}
    assert before[mine][1] == pytest.approx(time.time() + 60, abs=SOON)
    assert before[1 - mine][1] == 0
    live = await house.table(table)
    await choice(live)
    await later(20)
    moves = [move for move in seen["legal"] if move != "stop"] or seen["legal"]
    with house.presence.listening(live, (await guest_of(person)).id):
        await person.do(f"tables/{table}/moves", move=moves[0], version=seen["table"]["version"], thought=19.5)
    left = (await clocks(ann, table))[mine][0]
    assert 60 - 20 + 10 - 1 < left <= 60 - 19.5 + 10  # the page showed the position half a second later
    assert seen["table"]["tempo"] == "1 min each, 10 s more a decision"


@pytest.mark.parametrize(
    ("page", "thought", "cost"),
    [(True, None, 20.0), (True, 0.0, 20.0 - LAG), (True, 19.0, 19.0), (True, 1e6, 20.0), (False, 0.0, 20.0)],
)
async def test_an_open_page_is_given_back_its_delay_up_to_the_budget(
    ann: Person, bob: Person, house: House, later: Later, page: bool, thought: float | None, cost: float
) -> None:
    table = await two_at_table(ann, bob, tempo=LIVE)
    begun = time.monotonic()
    live = await house.table(table)
    await choice(live)
    person, seen = await turn(table, ann, bob)
    with contextlib.ExitStack() as pages:
        if page:
            pages.enter_context(house.presence.listening(live, (await guest_of(person)).id))
        await later(20)
        await decide(table, ann, bob, thought=thought)
    seat = seen["table"]["my_seat"]
    took = time.monotonic() - begun  # on a busy machine a second and more, for which their clock ran
    assert 70 - cost - took - 0.1 <= (await clocks(ann, table))[seat][0] <= 70 - cost + 1


async def test_claimed_delay_never_keeps_a_clock_from_running_out(
    ann: Person, bob: Person, house: House, later: Later
) -> None:
    """Both claim at many quick decisions that their page had only just shown the position."""
    each, bank, spent = 2.9, 6.0, {0: 0.0, 1: 0.0}
    table = await two_at_table(ann, bob, tempo={"bank": bank})
    live = await house.table(table)
    with contextlib.ExitStack() as pages:
        for person in (ann, bob):
            pages.enter_context(house.presence.listening(live, (await guest_of(person)).id))
        while True:
            person, seen = await turn(table, ann, bob)
            seat, version = int(seen["table"]["my_seat"]), seen["table"]["version"]
            assert spent[seat] <= bank + each, "the clock is empty, and never falls"
            await later(each)
            async with house.hold(table):
                late = (live.row.due or 0) <= time.time()
            if late:
                break
            await person.do(f"tables/{table}/moves", move=seen["legal"][0], version=version, thought=0)
            spent[seat] += each if len(seen["legal"]) > 1 else 0.0
        await until(lambda: live.seats[seat].kind == "bot")


async def test_time_is_up_a_bot_plays_on_and_the_log_says_so_until_they_are_back(
    ann: Person, bob: Person, house: House, later: Later
) -> None:
    table = await two_at_table(ann, bob, tempo=LIVE)
    live = await house.table(table)
    late, seen = await turn(table, ann, bob)
    other, seat = (bob if late is ann else ann), int(seen["table"]["my_seat"])
    name = (await guest_of(late)).name
    await later(60 + LAG - 1)
    await asyncio.sleep(1.2 - 0.7)  # more than a beat: it is not up yet
    assert live.seats[seat].kind == "guest"
    await later(1.5)
    await until(lambda: live.seats[seat].kind == "bot")
    assert f"{name} is out of time; a bot plays on" in await log(other, table)
    await until(lambda: other_decides(live, seat))
    assert seat not in await clocks(other, table)
    await late.do(f"tables/{table}/sit")
    assert f"{name} is back" in await log(other, table)
    assert (await clocks(other, table))[seat][0] == pytest.approx(60, abs=1)  # the whole bank of a minute
    house.forget(live)  # as after a restart: the same from the journal
    assert (await clocks(other, table))[seat][0] == pytest.approx(60, abs=1)
    assert f"{name} is out of time" in await log(other, table)
    assert (await house.table(table)).history.standing() == live.history.standing()


def other_decides(live: Table, seat: int) -> bool:
    """Return whether it is another player's turn."""
    assert live.match is not None
    return live.match.over or (live.match.current_player != seat and live.questions.open is None)


async def test_a_move_meant_for_the_position_holds_although_somebody_left_meanwhile(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    person, seen = await turn(table, ann, bob)
    other = bob if person is ann else ann
    await other.do(f"tables/{table}/leave")
    await other.do(f"tables/{table}/sit")
    await other.do(f"tables/{table}/sit")  # repeating it does no harm
    after = await person.see(table)
    assert after["table"]["version"] == seen["table"]["version"] + 2  # the log has two lines more
    await person.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])


async def test_the_record_of_a_game_with_absences_and_takings_back_is_that_of_the_game(
    ann: Person, bob: Person, house: House
) -> None:
    table = await two_at_table(ann, bob, tempo=LIVE)
    live = await house.table(table)
    for i in range(400):
        if live.over:
            break
        person, _ = await turn(table, ann, bob)
        if i % 5 == 2:
            other = bob if person is ann else ann
            await other.do(f"tables/{table}/leave")
            await other.do(f"tables/{table}/sit")
        await decide(table, ann, bob)
        last = (await person.see(table))["scene"]
        if i % 7 == 3 and last["undo"]:
            await person.do(f"tables/{table}/undo", version=(await person.see(table))["table"]["version"])
    assert live.over
    assert len(live.history) > len(live.history.standing())
    verify(await ann.record(table), find)
    assert live.row.due is None


async def test_nobody_waits_when_everybody_is_away_and_nobody_looks(
    ann: Person, bob: Person, house: House, later: Later
) -> None:
    table = await two_at_table(ann, bob, tempo=SLOW)
    live = await house.table(table)
    for _ in range(2):
        await until(lambda: live.row.began)  # it is a person's turn
        await later(DAY + 1)
        kinds = [seat.kind for seat in live.seats]
        await until(lambda kinds=kinds: [seat.kind for seat in live.seats] != kinds)
    async with asyncio.timeout(60):
        while not live.over:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert live.row.due is None


async def test_a_house_that_was_down_gives_back_the_time(
    ann: Person, bob: Person, house: House, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await two_at_table(ann, bob, tempo=LIVE)
    before = await clocks(ann, table)
    seat = next(seat for seat, (_, end) in before.items() if end)
    await until(lambda: alive(house) > time.time() - 1)
    await house.close()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3600)  # no process was open
    other = await House.open(settings, JOBS)
    try:
        await until(lambda: alive(house) > time.time() - 1)
        async with other.hold(table) as live:
            assert (live.row.due or 0) - LAG == pytest.approx(before[seat][1] + 3600, abs=1)
            assert live.seats[seat].kind == "guest"
    finally:
        await other.close()


def alive(house: House) -> float:
    """Return when the house last stored that it was running."""
    with contextlib.closing(sqlite3.connect(house.store.url.database or "")) as connection:
        found = connection.execute("SELECT value FROM settings WHERE key = 'alive'").fetchone()
    return float(found[0]) if found else 0.0


async def test_ft_26_no_clock_runs_while_somebody_may_be_asked(ann: Person, bob: Person, house: House) -> None:
    """With or without a question, and with any answer, everyone sees the same clocks."""
    states = []
    for hand in (WANTS, MORE):
        made = await ann.do("tables", **ROYALE_SEATS, seats=[ME, OPEN], tempo=LIVE)
        await bob.do(f"tables/{made['id']}/sit")
        await ann.do(f"tables/{made['id']}/start")
        live = await forge_here(house, made["id"], royale(OWN, hand))
        version = (await ann.see(made["id"]))["table"]["version"]
        await ann.do(f"tables/{made['id']}/moves", move="discard gold", version=version)
        assert live.questions.open is not None
        assert bool((await bob.see(made["id"]))["legal"]) == (hand == WANTS)
        seen = [await clocks(person, made["id"]) for person in (ann, bob)]
        assert all(end == 0 for seats in seen for _, end in seats.values())
        states.append([[seats.keys() for seats in seen], live.row.began, live.row.used])
        await time_is_over(live)
        assert live.row.began == pytest.approx(time.time(), abs=SOON)  # and then a player's turn begins
    assert states[0] == states[1]


async def test_a_bot_has_no_clock_and_a_table_without_a_tempo_has_none(ann: Person, house: House) -> None:
    table = await ann.make(ME, BOT, tempo=LIVE)
    assert set(await clocks(ann, table)) == {0}
    plain = await ann.make(ME, BOT)
    assert await clocks(ann, plain) == {}
    assert (await house.table(plain)).row.due is None
    seen = await ann.see(plain)
    assert seen["table"]["tempo"] == ""
    await ann.refused("tables", 400, "bad-input", game="fortune", tempo={"bank": 1})


async def test_the_house_tells_how_long_people_thought_in_games_that_ended(
    ann: Person, bob: Person, house: House, later: Later, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    async def times(*arguments: str) -> str:
        assert await asyncio.to_thread(run, ["house", "times", "--database", settings.database, *arguments]) == 0
        return capsys.readouterr().out

    async def ends(table: str) -> None:
        """Mark a game as finished."""
        async with house.store.write() as connection:
            change = sa.update(storage.tables).where(storage.tables.c.id == table)
            await connection.execute(change.values(status="over"))

    table = await two_at_table(ann, bob, tempo={"bank": 900.0})
    for _ in range(2):
        await choice(await house.table(table))
        await later(90)
        await decide(table, ann, bob)
    assert await times() == "No game between people with a clock has finished here yet.\n"
    async with house.store.read() as connection:
        thought = sa.select(storage.steps.c.took).where(storage.steps.c.took > 0)
        found = (await connection.execute(thought)).scalars().all()
    assert len(found) == 2
    await ends(table)
    row = (await times()).rstrip().splitlines()[-1].split()
    assert row == ["fortune", "2", "1", "2", f"{sum(found) / 2:.1f}", f"{sum(found) / 60:.1f}"]
    assert "No game" in await times("--longest", "60"), "a player was away"
    await ends(await ann.make(ME, BOT, tempo={"bank": 900.0}))
    assert (await times()).rstrip().splitlines()[-1].split() == row, "a game with a bot is not counted"
