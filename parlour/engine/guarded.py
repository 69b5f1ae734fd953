"""Try out changed rules in plain Python before any of them run compiled.

Compiled code does not notice an index out of range: it writes elsewhere, and the process dies or
the games are wrong. So a game is first played for a short while in plain Python, with states and
buffers that refuse whatever compiled ones cannot hold, and report the line of the game at fault.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from parlour.core.errors import BrokenGame, ParlourError
from parlour.core.game import Game
from parlour.core.loading import explained, file_of
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import PLAIN, holds, layout
from parlour.engine import drivers, inspection
from parlour.engine.interpreted import Engine, interpret
from parlour.engine.work import Buffers, Desk, Games, Limits, Results

SECONDS = 0.25  # of processor time; a game in progress still makes all the decisions of its round
GAMES = 100  # at most
FEWEST = 4  # however slow the rules: the bots play in each fourth game
DECISIONS = 24  # per game in the first round; each later round has twice as many
DANGEROUS = (
    inspection.NO_SEAT, inspection.NO_ACTION, inspection.MANY_ACTIONS, inspection.DISORDER, inspection.ACTIONS_OVERRUN,
    inspection.MANY_OUTCOMES, inspection.OUTCOMES_OVERRUN, inspection.OBSERVATION, inspection.OBSERVATION_OVERRUN,
)  # fmt: skip


class Numbers(list[Any]):
    """A list of `bits`-bit numbers that knows its name and refuses what an array could not do.

    It refuses indices that it does not have (negative ones included), and values that are not
    numbers of its width.
    """

    __slots__ = ("bits", "name")

    def __init__(self, numbers: Any, name: str, bits: int) -> None:
        super().__init__(numbers)
        self.name, self.bits = name, bits

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is int and not 0 <= place < len(self):
            raise IndexError(_nowhere(self, place))
        return list.__getitem__(self, place)

    def __setitem__(self, place: Any, value: Any) -> None:
        if place.__class__ is int:
            if not 0 <= place < len(self):
                raise IndexError(_nowhere(self, place))
            _fit(value, self.bits, f"{self.name}[{place}]")
        list.__setitem__(self, place, value)


class Reals(Numbers):
    """A list of floats that is guarded in the same way."""

    __slots__ = ()

    def __init__(self, size: int, name: str, fill: float = 0.0) -> None:
        super().__init__([fill] * size, name, 64)

    def __setitem__(self, place: Any, value: Any) -> None:
        if not 0 <= place < len(self):
            raise IndexError(_nowhere(self, place))
        list.__setitem__(self, place, value)


class Rows(list[Any]):
    """A table of guarded lists, which cannot be replaced."""

    __slots__ = ("name",)

    def __init__(self, rows: Any, name: str, bits: int) -> None:
        super().__init__(Numbers(row, f"{name}[{number}]", bits) for number, row in enumerate(rows))
        self.name = name

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is int and not 0 <= place < len(self):
            raise IndexError(_nowhere(self, place))
        return list.__getitem__(self, place)

    def __setitem__(self, place: Any, value: Any) -> None:
        raise TypeError(f"{self.name}[{place}] is a whole row: copy it item by item")


def _nowhere(numbers: Numbers | Rows, place: int) -> str:
    return f"{numbers.name} has {len(numbers)} places from 0 on, and none numbered {place}"


def _fit(value: Any, bits: int, name: str) -> None:
    if value.__class__ is not int and value.__class__ is not bool:
        raise TypeError(f"{name} holds whole numbers, and cannot be {value!r}")
    if not holds(bits, value):
        raise OverflowError(f"{name} has {bits} bits, and cannot hold {value}")


def state(plain: Any) -> Any:
    """Return a guarded copy of a plain state.

    Raises TypeError, OverflowError, ValueError if it does not fit.
    """
    made = _guarded(type(plain))()
    for name, shape, bits in layout(plain):
        value, called = getattr(plain, name), f"state.{name}"
        if not shape:
            _fit(value, bits, called)
        else:
            _shaped(value, shape, called)
            for i, row in enumerate(value):
                for j, number in enumerate(row if len(shape) == 2 else [row]):
                    _fit(number, bits, f"{called}[{i}]" + f"[{j}]" * (len(shape) == 2))
            value = (Numbers if len(shape) == 1 else Rows)(value, called, bits)
        object.__setattr__(made, name, value)
    return made


def _shaped(value: Any, shape: tuple[int, ...], called: str) -> None:
    if not isinstance(value, list) or len(value) != shape[0]:
        raise ValueError(f"{called} must be a list of {shape[0]}, and is {value!r}")
    if len(shape) == 2:
        for number, row in enumerate(value):
            _shaped(row, shape[1:], f"{called}[{number}]")


def _guarded(cls: Any) -> Any:
    """Return a guarded subclass of a state: lists cannot be replaced, and numbers must fit."""
    shapes = {name: shape for name, shape, _ in layout(cls)}

    def set_number(made: Any, name: str, value: Any) -> None:
        if shapes.get(name):
            raise TypeError(f"state.{name} is a whole list: copy it item by item")
        _fit(value, PLAIN, f"state.{name}")
        object.__setattr__(made, name, value)

    def begin(_made: Any) -> None:
        """Leave every field to `state`."""

    return type(cls.__name__, (cls,), {"__slots__": (), "__setattr__": set_number, "__init__": begin})


class Unplayable(BrokenGame):
    """A game fails, or does what compiled code cannot; `why` is a sentence with the place."""

    def __init__(self, game: Game, why: str) -> None:
        super().__init__(f"The game {game.name} cannot be played: {why}")
        self.game, self.why = game, why

    def __reduce__(self) -> tuple[type[Unplayable], tuple[Game, str]]:
        return Unplayable, (self.game, self.why)  # it may come from another process


@contextmanager
def blamed(game: Game, where: str, *errors: type[Exception]) -> Iterator[None]:
    """Turn errors of these kinds into Unplayable, with the game's line, or `where` if unknown."""
    try:
        yield
    except ParlourError:
        raise
    except errors as error:
        raise Unplayable(game, explained(error, where, game)) from error


def look(game: Game, seconds: float = SECONDS) -> None:
    """Play the game under guard for about `seconds`.

    Raises Unplayable with the line of the game at fault.
    """
    engine = interpret(game)
    began = time.thread_time()
    for number, (start, players, most) in enumerate(_starts(game)):
        whole = inspect(engine, start, players, 1, number, most)
        if not whole or (number + 1) % FEWEST == 0:
            _bots(engine, _guarded_start(game, start), players, number, most)
        if number + 1 == GAMES or (number + 1 >= FEWEST and time.thread_time() - began > seconds):
            return


def _starts(game: Game) -> Iterator[tuple[Any, int, int]]:
    """Yield endlessly a plain state to start from, its number of players and a limit of decisions.

    The states cover each edition with the most and the fewest players, first with the default
    options, then with random ones, for more decisions each round.
    """
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 0)
    most, options = DECISIONS, game.options()
    while True:
        for edition in game.editions.values():
            for players in dict.fromkeys(reversed(game.facts.players)):
                yield game.start(players, edition, options), players, most
                chosen = {o.name: o.values[random_below(rng, len(o.values))] for o in game.facts.options}
                options = game.recorded(chosen)
        most *= 2


def _guarded_start(game: Game, start: Any) -> Any:
    """Return a guarded copy of what `setup` made.

    Raises Unplayable, which says what no state can hold.
    """
    try:
        return state(start)
    except (TypeError, OverflowError, ValueError) as error:
        raise Unplayable(game, f"{file_of(game, 'setup')}: setup: {error}.") from None


def inspect(engine: Engine, start: Any, players: int, seed: int, number: int, most: int) -> bool:
    """Play random game `number` of `seed`; return False if it ends with a harmless fault.

    Such a fault is left to `parlour check`. Raises Unplayable if, within `most` decisions, the game
    does what compiled code cannot. `engine` is the plain one, `start` a plain state; the game is
    that of `drivers.random_games`.
    """
    game, rules = engine.game, engine.rules
    first = _guarded_start(game, start)
    out, twin = (_buffer(rules, "MAX_LEGAL") for _ in range(2))
    outcomes, weights = (_buffer(rules, "MAX_OUTCOMES") for _ in range(2))
    seen, again = (_buffer(rules, "OBSERVATION_SIZE") for _ in range(2))
    named = [len(getattr(game.events, name, ())) for name in ("EVENTS", "ENDINGS", "COUNTS")]
    states = [first], [state(start), state(start)], [state(start) for _ in range(inspection.KEPT)]
    desk = Desk(out, twin, outcomes, weights, seen, again, Reals(players, "the buffer of returns"))
    row = [0] * inspection.COLUMNS
    with blamed(game, game.place("rules.py"), Exception):
        limits = Limits(players, rules.bound(start), *named)
        rngs = [0] * RNG_SIZE, [0] * RNG_SIZE
        engine.inspection.inspect_games(states, rngs, Games(seed, number, 1, most), limits, desk, [row])
    if row[inspection.FAULT] in DANGEROUS:
        where = f"{players} players, game {number} of seed {seed}, step {row[inspection.STEPS]}"
        raise Unplayable(game, f"{said(game, row[inspection.FAULT])} ({where}).")
    return row[inspection.FAULT] in (inspection.FINE, inspection.ENDLESS)  # endless: it was cut short


def _bots(engine: Engine, start: Any, players: int, number: int, most: int) -> None:
    """Play one game between bots: if there is a policy, greedy ones (slow, so fewer decisions)."""
    rules, greedy = engine.rules, engine.game.policy is not None
    out, outcomes, weights = (_buffer(rules, what) for what in ("MAX_LEGAL", "MAX_OUTCOMES", "MAX_OUTCOMES"))
    memo = Reals(max(1, engine.policy.MEMO), "the buffer of MEMO", drivers.UNKNOWN)
    buffers = Buffers(out, outcomes, weights, [state(start) for _ in range(3)], memo)
    scores = Numbers([0] * players, "the buffer of scores", 64)
    results = Results([scores], [Reals(players, "the buffer of returns")], [0])
    bots = [drivers.GREEDY if greedy else drivers.RANDOM] * players
    games = Games(1, number, 1, most // 8 if greedy else most)
    with blamed(engine.game, engine.game.place("rules.py"), Exception):
        engine.drivers.play_games([start], [state(start)], bots, [0] * RNG_SIZE, games, buffers, results)


def _buffer(rules: Any, what: str) -> Numbers:
    return Numbers([0] * getattr(rules, what), f"the buffer of {what}", 64)


def said(game: Game, fault: int) -> str:
    """Describe one of `inspection.FAULTS` in words, with the file."""
    function, words = inspection.FAULTS[fault]
    return f"{file_of(game, function)}: {function} {words}"
