"""Every game, in every shape, plays the same plain and compiled."""

from __future__ import annotations

import pytest

from parlour import bots
from parlour.conformance.cases import Case
from parlour.core.rng import RNG_SIZE
from parlour.core.struct import flatten
from parlour.engine import compile, interpret
from parlour.engine.lockstep import lockstep
from parlour.engine.work import Games, Results
from tests.conformance.cases import parameters, short_cases

GAMES, DECISIONS = 2, 15


@pytest.mark.slow
@pytest.mark.parametrize("case", parameters(), ids=str)
def test_plain_and_compiled_agree_at_every_step(case: Case) -> None:
    start = case.game.start(case.players, case.match().edition, case.match().options)
    compared = lockstep(case.game, start, case.players, games=3)
    assert compared.steps > 0
    assert compared.finished == 3 or not case.game.rules.bound(start)


@pytest.mark.slow
@pytest.mark.parametrize("case", short_cases(), ids=str)
def test_bots_play_the_same_games_plain_and_compiled(case: Case) -> None:
    """A bot is shown what `resample` leaves, so that is compiled and compared here too."""
    start = case.game.start(case.players, case.match().edition, case.match().options)
    best = bots.driver(case.game, bots.simulated(case.game)[0])
    found = []
    for engine in (interpret(case.game), compile(case.game)):
        template, states, seats = engine.states(start, 1), engine.states(start, GAMES), engine.integers(case.players)
        for seat in range(case.players):
            seats[seat] = best
        totals, shares = engine.integers(GAMES, case.players), engine.reals(GAMES, case.players)
        lengths, rng = engine.integers(GAMES), engine.integers(RNG_SIZE)
        games, results = Games(1, 0, GAMES, DECISIONS), Results(totals, shares, lengths)
        check = engine.drivers.play_games(template, states, seats, rng, games, engine.buffers(start), results)
        found.append((check, [int(n) for n in lengths], [flatten(engine.plain(states[i])) for i in range(GAMES)]))
    assert found[0] == found[1]
    assert all(found[0][1])
