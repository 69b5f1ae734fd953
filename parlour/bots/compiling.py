"""Compile all of a game that people and programs use, so that none of them waits for it later."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from parlour.bots import BOTS, Chooser, briefest, find, names, simulated, solved
from parlour.bots.levels import LEARNED
from parlour.bots.simulation import simulate
from parlour.bots.view import View
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.state import State
from parlour.engine import bench
from parlour.engine.batch import Batch
from parlour.engine.compiled import compile
from parlour.engine.simulate import lucky, survey
from parlour.engine.single import CompiledMechanics


def parts(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what can be compiled of a game: its name, and the call that compiles it or finds it in the cache.

    Machine code is the same for every edition, option and number of players.
    """
    yield "random games", lambda: bench.start(game)
    for name in (*solved.names(game)[:1], *simulated(game)[:1]):
        yield f"games of {name}", lambda name=name: simulate(game, bots=name, games=1, threads=1)  # type: ignore[misc]
    yield "statistics", lambda: _survey(game)
    if hasattr(game.policy, "outlook"):
        yield "luck", lambda: _luck(game)
    yield "positions", lambda: _position(game)
    yield "batches", lambda: _batch(game)
    learned = [name for name in names(game) if name == LEARNED]
    for name in (*solved.names(game)[:1], *learned, *simulated(game)[:1]):
        yield f"the bot {name}", lambda name=name: _decide(game, find(game, name))  # type: ignore[misc]
    yield "the search", lambda: _decide(game, briefest(game))


def _survey(game: Game) -> None:
    state = game.start(game.min_num_players, game.edition(), game.options())
    survey(game, state, [BOTS[simulated(game)[0]]] * game.min_num_players, 1, 1, threads=1)


def _luck(game: Game) -> None:
    state = game.start(game.min_num_players, game.edition(), game.options())
    lucky(game, state, [BOTS["random"]] * game.min_num_players, range(1), 1, 1, threads=1)


def _position(game: Game) -> None:
    state = State(CompiledMechanics(game, None, None, None))
    state.observation(0)
    while state.is_chance_node():
        state.apply_action(0)


def _batch(game: Game) -> None:
    batch = Batch(game, 1, auto_reset=True)
    batch.step(batch.random_actions())
    batch.random_step()
    batch.legal(), batch.legal_mask(), batch.observations(), batch.tensors()


def _decide(game: Game, bot: Chooser) -> None:
    match = Match(game, seed=1)
    bot.choose(View.of(match, match.current_player), compile(game))
