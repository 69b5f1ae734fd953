"""Analyses and hints speak in the game's own words, never in its notation."""

from __future__ import annotations

import random
import re

import pytest

from parlour.analysis.evaluation import decisions
from parlour.analysis.shapes import Shape
from parlour.conformance.scenes import pieces
from parlour.core.contract import Step
from parlour.core.scene import SPECTATOR
from parlour.core.struct import copy
from parlour.house.analysis.deeds import in_words, words_of
from parlour.house.analysis.pages import pieces_of
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


@pytest.mark.parametrize("shape", list(every_ruleset()), ids=lambda shape: f"{shape.game.name}-{shape.ruleset}")
@pytest.mark.suite("aces*", "*royale", "facets*")
def test_a_decision_is_drawn_on_the_pieces_that_a_player_presses_for_it(shape: Shape) -> None:
    """Those of the player who decides; the ring is drawn where a viewer's board has them, too."""
    game, match, choice = shape.game, played(shape, 4), random.Random(6)
    drawn = seen = 0
    for one in choice.sample(decisions(match), 40):
        state, seat = one.view.state(game), one.view.seat
        scene, move = game.scenes.scene(state, seat, match.names), game.text.format_action(state, one.action)
        keys, board = pieces_of(scene, move), {piece.key: piece for piece in pieces(scene.board)}
        if any(piece.action == move for piece in board.values()):
            assert {board[key].action for key in keys} == {move}
        elif scene.pick and move in scene.pick.moves.values():
            parts = ",".join(sorted(board[key].part for key in keys))
            assert scene.pick.moves[parts] == move
        else:
            assert keys == ()
            assert move in {button.action for button in scene.buttons}
        drawn += bool(keys)
        others = {piece.key for piece in pieces(game.scenes.scene(state, SPECTATOR, match.names).board)}
        seen += bool(keys) and {*keys} <= others
    print(f"{game.name} {shape.ruleset}: {drawn} of 40 decisions have pieces, {seen} of them on a spectator's board")
    assert drawn
