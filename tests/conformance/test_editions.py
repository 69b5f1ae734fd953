"""Every value that a game's editions allow makes a game: it ends, nothing is lost, and plain and compiled agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.analysis.shapes import Shape
from parlour.conformance import parts
from parlour.conformance.cases import Case
from parlour.conformance.editions import changeable, drawn_case
from parlour.core.bounds import Bounds
from parlour.core.edition import Edition, named
from parlour.core.errors import BadParts
from parlour.core.game import Game
from parlour.core.replay import verify
from parlour.engine.lockstep import lockstep
from tests.conformance.cases import every_game
from tests.conformance.conserved import CONSERVED
from tests.conformance.nightly import inspect

GAMES = [game for game in every_game() if changeable(game)]
UNLIMITED = {"round_limit", "turn_limit"}  # options of which a value sets no end


def case(game: Game, number: int) -> Case:
    """Return a drawn case whose games end."""
    found = drawn_case(game, number)
    return replace(found, options=tuple((name, value) for name, value in found.options if name not in UNLIMITED))


# What setup makes of it ----------------------------------------------------------------------------
def values(value: Any, bounds: Bounds, key: str = "", depth: int = 0) -> st.SearchStrategy[Any]:
    """Return any values within these bounds, written apart from `parlour.conformance.editions`."""
    if bounds.fixed:
        return st.just(value)
    if isinstance(value, dict):
        some = next(iter(value.values()))
        keys = dict.fromkeys((*value, *bounds.keys))
        return st.fixed_dictionaries({key: values(value.get(key, some), bounds, key, depth) for key in keys})
    if isinstance(value, list):
        fewest, most = bounds.length(depth, value)
        return st.lists(values(value[0], bounds, key, depth + 1), min_size=fewest, max_size=most)
    if isinstance(value, str):
        return st.sampled_from(bounds.words)
    return st.integers(*bounds.of(key))


def refused(game: Game, players: int, edition: Edition) -> BadParts | None:
    """Return how `setup` refuses an edition, None if it makes a game."""
    try:
        game.start(players, edition, game.options())
    except BadParts as refusal:
        return refusal
    return None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(max_examples=60)
@given(data=st.data())
def test_setup_makes_a_game_of_all_that_the_bounds_allow_or_refuses_it_in_a_sentence(game: Game, data: Any) -> None:
    usual = game.edition()
    chosen = data.draw(st.sets(st.sampled_from(list(usual.components))))
    made = {
        name: data.draw(values(part.value, part.bounds)) if name in chosen else part.value
        for name, part in usual.components.items()
    }
    assert usual.changed(made).parts == made  # the bounds refuse none of it
    refusal = refused(game, data.draw(st.integers(*game.facts.players)), named(usual, made))
    if refusal is not None:
        assert refusal.clause, refusal
        assert refusal.message[0].isupper() or refusal.message.split()[0] in usual.components, refusal
        assert refusal.message.endswith("."), refusal


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("limit", ["least", "most"])
def test_the_bounds_are_those_of_setup(game: Game, limit: str) -> None:
    """At its bound a number alone is a game, or is refused only together with the other values."""
    usual, found = game.edition(), []
    numbers = [(name, part) for name, part in usual.components.items() if type(part.value) is int]
    for name, part in numbers:
        least, most = part.bounds.of("")
        edition = usual.changed({name: least if limit == "least" else most})
        found.append(refused(game, game.min_num_players, edition))
    assert not found or None in found, "no bound of a single number makes a game"


# What games of it are like -------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.suite("*-0")
def test_games_of_drawn_editions_are_the_same_plain_and_compiled(game: Game, number: int) -> None:
    one = case(game, number)
    start = one.match().state
    compared = lockstep(game, start, one.players, 1, seed=number)
    assert compared.finished == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.suite("pig-0")
def test_many_games_of_drawn_editions_end_and_lose_nothing(game: Game, number: int) -> None:
    one = case(game, number)
    shape = Shape(game, one.edition, one.players, dict(one.options))
    seen = inspect(shape, 20, seed=number) if game.name in CONSERVED else None
    assert seen is None or seen.steps > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.suite("fortune-0", "family-trade-0", "gatsby-0")
def test_drawn_editions_are_played_shown_and_recorded_like_the_games_own(game: Game, number: int) -> None:
    one = case(game, number)
    parts.play(one, number, conserved=CONSERVED.get(game.name))
    parts.views(one, number)
    parts.record(one, number)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_commitment_binds_every_part(game: Game) -> None:
    match = case(game, 1).match()
    record = match.record()
    assert verify(record, lambda _: game).edition.parts == match.edition.parts
    for name, value in record.parts.items():
        assert not replace(record, parts={**record.parts, name: [value]}).form, name
