"""Family Trade: the pieces of the table that everyone sees: market, deck, Jackpot, dump, and the cards shown."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from parlour.core.pieces import badge, column, flow, label, once, row, stat
from parlour.core.scene import Piece, Reason, number
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import text, words

RECENT = 10  # discards shown in order, before the last


def market(state: r.State, legal: Sequence[int], names: Sequence[str]) -> Piece:
    """FT-2, FT-6, FT-20: Make a stall for each good, with its price on a chip, or its die.

    A click on the die rerolls it (FT-13); a click on a neighbouring price of the market table moves the price (FT-9).
    """
    title = "Market" if state.ruleset == r.MARKET_MAKING else "Dice"
    return Piece(
        "market",
        "panel",
        f"{title} · {words.deal(state)}",
        text=words.RULES[state.ruleset],
        marks=("market",),
        layout="rows",
        clause=("FT-6", "FT-20", "FT-22")[state.ruleset],
        children=tuple(_stall(state, good, legal) for good in range(r.N_GOODS)),
    )


def _stall(state: r.State, good: int, legal: Sequence[int]) -> Piece:
    at = state.price[good]
    stands = state.ruleset == r.MARKET_MAKING
    lying: list[Piece] = []
    if not stands or state.phase in (r.ROLL, r.REROLL):
        lying.append(_die(state, good, legal, stands))
    if stands and at != r.NONE:
        lying.append(_chip(state, good, at))
    ways = ((at + 1, r.UP + good), (at - 1, r.DOWN + good))
    steps = tuple(_step(state, good, step, action) for step, action in ways if action in legal)
    return _stand(good, tuple(lying), steps, words.faces(state, good))


@once
def _stand(good: int, lying: tuple[Piece, ...], steps: tuple[Piece, ...], faces: str) -> Piece:
    """Make a stall: what is on its counter, and the steps to which its price can move, or the faces of its die."""
    title = words.TITLES[good]
    sign = Piece(f"name-{good}", "token", title, words.face(good), title, marks=("awning",))
    counter = row(f"counter-{good}", *lying, marks=("counter-top",))
    foot = steps or (label(f"faces-{good}", faces, marks=("faces",)),)
    return row(f"row-{good}", sign, counter, *foot, marks=("stall", f"good-{good}"))


def _die(state: r.State, good: int, legal: Sequence[int], stands: bool) -> Piece:
    """Make the die of a good, with its picture until it has been rolled (FT-1, FT-13, FT-20, FT-22)."""
    at = state.price[good]
    again = r.AGAIN + good
    falling = state.phase == r.ROLL and state.rolling >> good & 1
    name = words.TITLES[good] + (f" brings {words.price(state, good)}" if at != r.NONE else ": no price")
    said = "" if stands or falling or at == r.NONE else number(state.ladder[at])
    why = text.why_not(state, again) if state.phase == r.REROLL and legal and again not in legal else None
    marks = ("good", *(("air",) if falling else ()), *(("rolled",) if said and _fell_last(state) == good else ()))
    action = text.format_action(state, again) if again in legal else ""
    return _cube(good, f"{name}. Its die: {words.die(state, good)}", said, marks, action, why)


@once
def _cube(good: int, name: str, said: str, marks: tuple[str, ...], action: str, why: Reason | None) -> Piece:
    return Piece(
        f"good-{good}",
        "die",
        name,
        "" if said else words.face(good),
        text=said,
        marks=marks,
        short=said or "?",
        action=action,
        why=why,
    )


def _fell_last(state: r.State) -> int:
    """Return the die that was rolled last: dice are rolled in the order of the goods, and then perhaps one again."""
    if state.rerolled != r.NONE and state.phase != r.ROLL:
        return state.rerolled
    lie = [good for good in range(r.N_GOODS) if state.price[good] != r.NONE and not state.rolling >> good & 1]
    return max(lie, default=r.NONE)


def _chip(state: r.State, good: int, at: int) -> Piece:
    moved = state.rerolled == good and state.winner != r.NOBODY and state.phase != r.REROLL
    return _priced(good, state.ladder[at], moved)


@once
def _priced(good: int, price: int, moved: bool) -> Piece:
    marks = ("chip", *(("low",) if price < 0 else ()), *(("rolled",) if moved else ()))
    name = f"{words.TITLES[good]} brings {words.money(price)}"
    return Piece(f"chip-{good}", "token", name, value=price, marks=marks, short=number(price))


def _step(state: r.State, good: int, step: int, action: int) -> Piece:
    way = "up" if action < r.DOWN else "down"
    return Piece(
        f"cell-{good}-{step}",
        "space",
        f"{words.TITLES[good]} {way} to {words.money(state.ladder[step])}",
        text=number(state.ladder[step]),
        marks=("cell", way),
        action=text.format_action(state, action),
    )


def pile(state: r.State) -> Piece:
    """Show how many cards are in the deck, and the cards in the dump by kind (FT-18, FT-26)."""
    royale = state.ruleset == r.BATTLE_ROYALE
    left = max(state.new_decks - state.remade, 0)
    dumped = [(kind, state.dumped[kind]) for kind in range(r.N_KINDS) if state.dumped[kind]]
    notes = [Piece("pile-about", "note", text=f"Discards in the Card Dump: {state.row_size}")]
    notes += [Piece(f"pile-{kind}", "note", text=words.TITLES[kind], value=n) for kind, n in dumped]
    notes.append(Piece("pile-left", "note", text="New decks to come", value=left))
    if royale:
        notes.append(Piece("pile-tens", "note", text="10,000 bills in the bank", value=r.tens_left(state)))
        notes.append(Piece("pile-fifties", "note", text="50,000 bills in the bank", value=r.fifties_left(state)))
    return Piece(
        "pile",
        "stack",
        "in the deck",
        "family-trade-back",
        value=state.deck_size,
        clause="FT-24" if royale else "FT-18",
        children=tuple(notes),
    )


def jackpot(state: r.State) -> Piece:
    """Show the Jackpot (FT-14), or in Battle Royale the bank, which can run out of bills (FT-25)."""
    if state.ruleset == r.BATTLE_ROYALE:
        tens, fifties = r.tens_left(state), r.fifties_left(state)
        name = f"The bank has {number(tens)} bills of 10,000 and {number(fifties)} of 50,000"
        bills = (badge("bills-10", f"{number(tens)} × 10,000"), badge("bills-50", f"{number(fifties)} × 50,000"))
        low = ("danger",) if min(tens, fifties) < 5 else ()
        return column("jackpot", label("bank", "The bank has"), *bills, name=name, marks=("jar", *low), clause="FT-25")
    jar = Piece("jar", "token", f"Jackpot: {words.money(state.jackpot)}", "family-trade-jar", marks=("glass",))
    full = ("full",) if state.jackpot else ()
    amount = stat("jar-sum", "Jackpot", text=words.money(state.jackpot))
    return row("jackpot", jar, amount, name="Jackpot", marks=("jar", *full), clause="FT-14")


def dump(state: r.State, legal: Sequence[int], names: Sequence[str]) -> Piece:
    """Show the last discard, a click on which takes it, those before it, and how many of each kind are in the dump
    (FT-8, FT-12, FT-26)."""
    taken = state.winner != r.NOBODY and state.source != r.NOBODY  # the last discard is among the cards shown
    named = state.discarder != r.NOBODY and not taken
    newest = [_newest(state, legal, names)] if named and state.row_size else []
    before = range(state.row_size - 1 - len(newest), -1, -1)[:RECENT]
    # Places in which other cards lie after each discard; only the first has one that lay elsewhere, as the newest.
    recent = [_discard(f"recent-{i}" if i else f"dump-{at}", state.row[at]) for i, at in enumerate(before)]
    kinds = r.N_KINDS if state.ruleset == r.MARKET_MAKING else r.N_GOODS
    tally = tuple(_tally(kind, state.dumped[kind]) for kind in range(kinds))
    return Piece(
        "dump",
        "panel",
        f"Card Dump: {state.row_size} cards" if state.row_size != 1 else "Card Dump: one card",
        clause="FT-22" if state.ruleset == r.BATTLE_ROYALE else "FT-12",
        children=(
            row("newest", *newest, marks=("newest",)),
            flow("tally", *tally, name="In the Card Dump", marks=("tally",)),
            flow("recent", *recent, marks=("recent",)),
        ),
    )


def _newest(state: r.State, legal: Sequence[int], names: Sequence[str]) -> Piece:
    card = _discard(f"dump-{state.row_size - 1}", state.row[state.row_size - 1])
    return replace(
        card,
        name=f"{card.name}, discarded by {names[state.discarder]}",
        marks=("stamped", "last"),
        action="take" if state.phase == r.ASK and r.OUT in legal else "",
    )


@once
def _discard(key: str, kind: int) -> Piece:
    return Piece(key, "token", words.TITLES[kind], words.face(kind), marks=("stamped",))


@once
def _tally(kind: int, n: int) -> Piece:
    marks = ("tallied",) if n else ("tallied", "none")
    name = f"{words.TITLES[kind]} in the Card Dump: {n}"
    return Piece(f"tally-{kind}", "token", name, words.face(kind), text=str(n), marks=marks, short=f"{n}")


def shown(state: r.State, names: Sequence[str]) -> Piece:
    """Make the cards of a player who goes out, and what they are worth; kept until the next one does (FT-13, FT-14)."""
    going = state.winner != r.NOBODY
    if not going and state.ended != r.WENT_OUT:
        name = words.outcome(state, names) if state.ended else "No player has gone out yet"
        clause = "FT-18" if state.ended else "FT-22" if state.ruleset == r.BATTLE_ROYALE else "FT-13"
        return Piece("shown", "panel", name, marks=("sets",), clause=clause)
    cards = tuple(
        Piece(f"set-{kind}-{i}", "token", words.TITLES[kind], words.face(kind), marks=("stamped",))
        for kind in range(r.N_GOODS)
        for i in range(state.won[kind])
    )
    lines: list[Piece] = []
    if going:
        title = f"{names[state.winner]} goes out"
        if state.phase == r.REROLL:
            lines.append(_sum(r.total(state), r.multiplier(state), 0))
    else:
        by = f" with {names[state.source]}'s card" if state.source != r.NOBODY else ""
        title = f"Last {'round' if state.ruleset == r.BATTLE_ROYALE else 'deal'}: {names[state.last]}{by}"
        lines.append(_sum(state.worth, state.times, state.took))
    clause = "FT-22" if state.ruleset == r.BATTLE_ROYALE else "FT-14"
    fresh = ("fresh",) if going or not any(r.hand_size(state, seat) for seat in range(state.players)) else ()
    return Piece("shown", "panel", title, marks=("sets", *fresh), clause=clause, children=(*cards, *lines))


def _sum(worth: int, times: int, took: int) -> Piece:
    more = (f" (×{times})" if times > 1 else "") + (f", Jackpot {words.change(took)}" if took else "")
    low = ("low",) if worth < 0 else ()
    return label("worth", words.change(worth) + more, marks=("amount", *low))


# A roll that everyone watches -----------------------------------------------------------------------
def event(state: r.State, names: Sequence[str]) -> tuple[Piece, ...]:
    """Show the dice of a player who goes out in the middle of the table, large: what each was and what it brings now,
    and the total once it is known (FT-13, FT-20, FT-22). look.css hides it after a moment."""
    who = state.winner if state.winner != r.NOBODY else state.last
    again = state.rerolled != r.NONE
    over = not any(r.hand_size(state, seat) for seat in range(state.players)) and state.ended == r.WENT_OUT
    rolls = state.phase == r.ROLL and state.winner != r.NOBODY
    landed = state.phase == r.REROLL and state.ruleset == r.GOD
    if not (rolls or landed or (over and state.phase != r.ROLL and _has_rolled(state))):
        return ()
    goods = (state.rerolled,) if again else tuple(good for good in range(r.N_GOODS) if state.won[good])
    times = state.times if over else r.multiplier(state)
    total = words.change(state.worth if over else r.total(state)) + (f" (×{times})" if times > 1 else "")
    total = total if over or landed else ""
    done = label("event-sum", total, marks=("amount", *(("low",) if total.startswith("\N{MINUS SIGN}") else ())))
    title = f"{names[who]} {'rerolls a die' if again else 'goes out'}"
    return (
        column(
            "event",
            label("event-title", title, marks=("event-title",)),
            row("event-dice", *(_falling(state, good, again) for good in goods), marks=("event-dice",)),
            done,
            marks=("event", *(() if rolls else ("landed",))),
        ),
    )


def _has_rolled(state: r.State) -> bool:
    """Return whether the last deal ended with a die: not if no die was rerolled, or the cards were nine alike."""
    if state.ruleset == r.MARKET_MAKING:
        return state.rerolled != r.NONE
    return state.rerolled != r.NONE or not r.nine_alike(state.won)


def _falling(state: r.State, good: int, again: bool) -> Piece:
    """Make a die of the event, with what its good's price was if it is rolled again."""
    air = state.phase == r.ROLL and bool(state.rolling >> good & 1)
    at = state.price[good]
    said = "" if air or at == r.NONE else number(state.ladder[at])
    before = (label(f"was-{good}", words.money(state.ladder[state.was]), marks=("was",)),) if again else ()
    last = bool(said) and _fell_last(state) == good
    die = Piece(
        f"fall-{good}",
        "die",
        f"The die of {words.TITLES[good]}" + (f" shows {words.price(state, good)}" if said else " is rolled"),
        "" if said else words.face(good),
        text=said,
        marks=("large", *(("air",) if air else ("rolled",) if last else ())),
        short=said or "?",
    )
    name = label(f"event-{good}", words.TITLES[good], marks=("good-name",))
    return row(f"falls-{good}", name, *before, die, marks=("falls", *(("again",) if again else ())))
