"""Facets of Fortune: a step of the game, and the parts of a turn.

A play is a short sequence of decisions: the card, then what it does. The only chance within it is
the heist dice.
"""

from __future__ import annotations

from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules import plays
from parlour.games.facets_of_fortune.rules import state as s
from parlour.games.facets_of_fortune.rules.chance import rolled
from parlour.games.facets_of_fortune.rules.markets import open_markets
from parlour.games.facets_of_fortune.rules.state import State

# What a roll does to a market: FF-12, FF-13, FF-26
MOVES, HOLDS, CRASHES = 0, 1, 2


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place."""
    phase = state.phase
    due = state.due
    if phase == s.PLAY:
        _act(state, action)
    elif phase == s.DRAW:
        _draw(state, action)
    elif phase == s.ROLL:
        _roll(state, action)
    elif phase == s.TRADE:
        plays.trade(state, action)
    elif phase == s.TOSS:
        _toss(state, action - s.PLACES)
    elif phase == s.RIVAL:
        state.rival = action - s.ROB
        state.phase = s.ATTACK
    elif phase == s.ATTACK:
        state.attack = action
        state.phase = s.DEFEND
    elif phase == s.DEFEND:
        plays.fight(state, action)
    elif phase == s.START:
        _start(state, action)
    else:
        _name(state, action - s.MARKET)
    if phase == s.TOSS or (phase == s.PLAY and action == s.END):
        _end_turn(state)
    if state.due > due:
        _count(state)


def _name(state: State, colour: int) -> None:
    """Carry out the naming of a market, for the Wild die or within a play."""
    phase = state.phase
    if phase == s.NAME:
        _move(state, colour)
        _after_roll(state)
    elif phase == s.CHOOSE:
        plays.take(state, colour)
    elif phase == s.GIVE:
        state.first = colour
        state.phase = s.TAKE
    elif phase == s.TAKE:
        plays.give(state, state.first)
        plays.take(state, colour)
    elif phase == s.SWITCH_1:
        state.first = colour
        state.phase = s.SWITCH_2
    elif phase == s.SWITCH_2:
        plays.switch(state, state.first, colour)
    else:
        plays.grab(state, colour)
        plays.grab_rest(state)


# Cards are drawn ---------------------------------------------------------------------------------
def _start(state: State, seat: int) -> None:
    """FF-7, FF-8: give cash to all, and let them draw three cards each in turn order from this seat on."""
    for i in range(state.players):
        state.money[s.seat_after(state, seat, i)] = p.START_CASH[i]
    state.player = seat
    _deal(state, s.OPENING, p.HAND)


def _deal(state: State, what: int, cards: int) -> None:
    """Let the player on turn draw this many cards."""
    state.deal = what
    state.due = cards
    state.phase = s.DRAW


def _count(state: State) -> None:
    """FF-25: record the numbered cards held at the beginning of a deal."""
    for colour in range(p.N_COLOURS):
        state.before[colour] = _numbered(state, colour)


def _numbered(state: State, colour: int) -> int:
    """FF-25: count the numbered cards of a colour that the player on turn holds.

    Wild and Free Gem never count, cards of closed markets do.
    """
    hand = state.hand[state.player]
    n = 0
    for i in range(state.held[state.player]):
        if hand[i] < p.WILD_1 and hand[i] // 3 == colour:
            n += 1
    return n


def bonus(state: State, kind: int) -> int:
    """FF-25: return what the bank pays for new triples when this card is the last of a deal."""
    paid = 0
    for colour in range(p.N_COLOURS):
        cards = _numbered(state, colour)
        if kind < p.WILD_1 and kind // 3 == colour:
            cards += 1
        paid += p.BONUS * max(cards // 3 - state.before[colour] // 3, 0)
    return paid


def _draw(state: State, kind: int) -> None:
    """FF-17: put a card at the end of the hand; the discard pile becomes a new deck only when a
    card must be drawn."""
    if not state.left:
        for k in range(p.N_KINDS):
            state.unseen[k] = state.used[k]
            state.left += state.used[k]
            state.used[k] = 0
    seat = state.player
    state.unseen[kind] -= 1
    state.left -= 1
    state.due -= 1
    if not state.due:
        state.money[seat] += bonus(state, kind)
    state.hand[seat][state.held[seat]] = kind
    state.held[seat] += 1
    if not state.due:
        _dealt(state)


def _dealt(state: State) -> None:
    """Continue the play, the turn or the opening that the cards were drawn for."""
    if state.deal == s.EXTRA_CARDS:
        state.phase = s.PLAY
    elif state.deal == s.REFILL:
        _next_turn(state)
    else:  # FF-8
        state.player = s.seat_after(state, state.player, 1)
        if state.held[state.player]:
            state.phase = s.ROLL
        else:
            _deal(state, s.OPENING, p.HAND)


# The roll ----------------------------------------------------------------------------------------
def _roll(state: State, outcome: int) -> None:
    """FF-11: carry out a roll of the gem die and the up/down die."""
    state.gem, state.step = rolled(outcome)
    state.crashed = 0
    state.card = p.NOBODY
    state.first = p.NOBODY
    state.rival = p.NOBODY
    state.attack = 0
    state.defence = 0
    for colour in range(p.N_COLOURS):
        state.was[colour] = state.marker[colour]
    if state.gem == p.WILD:
        state.phase = s.NAME
        return
    for colour in range(p.N_COLOURS):
        if is_moved(state, state.gem, colour):
            _move(state, colour)
    _after_roll(state)


def is_moved(state: State, gem: int, colour: int) -> bool:
    """FF-11: return whether a market moves when the gem die shows this; at Wild, no market does until one is named."""
    return not state.closed[colour] and (gem == colour or gem == p.ALL)


def stays(state: State, gem: int, colour: int, step: int) -> bool:
    """FF-11: return whether a STOP keeps the market where it is when the gem die shows this; only with the option."""
    return bool(state.wild_stop and gem == p.WILD and step > 0 and state.stops[colour])


def fate(state: State, gem: int, colour: int, step: int) -> int:
    """FF-11, FF-13: return what this step does to an open market: MOVES it, CRASHES it, or a STOP HOLDS it, at the top
    or where it is."""
    if stays(state, gem, colour, step):
        return HOLDS
    if state.marker[colour] + step <= p.TOP:
        return MOVES
    return HOLDS if state.stops[colour] else CRASHES


def _move(state: State, colour: int) -> None:
    """FF-12, FF-13, FF-26: move a marker, or crash its market."""
    what = fate(state, state.gem, colour, state.step)
    if what == MOVES:
        state.marker[colour] = max(state.marker[colour] + state.step, 0)
    elif what == HOLDS:
        if not stays(state, state.gem, colour, state.step):
            state.marker[colour] = p.TOP
    else:
        _close(state, colour)
        state.crashed |= 1 << colour


def _close(state: State, colour: int) -> None:
    """FF-26: close a market and take all gems of its colour out of play, unpaid."""
    state.closed[colour] = 1
    state.board[colour] = 0
    state.marker[colour] = 0
    for seat in range(state.players):
        state.own[seat][colour] = 0


def _after_roll(state: State) -> None:
    """FF-27: end the game when no market is open; FF-14: else take the player's own STOPs off and let them act."""
    if not open_markets(state):
        state.phase = s.OVER
        return
    for colour in range(p.N_COLOURS):
        state.stops[colour] &= ~(1 << state.player)
    state.extra = 1
    state.phase = s.PLAY


# Between roll and end ----------------------------------------------------------------------------
def _act(state: State, action: int) -> None:
    """FF-15, FF-16, FF-17, FF-23: carry out a decision between the roll and the end of a turn."""
    seat = state.player
    if action >= s.CARD:
        plays.lay(state, action - s.CARD)
    elif action >= s.STOP_AT:
        state.holds[seat] = 0
        state.stops[action - s.STOP_AT] |= 1 << seat
    elif action == s.BUY_STOP:
        state.money[seat] -= p.STOP_PRICE
        state.bought[seat] = 1
        state.holds[seat] = 1
    elif action > s.DISCARD:
        cards = action - s.EXTRA
        state.extra = 0
        state.money[seat] -= cards * p.EXTRA_PRICE
        _deal(state, s.EXTRA_CARDS, cards)
    elif action == s.DISCARD:
        state.phase = s.TOSS


def _toss(state: State, cards: int) -> None:
    """FF-17: discard the cards in these places, the last place first so that the others keep theirs."""
    for place in range(state.held[state.player] - 1, -1, -1):
        if cards >> place & 1:
            plays.discard(state, place)


def _end_turn(state: State) -> None:
    """FF-17: let the player draw until they have three cards."""
    state.extra = 0
    missing = p.HAND - state.held[state.player]
    if missing:
        _deal(state, s.REFILL, missing)
    else:
        _next_turn(state)


def _next_turn(state: State) -> None:
    state.turns += 1
    state.player = s.seat_after(state, state.player, 1)
    state.phase = s.ROLL
