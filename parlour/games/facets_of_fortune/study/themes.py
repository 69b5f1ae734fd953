"""What puzzles of Facets of Fortune are about."""

from __future__ import annotations

from parlour.games.facets_of_fortune import rules as r

THEMES = {
    "buy": "When to buy",
    "sell": "When to sell",
    "stop": "STOP cards",
    "attack": "Heist",
    "hand": "What to keep",
}


def themes(state: r.State, action: int) -> list[str]:
    """See `parlour.core.contract.Themes`."""
    gems = r.traded(action)[1] if r.BUY <= action < r.ROB else 0
    held = {
        "buy": gems > 0 or r.EXTRA <= action <= r.BUY_STOP,
        "sell": gems < 0,
        "stop": action == r.BUY_STOP or r.STOP_AT <= action < r.CARD,
        "attack": state.phase in (r.RIVAL, r.PICK) or action == r.CARD + r.HEIST,
        "hand": state.phase == r.TOSS,
    }
    return [theme for theme, here in held.items() if here]
