"""Aces & Faces: the rules. Clauses AF-n are in rulebook.md; where one is applied, it is named.

The pile is drawn one card at a time, by what is left of each kind, so its order is in no state. Hands are sets of bits;
what each seat may know of them is kept by `knowledge`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import CHANCE, HIDDEN, TERMINAL, Buffer
from parlour.core.rng import random_below
from parlour.core.struct import ints, struct
from parlour.games.aces_and_faces.rules import cards as c
from parlour.games.aces_and_faces.rules import knowledge
from parlour.games.aces_and_faces.rules.setting import read_board, read_deck

VERSION = 1
SEATS = knowledge.SEATS
TURN_LIMITS = (3000, 0)

# Decisions
CORNER = 0  # + suit
CLOCKWISE, ANTICLOCKWISE, HIGHER, LOWER, NO_DUEL = 4, 5, 6, 7, 8
CARD = 9  # + card: to take at a Suit Match, to duel for, to hand over
N_ACTIONS = CARD + c.N_CARDS
MAX_LEGAL = 1 + c.N_CARDS
MAX_OUTCOMES = c.N_KINDS
# Phases: what is awaited. Decisions are those that are odd.
DRAW_SEAT, TURN, GUESS_CARD, MATCH_CARD, DUEL_FIRST, DUEL_SECOND, OVER = 0, 2, 4, 6, 8, 10, 12
CHOOSE_CORNER, MOVE, GUESS, MATCH_PICK, DUEL, GIVE = 1, 3, 5, 7, 9, 11
# What has come of the turn, shown until the next card is turned
NOTHING, SKIPPED, TOOK, ROBBED, RETURNED, WRONG, MATCHED, NO_MATCH, NO_CARD_LEFT = 0, 1, 2, 3, 4, 5, 6, 7, 8
CANNOT_DUEL, DECLINED, DUEL_WON, DUEL_LOST, DUEL_TIED, DUEL_VOID = 9, 10, 11, 12, 13, 14
NAMED, ARRIVED = 15, 16  # on the way: a card is named for a duel, a piece reaches its square
NOBODY = -1


@struct
class State:
    # the table: edition and options
    players: int = 0
    squares: int = 0
    board: list[int] = ints(c.MOST_SQUARES, 8)  # AF-2: what each square is (see `cards`)
    home: list[int] = ints(c.N_CARDS, 8)  # the square of each card
    corner: list[int] = ints(c.N_SUITS, 8)  # the Suit Match square of each suit
    deck: list[int] = ints(c.N_KINDS, 8)  # AF-1: the whole pile, by kind
    deck_size: int = 0
    duel_void: int = 0
    handed_public: int = 0
    memory_aid: int = 0
    turn_limit: int = 0  # 0: none
    # the game
    phase: int = DRAW_SEAT
    player: int = 0  # whose turn it is, or comes when the next card is turned
    placed: int = 0  # players who have chosen a corner
    turns: int = 0  # finished
    position: list[int] = ints(SEATS, 8)
    slots: int = c.ALL  # cards that nobody holds
    hands: list[int] = ints(SEATS)
    may: list[int] = ints(knowledge.ROWS * c.N_CARDS, 8)
    unsure: int = 0  # some row of `may` is not sure of some card
    winner: int = NOBODY
    # the pile
    unseen: list[int] = ints(c.N_KINDS, 8)  # left in it, by kind
    left: int = 0
    top: int = NOBODY  # the kind on the discards
    # the turn; what has come of it stays until the next one starts
    mover: int = NOBODY
    came_from: int = 0
    came_by: int = 0  # steps clockwise, below 0 the other way, 0: straight to a card's square
    number: int = 0  # the number card turned last: steps to go, or what the next card is compared with
    guess: int = NOBODY
    named: int = NOBODY  # AF-12: the card dueled for
    rival: int = NOBODY  # who held the card that was named or taken
    first: int = NOBODY  # the challenger's card in a duel
    second: int = NOBODY
    news: int = NOTHING
    news_card: int = NOBODY  # the card that changed hands, if all saw it


def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """AF-1, AF-2: every card in its slot, the rest in the pile."""
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
    knowledge.place_all(state)
    return state


def bound(state: State) -> int:
    """AF-16: turns are limited, and have three or four steps, few more than ten."""
    return 12 * state.turn_limit + 100 if state.turn_limit else 0


def hidden_information(state: State) -> bool:
    """AF-14: only the card that a loser hands over, and that only where it is private."""
    return not state.handed_public


def may_undo(before: State, action: int, after: State) -> bool:
    """AF-6, AF-14: which way a piece goes hangs on nothing hidden, unless the turn ended by it."""
    return before.phase == MOVE and after.turns == before.turns


def current_player(state: State) -> int:
    if state.phase & 1:
        return state.player
    return TERMINAL if state.phase == OVER else CHANCE


# Decisions ---------------------------------------------------------------------------------------
def legal_actions(state: State, out: Buffer) -> int:
    """Write the legal actions into `out`, ascending; return how many there are."""
    phase = state.phase
    if not phase & 1:
        return 0
    if phase == CHOOSE_CORNER:  # AF-3: corners may be shared
        for suit in range(c.N_SUITS):
            out[suit] = CORNER + suit
        return c.N_SUITS
    if phase == MOVE:  # AF-6
        out[0] = CLOCKWISE
        out[1] = ANTICLOCKWISE
        return 2
    if phase == GUESS:  # AF-10: either guess, even a hopeless one
        out[0] = HIGHER
        out[1] = LOWER
        return 2
    n = 0
    if phase == DUEL:
        out[0] = NO_DUEL
        n = 1
    choice = _choice(state)
    for card in range(c.N_CARDS):
        if choice >> card & 1:
            out[n] = CARD + card
            n += 1
    return n


def _choice(state: State) -> int:
    """The cards that may be chosen now."""
    if state.phase == MATCH_PICK:  # AF-11: of the suit, still in its slot
        return state.slots & c.LINES[4 + state.board[state.position[state.player]] - c.MATCH]
    if state.phase == DUEL:  # AF-12: neither in a slot nor his own
        return c.ALL & ~state.slots & ~state.hands[state.player]
    return state.hands[state.player]  # AF-12: a loser gives a card of his choice


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place.

    Each step is taken to what has come of the turn (`news`), and that is dealt with in one place: compiled code
    holds every function as often as it is called.
    """
    phase = state.phase
    news = NOTHING
    if phase == DRAW_SEAT:  # AF-3
        state.player = action
        state.phase = CHOOSE_CORNER
    elif phase & 1:
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
        knowledge.settle(state)


def _decide(state: State, action: int) -> int:
    """A decision; what has come of it."""
    phase = state.phase
    player = state.player
    if phase == CHOOSE_CORNER:
        state.position[player] = state.corner[action - CORNER]
        state.placed += 1
        state.player = (player + 1) % state.players
        state.phase = TURN if state.placed == state.players else CHOOSE_CORNER
        return NOTHING
    if phase == MOVE:  # AF-6: exactly so many squares
        state.came_from = state.position[player]
        state.came_by = state.number if action == CLOCKWISE else -state.number
        state.position[player] = (state.came_from + state.came_by) % state.squares
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
    """AF-4, AF-8: the card goes from the pile, shuffled anew if it is empty, onto the discards."""
    if state.left == 0:
        for i in range(c.N_KINDS):
            state.unseen[i] = state.deck[i]
        state.left = state.deck_size
    state.unseen[kind] -= 1
    state.left -= 1
    state.top = kind


def _draw(state: State, kind: int) -> int:
    """A card is turned; what has come of it."""
    phase = state.phase
    rank = c.rank_of(kind)
    if phase == TURN:  # AF-4
        _begin(state)
    elif phase == GUESS_CARD:
        # AF-10: against the number that moved the piece here; equal and joker are wrong, whatever was said
        right = rank > state.number if state.guess == HIGHER else 0 < rank < state.number
        if not right:
            return WRONG
    elif phase == MATCH_CARD:  # AF-11: a joker has no suit
        suit = state.board[state.position[state.player]] - c.MATCH
        if c.suit_of(kind) != suit:
            return NO_MATCH
        if not state.slots & c.LINES[4 + suit]:
            return NO_CARD_LEFT
        state.phase = MATCH_PICK
        return NOTHING
    elif phase == DUEL_FIRST:  # AF-12: challenger first
        state.first = kind
        state.phase = DUEL_SECOND
        return DUEL_VOID if kind == c.JOKER and state.duel_void else NOTHING
    else:  # AF-12: a joker is lowest
        state.second = kind
        first = c.rank_of(state.first)
        if first < rank:
            state.phase = GIVE
            return NOTHING
        return DUEL_WON if first > rank else DUEL_TIED
    if kind == c.JOKER:  # AF-5
        return SKIPPED
    if rank < c.JACK:  # AF-6
        state.number = rank
        state.phase = MOVE
        return NOTHING
    state.came_from = state.position[state.player]  # AF-7
    state.came_by = 0
    state.position[state.player] = state.home[c.card_of(kind)]
    return ARRIVED


def _begin(state: State) -> None:
    """A turn starts, and what was shown of the last one goes."""
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
    """Resolve the square; what has come of it."""
    player = state.player
    square = state.board[state.position[player]]
    if square < c.N_CARDS:  # AF-9
        if state.hands[player] >> square & 1:
            return RETURNED
        return TOOK if state.slots >> square & 1 else ROBBED
    if square == c.HIGHER_LOWER:
        state.phase = GUESS
    elif square != c.DUEL:
        state.phase = MATCH_CARD
    elif state.hands[player] and state.hands[player] | state.slots != c.ALL:  # AF-12
        state.phase = DUEL
    else:
        return CANNOT_DUEL
    return NOTHING


def _change_hands(state: State, news: int, action: int) -> None:
    """AF-9, AF-11, AF-12: the card that this is about goes where it belongs, and who sees it knows it."""
    player = state.player
    to = player
    if TOOK <= news <= RETURNED:
        card = state.board[state.position[player]]
        to = knowledge.SLOT if news == RETURNED else player
    elif news == DUEL_WON:
        card = state.named
    elif news in (MATCHED, DUEL_LOST, NAMED):
        card = action - CARD
    else:
        return
    holder = holder_of(state, card)
    if news == NAMED:  # AF-12: naming a card commits; its holder must own up, so all see who it is
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
    if to == knowledge.SLOT:
        state.slots |= 1 << card
    else:
        state.hands[to] |= 1 << card
    if news == DUEL_LOST and not state.handed_public:  # AF-14
        knowledge.passed_on(state, player, to, card)
    else:
        knowledge.seen_at(state, card, to)
        if news != NAMED:
            state.news_card = card


def holder_of(state: State, card: int) -> int:
    """The seat that holds this card, or NOBODY."""
    for seat in range(state.players):
        if state.hands[seat] >> card & 1:
            return seat
    return NOBODY


def _end_turn(state: State, news: int) -> None:
    """AF-13, AF-16: whoever has got a fourth card wins, also outside his turn; else the next player comes."""
    state.news = news
    state.turns += 1
    gainer = state.rival if news == DUEL_LOST else state.player
    if c.complete(state.hands[gainer]):
        state.winner = gainer
        state.phase = OVER
        for card in range(c.N_CARDS):  # AF-15: the winner shows his hand
            if state.hands[gainer] >> card & 1:
                knowledge.seen_at(state, card, gainer)
    elif state.turns == state.turn_limit:
        state.phase = OVER
    else:
        state.player = (state.player + 1) % state.players
        state.phase = TURN


# Chance ------------------------------------------------------------------------------------------
def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """AF-3: any seat. AF-4, AF-8: any card that is left, or, when none is, any of all."""
    if state.phase & 1 or state.phase == OVER:
        return 0
    n = 0
    if state.phase == DRAW_SEAT:
        for seat in range(state.players):
            out[seat] = seat
            weights[seat] = 1
        return state.players
    for kind in range(c.N_KINDS):
        number = state.unseen[kind] if state.left else state.deck[kind]
        if number:
            out[n] = kind
            weights[n] = number
            n += 1
    return n


def sample_chance(state: State, rng: Buffer) -> int:
    if state.phase == DRAW_SEAT:
        return random_below(rng, state.players)
    rest = random_below(rng, state.left if state.left else state.deck_size)
    kind = -1
    while rest >= 0:
        kind += 1
        rest -= state.unseen[kind] if state.left else state.deck[kind]
    return kind


# The end, and what is seen -----------------------------------------------------------------------
def scores(state: State, out: Buffer) -> None:
    """Cards held."""
    for seat in range(state.players):
        out[seat] = c.size(state.hands[seat])


def returns(state: State, out: Any) -> None:
    """AF-13, AF-16: one wins, or all share."""
    for seat in range(state.players):
        out[seat] = 0.0
        if state.phase == OVER:
            if state.winner == NOBODY:
                out[seat] = 1.0 / state.players
            elif state.winner == seat:
                out[seat] = 1.0


def observation(state: State, player: int, out: Buffer) -> int:
    """AF-15: from this seat on: the turn, the pieces, sizes of hands, where each card may be, what is left."""
    own = max(player, 0)
    row = knowledge.PUBLIC if player < 0 else player
    out[0] = state.phase
    out[1] = (state.player - own) % state.players
    out[2] = state.turns
    out[3] = state.players
    out[4] = state.squares
    out[5] = state.number
    out[6] = state.guess
    out[7] = state.named
    out[8] = state.rival if state.rival < 0 else (state.rival - own) % state.players
    out[9] = state.first
    out[10] = state.second
    out[11] = state.top
    out[12] = state.left
    for i in range(SEATS):
        out[13 + i] = state.position[(own + i) % state.players] if i < state.players else -1
        out[13 + SEATS + i] = c.size(state.hands[(own + i) % state.players]) if i < state.players else 0
    n = 13 + 2 * SEATS
    for card in range(c.N_CARDS):
        places = state.may[row * c.N_CARDS + card]
        seats = places & ~(1 << knowledge.SLOT)
        out[n] = seats >> own | seats << (state.players - own) & (1 << state.players) - 1 | places ^ seats
        n += 1
    for kind in range(c.N_KINDS):
        out[n] = state.unseen[kind]
        n += 1
    return n


def observed_action(state: State, action: int, player: int) -> int:
    """AF-14: the card handed over is seen by the two duellists only."""
    private = state.phase == GIVE and not state.handed_public
    return HIDDEN if private and player != state.player and player != state.rival else action


def resample(state: State, player: int, rng: Buffer) -> None:
    """AF-14, AF-15: deal anew the cards of whose place this seat is not sure (see `knowledge`)."""
    knowledge.resample(state, player, rng)
