"""The reasons that a hint gives: nothing that the deciding player cannot know, in every game and ruleset; games that
give away more are found."""

# ruff: noqa: ARG001, ARG005  (functions that replace others)

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from parlour import bots
from parlour.analysis.shapes import Shape
from parlour.bots import Advice, Choice, View, because
from parlour.conformance.faults import Fault
from parlour.conformance.grounds import check_grounds
from parlour.core.contract import ALIKE, Ground
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.games import all_games
from tests.conformance.cases import pig
from tests.house.played import every_ruleset

SAID = [shape for most in (True, False) for shape in every_ruleset(most=most) if shape.game.grounds is not None]


@pytest.mark.parametrize("shape", SAID, ids=str)
def test_what_is_said_in_sensible_games_is_known_to_who_decides(shape: Shape, size: Callable[[int, int], int]) -> None:
    """Random play (`parts.views`) hardly reaches what is worth saying: here a third of the decisions is random."""
    said = 0
    least = size(1, 3)
    for seed in range(3):
        if seed >= least and said > 20:
            break
        match = Match(shape.game, shape.players, edition=shape.edition, options=shape.options, seed=seed)
        rng = [0] * RNG_SIZE
        seed_rng(rng, seed, 1)
        bot = bots.find(shape.game, "greedy")
        while not match.over and match.version < 120:
            view, legal = View.of(match, match.current_player), match.legal_action_ids()
            if match.version % 2:
                check_grounds(match, rng)
            action = legal[match.version % len(legal)] if match.version % 3 == 0 else bot.choose(view)
            said += len(legal) > 1 and because.ground_of(shape.game, view.state(shape.game), action) is not None
            match.play(action)
    assert said > 20


def test_every_game_of_the_lobby_says_why() -> None:
    assert [game.name for game in all_games().values() if game.grounds is None] == []


def kuhn(grounds: Any, words: Any = lambda ground, names: f"{ground.what} of {names[0]}") -> Match:
    """Kuhn poker in which this speaks for a decision, with the cards dealt."""
    game = Game("kuhn", "tests.fixtures.kuhn")
    game.__dict__["grounds"] = SimpleNamespace(grounds=grounds)
    game.__dict__["because"] = words
    return Match(game, seed=3)


def change(state: Any) -> list[Ground]:
    state.hand[0] += 1
    return []


FAULTS = {
    "cannot know": lambda state, action: [Ground("card", 1.0 + state.hand[1])],
    "depend on what seat 0": lambda state, action: [Ground("card", 1.0, (int(state.hand[1]),))],
    "needs a finite weight above 0": lambda state, action: [Ground("nothing", 0.0)],
    "above 0 and whole numbers": lambda state, action: [Ground("endless", float("inf"))],
    "must not change the state": lambda state, action: change(state),
}


@pytest.mark.parametrize("words", FAULTS)
def test_grounds_that_are_wrong_are_found(words: str) -> None:
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 1)
    match = kuhn(FAULTS[words])

    def often() -> None:
        for _ in range(20):  # a new deal may be the same
            check_grounds(match, rng)

    with pytest.raises(Fault, match=words):
        often()


@pytest.mark.parametrize("text", ["", "so it is.", "x" * 91, "two\nlines", " spaced"])
def test_words_that_are_wrong_are_found(text: str) -> None:
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 1)

    def honest(state: Any, action: int) -> list[Ground]:
        return [Ground("fact", 1.0)]

    check_grounds(kuhn(honest), rng)
    with pytest.raises(Fault, match="is not a clause"):
        check_grounds(kuhn(honest, lambda ground, names: text), rng)


def advised(grounds: Any, *chances: float) -> list[str]:
    """Return what speaks for the decisions of a match in which this is known, the best first."""
    match = kuhn(grounds)
    advice = Advice(0, tuple(Choice(action, chance) for action, chance in enumerate(chances)))
    grounded = because.with_grounds(match.game, View.of(match, match.current_player), advice, 2)
    return [choice.ground.what if choice.ground else "" for choice in grounded.choices]


def test_what_tells_a_decision_from_the_others_is_said() -> None:
    """The same for all says nothing, however much it weighs; of two the larger difference speaks."""
    alike = Ground("all", 9.0)
    assert advised(lambda state, action: [alike], 0.6, 0.4) == ["", ""]
    assert advised(lambda state, action: [alike, *[Ground("own", 1.0)] * (action == 0)], 0.6, 0.4) == ["own", ""]
    large = {0: [Ground("a", 3.0), Ground("b", 5.0)], 1: [Ground("a", 0.5), Ground("b", 4.0), Ground("c", 0.1)]}
    assert advised(lambda state, action: large[action], 0.6, 0.4) == ["a", "c"]
    assert advised(lambda state, action: [], 0.6, 0.4) == ["", ""]
    same = Ground(ALIKE, 1.0)
    assert advised(lambda state, action: [same, *[Ground("own", 1.0)] * (action == 0)], 0.6, 0.4) == ["own", ALIKE]
    assert advised(lambda state, action: [*[Ground("own", 1.0)] * (action == 0), same], 0.6, 0.4) == ["own", ALIKE]


def test_a_game_without_grounds_says_nothing() -> None:
    match = Match(pig(), 2, seed=1)
    view = View.of(match, match.current_player)
    advice = Advice(0, (Choice(0, 0.6), Choice(1, 0.4)))
    assert because.with_grounds(pig(), view, advice, 2) is advice
    assert because.ground_of(pig(), match.state, 0) is None
    check_grounds(match, [0] * RNG_SIZE)


def test_of_many_decisions_some_are_compared() -> None:
    assert list(because._some(range(64))) == list(range(64))
    for n in (65, 128, 129, 5000):
        some = because._some(range(n))
        assert 32 <= len(some) <= because.COMPARED
        assert some[0] == 0
