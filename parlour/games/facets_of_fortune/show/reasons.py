"""Why something cannot be done in Facets of Fortune: sentences with the clause behind them."""

from __future__ import annotations

from typing import Any

from parlour.core.scene import Reason, number
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show.words import MARKETS

AWAITED = {
    r.NAME: Reason("The die shows Wild: first name the market that moves.", "FF-11"),
    r.TRADE: Reason("A numbered card is played: buy with it, or sell.", "FF-18"),
    r.CHOOSE: Reason("A Free Gem is played: name its market.", "FF-24"),
    r.GIVE: Reason("A Free Exchange is played: name a colour of yours to put back.", "FF-20"),
    r.TAKE: Reason("A Free Exchange is played: name the colour to take.", "FF-20"),
    r.SWITCH_1: Reason("Switch Markets is played: name the first market.", "FF-21"),
    r.SWITCH_2: Reason("Switch Markets is played: name the second market.", "FF-21"),
    r.RIVAL: Reason("A Heist is played: name an opponent.", "FF-22"),
    r.PICK: Reason("The heist has succeeded: take your gems, one at a time.", "FF-22"),
    r.TOSS: Reason("You are ending your turn: choose the cards to discard.", "FF-17"),
}


def why_not(state: Any, action: int) -> Reason:
    """Why `action`, which is not legal in `state`, is not."""
    if state.phase == r.PLAY:
        return _in_turn(state, action)
    if state.phase == r.TRADE and r.BUY <= action < r.ROB:
        colour, gems = r.traded(action)
        return trade(state, colour, abs(gems), buys=gems > 0)
    if state.phase == r.RIVAL and r.ROB <= action < r.PLACES:
        return rival(state, action - r.ROB)
    if state.phase == r.TOSS and action >= r.PLACES:
        return Reason("Name at least one card that you hold, and keep no more than three.", "FF-17")
    if r.MARKET <= action < r.BUY and state.phase not in (r.TRADE, r.RIVAL, r.TOSS):
        return market(state, action - r.MARKET)
    return AWAITED[state.phase]


def _in_turn(state: Any, action: int) -> Reason:
    if r.CARD <= action < r.MARKET:
        return card(state, action - r.CARD)
    if r.STOP_AT <= action < r.CARD:
        return stop(state, action - r.STOP_AT)
    if action == r.BUY_STOP:
        return extra_stop(state)
    if action == r.END:
        return Reason("At most three cards are kept: discard some first.", "FF-17")
    if action == r.DISCARD:
        return Reason("You have no card left to discard.", "FF-17")
    if action < r.BUY_STOP:
        return extra_cards(state, action - r.EXTRA)
    if action >= r.PLACES:
        return Reason("Say first that you want to discard.", "FF-17")
    return Reason("Play a card first.", "FF-16")


def extra_cards(state: Any, cards: int) -> Reason:
    """FF-15."""
    if not state.extra:
        return Reason("New cards are bought once in a turn, before the first card is played.", "FF-15")
    return Reason(f"That costs {number(cards * r.EXTRA_PRICE)}; you have {number(state.money[state.player])}.", "FF-15")


def stop(state: Any, colour: int) -> Reason:
    """FF-23: why no STOP can be placed there."""
    if not state.holds[state.player]:
        return Reason("You hold no STOP card.", "FF-23")
    if state.closed[colour]:
        return Reason(f"{MARKETS[colour]} is closed.", "FF-23")
    return Reason(f"A STOP of yours lies on {MARKETS[colour]} already.", "FF-23")


def extra_stop(state: Any) -> Reason:
    """FF-23: why no other STOP can be bought."""
    seat = state.player
    if state.holds[seat]:
        return Reason("You still hold a STOP card.", "FF-23")
    if state.bought[seat]:
        return Reason("One extra STOP is all that can be bought in a game.", "FF-23")
    return Reason(f"An extra STOP costs {number(r.STOP_PRICE)}; you have {number(state.money[seat])}.", "FF-23")


def card(state: Any, kind: int) -> Reason:
    """Why the player on turn cannot play this card now."""
    if kind not in state.hand[state.player]:
        return Reason("You do not hold that card.", "FF-16")
    printed = r.colour_of(kind)
    if r.is_dead(state, kind):
        return Reason(f"{MARKETS[printed]} is closed: its cards cannot be played.", "FF-24")
    if kind == r.HEIST:
        return Reason("No opponent has a gem.", "FF-22")
    if kind == r.SWITCH:
        return Reason("No two markets can be switched: STOPs lie there, or nothing would change.", "FF-21")
    if kind == r.EXCHANGE:
        if not r.gems_of(state, state.player):
            return Reason("You have no gem to put back.", "FF-20")
        return Reason("No other open market has a gem to take.", "FF-20")
    if kind >= r.FREE:
        return Reason("There is no gem to take.", "FF-19")
    if printed == r.NOBODY or state.closed[printed]:
        return Reason("You can pay for no gem, and have none to sell.", "FF-18")
    return trade(state, printed, 1, buys=True)


def trade(state: Any, colour: int, gems: int, buys: bool) -> Reason:
    """FF-18: why this many cannot be bought or sold with the card being played, or with one of
    that colour."""
    name = MARKETS[colour]
    if state.closed[colour]:
        return Reason(f"{name} is closed.", "FF-26")
    if state.phase == r.TRADE and not r.serves(state, state.card, colour):
        return Reason(f"This card is not for {name}.", "FF-18")
    if state.phase == r.TRADE and gems > r.number_of(state.card):
        return Reason(f"This card is for {r.number_of(state.card)} at the most.", "FF-18")
    if not buys:
        return Reason(f"You own {state.own[state.player][colour]} of {name}.", "FF-18")
    if gems > state.board[colour]:
        return Reason(f"{state.board[colour] or 'No'} {name} {'gem is' if state.board[colour] == 1 else 'gems are'} "
                      "left on the board.", "FF-9")  # fmt: skip
    price = number(r.cost(state, colour, gems))
    return Reason(f"That costs {price}; you have {number(state.money[state.player])}.", "FF-18")


def rival(state: Any, seat: int) -> Reason:
    """FF-22: why this seat cannot be attacked."""
    if seat == state.player:
        return Reason("You cannot heist yourself.", "FF-22")
    return Reason("There is no such player." if seat >= state.players else "This player has no gem.", "FF-22")


def market(state: Any, colour: int) -> Reason:
    """Why this market cannot be named now."""
    name = MARKETS[colour]
    phase = state.phase
    if phase in (r.NAME, r.CHOOSE, r.TAKE) and state.closed[colour]:
        return Reason(f"{name} is closed.", "FF-26")
    if phase == r.TAKE and colour == state.first:
        return Reason("Take another colour than the one put back.", "FF-20")
    if phase in (r.CHOOSE, r.TAKE):
        return Reason(f"No {name} gem is left on the board.", "FF-9")
    if phase == r.GIVE:
        if state.own[state.player][colour]:
            return Reason("No other open market has a gem to take.", "FF-20")
        return Reason(f"You own no {name} gem.", "FF-20")
    if phase == r.PICK:
        return Reason("That player has none of these.", "FF-22")
    if state.stops[colour]:
        return Reason(f"A STOP lies on {name}.", "FF-21")
    if phase == r.SWITCH_2 and colour == state.first:
        return Reason("Name another market.", "FF-21")
    return Reason("Nothing would change, or both are closed.", "FF-21")
