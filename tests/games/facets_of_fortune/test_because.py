"""What is said for decisions of Facets of Fortune is true: held against the board, and every roll that may come."""

from __future__ import annotations

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.facets_of_fortune import rules as r
from tests.games.said import outcomes, said, share, then

GAME = find("facets-of-fortune")


def crashes(state: r.State, colour: int) -> bool:
    """Whether some roll, and a market named for it, closes this one."""
    rolling = copy(state)
    rolling.phase = r.ROLL
    rolled = [then(GAME, rolling, outcome) for outcome in outcomes(GAME, rolling)]
    named = [then(GAME, one, r.MARKET + colour) for one in rolled if one.phase == r.NAME and not one.closed[colour]]
    return any(one.closed[colour] > state.closed[colour] for one in [*rolled, *named])


def true(state: r.State, action: int, ground: Ground) -> bool:
    """Whether it holds."""
    about, seat = ground.about, state.player
    after = then(GAME, state, action)
    own, mine = state.own[seat], after.own[seat]
    match ground.what:
        case "corner":
            return about[0] in range(4) and (state.phase == r.PLAY or share(GAME, after, seat) == 1.0)
        case "rises":  # FF-1: rungs above its own
            above = state.ladder[state.marker[about[0]] + 1 :]
            return len(above) == about[1] and all(price > r.sell_price(state, about[0]) for price in above)
        case "sells":
            colour, price, step = about
            given = own[colour] - mine[colour]
            paid = given * price == after.money[seat] - state.money[seat] if state.phase == r.TRADE else True
            return paid and state.ladder[step - 1] == price == r.sell_price(state, colour)
        case "crash":
            return crashes(state, about[0])
        case "stop":
            return own[about[1]] == about[0] and crashes(state, about[1]) and not crashes(after, about[1])
        case "price":
            return r.sell_price(state, about[0]) == about[1] and not state.closed[about[0]]
        case "free":
            colour, price = about
            return (
                mine[colour] == own[colour] + 1 and after.money == state.money and r.buy_price(state, colour) == price
            )
        case "up":
            n, colour, price = about
            done = r.sell_price(after, colour) == price if state.phase in (r.NAME, r.SWITCH_2) else True
            return own[colour] == n and price > r.sell_price(state, colour) and done
        case "ruin":
            n, colour = about
            lost = sum(state.own[one][colour] - after.own[one][colour] for one in range(state.players) if one != seat)
            return bool(after.closed[colour]) and lost == n and own[colour] == 0
        case "booty":
            return sum(state.own[about[0]]) == about[1] and about[0] != seat
        case "dead":
            return any(state.closed[r.colour_of(kind)] for kind in state.hand[seat] if r.colour_of(kind) != r.NOBODY)
    return False


def test_what_is_said_holds_on_the_board_and_for_every_roll() -> None:
    met = set()
    for state, action, ground in said(GAME, 2, most=400):
        assert true(copy(state), action, ground), (ground, state.phase, action)
        met.add(ground.what)
    usual = {"rises", "sells", "crash", "stop", "price", "free", "up", "booty", "dead"}
    assert usual <= met <= usual | {"corner", "ruin"}


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
    assert GAME.because(ground, ()) == "all ten rubies in one hand win the game"
