"""Family Trade: the pieces of the table that everybody sees: market, deck, Jackpot, dump, and the cards shown."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.pieces import badge, column, label, row, stat
from parlour.core.scene import Piece, number
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import text, words


def market(state: r.State, legal: Sequence[int], names: Sequence[str]) -> Piece:
    """FT-2, FT-6: a row for each good, a step for each price; a chip lies on the price, a dot where the die may fall.

    Where a price may be moved, the steps beside the chip are clicked (FT-9); a die is rolled again by its good (FT-13).
    """
    steps = [label(f"step-{step}", words.money(state.ladder[step])[:-4]) for step in range(r.N_STEPS)]
    unit = label("steps-unit", "000s")
    head = row("steps", unit, *steps, marks=("prices", "head"))
    rows = tuple(_row(state, good, legal) for good in range(r.N_GOODS))
    title = "Market" if state.ruleset == r.MARKET_MAKING else "Dice"
    return Piece(
        "market",
        "panel",
        f"{title} · {words.deal(state)}",
        marks=("market",),
        layout="rows",
        clause=("FT-6", "FT-20", "FT-22")[state.ruleset],
        children=(head, *rows),
    )


def _row(state: r.State, good: int, legal: Sequence[int]) -> Piece:
    at = state.price[good]
    again = r.AGAIN + good
    name = words.TITLES[good] + (f" costs {words.price(state, good)}" if at != r.NONE else ": no price")
    falling = state.phase == r.ROLL and state.rolling >> good & 1
    why = None
    if state.phase == r.REROLL and legal and again not in legal:
        why = text.why_not(state, again)
    die = Piece(
        f"good-{good}",
        "token",
        f"{name}. Its die: {words.die(state, good)}",
        words.face(good),
        marks=("good", *(("air",) if falling else ())),
        short=words.TITLES[good],
        action=text.format_action(state, again) if again in legal else "",
        why=why,
    )
    cells = tuple(_cell(state, good, step, legal) for step in range(r.N_STEPS))
    title = label(f"name-{good}", words.TITLES[good], marks=("goodname",))
    return row(f"row-{good}", die, title, *cells, marks=("prices",))


def _cell(state: r.State, good: int, step: int, legal: Sequence[int]) -> Piece:
    at = state.price[good]
    faces = state.faces[good]
    marks = ["cell", *(("may",) if step in faces else ())]
    chip: tuple[Piece, ...] = ()
    if step == at:
        low = ("low",) if state.ladder[step] < 0 else ()
        moved = ("rolled",) if state.rerolled == good and state.winner != r.NOBODY and state.phase != r.REROLL else ()
        price = state.ladder[step]
        name = f"{words.TITLES[good]} costs {words.money(price)}"
        chip = (Piece(f"chip-{good}", "token", name, value=price, marks=("chip", *low, *moved), short=number(price)),)
    action = r.UP + good if step == at + 1 else r.DOWN + good if step == at - 1 else r.NONE
    if action in legal:
        way = "up" if action < r.DOWN else "down"
        return Piece(
            f"cell-{good}-{step}",
            "space",
            f"{words.TITLES[good]} {way} to {words.money(state.ladder[step])}",
            marks=(*marks, way),
            action=text.format_action(state, action),
        )
    may = "·" if step in faces and not chip else ""  # where the die may fall
    return Piece(f"cell-{good}-{step}", "space", marks=tuple(marks), short=may, children=chip)


def pile(state: r.State) -> Piece:
    """FT-18, FT-26: how many cards are in the deck, and the cards in the dump by kind."""
    royale = state.ruleset == r.BATTLE_ROYALE
    left = max(state.new_decks - state.remade, 0)
    name = f"in the deck, {left} new to come" if left != state.new_decks else "in the deck"
    dumped = [(kind, state.dumped[kind]) for kind in range(r.N_KINDS) if state.dumped[kind]]
    notes = [Piece("pile-about", "note", text=f"Discards lying in the dump: {state.row_size}")]
    notes += [Piece(f"pile-{kind}", "note", text=words.TITLES[kind], value=n) for kind, n in dumped]
    if royale:
        notes.append(Piece("pile-tens", "note", text="10,000 bills in the bank", value=r.tens_left(state)))
        notes.append(Piece("pile-fifties", "note", text="50,000 bills in the bank", value=r.fifties_left(state)))
    return Piece(
        "pile",
        "stack",
        name,
        "family-trade-back",
        value=state.deck_size,
        clause="FT-24" if royale else "FT-18",
        children=tuple(notes),
    )


def jackpot(state: r.State) -> Piece:
    """FT-14; in Battle Royale there is none, but a bank that can run out of bills (FT-25)."""
    if state.ruleset == r.BATTLE_ROYALE:
        tens, fifties = r.tens_left(state), r.fifties_left(state)
        name = f"The bank has {tens} bills of 10,000 and {fifties} of 50,000"
        bills = (badge("bills-10", f"{tens} × 10,000"), badge("bills-50", f"{fifties} × 50,000"))
        low = ("danger",) if min(tens, fifties) < 5 else ()
        return column("jackpot", *bills, name=name, marks=("jar", *low), clause="FT-25")
    jar = Piece("jar", "token", f"Jackpot: {words.money(state.jackpot)}", "family-trade-jar", marks=("glass",))
    full = ("full",) if state.jackpot else ()
    amount = stat("jar-sum", "Jackpot", text=words.money(state.jackpot))
    return row("jackpot", jar, amount, name="Jackpot", marks=("jar", *full), clause="FT-14")


def dump(state: r.State, legal: Sequence[int], names: Sequence[str]) -> Piece:
    """FT-8, FT-12, FT-26: the row of discards, the newest first; it is clicked to take it."""
    cards = []
    taken = state.winner != r.NOBODY and state.source != r.NOBODY  # the last discard is among the cards shown
    named = state.discarder != r.NOBODY and not taken
    for place in range(state.row_size - 1, -1, -1):
        last = place == state.row_size - 1
        kind = state.row[place]
        by = f", discarded by {names[state.discarder]}" if last and named else ""
        take = last and state.phase == r.ASK and r.OUT in legal
        cards.append(
            Piece(
                f"dump-{place}",
                "token",
                words.TITLES[kind] + by,
                words.face(kind),
                marks=("stamped", *(("last",) if last and named else ())),
                action="take" if take else "",
            )
        )
    name = f"Dump: {state.row_size} cards" if state.row_size != 1 else "Dump: one card"
    return Piece(
        "dump",
        "panel",
        name,
        layout="strip",
        clause="FT-22" if state.ruleset == r.BATTLE_ROYALE else "FT-12",
        children=tuple(cards),
    )


def shown(state: r.State, names: Sequence[str]) -> Piece:
    """FT-13, FT-14: the cards of a player who goes out, and what they are worth; kept until the next one does."""
    going = state.winner != r.NOBODY
    if not going and state.ended != r.WENT_OUT:
        name = words.outcome(state, names) if state.ended else "Nobody has gone out yet"
        return Piece("shown", "panel", name, marks=("sets",), clause="FT-18" if state.ended else "FT-13")
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
    fresh = ("fresh",) if going else ()
    return Piece("shown", "panel", title, marks=("sets", *fresh), clause=clause, children=(*cards, *lines))


def _sum(worth: int, times: int, took: int) -> Piece:
    more = (f" ×{times}" if times > 1 else "") + (f" and the Jackpot, {words.change(took)}" if took else "")
    low = ("low",) if worth < 0 else ()
    return label("worth", words.change(worth) + more, marks=("amount", *low))
