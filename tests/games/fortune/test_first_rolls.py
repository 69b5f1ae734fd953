"""Every card's turn from all its first rolls: rules and solver against the clauses written a second time, as fractions.

`plain_turn.py` has the second writing; nothing in it comes from the rules' code or from the solver.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from parlour.core.struct import copy
from parlour.engine.compiled import compile
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import exact, follow, lattice, turn, turns
from tests.games.fortune.plain_turn import ALL as THROWS
from tests.games.fortune.plain_turn import PlainTurn, card_skulls, island_losses, reaches_island, throws
from tests.games.fortune.solved import ALL, FORTUNE, OPTIONS, ends, solved


@cache
def plain_turn(card: str, which: int = 0) -> PlainTurn:
    return PlainTurn(card, OPTIONS[which])


PRIMES = (2**31 - 1, 2**31 - 19)
OPENS = {lattice.OVER: "over", lattice.DECIDES: "decides", lattice.ISLAND: "island", lattice.STRANDED: "stranded"}


def packed(dice: tuple[int, ...]) -> int:
    return sum(n << 4 * face for face, n in enumerate(dice))


def how_it_opens(dice: tuple[int, ...], card: str) -> str:
    """FO-7, FO-13, FO-14, FO-18: return what a first roll leads to."""
    skulls = dice[0] + card_skulls(card)
    if reaches_island(dice, card):
        return "island" if dice[0] <= 6 else "stranded"
    return "decides" if skulls < 3 or (skulls == 3 and card == "sorceress") else "over"


@pytest.mark.parametrize(("card", "which"), ALL)
def test_fo_13_fo_14_what_each_of_the_1287_first_rolls_leads_to(card: int, which: int) -> None:
    """Seven or eight skulls lead to the Island as four to six do, and end the turn there."""
    start, t, _ = solved(card, which)
    ways, each = 0, throws(8)
    for dice, count in each:
        state = copy(start)
        r.apply(state, packed(dice))
        expected = how_it_opens(dice, r.CARDS[card])
        if state.phase == r.DECIDE:
            assert ("island" if state.island else "decides") == expected
        else:
            assert ("stranded" if state.fate == r.ISLAND else "over") == expected
        assert OPENS[t[0][lattice.OPENS + dice[0]]] == expected
        ways += count
    assert (len(each), ways) == (1287, THROWS)


def losses_by_rules(card: int, which: int) -> dict[int, Fraction]:
    """Every loss that the Island brings, with its chance: played through `rules`, rolling on as long as they allow."""
    found: dict[int, Fraction] = {}
    ashore: dict[
        tuple[int, int], tuple[Any, Fraction]
    ] = {}  # by dice rolled before and skulls, as all else is the same

    def land(state: Any, chance: Fraction) -> None:
        if state.phase == r.DECIDE and state.island:
            place = (state.rolls, state.count[0])
            ashore[place] = (state, chance + ashore.get(place, (None, Fraction(0)))[1])
        elif state.fate == r.ISLAND:
            found[state.loss] = found.get(state.loss, Fraction(0)) + chance

    out, weights = [0] * r.MAX_OUTCOMES, [0] * r.MAX_OUTCOMES

    def roll(state: Any, chance: Fraction) -> None:
        n = r.chance_outcomes(state, out, weights)
        every = sum(weights[:n])
        for outcome, weight in list(zip(out[:n], weights[:n], strict=True)):
            after = copy(state)
            r.apply(after, outcome)
            land(after, chance * weight / every)

    roll(solved(card, which)[0], Fraction(1))
    while ashore:
        state, chance = ashore.pop(min(ashore))
        assert r.legal_actions(state, out) == 2
        again = copy(state)
        r.apply(again, out[1])
        roll(again, chance)
    return found


@pytest.mark.parametrize(("card", "which"), ALL)
def test_fo_13_fo_14_fo_15_the_island_s_chance_and_losses(card: int, which: int) -> None:
    """Exactly by the clauses and by the rules; and the solver's. No option changes them."""
    _, t, v = solved(card, which)
    expected = island_losses(r.CARDS[card])
    assert losses_by_rules(card, which) == expected
    found: dict[int, float] = {}
    for level, chance in enumerate(ends(card, which)[follow.LEFT : follow.LOST]):
        if chance > 0.0:
            found[t[0][lattice.LOSS + level]] = chance
    assert found == pytest.approx({loss: float(chance) for loss, chance in expected.items()}, rel=1e-12)
    mean = sum(loss * chance for loss, chance in expected.items())
    assert turn.start(t, 0, v, 0, 1.0) - turn.start(t, 0, v, 0, 0.0) == pytest.approx(float(mean), rel=1e-11)


@pytest.mark.parametrize(
    ("card", "chance", "loss"),
    [
        ("gold", 0.0306564, 15.496344),
        ("captain", 0.0306564, 30.992688),
        ("storm", 0.0306564, 14.728843),
        ("skulls-1", 0.1348469, 74.011343),
        ("skulls-2", 0.3953231, 237.435743),
        ("sea-battle-4", 0.0, 0.0),
    ],
)
def test_fo_13_fo_15_the_island_in_figures(card: str, chance: float, loss: float) -> None:
    """The Captain costs twice as much; the Storm allows one roll there; Sea Battles never lead there."""
    expected = island_losses(card)
    assert float(sum(expected.values())) == pytest.approx(chance, abs=5e-8)
    assert float(sum(loss * part for loss, part in expected.items())) == pytest.approx(loss, abs=5e-7)


def tie(card: str) -> float:
    """Return how far two best ways to play may differ in the chance to be disqualified.

    In a Storm, with two skulls and nothing of worth, five dice bring as much as six:
    (5 / 6) ** 5 * 400 is (5 / 6) ** 6 * 480.
    """
    if card != "storm":
        return 1e-9
    ways = sum(ways for dice, ways in throws(8) if dice[0] == 2 and dice[4] == dice[5] == 0)
    return ways / THROWS * ((5 / 6) ** 5 - (5 / 6) ** 6) + 1e-9


@pytest.mark.parametrize(("card", "which"), ALL)
def test_fo_05_the_turn_before_its_first_roll_is_worth_what_the_clauses_make_of_it(card: int, which: int) -> None:
    """FO-6 to FO-24: as a fraction, in points, and the chance to be disqualified."""
    _, t, v = solved(card, which)
    plain = plain_turn(r.CARDS[card], which)
    fraction = exact.Turn(t, v).value()
    for prime in PRIMES:
        assert plain.agrees(fraction, prime)
        assert not plain.agrees(fraction + Fraction(1, THROWS), prime)
    assert float(fraction) == pytest.approx(plain.value(), rel=1e-11)
    assert turn.start(t, 0, v, 0, 0.0) == pytest.approx(plain.value(), rel=1e-10)
    assert ends(card, which)[follow.LOST] == pytest.approx(plain.disqualified(), abs=tie(r.CARDS[card]))


def test_fo_14_fo_24_seven_skulls_and_a_sword_cost_nothing_in_a_truce() -> None:
    """On the Island a sword is nothing: eight ways of 6 ** 8, a thousand points each."""
    _, t, v = solved(r.TRUCE)
    assert float(exact.Turn(t, v).value()) == pytest.approx(416.753026241914, rel=1e-14)


@pytest.mark.slow
def test_compiled_the_cards_are_the_same() -> None:
    compiled = turns.cards(FORTUNE, compile(FORTUNE))
    assert len(compiled) == r.N_CARDS
    for name, worth in compiled.items():
        expected = island_losses(name)
        assert worth.island == pytest.approx(float(sum(expected.values())), rel=1e-12)
        assert worth.loss == pytest.approx(float(sum(loss * part for loss, part in expected.items())), rel=1e-10)
        plain = plain_turn(name)
        assert worth.points == pytest.approx(plain.value(), rel=1e-9)
        assert worth.disqualified == pytest.approx(plain.disqualified(), abs=tie(name))
