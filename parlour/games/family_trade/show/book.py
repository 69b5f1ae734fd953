"""What Family Trade's rulebook shows, and the components of its editions in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from parlour.core.game import Game
from parlour.core.scene import Piece
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import board, words

NAMES = ("Anna", "Ben", "Cleo")
ANNA, BEN, CLEO = range(3)
DIAMOND, GOLD, ESTATE, SHARES, OIL, SHRIMP, CRYPTO, CURRENCY = range(r.N_GOODS)
MARKET = (50, 70, 50, 10, -30, 30, 150, -10)  # the prices of the examples of Market Making, in thousands


def pictures() -> Mapping[str, Piece]:
    """Make the goods, and the positions of the examples, each reached by the rules."""
    prices = _table(r.MARKET_MAKING)
    doubled = gone_out(Deal(r.MARKET_MAKING, ANNA, {GOLD: 3, CRYPTO: 3, OIL: 3}, OIL, BEN, 2, 130, (), (OIL, 50)))
    below = gone_out(Deal(r.MARKET_MAKING, CLEO, {SHARES: 3, OIL: 3, CURRENCY: 3}, CURRENCY, again=(OIL, -30)))
    god = gone_out(Deal(r.GOD, CLEO, {DIAMOND: 3, SHRIMP: 6}, SHRIMP, BEN, dice=(50, -30), again=(SHRIMP, 70)))
    loss = gone_out(
        Deal(r.GOD, BEN, {CRYPTO: 3, OIL: 3, CURRENCY: 3}, CRYPTO, ANNA, 3, 0, (-30, -50, 50), (CRYPTO, -50))
    )
    royale = gone_out(Deal(r.BATTLE_ROYALE, BEN, {SHARES: 3}, SHARES, CLEO, dice=(100,)))
    return {
        **{f"good-{words.PICTURES[kind]}": _card(kind) for kind in range(r.N_GOODS)},
        "goods": _shown("goods", *map(_trade, range(r.N_KINDS))),
        "chips": _shown("chips", _stalls(prices, (GOLD, OIL, CRYPTO))),
        "one-to-go": _shown("one-to-go", _hand((GOLD,) * 3 + (CRYPTO,) * 3 + (OIL,) * 2)),
        "doubled": _shown("doubled", board.shown(doubled, NAMES), _stalls(doubled, (GOLD, OIL, CRYPTO))),
        "below": _shown("below", board.shown(below, NAMES), board.jackpot(below)),
        "god": _shown("god", board.shown(god, NAMES), _stalls(god, (DIAMOND, SHRIMP))),
        "loss": _shown("loss", board.shown(loss, NAMES), _stalls(loss, (OIL, CRYPTO, CURRENCY))),
        "royale": _shown("royale", board.shown(royale, NAMES), _stalls(royale, (SHARES,))),
        "bank": _shown("bank", board.jackpot(bank())),
    }


def _table(ruleset: int) -> r.State:
    """Return a table of three, with the market of the examples if the ruleset has one."""
    game = Game("family-trade", "parlour.games.family_trade")
    state: r.State = r.setup(len(NAMES), game.edition().parts, {"ruleset": ruleset, "honour_calls": 0, "dealt_hand": 0})
    if ruleset == r.MARKET_MAKING:
        state.price[:] = [state.ladder.index(price) for price in MARKET]
    return state


class Deal(NamedTuple):
    """How a deal of an example ends: `seat` goes out with these cards, the `last` of them drawn or `source`'s discard.

    `run`: which deal in a row it is; above 1, the dealer is `seat`. `dice`: what the dice show, in the order
    of the goods; `again`: the good whose die is rerolled, and what it shows. Money is in thousands.
    """

    ruleset: int
    seat: int
    cards: Mapping[int, int]
    last: int
    source: int = r.NOBODY
    run: int = 1
    jackpot: int = 0
    dice: Sequence[int] = ()
    again: tuple[int, int] = (r.NONE, 0)


def gone_out(deal: Deal) -> r.State:
    """Return the position after such a deal."""
    ruleset, seat, cards, last, source, run, jackpot, dice, again = deal
    state = _table(ruleset)
    for kind, n in cards.items():
        state.hand[seat][kind] = n
    state.dealer, state.run, state.jackpot = seat if run > 1 else (seat + 1) % len(NAMES), run, jackpot
    if source == r.NOBODY:
        state.phase, state.player, state.drawn = r.TURN, seat, last
    else:
        state.hand[seat][last] -= 1
        state.row[0], state.row_size, state.dumped[last] = last, 1, 1
        state.phase, state.asked, state.discarder = r.ASK, seat, source
    r.apply(state, r.OUT)
    for shown in dice:
        r.apply(state, state.ladder.index(shown))
    if state.phase == r.REROLL:
        good, shown = again
        r.apply(state, r.STAND if good == r.NONE else r.AGAIN + good)
        if good != r.NONE:
            r.apply(state, state.ladder.index(shown))
    return state


def bank() -> r.State:
    """Return the position of the example about bills."""
    state = _table(r.BATTLE_ROYALE)
    state.money[: len(NAMES)] = [40, 90, -70]
    return state


def _shown(key: str, *pieces: Piece) -> Piece:
    return Piece(key, "board", "", marks=("market-stall", "few"), children=pieces)


def _stalls(state: r.State, goods: Sequence[int]) -> Piece:
    market = board.market(state, (), NAMES)
    return replace(market, name="", text="", children=tuple(market.children[good] for good in goods))


def _hand(kinds: Sequence[int]) -> Piece:
    return Piece("mine", "panel", "One to go!", marks=("sets",), children=tuple(map(_card, kinds, range(len(kinds)))))


def _trade(kind: int) -> Piece:
    return Piece(f"trade-{kind}", "card", words.TITLES[kind], words.face(kind), marks=("trade",))


def _card(kind: int, place: int = 0) -> Piece:
    return Piece(f"card-{kind}-{place}", "token", words.TITLES[kind], words.face(kind), marks=("stamped",))


def component(name: str, value: Any) -> str:
    """Return goods, money, and the faces of the dice (FT-1, FT-2, FT-4, FT-15, FT-19)."""
    if name == "goods":
        return "![The eight goods, and Market Make](goods)"
    if name == "dice":
        rows = (
            f"| ![](good-{words.PICTURES[good]}) | {words.TITLES[good]} | {', '.join(map(words.money, sorted(die)))} |"
            for good, die in enumerate(value)
        )
        return "\n".join(("| | good | faces |", "|---|---|---|", *rows))
    if name == "fifties":
        rows = (f"| {players} | {bills} |" for players, bills in enumerate(value, 2))
        return "\n".join(("| players | bills |", "|---|---|", *rows))
    if name == "ladder":
        return ", ".join(map(words.money, value))
    return words.money(value) if name in ("start", "nine_alike", "false_call") else ""
