"""Simulations and statistics in blocks are those in one piece, and any of their games can be played again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import parlour
from parlour.analysis import batches, recording, statistics
from parlour.analysis.batches import Batch, Spread
from parlour.analysis.blocks import Here
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.places import Where
from parlour.analysis.retracing import retrace
from parlour.analysis.shapes import Shape
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.engine.simulate import Interrupted
from parlour.games import find
from tests.analysis import block_work

FORTUNE = find("fortune")
SHORT = {"target": "5000"}
SHAPE = Shape(FORTUNE, "classic-35", 3, SHORT)
MIXED = Batch(SHAPE, ("greedy", "random", "random"), 3)
OWN = Batch(SHAPE, (f"{block_work.__name__}:First",), 3)


@pytest.fixture
def here() -> Where:
    return Here()


# Blocks --------------------------------------------------------------------------------------------
def test_a_simulation_in_blocks_is_the_simulation(here: Where, tmp_path: Path) -> None:
    alone = parlour.simulate("fortune", bots=list(MIXED.bots), games=130, seed=3, edition="classic-35", options=SHORT)
    for size in (0, 50, 130):
        assert batches.simulate(MIXED, 130, Spread(here, size=size)) == alone
    file = tmp_path / "games.jsonl"
    some = batches.simulate(MIXED, 60, Spread(here, file, size=20))
    assert np.array_equal(some.scores, alone.scores[:60])
    assert batches.simulate(MIXED, 130, Spread(here, file, size=20)) == alone
    assert len(file.read_bytes().splitlines()) == 1 + 7


def test_statistics_in_blocks_are_the_statistics(here: Where) -> None:
    alone = statistics.gather(SHAPE, MIXED.bots, 130, 3)
    told: list[tuple[int, int, str]] = []
    found = batches.gather(MIXED, 130, Spread(here, size=50, told=lambda *some: told.append(some)))
    assert found == alone
    assert (told[0], told[-1]) == ((0, 130, ""), (130, 130, ""))


def test_bots_that_are_not_compiled_play_in_blocks_too(here: Where) -> None:
    alone = parlour.simulate("fortune", 3, bots=block_work.First, games=7, seed=3, edition="classic-35", options=SHORT)
    assert batches.simulate(OWN, 7, Spread(here, size=3)) == alone
    assert batches.gather(OWN, 7, Spread(here, size=3)) == statistics.gather(SHAPE, block_work.First, 7, 3)


def test_the_faults_of_a_bot_keep_the_numbers_of_their_games(here: Where) -> None:
    batch = Batch(SHAPE, (f"{block_work.__name__}:Moody", "random", "random"), 3)
    faults = batches.simulate(batch, 6, Spread(here, size=2)).faults
    assert [game for game, _, _ in faults] == list(range(6))
    assert "in a mood" in faults[5][2]
    assert "in a mood" in batches.gather(batch, 2, Spread(here, size=1)).faults[1]


def test_an_interrupted_batch_returns_its_first_blocks(here: Where) -> None:
    def stop(done: int, *_: object) -> None:
        if done >= 40:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        batches.simulate(MIXED, 100, Spread(here, size=20, told=stop))
    alone = parlour.simulate(
        "fortune", bots=list(MIXED.bots), games=stopped.value.games, seed=3, edition="classic-35", options=SHORT
    )
    assert stopped.value.games in (20, 40)
    assert stopped.value.result == alone


def test_arrays_are_packed_and_found_again() -> None:
    arrays = [np.arange(6).reshape(3, 2), np.array([0.5, 0.25]), np.array([True, False]), np.zeros((0, 3), np.int64)]
    found, notes = batches.unpacked(batches.packed(arrays, [["why", 1], "ä"]))
    assert all(
        np.array_equal(one, other) and one.dtype == other.dtype for one, other in zip(arrays, found, strict=True)
    )
    assert notes == [["why", 1], "ä"]
    big = [array.astype(array.dtype.newbyteorder(">")) for array in arrays]
    assert batches.packed(big, []) == batches.packed(arrays, []), "whatever order the machine has"


def test_what_cannot_be_played_in_blocks_is_refused(here: Where, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no bot"):
        Batch(SHAPE, ("best",))
    with pytest.raises(BadSetup, match="2 to 4 players"):
        Batch(Shape(FORTUNE, "classic-35", 5), ("random",))
    with pytest.raises(BadSetup, match="Other processes find another"):
        Batch(Shape(Game("fortune", "tests.fixtures.kuhn"), "standard", 2), ("random",))
    with pytest.raises(BadSetup, match="have a clock"):
        batches.simulate(OWN, 5, Spread(here, audit=0.1))
    with pytest.raises(BadSetup, match="At least one game"):
        batches.simulate(MIXED, 0, Spread(here))
    with pytest.raises(BadSetup, match="not -1"):
        batches.simulate(MIXED, 5, Spread(here, size=-1))
    file = tmp_path / "games.jsonl"
    batches.simulate(MIXED, 5, Spread(here, file))
    with pytest.raises(OtherResults, match=r"common\.seed is 3 there and 4 here"):
        batches.simulate(Batch(SHAPE, MIXED.bots, 4), 5, Spread(here, file))


def test_games_may_be_a_range_of_numbers() -> None:
    whole = parlour.simulate("fortune", 2, games=100, seed=2, edition="classic-35", options=SHORT)
    part = parlour.simulate("fortune", 2, games=range(65, 100), seed=2, edition="classic-35", options=SHORT)
    assert np.array_equal(part.scores, whole.scores[65:])
    assert parlour.simulate("fortune", 2, games=range(5, 5)).games == 0
    for wrong in (range(-1, 3), range(0, 9, 2)):
        with pytest.raises(BadSetup, match="numbered one by one from 0"):
            parlour.simulate("fortune", 2, games=wrong)


# Records -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bots", [("greedy", "random", "random"), ("random",)])
def test_every_game_can_be_played_again(bots: tuple[str, ...], size: Callable[[int, int], int]) -> None:
    batch = Batch(SHAPE, bots, 3)
    games = size(3, 20)
    result = parlour.simulate("fortune", 3, bots=list(bots), games=games, seed=3, edition="classic-35", options=SHORT)
    watched = statistics.watch(SHAPE, list(bots) * (3 // len(bots)), range(games), 3)
    for number in range(games):
        match = recording.again(batch, number)
        assert (match.scores, match.returns) == (list(result.scores[number]), list(result.returns[number]))
        assert sum(actor >= 0 for actor, _, _ in match.steps) == result.lengths[number]
        seen = recording.again(batch, number, watched=True)
        assert retrace(seen).row == list(watched.rows[number])


def test_the_record_of_a_game_is_read_again(tmp_path: Path) -> None:
    match = recording.again(MIXED, 5)
    (file,) = recording.write(tmp_path / "new", MIXED.name, {"game-5": match})
    assert file.name == "fortune-classic-35-3p-target=5000-greedy-random-random-game-5.txt"
    assert parlour.load(file).scores == match.scores
    assert parlour.load(file).names == ("greedy", "random", "random")


def test_the_longest_the_closest_and_the_shortest_game_are_found() -> None:
    lengths = np.array([9, 3, 5, 3, 12])
    scores = np.array([[1, 5, 9], [7, 7, 0], [3, 4, 0], [0, 0, 0], [8, 8, 8]])
    finished = np.array([True, True, True, False, False])
    assert recording.named(lengths, scores, finished) == {"longest": 4, "closest": 1, "shortest": 1}
    assert recording.named(lengths, scores, ~finished) == {"longest": 4, "closest": 3, "shortest": 3}
    result = parlour.simulate("fortune", 3, games=200, seed=3, edition="classic-35", options=SHORT)
    usual = recording.usual(result)
    assert len(recording.again(Batch(SHAPE, ("random",), 3), usual["longest"]).steps) >= max(result.lengths)
    counted = statistics.gather(SHAPE, games=200, seed=3)
    longest = recording.again(Batch(SHAPE, ("random",), 3), recording.usual(counted)["longest"], watched=True)
    assert len(longest.steps) == counted.steps.most
    shortest = recording.again(Batch(SHAPE, ("random",), 3), recording.usual(counted)["shortest"], watched=True)
    assert len(shortest.steps) == counted.steps.least


def test_games_are_chosen_by_name_or_number() -> None:
    usual = {"longest": 7}
    assert recording.chosen(["longest", "3", "03"], usual, 9) == {"longest": 7, "game-3": 3}
    assert recording.chosen(["all"], usual, 2) == {"game-0": 0, "game-1": 1}
    for wrong in ("9", "-1", "best"):
        with pytest.raises(BadSetup, match="names no game: it can be longest, all, or a game's number from 0 to 8"):
            recording.chosen([wrong], usual, 9)


def test_a_bot_that_plays_by_a_solver_has_no_records() -> None:
    with pytest.raises(BadSetup, match="by a solver"):
        recording.again(Batch(Shape(FORTUNE, "classic-35", 2), ("optimal",)), 0)


def test_a_game_of_a_bot_of_your_own_is_played_again() -> None:
    result = parlour.simulate("fortune", 3, bots=block_work.First, games=3, seed=3, edition="classic-35", options=SHORT)
    assert recording.again(OWN, 2).scores == list(result.scores[2])
    assert json.dumps(recording.again(OWN, 2).record().to_text())
