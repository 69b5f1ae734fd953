"""Compiled states are copied whole."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from parlour.core.struct import ints, layout, rows, struct
from parlour.engine import copying, packing

assign = numba.njit(copying.assign)


@struct
class Every:
    one: int = 0
    few: list[int] = ints(3, 8)
    table: list[list[int]] = rows(2, 5, 16)
    wide: int = 0
    last: list[int] = ints(1)


@struct
class Other:
    one: int = 0


@struct
class Odd:
    small: list[int] = ints(3, 8)
    wide: list[int] = ints(1, 64)
    last: list[int] = ints(1, 8)


@struct
class Large:
    many: list[int] = ints(1 << 17, 64)
    last: list[int] = ints(3, 8)


def test_every_number_of_every_field_is_copied_and_no_other_state_is_touched() -> None:
    states = np.zeros(3, packing.dtype(Every))
    states[2] = (7, [7] * 3, [[7] * 5] * 2, 7, [7])
    numbers = np.arange(1, 1 + sum(one.size for one in layout(Every)))
    made: Any = Every(1, [2, 3, 4], [[5, 6, 7, 8, 9], [10, 11, 12, 13, 14]], 15, [16])
    packing.pack(made, states[0])
    assign(states[1], states[0])
    assert packing.flat(states).tolist() == [numbers.tolist(), numbers.tolist(), [7] * len(numbers)]


@pytest.mark.parametrize("cls", [Other, Odd, Large])
def test_a_state_is_copied_to_its_last_byte_whatever_its_size_and_alignment(cls: Any) -> None:
    states = np.zeros(3, packing.dtype(cls))
    raw = states.view(np.uint8).reshape(3, -1)
    raw[0] = np.arange(raw.shape[1]) % 251 + 1
    raw[2] = 255
    assign(states[1], states[0])
    assert (raw[1] == raw[0]).all()
    assert (raw[2] == 255).all()


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(TypingError, match="of the same game"):
        assign(np.zeros(1, packing.dtype(Every))[0], np.zeros(1, packing.dtype(Other))[0])
