"""Facets of Fortune and Gatsby with other boxes: where the house editions never come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from parlour.conformance.cases import Case
from parlour.core.edition import Edition
from parlour.core.match import Match
from parlour.games import find
from tests.models.lockstep import Strand, Walk

BOXES, POSITIONS = 60, 200
BONUSES = ("peek", "finance", "force", "place", "swap", "special")


@dataclass(frozen=True)
class Boxed(Case):
    """A case with an edition that has no file."""

    box: Edition | None = None

    def match(self, seed: int = 1, auto: bool = False) -> Match:
        options = dict(self.options)
        return Match(self.game, self.players, edition=self.box, options=options, seed=seed, auto=auto)


def facets_box(rng: Random) -> dict[str, Any]:
    """Any ladder, any dice, and decks so small that they are shuffled again and again."""
    kinds = ("gem-1", "gem-2", "gem-3", "wild-1", "wild-2", "wild-3", "free", "exchange", "switch", "heist")
    steps = rng.choices((-3, -2, -1, 1, 2, 3), k=6)
    return {
        "ladder": sorted(rng.sample(range(1_000, 1_000_001, 1_000), 10)),
        "up_down": steps if sum(steps) >= 0 else [-step for step in steps],
        "heist_die": rng.randint(2, 12),
        "deck": {kind: rng.randint(0, 2) for kind in kinds} | {"gem-1": 2, "gem-3": 1, "heist": 6},
    }


def gatsby_box(rng: Random) -> dict[str, Any]:
    """Boards of every size, rows and towers of every length, bonuses anywhere, few tokens or many, any prestige."""
    side = rng.randint(1, 3)

    def printed(often: float) -> str:
        return rng.choice(BONUSES) if rng.random() < often else "-"

    def tile() -> list[list[str]]:
        found = [[printed(0.3) for _ in range(side)] for _ in range(side)]
        found[rng.randrange(side)][rng.randrange(side)] = "star"
        return found

    top = rng.randint(4, 12)
    characters = {*rng.sample(range(1, top), 3), top}
    finance = [
        "character" + rng.choice(["", f": {rng.choice(BONUSES)}"]) if level in characters else printed(0.4)
        for level in range(1, top + 1)
    ]
    return {
        "tokens": rng.choice((1, 2, 4, 6, 8, 12, 30)),
        "prestige": [[rng.randint(0, 4) for _ in range(3)] for _ in range(5)],
        "cabaret": [tile() for _ in range(4)],
        "racetrack": [[printed(0.4) for _ in range(rng.choice((1, 3, 5)))] for _ in range(5)],
        "finance": finance,
    }


@pytest.mark.parametrize(
    ("name", "parts", "reached"),
    [
        ("facets-of-fortune", facets_box, ("FF-17 reshuffled", "FF-22 all there are", "FF-27")),
        ("gatsby", gatsby_box, ("GA-13", "GA-25 not offered: place", "GA-25 not offered: finance")),
    ],
)
def test_product_and_model_agree_on_other_boxes(
    name: str, parts: Callable[[Random], dict[str, Any]], reached: tuple[str, ...]
) -> None:
    game = find(name)
    walk = Walk(Strand(game, ""))
    house = game.edition()
    for number in range(BOXES):
        rng = Random(f"{name} {number}")
        components = {key: replace(house.components[key], value=value) for key, value in parts(rng).items()}
        options = tuple((option.name, rng.choice(option.values)) for option in game.facts.options)
        fewest, most = game.facts.players
        case = Boxed(game, "any", rng.randint(fewest, most), options, Edition("any", "Any", "", components))
        walk.play(case, POSITIONS)
    assert walk.ended
    assert [key for key in reached if not walk.seen[key]] == []
