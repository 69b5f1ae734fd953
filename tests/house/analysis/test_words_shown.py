"""Analyses and hints speak in the game's own words, never in its notation."""

from __future__ import annotations

import random
import re

import pytest

from parlour.analysis.evaluation import decisions
from parlour.analysis.shapes import Shape
from parlour.core.contract import Step
from parlour.core.struct import copy
from parlour.house.analysis.deeds import words_of
from parlour.house.analysis.pages import in_words
from tests.house.played import every_ruleset, played

NUMBERED = re.compile(r"\b[a-z]+(-[a-z]+)*-\d+\b")  # as in "play diamond-1"


@pytest.mark.parametrize("shape", list(every_ruleset()), ids=lambda shape: f"{shape.game.name}-{shape.ruleset}")
@pytest.mark.suite("*market-making", "facets*", "gatsby*")
def test_no_decision_is_shown_in_notation(shape: Shape) -> None:
    game, match, choice = shape.game, played(shape, 3, all_random=True), random.Random(5)
    found = decisions(match)
    seen = 0
    for one in choice.sample(found, min(60, len(found))):
        state, legal = one.view.state(game), [0] * game.rules.MAX_LEGAL
        possible = legal[: game.rules.legal_actions(state, legal)]
        hints = words_of(game.scenes.scene(state, one.view.seat, match.names))
        assert {game.text.format_action(state, action) for action in possible} <= hints.keys()
        for action in choice.sample(possible, min(5, len(possible))):
            after = copy(state)
            game.rules.apply(after, action)
            move = game.text.format_action(state, action)
            sentence = in_words(game, Step(state, one.view.seat, action, after), match.names)
            assert sentence.endswith("."), sentence
            bare = sentence.removeprefix(f"{match.names[one.view.seat]} chooses ").rstrip(".")
            for shown in (sentence, bare, hints[move][0]):
                assert shown != move
                assert not NUMBERED.search(shown), shown
            seen += 1
    assert seen > 60
