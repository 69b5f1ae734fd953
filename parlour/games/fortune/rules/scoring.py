"""What dice, turns and totals of Fortune are worth."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.games.fortune.rules.pieces import (
    CAPTAIN,
    CARD_DIAMOND,
    CARD_GOLD,
    CARD_SKULLS,
    CHEST,
    DIAMOND,
    GOLD,
    MONKEY,
    MONKEY_BUSINESS,
    N_DICE,
    PARROT,
    SEA_2,
    SKULL,
    STORM,
    SWORD,
    TRUCE,
)
from parlour.games.fortune.rules.state import State

SET_WORTH = (0, 0, 0, 100, 200, 500, 1000, 2000, 4000, 4000)  # FO-9
PIECE_WORTH = 100  # FO-10
FULL_CHEST = 500  # FO-11
ISLAND_LOSS = 100  # FO-15
STORM_WORTH = 200  # FO-23
FLAT = 0  # FO-23: storm_scoring without sets; otherwise it is how many times a set counts
TRUCE_LOSS = 1000  # FO-24


# What the dice and the card show -----------------------------------------------------------------
def skulls(state: State) -> int:
    """FO-7, FO-22: count the skulls of dice and card."""
    return state.count[SKULL] + CARD_SKULLS[state.card]


def card_skulls(state: State) -> int:
    """FO-22: count the skulls of the card."""
    return CARD_SKULLS[state.card]


def swords_needed(state: State) -> int:
    """FO-19: return how many swords win the Sea Battle; 0 for another card."""
    return state.card - SEA_2 + 2 if state.card >= SEA_2 else 0


def on_chest(state: State, face: int) -> int:
    """FO-16: count the dice of this face that were not part of the last roll."""
    n = 0
    for i in range(N_DICE):
        n += (state.places[face] & ~state.rolled) >> i & 1
    return n


# What a turn is worth ----------------------------------------------------------------------------
def objects_worth(state: State, sword: int, monkey: int, parrot: int, gold: int, diamond: int) -> int:
    """FO-9, FO-10, FO-20, FO-21: return the worth of sets and single pieces, with the card's own object."""
    if state.card == CARD_GOLD:
        gold += 1
    elif state.card == CARD_DIAMOND:
        diamond += 1
    worth = SET_WORTH[sword] + SET_WORTH[gold] + SET_WORTH[diamond] + PIECE_WORTH * (gold + diamond)
    if state.card == MONKEY_BUSINESS:
        return worth + SET_WORTH[monkey + parrot]
    return worth + SET_WORTH[monkey] + SET_WORTH[parrot]


def full_chest(state: State) -> int:
    """FO-11: return the bonus if all eight dice earn points, else 0; a Sea Battle counts as won."""
    count = state.count
    if count[SKULL] or state.card == STORM or (state.card_skull_spoils_chest and card_skulls(state)):
        return 0
    if 0 < count[SWORD] < 3 and not swords_needed(state):
        return 0
    if state.card == MONKEY_BUSINESS:
        return 0 if 0 < count[MONKEY] + count[PARROT] < 3 else FULL_CHEST
    return 0 if 0 < count[MONKEY] < 3 or 0 < count[PARROT] < 3 else FULL_CHEST


def storm_worth(state: State, gold: int, diamond: int) -> int:
    """FO-23: return the worth of single pieces in a Storm, and of sets if the table's option counts them."""
    return STORM_WORTH * (gold + diamond) + state.storm_scoring * (SET_WORTH[gold] + SET_WORTH[diamond])


def battle_lost(state: State, swords: int, disqualified: bool) -> bool:
    """FO-19: return whether a turn that ends with this many swords loses a Sea Battle."""
    needed = swords_needed(state)
    return needed > 0 and (disqualified or swords < needed)


def truce_broken(state: State, swords: int, disqualified: bool) -> bool:
    """FO-24: return whether a turn that ends with this many swords pays for them."""
    return state.card == TRUCE and swords > 0 and not (disqualified and state.truce_free_on_bust)


def stake(state: State) -> int:
    """FO-19: return the bonus of the card's Sea Battle."""
    return state.sea_bonus[swords_needed(state) - 2]


def worth_if_stopped(state: State) -> int:
    """FO-8: return what the dice as they are would be worth to the player on turn, with fewer than three skulls."""
    count = state.count
    if state.card == STORM:
        return storm_worth(state, count[GOLD], count[DIAMOND])
    if truce_broken(state, count[SWORD], False):
        return -TRUCE_LOSS * count[SWORD]
    if battle_lost(state, count[SWORD], False):
        return -stake(state)
    worth = objects_worth(state, count[SWORD], count[MONKEY], count[PARROT], count[GOLD], count[DIAMOND])
    worth += full_chest(state)
    if swords_needed(state):
        worth += stake(state)
    return 2 * worth if state.card == CAPTAIN else worth  # FO-17


def worth_if_disqualified(state: State) -> int:
    """FO-7: return 0, or what FO-16, FO-19 or FO-24 gives or costs."""
    if state.card == CHEST:
        return objects_worth(
            state,
            on_chest(state, SWORD),
            on_chest(state, MONKEY),
            on_chest(state, PARROT),
            on_chest(state, GOLD),
            on_chest(state, DIAMOND),
        )
    if battle_lost(state, state.count[SWORD], True):
        return -stake(state)
    if truce_broken(state, state.count[SWORD], True):
        return -TRUCE_LOSS * state.count[SWORD]
    return 0


def worth_now(state: State) -> int:
    """Return what the player would get by stopping now (0 on the Island)."""
    if state.island:
        return 0
    return worth_if_disqualified(state) if skulls(state) >= 3 else worth_if_stopped(state)


def island_loss(state: State) -> int:
    """FO-15, FO-17: return what each opponent loses when the turn ends now; 0 off the Island."""
    if not state.island:
        return 0
    return ISLAND_LOSS * skulls(state) * (2 if state.card == CAPTAIN else 1)


# Totals ------------------------------------------------------------------------------------------
def beyond(state: State, total: int) -> bool:
    """FO-25: return whether a total is across the finish line."""
    return total >= state.target if state.at_least else total > state.target


def highest(state: State) -> int:
    """FO-26, FO-27: return the total that wins once the game is over."""
    best = state.scores[0]
    for seat in range(1, state.players):
        best = max(best, state.scores[seat])
    return best


def scores(state: State, out: Buffer) -> None:
    """Write the total of each seat."""
    for seat in range(state.players):
        out[seat] = state.scores[seat]
