"""Aces & Faces on the table: the loop, what is inside it, and what can be done, as one viewer may see it."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.scene import Button, Piece, Reason, Scene
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.show import board, text, words
from parlour.games.aces_and_faces.show.race import GLYPHS
from parlour.games.aces_and_faces.show.telling import tell

__all__ = ["THEME", "scene", "tell"]

# Green baize, cream: the cloth is green in both themes, in the dark one a lamp lower.
THEME = {
    "light": {
        "--cloth": "#2f7350", "--cloth-deep": "#1d5238", "--lamp": "#fff3c940", "--cloth-ink": "#fbf5e4",
        "--cloth-soft": "#d9e4d0", "--cloth-line": "#d8cfa880", "--metal": "#d8bd7c", "--danger": "#ffc2b3",
        "--square": "#f3ead2", "--square-ink": "#4b3a22", "--inlay": "#e2d3ac",
    },
    "dark": {
        "--cloth": "#1b4632", "--cloth-deep": "#0c2418", "--lamp": "#ffdf9a2e", "--cloth-ink": "#f4ecd6",
        "--cloth-soft": "#b5c7b4", "--cloth-line": "#a89c7266", "--metal": "#c3a666", "--danger": "#ffb3a1",
        "--square": "#d9cdb0", "--square-ink": "#3f301b", "--inlay": "#c6b68d",
    },
}  # fmt: skip
CHEER = (
    "aces-and-faces-suit-D",
    "aces-and-faces-suit-C",
    "aces-and-faces-suit-H",
    "aces-and-faces-suit-S",
)  # what flies up when the viewer has won


def scene(state: r.State, viewer: int, names: Sequence[str]) -> Scene:
    """Return what `viewer` sees: their own hand, the backs of the others', and the loop."""
    decides = r.current_player(state) == viewer >= 0
    return Scene(
        game="aces-and-faces",
        viewer=viewer,
        prompt=_prompt(state, viewer, names),
        board=Piece(
            "board",
            "board",
            "The table",
            marks=("felt", *(("public",) if viewer < 0 else ())),
            children=(board.loop(state, viewer, names),),
        ),
        seats=tuple(_seat(state, seat, viewer, names) for seat in range(state.players)),
        buttons=_buttons(state, viewer) if decides else _waiting(state, viewer, names),
        to_move=state.player if state.phase & r.DECIDES else None,
        over=state.phase == r.OVER,
        winners=_winners(state),
        hold=_hold(state),
    )


RACE = "Most cards of a kind, or of the same suit: four win"


def race(state: r.State) -> tuple[int, ...]:
    """AF-13: return each player's most cards in a line; four win.

    How many cards a player holds says little.
    """
    lines = c.LINES[: c.N_LINES]
    return tuple(max(c.size(state.hands[seat] & line) for line in lines) for seat in range(state.players))


def raced(state: r.State) -> tuple[str, ...]:
    """AF-13: return of what each player has these cards."""
    return tuple(words.most_of(state.hands[seat], most) for seat, most in enumerate(race(state)))


def _winners(state: r.State) -> tuple[int, ...]:
    if state.phase != r.OVER:
        return ()
    return tuple(range(state.players)) if state.winner == r.NOBODY else (state.winner,)


# What can be done ----------------------------------------------------------------------------------
def _buttons(state: r.State, viewer: int) -> tuple[Button, ...]:
    """Make buttons for directions, guesses and declining; for everything else you click the piece."""
    if state.phase == r.CHOOSE_CORNER:
        return tuple(
            Button(
                f"corner-{s}", glyph, text.format_action(state, s), words.SUITS[s], shortcut=words.SUITS[s][0].lower()
            )
            for s, glyph in enumerate(GLYPHS)
        )
    if state.phase == r.MOVE:
        names = {r.ANTICLOCKWISE: ("anticlockwise", "ArrowLeft"), r.CLOCKWISE: ("clockwise", "ArrowRight")}
        return tuple(
            Button(
                names[way][0],
                names[way][0].capitalize(),
                names[way][0],
                board.leads(state, way, True),
                shortcut=names[way][1],
            )
            for way in board.in_order(state)
        )
    if state.phase == r.GUESS:
        return (
            Button("lower", "Lower", "lower", _odds(state, r.LOWER), shortcut="ArrowDown"),
            Button("higher", "Higher", "higher", _odds(state, r.HIGHER), shortcut="ArrowUp"),
        )
    if state.phase == r.DUEL:
        return (Button("no-duel", "No duel", "no duel", "or name a card", shortcut="n"),)
    what = "Take a ringed card" if state.phase == r.MATCH_PICK else "Give a card from your hand"
    why = Reason(*_ask(state))
    return (Button("choose", what, why=why),)


def _ask(state: r.State) -> tuple[str, str]:
    if state.phase == r.MATCH_PICK:
        return "Choose one of the ringed cards on the loop.", "AF-11"
    return "Choose the card in your hand.", "AF-12"


def _odds(state: r.State, guess: int) -> str:
    """AF-15: return how many cards of the pile are right, with the memory aid; else the number to compare."""
    if not state.memory_aid:
        return f"than {state.number}"
    left = r.pile(state)
    right = sum(number for kind, number in enumerate(left) if r.guessed_right(state, guess, kind))
    return f"{right} of {sum(left)} cards"


def _waiting(state: r.State, viewer: int, names: Sequence[str]) -> tuple[Button, ...]:
    """Return a place in the bar for what can't be done yet. Its words stay while others play: the prompt follows
    them."""
    if viewer < 0 or state.phase == r.OVER:
        return ()
    wait = f"{names[state.player]} decides now." if state.phase & r.DECIDES else "Wait for the cards."
    what = "the cards" if viewer in (state.player, state.rival) and not state.phase & r.DECIDES else "your turn"
    return (Button("wait", f"Wait for {what}", why=Reason(wait)),)


# Players -------------------------------------------------------------------------------------------
def _seat(state: r.State, seat: int, viewer: int, names: Sequence[str]) -> Piece:
    marks = ["you"] if seat == viewer else []
    said = ""
    if seat in _winners(state):
        marks.append("winner")
        said = "wins" if state.winner != r.NOBODY else "shares the game"
    elif state.phase != r.OVER and state.phase != r.DRAW_SEAT and seat == state.player:
        marks.append("active")
        said = "decides" if state.phase & r.DECIDES else "flips a card"
    elif seat == state.rival and state.phase in (r.DUEL_FIRST, r.DUEL_SECOND, r.GIVE):
        said = "in the duel"
    held = c.size(state.hands[seat])
    return Piece(
        f"seat-{seat}", "seat", names[seat], text=said, value=held, seat=seat, marks=tuple(marks),
        short="card" if held == 1 else "cards",
    )  # fmt: skip


def _prompt(state: r.State, viewer: int, names: Sequence[str]) -> str:
    who, phase = names[state.player], state.phase
    if phase == r.DRAW_SEAT:
        return "The player who starts is drawn by lot."
    if phase == r.OVER:
        return words.end(state, names)[0]
    if phase == r.TURN:
        return words.came(state, names)[0] or f"{who} starts."
    if viewer == state.player and phase & r.DECIDES:
        return _asks(state, names)
    rival = names[state.rival] if state.rival != r.NOBODY else ""
    return {
        r.CHOOSE_CORNER: f"{who} chooses a corner to start from.",
        r.MOVE: f"{who} moves {state.number} squares.",
        r.GUESS: f"{who} guesses: higher or lower than {state.number}?",
        r.GUESS_CARD: f"{who} says {'higher' if state.guess == r.HIGHER else 'lower'} than {state.number}.",
        r.MATCH_CARD: f"{who} tries for a Suit Match.",
        r.MATCH_PICK: f"A match: {who} takes a card.",
        r.DUEL: f"{who} may challenge an opponent to a duel.",
        r.DUEL_FIRST: f"{who} challenges {rival}: {who} flips first.",
        r.DUEL_SECOND: f"{who} challenges {rival}: now {rival} flips.",
        r.GIVE: f"{who} has lost the duel and gives {rival} a card.",
    }[phase]


def _asks(state: r.State, names: Sequence[str]) -> str:
    """Return what the viewer is to decide."""
    rival = names[state.rival] if state.rival != r.NOBODY else ""
    return {
        r.CHOOSE_CORNER: "Choose the corner you start from.",
        r.MOVE: f"Move exactly {state.number}: which way?",
        r.GUESS: f"Is the next card higher or lower than {state.number}?",
        r.MATCH_PICK: f"A match! Take any of the {words.SUITS[r.suit_here(state) % 4]} on the loop.",
        r.DUEL: "Duel: name a card that an opponent holds, or choose no duel.",
        r.GIVE: f"You lost the duel. Give {rival} a card from your hand.",
    }[state.phase]


def _hold(state: r.State) -> int:
    """Return the milliseconds that a viewer needs to look before the next position."""
    if state.phase == r.TURN:
        return 0 if state.news == r.NOTHING else 1900 if state.news >= r.DUEL_WON else 1000
    return {r.GUESS_CARD: 700, r.MATCH_CARD: 900, r.DUEL_FIRST: 1400, r.DUEL_SECOND: 1300}.get(state.phase, 0)
