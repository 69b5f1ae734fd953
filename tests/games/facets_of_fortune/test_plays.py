"""Plays and the end of a turn: FF-16 to FF-24."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove
from parlour.games.facets_of_fortune import rules as r
from tests.games.facets_of_fortune.table import LADDER, Table, turn


def plays(table: Table) -> list[str]:
    return [move.removeprefix("play ") for move in table.moves if move.startswith("play ")]


def test_ff_16_any_number_of_plays_in_any_order_one_per_card() -> None:
    table = turn("ruby-1 ruby-1 emerald-2").price("emerald", 75_000)
    table.do("play emerald-2", "buy 2 emerald", "play ruby-1", "buy 1 ruby", "play ruby-1", "sell 1 ruby")
    assert table.owned(1) == [0, 0, 0, 2]
    assert table.cards(1) == []
    assert sum(table.state.used) == 3
    assert table.moves == ["end", *(f"stop {name}" for name in r.COLOURS)]


def test_ff_16_a_card_that_can_do_nothing_can_only_be_discarded() -> None:
    table = turn("ruby-1 heist exchange").cash(0, 0)
    assert plays(table) == []
    assert table.moves == ["end", "discard", *(f"stop {name}" for name in r.COLOURS)]
    with pytest.raises(IllegalMove, match="No opponent has a gem"):
        table.do("play heist")
    with pytest.raises(IllegalMove, match="That costs 5,000; you have 0"):
        table.do("play ruby-1")


def test_ff_17_all_may_be_kept_and_what_is_missing_is_drawn() -> None:
    table = turn("ruby-1 ruby-2 heist").do("end")
    assert (table.phase, table.seat) == (r.ROLL, 2), "nothing to draw"
    table = turn("ruby-1 ruby-2 heist").do("play ruby-2", "buy 1 ruby", "end")
    assert table.state.due == 1
    assert table.draw("wild-1").cards(1) == ["ruby-1", "heist", "wild-1"]
    assert table.seat == 2


def test_ff_17_any_cards_may_be_discarded_for_new_ones() -> None:
    table = turn("ruby-1 heist switch").do("discard")
    assert len(table.moves) == 7
    table.do("discard ruby-1 switch")
    assert table.cards(1) == ["heist"]
    assert table.draw("wild-1 wild-2").cards(1) == ["heist", "wild-1", "wild-2"]


def test_ff_17_equal_cards_are_not_told_apart() -> None:
    table = turn("heist ruby-1 heist").do("discard")
    assert table.moves == [
        "discard heist", "discard ruby-1", "discard heist ruby-1", "discard heist heist", "discard heist ruby-1 heist",
    ]  # fmt: skip
    assert table.do("discard heist").cards(1) == ["ruby-1", "heist"]


def test_ff_17_of_more_than_three_some_must_go_and_fewer_than_three_may_stay() -> None:
    table = turn("ruby-1 heist switch").do("buy 3 new cards").draw("wild-1 wild-2 wild-3")
    assert "end" not in table.moves
    with pytest.raises(IllegalMove, match="at most three cards") as refused:
        table.do("end")
    assert refused.value.clause == "FF-17"
    table.do("discard")
    assert all(len(move.split()) - 1 >= 3 for move in table.moves)
    assert len(table.moves) == 20 + 15 + 6 + 1, "any three of six, four, five, or all"
    table.do("discard ruby-1 heist switch wild-1 wild-2")
    assert (table.cards(1), table.state.due) == (["wild-3"], 2)


def test_ff_17_an_empty_hand_has_nothing_to_discard() -> None:
    table = turn("ruby-1").do("play ruby-1", "buy 1 ruby")
    assert table.moves[0] == "end"
    assert "discard" not in table.moves
    with pytest.raises(IllegalMove, match="no card left"):
        table.do("discard")


def test_ff_17_only_when_a_card_is_due_and_none_is_left_are_the_discards_shuffled() -> None:
    table = turn("ruby-1 heist switch")
    state = table.state
    for kind in range(r.N_KINDS):  # all but one card have been used
        state.used[kind], state.unseen[kind] = state.unseen[kind], 0
    state.used[r.KINDS.index("wild-1")] -= 1
    state.unseen[r.KINDS.index("wild-1")] = state.left = 1
    table.do("discard", "discard heist ruby-1")
    assert table.outcomes() == {"card wild-1": 1}
    table.draw("wild-1")
    assert state.left == 0
    assert table.outcomes()["card ruby-1"] == state.used[0], "this turn's discards included"
    assert r.sample_chance(state, [1, 2, 3, 4]) in table.match.chance_outcomes()[0]
    table.draw("ruby-1")
    assert table.cards(1) == ["switch", "wild-1", "ruby-1"]
    assert sum(state.used) == 0
    assert state.left == sum(state.unseen) == 109 - 6


# Numbered cards ------------------------------------------------------------------------------------
def test_ff_18_buy_or_sell_up_to_the_number() -> None:
    table = turn("ruby-2").gems(1, ruby=3).do("play ruby-2")
    assert table.moves == ["buy 1 ruby", "buy 2 ruby", "sell 1 ruby", "sell 2 ruby"]
    table.do("buy 2 ruby")
    assert table.money[0] == 5_000_000 - LADDER[3] - LADDER[4], "each its own price"
    assert table.owned(1) == [5, 0, 0, 0]
    assert table.buys_at("ruby") == LADDER[5]


def test_ff_18_what_cannot_be_paid_cannot_be_bought() -> None:
    table = turn("ruby-3").cash(39_999, 0).do("play ruby-3")
    assert table.moves == ["buy 1 ruby", "buy 2 ruby"]
    with pytest.raises(IllegalMove, match="costs 40,000; you have 39,999"):
        table.do("buy 3 ruby")
    with pytest.raises(IllegalMove, match="own no Ruby gems"):
        table.do("sell 1 ruby")
    with pytest.raises(IllegalMove, match="not for Emerald"):
        table.do("buy 1 emerald")


def test_ff_18_not_more_than_are_left_or_owned() -> None:
    table = turn("ruby-3").gems(2, ruby=8).do("play ruby-3")
    assert table.moves == ["buy 1 ruby", "buy 2 ruby"]
    with pytest.raises(IllegalMove, match="2 Ruby gems are left"):
        table.do("buy 3 ruby")
    table = turn("ruby-1").gems(1, ruby=2).do("play ruby-1")
    with pytest.raises(IllegalMove, match="for 1 at most"):
        table.do("sell 2 ruby")


def test_ff_18_wild_is_for_one_open_colour_of_your_choice() -> None:
    table = turn("wild-2", "emerald +1").close("ruby").gems(1, diamond=1).cash(15_000, 0).do("play wild-2")
    assert table.moves == [
        "buy 1 sapphire", "buy 2 sapphire", "buy 1 diamond", "buy 1 emerald", "buy 2 emerald", "sell 1 diamond",
    ]  # fmt: skip
    with pytest.raises(IllegalMove, match="Ruby is closed"):
        table.do("buy 1 ruby")
    with pytest.raises(IllegalMove, match="buy or sell gems with it"):
        table.do("end")


def test_ff_19_a_free_gem_is_the_lowest_one() -> None:
    table = turn("free-ruby free-emerald").gems(2, ruby=3).do("play free-ruby")
    assert table.owned(1) == [1, 0, 0, 0]
    assert table.money[0] == 5_000_000
    assert table.buys_at("ruby") == LADDER[4]
    assert table.phase == r.PLAY


def test_ff_19_only_where_there_is_one() -> None:
    table = turn("free-ruby free-emerald").gems(2, ruby=10).close("emerald")
    assert plays(table) == []
    with pytest.raises(IllegalMove, match="no gem to take"):
        table.do("play free-ruby")
    with pytest.raises(IllegalMove, match="cannot be played"):
        table.do("play free-emerald")


def test_ff_20_one_of_yours_for_the_lowest_of_another_open_market() -> None:
    table = turn("exchange").close("emerald").gems(1, ruby=1, diamond=2).gems(2, sapphire=10)
    table.do("play exchange")
    assert table.moves == ["give ruby", "give diamond"]
    with pytest.raises(IllegalMove, match="own no Sapphire"):
        table.do("give sapphire")
    table.do("give ruby")
    assert table.moves == ["take diamond"]
    for name, why in (("ruby", "a different colour"), ("sapphire", "No Sapphire"), ("emerald", "closed")):
        with pytest.raises(IllegalMove, match=why):
            table.do(f"take {name}")
    table.do("take diamond")
    assert table.owned(1) == [0, 0, 3, 0]
    assert table.state.board == [10, 0, 7, 0]
    assert table.money[0] == 5_000_000


def test_ff_20_not_without_a_gem_to_give_and_one_to_take() -> None:
    assert plays(turn("exchange")) == []
    table = turn("exchange").close("sapphire", "diamond", "emerald").gems(1, ruby=4)
    assert plays(table) == []
    with pytest.raises(IllegalMove, match="No other open market"):
        table.do("play exchange")


# Switch Markets ------------------------------------------------------------------------------------
def test_ff_21_the_sell_prices_of_two_open_markets_change_places() -> None:
    table = turn("switch", "ruby -1").price("ruby", 25_000).price("emerald", 100_000).gems(1, ruby=2)
    table.do("play switch", "switch ruby")
    assert table.moves == ["with sapphire", "with diamond", "with emerald"]
    table.do("with emerald")
    assert (table.sells_at("ruby"), table.sells_at("emerald")) == (100_000, 25_000)
    assert table.owned(1) == [2, 0, 0, 0], "gems stay"
    assert table.state.board == [8, 10, 10, 10]


def test_ff_21_a_closed_market_changes_places_whole() -> None:
    table = turn("switch", players=3).price("emerald", 500_000).gems(1, emerald=2, ruby=1).gems(3, emerald=3)
    table.close("sapphire").do("play switch", "switch sapphire", "with emerald")
    assert table.state.closed == [0, 0, 0, 1]
    assert table.sells_at("sapphire") == 500_000
    assert table.owned(1) == [1, 2, 0, 0]
    assert table.owned(3) == [0, 3, 0, 0]
    assert table.state.board == [9, 5, 10, 0]
    assert table.phase == r.PLAY


def test_ff_21_not_under_a_stop_not_two_closed_not_what_changes_nothing() -> None:
    table = turn("switch", "ruby -1").lay_stop(2, "ruby").price("ruby", 500_000).close("diamond", "emerald")
    table.do("play switch")
    assert table.moves == ["switch sapphire", "switch diamond", "switch emerald"]
    with pytest.raises(IllegalMove, match="a STOP on Ruby"):
        table.do("switch ruby")
    table.do("switch diamond")
    assert table.moves == ["with sapphire"]
    with pytest.raises(IllegalMove, match="both are closed"):
        table.do("with emerald")
    with pytest.raises(IllegalMove, match="another market"):
        table.do("with diamond")
    table = turn("switch", "ruby -1")
    assert plays(table) == [], "all prices are equal"
    with pytest.raises(IllegalMove, match="No two markets"):
        table.do("play switch")


# Heist ---------------------------------------------------------------------------------------------
def test_ff_22_the_higher_die_takes_the_difference_one_gem_at_a_time() -> None:
    table = turn("heist", players=3).gems(2, ruby=2, emerald=2).do("play heist")
    assert table.moves == ["heist 2"]
    with pytest.raises(IllegalMove, match="has no gem"):
        table.do("heist 3")
    with pytest.raises(IllegalMove, match="heist yourself"):
        table.do("heist 1")
    with pytest.raises(IllegalMove, match="no such player"):
        table.do("heist 4")
    table.do("heist 2").heist(6, 3)
    assert table.moves == ["take ruby", "take emerald"]
    table.do("take emerald", "take ruby")
    assert table.moves == ["take ruby", "take emerald"]
    with pytest.raises(IllegalMove, match="has no gem of this colour"):
        table.do("take diamond")
    table.do("take emerald")
    assert (table.owned(1), table.owned(2)) == ([1, 0, 0, 2], [1, 0, 0, 0])
    assert table.phase == r.PLAY


@pytest.mark.parametrize(("attack", "defence"), [(3, 3), (1, 6)])
def test_ff_22_a_tie_or_less_brings_nothing(attack: int, defence: int) -> None:
    table = turn("heist").gems(2, ruby=2).do("play heist", "heist 2").heist(attack, defence)
    assert (table.owned(1), table.phase) == ([0, 0, 0, 0], r.PLAY)
    assert (table.state.attack, table.state.defence) == (attack, defence)


def test_ff_22_or_all_there_are_and_one_colour_is_taken_without_asking() -> None:
    table = turn("heist").gems(2, ruby=2, emerald=1).do("play heist", "heist 2").heist(6, 1)
    assert table.state.booty == 3
    table.do("take emerald")
    assert (table.owned(1), table.phase) == ([2, 0, 0, 1], r.PLAY)
    table = turn("heist").gems(2, ruby=5).do("play heist", "heist 2").heist(5, 2)
    assert (table.owned(1), table.owned(2), table.phase) == ([3, 0, 0, 0], [2, 0, 0, 0], r.PLAY)


# STOP ----------------------------------------------------------------------------------------------
def test_ff_23_a_stop_goes_on_any_open_market_and_lies_until_ones_next_roll() -> None:
    table = turn().close("emerald")
    assert [move for move in table.moves if move.startswith("stop")] == ["stop ruby", "stop sapphire", "stop diamond"]
    with pytest.raises(IllegalMove, match="Emerald is closed"):
        table.do("stop emerald")
    table.do("stop diamond", "end").roll("ruby +1").do("end")
    assert table.state.stops == [0, 0, 1, 0]
    assert table.roll("ruby +1").state.stops == [0, 0, 0, 0]
    with pytest.raises(IllegalMove, match="hold no STOP"):
        table.do("stop diamond")


def test_ff_23_not_before_the_roll_and_not_within_a_play() -> None:
    table = turn("ruby-1", "wild +1")
    with pytest.raises(IllegalMove, match="first name the market"):
        table.do("stop ruby")
    table.do("name ruby", "play ruby-1")
    with pytest.raises(IllegalMove, match="You played a numbered card"):
        table.do("stop ruby")


def test_ff_23_one_more_for_a_million_once_the_first_is_placed_and_once_in_the_game() -> None:
    table = turn().cash(2_500_000, 0)
    with pytest.raises(IllegalMove, match="still hold"):
        table.do("buy stop")
    table.do("stop ruby", "buy stop")
    assert table.money[0] == 1_500_000
    with pytest.raises(IllegalMove, match="Your STOP is on Ruby already"):
        table.do("stop ruby")
    table.do("end").roll("sapphire +1").do("end").roll("sapphire +1").do("stop ruby")  # or in a later turn
    with pytest.raises(IllegalMove, match="only one extra STOP"):
        table.do("buy stop")
    poor = turn().cash(999_999, 0).do("stop ruby")
    with pytest.raises(IllegalMove, match="costs 1,000,000; you have 999,999") as refused:
        poor.do("buy stop")
    assert refused.value.clause == "FF-23"


def test_ff_23_stops_of_several_players_may_lie_on_one_market() -> None:
    table = Table().lay_stop(2, "ruby").roll("emerald +1").do("stop ruby")
    assert table.state.stops[0] == 0b11


# Cards of closed markets ---------------------------------------------------------------------------
def test_ff_24_cards_of_a_closed_market_cannot_be_played() -> None:
    table = turn("ruby-2 free-ruby").close("ruby")
    assert plays(table) == []
    with pytest.raises(IllegalMove, match="Ruby is closed: its cards cannot be played") as refused:
        table.do("play ruby-2")
    assert refused.value.clause == "FF-24"


def test_ff_24_with_the_option_they_count_as_wild() -> None:
    table = turn("ruby-2 free-ruby", dead_cards="wild").close("ruby").gems(1, emerald=1).cash(7_000, 0)
    assert plays(table) == ["ruby-2", "free-ruby"]
    table.do("play ruby-2")
    assert table.moves == ["buy 1 sapphire", "buy 1 diamond", "sell 1 emerald"]
    table.do("buy 1 diamond", "play free-ruby")
    assert table.moves == ["free sapphire", "free diamond", "free emerald"]
    with pytest.raises(IllegalMove, match="closed"):
        table.do("free ruby")
    table.do("free emerald")
    assert table.owned(1) == [0, 0, 1, 2]
    table = turn("ruby-2", dead_cards="wild").close("ruby").cash(0, 0)
    with pytest.raises(IllegalMove, match="cannot pay for a gem"):
        table.do("play ruby-2")


def test_ff_24_cards_of_an_open_market_stay_what_they_are() -> None:
    table = turn("emerald-2", dead_cards="wild").close("ruby").do("play emerald-2")
    assert {move.split()[2] for move in table.moves} == {"emerald"}


def test_ff_24_a_switch_revives_and_kills_cards_at_once() -> None:
    table = turn("ruby-1 emerald-1 switch").close("ruby")
    assert plays(table) == ["emerald-1", "switch"]
    table.do("play switch", "switch ruby", "with emerald")
    assert plays(table) == ["ruby-1"]
