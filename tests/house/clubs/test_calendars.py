"""Calendars: what they say, line by line, to whom, and when they say it again."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import icalendar
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house.accounts import schema as accounts
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.calendars import rows
from parlour.house.clubs.calendars import schema as calendars
from parlour.house.clubs.calendars.api import FEED
from parlour.house.clubs.seasons import rows as season_rows
from parlour.house.clubs.seasons.rows import Season
from parlour.house.house import House
from parlour.house.http.rates import READING, Price, Rates
from parlour.house.settings import Settings
from parlour.house.tournaments import rows as tournament_rows
from parlour.house.tournaments import schema as tournaments
from parlour.house.tournaments.rows import Tournament
from tests.house.accounts.test_belongings import SECRET, packed
from tests.house.clock import Clock
from tests.house.clubs.test_clubs import BOTH, founded
from tests.house.people import Person, guest_of

Arrive = Callable[[], Person]
DAY = 86400.0
NOON = 1_767_182_400.0  # 31 December 2025, 12:00 UTC


@pytest.fixture(params=BOTH)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    address = f"sqlite:///{tmp_path}/parlour.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("database")
    return Settings(database=address, pace=0, engine="plain", limits=False)


@pytest.fixture(autouse=True)
async def _empty(house: House, clock: Clock) -> None:
    """Delete everything, and begin at noon."""
    clock.ahead += NOON - clock()
    async with house.store.write() as connection:
        for one in (tournaments.tournaments, clubs.clubs, calendars.calendars, accounts.guests, accounts.retired):
            await connection.execute(sa.delete(one))


@pytest.fixture
async def ann(arrive: Arrive) -> Person:
    person = arrive()
    await person.do("me/claim", name="Ann", password=SECRET)
    return person


async def announced(house: House, name: str, organiser: str = "", **more: Any) -> str:
    """Store a tournament that starts in a day; return its id."""
    values: dict[str, Any] = {
        "id": name.lower(), "name": name, "organiser": organiser, "club_id": None, "token": "", "game": "fortune",
        "edition": "first", "parts": {}, "options": {}, "given": [], "origin": "", "seats": 2, "tempo": {"bank": 600.0},
        "system": "round-robin", "rounds": 0, "length": 0.0, "through": 1, "third": False, "rated": False,
        "bots": False, "bot": "greedy",
        "most": 32, "seed": "00", "state": "announced", "created": NOON - DAY, "starts_at": NOON + DAY,
    }  # fmt: skip
    row = Tournament(**values | more)
    await house.store.do(partial(tournament_rows.make, row=row, most=100))
    return row.id


def lines(answer: httpx.Response) -> list[str]:
    """Return the lines of a calendar, unfolded."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert "\n" not in answer.text.replace("\r\n", ""), "lines end with CR LF"
    assert all(len(line.encode()) <= 75 for line in answer.text.split("\r\n"))
    return answer.text.replace("\r\n ", "").split("\r\n")


def events(answer: httpx.Response) -> dict[str, Any]:
    """Return the events of a calendar by their names, as the library reads them."""
    return {str(one["summary"]): one for one in icalendar.Calendar.from_ical(answer.text).walk("VEVENT")}


async def test_a_calendar_says_these_lines(house: House, arrive: Arrive) -> None:
    await announced(house, "Cup", system="arena", length=5400.0, changes=7)
    guest = arrive()
    answer = await guest.get("/calendar.ics")
    assert lines(answer) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Parlour//Tournaments//EN", "CALSCALE:GREGORIAN",
        "NAME:Tournaments at Parlour", "X-WR-CALNAME:Tournaments at Parlour", "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-WR-TIMEZONE:UTC",
        "BEGIN:VEVENT", "SUMMARY:Cup", "DTSTART:20260101T120000Z", "DTEND:20260101T133000Z",
        "DTSTAMP:20251230T120000Z", "UID:fea61ce9-6de8-5c5a-9003-3e74346b09b1", "SEQUENCE:7",
        "DESCRIPTION:Fortune. 10 min each", "LAST-MODIFIED:20251230T120000Z", "STATUS:CONFIRMED", "TRANSP:OPAQUE",
        "URL:http://house.test/tournaments/cup", "END:VEVENT", "END:VCALENDAR", "",
    ]  # fmt: skip
    assert not guest.cookies, "a calendar program is not a new guest"
    start = events(answer)["Cup"]["dtstart"].dt
    assert start == datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)


async def test_it_is_sent_again_only_when_something_has_changed(house: House, arrive: Arrive, clock: Clock) -> None:
    await announced(house, "Cup")
    guest = arrive()
    first = await guest.get("/calendar.ics")
    clock.ahead += 3600
    tag = {"If-None-Match": first.headers["etag"]}
    again = await guest.get("/calendar.ics", headers=tag)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    await house.store.do(partial(tournament_rows.hold, tournament="cup"))
    work = partial(tournament_rows.set_values, tournament="cup", state="cancelled", ended=clock())
    await house.store.do(work)
    later = await guest.get("/calendar.ics", headers=tag)
    before, now = events(first)["Cup"], events(later)["Cup"]
    assert (str(before["status"]), str(now["status"])) == ("CONFIRMED", "CANCELLED")
    assert now["uid"] == before["uid"]
    assert now["sequence"] == before["sequence"] + 1
    assert now["dtstamp"].dt > before["dtstamp"].dt
    clock.ahead += rows.PAST
    assert not events(await guest.get("/calendar.ics")), "a month later it is left out"


async def test_each_calendar_has_its_own(house: House, ann: Person, arrive: Arrive) -> None:
    club, person = await founded(ann, entry="open"), (await guest_of(ann)).id
    await announced(house, "Everyone")
    await announced(house, "Linked", token="secret")
    await announced(house, "Ours", club_id=club)
    await announced(house, "Someday", starts_at=None)
    await announced(house, "Mine", organiser=person, token="secret")
    await announced(house, "Joined", token="secret")
    await house.store.do(partial(tournament_rows.join, tournament="joined", guest=person, now=NOON))
    season = Season("s1", club, 0, "planned", {"game": "fortune"}, 4, 1, NOON + 2 * DAY, NOON, NOON)
    await house.store.do(partial(season_rows.plan, row=season))
    guest, name = arrive(), "Thursday table: season 1"
    assert {*events(await guest.get("/calendar.ics"))} == {"Everyone"}
    assert {*events(await guest.get(f"/clubs/{club}/calendar.ics"))} == {"Ours", name}
    assert (await guest.get("/clubs/nowhere/calendar.ics")).status_code == 404
    address = (await ann.do("me/calendar"))["address"]
    assert {*events(await guest.get(address))} == {"Mine", "Joined"}
    await house.store.do(partial(tournament_rows.leave, tournament="joined", guest=person))
    await house.store.do(partial(season_rows.enter, season_id="s1", guest=person, now=NOON))
    assert {*events(await guest.get(address))} == {"Mine", name}
    await house.store.do(partial(season_rows.cancel, season_id="s1", now=NOON))
    found = events(await guest.get(address))[name]
    assert (str(found["status"]), found["sequence"]) == ("CANCELLED", 1)


async def test_the_address_of_ones_own_calendar_is_secret_and_can_be_ended(ann: Person, arrive: Arrive) -> None:
    guest = arrive()
    await guest.refused("me/calendar", 403, "not-claimed")
    first = (await ann.do("me/calendar"))["address"]
    second = (await ann.do("me/calendar"))["address"]
    assert first != second
    assert second in (await ann.get("/me")).text
    for address, status in ((first, 404), (second, 200), ("/calendar/nothing", 404)):
        assert (await guest.get(address)).status_code == status
    await ann.do("me/calendar/end")
    await ann.do("me/calendar/end")
    assert (await guest.get(second)).status_code == 404
    third = (await ann.do("me/calendar"))["address"]
    about, *_ = await packed(ann)
    assert about["private calendar since"]
    assert third.rpartition("/")[2] not in str(about)
    await ann.do("me/delete", password=SECRET)
    assert (await guest.get(third)).status_code == 404


async def test_a_calendar_has_so_many_events(house: House, arrive: Arrive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_EVENTS", 2)
    for number in range(3):
        await announced(house, f"Cup{number}", starts_at=NOON + number * DAY)
    assert {*events(await arrive().get("/calendar.ics"))} == {"Cup1", "Cup2"}


async def test_a_program_that_asks_without_end_is_refused(app: Litestar, arrive: Arrive) -> None:
    app.state.rates = Rates(clock=lambda: 0.0)  # a slow machine would fill the budget again
    guest = arrive()
    assert (await guest.get("/calendar.ics")).status_code == 200
    app.state.rates.charge(Price(READING, READING.address.burst - 2 * FEED), None, "127.0.0.1")
    assert (await guest.get("/calendar.ics")).status_code == 200
    answer = await guest.get("/calendar.ics")
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "1"
