"""The four markets: plates with prices, ladders with gems, the brass markers, and the STOP cards above them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from parlour.core.pieces import column, label, once, row
from parlour.core.scene import Piece, Reason, number
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
    """Make the row of plates of these markets, and the ladders below them."""
    plates = tuple(_plate(state, moves, colour, names) for colour in colours)
    near = traded(state, moves)
    scale = _scale(tuple((state.ladder[rung], rung in near) for rung in range(r.TOP + 1)))
    ladders = tuple(_ladder(state, moves, colour, names, near) for colour in colours)
    return (
        row("plates", *plates, name="Markets", marks=("five",)),
        Piece("ladders", "group", "Gems on the markets", marks=("five",), layout="columns", children=(scale, *ladders)),
    )


@once
def _scale(prices: tuple[tuple[int, bool], ...]) -> Piece:
    """Make the prices of the steps from the lowest up, each with whether it is near."""
    shown = [
        label(f"price-{rung}", words.short(price), marks=("rung", "near") if near else ("rung",), short=number(price))
        for rung, (price, near) in enumerate(prices)
    ]
    crash = label("price-crash", "CRASH", marks=("rung", "edge"), clause="FF-26")
    return column("prices", crash, *reversed(shown), name="Prices", marks=("scale",))


def traded(state: r.State, moves: Moves) -> set[int]:
    """Return the steps at which the viewer can now buy or sell in some market; in a small window they are drawn
    larger."""
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
    """FF-9, FF-10: make a plate with the name and both prices; a click names the market."""
    asked = state.phase in NAMED
    action = r.MARKET + colour
    lines: tuple[tuple[str, str], ...] = (("closed", ""),)
    if not state.closed[colour]:
        price, brings = r.buy_price(state, colour), words.short(r.sell_price(state, colour))
        lines = (("buy", words.short(price)) if price else ("sold out", ""), ("sell", brings))
    named = state.phase in (r.TAKE, r.SWITCH_2) and state.first == colour
    return _named(
        colour,
        words.market(state, colour, names),
        ("plate", *_states(state, colour), *(["chosen"] if named else [])),
        moves.text(action) if asked else "",
        moves.why(action) if asked else None,
        asked and moves.decides,
        lines,
    )


@once
def _named(
    colour: int,
    name: str,
    marks: tuple[str, ...],
    action: str,
    why: Reason | None,
    keyed: bool,
    lines: tuple[tuple[str, str], ...],
) -> Piece:
    """Make a plate with one or two lines below the name: a word, and the price, which is larger in a small window."""
    key, looks = r.COLOURS[colour], (("says",), ("says", "brass"))
    said = [
        label(f"{way}-{key}{part}", text, marks=(*look, *([part[1:]] if line[1] else ["alone"])))
        for way, line, look in zip(("buy", "sell"), lines, looks, strict=False)
        for part, text in zip(("-way", "-price"), line, strict=True)
        if text
    ]
    return Piece(
        f"plate-{key}",
        "group",
        name,
        marks=marks,
        action=action,
        why=why,
        shortcut=str(colour + 1) if keyed else "",
        children=(
            Piece(f"icon-{key}", "token", words.MARKETS[colour], face=ART + key, marks=("icon",)),
            label(f"name-{key}", words.MARKETS[colour], marks=("name",)),
            *said,
        ),
    )


def _states(state: r.State, colour: int) -> list[str]:
    marks = ["closed"] if state.closed[colour] else []
    return [*marks, "crashed"] if state.crashed >> colour & 1 and state.closed[colour] else marks


def _heat(state: r.State, colour: int) -> list[str]:
    """Return how few steps up a market can still take; a market with a STOP is never near its crash (FF-13)."""
    left = r.TOP - state.marker[colour]
    return [f"hot-{left}"] if left < HOT and not (state.closed[colour] or state.stops[colour]) else []


def _ladder(state: r.State, moves: Moves, colour: int, names: Sequence[str], near: Collection[int]) -> Piece:
    """FF-1: make the steps of a market, from the crash above down to the lowest price."""
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
    """Make the STOP cards over the crash; a click places one (FF-13, FF-23). Only a market near its crash asks for one
    in words; the others show where it would lie."""
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
    hot = bool(action and _heat(state, colour))
    if action and not (lying or hot):
        lying = (Piece(f"stop-{key}-free", "token", face=ART + "stop-here", marks=("icon",)),)  # a sign alone
    return Piece(
        f"top-{key}",
        "group",
        f"Place a STOP on {market}" if action else "",  # the STOPs there and the plate name their owners
        text="STOP?" if hot and not lying else "",
        short="STOP?" if action else "",
        marks=("rung", "edge"),
        action=action,
        clause="FF-23",
        children=lying,
    )


def _rung(state: r.State, moves: Moves, colour: int, rung: int, near: Collection[int]) -> Piece:
    """Make a price: its gem or a free place, the marker and, during a play, the cost of buying up to
    it or the gain from selling."""
    lowest = r.GEMS - state.board[colour]
    there = not state.closed[colour] and rung >= lowest
    here = not state.closed[colour] and state.marker[colour] == rung
    lying = _lying(colour, rung, state.ladder[rung] if there else None, r.sell_price(state, colour) if here else None)
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
        return _step(colour, rung, tuple(marks), lying)
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
        action = moves.text(r.MARKET + colour)
        name = f"Take the {words.MARKETS[colour]} gem at {number(state.ladder[rung])}"
    own_colour = r.colour_of(state.card) == colour if state.card != r.NOBODY else False
    keys = str(gems if there else gems + 3) if action and state.phase == r.TRADE and own_colour else ""
    if not action:
        return _step(colour, rung, tuple(marks), lying)
    marks.append("buy" if there else "sell")
    return Piece(
        f"{r.COLOURS[colour]}-{rung}", "group", name, text=words_, marks=tuple(marks), action=action, shortcut=keys,
        clause=clause, short=words_ or "Take", children=lying,
    )  # fmt: skip


@once
def _lying(colour: int, rung: int, price: int | None, sells: int | None) -> tuple[Piece, ...]:
    """Show what is at a step: a gem, if it has a price, and the marker, if the market pays that."""
    key, market = r.COLOURS[colour], words.MARKETS[colour]
    found = []
    if price is not None:
        found.append(Piece(f"gem-{key}-{rung}", "gem", f"{market}, {number(price)}", ART + key, short=market))
    if sells is not None:
        name = f"{market} sells at {number(sells)}"
        found.append(Piece(f"marker-{key}", "token", name, ART + "marker", marks=("brass",), short="◄"))
    return tuple(found)


@once
def _step(colour: int, rung: int, marks: tuple[str, ...], lying: tuple[Piece, ...]) -> Piece:
    """Make a step at which nothing can be done."""
    return Piece(f"{r.COLOURS[colour]}-{rung}", "group", marks=marks, children=lying)
