"""What puzzles of Fortune are about."""

from __future__ import annotations

from parlour.games.fortune import rules as r

THEMES = {
    "stop": "Stop in time",
    "risk": "Take the risk",  # a roll with two skulls or more, which can lose all
    "sea-battle": "Sea battle",
    "island": "Island of Skulls",
    "chest": "Treasure chest",
    "final-round": "Final round",
    "spell": "Sorceress",
}


def themes(state: r.State, action: int) -> list[str]:
    """See `parlour.core.contract.Themes`."""
    rolls = action != r.STOP
    held = {
        "stop": not rolls,
        "risk": rolls and not state.island and r.skulls(state) >= 2,
        "sea-battle": state.card in (r.SEA_2, r.SEA_3, r.SEA_4),
        "island": bool(state.island),
        "chest": state.card == r.CHEST,
        "final-round": state.final_left > 0,
        "spell": rolls and bool(r.may_free(state)),
    }
    return [theme for theme, here in held.items() if here]
