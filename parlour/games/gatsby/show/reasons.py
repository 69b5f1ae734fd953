"""Why a move of Gatsby is not legal: a sentence, and the clause behind it."""

from __future__ import annotations

from parlour.core.scene import Reason
from parlour.games.gatsby.rules import holdings, legal, places
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words

NOW = Reason("That is not the decision now.", "GA-26")


def why_not(state: s.State, action: int) -> Reason:
    """Return why `action` is not legal here."""
    kind = words.kind(state)
    if kind >= s.START:
        return why_not_space(state, action) if action < p.N_SPACES else NOW
    if kind in (s.ACTION, s.FORCED) and s.MAIN <= action <= s.USE:
        return why_not_action(state, action - s.MAIN)
    if kind in (s.KEEP, s.STAY) and s.TILE <= action < s.TWO:
        return Reason("That tile is not among those to choose from.", "GA-14")
    if kind == s.PAIR and action >= s.TWO:
        return Reason("Only characters still on the board can be chosen.", "GA-14")
    return NOW


def why_not_space(state: s.State, space: int) -> Reason:
    """Return why nothing can be placed there (or that token not be chosen) now."""
    what, arg = words.kind(state), words.argument(state)
    taken = (state.tokens[0] | state.tokens[1]) >> space & 1
    if what == s.OWN:
        return Reason("Choose one of your own tokens.", "GA-14")
    if what == s.OTHER:
        return Reason("Choose one of your opponent's tokens.", "GA-14")
    cabaret = space < p.RACE
    if what in (s.CABARET, s.NEXT, s.ANYWHERE, s.START) and not cabaret:
        return Reason("This token goes to the Cabaret.", "GA-8" if what == s.START else "GA-9")
    if what in (s.RACETRACK, s.ROW, s.GAP) and cabaret:
        return Reason("This token goes to the Racetrack.", "GA-9")
    if taken:
        return Reason("There is a token there already.", "GA-10" if cabaret else "GA-12")
    if cabaret:
        if not p.cabaret(state.size) >> space & 1:
            return Reason("The Cabaret has no such space.", "GA-3")
        if what == s.NEXT:
            return Reason(f"The token goes next to {words.space_name(arg - 1)}.", "GA-9")
        return Reason("A token goes next to another one, of either player.", "GA-10")
    row = places.row_of(space)
    if not places.row_bits(state, row) >> space & 1:
        return Reason("The row has no such space.", "GA-4")
    if not places.is_open(state, row):
        return Reason("This row is finished: there is a Race Finished tile on it.", "GA-12")
    if what == s.RACETRACK and state.used_rows >> row & 1:
        return Reason("The tokens of this action go to different rows.", "GA-9")
    return Reason("A token goes to the leftmost empty space of its row.", "GA-12")


def why_not_action(state: s.State, action: int) -> Reason:
    """Return why action 0 to 3 (A to D), or 4 (the Special), cannot be chosen."""
    if legal.must_move(state, action):
        return Reason("The Action token is there; it must move.", "GA-9")
    if action == s.OWN_SPECIAL and holdings.tile_of(state, state.player) < 0:
        return Reason("There is no Special Action tile to use.", "GA-9")
    return Reason("No part of this action is possible now.", "GA-9")
