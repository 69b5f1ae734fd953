"""Games without a search: a network judges what each decision leads to (`parlour.engine.learned`)."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
import numpy as np

from parlour.analysis.plans import Given
from parlour.analysis.selfplay import LONGEST, Games, Series, loaded
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE
from parlour.engine import drivers, learned, weights, work
from parlour.engine.compiled import CompiledEngine
from parlour.engine.weights import Weights

ROOM = 128  # positions of a game on average, for which half of the first room is
STREAMS = 1 << 32  # of chance, for each edition
MILLION = 1_000_000


def block(common: Given, given: Given) -> bytes:
    """Play some games of a series: to learn from, or of two sides."""
    series = msgspec.convert(common, Series)
    where = msgspec.convert(given, dict[str, int])
    numbers = range(where["first"], where["first"] + where["games"])
    return (_taught(series, numbers) if series.keep else _played(series, numbers)).written()


def _plain(game: Game) -> int:
    """Return the number of the bot that plays without a network."""
    return drivers.GREEDY if game.policy is not None else drivers.RANDOM


def _played(series: Series, numbers: range) -> Games:
    """Play games of two sides."""
    game, engine = loaded(*series.game)
    seats = series.players
    nets = [side.weights(game) for side in series.sides]
    judges = [engine.net(net or weights.nothing(game, seats, base=True)) for net in nets]
    kinds = [learned.LEARNED + place if net else _plain(game) for place, net in enumerate(nets)]
    found = work.Results(
        np.zeros((len(numbers), seats), np.int64), np.zeros((len(numbers), seats)), np.zeros(len(numbers), np.int64)
    )
    rng, firsts = engine.integers(RNG_SIZE), np.array([number % series.rounds for number in numbers], np.int64)
    for place, number in enumerate(numbers):
        draw = number // series.rounds
        start = series.start(game, draw)
        bots = np.array([kinds[0] if seat == firsts[place] else kinds[-1] for seat in range(seats)], np.int64)
        rows = work.Results(*(one[place : place + 1] for one in found))
        engine.learned.play_games(
            engine.states(start, 1), engine.states(start, 1), bots, rng, work.Games(series.seed, draw, 1, LONGEST),
            engine.buffers(start), rows, (judges[0], judges[-1], engine.reals(seats)),
        )  # fmt: skip
    none = np.zeros(0, np.int64)
    return Games(
        found.shares, firsts, np.zeros(2), np.zeros(2, np.int64), np.zeros((0, 0), np.int16), none,
        np.zeros((0, seats)), np.zeros((0, seats)), none,
    )  # fmt: skip


def _taught(series: Series, numbers: range) -> Games:
    """Play games of a side against itself, and of a network against `greedy` in most games; or, with two sides, of the
    first against the second. Keep every position after a decision. Without `greedy` it learns to win in ways of its
    own, such as games that never end."""
    game, engine = loaded(*series.game)
    begun = time.thread_time()
    some = [_edition(series, place, numbers, game, engine) for place in range(len(series.editions))]
    lessons = [one for one in some if len(one.players)]
    wide = max((int(one.counts.max()) for one in lessons), default=0)
    table = np.concatenate([one.table[:, :wide] for one in lessons] or [np.zeros((0, 0), np.int32)])
    small = weights.layout(game).features <= np.iinfo(np.int16).max
    return Games(
        np.full((len(numbers), series.players), 1 / series.players),  # what came of a game is in the values
        np.zeros(len(numbers), np.int64),
        np.array([time.thread_time() - begun]),
        np.zeros(1, np.int64),
        table.astype(np.int16) if small else table.astype(np.int32),
        np.concatenate([one.players for one in some]),
        np.concatenate([one.odds for one in some]),
        np.concatenate([one.values for one in some]),
        np.concatenate([one.games for one in some]),
    )


def _edition(series: Series, place: int, numbers: range, game: Game, engine: CompiledEngine) -> work.Lessons:
    """Play those of the games in one of the editions; the games in what is returned are places in `numbers`."""
    of = [number for number in numbers if number % len(series.editions) == place]
    nets = [side.weights(game) for side in series.sides]
    start, seats = series.start(game, place), series.players
    judges = [engine.net(net or weights.nothing(game, seats, base=True)) for net in nets]
    games = work.Games(series.seed, (of[0] if of else 0) + place * STREAMS, len(of), LONGEST)
    used, room = -1, ROOM
    while used < 0:
        room *= 2
        found = _lessons(series, game, engine, room * max(1, len(of)), nets)
        used = engine.learned.teach(
            engine.states(start, 1), engine.states(start, 1), engine.integers(RNG_SIZE), games, engine.buffers(start),
            (judges[0], judges[-1], engine.reals(seats)), found,
        )  # fmt: skip
    found.games[:used] = np.array([*of, 0])[found.games[:used]] - numbers.start
    names = ("table", "counts", "players", "games", "odds", "values")
    return found._replace(**{name: getattr(found, name)[:used] for name in names})


def _lessons(
    series: Series, game: Game, engine: CompiledEngine, room: int, nets: Sequence[Weights | None]
) -> work.Lessons:
    seats, whole, rival = series.players, nets[0] is None, len(nets) > 1
    bot = _plain(game) if whole or rival or game.policy is not None else -1
    if nets[-1] is not None and rival:
        bot = learned.LEARNED + 1
    return work.Lessons(
        np.full((room, weights.layout(game).most), -1, np.int32), engine.integers(room), engine.integers(room),
        engine.integers(room), engine.reals(room, seats), engine.reals(room, seats), engine.reals(seats, seats),
        series.trace, round(series.random * MILLION), bot, int(whole), int(rival),
    )  # fmt: skip
