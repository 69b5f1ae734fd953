"""Which values of a game are tried for a report: each that is not printed, a step down and a step up, and each other
reading of an unclear rule.

A step is the largest of 1, 2, 5, 10, 20, 50 and so on that is at most a tenth of the number, and at least 1; the bounds
of the value cut it off. A table is tried entry by entry, a list of at most SHORT numbers place by place (of equal
numbers the first). In a longer or nested list all numbers move together, by their greatest common divisor. Values that
are not numbers (a board, say) have no step of their own: a file of prepared steps has some.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from parlour.analysis.sampling import Setup
from parlour.analysis.sweeping import OPTION, at
from parlour.core.bounds import Bounds
from parlour.core.edition import RULING, STATED, Part
from parlour.core.errors import BadSetup, ParlourError
from parlour.core.facts import RULESET, Option

SHORT = 6
DOWN, UP, OTHER = "down", "up", "other"  # which way a step goes


@dataclass(frozen=True)
class Step:
    """Another value: in words, which way it goes (DOWN, UP, OTHER), where it is (`sweeping.at`), and the setup."""

    label: str
    way: str
    point: Mapping[str, object]
    setup: Setup


@dataclass(frozen=True)
class Value:
    """What is tried: a value of the edition by its path, or an option, with its words, its mark, its clause and what it
    is now.

    `about`: what an option decides; `printed`: the words that can be read in more than one way. `why_not`: why there
    are not steps.
    """

    path: str
    title: str
    now: str
    mark: str
    clause: str
    about: str = ""
    printed: str = ""
    option: bool = False
    steps: tuple[Step, ...] = ()
    why_not: str = ""

    @property
    def reading(self) -> bool:
        """Whether it is a reading of an unclear rule."""
        return self.option and self.mark == RULING


class Prepared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step that was prepared by hand: of which component, in words, and its values by path."""

    of: str
    label: str
    values: dict[str, object]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of prepared words (TOML): how many players and games, steps, and sentences for the author.

    `first`: after who is favoured; `of`: by the path of a value, after what the numbers say of it.
    """

    players: int | None = None
    games: int | None = None
    first: str = ""
    of: dict[str, str] = {}
    step: list[Prepared] = []


def read(file: Path) -> Words:
    """Return the prepared words of a file. Raises BadSetup, which says what is wrong; OSError."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Words)
    except (ValueError, msgspec.ValidationError) as error:
        raise BadSetup(f"{file} is not a file of prepared words: {error}.") from None


# What is tried -----------------------------------------------------------------------------------
def values(setup: Setup, words: Words | None = None) -> list[Value]:
    """Return what is tried of a setup, readings first. Raises BadSetup for a prepared step that makes no game."""
    words = words or Words()
    found = [_reading(setup, option) for option in _options(setup)]
    known = {*setup.shape.box.components, *(one.path for one in found)}
    for one in words.step:
        if one.of not in known:
            raise BadSetup(f"A prepared step is of {one.of!r}, which is not a component here.")
    for name, part in setup.shape.box.components.items():
        if part.mark != STATED:
            prepared = [_prepared(setup, one) for one in words.step if one.of == name]
            found += _component(setup, name, part, prepared)
    if strange := [path for path in words.of if path not in {one.path for one in found}]:
        raise BadSetup(f"Prepared words are of {strange[0]!r}, which is not tried here.")
    return found


def _options(setup: Setup) -> list[Option]:
    """Return the options that are not printed as a choice, and matter in the ruleset."""
    shape = setup.shape
    ruleset = shape.ruleset or shape.game.rulesets[0]
    options = shape.game.facts.options
    return [one for one in options if one.name != RULESET and one.mark != STATED and one.matters(ruleset)]


def _reading(setup: Setup, option: Option) -> Value:
    now = setup.shape.options.get(option.name, option.default)
    steps = []
    for other in option.values:
        if other != now:
            point = {f"{OPTION} {option.name}": other}
            steps.append(Step(option.said(other), OTHER, point, at(setup, point)))
    title = option.name.replace("_", " ").capitalize()
    return Value(
        option.name, title, option.said(now), option.mark, option.clause, option.help, option.printed, True,
        tuple(steps),
    )  # fmt: skip


def _prepared(setup: Setup, one: Prepared) -> Step:
    return Step(one.label, OTHER, one.values, at(setup, one.values))


def _component(setup: Setup, name: str, part: Part, prepared: Sequence[Step]) -> Iterator[Value]:
    whole = Value(name, part.named(name), said(part.value), part.mark, part.clause)
    if part.bounds.fixed:
        yield replace(whole, why_not="it can't be changed")
        return
    pieces = list(_pieces(name, part.value, part.bounds))
    if not pieces:
        yield replace(whole, steps=tuple(prepared), why_not="" if prepared else "it has no steps, and none is prepared")
        return
    for piece in pieces:
        steps = [step for step in (_step(setup, piece, way) for way in (DOWN, UP)) if isinstance(step, Step)]
        own = (*steps, *prepared) if piece.path == name else tuple(steps)
        title = part.named(name) + (f": {piece.key}" if piece.key else "")
        value = replace(whole, path=piece.path, title=title, now=said(piece.value), steps=own)
        yield value if own else replace(value, why_not=_why_not(setup, piece))
    if prepared and all(piece.path != name for piece in pieces):
        yield replace(whole, now="as it is", steps=tuple(prepared))


@dataclass(frozen=True)
class _Piece:
    """A part of a component that moves as one: a number, or a list. `key`: its name in the component, for people."""

    path: str
    key: str
    value: object
    bounds: Bounds
    limit: str = field(default="")  # the key that its bounds have

    def moved(self, way: str) -> object:
        """Return the value a step down or up, within its bounds."""
        sign = -1 if way == DOWN else 1
        least, most = self.bounds.of(self.limit)
        if type(self.value) is int:
            return min(most, max(least, self.value + sign * size(self.value)))
        numbers = list(_numbers(self.value))
        step = math.gcd(*numbers) or 1
        return _mapped(self.value, lambda number: min(most, max(least, number + sign * step)))


def _pieces(name: str, value: object, bounds: Bounds) -> Iterator[_Piece]:
    if type(value) is int:
        yield _Piece(name, "", value, bounds)
    elif isinstance(value, dict):
        for key, item in value.items():
            if type(item) is int:
                yield _Piece(f"{name}.{key}", str(key).replace("-", " "), item, bounds, key)
    elif isinstance(value, list) and all(type(item) is int for item in value) and len(value) <= SHORT:
        for place, item in enumerate(value):
            if item not in value[:place]:
                yield _Piece(f"{name}.{place}", f"entry {place + 1}", item, bounds)
    elif isinstance(value, list) and len(list(_numbers(value))) == _leaves(value) > 0:
        yield _Piece(name, "", value, bounds)


def size(number: int) -> int:
    """Return the step of a number: the largest of 1, 2, 5, 10 and so on that is at most a tenth of it; at least 1."""
    tenth, step = abs(number) / 10, 1
    for factor in (10**power * k for power in range(10) for k in (1, 2, 5)):
        if factor <= tenth:
            step = factor
    return step


def _numbers(value: object) -> Iterator[int]:
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif type(value) is int:
        yield value


def _leaves(value: object) -> int:
    return sum(map(_leaves, value)) if isinstance(value, list) else 1


def _mapped(value: object, move: Callable[[int], int]) -> object:
    if isinstance(value, list):
        return [_mapped(item, move) for item in value]
    return move(value) if isinstance(value, int) else value


def _step(setup: Setup, piece: _Piece, way: str) -> Step | str:
    """Return a step, or why a value has no step that way."""
    value = piece.moved(way)
    if value == piece.value:
        return "its bounds leave no step"
    try:
        other = at(setup, {piece.path: value})
    except ParlourError as error:
        return error.message.rstrip(".")
    if other.shape.start() == setup.shape.start():
        return "it changes nothing in this game"
    label = said(value)
    if label == said(piece.value):
        label = f"each {abs(min(_away(value, piece.value), key=abs))} {'lower' if way == DOWN else 'higher'}"
    return Step(label, way, {piece.path: value}, other)


def _away(value: object, before: object) -> list[int]:
    """Return by how much each number that has moved is away from where it was."""
    return [one - old for one, old in zip(_numbers(value), _numbers(before), strict=True) if one != old]


def _why_not(setup: Setup, piece: _Piece) -> str:
    return next(str(_step(setup, piece, way)) for way in (DOWN, UP))


def said(value: object) -> str:
    """Return a value in words; a list that is long in short."""
    if type(value) is int:
        return f"{value:,}".replace("-", "−")
    if isinstance(value, list):
        numbers = [f"{number:,}".replace("-", "−") for number in _numbers(value)]
        flat = len(numbers) == len(value)
        return ", ".join(numbers) if flat and len(numbers) <= 10 else f"{_leaves(value)} entries"
    return str(value)
