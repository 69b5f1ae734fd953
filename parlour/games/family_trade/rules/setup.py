"""Family Trade: setting a game up from an edition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import NoGame
from parlour.games.family_trade.rules.pieces import GOODS, LARGEST, MAX_CARDS, N_FACES, N_GOODS, N_STEPS
from parlour.games.family_trade.rules.state import BATTLE_ROYALE, MARKET_MAKING, NONE, State


def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """FT-2, FT-3, FT-4: return the state before the first dealer is drawn. Raise NoGame if a
    component does not fit."""
    state = State(
        players=players, ruleset=options["ruleset"], honour=options["honour_calls"], dealt_hand=options["dealt_hand"]
    )
    if parts["goods"] != list(GOODS):
        raise NoGame(f"The goods must be {', '.join(GOODS)}.", "FT-1")
    ladder, dice = parts["ladder"], parts["dice"]
    if not _numbers(ladder, N_STEPS, -(10**5)) or ladder != sorted(set(ladder)) or any(step % 10 for step in ladder):
        raise NoGame(f"The ladder must be {N_STEPS} ascending multiples of ten.", "FT-2")
    if not isinstance(dice, list) or len(dice) != N_GOODS or not all(_numbers(die, N_FACES, -(10**5)) for die in dice):
        raise NoGame(f"There must be {N_GOODS} dice of {N_FACES} faces.", "FT-2")
    if not {face for die in dice for face in die} <= set(ladder):
        raise NoGame("Each face of a die must be a step of the ladder.", "FT-2")
    if not _numbers(parts["fifties"], 3, 0):
        raise NoGame("fifties must be three numbers, for 2, 3 and 4 players.", "FT-4")
    counts = ("trade_cards", "market_makes", "start", "tens", "nine_alike", "false_call", "longest_run", "new_decks")
    if not _numbers([parts[name] for name in counts], len(counts), 0):
        raise NoGame(f"{', '.join(counts)} must be whole numbers, 0 or more.", "FT-3")
    if not 9 <= parts["trade_cards"] <= LARGEST or N_GOODS * parts["trade_cards"] + parts["market_makes"] > MAX_CARDS:
        raise NoGame(
            f"There are 9 to {LARGEST} cards of each good, and at most {MAX_CARDS} cards with the Market Makes.", "FT-3"
        )
    state.ladder[:] = ladder
    for good, die in enumerate(dice):
        state.faces[good][:] = [ladder.index(face) for face in die]
    makes = parts["market_makes"] if state.ruleset == MARKET_MAKING else 0  # FT-20, FT-21
    state.cards[:] = [*[parts["trade_cards"]] * N_GOODS, makes]
    state.n_cards = sum(state.cards)
    state.nine_alike, state.false_call = parts["nine_alike"], parts["false_call"]
    state.longest_run, state.new_decks = max(parts["longest_run"], 1), parts["new_decks"]
    state.tens, state.fifties = parts["tens"], parts["fifties"][players - 2]
    if state.ruleset != BATTLE_ROYALE:
        state.money[:players] = [parts["start"]] * players
    state.price[:] = [NONE] * N_GOODS
    state.deck[:] = state.shuffled[:] = state.cards
    state.deck_size = state.n_cards
    return state


def _numbers(value: Any, n: int, least: int) -> bool:
    return isinstance(value, list) and len(value) == n and all(type(v) is int and least <= v < 10**6 for v in value)
