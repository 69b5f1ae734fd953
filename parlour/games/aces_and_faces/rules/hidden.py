"""Who sees what, and who can know which card is where (AF-14, AF-15).

Hands are concealed, but everything that happens to a card is public except which card the loser of
a duel hands over. So the state keeps, for each seat and for the public (row PUBLIC), the places
where each card may be: `may`, a bit for each seat and one for the slot. To everybody else, a card
handed over in private may be any card that the giver may have held. The sizes of hands, which are
public, and the fact that nobody has won narrow that down (`settle`).
"""

from __future__ import annotations

from parlour.core.contract import HIDDEN
from parlour.games.aces_and_faces.rules.pieces import N_CARDS, size
from parlour.games.aces_and_faces.rules.scoring import complete
from parlour.games.aces_and_faces.rules.state import GIVE, KNOWERS, MOVE, PUBLIC, State


def hidden_information(state: State) -> bool:
    """AF-14: only the card that a loser hands over, and that only where it is private."""
    return not state.handed_public


def observed_action(state: State, action: int, player: int) -> int:
    """AF-14: the card handed over is seen by the two duellists only."""
    private = state.phase == GIVE and not state.handed_public
    return HIDDEN if private and player != state.player and player != state.rival else action


def may_undo(before: State, action: int, after: State) -> bool:
    """AF-6, AF-14: which way a piece goes depends on nothing hidden, unless the turn ended by it."""
    return before.phase == MOVE and after.turns == before.turns


# Which card is where -------------------------------------------------------------------------------
def row_of(viewer: int) -> int:
    """The row of `may` for a viewer: a seat's own, or PUBLIC for a spectator."""
    return PUBLIC if viewer < 0 else viewer


def seen_at(state: State, card: int, place: int) -> None:
    """Everybody sees where this card is: with a seat, or in its SLOT."""
    for row in range(KNOWERS):
        state.may[row][card] = 1 << place


def passed_on(state: State, giver: int, receiver: int, card: int) -> None:
    """AF-14: record that the card went over in private; the hands have changed already."""
    for row in range(KNOWERS):
        may = state.may[row]
        if row != giver and row != receiver:
            for other in range(N_CARDS):
                if may[other] >> giver & 1:
                    may[other] |= 1 << receiver
        else:
            may[card] = 1 << receiver
    state.unsure = 1


def settle(state: State) -> None:
    """AF-13, AF-15: after the hands have changed, draw what follows from their sizes and from nobody's having won."""
    if not state.unsure:
        return
    state.unsure = 0
    for row in range(KNOWERS):
        if (row < state.players or row == PUBLIC) and _narrow(state, row):
            state.unsure = 1


def doubts(state: State, row: int) -> int:
    """The places, as bits, of a card that this row is not sure of."""
    may = state.may[row]
    found = 0
    for card in range(N_CARDS):
        places = may[card]
        if places & (places - 1):
            found |= places
    return found


def _narrow(state: State, row: int) -> bool:
    """A hand whose cards are all known holds no other; a hand that needs all its candidates holds them; nobody holds
    a card that would have won them the game (AF-13). Whether there are still doubts."""
    may = state.may[row]
    again = True
    found = 0
    while again:
        again = False
        found = doubts(state, row)
        for seat in range(state.players):
            bit = 1 << seat
            if found & bit:
                sure = 0
                able = 0
                for card in range(N_CARDS):
                    places = may[card]
                    if places & bit:
                        able |= 1 << card
                        if places == bit:
                            sure |= 1 << card
                held = size(state.hands[seat])
                known = size(sure)
                every = size(able) == held
                for card in range(N_CARDS):
                    if (able & ~sure) >> card & 1:
                        if every:
                            may[card] = bit
                            again = True
                        elif known == held or (known > 2 and complete(sure | 1 << card)):
                            may[card] &= ~bit
                            again = True
    return found != 0
