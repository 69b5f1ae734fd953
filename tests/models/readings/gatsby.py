"""The facts of Gatsby, read out of the product's state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parlour.games.gatsby.rules import chance, hidden, scoring, taking, turns
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words

PHASES = {
    s.OVER: "over", s.QUARTER: "quarter", s.CHARACTER: "character", s.FLIP: "flip", s.DRAW: "draw", s.LOOK: "look",
    s.CLAIM: "claim", s.REVEAL: "reveal", s.KEEP: "keep", s.STAY: "stay", s.ACTION: "action", s.FORCED: "forced",
    s.BONUS: "bonus", s.PAIR: "pair", s.EXCHANGE: "exchange", s.START: "start", s.CABARET: "cabaret", s.NEXT: "next",
    s.ANYWHERE: "anywhere", s.RACETRACK: "racetrack", s.ROW: "row", s.GAP: "gap", s.PLACE: "place", s.OWN: "own",
    s.OTHER: "other",
}  # fmt: skip
TILES = {
    s.IN_PILE: ("pile", -1), s.IN_HAND: ("hand", -1), s.IN_USE: ("in use", -1), s.GONE: ("gone", -1),
    s.KEPT: ("kept", -1),
    **{s.ON_SPACE + seat: ("space", seat) for seat in (0, 1)}, **{s.ASIDE + seat: ("aside", seat) for seat in (0, 1)},
    **{s.ASIDE_HIDDEN + seat: ("hidden aside", seat) for seat in (0, 1)},
    **{s.DISCARDED + seat: ("discarded", seat) for seat in (0, 1)},
}  # fmt: skip
SPACES = [words.space_name(space) for space in range(p.N_SPACES)]


def facts(state: Any) -> dict[str, object]:
    slots = [words.slot_code(state, slot) for slot in range(p.N_SLOTS)]
    return {
        "phase": PHASES[words.kind(state)],
        "quarters": [tile for tile in state.quarters if tile >= 0],
        "tokens": {SPACES[i]: seat for seat in (0, 1) for i in range(p.N_SPACES) if state.tokens[seat] >> i & 1},
        "supply": state.supply,
        "levels": state.level,
        "faces": {slots[i]: words.code(char) for i, char in enumerate(state.char) if char >= 0},
        "face up": {slot for i, slot in enumerate(slots) if state.up >> i & 1},
        "taken": {slots[i]: seat for i, seat in enumerate(state.owner) if seat >= 0},
        "tiles": {f"S{i + 1}": TILES[where] for i, where in enumerate(state.tile)},
        "action": "" if state.last < 0 else words.ACTIONS[state.last].replace("Special", "special"),
        "turns": state.turns,
        "games": state.games,
        "tiles known": {
            f"S{i + 1}": {viewer for viewer in (-1, 0, 1) if hidden.tile_known(state, i, viewer)}
            for i in range(p.N_TILES)
        },
        "force to come": bool(state.force),
    }


def _row_goes_to_its_filler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against GA-20: the player who fills a row wins it."""

    def majority(state: Any, row: int) -> int:
        return state.player if right(state, row) >= 0 else -1

    right = taking.majority
    monkeypatch.setattr(taking, "majority", majority)


def _discards_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against GA-14: discarded tiles are not used again."""

    def keep(state: Any, tile: int) -> None:
        right(state, tile)
        for other, where in enumerate(state.tile):
            if where in (s.DISCARDED, s.DISCARDED + 1):
                state.tile[other] = s.IN_PILE

    right = turns._keep
    monkeypatch.setattr(turns, "_keep", keep)


def _highest_bonus_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against GA-25: of the bonuses of one step the lowest comes first."""

    def climb(state: Any) -> None:
        before = state.due
        right(state)
        for field in (state.due_kind, state.due_arg):
            field[before : state.due] = field[before : state.due][::-1]

    right = turns._climb
    monkeypatch.setattr(turns, "_climb", climb)


def _equal_ones_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against GA-7."""

    def order(state: Any) -> None:
        low, high = state.char[p.FINANCE], state.char[p.FINANCE + 3]
        if state.prestige[low] == state.prestige[high]:
            state.char[p.FINANCE], state.char[p.FINANCE + 3] = high, low
        right(state)

    right = chance._order
    monkeypatch.setattr(chance, "_order", order)


def _no_second_tie_break(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against GA-23: equal prestige is a draw, however many characters they have."""
    monkeypatch.setattr(scoring, "characters_of", lambda *_: 0)


BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a row goes to the player who fills it": _row_goes_to_its_filler,
    "discarded tiles are drawn again": _discards_go_back,
    "the highest bonus of a step comes first": _highest_bonus_first,
    "equal characters change places": _equal_ones_change_places,
    "the number of characters breaks no tie": _no_second_tie_break,
}
