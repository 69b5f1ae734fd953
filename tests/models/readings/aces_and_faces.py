"""The facts of the model of Aces & Faces, read out of the product's state; and rules made wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import legal, turns
from parlour.games.aces_and_faces.rules import pieces as c

PHASES = {
    r.DRAW_SEAT: "seat", r.CHOOSE_CORNER: "corner", r.TURN: "turn", r.MOVE: "move", r.GUESS: "guess",
    r.GUESS_CARD: "guess card", r.MATCH_CARD: "match card", r.MATCH_PICK: "match pick", r.DUEL: "duel",
    r.DUEL_FIRST: "duel first", r.DUEL_SECOND: "duel second", r.GIVE: "give", r.OVER: "over",
}  # fmt: skip


def facts(state: Any) -> dict[str, object]:
    """See `tests.models.aces_and_faces.Model.facts`."""
    phase, players = PHASES[state.phase], state.players
    placed = _placed(state)
    found: dict[str, object] = {
        "phase": phase,
        "positions": [state.position[seat] if seat in placed else None for seat in range(players)],
        "slots": _cards(state.slots),
        "hands": [_cards(hand) for hand in state.hands[:players]],
        "winner": None if state.winner == r.NOBODY else state.winner,
        "pile": {c.KINDS[kind]: n for kind, n in enumerate(state.unseen) if n},
        "top": "" if state.top == r.NOBODY else c.KINDS[state.top],
    }
    if phase not in ("seat", "over"):
        found["player"], found["turns"] = state.player, state.turns
    if phase in ("move", "guess", "guess card"):
        found["number"] = state.number
    if phase == "guess card":
        found["guess"] = "higher" if state.guess == r.HIGHER else "lower"
    if phase in ("duel first", "duel second", "give"):
        found["named"] = c.CARDS[state.named]
        found["opponent"] = state.rival
    if phase == "duel second":
        found["challenger's card"] = c.KINDS[state.first]
    return found


def _cards(bits: int) -> list[str]:
    return sorted(card for number, card in enumerate(c.CARDS) if bits >> number & 1)


def _placed(state: Any) -> set[int]:
    """Return the seats that have chosen a corner: the last `placed` before the one that chooses next (AF-3)."""
    return {(state.player - 1 - i) % state.players for i in range(state.placed)}


# Rules made wrong on purpose ---------------------------------------------------------------------
def _joker_is_highest(kind: int) -> int:
    return 15 if kind == c.JOKER else c.rank_of(kind)


def _their_own_too(state: Any) -> int:
    return c.ALL & ~state.slots if state.phase == r.DUEL else _choice(state)


def _top_card_stays(state: Any, kind: int) -> None:
    top = state.top
    empty = state.left == 0
    _turn_over(state, kind)
    if empty and state.unseen[top]:
        state.unseen[top] -= 1
        state.left -= 1


def _only_in_the_own_turn(state: Any, news: int) -> None:
    _end_turn(state, r.DUEL_TIED if news == r.DUEL_LOST else news)


_choice, _turn_over, _end_turn = legal.choice, turns._turn_over, turns._end_turn


def _instead(module: ModuleType, function: str, wrong: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(module, function, wrong)


BROKEN = {
    "AF-12 a joker is highest": _instead(turns, "rank_of", _joker_is_highest),
    "AF-12 a duel for an own card": _instead(legal, "choice", _their_own_too),
    "AF-8 the top card is not shuffled": _instead(turns, "_turn_over", _top_card_stays),
    "AF-13 a gift does not win": _instead(turns, "_end_turn", _only_in_the_own_turn),
}
