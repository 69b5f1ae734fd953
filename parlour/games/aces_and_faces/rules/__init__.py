"""Aces & Faces: the rules. Clauses AF-n are in rulebook.md; where one is applied, it is named.

| file | what is in it |
|---|---|
| `pieces` | the cards, the kinds of the pile, the squares, the lines that win |
| `state` | the state; phases, actions and news by name |
| `setup` | an edition read and checked, and the game set up; how long it may be |
| `squares` | what a square or a card does, as functions that change nothing |
| `legal` | whose decision it is, and what they may do |
| `chance` | the possible outcomes of chance |
| `turns` | a step: decisions, cards, their results, the end of a turn |
| `scoring` | what wins |
| `hidden` | what each viewer sees, and can know about where the cards are |
| `gifts` | how the cards went since a private gift, and how they may have gone |
| `views` | what a viewer sees, as numbers |
| `dealing` | a new deal of what a viewer cannot know |
"""

from __future__ import annotations

from parlour.games.aces_and_faces.rules.chance import chance_outcomes, pile, sample_chance
from parlour.games.aces_and_faces.rules.dealing import resample
from parlour.games.aces_and_faces.rules.hidden import hidden_information, may_undo, observed_action, row_of
from parlour.games.aces_and_faces.rules.legal import choice, current_player, legal_actions
from parlour.games.aces_and_faces.rules.scoring import returns, scores
from parlour.games.aces_and_faces.rules.setup import bound, setup
from parlour.games.aces_and_faces.rules.squares import (
    destination,
    duel,
    guessed_right,
    holder_of,
    is_void,
    matches,
    suit_here,
    taken,
)
from parlour.games.aces_and_faces.rules.state import (
    ANTICLOCKWISE,
    CANNOT_DUEL,
    CARD,
    CHOOSE_CORNER,
    CLOCKWISE,
    CORNER,
    DECIDES,
    DECLINED,
    DRAW_SEAT,
    DUEL,
    DUEL_FIRST,
    DUEL_LOST,
    DUEL_SECOND,
    DUEL_TIED,
    DUEL_VOID,
    DUEL_WON,
    GIVE,
    GUESS,
    GUESS_CARD,
    HIGHER,
    LOWER,
    MATCH_CARD,
    MATCH_PICK,
    MATCHED,
    MAX_LEGAL,
    MAX_OUTCOMES,
    MOVE,
    N_ACTIONS,
    NO_CARD_LEFT,
    NO_DUEL,
    NO_MATCH,
    NOBODY,
    NOTHING,
    OVER,
    PUBLIC,
    RETURNED,
    ROBBED,
    SEATS,
    SKIPPED,
    SLOT,
    TOOK,
    TURN,
    VERSION,
    WRONG,
    State,
)
from parlour.games.aces_and_faces.rules.turns import apply
from parlour.games.aces_and_faces.rules.views import observation

BELIEFS = ("may", "unsure")  # what viewers can infer; after a new deal they know what is public, and their own hands

__all__ = [
    "ANTICLOCKWISE", "BELIEFS",
    "CANNOT_DUEL", "CARD", "CHOOSE_CORNER", "CLOCKWISE", "CORNER", "DECIDES", "DECLINED", "DRAW_SEAT",
    "DUEL", "DUEL_FIRST", "DUEL_LOST", "DUEL_SECOND", "DUEL_TIED", "DUEL_VOID", "DUEL_WON", "GIVE", "GUESS",
    "GUESS_CARD", "HIGHER", "LOWER", "MATCHED", "MATCH_CARD", "MATCH_PICK", "MAX_LEGAL", "MAX_OUTCOMES", "MOVE",
    "NOBODY", "NOTHING", "NO_CARD_LEFT", "NO_DUEL", "NO_MATCH", "N_ACTIONS", "OVER", "PUBLIC", "RETURNED", "ROBBED",
    "SEATS", "SKIPPED", "SLOT", "TOOK", "TURN", "VERSION", "WRONG", "State", "apply", "bound", "chance_outcomes",
    "choice", "current_player", "destination", "duel", "guessed_right", "hidden_information", "holder_of", "is_void",
    "legal_actions", "matches", "may_undo", "observation", "observed_action", "pile", "resample", "returns", "row_of",
    "sample_chance", "scores", "setup", "suit_here", "taken",
]  # fmt: skip
