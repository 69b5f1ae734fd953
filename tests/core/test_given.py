"""Games that continue from a position of another: the first steps are given, the rest is drawn from their own seed."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import parlour
from parlour.analysis import evaluation
from parlour.conformance.cases import random_steps
from parlour.core import fair
from parlour.core.contract import CHANCE
from parlour.core.errors import BrokenRecord, CannotUndo, UnfairRecord
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay, verify
from parlour.games import all_games

SATCHEL = Game("satchel", "tests.fixtures.satchel")


@cache
def finished(name: str, seed: int) -> Record:
    """A whole game of random moves."""
    match = Match(parlour.find(name), parlour.find(name).facts.players[0], seed=seed, auto=False)
    for _ in random_steps(match, seed, 100_000):
        pass
    return match.record()


def goes_on(record: Record, step: int, seed: str) -> Record:
    """Return the record with which a game begins that continues from a step of another."""
    start = record.upto(step)
    return replace(start, given=step, seed=seed, commitment=fair.commitment(seed), words=(), names=start.names[::-1])


def played_on(record: Record, seed: int) -> Match:
    """To its end, with random moves."""
    match, choice = replay(record, parlour.find), random.Random(seed)
    match.draw()
    while not match.over:
        match.play(choice.choice(match.legal_actions()))
    return match


@given(st.sampled_from(sorted(all_games())), st.integers(0, 3), st.data())
@settings(max_examples=10, phases=[Phase.generate])
def test_from_any_position_a_game_goes_on_and_its_record_is_fair(name: str, seed: int, data: st.DataObject) -> None:
    whole = finished(name, seed)
    step = data.draw(st.integers(0, len(whole.steps) - 1))
    match = played_on(goes_on(whole, step, fair.seed_of(f"{seed} {step}")), seed)
    record = match.record()
    assert (record.given, record.steps[:step]) == (step, whole.steps[:step])
    again = Record.parse(record.to_text())
    assert again == record
    assert ("given" in record.to_text().partition("\n\n")[0]) == bool(step)
    assert verify(again, parlour.find).state == match.state


@pytest.mark.parametrize("name", all_games())
def test_without_the_entry_a_record_claims_what_is_not_so(name: str) -> None:
    record = played_on(goes_on(finished(name, 1), 60, fair.seed_of(5)), 1).record()
    assert verify(record, parlour.find).over
    with pytest.raises(UnfairRecord, match="is not what the seed gives"):
        verify(replace(record, given=0), parlour.find)


@given(st.integers(0, 3), st.data())
@settings(max_examples=12, phases=[Phase.generate])
def test_what_comes_after_the_given_steps_is_what_the_seed_gives(seed: int, data: st.DataObject) -> None:
    whole = finished("fortune", seed)
    step = data.draw(st.integers(0, len(whole.steps) - 1))
    record = played_on(goes_on(whole, step, fair.seed_of(7)), seed).record()
    place = next((at for at in range(step, len(record.steps)) if record.steps[at][0] == CHANCE), None)
    if place is not None:
        match = replay(record.upto(place), parlour.find)
        possible = [match.game.text.format_outcome(match.state, outcome) for outcome in match.chance_outcomes()[0]]
        for other in {*possible[:3]} - {record.steps[place][1]}:
            forged = replace(record, steps=(*record.steps[:place], (CHANCE, other)))
            with pytest.raises(UnfairRecord, match=f"Step {place + 1} "):
                verify(forged, parlour.find)
    with pytest.raises(UnfairRecord, match="commitment"):
        verify(replace(record, seed=fair.seed_of(8)), parlour.find)


def test_a_record_cut_short_is_the_record_as_it_was() -> None:
    record = goes_on(finished("fortune", 1), 9, fair.seed_of(1))
    assert [record.upto(version).given for version in (0, 4, 9)] == [0, 4, 9]
    on = played_on(record, 1).record()
    assert on.upto(12) == replace(on, steps=on.steps[:12])
    assert on.upto(5).steps == on.steps[:5]


def test_the_given_steps_must_be_legal() -> None:
    record = goes_on(finished("fortune", 1), 6, fair.seed_of(1))
    broken = replace(record, steps=(*record.steps[:2], (CHANCE, "dice " + "gold " * 9), *record.steps[3:]))
    with pytest.raises(BrokenRecord, match="Step 3"):
        replay(broken, parlour.find)


def test_nothing_goes_on_from_the_end_of_a_game() -> None:
    whole = finished("fortune", 2)
    record = replace(whole, given=len(whole.steps))
    with pytest.raises(BrokenRecord, match=f"over after the {len(whole.steps)} steps that were given"):
        replay(record, parlour.find)


@pytest.mark.parametrize("number", [-1, 13])
def test_no_record_can_be_made_with_more_given_steps_than_it_has(number: int) -> None:
    with pytest.raises(BrokenRecord, match="'given' must be a number from 0 to 12"):
        replace(finished("fortune", 1).upto(12), given=number)


def test_what_was_given_is_not_taken_back() -> None:
    match = Match(SATCHEL, seed=3)
    match.play("coin 1")
    assert match.can_undo()
    start = replace(match.record(), given=match.version)
    later = replay(start, lambda _: SATCHEL)
    assert not later.can_undo()
    with pytest.raises(CannotUndo, match="nothing to take back"):
        later.undo()
    later.play("coin 3")
    assert later.undo().actor == 0
    assert not later.can_undo()
    assert later.record() == start


def test_only_what_was_decided_in_the_game_is_judged() -> None:
    whole = replay(finished("fortune", 1), parlour.find)
    steps = [one.step for one in evaluation.decisions(whole)]
    on = replay(replace(whole.record(), given=steps[5] + 1), parlour.find)
    assert [one.step for one in evaluation.decisions(on)] == steps[6:]
