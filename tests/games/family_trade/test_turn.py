"""FT-7 to FT-12, FT-18, FT-19: a deal, turn by turn."""

from __future__ import annotations

from itertools import product

import pytest

from parlour.core import asking
from parlour.core.errors import BadSetup, CannotUndo, IllegalMove
from parlour.core.rng import seed_rng
from parlour.core.struct import flatten
from parlour.games.family_trade import rules as r
from tests.games.family_trade.table import FAMILY_TRADE, GOD, Table

GOLD_WANTED = "3 diamond 3 oil 2 gold"
TWO_AND_SIX = "6 diamond 2 gold"
FIVE_AND_THREE = "5 gold 3 oil"
EIGHT = "8 gold"


def test_ft_07_everybody_is_dealt_eight_cards_from_the_dealer_on() -> None:
    table = Table(players=3, dealer=2, deal=False)
    assert table.state.dealt == 0
    table.draw("oil")
    assert table.hand(2) == {"oil": 1}
    table.draw("gold")
    assert table.hand(3) == {"gold": 1}
    while table.state.phase == r.DEAL:
        table.match.step(table.match.chance_outcomes()[0][0])
    assert [r.hand_size(table.state, seat) for seat in range(3)] == [8, 8, 8]
    assert table.state.deck_size == 100 - 24


def test_ft_08_draw_then_discard_one_of_nine_clockwise_from_the_dealer() -> None:
    table = Table(players=3, dealer=3).draw("market make")
    assert table.to_move == 3
    assert len(table.moves) == 9  # eight goods and the Market Make; three sets are far
    table.move("discard oil")
    assert table.state.row[0] == 4  # oil
    table.draw("gold")
    assert table.to_move == 1


def test_ft_08_three_sets_of_three_may_go_out_and_need_not() -> None:
    table = Table(GOLD_WANTED).draw("gold")
    assert "done" in table.moves
    assert "discard diamond" in table.moves
    table.move("done")
    assert table.state.winner == 0
    with pytest.raises(IllegalMove, match="not three sets") as refused:
        Table().draw("gold").move("done")
    assert refused.value.clause == "FT-8"


@pytest.mark.parametrize("hand", [GOLD_WANTED, TWO_AND_SIX, FIVE_AND_THREE, EIGHT])
def test_ft_10_one_to_go_is_announced_with_the_discard_and_the_hand_is_fixed(hand: str) -> None:
    table = Table(hand).turn("shrimp")
    assert table.state.announced == 1
    assert r.wanted(table.state.hand[0]) == 1
    table.turn("shrimp").draw("oil")
    assert table.moves == ["discard oil"]
    with pytest.raises(IllegalMove, match="are face down") as refused:
        table.move("discard gold")
    assert refused.value.clause == "FT-10"


@pytest.mark.parametrize("hand", ["3 diamond 1 oil 4 gold", "2 diamond 2 oil 4 gold", "4 diamond 4 gold", ""])
def test_ft_10_other_hands_are_not_one_to_go(hand: str) -> None:
    table = Table(hand).turn("shrimp")
    assert table.state.announced == 0
    assert r.wanted(table.state.hand[0]) == r.NONE


def test_ft_10_a_market_make_drawn_by_a_fixed_hand_still_moves_a_price() -> None:
    table = Table(GOLD_WANTED).turn("shrimp").turn("shrimp").draw("market make")
    assert table.moves == ["discard market make"]
    table.move("discard market make", "gold up")
    assert table.price("gold") == 100


def test_ft_11_a_dealt_hand_goes_out_unannounced_by_draw_or_by_claim() -> None:
    table = Table("", GOLD_WANTED).turn("gold")
    assert table.state.announced == 0
    assert (table.to_move, table.moves) == (2, ["take", "let it lie"])
    table.move("let it lie").draw("gold")
    assert "done" in table.moves
    assert {"discard diamond", "discard oil", "discard gold"} < set(table.moves)  # FT-12: any of the nine
    table.move("discard diamond")
    assert table.state.announced == 0b10  # it waits for a diamond now
    table = Table("", GOLD_WANTED).turn("shrimp").turn("currency")
    assert table.state.announced == 0b10  # after the first own discard FT-10 applies


def test_ft_12_a_claim_is_taken_at_once_and_declining_loses_nothing() -> None:
    table = Table(GOLD_WANTED, players=3).turn("shrimp").turn("gold")
    assert table.to_move == 1
    table.move("let it lie")
    assert (table.to_move, table.state.player) == (0, 2)
    table.turn("gold")
    assert table.moves == ["take", "let it lie"]
    table.move("take")
    assert (table.state.winner, table.state.source) == (0, 2)
    assert table.hand(1) == {"diamond": 3, "oil": 3, "gold": 3}
    assert table.state.row_size == 2  # the discard has left the row


def test_ft_12_the_nearest_after_the_discarder_is_asked_first_and_he_himself_is_not() -> None:
    table = Table(GOLD_WANTED, "", "3 shares 3 shrimp 2 gold", "3 crypto 3 currency 2 gold", players=4)
    table.turn("shrimp").turn("gold")
    assert table.to_move == 3
    table.move("let it lie")
    assert table.to_move == 4
    table.move("let it lie")
    assert table.to_move == 1
    table.move("let it lie")
    assert table.to_move == 0
    table.turn("gold")  # seat 3 discards what would finish their own hand
    asked = []
    while table.to_move:
        asked.append(table.to_move)
        table.move("let it lie")
    assert asked == [4, 1]


FOUR = (GOLD_WANTED, "", "3 shares 3 shrimp 2 gold", "3 crypto 3 currency 2 gold")


def test_ft_12_all_are_asked_at_the_same_time_each_as_if_those_before_had_let_it_lie() -> None:
    table = Table(*FOUR, players=4).turn("shrimp").turn("gold")
    before = flatten(table.state)
    assert list(asking.questions(table.match.game, table.state)) == [2, 3, 0]
    for seat in (2, 3, 0):
        fork = asking.as_asked(table.match, seat)
        assert (fork.current_player, fork.legal_actions()) == (seat, ["take", "let it lie"])
        assert fork.steps == table.match.steps
    assert flatten(table.state) == before
    table.move("let it lie", "let it lie", "let it lie")
    assert asking.questions(table.match.game, table.state) == {}


@pytest.mark.parametrize("answers", list(product(["", "let it lie", "take"], repeat=3)))
def test_ft_12_answers_given_at_once_make_the_record_of_those_given_in_turn(answers: tuple[str, str, str]) -> None:
    """Silence is letting it lie; after the first who takes nothing counts."""
    once = Table(*FOUR, players=4).turn("shrimp").turn("gold")
    in_turn = Table(*FOUR, players=4).turn("shrimp").turn("gold")
    numbers = {"let it lie": r.PASS, "take": r.OUT}
    given = {seat: numbers[said] for seat, said in zip((2, 3, 0), answers, strict=True) if said}
    steps = asking.settle(once.match, given)
    for said in answers:
        if in_turn.to_move:
            in_turn.move(said or "let it lie")
        if said == "take":
            break
    assert once.match.steps == in_turn.match.steps
    assert flatten(once.state) == flatten(in_turn.state)
    assert [step.actor for step in steps] == [2, 3, 0][: len(steps)]


def test_ft_12_a_fixed_hand_that_declines_its_own_draw_discards_that_card() -> None:
    table = Table(GOLD_WANTED).turn("shrimp").turn("shrimp").draw("gold")
    assert table.moves == ["discard gold", "done"]
    table.move("discard gold")
    assert table.to_move == 0
    table.turn("gold")
    assert table.moves == ["take", "let it lie"]


@pytest.mark.parametrize("ruleset", ["market-making", GOD])
def test_ft_18_a_new_deck_is_all_discards_but_the_last_and_only_when_a_card_must_be_drawn(ruleset: str) -> None:
    table = Table(ruleset=ruleset).empty_deck(oil=1)
    row = table.state.row_size
    table.turn("oil")
    assert table.state.deck_size == 0
    assert table.state.row_size == row + 1
    weights = dict(zip(table.outcomes, table.match.chance_outcomes()[1], strict=True))
    assert weights["card oil"] == 12 - 1 - 2 - 1 + 1  # dealt two, the last discard stays, and one came before
    rng = [0] * 4
    seed_rng(rng, 1, 1)
    assert f"card {table.match.game.text.format_outcome(table.state, r.sample_chance(table.state, rng))[5:]}" in weights
    table.draw("gold")
    assert table.state.remade == 1
    assert (table.state.row_size, table.state.row[0]) == (1, 4)
    assert table.state.deck_size == row - 1
    assert table.state.shuffled[1] == table.state.deck[1] + 1


def test_ft_18_a_third_new_deck_makes_the_deal_void() -> None:
    table = Table(GOLD_WANTED, players=3).turn("shrimp")
    table.state.jackpot = 50
    table.state.remade = 2
    table.empty_deck(gold=1)
    before = table.state.price[:]
    table.turn("gold")
    assert table.moves == ["take", "let it lie"]  # the last discard is still offered
    table.move("let it lie")
    assert table.outcomes == ["no card"]
    rng = [0] * 4
    seed_rng(rng, 1, 1)
    assert r.sample_chance(table.state, rng) == r.NO_CARD
    table.match.force("no card")
    state = table.state
    assert (state.ended, state.last, state.jackpot, table.money) == (r.VOID, r.NOBODY, 50, [500] * 3)
    assert state.price == before
    assert (state.dealer, state.turns, state.run) == (1, 1, 1)
    assert sum(state.won) == 0


def test_ft_18_a_whole_deal_without_anybody_going_out_is_void_after_two_new_decks() -> None:
    table = Table(players=4)
    table.play_on()
    assert table.state.ended == r.VOID
    assert table.match.version > 3 * 60


def test_ft_19_a_false_call_costs_and_the_turn_goes_on() -> None:
    table = Table(honour_calls="on").draw("gold")
    assert "done" in table.moves
    hand = table.hand(1)
    table.move("done")
    assert table.money == [400, 500]
    assert table.state.jackpot == 100
    assert table.hand(1) == hand
    assert table.to_move == 1
    assert "done" not in table.moves
    with pytest.raises(IllegalMove, match="once a turn") as refused:
        table.move("done")
    assert refused.value.clause == "FT-19"
    table.move("discard gold").draw("oil")
    assert "done" in table.moves  # the next player's own


def test_ft_19_a_true_call_goes_out_and_a_false_one_is_not_offered_on_a_discard() -> None:
    table = Table(GOLD_WANTED, honour_calls="on").draw("gold").move("done")
    assert table.state.winner == 0
    table = Table("", GOLD_WANTED, honour_calls="on").turn("oil")
    assert table.to_move == 0


def test_ft_19_false_calls_are_no_choice_of_battle_royale() -> None:
    assert "done" not in Table(ruleset="battle-royale").draw("crypto").moves
    with pytest.raises(BadSetup, match="honour_calls makes no difference in battle-royale") as refused:
        Table(ruleset="battle-royale", honour_calls="on")
    assert refused.value.clause == "FT-19"
    Table(ruleset="battle-royale", honour_calls="off")
    (option,) = (option for option in FAMILY_TRADE.facts.options if option.name == "honour_calls")
    assert [name for name in FAMILY_TRADE.rulesets if option.matters(name)] == ["market-making", "god-of-the-market"]


def test_ft_19_ft_26_a_false_call_is_not_taken_back_nor_its_penalty() -> None:
    """It shows everyone that the nine cards are not three sets."""
    table = Table(honour_calls="on").draw("gold").move("done")
    assert table.to_move == 1
    assert not table.match.can_undo()
    with pytest.raises(CannotUndo, match="has revealed something"):
        table.match.undo()
    assert table.money == [400, 500]
