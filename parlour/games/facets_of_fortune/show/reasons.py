"""Why something cannot be done in Facets of Fortune: sentences with the clause behind them."""

from __future__ import annotations

from parlour.core.scene import Reason, number
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show.words import MARKETS

AWAITED = {
    r.NAME: Reason("The die shows Wild: first name the market that moves.", "FF-11"),
    r.TRADE: Reason("You played a numbered card: buy or sell gems with it.", "FF-18"),
    r.CHOOSE: Reason("You played a Free Gem: name its market.", "FF-24"),
    r.GIVE: Reason("You played a Free Exchange: name the colour that you put back.", "FF-20"),
    r.TAKE: Reason("You played a Free Exchange: name the colour that you take.", "FF-20"),
    r.SWITCH_1: Reason("You played Switch Markets: name the first market.", "FF-21"),
    r.SWITCH_2: Reason("You played Switch Markets: name the second market.", "FF-21"),
    r.RIVAL: Reason("You played a Heist: name an opponent.", "FF-22"),
    r.PICK: Reason("Your heist succeeded: take your gems, one at a time.", "FF-22"),
    r.TOSS: Reason("You are ending your turn: choose the cards to discard.", "FF-17"),
}


def why_not(state: r.State, action: int) -> Reason:
    """Return why `action` is not legal in `state`."""
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


def _in_turn(state: r.State, action: int) -> Reason:
    if r.CARD <= action < r.MARKET:
        return card(state, action - r.CARD)
    if r.STOP_AT <= action < r.CARD:
        return stop(state, action - r.STOP_AT)
    if action == r.BUY_STOP:
        return extra_stop(state)
    if action == r.END:
        return Reason("You can keep at most three cards: discard some first.", "FF-17")
    if action == r.DISCARD:
        return Reason("You have no card left to discard.", "FF-17")
    if action < r.BUY_STOP:
        return extra_cards(state, action - r.EXTRA)
    if action >= r.PLACES:
        return Reason("Say 'discard' first.", "FF-17")
    return Reason("Play a card first.", "FF-16")


def extra_cards(state: r.State, cards: int) -> Reason:
    """Return why this many new cards cannot be bought (FF-15)."""
    if not state.extra:
        return Reason("You can buy new cards once a turn, before you play your first card.", "FF-15")
    return Reason(f"That costs {number(cards * r.EXTRA_PRICE)}; you have {number(state.money[state.player])}.", "FF-15")


def stop(state: r.State, colour: int) -> Reason:
    """Return why no STOP can be placed there (FF-23)."""
    if not state.holds[state.player]:
        return Reason("You hold no STOP card.", "FF-23")
    if state.closed[colour]:
        return Reason(f"{MARKETS[colour]} is closed.", "FF-23")
    return Reason(f"Your STOP is on {MARKETS[colour]} already.", "FF-23")


def extra_stop(state: r.State) -> Reason:
    """Return why no other STOP can be bought (FF-23)."""
    seat = state.player
    if state.holds[seat]:
        return Reason("You still hold a STOP card.", "FF-23")
    if state.bought[seat]:
        return Reason("You can buy only one extra STOP in a game.", "FF-23")
    return Reason(f"An extra STOP costs {number(r.STOP_PRICE)}; you have {number(state.money[seat])}.", "FF-23")


def card(state: r.State, kind: int) -> Reason:
    """Return why the player on turn cannot play this card now."""
    if kind not in state.hand[state.player]:
        return Reason("You do not hold that card.", "FF-16")
    printed = r.colour_of(kind)
    if r.is_dead(state, kind):
        return Reason(f"{MARKETS[printed]} is closed: its cards cannot be played.", "FF-24")
    if kind == r.HEIST:
        return Reason("No opponent has a gem.", "FF-22")
    if kind == r.SWITCH:
        return Reason("No two markets can be switched: a STOP forbids it, or nothing would change.", "FF-21")
    if kind == r.EXCHANGE:
        if not r.gems_of(state, state.player):
            return Reason("You have no gem to put back.", "FF-20")
        return Reason("No other open market has a gem to take.", "FF-20")
    if kind >= r.FREE:
        return Reason("There is no gem to take.", "FF-19")
    if printed == r.NOBODY or state.closed[printed]:
        return Reason("You cannot pay for a gem, and you have no gem to sell.", "FF-18")
    return trade(state, printed, 1, buys=True)


def trade(state: r.State, colour: int, gems: int, buys: bool) -> Reason:
    """FF-18: Return why this many cannot be bought or sold with the card being played, or with one of
    that colour."""
    name = MARKETS[colour]
    if state.closed[colour]:
        return Reason(f"{name} is closed.", "FF-26")
    if state.phase == r.TRADE and not r.serves(state, state.card, colour):
        return Reason(f"This card is not for {name}.", "FF-18")
    if state.phase == r.TRADE and gems > r.number_of(state.card):
        return Reason(f"This card is for {r.number_of(state.card)} at most.", "FF-18")
    if not buys:
        own = state.own[state.player][colour]
        return Reason(f"You own {own or 'no'} {name} gem{'s' * (own != 1)}.", "FF-18")
    if gems > state.board[colour]:
        return Reason(f"{state.board[colour] or 'No'} {name} {'gem is' if state.board[colour] == 1 else 'gems are'} "
                      "left on the board.", "FF-9")  # fmt: skip
    price = number(r.cost(state, colour, gems))
    return Reason(f"That costs {price}; you have {number(state.money[state.player])}.", "FF-18")


def rival(state: r.State, seat: int) -> Reason:
    """Return why this seat cannot be attacked (FF-22)."""
    if seat == state.player:
        return Reason("You cannot heist yourself.", "FF-22")
    return Reason("There is no such player." if seat >= state.players else "This player has no gem.", "FF-22")


def market(state: r.State, colour: int) -> Reason:
    """Return why this market cannot be named now."""
    name = MARKETS[colour]
    phase = state.phase
    if phase in (r.NAME, r.CHOOSE, r.TAKE) and state.closed[colour]:
        return Reason(f"{name} is closed.", "FF-26")
    if phase == r.TAKE and colour == state.first:
        return Reason("Take a different colour from the one you put back.", "FF-20")
    if phase in (r.CHOOSE, r.TAKE):
        return Reason(f"No {name} gem is left on the board.", "FF-9")
    if phase == r.GIVE:
        if state.own[state.player][colour]:
            return Reason("No other open market has a gem to take.", "FF-20")
        return Reason(f"You own no {name} gem.", "FF-20")
    if phase == r.PICK:
        return Reason("That player has no gem of this colour.", "FF-22")
    if state.stops[colour]:
        return Reason(f"There is a STOP on {name}.", "FF-21")
    if phase == r.SWITCH_2 and colour == state.first:
        return Reason("Name another market.", "FF-21")
    return Reason("Nothing would change, or both are closed.", "FF-21")
