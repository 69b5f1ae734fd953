"""Brackets: lines lead from two games to the one that their winners play, whatever the number of entrants."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Literal

import pytest

from parlour.house.tournaments import reckoning
from parlour.house.tournaments.boards import Game
from parlour.house.tournaments.brackets import Bracket, title, tree
from parlour.house.tournaments.pairing.kinds import Form
from parlour.house.tournaments.reading import Known
from parlour.house.tournaments.rows import Entry, State, Tournament
from parlour.house.tournaments.showing import Cast, TableView
from parlour.house.tournaments.viewing import view_of


def row(system: Literal["knock-out", "swiss"] = "knock-out", seats: int = 2, **more: int) -> Tournament:
    """Return a tournament in play."""
    return Tournament(
        "t", "Cup", "o", None, "", "kuhn", "standard", {}, {}, [], "", seats, None, system, more.get("rounds", 0), 0.0,
        1, False, False, False, "greedy", 64, "ab", "running", 0.0, None, 0.0,
    )  # fmt: skip


def known(tournament: Tournament, number: int, games: list[Game], state: State = "running") -> Known:
    """Return a tournament with this number of entrants, called P1, P2 and so on."""
    entries = [Entry(one, f"g{one}", f"P{one}", 25.0 - one, 0) for one in range(1, number + 1)]
    last = max((game.round for game in games), default=0)
    tournament = tournament._replace(round=last, state=state)
    return Known(tournament, "Ann", entries, games, reckoning.standings_of(tournament, entries, games))


def paired(found: Known) -> list[Game]:
    """Return the games that come next."""
    return reckoning.next_games(reckoning.asked(found.tournament, found.entries, found.games, (), 0.0, 1.0)).games


def over(game: Game, draw: random.Random) -> Game:
    """Return a game with a winner."""
    if game.state == "over":
        return game._replace(done=float(game.round))
    best = draw.randrange(len(game.places))
    places = tuple(
        place._replace(came=True, share=float(place.seat == best), score=int(place.seat == best))
        for place in game.places
    )
    return game._replace(state="over", how="played", table_id=f"x{game.round}-{game.board}", done=float(game.round),
                         places=places)  # fmt: skip


def names(table: TableView) -> set[str]:
    return {side.who.name for side in table.sides if side.who}


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7, 8, 11, 16, 21])
def test_each_game_of_a_bracket_leads_to_the_one_beside_it(number: int) -> None:
    draw = random.Random(number)
    games: list[Game] = []
    tournament = row()
    while new := paired(found := known(tournament, number, games)):
        cast = Cast(found)
        columns = Bracket(found, cast).columns()
        assert columns[-1].title == "Final"
        assert all(len(after.tables) * 2 == len(before.tables) for before, after in pairwise(columns))
        games += [over(game, draw) for game in new]
    found = known(tournament, number, games, "over")
    columns = Bracket(found, Cast(found)).columns()
    played = {frozenset(place.entrant for place in game.places) for game in games if len(game.places) > 1}
    drawn = [table for column in columns for table in column.tables if table.state == "over"]
    assert len(drawn) == len(played) == number - 1, "each game is drawn once"
    for before, after in pairwise(columns):
        for at, table in enumerate(after.tables):
            for side, feeder in zip(range(2), before.tables[2 * at : 2 * at + 2], strict=True):
                best = {one.who.name for one in feeder.sides if one.who and one.best}
                assert feeder.state == "none" or best <= names(table), (after.title, at, side)


def test_a_bracket_names_who_may_come() -> None:
    draw = random.Random(4)
    tournament = row()
    first = paired(known(tournament, 5, []))
    found = known(tournament, 5, first)
    quarter, semi, final = Bracket(found, Cast(found)).columns()
    assert [title(number, 3) for number in (1, 2, 3)] == ["Quarter-finals", "Semi-finals", "Final"]
    assert [one.state for one in quarter.tables].count("none") == 3
    waits = {side.instead for table in semi.tables for side in table.sides if side.who is None}
    assert waits == {"Winner of quarter-final 1"}
    assert {side.instead for side in final.tables[0].sides} == {"Winner of semi-final 1", "Winner of semi-final 2"}
    found = known(tournament, 5, [over(game, draw) for game in first])
    semi = Bracket(found, Cast(found)).columns()[1]
    assert all(side.who for table in semi.tables for side in table.sides), "both semi-finals are known"
    assert {table.state for table in semi.tables} == {"ahead"}


def test_tables_of_four_have_a_bracket_without_lines() -> None:
    form = Form(system="knock-out", seats=4)
    drawn = tree(16, form)
    assert [len(slots) for slots in drawn] == [4, 1]
    assert sorted(one for one in drawn[1][0].feeders if one is not None) == [0, 1, 2, 3]
    found = known(row(seats=4), 16, [])
    games = paired(found)
    view = view_of(known(row(seats=4), 16, games))
    assert not view.lined
    assert [len(column.tables) for column in view.bracket] == [4, 1]


def test_places_that_moved_are_counted_from_the_round_before() -> None:
    draw = random.Random(2)
    tournament = row("swiss", rounds=3)
    games: list[Game] = []
    for _ in range(2):
        games += [over(game, draw) for game in paired(known(tournament, 6, games))]
    view = view_of(known(tournament, 6, games))
    before = {
        one.who.entry: one.place for one in view_of(known(tournament, 6, [g for g in games if g.round == 1])).scores
    }
    assert {one.who.entry: one.place + one.moved for one in view.scores} == before
    assert any(one.moved for one in view.scores)
    assert view.now == "Round 2 of 3"
    assert [step.state for step in view.steps] == ["past", "now", "ahead"]
    assert all(len(one.games) == 2 for one in view.scores)
