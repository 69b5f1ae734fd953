"""Judging decisions: what costs chance is marked, what lies in the noise is not, and nothing hidden is used."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from parlour import bots
from parlour.analysis.evaluation import Decision, Judgement, decisions, evaluate, judge, summaries
from parlour.bots import Advice, Adviser, Choice, View
from parlour.core.errors import UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from tests.conformance.cases import pig
from tests.fixtures.kuhn import rules as kuhn_rules

KUHN = Game("kuhn", "tests.fixtures.kuhn")
QUEEN, KING = 1, 2
FEW = 400  # simulations; Kuhn has three decisions at most


def kuhn(mine: int, other: int, *moves: str) -> Match:
    """Seat 0 holds `other` and seat 1 `mine`; then these moves."""
    match = Match(KUHN, seed=3, auto=False)
    for card in (other, mine):
        match.advance(card)
    for move in moves:
        match.play(move)
    return match


def test_passing_with_the_king_after_a_bet_is_a_blunder() -> None:
    bet, fold = evaluate(kuhn(KING, QUEEN, "bet", "pass"), simulations=FEW)
    assert (fold.seat, fold.move, fold.other, fold.mark) == (1, "pass", "bet", "blunder")
    assert (fold.before, fold.after) == (1.0, 0.0)
    assert fold.chances == (0.0, 1.0)
    assert bet.step == 2
    assert fold.step == 3
    assert sum(bet.chances) == pytest.approx(1)


def test_calling_with_the_king_costs_nothing() -> None:
    judged = evaluate(kuhn(KING, QUEEN, "bet", "bet"), simulations=FEW)
    assert (judged[1].mark, judged[1].loss) == ("", 0.0)
    assert judged[1].accuracy == pytest.approx(1, abs=1e-4)
    assert judged[1].other_chance is None  # folding was hardly looked at: nothing is said of its chance


def test_what_the_seat_could_not_know_is_not_held_against_it() -> None:
    """Folding the queen to a bet is judged alike whether the other held the king or the jack."""
    folds = []
    for hidden in (0, KING):
        match = kuhn(QUEEN, hidden, "bet", "pass")
        folds.append(evaluate(match, simulations=FEW)[1])
    assert [one.before for one in folds] == [folds[0].before] * 2
    assert 0.3 < folds[0].before < 0.7


def test_the_same_match_is_judged_the_same_by_any_number_of_threads_and_for_one_seat() -> None:
    match = kuhn(QUEEN, 0, "pass", "bet", "bet")
    one = evaluate(match, simulations=100)
    assert evaluate(match, simulations=100, threads=3) == one
    assert evaluate(match, simulations=100, seat=1) == [judged for judged in one if judged.seat == 1]
    assert [judged.seat for judged in one] == [0, 1, 0]


def test_progress_is_told_and_a_wrong_level_refused() -> None:
    told: list[tuple[int, int]] = []
    evaluate(kuhn(KING, 0, "bet", "bet"), simulations=20, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (1, 2), (2, 2)]
    with pytest.raises(UnknownName, match="expert"):
        evaluate(kuhn(KING, 0), level="divine")


def test_a_record_without_its_seed_can_be_judged() -> None:
    text = replace(kuhn(KING, QUEEN, "bet", "pass").record(), seed=None).to_text()
    match = replay(Record.parse(text), lambda _: KUHN)
    assert evaluate(match, simulations=FEW)[1].mark == "blunder"


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
        0, 0, "a", values["before"], values["after"], values["error"], "b", 1, 0.6, (values["before"], 0.4), 1000
    )


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

    def __init__(self, *chances: float | None, visits: int = 0) -> None:
        self.advice = Advice(
            1, tuple(Choice(action, chance, visits) for action, chance in enumerate(chances)), visits * len(chances)
        )

    def advise(self, view: View, engine: object = None, beside: int = -1, top: int = 1) -> Advice:  # noqa: ARG002
        return self.advice

    def forget(self) -> None: ...


def judged_by(oracle: Adviser, action: int) -> Judgement:
    match = kuhn(KING, QUEEN, "bet")
    return judge(KUHN, Decision(3, View.of(match, 1), action, 2), oracle)


def test_what_is_exact_has_no_noise() -> None:
    told = judged_by(Oracle(0.9, 0.84), kuhn_rules.BET)
    assert (told.mark, told.error, told.simulations) == ("inaccuracy", 0.0, 0)
    assert told.chances == pytest.approx((0.1, 0.9))


def test_few_visits_are_much_noise() -> None:
    assert judged_by(Oracle(0.9, 0.5, visits=4), kuhn_rules.BET).mark == ""
    assert judged_by(Oracle(0.9, 0.5, visits=400), kuhn_rules.BET).mark == "blunder"
    assert judged_by(Oracle(1.0, None, visits=0), kuhn_rules.BET).loss == 1.0


def test_a_decision_is_looked_at_as_often_as_the_best() -> None:
    view = View.of(kuhn(KING, QUEEN, "bet"), 1)
    alone = bots.adviser(KUHN, simulations=300).advise(view)
    beside = bots.adviser(KUHN, simulations=300).advise(view, None, kuhn_rules.PASS)
    assert alone.of(kuhn_rules.PASS).visits < alone.of(kuhn_rules.BET).visits / 2
    assert beside.of(kuhn_rules.PASS).visits == beside.of(kuhn_rules.BET).visits
    top = bots.adviser(KUHN, simulations=300).advise(view, top=2)
    assert top == beside
    assert beside.best.action == alone.best.action == kuhn_rules.BET
    assert beside.shares == alone.shares


def test_a_seat_is_summed_up() -> None:
    first, second = summaries(evaluate(kuhn(KING, QUEEN, "bet", "pass"), simulations=FEW), 2)
    assert (second.decisions, second.loss, second.marks["blunder"]) == (1, 1.0, 1)
    assert second.accuracy == 0.0
    assert first.accuracy is not None
    nobody = summaries([], 2)[0]
    assert (nobody.loss, nobody.accuracy) == (None, None)
