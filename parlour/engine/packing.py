"""Pack states: flat NumPy structures with the same fields in the same order as the `State`."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from parlour.core.struct import holds, layout, must_fit


@cache
def dtype(cls: Any) -> np.dtype[Any]:
    """Return the NumPy type of a packed state: fields of ints, rows or tables.

    Each int has the bits that the state declares. The same object each time: by it Numba finds compiled code, and an
    equal one it would compare field by field in each call, which takes longer than the call itself.
    """
    return np.dtype([(name, f"i{bits // 8}", shape) for name, shape, bits in layout(cls)], align=True)


def pack(state: Any, record: Any) -> None:
    """Write a plain state into a packed one.

    Raises OverflowError if a number does not fit its field, and what `must_fit` raises.
    """
    must_fit(state)
    for name, shape, bits in layout(state):
        value = getattr(state, name)
        numbers = chain.from_iterable(value) if len(shape) == 2 else value if shape else (value,)
        for number in numbers:
            if not holds(bits, number):
                raise OverflowError(f"field {name} has {bits} bits and cannot hold {number}")
        record[name] = value


def unpack(cls: Any, record: Any) -> Any:
    """Return the plain state of a packed one."""
    return cls(**{name: record[name].tolist() for name, _, _ in layout(cls)})


def flat(records: Any) -> Any:
    """Return packed states as an int64 array (n, numbers), rows as `struct.flatten` gives them."""
    columns = []
    for name in records.dtype.names:
        column = records[name]
        columns.append(column.reshape(len(records), -1))
    return np.concatenate(columns, axis=1, dtype=np.int64)
