"""Batches: many games as arrays, the same games as everywhere else."""

from __future__ import annotations

import numpy as np
import pytest

from parlour.core.contract import TERMINAL
from parlour.core.errors import BadSetup, IllegalMove, UnknownName
from parlour.core.game import Game
from parlour.core.struct import flatten, unflatten
from parlour.engine import Batch, pack, unpack
from parlour.engine.packing import dtype, flat
from parlour.engine.single import CompiledMechanics
from parlour.games import find

FORTUNE, KUHN = find("fortune"), Game("kuhn", "tests.fixtures.kuhn")
R = FORTUNE.rules


def plain(batch: Batch, lane: int) -> object:
    return unpack(R.State, batch.states[lane])


def test_all_lanes_play_to_their_end_and_rewards_come_once() -> None:
    batch = Batch("fortune", 50, players=3, seed=4, options={"target": "5000"})
    batch.states["round_limit"] = 5
    total = np.zeros((50, 3))
    ended = np.zeros(50, int)
    for _ in range(5000):
        if batch.over:
            break
        moved = batch.step(batch.random_actions())
        total += moved.rewards
        ended += moved.ended
    assert batch.over
    assert (batch.current == TERMINAL).all()
    assert (ended == 1).all()
    assert np.allclose(total.sum(axis=1), 1.0)
    for lane in range(50):
        shares = [0.0] * 3
        R.returns(plain(batch, lane), shares)
        assert total[lane].tolist() == shares
    assert not batch.observations().any()
    assert not batch.random_actions().any()


def test_legal_mask_list_and_observation_agree_with_the_plain_rules() -> None:
    batch = Batch("fortune", 200, players=4, seed=9, edition="classic-35", auto_reset=True)
    for _ in range(40):
        batch.step(batch.random_actions())
    counts, lists = batch.legal()
    mask, seen = batch.legal_mask(), batch.observations()
    assert mask.dtype == bool
    assert mask.shape == (200, R.N_ACTIONS)
    for lane in range(200):
        state = plain(batch, lane)
        out = [0] * R.MAX_LEGAL
        n = R.legal_actions(state, out)
        assert lists[lane, : counts[lane]].tolist() == out[:n] == np.flatnonzero(mask[lane]).tolist()
        row = [0] * R.OBSERVATION_SIZE
        assert R.observation(state, int(batch.current[lane]), row) == R.OBSERVATION_SIZE
        assert seen[lane].tolist() == row
        assert R.current_player(state) == batch.current[lane]


def test_the_seed_decides_and_lanes_differ() -> None:
    def history(seed: int, n: int = 8) -> list[object]:
        batch = Batch("fortune", n, seed=seed)
        for _ in range(30):
            batch.step(batch.random_actions())
        return flat(batch.states).tolist()

    assert history(3) == history(3)
    assert history(3)[:4] == history(3, 4)  # a lane is the same however many there are
    assert history(3) != history(4)
    assert len({tuple(lane) for lane in history(3)}) == 8  # type: ignore[arg-type]
    batch = Batch("fortune", 8, seed=4)
    batch.reset(3)
    for _ in range(30):
        batch.step(batch.random_actions())
    assert flat(batch.states).tolist() == history(3)


def test_auto_reset_begins_the_next_game_at_once() -> None:
    batch = Batch("fortune", 20, seed=1, auto_reset=True)
    batch.states["round_limit"] = 2  # of the first games only; later ones are whole
    games = 0
    for _ in range(60):
        _, ended, _ = batch.step(batch.random_actions())
        games += int(ended.sum())
        fresh = ended.astype(bool)
        assert (batch.states["round_limit"][fresh] == 100).all()
        assert (batch.current >= 0).all()
    assert games >= 20
    assert not batch.over


@pytest.mark.parametrize("game", [FORTUNE, KUHN], ids=lambda game: game.name)
def test_a_random_step_is_a_step_with_random_actions(game: Game) -> None:
    """The loops know nothing of a game: one with a short way to a random decision, and one without."""
    one, two = (Batch(game, 7, seed=6, auto_reset=True) for _ in range(2))
    for _ in range(300):
        actions = one.random_actions()
        for first, second in zip(one.step(actions), two.random_step(), strict=True):
            assert first.tolist() == second.tolist()
    assert flat(one.states).tolist() == flat(two.states).tolist()
    assert one.current.tolist() == two.current.tolist()
    assert one._lanes.rngs.tolist() == two._lanes.rngs.tolist()


def test_a_random_step_leaves_finished_games_alone() -> None:
    batch = Batch("fortune", 5, seed=6)
    batch.states["round_limit"] = 2
    ended = sum(batch.random_step().ended for _ in range(300))
    assert batch.over
    assert ended.tolist() == [1] * 5


def test_an_illegal_action_is_refused_and_nothing_moves() -> None:
    batch = Batch("fortune", 5, seed=2)
    before = flat(batch.states).tolist()
    actions = batch.random_actions()
    before_rng = batch._lanes.rngs.copy()
    actions[3] = R.N_ACTIONS - 1
    with pytest.raises(IllegalMove, match=r"Lane 3.*FO-"):
        batch.step(actions)
    actions[3] = -7
    with pytest.raises(IllegalMove, match="Lane 3: there is no action -7"):
        batch.step(actions)
    assert flat(batch.states).tolist() == before
    assert (batch._lanes.rngs == before_rng).all()
    with pytest.raises(BadSetup, match="array of 5 actions"):
        batch.step(actions[:4])


def test_bad_setup_is_named() -> None:
    with pytest.raises(BadSetup, match="at least one lane"):
        Batch("fortune", 0)
    with pytest.raises(BadSetup, match="2 to 4 players"):
        Batch("fortune", 2, players=7)
    with pytest.raises(UnknownName, match="shafir-35"):
        Batch("fortune", 2, edition="none")
    with pytest.raises(BadSetup, match="seed"):
        Batch("fortune", 2, seed=-1)


def test_all_packed_states_of_a_game_have_the_same_type_object() -> None:
    first, second = (CompiledMechanics(FORTUNE, 2, None, None) for _ in range(2))
    states = [first.begin(), first.copy(first.begin()), second.begin(), second.packed(second.start)]
    assert all(one.records.dtype is dtype(R.State) for one in states)  # an equal one makes a call four times as long


def test_records_hold_states_exactly() -> None:
    start = FORTUNE.start(3, FORTUNE.edition(), FORTUNE.options())
    record = np.zeros(1, dtype(R.State))
    numbers = [(i * 7 - 40) % 120 for i in range(len(flatten(start)))]
    state = unflatten(R.State, numbers)
    pack(state, record[0])
    assert flatten(unpack(R.State, record[0])) == numbers
    assert flat(record)[0].tolist() == numbers
    assert record.dtype["pile"].base == np.int8
    state.pile[3] = 200  # type: ignore[attr-defined]
    with pytest.raises(OverflowError, match="pile has 8 bits and cannot hold 200"):
        pack(state, record[0])


def test_a_batch_plays_an_edition_of_ones_own_and_records_it() -> None:
    mine = find("fortune").edition().changed({"deck.gold": 5})
    batch = Batch("fortune", 2, edition=mine, recorded=[0])
    assert batch.states["deck"][:, 0].tolist() == [5, 5]
    batch.random_step()
    assert batch.match(0).record().parts == mine.parts


@pytest.mark.parametrize("name", ["gatsby", "fortune"])
def test_rows_have_what_each_seat_sees_and_may_do(name: str) -> None:
    batch = Batch(name, 16, players=2, seed=3)
    seats, place = np.tile([1, 0], (16, 1)), np.arange(16)
    floats, actions = batch.tensors().shape[1], batch.game.rules.N_ACTIONS
    alone = np.full((16, 1, floats + actions), 7, np.float32)
    while not batch.over:
        rows, legal = batch.rows(seats), batch.legal_mask()
        assert rows.shape == (16, 2, floats + actions + 1)
        for k in range(2):
            assert (rows[:, k, :floats] == batch.tensors(seats[:, k])).all()
            decides = batch.current == seats[:, k]
            assert (rows[:, k, floats:-1] == legal * decides[:, None]).all()
            assert (rows[:, k, -1] == (~decides & (batch.current >= 0))).all()
        assert batch.rows(seats[:, :1], out=alone) is alone
        assert (alone == rows[:, :1, :-1]).all()
        batch.random_step()
    assert not batch.rows(seats)[place, :, floats:].any()
    for wrong, why in ((seats[:4], "a row of int64"), (seats + 1, "The seats are 0 to 1, not 1 to 2")):
        with pytest.raises(BadSetup, match=why):
            batch.rows(wrong)
    with pytest.raises(BadSetup, match="`out`"):
        batch.rows(seats, out=alone)


def test_illegal_actions_are_replaced_by_random_legal_ones() -> None:
    batch, choice = Batch("gatsby", 500, seed=3), np.random.default_rng(1)
    for _ in range(20):
        legal = batch.legal_mask()
        actions = choice.integers(-2, legal.shape[1] + 2, 500)
        given = actions.copy()
        fine = (given >= 0) & (given < legal.shape[1]) & legal[np.arange(500), given.clip(0, legal.shape[1] - 1)]
        replaced = batch.replace_illegal(actions)
        assert (replaced == ~fine).all()
        assert (actions == given)[fine].all()
        batch.step(actions)
    with pytest.raises(BadSetup, match="`actions`"):
        batch.replace_illegal(actions.astype(np.int32))
