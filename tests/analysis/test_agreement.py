"""Hint and analysis give one answer: in whole games of every ruleset, a few decisions of each, searched a little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from parlour import bots
from parlour.analysis.evaluation import Decision, judge
from parlour.analysis.shapes import Shape, shapes
from parlour.bots import Advice, Choice, View
from parlour.bots.worker import advise
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine import interpret
from parlour.games import all_games
from tests.analysis import agreement
from tests.analysis.agreement import Keeping, Pair, every_ruleset, pairs

KUHN = Game("kuhn", "tests.fixtures.kuhn")
ASKED = 5  # decisions of a game, about


@pytest.mark.parametrize("shape", every_ruleset(list(all_games().values())), ids=str)
def test_hint_and_analysis_agree_in_whole_games(shape: Shape, size: Callable[[int, int], int]) -> None:
    """No decision that was compared is above the best, "as good" is within the noise, and both name the same chance."""
    adviser = bots.adviser(shape.game, simulations=size(24, 200))
    found, every = 0, size(11, 7)
    for pair in pairs(shape, 5, adviser, every=every, players=bots.simulated(shape.game)):
        assert list(pair.faults()) == []
        assert pair.same or pair.looked.best.action == pair.decision.action
        found += 1
        if found == size(ASKED, 100):
            return
    assert found


def pair(*chances: float, played: int, visits: int = 4_000, hint: int = 0, compared: int = 0) -> Pair:
    """Return what is said of a decision in which these are all choices, and the hint names the one with this number."""
    match = Match(KUHN, seed=3)
    view = View.of(match, match.current_player)
    choices = tuple(Choice(action, chance, visits) for action, chance in enumerate(chances))
    looked = Advice(0, choices, visits, compared=compared or len(choices))
    made = Decision(match.version, view, played, len(choices))
    judgement = judge(KUHN, made, Advised(looked))
    return Pair(made, replace(looked, choices=(choices[hint], *choices[:hint])), judgement, looked)


class Advised:
    """An adviser that has said this already."""

    def __init__(self, advice: Advice) -> None:
        self.advice = advice

    def advise(self, view: View, engine: object = None, beside: int = -1) -> Advice:  # noqa: ARG002
        return self.advice


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (pair(0.6, 0.5, played=1), ""),
        (pair(0.6, 0.5, played=0, hint=1), ""),  # the one played is better than what the hint compared
        (pair(0.5, 0.7, played=0), "above the best"),  # the choices given to `judge` are out of order
        (pair(0.6, 0.5, played=1, hint=1), "neither was played"),
    ],
)
def test_what_must_not_be_is_found(wrong: Pair, fault: str) -> None:
    assert all(fault in one for one in wrong.faults()) if not fault else any(fault in one for one in wrong.faults())


def test_an_answer_that_is_called_as_good_beyond_the_noise_is_found() -> None:
    good = pair(0.6, 0.59, played=0)
    assert good.judged.alike
    assert list(good.faults()) == []
    far = replace(good, looked=pair(0.6, 0.4, played=0).looked)
    assert "as good, but beyond the noise" in list(far.faults())


def test_the_process_that_gives_hints_says_what_the_adviser_says() -> None:
    """With what speaks for each decision besides; and asked again it says the same."""
    game = all_games()["fortune"]  # exact for two: no clock has a say
    match = Match(game, 2, seed=4)
    view = View.of(match, match.current_player)
    hint = advise(game, view, 3, "plain")
    assert hint == advise(game, view, 3, "plain")
    plain = replace(hint, choices=tuple(replace(choice, ground=None) for choice in hint.choices))
    assert plain == bots.adviser(game).advise(view)


def test_the_long_form_counts_what_it_asks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(agreement, "compile", interpret)
    assert agreement.main([], 6, 1, [KUHN], simulations=30) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("kuhn ")
    assert "faults 0" in last
    assert Keeping(bots.adviser(KUHN)).last.choices == ()
    assert [shape.players for shape in every_ruleset([KUHN])] == [shapes(KUHN)[0].players]
