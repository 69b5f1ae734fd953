"""What the rulebook's examples and the lessons say, played: their figures are the rules' own."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from parlour.core.contract import CHANCE
from parlour.core.lesson import LEARNER
from parlour.core.replay import replay
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import book
from parlour.games.family_trade.show.text import KINDS
from tests.games.family_trade.table import FAMILY_TRADE, GOD, MM, ROYALE, Table, spread

MARKET = ("50,000", "70,000", "50,000", "10,000", "-30,000", "30,000", "150,000", "-10,000")
AMOUNT = re.compile(r"−?\d+,000")


def example(title: str) -> str:
    """Return the words of an example, on one line."""
    found = re.search(rf"^### {title}\n(.*?)(?=^\{{|^#)", FAMILY_TRADE.rulebook, re.MULTILINE | re.DOTALL)
    assert found, title
    return " ".join(found[1].split())


def says(title: str, *amounts: int) -> bool:
    """Return whether the example has these amounts, in thousands."""
    return {f"{'−' * (n < 0)}{abs(n)},000" for n in amounts} <= set(AMOUNT.findall(example(title)))


def same(table: Table, drawn: r.State) -> bool:
    """Return whether a position that was played is the one in the picture, as far as the picture shows it."""
    names = ("worth", "times", "took", "last", "source", "jackpot")
    state = table.state
    return all(getattr(state, n) == getattr(drawn, n) for n in names) and list(state.won) == list(drawn.won)


def test_ft_10_the_hands_that_are_one_to_go() -> None:
    def lacks(cards: str) -> set[str]:
        """Return the goods of which one more makes three sets, found by trying all."""
        hand = Counter(spread(cards))
        return {good for good in r.GOODS if all((hand[one] + (one == good)) % 3 == 0 for one in KINDS)}

    text = example("One to go")
    assert lacks("3 gold 3 crypto 2 oil") == {"oil"}
    assert lacks("5 shares 3 shrimp") == {"shares"}
    assert lacks("4 gold 2 diamond 2 shrimp") == set()
    for words in ("three gold, three crypto and two oil", "five shares and three shrimp", "four gold, two diamonds"):
        assert words in text
    shown = Counter(card.name for piece in book.pictures()["one-to-go"].children for card in piece.children)
    assert shown == {"Gold": 3, "Crypto": 3, "Oil": 2}


def test_ft_13_ft_14_ft_16_a_second_deal_in_a_row() -> None:
    table = Table("3 gold 3 crypto 2 oil", players=3, market=MARKET)
    table.state.run, table.state.jackpot = 2, 130
    table.turn("diamond").turn("oil").move("take")
    assert r.total(table.state) == 2 * 190
    table.move("reroll oil").roll("50,000")
    assert table.money == [500 + 540 + 130, 500 - 540, 500]
    assert says("A second deal in a row", 70, 150, -30, 190, 50, 270, 540, 500, 40, 130)
    ending = book.Deal(r.MARKET_MAKING, 0, {1: 3, 6: 3, 4: 3}, 4, source=1, run=2, jackpot=130, again=(4, 50))
    drawn = book.gone_out(ending)
    assert same(table, drawn)


@pytest.mark.parametrize("drawn", [True, False])
def test_ft_13_ft_14_below_zero(drawn: bool) -> None:
    table = Table("", "", "3 shares 3 oil 2 currency", players=3, market=MARKET)
    table.turn("diamond").turn("gold")
    if drawn:
        table.draw("currency").move("done")
    else:
        table.turn("gold").turn("shrimp").turn("currency").move("take")  # from the second player
    table.move("reroll oil").roll("-30,000")
    assert table.money == ([500, 500, 470] if drawn else [500, 530, 470])
    assert table.state.jackpot == (30 if drawn else 0)
    assert says("Below zero", 10, -30, -10, 30)
    die = table.state.faces[r.GOODS.index("oil")]
    assert sum(table.state.ladder[face] > -30 for face in die) == 5  # "five faces are better"


def test_ft_14_ft_20_the_dice_decide() -> None:
    table = Table("", "", "3 diamond 5 shrimp", players=3, ruleset=GOD)
    table.turn("oil").turn("oil").turn("gold").turn("oil").turn("shrimp").move("take").roll("50,000", "-30,000")
    assert r.total(table.state) == -10
    table.move("reroll shrimp").roll("70,000")
    assert table.money == [500, 500 - 190, 500 + 190]
    assert says("The dice decide", 50, -30, -10, 70, 190)


def test_ft_16_ft_20_a_third_deal_in_a_row() -> None:
    table = Table("", "3 currency 3 oil 2 crypto", players=3, ruleset=GOD, dealer=2)
    table.state.run = 3
    table.turn("gold").turn("shares").turn("crypto").move("take").roll("-30,000", "-50,000", "50,000")
    table.move("reroll crypto").roll("-50,000")
    assert table.money == [500 + 90, 500 - 90, 500]
    assert says("A third deal in a row", -30, -50, 50, 90)


def test_ft_22_ft_23_out_of_turn() -> None:
    table = Table("1 gold 1 oil", "2 shares", "1 gold 1 shrimp", players=3, ruleset=ROYALE, dealer=3)
    table.draw("shares").move("discard shares")
    assert table.to_move == 2  # and not 1, who is next
    fifties, tens = r.fifties_left(table.state), r.tens_left(table.state)
    table.move("take").roll("100,000")
    assert table.money == [0, 100, 0]
    assert (fifties - r.fifties_left(table.state), tens - r.tens_left(table.state)) == (2, 0)
    assert sum(map(sum, table.state.hand)) == 0
    assert says("Out of turn", 100, 50)


def test_ft_25_the_banks_bills() -> None:
    state = book.bank()
    assert list(state.money[:3]) == [40, 90, -70]
    tens, fifties = (0 + 4) + (0 + 4), 0 + 1  # Anna, Ben; a loan has no bills
    assert (r.tens_left(state), r.fifties_left(state)) == (60 - tens, 16 - fifties) == (52, 15)
    assert "60 of 10,000 and 16 of 50,000, so 52 and 15 are left" in example("The bank's bills")
    assert says("The bank's bills", 40, 90, 70)


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
def test_the_amounts_in_a_lesson_can_be_seen_on_the_table_when_they_are_said(ruleset: str) -> None:
    lesson = FAMILY_TRADE.lessons[ruleset]
    match = replay(replace(lesson.record, steps=()), lambda _: FAMILY_TRADE)
    for step in range(len(lesson.record.steps) + 1):
        state = match.state
        seen = {*state.money, state.jackpot, state.worth, 600}  # FT-15: nine alike, on the sheet beside the table
        up = state.phase == r.MAKE  # what a price may be moved to is offered, too
        seen |= {state.ladder[min(price + up, r.N_STEPS - 1)] for price in state.price if price != r.NONE}
        seen |= {state.ladder[face] for die in state.faces for face in die if ruleset == ROYALE}
        for amount in AMOUNT.findall(lesson.notes.get(step, "")):
            assert int(amount.replace("−", "-").removesuffix(",000")) in seen, (step, amount)
        if step < len(lesson.record.steps):
            actor, text = lesson.record.steps[step]
            match.advance(match.parse_outcome(text) if actor == CHANCE else match.parse(text, actor))


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
def test_a_lesson_has_five_to_ten_decisions_and_goes_on_after_them(ruleset: str) -> None:
    lesson = FAMILY_TRADE.lessons[ruleset]
    assert 5 <= sum(actor == LEARNER for actor, _ in lesson.record.steps) <= 10
    match = replay(lesson.record, lambda _: FAMILY_TRADE)
    assert not match.over
    assert match.scores[LEARNER] > match.scores[1]
