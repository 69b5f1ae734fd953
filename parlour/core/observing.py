"""What the numbers of an observation mean, and the same as a tensor for learning.

`Facts.observed` names and bounds the numbers. In a tensor a name (a card, a phase, a seat) has a place for each of its
values, a mask one for each bit, and a number stays a number: no float has to be taken apart to learn from it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from parlour.core.facts import Facts, Observed

NUMBER, NAME, MASK = range(3)  # how `Plan` turns a number into floats


@dataclass(frozen=True, slots=True)
class Field:
    """A part of the observation, as `Game.observation_spec` lists it.

    `shape` is that of its floats in the tensor, whose first has the index `start`; `dtype` is "float32". The numbers
    themselves (`size` of them, from index `at` of `Rules.observation`) are from `least` to `most` (None: no limit).
    `kind` is "number", "name" or "mask"; `clause` is the rule that the field comes from, "" if none is named.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    dtype: str
    least: int | None
    most: int | None
    clause: str
    at: int
    size: int
    start: int


class Plan(NamedTuple):
    """How one number becomes floats: `out[start]` to `out[start + width - 1]`.

    `source` is its index in the observation. With a `modulus`, the number is packed, and this is its digit
    `number // divisor % modulus`; a packed number below 0 leaves zeros.
    """

    source: int
    kind: int
    least: int
    divisor: int
    modulus: int
    start: int
    width: int


def _digits(part: Observed) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield kind, least, divisor, modulus and width for each digit of a number of this part."""
    if part.digits:
        divisor = 1
        for digit in part.digits:
            yield (NAME, 0, divisor, digit, digit)
            divisor *= digit
    elif part.kind == "name" and part.most is not None and part.least is not None:
        yield (NAME, part.least, 1, 0, part.most - part.least + 1)
    elif part.kind == "mask" and part.most is not None:
        yield (MASK, 0, 1, 0, part.most.bit_length())
    else:
        yield (NUMBER, 0, 1, 0, 1)


def plan(facts: Facts) -> tuple[Plan, ...]:
    """Return how each number of an observation becomes floats, in the order of the numbers."""
    found: list[Plan] = []
    source = start = 0
    for part in facts.observed:
        for _ in range(part.size):
            for kind, least, divisor, modulus, width in _digits(part):
                found.append(Plan(source, kind, least, divisor, modulus, start, width))
                start += width
            source += 1
    return tuple(found)


def spec(facts: Facts) -> tuple[Field, ...]:
    """Return the fields of an observation, in its order."""
    found: list[Field] = []
    at = start = 0
    for part in facts.observed:
        width = sum(one[-1] for one in _digits(part))
        shape = (part.size,) if width == 1 else (part.size, width) if part.size > 1 else (width,)
        kind = "name" if part.digits else part.kind
        found.append(Field(part.name, kind, shape, "float32", part.least, part.most, part.clause, at, part.size, start))
        at += part.size
        start += part.size * width
    return tuple(found)


def bounds(facts: Facts) -> tuple[list[float], list[float]]:
    """Return the lowest and the highest value of each float of a tensor; infinite where the facts set no limit."""
    limits = [(part.least, part.most) for part in facts.observed for _ in range(part.size)]
    low: list[float] = []
    high: list[float] = []
    for one in plan(facts):
        least, most = limits[one.source] if one.kind == NUMBER else (0, 1)
        low += [-inf if least is None else least] * one.width
        high += [inf if most is None else most] * one.width
    return low, high


def tensor(plans: Sequence[Plan], numbers: Sequence[int], size: int) -> array[float]:
    """Return the floats of an observation of these `numbers`, as float32 (`size` of them)."""
    out = array("f", bytes(4 * size))
    for source, kind, least, divisor, modulus, start, width in plans:
        value = numbers[source]
        if kind == NUMBER:
            out[start] = value
        elif kind == NAME:
            if modulus:
                value = value // divisor % modulus if value >= 0 else -1
            value -= least
            if 0 <= value < width:
                out[start + value] = 1
        else:
            value &= (1 << width) - 1
            while value:  # bit by bit, those that are set
                last = value & -value
                out[start + last.bit_length() - 1] = 1
                value ^= last
    return out
