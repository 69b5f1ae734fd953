"""What is worth achieving, in deals that just do it and in deals that just miss it."""

from __future__ import annotations

from parlour.games.family_trade import rules as r
from tests.games.achieving import by
from tests.games.family_trade.table import Table

GOOD = "3 diamond 3 crypto 2 gold"  # with gold 50 + 150 + 70 = 270


def test_who_goes_out_did_so_by_a_draw_or_by_a_discard() -> None:
    table = Table(GOOD)
    assert by(table.match, lambda: table.draw("gold").move("done", "no reroll")) == {"drawn": 1}
    table = Table(GOOD).turn("real estate")
    assert by(table.match, lambda: table.turn("gold").move("take", "no reroll")) == {"claimed": 1}


def test_a_die_is_rolled_again_for_a_better_price_only() -> None:
    for price, keys in (("70,000", {"drawn", "raise"}), ("50,000", {"drawn"})):
        table = Table(GOOD)
        found = by(table.match, lambda t=table, p=price: t.draw("gold").move("done", "reroll diamond").roll(p))
        assert found == dict.fromkeys(keys, 1)


def test_the_jackpot_is_taken_by_a_total_above_zero() -> None:
    table = Table(GOOD)
    table.state.jackpot = 100
    assert by(table.match, lambda: table.draw("gold").move("done", "no reroll")) == {"drawn": 1, "jackpot": 1}
    table = Table("3 currency 3 oil 2 shares")
    table.state.jackpot = 100
    assert by(table.match, lambda: table.draw("shares").move("done", "no reroll")) == {"drawn": 1}


def test_a_dealer_goes_out_again() -> None:
    table = Table(GOOD)
    table.state.run = 2
    assert by(table.match, lambda: table.draw("gold").move("done", "no reroll")) == {"drawn": 1, "again": 1}


def test_nine_alike() -> None:
    table = Table("8 crypto")
    assert by(table.match, lambda: table.draw("crypto").move("done", "no reroll")) == {"drawn": 1, "nine": 1}


def test_a_market_make_raises_what_is_held() -> None:
    for hand, keys in (("3 diamond 3 gold 1 oil 1 shares", {"make"}), ("2 diamond 3 gold 2 oil 1 shares", set())):
        table = Table(hand).draw("market make")
        up = r.UP + r.GOODS.index("diamond")

        def act(t: Table = table, a: int = up) -> None:
            t.move("discard market make")
            t.match.advance(a)

        assert by(table.match, act) == dict.fromkeys(keys, 1)
