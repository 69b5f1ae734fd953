"""What a bot would have decided in a game that others played, judged as what they did."""

from __future__ import annotations

from functools import partial

import pytest

import parlour
from parlour import bots
from parlour.analysis import evaluation, opinion
from parlour.bots.own import SeatView
from parlour.core.errors import UnknownName
from tests.analysis.test_evaluation import ENOUGH, KING, KUHN, QUEEN, kuhn

heard: list[str] = []


class Bets(parlour.Bot):
    """Always bets."""

    def new_game(self) -> None:
        heard.append("game")

    def choose(self, view: SeatView) -> int:
        return view.string_to_action("bet")

    def close(self) -> None:
        heard.append("closed")


class Fails(Bets):
    """Fails when it has bet once."""

    def choose(self, view: SeatView) -> int:
        return 1 // (view.seat == 0) and super().choose(view)


def test_a_bot_is_judged_in_the_place_of_each_player() -> None:
    heard.clear()
    found = evaluation.decisions(kuhn(KING, QUEEN, "bet", "pass"))
    adviser = partial(bots.adviser, KUHN, simulations=ENOUGH)
    judge = partial(evaluation.each, KUHN, adviser=adviser)
    played = judge(found)
    asked: list[int] = []

    def counted(others: list[evaluation.Decision]) -> list[evaluation.Judgement]:
        asked.extend(one.step for one in others)
        return judge(others)

    choices = opinion.ask(KUHN, found, Bets)
    assert [one.differs for one in choices] == [False, True]
    said = opinion.judged(choices, played, counted)  # type: ignore[arg-type]
    assert asked == [3], "what is the player's own is not judged twice"
    assert (said[2], said[3].move, said[3].loss, said[3].before) == (played[0], "bet", 0.0, played[1].before)
    first, second = opinion.opinions(choices, said, played, 2)
    assert (first.same, second.same, second.best, second.player_best) == (1, 0, 1, 0)
    assert (second.summary.decisions, second.summary.loss, second.summary.accuracy) == (1, 0.0, 1.0)
    assert heard == ["game", "game", "closed", "closed"], "each seat has a bot of its own"


def test_a_fault_costs_one_decision() -> None:
    found = evaluation.decisions(kuhn(KING, QUEEN, "bet", "pass"))
    progress: list[int] = []
    choices = opinion.ask(KUHN, found, Fails, progress=lambda done, _: progress.append(done))
    assert progress == [0, 1]
    assert (choices[0].action, choices[1].action, choices[1].differs) == (found[0].action, None, False)
    assert "Fails failed (choose): ZeroDivisionError" in choices[1].fault
    played = evaluation.each(KUHN, found, partial(bots.adviser, KUHN, simulations=ENOUGH))
    said = opinion.judged(choices, played, list)  # type: ignore[arg-type]
    assert said == {2: played[0]}
    assert [one.summary.decisions for one in opinion.opinions(choices, said, played, 2)] == [1, 0]


def test_a_known_bot_is_asked_too() -> None:
    found = evaluation.decisions(kuhn(KING, QUEEN, "bet", "pass"))
    assert [one.action for one in opinion.ask(KUHN, found, "random")] == [
        bots.find(KUHN, "random").choose(one.view) for one in found
    ]
    with pytest.raises(UnknownName):
        opinion.ask(KUHN, found, "stupid")
