"""Taking back: your own last decision, while the play is not complete and no one has learnt anything from it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import parlour
from parlour.conformance.knowledge import check_undo
from parlour.core.contract import CHANCE, Step
from parlour.core.errors import CannotUndo
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.replay import verify
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import flatten
from tests.fixtures.satchel import rules

SATCHEL = Game("satchel", "tests.fixtures.satchel")


@pytest.fixture
def match() -> Match:
    return Match(SATCHEL, seed=3)


def test_decisions_are_taken_back_one_by_one_to_the_last_chance(match: Match) -> None:
    states = [flatten(match.state)]
    for move in ("coin 1", "coin 3"):
        match.play(move)
        states.append(flatten(match.state))
    for move, state in (("coin 3", states[1]), ("coin 1", states[0])):
        assert match.can_undo(0)
        step = match.undo(0)
        assert (step.actor, match.game.text.format_action(step.before, step.action)) == (0, move)
        assert flatten(match.state) == state
    assert not match.can_undo()
    with pytest.raises(CannotUndo) as refused:
        match.undo()
    assert refused.value.code == "cannot-undo"
    assert match.version == 2
    match.play("coin 2")
    assert verify(match.record(), lambda _: SATCHEL).version == match.version


def test_what_is_complete_stays(match: Match) -> None:
    match.play("coin 1")
    match.play("close")  # and the weather is drawn
    for seat in (None, 0, 1):
        with pytest.raises(CannotUndo, match="nothing to take back"):
            match.undo(seat)
    assert [text for actor, _, text in match.steps if actor != CHANCE] == ["coin 1", "close"]


def test_nobody_takes_back_for_another(match: Match) -> None:
    match.play("coin 1")
    assert not match.can_undo(1)
    with pytest.raises(CannotUndo):
        match.undo(1)


def test_what_has_shown_something_stays_and_what_came_before_it_too(match: Match) -> None:
    match.play("coin 1")
    match.play("look")
    before = flatten(match.state)
    with pytest.raises(CannotUndo, match="has revealed something"):
        match.undo()
    assert flatten(match.state) == before
    match.play("coin 2")
    match.undo()  # this coin has shown nothing
    assert not match.can_undo()


def test_a_game_that_would_let_too_much_be_taken_back_is_found_out(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 1)
    assert check_undo(match, match.step(match.parse("coin 1")), rng)  # HIDDEN from the other
    assert not check_undo(match, match.step(rules.LOOK), rng)
    monkeypatch.setattr(rules, "may_undo", lambda *_: True)
    with pytest.raises(AssertionError, match="the player learns something"):
        check_undo(Match(SATCHEL, seed=3), Match(SATCHEL, seed=3).step(rules.LOOK), rng)
    # A game in which only he who holds ticket 0 may put in a coin of 3, and puts it in openly: so he holds it.
    honest = rules.legal_actions

    def telling(state: Any, out: Any) -> int:
        n = honest(state, out)
        held = state.ticket[state.turn % 2]
        legal = [action for action in out[:n] if action != 2 or not held]
        out[: len(legal)] = legal
        return len(legal)

    monkeypatch.setattr(rules, "legal_actions", telling)
    step = _with_ticket_0()
    assert check_undo(match, step, rng)  # hidden, so it tells nothing
    monkeypatch.setattr(rules, "observed_action", _all_is_open)
    with pytest.raises(AssertionError, match=r"(a spectator|seat 1) learns something"):
        check_undo(match, step, rng)


def _all_is_open(_state: Any, action: int, _player: int) -> int:
    return action


def _with_ticket_0() -> Step:
    """Return the step in which the player with ticket 0 puts in a coin of 3."""
    match = Match(SATCHEL, auto=False)
    for ticket in (0, 2):
        match.force(ticket)
    return match.step(2)


def test_without_a_word_of_the_rules_nothing_of_a_game_with_secrets_is_taken_back(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.play("coin 1")
    assert match.can_undo()
    monkeypatch.delattr(rules, "may_undo")
    assert not match.can_undo()


def test_a_game_whose_every_decision_is_answered_by_dice_has_nothing_to_take_back() -> None:
    match = parlour.new("fortune", seed=5)
    choice = random.Random(1)
    while not match.over:
        assert not match.can_undo()
        match.play(choice.choice(match.legal_action_ids()))
    assert not match.can_undo()


def test_the_end_is_the_end() -> None:
    match = Match(SATCHEL, seed=1, auto=False)
    match.draw()
    for _ in range(4):
        match.play("close")
    assert match.over
    with pytest.raises(CannotUndo):
        match.undo()


def test_a_step_that_is_not_a_decision(match: Match) -> None:
    from parlour.core import undo

    assert undo.why_not(SATCHEL, None, 0, 0) == "Nothing has happened yet."
    chance = match.history()[0]
    assert isinstance(chance, Step)
    assert "dice or cards" in undo.why_not(SATCHEL, chance, 0, 0)
