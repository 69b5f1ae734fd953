"""Tournaments: announcing, joining, rounds and results, in every system."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.house.house import House
from parlour.house.notify import outbox
from parlour.house.notify.schema import notices
from parlour.house.table.live import clocks
from parlour.house.table.storage import schema as storage
from parlour.house.tournaments import jobs, reading, rows
from parlour.house.tournaments import schema as s
from parlour.house.tournaments.deeds import TournamentBody
from tests.house.accounts.test_belongings import packed
from tests.house.clock import Clock
from tests.house.people import Person
from tests.house.tournaments.playing import (
    accounts,
    announce,
    begun,
    play,
    play_all,
    play_rounds,
    seen,
    settle,
    told,
)

Arrive = Callable[[], Person]
DAY = 86400.0


async def noted(house: House) -> list[tuple[str, str]]:
    """Return the kinds of notices that are still to be sent, and their tables or tournaments."""
    c = notices.c
    query = sa.select(c.kind, c.table_id).where(c.due.is_not(None)).order_by(c.kind)
    return await house.store.look(lambda connection: [(kind, table) for kind, table in connection.execute(query)])


# Systems -------------------------------------------------------------------------------------------
async def test_a_swiss_tournament_from_its_announcement_to_its_results(
    house: House, arrive: Arrive, clock: Clock
) -> None:
    people = await accounts(arrive, 3)
    ann, bob, _ = people
    for person in people:
        await person.do("me/told", kind="hook", address="http://127.0.0.1:9/hook")
    tournament = await begun(house, ann, people)
    due = await house.store.do(partial(outbox.lease, now=clock() + 60, grace=0.0, short=clocks.short))
    assert {(one.kind, one.by) for one in due} <= {("paired", "Kuhn Open"), ("turn", "")}
    assert len(due) == 1, "of two players; a webhook has one notice of a game that starts with a turn"
    for number in range(1, 3):
        found = await seen(ann, tournament)
        assert (found["state"], found["round"], found["rounds"]) == ("running", number, 2)
        games = (await seen(ann, tournament, f"/games?number={number}"))["games"]
        assert [len(game["seats"]) for game in games] == [2, 1]
        assert [game["how"] for game in games] == ["", "bye"]
        assert {seat["entrant"] for game in games for seat in game["seats"]} == {1, 2, 3}
        await play_all(house, people, tournament)
        assert (await seen(ann, tournament))["round"] == number, "there is a break"
        clock.ahead += jobs.BREAK
        await settle(house)
    assert (await seen(ann, tournament))["state"] == "over"
    standings = (await seen(bob, tournament, "/standings"))["standings"]
    assert sum(one["points"] for one in standings) == 2 * 2  # a game is worth a point, and so is a bye
    assert [one["mine"] for one in sorted(standings, key=lambda one: one["entrant"])] == [False, True, False]
    games = (await seen(ann, tournament, "/games"))["games"]
    assert len({tuple(sorted(seat["entrant"] for seat in game["seats"])) for game in games}) == 4
    assert all(sum(seat["share"] for seat in game["seats"]) == 1 for game in games)
    assert ("ended", tournament) in await noted(house)
    due = await house.store.do(partial(outbox.lease, now=clock() + 60, grace=0.0, short=clocks.short))
    assert {(one.kind, one.by) for one in due if one.table_id == tournament} == {("ended", "Kuhn Open")}


@pytest.mark.parametrize(
    ("system", "more", "games"),
    [("round-robin", {}, 6), ("knock-out", {"third": True}, 4)],
)
async def test_a_tournament_of_four_ends_by_itself(
    house: House, arrive: Arrive, clock: Clock, system: str, more: dict[str, Any], games: int
) -> None:
    people = await accounts(arrive, 4)
    tournament = await begun(house, people[0], people, system=system, **more)
    await play_rounds(house, clock, people, tournament)
    found = await seen(people[0], tournament)
    assert (found["state"], found["rounds"]) == ("over", found["round"])
    played = (await seen(people[0], tournament, "/games"))["games"]
    assert len(played) == games
    assert {game["how"] for game in played} == {"played"}
    (first, *_) = (await seen(people[0], tournament, "/standings"))["standings"]
    assert first["place"] == 1


async def test_an_arena_pairs_who_is_free_until_its_time_is_over(house: House, arrive: Arrive, clock: Clock) -> None:
    people = await accounts(arrive, 3)
    ann, bob, cid = people
    tournament = await begun(house, ann, people[:2], system="arena", minutes=10)
    assert (await seen(ann, tournament))["round"] == 1
    await cid.do(f"tournaments/{tournament}/join")
    clock.ahead += jobs.WAVE
    await settle(house)
    assert (await seen(cid, tournament))["tables"] == [], "both others still play"
    for _ in range(3):
        await play_all(house, people, tournament)
        clock.ahead += 2 * jobs.WAVE
        await settle(house)
    games = (await seen(ann, tournament, "/games"))["games"]
    assert len(games) == 4
    assert any(seat["entrant"] == 3 for game in games for seat in game["seats"])
    for person in people:
        for table in (await seen(person, tournament))["tables"]:
            await person.see(table)
    clock.ahead += 600
    await settle(house)
    assert (await seen(ann, tournament))["state"] == "running", "the last game is not over"
    await play_all(house, people, tournament)
    await settle(house)
    assert (await seen(ann, tournament))["state"] == "over"
    assert (await bob.post(f"/api/tournaments/{tournament}/join", json={})).is_success, "they are in it"
    dan = (await accounts(arrive, 1, first=3))[0]
    await dan.refused(f"tournaments/{tournament}/join", 409, "already-started")


async def test_a_bot_plays_everyone_at_once_and_fills_missing_seats(house: House, arrive: Arrive) -> None:
    people = await accounts(arrive, 3)
    ann, *_ = people
    against = await begun(house, ann, people, system="simultaneous", game="fortune", bot="greedy", tempo="usual")
    games = (await seen(ann, against, "/games"))["games"]
    assert sorted(sorted(str(seat["entrant"]) for seat in game["seats"]) for game in games) == [
        ["1", "None"], ["2", "None"], ["3", "None"],
    ]  # fmt: skip
    filled = await begun(house, ann, people, bots=True, game="fortune", bot="greedy", tempo="usual")
    games = (await seen(ann, filled, "/games"))["games"]
    assert [len(game["seats"]) for game in games] == [2, 2]
    ((bot,),) = [[seat for seat in game["seats"] if seat["entrant"] is None] for game in games if game["board"] == 2]
    assert bot["name"] == "greedy"
    table = next(game["table"] for game in games if game["board"] == 2)
    assert [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]].count("bot") == 1


# What is played ------------------------------------------------------------------------------------
async def test_games_have_the_edition_options_and_position_that_the_organiser_chose(
    house: House, arrive: Arrive
) -> None:
    ann, bob = people = await accounts(arrive, 2)
    played = (await ann.do("tables", game="kuhn", seats=[{"kind": "me"}, {"kind": "open"}]))["id"]
    await bob.do(f"tables/{played}/sit")
    await ann.do(f"tables/{played}/start")
    await ann.do(f"tables/{played}/moves", move="pass", version=2)
    await bob.do(f"tables/{played}/moves", move="pass", version=3)
    where = {"table": played, "step": 3}
    await ann.refused("tournaments", 400, "bad-input", name="X", system="swiss", game="kuhn", position=where)
    await ann.refused(
        "tournaments", 400, "bad-setup", name="X", system="swiss", game="", position=where, seats=2, rated=True
    )
    tournament = await begun(house, ann, people, game="", position=where, rounds=1)
    ((table,),) = [(await seen(ann, tournament))["tables"]]
    there = await house.store.load(table)
    assert (there.table.given, there.table.origin) == (3, f"{played}/replay?step=3")
    assert there.steps[2].text == "pass"
    assert (await seen(bob, tournament))["origin"] == f"{played}/replay?step=3"


async def test_what_can_not_be_played_is_refused(arrive: Arrive) -> None:
    (ann,) = await accounts(arrive, 1)
    guest = arrive()
    usual = {"name": "X", "system": "swiss", "game": "kuhn"}
    await guest.refused("tournaments", 403, "not-claimed", **usual)
    for wrong, code in (
        ({"seats": 3}, "bad-setup"), ({"rounds": 0}, "bad-input"), ({"minutes": 5}, "bad-input"),
        ({"system": "arena", "rounds": 3}, "bad-input"), ({"starts_at": 5}, "bad-input"),
        ({"bot": "none"}, "unknown-name"), ({"name": " "}, "bad-input"), ({"seats": 7}, "bad-input"),
        ({"system": "round-robin", "most": 65}, "bad-input"), ({"game": "none"}, "unknown-name"),
        ({"third": True}, "bad-input"), ({"through": 2, "system": "knock-out"}, "bad-input"),
        ({"changes": {"no.such": 1}}, "bad-parts"),
    ):  # fmt: skip
        answer = await ann.post("/api/tournaments", json={**usual, **wrong})
        assert answer.json().get("error", {}).get("code") == code, (wrong, answer.text)


# Joining and leaving -------------------------------------------------------------------------------
async def test_people_join_and_leave_before_and_during_it(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob, cid, dan = people = await accounts(arrive, 4)
    tournament = await announce(ann, rounds=3, most=4)
    await arrive().refused(f"tournaments/{tournament}/join", 403, "not-claimed")
    await ann.refused(f"tournaments/{tournament}/start", 409, "seats-free")
    for person in (ann, bob, bob, cid):
        await person.do(f"tournaments/{tournament}/join")
    await cid.do(f"tournaments/{tournament}/leave")
    assert {one["entrant"] for one in (await seen(ann, tournament, "/standings"))["standings"]} == {1, 2}
    await bob.refused(f"tournaments/{tournament}/start", 403, "forbidden")
    await ann.do(f"tournaments/{tournament}/start")
    await settle(house)
    assert (await dan.do(f"tournaments/{tournament}/join"))["entrant"] == 3  # late
    await play_all(house, people, tournament)
    await bob.do(f"tournaments/{tournament}/leave")
    clock.ahead += jobs.BREAK
    await settle(house)
    games = (await seen(ann, tournament, "/games?number=2"))["games"]
    assert [sorted(seat["entrant"] for seat in game["seats"]) for game in games] == [[1, 3]]
    await bob.do(f"tournaments/{tournament}/join")
    assert (await seen(bob, tournament))["entrant"] == 2
    await cid.refused(f"tournaments/{tournament}/join", 409, "already-started")
    await ann.do(f"tournaments/{tournament}/remove", entrant=2)
    await bob.refused(f"tournaments/{tournament}/join", 403, "forbidden")
    await ann.refused(f"tournaments/{tournament}/remove", 404, "not-found", entrant=9)
    await ann.do(f"tournaments/{tournament}/cancel")
    assert (await seen(ann, tournament))["state"] == "cancelled"
    table = (await seen(ann, tournament))["tables"][0]
    while await play(ann, table) or await play(dan, table):
        pass
    await told(house)
    assert (await seen(ann, tournament, "/games?number=2"))["games"][0]["how"] == "played", "a game in progress counts"


async def test_a_tournament_with_a_link_is_in_no_list_and_needs_it(arrive: Arrive) -> None:
    ann, bob = await accounts(arrive, 2)
    hidden, shown = await announce(ann, link=True), await announce(ann, name="Open to all")
    assert [one["id"] for one in (await bob.get("/api/tournaments")).json()["tournaments"]] == [shown]
    mine = (await ann.get("/api/tournaments?mine=1")).json()
    assert (mine["total"], {one["id"] for one in mine["tournaments"]}) == (2, {hidden, shown})
    assert (await seen(bob, hidden))["link"] == ""
    await bob.refused(f"tournaments/{hidden}/join", 404, "bad-link", token="wrong")
    await bob.do(f"tournaments/{hidden}/join", token=(await seen(ann, hidden))["link"])
    assert (await bob.get("/api/tournaments?mine=1")).json()["tournaments"][0]["id"] == hidden
    assert (await bob.get("/api/tournaments?game=fortune")).json()["total"] == 0


async def test_it_starts_in_time_or_is_cancelled_with_too_few(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob = await accounts(arrive, 2)
    await ann.do("me/told", kind="hook", address="http://127.0.0.1:9/hook")
    soon = clock() + 60
    few, enough, never = [await announce(ann, starts_at=at) for at in (soon, soon, None)]
    await ann.do(f"tournaments/{few}/join")
    for person in (ann, bob):
        await person.do(f"tournaments/{enough}/join")
    await settle(house)
    assert (await seen(ann, enough))["state"] == "announced"
    clock.ahead += 60
    await settle(house)
    assert [(await seen(ann, one))["state"] for one in (few, enough, never)] == ["cancelled", "running", "announced"]
    assert ("cancelled", few) in await noted(house)
    clock.ahead += 61 * DAY
    await settle(house)
    assert (await seen(ann, never))["state"] == "cancelled"
    clock.ahead += rows.KEPT_EMPTY + 1
    await house.store.do(lambda connection: rows.clear(connection, clock()))
    assert (await ann.get(f"/api/tournaments/{few}")).status_code == 404


async def test_how_many_there_can_be_is_limited(arrive: Arrive, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, cid = await accounts(arrive, 3)
    some = [await announce(ann, most=2) for _ in range(rows.MOST_ORGANISED)]
    await ann.refused("tournaments", 409, "too-many", name="X", system="swiss", game="kuhn")
    monkeypatch.setattr(rows, "MOST_ENTERED", 2)
    for one in some[:2]:
        await bob.do(f"tournaments/{one}/join")
    await bob.refused(f"tournaments/{some[2]}/join", 409, "too-many")
    await ann.do(f"tournaments/{some[0]}/join")
    await cid.refused(f"tournaments/{some[0]}/join", 409, "too-many")
    monkeypatch.setattr(rows, "MOST_MADE", rows.MOST_ORGANISED)
    await ann.do(f"tournaments/{some[0]}/cancel")
    await ann.refused("tournaments", 409, "too-many", name="X", system="swiss", game="kuhn")
    assert TournamentBody("X", "swiss").seats == 2


async def test_standings_are_kept_for_a_few_tournaments(arrive: Arrive, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await accounts(arrive, 2)
    monkeypatch.setattr(reading, "KEPT", 2)
    monkeypatch.setattr(reading, "_worked", type(reading._worked)())
    some = [await announce(ann) for _ in range(3)]
    for one in some:
        assert (await seen(ann, one, "/standings"))["standings"] == []
    assert list(reading._worked) == some[1:]
    await bob.do(f"tournaments/{some[2]}/join")
    monkeypatch.setattr(reading, "FRESH", 0.0)
    assert len((await seen(ann, some[2], "/standings"))["standings"]) == 1


# What stays ----------------------------------------------------------------------------------------
async def test_results_outlive_tables_and_names_go_with_accounts(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, rounds=1, rated=True)
    await bob.refused(f"tables/{(await seen(bob, tournament))['tables'][0]}/end", 403, "forbidden")
    await play_rounds(house, clock, people, tournament)
    about, _ = await packed(bob)
    assert about["tournaments"]["joined"][0]["tournament"] == tournament
    assert (await bob.get("/api/games/kuhn/ratings")).is_success
    await house.store.do(lambda connection: connection.execute(sa.delete(storage.tables)) and None)
    before = (await seen(ann, tournament, "/standings"))["standings"]
    file = await ann.get(f"/tournaments/{tournament}/results")
    assert [one["place"] for one in json.loads(file.text)["entrants"]] == [
        one["place"] for one in sorted(before, key=lambda one: int(one["entrant"]))
    ]
    report = (await ann.get(f"/tournaments/{tournament}/results?trf=true")).text.splitlines()
    first, second = [line for line in report if line.startswith("001")]
    assert (first[4:8], first[14:22], first[91:95], first[96]) == ("   1", "Player A", "   2", first[96])
    assert {first[98], second[98]} == {"0", "1"}
    assert {first[96], second[96]} == {"w", "b"}
    assert float(first[80:84]) + float(second[80:84]) == 1
    await bob.do("me/delete", password="correct horse")
    names = [one["name"] for one in (await seen(ann, tournament, "/standings"))["standings"]]
    assert sorted(names) == ["Player A", "Somebody"]
    c = s.entrants.c
    ids = await house.store.look(lambda connection: list(connection.scalars(sa.select(c.guest_id).order_by(c.number))))
    assert ids[1].startswith(rows.GONE)
    await ann.do("me/delete", password="correct horse")
    assert (await arrive().get(f"/api/tournaments/{tournament}")).json()["organiser"] == ""
