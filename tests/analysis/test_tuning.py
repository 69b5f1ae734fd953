"""The search of values: where the best is known, and in a game that is small enough to list."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable
from pathlib import Path

import pytest

from parlour.analysis import blocks, goals, measures
from parlour.analysis.ntbea import Ntbea, Place
from parlour.analysis.plans import Plan
from parlour.analysis.playing import How
from parlour.analysis.sampling import Setup
from parlour.analysis.sweeping import Axis
from parlour.analysis.tuning import MOST_EVALUATIONS, search, tune
from parlour.core.errors import BadSetup, ParlourError
from parlour.games import find
from tests.analysis import sprints
from tests.analysis.test_blocks import Crowd

SPRINT = Path(__file__).parents[1] / "fixtures" / "sprint"


@pytest.fixture(autouse=True)
def _sprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(SPRINT))


def noisy(seed: int, best: Place = (7, 2, 5)) -> Callable[[int, Place], float]:
    """A toy: twice the distance from the best, and noise as large as one and a half steps."""

    def look(number: int, place: Place) -> float:
        noise = random.Random(f"{seed}/{number}").gauss(0, 3)
        return sum((a - b) ** 2 for a, b in zip(place, best, strict=True)) ** 0.5 * 2 + noise

    return look


def test_the_best_of_a_noisy_toy_is_found(size: Callable[[int, int], int]) -> None:
    """On average within two steps of the best after 150 looks at a grid of 1,000; points at random are 6 away."""
    away = []
    for seed in range(size(5, 30)):
        best = search((10, 10, 10), seed, 150, noisy(seed)).best()
        away.append(sum((a - b) ** 2 for a, b in zip(best, (7, 2, 5), strict=True)) ** 0.5)
    assert sum(away) / len(away) < 2.2, away


def test_a_search_depends_on_its_seed_and_what_it_saw_alone() -> None:
    one, two = (search((5, 4), 3, 40, noisy(3, (2, 1))) for _ in range(2))
    assert one.evaluations == two.evaluations
    assert one.evaluations != search((5, 4), 4, 40, noisy(3, (2, 1))).evaluations
    assert all(0 <= place[0] < 5 and 0 <= place[1] < 4 for place, _ in one.evaluations)


def test_the_model_is_the_mean_of_what_was_seen_by_value_by_pair_and_by_point() -> None:
    found = Ntbea((2, 2), 1)
    found.begin((0, 0))
    found.add(4.0)
    found.begin((0, 1))
    found.add(0.0)
    # (0, 0): its first value has the mean 2, its second 4; the pair, which is the whole point, 4.
    assert found.mean((0, 0)) == pytest.approx((2 + 4 + 4) / 3)
    assert found.mean((0, 1)) == pytest.approx((2 + 0 + 0) / 3)
    assert found.mean((1, 0)) == pytest.approx(4)
    assert found.best() == (0, 0)
    single = Ntbea((1,), 1)
    single.add(1.0)
    assert single.next == (0,), "there is no other"


def test_values_of_a_real_game_are_found_that_all_its_games_confirm(tmp_path: Path) -> None:
    """Sprint with a head start for the last seat: by the list of all games, 0 shares most often and 1 is nearest to
    even, whichever seat is asked."""
    setup = Setup.make(find("sprint"), 2, bots="random")
    goal = goals.read("first player 40 ± 1 %", measures.all_measures(setup).values())
    axes = [Axis("head", tuple(range(5)))]
    exact = {head: sprints.measures(list(sprints.games(2, head=head)))["seat-1"] for head in range(5)}
    best = min(exact, key=lambda head: abs(exact[head] - 0.4))
    kept = tmp_path / "looks.jsonl"
    result = tune(setup, axes, goal, evaluations=20, games=300, final=4000, how=How(kept))
    assert result.point == {"head": best}
    assert result.found["1st"].low < exact[best] < result.found["1st"].high
    assert result.before["1st"].low < exact[0] < result.before["1st"].high
    assert {one.value for one in result.steps} == {best - 1, best + 1} & set(range(5))
    for step in result.steps:  # the price of each compromise
        assert step.loss == pytest.approx(goal.loss({"1st": step.found["1st"].value}))
        assert step.found["1st"].low < exact[int(str(step.value))] < step.found["1st"].high
        assert step.loss >= result.loss
    lines = kept.read_text("utf-8").splitlines()
    assert tune(setup, axes, goal, evaluations=20, games=300, final=4000, how=How(kept)).as_dict() == result.as_dict()
    assert kept.read_text("utf-8").splitlines() == lines, "nothing was played again"
    kept.write_text("\n".join(lines[:8]) + "\n", "utf-8")
    assert tune(setup, axes, goal, evaluations=20, games=300, final=4000, how=How(kept)).as_dict() == result.as_dict()
    with pytest.raises(ParlourError, match="other blocks"):
        tune(setup, axes, goals.read("first player 50 %", measures.all_measures(setup).values()), how=How(kept))
    assert [len(line) for line in result.table()] == [3] * (2 + len(result.steps))


def test_what_a_wrong_worker_said_chooses_no_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of its lies are found late. Then the search begins again, and the file takes back what it did."""
    drawn = random.Random(1)
    monkeypatch.setattr(blocks, "SystemRandom", lambda: drawn)

    class Wrong(Crowd):
        def submit(self, plan: Plan, number: int, avoid: Collection[str]) -> Hashable | None:
            ticket = super().submit(plan, number, avoid)
            assert isinstance(ticket, tuple)
            lies = ticket[1] == "c" and self.played["c"] >= 3
            return (*ticket[:3], b'{"1st": [0.4, 0.39, 0.41]}') if lies else ticket

        @property
        def room(self) -> int:
            return 1

    setup = Setup.make(find("sprint"), 2, bots="random")
    goal = goals.read("first player 40 ± 1 %", measures.all_measures(setup).values())
    axes = [Axis("head", tuple(range(5)))]
    alone = tune(setup, axes, goal, evaluations=60, games=50, final=400)
    told, file = list[str](), tmp_path / "looks.jsonl"
    where = Wrong()
    how = How(file, where, audit=0.15, notice=told.append)
    assert tune(setup, axes, goal, evaluations=60, games=50, final=400, how=how).as_dict() == alone.as_dict()
    assert [line.split()[2] for line in told] == ["c"]
    assert where.played["c"] > 3 + 1, "more lies than the one that was found"
    again = tune(setup, axes, goal, evaluations=60, games=50, final=400, how=How(file))
    assert again.as_dict() == alone.as_dict()


def test_what_cannot_be_tuned_is_refused_before_a_game() -> None:
    setup = Setup.make(find("sprint"), 2, bots="random")
    goal = goals.read("first player 50 %", measures.all_measures(setup).values())
    with pytest.raises(BadSetup, match="at least one value"):
        tune(setup, [], goal)
    with pytest.raises(BadSetup, match="head"):
        tune(setup, [Axis("head", (0, 99))], goal)
    for number in (0, MOST_EVALUATIONS + 1):
        with pytest.raises(BadSetup, match="evaluations must be from 1 to"):
            tune(setup, [Axis("head", (0, 1))], goal, evaluations=number)
