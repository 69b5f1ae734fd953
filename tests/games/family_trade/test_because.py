"""What is said for decisions of Family Trade is true: held against every set that a hand can make, and every price."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.study.grounds import short
from tests.games.said import said, then

GAME = find("family-trade")
GOODS = range(r.N_GOODS)


def lacking(hand: list[int], sets: int) -> int:
    """Return the fewest cards that make this number of sets of three of the hand, by trying all ways."""
    ways = combinations_with_replacement(GOODS, sets)
    return min(sum(max(0, 3 * way.count(good) - hand[good]) for good in {*way}) for way in ways)


def true(state: r.State, action: int, ground: Ground) -> bool:
    """Return whether the ground is true."""
    about, seat = ground.about, GAME.rules.current_player(state)
    after = then(GAME, state, action)
    now = [state.ladder[step] if step != r.NONE else None for step in state.price]
    match ground.what:
        case "out":
            return after.winner == seat or after.last == seat
        case "short":
            return about[0] == lacking(after.hand[seat], 1 if state.ruleset == r.BATTLE_ROYALE else 3)
        case "cheap":
            held = [now[good] for good in GOODS if state.hand[seat][good]]
            return action == about[0] and about[1] == now[action] == min(price for price in held if price is not None)
        case "low":
            faces = [
                sum(state.ladder[step] for step in state.faces[good]) / 6 for good in GOODS if state.hand[seat][good]
            ]
            own = sum(state.ladder[step] for step in state.faces[action]) / 6
            return about == (action, round(own)) and own == min(faces)
        case "rare":  # those in the deck, in the other hands, and in hands that the others left
            hidden = {good: state.deck[good] for good in GOODS if state.hand[seat][good] % 3}
            for other in range(state.players):
                if other != seat:
                    for good in hidden:
                        hidden[good] += state.hand[other][good] + state.gone[other][good]
            few, other = hidden[action], about[2]
            return about == (action, few, other, hidden[other]) and few == min(hidden.values()) < hidden[other]
        case "costs":
            paid = then(GAME, state, r.OUT, r.STAND)
            return paid.money[seat] - state.money[seat] == -about[0] < 0
        case "market":
            faces = sum(state.ladder[step] for die in state.faces for step in die) / 6
            better = about[0] > faces if action == r.KEEP else about[0] < faces
            return about == (sum(price for price in now if price is not None), round(faces)) and better
        case "again" | "stand":
            goods = [good for good in GOODS if state.hand[seat][good]] if ground.what == "stand" else [about[0]]
            faces_of = {good: [state.ladder[step] for step in state.faces[good]] for good in goods}
            low = [good for good in goods if now[good] is not None and (now[good] or 0) < sum(faces_of[good]) / 6]
            if ground.what == "stand":
                return not low
            return low == goods and about[1:] == (now[about[0]], round(sum(faces_of[about[0]]) / 6))
        case "up":
            return state.hand[seat][about[1]] == about[0] and (after.price[about[1]] == state.price[about[1]] + 1)
        case "down":
            return not state.hand[seat][about[0]] and (after.price[about[0]] == state.price[about[0]] - 1)
    return False


def test_what_is_said_holds_for_every_set_and_price() -> None:
    met = set()
    for state, action, ground in said(GAME, 1, each=4):
        assert true(copy(state), action, ground), (ground, state.phase, action)
        met.add(ground.what)
    usual = {"low", "rare", "out", "short", "cheap", "market", "again", "stand", "up", "down"}
    assert usual <= met <= usual | {"costs"}


@pytest.mark.parametrize(("hand", "lacks"), [
    ([3, 3, 2, 0, 0, 0, 0, 0, 0], 1), ([3, 3, 1, 1, 0, 0, 0, 0, 0], 2), ([8, 0, 0, 0, 0, 0, 0, 0, 0], 1),
    ([1] * 8 + [0], 6), ([2, 2, 2, 2, 0, 0, 0, 0, 0], 3), ([4, 4, 0, 0, 0, 0, 0, 0, 0], 2),
    ([3, 3, 0, 0, 0, 0, 0, 0, 2], 3),
])  # fmt: skip
def test_how_far_a_hand_is_from_three_sets(hand: list[int], lacks: int) -> None:
    assert short(hand, r.MARKET_MAKING) == lacks == lacking(hand, 3)


def test_a_hand_that_costs_its_player_is_rather_not_shown() -> None:
    """FT-14: with prices below zero going out costs money; a player who is asked and would pass reads that."""
    state = next(state for state, _, _ in said(GAME, 1) if state.phase == r.ASK and state.ruleset == r.MARKET_MAKING)
    state = copy(state)
    state.price[:] = [0] * r.N_GOODS
    assert GAME.grounds is not None
    assert state.ladder[0] < 0
    assert GAME.grounds.grounds(state, r.OUT) == []
    (ground,) = GAME.grounds.grounds(state, r.PASS)
    if state.asked != state.dealer:
        assert true(state, r.PASS, ground)
    assert "would cost" in GAME.because(ground, ())
