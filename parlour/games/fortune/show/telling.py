"""What the log of Fortune says of each step. Every viewer sees everything."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import CHANCE, Step
from parlour.core.scene import Line, listed, number, signed
from parlour.games.fortune import rules as r
from parlour.games.fortune.show import words


def changed(state: r.State, seat: int) -> str:
    """Return what the turn that has just ended did to a total, "" for nothing. How much FO-12 cut is not stored."""
    points = state.worth if seat == state.roller else -state.loss
    cut = state.floor_at_zero and points < 0 and state.scores[seat] == 0
    return signed(points) + (words.NOT_BELOW if cut else "") if points or seat == state.roller else ""


def ended(state: r.State, names: Sequence[str]) -> str:
    """Return how the turn that has just ended went, in a sentence."""
    who = names[state.roller]
    if state.fate == r.ISLAND:
        losses = [changed(state, seat) for seat in range(state.players) if seat != state.roller]
        loss = max(losses, key=len)  # if one was cut, the words that say so
        return f"{who} leaves the Island of Skulls: everyone else {loss}."
    how = {r.DISQUALIFIED: f"{who} is disqualified", r.STORM_OVER: f"{who}'s turn ends in the Storm"}
    return f"{how.get(state.fate, f'{who} stops')}: {changed(state, state.roller)}."


def end_text(state: r.State, names: Sequence[str]) -> str:
    """Return a sentence that names the winners."""
    found = [names[seat] for seat in winners(state)]
    total = number(max(state.scores[: state.players]))
    if len(found) == 1:
        return f"{found[0]} wins with {total}."
    return f"{listed(found)} share the win with {total}."


def end_clause(state: r.State) -> str:
    """Return the clause by which the game is over: a final round if a total is across the finish line, else the
    limit."""
    won = winners(state)
    if len(won) > 1:
        return "FO-27"
    return "FO-26" if r.beyond(state, state.scores[won[0]]) else "FO-28"


def tell(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of the log for one step."""
    before, after = step.before, step.after
    if before.phase == r.DRAW_SEAT:
        return (Line(f"{names[step.action]} starts.", "FO-3", step.action, "chance"),)
    if before.phase == r.DRAW_CARD:
        return _tell_card(before, after, names)
    who = names[before.player]
    lines = []
    if step.actor != CHANCE:
        if step.action == r.STOP:
            return tuple(_tell_end(before, after, names))
        wanted = [0] * r.N_FACES
        r.decode(step.action, wanted)
        clause = "FO-14" if before.island else "FO-18" if wanted[r.SKULL] else "FO-6"
        return (Line(f"{who} re-rolls {words.dice(wanted)}.", clause, step.actor),)
    faces = [step.action >> 4 * face & 15 for face in range(r.N_FACES)]
    clause = "FO-14" if before.island else "FO-6" if before.rolls else "FO-5"
    lines.append(Line(f"{who}: {words.dice(faces)}.", clause, before.player, "chance"))
    if after.island and not before.island:
        lines.append(Line(f"{who} goes to the Island of Skulls.", "FO-13", before.player, "event"))
    elif after.phase == r.DECIDE and r.must_use_spell(after):
        lines.append(Line("Three skulls: only the Sorceress can save the turn.", "FO-18", before.player, "event"))
    if after.phase != r.DECIDE:
        lines += _tell_end(before, after, names)
    return tuple(lines)


def _tell_card(before: r.State, after: r.State, names: Sequence[str]) -> tuple[Line, ...]:
    line = Line(
        f"{names[before.player]} turns {words.TITLES[after.card]}.", words.CLAUSES[after.card], before.player, "chance"
    )
    if before.reshuffle and before.turned == before.deck_size:
        return (Line(f"All {before.deck_size} cards are shuffled.", "FO-4", None, "chance"), line)
    return (line,)


def _tell_end(before: r.State, after: r.State, names: Sequence[str]) -> list[Line]:
    """Describe a turn's end, and what it brings about."""
    clauses = {r.DISQUALIFIED: "FO-7", r.ISLAND: "FO-15", r.STORM_OVER: "FO-23"}
    total = f" Total {number(after.scores[before.player])}." if after.fate != r.ISLAND else ""
    lines = [Line(ended(after, names) + total, clauses.get(after.fate, "FO-8"), before.player, "event")]
    if after.final_left and not before.final_left:
        others = "the other player has" if after.players == 2 else "each other player has"
        lines.append(
            Line(
                f"Final round: {names[after.finisher]} has crossed the finish line; {others} one more turn.",
                "FO-25",
                after.finisher,
                "event",
            )
        )
    elif before.final_left and not after.final_left and after.phase != r.OVER:
        lines.append(Line("No total is across the finish line now: play continues.", "FO-26", None, "event"))
    if after.phase == r.OVER:
        lines.append(Line(end_text(after, names), end_clause(after), None, "end"))
    return lines


def winners(state: r.State) -> tuple[int, ...]:
    """Return the seats with the highest total, once the game is over (FO-26, FO-27)."""
    if state.phase != r.OVER:
        return ()
    best = r.highest(state)
    return tuple(seat for seat in range(state.players) if state.scores[seat] == best)
