"""Gatsby: the rules. Clauses GA-n are in rulebook.md; where one is applied, it is named.

`state`     what a position is; its numbers that have a meaning, by name
`pieces`    what is in the box
`setup`     an edition becomes a state
`legal`     whose decision it is, and what is possible
`turns`     what a decision does; `parts`: what is due in a turn; `taking`: the end of a turn
`chance`    the outcomes of chance, and their effects
`scoring`   what has been won, and the winner
`hidden`    what each player sees and knows; `views`: what a seat observes; `dealing`: dealing again
`places`    the three places as sets of spaces; `holdings`: where things are, and whose they are
"""

from __future__ import annotations

from parlour.games.gatsby.rules.chance import chance_outcomes, sample_chance
from parlour.games.gatsby.rules.dealing import resample
from parlour.games.gatsby.rules.hidden import may_undo, observed_action
from parlour.games.gatsby.rules.legal import current_player, legal_actions
from parlour.games.gatsby.rules.scoring import returns, scores
from parlour.games.gatsby.rules.setup import bound, setup
from parlour.games.gatsby.rules.state import MAX_LEGAL, MAX_OUTCOMES, N_ACTIONS, VERSION, State
from parlour.games.gatsby.rules.turns import apply
from parlour.games.gatsby.rules.views import observation

__all__ = [
    "MAX_LEGAL", "MAX_OUTCOMES", "N_ACTIONS", "VERSION", "State", "apply", "bound", "chance_outcomes", "current_player",
    "legal_actions", "may_undo", "observation", "observed_action", "resample", "returns", "sample_chance", "scores",
    "setup",
]  # fmt: skip
