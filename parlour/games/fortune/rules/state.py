"""Fortune's `State`, its phases and actions by name."""

from __future__ import annotations

from math import comb

from parlour.core.struct import ints, struct
from parlour.games.fortune.rules.pieces import MAX_PILE, N_CARDS, N_DICE, N_FACES, N_SETS, SKULL, SWORD

VERSION = 1
SEATS = 4

# Action a: how many dice of each face to roll, as the rank of the vector (swords ... diamonds) among all
# with a sum of at most 8, in lexicographic order; plus N_SETS when a skull is rolled too (FO-18).
# The zero vector, action 0, is to stop.
N_ACTIONS = 2 * N_SETS
STOP = 0
MAX_LEGAL = 256
MAX_OUTCOMES = comb(N_DICE + N_FACES - 1, N_FACES - 1)

# Phases: what is awaited
DRAW_SEAT, DRAW_CARD, ROLL, DECIDE, OVER = 0, 1, 2, 3, 4
# How the last turn ended (state.fate)
NONE, STOPPED, DISQUALIFIED, ISLAND, STORM_OVER = 0, 1, 2, 3, 4
NOBODY = -1


@struct
class State:
    """A table of Fortune. All of it is open: cards that have not been drawn yet are in no state."""

    # the table: edition and options
    players: int = 0
    deck: list[int] = ints(N_CARDS)  # FO-2: cards of each kind
    deck_size: int = 0
    sea_bonus: list[int] = ints(3)  # FO-19: for 2, 3, 4 swords
    target: int = 0
    at_least: int = 0
    reshuffle: int = 0
    must_keep_one: int = 0
    card_skull_spoils_chest: int = 0
    floor_at_zero: int = 0
    sorceress_alone: int = 0
    storm_scoring: int = 0
    truce_free_on_bust: int = 0
    round_limit: int = 0  # 0: none
    # the game
    phase: int = DRAW_SEAT
    player: int = 0  # whose turn it is, or whose turn comes when the card is turned
    turns: int = 0  # finished
    scores: list[int] = ints(SEATS)
    finisher: int = NOBODY  # the seat that started the final round under way
    final_left: int = 0  # turns left in it
    # the pile
    pile: list[int] = ints(MAX_PILE, 8)  # FO-4: kinds in the order in which they were first turned
    unseen: list[int] = ints(N_CARDS)  # of each kind, not turned yet (since the last shuffle)
    turned: int = 0  # cards turned since the start (cycle) or the last shuffle
    # the turn, kept until the next card is turned
    card: int = NOBODY
    roller: int = NOBODY  # whose dice these are
    places: list[int] = ints(N_FACES, 16)  # of each face: bit i: die i shows it, or did when it was picked up
    count: list[int] = ints(N_FACES)  # dice of each face that are on the table, not in the air
    rolled: int = 0  # bit i: die i was part of the last roll, or is in the air
    rolls: int = 0
    spell: int = 0  # the Sorceress has been used
    island: int = 0
    fate: int = NONE
    worth: int = 0  # what the last finished turn was worth to its player
    loss: int = 0  # what it cost each opponent (FO-15), before FO-12

    @property
    def dice(self) -> list[int]:
        """Return the face of each die by place, for people; a die in the air keeps its last face."""
        shown = [SKULL] * N_DICE
        for face in range(SWORD, N_FACES):
            for place in range(N_DICE):
                if self.places[face] >> place & 1:
                    shown[place] = face
        return shown


def face_at(state: State, place: int) -> int:
    """Return the face of one die, by its place (0 to 7)."""
    shown = SKULL
    for face in range(SWORD, N_FACES):
        shown += face * (state.places[face] >> place & 1)
    return shown


def dice_in_air(state: State) -> int:
    """Return how many dice have been picked up and have not landed."""
    n = N_DICE
    for face in range(N_FACES):
        n -= state.count[face]
    return n
