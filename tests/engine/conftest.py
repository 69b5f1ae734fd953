"""A tiny game as files, so that tests can have several, change them and load them again."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from parlour.core.game import Game

RULES = """
from __future__ import annotations
from typing import Any
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import random_below
from parlour.core.struct import ints, struct
from {package}.helper import worth

VERSION, N_ACTIONS, MAX_LEGAL, MAX_OUTCOMES = 1, 2, 2, 6
TURNS, SIDES = 6, 6
FACTOR = (1, 2)

@struct
class State:
    totals: list[int] = ints(2, 16)
    turn: int = 0
    chosen: int = -1

def setup(players: int, parts: Any, options: Any) -> State:
    return State()

def current_player(state: State) -> int:
    if state.turn == TURNS:
        return TERMINAL
    return state.turn % 2 if state.chosen < 0 else CHANCE

def legal_actions(state: State, out: Any) -> int:
    out[0] = 0
    out[1] = 1
    return 2

def apply(state: State, action: int) -> None:
    if state.chosen < 0:
        state.chosen = action
    else:
        state.totals[state.turn % 2] += worth(action) * FACTOR[state.chosen]
        state.chosen = -1
        state.turn += 1

def chance_outcomes(state: State, out: Any, weights: Any) -> int:
    for i in range(SIDES):
        out[i] = i
        weights[i] = 1
    return SIDES

def sample_chance(state: State, rng: Any) -> int:
    return random_below(rng, SIDES)

def scores(state: State, out: Any) -> None:
    for seat in range(2):
        out[seat] = state.totals[seat]

def returns(state: State, out: Any) -> None:
    for seat in range(2):
        out[seat] = 0.5 if state.turn == TURNS else 0.0

def observation(state: State, player: int, out: Any) -> int:
    out[0] = state.totals[player]
    out[1] = state.totals[1 - player]
    out[2] = state.turn
    return 3
"""
FACTS = """
from parlour.core.facts import Facts, Observed

FACTS = Facts(players=(2, 2), observed=(Observed("totals", 2, 0, None), Observed("turn", 1, 0, 12)), longest=24)
"""
HELPER = "def worth(face: int) -> int:\n    return face + {plus}\n"
EDITION = 'default = true\ntitle = "Tiny"\n'


class Tiny:
    """A tiny game in a folder. `write` makes its files anew and loads them."""

    def __init__(self, place: Path, name: str) -> None:
        self.package = name
        self.folder = place / name
        self.game = Game(name, name)

    def write(self, *, plus: int = 1, turns: int = 6, changes: dict[str, str] | None = None, helper: str = "") -> Game:
        """`changes`: passages of the rules, and what replaces them; `helper`: all of helper.py."""
        (self.folder / "editions").mkdir(parents=True, exist_ok=True)
        (self.folder / "__init__.py").write_text(FACTS)
        (self.folder / "editions" / "tiny.toml").write_text(EDITION)
        (self.folder / "helper.py").write_text(helper or HELPER.format(plus=plus))
        rules = RULES.replace("{package}", self.package).replace("TURNS, SIDES = 6", f"TURNS, SIDES = {turns}")
        for old, new in (changes or {}).items():
            assert old in rules
            rules = rules.replace(old, new)
        (self.folder / "rules.py").write_text(rules)
        importlib.invalidate_caches()
        for name in [name for name in sys.modules if name.partition(".")[0] == self.package]:
            del sys.modules[name]
        self.game = Game(self.package, self.package)  # forgets the modules of the one before
        return self.game

    @property
    def rules(self) -> ModuleType:
        return sys.modules[f"{self.package}.rules"]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Tiny]]:
    """Make a tiny game of the given name."""
    from parlour.engine import compiled

    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files change faster than their dates
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(compiled, "_made", {})
    yield lambda name: Tiny(tmp_path, name)
    for name in [name for name in sys.modules if name.partition(".")[0].startswith("tiny")]:
        del sys.modules[name]
