"""What the rulebook of Aces & Faces tells and shows is true: its examples, its tables, its lesson."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parlour.conformance.teaching import check_guide
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.core.scene import Piece
from parlour.games import find
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from tests.games.aces_and_faces.table import Table

GAME = find("aces_and_faces")
RANKS = {**{str(n): n for n in range(2, 11)}, "J": 11, "Q": 12, "K": 13, "A": 14}
PILE = [  # the pile of 92, counted from what is printed: two of each number, one of each extra, and our four jokers
    rank for rank in RANKS.values() for _ in range(8 if rank < RANKS["J"] else 4)
] + [0] * 4


def pieces(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from pieces(child)


def shown(picture: str, key: str) -> Piece:
    return next(piece for piece in pieces(GAME.pictures[picture]) if piece.key == key)


def keys(picture: str) -> set[str]:
    return {piece.key for piece in pieces(GAME.pictures[picture])}


def ringed(picture: str) -> set[str]:
    """Return what can be clicked round the middle: squares by the name of their card, and cards by their own."""
    found = set()
    for piece in pieces(GAME.pictures[picture]):
        if piece.key.startswith("way-"):
            continue
        if piece.action and piece.key.startswith("square-"):
            found.add(c.CARDS[Table().state.board[int(piece.key.removeprefix("square-"))]])
        elif piece.action:
            found.add(piece.key.partition("-")[2])
    return found


def where(picture: str, seat: int) -> str:
    """Return the square of a piece, seats counted from 1."""
    for square in pieces(GAME.pictures[picture]):
        if square.kind == "space" and any(one.key == f"pawn-{seat - 1}" for one in pieces(square)):
            return square.key
    raise AssertionError(f"{picture} shows no piece of seat {seat}")


def test_af_06_a_4_from_a_corner_leads_to_the_queen_of_diamonds_or_the_king_of_spades() -> None:
    table = Table(4).card("4C")
    assert [c.CARDS[table.state.board[r.destination(table.state, way)]] for way in (4, 5)] == ["QD", "KS"]
    assert ringed("four") == {"QD", "KS"}
    assert {where("four", seat) for seat in (1, 2, 3, 4)} == {"square-0", "square-9", "square-18", "square-27"}
    assert table.move("clockwise").held(1) == {"QD"}
    assert table.to_move == 2


def test_af_06_a_7_from_another_corner_leads_to_the_jack_of_diamonds_or_the_ace_of_clubs() -> None:
    assert ringed("seven") == {"JD", "AC"}
    assert where("seven", 2) == "square-9"
    for way, card in (("clockwise", "AC"), ("anticlockwise", "JD")):
        assert Table(4).card("4C").move("clockwise").card("7H").move(way).held(2) == {card}


def test_af_07_af_09_the_extra_jack_of_spades_and_its_empty_slot() -> None:
    table = Table(4).card("4C").move("clockwise").card("7H").move("clockwise").card("JS")
    assert table.held(3) == {"JS"}
    assert where("jack", 3) == f"square-{table.at(3)}" == "square-29"
    assert "card-JS" in keys("jack")
    assert shown("jack", "discard").name == "Discarded cards: the Jack of Spades"
    assert Table().hold(2, "JS").put(1, 27).card("2C").move("clockwise").held(1) == {"JS"}
    own = Table().hold(1, "JS").put(1, 27).card("2C").move("clockwise")
    assert own.held(1) == set()
    assert "JS" in own.in_slots()


def test_af_10_higher_than_5_a_9_an_ace_and_another_5() -> None:
    table = Table(2).put(1, 32).card("5S").move("clockwise", "higher")
    assert where("guess", 1) == f"square-{table.at(1)}"
    (said,) = (
        piece.text for piece in pieces(GAME.pictures["guess"]) if piece.kind == "label" and "caption" in piece.marks
    )
    assert said == "Higher or lower than 5?"
    assert table.card("9D").moves == ["clockwise", "anticlockwise"]
    assert table.state.number == 9
    ace = Table(2).hold(2, "AD").put(1, 32).card("5S").move("clockwise", "higher").card("AD")
    assert ace.held(1) == {"AD"}
    assert ace.turn_over
    again = Table(2).put(1, 32).card("5S").move("clockwise", "higher").card("5D")
    assert again.turn_over
    assert again.news == r.WRONG


def test_af_10_a_9_leads_from_each_higher_or_lower_square_of_the_loop_of_36_to_another() -> None:
    board = list(Table().state.board[:36])
    squares = [square for square in range(36) if board[square] == c.HIGHER_LOWER]
    assert len(squares) == 8
    assert all(board[(square + way) % 36] == c.HIGHER_LOWER for square in squares for way in (9, -9))


def test_af_10_with_a_full_pile_higher_is_better_up_to_6_and_lower_from_8() -> None:
    state = Table().state
    assert sorted(c.rank_of(kind) for kind in range(c.N_KINDS) for _ in range(r.pile(state)[kind])) == sorted(PILE)
    chances = {n: (sum(rank > n for rank in PILE), sum(0 < rank < n for rank in PILE)) for n in range(2, 11)}
    assert all(chances[n][0] > chances[n][1] for n in (2, 3, 4, 5, 6))
    assert chances[7] == (40, 40)
    assert all(chances[n][0] < chances[n][1] for n in (8, 9, 10))


def test_af_11_a_heart_on_the_corner_of_hearts_takes_any_heart_in_its_slot() -> None:
    assert where("match", 1) == "square-18"
    assert ringed("match") == {"JH", "KH", "AH"}
    table = Table(2).hold(2, "QH").put(1, 9).card("9D").move("clockwise").card("2H")
    assert table.moves == ["take JH", "take KH", "take AH"]


@pytest.mark.parametrize(("first", "second", "end"), [("10S", "6H", "won"), ("6H", "10S", "lost"), ("4C", "4D", "tie")])
def test_af_12_three_kings_and_a_duel_for_the_fourth(first: str, second: str, end: str) -> None:
    table = Table(2).hold(1, "KD KH KS").hold(2, "KC").duel("KC", first, second)
    assert table.match.over == (end == "won")
    if end == "lost":
        assert table.moves == ["give KD", "give KH", "give KS"]
    elif end == "tie":
        assert (len(table.held(1)), table.held(2)) == (3, {"KC"})
    assert {"card-KD", "card-KC", "card-KH", "card-KS"} <= keys("duel")
    assert shown("duel", "duel-challenger").name == "the 10 of Spades"
    assert shown("duel", "duel-opponent").name == "the 6 of Hearts"


def test_af_12_a_jack_of_three_is_won_back() -> None:
    table = Table(2).hold(1, "AC").hold(2, "JD JH JS").duel("JH", "10S", "6H")
    assert table.held(2) == {"JD", "JS"}


def test_af_12_the_card_to_give_makes_three_queens_or_it_does_not() -> None:
    assert ringed("lost") == {"AS", "QS"}
    table = Table(2).hold(1, "AS QS").hold(2, "QC QH").duel("QH", "6S", "9H")
    assert table.moves == ["give QS", "give AS"]
    assert {table.may(1, card) == {2} for card in ("QC", "QH")} == {True}  # Ann has seen what Bob took
    assert table.move("give AS").held(2) == {"QC", "QH", "AS"}


def test_af_09_af_13_one_number_wins_one_way_and_loses_a_card_the_other() -> None:
    assert ringed("nine") == {"QD", "QH"}
    for way, held, over in (("clockwise", {"QC", "QS"}, False), ("anticlockwise", {"QD", "QC", "QH", "QS"}, True)):
        table = Table(2).hold(1, "QD QC QS").hold(2, "QH").put(1, 31).card("9H").move(way)
        assert table.held(1) == held
        assert table.match.over == over


def test_af_13_the_lesson_stops_where_one_way_wins_and_the_other_costs_a_queen() -> None:
    lesson = GAME.lessons[""]
    learner = [step for step in lesson.record.steps if step[0] == 0]
    assert 8 <= len(learner) <= 16
    for way, over in (("anticlockwise", True), ("clockwise", False)):
        match = replay(lesson.record, lambda _: GAME)
        assert match.current_player == 0
        match.advance(match.parse(way))
        assert match.over == over
        assert bool(match.state.hands[0] >> c.CARDS.index("QD") & 1) == over


def test_the_lesson_shows_every_kind_of_square_and_card() -> None:
    """AF-5 to AF-13: each result of a turn that a first game needs."""
    record = GAME.lessons[""].record
    match = Match(GAME, names=record.names, seed=1, auto=False)
    news = set()
    for actor, text in record.steps:
        match.advance(match.parse_outcome(text) if actor < 0 else match.parse(text, actor))
        news.add(match.state.news)
    wanted = {r.TOOK, r.ROBBED, r.RETURNED, r.SKIPPED, r.MATCHED, r.DUEL_LOST}
    assert wanted <= news
    assert any(text == "higher" for _, text in record.steps)


@pytest.mark.parametrize(("edition", "squares"), [("loop-36", 36), ("loop-24", 24)])
def test_af_02_each_edition_shows_its_own_loop(edition: str, squares: int) -> None:
    value = GAME.editions[edition].parts["board"]
    assert f"({edition})" in GAME.component("board", value)
    names = {piece.key for piece in GAME.pictures[edition].children}
    assert names == {f"square-{n}" for n in range(squares)} | {"inside"}
    assert {f"card-{card}" for card in c.CARDS} <= keys(edition)


def test_af_01_the_tables_count_the_cards_of_two_decks() -> None:
    parts = GAME.edition().parts
    said = GAME.component("decks", parts["decks"])
    counts = [int(line.rstrip("| ").rpartition("| ")[2]) for line in said.splitlines()[2:]]
    assert counts == [16, 72, 16]
    assert sum(counts) == 2 * 52
    assert sum(counts[1:]) + parts["jokers"] == len(PILE) == 92


def test_the_first_steps_speak_of_goal_turn_and_end() -> None:
    check_guide(GAME)
    said = [words for _, words, _ in GAME.guide()]
    assert "four of a kind" in said[0]
    assert "win" in said[0]
    assert "turn" in said[1]
