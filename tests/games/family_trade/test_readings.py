"""Readings of unclear print that a table can choose: a dealt hand that is one to go (FT-11)."""

from __future__ import annotations

from math import comb

import pytest

from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules.hands import wanted
from parlour.games.family_trade.rules.hidden import may_ask, might_take
from tests.games.family_trade.table import GOD, Table

GOLD_WANTED = "3 diamond 3 oil 2 gold"


def test_ft_11_while_kept_a_dealt_hand_stays_unannounced_and_may_draw_or_claim() -> None:
    table = Table("", GOLD_WANTED, dealt_hand="while-kept").turn("shrimp").turn("currency")
    assert table.state.announced == 0
    table.turn("gold")
    assert (table.to_move, table.moves) == (2, ["take", "let it lie"])
    table.move("let it lie").draw("gold")
    assert {"done", "discard gold", "discard diamond"} < set(table.moves)


@pytest.mark.parametrize(("reading", "said"), [("first-discard", True), ("while-kept", False)])
def test_ft_11_one_to_go_is_said_with_the_drawn_card_of_a_dealt_hand_only_as_the_reading_says(
    reading: str, said: bool
) -> None:
    state = Table("", GOLD_WANTED, dealt_hand=reading).turn("shrimp").draw("currency").state
    assert r.announces(state, state.drawn) is said


def test_ft_11_while_kept_ends_with_the_first_card_of_it_that_goes() -> None:
    table = Table("", GOLD_WANTED, dealt_hand="while-kept").turn("shrimp").turn("currency").turn("shrimp")
    table.draw("gold").move("discard diamond")
    assert table.state.announced == 0b10  # another hand, which waits for a diamond: FT-10
    table = Table("", GOLD_WANTED, dealt_hand="while-kept").turn("shrimp")
    table.draw("crypto").move("discard gold").turn("shrimp").draw("gold").move("discard crypto")
    assert table.state.announced == 0b10  # the same cards again, but not those that were dealt


def test_ft_11_while_kept_another_deal_begins_anew() -> None:
    table = Table(GOLD_WANTED, dealt_hand="while-kept").draw("gold").move("done", "no reroll")
    assert (table.state.untouched, list(map(sum, table.state.tossed))) == (0, [0, 0, 0, 0])


def test_ft_11_own_draw_a_dealt_hand_goes_out_by_a_drawn_card_alone() -> None:
    table = Table("", GOLD_WANTED, dealt_hand="own-draw").turn("gold")
    assert (table.to_move, table.state.phase) == (0, r.DRAW)  # no one is asked
    assert not may_ask(table.state)
    table.draw("gold")
    assert "done" in table.moves
    table = Table("", GOLD_WANTED, dealt_hand="own-draw").turn("shrimp").turn("currency")
    assert table.state.announced == 0b10
    table.turn("gold")
    assert table.to_move == 2  # announced, it may take a discard (FT-12)


@pytest.mark.parametrize(
    ("reading", "before", "after"), [("first-discard", 1, 0), ("while-kept", 1, 1), ("own-draw", 0, 0)]
)
def test_ft_11_whether_somebody_may_be_asked_says_nothing_of_their_hand(reading: str, before: int, after: int) -> None:
    for hand in ("", GOLD_WANTED):
        table = Table("", hand, ruleset=GOD, dealt_hand=reading)
        assert might_take(table.state, 1, 0) == before
        table.state.acted |= 0b10
        assert might_take(table.state, 1, 0) == after


def test_ft_26_a_hand_that_may_still_be_the_dealt_one_is_dealt_again_as_often_as_it_is() -> None:
    """After one discard, of nine cards that are all alike to others, one in nine was the card drawn, or one of its
    kind."""
    table = Table("", "3 diamond 3 oil 1 gold 1 shares", dealt_hand="while-kept").turn("shrimp").turn("gold")
    few(table, diamond=3, oil=3, gold=4)
    rng = [0] * RNG_SIZE
    seed_rng(rng, 7, 0)
    draws, found = 4_000, 0
    for _ in range(draws):
        state = copy(table.state)
        r.resample(state, 0, rng)
        waits = wanted(state.hand[1]) != r.NONE
        assert state.announced == 0
        assert bool(state.untouched >> 1 & 1) == waits
        found += waits
    expected = share(table)
    assert 0.01 < expected < 0.5
    assert abs(found / draws - expected) < 5 * (expected / draws) ** 0.5, (found / draws, expected)


def few(table: Table, **unseen: int) -> None:
    """Leave only this many cards of these goods, and one of shares, that seat 1 does not see."""
    state = table.state
    for kind in range(r.N_KINDS):
        name = r.GOODS[kind] if kind < r.N_GOODS else ""
        cards = max(unseen.get(name, 1 if name == "shares" else 0) - state.hand[1][kind], 0)
        gone = state.deck[kind] - cards
        state.deck[kind] -= gone
        state.shuffled[kind] -= gone
        state.deck_size -= gone


def share(table: Table) -> float:
    """The share of hands that are one to go, each counted by the chance that its discards were the cards drawn."""
    state = table.state
    unseen = [state.deck[kind] + state.hand[1][kind] for kind in range(r.N_KINDS)]
    tossed = [state.tossed[1][kind] for kind in range(r.N_KINDS)]
    all_hands, waiting, weighed = comb(sum(unseen), 8), 0.0, 0.0
    for pair in range(8):
        for one in range(8):
            for two in range(one, 8):
                cards = [0] * r.N_KINDS
                cards[pair] += 2
                cards[one] += 3
                cards[two] += 3
                ways = 1
                for kind in range(r.N_KINDS):
                    ways *= comb(unseen[kind], cards[kind])
                chance = 1.0
                for kind in range(r.N_KINDS):
                    chance *= ((1 + cards[kind]) / 9) ** tossed[kind]
                waiting += ways
                weighed += ways * chance
    return weighed / (all_hands - waiting + weighed)
