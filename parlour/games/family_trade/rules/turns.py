"""Family Trade: the flow that the three rulesets (FT-6, FT-20, FT-21) share: a deal, turns of
drawing and discarding, and a player who goes out, by their own draw or by another's discard."""

from __future__ import annotations

from parlour.games.family_trade.rules.chance import die_due
from parlour.games.family_trade.rules.decks import keep_deck
from parlour.games.family_trade.rules.hands import complete, hand_size, nine_alike, stays_dealt, wanted
from parlour.games.family_trade.rules.legal import next_asked
from parlour.games.family_trade.rules.pieces import ALL_DICE, DEALT_CARDS, MARKET_MAKE, N_GOODS, N_KINDS
from parlour.games.family_trade.rules.scoring import fifties_left, pay, tens_left
from parlour.games.family_trade.rules.state import (
    AGAIN,
    ALL_SHOWN,
    ASK,
    BATTLE_ROYALE,
    CHOOSE_MARKET,
    DEAL,
    DOWN,
    DRAW,
    GOD,
    KEEP,
    MAKE,
    MARKET_MAKING,
    NO_CARD,
    NOBODY,
    NONE,
    OUT,
    OVER,
    REROLL,
    ROLL,
    STAND,
    TURN,
    UP,
    VOID,
    WENT_OUT,
    WHILE_KEPT,
    State,
)  # fmt: skip


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
        elif complete(state.hand[state.player]):
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
            if state.dealt_hand == WHILE_KEPT:
                state.untouched = (1 << state.players) - 1
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
            state.was = state.price[state.rerolled]
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
    """FT-6, FT-20, FT-21: clear the prices; rolled dice stay in sight until the next roll of the market
    or the next deal."""
    for good in range(N_GOODS):
        state.price[good] = NONE


def _roll_market(state: State) -> None:
    """FT-6: roll the dice of all goods."""
    _clear_prices(state)
    state.rolling = ALL_DICE
    state.phase = ROLL


def _start_dealing(state: State) -> None:
    """FT-7, FT-21: begin to deal cards, from the dealer on, who also has the first turn (FT-8)."""
    state.dealt = 0
    state.player = state.dealer
    state.phase = DEAL


def _take_card(state: State, seat: int, kind: int) -> None:
    """FT-7, FT-8: move the top card of the deck to a hand; first form a new deck if the deck is empty."""
    if not state.deck_size:
        _new_deck(state)
    state.deck[kind] -= 1
    state.deck_size -= 1
    state.hand[seat][kind] += 1
    state.drew[seat][kind] += 1


def _new_deck(state: State) -> None:
    """FT-18: shuffle all discards except the last; FT-24: in Battle Royale the last, too."""
    kept = 1 if state.ruleset != BATTLE_ROYALE else 0
    if state.phase == DRAW:
        state.remade += 1
    if state.ruleset == BATTLE_ROYALE:
        keep_deck(state)
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
    """FT-26: record the cards of the new deck, which all players know until the first is drawn."""
    for kind in range(N_KINDS):
        state.shuffled[kind] = state.deck[kind]
    for seat in range(state.players):
        for kind in range(N_KINDS):
            state.drew[seat][kind] = 0
            state.since[seat][kind] = 0
        state.held[seat] = hand_size(state, seat)
    state.later = 0
    state.trailed = state.ends[state.past - 1] if state.past else 0


def _show(state: State, seat: int, kind: int, more: int) -> None:
    """FT-26: make a card of a hand public. It was held when the deck was last shuffled, or drawn since
    then; which of the two is in doubt only if the seat held any, and until the round ends."""
    state.since[seat][kind] += 1
    if state.held[seat] and not state.later:
        state.trail[state.trailed] = kind + N_KINDS * seat + more
        state.trailed += 1


def _discard(state: State, kind: int) -> None:
    """FT-8, FT-10, FT-12: discard a card face up, with "one to go" if it applies; then ask the players
    whose hands it completes."""
    seat = state.player
    dealt = stays_dealt(state, kind)
    state.hand[seat][kind] -= 1
    state.row[state.row_size] = kind
    state.row_size += 1
    state.dumped[kind] += 1
    frozen = state.announced >> seat & 1
    if frozen:  # all know now what they drew
        state.shuffled[kind] -= 1
        state.drew[seat][kind] -= 1
    else:
        _show(state, seat, kind, 0)
        if state.ruleset != BATTLE_ROYALE and wanted(state.hand[seat]) != NONE and not dealt:
            state.announced |= 1 << seat
    known = state.acted >> seat & 1 and state.dealt_hand != WHILE_KEPT  # else a dealt hand may have come to three sets
    if state.announced >> seat & 1 and (state.called or (known and not frozen)):
        state.unfit[seat] |= 1 << kind  # else the nine cards were three sets: a true call, or announced before
    if state.dealt_hand == WHILE_KEPT:
        state.tossed[seat][kind] += 1
        if not dealt:
            state.untouched &= ~(1 << seat)
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
    """FT-12, FT-22: ask the next player whose hand the last discard completes; if there is no such
    player, a card is drawn."""
    state.asked = next_asked(state, after)
    state.phase = ASK if state.asked != NOBODY else DRAW


# Going out ---------------------------------------------------------------------------------------
def _go_out(state: State, seat: int, source: int) -> None:
    """FT-13, FT-20, FT-22: show the cards; then dice are rolled, or the player may choose one to roll
    again."""
    hand = state.hand[seat]
    for kind in range(N_KINDS):
        for _ in range(hand[kind]):
            _show(state, seat, kind, ALL_SHOWN)
    if source != NOBODY:
        state.row_size -= 1
        kind = state.row[state.row_size]
        state.dumped[kind] -= 1
        hand[kind] += 1
    state.winner = seat
    state.source = source
    state.rerolled = NONE
    state.offered = 0
    state.asked = NOBODY
    state.drawn = NONE
    for kind in range(N_KINDS):
        state.won[kind] = hand[kind]
    if state.ruleset == MARKET_MAKING:
        state.phase = REROLL
    elif nine_alike(hand):  # FT-15
        _settle(state)
    else:
        state.rolling = 0
        for good in range(N_GOODS):
            if hand[good]:
                state.rolling |= 1 << good
        state.phase = ROLL


def _land(state: State, step: int) -> None:
    """FT-6, FT-13, FT-20, FT-22: set the price of a good to the step that its die shows."""
    good = die_due(state)
    state.price[good] = step
    state.rolling &= ~(1 << good)
    if state.rolling:
        return
    if state.winner == NOBODY:
        _start_dealing(state)
    elif may_roll_again(state):
        state.phase = REROLL
    else:
        _settle(state)


def may_roll_again(state: State) -> bool:
    """FT-20: return whether the choice to roll a die again comes after the dice, before payment."""
    return state.ruleset == GOD and state.rerolled == NONE


def _settle(state: State) -> None:
    """FT-14, FT-16, FT-22: pay, and end the deal."""
    pay(state)
    state.last = state.winner
    _end_deal(state, WENT_OUT)


def _end_deal(state: State, how: int) -> None:
    """FT-16, FT-17, FT-18, FT-23, FT-24, FT-25: pass the deal on, let the dealer deal again, or end the game."""
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
        again = deals_again(state, state.winner)
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
    state.untouched = 0
    for seat in range(state.players):
        state.unfit[seat] = 0
        for kind in range(N_KINDS):
            state.tossed[seat][kind] = 0
    state.offered = 0
    state.remade = 0
    state.discarder = NOBODY
    if _is_over(state):
        state.phase = OVER
    elif state.ruleset == MARKET_MAKING:
        state.phase = CHOOSE_MARKET
    else:
        _start_dealing(state)


def deals_again(state: State, winner: int) -> bool:
    """FT-16, FT-23: return whether the dealer deals again when `winner` goes out."""
    return state.ruleset != BATTLE_ROYALE and winner == state.dealer and state.run < state.longest_run


def _is_over(state: State) -> bool:
    """Return whether the game is over (FT-17; in Battle Royale FT-24, FT-25)."""
    if state.ruleset != BATTLE_ROYALE:
        return state.turns == 2 * state.players
    if state.deck_size + state.row_size < 3 * state.players:
        return True
    return tens_left(state) <= 0 or fifties_left(state) <= 0


def _gather(state: State) -> None:
    """FT-7: put all cards back into the deck."""
    for kind in range(N_KINDS):
        state.deck[kind] = state.cards[kind]
        state.dumped[kind] = 0
    for seat in range(state.players):
        for kind in range(N_KINDS):
            state.hand[seat][kind] = 0
    state.deck_size = state.n_cards
    state.row_size = 0
    _know_deck(state)


def _end_round(state: State) -> None:
    """FT-23, FT-24: take hand cards out of the game, shown or face down; deck and discards stay, and
    the deal moves to the left."""
    for seat in range(state.players):
        for kind in range(N_KINDS):
            if seat != state.winner:
                state.gone[seat][kind] += state.hand[seat][kind]
            state.hand[seat][kind] = 0
    state.later = 1
    state.dealer = (state.dealer + 1) % state.players
