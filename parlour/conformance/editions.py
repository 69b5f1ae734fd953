"""Random editions within the bounds that a game's own editions state: whatever is allowed must be a game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

from parlour.conformance.cases import Case, fitting
from parlour.core.bounds import Bounds
from parlour.core.edition import Edition, named
from parlour.core.errors import BadParts
from parlour.core.game import Game

TRIES = 400  # drawn editions of which none makes a game, before this gives up


def changeable(game: Game) -> bool:
    """Return whether an edition of the game states bounds within which something can change."""
    return any(_free(part.bounds) for edition in game.editions.values() for part in edition.components.values())


def drawn_case(game: Game, number: int) -> Case:
    """Return a case whose edition, options and number of players are drawn by this number."""
    rng = Random(f"{game.name} {number}")
    edition = drawn(game, rng.choice(list(game.editions.values())), rng)
    options = fitting(game, {option.name: rng.choice(option.values) for option in game.facts.options})
    return Case(game, edition, rng.randint(*game.facts.players), tuple(options.items()))


def drawn(game: Game, base: Edition, rng: Random) -> Edition:
    """Return an edition in which some values of `base` are others within its bounds; the rest of them stay.

    Draws again while `setup` refuses what was drawn for some number of players. Raises BadParts after TRIES refusals.
    """
    attempt = 0
    while True:
        attempt += 1
        often = rng.choice((0.05, 0.3, 1.0))
        parts = {name: redrawn(part.value, part.bounds, rng, often) for name, part in base.components.items()}
        found = named(base, parts)
        try:
            for players in range(game.min_num_players, game.max_num_players + 1):
                game.start(players, found, game.options())
        except BadParts:
            if attempt == TRIES:
                raise
        else:
            return found


def redrawn(value: object, bounds: Bounds, rng: Random, often: float) -> object:
    """Return a value within its bounds; each number or text in it is another with this probability. It stays the same
    if its edition states no bounds."""
    return _redrawn(value, bounds, rng, often, "", 0) if _free(bounds) else value


def _free(bounds: Bounds) -> bool:
    return not bounds.fixed and bounds != Bounds()


def _redrawn(value: object, bounds: Bounds, rng: Random, often: float, key: str, depth: int) -> object:
    if isinstance(value, dict):
        some = next(iter(value.values()))
        held = dict.fromkeys((*value, *bounds.keys)) if rng.random() < often else value
        return {key: _redrawn(value.get(key, some), bounds, rng, often, key, depth) for key in held}
    if isinstance(value, list):
        fewest, most = bounds.length(depth, value)
        length = rng.randint(fewest, most) if rng.random() < often else len(value)
        longer = [*value, *(rng.choice(value) for _ in range(length - len(value)))]
        made = [_redrawn(item, bounds, rng, often, key, depth + 1) for item in longer[:length]]
        ordered = rising(value) and rng.random() < 0.9  # an order would hardly come by chance
        return sorted(made, key=lambda item: cast(int, item)) if ordered else made
    if rng.random() >= often:
        return value
    if isinstance(value, str):
        return rng.choice(bounds.words or (value,))
    assert isinstance(value, int)
    least, most = bounds.of(key)
    near = max(least, value - 2 - abs(value) // 4), min(most, value + 2 + abs(value) // 4)
    return rng.choice((rng.randint(least, most), rng.randint(*near), rng.randint(*near), least, most))


def rising(values: Sequence[object]) -> bool:
    """Return whether these are numbers, each greater than the one before."""
    numbers = [n for n in values if type(n) is int]
    return len(numbers) == len(values) > 1 and numbers == sorted(set(numbers))
