"""Lists that a compiled function needs only while it runs are on the stack; all others stay lists."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from parlour.core import rng as chance
from parlour.engine import parts

N = 7
FEW = 3


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function as the engine compiles what Python calls."""
    return numba.njit(pipeline_class=parts.WholeCompiler, nogil=True, **options)(function)


def part(function: Callable[..., Any]) -> Any:
    """Return the function as the engine compiles what only compiled functions call."""
    return numba.njit(pipeline_class=parts.OutlineCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def made_by(call: Callable[[], object]) -> int:
    """Return how many pieces of memory a call has asked for."""
    call()  # compiles
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats().alloc
        call()
        return int(rtsys.get_allocation_stats().alloc - before)
    finally:
        _nrt_python.memsys_disable_stats()


def of_numbers(times: int) -> float:
    total = 0.0
    for turn in range(times):  # new each time: what the turn before has left must be gone
        ints = [0] * (2 * N)
        reals, ones, yes = [0.5] * N, [-1] * (N - FEW), [True] * (N // 2)
        rest = [chance.RNG_SIZE] * chance.RNG_SIZE
        for i in range(len(ints)):
            ints[i] += turn * i
        reals[turn % N] += turn
        ones[-1] = ones[0] - turn
        yes[turn % len(yes)] = False
        for i in range(len(yes)):
            total += 1000.0 if yes[i] else 0.0
        total += sum(ints) + reals[0] + reals[-1] + ones[-1] + ones[-2] + rest[chance.RNG_SIZE - 1]
    return total


@part
def fill(to: Any, by: int) -> int:
    own = [by] * N
    own[0] = 0
    length = len(to)
    for i in range(length):
        to[i] += own[i % N]
    return length


def through_a_part(times: int) -> int:
    one, two = [0] * N, [0] * (N + FEW)
    for _ in range(times):
        two[fill(one, 3) - 1] += fill(two, 2)
    return sum(one) * 1000 + sum(two)


def test_lists_of_constant_length_say_the_same_and_ask_for_no_memory() -> None:
    fast = compiled(of_numbers)
    assert [fast(times) for times in range(20)] == [of_numbers(times) for times in range(20)]
    assert made_by(lambda: fast(9)) == 0


def test_a_part_writes_into_the_list_of_its_caller() -> None:
    fast = compiled(through_a_part)
    plain = through_a_part.__globals__ | {"fill": fill.py_func}
    slow = FunctionType(through_a_part.__code__, plain)
    assert [fast(times) for times in range(6)] == [slow(times) for times in range(6)]
    assert made_by(lambda: fast(5)) == 0


# What may outlive the function, or be longer than the stack should hold, or is used as only lists are
def returned(n: int) -> list[int]:
    found = [0] * N
    found[n] = n
    return found


def one_of_two(n: int) -> tuple[int, list[int]]:
    a, b = [1] * N, [2] * N
    return n, (a if n % 2 else b)


def as_long_as_asked(n: int) -> int:
    found = [1] * (n + 1)
    return sum(found)


def long(n: int) -> int:
    found = [n] * 2000
    return sum(found)


def growing(n: int) -> int:
    found = [0] * N
    for i in range(n):
        found.append(i)
    return sum(found) + len(found)


def of_lists(n: int) -> int:
    row = [n, n + 1]
    rows = [row] * N
    return len(rows) + rows[N - 1][1]


def either(n: int) -> int:
    found = [0] * FEW
    if n > 3:
        found = [1, 2, 3]
    return sum(found)


def joined(n: int) -> int:
    one, two = [n] * FEW, [1] * FEW
    return len(one + two)


def repeated(n: int) -> int:
    one = [n] * FEW
    twice = one * 2
    return sum(twice) + len(twice)


def sliced(n: int) -> int:
    one = [n] * FEW
    some = one[1:]
    some[0] = 5
    return sum(one) * 100 + sum(some)


def longer(n: int) -> int:
    one = [n] * FEW
    one += [1] * FEW
    return len(one)


def there(n: int) -> int:
    one = [n] * FEW
    return 1 if one else 0


# Those that a loop keeps while it makes others, each in the place of the one before
def best_of(n: int) -> int:
    best = [0] * N
    for i in range(n):
        mine = [0] * N
        mine[i] = i
        if i % 4 == 2:
            best = mine
    return sum(best)


def in_turns(n: int) -> int:
    old = [1] * FEW
    for i in range(n):
        new = [0] * FEW
        for j in range(FEW):
            new[j] = old[(j + 1) % FEW] + i
        old = new
    return sum(old)


def in_a_pair(n: int) -> int:
    kept = ([0] * FEW, 0)
    for i in range(n):
        mine = [i] * FEW
        if i % 3 == 1:
            kept = (mine, i)
    return sum(kept[0])


def in_a_list(n: int) -> int:
    rows = [[0] * FEW]
    for i in range(n):
        rows.append([i] * FEW)
    return sum([row[0] for row in rows])


OTHERS = (
    best_of, in_turns, in_a_pair, in_a_list,
    returned, one_of_two, as_long_as_asked, long, growing, of_lists, either, joined, repeated, sliced, longer, there,
)  # fmt: skip


@pytest.mark.parametrize("function", OTHERS)
def test_other_lists_stay_lists(function: Callable[[int], Any]) -> None:
    fast = compiled(function)
    found = [fast(n) for n in range(7)]
    assert found == [function(n) for n in range(7)]
    assert made_by(lambda: fast(5)) > 0


def test_a_list_that_a_part_returns_outlives_it() -> None:
    make = part(returned)

    def made(n: int) -> int:
        one, two = make(n), make(n - 1)
        return int(sum(one) * 100 + sum(two) + one[n] + two[n - 1])

    fast = compiled(made)
    assert [fast(n) for n in range(1, 7)] == [n * 100 + n - 1 + n + n - 1 for n in range(1, 7)]


def test_arrays_of_python_are_still_there_after_many_calls() -> None:
    """A function that counts no references takes none away."""
    numbers = np.arange(N)

    @part
    def most(row: Any) -> int:
        best = row
        return int(best[len(best) - 1])

    def look(row: Any) -> int:
        return int(most(row) + most(row[1:]))

    fast = compiled(look)
    owner = numbers[:]
    for _ in range(1000):
        assert fast(owner) == 2 * (N - 1)
    assert numbers.tolist() == list(range(N))


def test_checked_code_refuses_a_place_that_a_list_on_the_stack_does_not_have() -> None:
    def beyond(n: int) -> int:
        found = [0] * FEW
        return found[n]

    fast = compiled(beyond, boundscheck=True)
    assert fast(FEW - 1) == 0
    with pytest.raises(IndexError):
        fast(FEW)
