"""AF-14: how the cards went since one was last handed over in private, and that story drawn at random for a viewer.

While any row of `may` is in doubt, the state keeps the hands before the first gift that is in doubt (`before`) and each
card that changed hands or was named since (`log`): the card, from where, to where, and whether all saw it. To a viewer,
the story may be any in which each gift is a card of the giver's hand, each card is where it was seen, and no player won
before the end (AF-13). The sizes of hands are public. So if the giver is equally likely to give each card, every story
that is possible has the same chance, the product of one over the size of each giver's hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.core.contract import Buffer
from parlour.core.rng import random_below, random_word
from parlour.games.aces_and_faces.rules.pieces import ALL, LINES, N_CARDS, size
from parlour.games.aces_and_faces.rules.state import LOGGED, SEATS, SLOT, State

OUTLINE = ("live", "_follow", "_weigh")
PLACES = SEATS + 1  # the seats and SLOT
TRIES = 200  # stories drawn until one is kept; the first that is kept has exactly the right chance
WEIGHED = 16  # if no story was kept: stories drawn, of which one is chosen by weight
PRIVATE, FORGOTTEN = 1, 2  # which card, only the two know; or no row knows
FULL = -1  # in `logged`: more happened than the log can contain


# The log ------------------------------------------------------------------------------------------
def note(state: State, card: int, source: int, target: int, how: int) -> None:
    """Add to the log that a card went from one place to another, or was named where it is. If the log is full, empty
    it, until nothing is in doubt any more."""
    if state.logged == LOGGED:
        forget(state)
        state.logged = FULL
    if state.logged != FULL:
        state.log[state.logged] = how << 10 | card << 6 | source << 3 | target
        state.logged += 1


def note_gift(state: State, card: int, giver: int, receiver: int) -> None:
    """Add a gift to the log; the hands have changed already. The log begins here if nothing was in doubt before."""
    if not state.unsure:
        for seat in range(state.players):
            state.before[seat] = state.hands[seat]
        state.before[giver] |= 1 << card
        state.before[receiver] &= ~(1 << card)
    note(state, card, giver, receiver, PRIVATE)


def forget(state: State) -> None:
    """Empty the log: nothing is in doubt any more."""
    for i in range(state.logged):
        state.log[i] = 0
    for seat in range(state.players):
        state.before[seat] = 0
    state.logged = 0


def mask(state: State, row: int) -> None:
    """Remove from the log what this row does not know: which cards were given."""
    for i in range(state.logged):
        if _doubtful(state.log[i], row):
            state.log[i] = FORGOTTEN << 10 | state.log[i] & 63


def _doubtful(entry: int, row: int) -> bool:
    """Return whether this is a gift of which this row does not know the card."""
    return entry >> 10 == FORGOTTEN or (entry >> 10 == PRIVATE and entry >> 3 & 7 != row and entry & 7 != row)


# A new story --------------------------------------------------------------------------------------
class Story(NamedTuple):
    """What a story is drawn with: for each entry of the log that is a gift in doubt, the cards that the giver may have
    kept (`stay`) and may have given (`go`), how many they chose from at `most`, and the card that is `given`. `go` is 0
    at all other entries. Then the `hands`, and the cards that are `able` to be at each place."""

    stay: Any
    go: Any
    most: Any
    given: Any
    hands: Any
    able: Any


def live(state: State, row: int, rng: Buffer) -> bool:
    """Draw a story that this row holds possible; make its hands and gifts those of the state. Return False if there is
    no log, or no story was found.

    A story is followed card by card (`_follow`). At each gift, the giver's cards that may have been given are known
    (`_look_back`), and how many there can be at most in any story (`_look_ahead`). A number below the most is drawn,
    and the story is dropped if the hand has fewer such cards. So every possible story is kept with the same chance. If
    none of TRIES is kept, WEIGHED are drawn from the cards that there are, and one is chosen by its weight, which is
    nearly right. The work is at most 216 walks through a log of 96 entries.
    """
    n = state.logged
    if n <= 0:
        return False
    story = Story([0] * n, [0] * n, [0] * n, [0] * n, [0] * PLACES, [0] * PLACES)
    if not _look_back(state, row, story):
        return False
    _look_ahead(state, story)
    for _ in range(TRIES):
        if _follow(state, rng, story, False) > 0.0:
            _keep(state, story.hands, story.given, story.go)
            return True
    return _weigh(state, rng, story)


def _look_back(state: State, row: int, story: Story) -> bool:
    """Go back through the log, from where each card may be now, and write which cards could stay and which could go at
    each gift in doubt. Return False if the log does not fit what this row knows."""
    able = story.able
    may = state.may[row]
    for card in range(N_CARDS):
        places = may[card]
        for place in range(PLACES):
            able[place] |= (places >> place & 1) << card
    for k in range(state.logged):
        i = state.logged - 1 - k
        entry = state.log[i]
        source = entry >> 3 & 7
        target = entry & 7
        if _doubtful(entry, row):
            story.stay[i] = able[source]
            story.go[i] = able[target]
            able[source] |= able[target]
            if not able[target]:
                return False
        else:
            bit = 1 << (entry >> 6 & 15)
            if not able[target] & bit:
                return False
            for place in range(PLACES):
                able[place] &= ~bit
            able[source] |= bit
    free = ALL
    for seat in range(state.players):
        if state.before[seat] & ~able[seat]:
            return False
        free &= ~state.before[seat]
    return not free & ~able[SLOT]


def _look_ahead(state: State, story: Story) -> None:
    """Write how many cards at most the giver of each gift in doubt may choose from, in any story."""
    able = story.able
    held = story.hands  # only their sizes here
    for seat in range(SEATS):
        able[seat] = state.before[seat]
        held[seat] = size(able[seat])
    for i in range(state.logged):
        source = state.log[i] >> 3 & 7
        target = state.log[i] & 7
        if story.go[i]:
            story.most[i] = min(held[source], size(able[source] & story.go[i]))
            able[target] |= able[source] & story.go[i]
            able[source] &= story.stay[i]
        else:
            bit = 1 << (state.log[i] >> 6 & 15)
            for place in range(PLACES):
                able[place] &= ~bit
            able[target] |= bit
        held[source] -= 1
        held[target] += 1


def _follow(state: State, rng: Buffer, story: Story, weighed: bool) -> float:
    """Follow the log from `before`, drawing each gift in doubt; return the weight of the story, or 0 if it is not
    possible. Unless `weighed`, each story that is possible has the weight 1, and the chance is even.

    A card that could not stay must be given. Of two such cards one would not be where it was seen.
    """
    hands = story.hands
    for seat in range(SEATS):
        hands[seat] = state.before[seat]
    weight = 1.0
    for i in range(state.logged):
        source = state.log[i] >> 3 & 7
        target = state.log[i] & 7
        card = state.log[i] >> 6 & 15
        if story.go[i]:
            able = hands[source] & ~story.stay[i]
            if able & (able - 1):
                return 0.0
            if not able:
                able = hands[source] & story.go[i]
            n = size(able)
            if n == 0:
                return 0.0
            k = random_below(rng, n if weighed else story.most[i])
            if k >= n:
                return 0.0
            if weighed:
                weight *= n
            while k > 0:
                able &= able - 1
                k -= 1
            card = size((able & -able) - 1)
            story.given[i] = card
        if source < SLOT:
            hands[source] &= ~(1 << card)
        if target < SLOT:
            hands[target] |= 1 << card
            if _completes(hands[target], card) and not (
                target == state.winner and hands[target] == state.hands[target]
            ):
                return 0.0
    return weight


def _weigh(state: State, rng: Buffer, story: Story) -> bool:
    """Draw WEIGHED stories and keep one, chosen by weight. Return False if none is possible."""
    total = 0.0
    hands = [0] * PLACES
    given = [0] * state.logged
    for _ in range(WEIGHED):
        weight = _follow(state, rng, story, True)
        total += weight
        if weight > 0.0 and random_word(rng) * total < weight * 4294967296.0:
            for seat in range(SEATS):
                hands[seat] = story.hands[seat]
            for i in range(state.logged):
                given[i] = story.given[i]
    if total > 0.0:
        _keep(state, hands, given, story.go)
    return total > 0.0


def _completes(hand: int, card: int) -> bool:
    """AF-13: return whether this card is in four of a kind or four of a suit in the hand."""
    rank = LINES[card % 4]
    suit = LINES[4 + card // 4]
    return hand & rank == rank or hand & suit == suit


def _keep(state: State, hands: Buffer, given: Buffer, go: Buffer) -> None:
    """Make this story that of the state."""
    for seat in range(state.players):
        state.hands[seat] = hands[seat]
    for i in range(state.logged):
        if go[i]:
            state.log[i] = PRIVATE << 10 | given[i] << 6 | state.log[i] & 63
