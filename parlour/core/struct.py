"""Declare a game state once: a class of ints, fixed-length lists of ints and fixed tables of ints.

In CPython a state is an ordinary object with slots. From the same declaration `parlour.engine`
derives the packed state of compiled code. A state can hold nothing else, so one implementation of
copying, comparing and storing serves every game.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar, cast

__all__ = [
    "PLAIN", "Copiers", "GameState", "Layout", "assign", "copiers", "copy", "flatten", "holds", "ints", "is_struct",
    "layout", "must_fit", "rows", "struct", "unflatten",
]  # fmt: skip


class GameState(Protocol):
    """Any game's state: an object of a class that `struct` made. Only the game itself knows its fields."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]


S = TypeVar("S", bound=GameState)

WIDTHS = (8, 16, 32, 64)  # bits that a number may have in a packed state
PLAIN = 32  # the bits of a plain int
LISTS = "a list is made by ints(n), a table by rows(n, m)"

if TYPE_CHECKING:
    from dataclasses import dataclass as struct
else:

    def struct(cls):
        """Class decorator: turn `cls` into a state. Its fields are ints, `ints(n)` or `rows(n, m)`.

        Raises TypeError, in one sentence that names the field, for anything else.
        """
        for name, value in vars(cls).items():
            if isinstance(value, list | dict | set) and name[:2] != "__":  # dataclass would give misleading advice
                raise TypeError(_wrong(cls, name, LISTS))
        made = dataclass(slots=True)(cls)
        for name, value in vars(cls).items():
            if isinstance(value, int | float | str) and name[:2] != "__" and name not in made.__dataclass_fields__:
                raise TypeError(_wrong(cls, name, f"it is not declared: write {name}: int = {value!r}"))
        for one in fields(made):
            if why := _unfit(cls, one):
                raise TypeError(_wrong(cls, one.name, why))
        return made


def is_struct(cls: object) -> bool:
    """Return whether `struct` made this class."""
    return isinstance(cls, type) and is_dataclass(cls) and "__slots__" in vars(cls)


def _wrong(cls: type, name: str, why: str) -> str:
    return f"{cls.__qualname__}, field {name}: {why}."


def _unfit(cls: type, one: Field[object]) -> str:
    """Return what is wrong with a field of a state, or ""."""
    if "shape" in one.metadata:
        shape, bits = one.metadata["shape"], one.metadata["bits"]
        if not all(type(length) is int and length > 0 for length in shape):
            return f"a length must be a whole number from 1 on, and this has {' and '.join(map(repr, shape))}"
        return "" if bits in WIDTHS else f"its numbers have {bits!r} bits, and can have one of {WIDTHS}"
    if one.default_factory is not MISSING:
        return LISTS
    if one.default is MISSING:
        return "a number to begin with is missing (= 0)"
    if type(one.default) is not int:
        return f"a state holds whole numbers and lists of them, and this is {one.default!r}"
    if not holds(PLAIN, one.default):
        return f"a plain int has {PLAIN} bits and cannot hold {one.default}: use ints(1, 64)"
    kind = vars(sys.modules[cls.__module__]).get(str(one.type), one.type)  # an alias of int
    if kind not in ("int", int):
        return f"a state holds whole numbers and lists of them, and this is declared as {one.type}"
    return ""


def holds(bits: int, number: int) -> bool:
    """Return whether a number fits into this number of bits."""
    return -1 << (bits - 1) <= number < 1 << (bits - 1)


class Layout(NamedTuple):
    """One field: its `shape` is () for a plain int, (n,) for `ints(n)`, (n, m) for `rows(n, m)`.

    `bits` is the width of its numbers in a packed state.
    """

    name: str
    shape: tuple[int, ...]
    bits: int

    @property
    def size(self) -> int:
        """How many numbers the field holds."""
        return prod(self.shape)


def ints(length: int, bits: int = 32) -> list[int]:
    """Declare a list of `length` integers, all zero at first, each of `bits` bits when compiled."""
    return field(default_factory=lambda: [0] * length, metadata={"shape": (length,), "bits": bits})


def rows(n: int, m: int, bits: int = 32) -> list[list[int]]:
    """Declare a table of `n` rows of `m` integers, all zero at first, of `bits` bits when compiled.

    Rules write `state.hand[seat][kind]`, and may pass on a row, `state.hand[seat]`. Copy rows item
    by item: assigning a whole row gives one list two names in plain Python, but makes a copy when
    compiled.
    """
    return field(default_factory=lambda: [[0] * m for _ in range(n)], metadata={"shape": (n, m), "bits": bits})


def layout(cls: type[GameState] | GameState) -> tuple[Layout, ...]:
    """Return the fields of a state class (or of a state), in order."""
    return _layout(cls if isinstance(cls, type) else type(cls))


@cache
def _layout(cls: type[GameState]) -> tuple[Layout, ...]:
    return tuple(Layout(f.name, f.metadata.get("shape", ()), f.metadata.get("bits", PLAIN)) for f in fields(cls))


@cache
def _size(cls: type[GameState]) -> int:
    return sum(one.size for one in _layout(cls))


class Copiers(NamedTuple):
    """How states of one class are copied: into one that is there, and into a new one."""

    assign: Callable[[GameState, GameState], None]
    copy: Callable[[GameState], GameState]


@cache
def copiers(cls: type[GameState]) -> Copiers:
    """Return how states of a class are copied. The functions are written for it, field by field, as `dataclass` writes
    `__init__`: a loop over the fields takes several times as long, and copying is most of what a plain match does."""
    names: dict[str, Any] = {"new": cls.__new__, "cls": cls}
    exec(_copiers_source(_layout(cls)), names)
    return Copiers(names["assign"], names["copy"])


def _copiers_source(layouts: Iterable[Layout]) -> str:
    """Return the source of both functions. Rows have names of their own in `assign`, which the engine also links."""
    assigned, copied = ["def assign(to, state):"], ["def copy(state):", "    made = new(cls)"]
    for name, shape, _ in layouts:
        if not shape:
            assigned.append(f"    to.{name} = state.{name}")
            copied.append(f"    made.{name} = state.{name}")
        elif len(shape) == 1:
            assigned.append(f"    to.{name}[:] = state.{name}")
            copied.append(f"    made.{name} = state.{name}[:]")
        else:
            assigned.append(f"    mine, theirs = to.{name}, state.{name}")
            assigned += [f"    mine[{i}][:] = theirs[{i}]" for i in range(shape[0])]
            copied.append(f"    made.{name} = [row[:] for row in state.{name}]")
    return "\n".join([*assigned, *copied, "    return made"]) + "\n"


def assign(to: S, state: S) -> None:
    """Make `to` equal to `state`, in place."""
    copiers(type(state)).assign(to, state)


def copy(state: S) -> S:
    """Return an independent copy of `state`."""
    return cast("S", copiers(type(state)).copy(state))


def must_fit(state: GameState) -> None:
    """Raise ValueError if rules have made a list of a state longer or shorter than it was declared."""
    for name, shape, _ in layout(state):
        value = getattr(state, name)
        if shape and (len(value) != shape[0] or (len(shape) == 2 and any(len(row) != shape[1] for row in value))):
            raise ValueError(f"field {name} of a {type(state).__qualname__} no longer has the shape {shape}")


def flatten(state: GameState) -> list[int]:
    """Return all numbers of a state in one list, field by field, tables row by row. Raises what `must_fit` raises, if
    their number is wrong."""
    numbers: list[int] = []
    for name, shape, _ in layout(state):
        value = getattr(state, name)
        if not shape:
            numbers.append(value)
        elif len(shape) == 1:
            numbers += value
        else:
            for row in value:
                numbers += row
    if len(numbers) != _size(type(state)):
        must_fit(state)
    return numbers


def unflatten(cls: type[S], numbers: list[int]) -> S:
    """Return the state whose `flatten` is `numbers`.

    Raises ValueError if the count does not fit.
    """
    made = cls()
    rest: Iterator[int] = iter(numbers)
    for one in layout(cls):
        values = [int(value) for _, value in zip(range(one.size), rest, strict=False)]
        if len(values) != one.size:
            raise ValueError(f"too few numbers for a {cls.__qualname__}: field {one.name} is missing")
        if not one.shape:
            setattr(made, one.name, values[0])
        elif len(one.shape) == 1:
            setattr(made, one.name, values)
        else:
            width = one.shape[1]
            setattr(made, one.name, [values[i : i + width] for i in range(0, one.size, width)])
    if next(rest, None) is not None:
        raise ValueError(f"too many numbers for a {cls.__qualname__}")
    return made
