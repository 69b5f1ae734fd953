"""Family Trade: the rules. Clauses FT-n are in rulebook.md; where one is applied, it is named.

Three rulesets of one game (FT-6, FT-20, FT-21) share one flow: a deal, turns of drawing and discarding, and a player
who goes out, by his own draw or by another's discard. `state.py` has the state, `hands.py` what a hand wants,
`paying.py` the money, `hidden.py` what each seat sees, `dealing.py` a new deal of
what it cannot know.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.core.rng import choose_weighted, random_below
from parlour.games.family_trade.rules.dealing import resample
from parlour.games.family_trade.rules.hands import (
    can_take,
    complete,
    hand_size,
    may_ask,
    might_take,
    next_asked,
    wanted,
)  # fmt: skip
from parlour.games.family_trade.rules.hidden import (
    OUT,
    PASS,
    observation,
    observed_action,
)
from parlour.games.family_trade.rules.paying import fifties_left, multiplier, nine_alike, pay, tens_left, total
from parlour.games.family_trade.rules.state import (
    ASK,
    BATTLE_ROYALE,
    CHOOSE_MARKET,
    DEAL,
    DRAW,
    FIRST_DEALER,
    GOD,
    MAKE,
    MARKET_MAKE,
    MARKET_MAKING,
    MAX_CARDS,
    N_FACES,
    N_GOODS,
    N_KINDS,
    N_STEPS,
    NOBODY,
    NONE,
    NOT_YET,
    OVER,
    REROLL,
    ROLL,
    SEATS,
    TURN,
    VOID,
    WENT_OUT,
    State,
    setup,
)  # fmt: skip

__all__ = [
    "ASK",
    "BATTLE_ROYALE",
    "CHOOSE_MARKET",
    "DEAL",
    "DRAW",
    "FIRST_DEALER",
    "GOD",
    "MAKE",
    "MARKET_MAKE",
    "MARKET_MAKING",
    "MAX_CARDS",
    "NOBODY",
    "NONE",
    "NOT_YET",
    "N_FACES",
    "N_GOODS",
    "N_KINDS",
    "N_STEPS",
    "OUT",
    "OVER",
    "PASS",
    "REROLL",
    "ROLL",
    "SEATS",
    "TURN",
    "VOID",
    "WENT_OUT",
    "State",
    "can_take",
    "complete",
    "fifties_left",
    "hand_size",
    "may_ask",
    "might_take",
    "multiplier",
    "nine_alike",
    "observation",
    "observed_action",
    "resample",
    "setup",
    "tens_left",
    "total",
    "wanted",
]  # fmt: skip

VERSION = 1

# Actions: 0 to 8 discard that kind of card; then
KEEP, ROLL_ALL, NO_STEP, UP, DOWN, STAND, AGAIN = 11, 12, 13, 14, 22, 30, 31  # and OUT, 9, and PASS, 10
N_ACTIONS = AGAIN + N_GOODS  # UP, DOWN and AGAIN are followed by one action for each good
MAX_LEGAL = 2 * N_GOODS + 1
NO_CARD = 9  # FT-18, FT-24: the outcome when there is no card to draw
MAX_OUTCOMES = N_STEPS
MARKET = (1 << N_GOODS) - 1
DEALT_CARDS = (8, 8, 2)  # FT-7, FT-21: to each player, by ruleset


def bound(state: State) -> int:
    """FT-16, FT-17, FT-18, FT-24: deals are limited, and so are new decks; a card drawn takes six steps at most."""
    deck = state.n_cards * (state.new_decks + 1)
    deals = 2 * state.players * state.longest_run
    if state.ruleset == BATTLE_ROYALE:
        deals = state.n_cards // (2 * state.players) + 1
    return deals * (deck * (3 + state.players) + 2 * N_GOODS)


def hidden_information(state: State) -> bool:
    """FT-26: hands. No decision can be taken back: all of them show something or have dice or cards after them."""
    return True


def current_player(state: State) -> int:
    phase = state.phase
    if phase == OVER:
        return TERMINAL
    if phase in (TURN, MAKE):
        return state.player
    if phase == ASK:
        return state.asked
    if phase == REROLL:
        return state.winner
    return state.dealer if phase == CHOOSE_MARKET else CHANCE


# Decisions ---------------------------------------------------------------------------------------
def legal_actions(state: State, out: Buffer) -> int:
    """Write the legal decisions into `out`, ascending; return how many. None when chance is due or all is over."""
    phase = state.phase
    if phase == TURN:
        return _legal_turn(state, out)
    n = 0
    if phase == ASK:  # FT-12
        out[0] = OUT
        out[1] = PASS
        n = 2
    elif phase == CHOOSE_MARKET:  # FT-6
        out[0] = KEEP
        out[1] = ROLL_ALL
        n = 2
    elif phase == MAKE:  # FT-9: no step beyond an end of the ladder
        out[0] = NO_STEP
        n = 1
        for good in range(N_GOODS):
            if state.price[good] < N_STEPS - 1:
                out[n] = UP + good
                n += 1
        for good in range(N_GOODS):
            if state.price[good] > 0:
                out[n] = DOWN + good
                n += 1
    elif phase == REROLL:  # FT-13, FT-20
        out[0] = STAND
        n = 1
        for good in range(N_GOODS):
            if state.ruleset == MARKET_MAKING or state.hand[state.winner * N_KINDS + good]:
                out[n] = AGAIN + good
                n += 1
    return n


def _legal_turn(state: State, out: Buffer) -> int:
    """FT-8, FT-10, FT-12, FT-22: discard, and go out if the cards allow it (or, FT-19, if it is only claimed)."""
    first = state.player * N_KINDS
    n = 0
    if state.announced >> state.player & 1:
        out[0] = state.drawn
        n = 1
    else:
        for kind in range(N_KINDS):
            if state.hand[first + kind]:
                out[n] = kind
                n += 1
    if state.honour:
        if not state.called:
            out[n] = OUT
            n += 1
    elif complete(state.hand, first):
        out[n] = OUT
        n += 1
    return n


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place."""
    phase = state.phase
    if phase == DRAW:
        if action == NO_CARD:
            _end_deal(state, VOID)
        else:
            _take_card(state, state.player, action)
            state.drawn = action
            state.offered = 0
            state.phase = TURN
    elif phase == TURN:
        if action != OUT:
            _discard(state, action)
        elif complete(state.hand, state.player * N_KINDS):
            _go_out(state, state.player, NOBODY)
        else:  # FT-19
            state.money[state.player] -= state.false_call
            state.jackpot += state.false_call
            state.called = 1
    elif phase == DEAL:
        if not state.dealt and state.ruleset != MARKET_MAKING:
            _clear_prices(state)
        _take_card(state, (state.dealer + state.dealt) % state.players, action)
        state.dealt += 1
        if state.dealt == DEALT_CARDS[state.ruleset] * state.players:
            state.phase = DRAW
    elif phase == ASK:
        if action == OUT:
            _go_out(state, state.asked, state.discarder)
        else:
            _offer(state, state.asked)
    elif phase == ROLL:
        _land(state, action)
    elif phase == MAKE:
        if UP <= action < DOWN:
            state.price[action - UP] += 1
        elif action >= DOWN:
            state.price[action - DOWN] -= 1
        state.player = (state.player + 1) % state.players
        state.phase = DRAW
    elif phase == REROLL:
        if action == STAND:
            _settle(state)
        else:
            state.rerolled = action - AGAIN
            state.rolling = 1 << state.rerolled
            state.phase = ROLL
    elif phase == CHOOSE_MARKET:
        if action == KEEP:
            _start_dealing(state)
        else:
            _roll_market(state)
    else:
        state.dealer = action  # FT-6
        if state.ruleset == MARKET_MAKING:
            _roll_market(state)
        else:
            _start_dealing(state)


# A deal ------------------------------------------------------------------------------------------
def _clear_prices(state: State) -> None:
    """FT-6, FT-20, FT-21: what was rolled stays in sight until the next roll of the market, or the next deal."""
    for good in range(N_GOODS):
        state.price[good] = NONE


def _roll_market(state: State) -> None:
    """FT-6: the dice of all goods."""
    _clear_prices(state)
    state.rolling = MARKET
    state.phase = ROLL


def _start_dealing(state: State) -> None:
    """FT-7, FT-21: cards are dealt from the dealer on, who also has the first turn (FT-8)."""
    state.dealt = 0
    state.player = state.dealer
    state.phase = DEAL


def _take_card(state: State, seat: int, kind: int) -> None:
    """FT-7, FT-8: the top card of the deck goes to a hand; a new deck is formed first if there is none."""
    if not state.deck_size:
        _new_deck(state)
    state.deck[kind] -= 1
    state.deck_size -= 1
    state.hand[seat * N_KINDS + kind] += 1
    state.drew[seat * N_KINDS + kind] += 1


def _new_deck(state: State) -> None:
    """FT-18: all discards but the last are shuffled; FT-24: in Battle Royale the last too."""
    kept = 1 if state.ruleset != BATTLE_ROYALE else 0
    if state.phase == DRAW:
        state.remade += 1
    for kind in range(N_KINDS):
        state.deck[kind] = state.dumped[kind]
        state.dumped[kind] = 0
    state.deck_size = state.row_size - kept
    if kept:
        last = state.row[state.row_size - 1]
        state.row[0] = last
        state.dumped[last] = 1
        state.deck[last] -= 1
    state.row_size = kept
    _know_deck(state)


def _know_deck(state: State) -> None:
    """FT-26: from here on everybody knows which cards are in the deck, until somebody draws."""
    for kind in range(N_KINDS):
        state.shuffled[kind] = state.deck[kind]
    for i in range(SEATS * N_KINDS):
        state.drew[i] = 0
        state.since[i] = 0
    for seat in range(state.players):
        state.held[seat] = hand_size(state, seat)
    state.later = 0


def _discard(state: State, kind: int) -> None:
    """FT-8, FT-10, FT-12: one card face up; "one to go" is said with it; then whom it finishes may take it."""
    seat = state.player
    first = seat * N_KINDS
    state.hand[first + kind] -= 1
    state.row[state.row_size] = kind
    state.row_size += 1
    state.dumped[kind] += 1
    frozen = state.announced >> seat & 1
    if frozen:  # all know now what he drew
        state.shuffled[kind] -= 1
        state.drew[first + kind] -= 1
    else:
        state.since[first + kind] += 1
        if state.ruleset != BATTLE_ROYALE and wanted(state.hand, first) != NONE:
            state.announced |= 1 << seat
    if state.announced >> seat & 1 and (state.called or (state.acted >> seat & 1 and not frozen)):
        state.unfit[seat] |= 1 << kind  # else the nine cards were three sets: a true call, or announced before
    state.acted |= 1 << seat
    state.discarder = seat
    state.drawn = NONE
    state.called = 0
    if kind == MARKET_MAKE:  # FT-9
        state.phase = MAKE
        return
    state.player = (seat + 1) % state.players
    state.offered = 1
    _offer(state, seat)


def _offer(state: State, after: int) -> None:
    """FT-12, FT-22: ask the next player whose hand the last discard finishes; without one a card is drawn."""
    state.asked = next_asked(state, after)
    state.phase = ASK if state.asked != NOBODY else DRAW


# Going out ---------------------------------------------------------------------------------------
def _go_out(state: State, seat: int, source: int) -> None:
    """FT-13, FT-20, FT-22: the cards are shown; then dice are rolled, or the choice is made to roll one again."""
    first = seat * N_KINDS
    for kind in range(N_KINDS):
        state.since[first + kind] += state.hand[first + kind]
    if source != NOBODY:
        state.row_size -= 1
        kind = state.row[state.row_size]
        state.dumped[kind] -= 1
        state.hand[first + kind] += 1
    state.winner = seat
    state.source = source
    state.rerolled = NONE
    state.offered = 0
    state.asked = NOBODY
    state.drawn = NONE
    for kind in range(N_KINDS):
        state.won[kind] = state.hand[first + kind]
    if state.ruleset == MARKET_MAKING:
        state.phase = REROLL
    elif nine_alike(state):  # FT-15
        _settle(state)
    else:
        state.rolling = 0
        for good in range(N_GOODS):
            if state.hand[first + good]:
                state.rolling |= 1 << good
        state.phase = ROLL


def die_due(state: State) -> int:
    """FT-6, FT-20: the good whose die is rolled next; dice are rolled in the order of the goods."""
    good = 0
    while not state.rolling >> good & 1:
        good += 1
    return good


def _land(state: State, step: int) -> None:
    """FT-6, FT-13, FT-20, FT-22: a die shows a step of the ladder, the new price of its good."""
    good = die_due(state)
    state.price[good] = step
    state.rolling &= ~(1 << good)
    if state.rolling:
        return
    if state.winner == NOBODY:
        _start_dealing(state)
    elif state.ruleset == GOD and state.rerolled == NONE:
        state.phase = REROLL
    else:
        _settle(state)


def _settle(state: State) -> None:
    """FT-14, FT-16, FT-22: pay, and end the deal."""
    pay(state)
    state.last = state.winner
    _end_deal(state, WENT_OUT)


def _end_deal(state: State, how: int) -> None:
    """FT-16, FT-17, FT-18, FT-23, FT-24, FT-25: who deals next, or whether the game is over."""
    if how == VOID:
        state.last = NOBODY
        state.source = NOBODY
        state.rerolled = NONE
        state.worth = 0
        state.times = 0
        state.took = 0
        for kind in range(N_KINDS):
            state.won[kind] = 0
    state.ended = how
    state.deals += 1
    if state.ruleset == BATTLE_ROYALE:
        _end_round(state)
    else:
        again = state.winner == state.dealer and state.run < state.longest_run
        _gather(state)
        if again:
            state.run += 1
        else:
            state.dealer = (state.dealer + 1) % state.players
            state.run = 1
            state.turns += 1
    state.winner = NOBODY
    state.acted = 0
    state.announced = 0
    for seat in range(state.players):
        state.unfit[seat] = 0
    state.offered = 0
    state.remade = 0
    state.discarder = NOBODY
    if _is_over(state):
        state.phase = OVER
    elif state.ruleset == MARKET_MAKING:
        state.phase = CHOOSE_MARKET
    else:
        _start_dealing(state)


def _is_over(state: State) -> bool:
    """FT-17; FT-24, FT-25 in Battle Royale."""
    if state.ruleset != BATTLE_ROYALE:
        return state.turns == 2 * state.players
    if state.deck_size + state.row_size < 3 * state.players:
        return True
    return tens_left(state) <= 0 or fifties_left(state) <= 0


def _gather(state: State) -> None:
    """FT-7: all cards go back to the deck."""
    for kind in range(N_KINDS):
        state.deck[kind] = state.cards[kind]
        state.dumped[kind] = 0
    for i in range(SEATS * N_KINDS):
        state.hand[i] = 0
    state.deck_size = state.n_cards
    state.row_size = 0
    _know_deck(state)


def _end_round(state: State) -> None:
    """FT-23, FT-24: hand cards leave the game, shown or face down; deck and discards stay; the deal moves on."""
    for i in range(SEATS * N_KINDS):
        if i // N_KINDS != state.winner:
            state.gone[i] += state.hand[i]
        state.hand[i] = 0
    state.later = 1
    state.dealer = (state.dealer + 1) % state.players


# Chance ------------------------------------------------------------------------------------------
def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """All outcomes with integer weights: a seat, a step of the ladder, or a kind of card (or NO_CARD)."""
    phase = state.phase
    n = 0
    if phase == FIRST_DEALER:  # FT-6
        for seat in range(state.players):
            out[n] = seat
            weights[n] = 1
            n += 1
    elif phase == ROLL:
        first = die_due(state) * N_FACES
        for step in range(N_STEPS):
            ways = 0
            for face in range(N_FACES):
                if state.faces[first + face] == step:
                    ways += 1
            if ways:
                out[n] = step
                weights[n] = ways
                n += 1
    elif phase in (DEAL, DRAW):
        if no_card(state):
            out[0] = NO_CARD
            weights[0] = 1
            return 1
        for kind in range(N_KINDS):
            left = cards_to_draw(state, kind)
            if left:
                out[n] = kind
                weights[n] = left
                n += 1
    return n


def no_card(state: State) -> bool:
    """FT-18, FT-24: whether the deck is empty and no new one may be formed."""
    return state.phase == DRAW and not state.deck_size and state.remade >= state.new_decks


def cards_to_draw(state: State, kind: int) -> int:
    """FT-18, FT-24: cards of a kind in the deck, or in the one that is about to be formed."""
    if state.deck_size:
        return state.deck[kind]
    kept = state.ruleset != BATTLE_ROYALE and state.row[state.row_size - 1] == kind
    return state.dumped[kind] - (1 if kept else 0)


def sample_chance(state: State, rng: Buffer) -> int:
    """One outcome, drawn with its probability."""
    phase = state.phase
    if phase == ROLL:
        return state.faces[die_due(state) * N_FACES + random_below(rng, N_FACES)]
    if phase == FIRST_DEALER:
        return random_below(rng, state.players)
    if state.deck_size:
        left = random_below(rng, state.deck_size)
        kind = 0
        while left >= state.deck[kind]:
            left -= state.deck[kind]
            kind += 1
        return kind
    if no_card(state):
        return NO_CARD
    weights = [0] * N_KINDS
    for kind in range(N_KINDS):
        weights[kind] = cards_to_draw(state, kind)
    return choose_weighted(rng, weights, N_KINDS)


# The end -----------------------------------------------------------------------------------------
def scores(state: State, out: Buffer) -> None:
    """FT-5: the money by seat, in full."""
    for seat in range(state.players):
        out[seat] = state.money[seat] * 1000


def returns(state: State, out: Any) -> None:
    """FT-17, FT-25: 1 shared by those with most money, 0 to the others; all 0 before the end."""
    best = state.money[0]
    for seat in range(1, state.players):
        best = max(best, state.money[seat])
    winners = 0
    for seat in range(state.players):
        if state.money[seat] == best:
            winners += 1
    for seat in range(state.players):
        out[seat] = 1.0 / winners if state.phase == OVER and state.money[seat] == best else 0.0
