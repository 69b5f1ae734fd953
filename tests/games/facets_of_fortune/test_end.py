"""The bonus, the crash, the end, the bank, and what is seen: FF-25 to FF-30."""

from __future__ import annotations

import pytest

from parlour.core.scene import SPECTATOR
from parlour.core.struct import flatten
from parlour.games.facets_of_fortune import rules as r
from tests.games.facets_of_fortune.table import GAME, Table, seen, turn


def refill(kept: str, discarded: str, drawn: str) -> int:
    """Return what the bank pays at a refill."""
    table = turn(f"{kept} {discarded}").do("discard", f"discard {discarded}")
    before = table.money[0]
    return table.draw(drawn).money[0] - before


def test_ff_25_a_triple_in_the_opening_deal_pays_at_once() -> None:
    table = Table(opening="ruby-1 ruby-3 ruby-1 heist heist switch")
    assert table.money == [125_000, 25_000]
    assert Table(opening="ruby-1 ruby-3 wild-1 heist heist switch").money == [25_000, 25_000]


def test_ff_25_a_refill_pays_for_a_triple_that_is_new() -> None:
    assert refill("ruby-1 ruby-2", "heist", "ruby-1") == 100_000  # 2 to 3
    assert refill("ruby-1", "heist switch", "ruby-2 ruby-2") == 100_000
    assert refill("ruby-1 ruby-2", "ruby-3", "ruby-3") == 100_000  # rebuilt with a new card
    assert refill("ruby-1 ruby-2", "heist", "emerald-1") == 0


def test_ff_25_a_kept_triple_does_not_pay_again() -> None:
    table = turn("ruby-1 ruby-2 ruby-3").do("end")
    assert table.money[0] == 5_000_000
    table = turn("ruby-1 ruby-2 ruby-3").do("buy 1 new card").draw("ruby-1")  # 3 to 4
    assert table.money[0] == 4_900_000


def test_ff_25_extra_cards_count_together() -> None:
    assert (
        turn("ruby-1 ruby-2 heist").do("buy 3 new cards").draw("ruby-1 ruby-1 ruby-2").money[0] == 4_800_000
    )  # 2 to 5
    assert (
        turn("ruby-1 ruby-2 ruby-3").do("buy 3 new cards").draw("ruby-1 ruby-1 ruby-2").money[0] == 4_800_000
    )  # 3 to 6
    assert turn("heist heist heist").do("buy 3 new cards").draw("ruby-1 ruby-1 ruby-2").money[0] == 4_800_000  # 0 to 3


def test_ff_25_wild_and_free_gem_never_count() -> None:
    assert refill("ruby-1 ruby-2", "heist", "wild-1") == 0
    assert refill("ruby-1 ruby-2", "heist", "free-ruby") == 0
    assert refill("wild-1 wild-2", "heist", "wild-1") == 0


def test_ff_25_closed_markets_count_also_where_their_cards_are_wild() -> None:
    for option in ("unusable", "wild"):
        table = turn("ruby-1 ruby-2 heist", dead_cards=option).close("ruby").do("discard", "discard heist")
        assert table.draw("ruby-1").money[0] == 5_100_000


# Crash ---------------------------------------------------------------------------------------------
def test_ff_26_every_gem_of_the_colour_is_lost_unpaid() -> None:
    table = Table(3).gems(1, ruby=2, emerald=1).gems(2, ruby=3).price("ruby", 1_000_000)
    money = table.money
    table.roll("ruby +1")
    assert (table.owned(1), table.owned(2)) == ([0, 0, 0, 1], [0, 0, 0, 0])
    assert (table.state.board[0], table.state.closed[0]) == (0, 1)
    assert table.money == money


# The end -------------------------------------------------------------------------------------------
def last_market(*money: int) -> Table:
    table = Table(len(money)).close("ruby", "sapphire", "diamond").price("emerald", 1_000_000)
    return table.cash(*money).gems(1, emerald=5)


def test_ff_27_when_the_last_market_crashes_the_most_money_wins_at_once() -> None:
    table = last_market(10, 30, 20).roll("emerald +1")
    assert table.match.over
    assert table.match.winners == (1,)
    assert table.match.scores == [10, 30, 20]
    assert table.match.returns == [0, 1, 0]


def test_ff_27_a_tie_is_shared() -> None:
    table = last_market(30, 10, 30).roll("emerald +2")
    assert table.match.winners == (0, 2)
    assert table.match.returns == [0.5, 0, 0.5]


def test_ff_27_also_when_the_last_markets_crash_together_or_at_wild() -> None:
    table = Table().close("ruby", "sapphire").price("diamond", 1_000_000).price("emerald", 750_000)
    assert table.roll("all +2").match.over
    table = Table().close("ruby", "sapphire", "diamond").price("emerald", 750_000)
    table.state.closed[2], table.state.board[2] = 0, 10
    table.price("diamond", 5_000).roll("wild +2").do("name emerald")
    assert not table.match.over


def test_ff_28_all_ten_gems_of_a_market_win_whatever_the_money() -> None:
    table = turn("ruby-3 ruby-1").gems(1, ruby=8).cash(2_000_000, 50_000_000).do("play ruby-3", "buy 2 ruby")
    assert table.match.over
    assert table.match.winners == (0,)
    assert table.match.returns == [1, 0]
    assert table.state.corner == 0


def test_ff_28_by_a_free_gem_or_an_exchange() -> None:
    assert turn("free-ruby").gems(1, ruby=9).do("play free-ruby").match.over
    table = turn("exchange").gems(1, ruby=9, emerald=1).do("play exchange", "give emerald", "take ruby")
    assert table.match.winners == (0,)


@pytest.mark.parametrize("order", [("take ruby",), ("take emerald", "take ruby")])
def test_ff_28_in_the_middle_of_a_heist(order: tuple[str, ...]) -> None:
    table = turn("heist").gems(1, ruby=9).gems(2, ruby=1, emerald=4).do("play heist", "heist 2").heist(6, 1)
    table.do(*order)
    assert table.match.over
    assert table.match.winners == (0,)
    assert table.state.booty == 0
    table = turn("heist").gems(1, ruby=8).gems(2, ruby=2).do("play heist", "heist 2").heist(6, 1)
    assert table.match.winners == (0,)


def test_ff_28_nine_are_not_ten() -> None:
    assert not turn("ruby-1").gems(1, ruby=8).do("play ruby-1", "buy 1 ruby").match.over


# Bank and information ------------------------------------------------------------------------------
def test_ff_29_the_bank_pays_more_than_any_box_holds_and_nobody_owes() -> None:
    table = turn("ruby-3").gems(1, ruby=3).price("ruby", 1_000_000).cash(3 * 2**31, 0).do("play ruby-3", "sell 3 ruby")
    assert table.money[0] == 3 * 2**31 + 3_000_000
    assert r.State().money == [0, 0, 0, 0]


def test_ff_30_everything_is_seen_from_ones_own_seat() -> None:
    table = Table(3).cash(1, 2, 3).hand(3, "heist ruby-2").gems(2, emerald=4).lay_stop(1, "ruby").roll("emerald +2")
    table.state.rival, table.state.corner = 0, 2
    found = seen(table, 1)
    assert found["seat on turn"] == [2]  # seat 1 is on turn, two places on from seat 2
    assert (found["rival"], found["seat that cornered a market"]) == ([2], [1])
    assert (found["gem die"], found["up/down die"]) == ([r.COLOURS.index("emerald")], [2])
    assert found["emerald: rung of the Sell price"] == [2]
    assert found["emerald: gems on the board"] == [6]
    assert [found[f"{seat} seat: money"] for seat in ("own", "next", "third", "fourth")] == [[2], [3], [1], [0]]
    assert found["own seat: gems by colour"] == [0, 0, 0, 4]
    assert found["own seat: STOP cards"] == [1]
    assert found["third seat: STOP cards"] == [0]
    assert found["next seat: hand"] == [r.HEIST, r.KINDS.index("ruby-2"), *[r.NOBODY] * 4]
    assert found["fourth seat: hand"] == [r.NOBODY] * 6
    assert found["fourth seat: gems by colour"] == [0] * 4
    pairs = found["cards of each kind in the deck, and discarded"]
    assert (pairs[::2], pairs[1::2]) == (table.state.unseen, table.state.used)
    assert sum(pairs[::2]) == found["cards in the deck"][0]


def test_ff_30_stops_are_seen_from_ones_own_seat() -> None:
    found = seen(Table(3).lay_stop(1, "ruby"), 1)
    assert found["ruby: STOPs, a bit a seat"] == [0b100]  # from seat 2, seat 1 is the third
    spectators = seen(Table(3).lay_stop(1, "ruby"), SPECTATOR)
    assert spectators["ruby: STOPs, a bit a seat"] == [0b001]  # from seat 1


def test_ff_30_what_cards_are_drawn_for_is_seen() -> None:
    extra, refill = turn("ruby-1 heist").do("buy 1 new card"), turn("ruby-1 heist").do("end")
    refill.cash(*extra.money)
    one, other = seen(extra, 1), seen(refill, 1)
    assert [name for name in one if one[name] != other[name]] == ["what is drawn for"]


def test_ff_30_only_the_order_of_the_deck_is_unknown_and_it_is_in_no_state() -> None:
    table = turn()
    before = flatten(table.state)
    for player in (0, 1):
        GAME.rules.resample(table.state, player, [1, 2, 3, 4])
        assert flatten(table.state) == before
        assert GAME.rules.observed_action(table.state, 7, player) == 7


def test_before_the_end_nobody_has_won() -> None:
    assert turn().match.returns == [0.0, 0.0]
    assert r.chance_outcomes(turn().state, [0] * 40, [0] * 40) == 0
    over = last_market(1, 2).roll("emerald +1").state
    assert r.legal_actions(over, [0] * r.MAX_LEGAL) == 0
