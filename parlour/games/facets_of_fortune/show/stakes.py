"""What the players have: gems, cards, STOP cards; and the middle of the table: dice, deck, what can be bought."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.pieces import column, flow, grid, label, once, row
from parlour.core.scene import Piece, Reason, listed, number
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import words
from parlour.games.facets_of_fortune.show.moves import Moves

ART = "facets-of-fortune-"


# Players -------------------------------------------------------------------------------------------
def stakes(
    state: r.State, moves: Moves, names: Sequence[str], colours: Sequence[int] = range(r.N_COLOURS)
) -> tuple[Piece, ...]:
    """FF-30: make a row for each player: gems of these colours below their markets, and the open hand.

    The viewer's row is separate.
    """
    at_table = moves.viewer in range(state.players)
    first = moves.viewer if at_table else 0
    rows = [_row(state, moves, r.seat_after(state, first, i), names, colours) for i in range(state.players)]
    mine = (column("mine", rows.pop(0), name="What you have", marks=("holdings",)),) if at_table else ()
    return (*mine, column("stakes", *rows, name="What the others have", marks=("holdings",)))


def _row(state: r.State, moves: Moves, seat: int, names: Sequence[str], colours: Sequence[int]) -> Piece:
    action = r.ROB + seat
    asked = state.phase == r.RIVAL and seat != state.player
    kinds = words.cards(state, seat)
    held = listed([words.TITLES[kind] for kind in kinds]) or "no cards"
    stop = words.own_stop(state, seat)
    label: list[Piece] = [Piece(f"of-{seat}", "token", names[seat], seat=seat, marks=("icon",))]
    if stop:
        spent = () if state.holds[seat] else ("spent",)
        second = ("second",) if state.bought[seat] else ()
        card = Piece(f"{'spent' if spent else 'holds'}-{seat}", "token", stop, ART + "stop", "STOP",
                     marks=("icon", "halt", *spent, *second))  # fmt: skip
        label.append(card)
    marks = ["stake", "five"]
    if state.phase not in (r.START, r.OVER) and seat == state.player:
        marks.append("turn")
    cards = () if seat == moves.viewer else (
        flow(f"cards-{seat}", *(_mini(f"mini-{seat}-{i}", kind, state) for i, kind in enumerate(kinds)),
             marks=("minis",)),
    )  # fmt: skip
    return Piece(
        f"stake-{seat}",
        "group",
        f"{names[seat]}: {words.holdings(state, seat)}; {held}{stop and '; '}{stop}",
        marks=tuple(marks),
        action=moves.text(action) if asked else "",
        why=moves.why(action) if asked else None,
        children=(
            row(f"label-{seat}", *label, marks=("scale",)),
            *(_pile(state, moves, seat, colour, names) for colour in colours),
            *cards,
        ),
    )


def _pile(state: r.State, moves: Moves, seat: int, colour: int, names: Sequence[str]) -> Piece:
    """Make the gems of a colour that a player has; a click puts one back (FF-20), or takes one (FF-22)."""
    n = state.own[seat][colour]
    giver = (state.phase == r.GIVE and seat == state.player) or (state.phase == r.PICK and seat == state.rival)
    action = r.MARKET + colour
    move, why = (moves.text(action), moves.why(action)) if giver else ("", None)
    return _gems(seat, colour, n, bool(state.closed[colour]), move, why, giver and moves.decides)


@once
def _gems(seat: int, colour: int, n: int, shut: bool, move: str, why: Reason | None, keyed: bool) -> Piece:
    return Piece(
        f"own-{seat}-{colour}",
        "token",
        words.amount(n, colour),
        ART + r.COLOURS[colour],
        value=n,
        marks=("pile", *(() if n else ("none",)), *(("closed",) if shut else ())),
        action=move,
        why=why,
        shortcut=str(colour + 1) if keyed else "",
    )


def _mini(key: str, kind: int, state: r.State) -> Piece:
    """Make a card as small as it gets: its picture, and its number."""
    n, printed = r.number_of(kind), r.colour_of(kind)
    picture = r.KINDS[kind] if not n else r.COLOURS[printed] if printed != r.NOBODY else "wild"
    return Piece(
        key,
        "token",
        words.TITLES[kind],
        ART + picture,
        value=n or None,
        marks=("mini", *(["dead"] if r.is_dead(state, kind) else [])),
    )


def hand(state: r.State, moves: Moves) -> Piece:
    """Make the viewer's cards, with what each can do now, and what that costs or sells for."""
    if moves.viewer not in range(state.players):
        return Piece("hand", "group", "All hands are open", marks=("nothing",))
    kinds = words.cards(state, moves.viewer)
    cards = tuple(_card(state, moves, place, kind) for place, kind in enumerate(kinds))
    free = (row(f"await-{place}", marks=("await",)) for place in range(len(kinds), r.HAND))  # where cards will be drawn
    return grid("hand", 3, *cards, *free, name="Your cards", marks=("fan", f"n{max(len(kinds), 3)}"))


def _brief(key: str, costs: str, brings: str) -> tuple[Piece, ...]:
    """Make the labels of a narrow card."""
    both = label(f"cost-{key}", costs), label(f"gain-{key}", brings, marks=("gain",))
    return tuple(one for one in both if one.text)


def _card(state: r.State, moves: Moves, place: int, kind: int) -> Piece:
    action = r.CARD + kind
    asked = state.phase == r.PLAY
    tossed = state.phase == r.TOSS and moves.decides
    said = moves.text(action) if asked else ""
    why = moves.why(action) if asked or not tossed else None
    if moves.decides and state.phase not in (r.PLAY, r.TOSS):
        why = Reason(f"First finish {words.TITLES[state.card]}." if state.card != r.NOBODY else "First name a market.",
                     words.CLAUSES[state.card] if state.card != r.NOBODY else "FF-11")  # fmt: skip
    return Piece(
        f"card-{moves.viewer}-{place}",
        "card",
        words.TITLES[kind],
        f"{ART}card-{r.KINDS[kind]}",
        words.effect(state, moves.viewer, kind),
        marks=("small", *(["dim"] if why else [])),
        action=said,
        part=r.KINDS[kind] if tossed else "",
        why=why,
        shortcut=str(place + 1) if (asked or tossed) and moves.decides else "",
        clause=words.CLAUSES[kind] if said else "",
        children=_brief(f"{moves.viewer}-{place}", *words.brief(state, moves.viewer, kind)),
    )


# The middle of the table -----------------------------------------------------------------------------
def table(state: r.State, moves: Moves, names: Sequence[str]) -> Piece:
    """Make the dice, the card being played, the deck, and what can be bought."""
    lying = (dice(state, names), *_played(state), _deck(state), _shop(state, moves))
    return column("table", *lying, name="Dice and deck", marks=("counter-top",))


def dice(state: r.State, names: Sequence[str]) -> Piece:
    """Make the value dice, and the heist dice when there is a heist."""
    air = state.phase == r.ROLL
    found = []
    if state.gem == r.NOBODY:
        found = [_die("gem-die", "The gem die", "wild", True), _die("step-die", "The up/down die", "up-1", True)]
    else:
        arrow = f"{'up' if state.step > 0 else 'down'}-{abs(state.step)}"
        gem = (*r.COLOURS, "wild", "all")[state.gem]
        said = words.roll(state)
        found = [
            _die("gem-die", f"The gem die: {said.split()[0]}", gem, air),
            _die("step-die", f"The up/down die: {said.split()[1]}", arrow, air),
        ]
    if _alone(state):
        del found[0]
    if state.rival != r.NOBODY:
        for key, shown, seat in (("attack", state.attack, state.player), ("defence", state.defence, state.rival)):
            name = f"{names[seat]}'s heist die" + (f": {shown}" if shown else "")
            found.append(_die(f"{key}-die", name, f"pips-{shown or 6}", not shown))
    return row("dice", *found, name="; ".join(die.name for die in found), marks=("dice",))


def _alone(state: r.State) -> bool:
    """Return whether the last or current roll is of the up/down die alone, with one market open (FF-11)."""
    fallen = 0 if state.phase == r.ROLL else state.crashed.bit_count()  # open when this roll was made
    return r.open_markets(state) + fallen == 1


def _die(key: str, name: str, face: str, air: bool) -> Piece:
    return Piece(key, "die", name, ART + face, marks=("air",) if air else ())


def _played(state: r.State) -> tuple[Piece, ...]:
    if state.card == r.NOBODY:
        return (row("played", marks=("in-play",)),)
    mini = _mini("played-card", state.card, state)
    title = label("played-name", words.TITLES[state.card], marks=("says",))
    return (row("played", mini, title, name=f"Played: {words.TITLES[state.card]}", marks=("in-play",)),)


def _deck(state: r.State) -> Piece:
    """FF-30: make the deck with its contents, which are known; their order is not."""
    return _unseen(tuple(state.unseen), state.left, sum(state.used))


@once
def _unseen(unseen: tuple[int, ...], in_deck: int, used: int) -> Piece:
    notes = []
    for colour in range(r.N_COLOURS):
        left = unseen[3 * colour : 3 * colour + 3]
        counts = " · ".join(map(str, left))
        notes.append((f"left-{r.COLOURS[colour]}", f"{words.MARKETS[colour]} 1 · 2 · 3: {counts}"))
    wild = " · ".join(map(str, unseen[r.WILD_1 : r.FREE]))
    free = " · ".join(map(str, unseen[r.FREE : r.EXCHANGE]))
    notes += [("left-wild", f"Wild 1 · 2 · 3: {wild}"), ("left-free", f"Free Gem, by colour: {free}")]
    notes += [(f"left-{r.KINDS[k]}", f"{words.TITLES[k]}: {unseen[k]}") for k in range(r.EXCHANGE, r.N_KINDS)]
    return Piece(
        "deck",
        "stack",
        f"{in_deck} in the deck, {used} in the discard pile",
        ART + "back",
        value=in_deck,
        clause="FF-17",
        children=tuple(Piece(key, "note", text=text) for key, text in notes),
    )


def _shop(state: r.State, moves: Moves) -> Piece:
    """FF-15, FF-23: make the new cards and the extra STOP that can be bought, with their prices."""
    goods = []
    asked = state.phase == r.PLAY
    for n in range(1, 4):
        price = n * r.EXTRA_PRICE
        said = moves.text(r.EXTRA + n) if asked else ""
        name = f"Buy {n} new card{'s' if n > 1 else ''} for {number(price)}"
        goods.append(
            _good(
                f"extra-{n}",
                name,
                f"+{n}",
                price,
                said,
                moves.why(r.EXTRA + n) if asked else None,
                "FF-15",
                label(f"extra-{n}-unit", f"card{'s' if n > 1 else ''}", marks=("unit",)),
            )
        )
    said = moves.text(r.BUY_STOP) if asked else ""
    name = f"Buy an extra STOP for {number(r.STOP_PRICE)}"
    why = moves.why(r.BUY_STOP) if asked else None
    goods.append(_good("extra-stop", name, "STOP", r.STOP_PRICE, said, why, "FF-23"))
    return row("shop", *goods, name="To buy", marks=("shop",))


def _good(
    key: str, name: str, text: str, price: int, action: str, why: Reason | None, clause: str, *unit: Piece
) -> Piece:
    cost = label(f"{key}-price", words.short(price), marks=("says",))
    return Piece(
        key, "group", name, text=text, marks=("ware",), action=action, why=why, clause=clause, children=(*unit, cost)
    )
