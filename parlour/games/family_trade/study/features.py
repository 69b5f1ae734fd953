"""What a network sees of a position of Family Trade: features that are there or not, from what one seat may know.

A network judges the positions after a seat's own decision, so it need not know the hands of others: its chance to win
is a mean over all that they can be. No feature depends on what the seat cannot see (a test deals that again). What a
card is worth is a product: how many of its good are in hand, how many are out of sight, and its price. So each good has
one feature for all three, which the goods share. In God of the Market and Battle Royale, where prices are not known,
the good itself takes the place of its price.
"""

from __future__ import annotations

from typing import Any

from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules.hidden import asks_another, out_of_sight
from parlour.games.family_trade.study import money

OUTLINE = ("_cards", "_hand", "_deal", "_game", "_bank")

HELD, UNSEEN, PRICES = 10, 13, 10  # of a good: in hand, out of sight (12 and more are alike), steps of its price
SETS, PAIRS, SINGLES, MAKES = 4, 5, 10, 3
READY = 4  # who is one to go: no one, the seat, another, both
SHOWN = 4  # of a good, by others since the deck was shuffled
WAITING = 26  # cards that complete a pair
WORTH, WORTHS = 25.0, 24  # money a step, and steps
MEAN = 8.0  # money a step, of the price of a mean set
DECK, DUMP = 26, 12  # in steps of four and two cards
TURNS, RUN, DEALERS = 9, 6, 4  # turns as dealer to come, deals in a row, whose deal it is from the seat on
LEADS, LEAD = 33, 4.0  # how far ahead, in steps of a part of what moves the odds by e
JACKPOT = 8
PHASES = 10
BILLS = 26

CARDS = 0
GIVEN = CARDS + HELD * UNSEEN * PRICES
OFFERED = GIVEN + SHOWN * HELD * READY
SHAPE = OFFERED + UNSEEN * PRICES * READY * 2
WAIT = SHAPE + SETS * PAIRS * SINGLES * MAKES * READY
VALUE = WAIT + WAITING * SETS * PAIRS
LACKED = VALUE + WORTHS * SETS * RUN
IN_DECK = LACKED + UNSEEN * PRICES
IN_DUMP = IN_DECK + DECK * READY
DEALS = IN_DUMP + DUMP * READY
AHEAD = DEALS + TURNS * RUN * DEALERS
MARKET = AHEAD + LEADS * TURNS
POT = MARKET + WORTHS * DEALERS
NOW = POT + JACKPOT
OUT = NOW + PHASES * 2 * 2
BANK = OUT + 3 * 3 * RUN
FEATURES = BANK + 3 * BILLS
ACTIVE = 48


def features(state: Any, player: int, out: Any) -> int:
    """See `parlour.engine.no_policy`."""
    n = _game(state, player, out, 0)
    if state.winner != r.NOBODY:
        out[n] = OUT + (_side(state.winner, player) * 3 + _side(state.source, player)) * RUN + min(RUN, state.run) - 1
        n += 1
    elif r.DEAL < state.phase <= r.ASK:
        n = _deal(state, player, out, n)
        n = _cards(state, player, out, n)
        n = _hand(state, player, out, n)
    return n


def _side(seat: int, player: int) -> int:
    return 0 if seat == r.NOBODY else 1 if seat == player else 2


def _ready(state: Any, player: int) -> int:
    """Return who is one to go."""
    mine: int = state.announced >> player & 1
    return mine + 2 if state.announced & ~(1 << player) else mine


def _price(state: Any, good: int) -> int:
    """Return the step of a good's price; the good itself where prices are not known."""
    known: bool = state.ruleset == r.MARKET_MAKING and state.price[good] != r.NONE
    return int(state.price[good]) if known else good


def _game(state: Any, player: int, out: Any, n: int) -> int:
    """Write where the game is: the deals, who is ahead, the market, what is awaited."""
    turns = min(TURNS, max(1, 2 * state.players - state.turns)) - 1
    run = min(RUN, state.run) - 1
    dealer = (state.dealer - player) % state.players
    expected = [0.0] * r.SEATS
    scale = money.stakes(state, expected)
    most = -1e18
    for seat in range(state.players):
        if seat != player:
            most = max(most, expected[seat])
    ahead = LEAD * (expected[player] - most) / scale
    phase = r.DRAW if asks_another(state, player) else state.phase
    mine = 0
    if phase == r.TURN or phase == r.MAKE or phase == r.DRAW:
        mine = 1 if state.player == player else 0
    elif phase == r.ASK or phase == r.CHOOSE_MARKET:
        mine = 1
    called = 1 if state.called and phase == r.TURN else 0
    out[n] = DEALS + (turns * RUN + run) * DEALERS + dealer
    out[n + 1] = AHEAD + max(0, min(LEADS - 1, int(ahead + LEADS / 2.0))) * TURNS + turns
    out[n + 2] = MARKET + min(WORTHS - 1, int(money.market(state) / MEAN)) * DEALERS + dealer
    out[n + 3] = POT + min(JACKPOT - 1, max(0, (state.jackpot + 49) // 50))
    out[n + 4] = NOW + (phase * 2 + mine) * 2 + called
    n += 5
    if state.ruleset == r.BATTLE_ROYALE:
        n = _bank(state, out, n)
    return n


def _bank(state: Any, out: Any, n: int) -> int:
    """Write what may end Battle Royale: bills of both kinds, and cards."""
    out[n] = BANK + max(0, min(BILLS - 1, r.tens_left(state) // 3))
    out[n + 1] = BANK + BILLS + max(0, min(BILLS - 1, r.fifties_left(state)))
    out[n + 2] = BANK + 2 * BILLS + max(0, min(BILLS - 1, (state.deck_size + state.row_size) // 4))
    return n + 3


def _deal(state: Any, player: int, out: Any, n: int) -> int:
    """Write how far the deal is, and the discard that others may take."""
    ready = _ready(state, player)
    out[n] = IN_DECK + min(DECK - 1, state.deck_size // 4) * READY + ready
    out[n + 1] = IN_DUMP + min(DUMP - 1, state.row_size // 2) * READY + ready
    n += 2
    if state.offered and state.discarder == player:
        good = state.row[state.row_size - 1]
        if good < r.N_GOODS:
            takes = 0
            for seat in range(state.players):
                if seat != player and state.announced >> seat & 1 and not state.unfit[seat] >> good & 1:
                    takes = 1
            unseen = _unseen(state, player, good)
            out[n] = OFFERED + ((unseen * PRICES + _price(state, good)) * READY + ready) * 2 + takes
            n += 1
    return n


def _unseen(state: Any, player: int, good: int) -> int:
    unseen: int = out_of_sight(state, good) - state.hand[player][good] - state.gone[player][good]
    return min(UNSEEN - 1, unseen)


def _cards(state: Any, player: int, out: Any, n: int) -> int:
    """Write of each good what is in hand, what is out of sight, its price, and what others have shown."""
    ready = _ready(state, player)
    for good in range(r.N_GOODS):
        held = min(HELD - 1, state.hand[player][good])
        shown = 0
        for seat in range(state.players):
            if seat != player:
                shown += state.since[seat][good]
        out[n] = CARDS + (held * UNSEEN + _unseen(state, player, good)) * PRICES + _price(state, good)
        out[n + 1] = GIVEN + (min(SHOWN - 1, shown) * HELD + held) * READY + ready
        n += 2
    return n


def _hand(state: Any, player: int, out: Any, n: int) -> int:
    """Write what the hand is: sets, pairs and single cards, what they wait for, and what they would bring."""
    hand = state.hand[player]
    sets, pairs, singles, waiting, lacked = 0, 0, 0, 0, r.NONE
    worth = 0.0
    for good in range(r.N_GOODS):
        sets += hand[good] // 3
        worth += hand[good] // 3 * money.price(state, good)
        if hand[good] % 3 == 2:
            pairs += 1
            waiting += _unseen(state, player, good)
            worth += money.price(state, good)
            lacked = good
        elif hand[good] % 3 == 1:
            singles += 1
    sets, pairs, singles = min(SETS - 1, sets), min(PAIRS - 1, pairs), min(SINGLES - 1, singles)
    makes = min(MAKES - 1, hand[r.MARKET_MAKE])
    shape = ((sets * PAIRS + pairs) * SINGLES + singles) * MAKES + makes
    run = min(RUN, state.run) - 1 if player == state.dealer else 0
    out[n] = SHAPE + shape * READY + _ready(state, player)
    out[n + 1] = WAIT + (min(WAITING - 1, waiting) * SETS + sets) * PAIRS + pairs
    out[n + 2] = VALUE + (max(0, min(WORTHS - 1, int(worth / WORTH) + 4)) * SETS + sets) * RUN + run
    n += 3
    if state.announced >> player & 1 and lacked != r.NONE:
        out[n] = LACKED + _unseen(state, player, lacked) * PRICES + _price(state, lacked)
        n += 1
    return n
