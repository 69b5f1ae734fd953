"""Plain and compiled are the same game: every state of thousands of random games, compared number by number.

A game with the default options and random players lasts about 100 rounds, most of them alike; so most games here end
after a few rounds (`round_limit` set in the state) with a near finish line, to see many beginnings, final rounds and
ends. Some are played with the options as they are, to the end.
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.core.game import Game
from parlour.core.struct import copy, flatten
from parlour.engine import lockstep
from parlour.games import find

FORTUNE = find("fortune")
KUHN = Game("kuhn", "tests.fixtures.kuhn")
GAMES = 400  # more in the long form: scripts/nightly --lockstep 2000


def play(edition: str, games: int, seed: int = 7) -> int:
    """Play short games of Fortune side by side; return the steps compared. Raise Divergence if one differs."""
    chooser = random.Random(edition)
    steps = finished = 0
    for number, players in zip(range(games // 20), itertools.cycle((2, 3, 4)), strict=False):
        options = {o.name: o.values[0] if number < 3 else chooser.choice(o.values) for o in FORTUNE.facts.options}
        start = FORTUNE.start(players, FORTUNE.edition(edition), options)
        start.round_limit = chooser.choice((3, 5, 12))
        start.target = chooser.choice((300, 1000, start.target))
        done = lockstep.lockstep(FORTUNE, start, players, 20, seed=seed, first=20 * number)
        steps += done.steps
        finished += done.finished
    assert finished == games
    return steps


@pytest.mark.slow
@pytest.mark.parametrize("edition", list(FORTUNE.editions))
@pytest.mark.suite("classic-35")
def test_fortune_400_games_of_each_edition(edition: str) -> None:
    assert play(edition, GAMES) > 10 * GAMES


@pytest.mark.slow
@pytest.mark.parametrize("edition", list(FORTUNE.editions))
def test_fortune_whole_games_with_the_default_options(edition: str) -> None:
    for players in (2, 3, 4):
        start = FORTUNE.start(players, FORTUNE.edition(edition), FORTUNE.options())
        done = lockstep.lockstep(FORTUNE, start, players, 5, seed=11)
        assert done.finished == 5
        assert done.steps > 5 * 100 * players


def test_a_game_with_hidden_cards_and_without_a_policy() -> None:
    start = KUHN.start(2, KUHN.edition(), KUHN.options())
    assert lockstep.lockstep(KUHN, start, 2, 200).finished == 200


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    start = FORTUNE.start(2, FORTUNE.edition(), FORTUNE.options())
    start.round_limit = 3

    def wrong(state: object) -> list[int]:
        numbers = flatten(state)
        numbers[-1] += state.turns == 2  # type: ignore[attr-defined]
        return numbers

    assert lockstep.lockstep(FORTUNE, copy(start), 2, 20).games == 20
    monkeypatch.setattr(lockstep, "flatten", wrong)
    with pytest.raises(lockstep.Divergence, match="the state differs"):
        lockstep.lockstep(FORTUNE, start, 2, 20)


# Its own indices, and those of the rules; the word is how many games in lockstep. Nothing of it is in the usual cache.
BOUNDS = """
import sys
import parlour
from numba.core import config
from parlour.core.game import Game
from parlour.engine.lockstep import lockstep
from parlour.games import find
assert config.BOUNDSCHECK
fortune = sys.argv[1] == "fortune"
game = find("fortune") if fortune else Game("kuhn", "tests.fixtures.kuhn")
options = {"pile": "reshuffle", "storm_scoring": "sets"} if fortune else {}
for players in (2, 4)[: 1 + fortune]:
    start = game.start(players, game.edition(), game.options(options))
    if fortune:
        start.round_limit, start.target = 12, 500
    print(lockstep(game, start, players, 40).steps)
if fortune:
    print(parlour.simulate(game.name, 3, bots=["greedy", "random", "greedy"], games=5).summary()["decisions"])
batch = parlour.engine.Batch(game, 20, auto_reset=True)
for _ in range(50):
    batch.legal(), batch.legal_mask(), batch.observations()
    batch.step(batch.random_actions())
print(sum(batch.random_step().ended))
"""


def with_bounds_checked(game: str, cache: Path) -> list[int]:
    """Play with compiled code that checks every index; return how much was played. Raise AssertionError with the
    compiler's or the game's own words if an index was out of range."""
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "PARLOUR_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", BOUNDS, game], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


@pytest.mark.slow
@pytest.mark.whole
def test_with_bounds_checked(tmp_path: Path) -> None:
    """Compiled code does not notice an index out of range, unless it is made to check. This test runs the engine's own
    loops with a small game; the long form has Fortune's rules: scripts/nightly --lockstep N."""
    assert len(with_bounds_checked("kuhn", tmp_path)) == 2
