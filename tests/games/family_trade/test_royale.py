"""FT-21 to FT-25: Battle Royale Market."""

from __future__ import annotations

import pytest

from parlour.games.family_trade import rules as r
from tests.games.family_trade.table import ROYALE, Table


def royale(*hands: str, **more: object) -> Table:
    return Table(*hands, ruleset=ROYALE, **more)  # type: ignore[arg-type]


def test_ft_21_two_cards_one_at_a_time_from_the_dealer_on() -> None:
    table = royale(players=3, dealer=2, deal=False)
    order = []
    while table.state.phase == r.DEAL:
        sizes = [r.hand_size(table.state, seat) for seat in range(3)]
        table.match.step(table.match.chance_outcomes()[0][0])
        order += [seat + 1 for seat in range(3) if r.hand_size(table.state, seat) > sizes[seat]]
    assert order == [2, 3, 1, 2, 3, 1]
    table.match.step(table.match.chance_outcomes()[0][0])
    assert table.to_move == 2


def test_ft_22_three_of_a_kind_may_go_out_and_the_bank_pays() -> None:
    table = royale("2 oil").draw("oil")
    assert table.moves == ["discard oil", "done"]
    table.move("done").roll("150,000")
    assert table.money == [150, 0]
    assert table.state.times == 1
    table = royale("2 oil").draw("gold")
    assert table.moves == ["discard gold", "discard oil"]


def test_ft_22_a_discard_is_taken_out_of_turn_in_order_and_the_bank_is_paid() -> None:
    table = royale("1 gold 1 shares", "1 shrimp 1 gold", "2 oil", "2 oil", players=4)
    table.turn("oil")
    assert table.to_move == 3
    table.move("let it lie")
    assert table.to_move == 4
    table.move("take").roll("-30,000")
    assert table.money == [0, 0, 0, -30]
    assert table.state.jackpot == 0
    assert list(table.state.won)[4] == 3


def test_ft_22_nothing_is_announced_and_no_hand_is_fixed() -> None:
    table = royale("2 oil").turn("gold")
    assert table.state.announced == 0
    table.turn("shares").draw("shrimp")
    assert "discard oil" in table.moves


def test_ft_23_hands_leave_the_game_and_the_deal_moves_on() -> None:
    table = royale("2 oil", "1 gold 1 shares", players=3)
    table.turn("shrimp").turn("oil").move("take").roll("50,000")
    state = table.state
    assert sum(map(sum, state.hand)) == 0
    assert state.row_size == 1
    assert state.deck_size == 96 - 6 - 2
    assert sum(map(sum, state.gone)) == 4
    assert state.gone[1][1] == 1  # the gold of seat 2
    assert (state.dealer, state.run) == (1, 1)


def test_ft_24_all_discards_the_last_too_make_a_new_deck_also_in_the_deal() -> None:
    table = royale(players=2, deal=False).empty_deck(oil=1)
    row = table.state.row_size
    table.draw("oil").draw("gold")
    assert table.state.row_size == 0
    assert table.state.deck_size == row - 1
    assert table.state.remade == 0  # not in a turn
    while table.state.phase == r.DEAL:
        table.match.step(table.match.chance_outcomes()[0][0])
    table.empty_deck(oil=1).turn("oil").draw("shares")
    assert table.state.remade == 1
    assert table.state.row_size == 0


def test_ft_24_a_third_new_deck_makes_the_round_void() -> None:
    table = royale("2 gold", "1 shares 1 crypto")
    table.state.remade = 2
    table.empty_deck(oil=1).turn("oil")
    assert table.outcomes == ["no card"]
    table.match.force("no card")
    assert table.state.ended == r.VOID
    assert sum(map(sum, table.state.gone)) == 4
    assert table.state.dealer == 1
    assert table.money == [0, 0]


def test_ft_24_a_round_needs_three_cards_for_each_player() -> None:
    table = royale("2 oil", players=2).empty_deck(oil=1)
    state = table.state
    state.row_size = 4
    state.dumped[:] = [state.row[:4].count(kind) for kind in range(r.N_KINDS)]
    table.draw("oil").move("done").roll("50,000")
    assert table.match.over
    assert table.match.winners == (0,)


def test_ft_24_there_is_always_a_card_to_draw() -> None:
    table = royale("2 oil", players=4).empty_deck(gold=1)
    state = table.state
    state.row_size = 3  # 3 x 4 cards in all: 8 in hands, 3 in the dump, 1 in the deck
    state.dumped[:] = [state.row[:3].count(kind) for kind in range(r.N_KINDS)]
    table.draw("gold").move("discard gold")
    while table.state.ended == r.NOT_YET:
        assert table.to_move or table.outcomes
        table.play_on(1)


@pytest.mark.parametrize(("money", "left"), [([40, 90, -70], (60 - 4 - 4, 16 - 1)), ([150, 0, 10], (59, 13))])
def test_ft_25_every_sum_is_counted_in_fewest_bills(money: list[int], left: tuple[int, int]) -> None:
    table = royale(players=3)
    table.state.money[:3] = money
    assert (r.tens_left(table.state), r.fifties_left(table.state)) == left


def test_ft_25_the_game_ends_when_the_50_000_bills_run_out() -> None:
    table = royale("2 oil", players=2)
    table.state.money[:2] = [1000, 50]
    table.draw("oil").move("done").roll("150,000")
    assert r.fifties_left(table.state) == 0
    assert table.match.over
    assert table.money == [1150, 50]  # paid in full


def test_ft_04_ft_25_the_game_ends_when_the_10_000_bills_run_out() -> None:
    table = royale("2 shares", players=2, edition="few-tens")
    table.state.money[:2] = [40, 10]
    assert r.tens_left(table.state) == 1
    table.draw("shares").move("done").roll("10,000")
    assert table.match.over is False
    table = royale("2 oil", players=2, edition="few-tens")
    table.state.money[:2] = [40, 40]
    table.draw("oil").move("done").roll("-10,000")
    assert r.tens_left(table.state) == -1
    assert table.match.over
    assert table.match.winners == (1,)


def test_ft_25_equals_share_and_the_most_money_wins() -> None:
    table = royale("2 oil", players=3)
    table.state.money[:3] = [850, 900, 50]
    table.draw("oil").move("done").roll("50,000")
    assert table.match.over
    assert table.match.returns == [0.5, 0.5, 0.0]
