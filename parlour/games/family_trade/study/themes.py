"""What puzzles of Family Trade are about."""

from __future__ import annotations

from parlour.games.family_trade import rules as r

THEMES = {
    "discard": "What to discard",
    "break-set": "Break up a set",  # a card is discarded that one has three of
    "market": "Move the market",
    "dice": "Roll again or not",
    "first-market": "The first market",
}


def themes(state: r.State, action: int) -> list[str]:
    """See `parlour.core.contract.Themes`."""
    seat = r.current_player(state)
    discards = state.phase == r.TURN and action < r.N_KINDS
    held = {
        "discard": discards,
        "break-set": discards and state.hand[seat][action] >= 3,
        "market": state.phase == r.MAKE,
        "dice": state.phase == r.REROLL,
        "first-market": state.phase == r.CHOOSE_MARKET,
    }
    return [theme for theme, here in held.items() if here]
