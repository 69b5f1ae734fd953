"""Facets of Fortune: the rules. Clauses FF-n are in rulebook.md; where one is applied, it is named.

pieces    what is in the box: markets, dice, kinds of card, prices
state     `State`, the phases and the decisions
setup     `setup`: reading an edition
legal     whose decision it is, and what is possible
turns     `apply`: a step, and the parts of a turn; plays: what the cards do
markets   what gems cost and sell for, and how many each player has
chance    the seat that begins, the cards drawn, the dice
scoring   money, and the winners
views     `observation`

Nothing is hidden (FF-30), so `observed_action` and `resample` are left to `parlour.core.defaults`, as is `bound`.
"""

from __future__ import annotations

from parlour.games.facets_of_fortune.rules.chance import chance_outcomes, roll_outcome, rolled, sample_chance
from parlour.games.facets_of_fortune.rules.legal import (
    current_player,
    is_dead,
    legal_actions,
    may_buy,
    may_give,
    may_sell,
    may_switch,
    serves,
)
from parlour.games.facets_of_fortune.rules.markets import buy_price, cost, gems_of, open_markets, sell_price
from parlour.games.facets_of_fortune.rules.pieces import (
    BONUS,
    COLOURS,
    EXCHANGE,
    EXTRA_PRICE,
    FREE,
    GEMS,
    HAND,
    HEIST,
    KINDS,
    N_COLOURS,
    N_KINDS,
    NOBODY,
    STOP_PRICE,
    SWITCH,
    TOP,
    WILD,
    WILD_1,
    colour_of,
    number_of,
)
from parlour.games.facets_of_fortune.rules.plays import haul
from parlour.games.facets_of_fortune.rules.scoring import most_money, returns, scores, wins
from parlour.games.facets_of_fortune.rules.setup import setup
from parlour.games.facets_of_fortune.rules.state import (
    ATTACK,
    BUY,
    BUY_STOP,
    CARD,
    CHOOSE,
    DEFEND,
    DISCARD,
    DRAW,
    END,
    EXTRA,
    GIVE,
    MARKET,
    MAX_LEGAL,
    MAX_OUTCOMES,
    N_ACTIONS,
    NAME,
    OPENING,
    OVER,
    PICK,
    PLACES,
    PLAY,
    RIVAL,
    ROB,
    ROLL,
    START,
    STOP_AT,
    SWITCH_1,
    SWITCH_2,
    TAKE,
    TOSS,
    TRADE,
    VERSION,
    State,
    buying,
    seat_after,
    selling,
    traded,
)
from parlour.games.facets_of_fortune.rules.turns import CRASHES, HOLDS, apply, bonus, fate, is_moved, stays
from parlour.games.facets_of_fortune.rules.views import observation

__all__ = [
    "ATTACK", "BONUS", "BUY", "BUY_STOP", "CARD", "CHOOSE", "COLOURS", "CRASHES", "DEFEND", "DISCARD", "DRAW",
    "END", "EXCHANGE", "EXTRA", "EXTRA_PRICE", "FREE", "GEMS", "GIVE", "HAND", "HEIST", "HOLDS", "KINDS",
    "MARKET", "MAX_LEGAL", "MAX_OUTCOMES", "NAME", "NOBODY", "N_ACTIONS", "N_COLOURS", "N_KINDS", "OPENING",
    "OVER", "PICK", "PLACES", "PLAY", "RIVAL", "ROB", "ROLL", "START", "STOP_AT", "STOP_PRICE", "SWITCH",
    "SWITCH_1", "SWITCH_2", "TAKE", "TOP", "TOSS", "TRADE", "VERSION", "WILD", "WILD_1",
    "State", "apply", "bonus", "buy_price", "buying", "chance_outcomes", "colour_of", "cost", "current_player",
    "fate", "gems_of", "haul", "is_dead", "is_moved", "legal_actions", "may_buy", "may_give", "may_sell",
    "may_switch", "most_money", "number_of", "observation", "open_markets", "returns", "roll_outcome", "rolled",
    "sample_chance", "scores", "seat_after", "sell_price", "selling", "serves", "setup", "stays", "traded", "wins",
]  # fmt: skip
