"""The reasons for a decision of Facets of Fortune: what a market can still do, and what gems sell for.

The unit is money, as in `policy`; nothing is hidden (FF-30).
"""

from __future__ import annotations

from dataclasses import replace

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.study import policy

WINS = 1e9
UNSOLD, SINGLE, LOW = 0, 1, 2  # why a card is worth less than a new one
AT_WORK = (r.TRADE, r.CHOOSE, r.GIVE, r.TAKE, r.SWITCH_1, r.SWITCH_2, r.RIVAL)  # the card asks for more
MANY = 64  # decisions of a card that are looked at


def grounds(state: r.State, action: int) -> list[Ground]:
    """See `parlour.core.contract.Grounds`."""
    phase, seat = state.phase, state.player
    if phase == r.TRADE:
        return _traded(state, seat, *r.traded(action))
    if phase == r.PLAY:
        return _played(state, seat, action)
    if phase in (r.CHOOSE, r.TAKE, r.PICK):
        colour = action - r.MARKET
        return [
            Ground("price", policy.hope(state, colour, state.marker[colour]), (colour, r.sell_price(state, colour)))
        ]
    if phase == r.NAME:
        colour = action - r.MARKET
        step = 0 if r.stays(state, r.WILD, colour, state.step) else state.step
        return _moved(state, seat, colour, state.marker[colour] + step)
    if phase == r.SWITCH_1:
        found = [
            replace(ground, what="can " + ground.what)
            for other in range(r.N_COLOURS) if r.may_switch(state, action - r.MARKET, other)
            for ground in _switched(state, seat, action - r.MARKET, other)
        ]  # fmt: skip
        return [_most(found)] if found else []
    if phase == r.SWITCH_2:
        return _switched(state, seat, state.first, action - r.MARKET)
    if phase == r.GIVE:
        return _given(state, seat, action - r.MARKET)
    if phase == r.RIVAL:
        rival = action - r.ROB
        return [Ground("booty", 100_000.0 * r.gems_of(state, rival), (rival, r.gems_of(state, rival)))]
    return _tossed(state, seat, action - r.PLACES) if phase == r.TOSS else []


def can_crash(state: r.State, colour: int) -> bool:
    """Return whether the next roll can crash this open market (FF-11, FF-13)."""
    return any(not state.closed[colour] and r.fate(state, colour, colour, step) == r.CRASHES for step in state.steps)


def _traded(state: r.State, seat: int, colour: int, gems: int) -> list[Ground]:
    """Return the reasons to buy or sell these gems (FF-18, FF-28)."""
    own, rung = state.own[seat][colour], state.marker[colour]
    more = policy.stock(state, colour, own + gems, rung) - policy.stock(state, colour, own, rung)
    if own + gems == r.GEMS:
        return [Ground("corner", WINS, (colour,))]
    if gems > 0:
        profit = more - r.cost(state, colour, gems)
        return [Ground("rises", profit, (colour, r.TOP - rung))] if profit > 0 and rung < r.TOP else []
    price = r.sell_price(state, colour)
    profit = more - gems * price
    found = [Ground("sells", profit, (colour, price, rung + 1))] if profit > 0 else []
    if can_crash(state, colour):
        found.append(Ground("crash", -gems * price * 0.5, (colour,)))
    return found


def _played(state: r.State, seat: int, action: int) -> list[Ground]:
    """Return what a STOP protects, or what the card can be used for (FF-15 to FF-23)."""
    if r.STOP_AT <= action < r.CARD:
        colour = action - r.STOP_AT
        own = state.own[seat][colour]
        if own and can_crash(state, colour):
            return [Ground("stop", 0.5 * own * r.sell_price(state, colour), (own, colour))]
        return []
    if action < r.CARD and action != r.DISCARD:
        return []
    after = copy(state)
    r.apply(after, action)
    if after.phase not in AT_WORK and action != r.DISCARD:
        colour = action - r.CARD - r.FREE  # FF-19: the gem has been taken
        if after.phase == r.OVER:
            return [Ground("corner", WINS, (colour,))]
        return [Ground("free", policy.hope(state, colour, state.marker[colour]), (colour, r.buy_price(state, colour)))]
    legal = [0] * r.MAX_LEGAL
    found = [one for then in legal[: min(MANY, r.legal_actions(after, legal))] for one in grounds(after, then)]
    return [_most(found)] if found else []


def _most(found: list[Ground]) -> Ground:
    return max(found, key=lambda ground: ground.weight)


def _moved(state: r.State, seat: int, colour: int, rung: int) -> list[Ground]:
    """Return what it does if the marker moves there, or beyond the top (FF-12, FF-13)."""
    own = state.own[seat][colour]
    if rung > r.TOP:
        others = sum(state.own[one][colour] for one in range(state.players)) - own
        crashes = r.fate(state, colour, colour, rung - state.marker[colour]) == r.CRASHES
        if crashes and not own and others:
            return [Ground("ruin", others * 0.5 * r.sell_price(state, colour), (others, colour))]
        rung = r.TOP
        if crashes:
            return []
    if rung < state.marker[colour]:  # FF-12: down
        most = max(
            _loss(state, seat, one, rung - state.marker[colour]) for one in range(r.N_COLOURS) if not state.closed[one]
        )
        lowest = state.marker[colour] == 0
        return [Ground("falls", most, (colour, int(lowest)))] if most > 0 and (lowest or not own) else []
    if rung == state.marker[colour] or not own:
        return []
    more = policy.stock(state, colour, own, rung) - policy.stock(state, colour, own, state.marker[colour])
    return [Ground("up", more, (own, colour, state.ladder[rung]))] if more > 0 else []


def _loss(state: r.State, seat: int, colour: int, step: int) -> float:
    """Return what this player loses if the marker of an open market goes down by this step (FF-12)."""
    own, rung = state.own[seat][colour], state.marker[colour]
    return policy.stock(state, colour, own, rung) - policy.stock(state, colour, own, max(0, rung + step))


def _switched(state: r.State, seat: int, one: int, other: int) -> list[Ground]:
    """Return what the player gains or the best opponent loses when two open markets are switched, if it exceeds the
    opposite effect (FF-21)."""
    if state.closed[one] or state.closed[other]:
        return []
    rival = max((who for who in range(state.players) if who != seat), key=lambda who: policy._wealth(state, who))
    found = []
    for who, what, sign in ((seat, "up", 1.0), (rival, "down", -0.5)):
        change = {
            colour: sign * policy._moved(state, who, colour, one + other - colour)
            for colour in (one, other)
        }  # fmt: skip
        colour, more = max(change, key=lambda at: change[at]), sum(change.values())
        price, new = (state.ladder[state.marker[at]] for at in (colour, one + other - colour))
        if more > 0 and (new > price) == (what == "up"):  # a price near the top is worth less than one below it
            about = (state.own[who][colour], colour, new)
            found.append(Ground(what, more, about if who == seat else (who, *about)))
    return [_most(found)] if found else []


def _given(state: r.State, seat: int, colour: int) -> list[Ground]:
    """Return the most valuable gem to take in exchange (FF-20)."""
    gains = {
        other: policy._gain(state, seat, other, 1)
        for other in range(r.N_COLOURS)
        if other != colour and state.board[other]
    }
    best = max(gains, key=lambda other: gains[other])
    more = gains[best] + policy._gain(state, seat, colour, -1)
    prices = r.sell_price(state, colour), r.sell_price(state, best)
    return [Ground("dearer", more, (colour, prices[0], best, prices[1]))] if more > 0 and prices[1] > prices[0] else []


def _tossed(state: r.State, seat: int, places: int) -> list[Ground]:
    """FF-17, FF-24: return the reason to discard cards: they cannot be used, or a new card is worth more.

    Of several cards, the one that a new card exceeds most is named.
    """
    hand = state.hand[seat]
    dead = sum(places >> i & 1 and r.is_dead(state, hand[i]) for i in range(state.held[seat]))
    kept = sum(r.is_dead(state, hand[i]) for i in range(state.held[seat])) - dead
    if dead:
        return [] if kept else [Ground("dead", float(policy.FRESH * dead), (dead,))]
    fresh = policy._fresh(state, seat)
    more = {i: fresh - policy.card(state, seat, hand[i]) for i in range(state.held[seat]) if places >> i & 1}
    reasons = {i: about for i in more if more[i] > 0 and (about := _weak(state, seat, hand[i]))}
    if kept or not reasons or min(more.values()) <= 0:
        return []
    return [Ground("toss", sum(more.values()), reasons[max(reasons, key=lambda i: more[i])])]


def _weak(state: r.State, seat: int, kind: int) -> tuple[int, int, int] | None:
    """Return what makes a card weak for `policy`: no gem to sell with it, only one gem, or a low market."""
    colour = r.colour_of(kind)
    if r.FREE <= kind < r.EXCHANGE:
        return None if state.closed[colour] else (LOW, kind, r.sell_price(state, colour))
    if kind >= r.FREE:
        return None
    if colour != r.NOBODY and not state.closed[colour] and not state.own[seat][colour]:
        return UNSOLD, kind, colour
    return (SINGLE, kind, 0) if r.number_of(kind) == 1 else None
