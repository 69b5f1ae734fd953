"""A step of the game: a decision or a card of the pile, its result, and how a turn ends."""

from __future__ import annotations

from parlour.games.aces_and_faces.rules.hidden import moved_openly, passed_on, seen_at, settle
from parlour.games.aces_and_faces.rules.legal import in_slots
from parlour.games.aces_and_faces.rules.pieces import (
    DUEL_SQUARE,
    HIGHER_LOWER,
    JACK,
    JOKER,
    N_CARDS,
    N_KINDS,
    card_of,
    rank_of,
)
from parlour.games.aces_and_faces.rules.scoring import complete
from parlour.games.aces_and_faces.rules.squares import (
    can_duel,
    destination,
    duel,
    guessed_right,
    holder_of,
    is_void,
    matches,
    square_here,
    suit_here,
    taken,
)
from parlour.games.aces_and_faces.rules.state import (
    ARRIVED,
    CANNOT_DUEL,
    CARD,
    CHOOSE_CORNER,
    CLOCKWISE,
    CORNER,
    DECIDES,
    DECLINED,
    DRAW_SEAT,
    DUEL,
    DUEL_FIRST,
    DUEL_LOST,
    DUEL_SECOND,
    DUEL_VOID,
    DUEL_WON,
    GIVE,
    GUESS,
    GUESS_CARD,
    MATCH_CARD,
    MATCH_PICK,
    MATCHED,
    MOVE,
    NAMED,
    NO_CARD_LEFT,
    NO_DUEL,
    NO_MATCH,
    NOBODY,
    NOTHING,
    OVER,
    RETURNED,
    ROBBED,
    SKIPPED,
    SLOT,
    TOOK,
    TURN,
    WRONG,
    State,
)


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place.

    Each step yields the result of the turn (`news`), which is handled in one place: compiled code
    holds a copy of every function for each call.
    """
    phase = state.phase
    news = NOTHING
    if phase == DRAW_SEAT:  # AF-3
        state.player = action
        state.phase = CHOOSE_CORNER
    elif phase & DECIDES:
        news = _decide(state, action)
    else:
        _turn_over(state, action)
        news = _draw(state, action)
    if news == ARRIVED:
        news = _land(state)
    if news != NOTHING:
        _change_hands(state, news, action)
        if news == NAMED:
            state.phase = DUEL_FIRST
        else:
            _end_turn(state, news)
        settle(state)


def _decide(state: State, action: int) -> int:
    """Carry out a decision; return its result."""
    phase = state.phase
    player = state.player
    if phase == CHOOSE_CORNER:
        state.position[player] = state.corner[action - CORNER]
        state.placed += 1
        state.player = (player + 1) % state.players
        state.phase = TURN if state.placed == state.players else CHOOSE_CORNER
        return NOTHING
    if phase == MOVE:  # AF-6: exactly the number of squares on the card
        state.came_from = state.position[player]
        state.came_by = state.number if action == CLOCKWISE else -state.number
        state.position[player] = destination(state, action)
        return ARRIVED
    if phase == GUESS:
        state.guess = action
        state.phase = GUESS_CARD
        return NOTHING
    if phase == MATCH_PICK:
        return MATCHED
    if phase == GIVE:
        return DUEL_LOST
    return DECLINED if action == NO_DUEL else NAMED


def _turn_over(state: State, kind: int) -> None:
    """AF-4, AF-8: move the card from the pile to the discards; an empty pile is shuffled first."""
    if state.left == 0:
        for i in range(N_KINDS):
            state.unseen[i] = state.deck[i]
        state.left = state.deck_size
    state.unseen[kind] -= 1
    state.left -= 1
    state.top = kind


def _draw(state: State, kind: int) -> int:
    """Turn a card; return its result."""
    phase = state.phase
    if phase == TURN:  # AF-4
        _begin(state)
    elif phase == GUESS_CARD:
        if not guessed_right(state, state.guess, kind):
            return WRONG
    elif phase == MATCH_CARD:
        if not matches(state, kind):
            return NO_MATCH
        if not in_slots(state, suit_here(state)):
            return NO_CARD_LEFT
        state.phase = MATCH_PICK
        return NOTHING
    elif phase == DUEL_FIRST:  # AF-12: challenger first
        state.first = kind
        state.phase = DUEL_SECOND
        return DUEL_VOID if is_void(state, kind) else NOTHING
    else:
        state.second = kind
        result = duel(rank_of(state.first), rank_of(kind))
        if result == DUEL_LOST:
            state.phase = GIVE
            return NOTHING
        return result
    if kind == JOKER:  # AF-5
        return SKIPPED
    rank = rank_of(kind)
    if rank < JACK:  # AF-6
        state.number = rank
        state.phase = MOVE
        return NOTHING
    state.came_from = state.position[state.player]  # AF-7
    state.came_by = 0
    state.position[state.player] = state.home[card_of(kind)]
    return ARRIVED


def _begin(state: State) -> None:
    """Start a turn and clear what was shown of the last one."""
    state.mover = state.player
    state.came_from = state.position[state.player]
    state.came_by = 0
    state.guess = NOBODY
    state.named = NOBODY
    state.rival = NOBODY
    state.first = NOBODY
    state.second = NOBODY
    state.news = NOTHING
    state.news_card = NOBODY


def _land(state: State) -> int:
    """Resolve the square; return the result."""
    square = square_here(state)
    if square < N_CARDS:
        return taken(state, square)
    if square == HIGHER_LOWER:
        state.phase = GUESS
    elif square != DUEL_SQUARE:
        state.phase = MATCH_CARD
    elif can_duel(state):
        state.phase = DUEL
    else:
        return CANNOT_DUEL
    return NOTHING


def _change_hands(state: State, news: int, action: int) -> None:
    """AF-9, AF-11, AF-12: move the card that the result is about, and record what each viewer sees of it."""
    player = state.player
    to = player
    if news in (TOOK, ROBBED, RETURNED):
        card = square_here(state)
        to = SLOT if news == RETURNED else player
    elif news == DUEL_WON:
        card = state.named
    elif news in (MATCHED, DUEL_LOST, NAMED):
        card = action - CARD
    else:
        return
    holder = holder_of(state, card)
    if news == NAMED:  # AF-12: naming a card is binding, and its holder must say so, so all see who that is
        state.named = card
        state.rival = holder
        to = holder
    elif news == DUEL_LOST:
        to = state.rival
    elif holder != NOBODY and holder != player:
        state.rival = holder
    if holder == NOBODY:
        state.slots ^= 1 << card
    else:
        state.hands[holder] ^= 1 << card
    if to == SLOT:
        state.slots |= 1 << card
    else:
        state.hands[to] |= 1 << card
    if news == DUEL_LOST and not state.handed_public:  # AF-14
        passed_on(state, player, to, card)
    else:
        moved_openly(state, card, SLOT if holder == NOBODY else holder, to)
        if news != NAMED:
            state.news_card = card


def _end_turn(state: State, news: int) -> None:
    """AF-13, AF-16: end the game if a player has completed four cards, even outside their turn; else pass the turn."""
    state.news = news
    state.turns += 1
    gainer = state.rival if news == DUEL_LOST else state.player
    if complete(state.hands[gainer]):
        state.winner = gainer
        state.phase = OVER
        for card in range(N_CARDS):  # AF-15: the winner shows their hand
            if state.hands[gainer] >> card & 1:
                seen_at(state, card, gainer)
    elif state.turns == state.turn_limit:
        state.phase = OVER
    else:
        state.player = (state.player + 1) % state.players
        state.phase = TURN
