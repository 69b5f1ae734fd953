"""The facts of Fortune's model, read out of the product's state; and rules made wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parlour.games import find
from parlour.games.fortune import rules as r
from parlour.games.fortune.rules import chance, legal, scoring, turns, views

RULES = find("fortune").rules  # with what they leave to the defaults
PHASES = {r.DRAW_SEAT: "seat", r.DRAW_CARD: "card", r.ROLL: "roll", r.DECIDE: "decide", r.OVER: "over"}


def facts(state: Any) -> dict[str, object]:
    """See `tests.models.fortune.Model.facts`."""
    phase = PHASES[state.phase]
    found: dict[str, object] = {
        "phase": phase, "totals": state.scores[: state.players], "turns": state.turns,
        "final round": None if phase == "over" else (_seat(state.finisher), state.final_left),
    }  # fmt: skip
    if phase == "seat":
        return found
    turned = [r.CARDS[kind] for kind, n in enumerate(state.deck) for _ in range(n - state.unseen[kind])]
    shuffle_due = state.reshuffle and len(turned) == state.deck_size
    found["turned"] = [] if shuffle_due else sorted(turned)
    if not state.reshuffle:
        found["cycle"] = [r.CARDS[kind] for kind in state.pile[: min(state.turned, state.deck_size)]]
    if phase in ("card", "over") and state.turns:
        found["last turn"] = state.worth, state.loss
    if phase in ("card", "roll", "decide"):
        found["player"] = state.player
    if phase in ("roll", "decide"):
        found |= {
            "card": r.CARDS[state.card],
            "dice": [
                None if phase == "roll" and state.rolled >> place & 1 else r.FACES[face]
                for place, face in enumerate(state.dice)
            ],
            "rolls": state.rolls, "Island": bool(state.island), "spell used": bool(state.spell),
        }  # fmt: skip
    if phase == "decide":
        found["worth now"] = r.worth_now(state)
        found["loss now"] = r.island_loss(state) if state.island else 0
        chest = state.card == r.CHEST
        found["on the chest"] = {r.FACES[face]: r.on_chest(state, face) if chest else 0 for face in range(1, r.N_FACES)}
    return found


def _seat(number: int) -> int | None:
    return None if number == r.NOBODY else number


# Rules made wrong on purpose ---------------------------------------------------------------------
def _first_of_the_tied(state: Any, out: Any) -> None:
    scores = state.scores[: state.players]
    for seat in range(state.players):
        out[seat] = 1.0 if seat == scores.index(max(scores)) else 0.0


def _last_roll_too(state: Any, face: int) -> int:
    return sum(1 for place in range(r.N_DICE) if state.places[face] >> place & 1)


def _captain_forgotten(state: Any) -> int:
    return 100 * r.skulls(state) if state.island else 0


def _four_are_averted_too(state: Any, total: int) -> bool:
    return total in (3, 4) and r.may_free(state) and not state.island


def _reaching_is_enough(state: Any, total: int) -> bool:
    return bool(total >= state.target)


def _always_the_same_order(state: Any) -> int:
    return r.NOBODY if state.turned < state.deck_size else state.pile[state.turned % state.deck_size]


def _instead(function: str, wrong: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    """In every file of the rules that knows the function by its name."""

    def make(patch: pytest.MonkeyPatch) -> None:
        for module in (RULES, chance, legal, scoring, turns, views):
            if hasattr(module, function):
                patch.setattr(module, function, wrong)

    return make


BROKEN = {
    "FO-27 the first of the tied wins": _instead("returns", _first_of_the_tied),
    "FO-16 the last roll is on the chest too": _instead("on_chest", _last_roll_too),
    "FO-17 Captain forgotten on the Island": _instead("island_loss", _captain_forgotten),
    "FO-18 four skulls are averted": _instead("spared", _four_are_averted_too),
    "FO-25 the line is crossed by reaching it": _instead("beyond", _reaching_is_enough),
    "FO-4 the cycle although shuffled again": _instead("next_card", _always_the_same_order),
}
