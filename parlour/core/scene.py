"""The vocabulary of scenes: a tree of keyed pieces, the same for every game.

A game's `scene(state, viewer)` names everything that this viewer may see; nothing else is ever
sent. Rendering to HTML (`core.html`), the JSON of the web API, terminal output and tests all read
this tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

SPECTATOR = -2  # a viewer who has no seat

Kind = Literal[
    "board",  # the whole surface of the game
    "panel",  # a part of the board, with its name above it
    "group",  # pieces that belong together; it draws nothing itself
    "space",  # a place where pieces lie: a square, a slot
    "track",  # a line of places along which tokens move: `value` of `limit`; a token's `text` is beside it
    "token",
    "gem",
    "card",
    "die",
    "stack",  # a pile of `value` pieces; the notes on it describe its contents
    "hand",  # a player's hand of cards
    "counter",  # a gain or loss: `value`, with its sign; the notes on it explain it
    "stat",  # a plaque: a name with its `value` or `text`
    "badge",  # a few words in a frame
    "label",  # words
    "note",  # a line of a list, on a stack or counter (its face before it); elsewhere a sentence on the board
    "seat",  # a player's plate
]
STILL: frozenset[Kind] = frozenset(("board", "panel", "track", "hand", "counter", "note", "seat"))  # never pressed
Layout = Literal[
    "",  # the kind's own: mostly side by side, in as many lines as needed
    "row",  # side by side in one line
    "column",  # one below the other
    "grid",  # in rows of `limit`
    "strip",  # side by side in one line, which scrolls
    "rows",  # a table: each child is a row, and its children are the cells
    "columns",  # a table: each child is a column
]


# Marks that core's look draws; a game's own look.css draws any others.
MARKS = {
    "last": "the trace of the last thing that happened",
    "rolled": "a die that was rolled just now",
    "turned": "a card that was turned over just now",
    "air": "a die that is in the air",
    "down": "a card or a stone that lies face down",
    "aside": 'out of play; "all" does not choose it',
    "dim": "of no use just now",
    "big": "should catch the eye first",
    "danger": "something bad is near",
    "done": "over, kept to be read",
    "active": "of a seat: this player is to act",
    "hinted": "what a hint or a lesson points at",
    "winner": "of a seat: this player has won",
    "you": "of a seat: the viewer's own",
}


class Reason(Struct, frozen=True, gc=False, cache_hash=True):
    """Why something is impossible (or holds): a sentence and the clause behind it."""

    text: str
    clause: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.clause})" if self.clause else self.text


class Piece(Struct, frozen=True, gc=False, cache_hash=True):
    """One thing on the table.

    key     stable and unique in the scene; the page follows a piece from place to place by it
    name    a screen reader reads this
    face    symbol of the game's art drawn on it ("sword"); "" for one that core draws from other
            fields: a die from its text or value (pips, 1 to 6), a gem from its name, a card or token
            from its words
    text    words shown on it
    value   a number shown with it, `limit` the end of its scale if it has one
    seat    the seat it belongs to (colour and shape follow), or None
    marks   looks and moments, from MARKS, and the game's own for its look.css (CSS classes)
    action  text of the legal action that a click performs, or ""
    part    its token in the scene's `pick`, or ""
    shortcut  the key equivalent to a click (KeyboardEvent.key), or ""
    why     why a click does nothing, if players might try one
    clause  the rule to show to players who want to know more
    path    keys of the places it has just passed through, in order, ending where it is now; the page
            moves it along them
    short   a sign or word for it where space is short, as in a drawing made of letters, or ""; on a
            plate, what its number counts ("cards")
    layout  how the pieces on it are arranged
    at      its row and column, 1 to 64, in the grid that it is on; None for the next free place
    place   where it is, for those who hear the page ("square 12", "die 3"); read after the name, or ""
            if the name contains it
    """

    key: str
    kind: Kind
    name: str = ""
    face: str = ""
    text: str = ""
    value: int | None = None
    limit: int | None = None
    seat: int | None = None
    marks: tuple[str, ...] = ()
    action: str = ""
    part: str = ""
    shortcut: str = ""
    why: Reason | None = None
    clause: str = ""
    path: tuple[str, ...] = ()
    short: str = ""
    layout: Layout = ""
    at: tuple[int, int] | None = None
    place: str = ""
    children: tuple[Piece, ...] = ()


class Button(Struct, frozen=True, gc=False, cache_hash=True):
    """A decision in the bar.

    `action` is the move's text, or "" with `why` if it cannot be made now.
    """

    key: str
    label: str
    action: str = ""
    hint: str = ""  # what it would bring, in a few words
    why: Reason | None = None
    main: bool = False
    shortcut: str = ""  # KeyboardEvent.key
    ends: bool = False  # whether it ends the player's turn by their own will: some like to be asked again


class Pick(Struct, frozen=True):
    """A choice of several pieces that together make one action.

    `moves` maps the sorted tokens (`Piece.part`) of the chosen pieces, joined by ",", to the move's
    text. Any other selection is illegal: `hints` says below the label in a few words what is missing,
    and `whys` says why to a viewer who presses it all the same (both by number chosen, "" for the rest).
    `label` appears on the button, with "{n}" for the number chosen; `all` offers to choose
    everything at once.
    """

    label: str
    moves: dict[str, str]
    hints: dict[str, str] = {}
    whys: dict[str, Reason] = {}
    shortcut: str = "Enter"
    all: bool = True


class Keep(Struct, frozen=True):
    """A decision that the viewer may make once for many times, such as passing.

    The page makes it again, after a while, whenever a scene offers a decision to keep with the same `same`: a text
    of all that concerns the viewer. It stops when a scene offers another; other decisions between leave it as it is.
    """

    label: str
    action: str
    same: str
    hint: str = ""  # until when, in a few words
    shortcut: str = ""  # KeyboardEvent.key


class Line(Struct, frozen=True, gc=False):
    """One line of the log, as a given viewer may read it."""

    text: str
    clause: str = ""
    seat: int | None = None
    kind: Literal["chance", "move", "event", "end"] = "move"


class Scene(Struct, frozen=True):
    """Everything that one viewer sees of one position.

    `prompt` says to this viewer whose decision it is, and what is to be decided. `to_move` is the
    seat that decides, as far as the viewer may know; None if no seat does. `hold` is the time in
    milliseconds that a person needs to take in this position before the next one, if that follows at
    once.
    """

    game: str
    viewer: int
    prompt: str
    board: Piece
    seats: tuple[Piece, ...] = ()
    buttons: tuple[Button, ...] = ()
    pick: Pick | None = None
    keep: Keep | None = None
    to_move: int | None = None
    over: bool = False
    winners: tuple[int, ...] = ()
    hold: int = 0
    clause: str = ""  # the rule that the prompt is about
    undo: bool = False  # the viewer may take back their last decision; set by the match, not by the game
    hints: bool = False  # the viewer may ask for the best decisions; set by the table, not by the game
    lesson: bool = False  # a lesson leads the viewer, and the prompt is its note; set by the table, not by the game
    sourced: tuple[tuple[str, str], ...] = ()  # (source, words) of that prompt that are not printed: `core.book`


def plates(scene: Scene) -> tuple[Piece, ...]:
    """Return the players' plates, with marks for the viewer, the player to act and the winners."""
    found = []
    for plate in scene.seats:
        said = (
            ("you", plate.seat == scene.viewer),
            ("active", plate.seat == scene.to_move and plate.seat is not None),
            ("winner", plate.seat in scene.winners),
        )
        lacking = [mark for mark, so in said if so and mark not in plate.marks]
        found.append(replace(plate, marks=(*plate.marks, *lacking)) if lacking else plate)
    return tuple(found)


def past(scene: Scene, log: tuple[Line, ...]) -> Scene:
    """Return a position to look at only, as in a replay.

    Nothing in it can be clicked or looks as if it could. Its prompt says what happened last
    (`log`, the lines of the step that led here) rather than what was to be decided.
    """
    prompt, clause = (log[-1].text, log[-1].clause) if log else (scene.prompt, scene.clause)
    return replace(
        scene, board=_still(scene.board), prompt=prompt, clause=clause, buttons=(), pick=None, keep=None, to_move=None,
        undo=False, hints=False,
    )  # fmt: skip


def _still(piece: Piece) -> Piece:
    return replace(piece, action="", part="", shortcut="", why=None, children=tuple(map(_still, piece.children)))


@lru_cache(1_000)
def number(value: int) -> str:
    """Format a number with commas and a real minus sign: 1,200 or −300."""
    return f"{value:,}".replace("-", "−")


def signed(value: int) -> str:
    """Format a change: +500, −300 or 0."""
    return f"+{value:,}" if value > 0 else number(value)


def listed(things: Sequence[str]) -> str:
    """Join words as in a sentence: "a", "a and b", "a, b and c"; "" for an empty list."""
    return " and ".join(filter(None, (", ".join(things[:-1]), *things[-1:])))
