"""What speaks for a decision of Facets of Fortune: what a market can still do, and what gems bring. The unit is money,
as in `policy`; nothing is hidden (FF-30)."""

from __future__ import annotations

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.study import policy

WINS = 1e9
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
        return _moved(state, seat, action - r.MARKET, state.marker[action - r.MARKET] + state.step)
    if phase == r.SWITCH_2:
        return _switched(state, seat, state.first, action - r.MARKET)
    if phase == r.RIVAL:
        rival = action - r.ROB
        return [Ground("booty", 100_000.0 * r.gems_of(state, rival), (rival, r.gems_of(state, rival)))]
    return _tossed(state, seat, action - r.PLACES) if phase == r.TOSS else []


def can_crash(state: r.State, colour: int) -> bool:
    """FF-11, FF-13: whether the next roll can crash this open market."""
    return any(not state.closed[colour] and r.fate(state, colour, step) == r.CRASHES for step in state.steps)


def _traded(state: r.State, seat: int, colour: int, gems: int) -> list[Ground]:
    """FF-18, FF-28."""
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
    """FF-15 to FF-23: what a STOP keeps; what the card can be used for."""
    if r.STOP_AT <= action < r.CARD:
        colour = action - r.STOP_AT
        own = state.own[seat][colour]
        if own and can_crash(state, colour):
            return [Ground("stop", 0.5 * own * r.sell_price(state, colour), (own, colour))]
        return []
    if action < r.CARD:
        return []
    after = copy(state)
    r.apply(after, action)
    if after.phase not in AT_WORK:
        colour = action - r.CARD - r.FREE  # FF-19: the gem has been taken
        if after.phase == r.OVER:
            return [Ground("corner", WINS, (colour,))]
        return [Ground("free", policy.hope(state, colour, state.marker[colour]), (colour, r.buy_price(state, colour)))]
    legal = [0] * r.MAX_LEGAL
    found = [one for then in legal[: min(MANY, r.legal_actions(after, legal))] for one in grounds(after, then)]
    return [max(found, key=lambda ground: ground.weight)] if found else []


def _moved(state: r.State, seat: int, colour: int, rung: int) -> list[Ground]:
    """FF-12, FF-13: a marker moves there, or beyond the top."""
    own = state.own[seat][colour]
    if rung > r.TOP:
        others = sum(state.own[one][colour] for one in range(state.players)) - own
        crashes = r.fate(state, colour, rung - state.marker[colour]) == r.CRASHES
        if crashes and not own and others:
            return [Ground("ruin", others * 0.5 * r.sell_price(state, colour), (others, colour))]
        rung = r.TOP
        if crashes:
            return []
    if rung <= state.marker[colour] or not own:
        return []
    more = policy.stock(state, colour, own, rung) - policy.stock(state, colour, own, state.marker[colour])
    return [Ground("up", more, (own, colour, state.ladder[rung]))] if more > 0 else []


def _switched(state: r.State, seat: int, one: int, other: int) -> list[Ground]:
    """FF-21: between two open markets."""
    if state.closed[one] or state.closed[other]:
        return []
    found = [
        ground
        for colour in (one, other)
        for ground in _moved(state, seat, colour, state.marker[one + other - colour])
    ]  # fmt: skip
    return [max(found, key=lambda ground: ground.weight)] if found else []


def _tossed(state: r.State, seat: int, places: int) -> list[Ground]:
    """FF-24: cards that are good for nothing."""
    dead = sum(places >> i & 1 and r.is_dead(state, state.hand[seat][i]) for i in range(state.held[seat]))
    kept = sum(r.is_dead(state, state.hand[seat][i]) for i in range(state.held[seat])) - dead
    return [Ground("dead", float(policy.FRESH * dead), (dead,))] if dead and not kept else []
