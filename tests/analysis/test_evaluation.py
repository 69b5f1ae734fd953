"""Judging decisions: what costs chance is marked, what is within the noise is not, and nothing hidden is used."""

from __future__ import annotations

import random
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import bots
from parlour.analysis.evaluation import (
    FEW,
    MOST,
    STAKE,
    TOO_FEW,
    VAGUE,
    Decision,
    Judgement,
    Summary,
    decisions,
    evaluate,
    judge,
    summaries,
)  # fmt: skip
from parlour.analysis.shapes import shapes
from parlour.bots import Advice, Adviser, Choice, View, levels
from parlour.core.errors import UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.engine import interpret
from parlour.games import find
from tests.analysis import nightly
from tests.conformance.cases import pig
from tests.fixtures.kuhn import rules as kuhn_rules
from tests.fixtures.sprint import rules as sprint_rules
from tests.house.played import played

KUHN = Game("kuhn", "tests.fixtures.kuhn")
QUEEN, KING = 1, 2
ENOUGH = 400  # simulations; Kuhn has three decisions at most


def kuhn(mine: int, other: int, *moves: str) -> Match:
    """Seat 0 holds `other` and seat 1 `mine`; then these moves."""
    match = Match(KUHN, seed=3, auto=False)
    for card in (other, mine):
        match.advance(card)
    for move in moves:
        match.play(move)
    return match


def test_passing_with_the_king_after_a_bet_is_a_blunder() -> None:
    bet, fold = evaluate(kuhn(KING, QUEEN, "bet", "pass"), simulations=ENOUGH)
    assert (fold.seat, fold.move, fold.other, fold.mark) == (1, "pass", "bet", "blunder")
    assert (fold.before, fold.after) == (1.0, 0.0)
    assert fold.chances == (0.0, 1.0)
    assert bet.step == 2
    assert fold.step == 3
    assert sum(bet.chances) == pytest.approx(1)


def test_calling_with_the_king_costs_nothing() -> None:
    judged = evaluate(kuhn(KING, QUEEN, "bet", "bet"), simulations=ENOUGH)
    assert (judged[1].mark, judged[1].loss) == ("", 0.0)
    assert summaries(judged, 2)[1].accuracy == 1.0
    assert (judged[1].other_chance, judged[1].alike) == (0, False)


def test_what_the_seat_could_not_know_is_not_held_against_it() -> None:
    """Folding the queen to a bet is judged alike whether the other held the king or the jack."""
    folds = []
    for hidden in (0, KING):
        match = kuhn(QUEEN, hidden, "bet", "pass")
        folds.append(evaluate(match, simulations=ENOUGH)[1])
    assert [one.before for one in folds] == [folds[0].before] * 2
    assert 0.3 < folds[0].before < 0.7


def test_the_same_match_is_judged_the_same_by_any_number_of_threads_and_for_one_seat() -> None:
    match = kuhn(QUEEN, 0, "pass", "bet", "bet")
    one = evaluate(match, simulations=100)
    assert evaluate(match, simulations=100, threads=3) == one
    assert evaluate(match, simulations=100, seat=1) == [judged for judged in one if judged.seat == 1]
    assert [judged.seat for judged in one] == [0, 1, 0]


def test_progress_is_reported_and_a_wrong_level_refused() -> None:
    reported: list[tuple[int, int]] = []
    evaluate(kuhn(KING, 0, "bet", "bet"), simulations=20, progress=lambda done, total: reported.append((done, total)))
    assert reported == [(0, 2), (1, 2), (2, 2)]
    with pytest.raises(UnknownName, match="expert"):
        evaluate(kuhn(KING, 0), level="divine")


def test_a_record_without_its_seed_can_be_judged() -> None:
    text = replace(kuhn(KING, QUEEN, "bet", "pass").record(), seed=None).to_text()
    match = replay(Record.parse(text), lambda _: KUHN)
    assert evaluate(match, simulations=ENOUGH)[1].mark == "blunder"


def test_where_more_than_two_play_everybody_has_a_share() -> None:
    match, choice = Match(pig(), 4, seed=1), random.Random(1)
    while not match.over and match.version < 30:
        match.play(choice.choice(match.legal_actions()))
    judged = evaluate(match, simulations=20)
    assert len(judged) == len(decisions(match)) > 5
    for one in judged:
        assert len(one.chances) == len(match.names)
        assert sum(one.chances) == pytest.approx(1)
        assert one.chances[one.seat] == one.before


def judgement(**changed: float) -> Judgement:
    values: dict[str, float] = {"before": 0.6, "after": 0.6, "error": 0.0, **changed}
    return Judgement(
        step=0, seat=0, move="a", before=values["before"], after=values["after"], error=values["error"], other="b",
        other_action=1, other_chance=0.6, alike=False, chances=(values["before"], 0.4), simulations=1000,
        uniform=values.get("uniform", 0.0),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("after", "mark"), [(0.6, ""), (0.56, ""), (0.54, "inaccuracy"), (0.49, "mistake"), (0.44, "blunder"), (0.7, "")]
)
def test_the_loss_makes_the_mark(after: float, mark: str) -> None:
    assert judgement(after=after).mark == mark


def test_within_the_noise_nothing_is_marked() -> None:
    assert judgement(after=0.3, error=0.16).mark == ""
    assert judgement(after=0.3, error=0.14).mark == "blunder"


class Oracle:
    """An adviser that knows: chances without visits."""

    def __init__(self, *chances: float | None, visits: int = 0, drawn: int = -1, compared: int = 0) -> None:
        choices = tuple(Choice(action, chance, visits) for action, chance in enumerate(chances))
        self.advice = Advice(1, choices, visits * len(chances), compared=compared or len(choices), drawn=drawn)

    def advise(self, view: View, engine: object = None, beside: int = -1) -> Advice:  # noqa: ARG002
        return self.advice


def judged_by(oracle: Adviser, action: int) -> Judgement:
    match = kuhn(KING, QUEEN, "bet")
    return judge(KUHN, Decision(3, View.of(match, 1), action, 2), oracle)


def test_what_is_exact_has_no_noise() -> None:
    judged = judged_by(Oracle(0.9, 0.84), kuhn_rules.BET)
    assert (judged.mark, judged.error, judged.simulations) == ("inaccuracy", 0.0, 0)
    assert judged.chances == pytest.approx((0.1, 0.9))


def test_few_visits_are_much_noise() -> None:
    assert judged_by(Oracle(0.9, 0.5, visits=4), kuhn_rules.BET).mark == ""
    assert judged_by(Oracle(0.9, 0.5, visits=400), kuhn_rules.BET).mark == "blunder"
    assert judged_by(Oracle(1.0, None, visits=0), kuhn_rules.BET).loss == 1.0


def test_a_worse_decision_is_looked_at_as_often_as_the_best() -> None:
    view = View.of(kuhn(KING, QUEEN, "bet"), 1)
    alone = bots.SearchBot(KUHN, "x", bots.Plan(simulations=300)).search(view)
    beside = bots.adviser(KUHN, simulations=300).advise(view, None, kuhn_rules.PASS)
    assert alone.of(kuhn_rules.PASS).visits < alone.of(kuhn_rules.BET).visits / 2
    assert beside.of(kuhn_rules.PASS).visits == beside.of(kuhn_rules.BET).visits
    assert bots.adviser(KUHN, simulations=300).advise(view) == beside
    assert beside.best.action == alone.best.action == kuhn_rules.BET
    assert beside.shares == alone.shares


@pytest.mark.parametrize(
    ("chances", "visits", "made", "alike"),
    [
        ((0.9, 0.9), 0, 0, True), ((0.9, 0.88), 0, 0, False), ((0.9, 0.88), 0, 1, False),  # exact
        ((0.9, 0.88), 400, 0, True), ((0.9, 0.88), 400, 1, True), ((0.9, 0.7), 400, 0, False),
        ((0.9, 0.88), 40, 0, False),  # hardly looked at: nothing is said of it
    ],
)  # fmt: skip
def test_as_good_is_what_cannot_be_told_from_the_one_made(
    chances: tuple[float, ...], visits: int, made: int, alike: bool
) -> None:
    judged = judged_by(Oracle(*chances, visits=visits), made)
    assert judged.alike == alike
    assert (judged.other_chance is None) == (0 < visits < FEW)


def test_a_seat_is_summed_up() -> None:
    first, second = summaries(evaluate(kuhn(KING, QUEEN, "bet", "pass"), simulations=ENOUGH), 2)
    assert (second.decisions, second.loss, second.marks["blunder"]) == (1, 1.0, 1)
    assert second.accuracy == 0.0
    assert first.accuracy is not None
    nobody = summaries([], 2)[0]
    assert (nobody.loss, nobody.accuracy) == (None, None)


def test_an_accuracy_of_few_decisions_has_a_wide_interval() -> None:
    """Decisions at which 0.3 is at stake on average. Errors in proportion to the stake say all; of two that have lost
    all or nothing, the interval is Student's for one degree of freedom."""
    best, blunder = (replace(judgement(after=after), uniform=0.3) for after in (0.6, 0.3))
    both = summaries([replace(best, seat=0), replace(blunder, seat=0)], 1)[0]
    assert both.accuracy == pytest.approx(0.5)
    assert both.within == pytest.approx(12.706 * (2 * 2 * 0.15**2) ** 0.5 / 0.6)
    many = summaries([replace(best, seat=0), replace(blunder, seat=0)] * 50, 1)[0]
    assert many.accuracy == pytest.approx(0.5)
    assert many.within is not None
    assert 0.09 < many.within < 0.11
    assert summaries([replace(best, seat=0)], 1)[0].within is None
    assert summaries([replace(best, seat=0)] * 4, 1)[0].within == 0.0
    assert (both.clear, both.in_words) == (False, TOO_FEW)
    assert (many.clear, many.in_words.replace("\N{NO-BREAK SPACE}", " ")) == (True, "50 % ± 10")


@pytest.mark.parametrize(
    ("decided", "accuracy", "within", "said"),
    [
        (0, None, None, "nothing to decide"), (3, None, None, "nothing at stake"), (1, 1.0, None, TOO_FEW),
        (9, 0.0, 1.17, TOO_FEW), (9, 0.6, VAGUE + 0.001, TOO_FEW), (9, 0.6, VAGUE, "60 % ± 50"),
        (9, 1.0, 0.0, "100 % ± 0"),
    ],
)  # fmt: skip
def test_an_accuracy_is_shown_if_its_interval_is_no_wider_than_the_scale(
    decided: int, accuracy: float | None, within: float | None, said: str
) -> None:
    one = Summary(0, decided, 0.1, accuracy, {}, within)
    assert one.in_words.replace("\N{NO-BREAK SPACE}", " ") == said


def test_of_a_game_of_ten_thousand_decisions_few_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    long = sprint_rules.State(players=2, safe=0, risk=0, rounds=5_000)
    monkeypatch.setattr(sprint_rules, "setup", lambda *_: replace(long, points=[0] * 3))
    match = Match(Game("sprint", "tests.fixtures.sprint"), seed=1, auto=False)
    for _ in range(10_000):
        match.advance(sprint_rules.SAFE)
    assert match.over
    found = decisions(match)
    steps = [one.step for one in found]
    assert len(found) == MOST == len({*steps})
    assert steps == sorted(steps) == [one.step for one in decisions(match)]
    assert 0.45 < sum(one.view.seat for one in found) / MOST < 0.55
    assert min(steps) < 100 < 9_900 < max(steps)
    assert MOST * levels.simulations_each(match.game, MOST) <= levels.ANALYSIS_SIMULATIONS


def test_a_decision_takes_six_times_its_simulations_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted: those of the search, and of the comparison with five others."""
    game, made = find("gatsby"), list[int]()
    engine = interpret(game)
    run = engine.search.run

    def count(seat: int, some: int, *rest: object) -> None:
        made.append(some)
        run(seat, some, *rest)

    monkeypatch.setattr(engine.search, "run", count)
    found = decisions(played(shapes(game, players=2)[0], 0, all_random=True))
    most = max(found, key=lambda one: one.choices)
    assert most.choices > 6
    looks = 60
    judged = judge(game, most, bots.adviser(game, simulations=looks), engine)
    assert looks < sum(made) <= 6 * looks
    assert judged.simulations == looks


def test_accuracy_lies_between_random_play_and_the_best() -> None:
    best, coin, worst = judgement(uniform=0.5), judgement(after=0.5, uniform=0.5), judgement(after=0.4, uniform=0.5)
    idle = judgement(uniform=0.6)  # nothing could be lost
    for decided, accuracy in (
        ([best], 1.0), ([coin], 0.0), ([worst], 0.0), ([best, worst], 0.0), ([best, best, worst, best], 0.5),
        ([coin, *[idle] * 50], 0.0), ([best, *[idle] * 50], 1.0), ([idle], None),
    ):  # fmt: skip
        found = summaries(decided, 1)[0].accuracy
        assert found is None if accuracy is None else found == pytest.approx(accuracy)


def test_a_random_choice_is_worth_the_mean_of_all() -> None:
    assert judged_by(Oracle(0.9, 0.5), kuhn_rules.BET).uniform == pytest.approx(0.7)
    assert judged_by(Oracle(0.9, None, visits=400), 0).uniform == pytest.approx(0.9)


def test_one_that_was_looked_at_closely_stands_for_all_that_were_not() -> None:
    """Of estimates: what was hardly looked at seems worse than it is. Of what is exact each counts."""
    estimates = Oracle(0.9, 0.7, 0.5, 0.1, 0.2, visits=400, drawn=1, compared=3)
    assert judged_by(estimates, kuhn_rules.BET).uniform == pytest.approx((0.9 + 0.5 + 3 * 0.7) / 5)
    assert judged_by(Oracle(0.9, 0.5, 0.1, 0.7), kuhn_rules.BET).uniform == pytest.approx(0.55)


CHANCE = st.floats(0, 1)


@given(st.lists(st.tuples(CHANCE, CHANCE).map(lambda pair: (max(pair), min(pair))), min_size=1, max_size=6))
def test_each_choice_made_as_often_scores_0_the_best_1_and_half_of_both_a_half(
    pairs: list[tuple[float, float]],
) -> None:
    """Of every evaluation, so without luck: what random play loses on average is what accuracy is measured by."""
    view = View.of(kuhn(KING, QUEEN, "bet"), 1)
    both = [judge(KUHN, Decision(3, view, action, 2), Oracle(*pair)) for pair in pairs for action in range(2)]
    best = [max(both[i : i + 2], key=lambda one: one.after) for i in range(0, len(both), 2)]
    if sum(abs(one - other) / 2 for one, other in pairs) < STAKE:
        assert summaries(best, 2)[1].accuracy is None
        return
    for decided, accuracy in ((both, 0.0), (best, 1.0), (both + best + best, 0.5)):
        assert summaries(decided, 2)[1].accuracy == pytest.approx(accuracy, abs=1e-9)


def test_in_a_solved_game_random_play_scores_0_and_the_best_1() -> None:
    """Fortune for two, whose chances are exact: in each of these positions every legal decision is made once. Their
    chances come from the solver, not from the evaluation."""
    game = find("fortune")
    adviser, choice = bots.adviser(game), random.Random(1)
    found = [one for one in decisions(played(shapes(game, players=2)[0], 0, all_random=True)) if 3 < one.choices < 20]
    best = []
    for one in choice.sample(found, 6):
        advice = adviser.advise(one.view)
        chances = {choice.action: choice.chance or 0.0 for choice in advice.choices}
        judged = [judge(game, replace(one, action=action), Advised(advice)) for action in chances]
        assert len(judged) == one.choices
        for decided in judged:
            assert decided.simulations == 0
            assert decided.uniform == pytest.approx(sum(chances.values()) / len(chances))
            assert decided.loss == pytest.approx(max(chances.values()) - decided.after)
        best += [replace(judged[0], seat=0)]
        assert summaries([replace(decided, seat=0) for decided in judged], 1)[0].accuracy in (None, pytest.approx(0))
    assert sum(one.stake for one in best) > STAKE
    assert summaries(best, 1)[0].accuracy == pytest.approx(1)


class Advised(Oracle):
    """An adviser that has said this already."""

    def __init__(self, advice: Advice) -> None:
        self.advice = advice


def test_nightly_the_accuracy_of_games_together_is_the_ratio_of_what_they_lost() -> None:
    """By hand: 0.1 of 0.4 lost in one game, 0.3 of 0.4 in the other; the interval is Student's for one degree of
    freedom round 1 - 0.4 / 0.8."""
    games = [[judgement(before=0.6, after=0.5, uniform=0.2)], [judgement(before=0.6, after=0.3, uniform=0.2)]]
    accuracy, low, high = nightly.together(games)
    assert accuracy == pytest.approx(0.5)
    assert high - accuracy == accuracy - low == pytest.approx(12.706 * (2 * 0.02) ** 0.5 / 0.8)
    worse = [[judgement(before=0.6, after=0.1, uniform=0.2)]] * 3
    assert nightly.together(worse)[0] == pytest.approx(-0.25)  # not cut off at 0
    assert nightly.together(games[:1])[1:] == (-inf, inf)


def test_nightly_says_of_whole_games_what_the_bots_have(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """How much that is, is not for so few and so small games to say."""
    monkeypatch.setattr(nightly, "compile", interpret)
    monkeypatch.setattr(nightly, "advised", lambda _: bots.Plan(simulations=50))
    shape = shapes(KUHN)[0]
    match, same = (nightly.played(shape, "random", 1, 5, None) for _ in range(2))
    assert match.over
    assert match.record().to_text() == same.record().to_text()
    assert [one.ruleset for one in nightly.shapes_of(find("family-trade"))] == list(find("family-trade").rulesets)
    broken = nightly.main(["kuhn"], 2, 1, [KUHN])
    printed = capsys.readouterr().out
    assert [line.split(" 2p ")[1].split()[0] for line in printed.splitlines()] == ["random", "search"]
    assert printed.count("BROKEN") == broken
