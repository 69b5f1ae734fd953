"""What is made once: a function that returns the same piece for the same values, and games that rely on it."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from copy import copy
from typing import Any

import pytest

from parlour.conformance.cases import random_steps
from parlour.core.match import Match
from parlour.core.pieces import KEPT, label, once
from parlour.core.scene import SPECTATOR, Piece, Scene
from parlour.games import all_games


@once
def _said(words: str) -> Piece:
    return label("said", words)


def test_the_same_values_give_the_same_piece_and_others_another() -> None:
    assert _said("yes") is _said("yes")
    assert _said("no").text == "no"


def test_no_more_than_so_many_are_kept() -> None:
    first = _said("0")
    for number in range(1, KEPT + 1):
        _said(str(number))
    assert _said(str(KEPT)) is _said(str(KEPT))
    assert _said("0") is not first


def _kept_by(package: str) -> Iterator[Any]:
    """Yield the functions of a game's modules that have a cache."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}."):
            yield from (one for one in vars(module).values() if hasattr(one, "cache_clear"))


@pytest.mark.parametrize("name", all_games())
def test_a_scene_of_pieces_made_before_is_the_scene_made_anew(name: str) -> None:
    """Two games of each edition at once, so that what the one keeps would show at the other if a piece depended on
    anything but the values that it is made of."""
    game = all_games()[name]
    players, seen = game.facts.players[-1], []
    for edition in game.editions:
        for seed in (1, 2):
            match = Match(game, players, edition=edition, seed=seed, auto=False)
            names = [f"{seed}{edition}{seat}" for seat in range(players)]
            for number, _ in enumerate(random_steps(match, seed, 60)):
                for viewer in (random.Random(number).randrange(players), SPECTATOR):
                    scene = game.scenes.scene(match.state, viewer, names)
                    if number % 6 == 0:
                        seen.append((copy(match), viewer, names, scene))
    kept = [*_kept_by(game.package)]
    for match, viewer, names, scene in seen:
        for one in kept:
            one.cache_clear()
        anew: Scene = game.scenes.scene(match.state, viewer, names)
        assert anew == scene
