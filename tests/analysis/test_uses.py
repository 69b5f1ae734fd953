"""Uses of decisions and events, against the list of all games of Sprint; how they are named, cut and kept."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from parlour.analysis import batches, tables, uses
from parlour.analysis.batches import Batch, Spread
from parlour.analysis.places import Here
from parlour.analysis.shapes import Shape, shapes
from parlour.analysis.statistics import gather
from parlour.core.game import Game
from parlour.engine import survey
from parlour.games import find
from tests.analysis import sprints

SPRINT = Game("sprint", "tests.fixtures.sprint")
SHAPE = Shape(SPRINT, SPRINT.edition(), 2)


def by_hand(action: int, actor: bool = True) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return what is expected of a game: offers, uses, seats that use it and what they win; of an outcome of chance, it
    is the seat's that has just decided."""
    offered = made = seats = won = Fraction(0)
    for one in sprints.games(2):
        seat, users = -1, set()
        for who, step in one.steps:
            seat = who if who >= 0 else seat
            if (who >= 0) == actor and step == action:
                made += one.chance
                users.add(seat)
        offered += one.chance * sum(n > action for n in one.choices)
        seats += one.chance * len(users)
        won += one.chance * sum(one.shares()[user] for user in users)
    return offered, made, seats, won


def test_uses_of_many_games_are_what_all_games_say(size: Callable[[int, int], int]) -> None:
    games = size(3_000, 20_000)
    found = {one.name: one for one in gather(SHAPE, "random", games, closely=True).uses}
    assert set(found) == {"safe", "risk", "miss"}
    for name, action in (("safe", 0), ("risk", 1), ("miss", 0)):
        one, (offered, made, seats, won) = found[name], by_hand(action, name != "miss")
        assert one.made / games == pytest.approx(float(made), rel=0.06)
        assert one.seats / games == pytest.approx(float(seats), rel=0.06)
        assert one.won is not None
        half = (one.won.high - one.won.low) / 2
        assert 0 < half < 0.03
        assert abs(one.won.share - won / seats) < 2.5 * half
        if name == "miss":
            assert (one.group, one.action, one.offered, one.rate) == (uses.EVENT, -1, 0, None)
            continue
        assert one.offered / games == pytest.approx(float(offered), rel=0.06)
        assert one.rate is not None
        assert abs(one.rate.share - made / offered) < 2.5 * (one.rate.high - one.rate.low) / 2


@pytest.mark.whole
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Each seat's decisions of a game depend on each other, and its seats on one another."""
    _, made, seats, won = by_hand(1)
    offered = by_hand(1)[0]
    runs = 300
    hits = np.zeros(2)
    for seed in range(runs):
        (one,) = [one for one in gather(SHAPE, "random", 200, seed, closely=True).uses if one.name == "risk"]
        assert one.rate is not None
        assert one.won is not None
        hits += [one.rate.low <= made / offered <= one.rate.high, one.won.low <= won / seats <= one.won.high]
    assert all(hits / runs > 0.91), hits / runs


def test_each_decision_is_used_once_wherever_it_is_played() -> None:
    compiled = gather(SHAPE, "random", 120, closely=True)
    stepwise = gather(SHAPE, ["easy", "random"], 3, closely=True)
    for found in (compiled, stepwise):
        assert sum(one.made for one in found.uses if one.group != uses.EVENT) == found.decisions.mean * found.games
    assert gather(SHAPE, "random", 120).uses == ()
    assert "uses" not in gather(SHAPE, "random", 120).as_dict()


def test_blocks_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", "tests/fixtures/sprint")
    shape = shapes(find("sprint"), 2)[0]
    here = gather(shape, "random", 200, closely=True).uses
    spread = batches.gather(Batch(shape, ("random",)), 200, Spread(Here(1), size=70), closely=True).uses

    def counts(found: tuple[uses.Use, ...]) -> list[tuple[object, ...]]:
        return [(one.name, one.offered, one.made, one.seats) for one in found]

    assert counts(spread) == counts(here)
    assert spread[0].won is not None
    assert here[0].won is not None
    assert spread[0].won.share == pytest.approx(here[0].won.share)


def test_games_are_cut_in_parts_of_nearly_equal_size() -> None:
    for games in (1, 7, 20, 21, 1999):
        cut = list(uses.parts(games))
        assert [number for part in cut for number in part] == list(range(games))
        assert len(cut) == min(games, uses.PARTS)
        assert max(map(len, cut)) - min(map(len, cut)) <= 1


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        ({"play gem"}, "play gem"),
        ({"take QH", "duel QH", "give QH"}, "duel/give/take QH"),
        ({"a3", "swap a3", "with a3"}, "(swap/with) a3"),
        ({"diamond up", "diamond down"}, "diamond down/up"),
        ({"done", "take"}, "done/take"),
        ({f"take {one}" for one in "abcdefg"} | {"no swap"}, "no/take … (7)"),
        ({"discard ruby 1", "discard heist"}, "discard … (7)"),
        (set(), "decision 7"),
    ],
)
def test_a_decision_has_a_name_for_all_its_meanings(texts: set[str], name: str) -> None:
    assert uses._named(texts, 7) == name


def test_every_decision_of_a_game_is_named() -> None:
    """In Gatsby a number has several meanings; the names differ all the same."""
    shape = shapes(find("gatsby"), 2)[0]
    names = list(uses.names(shape, range(shape.game.rules.N_ACTIONS)).values())
    assert len(set(names)) == len(names)
    assert "A" in names
    assert "keep S3" in names


def test_a_table_is_bounded_and_says_how_many_more() -> None:
    counted = np.zeros((4, 2576, survey.USES), np.int64)
    counted[:, 1:2574, survey.OFFERED] = 5
    counted[:, 7, survey.MADE : survey.SEATS + 1] = [3, 2]
    counted[:, 7, survey.WINS] = survey.PARTS
    fortune = find("fortune")
    shape = shapes(fortune, 2, "classic-35")[0]
    counted = np.pad(counted, ((0, 0), (0, 2574 + len(fortune.events.EVENTS) - 2576), (0, 0)))
    used = uses.count(shape, counted)
    assert len(used) == 2573 + len(fortune.events.EVENTS)
    assert (used[0].action, used[0].made, used[0].seats) == (7, 12, 8)
    assert used[0].won is not None
    assert used[0].won.share == 0.5
    found = gather(shape, "random", 8, closely=True)
    (rolls,) = [rows for rows in tables.uses(found) if rows.title == "re-roll …"]
    whole = sum(one.group == "re-roll" for one in found.uses)
    assert len(rolls.rows) == tables.LISTED + 1
    assert rolls.rows[-1][0] == f"and {whole - tables.LISTED:,} more"
