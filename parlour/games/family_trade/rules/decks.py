"""Family Trade: what is remembered of the decks before the present one (FT-24, FT-26).

In Battle Royale hands leave the game face down, so it matters from which deck a card was drawn. For
each of the last PAST decks the state keeps which cards each seat took from it, less those that all
know that the seat drew from it and showed. Which seat took how many is public; of which kind, only
the seat itself knows. When there are more decks, the two oldest count as one.

In the other rulesets all cards but those in hands are in the new deck. The cards that other seats
hold are then known, all together, so nothing more is remembered.
"""

from __future__ import annotations

from parlour.games.family_trade.rules.pieces import MAX_CARDS, N_KINDS, SEATS
from parlour.games.family_trade.rules.state import ALL_SHOWN, PAST, State

OUTLINE = ("keep_deck", "merge_decks")
CELLS = SEATS * N_KINDS


def keep_deck(state: State) -> None:
    """FT-24: remember the deck that is empty now, before the next one is formed."""
    if state.past == PAST:
        merge_decks(state)
    deck = state.past
    first = state.ends[deck - 1] if deck else 0
    for seat in range(state.players):
        for kind in range(N_KINDS):
            state.taken[deck * CELLS + seat * N_KINDS + kind] = state.drew[seat][kind] - state.since[seat][kind]
        state.had[deck * SEATS + seat] = state.held[seat]
    for i in range(first, state.trailed):  # these may come from an earlier deck
        state.taken[deck * CELLS + state.trail[i] % ALL_SHOWN] += 1
    state.ends[deck] = state.trailed
    state.parted |= state.later << deck
    state.past += 1
    while state.past > 1 and state.trailed + state.row_size + 3 * SEATS > MAX_CARDS:  # so that the trail has room
        merge_decks(state)


def merge_decks(state: State) -> None:
    """Let the two oldest decks count as one. So the cards shown while the later one was in use come from
    that one deck."""
    shown = state.ends[1]
    for cell in range(CELLS):
        state.taken[cell] += state.taken[CELLS + cell]
    for i in range(shown):
        state.taken[state.trail[i] % ALL_SHOWN] -= 1
    for i in range(shown, state.trailed):
        state.trail[i - shown] = state.trail[i]
    for i in range(max(shown, state.trailed - shown), state.trailed):
        state.trail[i] = 0
    state.trailed -= shown
    state.past -= 1
    for deck in range(1, state.past):
        for cell in range(CELLS):
            state.taken[deck * CELLS + cell] = state.taken[(deck + 1) * CELLS + cell]
        for seat in range(SEATS):
            state.had[deck * SEATS + seat] = state.had[(deck + 1) * SEATS + seat]
        state.ends[deck] = state.ends[deck + 1] - shown
    for cell in range(CELLS):
        state.taken[state.past * CELLS + cell] = 0
    for seat in range(SEATS):
        state.had[state.past * SEATS + seat] = 0
    state.ends[state.past] = 0
    state.parted >>= 1
