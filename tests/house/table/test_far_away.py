"""Two people who are never there at the same time: each flow between them runs to its end, hours apart, by a fake
clock. No page is open; the house checks its clocks only when the test says so."""

from __future__ import annotations

import asyncio
import io
import re
import time
import zipfile
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.core.html import moment
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.social import rows as social_rows
from parlour.house.table.live import looking
from parlour.house.table.live.showing import QUIET, log_to
from parlour.house.table.play.holidays import DAYS
from parlour.house.table.storage import schema as storage
from tests.house.clock import Clock, Pass, by_hand
from tests.house.people import LINK, ME, OPEN, Person, guest_of, turn

HOUR, DAY = 3600.0, 86400.0
POST: dict[str, Any] = {"tempo": {"delay": DAY}}
RATED: dict[str, Any] = {**POST, "rated": True}


@pytest.fixture
async def app(settings: Settings, create: Callable[[Settings], Litestar], clock: Clock) -> AsyncIterator[Litestar]:  # noqa: ARG001
    async with by_hand(create(settings)) as made:
        yield made


@pytest.fixture
async def _names(ann: Person, bob: Person) -> None:
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        await person.do("me/claim", name=name, password="correct horse")


async def status(person: Person, table: str) -> str:
    return str((await person.see(table))["table"]["status"])


async def begun(ann: Person, bob: Person, **body: Any) -> str:
    """Start a game by post between them; return its id."""
    table = await ann.make(ME, OPEN, **(body or POST))
    await bob.do(f"tables/{table}/sit")
    return table


async def invited(person: Person) -> Any:
    (one,) = (await person.get("/api/invitations")).json()["invitations"]
    return one


# A game begins ------------------------------------------------------------------------------------------
async def plays(table: str, ann: Person, bob: Person, later: Pass) -> None:
    """Play some turns, hours apart, from a moment when both are away."""
    await later(5 * HOUR)
    assert await status(ann, table) == "playing"
    for _ in range(3):
        person, seen = await turn(table, ann, bob)
        await person.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])
        await later(5 * HOUR)
    assert not any(seat["left"] for seat in (await ann.see(table))["table"]["seats"])


@pytest.mark.parametrize("body", [POST, RATED, {"absent": int(DAY)}], ids=["post", "rated", "no clock"])
@pytest.mark.usefixtures("_names")
async def test_an_invitation_is_accepted_while_the_host_is_away(
    ann: Person, bob: Person, later: Pass, body: dict[str, Any]
) -> None:
    table = await ann.make(ME, {**LINK, "invite": "Bob"}, **body)
    await later(7 * HOUR)
    await bob.do(f"tables/{table}/sit", token=(await invited(bob))["token"])
    await plays(table, ann, bob, later)


@pytest.mark.parametrize("seat", [OPEN, LINK], ids=["open", "link"])
async def test_a_seat_is_taken_while_the_host_is_away(
    ann: Person, bob: Person, later: Pass, seat: dict[str, str]
) -> None:
    table = await ann.make(ME, seat, **POST)
    link = (await ann.see(table))["table"]["seats"][1]["invite"]
    await later(7 * HOUR)
    await bob.do(f"tables/{table}/sit", token=link.rpartition("/")[2])
    await plays(table, ann, bob, later)


async def test_a_game_by_post_waits_for_every_seat(
    ann: Person, bob: Person, arrive: Callable[[], Person], later: Pass
) -> None:
    table, carol = await ann.make(ME, OPEN, OPEN, **POST), arrive()
    await later(HOUR)
    await bob.do(f"tables/{table}/sit")
    assert "The game begins when the last seat is taken." in (await bob.get(f"/t/{table}")).text
    assert await status(bob, table) == "waiting"
    await later(HOUR)
    await carol.do(f"tables/{table}/sit")
    assert await status(carol, table) == "playing"


@pytest.mark.parametrize("body", [{**POST, "wait": True}, {"tempo": {"bank": 600}}, {}], ids=["held", "live", "none"])
async def test_a_host_who_wants_to_be_there_starts_the_game(
    ann: Person, bob: Person, later: Pass, body: dict[str, Any]
) -> None:
    table = await ann.make(ME, OPEN, **body)
    await later(HOUR)
    await bob.do(f"tables/{table}/sit")
    assert await status(bob, table) == "waiting"
    await later(HOUR)
    await ann.do(f"tables/{table}/start")
    assert await status(ann, table) == "playing"


async def test_a_rematch_begins_when_the_last_has_accepted(ann: Person, bob: Person, later: Pass) -> None:
    table = await begun(ann, bob)
    await ann.do(f"tables/{table}/end")
    await later(9 * HOUR)
    await bob.do(f"tables/{table}/end")
    await later(9 * HOUR)
    made = (await ann.do(f"tables/{table}/rematch"))["id"]
    await later(9 * HOUR)
    assert (await bob.do(f"tables/{table}/rematch"))["id"] == made
    await plays(made, ann, bob, later)


async def test_who_declines_is_read_later(ann: Person, bob: Person, later: Pass) -> None:
    table = await begun(ann, bob)
    for person in (ann, bob):
        await person.do(f"tables/{table}/end")
        await later(HOUR)
    made = (await ann.do(f"tables/{table}/rematch"))["id"]
    await later(9 * HOUR)
    await bob.do(f"tables/{made}/decline")
    declined = time.time()
    await later(9 * HOUR)
    (line,) = (await ann.see(made))["table"]["chat"]
    assert line["name"] == (await guest_of(bob)).name
    assert line["at"] == declined // 60 * 60
    assert not (await bob.get("/api/invitations")).json()["invitations"]


# What they agree on -------------------------------------------------------------------------------------
async def test_a_vote_is_agreed_to_hours_later(ann: Person, bob: Person, later: Pass) -> None:
    table = await begun(ann, bob)
    await ann.do(f"tables/{table}/end")
    await later(9 * HOUR)
    assert (await bob.see(table))["table"]["ending"] == [0]
    await bob.do(f"tables/{table}/end")
    await later(9 * HOUR)
    assert await status(ann, table) == "closed"


async def test_a_vote_is_refused_hours_later_and_is_over(ann: Person, bob: Person, later: Pass) -> None:
    table = await begun(ann, bob)
    await ann.do(f"tables/{table}/end")
    await later(9 * HOUR)
    assert 'data-key="end-refuse"' in (await bob.get(f"/t/{table}")).text
    for _ in range(2):  # repeating it does no harm
        await bob.do(f"tables/{table}/end", agree=False)
    await later(9 * HOUR)
    seen = (await ann.see(table))["table"]
    assert (seen["status"], seen["ending"]) == ("playing", [])
    assert [line["text"] for line in seen["chat"]][1:] == ["I would rather play on."]
    await bob.do(f"tables/{table}/end")  # alone: Ann's old vote no longer counts
    assert await status(bob, table) == "playing"


async def test_a_report_is_kept_with_what_was_said(ann: Person, bob: Person, later: Pass, house: House) -> None:
    table = await begun(ann, bob)
    line = (await ann.do(f"tables/{table}/chat", text="You are slow."))["id"]
    await later(9 * HOUR)
    await bob.do("me/report", table=table, line=line, reason="rude")
    await later(9 * HOUR)
    (one, _), *rest = await house.store.look(partial(social_rows.reported_by, guest=(await guest_of(bob)).id))
    assert not rest
    assert (one.table, one.about, one.reason) == (table, (await guest_of(ann)).id, "rude")


# Holidays -----------------------------------------------------------------------------------------------
async def waiting(table: str, ann: Person, bob: Person) -> tuple[Person, Person, int]:
    """Return the player to move, the other, and the seat of the first."""
    late, seen = await turn(table, ann, bob)
    return late, bob if late is ann else ann, int(seen["table"]["my_seat"])


async def until_of(person: Person, table: str, seat: int) -> float:
    seen = (await person.see(table))["table"]["clocks"]
    return float(next(one["until"] for one in seen if one["seat"] == seat))


@pytest.mark.parametrize("planned", [0.0, 6 * HOUR])
async def test_a_clock_stands_still_on_a_holiday_and_the_others_see_it(
    ann: Person, bob: Person, later: Pass, planned: float
) -> None:
    table = await begun(ann, bob)
    late, other, seat = await waiting(table, ann, bob)
    await later(2 * HOUR)
    before = await until_of(other, table, seat)
    start = time.time() + planned
    await late.do("me/holiday", since=start, until=start + 5 * DAY)
    seen = (await other.see(table))["table"]["seats"]
    assert [bool(one["rest"]) for one in seen] == [index == seat for index in range(2)]
    said = f"on holiday from {moment(start)} until " if planned else "on holiday until "
    assert f">{said}{moment(start + 5 * DAY)}<" in (await other.get(f"/t/{table}")).text
    assert await until_of(other, table, seat) == pytest.approx(before + 5 * DAY, abs=5)
    await later(5 * DAY + planned)
    assert not (await other.see(table))["table"]["seats"][seat]["left"]
    assert await until_of(other, table, seat) == pytest.approx(before + 5 * DAY, abs=5)
    await later(22 * HOUR - planned - 60)
    assert not (await other.see(table))["table"]["seats"][seat]["left"]
    await later(120)
    assert (await other.see(table))["table"]["seats"][seat]["left"], "it does not stand still for ever"


async def test_a_holiday_that_ends_early_lets_the_clock_run_on(ann: Person, bob: Person, later: Pass) -> None:
    table = await begun(ann, bob)
    late, other, seat = await waiting(table, ann, bob)
    before = await until_of(other, table, seat)
    await late.do("me/holiday", until=time.time() + 9 * DAY)
    await later(2 * DAY)
    await late.do("me/holiday")
    assert await until_of(other, table, seat) == pytest.approx(before + 2 * DAY, abs=5)
    assert not any(one["rest"] for one in (await other.see(table))["table"]["seats"])
    await late.do("me/holiday", until=time.time() + DAY)  # and another during the same decision
    assert await until_of(other, table, seat) == pytest.approx(before + 3 * DAY, abs=5)


async def test_a_guests_holiday_and_what_it_gave_a_clock_end_when_they_sign_in(
    ann: Person, bob: Person, arrive: Callable[[], Person], later: Pass, house: House
) -> None:
    await arrive().do("me/claim", name="Carl", password="correct horse")
    table = await begun(ann, bob)
    late, other, seat = await waiting(table, ann, bob)
    before = await until_of(other, table, seat)
    await late.do("me/holiday", until=time.time() + 9 * DAY)
    await later(2 * DAY)
    await late.do("me/sign-in", name="Carl", password="correct horse", bring=True)
    assert (await house.store.load(table)).table.due == pytest.approx(before + 2 * DAY, abs=5)
    assert await until_of(other, table, seat) == pytest.approx(before + 2 * DAY, abs=5)


async def test_a_turn_that_comes_on_a_holiday_waits_and_live_clocks_do_not(
    ann: Person, bob: Person, later: Pass
) -> None:
    tables = [await begun(ann, bob), await begun(ann, bob, tempo={"bank": 600})]
    await ann.do(f"tables/{tables[1]}/start")
    for table, stands in zip(tables, (True, False), strict=True):
        late, other, seat = await waiting(table, ann, bob)
        await other.do("me/holiday", until=time.time() + 3 * DAY)
        while (await waiting(table, ann, bob))[0] is late:
            seen = await late.see(table)
            move = "stop" if "stop" in seen["legal"] else seen["legal"][0]
            await late.do(f"tables/{table}/moves", move=move, version=seen["table"]["version"])
        due = await until_of(late, table, 1 - seat)
        assert (due > time.time() + 3 * DAY) == stands
        await other.do("me/holiday")
        await later(1)


async def test_only_so_many_days_a_year(ann: Person, later: Pass) -> None:
    async def take(days: float, start: float = 0.0) -> httpx.Response:
        begin = time.time() + start
        return await ann.post("/api/me/holiday", json={"since": begin, "until": begin + days * DAY})

    refused = (await take(DAYS + 1)).json()["error"]["message"]
    assert refused.startswith("You can take 28 days of holiday in any 365 days.")
    assert (await take(-1)).status_code == 400
    assert (await take(3, start=400 * DAY)).status_code == 400, "more than a year ahead"
    assert (await take(DAYS)).is_success
    assert (await take(20)).is_success, "another takes its place"
    await later(20 * DAY)
    assert (await take(9)).status_code == 400
    assert (await take(8)).is_success
    await later(8 * DAY)
    assert (await take(1)).status_code == 400
    assert "You have used 28." in (await ann.get("/me")).text
    await later(365 * DAY)
    assert (await take(DAYS)).is_success
    await ann.do("me/holiday")
    for _ in range(DAYS - 1):  # each counts for at least a day
        await later(60)
        assert (await take(0.01)).is_success
        await ann.do("me/holiday")
    await later(60)
    assert (await take(0.01)).status_code == 400


async def test_a_holiday_is_in_what_is_kept_of_somebody_and_goes_with_them(
    ann: Person, bob: Person, house: House
) -> None:
    await ann.do("me/holiday", until=time.time() + DAY)
    await bob.do("me/holiday", until=time.time() + DAY)
    async with house.store.read() as connection:
        assert len((await connection.execute(sa.select(storage.holidays.c.since))).all()) == 2
    assert b'"holidays"' in await _me(ann)
    await ann.do("me/delete", word="delete")
    for _ in range(200):
        async with house.store.read() as connection:
            left = (await connection.execute(sa.select(storage.holidays.c.guest_id))).scalars().all()
        if len(left) == 1:
            break
        await asyncio.sleep(0.05)
    assert left == [(await guest_of(bob)).id]


async def _me(person: Person) -> bytes:
    answer = await person.get("/me/export")
    return zipfile.ZipFile(io.BytesIO(answer.content)).read("me.json")


# Without clocks -----------------------------------------------------------------------------------------
async def test_an_absent_player_is_waited_for_as_long_as_the_table_says(ann: Person, bob: Person, later: Pass) -> None:
    table = await begun(ann, bob, absent=int(3 * DAY))
    late, other, seat = await waiting(table, ann, bob)
    assert "away for 3 days on their turn" in (await other.get(f"/t/{table}")).text
    await later(DAY)
    refused = await other.refused(f"tables/{table}/absent", 409, "still-here", seat=seat)
    assert refused["message"].endswith("after they've been away for 3 days.")
    assert (await other.see(table))["table"]["voters"] == [0, 1], "a vote waits for them too"
    await late.do("me/holiday", until=time.time() + 5 * DAY)
    await later(6 * DAY)
    assert (await other.see(table))["table"]["absent"] == [], "two days beside the holiday"
    await later(DAY)
    assert (await other.see(table))["table"]["absent"] == [seat]
    await other.do(f"tables/{table}/absent", seat=seat)
    assert (await other.see(table))["table"]["seats"][seat]["left"]


async def test_unless_said_it_is_a_minute_and_nonsense_is_refused(ann: Person, bob: Person, later: Pass) -> None:
    table = await ann.make(ME, OPEN)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    _, other, seat = await waiting(table, ann, bob)
    assert "away for 1 min on their turn" in (await other.get(f"/t/{table}")).text
    await later(looking.ABSENT + 1)
    assert (await other.see(table))["table"]["absent"] == [seat]
    for absent in (0, 59, 31 * int(DAY), "60", 60.5, True):
        answer = await ann.post("/api/tables", json={"game": "fortune", "absent": absent})
        assert answer.status_code == 400, absent


# Times --------------------------------------------------------------------------------------------------
async def test_the_log_tells_when_after_a_pause_and_chat_always(
    ann: Person, bob: Person, later: Pass, house: House
) -> None:
    table = await begun(ann, bob)
    first = time.time()
    stamps = [first]
    for pause in (1.0, QUIET + 1, 9 * HOUR):
        await later(pause)
        person, seen = await turn(table, ann, bob)
        await person.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])
        if pause > QUIET:
            stamps.append(time.time())
    await ann.do(f"tables/{table}/chat", text="Hello!")
    said = time.time()
    live = await house.table(table)
    for viewer in (0, 1, -2):
        log = log_to(live, viewer, live.known.version(viewer))
        shown = [at for at in log.times if at]
        assert shown == [pytest.approx(at, abs=30) for at in stamps]
        assert log.times[0], "the first line tells when the game began"
    page = (await bob.get(f"/t/{table}")).text
    drawn = re.findall(r'<time datetime="([^"]+)">', page)
    wanted = [time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(at)) for at in (*[a for a in log.times if a], said)]
    assert sorted(drawn) == sorted(wanted)
    house.forget(live)  # as after a restart: the same from the database
    again = await house.table(table)
    assert log_to(again, 0, again.known.version(0)).times == log_to(live, 0, live.known.version(0)).times
