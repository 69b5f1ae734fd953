"""Setting up a table of Fortune: an edition is read and checked. Plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import NoGame
from parlour.games.fortune.rules.pieces import CARDS, MAX_PILE
from parlour.games.fortune.rules.state import State

TARGETS = (8000, 6000, 5000)  # FO-25, in the order of the option's values
ROUND_LIMITS = (100, 0)  # FO-28, likewise
STEPS = 60  # a turn with this many steps is extremely unlikely, because each re-roll risks a skull


def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """FO-2, FO-3: return the state before the starting seat is drawn. Raise NoGame for unusable parts."""
    state = State(players=players)
    for kind, number in enumerate(_counts(parts["deck"])):
        state.deck[kind] = state.unseen[kind] = number
    state.deck_size = sum(state.deck)
    if not 0 < state.deck_size <= MAX_PILE:
        raise NoGame(f"The deck has {state.deck_size} cards; 1 to {MAX_PILE} are possible.", "FO-2")
    bonus = parts["sea_battle_bonus"]
    if not isinstance(bonus, list) or len(bonus) != 3 or any(type(n) is not int or not 0 <= n < 10**6 for n in bonus):
        raise NoGame("sea_battle_bonus must be three numbers from 0 to 999,999.", "FO-19")
    state.sea_bonus[:] = bonus
    state.target = TARGETS[options["target"]]
    state.at_least = options["finish"]
    state.reshuffle = options["pile"]
    state.must_keep_one = options["must_keep_one"]
    state.card_skull_spoils_chest = options["card_skull_spoils_chest"]
    state.floor_at_zero = options["floor_at_zero"]
    state.sorceress_alone = options["sorceress_alone"]
    state.storm_scoring = options["storm_scoring"]
    state.truce_free_on_bust = options["truce_on_bust"]
    state.round_limit = ROUND_LIMITS[options["round_limit"]]
    return state


def _counts(deck: Any) -> list[int]:
    """FO-2: return the number of cards of each kind. Raise NoGame if `deck` is not such a table."""
    if not isinstance(deck, dict) or not set(deck) <= set(CARDS):
        raise NoGame(f"The deck must give numbers of these cards: {', '.join(CARDS)}.", "FO-2")
    counts = [deck.get(name, 0) for name in CARDS]
    if any(type(number) is not int or number < 0 for number in counts):
        raise NoGame("The number of cards of a kind must be a whole number, 0 or more.", "FO-2")
    return counts


def bound(state: State) -> int:
    """FO-28: return the most steps that the game takes in practice; 0 without a limit of rounds."""
    return (state.round_limit + 1) * state.players * STEPS if state.round_limit else 0
