"""Family Trade: the rules. Clauses FT-n are in rulebook.md; where one is applied, it is named.

This file gathers what the contract (`parlour.core.contract`), `show/`, `study/` and the tests name. The others, each of
which imports only from those before it:

pieces.py: what is in the box
state.py: the state, its phases, and the actions by name; setup.py: setting it up from an edition
hands.py: what a hand is: three sets, or one card short of them
legal.py: whose decision it is, and what is possible; chance.py: the outcomes of chance; scoring.py: what going out is
worth
decks.py: what is remembered of earlier decks; announced.py: drawing hands that are "one to go"; unseen.py: what a seat
knows of the cards that it does not see
turns.py: applying a decision or an outcome: turns, going out, the end of a deal
hidden.py: what each seat sees, and whether a seat might be asked; views.py: what a seat sees, in numbers
origins.py: which of the shown cards were held when a new deck was formed; mending.py: whether a deal contradicts what
is known; remainder.py: the rest, at random; lineage.py: a deal after several new decks in Battle Royale; dealing.py:
with all these, a new deal of what a seat cannot know
"""

from __future__ import annotations

from parlour.games.family_trade.rules.chance import chance_outcomes, die_due, no_card, sample_chance
from parlour.games.family_trade.rules.dealing import resample
from parlour.games.family_trade.rules.hands import announces, complete, hand_size, nine_alike, wanted
from parlour.games.family_trade.rules.hidden import asks_another, may_ask, might_take, observed_action
from parlour.games.family_trade.rules.legal import can_take, current_player, legal_actions
from parlour.games.family_trade.rules.pieces import (
    DEALT_CARDS,
    GOODS,
    MARKET_MAKE,
    N_FACES,
    N_GOODS,
    N_KINDS,
    N_STEPS,
    SEATS,
)  # fmt: skip
from parlour.games.family_trade.rules.scoring import fifties_left, multiplier, scores, tens_left, total
from parlour.games.family_trade.rules.setup import setup
from parlour.games.family_trade.rules.state import (
    AGAIN,
    ASK,
    BATTLE_ROYALE,
    CHOOSE_MARKET,
    DEAL,
    DOWN,
    DRAW,
    FIRST_DEALER,
    GOD,
    KEEP,
    MAKE,
    MARKET_MAKING,
    MAX_LEGAL,
    MAX_OUTCOMES,
    N_ACTIONS,
    NO_CARD,
    NO_STEP,
    NOBODY,
    NONE,
    NOT_YET,
    OUT,
    OVER,
    PASS,
    REROLL,
    ROLL,
    ROLL_ALL,
    STAND,
    TURN,
    UP,
    VERSION,
    VOID,
    WENT_OUT,
    State,
)  # fmt: skip
from parlour.games.family_trade.rules.turns import apply, deals_again, may_roll_again
from parlour.games.family_trade.rules.views import observation

__all__ = [
    "AGAIN",
    "ASK",
    "BATTLE_ROYALE",
    "CHOOSE_MARKET",
    "DEAL",
    "DEALT_CARDS",
    "DOWN",
    "DRAW",
    "FIRST_DEALER",
    "GOD",
    "GOODS",
    "KEEP",
    "MAKE",
    "MARKET_MAKE",
    "MARKET_MAKING",
    "MAX_LEGAL",
    "MAX_OUTCOMES",
    "NOBODY",
    "NONE",
    "NOT_YET",
    "NO_CARD",
    "NO_STEP",
    "N_ACTIONS",
    "N_FACES",
    "N_GOODS",
    "N_KINDS",
    "N_STEPS",
    "OUT",
    "OVER",
    "PASS",
    "REROLL",
    "ROLL",
    "ROLL_ALL",
    "SEATS",
    "STAND",
    "TURN",
    "UP",
    "VERSION",
    "VOID",
    "WENT_OUT",
    "State",
    "announces",
    "apply",
    "asks_another",
    "can_take",
    "chance_outcomes",
    "complete",
    "current_player",
    "deals_again",
    "die_due",
    "fifties_left",
    "hand_size",
    "legal_actions",
    "may_ask",
    "may_roll_again",
    "might_take",
    "multiplier",
    "nine_alike",
    "no_card",
    "observation",
    "observed_action",
    "resample",
    "sample_chance",
    "scores",
    "setup",
    "tens_left",
    "total",
    "wanted",
]  # fmt: skip
