"""Family Trade: the state, its phases, and the actions by name. Money is in thousands; a price is a
step of the ladder.

Hands, deck and discards are counts by kind; the row of discards is kept in order only so that
people can follow it (FT-26). Cards are drawn one at a time: the order of the deck is in no
state.
"""

from __future__ import annotations

from parlour.core.struct import ints, rows, struct
from parlour.games.family_trade.rules.pieces import MAX_CARDS, N_FACES, N_GOODS, N_KINDS, N_STEPS, SEATS

VERSION = 1
NOBODY = -1  # where a seat could be
NONE = -1  # where a good, a kind or a step could be

# Rulesets (FT-6, FT-20, FT-21), as the option numbers them
MARKET_MAKING, GOD, BATTLE_ROYALE = 0, 1, 2

# Until when a dealt hand that is one to go need not be announced (FT-11), as the option numbers it
FIRST_DISCARD, WHILE_KEPT, OWN_DRAW = 0, 1, 2

# Phases: what is awaited
FIRST_DEALER, CHOOSE_MARKET, ROLL, DEAL, DRAW, TURN, MAKE, ASK, REROLL, OVER = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# How the last deal ended (state.ended)
NOT_YET, WENT_OUT, VOID = 0, 1, 2

# Actions: 0 to 8 discard that kind of card; UP, DOWN and AGAIN are followed by one action for each good
OUT, PASS, KEEP, ROLL_ALL, NO_STEP, UP, DOWN, STAND, AGAIN = 9, 10, 11, 12, 13, 14, 22, 30, 31
N_ACTIONS = AGAIN + N_GOODS
MAX_LEGAL = 2 * N_GOODS + 1
# Outcomes: a seat, a step of the ladder, or a kind of card
NO_CARD = 9  # FT-18, FT-24: there is no card to draw
MAX_OUTCOMES = N_STEPS
ALL_SHOWN = SEATS * N_KINDS  # see State.trail
PAST = 7  # see decks.py


@struct
class State:
    # the table: edition and options
    players: int = 0
    ruleset: int = MARKET_MAKING
    honour: int = 0
    dealt_hand: int = FIRST_DISCARD  # FT-11
    ladder: list[int] = ints(N_STEPS)  # FT-2
    faces: list[list[int]] = rows(N_GOODS, N_FACES, 8)  # steps of the ladder, by good
    cards: list[int] = ints(N_KINDS, 8)  # FT-3: in the game
    n_cards: int = 0
    tens: int = 0  # FT-4: bills of the bank in Battle Royale
    fifties: int = 0
    nine_alike: int = 0
    false_call: int = 0
    longest_run: int = 0
    new_decks: int = 0
    # the game
    phase: int = FIRST_DEALER
    money: list[int] = ints(SEATS)
    jackpot: int = 0
    dealer: int = 0
    run: int = 1  # FT-16: which deal of the dealer's run this is
    turns: int = 0  # FT-17: turns as dealer that are over
    deals: int = 0  # over, void ones too
    price: list[int] = ints(N_GOODS, 8)  # step of the ladder, NONE before it is rolled
    rolling: int = 0  # bit g: the die of good g is still to be rolled
    # the deal
    deck: list[int] = ints(N_KINDS, 8)
    deck_size: int = 0
    row: list[int] = ints(MAX_CARDS + 1, 8)  # FT-26: the discards in order
    row_size: int = 0
    dumped: list[int] = ints(N_KINDS, 8)  # the discards by kind
    hand: list[list[int]] = rows(SEATS, N_KINDS, 8)  # by seat and kind, the drawn card among them
    dealt: int = 0  # cards
    remade: int = 0  # FT-18, FT-24: new decks so far
    player: int = 0  # whose turn it is, or whose turn comes when the card is drawn
    drawn: int = NONE  # the kind just drawn by `player`
    called: int = 0  # FT-19: a false call this turn
    acted: int = 0  # bit s: seat s has discarded (FT-11)
    announced: int = 0  # bit s: seat s is "one to go" (FT-10)
    discarder: int = NOBODY  # of the last discard
    offered: int = 0  # the last discard can still be taken (FT-12)
    asked: int = NOBODY  # the seat that is asked about it
    # going out, and how the last deal ended: kept until the next one ends
    winner: int = NOBODY  # of the deal, from going out until the next deal is dealt
    source: int = NOBODY  # whose discard it was; NOBODY: the deck
    rerolled: int = NONE  # the good whose die is or was rolled again
    was: int = NONE  # the step of its price before that
    ended: int = NOT_YET
    won: list[int] = ints(N_KINDS, 8)  # the cards shown
    last: int = NOBODY  # the seat that went out
    worth: int = 0  # FT-14: what it was worth
    times: int = 0  # FT-16
    took: int = 0  # the Jackpot that was taken
    # what is known of hidden cards (see unseen.py)
    shuffled: list[int] = ints(N_KINDS, 8)  # the deck as last shuffled, less cards certainly drawn from it
    drew: list[list[int]] = rows(SEATS, N_KINDS, 8)  # drawn since then by a seat, by kind
    since: list[list[int]] = rows(SEATS, N_KINDS, 8)  # shown since then by a seat, by kind
    held: list[int] = ints(SEATS, 8)  # cards in hand at that time
    unfit: list[int] = ints(SEATS, 16)  # bit g: all know that good g cannot finish this seat's announced hand
    untouched: int = 0  # bit s: seat s has discarded only what it drew; only WHILE_KEPT (FT-11)
    tossed: list[list[int]] = rows(SEATS, N_KINDS, 8)  # discarded in this deal, by seat; only WHILE_KEPT
    later: int = 0  # a round of Battle Royale has ended since then
    gone: list[list[int]] = rows(SEATS, N_KINDS, 8)  # FT-23: hands that left the game face down
    # in order, the shown cards that may have been held when the deck was last shuffled (or the deck that was in use):
    # kind + N_KINDS * seat, and ALL_SHOWN more if the whole hand was shown
    trail: list[int] = ints(MAX_CARDS + 1, 8)
    trailed: int = 0
    # the decks before, oldest first; only in Battle Royale (see decks.py)
    past: int = 0  # how many are remembered
    taken: list[int] = ints(PAST * SEATS * N_KINDS, 8)  # by deck, seat and kind: drawn, and not certainly shown
    had: list[int] = ints(PAST * SEATS, 8)  # by deck and seat: cards in hand when it was shuffled
    ends: list[int] = ints(PAST, 8)  # by deck: how long the trail was when the next one was shuffled
    parted: int = 0  # bit d: a round ended while deck d was in use
