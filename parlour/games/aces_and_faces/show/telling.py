"""What the log of Aces & Faces says of each step, as a viewer may read it."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import CHANCE, Step
from parlour.core.scene import Line
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.show import words


def tell(step: Step, viewer: int, names: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of the log for one step. Viewers see the same lines, except for a card handed over in secret."""
    before, after = step.before, step.after
    if before.phase == r.DRAW_SEAT:
        return (Line(f"{names[step.action]} starts.", "AF-3", step.action, "chance"),)
    if step.actor == CHANCE:
        lines = [*_shuffled(before), *_turned(before, after, step.action, names)]
    else:
        lines = _decided(step, viewer, names)
    if after.phase in (r.TURN, r.OVER) and before.phase != r.CHOOSE_CORNER:
        lines += _ended(before, after, names)
    return tuple(lines)


def _shuffled(before: r.State) -> list[Line]:
    if before.left:
        return []
    return [Line(f"The pile is empty: all {before.deck_size} discarded cards are shuffled.", "AF-8", None, "chance")]


def _turned(before: r.State, after: r.State, kind: int, names: Sequence[str]) -> list[Line]:
    """Describe a card from the pile, and where it leads."""
    seat = before.rival if before.phase == r.DUEL_SECOND else before.player
    who, card = names[seat], words.kind(kind)
    goes = " and goes to its square" if c.card_of(kind) >= 0 else ""
    if before.phase == r.TURN:
        if kind == c.JOKER:
            return []  # the line about the turn's end mentions it
        return [Line(f"{who} flips {card}{goes}.", "AF-7" if goes else "AF-4", seat, "chance")]
    if before.phase == r.GUESS_CARD:
        if after.news == r.WRONG:
            return [Line(f"{who} flips {card}: wrong.", "AF-10", seat, "chance")]
        return [Line(f"{who} flips {card}: right{goes}.", "AF-10", seat, "chance")]
    if before.phase == r.MATCH_CARD:
        match = ": a match" if after.phase == r.MATCH_PICK else ""
        return [Line(f"{who} flips {card}{match}.", "AF-11", seat, "chance")]
    return [Line(f"{who} flips {card}.", "AF-12", seat, "chance")]


def _decided(step: Step, viewer: int, names: Sequence[str]) -> list[Line]:
    before, after, action, seat = step.before, step.after, step.action, step.actor
    who = names[seat]
    if before.phase == r.CHOOSE_CORNER:
        return [Line(f"{who} starts at the corner of {words.SUITS[action - r.CORNER]}.", "AF-3", seat)]
    if before.phase == r.MOVE:
        way = "clockwise" if action == r.CLOCKWISE else "anticlockwise"
        where = words.square(after.board[after.position[seat]])
        return [Line(f"{who} moves {before.number} {way} to {where}.", "AF-6", seat)]
    if before.phase == r.GUESS:
        said = "higher" if action == r.HIGHER else "lower"
        return [Line(f"{who} says {said} than {before.number}.", "AF-10", seat)]
    if before.phase == r.DUEL and action != r.NO_DUEL:
        card = words.card(after.named)
        return [Line(f"{who} challenges {names[after.rival]} to a duel for the {card}.", "AF-12", seat, "event")]
    if before.phase == r.GIVE and not before.handed_public and viewer in (seat, before.rival):
        to = names[before.rival]
        return [Line(f"{who} gives {to} the {words.card(action - r.CARD)}; only you two see it.", "AF-14", seat)]
    return []


def _ended(before: r.State, after: r.State, names: Sequence[str]) -> list[Line]:
    """Describe the result of the turn, and of the game."""
    text, clause = words.came(after, names)
    lines = []
    if not (after.news == r.WRONG and before.phase == r.GUESS_CARD):  # said with the card
        lines.append(Line(text, clause, after.mover, "event"))
    if after.phase == r.OVER:
        text, clause = words.end(after, names)
        lines.append(Line(text, clause, after.winner if after.winner != r.NOBODY else None, "end"))
        if after.winner != r.NOBODY:
            lines.insert(-1, words.hand_shown(after, names))
    return lines
