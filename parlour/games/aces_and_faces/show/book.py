"""What the rulebook of Aces & Faces shows, and the components of its editions in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from parlour.core.contract import CHANCE
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Piece
from parlour.games.aces_and_faces.rules.pieces import KINDS
from parlour.games.aces_and_faces.show import board, words
from parlour.games.aces_and_faces.show.race import ART

GAME = Game("aces-and-faces", __package__.rpartition(".")[0])
NAMES = ("Ann", "Bob", "Cleo", "Dora")
LOOPS = {36: "loop-36", 24: "loop-24"}  # by their squares
CORNERS = ("seat 1 starts", "corner diamonds", "corner clubs", "corner hearts", "corner spades")
EXAMPLES = {  # the seat of the viewer, whose turn it is in the end, and the steps up to the position shown
    "four": (0, (*CORNERS, "card 4C")),
    "seven": (1, (*CORNERS, "card 4C", "clockwise", "card 7H")),
    "jack": (2, (*CORNERS, "card 4C", "clockwise", "card 7H", "clockwise", "card JS")),
    "guess": (0, ("seat 1 starts", "corner diamonds", "corner clubs",
                  "card 4C", "anticlockwise", "card joker", "card 5S", "clockwise")),
    "match": (0, ("seat 2 starts", "corner hearts", "corner clubs", "card QH", "card 9D", "clockwise", "card 2H")),
    "duel": (0, ("seat 1 starts", "corner spades", "corner clubs", "card KD", "card KC", "card KH", "card AC",
                 "card KS", "card joker", "card 2D", "anticlockwise", "duel KC", "card 10S", "card 6H")),
    "lost": (0, ("seat 1 starts", "corner spades", "corner clubs", "card AS", "card QC", "card QS", "card QH",
                 "card 2D", "clockwise", "duel QH", "card 6S", "card 9H")),
    "nine": (0, ("seat 1 starts", "corner spades", "corner hearts", "card QD", "card QH", "card QC", "card joker",
                 "card QS", "card joker", "card 9H")),
}  # fmt: skip
SQUARES = {"on-card": 4, "on-higher-lower": 1, "on-suit-match": 18, "on-duel": 3}  # of the loop of 36
CARDS = {"number": "7C", "face": "JS", "joker": "joker"}


def pictures() -> Mapping[str, Piece]:
    """Make the two loops, squares and cards, and the position of each example."""
    rings = {name: _loop(Match(GAME, edition=name, seed=1, auto=False), SPECTATOR) for name in LOOPS.values()}
    return {
        **{name: _bare(ring) for name, ring in rings.items()},
        **{name: _alone(rings["loop-36"].children[square]) for name, square in SQUARES.items()},
        **{name: _card(KINDS.index(kind)) for name, kind in CARDS.items()},
        **{name: _loop(_played(*steps), viewer) for name, (viewer, steps) in EXAMPLES.items()},
    }


def _played(*steps: str) -> Match:
    """Return a game on the loop of 36 after these steps, which are written as in a record."""
    players = sum(step.startswith("corner ") for step in steps)
    match = Match(GAME, names=NAMES[:players], seed=1, auto=False)
    for step in steps:
        if match.current_player == CHANCE:
            match.force(step)
        else:
            match.advance(match.parse(step))
    return match


def _loop(match: Match, viewer: int) -> Piece:
    """Make the loop as the table shows it."""
    return board.loop(match.state, viewer, match.names)


def _bare(loop: Piece) -> Piece:
    """Make a loop with nothing inside."""
    *squares, inside = loop.children
    return replace(loop, children=(*squares, replace(inside, children=())))


def _alone(square: Piece) -> Piece:
    """Make one square of a loop."""
    return Piece("loop", "panel", limit=1, layout="grid", marks=("loop", "alone"), children=(replace(square, at=None),))


def _card(kind: int) -> Piece:
    return Piece(f"card-{KINDS[kind]}", "token", words.kind(kind), f"{ART}-{KINDS[kind]}", marks=("pilecard",))


def component(name: str, value: Any) -> str:
    """Return the decks, the jokers and the loop (AF-1, AF-2)."""
    if name == "board":
        return f"![The loop of {len(value)} squares, clockwise from the top left corner]({LOOPS[len(value)]})"
    kinds = {
        "decks": (
            ("on-card", "the aces and faces in their slots, one of each", 16),
            ("number", "numbers 2 to 10, in the pile", 36 * value),
            ("face", "extra aces and face cards, in the pile", 16 * (value - 1)),
        ),
        "jokers": (("joker", "jokers, in the pile", value),),
    }[name]
    rows = (f"| ![]({picture}){{.small}} | {what} | {number} |" for picture, what, number in kinds)
    return "\n".join(("| | cards | how many |", "|---|---|---|", *rows))
