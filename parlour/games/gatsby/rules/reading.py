"""Gatsby: reads an edition's components into a state. Plain Python, never compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.games.gatsby.rules import tables as t

MAX_TOKENS = 60
PER_LEVEL = {"-": t.NOTHING, **{name: code for code, name in enumerate(t.BONUSES) if t.NOTHING < code < t.STAR}}


def read(state: Any, parts: Mapping[str, Any]) -> None:
    """GA-1 to GA-5; ValueError says what does not fit."""
    _cabaret(state, parts["cabaret"])
    _racetrack(state, parts["racetrack"])
    _finance(state, parts["finance"])
    worth = [n for suit in _list(parts["prestige"], t.SUITS, "prestige") for n in _list(suit, t.OF_SUIT, "a suit")]
    if any(type(n) is not int or not 0 <= n <= 9 for n in worth):
        raise ValueError("prestige goes from 0 to 9")
    state.prestige[:] = worth
    tokens = parts["tokens"]
    if type(tokens) is not int or not 1 <= tokens <= MAX_TOKENS:
        raise ValueError(f"each player has 1 to {MAX_TOKENS} tokens")
    state.supply[:] = [tokens, tokens]
    found = [*state.cells, *state.bonus, *state.level_bonus, *state.level_bonus, *state.under_bonus]
    if found.count(t.PEEK) > t.MAX_PEEKS:
        raise ValueError(f"there can be {t.MAX_PEEKS} peeks in a game at the most")


def _cabaret(state: Any, tiles: Any) -> None:
    """GA-3: four equal square tiles, each with one star."""
    side = len(tiles[0])
    if side not in (1, 2, 3):
        raise ValueError("a Cabaret tile has 1, 2 or 3 rows")
    state.size = 2 * side
    for number, tile in enumerate(_list(tiles, 4, "the Cabaret's tiles")):
        cells = [cell for row in _list(tile, side, "a Cabaret tile") for cell in _list(row, side, "its row")]
        if not set(cells) <= set(t.BONUSES) or cells.count("star") != 1:
            raise ValueError(f"a space has one of {', '.join(t.BONUSES)}, and a tile has one star")
        for place, cell in enumerate(cells):
            state.cells[number * 9 + place // side * 3 + place % side] = t.BONUSES.index(cell)


def _racetrack(state: Any, rows: Any) -> None:
    """GA-4: five rows of odd length."""
    for row, spaces in enumerate(_list(rows, t.ROWS, "the Racetrack")):
        if len(spaces) not in (1, 3, 5):
            raise ValueError("a row has 1, 3 or 5 spaces, so that a full one has no tie")
        state.lengths[row] = len(spaces)
        for place, name in enumerate(spaces):
            state.bonus[t.RACE + row * t.LANE + place] = _bonus(name)


def _finance(state: Any, levels: Any) -> None:
    """GA-5: levels from 1 up: a bonus, "-", or "character" with the bonus under it ("character: place")."""
    found = []
    for level, name in enumerate(_list(levels, t.LEVELS - 1, "the Finance Center"), 1):
        what, _, under = str(name).partition(": ")
        if what == "character":
            found.append(level)
            state.under_bonus[(len(found) - 1) % t.FLOORS] = _bonus(under or "-")
        else:
            state.level_bonus[level] = _bonus(what)
    if len(found) != t.FLOORS or found[-1] != t.LEVELS - 1:
        raise ValueError("four levels have a character, the highest among them")
    state.char_level[:] = found


def _bonus(name: str) -> int:
    if name not in PER_LEVEL:
        raise ValueError(f"{name!r} is not a bonus: {', '.join(PER_LEVEL)}")
    return PER_LEVEL[name]


def _list(value: Any, length: int, what: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise ValueError(f"{what}: {length} values are needed")
    return value
