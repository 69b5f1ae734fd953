"""What is said for decisions of Facets of Fortune is true: held against the board, and every roll that may come."""

from __future__ import annotations

from dataclasses import replace

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.study.grounds import LOW, SINGLE, UNSOLD
from tests.games.said import outcomes, said, share, then

GAME = find("facets-of-fortune")


def crashes(state: r.State, colour: int) -> bool:
    """Return whether some roll, and a market named for it, closes this one."""
    rolling = copy(state)
    rolling.phase = r.ROLL
    rolled = [then(GAME, rolling, outcome) for outcome in outcomes(GAME, rolling)]
    named = [then(GAME, one, r.MARKET + colour) for one in rolled if one.phase == r.NAME and not one.closed[colour]]
    return any(one.closed[colour] > state.closed[colour] for one in [*rolled, *named])


def legal(state: r.State) -> list[int]:
    out = [0] * GAME.rules.MAX_LEGAL
    return out[: GAME.rules.legal_actions(state, out)]


def true(state: r.State, action: int, ground: Ground) -> bool:
    """Return whether a ground holds."""
    match ground.what:
        case "crash" | "stop" | "ruin" | "dead":
            return true_of_crashes(state, action, ground)
        case "sells" | "free" | "dearer":
            return true_of_trade(state, action, ground)
        case "corner" | "toss" | "booty":
            return true_of_holdings(state, action, ground)
    return true_of_prices(state, action, ground)


def true_of_crashes(state: r.State, action: int, ground: Ground) -> bool:
    about, seat = ground.about, state.player
    after = then(GAME, state, action)
    match ground.what:
        case "crash":
            return crashes(state, about[0])
        case "stop":
            return state.own[seat][about[1]] == about[0] and crashes(state, about[1]) and not crashes(after, about[1])
        case "ruin":
            n, colour = about
            lost = sum(state.own[one][colour] - after.own[one][colour] for one in range(state.players) if one != seat)
            return bool(after.closed[colour]) and lost == n and state.own[seat][colour] == 0
        case "dead":
            return any(state.closed[r.colour_of(kind)] for kind in state.hand[seat] if r.colour_of(kind) != r.NOBODY)
    return False


def true_of_trade(state: r.State, action: int, ground: Ground) -> bool:
    """Return whether a ground holds that says what gems are bought, sold or swapped for."""
    about, seat = ground.about, state.player
    after = then(GAME, state, action)
    own, mine = state.own[seat], after.own[seat]
    match ground.what:
        case "sells":
            colour, price, step = about
            given = own[colour] - mine[colour]
            paid = given * price == after.money[seat] - state.money[seat] if state.phase == r.TRADE else True
            return paid and state.ladder[step - 1] == price == r.sell_price(state, colour)
        case "free":
            colour, price = about
            return (
                mine[colour] == own[colour] + 1 and after.money == state.money and r.buy_price(state, colour) == price
            )
        case "dearer":
            given, low, taken, high = about
            if state.phase == r.GIVE:
                after = then(GAME, after, r.MARKET + taken)
            return (
                (r.sell_price(state, given), r.sell_price(state, taken)) == (low, high)
                and low < high
                and (
                    state.phase == r.PLAY
                    or (after.own[seat][given], after.own[seat][taken]) == (own[given] - 1, own[taken] + 1)
                )
            )
    return False


def true_of_holdings(state: r.State, action: int, ground: Ground) -> bool:
    """Return whether a ground holds that says what a player has: all of a colour, the most gems, a useless card."""
    about, seat = ground.about, state.player
    match ground.what:
        case "corner":
            after = then(GAME, state, action)
            return about[0] in range(4) and (state.phase == r.PLAY or share(GAME, after, seat) == 1.0)
        case "toss":
            why, kind, more = about
            colour = r.colour_of(kind)
            held = kind in state.hand[seat][: state.held[seat]] and not r.is_dead(state, kind)
            sold = [r.serves(state, kind, one) and state.own[seat][one] > 0 for one in range(r.N_COLOURS)]
            return (
                held
                and {
                    UNSOLD: not any(sold) and colour == more,
                    SINGLE: kind < r.FREE and r.KINDS[kind].endswith("-1"),
                    LOW: r.KINDS[kind].startswith("free-") and r.sell_price(state, colour) == more,
                }[why]
            )
        case "booty":
            return sum(state.own[about[0]]) == about[1] and about[0] != seat
    return False


def true_of_prices(state: r.State, action: int, ground: Ground) -> bool:
    about, seat = ground.about, state.player
    after = then(GAME, state, action)
    own = state.own[seat]
    match ground.what:
        case "rises":  # FF-1: rungs above its own
            above = state.ladder[state.marker[about[0]] + 1 :]
            return len(above) == about[1] and all(price > r.sell_price(state, about[0]) for price in above)
        case "price":
            return r.sell_price(state, about[0]) == about[1] and not state.closed[about[0]]
        case "up":
            n, colour, price = about
            return own[colour] == n and r.sell_price(after, colour) == price > r.sell_price(state, colour)
        case "down":
            who, n, colour, price = about
            less = r.sell_price(after, colour) == price < r.sell_price(state, colour)
            return who != seat and state.own[who][colour] == n > 0 and less
        case "can up" | "can down":  # FF-21: by some second market, after some first one
            plain = replace(ground, what=ground.what.removeprefix("can "))
            named = [after] if state.phase == r.SWITCH_1 else [then(GAME, after, one) for one in legal(after)]
            return any(true(one, other, plain) for one in named for other in legal(one))
        case "falls":
            was, price = r.sell_price(state, about[0]), r.sell_price(after, about[0])
            return state.phase == r.NAME and (
                price == was == state.ladder[0] if about[1] else own[about[0]] == 0 and price < was
            )
    return False


def test_what_is_said_holds_on_the_board_and_for_every_roll() -> None:
    met = set()
    for state, action, ground in said(GAME, 2, most=400):
        assert true(copy(state), action, ground), (ground, state.phase, action)
        met.add(ground.what)
    usual = {
        "rises",
        "sells",
        "crash",
        "stop",
        "price",
        "free",
        "up",
        "booty",
        "dead",
        "toss",
        "dearer",
        "can up",
        "falls",
    }
    assert usual <= met <= usual | {"corner", "ruin", "down", "can down"}


def test_a_market_that_crashes_over_others_alone() -> None:
    """FF-13, FF-26; in play it is rare."""
    state = copy(next(state for state, _, _ in said(GAME, 1) if state.phase == r.PLAY))
    state.phase, state.step = r.NAME, 3
    state.marker[0], state.closed[0], state.stops[0] = r.TOP, 0, 0
    for seat in range(state.players):
        state.own[seat][0] = 2 * (seat != state.player)
    assert GAME.grounds is not None
    (ground,) = GAME.grounds.grounds(state, r.MARKET)
    assert ground.what == "ruin"
    assert true(state, r.MARKET, ground)
    state.own[state.player][0] = 1
    assert GAME.grounds.grounds(state, r.MARKET) == []


def test_a_switch_that_costs_an_opponent_more() -> None:
    """FF-21; in play it is rare."""
    state = copy(next(state for state, _, _ in said(GAME, 1) if state.phase == r.PLAY))
    state.phase, state.first = r.SWITCH_2, 0
    seat, other = state.player, (state.player + 1) % state.players
    for colour, rung in ((0, 6), (1, 2)):
        state.marker[colour], state.closed[colour], state.stops[colour] = rung, 0, 0
        for who in range(state.players):
            state.own[who][colour] = 0
    state.own[other][0], state.money[other] = 3, 10**8
    assert GAME.grounds is not None
    (ground,) = GAME.grounds.grounds(state, r.MARKET + 1)
    assert ground.what == "down"
    assert true(state, r.MARKET + 1, ground)
    assert "3 rubies of" in GAME.because(ground, ("Ann", "Bob", "Cyd", "Dan"))
    state.phase = r.SWITCH_1
    grounds = GAME.grounds.grounds(state, r.MARKET)
    assert [one.what for one in grounds] == ["can down"]
    assert true(state, r.MARKET, grounds[0])
    state.own[seat][0] = 9  # then the player's own go down too
    state.phase = r.SWITCH_2
    assert [one for one in GAME.grounds.grounds(state, r.MARKET + 1) if one.what == "up"] == []


def test_the_tenth_gem_of_a_market_wins() -> None:
    """FF-28; in play it is rare."""
    state = next(state for state, _, _ in said(GAME, 1) if state.phase == r.TRADE)
    state = copy(state)
    state.card = r.WILD_1
    state.board[0], state.closed[0], state.money[state.player] = 1, 0, 10**7
    for seat in range(state.players):
        state.own[seat][0] = 0
    state.own[state.player][0] = 9
    assert GAME.grounds is not None
    (ground,) = GAME.grounds.grounds(state, r.buying(0, 1))
    assert share(GAME, then(GAME, state, r.buying(0, 1)), state.player) == 1.0
    assert GAME.because(ground, ()) == "owning all ten rubies wins the game"
