"""Training: what a network learns, that the same seed gives the same weights, and how one is accepted."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from parlour.analysis import learning, training
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.learning import Lessons, Positions
from parlour.analysis.places import Here
from parlour.analysis.selfplay import Games, Side
from parlour.analysis.training import Course, How
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine import interpret
from parlour.games import find

KUHN = Path(__file__).parents[1] / "fixtures" / "kuhn"
HERE = How(Here(1))


@pytest.fixture(autouse=True)
def _kuhn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(KUHN))


def course(rounds: int, seed: int = 1) -> Course:
    """A course of a second."""
    game = find("kuhn")
    return Course(game, 2, tuple(game.editions), (), Lessons(4, False, 2, 0.5, seed), rounds, 40, 12, 2, 20)


def test_a_course_gives_the_same_weights_and_continues_where_it_ended(tmp_path: Path) -> None:
    whole = training.train(course(2), tmp_path / "a", HERE) if (tmp_path / "a").mkdir() is None else []
    (tmp_path / "b").mkdir()
    training.train(course(1), tmp_path / "b", HERE)
    told: list[int] = []
    again = training.train(course(2), tmp_path / "b", HERE, lambda one: told.append(one.number))
    assert told == [2], "the first round is not done again"
    for number in (1, 2):
        one, other = ((tmp_path / name / f"net-{number}.npz").read_bytes() for name in "ab")
        assert one == other
    assert [one.loss for one in whole] == [one.loss for one in again]
    assert [one.score[:4] for one in whole] == [one.score[:4] for one in again]
    log = json.loads((tmp_path / "a" / "log.json").read_text("utf-8"))
    assert [one["number"] for one in log["rounds"]] == [1, 2]
    assert log["rounds"][0]["hours"] < log["rounds"][1]["hours"] < 1
    assert "strength" not in log
    assert ET.parse(tmp_path / "a" / "strength.svg").getroot().tag.endswith("svg")
    with pytest.raises(OtherResults, match=r"another course .*seed"):
        training.train(course(2, seed=2), tmp_path / "a", HERE)


def test_games_to_learn_from_have_their_positions() -> None:
    made = course(1)
    plan = made.series([Side(12)], 5, keep=True).plan(40, training.BLOCK)
    played = training.play(plan, HERE, "games")
    assert [len(one.shares) for one in played] == [20, 20]
    for one in played:
        assert one.values.sum(axis=1) == pytest.approx(1.0)
        assert one.shares.sum(axis=1) == pytest.approx(1.0)
        assert len(one.features) == len(one.player) == len(one.game) > len(one.shares)
        assert set(one.player.tolist()) == {0, 1}
        assert one.seconds[0] > 0
        assert one.simulations.tolist() == [12 * len(one.player)]
    again = training.play(plan, HERE, "games")
    assert [_untimed(one) for one in again] == [_untimed(one) for one in played]


def _untimed(one: Games) -> bytes:
    return replace(one, seconds=np.zeros(1)).written()


def test_two_sides_have_each_seat_once_with_the_same_draws() -> None:
    made = course(1)
    found = training.play(made.series([Side(12), Side(30)], 5, keep=False).plan(12, 2), HERE, "duel")
    assert [one.first.tolist() for one in found] == [[0, 1, 0, 1]] * 3
    score = training.score(found)
    assert score.games == 12
    assert score.low <= score.share <= score.high
    won = [float(one.shares[game, seat]) for one in found for game, seat in enumerate(one.first)]
    assert score.share == pytest.approx(sum(won) / 12)


def test_a_number_of_games_that_is_not_whole_rounds_of_seats_is_raised() -> None:
    """Of three players: 100 duels, which is the default, are 102, and each block is whole rounds."""
    sides = [Side(8), Side(8)]
    three = replace(course(1), players=3)
    plan = three.series(sides, 1, keep=False).plan(100, 4)
    games = [int(str(one["games"])) for one in plan.blocks]
    assert sum(games) == 102
    assert all(one % 3 == 0 for one in games)
    alone = three.series(sides[:1], 1, keep=True).plan(100, 4)
    assert sum(int(str(one["games"])) for one in alone.blocks) == 100


def test_a_network_learns_what_a_feature_says() -> None:
    """One of eight features decides who wins; another says nothing. Beginning again from what was learnt keeps it."""
    chance = np.random.default_rng(3)
    there = chance.random((4000, 8)) < 0.5
    features = np.where(there, np.arange(8), -1).astype(np.int32)
    wins = np.where(there[:, 2], 0.9, 0.2).astype(np.float32)
    shares = np.stack([wins, 1 - wins], axis=1)
    known = Positions(features, np.zeros((4000, 1), np.float32), shares)
    lessons = Lessons(6, False, 300, 0.5, 1)
    net = learning.learn(known, 8, lessons)
    best = -float((shares * np.log(shares)).sum(axis=1).mean())
    assert learning.loss(known, None) == pytest.approx(np.log(2), abs=1e-3)
    assert learning.loss(known, net) < best + 0.01
    after = learning.learn(known, 8, replace(lessons, epochs=1), net)
    assert learning.loss(known, after) < best + 0.02


def test_a_network_corrects_an_outlook_that_is_right_by_nothing() -> None:
    chance = np.random.default_rng(4)
    odds = chance.normal(0, 1.5, (3000, 1)).astype(np.float32)
    first = 1 / (1 + np.exp(-odds[:, 0]))
    known = Positions(np.full((3000, 1), -1, np.int32), odds, np.stack([first, 1 - first], axis=1).astype(np.float32))
    net = learning.learn(known, 4, Lessons(4, True, 20, 0.5, 1))
    assert learning.loss(known, net) == pytest.approx(learning.loss(known, None), abs=2e-3)


def test_shares_are_turned_so_that_the_player_to_move_is_first() -> None:
    found = Games(
        np.array([[1.0, 0.0, 0.0]]), np.zeros(1, np.int64), np.zeros(1), np.zeros(1, np.int64),
        np.array([[3], [4]], np.int32), np.array([1, 2]), np.array([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0]]),
        np.array([[0.2, 0.3, 0.5], [0.2, 0.3, 0.5]]), np.array([0, 0]),
    )  # fmt: skip
    made, held = learning.positions([found], 0.0)
    assert made.shares == pytest.approx(np.array([[0.3, 0.5, 0.2], [0.5, 0.2, 0.3]]))
    assert np.exp(made.odds) == pytest.approx(np.array([[2.0, 4.0], [2.0, 0.5]]))
    ended, _ = learning.positions([found], 1.0)
    assert ended.shares.tolist() == [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    assert not held.any()


def test_a_network_is_accepted_by_games_of_equal_time(tmp_path: Path) -> None:
    made = course(1)
    training.train(made, tmp_path, HERE)
    net = training.weights.read((tmp_path / "net-1.npz").read_bytes(), made.game)
    verdict = training.accept(made, net, 24, HERE)
    assert verdict.score.games == 24
    assert verdict.simulations[1] == made.simulations
    assert verdict.accepted == (verdict.score.low > 0.5)
    better = replace(verdict, score=verdict.score._replace(share=0.7, low=0.6, high=0.8))
    assert better.accepted
    assert not replace(better, size=training.MOST + 1).accepted, "it has to fit into the wheel"


def test_a_course_without_a_search_learns_to_play_kuhn_poker(tmp_path: Path) -> None:
    """It wins clearly from the bot of its first round; continues where it ended; and its games have no simulations."""
    game = find("kuhn")
    made = Course(game, 2, tuple(game.editions), (), Lessons(6, False, 2, 0.9, 1), 4, 1200, 0, 1, 2000)
    done = training.train(made, tmp_path, HERE)
    assert [one.number for one in done] == [1, 2, 3, 4]
    assert done[-1].score.games == 2000
    assert done[-1].score.microseconds == (0.0, 0.0), "there are no simulations"
    assert done[-1].hours > 0
    assert training.train(made, tmp_path, HERE) == done, "nothing is done again"
    net = training.weights.read((tmp_path / "net-4.npz").read_bytes(), game)
    verdict = training.accept(made, net, 2000, HERE)
    assert verdict.simulations == (0, 0)
    assert verdict.score.low > 0.5
    series = made.series([Side.of(0, net)], 5, keep=True)
    (one, other) = training.play(series.plan(400, made.block), HERE, "games")
    assert one.values.sum(axis=1) == pytest.approx(1.0)
    assert set(one.game.tolist()) == set(range(200)) == set(other.game.tolist())
    assert not one.simulations.any()
    again = training.play(series.plan(400, made.block), HERE, "games")
    assert [_untimed(each) for each in again] == [_untimed(one), _untimed(other)]


Chances = dict[int, float]  # of each bet


def best_response(other: Callable[[int, list[int]], Chances]) -> float:
    """Return the most that a plan of Kuhn poker takes from a player, as the share of the wins over both seats: of all
    plans for each seat. `other` says how likely it makes which bet with a card after these bets. With a queen the
    other's bet is called every second time: a network draws one deal and judges what comes at once, and where the
    other has a king, folding is as good."""

    def wins(cards: tuple[int, int], bets: list[int], seat: int, plan: dict[tuple[int, tuple[int, ...]], int]) -> float:
        if len(bets) > 1 and bets != [0, 1]:
            folded = bets[-1] == 0 and bets[-2] == 1
            winner = len(bets) % 2 if folded else int(cards[1] > cards[0])
            return float(winner == seat)
        player = len(bets) % 2
        card = cards[player]
        if player != seat:
            chances = other(card, bets)
        elif card == 1 and bets and bets[-1] == 1:
            chances = {0: 0.5, 1: 0.5}
        else:
            chances = {plan[card, tuple(bets)]: 1.0}
        return sum(chance * wins(cards, [*bets, bet], seat, plan) for bet, chance in chances.items())

    best = 0.0
    for seat, seen in enumerate((((), (0, 1)), ((0,), (1,)))):
        places = [(card, bets) for card in range(3) for bets in seen]
        plans = [dict(zip(places, acts, strict=True)) for acts in product((0, 1), repeat=len(places))]
        best += max(sum(wins(cards, [], seat, plan) for cards in permutations(range(3), 2)) / 6 for plan in plans) / 2
    return best


def test_an_exploiter_finds_the_best_response(tmp_path: Path) -> None:
    """To the bot without a network, which bets at random in Kuhn poker, and to a network: as good as the best of all
    plans, which are enumerated here."""
    game = find("kuhn")
    made = Course(game, 2, tuple(game.editions), (), Lessons(6, False, 2, 0.9, 1), 3, 1200, 0, 1, 4000, Side(0))
    done = training.train(made, tmp_path / "random", HERE)
    most = best_response(lambda *_: {0: 0.5, 1: 0.5})
    assert most == pytest.approx(2 / 3)
    assert done[-1].score.share == pytest.approx(most, abs=0.03)
    net = training.weights.read((tmp_path / "random" / "net-1.npz").read_bytes(), game)
    plain, room = interpret(game), [0.0] * 2

    def decision(card: int, bets: list[int]) -> Chances:
        """What the network does; with a queen it does as above."""
        found: set[int] = set()
        for unseen in {0, 1, 2} - {card}:
            match = Match(game, 2, seed=0, auto=False)
            cards = (card, unseen) if len(bets) % 2 == 0 else (unseen, card)
            for action in (*cards, *bets):
                match.advance(action)
            plain.learned.weigh([match.state], room, [0.0] * 2, plain.net(net), [0.0] * 2, plain.buffers(match.state))
            found.add(room.index(max(room)))
        return {bet: 1 / len(found) for bet in found}

    rival = replace(made, rival=Side.of(0, net))
    done = training.train(rival, tmp_path / "network", HERE)
    assert done[-1].score.share == pytest.approx(best_response(decision), abs=0.03)
    with pytest.raises(OtherResults, match="rival"):
        training.train(rival, tmp_path / "random", HERE)


def test_a_game_that_no_network_can_learn_is_refused() -> None:
    with pytest.raises(BadSetup, match="at least two players"):
        training.checked(find("kuhn"), 1)
    blind = Game("kuhn", "tests.fixtures.kuhn")
    blind.__dict__["rules"] = type("Rules", (), {"OBSERVATION_SIZE": 0})
    with pytest.raises(BadSetup, match="does not say what its players see"):
        training.checked(blind, 2)
