"""AF-1 to AF-3: what there is, and how it begins."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.games import find
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from tests.games.aces_and_faces.table import Table

GAME = find("aces_and_faces")


def test_af_01_sixteen_cards_in_their_slots_and_92_in_the_pile() -> None:
    state = Table().state
    assert state.slots == c.ALL
    assert state.left == sum(state.unseen) == 92
    assert sum(state.unseen[k] for k in range(c.JOKER) if c.card_of(k) < 0) == 72
    assert [state.unseen[k] for k in range(c.JOKER) if c.card_of(k) >= 0] == [1] * 16
    assert state.unseen[c.JOKER] == 4


@pytest.mark.parametrize(("edition", "squares"), [("loop-36", 36), ("loop-24", 24)])
def test_af_02_each_card_has_a_square_each_suit_a_corner(edition: str, squares: int) -> None:
    state = Table(edition=edition).state
    assert state.squares == squares
    assert [state.board[state.home[card]] for card in range(16)] == list(range(16))
    assert list(state.corner) == [0, squares // 4, squares // 2, 3 * squares // 4]
    duels = [square for square in range(squares) if state.board[square] == c.DUEL_SQUARE]
    guesses = [square for square in range(squares) if state.board[square] == c.HIGHER_LOWER]
    assert len(duels) == len(guesses) == (squares - 20) // 2


@pytest.mark.parametrize(("edition", "second"), [("loop-36", 9), ("loop-24", 18)])
def test_af_02_the_examples_of_the_rulebook_hold(edition: str, second: int) -> None:
    state = Table(edition=edition).state
    n = state.squares

    def reached(start: int, steps: int) -> set[str]:
        return {c.CARDS[state.board[(start + way * steps) % n]] for way in (1, -1)}

    assert reached(0, 4) == {"QD", "KS"}
    assert reached(second, 7) == {"AC", "JD"}


def test_af_02_any_number_of_pieces_share_a_square() -> None:
    table = Table(2, seated=False)
    table.match.force("seat 2 starts")
    table.move("corner hearts", "hearts")
    assert table.at(1) == table.at(2) == 18


def test_af_03_the_seat_drawn_starts_and_each_chooses_a_corner_in_turn() -> None:
    table = Table(3, seated=False)
    assert table.match.chance_outcomes() == ([0, 1, 2], [1, 1, 1])
    table.match.force("seat 2 starts")
    assert table.moves == [f"corner {suit}" for suit in c.SUITS]
    seats = []
    for corner in ("corner spades", "corner clubs", "corner spades"):
        seats.append(table.to_move)
        table.move(corner)
    assert seats == [2, 3, 1]
    assert (table.at(1), table.at(2), table.at(3)) == (27, 27, 9)
    assert table.to_move == 2
    assert table.in_slots() == set(c.CARDS)  # the corners are not resolved
    assert table.state.phase == r.TURN


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("board", "JD"), ("board", ["JD"] * 10), ("board", ["JD", "hell"] * 12), ("board", ["JD", "duel"] * 12),
        ("decks", 1), ("decks", True), ("decks", 9), ("jokers", -1), ("jokers", "four"),
    ],
)  # fmt: skip
def test_af_01_af_02_what_is_no_board_or_deck_is_refused(part: str, value: Any) -> None:
    parts = {**GAME.edition().parts, part: value}
    with pytest.raises(ValueError, match=r"\w"):
        r.setup(2, parts, {option.name: 0 for option in GAME.facts.options})


def test_af_01_the_fullest_pile_is_as_large_as_the_facts_say() -> None:
    parts = {**GAME.edition().parts, "decks": c.MOST_DECKS, "jokers": c.MOST_JOKERS}
    state = r.setup(2, parts, {option.name: 0 for option in GAME.facts.options})
    most = {part.name: part.most for part in GAME.facts.observed}
    assert state.left == most["cards in the pile"]
    assert max(state.unseen[: c.JOKER]) == most["cards left of each kind"]
    assert state.unseen[c.JOKER] == most["jokers left"]
    assert most["square of each piece"] == c.MOST_SQUARES - 1


def test_af_02_the_suits_are_at_the_corners() -> None:
    board = list(GAME.edition().parts["board"])
    board[0], board[1] = board[1], board[0]
    with pytest.raises(ValueError, match="corners"):
        r.setup(2, {**GAME.edition().parts, "board": board}, {option.name: 0 for option in GAME.facts.options})


def test_af_03_any_seat_may_be_drawn_and_any_card() -> None:
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 0)
    fresh = Table(5, seated=False).state
    assert {r.sample_chance(fresh, rng) for _ in range(100)} == {0, 1, 2, 3, 4}
    assert {r.sample_chance(Table().state, rng) for _ in range(1500)} == set(range(c.N_KINDS))


def test_af_16_a_game_that_all_share_is_won_by_nobody_alone() -> None:
    table = Table(4)
    table.state.turns = 2999
    assert table.card("joker").match.returns == [0.25] * 4
    out = [1] * 4
    assert r.chance_outcomes(table.state, out, out) == r.legal_actions(table.state, out) == 0
