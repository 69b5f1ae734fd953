"""Seeds, cuts, rewards, last observations, bots and records of lanes, beside plain rules played step by step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.errors import BadSetup, IllegalMove, UnknownName
from parlour.core.game import Game
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy
from parlour.engine import Batch, interpret
from parlour.engine.batch import BOTS, Moved
from parlour.games import find
from tests.engine.allocating import check_allocates_nothing

KUHN = Game("kuhn", "tests.fixtures.kuhn")
SEVERAL = pytest.mark.parametrize("game", [KUHN, find("gatsby"), find("fortune")], ids=lambda game: game.name)


class Alone:
    """The games of one seed, one after the other, by plain rules."""

    def __init__(self, game: Game, seed: int, most: int, stream: int = 0, bots: tuple[str | None, ...] = ()) -> None:
        self.game, self.rules, self.seed, self.most, self.stream = game, game.rules, seed, most, stream
        self.bots = [*bots, *[None] * game.max_num_players]
        self.engine = interpret(game)
        self.start = game.start(2, game.edition(), game.options({}))
        self.buffers = self.engine.buffers(self.start)
        self.begin()

    def begin(self) -> None:
        self.state, self.rng, self.steps = copy(self.start), [0] * RNG_SIZE, list[tuple[int, int]]()
        seed_rng(self.rng, self.seed, self.stream)
        self.continue_()

    @property
    def player(self) -> int:
        return int(self.rules.current_player(self.state))

    @property
    def length(self) -> int:
        return sum(actor != CHANCE for actor, _ in self.steps)

    @property
    def cut(self) -> bool:
        return self.length >= self.most and self.player != TERMINAL

    def apply(self, action: int) -> None:
        self.steps.append((self.player, action))
        self.rules.apply(self.state, action)
        while self.player == CHANCE:
            outcome = self.rules.sample_chance(self.state, self.rng)
            self.steps.append((CHANCE, outcome))
            self.rules.apply(self.state, outcome)

    def continue_(self) -> None:
        """Draw the first chance, and decide for the bots."""
        while self.player == CHANCE:
            self.steps.append((CHANCE, self.rules.sample_chance(self.state, self.rng)))
            self.rules.apply(self.state, self.steps[-1][1])
        while self.player >= 0 and not self.cut and (name := self.bots[self.player]) is not None:
            shown = copy(self.state)
            self.rules.resample(shown, self.player, self.rng)
            self.apply(self.engine.drivers.choose_first(BOTS[name], [shown], self.rng, self.buffers))

    def act(self, action: int) -> None:
        self.apply(action)
        if not self.cut:
            self.continue_()

    def seen(self, seat: int) -> list[int]:
        out = [0] * self.rules.OBSERVATION_SIZE
        self.rules.observation(self.state, seat, out)
        return out

    def paid(self, rewards: str) -> list[float]:
        shares, scores = [0.0, 0.0], [0, 0]
        self.rules.returns(self.state, shares)
        self.rules.scores(self.state, scores)
        if self.player != TERMINAL:
            return [0.0, 0.0]
        return shares if rewards == "returns" else [float(scores[0] - scores[1]), float(scores[1] - scores[0])]


def chosen(batch: Batch, choice: np.random.Generator) -> Any:
    """Return a random legal action for each lane, drawn outside the batch."""
    mask = batch.legal_mask()
    return (mask * choice.random(mask.shape)).argmax(axis=1)


@SEVERAL
@pytest.mark.parametrize("rewards", ["returns", "scores"])
def test_lanes_with_seeds_of_their_own_are_games_played_alone(game: Game, rewards: str) -> None:
    """With auto_reset: who decides, what is paid, ended and cut, what was seen at last, and the record."""
    seeds, most = [5, 1 << 40, 5], 23 if game is not KUHN else 2
    batch = Batch(
        game, 3, seed=np.array(seeds), auto_reset=True, max_decisions=most, rewards=rewards, recorded=[0, 1, 2]
    )
    alone = [Alone(game, seed, most) for seed in seeds]
    choice, cuts, ends = np.random.default_rng(4), 0, 0
    for _ in range(90):
        assert batch.current.tolist() == [one.player for one in alone]
        assert batch.lengths.tolist() == [one.length for one in alone]
        actions, deciders = chosen(batch, choice), batch.current.copy()
        moved = batch.step(actions)
        last, other = batch.observations(final=True), batch.observations(1 - deciders, final=True)
        for lane, one in enumerate(alone):
            one.act(int(actions[lane]))
            over = one.player == TERMINAL
            assert (moved.ended[lane], moved.truncated[lane]) == (over, one.cut)
            assert moved.rewards[lane].tolist() == one.paid(rewards)
            if not over and not one.cut:
                assert not last[lane].any()
                continue
            assert last[lane].tolist() == one.seen(deciders[lane])
            assert other[lane].tolist() == one.seen(1 - deciders[lane])
            match = batch.match(lane, final=True)
            assert [step[:2] for step in match.steps] == one.steps
            cuts, ends = cuts + one.cut, ends + over
            one.stream += 1
            one.begin()
    assert cuts > 2
    assert ends > 2 or game is not KUHN
    for lane, one in enumerate(alone):
        record = batch.match(lane).record()
        if game is not KUHN:  # `load` finds games by name
            assert parlour.load(record.to_text()).steps == batch.match(lane).steps
        assert [step[:2] for step in batch.match(lane).steps] == one.steps
        assert record.seed is None


@SEVERAL
def test_a_cut_game_rests_where_the_next_one_is_not_started(game: Game) -> None:
    batch = Batch(game, 4, seed=3, max_decisions=2, recorded=[2])
    for _ in range(2):
        assert not batch.over
        moved = batch.step(batch.random_actions())
    assert ((moved.ended + moved.truncated)[batch.lengths == 2] == 1).all()
    assert batch.over
    assert not batch.legal_mask().any()
    assert not batch.legal()[0].any()
    assert not batch.random_actions().any()
    last = batch.observations(final=True)
    assert (last == batch.observations(batch.deciders)).all()
    assert last.any(axis=1).tolist() == (moved.ended + moved.truncated).astype(bool).tolist()
    assert (batch.tensors(final=True) == batch.tensors(np.where(last.any(axis=1), batch.deciders, -1))).all()
    assert batch.match(2, final=True).steps == batch.match(2).steps
    moved = batch.step([-1] * 4)  # in lanes that are over any action will do
    assert not (moved.ended + moved.truncated).any()
    assert not batch.observations(final=True).any()
    batch.restart([False, False, True, False])
    assert (batch.current >= 0).tolist() == [False, False, True, False]
    assert batch.lengths[2] == 0
    alone = Alone(game, 3, 2, stream=6)
    assert batch.current[2] == alone.player
    assert [step[:2] for step in batch.match(2).steps] == alone.steps


def test_one_number_is_the_seed_of_all_lanes_and_a_reset_may_change_the_kind() -> None:
    batch = Batch(KUHN, 3, seed=7, auto_reset=True, recorded=[1])
    for kinds, stride in ((7, 3), ([7, 8, 9], 1), (np.array([8, 8, 8], np.uint32), 1)):
        batch.reset(kinds)
        seed = kinds if isinstance(kinds, int) else int(kinds[1])
        alone, choice = Alone(KUHN, seed, 99, stream=1 if stride == 3 else 0), np.random.default_rng(0)
        for _ in range(20):
            assert [step[:2] for step in batch.match(1).steps] == alone.steps
            actions = chosen(batch, choice)
            batch.step(actions)
            alone.act(int(actions[1]))
            if alone.player == TERMINAL:
                alone.stream += stride
                alone.begin()


@pytest.mark.parametrize("name", ["gatsby", "fortune"])
def test_bots_decide_in_their_lanes_as_they_do_by_plain_rules(name: str) -> None:
    """From what their seats may know; the batch waits for the other seats only."""
    game, most = find(name), 40
    seats: list[tuple[str | None, ...]] = [(None, "greedy"), ("random", None), (None, None)]
    batch = Batch(game, 3, seed=[1, 2, 3], auto_reset=True, max_decisions=most, bots=seats, threads=2)
    alone = [Alone(game, seed, most, bots=row) for seed, row in zip((1, 2, 3), seats, strict=True)]
    choice, over = np.random.default_rng(4), 0
    for _ in range(60):
        assert batch.current.tolist() == [one.player for one in alone]
        assert (batch.current[:2] == [0, 1]).all()
        actions = chosen(batch, choice)
        moved = batch.step(actions)
        for lane, one in enumerate(alone):
            one.act(int(actions[lane]))
            ended = one.player == TERMINAL
            assert (moved.ended[lane], moved.truncated[lane]) == (ended, one.cut)
            assert moved.rewards[lane].tolist() == one.paid("returns")
            if ended or one.cut:
                over += 1
                one.stream += 1
                one.begin()
    assert over >= 3


def test_a_bot_may_end_a_game_before_the_others_decide() -> None:
    """Such a game is not paid, and the next one is played, as in `parlour.gymnasium.Env`."""
    batch = Batch(KUHN, 50, seed=2, max_decisions=1, bots=[None, "random"], auto_reset=True)
    assert (batch.current == 0).all()
    for _ in range(5):
        moved = batch.step(batch.random_actions())
        assert (moved.truncated == 1).all()
        assert (batch.current == 0).all()
        assert (batch.lengths == 0).all()
    batch = Batch(KUHN, 50, seed=2, max_decisions=4, bots=["random", None])
    assert (batch.current[batch.lengths == 1] == 1).all()
    while not batch.over:
        batch.step(batch.random_actions())
    assert batch.deciders.tolist() == [1] * 50


@SEVERAL
def test_a_step_into_arrays_of_the_caller_allocates_nothing(game: Game) -> None:
    n = 5000
    batch = Batch(game, n, seed=1, auto_reset=True)
    out = Moved(np.zeros((n, 2), np.float32), np.zeros(n, np.bool_), np.zeros(n, np.uint8))
    arrays = {"seen": batch.observations().astype(np.float32), "mask": batch.legal_mask(), "floats": batch.tensors()}
    actions = np.zeros(n, np.int64)

    def play() -> None:
        batch.random_actions(out=actions)
        assert batch.step(actions, out=out) is not None
        batch.random_step(out=out)
        batch.observations(out=arrays["seen"])
        batch.tensors(out=arrays["floats"], final=True)
        batch.tensors(out=arrays["floats"])
        batch.legal_mask(out=arrays["mask"])

    check_allocates_nothing(play, n)


def test_what_a_step_brings_is_written_into_arrays_of_the_caller() -> None:
    mine, theirs = (Batch(KUHN, 40, seed=1, auto_reset=True) for _ in range(2))
    out, ends = Moved(np.ones((40, 2), np.float32), np.ones(40, np.bool_), np.ones(40, np.uint8)), 0
    for _ in range(6):
        moved = mine.random_step(out=out)
        assert moved.ended is out.ended
        for array, other in zip(moved, theirs.random_step(), strict=True):
            assert array.tolist() == other.tolist()
        ends += int(out.ended.sum())
    assert ends > 20
    for wrong, words in (
        (out._replace(rewards=np.ones((40, 2), np.float16)), "`out.rewards` is an array"),
        (out._replace(ended=np.ones(40)), "A mark of `out` is an array"),
    ):
        with pytest.raises(BadSetup, match=words):
            mine.random_step(out=wrong)


def test_two_halves_in_two_threads_play_the_games_of_the_whole() -> None:
    seeds = np.arange(600)
    whole, halves = Batch("fortune", 600, seed=seeds), [Batch("fortune", 300, seed=part) for part in np.split(seeds, 2)]

    def play(batch: Batch) -> tuple[bytes, bytes]:
        for _ in range(200):
            batch.random_step()
        return batch.states.tobytes(), batch.tensors().tobytes()

    with ThreadPoolExecutor(2) as threads:
        parts = list(threads.map(play, halves))
    assert tuple(map(b"".join, zip(*parts, strict=True))) == play(whole)
    assert play(Batch("fortune", 600, seed=seeds, threads=3)) == play(Batch("fortune", 600, seed=seeds))


def test_an_illegal_action_of_an_unchecked_step_is_found_by_its_match() -> None:
    batch = Batch("fortune", 2, seed=1, recorded=[1])
    batch.step([0, batch.game.rules.N_ACTIONS - 1], check=False)
    with pytest.raises(IllegalMove):
        batch.match(1)


def test_what_does_not_fit_is_refused_in_a_sentence() -> None:
    def made(**given: Any) -> Batch:
        return Batch(KUHN, 3, **given)

    for given, words in (
        ({"seed": [1, 2]}, "`seed` has one int64 for each of the 3 lanes"),
        ({"seed": [1, 2, -3]}, "Each seed must be at least 0"),
        ({"seed": [1.0, 2.0, 3.0]}, "`seed` has one int64"),
        ({"seed": "7"}, "The seed"),
        ({"max_decisions": 0}, "`max_decisions` is at least 1"),
        ({"max_decisions": 1.5}, "`max_decisions`"),
        ({"bots": [None]}, "for each of the 2 seats"),
        ({"bots": "random"}, "for each of the 2 seats"),
        ({"bots": ["random", "random"]}, "at least one seat has no bot"),
        ({"bots": [None, "random"], "recorded": [0]}, "Games with bots in them cannot be recorded"),
        ({"recorded": [3]}, "There is no lane 3 to record; they are 0 to 2"),
        ({"recorded": [0, 0]}, "named twice"),
        ({"recorded": 1}, "`recorded` is a list of lanes, not 1"),
        ({"recorded": [0.5]}, "A recorded lane"),
    ):
        with pytest.raises(BadSetup, match=words):
            made(**given)
    for given, words in (
        ({"rewards": "wins"}, "'returns'"),
        ({"bots": [None, "greedy"]}, "random"),
        ({"bots": [None, 5]}, "has no bot 5"),
    ):
        with pytest.raises(UnknownName, match=words):
            made(**given)
    with pytest.raises(BadSetup, match="records no lane"):
        made().match(0)
    batch = made(recorded=[1])
    for lane, final, words in ((0, False, "Lane 0 is not recorded; these are: 1"), (1, True, "No game has ended")):
        with pytest.raises(BadSetup, match=words):
            batch.match(lane, final=final)
