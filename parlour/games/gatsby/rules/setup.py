"""GA-1 to GA-6: the state before the first outcome of chance, from an edition. Plain Python, never
compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import NoGame
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.opening import lay_out
from parlour.games.gatsby.rules.state import State

MAX_TOKENS = 60
MAX_PEEKS = 12  # each is noted in the state (LOG)
PER_LEVEL = {"-": p.NOTHING, **{name: code for code, name in enumerate(p.BONUSES) if p.NOTHING < code < p.STAR}}


def setup(_players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """GA-1 to GA-6: return the state before the first Cabaret tile is drawn. Raise NoGame for parts
    that do not fit."""
    state = State(setup_bonus=options["setup_bonus"], play_off=options["play_off"])
    read(state, parts)
    lay_out(state)
    return state


def bound(state: State) -> int:
    """GA-9, GA-23: return a number of steps that no game reaches.

    No game has 100 turns, and no turn 60 steps (action, parts, bonuses, looks). With the option there are at most
    MOST_GAMES games.
    """
    return 6_000 * (s.MOST_GAMES if state.play_off else 1)


def read(state: State, parts: Mapping[str, Any]) -> None:
    """GA-1 to GA-5: read the parts of an edition. Raise NoGame for what does not fit."""
    _cabaret(state, parts["cabaret"])
    _racetrack(state, parts["racetrack"])
    _finance(state, parts["finance"])
    worth = [
        n
        for suit in _list(parts["prestige"], p.SUITS, "prestige", "GA-2")
        for n in _list(suit, p.OF_SUIT, "A suit", "GA-2")
    ]
    if any(type(n) is not int or not 0 <= n <= 9 for n in worth):
        raise NoGame("Prestige goes from 0 to 9.", "GA-2")
    state.prestige[:] = worth
    tokens = parts["tokens"]
    if type(tokens) is not int or not 1 <= tokens <= MAX_TOKENS:
        raise NoGame(f"Each player has 1 to {MAX_TOKENS} tokens.", "GA-1")
    state.supply[:] = [tokens, tokens]
    cells = [cell for tile in state.cells for cell in tile]
    found = [*cells, *state.bonus, *state.level_bonus, *state.level_bonus, *state.under_bonus]
    if found.count(p.PEEK) > MAX_PEEKS:
        raise NoGame(f"There can be {MAX_PEEKS} peeks in a game at the most; here are {found.count(p.PEEK)}.", "GA-14")


def _cabaret(state: State, tiles: Any) -> None:
    """GA-3: read four equal square tiles, each with one star."""
    side = len(tiles[0])
    if side not in (1, 2, 3):
        raise NoGame("A Cabaret tile has 1, 2 or 3 rows.", "GA-3")
    state.size = 2 * side
    for number, tile in enumerate(_list(tiles, p.QUARTERS, "The Cabaret's tiles", "GA-3")):
        cells = [
            cell for row in _list(tile, side, "A Cabaret tile", "GA-3") for cell in _list(row, side, "Its row", "GA-3")
        ]
        if not set(cells) <= set(p.BONUSES) or cells.count("star") != 1:
            raise NoGame(f"A space has one of {', '.join(p.BONUSES)}, and a tile has one star.", "GA-3")
        for place, cell in enumerate(cells):
            state.cells[number][place // side * p.SIDE + place % side] = p.BONUSES.index(cell)


def _racetrack(state: State, rows: Any) -> None:
    """GA-4: read five rows of odd length."""
    for row, spaces in enumerate(_list(rows, p.ROWS, "The Racetrack", "GA-4")):
        if len(spaces) not in (1, 3, 5):
            raise NoGame("A row has 1, 3 or 5 spaces, so that a full one has no tie.", "GA-4")
        state.lengths[row] = len(spaces)
        for place, name in enumerate(spaces):
            state.bonus[p.RACE + row * p.LANE + place] = _bonus(name, "GA-4")


def _finance(state: State, levels: Any) -> None:
    """GA-5: read the levels from 1 up: a bonus, "-", or "character" with the bonus under it ("character:
    place")."""
    found = []
    if not isinstance(levels, list) or not p.FLOORS <= len(levels) < p.LEVELS:
        raise NoGame(f"The Finance Center has {p.FLOORS} to {p.LEVELS - 1} levels above the lowest.", "GA-5")
    for level, name in enumerate(levels, 1):
        what, _, under = str(name).partition(": ")
        if what == "character":
            found.append(level)
            state.under_bonus[(len(found) - 1) % p.FLOORS] = _bonus(under or "-", "GA-5")
        else:
            state.level_bonus[level] = _bonus(what, "GA-5")
    if len(found) != p.FLOORS or found[-1] != len(levels):
        raise NoGame("In the Finance Center, four levels have a character, the highest among them.", "GA-5")
    state.char_level[:] = found


def _bonus(name: str, clause: str) -> int:
    if name not in PER_LEVEL:
        raise NoGame(f"{name!r} is not a bonus: {', '.join(PER_LEVEL)}.", clause)
    return PER_LEVEL[name]


def _list(value: Any, length: int, what: str, clause: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise NoGame(f"{what} must be a list of {length}.", clause)
    return value
