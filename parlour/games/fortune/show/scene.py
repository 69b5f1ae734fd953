"""Fortune on the table: what a viewer sees (`scene`) and what the log says (`tell`). Every viewer sees everything.

The pieces of the board are in board.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.scene import Button, Pick, Piece, Reason, Scene, number, signed
from parlour.games.fortune import rules as r
from parlour.games.fortune.show import text, words
from parlour.games.fortune.show.board import board
from parlour.games.fortune.show.telling import changed, end_clause, end_text, ended, tell, winners

__all__ = ["THEME", "scene", "tell"]

# Night sea, brass lamp: the cloth is dark in both themes, in the light one a shade nearer to blue.
THEME = {
    "light": {
        "--cloth": "#1f4a63", "--cloth-deep": "#123247", "--lamp": "#f5c56b44", "--cloth-ink": "#f6ecd6",
        "--cloth-soft": "#c3d3d6", "--cloth-line": "#7fa3b066", "--metal": "#e0b25c", "--rope": "#c9a56a",
        "--rope-dark": "#8f6a37", "--danger": "#ff9b85",
    },
    "dark": {
        "--cloth": "#11293b", "--cloth-deep": "#071521", "--lamp": "#f2b95640", "--cloth-ink": "#f3e7cd",
        "--cloth-soft": "#a9bcc4", "--cloth-line": "#5d7f9066", "--metal": "#d9a94f", "--rope": "#b8935a",
        "--rope-dark": "#765527", "--danger": "#ff8f78",
    },
    "narrow": {
        "grid-template-areas": "'card card' 'tray tray' 'skulls skulls' 'worth pile' 'rope rope'",
        "grid-template-columns": "minmax(0, 1fr) auto",
        "grid-template-rows": "auto auto auto auto minmax(min-content, 1fr)",
    },
    "wide": {
        "grid-template-areas": "'card tray worth' 'pile skulls worth' 'rope rope rope'",
        "grid-template-columns": "minmax(10rem, max(13.5rem, min(24%, 27dvh))) minmax(0, 1fr) "
        "minmax(10rem, max(12.5rem, min(21%, 25dvh)))",
        "grid-template-rows": "auto auto minmax(min-content, 1fr)",
    },
}  # fmt: skip
CHEER = ("fortune-gold", "fortune-diamond", "fortune-gold", "fortune-parrot")  # what flies up when the viewer has won


WAIT = "not your turn"  # a line below each button, as there is one in a turn, so that their words keep their place


def scene(state: r.State, viewer: int, names: Sequence[str]) -> Scene:
    """Return what `viewer` sees. All see the same, but only the player who decides is offered moves."""
    decides = state.phase == r.DECIDE and viewer == state.player
    moves = _moves(state) if decides else {}
    chosen = {face for tokens in moves for face in tokens.split(",")}
    pick = None
    buttons: tuple[Button, ...] = ()
    if decides:
        buttons = (_stop(state), *_roll_all(state, moves))
        pick = None if state.island else _pick(state, moves)
        chosen = set() if state.island else chosen
    elif viewer in range(state.players) and state.phase != r.OVER:
        wait = Reason(_wait(state, names))
        buttons = (
            Button("stop", "Stop", hint=WAIT, why=wait, shortcut="s"),
            Button("all", "All", why=wait, shortcut="a"),
            Button("pick", "Re-roll", hint=WAIT, why=wait, main=True),
        )
    return Scene(
        game="fortune",
        viewer=viewer,
        prompt=_prompt(state, viewer, names),
        clause=_clause(state),
        board=Piece(
            "board",
            "board",
            "The table",
            marks=_marks(state),
            children=board(state, names, decides, chosen),
        ),
        seats=tuple(_seat(state, seat, viewer, names) for seat in range(state.players)),
        buttons=buttons,
        pick=pick,
        to_move=state.player if state.phase == r.DECIDE else None,
        over=state.phase == r.OVER,
        winners=winners(state),
        hold=_hold(state),
    )


def _marks(state: r.State) -> tuple[str, ...]:
    if state.phase in (r.DRAW_CARD, r.OVER) and state.roller != r.NOBODY and state.fate == r.DISQUALIFIED:
        return ("bust",)  # FO-7: three skulls deserve a moment
    return ("island",) if state.island else ()


# What can be done ----------------------------------------------------------------------------------
def _moves(state: r.State) -> dict[str, str]:
    """Return every legal roll: faces of its dice, sorted -> its text."""
    buffer, wanted, dice = [0] * r.MAX_LEGAL, [0] * r.N_FACES, state.dice
    moves = {}
    for action in buffer[: r.legal_actions(state, buffer)]:
        if action != r.STOP:
            r.decode(action, wanted)
            tokens = sorted(name for face, name in enumerate(r.FACES) for _ in range(wanted[face]))
            moves[",".join(tokens)] = text.format_roll(dice, wanted)
    return moves


def _stop(state: r.State) -> Button:
    if state.island:
        hint = f"each opponent {number(-r.island_loss(state))}{words.NOT_BELOW if state.floor_at_zero else ''}"
    else:
        worth = r.worth_now(state)
        total = state.scores[state.player] + worth
        hint = f"{signed(worth)} to {number(total if total > 0 or not state.floor_at_zero else 0)}"
    return Button("stop", "Stop", "stop", hint, shortcut="s", main=state.island == 1, ends=True)


def _roll_all(state: r.State, moves: dict[str, str]) -> tuple[Button, ...]:
    """FO-14: make the button for the one roll that the Island allows."""
    if not state.island:
        return ()
    return tuple(
        Button(
            "pick",
            f"Re-roll all {r.N_DICE - state.count[r.SKULL]}",
            move,
            "for more skulls",
            main=True,
            shortcut="Enter",
        )
        for move in moves.values()
    )


def _pick(state: r.State, moves: dict[str, str]) -> Pick:
    if not moves:
        why = Reason("Too few dice can be re-rolled: you need at least two.", "FO-6")
        return Pick("Re-roll", {}, {"": "too few dice"}, {"": why})
    few = Reason("Choose at least two dice.", "FO-6")
    rest = keep = Reason("One die must stay on the table.", "FO-6")
    hints = {"0": "two or more", "1": "one more", "": "one must stay"}
    alone = state.sorceress_alone
    if r.must_use_spell(state):
        hints = {"": "choose a skull" if alone else "a skull and another"}
        company = "alone or with other dice" if alone else "and other dice with it"
        few = rest = Reason(f"Choose one skull for the Sorceress to free, {company}.", "FO-18")
    elif r.may_free(state) and state.count[r.SKULL]:
        rest = Reason("The Sorceress frees one skull, together with another die.", "FO-18")
        hints[""] = "one skull at most"
        if alone:
            rest = Reason("The Sorceress frees only one skull.", "FO-18")
            few = Reason("Choose at least two dice, or one skull for the Sorceress to free.", "FO-18")
    whys = {"0": few, "1": few, "": rest}
    if state.must_keep_one and state.count[r.SKULL] < 2:  # all eight are wrong because one must stay, not for a skull
        whys[str(r.N_DICE)] = keep
        hints[str(r.N_DICE)] = "one must stay"
    return Pick("Re-roll {n}", moves, hints, whys)


# Players -------------------------------------------------------------------------------------------
def _seat(state: r.State, seat: int, viewer: int, names: Sequence[str]) -> Piece:
    marks = ["you"] if seat == viewer else []
    said = ""
    if state.phase == r.OVER:
        if seat in winners(state):
            marks.append("winner")
            said = "wins" if len(winners(state)) == 1 else "shares the win"
    elif state.phase != r.DRAW_SEAT and seat == state.player:
        marks.append("active")
        said = "to turn a card" if state.phase == r.DRAW_CARD else "rolling" if state.phase == r.ROLL else "decides"
    elif state.final_left:
        last = (seat - state.player) % state.players < state.final_left
        said = "one last turn" if last else "has finished"
    if state.phase in (r.DRAW_CARD, r.OVER) and state.roller != r.NOBODY and (change := changed(state, seat)):
        said = ", ".join(filter(None, (change, said if state.phase == r.OVER else "")))
    return Piece(
        f"seat-{seat}",
        "seat",
        names[seat],
        text=said,
        value=state.scores[seat],
        limit=state.target,
        seat=seat,
        marks=tuple(marks),
    )


def _wait(state: r.State, names: Sequence[str]) -> str:
    return f"{names[state.player]} decides now." if state.phase == r.DECIDE else "Wait for the dice and cards."


def _prompt(state: r.State, viewer: int, names: Sequence[str]) -> str:
    who = names[state.player]
    if state.phase == r.DRAW_SEAT:
        return "The starting seat is drawn."
    if state.phase == r.OVER:
        return end_text(state, names)
    if state.phase == r.DRAW_CARD:
        return f"{who} starts." if state.roller == r.NOBODY else ended(state, names)
    if state.phase == r.ROLL:
        return f"{who} turns {words.TITLES[state.card]}." if not state.rolls else f"{who} rolls."
    if viewer != state.player:
        if state.island:
            return f"{who} is on the Island of Skulls."
        return f"{who} must use the Sorceress, or be disqualified." if r.must_use_spell(state) else f"{who} decides."
    if state.island:
        return "Island of Skulls: stop, or re-roll for more."
    if r.must_use_spell(state):
        return "Three skulls! Re-roll one with the Sorceress, or be disqualified."
    return "Your turn: stop, or choose dice to re-roll."


def _clause(state: r.State) -> str:
    """Return the rule that the prompt is about."""
    if state.phase == r.DECIDE:
        return "FO-14" if state.island else "FO-18" if r.must_use_spell(state) else "FO-6"
    if state.phase == r.OVER:
        return end_clause(state)
    return {r.DRAW_SEAT: "FO-3", r.DRAW_CARD: "FO-4", r.ROLL: "FO-5"}[state.phase]


def _hold(state: r.State) -> int:
    """Return the milliseconds that a viewer needs to look before the next position."""
    if state.phase == r.DRAW_CARD:
        return 0 if state.roller == r.NOBODY else 1900 if state.fate in (r.DISQUALIFIED, r.ISLAND) else 1300
    return 900 if state.phase == r.ROLL and not state.rolls else 0
