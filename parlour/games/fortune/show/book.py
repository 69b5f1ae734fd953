"""What Fortune's rulebook shows, and the components of its editions in words."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

from msgspec.structs import replace

from parlour.core.edition import Edition
from parlour.core.pieces import column, flow
from parlour.core.scene import Piece, number
from parlour.games.fortune import FACTS
from parlour.games.fortune import rules as r
from parlour.games.fortune.show import words
from parlour.games.fortune.show.board import board

# The examples: the card, the dice by place, and which of them, from 1, have just been rolled again (empty: all).
EXAMPLES = {
    "company": ("monkey-business", "parrot parrot monkey monkey monkey sword diamond skull", ()),
    "coins": ("gold", "gold gold gold gold sword sword sword parrot", ()),
    "safe": ("treasure-chest", "diamond diamond diamond gold skull skull skull sword", (7, 8)),
    "battle": ("sea-battle-3", "sword sword gold gold gold diamond monkey skull", (7, 8)),
    "island": ("captain", "skull skull skull skull skull gold sword parrot", (5, 6, 7, 8)),
    "spell": ("sorceress", "diamond diamond diamond diamond parrot skull skull skull", (7, 8)),
}
ISLAND = ("island",)  # the examples on the Island


def pictures() -> Mapping[str, Piece]:
    """Make the six faces of a die, the cards, and the examples as the table shows them."""
    faces = {"faces": flow("faces", *(Piece(name, "die", name, f"fortune-{name}") for name in r.FACES))}
    cards = {f"card-{name}": _card(kind) for kind, name in enumerate(words.PICTURES)}
    return faces | cards | {name: _position(name) for name in EXAMPLES}


def example(name: str) -> r.State:
    """Return the position of an example, before anything is decided."""
    card, dice, again = EXAMPLES[name]
    shown = [r.FACES.index(face) for face in dice.split()]
    state = _table()
    state.card, state.roller, state.phase, state.rolls = r.CARDS.index(card), 0, r.DECIDE, 1 + bool(again)
    for face in range(r.N_FACES):
        state.places[face] = sum(1 << place for place, die in enumerate(shown) if die == face)
        state.count[face] = shown.count(face)
    state.rolled = sum(1 << place - 1 for place in again) or (1 << r.N_DICE) - 1
    state.island = int(name in ISLAND)
    return state


def _table() -> r.State:
    """Return a table of the first edition, with the usual options, before anything has happened."""
    file = resources.files("parlour.games.fortune").joinpath("editions", "shafir-35.toml")
    edition = Edition.parse("shafir-35", file.read_text("utf-8"))
    return r.setup(2, edition.parts, {option.name: 0 for option in FACTS.options})


def _position(name: str) -> Piece:
    """Make card, dice and skulls, without their clauses, which are in the text beside a picture."""
    there = {piece.key: replace(piece, clause="") for piece in board(example(name), ("", ""), False, set())}
    return flow(name, there["card"], column(f"{name}-dice", there["tray"], there["skulls"]))


def _card(kind: int) -> Piece:
    """Make a card's picture without its name, which is beside it."""
    return Piece(f"card-{kind}", "card", face=f"fortune-card-{words.PICTURES[kind]}", marks=("alone",))


def component(name: str, value: Any) -> str:
    """Return how many cards there are of each kind, and the bonuses of the Sea Battles (FO-2, FO-19)."""
    if name == "deck":
        kinds = [(kind, count) for kind, card in enumerate(r.CARDS) if (count := value.get(card))]
        cells = [f"![](card-{words.PICTURES[kind]}){{.small}} | {words.TITLES[kind]} | {n}" for kind, n in kinds]
        half = (len(cells) + 1) // 2
        rows = (f"| {left} | {right} |" for left, right in zip(cells[:half], [*cells[half:], " | | "], strict=False))
        return "\n".join(("| | card | how many | | card | how many |", "|---|---|---|---|---|---|", *rows))
    if name == "sea_battle_bonus":
        rows = (f"| {swords} | {number(bonus)} |" for swords, bonus in enumerate(value, 2))
        return "\n".join(("| swords needed | bonus |", "|---|---|", *rows))
    return ""
