"""What each viewer sees and can know about where the cards are (AF-14, AF-15).

Hands are concealed, but everything that happens to a card is public except which card the loser of
a duel hands over. So the state keeps, for each seat and for the public (row PUBLIC), the places
where each card may be: `may`, a bit for each seat and one for the slot. For all other viewers, a
card handed over in private may be any card that the giver may have held. The sizes of hands, which
are public, and the fact that no player has won narrow that down (`settle`). What a step reveals,
the holder of a card or a winner's hand, is part of its number (`observed_action`). What led to the
places is in a log (`gifts`), from which new deals have their odds.
"""

from __future__ import annotations

from parlour.core.contract import HIDDEN
from parlour.games.aces_and_faces.rules.gifts import forget, note, note_gift
from parlour.games.aces_and_faces.rules.pieces import N_CARDS, card_of, rank_of, size
from parlour.games.aces_and_faces.rules.scoring import complete
from parlour.games.aces_and_faces.rules.squares import destination, duel, guessed_right, holder_of
from parlour.games.aces_and_faces.rules.state import (
    CARD,
    DUEL,
    DUEL_SECOND,
    DUEL_WON,
    GIVE,
    GUESS_CARD,
    KNOWERS,
    MATCH_PICK,
    MOVE,
    NOBODY,
    PUBLIC,
    TURN,
    State,
)

MORE = 64  # above every action and outcome: the unit in which observed_action adds a holder
SHOWN = 8 * MORE  # above every holder added to one: the unit in which it adds a hand that is shown


def hidden_information(state: State) -> bool:
    """AF-14: return whether the card that a loser hands over is private; all else is public or can be followed."""
    return not state.handed_public


def observed_action(state: State, action: int, player: int) -> int:
    """AF-14: return the step as this player sees it; only the two duelists see the card handed over.

    The number includes what a step shows to a player who was not sure of it: the holder of a card
    that is named, or whose square is reached (AF-9, AF-12), and the hand of the winner (AF-15).
    """
    if state.phase == GIVE and not state.handed_public and player != state.player and player != state.rival:
        hand = state.hands[state.rival] | 1 << action - CARD
        return SHOWN * hand if complete(hand) else HIDDEN
    if not state.unsure:
        return action
    card = _at_stake(state, action)
    return action if card == NOBODY else action + _shown(state, card, row_of(player))


def _at_stake(state: State, action: int) -> int:
    """Return the card that this step names or will move, or NOBODY if there is no such card."""
    phase = state.phase
    if phase == MOVE:
        square = state.board[destination(state, action)]
        return square if square < N_CARDS else NOBODY
    if phase == TURN or (phase == GUESS_CARD and guessed_right(state, state.guess, action)):
        return card_of(action)
    if phase == DUEL_SECOND:
        return state.named if duel(rank_of(state.first), rank_of(action)) == DUEL_WON else NOBODY
    if phase in (MATCH_PICK, GIVE) or (phase == DUEL and action >= CARD):
        return action - CARD
    return NOBODY


def _shown(state: State, card: int, row: int) -> int:
    """Return what a step about this card shows to this row beyond the step, in the units above; 0 if nothing."""
    holder = holder_of(state, card)
    gainer = state.player
    shown = 0
    if state.phase == GIVE:
        gainer = state.rival
    else:
        places = state.may[row][card]
        if places & (places - 1):
            shown = MORE * (1 + holder)
    if state.phase != DUEL and holder != gainer and doubts(state, row) >> gainer & 1:
        hand = state.hands[gainer] | 1 << card
        if complete(hand):
            shown += SHOWN * hand
    return shown


def may_undo(before: State, action: int, after: State) -> bool:
    """AF-6, AF-14: return whether the step can be taken back: a direction, if it did not end the turn.

    Until the turn ends, a direction reveals nothing hidden.
    """
    return before.phase == MOVE and after.turns == before.turns


# Which card is where -------------------------------------------------------------------------------
def row_of(viewer: int) -> int:
    """Return the row of `may` for a viewer: a seat's own, or PUBLIC for a spectator."""
    return PUBLIC if viewer < 0 else viewer


def seen_at(state: State, card: int, place: int) -> None:
    """Record that everyone sees where this card is: with a seat, or in its SLOT."""
    for row in range(KNOWERS):
        state.may[row][card] = 1 << place


def moved_openly(state: State, card: int, source: int, target: int) -> None:
    """Record that everyone sees this card go from one place, a seat or SLOT, to another, or hears who has it."""
    places = state.may[PUBLIC][card]
    if state.unsure and (source != target or places & (places - 1)):
        note(state, card, source, target, 0)
    seen_at(state, card, target)


def passed_on(state: State, giver: int, receiver: int, card: int) -> None:
    """AF-14: record that the card was handed over in private; the hands have changed already."""
    note_gift(state, card, giver, receiver)
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
    """AF-13, AF-15: after the hands have changed, infer what follows from their sizes and from no player having
    won."""
    if not state.unsure:
        return
    state.unsure = 0
    for row in range(KNOWERS):
        if (row < state.players or row == PUBLIC) and _narrow(state, row):
            state.unsure = 1
    if not state.unsure:
        forget(state)


def doubts(state: State, row: int) -> int:
    """Return the places, as bits, of all cards that this row is not sure of."""
    may = state.may[row]
    found = 0
    for card in range(N_CARDS):
        places = may[card]
        if places & (places - 1):
            found |= places
    return found


def _narrow(state: State, row: int) -> bool:
    """Narrow what this row knows, until nothing more follows; return whether any card is still in doubt.

    A hand whose cards are all known holds no other. A hand that needs all its candidates holds them. No player holds a
    card that would have won them the game (AF-13).
    """
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
