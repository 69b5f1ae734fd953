"""Seasons of a club: who plays them, how they start and end, and who rises and falls."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.core.game import Game
from parlour.house.accounts import schema as accounts
from parlour.house.accounts.guests import Guest
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.seasons import deeds, jobs, rows
from parlour.house.clubs.seasons.rows import Season
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.tournaments import rows as tournament_rows
from parlour.house.tournaments import schema as tournaments
from tests.found import added
from tests.house.clock import Clock
from tests.house.clubs.test_clubs import founded
from tests.house.people import Person, guest_of
from tests.house.tournaments.playing import accounts as people_of
from tests.house.tournaments.playing import play_all, settle

Arrive = Callable[[], Person]
KUHN = {"game": "kuhn", "tempo": {"delay": 86400.0}}
DAY = 86400.0


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    address = f"sqlite:///{tmp_path}/parlour.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("database")
    return Settings(database=address, pace=0, engine="plain", limits=False)


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


@pytest.fixture(autouse=True)
async def _empty(house: House) -> None:
    """Delete everything: all of these tests share one PostgreSQL."""
    async with house.store.write() as connection:
        for one in (tournaments.tournaments, clubs.clubs, accounts.guests, accounts.retired):
            await connection.execute(sa.delete(one))


async def club_of(people: list[Person]) -> str:
    """Return a club that the first of these people owns, with all of them in it."""
    club = await founded(people[0], entry="open")
    for person in people[1:]:
        await person.do(f"clubs/{club}/join")
    return club


async def planned(people: list[Person], club: str, **more: Any) -> str:
    """Plan a season of divisions of four, in which these people are entered; return its id."""
    body = {**KUHN, "size": 4, "movers": 1, **more}
    season = str((await people[0].do(f"clubs/{club}/seasons", **body))["id"])
    for person in people:
        await person.do(f"clubs/{club}/seasons/{season}/enter")
    return season


async def seen(person: Person, club: str, season: str) -> Any:
    """Return a season as data."""
    answer = await person.get(f"/api/clubs/{club}/seasons/{season}")
    assert answer.is_success, answer.text
    return answer.json()


def names(data: Any) -> list[list[str]]:
    """Return the last letters of the players of each division, the best first."""
    return [[one["name"][-1] for one in division] for division in data["divisions"]]


async def ended(house: House, season: str) -> None:
    """End the tournaments of a season before anything was played, and then the season."""
    for tournament in (await house.store.look(partial(rows.tournaments, season=season))).values():
        work = partial(tournament_rows.end, tournament=tournament, state="over", now=time.time())
        await house.store.do(work)
    await jobs.beat(house)


async def test_a_season_is_played_from_its_plan_to_the_divisions_of_the_next(arrive: Arrive, house: House) -> None:
    people = await people_of(arrive, 8)
    ann, club = people[0], await club_of(people)
    season = await planned(people, club)
    assert "8 entered." in (await ann.get(f"/clubs/{club}")).text
    await people[1].refused(f"clubs/{club}/seasons/{season}/start", 403, "forbidden")
    await ann.do(f"clubs/{club}/seasons/{season}/start")
    await ann.refused(f"clubs/{club}/seasons/{season}/start", 409, "already-started")
    await ann.refused(f"clubs/{club}/seasons", 409, "already-started", **KUHN)
    begun = await seen(ann, club, season)
    first = await house.store.look(partial(tournament_rows.one, tournament=begun["tournaments"][0]))
    assert first.name == "Thursday table: season 1, division 1"
    assert names(begun) == [["A", "B", "C", "D"], ["E", "F", "G", "H"]], "without ratings, who entered earlier is above"
    page = ""
    for _ in range(12):  # on a busy machine a look may come before the table
        await settle(house)
        if "You play" in (page := (await people[7].get(f"/clubs/{club}")).text):
            break
    assert re.search(r'You play \w+ [EFG]\.</b> <a class="act main" href="/t/', page), "their own game comes first"
    assert page.index(" open><summary><h3>Division 2") > page.index("<h3>Division 1"), "and their own division is open"
    over = begun
    for _ in range(12):  # three rounds; on a busy machine a look may come before the pairings
        await settle(house)
        for tournament in begun["tournaments"]:
            await play_all(house, people, tournament)
        await jobs.beat(house)
        if (over := await seen(ann, club, season))["status"] == "over":
            break
    assert over["status"] == "over"
    assert all(player["games"] == 3 for division in over["divisions"] for player in division)
    for division in over["divisions"]:
        points = [float(player["points"]) for player in division]
        assert points == sorted(points, reverse=True)
        assert sum(points) == 6, "each of six games has one point"
    (upper, lower) = names(over)
    assert [player["move"] for division in over["divisions"] for player in division] == [
        "", "", "", "falls", "rises", "", "", "",
    ]  # fmt: skip
    following = str((await ann.do(f"clubs/{club}/seasons", **KUHN, size=4, movers=1))["id"])
    assert len((await seen(ann, club, following))["entered"]) == 8, "who played is entered again"
    await ann.do(f"clubs/{club}/seasons/{following}/start")
    after = await seen(ann, club, following)
    assert after["number"] == 2
    assert [set(one) for one in names(after)] == [{*upper[:3], lower[0]}, {upper[3], *lower[1:]}]
    page = (await people[7].get(f"/clubs/{club}?season=1")).text
    assert "Season 1" in page
    assert "won against" in page.partition("Latest results")[2], "its games are not listed, and news of the club"
    assert "Arrows show who rises and falls." in page


@pytest.mark.suite("sqlite")
async def test_who_leaves_falls_out_and_who_is_new_begins_at_the_bottom(arrive: Arrive, house: House) -> None:
    people = await people_of(arrive, 10)
    ann, club = people[0], await club_of(people)
    season = await planned(people[:8], club)
    await ann.do(f"clubs/{club}/seasons/{season}/start")
    await people[1].do(f"clubs/{club}/seasons/{season}/withdraw")
    await people[6].do("me/delete", password="correct horse")
    await people[7].do(f"clubs/{club}/leave")
    tournament = (await seen(ann, club, season))["tournaments"][0]
    entry = partial(tournament_rows.entry_of, tournament=tournament, guest=(await guest_of(people[1])).id)
    found = await house.store.look(entry)
    assert found is not None
    assert found.left is not None, "they leave the tournament of their division too"
    await ended(house, season)
    over = await seen(ann, club, season)
    assert "Somebody" in [one["name"] for one in over["divisions"][1]]
    assert over["status"] == "over"
    following = str((await ann.do(f"clubs/{club}/seasons", **KUHN, size=4, movers=1))["id"])
    assert sorted(one[-1] for one in (await seen(ann, club, following))["entered"]) == ["A", "C", "D", "E", "F"]
    for person in people[8:]:
        await person.do(f"clubs/{club}/seasons/{following}/enter")
    await ann.do(f"clubs/{club}/seasons/{following}/enter")
    await people[1].do(f"clubs/{club}/seasons/{following}/enter")
    await ann.do(f"clubs/{club}/seasons/{following}/start")
    after = names(await seen(ann, club, following))
    assert [set(one) for one in after] == [set("ACED"), set("FIJB")]


@pytest.mark.suite("sqlite")
async def test_a_season_starts_by_its_date_or_loses_it(arrive: Arrive, house: House, clock: Clock) -> None:
    people = await people_of(arrive, 4)
    ann, club = people[0], await club_of(people)
    season = await planned(people[:3], club, starts=time.time() + DAY)
    assert "It starts on" in (await ann.get(f"/clubs/{club}")).text
    await jobs.beat(house)
    assert (await seen(ann, club, season))["starts"] is not None
    clock.ahead += DAY + 1
    await jobs.beat(house)
    found = await seen(ann, club, season)
    assert (found["status"], found["starts"]) == ("planned", None), "three are too few"
    await ann.refused(f"clubs/{club}/seasons/{season}/start", 409, "seats-free")
    await ann.do(f"clubs/{club}/seasons/{season}/cancel")
    await ann.refused(f"clubs/{club}/seasons/{season}/enter", 409, "already-started")
    assert (await ann.get(f"/api/clubs/{club}/seasons/{season}")).status_code == 404
    later = await planned(people, club, starts=time.time() + DAY)
    clock.ahead += DAY + 1
    await jobs.beat(house)
    found = await seen(ann, club, later)
    assert (found["status"], found["number"], len(found["divisions"])) == ("running", 1, 1)


@pytest.mark.suite("sqlite")
async def test_a_season_that_fails_delays_no_other(
    arrive: Arrive, house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    people, due = await people_of(arrive, 8), []
    for some, name in ((people[:4], "First"), (people[4:], "Second")):
        club = await founded(some[0], name, entry="open")
        for person in some[1:]:
            await person.do(f"clubs/{club}/join")
        due.append((some[0], club, await planned(some, club, starts=time.time() + DAY)))
    begin, begun = deeds.begin, list[str]()

    async def first_fails(house: House, season: Season, organiser: Guest) -> None:
        begun.append(season.id)
        if len(begun) == 1:
            raise ZeroDivisionError
        await begin(house, season, organiser)

    monkeypatch.setattr(deeds, "begin", first_fails)
    clock.ahead += DAY + 1
    await jobs.beat(house)
    assert sorted([(await seen(*one))["status"] for one in due]) == ["planned", "running"]
    assert "could not continue" in caplog.text
    await jobs.beat(house)
    assert [(await seen(*one))["status"] for one in due] == ["running", "running"]


@pytest.mark.suite("sqlite")
async def test_only_members_play_and_only_leaders_plan(arrive: Arrive) -> None:
    ann, bob, eve = await people_of(arrive, 3)
    club = await club_of([ann, bob])
    other = await founded(eve, "Other")
    await bob.refused(f"clubs/{club}/seasons", 403, "forbidden", **KUHN)
    for wrong in ({"size": 3}, {"size": 4, "movers": 3}, {"starts": 1.0}, {"seats": 5}, {"movers": 0}):
        await ann.refused(f"clubs/{club}/seasons", 400, "bad-input", **KUHN, **wrong)
    await ann.refused(f"clubs/{club}/seasons", 400, "unknown-name", game="chess")
    season = await planned([ann, bob], club)
    await eve.refused(f"clubs/{club}/seasons/{season}/enter", 403, "forbidden")
    await eve.refused(f"clubs/{other}/seasons/{season}/cancel", 404, "not-found")
    await bob.do(f"clubs/{club}/seasons/{season}/withdraw")
    assert (await seen(bob, club, season))["entered"] == ["Player A"]
    await bob.refused(f"clubs/{club}/seasons/{season}/cancel", 403, "forbidden")


@pytest.mark.suite("sqlite")
async def test_a_clubs_tournaments_are_joined_by_its_members_alone(arrive: Arrive) -> None:
    ann, bob, eve = await people_of(arrive, 3)
    club = await club_of([ann, bob])
    body = {"name": "Club Cup", "system": "swiss", **KUHN}
    await bob.refused(f"clubs/{club}/tournaments", 403, "forbidden", **body)
    cup = (await ann.do(f"clubs/{club}/tournaments", **body))["id"]
    await bob.do(f"tournaments/{cup}/join")
    await eve.refused(f"tournaments/{cup}/join", 403, "forbidden")
    assert cup not in (await eve.get("/api/tournaments")).text, "others can't join it, so their list is without it"
    page = (await eve.get(f"/clubs/{club}")).text
    assert f"/tournaments/{cup}" in page
    assert "Club Cup" in page


@pytest.mark.suite("sqlite")
async def test_old_seasons_go_with_the_next_ones(arrive: Arrive, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "KEPT", 2)
    people = await people_of(arrive, 4)
    ann, club = people[0], await club_of(people)
    for _ in range(3):
        season = await planned(people, club)
        await ann.do(f"clubs/{club}/seasons/{season}/start")
        await ended(house, season)
    await planned(people, club)
    kept = await house.store.look(partial(rows.of_club, club=club))
    assert [(one.number, one.status) for one in kept] == [(4, "planned"), (3, "over")]
