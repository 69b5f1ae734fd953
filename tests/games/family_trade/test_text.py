"""Family Trade in words: what is read, and what is refused with which sentence."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove, InvalidMove, MoveError
from parlour.games.family_trade import rules as r
from tests.games.family_trade.table import FAMILY_TRADE, GOD, ROYALE, Table

TEXT = FAMILY_TRADE.text
GOLD_WANTED = "3 diamond 3 oil 2 gold"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("discard real estate", "discard real estate"),
        ("  DUMP  estate ", "discard real estate"),
        ("d real_estate", "discard real estate"),
        ("discard dia", "discard diamond"),
        ("discard o", "discard oil"),
    ],
)
def test_a_discard_is_read_in_many_ways(typed: str, move: str) -> None:
    table = Table().draw("oil")
    assert TEXT.format_action(table.state, table.match.parse(typed)) == move


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "not a move"),
        ("jump", "not a move"),
        ("x" * 100_000, "not a move"),
        ("discard crown", "is not a card"),
        ("discard sh", "could be shares or shrimp"),
        ("market make up", "not a good"),
        ("discard mm", "do not hold that card"),
        ("let it lie", "You have drawn"),
        ("done", "not three sets"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_is_short(typed: str, sentence: str) -> None:
    with pytest.raises((InvalidMove, IllegalMove), match=sentence) as refused:
        Table().draw("oil").match.parse(typed)
    assert len(str(refused.value)) < 250


def test_every_kind_of_refusal_has_its_clause() -> None:
    asked = Table(GOLD_WANTED, players=3).turn("shrimp").turn("gold")
    make = Table(market=("50,000",) + ("30,000",) * 1 + ("10,000", "10,000", "-30,000", "-30,000", "200,000", "10,000"))
    make.draw("market make").move("discard mm")
    god = Table("6 crypto 2 gold", ruleset=GOD).draw("gold").move("done").roll("30,000", "-50,000")
    choice = Table(GOLD_WANTED).draw("gold").move("done", "no reroll")
    royale = Table(ruleset=ROYALE).draw("shares")
    for table, move, clause in (
        (asked, "keep", "FT-12"),
        (make, "crypto up", "FT-9"),
        (make, "take", "FT-9"),
        (god, "reroll oil", "FT-20"),
        (god, "keep", "FT-13"),
        (choice, "no reroll", "FT-6"),
        (royale, "done", "FT-22"),
    ):
        with pytest.raises(IllegalMove) as refused:
            table.match.parse(move)
        assert refused.value.clause == clause
    assert make.match.parse("up oil") == r.UP + 4
    assert make.match.parse("down crypto") == r.DOWN + 6
    assert make.match.parse("oil +") == r.UP + 4


def test_letting_be_has_the_same_words_wherever_it_is_a_choice() -> None:
    asked = Table(GOLD_WANTED, players=3).turn("shrimp").turn("gold")
    make = Table(market=("50,000",) + ("30,000",) * 1 + ("10,000", "10,000", "-30,000", "-30,000", "200,000", "10,000"))
    make.draw("market make").move("discard mm")
    again = Table(GOLD_WANTED).draw("gold").move("done")
    choice = Table(GOLD_WANTED).draw("gold").move("done", "no reroll")
    for table, move in ((asked, "let it lie"), (make, "leave prices"), (again, "no reroll"), (choice, "keep")):
        for said in ("no", "none", "pass", " None ", move.upper()):
            assert TEXT.format_action(table.state, table.match.parse(said)) == move


def test_done_is_said_of_a_card_drawn_and_take_of_a_discard() -> None:
    table = Table(GOLD_WANTED).draw("gold")
    assert table.match.parse("done") == r.OUT
    with pytest.raises(InvalidMove):
        table.match.parse("take")


def test_an_outcome_is_not_cut_short() -> None:
    with pytest.raises(InvalidMove):
        Table().match.parse_outcome("card g")


@pytest.mark.parametrize("outcome", ["", "seat 1", "seat 5 deals", "card gold", "oil 10", "seat 3 deals"])
def test_an_outcome_that_cannot_come_at_the_start(outcome: str) -> None:
    table = Table(deal=False)
    table.match.state = FAMILY_TRADE.start(2, table.match.edition, table.match.options)
    with pytest.raises(MoveError):
        table.match.force(outcome)


@pytest.mark.parametrize("outcome", ["gold 5", "gold 70,000", "diamond 10,000", "card gold", "diamond"])
def test_a_die_that_cannot_fall_so(outcome: str) -> None:
    with pytest.raises(MoveError):
        Table(deal=False, market=()).match.force(outcome)
