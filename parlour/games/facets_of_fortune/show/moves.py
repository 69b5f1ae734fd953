"""What the viewer may do now, as texts, for the pieces that they click."""

from __future__ import annotations

from parlour.core.scene import Reason
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import reasons, text


class Moves:
    """The legal actions of a viewer; empty unless this viewer decides."""

    def __init__(self, state: r.State, viewer: int) -> None:
        self.state, self.viewer = state, viewer
        self.decides = r.current_player(state) >= 0 and viewer == state.player
        buffer = [0] * r.MAX_LEGAL
        self.legal = buffer[: r.legal_actions(state, buffer)] if self.decides else []

    def text(self, action: int) -> str:
        """Return the move as text; "" when it is not legal, or not this viewer's."""
        return text.format_action(self.state, action) if action in self.legal else ""

    def why(self, action: int) -> Reason | None:
        """Return why the viewer, who decides, cannot make this move; None if they can, or if another player
        decides."""
        return reasons.why_not(self.state, action) if self.decides and action not in self.legal else None
