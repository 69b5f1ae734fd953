"""Bezel: what its clauses say. Run it with pytest where the game is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parlour.core.errors import IllegalMove
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Piece
from parlour.games import find


def game(*moves: str) -> Match:
    """Return a match after these moves ("ruby c3"): the first seat holds and draws only rubies, the second amber."""
    match = Match(find("bezel"), 2, seed=1, auto=False)
    for stone in ("ruby", "ruby", "ruby", "amber", "amber", "amber"):
        match.force(f"draw {stone}")
    for move in moves:
        stone, place = move.split()
        match.advance(match.parse(f"take {stone}"))
        match.advance(match.parse(f"lay {place}"))
        match.force(f"draw {stone}")
    return match


def stones(piece: Piece) -> Iterator[str]:
    """Yield the names of all stones on a piece."""
    if piece.kind == "gem":
        yield piece.name
    for child in piece.children:
        yield from stones(child)


def test_be_01_seven_tiles_of_each_of_five_stones_for_25_squares() -> None:
    match = Match(find("bezel"), 2, seed=1, auto=False)
    assert match.chance_outcomes() == ([0, 1, 2, 3, 4], [7] * 5)
    assert len(match.state.square) == 25


def test_be_02_three_tiles_that_the_other_does_not_see() -> None:
    match = game()
    assert match.current_player == 0
    for viewer, seen in ((0, ["Ruby"] * 3), (1, ["Amber"] * 3), (SPECTATOR, [])):
        found = list(stones(match.scene(viewer).board))
        assert len(found) == 6
        assert [name for name in found if name != "A tile, face down"] == seen


def test_be_03_take_a_tile_and_lay_it_beside_another_then_draw() -> None:
    match = game()
    match.advance(match.parse("take ruby"))
    assert len(match.legal_actions()) == 25
    match = game("ruby c3")
    assert match.current_player == 1
    with pytest.raises(IllegalMove, match="no ruby in your hand"):
        match.parse("take ruby")
    with pytest.raises(IllegalMove, match="First take a tile"):
        match.parse("lay c2")
    match.advance(match.parse("take amber"))
    assert match.legal_actions() == ["lay c2", "lay b3", "lay d3", "lay c4"]
    for wrong, why in (("lay b2", "its side touches"), ("lay c3", "a tile already"), ("take amber", "taken a tile")):
        with pytest.raises(IllegalMove, match=why):
            match.parse(wrong)
    match.advance(match.parse("lay c2"))
    assert match.chance_outcomes() == ([0, 1, 2, 3, 4], [3, 4, 7, 7, 7])


def test_be_03_a_tile_that_is_taken_can_be_put_back() -> None:
    match = Match(find("bezel"), 2, seed=1)
    match.play(match.legal_actions()[0])
    assert match.state.taken
    match.undo()
    assert not match.state.taken


def test_be_04_stones_of_one_kind_side_by_side_pay() -> None:
    assert game("ruby a1", "amber a2", "ruby b1").scores == [1, 0]
    assert game("ruby a1", "amber a2", "ruby b1", "amber a3", "ruby c1").scores == [3, 1]
    assert game("ruby a1", "amber a2", "ruby b1", "amber c1").scores == [1, 0]


def test_be_04_five_pay_ten() -> None:
    match = game()
    match.state.square[:5] = [1] * 5
    assert match.scores == [10, 0]
    match.state.square[2] = 2
    assert match.scores == [2, 0]


def test_be_05_the_full_brooch_is_counted() -> None:
    match = Match(find("bezel"), 2, seed=5)
    while not match.over:
        match.play(match.legal_actions()[0])
    assert all(match.state.square)
    assert match.winners == tuple(seat for seat in range(2) if match.scores[seat] == max(match.scores))


def test_be_04_the_picture_of_the_rulebook_pays_what_its_words_say() -> None:
    brooch = find("bezel").pictures["brooch"]
    paid = [piece.name for piece in brooch.children if piece.kind == "badge" and piece.text != "0"]
    assert paid == ["Row 2 pays the first 3", "Column c pays the second 1"]
    assert sorted(stones(brooch)) == ["Amber", "Ruby", "Ruby", "Ruby", "Sapphire", "Sapphire"]
