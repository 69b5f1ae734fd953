"""How modules are copied so that one source runs in two ways."""

from __future__ import annotations

from parlour.engine import link
from parlour.games.fortune.rules import pieces
from parlour.games.fortune.study import lattice


def test_a_table_is_converted_also_where_only_other_modules_name_it() -> None:
    """Left as a tuple of thousands of ints it would be compiled for minutes."""
    linker = link.Linker(lambda function: function, lambda table: ["converted", *table])
    linker.link(lattice)
    copy = linker.copies[pieces.__name__]
    assert vars(copy)["ROLLS"] == ["converted", *pieces.ROLLS]
    assert vars(copy)["N_DICE"] == pieces.N_DICE
