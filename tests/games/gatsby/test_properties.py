"""What holds in whole games: bots, events, the end."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import copy
from parlour.engine import interpret
from parlour.engine.drivers import GREEDY, RANDOM
from parlour.engine.work import Games, Results
from parlour.games.gatsby import rules as r
from parlour.games.gatsby.rules import holdings
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.study import events
from tests.games.gatsby.table import GATSBY, PEEK, Table


def came(before: Any, action: int, after: Any) -> dict[str, bool]:
    """Events that can be read from the states before and after a step."""
    aside, later = (sum(s.ASIDE <= tile < s.DISCARDED for tile in state.tile) for state in (before, after))
    new = [after.log[i] for i in range(before.noted, after.noted)]
    looks = [(entry >> 2 & 3, entry >> 4 & 15) for entry in new if entry & 3 == s.SEEN]
    return {
        "opponent forced": after.force > before.force,
        "Special Action tile used": any(
            was == s.ON_SPACE + before.player and now in (s.IN_USE, s.GONE)
            for was, now in zip(before.tile, after.tile, strict=True)
        ),
        "Special Action tile set aside": later > aside,
        "characters swapped": any(
            entry & 3 == s.MOVED or (entry & 3 == s.HIDDEN_MOVE and entry >> 12 > 0) for entry in new
        ),
        "tokens swapped": (before.tokens[0] & after.tokens[1]) + (before.tokens[1] & after.tokens[0]) > 0,
        "character rallied face down": any(after.owner[place] == seat for seat, place in looks),
        "row filled for the opponent": any(filled(before, action, row) for row in range(p.ROWS)),
    }


def filled(before: Any, action: int, row: int) -> bool:
    """Return whether the active player puts a last token on a row on which the other has more (GA-20)."""
    spaces = [p.RACE + row * p.LANE + place for place in range(before.lengths[row])]
    if action not in spaces or before.due_kind[before.due - 1] in (s.OWN, s.OTHER):
        return False
    own, others = (sum(before.tokens[seat] >> one & 1 for one in spaces) for seat in (before.player, 1 - before.player))
    return own + 1 + others == len(spaces) and own + 1 < others


def play(edition: str, seed: int) -> tuple[Any, int, int]:
    """A random game: its last state, the events in it, the steps."""
    state = GATSBY.start(2, GATSBY.edition(edition), GATSBY.options())
    rng, out = [0] * RNG_SIZE, [0] * r.MAX_LEGAL
    seed_rng(rng, seed, 0)
    seen = steps = 0
    while (player := r.current_player(state)) != TERMINAL:
        if player == CHANCE:
            action = r.sample_chance(state, rng)
        else:
            action = out[random_below(rng, r.legal_actions(state, out))]
        foretold, before = events.events(state, action), copy(state)
        seen |= foretold
        r.apply(state, action)
        for name, happened in came(before, action, state).items():
            assert foretold >> events.EVENTS.index(name) & 1 == happened, (edition, seed, name)
        steps += 1
    return state, seen, steps


@cache
def games() -> list[tuple[Any, int, int]]:
    return [play(edition, seed) for edition in GATSBY.editions for seed in range(60)]


def test_ga_09_no_game_lasts_100_turns() -> None:
    assert max(state.turns for state, _, _ in games()) < 100
    assert max(steps for _, _, steps in games()) < r.bound(games()[0][0])


def test_ga_23_every_game_has_an_ending_that_is_counted() -> None:
    found = [events.ending(state) for state, _, _ in games()]
    assert {0, 1, 2} <= set(found) <= set(range(len(events.ENDINGS)))
    for state, _, _ in games():
        shares = [0.0, 0.0]
        r.returns(state, shares)
        assert (events.ending(state) == 3) == (shares == [0.5, 0.5])


def test_events_happen_and_are_named() -> None:
    seen = 0
    for _, found, _ in games():
        seen |= found
    assert seen == (1 << len(events.EVENTS)) - 1


def test_counts_add_up() -> None:
    for state, _, _ in games():
        values = [events.count(state, which) for which in range(len(events.COUNTS))]
        assert values[0] == state.turns
        assert values[1] == sum(values[2:5]) == holdings.characters_of(state, 0) + holdings.characters_of(state, 1)
        assert values[5] in (0, 3, 6, 9)


def test_a_draw_is_an_ending() -> None:
    table = Table().put(1, "b1 b2 b3 b4").give(1, nw="press-3", stars="jazz-2")
    for tile in range(p.N_TILES):
        table.state.tile[tile] = s.IN_PILE
    table.give(2, track1="jazz-1", track2="stage-2", track3="turf-2").due(s.STEP)
    assert events.ending(table.state) == 3


def greedy(table: Table, seed: int = 1) -> str:
    """Return what the greedy bot does here."""
    engine = interpret(GATSBY)
    states, rng = engine.states(table.state, 1), engine.integers(RNG_SIZE)
    seed_rng(rng, seed, 0)
    shown = copy(table.state)
    r.resample(shown, r.current_player(shown), rng)
    chosen = engine.drivers.choose_first(GREEDY, states, rng, engine.buffers(table.state))
    return GATSBY.text.format_action(table.state, chosen)


def test_the_bot_completes_a_path() -> None:
    assert greedy(Table().put(1, "b1 b2 b3").due(s.ANYWHERE)) == "b4"


def test_the_bot_takes_the_majority_of_a_row() -> None:
    assert greedy(Table().put(1, "3.1 3.2").put(2, "3.3 3.4").due(s.RACETRACK)) == "row 3"


def test_the_bot_takes_the_third_of_a_suit() -> None:
    table = Table().give(1, track2="bank-1", track3="bank-3").levels(2, 0).play("D", "row 1", "row 4").play("A")
    table.play("a1", "skip finance", "b1")
    assert greedy(table) in ("B", "C")


def test_the_bot_knows_what_a_swap_is_worth() -> None:
    table = Table().put(1, "d4 1.1 1.2").put(2, "b1").due(s.OWN)
    assert greedy(table) in table.moves
    table = Table().put(1, "b1 b2 b4 d4").put(2, "b3").due(s.OWN).play("swap d4")
    assert greedy(table) == "with b3"


def test_the_bot_exchanges_a_better_face_into_its_reach() -> None:
    table = Table().put(1, "b1 b2 b3 b4").due(PEEK, s.STEP)
    table.play("take peek", "peek ne track2", "stage-3")
    assert greedy(table) == "no swap"


@pytest.mark.parametrize("first", [0, 1])
def test_the_bot_beats_chance_clearly(first: int) -> None:
    engine = interpret(GATSBY)
    games_, won = 12, 0.0
    seats = engine.integers(2)
    seats[first], seats[1 - first] = GREEDY, RANDOM
    start = GATSBY.start(2, GATSBY.edition(), GATSBY.options())
    template, states = engine.states(start, 1), engine.states(start, games_)
    totals, shares = engine.integers(games_, 2), engine.reals(games_, 2)
    lengths, rng = engine.integers(games_), engine.integers(RNG_SIZE)
    engine.drivers.play_games(
        template, states, seats, rng, Games(5, 0, games_, 500), engine.buffers(start), Results(totals, shares, lengths)
    )
    won = sum(float(shares[game][first]) for game in range(games_))
    assert won / games_ > 0.7
