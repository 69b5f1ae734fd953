"""A first look at rules that have changed, before any of them run compiled.

Compiled code does not notice an index that is out of range: it writes elsewhere, and the process
dies, or the games are wrong. So a game is played for a short while in plain Python first, in states
and buffers that refuse whatever compiled ones could not hold, and say which line of the game has
tried it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from parlour.core.errors import BrokenGame, ParlourError
from parlour.core.game import Game
from parlour.core.loading import file_of, told
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import PLAIN, holds, layout
from parlour.engine import drivers, inspection
from parlour.engine.interpreted import Engine, interpret
from parlour.engine.work import Buffers, Desk, Games, Limits, Results

SECONDS = 0.25  # of processor time; a game that was begun is played on for as many decisions as its round has
GAMES = 100  # at most
DECISIONS = 24  # of a game of the first round; a later round has twice as many as the one before
DANGEROUS = (
    inspection.NO_SEAT, inspection.NO_ACTION, inspection.MANY_ACTIONS, inspection.DISORDER, inspection.ACTIONS_OVERRUN,
    inspection.MANY_OUTCOMES, inspection.OUTCOMES_OVERRUN, inspection.OBSERVATION, inspection.OBSERVATION_OVERRUN,
)  # fmt: skip


class Numbers(list[Any]):
    """A list of `bits`-bit numbers that knows what it is called, and refuses what an array could
    not do, or would do otherwise: places that it does not have (those below 0 included), and what
    is no number of its width."""

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
    """Likewise a list of floats."""

    __slots__ = ()

    def __init__(self, size: int, name: str, fill: float = 0.0) -> None:
        super().__init__([fill] * size, name, 64)

    def __setitem__(self, place: Any, value: Any) -> None:
        if not 0 <= place < len(self):
            raise IndexError(_nowhere(self, place))
        list.__setitem__(self, place, value)


class Rows(list[Any]):
    """A table of such lists, none of which can be replaced."""

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
    """A copy of a plain state that refuses likewise. TypeError, OverflowError, ValueError where it
    does so at once."""
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
    """The same kind of state, of which no list can be replaced, and whose numbers fit their
    bits."""
    shapes = {name: shape for name, shape, _ in layout(cls)}

    def set_number(made: Any, name: str, value: Any) -> None:
        if shapes.get(name):
            raise TypeError(f"state.{name} is a whole list: copy it item by item")
        _fit(value, PLAIN, f"state.{name}")
        object.__setattr__(made, name, value)

    def begin(_made: Any) -> None:
        """Every field is set by `state`."""

    return type(cls.__name__, (cls,), {"__slots__": (), "__setattr__": set_number, "__init__": begin})


class Unplayable(BrokenGame):
    """What a game does cannot be done compiled, or fails; `why` is the sentence with the place in
    its files."""

    def __init__(self, game: Game, why: str) -> None:
        super().__init__(f"The game {game.name} cannot be played: {why}")
        self.game, self.why = game, why

    def __reduce__(self) -> tuple[type[Unplayable], tuple[Game, str]]:
        return Unplayable, (self.game, self.why)  # it may come from another process


@contextmanager
def blamed(game: Game, where: str, *errors: type[Exception]) -> Iterator[None]:
    """Errors of these kinds are the game's fault: Unplayable, with its line, or `where` if none of
    them is known."""
    try:
        yield
    except ParlourError:
        raise
    except errors as error:
        raise Unplayable(game, told(error, where, game)) from error


def look(game: Game, seconds: float = SECONDS) -> None:
    """Play the game for about so long, with guards; Unplayable with the line of the game that is at
    fault."""
    engine = interpret(game)
    began = time.thread_time()
    for number, (start, players, most) in enumerate(_starts(game)):
        whole = inspect(engine, start, players, 1, number, most)
        if not whole or number % 4 == 3:
            _bots(engine, _guarded_start(game, start), players, number, most)
        if number + 1 == GAMES or time.thread_time() - began > seconds:
            return


def _starts(game: Game) -> Iterator[tuple[Any, int, int]]:
    """Without end: a plain state to start from, for how many players, and how many decisions are to
    be made. Each edition with the most and the fewest players, with the options as they are, then
    at random, longer each time."""
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
    """The guarded copy of what `setup` made. Unplayable says what in it no state can hold."""
    try:
        return state(start)
    except (TypeError, OverflowError, ValueError) as error:
        raise Unplayable(game, f"{file_of(game, 'setup')}: setup: {error}.") from None


def inspect(engine: Engine, start: Any, players: int, seed: int, number: int, most: int) -> bool:
    """Unplayable where the random game `number` of `seed` does what compiled code cannot, in at
    most so many decisions. False where it ends with another fault, which can be played and is left
    to `parlour check`.

    `engine` is the plain one, `start` a plain state; the game is that of `drivers.random_games`.
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
    """One game between bots, greedy ones (slow, so they decide little) where the game has a
    policy."""
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
    """One of `inspection.FAULTS` in words, with the file."""
    function, words = inspection.FAULTS[fault]
    return f"{file_of(game, function)}: {function} {words}"
