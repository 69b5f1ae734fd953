"""What has been won: prestige, sudden victories, and the winner in the end (GA-22, GA-23)."""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.holdings import characters_of
from parlour.games.gatsby.rules.state import State

OUTLINE = ("has_won",)


def over(state: State) -> bool:
    """Return whether the game is over, and everything that is shown at its end has been shown."""
    return state.due_kind[state.due - 1] == s.OVER


def prestige_of(state: State, seat: int, known: int) -> int:
    """GA-23: return the prestige of the characters that they took from the places `known` (a mask), and a
    point for each tile kept."""
    total = 0
    for slot in range(p.N_SLOTS):
        if state.owner[slot] == seat and known >> slot & 1:
            total += state.prestige[state.char[slot]]
    for tile in range(p.N_TILES):
        place = state.tile[tile]
        if place == s.ON_SPACE + seat or place == s.ASIDE + seat or place == s.ASIDE_HIDDEN + seat:
            total += 1
    return total


def margin(state: State, seat: int, known: int) -> int:
    """GA-23: return by how much prestige `seat` is ahead of the other or, if that is equal, by how many
    characters; 0 is a draw. `known`: see `prestige_of`."""
    lead = prestige_of(state, seat, known) - prestige_of(state, 1 - seat, known)
    if lead == 0:
        lead = characters_of(state, seat) - characters_of(state, 1 - seat)
    return lead


def scores(state: State, out: Buffer) -> None:
    """GA-23: write the prestige that is public; at the end that is all of it."""
    for seat in range(2):
        out[seat] = prestige_of(state, seat, state.up)


def returns(state: State, out: Any) -> None:
    """GA-22, GA-23: write 1 for the winner, or a half each in a draw; 0 before the end."""
    out[0] = 0.0
    out[1] = 0.0
    if not over(state):
        return
    if state.winner >= 0:
        out[state.winner] = 1.0
        return
    lead = margin(state, 0, state.up)
    out[0] = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
    out[1] = 1.0 - out[0]


def winner(state: State, leave: int) -> int:
    """GA-22: return the seat that has won at once, the active player first, or -1; characters at the
    places `leave` do not count."""
    if has_won(state, state.player, leave):
        return int(state.player)
    return 1 - int(state.player) if has_won(state, 1 - state.player, leave) else -1


def has_won(state: State, seat: int, leave: int) -> int:
    """GA-22: return TRIO, ALL_SUITS or 0; characters at the places `leave` do not count."""
    found = 0  # two bits for each suit: how many
    for slot in range(p.N_SLOTS):
        if state.owner[slot] == seat and state.char[slot] >= 0 and not leave >> slot & 1:
            found += 1 << 2 * (state.char[slot] // p.OF_SUIT)
    if found & found >> 1 & 0b0101010101:
        return s.TRIO
    return s.ALL_SUITS if (found | found >> 1) & 0b0101010101 == 0b0101010101 else 0
