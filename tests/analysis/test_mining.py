"""Mining: what becomes a puzzle, that it is the same again, and what a file of it is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import msgspec
import pytest

from parlour import bots
from parlour.analysis import mining, themes
from parlour.analysis.plans import Plan
from parlour.bots import View, worker
from parlour.conformance.puzzles import check_collection, check_puzzle
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.match import Match
from parlour.core.puzzle import Puzzle, Value
from parlour.games import find

GAMES = 12


def plan(seed: int = 5) -> Plan:
    return mining.plan(mining.way_of(find("fortune"), seed=seed), GAMES)


@cache
def results() -> tuple[bytes, ...]:
    """Return what the blocks of `plan` give."""
    made = plan()
    return tuple(made.play(number) for number in range(GAMES))


def way(players: int = 2) -> mining.Way:
    return mining.way_of(find("fortune"), players=players, seed=5)


@pytest.mark.slow
def test_a_game_gives_the_same_puzzles_again() -> None:
    assert plan().play(1) == results()[1]
    assert plan(seed=6).play(1) != results()[1]


@pytest.mark.slow
def test_what_is_mined_is_what_a_file_must_be() -> None:
    game, made = find("fortune"), mining.collected(way(), results(), 300, "the command")
    assert len(made.puzzles) >= 2
    assert (made.simulations, made.command, made.players) == (0, "the command", 2)
    check_collection(game, "", made, "mined")
    for one in made.puzzles:
        check_puzzle(game, made, one, one.key)
        assert {*one.found} == {*mining.asked(game)}
        assert sum(of - right for right, of in one.found.values()) >= mining.WRONG
    per_game = [one.number for one in made.puzzles]
    assert max(map(per_game.count, per_game)) <= mining.A_GAME


@pytest.mark.slow
def test_only_so_many_are_kept() -> None:
    every = mining.collected(way(), results(), 300, "").puzzles
    some = mining.collected(way(), results(), 2, "").puzzles
    assert len(some) == 2
    assert {one.key for one in some} < {one.key for one in every}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "glance"), [("gatsby", None), ("family-trade", "learned")])
def test_a_quick_way_passes_over_what_greedy_finds_at_a_glance(name: str, glance: str | None) -> None:
    """A glance is a short search, or what the network says where it says what hints do."""
    game = find(name)
    quick = mining.way_of(game, simulations=100, seed=1, quick=True)
    match = Match(game, seed=4)
    miner = mining._Miner(quick, game, worker.warm(game), 0)
    greedy, seen = bots.find(game, "greedy"), set()
    quickly = bots.find(game, glance) if glance else miner.short
    while not match.over:
        view = View.of(match, match.current_player)
        obvious = miner._obvious(view)
        assert obvious == (quickly.choose(view, miner.engine) == greedy.choose(view, miner.engine))
        seen.add(obvious)
        match.play(match.legal_action_ids()[0])
    assert seen == {True, False}


@pytest.mark.slow
def test_a_search_decides_where_the_solver_does_not() -> None:
    """With three players Fortune's solver is not exact: the search has errors, and a puzzle needs the best level."""
    game = find("fortune")
    engine = worker.warm(game)
    judge = mining.Judge(game, engine, way(3), 200)
    assert not judge.exact
    match = Match(game, 3, seed=2)
    found = judge.values(View.of(match, match.current_player))
    assert len(found) > 1
    assert all(value.error > 0 for _, value in found)
    exact = mining.Judge(game, engine, way(), 200)
    match = Match(game, 2, seed=2)
    assert all(value.error == 0 for _, value in exact.values(View.of(match, match.current_player)))


def test_best_beyond_doubt_needs_a_margin_and_more_than_the_error() -> None:
    game = find("fortune")
    judge = mining.Judge(game, worker.warm(game), way(3), 200)

    def best(*chances: float, error: float) -> int | None:
        return judge.best([(10 + i, Value(str(i), chance, error)) for i, chance in enumerate(chances)])

    assert best(0.6, 0.45, 0.2, error=0.01) == 10
    assert best(0.6, 0.52, 0.2, error=0.01) is None  # the margin
    assert best(0.6, 0.45, 0.2, error=0.05) is None  # the error
    assert best(0.6, error=0.01) is None


def test_another_draw_deals_anew_and_the_same_label_the_same() -> None:
    game = find("gatsby")
    match = Match(game, seed=4)
    while len(match.legal_action_ids()) < 3:
        match.play(match.legal_action_ids()[0])
    view = View.of(match, match.current_player)
    one, same, other = (mining.again(game, view, label) for label in ("a", "a", "b"))
    assert one == same != other
    assert one.seat == other.seat == view.seat
    assert one.seed != other.seed
    assert replace(one, numbers=(), seed=0, origin=0, trail=()) == replace(view, numbers=(), seed=0, origin=0, trail=())


def test_what_cannot_be_mined_is_refused_before_a_game_is_played() -> None:
    game = find("fortune")
    with pytest.raises(BadSetup):
        mining.plan(way(), 0)
    with pytest.raises(BadSetup):
        mining.way_of(game, players=9)
    with pytest.raises(BadSetup):
        mining.way_of(game, least=1.5)
    with pytest.raises(UnknownName):
        mining.way_of(game, edition="none")
    with pytest.raises(BadSetup, match="No decision"):
        mining.collected(way(), [b"[]"], 10, "")


def test_what_greedy_finds_at_once_only_fills_a_file_up() -> None:
    one = msgspec.json.decode(next(data for data in results() if data != b"[]"), type=list[Puzzle])[0]

    def many(right: int, count: int) -> list[Puzzle]:
        found = one.found | {"greedy": (right, 8)}
        return [
            msgspec.structs.replace(
                one, key=f"{right}{number:09}", found=found,
                values=(Value(one.best, 0.9), Value(one.values[1].move, number / 100 + right / 1e4)),
            )
            for number in range(count)
        ]  # fmt: skip

    def kept(easy: int, hard: int, wanted: int) -> tuple[int, int]:
        data = msgspec.json.encode([*many(8, easy), *many(0, hard)])
        rights = [it.found["greedy"][0] for it in mining.collected(way(), [data], wanted, "").puzzles]
        return rights.count(8), rights.count(0)

    assert kept(20, 5, 300) == (20, 5)
    assert kept(20, 5, 16) == (11, 5)
    assert kept(20, 30, 12) == (0, 12)
    assert kept(20, 8, 12) == (4, 8)
    assert kept(20, 0, 12) == (12, 0)


def test_positions_that_are_worth_the_same_are_one_puzzle() -> None:
    (first, *_), *_ = (msgspec.json.decode(data, type=list[Puzzle]) for data in results() if data != b"[]")
    again = msgspec.structs.replace(first, key="0123456789", number=9)
    made = mining.collected(way(), [msgspec.json.encode([first, again])], 10, "")
    assert len(made.puzzles) == 1


@pytest.mark.parametrize(
    ("best", "second", "place", "obvious", "said"),
    [
        (0.6, 0.3, 0.1, True, {themes.ONLY, themes.OPENING}),
        (0.95, 0.8, 0.5, True, {themes.WINNING, themes.MIDDLE}),
        (0.3, 0.2, 0.9, False, {themes.BEHIND, themes.QUIET, themes.ENDING}),
    ],
)
def test_themes_that_hold_in_every_game(
    best: float, second: float, place: float, obvious: bool, said: set[str]
) -> None:
    values = (Value("a", best), Value("b", second))
    assert {*themes.general(values, 2, 5, place, obvious=obvious)} == said
    assert themes.CROWD in themes.general(values, 2, themes.MANY, place, obvious=obvious)
    assert {*said} <= {*themes.EVERYWHERE}
