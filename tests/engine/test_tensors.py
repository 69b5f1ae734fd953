"""Observations of many games as float32 are those of one position at a time."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.observing import NUMBER, bounds, plan
from parlour.engine import packing
from parlour.engine.batch import Batch
from parlour.games import all_games

KUHN = Game("kuhn", "tests.fixtures.kuhn")


@pytest.mark.parametrize("game", [*all_games().values(), KUHN], ids=lambda game: game.name)
@pytest.mark.suite("aces*", "facets*", "fortune", "gatsby", "kuhn")
def test_they_are_the_tensors_of_a_state_and_within_their_bounds(game: Game) -> None:
    """What compiled code writes is what a State returns, even where nothing is packed. The loops of a batch are
    compiled for other tests too, but for Family Trade, for which that takes longest."""
    state, batch = parlour.new_initial_state(game, game.max_num_players), Batch(game, 1, players=game.max_num_players)
    low, high = map(np.array, bounds(game.facts))
    choice, seen = random.Random(3), 0
    out = np.full((1, len(low)), 7, np.float32)
    for _ in range(300):
        if state.is_terminal():
            break
        if state.current_player() >= 0:
            packing.pack(state.plain(), batch.states[0])
            for seat in range(state.num_players):
                assert batch.tensors([seat], out) is out
                assert out[0].tolist() == list(state.observation_tensor(seat))
                assert (low <= out).all()
                assert (out <= high).all()
                seen += 1
        state.apply_action(choice.choice(state.legal_actions()))
    assert seen >= 4
    for one in plan(game.facts):
        if one.kind != NUMBER:
            assert set(low[one.start : one.start + one.width]) == {0}
            assert set(high[one.start : one.start + one.width]) == {1}


@pytest.mark.parametrize("game", [*all_games().values(), KUHN], ids=lambda game: game.name)
@pytest.mark.suite("gatsby", "kuhn")
def test_arrays_of_the_caller_are_written_and_returned(game: Game) -> None:
    """In each kind that is allowed; what was in them does not matter; nothing else changes."""
    batch = Batch(game, 5, seed=3, auto_reset=True)
    for _ in range(20):
        batch.random_step()
    shapes = {"observations": batch.observations().shape, "legal_mask": batch.legal_mask().shape}
    for name, kinds in (("observations", (np.int64, np.int32, np.float32)), ("legal_mask", (bool, np.int8, np.uint8))):
        for kind in kinds:
            out = np.full(shapes[name], 1, kind)
            assert getattr(batch, name)(out=out) is out
            assert (out == getattr(batch, name)()).all()
        for wrong, words in (
            (np.zeros(shapes[name], np.float64), "float64"),
            (np.zeros((4, 1), kinds[0]), "of shape"),
            (np.zeros(shapes[name][::-1], kinds[0]).T, "row by row"),
            (read_only(np.zeros(shapes[name], kinds[0])), "cannot be written"),
        ):
            with pytest.raises(BadSetup, match=words):
                getattr(batch, name)(out=wrong)


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


class Lent:
    """An array of another library, which lends it by DLPack."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **more: Any) -> Any:
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries_are_written_through_dlpack() -> None:
    batch = Batch(KUHN, 5, seed=3)
    out = np.zeros(batch.tensors().shape, np.float32)
    batch.tensors(out=Lent(out))
    assert (out == batch.tensors()).all()
    assert out.any()


@pytest.mark.parametrize("game", ["aces-and-faces", KUHN], ids=["aces-and-faces", "kuhn"])
def test_lanes_that_are_restarted_play_what_they_play_with_auto_reset(game: str | Game) -> None:
    alone, told = Batch(game, 6, seed=5, auto_reset=True), Batch(game, 6, seed=5)
    ends = 0
    for _ in range(400):
        actions = alone.random_actions()
        assert (told.random_actions() == actions).all()
        alone.step(actions)
        ended = told.step(actions).ended == 1
        ends += int(ended.sum())
        told.restart(ended)
        assert (told.current == alone.current).all()
        assert (told.observations() == alone.observations()).all()
    assert ends > 3


def test_any_seat_can_be_asked_what_it_sees() -> None:
    batch = Batch(KUHN, 4, seed=2)
    for seat in (0, 1):
        rows = batch.observations(np.full(4, seat))
        assert (rows[:, seat] >= 0).all()  # its own card
        assert (rows[:, 1 - seat] == -1).all()  # and not the other's
    assert not batch.observations(np.full(4, -1)).any()
    for wrong, words in (([2] * 4, "There is no seat 2"), ([0] * 3, "`seats` has one int64"), ([0.0] * 4, "`seats`")):
        with pytest.raises(BadSetup, match=words):
            batch.observations(wrong)
    for lanes in ([True] * 3, [1] * 4, None):
        with pytest.raises(BadSetup, match="`lanes` has one bool"):
            batch.restart(lanes)
    before = batch.observations()
    batch.restart([False] * 4)
    assert (batch.observations() == before).all()
