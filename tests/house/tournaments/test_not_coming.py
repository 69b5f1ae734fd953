"""Games to which a player does not come, games that end without a result, and what a process leaves when it dies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.house.database.connections import Work
from parlour.house.house import House
from parlour.house.ratings import outcomes
from parlour.house.table.jobs import clocks
from parlour.house.table.storage import schema as storage
from parlour.house.tournaments import boards, jobs, reckoning, rows
from parlour.house.tournaments.boards import Game, Place, counted
from tests.house.clock import Clock
from tests.house.people import Person
from tests.house.tournaments.playing import accounts, begun, play, play_all, seen, settle, told

Arrive = Callable[[], Person]
DAY = 86400.0


async def only(person: Person, tournament: str) -> Any:
    """Return the only game of a tournament."""
    (game,) = (await seen(person, tournament, "/games"))["games"]
    return game


async def wait(house: House, clock: Clock, seconds: float) -> None:
    """Let time pass, and let the house see to its tournaments then."""
    clock.ahead += seconds
    await settle(house)


async def test_a_player_who_does_not_come_loses_after_the_wait(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, rounds=2)
    (table,) = (await seen(ann, tournament))["tables"]
    await wait(house, clock, jobs.WAIT - 10)
    await ann.see(table)
    await wait(house, clock, 8)
    assert (await only(ann, tournament))["state"] == "playing"
    await wait(house, clock, 4)
    game = await only(ann, tournament)
    assert (game["state"], game["how"]) == ("over", "forfeit")
    assert {seat["entrant"]: (seat["share"], seat["missed"]) for seat in game["seats"]} == {
        1: (1, False), 2: (0, True),
    }  # fmt: skip
    there = (await ann.see(table))["table"]
    assert there["status"] == "closed"
    assert "did not arrive in time" in (await ann.get(f"/t/{table}")).text
    assert (await seen(bob, tournament))["entrant"] is None, "they get no more games"
    await wait(house, clock, jobs.BREAK)
    assert (await seen(ann, tournament))["state"] == "over", "no one is left to play"


async def test_the_wait_does_not_pass_while_the_house_is_down(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, _ = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people)
    clock.ahead += 3600  # then it runs again
    since = clock()
    clock.ahead += jobs.WAIT - 10
    await jobs.see_to(house, tournament, clock(), since)
    assert (await only(ann, tournament))["state"] == "playing"
    clock.ahead += 20
    await jobs.see_to(house, tournament, clock(), since)
    assert (await only(ann, tournament))["how"] == "forfeit"


async def test_if_no_one_comes_both_lose_and_may_come_back_to_an_arena(
    house: House, arrive: Arrive, clock: Clock
) -> None:
    ann, bob = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, system="arena", minutes=60)
    await wait(house, clock, jobs.WAIT + 1)
    game = await only(ann, tournament)
    assert (game["how"], [seat["share"] for seat in game["seats"]]) == ("forfeit", [0, 0])
    await wait(house, clock, 2 * jobs.WAVE)
    assert (await seen(ann, tournament))["round"] == 1
    for person in people:
        await person.do(f"tournaments/{tournament}/join")
    await wait(house, clock, 2 * jobs.WAVE)
    assert (await seen(bob, tournament))["round"] == 2


async def test_of_three_players_two_play_on_with_a_bot(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob, _ = people = await accounts(arrive, 3)
    tournament = await begun(house, ann, people, game="fortune", tempo="usual", seats=3, rounds=1)
    (table,) = (await seen(ann, tournament))["tables"]
    for person in (ann, bob):
        await person.see(table)
    await wait(house, clock, jobs.WAIT + 1)
    seats = (await ann.see(table))["table"]["seats"]
    assert [seat["kind"] for seat in seats].count("bot") == 1
    game = await only(ann, tournament)
    assert (game["state"], {seat["entrant"] for seat in game["seats"] if seat["missed"]}) == ("playing", {3})


async def test_by_post_the_clock_decides(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, tempo={"delay": DAY}, rounds=1)
    game = await only(ann, tournament)
    table = game["table"]
    first, second = [people[seat["entrant"] - 1] for seat in game["seats"]]
    assert "You have 1 day for each decision." in (await first.get(f"/tournaments/{tournament}")).text
    await wait(house, clock, DAY / 2)
    assert (await only(ann, tournament))["state"] == "playing"
    await second.see(table)
    clock.ahead += DAY
    await clocks.beat(house, clock() - clocks.BEAT)
    await settle(house)
    game = await only(ann, tournament)
    assert (game["how"], [seat["share"] for seat in game["seats"]]) == ("forfeit", [0, 1])
    assert (await seen(second, tournament))["state"] == "over"
    assert first is not second
    assert bob in (first, second)


async def test_who_leaves_before_the_table_is_open_loses_without_one(
    house: House, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = people = await accounts(arrive, 2)
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "_open", _nothing)
        tournament = await begun(house, ann, people, rounds=1)
    assert (await only(ann, tournament))["state"] == "paired"
    await bob.do(f"tournaments/{tournament}/leave")
    await house.store.do(partial(rows.hurry, tournament=tournament, now=0.0))
    await settle(house)
    game = await only(ann, tournament)
    assert (game["how"], game["table"]) == ("forfeit", None)
    assert {seat["entrant"]: seat["share"] for seat in game["seats"]} == {1: 1, 2: 0}


async def _nothing(*_: object) -> None: ...


# What a process leaves when it dies ----------------------------------------------------------------
async def test_a_result_that_no_process_stored_is_worked_out_again(
    house: House, arrive: Arrive, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, rounds=1, rated=True)
    (table,) = (await seen(ann, tournament))["tables"]
    with monkeypatch.context() as patch:
        patch.setattr(outcomes, "keep", _nothing)
        await play_all(house, people, tournament)
    assert (await only(ann, tournament))["state"] == "playing"
    await wait(house, clock, jobs.SETTLED + jobs.LOOK + 1)
    game = await only(ann, tournament)
    assert (game["how"], sorted(seat["share"] for seat in game["seats"])) == ("played", [0, 1])
    assert await outcomes.moved_by(house.store, table), "it counts for ratings, too"
    assert bob in people


@pytest.mark.parametrize("gone", [True, False])
async def test_a_game_that_can_not_end_counts_as_shared(
    house: House, arrive: Arrive, clock: Clock, *, gone: bool
) -> None:
    ann, _ = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, rounds=1)
    (table,) = (await seen(ann, tournament))["tables"]
    t = storage.tables.c
    change = sa.delete(storage.tables) if gone else sa.update(storage.tables).values(status="closed", ended="misfit")
    work: Work[None] = lambda connection: connection.execute(change.where(t.id == table)) and None  # noqa: E731
    await house.store.do(work)
    await wait(house, clock, jobs.LOOK + 1)
    game = await only(ann, tournament)
    assert (game["how"], [seat["share"] for seat in game["seats"]]) == ("void", [0.5, 0.5])


async def test_one_process_at_a_time_sees_to_a_tournament_and_pairs_a_round_once(
    house: House, arrive: Arrive, clock: Clock
) -> None:
    ann, _ = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, rounds=2)
    await house.store.do(partial(rows.hurry, tournament=tournament, now=0.0))
    (taken,) = await house.store.do(partial(boards.lease, now=clock()))
    assert await house.store.do(partial(boards.lease, now=clock())) == []
    assert not await house.store.look(partial(boards.is_due, now=clock()))
    await house.store.do(partial(rows.hurry, tournament=tournament, now=clock()))  # meanwhile, something happened
    await house.store.do(partial(boards.release, taken=taken, due=clock() + 60))
    assert len(await house.store.do(partial(boards.lease, now=clock()))) == 1
    clock.ahead += boards.LEASE + 1  # that process has died
    assert len(await house.store.do(partial(boards.lease, now=clock()))) == 1
    again = Game(1, 1, None, "paired", places=(Place(0, 1), Place(1, 2)))
    pair = partial(boards.pair, tournament=tournament, some=[again], now=clock())
    assert not await house.store.do(partial(pair, number=1))
    assert not await house.store.do(partial(pair, number=3))
    made = await house.store.look(partial(boards.games, tournament=tournament))
    assert [game.state for game in made] == ["playing"]
    assert not await house.store.do(
        partial(boards.opened, tournament=tournament, game=made[0], table_id="other", now=clock())
    )
    assert (await house.store.look(partial(rows.one, tournament=tournament))).round == 1


async def test_a_player_away_at_the_end_has_lost(house: House, arrive: Arrive) -> None:
    ann, bob = people = await accounts(arrive, 2)
    tournament = await begun(house, ann, people, rounds=1)
    (table,) = (await seen(ann, tournament))["tables"]
    first = ann if await play(ann, table) else bob
    if first is bob:
        await play(bob, table)
    second = bob if first is ann else ann
    await first.do(f"tables/{table}/leave")
    while await play(second, table):
        pass
    live = await house.table(table)
    if not live.over:  # the bot that plays for them would have to know the game
        async with house.hold(table) as held:
            while not held.over:
                from parlour.house.table.play.moving import make_move

                assert held.match is not None
                await make_move(house, held, held.match.current_player, held.match.legal_action_ids()[0])
    await told(house)
    game = await only(ann, tournament)
    lost = next(seat for seat in game["seats"] if seat["entrant"] == 1 + people.index(first))
    assert (game["how"], lost["share"]) == ("played", 0)


def test_the_others_share_the_win_of_who_was_away() -> None:
    assert counted([0.5, 0.5, 0.0], [False, True, False]) == [1, 0, 0]
    assert counted([0.0, 1.0, 0.0], [False, True, False]) == [0.5, 0, 0.5]
    assert counted([0.0, 1.0], [True, True]) == [0, 0]
    assert counted([0.25, 0.75], [False, False]) == [0.25, 0.75]


def test_places_follow_shares_and_then_scores() -> None:
    seats = [Place(0, 1, share=0.0, score=3), Place(1, 2, share=1.0, score=1), Place(2, 3, share=0.0, score=9)]
    assert reckoning._places(seats) == (3, 1, 2)
