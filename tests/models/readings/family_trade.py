"""Family Trade's State as the facts that its model names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parlour.core.struct import copy
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules import GOODS, chance, legal, scoring, turns

KINDS = (*GOODS, "market make")
BY_NAME = sorted(range(len(KINDS)), key=lambda kind: KINDS[kind])
PHASES = {
    r.FIRST_DEALER: "first dealer", r.CHOOSE_MARKET: "market", r.ROLL: "roll", r.DEAL: "deal", r.DRAW: "draw",
    r.TURN: "turn", r.MAKE: "step", r.ASK: "ask", r.REROLL: "again", r.OVER: "over",
}  # fmt: skip


def facts(state: Any) -> dict[str, object]:
    """Return what `tests.models.family_trade.Model.facts` says, read out of the product's state."""
    phase = PHASES[state.phase]
    found: dict[str, object] = {"phase": phase, "money": state.money[: state.players], "jackpot": state.jackpot}
    nobody_out = phase not in ("roll", "again") or state.winner == r.NOBODY
    if state.ruleset == r.MARKET_MAKING or not nobody_out:
        found["prices"] = [state.ladder[step] if step >= 0 else None for step in state.price]
    if phase in ("first dealer", "over"):
        return found
    found["dealer"] = state.dealer
    if state.ruleset == r.BATTLE_ROYALE:
        gone = list(map(sum, zip(*state.gone, strict=True)))
        found |= {"round": state.deals + 1, "gone": gone, "shown": _shown(state, gone)}
    else:
        found |= {"run": state.run, "turns": state.turns}
    if phase == "market" or (phase == "roll" and nobody_out):
        return found
    return found | {
        "deck": state.deck, "row": [KINDS[kind] for kind in state.row[: state.row_size]],
        "hands": [_hand(state, seat) for seat in range(state.players)],
        "announced": [seat for seat in range(state.players) if state.announced >> seat & 1],
        "new decks": state.remade,
        "player": state.player if phase in ("turn", "step") else None,
        "drawn": KINDS[state.drawn] if phase == "turn" else None,
        "called": bool(state.called) and phase == "turn",
        "out": None if nobody_out else state.winner,
        "source": None if nobody_out or state.source == r.NOBODY else state.source,
        "due": [GOODS[r.die_due(state)]] if phase == "roll" else [], "asked": _asked(state),
    }  # fmt: skip


def _asked(state: Any) -> list[int]:
    """FT-12: who is asked about the last discard and has not answered, in the order in which answers count."""
    seats: list[int] = []
    if state.phase != r.ASK:
        return seats
    here = copy(state)
    while here.phase == r.ASK:
        seats.append(here.asked)
        r.apply(here, r.PASS)
    return seats


def _shown(state: Any, gone: list[int]) -> list[int]:
    """FT-23: return the cards that are nowhere else: the sets of players who went out."""
    hands = list(map(sum, zip(*state.hand, strict=True)))
    lying = [state.deck[kind] + state.dumped[kind] + hands[kind] + gone[kind] for kind in range(r.N_KINDS)]
    return [cards - there for cards, there in zip(state.cards, lying, strict=True)]


def _hand(state: Any, seat: int) -> list[str]:
    """Return the cards of a seat, sorted by name."""
    return [KINDS[kind] for kind in BY_NAME for _ in range(state.hand[seat][kind])]


# Rules made wrong on purpose ------------------------------------------------------------------------
def _next_asked(state: Any, after: int) -> int:
    """Against FT-12: the nearest before the discarder comes first."""
    kind = state.row[state.row_size - 1]
    seat = after - 1
    while seat % state.players != state.discarder:
        if can_take(state, seat % state.players, kind):
            return seat % state.players
        seat -= 1
    return r.NOBODY


def _returns(state: Any, out: Any) -> None:
    """Against FT-17 and FT-25: of equals the first wins alone."""
    best = max(state.money[: state.players])
    for seat in range(state.players):
        out[seat] = 1.0 if state.phase == r.OVER and state.money[: state.players].index(best) == seat else 0.0


def _total(state: Any) -> int:
    """Against FT-15: nine alike are multiplied too."""
    return total(state) * (state.run if r.nine_alike(state.hand[state.winner]) and state.winner == state.dealer else 1)


def _pay(state: Any) -> None:
    """Against FT-14: a total below zero goes into the Jackpot wherever the last card came from."""
    source = state.source
    if scoring.total(state) < 0:
        state.source = r.NOBODY
    pay(state)
    state.source = source


def _wanted(hand: Any) -> int:
    """Against FT-10: a Market Make in the hand does no harm."""
    return wanted([*hand[: r.MARKET_MAKE], 0])


def _end_deal(state: Any, how: int) -> None:
    """Against FT-16: a dealer may deal eleven times in a row."""
    state.longest_run += 1
    end_deal(state, how)
    state.longest_run -= 1


def _cards_to_draw(state: Any, kind: int) -> int:
    """Against FT-18 the last discard is shuffled too, against FT-24 it is not."""
    if state.deck_size:
        return cards_to_draw(state, kind)
    last = state.row[state.row_size - 1] == kind and state.ruleset == r.BATTLE_ROYALE
    return state.dumped[kind] - last


def _tens_left(state: Any) -> int:
    """Against FT-25: one who owes has bills."""
    left: int = state.tens - sum(abs(money) % 50 // 10 for money in state.money)
    return left


can_take, wanted, total, pay = legal.can_take, turns.wanted, scoring.total, scoring.pay
end_deal, cards_to_draw = turns._end_deal, chance.cards_to_draw
BOTH = ("market-making", "god-of-the-market")

BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "FT-12 order": lambda patch: patch.setattr(turns, "next_asked", _next_asked),
    "FT-14 source": lambda patch: patch.setattr(turns, "pay", _pay),
    "FT-15 nine alike": lambda patch: patch.setattr(scoring, "total", _total),
    "FT-16 longest run": lambda patch: patch.setattr(turns, "_end_deal", _end_deal),
    "FT-10 Market Make": lambda patch: patch.setattr(turns, "wanted", _wanted),
    "FT-17 FT-25 tie": lambda patch: patch.setattr(r, "returns", _returns),
    "FT-18 FT-24 void": lambda patch: patch.setattr(chance, "no_card", lambda _: False),
    "FT-18 FT-24 last discard": lambda patch: patch.setattr(chance, "cards_to_draw", _cards_to_draw),
    "FT-25 debts": lambda patch: patch.setattr(turns, "tens_left", _tens_left),
}
ONLY = {
    "FT-10 Market Make": ("market-making",), "FT-14 source": BOTH, "FT-15 nine alike": BOTH, "FT-16 longest run": BOTH,
    "FT-25 debts": ("battle-royale",),
}  # fmt: skip
