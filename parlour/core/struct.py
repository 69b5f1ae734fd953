"""Declare a game state once: a slotted class of ints, fixed-length lists of ints, and fixed tables of ints.

Under CPython a state is an ordinary object. `parlour.engine` derives from the same declaration a flat
record for compiled code. Nothing else may be in a state, so copying, comparing and storing are generic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

__all__ = ["Layout", "assign", "copy", "flatten", "ints", "layout", "rows", "struct", "unflatten"]

S = TypeVar("S")

if TYPE_CHECKING:
    from dataclasses import dataclass as struct
else:

    def struct(cls):
        """Class decorator: make `cls`, whose fields are ints, `ints(n)` or `rows(n, m)`, a state."""
        return dataclass(slots=True)(cls)


class Layout(NamedTuple):
    """One field: its `shape` is () for a plain int, (n,) for `ints(n)`, (n, m) for `rows(n, m)`; `bits` is the width
    of its numbers in compiled records."""

    name: str
    shape: tuple[int, ...]
    bits: int

    @property
    def size(self) -> int:
        """How many numbers the field holds."""
        return prod(self.shape)


def ints(length: int, bits: int = 32) -> Any:
    """A fixed-length list of `length` integers, all zero at first, each of `bits` bits when compiled."""
    return field(default_factory=lambda: [0] * length, metadata={"shape": (length,), "bits": bits})


def rows(n: int, m: int, bits: int = 32) -> Any:
    """A fixed table of `n` rows of `m` integers, all zero at first, each of `bits` bits when compiled.

    A rule says `state.hand[seat][kind]`, and may hand on a row, `state.hand[seat]`. Rows are copied item by item: to
    assign a whole one makes two names for one list in plain Python, and a copy when compiled.
    """
    return field(default_factory=lambda: [[0] * m for _ in range(n)], metadata={"shape": (n, m), "bits": bits})


def layout(cls: Any) -> tuple[Layout, ...]:
    """The fields of a state class (or of a state), in order."""
    return _layout(cls if isinstance(cls, type) else type(cls))


@cache
def _layout(cls: Any) -> tuple[Layout, ...]:
    return tuple(Layout(f.name, f.metadata.get("shape", ()), f.metadata.get("bits", 32)) for f in fields(cls))


def assign(to: S, state: S) -> None:
    """Make `to` equal to `state`, in place."""
    for name, shape, _ in layout(state):
        if not shape:
            setattr(to, name, getattr(state, name))
        elif len(shape) == 1:
            getattr(to, name)[:] = getattr(state, name)
        else:
            for mine, row in zip(getattr(to, name), getattr(state, name), strict=True):
                mine[:] = row


def copy(state: S) -> S:
    """An independent copy of `state`."""
    made = type(state)()
    assign(made, state)
    return made


def flatten(state: Any) -> list[int]:
    """All numbers of a state in one list, field by field, tables row by row."""
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
    return numbers


def unflatten(cls: type[S], numbers: list[int]) -> S:
    """The state whose `flatten` is `numbers`; ValueError when the count does not fit."""
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
