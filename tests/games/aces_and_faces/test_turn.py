"""AF-4 to AF-11: the card turned, and the squares but for Duel."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from tests.games.aces_and_faces.table import Table


def test_af_04_a_turn_starts_with_a_card_on_the_discards() -> None:
    table = Table().card("7C")
    assert c.KINDS[table.state.top] == "7C"
    assert table.state.left == 91
    assert table.state.unseen[c.KINDS.index("7C")] == 1


def test_af_05_a_joker_loses_the_turn() -> None:
    table = Table().card("joker")
    assert table.turn_over
    assert (table.at(1), table.to_move, table.news) == (0, 2, r.SKIPPED)


@pytest.mark.parametrize(("way", "square", "taken"), [("clockwise", 4, "QD"), ("anticlockwise", 32, "KS")])
def test_af_06_a_number_moves_exactly_so_far_either_way(way: str, square: int, taken: str) -> None:
    table = Table().card("4H")
    assert table.moves == ["clockwise", "anticlockwise"]
    table.move(way)
    assert table.at(1) == square
    assert table.held(1) == {taken}
    assert abs(table.state.came_by) == 4


@pytest.mark.parametrize("handed", ["private", "public"])
def test_af_06_the_way_can_be_taken_back_until_a_card_is_turned(handed: str) -> None:
    table = Table(handed_card=handed).card("10H").move("clockwise")  # to a Higher-or-Lower square
    assert r.hidden_information(table.state) == (handed == "private")
    assert table.match.can_undo(0)
    table.match.undo()
    assert table.at(1) == 0
    table.move("clockwise").move("higher")
    assert not table.match.can_undo()


def test_af_06_moving_is_compulsory() -> None:
    table = Table().card("4H")
    with pytest.raises(IllegalMove) as refused:
        table.move("no duel")
    assert refused.value.clause == "AF-6"


def test_af_07_a_court_card_leads_to_its_square() -> None:
    table = Table().card("KS")
    assert table.at(1) == table.state.home[c.CARDS.index("KS")]
    assert table.held(1) == {"KS"}
    assert table.to_move == 2


def test_af_07_also_when_the_piece_stands_there_already() -> None:
    table = Table().hold(1, "KS").put(1, 32).card("KS")
    assert table.at(1) == 32
    assert table.held(1) == set()


def test_af_08_an_empty_pile_is_made_of_all_discards_the_top_one_too() -> None:
    table = Table()
    table.state.unseen[:] = [0] * c.N_KINDS
    table.state.unseen[c.KINDS.index("5D")] = table.state.left = 1
    assert table.match.chance_outcomes() == ([c.KINDS.index("5D")], [1])
    assert r.sample_chance(table.state, [1, 2, 3, 4]) == c.KINDS.index("5D")
    table.put(1, 3).card("5D")  # to the Higher or Lower of square 8
    table.move("clockwise", "lower")
    assert table.state.left == 0
    outcomes, weights = table.match.chance_outcomes()
    assert sum(weights) == 92
    assert c.KINDS.index("5D") in outcomes
    table.card("4D")  # the 5 still counts
    assert table.state.phase == r.MOVE
    assert (table.state.left, table.state.number) == (91, 4)


def test_af_09_a_card_in_its_slot_is_taken() -> None:
    table = Table().card("2S").move("clockwise")
    assert table.held(1) == {"JD"}
    assert "JD" not in table.in_slots()
    assert (table.news, table.to_move) == (r.TOOK, 2)


def test_af_09_a_card_that_another_holds_is_taken_from_him() -> None:
    table = Table().hold(3, "JD").card("2S").move("clockwise")
    assert (table.held(1), table.held(3), table.news) == ({"JD"}, set(), r.ROBBED)


def test_af_09_a_card_of_ones_own_goes_back() -> None:
    table = Table().hold(1, "JD AS").card("2S").move("clockwise")
    assert (table.held(1), table.news) == ({"AS"}, r.RETURNED)
    assert "JD" in table.in_slots()


def guessing(guess: str, card: str, number: str = "6C") -> Table:
    """Seat 1 comes to square 8 with `number` and guesses."""
    return Table().put(1, 8 - int(number[:-1])).card(number).move("clockwise", guess).card(card)


def test_af_10_a_right_guess_moves_on_by_the_new_card() -> None:
    table = guessing("higher", "9D")
    assert table.moves == ["clockwise", "anticlockwise"]
    assert table.state.number == 9
    assert guessing("lower", "2D").state.phase == r.MOVE


@pytest.mark.parametrize("card", ["JH", "AH"])
def test_af_10_court_cards_and_aces_are_higher_and_lead_to_their_squares(card: str) -> None:
    table = guessing("higher", card)
    assert table.held(1) == {card}
    assert table.to_move == 2


@pytest.mark.parametrize(
    ("guess", "card"),
    [("higher", "6H"), ("lower", "6H"), ("higher", "2H"), ("lower", "AH"), ("lower", "joker"), ("higher", "joker")],
)  # fmt: skip
def test_af_10_wrong_equal_and_joker_stay(guess: str, card: str) -> None:
    table = guessing(guess, card)
    assert (table.at(1), table.news, table.to_move) == (8, r.WRONG, 2)


def test_af_10_guesses_may_follow_one_another_and_the_reference_is_the_last_number() -> None:
    table = guessing("higher", "9D")
    table.move("clockwise")  # 8 + 9 = 17, Higher or Lower again
    assert table.state.phase == r.GUESS
    table.move("higher").card("8D")
    assert table.news == r.WRONG


def test_af_10_even_a_hopeless_guess_is_allowed() -> None:
    table = Table().put(1, 6).card("2C").move("clockwise")
    assert table.moves == ["higher", "lower"]


def matching(card: str, table: Table) -> Table:
    """Seat 1 comes to the corner of clubs and turns over a card."""
    return table.put(1, 5).card("4S").move("clockwise").card(card)


def test_af_11_a_match_takes_a_card_of_the_suit_of_his_choice() -> None:
    table = matching("3C", Table().hold(2, "KC"))
    assert table.moves == ["take JC", "take QC", "take AC"]
    with pytest.raises(IllegalMove) as refused:
        table.move("take KC")
    assert refused.value.clause == "AF-11"
    table.move("take QC")
    assert (table.held(1), table.news, table.to_move) == ({"QC"}, r.MATCHED, 2)


@pytest.mark.parametrize("card", ["3D", "joker"])
def test_af_11_another_suit_and_a_joker_do_not_match(card: str) -> None:
    table = matching(card, Table())
    assert (table.held(1), table.news, table.to_move) == (set(), r.NO_MATCH, 2)


def test_af_11_a_match_without_a_card_left_is_nothing() -> None:
    table = matching("AC", Table().hold(2, "JC QC").hold(3, "KC AC"))
    assert (table.held(1), table.news) == (set(), r.NO_CARD_LEFT)
