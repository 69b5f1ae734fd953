"""Facets of Fortune: what is observed, in the order that the facts name (`Facts.observed`)."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules.state import State, seat_after


def observation(state: State, player: int, out: Buffer) -> int:
    """FF-30: write what the seat sees: turn and dice, markets, players (itself first), deck and discards.

    Seats are counted from `player` (from seat 0 for a spectator) in turn order, including in the bits of STOP cards.
    """
    own = max(player, 0)
    out[0] = state.players
    out[1] = state.phase
    out[2] = places_on(state, own, state.player)
    out[3] = state.turns
    out[4] = state.dead_wild
    out[5] = state.extra
    out[6] = state.card
    out[7] = state.first
    out[8] = p.NOBODY if state.rival == p.NOBODY else places_on(state, own, state.rival)
    out[9] = state.attack
    out[10] = state.defence
    out[11] = state.booty
    out[12] = state.gem
    out[13] = state.step
    out[14] = state.due
    out[15] = state.left
    out[16] = p.NOBODY if state.corner == p.NOBODY else places_on(state, own, state.corner)
    out[17] = state.deal  # FF-15, FF-17: extra cards and a refill end differently
    n = 18
    for colour in range(p.N_COLOURS):
        out[n] = state.board[colour]
        out[n + 1] = state.marker[colour]
        out[n + 2] = state.closed[colour]
        out[n + 3] = 0
        for i in range(state.players):
            out[n + 3] |= (state.stops[colour] >> seat_after(state, own, i) & 1) << i
        out[n + 4] = state.before[colour]
        n += 5
    for i in range(p.SEATS):
        seat = seat_after(state, own, i % state.players)
        there = i < state.players
        out[n] = state.money[seat] if there else 0
        out[n + 1] = state.holds[seat] if there else 0
        out[n + 2] = state.bought[seat] if there else 0
        n += 3
        for colour in range(p.N_COLOURS):
            out[n] = state.own[seat][colour] if there else 0
            n += 1
        for place in range(p.MOST_CARDS):
            out[n] = state.hand[seat][place] if there else p.NOBODY
            n += 1
    for kind in range(p.N_KINDS):
        out[n] = state.unseen[kind]
        out[n + 1] = state.used[kind]
        n += 2
    out[n] = state.backward
    out[n + 1] = state.wild_stop
    return n + 2


def places_on(state: State, own: int, seat: int) -> int:
    """FF-7: return how many places further than `own` a seat is in turn order."""
    return (own - seat if state.backward else seat - own) % state.players
