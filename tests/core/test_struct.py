"""States: declared once, copied, flattened, restored."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core.struct import (
    Layout,
    assign,
    copy,
    flatten,
    ints,
    is_struct,
    layout,
    must_fit,
    rows,
    struct,
    unflatten,
)


@struct
class Thing:
    a: int = 7
    row: list[int] = ints(3)
    small: list[int] = ints(2, 8)
    table: list[list[int]] = rows(2, 3, 16)
    b: int = -1


def test_the_layout_is_the_declaration() -> None:
    wanted = (
        Layout("a", (), 32),
        Layout("row", (3,), 32),
        Layout("small", (2,), 8),
        Layout("table", (2, 3), 16),
        Layout("b", (), 32),
    )
    assert layout(Thing) == layout(Thing()) == wanted
    assert [one.size for one in wanted] == [1, 3, 2, 6, 1]


def test_a_fresh_state_has_its_defaults_and_lists_of_its_own() -> None:
    one, two = Thing(), Thing()
    one.row[0] = 5
    one.table[0][1] = 6
    assert one.table == [[0, 6, 0], [0, 0, 0]]
    assert two == Thing(7, [0, 0, 0], [0, 0], [[0, 0, 0], [0, 0, 0]], -1)


def test_a_state_has_no_other_fields() -> None:
    with pytest.raises(AttributeError):
        Thing().other = 1  # type: ignore[attr-defined]


numbers = st.lists(st.integers(-(2**31), 2**31 - 1), min_size=13, max_size=13)


@given(numbers)
def test_flatten_and_unflatten_undo_each_other(values: list[int]) -> None:
    state = unflatten(Thing, values)
    assert flatten(state) == values
    assert unflatten(Thing, flatten(state)) == state


LONG_OR_SHORT = [{"row": [0, 0]}, {"small": [0, 0, 0]}, {"table": [[0, 0, 0]]}]


@pytest.mark.parametrize("lists", LONG_OR_SHORT)
def test_a_list_that_rules_made_longer_or_shorter_is_not_flattened(lists: dict[str, list[object]]) -> None:
    state = Thing()
    for name, value in lists.items():
        setattr(state, name, value)
    with pytest.raises(ValueError, match=f"field {name} of a Thing no longer has the shape"):
        flatten(state)


@pytest.mark.parametrize(
    "lists", [*LONG_OR_SHORT, {"table": [[0, 0], [0, 0, 0, 0]]}, {"row": [0, 0], "small": [0, 0, 0]}]
)
def test_also_two_faults_with_as_many_numbers_as_there_should_be_are_found(lists: dict[str, list[object]]) -> None:
    state = Thing()
    must_fit(state)
    for name, value in lists.items():
        setattr(state, name, value)
    with pytest.raises(ValueError, match="no longer has the shape"):
        must_fit(state)


def test_a_table_is_flattened_row_by_row() -> None:
    """As the list of the same numbers was, so that what was kept of one can be read as the
    other."""
    state = unflatten(Thing, list(range(13)))
    assert state.table == [[6, 7, 8], [9, 10, 11]]
    assert state.b == 12


@given(numbers, numbers)
def test_a_copy_is_equal_and_independent(values: list[int], others: list[int]) -> None:
    state = unflatten(Thing, values)
    made = copy(state)
    assert made == state
    assign(made, unflatten(Thing, others))
    assert flatten(made) == others
    assert flatten(state) == values


def test_a_table_is_assigned_in_place() -> None:
    state = Thing()
    kept = state.table[1]
    assign(state, unflatten(Thing, list(range(13))))
    assert kept is state.table[1]
    assert kept == [9, 10, 11]


@pytest.mark.parametrize(
    ("n", "words"), [(0, "field a"), (3, "field row"), (11, "field table"), (12, "field b"), (14, "too many")]
)
def test_the_wrong_count_of_numbers_is_refused(n: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        unflatten(Thing, list(range(n)))


def declared(fields: str) -> None:
    names = {"struct": struct, "ints": ints, "rows": rows, "field": field, "__name__": __name__}
    lines = "".join(f"    {line}\n" for line in fields.splitlines())
    exec(f"from __future__ import annotations\n@struct\nclass State:\n{lines}", names)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ('name: str = ""', r"field name: a state holds whole numbers and lists of them, and this is ''"),
        ("share: float = 0.5", r"field share: .*, and this is 0\.5"),
        ("share: float = 0", r"field share: .*, and this is declared as float"),
        ("over: bool = False", r"field over: .*, and this is False"),
        ("hand: list[int] = [0, 0]", r"field hand: a list is made by ints\(n\), a table by rows\(n, m\)"),
        ("hand: list[int] = field(default_factory=list)", r"field hand: a list is made by ints\(n\)"),
        ("turn: int", r"field turn: a number to begin with is missing"),
        ("turn = 0", r"field turn: it is not declared: write turn: int = 0"),
        (
            "stars: int = 1 << 40",
            r"field stars: a plain int has 32 bits and cannot hold 1099511627776: use ints\(1, 64\)",
        ),
        (
            "hand: list[int] = ints(4, 12)",
            r"field hand: its numbers have 12 bits, and can have one of \(8, 16, 32, 64\)",
        ),
        ("hand: list[int] = ints(0)", r"field hand: a length must be a whole number from 1 on, and this has 0"),
        ("hand: list[list[int]] = rows(2, 1.5)", r"field hand: a length must be .*, and this has 2 and 1\.5"),
    ],
)
def test_a_field_that_is_no_whole_number_is_refused(fields: str, words: str) -> None:
    declared("turn: int = 0\nhand: list[int] = ints(4, 8)")
    with pytest.raises(TypeError, match=rf"^State, {words}.*\.$"):
        declared(fields)


def test_another_name_of_int_is_one() -> None:
    declared("pass")
    names = {"struct": struct, "__name__": __name__}
    globals()["Seat"] = int
    exec("from __future__ import annotations\n@struct\nclass State:\n    player: Seat = 0\n", names)


def test_what_struct_has_not_made_is_no_state() -> None:
    @dataclass
    class State:
        turn: int = 0

    assert is_struct(Thing)
    assert not is_struct(State)
    assert not is_struct(Thing())
    assert not is_struct(dict)
