"""What the log of Family Trade says of each step, as each viewer may read it (FT-26)."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import UNSEEN, Step
from parlour.core.scene import Line
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import words


def tell(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of the log for one step, without what the viewer does not notice."""
    before, after = step.before, step.after
    if r.observed_action(before, step.action, viewer) == UNSEEN:
        return ()
    phase = before.phase
    if phase == r.DEAL:
        return _tell_deal(before, names)
    if phase == r.DRAW:
        return _tell_draw(step, viewer, names)
    if phase == r.TURN:
        return _tell_turn(step, names)
    if phase == r.ROLL:
        return _tell_die(step, names)
    if phase == r.ASK:
        if step.action != r.OUT:
            return (Line("You let it lie.", "FT-12", step.actor),)
        return _tell_out(before, after, names)
    if phase == r.MAKE:
        return (_tell_make(step, names),)
    if phase == r.REROLL:
        if step.action == r.STAND:
            return (Line(f"{names[step.actor]} rerolls no die.", "FT-13", step.actor), *_tell_end(after, names))
        clause = "FT-20" if before.ruleset == r.GOD else "FT-13"
        die = words.TITLES[step.action - r.AGAIN]
        return (Line(f"{names[step.actor]} rerolls the die of {die}.", clause, step.actor),)
    if phase == r.CHOOSE_MARKET:
        what = "keeps the market" if step.action == r.KEEP else "rerolls the whole market"
        return (Line(f"{names[step.actor]} {what}.", "FT-6", step.actor),)
    return (Line(f"{names[step.action]} deals first.", "FT-6", step.action, "chance"),)


def _tell_deal(before: r.State, names: Sequence[str]) -> tuple[Line, ...]:
    lines = []
    if not before.dealt:
        cards = "two cards" if before.ruleset == r.BATTLE_ROYALE else "eight cards"
        clause = "FT-21" if before.ruleset == r.BATTLE_ROYALE else "FT-7"
        lines.append(
            Line(f"{words.deal(before)}: {names[before.dealer]} deals {cards} each.", clause, before.dealer, "event")
        )
    return (*lines, *_tell_new_deck(before))


def _tell_new_deck(before: r.State) -> tuple[Line, ...]:
    """Describe a new deck (FT-18, FT-24)."""
    if before.deck_size or r.no_card(before):
        return ()
    royale = before.ruleset == r.BATTLE_ROYALE
    cards = before.row_size - (0 if royale else 1)
    text = f"The deck is empty: {cards} discards make a new one."
    return (Line(text, "FT-24" if royale else "FT-18", None, "chance"),)


def _tell_draw(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
    before, after = step.before, step.after
    seat = before.player
    royale = before.ruleset == r.BATTLE_ROYALE
    if step.action == r.NO_CARD:
        clause = "FT-24" if royale else "FT-18"
        what = "round" if royale else "deal"
        line = Line(f"No card is left to draw: the {what} is void, no one is paid.", clause, None, "event")
        return (line, *_tell_next(after, names))
    clause = "FT-22" if royale else "FT-8"
    what = f"You draw {words.TITLES[step.action]}." if seat == viewer else f"{names[seat]} draws a card."
    return (*_tell_new_deck(before), Line(what, clause, seat, "chance"))


def _tell_turn(step: Step, names: Sequence[str]) -> tuple[Line, ...]:
    before, after, seat = step.before, step.after, step.actor
    if step.action == r.OUT:
        if after.called:
            penalty = words.money(before.false_call)
            text = f'{names[seat]} calls "done!" without three sets: {penalty} into the Jackpot.'
            return (Line(text, "FT-19", seat, "event"),)
        return _tell_out(before, after, names)
    frozen = before.announced >> seat & 1
    clause = (
        "FT-9" if step.action == r.MARKET_MAKE
        else "FT-10" if frozen
        else "FT-22" if before.ruleset == r.BATTLE_ROYALE
        else "FT-8"
    )  # fmt: skip
    lines = [Line(f"{names[seat]} discards {words.TITLES[step.action]}.", clause, seat)]
    if after.announced & ~before.announced:
        lines.append(Line(f'{names[seat]}: "One to go!"', "FT-10", seat, "event"))
    return tuple(lines)


def _tell_make(step: Step, names: Sequence[str]) -> Line:
    who, action = names[step.actor], step.action
    if action == r.NO_STEP:
        return Line(f"{who} leaves all prices as they are.", "FT-9", step.actor)
    good = action - r.DOWN if action >= r.DOWN else action - r.UP
    way = "down" if action >= r.DOWN else "up"
    return Line(
        f"{who} moves {words.TITLES[good]} {way} to {words.price(step.after, good)}.", "FT-9", step.actor, "event"
    )


def _tell_out(before: r.State, after: r.State, names: Sequence[str]) -> tuple[Line, ...]:
    """Describe how a player shows their cards (FT-12, FT-13, FT-15, FT-22)."""
    seat = before.asked if before.phase == r.ASK else before.player
    cards = words.sets(after.won)
    royale = before.ruleset == r.BATTLE_ROYALE
    if before.phase == r.ASK:
        taken = words.TITLES[before.row[before.row_size - 1]]
        text = f"{names[seat]} takes the {taken} of {names[before.discarder]} and goes out with {cards}."
        clause = "FT-22" if royale else "FT-12"
    else:
        text = f"{names[seat]} goes out with {cards}."
        clause = "FT-22" if royale else "FT-13"
    lines = [Line(text, clause, seat, "event")]
    if after.winner == r.NOBODY:  # FT-15: paid at once
        lines += _tell_end(after, names)
    return tuple(lines)


def _tell_die(step: Step, names: Sequence[str]) -> tuple[Line, ...]:
    before, after = step.before, step.after
    good = r.die_due(before)
    clause = (
        "FT-6" if before.winner == r.NOBODY
        else "FT-22" if before.ruleset == r.BATTLE_ROYALE
        else "FT-13" if before.rerolled != r.NONE
        else "FT-20"
    )  # fmt: skip
    roller = before.dealer if before.winner == r.NOBODY else before.winner
    text = f"The die of {words.TITLES[good]} shows {words.money(before.ladder[step.action])}."
    if before.rerolled != r.NONE:
        text += f" It was {words.money(before.ladder[before.was])}."
    line = Line(text, clause, roller, "chance")
    if before.winner != r.NOBODY and after.winner == r.NOBODY:
        return (line, *_tell_end(after, names))
    return (line,)


def _tell_end(after: r.State, names: Sequence[str]) -> tuple[Line, ...]:
    """Describe what going out was worth, and which player paid (FT-14, FT-15, FT-16, FT-22)."""
    seat, worth = after.last, after.worth
    who = names[seat]
    royale = after.ruleset == r.BATTLE_ROYALE
    nine = r.nine_alike(after.won)
    times = f" ({after.times} times, on the {words.ordinal(after.times)} deal in a row)" if after.times > 1 else ""
    clause = "FT-22" if royale else "FT-15" if nine else "FT-16" if after.times > 1 else "FT-14"
    if not worth:
        how = "No one pays"
    elif nine or ((royale or after.source == r.NOBODY) and worth > 0):
        how = "The bank pays"
    elif royale:
        how = f"{who} pays the bank"
    elif after.source == r.NOBODY:
        how = f"{who} pays into the Jackpot"
    else:
        how = f"{names[after.source]} pays" if worth > 0 else f"{who} pays {names[after.source]}"
    lines = [Line(f"{who}: {words.change(worth)}{times}. {how}.", clause, seat, "event")]
    if after.took:
        lines.append(Line(f"{who} takes the Jackpot of {words.money(after.took)}.", "FT-14", seat, "event"))
    return (*lines, *_tell_next(after, names))


def _tell_next(after: r.State, names: Sequence[str]) -> tuple[Line, ...]:
    """Describe the next deal, or how the game ended (FT-16, FT-17, FT-24, FT-25)."""
    if after.phase != r.OVER:
        if after.run > 1:
            return (Line(f"{names[after.dealer]} deals again.", "FT-16", after.dealer),)
        clause = "FT-23" if after.ruleset == r.BATTLE_ROYALE else "FT-16"
        return (Line(f"The deal moves to {names[after.dealer]}.", clause, after.dealer),)
    if after.ruleset != r.BATTLE_ROYALE:
        return (Line(f"All have dealt twice. {words.end_text(after, names)}", "FT-17", None, "end"),)
    if r.tens_left(after) <= 0 or r.fifties_left(after) <= 0:
        bill = "10,000" if r.tens_left(after) <= 0 else "50,000"
        return (Line(f"The bank has no {bill} bill left. {words.end_text(after, names)}", "FT-25", None, "end"),)
    return (Line(f"Too few cards are left for a round. {words.end_text(after, names)}", "FT-24", None, "end"),)
