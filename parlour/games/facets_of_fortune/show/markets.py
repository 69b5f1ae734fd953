"""The four markets: plates with prices, ladders with gems, the brass markers, and the STOP cards above them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from parlour.core.pieces import column, label, row
from parlour.core.scene import Piece, number
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import words
from parlour.games.facets_of_fortune.show.moves import Moves

ART = "facets-of-fortune-"
NAMED = (r.NAME, r.CHOOSE, r.TAKE, r.SWITCH_1, r.SWITCH_2)  # phases in which a market as a whole is named

TRADED = 3  # gems at most with one card
HOT = 3  # a market that can take fewer steps than this glows


def markets(
    state: r.State, moves: Moves, names: Sequence[str], colours: Sequence[int] = range(r.N_COLOURS)
) -> tuple[Piece, Piece]:
    """The row of plates of these markets, and the ladders below them."""
    plates = tuple(_plate(state, moves, colour, names) for colour in colours)
    near = traded(state, moves)
    prices = tuple(_price(state.ladder[rung], rung, near) for rung in range(r.TOP, -1, -1))
    crash = label("price-crash", "CRASH", marks=("rung", "edge"), clause="FF-26")
    ladders = tuple(_ladder(state, moves, colour, names, near) for colour in colours)
    scale = column("prices", crash, *prices, name="Prices", marks=("scale",))
    return (
        row("plates", *plates, name="Markets", marks=("five",)),
        Piece("ladders", "group", "Gems on the markets", marks=("five",), layout="columns", children=(scale, *ladders)),
    )


def _price(price: int, rung: int, near: Collection[int]) -> Piece:
    marks = ("rung", "near") if rung in near else ("rung",)
    return label(f"price-{rung}", words.short(price), marks=marks, short=number(price))


def traded(state: r.State, moves: Moves) -> set[int]:
    """The steps at which the viewer can now buy or sell in some market; in a small window they are drawn larger."""
    if not moves.decides or state.phase != r.TRADE:
        return set()
    found = set()
    for colour in range(r.N_COLOURS):
        lowest = r.GEMS - state.board[colour]
        for gems in range(1, TRADED + 1):
            found |= {lowest + gems - 1} if moves.text(r.buying(colour, gems)) else set()
            found |= {lowest - gems} if moves.text(r.selling(colour, gems)) else set()
    return found


def _plate(state: r.State, moves: Moves, colour: int, names: Sequence[str]) -> Piece:
    """FF-9, FF-10: name, Buy and Sell price; clicked to name the market."""
    asked = state.phase in NAMED
    action = r.MARKET + colour
    key = r.COLOURS[colour]
    lines = [label(f"buy-{key}", "closed", marks=("says",))]
    if not state.closed[colour]:
        price, brings = r.buy_price(state, colour), words.short(r.sell_price(state, colour))
        buy = f"buy {words.short(price)}" if price else "sold out"
        lines = [label(f"buy-{key}", buy, marks=("says",))]
        lines.append(label(f"sell-{key}", f"sell {brings}", marks=("says", "brass")))
    named = state.phase in (r.TAKE, r.SWITCH_2) and state.first == colour
    marks = ["plate", *_states(state, colour), *(["chosen"] if named else [])]
    return Piece(
        f"plate-{key}",
        "group",
        words.market(state, colour, names),
        marks=tuple(marks),
        action=moves.text(action) if asked else "",
        why=moves.why(action) if asked else None,
        shortcut=str(colour + 1) if asked and moves.decides else "",
        children=(
            Piece(f"icon-{key}", "token", words.MARKETS[colour], face=ART + key, marks=("icon",)),
            label(f"name-{key}", words.MARKETS[colour], marks=("name",)),
            *lines,
        ),
    )


def _states(state: r.State, colour: int) -> list[str]:
    marks = ["closed"] if state.closed[colour] else []
    return [*marks, "crashed"] if state.crashed >> colour & 1 and state.closed[colour] else marks


def _heat(state: r.State, colour: int) -> list[str]:
    """FF-13: how few steps up a market can still take; none is near its crash that has a STOP."""
    left = r.TOP - state.marker[colour]
    return [f"hot-{left}"] if left < HOT and not (state.closed[colour] or state.stops[colour]) else []


def _ladder(state: r.State, moves: Moves, colour: int, names: Sequence[str], near: Collection[int]) -> Piece:
    """FF-1: from the crash above down to the lowest price."""
    key = r.COLOURS[colour]
    rungs = [_top(state, moves, colour, names)]
    rungs += [_rung(state, moves, colour, rung, near) for rung in range(r.TOP, -1, -1)]
    if state.closed[colour]:
        rungs.append(
            Piece(f"fate-{key}", "group", f"{words.MARKETS[colour]} is closed", text="CRASHED", marks=("fate",),
                  short="CRASHED", children=(Piece(f"bolt-{key}", "token", "Crash", ART + "crash", marks=("icon",)),))
        )  # fmt: skip
    return Piece(
        f"market-{key}",
        "group",
        f"{words.MARKETS[colour]}: closed" if state.closed[colour] else words.amount(state.board[colour], colour),
        marks=("rungs", *_states(state, colour), *_heat(state, colour)),
        children=tuple(rungs),
    )


def _top(state: r.State, moves: Moves, colour: int, names: Sequence[str]) -> Piece:
    """FF-13, FF-23: the STOP cards over the crash; clicked to place one."""
    key, market = r.COLOURS[colour], words.MARKETS[colour]
    lying = tuple(
        Piece(
            f"stop-{key}-{seat}",
            "group",
            f"{names[seat]}'s STOP on {market}",
            marks=("stop",),
            seat=seat,
            short="STOP",
            children=(
                Piece(f"stop-{key}-{seat}-sign", "token", "STOP", ART + "stop", marks=("icon",)),
                Piece(f"stop-{key}-{seat}-of", "token", names[seat], seat=seat, marks=("icon",)),
            ),
        )
        for seat in range(state.players)
        if state.stops[colour] >> seat & 1
    )
    action = moves.text(r.STOP_AT + colour) if state.phase == r.PLAY else ""
    return Piece(
        f"top-{key}",
        "group",
        f"Place a STOP on {market}" if action else "",  # whose lie there, they and the plate say
        text="" if lying else "STOP?" if action else "",
        short="STOP?" if action else "",
        marks=("rung", "edge"),
        action=action,
        clause="FF-23",
        children=lying,
    )


def _rung(state: r.State, moves: Moves, colour: int, rung: int, near: Collection[int]) -> Piece:
    """A price: its gem or a free place, the marker, and, during a play, the cost of buying up to
    it or the gain from selling."""
    key, market = r.COLOURS[colour], words.MARKETS[colour]
    lowest = r.GEMS - state.board[colour]
    there = not state.closed[colour] and rung >= lowest
    name = f"{market}, {number(state.ladder[rung])}"
    children = [Piece(f"gem-{key}-{rung}", "gem", name, ART + key, short=market)] if there else []
    here = not state.closed[colour] and state.marker[colour] == rung
    if here:
        price = number(r.sell_price(state, colour))
        children.append(Piece(f"marker-{key}", "token", f"{market} sells at {price}", ART + "marker", marks=("brass",),
                              short="◄"))  # fmt: skip
    marks = ["rung"] if there else ["rung", "free"]
    if rung in near:
        marks.append("near")
    if there and rung == lowest:
        marks.append("next")  # the gem that is bought first
    if here:
        marks.append("sold")  # the price that the market pays
    if not here and state.gem != r.NOBODY and state.was[colour] == rung and not state.closed[colour]:
        marks += ["was"] if state.card == r.NOBODY else []
    if not moves.decides or state.closed[colour]:
        return Piece(f"{key}-{rung}", "group", marks=tuple(marks), children=tuple(children))
    gems = rung - lowest + 1 if there else lowest - rung
    action, words_, name, clause = "", "", "", "FF-18"
    if state.phase == r.TRADE and gems <= TRADED:
        action = moves.text((r.buying if there else r.selling)(colour, gems))
        total = r.cost(state, colour, gems) if there else gems * r.sell_price(state, colour)
        verb, sign = ("Buy", "−") if there else ("Sell", "+")
        words_ = f"{sign}{words.short(total)}"
        name = f"{verb} {words.amount(gems, colour)} for {number(total)}"
    elif state.phase in (r.TAKE, r.CHOOSE) and there and gems == 1:
        clause = "FF-20" if state.phase == r.TAKE else "FF-24"
        action, name = moves.text(r.MARKET + colour), f"Take the {market} gem at {number(state.ladder[rung])}"
    own_colour = r.colour_of(state.card) == colour if state.card != r.NOBODY else False
    keys = str(gems if there else gems + 3) if action and state.phase == r.TRADE and own_colour else ""
    if not action:
        return Piece(f"{key}-{rung}", "group", marks=tuple(marks), children=tuple(children))
    marks.append("buy" if there else "sell")
    return Piece(
        f"{key}-{rung}", "group", name, text=words_, marks=tuple(marks), action=action, shortcut=keys,
        clause=clause, short=words_ or "Take", children=tuple(children),
    )  # fmt: skip
