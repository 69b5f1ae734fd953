"""What Gatsby's rulebook shows, and the components of its editions in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.pieces import row
from parlour.core.scene import SPECTATOR, Piece
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import board, text, words
from parlour.games.gatsby.show.scene import scene

GAME = Game("gatsby", __name__.removesuffix(".show.book"))
OPENING = (  # outcomes of chance, and what the second player does
    "cabaret tile 1", "cabaret tile 2", "cabaret tile 3", "cabaret tile 4",
    "jazz-1", "press-1", "bank-2", "turf-1", "stage-2", "bank-3",
    "seat 1 starts", "tile S5", "tile S2", "keep S5", "a2",
)  # fmt: skip
CODES = {words.code(char): char for char in range(p.N_CHARACTERS)}
RALLIED = {  # the characters that each has rallied in the example of the end
    "dorothy": ("stage-1", "bank-1", "turf-2", "bank-3", "turf-3"),
    "james": ("stage-2", "press-1", "jazz-1", "jazz-3"),
}


def pictures() -> Mapping[str, Piece]:
    """Make actions, bonuses, Special Action tiles, characters, locations, and the places of the examples."""
    start = _shown(opening())
    found: dict[str, tuple[Piece, ...]] = {name: (start[name],) for name in ("cabaret", "finance", "track")}
    found |= {f"action-{i}": (board.icons_row(f"action-{i}", icons),) for i, icons in enumerate(board.ACTION_ICONS)}
    found |= {f"bonus-{name}": (_sign(name),) for name in p.BONUSES[1:]}
    found |= {f"tile-{i + 1}": (board.tile_icons(f"tile-{i + 1}", i),) for i in range(p.N_TILES)}
    found |= {code: (_face(char),) for code, char in CODES.items()}
    found |= {name: tuple(_face(CODES[code]) for code in codes) for name, codes in RALLIED.items()}
    found |= {
        "bruno": (_shown(bruno("b2"))["cabaret"],),
        "christine": (_shown(christine())["finance"],),
        "ludo": (_shown(ludo())["track"],),
    }
    return {name: row(name, *pieces, marks=("deco", "page")) for name, pieces in found.items()}


# The examples --------------------------------------------------------------------------------------
def opening() -> s.State:
    """Return a game before the first turn: seat 1 begins, seat 2 has a token on a2 and the tile S5."""
    match = Match(GAME, 2, seed=1, auto=False)
    for said in OPENING:
        if match.current_player < 0:
            match.force(said)
        else:
            match.advance(match.parse(said))
    found: s.State = match.state
    return found


def bruno(*more: str) -> s.State:
    """Return the position before seat 1's token on b2, the last star, joins two edges (GA-17, GA-18); with `more`
    tokens."""
    state = _put(opening(), " ".join(("d1 b1 b3 a3 a4 c3", *more)), "c1 c2")
    state.placed[0] = sum(1 << text.parse_action(state, name) for name in more)
    return state


def christine() -> s.State:
    """Return a position with seat 1 on level 2, and seat 2 on level 3, whose character it has rallied (GA-11)."""
    state = opening()
    state.level[:] = [2, 3]
    state.owner[p.FINANCE] = 1
    return state


def ludo() -> s.State:
    """Return a position with only the last spaces of rows 3 and 5 empty (GA-20)."""
    return _put(opening(), "3.1 3.4 5.2", "3.2 3.3 5.1 5.3 5.4")


def _put(state: s.State, *tokens: str) -> s.State:
    """Put each seat's tokens on the spaces named ("b3", or "3.2" for the second one of row 3); return the state."""
    for seat, names in enumerate(tokens):
        for name in names.split():
            state.tokens[seat] |= 1 << text.parse_action(state, name)
            state.supply[seat] -= 1
    return state


# Pieces --------------------------------------------------------------------------------------------
def _shown(state: s.State) -> dict[str, Piece]:
    """Make the pieces of a position, by key, as spectators see them."""
    return {piece.key: piece for piece in _all([scene(state, SPECTATOR, ("Player 1", "Player 2")).board])}


def _all(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for piece in pieces:
        yield piece
        yield from _all(piece.children)


def _sign(bonus: str) -> Piece:
    return row(bonus, Piece(f"sign-{bonus}", "token", face=f"gatsby-b-{bonus}", marks=("print",)), marks=("icons",))


def _face(char: int) -> Piece:
    worth = GAME.edition().parts["prestige"][char // p.OF_SUIT][char % p.OF_SUIT]
    code = words.code(char)
    return Piece(code, "card", words.character(char), f"gatsby-c-{code}", board.stars(worth), marks=("portrait",))


# Editions ------------------------------------------------------------------------------------------
def component(name: str, value: Any) -> str:
    """Return prestige, the Cabaret's tiles, rows and levels, with the signs of the bonuses (GA-2 to GA-5)."""
    if name == "prestige":
        return _table(
            ["suit", "", "", ""],
            [[title, *(f"![{words.code(p.OF_SUIT * i + j)}]({words.code(p.OF_SUIT * i + j)}){{.small}} {worth}"
                       for j, worth in enumerate(suit))]
             for i, (title, suit) in enumerate(zip(words.SUIT_TITLES, value, strict=True))],
        )  # fmt: skip
    if name == "cabaret":
        lines = [
            [str(i), *(", ".join(_said(one) or "–" for one in line) for line in tile)]
            for i, tile in enumerate(value, 1)
        ]
        return _table(["tile", *(f"line {i + 1}" for i in range(len(value[0])))], lines)
    if name == "racetrack":
        longest = max(map(len, value))
        head = ["row", *map(str, range(1, longest + 1))]
        return _table(
            head, [[f"{i}", *map(_said, line), *[""] * (longest - len(line))] for i, line in enumerate(value, 1)]
        )
    if name == "finance":
        return _table(
            ["level", "what is there"], [[str(i), _level(what)] for i, what in enumerate(value, 1) if what != "-"]
        )
    return ""


def _level(what: str) -> str:
    kind, _, under = what.partition(": ")
    if kind != "character":
        return _said(kind)
    return "a character" + (f", and under it {_said(under)}" if under else "")


def _said(bonus: str) -> str:
    """Return a bonus or a star of an edition, as a sign and a word."""
    return "" if bonus == "-" else f"![](bonus-{bonus}){{.small}} {bonus.capitalize()}"


def _table(head: list[str], lines: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *lines))
