"""A match: what is refused changes nothing; what is done can be done again."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.core.contract import CHANCE
from parlour.core.errors import (
    BadSetup,
    IllegalMove,
    InvalidMove,
    MatchOver,
    NotYourTurn,
    ParlourError,
    UnknownName,
)
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR
from parlour.core.struct import flatten

FORTUNE = parlour.find("fortune")


@pytest.fixture
def match() -> Match:
    made = Match(FORTUNE, 2, seed=1, auto=False)
    made.force("seat 1 starts")
    made.force("card captain")
    made.force("dice skull sword sword sword gold gold gold gold")
    return made


@pytest.mark.parametrize(
    ("move", "seat", "error", "code"),
    [
        ("jump", None, InvalidMove, "invalid-move"),
        ("re-roll 1 2", None, IllegalMove, "illegal-move"),
        ("stop", 1, NotYourTurn, "not-your-turn"),
        (10**9, None, IllegalMove, "illegal-move"),
        (-1, None, IllegalMove, "illegal-move"),
        (0.7, None, InvalidMove, "invalid-move"),
        (0.0, None, InvalidMove, "invalid-move"),
        (True, None, InvalidMove, "invalid-move"),
        (None, None, InvalidMove, "invalid-move"),
        (["stop"], None, InvalidMove, "invalid-move"),
        ("stop", "0", NotYourTurn, "not-your-turn"),
        ("stop", False, NotYourTurn, "not-your-turn"),
    ],
)
def test_a_refused_move_changes_nothing(
    match: Match, move: Any, seat: Any, error: type[ParlourError], code: str
) -> None:
    before, steps = flatten(match.state), list(match.steps)
    with pytest.raises(error) as refused:
        match.play(move, seat)
    assert refused.value.code == code
    assert flatten(match.state) == before
    assert match.steps == steps


def test_an_outcome_that_cannot_come_changes_nothing(match: Match) -> None:
    before = flatten(match.state)
    with pytest.raises(NotYourTurn, match="No dice or cards are due"):
        match.force("card gold")
    match.advance(match.parse("stop"))
    before = flatten(match.state)
    wrong: tuple[Any, ...] = ("card joker", "dice gold", 99, 1.0, False, None)
    for outcome in wrong:
        with pytest.raises((InvalidMove, IllegalMove)):
            match.force(outcome)
        assert flatten(match.state) == before


def test_whose_turn_it_is_is_said_by_name() -> None:
    match = Match(FORTUNE, names=["Ann", "Bob"], seed=2)
    waiting = match.names[match.current_player]
    with pytest.raises(NotYourTurn, match=f"waiting for {waiting}"):
        match.play("stop", 1 - match.current_player)


def test_a_number_of_any_kind_of_whole_number_is_a_move(match: Match) -> None:
    (first, *_) = match.legal_action_ids()
    action: Any = np.int64(first)  # as a batch gives it
    assert match.play(action)[0].action == first


COPIES: dict[str, Callable[[Match], Match]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
}


@pytest.mark.parametrize("name", parlour.all_games())
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_is_a_match_of_its_own(name: str, how: str) -> None:
    match = parlour.new(name, seed=3, names=["Ann", "Bob"])
    for _ in range(4):
        match.play(match.legal_action_ids()[0])
    text, state = match.record().to_text(), flatten(match.state)
    made = COPIES[how](match)
    assert type(made) is Match
    assert made.game == match.game
    assert made.record().to_text() == text
    assert made.scene(0) == match.scene(0)
    made.options["more"] = "less"
    made.play(made.legal_action_ids()[-1])
    assert match.record().to_text() == text
    assert flatten(match.state) == state
    assert match.history()[-1].after == match.state
    del made.options["more"]
    match.play(match.legal_action_ids()[-1])
    assert match.record().to_text() == made.record().to_text()  # the same dice and cards


def test_a_move_draws_the_chance_that_is_due(match: Match) -> None:
    steps = match.play("stop")
    assert [step.actor for step in steps] == [0, CHANCE, CHANCE]
    assert steps[0].after == steps[1].before
    assert steps[-1].after == match.state
    assert steps[-1].after is not match.state
    assert match.current_player == 1


def test_the_same_seed_gives_the_same_match() -> None:
    def play(seed: int | str | None) -> list[str]:
        made = parlour.new("fortune", players=3, seed=seed)
        for _ in range(10):
            made.play("stop")
        return [text for _, _, text in made.steps]

    assert play(7) == play(7) == play("7")
    assert play(7) != play(8)
    assert play(None) != play(None)


def test_history_log_and_information(match: Match) -> None:
    match.play("stop")
    history = match.history()
    assert [(step.actor, step.action) for step in history] == [(actor, action) for actor, action, _ in match.steps]
    assert history[-1].after == match.state
    assert match.information_state(0) == tuple((actor, action) for actor, action, _ in match.steps)
    assert match.log() == [line for step in history for line in FORTUNE.scenes.tell(step, SPECTATOR, match.names)]
    assert match.scene(1).viewer == 1


def test_the_end() -> None:
    match = Match(FORTUNE, 2, seed=3)
    assert match.winners == ()
    while not match.over:
        match.play("stop")
    assert sum(match.returns) == 1.0
    assert match.winners
    with pytest.raises(MatchOver) as refused:
        match.play("stop")
    assert refused.value.code == "match-over"
    assert match.draw() == []


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"game": "chess"}, UnknownName, "Allowed: .*fortune"),
        ({"players": 1}, BadSetup, "2 to 4 players, not 1"),
        ({"players": 0}, BadSetup, "2 to 4 players, not 0"),
        ({"players": -1}, BadSetup, "2 to 4 players, not -1"),
        ({"players": 5}, BadSetup, "2 to 4 players, not 5"),
        ({"players": "2"}, BadSetup, "number of players must be a whole number, not '2'"),
        ({"players": 2.0}, BadSetup, "must be a whole number, not 2.0"),
        ({"players": True}, BadSetup, "must be a whole number, not True"),
        ({"players": "2", "names": ["a", "b"]}, BadSetup, "must be a whole number, not '2'"),
        ({"names": "Anne"}, BadSetup, "Names must be a list of texts, not 'Anne'"),
        ({"names": [1, 2]}, BadSetup, "Each of names must be a text, not 1"),
        ({"names": 2}, BadSetup, "must be a list of texts, not 2"),
        ({"players": 3, "names": ["a", "b"]}, BadSetup, "3 players and 2 names"),
        ({"edition": "gold"}, UnknownName, "Allowed: shafir-35, classic-35"),
        ({"options": {"colour": "red"}}, UnknownName, "no option 'colour'.*target"),
        ({"options": {"target": "9000"}}, UnknownName, "Allowed: 8000, 6000, 5000"),
    ],
)
def test_a_table_that_cannot_be_set_up(arguments: dict[str, object], error: type[ParlourError], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        parlour.new(**{"game": "fortune", **arguments})  # type: ignore[arg-type]


def test_names_of_games_are_read_kindly() -> None:
    assert parlour.find(" Fortune ") == FORTUNE
    assert list(parlour.all_games()) == sorted(parlour.all_games())
