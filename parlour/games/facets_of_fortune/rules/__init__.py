"""Facets of Fortune: the rules. Clauses FF-n are in rulebook.md; where one is applied, it is named.

A play is a short sequence of decisions: the card, then what it does. Nothing is drawn by chance within it but the
heist dice. Cards are drawn one at a time, so the order of the deck is not in the state at all (FF-30).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.core.rng import choose_weighted, random_below
from parlour.games.facets_of_fortune.rules import board as b
from parlour.games.facets_of_fortune.rules import box, plays
from parlour.games.facets_of_fortune.rules.board import State

__all__ = [
    "ALL_CARDS", "BUY", "BUY_STOP", "DISCARD", "END", "EXTRA", "MARKET", "MAX_LEGAL", "MAX_OUTCOMES", "N_ACTIONS",
    "PLAY", "RIVAL", "SELL", "STEP_ZERO", "STOP_AT", "TOSS", "VERSION",
    "State", "apply", "bound", "chance_outcomes", "current_player", "legal_actions", "observation", "observed_action",
    "resample", "returns", "roll_outcome", "sample_chance", "scores", "setup",
]  # fmt: skip

VERSION = 1

# Actions
END, DISCARD, EXTRA, BUY_STOP, STOP_AT, PLAY, MARKET, RIVAL, TOSS = 0, 1, 1, 5, 6, 10, 32, 60, 64
BUY, SELL = plays.BUY, plays.SELL
# END: keep all and draw; DISCARD: choose cards to discard first; EXTRA + n: buy n cards; STOP_AT + colour;
# PLAY + kind; MARKET + colour: what for, the phase says; BUY and SELL + 3 * colour + n - 1; RIVAL + seat;
# TOSS + bits of the places in the hand, of equal cards the first ones.
ALL_CARDS = (1 << b.MOST_CARDS) - 1
N_ACTIONS = TOSS + ALL_CARDS + 1
MAX_LEGAL = ALL_CARDS
MAX_OUTCOMES = 6 * b.N_STEPS

STEP_ZERO = 8  # in outcomes of a roll
START_CASH = (25_000, 25_000, 35_000, 35_000)  # FF-7


# Setting up --------------------------------------------------------------------------------------
def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """FF-1 to FF-6, FF-8: the state before the first seat is drawn."""
    state = State(players=players, dead_wild=options["dead_cards"])
    state.ladder[:] = box.numbers(parts, "ladder", b.RUNGS, 1, 10**8)
    if sorted(set(state.ladder)) != state.ladder:
        raise ValueError("the ladder must rise from price to price")
    state.steps[:] = box.numbers(parts, "up_down", b.N_STEPS, -3, 3)
    if 0 in state.steps:
        raise ValueError("each face of the up/down die must move a marker")
    (state.heist_die,) = box.numbers({"heist_die": [parts["heist_die"]]}, "heist_die", 1, 2, 20)
    state.unseen[:] = box.deck(parts["deck"])
    state.left = sum(state.unseen)
    for colour in range(b.N_COLOURS):
        state.board[colour] = b.GEMS
    for seat in range(players):
        state.holds[seat] = 1  # FF-6
    state.hand[:] = [b.NOBODY] * len(state.hand)
    return state


def bound(state: State) -> int:
    """FF-31: no limit is needed; of 180,000 random games none had more than 758 decisions and 195 turns."""
    return 20_000


def hidden_information(state: State) -> bool:
    """FF-30: everything is public."""
    return False


def current_player(state: State) -> int:
    phase = state.phase
    if phase == b.OVER:
        return TERMINAL
    if phase <= b.ROLL or phase == b.ATTACK or phase == b.DEFEND:
        return CHANCE
    return state.player


# Decisions ---------------------------------------------------------------------------------------
def legal_actions(state: State, out: Buffer) -> int:
    """Write the legal actions into `out`, ascending; return how many there are."""
    phase = state.phase
    if phase == b.PLAY:
        return _legal_in_turn(state, out)
    if phase == b.TRADE:
        return _legal_trades(state, out)
    if phase == b.TOSS:
        return _legal_tosses(state, out)
    n = 0
    if phase == b.RIVAL:  # FF-22: an opponent who has a gem
        for seat in range(state.players):
            if seat != state.player and b.gems_of(state, seat):
                out[n] = RIVAL + seat
                n += 1
    elif current_player(state) >= 0:
        for colour in range(b.N_COLOURS):
            if _may_name(state, colour):
                out[n] = MARKET + colour
                n += 1
    return n


def _may_name(state: State, colour: int) -> bool:
    phase = state.phase
    if phase == b.NAME:  # FF-11: any open market, also one that cannot move
        return not state.closed[colour]
    if phase == b.CHOOSE:  # FF-19, FF-24
        return state.board[colour] > 0
    if phase == b.GIVE:
        return b.may_give(state, colour)
    if phase == b.TAKE:  # FF-20: another one
        return colour != state.first and state.board[colour] > 0
    if phase == b.SWITCH_1:
        return b.has_partner(state, colour)
    if phase == b.SWITCH_2:
        return b.may_switch(state, state.first, colour)
    return state.own[state.rival * b.N_COLOURS + colour] > 0  # FF-22


def _legal_in_turn(state: State, out: Buffer) -> int:
    """FF-15, FF-16, FF-17, FF-23: the turn between its roll and its end."""
    seat = state.player
    held = state.held[seat]
    n = 0
    if held <= b.HAND:
        out[n] = END
        n += 1
    if held:
        out[n] = DISCARD
        n += 1
    if state.extra:
        for cards in range(1, 4):
            if state.money[seat] >= cards * b.EXTRA_PRICE:
                out[n] = EXTRA + cards
                n += 1
    if b.may_buy_stop(state):
        out[n] = BUY_STOP
        n += 1
    if state.holds[seat]:
        for colour in range(b.N_COLOURS):
            if b.may_stop(state, colour):
                out[n] = STOP_AT + colour
                n += 1
    kinds = 0
    for i in range(held):
        kinds |= 1 << state.hand[seat * b.MOST_CARDS + i]
    for kind in range(b.N_KINDS):
        if kinds >> kind & 1 and b.playable(state, kind):
            out[n] = PLAY + kind
            n += 1
    return n


def _legal_trades(state: State, out: Buffer) -> int:
    """FF-18: buy or sell, up to the number on the card."""
    most = b.number_of(state.card)
    n = 0
    for colour in range(b.N_COLOURS):
        if b.serves(state, state.card, colour):
            for gems in range(1, most + 1):
                if b.may_buy(state, colour, gems):
                    out[n] = BUY + 3 * colour + gems - 1
                    n += 1
    for colour in range(b.N_COLOURS):
        if b.serves(state, state.card, colour):
            for gems in range(1, most + 1):
                if b.may_sell(state, colour, gems):
                    out[n] = SELL + 3 * colour + gems - 1
                    n += 1
    return n


def _legal_tosses(state: State, out: Buffer) -> int:
    """FF-17: one card at least, and not so few that more than three are kept; of equal cards the first ones."""
    first = state.player * b.MOST_CARDS
    held = state.held[state.player]
    n = 0
    for cards in range(1, 1 << held):
        kept = held
        fits = True
        for i in range(held):
            if cards >> i & 1:
                kept -= 1
                for j in range(i):
                    if state.hand[first + j] == state.hand[first + i] and not cards >> j & 1:
                        fits = False
        if fits and kept <= b.HAND:
            out[n] = TOSS + cards
            n += 1
    return n


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place."""
    phase = state.phase
    due = state.due
    if phase == b.PLAY:
        _act(state, action)
    elif phase == b.DRAW:
        _draw(state, action)
    elif phase == b.ROLL:
        _roll(state, action)
    elif phase == b.TRADE:
        plays.trade(state, action)
    elif phase == b.TOSS:
        _toss(state, action - TOSS)
    elif phase == b.RIVAL:
        state.rival = action - RIVAL
        state.phase = b.ATTACK
    elif phase == b.ATTACK:
        state.attack = action
        state.phase = b.DEFEND
    elif phase == b.DEFEND:
        plays.fight(state, action)
    elif phase == b.START:
        _start(state, action)
    else:
        _name(state, action - MARKET)
    if phase == b.TOSS or (phase == b.PLAY and action == END):
        _end_turn(state)
    if state.due > due:
        _count(state)


def _name(state: State, colour: int) -> None:
    """A market is named: for the Wild die, or within a play."""
    phase = state.phase
    if phase == b.NAME:
        _move(state, colour)
        _after_roll(state)
    elif phase == b.CHOOSE:
        plays.take(state, colour)
    elif phase == b.GIVE:
        state.first = colour
        state.phase = b.TAKE
    elif phase == b.TAKE:  # FF-20: back to the highest free space, and the lowest of the other
        state.own[state.player * b.N_COLOURS + state.first] -= 1
        state.board[state.first] += 1
        plays.take(state, colour)
    elif phase == b.SWITCH_1:
        state.first = colour
        state.phase = b.SWITCH_2
    elif phase == b.SWITCH_2:
        plays.switch(state, state.first, colour)
    else:
        plays.grab(state, colour)
        plays.grab_rest(state)


# The turn ----------------------------------------------------------------------------------------
def _start(state: State, seat: int) -> None:
    """FF-7, FF-8: the starting seat is known; cash, and three cards each in turn order."""
    for i in range(state.players):
        state.money[(seat + i) % state.players] = START_CASH[i]
    state.player = seat
    _deal(state, b.OPENING, b.HAND)


def _deal(state: State, what: int, cards: int) -> None:
    """So many cards are to be drawn by the player on turn."""
    state.deal = what
    state.due = cards
    state.phase = b.DRAW


def _count(state: State) -> None:
    """FF-25: a deal begins; from here on, numbered cards that come are counted."""
    for colour in range(b.N_COLOURS):
        state.before[colour] = b.numbered(state, state.player, colour)


def _draw(state: State, kind: int) -> None:
    """FF-17: a card to the end of the hand; the discard pile is a new deck only when one must be drawn."""
    if not state.left:
        for k in range(b.N_KINDS):
            state.unseen[k] = state.used[k]
            state.left += state.used[k]
            state.used[k] = 0
    seat = state.player
    state.unseen[kind] -= 1
    state.left -= 1
    state.hand[seat * b.MOST_CARDS + state.held[seat]] = kind
    state.held[seat] += 1
    state.due -= 1
    if not state.due:
        _dealt(state)


def _dealt(state: State) -> None:
    """FF-25: the bank pays for new triples; then the game goes on."""
    seat = state.player
    for colour in range(b.N_COLOURS):
        triples = b.numbered(state, seat, colour) // 3 - state.before[colour] // 3
        state.money[seat] += b.BONUS * max(triples, 0)
    if state.deal == b.EXTRA_CARDS:
        state.phase = b.PLAY
    elif state.deal == b.REFILL:
        _next_turn(state)
    else:  # FF-8
        state.player = (seat + 1) % state.players
        if state.held[state.player]:
            state.phase = b.ROLL
        else:
            _deal(state, b.OPENING, b.HAND)


def _next_turn(state: State) -> None:
    state.turns += 1
    state.player = (state.player + 1) % state.players
    state.phase = b.ROLL


def _roll(state: State, outcome: int) -> None:
    """FF-11: gem die and up/down die."""
    state.gem = outcome >> 4
    state.step = (outcome & 15) - STEP_ZERO
    state.crashed = 0
    state.card = b.NOBODY
    state.first = b.NOBODY
    state.rival = b.NOBODY
    state.attack = 0
    state.defence = 0
    for colour in range(b.N_COLOURS):
        state.was[colour] = state.marker[colour]
    if state.gem == b.WILD:
        state.phase = b.NAME
        return
    for colour in range(b.N_COLOURS):
        if state.gem == colour or (state.gem == b.ALL and not state.closed[colour]):
            _move(state, colour)
    _after_roll(state)


def _move(state: State, colour: int) -> None:
    """FF-11, FF-12, FF-13: a marker moves."""
    rung = max(state.marker[colour] + state.step, 0)
    if rung <= b.TOP:
        state.marker[colour] = rung
    elif state.stops[colour]:
        state.marker[colour] = b.TOP
    else:
        _close(state, colour)
        state.crashed |= 1 << colour


def _close(state: State, colour: int) -> None:
    """FF-26: all gems of the colour go out of play unpaid."""
    state.closed[colour] = 1
    state.board[colour] = 0
    state.marker[colour] = 0
    for seat in range(state.players):
        state.own[seat * b.N_COLOURS + colour] = 0


def _after_roll(state: State) -> None:
    """FF-27: over when no market is open; FF-14: else his own STOPs are taken off, and he may act."""
    if not b.open_markets(state):
        state.phase = b.OVER
        return
    for colour in range(b.N_COLOURS):
        state.stops[colour] &= ~(1 << state.player)
    state.extra = 1
    state.phase = b.PLAY


def _act(state: State, action: int) -> None:
    """FF-15, FF-16, FF-17, FF-23: what can be done between roll and end."""
    seat = state.player
    if action >= PLAY:
        _play(state, action - PLAY)
    elif action >= STOP_AT:
        state.holds[seat] = 0
        state.stops[action - STOP_AT] |= 1 << seat
    elif action == BUY_STOP:
        state.money[seat] -= b.STOP_PRICE
        state.bought[seat] = 1
        state.holds[seat] = 1
    elif action > DISCARD:
        cards = action - EXTRA
        state.extra = 0
        state.money[seat] -= cards * b.EXTRA_PRICE
        _deal(state, b.EXTRA_CARDS, cards)
    elif action == DISCARD:
        state.phase = b.TOSS


def _toss(state: State, cards: int) -> None:
    """FF-17: the cards in these places are discarded, from the last place on so that the others keep theirs."""
    for place in range(state.held[state.player] - 1, -1, -1):
        if cards >> place & 1:
            _discard(state, place)


def _discard(state: State, place: int) -> None:
    """The card in this place of the hand of the player on turn goes to the discard pile."""
    first = state.player * b.MOST_CARDS
    state.held[state.player] -= 1
    state.used[state.hand[first + place]] += 1
    for i in range(place, state.held[state.player]):
        state.hand[first + i] = state.hand[first + i + 1]
    state.hand[first + state.held[state.player]] = b.NOBODY


def _end_turn(state: State) -> None:
    """FF-17: he draws until he has three."""
    state.extra = 0
    missing = b.HAND - state.held[state.player]
    if missing:
        _deal(state, b.REFILL, missing)
    else:
        _next_turn(state)


# Plays -------------------------------------------------------------------------------------------
def _play(state: State, kind: int) -> None:
    """FF-16: the card is laid down; what is still to be said is asked next."""
    state.extra = 0  # FF-15
    place = 0
    while state.hand[state.player * b.MOST_CARDS + place] != kind:
        place += 1
    _discard(state, place)
    state.card = kind
    state.first = b.NOBODY
    if kind == b.EXCHANGE:
        state.phase = b.GIVE
    elif kind == b.SWITCH:
        state.phase = b.SWITCH_1
    elif kind == b.HEIST:
        state.phase = b.RIVAL
    elif kind < b.FREE:
        state.phase = b.TRADE
    elif state.closed[kind - b.FREE]:  # FF-24
        state.phase = b.CHOOSE
    else:  # FF-19
        plays.take(state, kind - b.FREE)


# Chance ------------------------------------------------------------------------------------------
def roll_outcome(gem: int, step: int) -> int:
    """The outcome of a roll: what the gem die shows, and how far a marker moves."""
    return gem << 4 | step + STEP_ZERO


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """All outcomes with integer weights: a seat, a kind of card, a roll of both dice, or one of a heist die."""
    phase = state.phase
    n = 0
    if phase == b.START:  # FF-7
        for seat in range(state.players):
            out[n] = seat
            weights[n] = 1
            n += 1
    elif phase == b.DRAW:  # FF-17
        for kind in range(b.N_KINDS):
            cards = state.unseen[kind] if state.left else state.used[kind]
            if cards:
                out[n] = kind
                weights[n] = cards
                n += 1
    elif phase == b.ROLL:
        n = _rolls(state, out, weights)
    elif phase == b.ATTACK or phase == b.DEFEND:  # FF-4
        for shown in range(1, state.heist_die + 1):
            out[n] = shown
            weights[n] = 1
            n += 1
    return n


def _rolls(state: State, out: Buffer, weights: Buffer) -> int:
    """FF-11: each open market, Wild and All alike; with one market the gem die is not rolled."""
    alone = b.open_markets(state) == 1
    n = 0
    for gem in range(b.N_COLOURS + 2):
        if alone and gem >= b.WILD:
            break
        if gem < b.WILD and state.closed[gem]:
            continue
        for i in range(b.N_STEPS):
            same = 0
            first = True
            for j in range(b.N_STEPS):
                if state.steps[j] == state.steps[i]:
                    same += 1
                    first = first and j >= i
            if first:
                out[n] = roll_outcome(gem, state.steps[i])
                weights[n] = same
                n += 1
    return n


def sample_chance(state: State, rng: Buffer) -> int:
    """One outcome, drawn with its probability."""
    phase = state.phase
    if phase == b.DRAW:
        if state.left:
            return choose_weighted(rng, state.unseen, b.N_KINDS)
        return choose_weighted(rng, state.used, b.N_KINDS)
    if phase == b.ROLL:
        return _sample_roll(state, rng)
    if phase == b.START:
        return random_below(rng, state.players)
    return 1 + random_below(rng, state.heist_die)


def _sample_roll(state: State, rng: Buffer) -> int:
    """FF-11: of the k open markets, Wild and All one at random."""
    k = b.open_markets(state)
    at = random_below(rng, k + 2) if k > 1 else 0
    gem = 0
    while gem < b.WILD and (state.closed[gem] or at):
        at -= 1 - state.closed[gem]
        gem += 1
    return roll_outcome(gem + at, state.steps[random_below(rng, b.N_STEPS)])


# The end, and what is seen -----------------------------------------------------------------------
def scores(state: State, out: Buffer) -> None:
    """The money by seat."""
    for seat in range(state.players):
        out[seat] = state.money[seat]


def returns(state: State, out: Any) -> None:
    """FF-27, FF-28: 1 to who cornered a market, else shared by those with the most money; all 0 before the end."""
    best = state.money[0]
    for seat in range(1, state.players):
        best = max(best, state.money[seat])
    winners = 0
    for seat in range(state.players):
        winners += 1 if state.money[seat] == best else 0
    for seat in range(state.players):
        share = 1.0 / winners if state.money[seat] == best else 0.0
        if state.corner != b.NOBODY:
            share = 1.0 if seat == state.corner else 0.0
        out[seat] = share if state.phase == b.OVER else 0.0


def observation(state: State, player: int, out: Buffer) -> int:
    """FF-30: what the seat sees, itself first: turn and dice, markets, players, deck and discards."""
    out[0] = state.players
    out[1] = state.phase
    out[2] = (state.player - player) % state.players
    out[3] = state.turns
    out[4] = state.dead_wild
    out[5] = state.extra
    out[6] = state.card
    out[7] = state.first
    out[8] = b.NOBODY if state.rival == b.NOBODY else (state.rival - player) % state.players
    out[9] = state.attack
    out[10] = state.defence
    out[11] = state.booty
    out[12] = state.gem
    out[13] = state.step
    out[14] = state.due
    out[15] = state.left
    out[16] = b.NOBODY if state.corner == b.NOBODY else (state.corner - player) % state.players
    out[17] = state.deal  # FF-15, FF-17: extra cards and a refill end differently
    turned = player % state.players
    n = 18
    for colour in range(b.N_COLOURS):
        out[n] = state.board[colour]
        out[n + 1] = state.marker[colour]
        out[n + 2] = state.closed[colour]
        stops = state.stops[colour]
        out[n + 3] = (stops >> turned | stops << state.players - turned) & (1 << state.players) - 1
        out[n + 4] = state.before[colour]
        n += 5
    for i in range(b.SEATS):
        seat = (player + i) % state.players
        there = i < state.players
        out[n] = state.money[seat] if there else 0
        out[n + 1] = state.holds[seat] if there else 0
        out[n + 2] = state.bought[seat] if there else 0
        n += 3
        for colour in range(b.N_COLOURS):
            out[n] = state.own[seat * b.N_COLOURS + colour] if there else 0
            n += 1
        for place in range(b.MOST_CARDS):
            out[n] = state.hand[seat * b.MOST_CARDS + place] if there else b.NOBODY
            n += 1
    for kind in range(b.N_KINDS):
        out[n] = state.unseen[kind]
        out[n + 1] = state.used[kind]
        n += 2
    return n


def observed_action(state: State, action: int, player: int) -> int:
    """FF-30: everybody sees everything."""
    return action


def resample(state: State, player: int, rng: Buffer) -> None:
    """FF-30: nothing is hidden but the order of the deck, which is drawn when it is turned."""
