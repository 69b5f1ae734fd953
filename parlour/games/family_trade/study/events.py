"""What is worth counting in games of Family Trade: how they end, and what happens in them."""

from __future__ import annotations

from typing import Any

from parlour.games.family_trade import rules as r

ENDINGS = ("everyone dealt twice", "cards ran out", "10,000 bills ran out", "50,000 bills ran out")
EVENTS = (
    "out with the card drawn", "out with a discard", "discard let lie", "one to go", "below zero", "dealer again",
    "total multiplied", "Jackpot taken", "nine identical cards", "void", "new deck", "false call",
)  # fmt: skip
OUT_BY_DRAW, OUT_BY_CLAIM, LET_LIE, TO_GO, BELOW = 1, 2, 4, 8, 16
AGAIN, MULTIPLIED, JACKPOT, NINE, VOID, NEW_DECK, FALSE_CALL = 32, 64, 128, 256, 512, 1024, 2048
COUNTS = ("deals", "turns as dealer")


def ending(state: Any) -> int:
    """Return how the game ended (FT-17, FT-24, FT-25), as an index into ENDINGS."""
    if state.ruleset != r.BATTLE_ROYALE:
        return 0
    if r.tens_left(state) <= 0:
        return 2
    return 3 if r.fifties_left(state) <= 0 else 1


def events(state: Any, action: int) -> int:
    """Return the events of `action`, which is about to be applied to `state`, one bit each."""
    phase = state.phase
    if phase == r.DRAW:
        if action == r.NO_CARD:
            return VOID
        return 0 if state.deck_size else NEW_DECK
    if phase == r.DEAL:
        return 0 if state.deck_size else NEW_DECK
    if phase == r.ASK:
        return _out(state, state.asked, OUT_BY_CLAIM) if action == r.OUT else LET_LIE
    if phase == r.TURN:
        if action != r.OUT:
            return TO_GO if r.announces(state, action) else 0
        if not r.complete(state.hand[state.player]):
            return FALSE_CALL
        return _out(state, state.player, OUT_BY_DRAW)
    if phase == r.REROLL and action == r.STAND:
        return _paid(state, r.total(state))
    if phase == r.ROLL and state.winner != r.NOBODY and _last_die(state):
        return _priced(state, action)
    return 0


def _out(state: Any, seat: int, how: int) -> int:
    """Return the events of going out (FT-15, FT-16)."""
    found = how
    if r.deals_again(state, seat):
        found |= AGAIN
    kind = state.row[state.row_size - 1] if how == OUT_BY_CLAIM else r.NONE
    if kind != r.NONE:  # count the hand as it will be shown
        state.hand[seat][kind] += 1
    if r.nine_alike(state.hand[seat]):
        found |= NINE
        if state.ruleset == r.GOD:  # no die is rolled: it is paid at once
            found |= _paid(state, state.nine_alike)
    elif state.ruleset != r.BATTLE_ROYALE and seat == state.dealer and state.run > 1:
        found |= MULTIPLIED
    if kind != r.NONE:
        state.hand[seat][kind] -= 1
    return found


def _last_die(state: Any) -> bool:
    """Return whether payment follows this die."""
    last = state.rolling & (state.rolling - 1) == 0
    return bool(last and not r.may_roll_again(state))


def _priced(state: Any, step: int) -> int:
    """FT-14, FT-22: return the events of a payment with this price."""
    good = r.die_due(state)
    before = state.price[good]
    state.price[good] = step
    worth = r.total(state)
    state.price[good] = before
    return _paid(state, worth)


def _paid(state: Any, worth: int) -> int:
    """FT-14: return the event of a total that is below zero, or that takes the Jackpot."""
    if worth > 0 and state.jackpot:
        return JACKPOT
    return BELOW if worth < 0 else 0


def count(state: Any, which: int) -> int:
    """Return a number of the final state, by its index in COUNTS."""
    number: int = state.deals if which == 0 else state.turns
    return number
