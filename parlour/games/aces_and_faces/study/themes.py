"""What puzzles of Aces & Faces are about."""

from __future__ import annotations

from parlour.games.aces_and_faces import rules as r

THEMES = {
    "corner": "Choice of corner",
    "way": "Which way round",
    "guess": "Higher or lower",
    "match": "Suit match",
    "duel": "Duel",
    "no-duel": "Stay out of a duel",
    "give": "Which card to give",
}


def themes(state: r.State, action: int) -> list[str]:
    """See `parlour.core.contract.Themes`."""
    held = {
        "corner": state.phase == r.CHOOSE_CORNER,
        "way": state.phase == r.MOVE,
        "guess": state.phase == r.GUESS,
        "match": state.phase == r.MATCH_PICK,
        "duel": state.phase == r.DUEL and action != r.NO_DUEL,
        "no-duel": action == r.NO_DUEL,
        "give": state.phase == r.GIVE,
    }
    return [theme for theme, here in held.items() if here]
