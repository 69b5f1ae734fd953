"""AF-1, AF-2: a game set up from an edition. Its board and decks are checked, because a record may come from anywhere.
Plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import NoGame
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.rules.state import KNOWERS, SLOT, State

TURN_LIMITS = (3000, 0)  # AF-16, by option


def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """AF-1, AF-2: put every card in its slot, the rest in the pile. Raise NoGame if the parts make no game."""
    state = State(players=players)
    board = read_board(parts["board"])
    state.squares = len(board)
    for square, what in enumerate(board):
        state.board[square] = what
        if what < c.N_CARDS:
            state.home[what] = square
        elif what < c.HIGHER_LOWER:
            state.corner[what - c.MATCH] = square
    state.deck[:] = read_deck(parts["decks"], parts["jokers"])
    state.unseen[:] = state.deck
    state.deck_size = state.left = sum(state.deck)
    state.duel_void = options["duel_joker"]
    state.handed_public = options["handed_card"]
    state.memory_aid = options["memory_aid"]
    state.turn_limit = TURN_LIMITS[options["turn_limit"]]
    for knower in range(KNOWERS):
        state.may[knower][:] = [1 << SLOT] * c.N_CARDS
    return state


def bound(state: State) -> int:
    """AF-16: return the most steps that the game may have, or 0 if its turns are not limited.

    A turn has three or four steps, rarely more than ten.
    """
    return 12 * state.turn_limit + 100 if state.turn_limit else 0


def read_board(names: Any) -> list[int]:
    """AF-2: read what each square is from the edition's words. Raise NoGame if they are not a loop."""
    if not isinstance(names, list) or not c.FEWEST_SQUARES <= len(names) <= c.MOST_SQUARES:
        raise NoGame(f"The board is a list of {c.FEWEST_SQUARES} to {c.MOST_SQUARES} squares.", "AF-2")
    words = [*c.CARDS, *(f"suit {suit}" for suit in c.SUITS), "higher-lower", "duel"]
    if unknown := [name for name in names if name not in words]:
        raise NoGame(f"{unknown[0]!r} is not a square.", "AF-2")
    if any(names.count(word) != 1 for word in words[: c.HIGHER_LOWER]):
        raise NoGame("The board has each of the 16 cards once, and a corner for each suit.", "AF-2")
    if len(names) % 4 or any(not names[side].startswith("suit ") for side in range(0, len(names), len(names) // 4)):
        raise NoGame("The board is a square, with the suits at its corners.", "AF-2")
    return [words.index(name) for name in names]


def read_deck(decks: Any, jokers: Any) -> list[int]:
    """AF-1: count the pile by kind: all the decks, except for one of each court card and ace, and the jokers."""
    if type(decks) is not int or not 1 < decks <= c.MOST_DECKS:
        raise NoGame(f"There are 2 to {c.MOST_DECKS} decks.", "AF-1")
    if type(jokers) is not int or not 0 <= jokers <= c.MOST_JOKERS:
        raise NoGame(f"There are 0 to {c.MOST_JOKERS} jokers.", "AF-1")
    return [decks - (1 if c.card_of(kind) >= 0 else 0) for kind in range(c.JOKER)] + [jokers]
