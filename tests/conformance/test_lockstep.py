"""Every game, in every shape, plays the same plain and compiled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour import bots
from parlour.conformance.cases import Case
from parlour.core.rng import RNG_SIZE
from parlour.core.struct import flatten
from parlour.engine import compile, interpret, survey
from parlour.engine.lockstep import lockstep
from parlour.engine.work import Games, Results
from tests.conformance.cases import parameters, short_cases

GAMES, DECISIONS = 2, 15


@pytest.mark.slow
@pytest.mark.parametrize("case", parameters(), ids=str)
def test_plain_and_compiled_agree_at_every_step(case: Case, size: Callable[[int, int], int]) -> None:
    start = case.game.start(case.players, case.match().edition, case.match().options)
    games = size(1, 3)
    compared = lockstep(case.game, start, case.players, games)
    assert compared.steps > 0
    assert compared.finished == games or not case.game.rules.bound(start)


@pytest.mark.slow
@pytest.mark.parametrize("loop", ["survey", "drivers"])
@pytest.mark.parametrize("case", short_cases(), ids=str)
@pytest.mark.suite("fortune*-survey", "gatsby*-survey", "pig*-survey")
def test_bots_play_the_same_games_plain_and_compiled(case: Case, loop: str) -> None:
    """A bot is shown what `resample` leaves, so that is compiled and compared here too.

    The suite takes the loop of `parlour stats`, which does all that the other does, and notes events besides: other
    tests need it compiled too.
    """
    start = case.game.start(case.players, case.match().edition, case.match().options)
    best = bots.driver(case.game, bots.simulated(case.game)[0])
    kinds = len(getattr(case.game.events, "EVENTS", ()))
    columns = survey.EVENTS + kinds + len(getattr(case.game.events, "COUNTS", ()))
    found = []
    for engine in (interpret(case.game), compile(case.game)):
        template, states, seats = engine.states(start, 1), engine.states(start, 1), engine.integers(case.players)
        for seat in range(case.players):
            seats[seat] = best
        rng, buffers, played = engine.integers(RNG_SIZE), engine.buffers(start), []
        for number in range(GAMES):
            totals, shares = engine.integers(1, case.players), engine.reals(1, case.players)
            games = Games(1, number, 1, DECISIONS)
            if loop == "drivers":
                rows = engine.integers(1)
                check = [engine.drivers.play_games(template, states, seats, rng, games, buffers,
                                                   Results(totals, shares, rows))]  # fmt: skip
                noted = [int(rows[0])]
            else:
                rows = engine.integers(1, columns)
                results = Results(totals, shares, rows)
                close = engine.close(case.players, 1, kinds)
                engine.survey.watch_games(template, states, seats, rng, games, buffers, results, close)
                noted = [int(n) for n in rows[0]]
                check = [[float(n) for n in close.rows[0]], [[int(n) for n in use] for use in close.uses]]
            scored = [int(n) for n in totals[0]], [float(share) for share in shares[0]]
            played.append((noted, scored, [int(n) for n in rng], check, flatten(engine.plain(states[0]))))
        found.append(played)
    assert found[0] == found[1]
    assert all(noted[0] for noted, *_ in found[0])  # the decisions
