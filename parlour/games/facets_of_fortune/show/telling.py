"""What the log of Facets of Fortune says of each step. Every viewer sees everything."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import Step
from parlour.core.scene import Line, listed, number
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import words

DEALS = ("FF-8", "FF-15", "FF-17")  # by what cards are drawn for


def winners(state: r.State) -> tuple[int, ...]:
    """Return the seats that have won; before the end, no seat has (FF-27, FF-28)."""
    return tuple(seat for seat in range(state.players) if state.phase == r.OVER and r.wins(state, seat))


def end_text(state: r.State, names: Sequence[str]) -> str:
    """Return a sentence about the end: the winners, and how they won."""
    found = [names[seat] for seat in winners(state)]
    if state.corner != r.NOBODY:
        colour = state.own[state.corner].index(r.GEMS)
        return f"{found[0]} has cornered the {words.GEMS[colour]} market and wins."
    total = number(r.most_money(state))
    if len(found) == 1:
        return f"The last market has crashed: {found[0]} wins with {total}."
    return f"The last market has crashed: {listed(found)} share the win with {total}."


def end_clause(state: r.State) -> str:
    """Return the clause by which the game is over."""
    return "FF-27" if state.corner == r.NOBODY else "FF-28"


def tell(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of the log for one step."""
    before, after = step.before, step.after
    seat = before.player
    phase = before.phase
    if phase == r.START:
        return (Line(f"{names[step.action]} starts.", "FF-7", step.action, "chance"),)
    if phase == r.DRAW:
        return _drawn(before, after, step.action, names)
    if phase in (r.ROLL, r.NAME):
        lines = _rolled(before, after, step.action, names)
    elif phase == r.PLAY:
        lines = _acted(before, after, step.action, names)
    elif phase in (r.ATTACK, r.DEFEND, r.PICK):
        lines = _heist(before, after, step.action, names)
    else:
        lines = _played(before, after, step.action, names)
    if after.phase == r.OVER:
        lines.append(Line(end_text(after, names), end_clause(after), seat if after.corner != r.NOBODY else None, "end"))
    return tuple(lines)


def _drawn(before: r.State, after: r.State, kind: int, names: Sequence[str]) -> tuple[Line, ...]:
    seat = before.player
    lines = [Line(f"{names[seat]} draws {words.TITLES[kind]}.", DEALS[before.deal], seat, "chance")]
    if not before.left:
        lines.insert(0, Line("The discard pile is shuffled and becomes the deck.", "FF-17", None, "chance"))
    bonus = after.money[seat] - before.money[seat]
    if bonus:
        lines.append(Line(f"Three of a colour: the bank pays {names[seat]} {number(bonus)}.", "FF-25", seat, "event"))
    return tuple(lines)


def _rolled(before: r.State, after: r.State, action: int, names: Sequence[str]) -> list[Line]:
    """Describe the roll, and what it does to the markets (FF-11 to FF-14, FF-26)."""
    seat = before.player
    if before.phase == r.NAME:
        colour = action - r.MARKET
        said, kind = f"names {words.MARKETS[colour]}", "move"
        moved = [colour]
    else:
        alone = r.open_markets(before) == 1  # FF-11: the gem die is not rolled
        said, kind = f"rolls {words.roll(after).split()[1] if alone else words.roll(after)}", "chance"
        moved = [c for c in range(r.N_COLOURS) if r.is_moved(before, after.gem, c)]
    if after.phase == r.NAME:
        return [Line(f"{names[seat]} {said}.", "FF-11", seat, "chance")]
    where = [_where(before, after, colour) for colour in moved]
    lines = [Line(f"{names[seat]} {said}: {', '.join(where)}.", "FF-11", seat, "move" if kind == "move" else "chance")]
    for colour in moved:
        if r.fate(before, after.gem, colour, after.step) == r.HOLDS:
            clause = "FF-11" if r.stays(before, after.gem, colour, after.step) else "FF-13"
            price = number(r.sell_price(after, colour))
            lines.append(Line(f"A STOP holds {words.MARKETS[colour]} at {price}.", clause, None, "event"))
        elif after.closed[colour]:
            lines.append(_crash(before, colour, names))
    for colour in range(r.N_COLOURS):
        if after.stops[colour] != before.stops[colour]:
            text = f"{names[seat]}'s STOP on {words.MARKETS[colour]} is used up."
            lines.append(Line(text, "FF-14", seat, "event"))
    return lines


def _where(before: r.State, after: r.State, colour: int) -> str:
    if after.closed[colour]:
        return f"{words.MARKETS[colour]} goes above {number(after.ladder[r.TOP])}"
    price = number(r.sell_price(after, colour))
    stays = before.marker[colour] == after.marker[colour]
    return f"{words.MARKETS[colour]} {'stays at' if stays else 'goes to'} {price}"


def _crash(before: r.State, colour: int, names: Sequence[str]) -> Line:
    """Describe what each player has lost (FF-26)."""
    lost = [(names[seat], before.own[seat][colour]) for seat in range(before.players)]
    owners = [f"{name} loses {n}" for name, n in lost if n]
    tail = listed(owners) if owners else "no player had a gem of it"
    return Line(f"{words.MARKETS[colour].upper()} CRASHES: {tail}.", "FF-26", None, "event")


def _acted(before: r.State, after: r.State, action: int, names: Sequence[str]) -> list[Line]:
    """Describe a decision between the roll and the end of a turn.

    A card that needs more decisions has its line after the last of them.
    """
    seat = before.player
    who, paid = names[seat], number(before.money[seat] - after.money[seat])
    if action >= r.CARD:
        if after.phase in (r.PLAY, r.OVER):  # nothing is asked: a Free Gem of an open market
            return [Line(f"{who} takes {words.A_GEM[r.colour_of(after.card)]} for nothing.", "FF-19", seat)]
        return []
    if action >= r.STOP_AT:
        return [Line(f"{who} places a STOP on {words.MARKETS[action - r.STOP_AT]}.", "FF-23", seat)]
    if action == r.BUY_STOP:
        return [Line(f"{who} buys an extra STOP for {paid}.", "FF-23", seat)]
    if action == r.DISCARD:
        return []
    if action == r.END:
        kept = before.held[seat]
        what = {0: "has played every card", 1: "keeps the last card"}.get(kept, f"keeps {kept} cards")
        return [Line(f"{who} {what} and ends the turn.", "FF-17", seat)]
    cards = action - r.EXTRA
    what = f"{cards} new card{'s' if cards > 1 else ''}"
    return [Line(f"{who} buys {what} for {paid}.", "FF-15", seat)]


def _played(before: r.State, after: r.State, action: int, names: Sequence[str]) -> list[Line]:
    """Describe the end of a play, or of a turn with discards."""
    seat, phase = before.player, before.phase
    who, card = names[seat], words.TITLES[before.card] if before.card != r.NOBODY else ""
    if phase == r.TOSS:
        gone = [words.TITLES[kind] for i, kind in enumerate(words.cards(before, seat)) if action - r.PLACES >> i & 1]
        return [Line(f"{who} discards {listed(gone)} and ends the turn.", "FF-17", seat)]
    if phase == r.RIVAL:
        return [Line(f"{who} tries to heist {names[action - r.ROB]}.", "FF-22", seat)]
    if phase == r.TRADE:
        colour, gems = r.traded(action)
        what, money = words.amount(abs(gems), colour), abs(after.money[seat] - before.money[seat])
        return [Line(f"{who} {'buys' if gems > 0 else 'sells'} {what} for {number(money)} with {card}.", "FF-18", seat)]
    colour = action - r.MARKET
    if phase == r.CHOOSE:
        return [Line(f"{who} takes {words.A_GEM[colour]} with {card}.", "FF-24", seat)]
    if phase == r.TAKE:
        text = f"{who} exchanges {words.A_GEM[before.first]} for {words.A_GEM[colour]}."
        return [Line(text, "FF-20", seat)]
    if phase == r.SWITCH_2:
        return [_switched(before, after, colour, names)]
    return []


def _switched(before: r.State, after: r.State, colour: int, names: Sequence[str]) -> Line:
    one, other = before.first, colour
    who = names[before.player]
    if before.closed[one] != after.closed[one]:
        opened, shut = (one, other) if before.closed[one] else (other, one)
        text = (
            f"{who} switches: {words.MARKETS[opened]} opens again in place of {words.MARKETS[shut]}, which is closed."
        )
        return Line(text, "FF-21", before.player, "event")
    prices = [f"{words.MARKETS[c]} {number(r.sell_price(after, c))}" for c in (one, other)]
    return Line(f"{who} switches: {' and '.join(prices)}.", "FF-21", before.player)


def _heist(before: r.State, after: r.State, action: int, names: Sequence[str]) -> list[Line]:
    """FF-22: describe the dice, and the gems taken, with or without asking."""
    seat, rival = before.player, before.rival
    lines = []
    if before.phase == r.ATTACK:
        return [Line(f"{names[seat]} rolls {action}.", "FF-22", seat, "chance")]
    if before.phase == r.DEFEND:
        lines.append(Line(f"{names[rival]} rolls {action}.", "FF-22", rival, "chance"))
        if not r.haul(before, action):
            lines.append(Line("The heist has failed.", "FF-22", rival, "event"))
    taken = [after.own[seat][colour] - before.own[seat][colour] for colour in range(r.N_COLOURS)]
    gems = [words.amount(n, colour) for colour, n in enumerate(taken) if n]
    if gems:
        lines.append(Line(f"{names[seat]} takes {listed(gems)} from {names[rival]}.", "FF-22", seat, "event"))
    return lines
