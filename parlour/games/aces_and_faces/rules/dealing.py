"""AF-14, AF-15: a new deal of what a viewer cannot know (`hidden`): a story of the gifts drawn at random (`gifts`).

Without a log of the gifts, cards are dealt at random, or by search, if that keeps failing.
"""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.core.rng import random_below
from parlour.games.aces_and_faces.rules.gifts import live, mask
from parlour.games.aces_and_faces.rules.hidden import doubts, row_of, settle
from parlour.games.aces_and_faces.rules.pieces import N_CARDS, size
from parlour.games.aces_and_faces.rules.scoring import complete
from parlour.games.aces_and_faces.rules.state import PUBLIC, SEATS, State

TRIES = 200  # uniformly random deals of the loose cards before one is searched for
NODES = 400  # places that this search tries
OUTLINE = ("_deal", "_make", "_mend")


def resample(state: State, player: int, rng: Buffer) -> None:
    """AF-14, AF-15: deal again the cards whose places `player` (a seat or SPECTATOR) is not sure
    of.

    Each deal has its true chance, given all that this row has seen, if the giver is equally likely
    to give each card of the hand: `gifts.live` draws one of the ways in which the gifts can have
    gone, which are equally likely. That is exact, except where none of its tries is kept; see
    there. If the log of the gifts was full, all deals that agree with `may` are equally likely
    (`_deal_alike`). Afterwards the other seats know what is public and their own hands.

    It depends only on what this row knows.
    """
    row = row_of(player)
    if not doubts(state, row):
        return
    if live(state, row, rng):
        _others_know(state, row)
    else:
        mask(state, row)
        _deal_alike(state, row, rng)


def _deal_alike(state: State, row: int, rng: Buffer) -> None:
    """Deal again the cards of whose places this row is not sure, without asking how they came there.

    All deals are equally likely that agree with `may` and the sizes of hands and in which no player
    has won. Some of them could have come about in more ways than others, and a few not at all. If
    none of TRIES random deals agrees, one that does is constructed.
    """
    known = state.may[row]
    loose = [0] * N_CARDS  # cards of whose place this row is not sure
    places = [0] * N_CARDS
    base = [0] * SEATS
    n = 0
    for card in range(N_CARDS):
        may = known[card]
        if may & (may - 1):
            i = n
            while i > 0 and size(known[loose[i - 1]]) > size(may):  # the fewest places first
                loose[i] = loose[i - 1]
                i -= 1
            loose[i] = card
            n += 1
        else:
            for seat in range(state.players):
                if may == 1 << seat:
                    base[seat] |= 1 << card
    m = 0
    for seat in range(state.players):
        for _ in range(size(state.hands[seat]) - size(base[seat])):
            places[m] = seat
            m += 1
    able = [0] * n  # the places where each may be
    for i in range(n):
        able[i] = known[loose[i]]
    for _ in range(TRIES):
        if _deal(rng, able, places, n) and not _won(state, base, loose, places, n):
            _take(state, row, base, loose, places, n)
            return
    for i in range(n):
        j = i + random_below(rng, n - i)
        places[i], places[j] = places[j], places[i]
        j = i + random_below(rng, n - i)
        loose[i], loose[j] = loose[j], loose[i]
        able[i], able[j] = able[j], able[i]
    if _make(state, able, base, loose, places, n):
        _take(state, row, base, loose, places, n)


def _deal(rng: Buffer, able: Buffer, places: Buffer, n: int) -> bool:
    """Shuffle the places, from the first card on; stop at a card that may not be in its place, and return False."""
    for i in range(n):
        j = i + random_below(rng, n - i)
        place = places[j]
        places[j] = places[i]
        places[i] = place
        if not able[i] >> place & 1:
            return False
    return True


def _won(state: State, base: Buffer, loose: Buffer, places: Buffer, n: int) -> bool:
    """Return whether the first n loose cards would complete the hand of a player who has not won (AF-13)."""
    for seat in range(state.players):
        hand = base[seat]
        for i in range(n):
            if places[i] == seat:
                hand |= 1 << loose[i]
        if seat != state.winner and size(hand) > 3 and complete(hand):
            return True
    return False


def _take(state: State, row: int, base: Buffer, loose: Buffer, places: Buffer, n: int) -> None:
    """Make the dealt cards the hands of the state."""
    for seat in range(state.players):
        state.hands[seat] = base[seat]
    for i in range(n):
        state.hands[places[i]] |= 1 << loose[i]
    _others_know(state, row)


# When no random deal agrees ----------------------------------------------------------------------
def _make(state: State, able: Buffer, base: Buffer, loose: Buffer, places: Buffer, n: int) -> bool:
    """Turn any order of the places into a deal that fits; return False only if none agrees with
    `able`.

    First each card moves to a place where it may be, along alternating paths, as in any matching.
    Then, if a player would have won, cards are fixed one by one: in their own place, or in another
    that leaves places for the cards not yet fixed. The search tries up to NODES places in this way.
    If it finds no deal without a winner, it keeps one that agrees with `able`.
    """
    for i in range(n):
        if not able[i] >> places[i] & 1 and not _mend(able, places, n, 0, i):
            return False
    tried = [0] * (n + 1)  # bit s: seat s has been tried for this card
    level = 0
    for _ in range(NODES):
        if level == n:
            return True
        if not tried[level]:
            seat = places[level]  # where it is
            there = True
        else:
            seat = 0
            while seat < state.players and (tried[level] >> seat & 1 or not able[level] >> seat & 1):
                seat += 1
            if seat == state.players:
                tried[level] = 0
                level -= 1
                if level < 0:
                    return True
                continue
            there = _bring(able, places, n, level, seat)
        tried[level] |= 1 << seat
        if there and not _won(state, base, loose, places, level + 1):
            level += 1
            tried[level] = 0
    return True


def _bring(able: Buffer, places: Buffer, n: int, card: int, seat: int) -> bool:
    """Exchange places so that this card comes to this seat and later cards may be where they are, if that is
    possible."""
    for other in range(card + 1, n):
        if places[other] == seat:
            places[other] = places[card]
            places[card] = seat
            if able[other] >> places[other] & 1 or _mend(able, places, n, card + 1, other):
                return True
            places[card] = places[other]
            places[other] = seat
            return False
    return False


def _mend(able: Buffer, places: Buffer, n: int, first: int, start: int) -> bool:
    """Bring the card `start` to a place where it may be, along a shortest path through the cards from `first` on.

    Each card takes the place of the next, and the last one takes that of `start`. The last card may be there, unless it
    was already where it may not be.
    """
    came = [-1] * n
    queue = [0] * n
    queue[0] = start
    came[start] = start
    end = 1
    i = 0
    while i < end:
        card = queue[i]
        i += 1
        for other in range(first, n):
            if came[other] < 0 and able[card] >> places[other] & 1:
                came[other] = card
                queue[end] = other
                end += 1
                if able[other] >> places[start] & 1 or not able[other] >> places[other] & 1:
                    last = places[start]
                    while other != start:
                        place = places[other]
                        places[other] = last
                        last = place
                        other = came[other]
                    places[start] = last
                    return True
    return False


def _others_know(state: State, row: int) -> None:
    """Set what each other seat knows to the public record and its own hand."""
    public = state.may[PUBLIC]
    for other in range(state.players):
        if other != row:
            theirs = state.may[other]
            for card in range(N_CARDS):
                places = public[card]
                if state.hands[other] >> card & 1:
                    places = 1 << other
                else:
                    places &= ~(1 << other)
                theirs[card] = places
    state.unsure = 1
    settle(state)
