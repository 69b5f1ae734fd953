"""What puzzles of Gatsby are about."""

from __future__ import annotations

from parlour.games.gatsby.rules import state as s

THEMES = {
    "choose-action": "Choice of action",
    "token": "Where the token goes",
    "special": "Special action",
    "peek": "What to look at",
    "keep": "Keep or exchange",
}


def themes(state: s.State, action: int) -> list[str]:
    """See `parlour.core.contract.Themes`."""
    kind = state.due_kind[state.due - 1]
    held = {
        "choose-action": kind == s.ACTION,
        "token": kind in (s.START, s.CABARET, s.NEXT, s.ANYWHERE, s.RACETRACK, s.ROW, s.PLACE),
        "special": action == s.USE,
        "peek": kind == s.PAIR,
        "keep": kind in (s.KEEP, s.STAY, s.EXCHANGE),
    }
    return [theme for theme, here in held.items() if here]
