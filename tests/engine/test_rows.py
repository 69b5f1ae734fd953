"""Tables in a state: `state.totals[seat][face]` runs plain and compiled, and is one field of the
record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from parlour.core.game import Game
from parlour.core.struct import flatten, unflatten
from parlour.engine import dtype, guarded, pack, unpack
from parlour.engine.lockstep import Divergence, lockstep
from parlour.engine.packing import flat

from .conftest import Tiny

MakeTiny = Callable[[str], Tiny]

TABLE = {
    "import ints, struct": "import ints, rows, struct",
    "totals: list[int] = ints(2, 16)": "totals: list[list[int]] = rows(2, SIDES, 16)",
    "state.totals[state.turn % 2] += worth(action)": "state.totals[state.turn % 2][action] += worth(action)",
    "out[seat] = state.totals[seat]": "out[seat] = _sum(state.totals[seat])",
    "out[0] = state.totals[player]": "out[0] = _sum(state.totals[player])",
    "out[1] = state.totals[1 - player]": "out[1] = _sum(state.totals[1 - player])",
    "def scores(": """def _sum(row: Any) -> int:
    total = 0
    for number in row:
        total += number
    return total

def scores(""",
}


def play(game: Game) -> int:
    return lockstep(game, game.start(2, game.edition(), {}), 2, 50).finished


def test_a_game_with_a_table_plays_the_same_plain_and_compiled(tiny: MakeTiny) -> None:
    assert play(tiny("tiny_rows").write(changes=TABLE)) == 50


def test_a_table_is_one_field_of_the_record(tiny: MakeTiny) -> None:
    made = tiny("tiny_record")
    made.write(changes=TABLE).rules  # noqa: B018 - loaded now
    kind = dtype(made.rules.State)
    assert kind["totals"].shape == (2, 6)
    state = unflatten(made.rules.State, list(range(14)))
    records = np.zeros(3, kind)
    pack(state, records[1])
    assert unpack(made.rules.State, records[1]) == state
    assert flat(records).tolist() == [[0] * 14, flatten(state), [0] * 14]
    state.totals[1][5] = 1 << 15
    with pytest.raises(OverflowError, match="field totals has 16 bits and cannot hold 32768"):
        pack(state, records[1])


@pytest.mark.parametrize(
    "whole",
    [
        "state.totals[1] = state.totals[0]",  # a row
        pytest.param("if state.turn == 1: state.totals = state.others", marks=pytest.mark.whole),  # all of a field
    ],
)
def test_whole_rows_and_lists_that_are_assigned_are_found(
    tiny: MakeTiny, whole: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain Python then has one list under two names, compiled code has copied it."""
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))  # what was compiled before is not looked at again
    others = {"    turn: int = 0": "    others: list[list[int]] = rows(2, SIDES, 16)\n    turn: int = 0"}
    assigned = {"        state.turn += 1": f"        {whole}\n        state.turn += 1"}
    game = tiny("tiny_alias").write(changes=TABLE | others | assigned)
    with pytest.raises(guarded.Unplayable, match=r"in apply: TypeError: .* is a whole .*: copy it item by item"):
        play(game)
    monkeypatch.setattr(guarded, "look", lambda _game: None)  # where it comes too late for the first look
    with pytest.raises(Divergence, match="the state differs"):
        play(game)
