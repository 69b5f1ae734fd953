"""The facts of Facets of Fortune, read out of the product's state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.rules import legal, plays, turns

PHASES = {
    r.START: "start", r.DRAW: "draw", r.ROLL: "roll", r.NAME: "name", r.PLAY: "play", r.TRADE: "trade",
    r.CHOOSE: "free", r.GIVE: "give", r.TAKE: "take", r.SWITCH_1: "switch", r.SWITCH_2: "with", r.RIVAL: "rival",
    r.ATTACK: "attack", r.DEFEND: "defend", r.PICK: "pick", r.TOSS: "toss", r.OVER: "over",
}  # fmt: skip


def facts(state: Any) -> dict[str, object]:
    seats, colours = range(state.players), range(r.N_COLOURS)
    return {
        "phase": PHASES[state.phase],
        "whose": state.player,
        "money": state.money[: state.players],
        "hands": [[r.KINDS[kind] for kind in state.hand[seat][: state.held[seat]]] for seat in seats],
        "gems": [list(state.own[seat]) for seat in seats],
        "STOP held": [bool(state.holds[seat]) for seat in seats],
        "extra STOP": [bool(state.bought[seat]) for seat in seats],
        "closed": [bool(closed) for closed in state.closed],
        "on the board": list(state.board),
        "Sell price": [None if state.closed[c] else state.ladder[state.marker[c]] for c in colours],
        "STOPs": [[seat for seat in seats if state.stops[c] >> seat & 1] for c in colours],
        "deck": {r.KINDS[kind]: n for kind, n in enumerate(state.unseen) if n},
        "discards": {r.KINDS[kind]: n for kind, n in enumerate(state.used) if n},
        "cornered by": state.corner,
        "booty": state.booty,
    }


def _price_does_not_rise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against FF-18: every gem of a purchase costs what the first does."""
    for module in (legal, plays):
        monkeypatch.setattr(module, "cost", lambda state, colour, gems: gems * r.buy_price(state, colour))


def _tie_goes_to_the_attacker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against FF-22."""
    right = plays.fight

    def fight(state: Any, shown: int) -> None:
        state.attack += state.attack == shown
        right(state, shown)

    monkeypatch.setattr(plays, "fight", fight)


def _all_stops_come_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against FF-14: other players' too."""
    right = turns._after_roll

    def after_roll(state: Any) -> None:
        state.stops[:] = [0] * r.N_COLOURS
        right(state)

    monkeypatch.setattr(turns, "_after_roll", after_roll)


def _kept_triple_pays_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against FF-25: what was in the hand before the deal is not counted."""

    def count(state: Any) -> None:
        state.before[:] = [0] * r.N_COLOURS

    monkeypatch.setattr(turns, "_count", count)


def _tie_goes_to_the_first_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against FF-27."""
    right = r.returns

    def returns(state: Any, out: Any) -> None:
        right(state, out)
        first = max(range(state.players), key=lambda seat: out[seat])
        for seat in range(state.players):
            out[seat] = float(seat == first)

    monkeypatch.setattr(r, "returns", returns)


BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the price of a gem does not rise": _price_does_not_rise,
    "a tie goes to the attacker": _tie_goes_to_the_attacker,
    "all STOPs come off": _all_stops_come_off,
    "a kept triple pays again": _kept_triple_pays_again,
    "a tie at the end goes to the first seat": _tie_goes_to_the_first_seat,
}
