"""Fortune: the rules. Clauses FO-n are in rulebook.md; where one is applied, it is named.

state.py    the `State`; phases, actions and fates by name
pieces.py   dice and cards; sets of dice, and what dice can show, by number
setup.py    an edition is read; the bound on steps
legal.py    whose decision it is, and what they may do
turns.py    `apply`: a card, rolls, a turn's end, the game's end
chance.py   seats, cards and dice as outcomes
scoring.py  what dice, turns and totals are worth
views.py    the observation

Each imports only from those before it in this order: pieces, state, setup, scoring, legal, turns, chance, views.
Nothing is hidden, and the highest total wins: `parlour.core.defaults` has that.

Dice of one face are interchangeable, so a decision is how many of each face to roll; `places` has the place of each
die only so that people can follow them. The pile is drawn one card at a time (FO-3), so the order of cards not yet
turned is not in the state at all.
"""

from __future__ import annotations

from parlour.games.fortune.rules.chance import chance_outcomes, next_card, sample_chance
from parlour.games.fortune.rules.legal import (
    current_player,
    legal_actions,
    may_free,
    must_use_spell,
    random_action,
)
from parlour.games.fortune.rules.pieces import (
    CAPTAIN,
    CARD_DIAMOND,
    CARD_GOLD,
    CARDS,
    CHEST,
    DIAMOND,
    FACES,
    FIRST_ROLL,
    GOLD,
    MAX_PILE,
    MONKEY,
    MONKEY_BUSINESS,
    N_CARDS,
    N_DICE,
    N_FACES,
    N_OBJECTS,
    N_SETS,
    PARROT,
    ROLLS,
    SEA_2,
    SEA_3,
    SEA_4,
    SETS,
    SIZE,
    SKULL,
    SKULLS_1,
    SKULLS_2,
    SORCERESS,
    STORM,
    SWORD,
    TRUCE,
    WAYS,
    decode,
    encode,
)
from parlour.games.fortune.rules.scoring import (
    FLAT,
    FULL_CHEST,
    PIECE_WORTH,
    SET_WORTH,
    STORM_WORTH,
    battle_lost,
    beyond,
    card_skulls,
    full_chest,
    highest,
    island_loss,
    on_chest,
    scores,
    skulls,
    stake,
    storm_worth,
    swords_needed,
    truce_broken,
    worth_if_disqualified,
    worth_if_stopped,
    worth_now,
)
from parlour.games.fortune.rules.setup import bound, setup
from parlour.games.fortune.rules.state import (
    DECIDE,
    DISQUALIFIED,
    DRAW_CARD,
    DRAW_SEAT,
    ISLAND,
    MAX_LEGAL,
    MAX_OUTCOMES,
    N_ACTIONS,
    NOBODY,
    OVER,
    ROLL,
    SEATS,
    STOP,
    STOPPED,
    STORM_OVER,
    VERSION,
    State,
    dice_in_air,
)
from parlour.games.fortune.rules.turns import apply, fate_of_roll, fate_of_stopping, reaches_island
from parlour.games.fortune.rules.views import observation

# the contract
__all__ = [
    "MAX_LEGAL", "MAX_OUTCOMES", "N_ACTIONS", "VERSION", "State", "apply", "bound", "chance_outcomes",
    "current_player", "legal_actions", "observation", "random_action", "sample_chance", "scores", "setup",
]  # fmt: skip
# what show/, study/ and the tests also need
__all__ += [
    "CAPTAIN", "CARDS", "CARD_DIAMOND", "CARD_GOLD", "CHEST", "DECIDE", "DIAMOND", "DISQUALIFIED", "DRAW_CARD",
    "DRAW_SEAT", "FACES", "FIRST_ROLL", "FLAT", "FULL_CHEST", "GOLD", "ISLAND", "MAX_PILE", "MONKEY",
    "MONKEY_BUSINESS", "NOBODY", "N_CARDS", "N_DICE", "N_FACES", "N_OBJECTS", "N_SETS", "OVER", "PARROT",
    "PIECE_WORTH", "ROLL", "ROLLS", "SEATS", "SEA_2", "SEA_3", "SEA_4", "SETS", "SET_WORTH", "SIZE", "SKULL",
    "SKULLS_1", "SKULLS_2", "SORCERESS", "STOP", "STOPPED", "STORM", "STORM_OVER", "STORM_WORTH", "SWORD",
    "TRUCE", "WAYS", "battle_lost", "beyond", "card_skulls", "decode", "dice_in_air", "encode",
    "fate_of_roll", "fate_of_stopping", "full_chest", "highest", "island_loss", "may_free", "must_use_spell",
    "next_card", "on_chest", "reaches_island", "skulls", "stake", "storm_worth", "swords_needed",
    "truce_broken", "worth_if_disqualified", "worth_if_stopped", "worth_now",
]  # fmt: skip
