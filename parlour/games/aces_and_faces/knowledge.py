"""Who can know which card is where (AF-14, AF-15), and a new deal of what a seat cannot know.

Hands are concealed, but all that happens to a card is public, except which card the loser of a duel hands over. So the
state keeps, for each seat and for the public (row PUBLIC), the places where each card may be: `may`, a bit for each
seat and one for the slot. A card handed over in private may be, to anybody else, any card that may have been in the
giver's hand; the sizes of hands, which are public, and that nobody has won narrow that down (`settle`).
"""

from __future__ import annotations

from typing import Any

from parlour.core.rng import random_below
from parlour.games.aces_and_faces.cards import N_CARDS, complete, size

SEATS = 6
SLOT = 6  # the place of a card that nobody holds
PUBLIC = 6  # the row of what everybody knows
ROWS = 7
TRIES = 200  # deals of the loose cards, each even among all; then repair
REPAIRS = 4000


def place_all(state: Any) -> None:
    """Every card lies in its slot."""
    for i in range(ROWS * N_CARDS):
        state.may[i] = 1 << SLOT


def seen_at(state: Any, card: int, place: int) -> None:
    """Everybody sees where this card is."""
    for row in range(ROWS):
        state.may[row * N_CARDS + card] = 1 << place


def passed_on(state: Any, giver: int, receiver: int, card: int) -> None:
    """AF-14: the card went over in private; the hands have changed already."""
    for row in range(ROWS):
        knows = row == giver
        if knows or row == receiver:
            state.may[row * N_CARDS + card] = 1 << receiver
        else:
            for other in range(N_CARDS):
                if state.may[row * N_CARDS + other] >> giver & 1:
                    state.may[row * N_CARDS + other] |= 1 << receiver
    state.unsure = 1


def settle(state: Any) -> None:
    """AF-13, AF-15: after the hands have changed, draw what follows from their sizes and from nobody's having won."""
    if not state.unsure:
        return
    state.unsure = 0
    for row in range(ROWS):
        if (row < state.players or row == PUBLIC) and _narrow(state, row):
            state.unsure = 1


def doubts(state: Any, row: int) -> int:
    """The places at which a card may be of which this row is not sure."""
    found = 0
    for card in range(N_CARDS):
        places = state.may[row * N_CARDS + card]
        if places & (places - 1):
            found |= places
    return found


def _narrow(state: Any, row: int) -> bool:
    """A hand whose cards are all known holds no other; a hand that needs all its candidates holds them; nobody holds
    a card that would have won him the game (AF-13). Whether there are still doubts."""
    first = row * N_CARDS
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
                    places = state.may[first + card]
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
                            state.may[first + card] = bit
                            again = True
                        elif known == held or (known > 2 and complete(sure | 1 << card)):
                            state.may[first + card] &= ~bit
                            again = True
    return found != 0


def resample(state: Any, player: int, rng: Any) -> None:
    """AF-14, AF-15: deal the cards of whose place `player` (-1: a spectator) is not sure anew.

    Even among all deals that agree with `may` and with the sizes of hands, and in which nobody has won. While one
    private gift is in doubt that is the true conditional distribution, the giver taken to have given any card alike.
    After several that involve the same hands it is an approximation: some deals could have come about in more ways
    than others, and a few in none. What the other seats know is then the public record and their own hands.
    """
    row = PUBLIC if player < 0 else player
    loose = [0] * N_CARDS
    places = [0] * N_CARDS
    base = [0] * SEATS
    dealt = [0] * SEATS
    n = 0
    for card in range(N_CARDS):
        may = state.may[row * N_CARDS + card]
        if may & (may - 1):
            loose[n] = card
            n += 1
        else:
            for seat in range(state.players):
                if may == 1 << seat:
                    base[seat] |= 1 << card
    if n == 0:
        return
    m = 0
    for seat in range(state.players):
        for _ in range(size(state.hands[seat]) - size(base[seat])):
            places[m] = seat
            m += 1
    for attempt in range(TRIES + 20):
        for i in range(n - 1):
            j = i + random_below(rng, n - i)
            places[i], places[j] = places[j], places[i]
        if attempt >= TRIES:
            _repair(state, row, loose, places, n, rng)
        if _fits(state, row, loose, places, n):
            for seat in range(state.players):
                dealt[seat] = base[seat]
            for i in range(n):
                dealt[places[i]] |= 1 << loose[i]
            if not _won(state, dealt):
                for seat in range(state.players):
                    state.hands[seat] = dealt[seat]
                _others_know(state, row)
                return


def _fits(state: Any, row: int, loose: Any, places: Any, n: int) -> bool:
    for i in range(n):
        if not state.may[row * N_CARDS + loose[i]] >> places[i] & 1:
            return False
    return True


def _won(state: Any, dealt: Any) -> bool:
    """Whether somebody would have won who has not."""
    for seat in range(state.players):
        if seat != state.winner and complete(dealt[seat]):
            return True
    return False


def _repair(state: Any, row: int, loose: Any, places: Any, n: int, rng: Any) -> None:
    """Exchange places by chance, never making more of them wrong, until all are right."""
    for _ in range(REPAIRS):
        i = random_below(rng, n)
        j = random_below(rng, n)
        mine = state.may[row * N_CARDS + loose[i]]
        other = state.may[row * N_CARDS + loose[j]]
        now = (mine >> places[i] & 1) + (other >> places[j] & 1)
        then = (mine >> places[j] & 1) + (other >> places[i] & 1)
        if then >= now:
            places[i], places[j] = places[j], places[i]
            if then > now and _fits(state, row, loose, places, n):
                return


def _others_know(state: Any, row: int) -> None:
    """Each other seat knows the public record and its own hand."""
    for other in range(state.players):
        if other != row:
            for card in range(N_CARDS):
                places = state.may[PUBLIC * N_CARDS + card]
                if state.hands[other] >> card & 1:
                    places = 1 << other
                else:
                    places &= ~(1 << other)
                state.may[other * N_CARDS + card] = places
    state.unsure = 1
    settle(state)
