"""Declare a game state once: a slotted class of ints and fixed-length lists of ints.

Under CPython a state is an ordinary object. `parlour.engine` derives from the same declaration a flat
record for compiled code. Nothing else may be in a state, so copying, comparing and storing are generic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

__all__ = ["Layout", "assign", "copy", "flatten", "ints", "layout", "struct", "unflatten"]

S = TypeVar("S")

if TYPE_CHECKING:
    from dataclasses import dataclass as struct
else:

    def struct(cls):
        """Class decorator: make `cls`, whose fields are ints or `ints(n)`, a state."""
        return dataclass(slots=True)(cls)


class Layout(NamedTuple):
    """One field: `length` is 0 for a plain int; `bits` is its width in compiled records."""

    name: str
    length: int
    bits: int


def ints(length: int, bits: int = 32) -> Any:
    """A fixed-length list of `length` integers, all zero at first, each of `bits` bits when compiled."""
    return field(default_factory=lambda: [0] * length, metadata={"length": length, "bits": bits})


def layout(cls: Any) -> tuple[Layout, ...]:
    """The fields of a state class (or of a state), in order."""
    return _layout(cls if isinstance(cls, type) else type(cls))


@cache
def _layout(cls: Any) -> tuple[Layout, ...]:
    return tuple(Layout(f.name, f.metadata.get("length", 0), f.metadata.get("bits", 32)) for f in fields(cls))


def assign(to: S, state: S) -> None:
    """Make `to` equal to `state`, in place."""
    for name, length, _ in layout(state):
        if length:
            getattr(to, name)[:] = getattr(state, name)
        else:
            setattr(to, name, getattr(state, name))


def copy(state: S) -> S:
    """An independent copy of `state`."""
    made = type(state)()
    assign(made, state)
    return made


def flatten(state: Any) -> list[int]:
    """All numbers of a state in one list, field by field."""
    numbers: list[int] = []
    for name, length, _ in layout(state):
        value = getattr(state, name)
        numbers += value if length else [value]
    return numbers


def unflatten(cls: type[S], numbers: list[int]) -> S:
    """The state whose `flatten` is `numbers`; ValueError when the count does not fit."""
    made = cls()
    rest: Iterator[int] = iter(numbers)
    for name, length, _ in layout(cls):
        values = [int(value) for _, value in zip(range(length or 1), rest, strict=False)]
        if len(values) != (length or 1):
            raise ValueError(f"too few numbers for a {cls.__qualname__}: field {name} is missing")
        setattr(made, name, values if length else values[0])
    if next(rest, None) is not None:
        raise ValueError(f"too many numbers for a {cls.__qualname__}")
    return made
