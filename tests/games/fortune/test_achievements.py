"""What is worth achieving, in turns that just do it and in turns that just miss it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.games.achieving import by
from tests.games.fortune.table import NOTHING, Table

Act = Callable[[Table], object]


@pytest.mark.parametrize(
    ("act", "keys"),
    [
        (lambda t: t.turn("gold", "4 skull 4 gold"), {"island"}),
        (lambda t: t.turn("sea-battle-3", "4 skull 4 sword"), set()),  # FO-19: no Island
        (
            lambda t: t.turn("gold", "2 skull 6 gold").reroll("6 gold", into="6 skull"),
            set(),
        ),  # FO-13: not the first roll
        (lambda t: t.turn("captain", "5 skull 3 gold").stop(), {"island", "curse"}),
        (lambda t: t.turn("captain", "4 skull 4 gold").stop(), {"island"}),  # 800
        (lambda t: t.turn("gold", "4 gold 4 diamond").stop(), {"full-chest"}),
        (lambda t: t.turn("gold", "4 gold 3 diamond 1 sword").stop(), set()),
        (lambda t: t.turn("gold", "7 gold 1 sword").stop(), {"fortune"}),
        (lambda t: t.turn("sea-battle-4", "4 sword 2 monkey 2 parrot").stop(), {"battle"}),
        (lambda t: t.turn("sea-battle-2", "4 sword 2 monkey 2 parrot").stop(), set()),
        (
            lambda t: t.turn("treasure-chest", "3 gold 2 skull 3 sword").reroll("3 sword", into="3 skull"),
            {"safe-chest"},
        ),
        (
            lambda t: t.turn("treasure-chest", "3 sword 2 skull 3 monkey").reroll("3 sword", into="3 monkey").stop(),
            set(),
        ),
        (
            lambda t: t.turn("sorceress", "1 skull 4 gold 3 sword").reroll("1 skull 3 sword", into="4 gold").stop(),
            {"spell", "full-chest", "fortune"},
        ),
        (
            lambda t: t.turn("sorceress", "1 skull 4 gold 3 sword").reroll("1 skull 3 sword", into="4 skull"),
            set(),
        ),
    ],
)
def test_what_a_turn_achieves(act: Act, keys: set[str]) -> None:
    table = Table()
    assert by(table.match, lambda: act(table)) == dict.fromkeys(keys, 1)


def test_the_last_word_is_a_win_in_a_final_round_that_another_began() -> None:
    some = "4 gold 2 sword 2 monkey"  # 600 points
    table = Table().totals(7500, 7900)
    found = by(table.match, lambda: table.turn("sorceress", some).stop().turn("sorceress", some).stop())
    assert found == {"overtake": 2}
    table = Table().totals(7500, 0)
    assert by(table.match, lambda: table.turn("sorceress", some).stop().turn("gold", NOTHING).stop()) == {}
