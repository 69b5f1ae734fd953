"""`parlour.simulate`, the bench, and what importing costs."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.engine import bench
from parlour.engine import simulate as engine_simulate
from parlour.engine.simulate import CHUNK, Interrupted, in_chunks
from tests.engine import peeking
from tests.interrupting import Pool, first_step_that_locks

KUHN = Game("kuhn", "tests.fixtures.kuhn")


def test_greedy_beats_random_by_far_and_seats_are_told_apart() -> None:
    done = parlour.simulate("fortune", players=3, bots=["random", "greedy", "random"], games=400, seed=1)
    assert done.scores.shape == done.returns.shape == (400, 3)
    assert done.lengths.shape == (400,)
    assert np.allclose(done.returns.sum(axis=1), 1.0)
    assert done.returns[:, 1].mean() > 0.99
    summary = done.summary()
    assert [seat["bot"] for seat in summary["seats"]] == ["random", "greedy", "random"]
    assert summary["seats"][1]["wins"] > 0.99
    assert summary["unfinished"] == 0
    assert 10 * 3 < summary["turns"] < 30 * 3


def test_greedy_games_are_sensible() -> None:
    done = parlour.simulate("fortune", players=2, bots=["greedy"], games=300, seed=5)
    assert done.bots == ("greedy", "greedy")
    assert 20 < done.summary()["turns"] < 60  # FO-28: sensible games last about 20 rounds
    assert 0.4 < done.summary()["seats"][0]["wins"] < 0.6  # the first seat is drawn
    assert (done.scores.max(axis=1) > 8000).mean() > 0.99


def test_the_seed_alone_decides() -> None:
    def play(threads: int, games: int = 150, seed: int = 3) -> Any:
        return parlour.simulate("fortune", 2, bots=["greedy", "random"], games=games, seed=seed, threads=threads)

    one, four, more, other = play(1), play(4), play(2, 200), play(2, seed=4)
    for name in ("scores", "returns", "lengths", "turns"):
        assert (getattr(one, name) == getattr(four, name)).all()
        assert (getattr(one, name) == getattr(more, name)[:150]).all()
    assert (one.scores != other.scores).any()


def test_options_and_edition_count() -> None:
    near = parlour.simulate("fortune", 2, bots=["greedy"], games=50, options={"target": "5000"}, edition="classic-35")
    far = parlour.simulate("fortune", 2, bots=["greedy"], games=50)
    assert near.turns.mean() < 0.8 * far.turns.mean()
    assert near.edition == "classic-35"
    assert near.options["target"] == "5000"


def test_a_game_without_end_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_simulate, "MOST", 3000)
    done = parlour.simulate("fortune", 2, games=5, options={"round_limit": "none"})
    assert not done.finished.any()
    assert done.summary()["unfinished"] == 5
    assert (done.lengths == 3000).all()
    assert not done.returns.any()


def test_progress_and_interruption() -> None:
    seen: list[tuple[int, int]] = []
    parlour.simulate("fortune", 2, games=300, progress=lambda done, games: seen.append((done, games)))
    assert seen[-1] == (300, 300)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    def stop(done: int, _games: int) -> None:
        if done:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt) as stopped:
        parlour.simulate("fortune", 2, games=1_000_000, progress=stop)
    assert threading.active_count() == before
    assert isinstance(stopped.value, Interrupted)
    result = stopped.value.result
    assert 0 < result.games == stopped.value.games < 10_000
    assert result == parlour.simulate("fortune", 2, games=result.games)  # the first games, each whole


def test_ctrl_c_at_any_step_leaves_no_chunk_that_cannot_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[Pool] = []
    seen: list[int] = []
    monkeypatch.setattr(engine_simulate, "ThreadPoolExecutor", lambda *_, **__: pools[-1])

    def stop(done: int, _games: int) -> None:
        seen.append(done)
        if done:
            raise KeyboardInterrupt

    def play(pool: Pool) -> None:
        pools.append(pool)
        in_chunks(lambda: None, lambda _room, _first, size: size, 10 * CHUNK, stop, threads=1)

    assert first_step_that_locks(play) == 0
    assert seen[-1] == 1, "it played on after the first chunk"


def test_an_interrupted_count_waits_for_the_games_under_way() -> None:
    """Else those that take long would be left out more often than short ones."""
    later = threading.Event()

    def chunk(_room: None, first: int, size: int) -> int:
        if first == CHUNK and size:
            later.wait(20)
        return size

    def stop(done: int, _games: int) -> None:
        if done >= 3 * CHUNK:
            threading.Timer(0.01, later.set).start()
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        in_chunks(lambda: None, chunk, 100 * CHUNK, stop, threads=2)
    assert stopped.value.games >= 2 * CHUNK  # the second came in the end
    assert stopped.value.games % CHUNK == 0


def test_simulations_are_equal_when_all_of_them_is() -> None:
    def play(**more: Any) -> Any:
        return parlour.simulate("fortune", 2, **{"bots": "greedy", "games": 20, "seed": 3, **more})

    one = play()
    assert one.bots == ("greedy", "greedy")
    assert one == play() == play(bots=["greedy"], threads=1)
    for other in (play(seed=4), play(games=19), play(bots=["greedy", "random"]), play(options={"target": 6000}), 1):
        assert one != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    assert parlour.simulate(KUHN, games=9) == parlour.simulate(KUHN, games=9)  # no turns are counted there


def test_nothing_to_play_and_bad_wishes() -> None:
    none = parlour.simulate("fortune", 2, games=0)
    assert none.summary()["games"] == 0
    for wish, error, words in (
        ({"bots": ["greedy", "stupid"]}, UnknownName, "no bot 'stupid'. Allowed: optimal, points, expert"),
        ({"bots": "stupid"}, UnknownName, "fortune has no bot 'stupid'"),
        ({"bots": 2}, BadSetup, "must be a known bot's name, a text .*, or a parlour.Bot, .* not 2"),
        ({"players": "2"}, BadSetup, "number of players must be a whole number, not '2'"),
        ({"games": "9"}, BadSetup, "number of games must be a whole number, not '9'"),
        ({"games": 9.0}, BadSetup, "number of games must be a whole number, not 9.0"),
        ({"seed": "x"}, BadSetup, "seed must be a whole number"),
        ({"threads": 1.5}, BadSetup, "number of threads must be a whole number"),
        ({"players": 3, "bots": ["greedy", "random"]}, BadSetup, "2 bots were named for 3 seats"),
        ({"players": 9}, BadSetup, "2 to 4 players"),
        ({"games": -1}, BadSetup, "-1 games"),
        ({"seed": -1}, BadSetup, "seed"),
        ({"threads": 0}, BadSetup, "one thread"),
        ({"edition": "x"}, UnknownName, "shafir-35"),
        ({"options": {"target": "9"}}, UnknownName, "8000"),
    ):
        with pytest.raises(error, match=words):
            parlour.simulate("fortune", **wish)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="fortune"):
        parlour.simulate("chess")


def test_a_game_without_policy_or_turns() -> None:
    done = parlour.simulate(KUHN, games=500)
    assert done.turns is None
    assert done.finished.all()
    with pytest.raises(UnknownName, match="Allowed: expert, hard, medium, easy, random"):
        parlour.simulate(KUHN, bots=["greedy"], games=1)


def test_bots_are_not_shown_what_is_hidden() -> None:
    """A bot that saw the other card would bet with the higher one only, and never lose two chips."""
    game = Game("kuhn", "tests.fixtures.kuhn")
    game.__dict__["policy"] = peeking
    done = parlour.simulate(game, bots=["greedy", "random"], games=500)
    assert (done.scores[:, 0] == -2).any()
    assert (done.scores[:, 0] == 2).any()


def test_importing_loads_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, parlour, parlour.bots, parlour.bots.worker, parlour.engine\n"
        "parlour.new('fortune', seed=1).legal_actions()\n"
        "sys.exit(', '.join({'numpy', 'numba', 'llvmlite'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.whole
def test_bench_measures_all_works_and_cpp_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RUNS", 2)  # of C++; `measured` has its own
    monkeypatch.setattr(bench, "measured", partial(bench.measured, seconds=0.05))
    monkeypatch.setattr(bench, "_start", lambda *_: 1.0)  # measured by `parlour bench`; minutes on a slow day
    rows = bench.run("fortune")
    works = [row.work for row in rows]
    assert works[:4] == [
        "start, nothing compiled yet", "start, compiled before", "random play, compiled", "random play, plain",
    ]  # fmt: skip
    assert all(row.rate > 0 and row.game == "fortune" and row.players == 2 for row in rows)
    rate = {row.work: row.rate for row in rows}
    assert rate["random play, compiled"] > 20 * rate["random play, plain"]
    if "random play, C++ -O3" in rate:  # its checksum was compared
        assert rate["random play, compiled"] > rate["random play, C++ -O3"] / 4
