"""Corrected chances: the order stays, the ends stay, the noise follows, and one function corrects for everyone."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import bots
from parlour.analysis import regret
from parlour.analysis.evaluation import Decision, evaluate, judge
from parlour.analysis.mining import way_of
from parlour.analysis.reliability import as_hinted
from parlour.bots import Advice, Choice, View, chances, solved, worker
from parlour.bots.chances import Correction
from parlour.bots.view import own
from parlour.core.errors import BadSetup
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.puzzle import Puzzle, Value
from parlour.engine import interpret
from parlour.games import all_games, find
from tests.conformance.cases import pig

KUHN = Game("kuhn", "tests.fixtures.kuhn")
MODEST = Correction("", "", 2, "medium", 400, 100, middle=0.5, ends=0.75, shift=-0.25)
CHANCE = st.floats(0, 1)


def corrected(monkeypatch: pytest.MonkeyPatch, game: Game, players: int = 2) -> Correction:
    """Let a game have one correction; return it."""
    one = replace(MODEST, edition=next(iter(game.editions)), players=players)
    monkeypatch.setattr(chances, "corrections", lambda _: (one,))
    return one


def asked() -> Match:
    """Return a game of Kuhn in which seat 1 has the queen and must answer a bet."""
    match = Match(KUHN, seed=3, auto=False)
    for card in (0, 1):
        match.advance(card)
    match.play("bet")
    return match


def test_odds_are_raised_and_multiplied() -> None:
    """4 to 1, with both numbers 1/2 and shift 0, are 2 to 1; with the shift ln 3, 6 to 1. One number for the middle and
    another for the ends is worked out by hand: 1 to 3 is 1 below even by the line 4p - 2, and ln 3 by the odds."""
    half = replace(MODEST, middle=0.5, ends=0.5, shift=0.0)
    assert half.of(0.8) == pytest.approx(2 / 3)
    assert replace(half, shift=math.log(3)).of(0.8) == pytest.approx(6 / 7)
    odds = math.exp(-0.5 * 1 - 0.75 * (math.log(3) - 1))
    assert replace(half, ends=0.75).of(0.25) == pytest.approx(odds / (1 + odds))
    assert replace(half, middle=1.0, ends=1.0).of(0.3) == pytest.approx(0.3)


@pytest.mark.parametrize(("chance", "grows"), [(0.5, 0.6), (1e-6, 1.5), (1 - 1e-6, 1.5)])
def test_log_odds_grow_by_one_number_in_the_middle_and_by_the_other_at_the_ends(chance: float, grows: float) -> None:
    one = replace(MODEST, middle=0.6, ends=1.5, shift=0.0)

    def raised(more: float) -> float:
        odds = chance / (1 - chance) * math.exp(more)
        shown = one.of(odds / (1 + odds))
        return math.log(shown / (1 - shown))

    assert (raised(0.01) - raised(-0.01)) / 0.02 == pytest.approx(grows, rel=1e-3)


@given(st.floats(0.05, 5), st.floats(0.05, 5), st.floats(-5, 5), st.lists(CHANCE, min_size=2, max_size=8))
def test_the_order_and_the_ends_stay(middle: float, ends: float, shift: float, found: list[float]) -> None:
    one = replace(MODEST, middle=middle, ends=ends, shift=shift)
    shown = [one.of(chance) for chance in sorted(found)]
    assert all(before <= after for before, after in pairwise(shown))
    assert all(0 <= chance <= 1 for chance in shown)
    assert (one.of(0.0), one.of(1.0)) == (0.0, 1.0)


@given(st.floats(0.2, 3), st.floats(0.2, 3), st.floats(-2, 2), st.floats(0.02, 0.98))
def test_the_stretch_is_the_derivative(middle: float, ends: float, shift: float, chance: float) -> None:
    one, step = replace(MODEST, middle=middle, ends=ends, shift=shift), 1e-6
    slow = (one.of(chance + step) - one.of(chance - step)) / (2 * step)
    assert one.stretch(chance) == pytest.approx(slow, rel=1e-4, abs=1e-7)


def test_advice_keeps_its_order_and_its_noise_is_stretched(monkeypatch: pytest.MonkeyPatch) -> None:
    one = corrected(monkeypatch, KUHN)
    view = View.of(asked(), 1)
    found = Advice(1, (Choice(1, 0.8, 400), Choice(0, 0.6, 400), Choice(2, None)), 800, compared=2)
    told = chances.shown(KUHN, view, found)
    assert [choice.action for choice in told.choices] == [1, 0, 2]
    assert [choice.chance for choice in told.choices] == [one.of(0.8), one.of(0.6), None]
    best, plain = told.best, found.best
    assert best.variance == pytest.approx(plain.variance * one.stretch(plain.smoothed) ** 2)
    assert told.choices[2] == found.choices[2]
    assert told.within(best) < found.within(plain)
    exact = replace(found, simulations=0)
    assert chances.shown(KUHN, view, exact) is exact


def test_hint_analysis_and_errors_have_the_same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the search, corrected once. The decision played is the best, so that all compare the same ones."""
    found = bots.adviser(KUHN, simulations=400, corrected=False).advise(View.of(asked(), 1))
    assert found.chance is not None
    assert 0 < found.chance < 1
    one, match = corrected(monkeypatch, KUHN), asked()
    view, told = View.of(match, 1), one.of(found.chance)
    assert told != pytest.approx(found.chance, abs=0.02)
    adviser = bots.adviser(KUHN, simulations=400)
    monkeypatch.setattr(worker, "_adviser", lambda _: adviser)
    hint = worker.advise(KUHN, view, 3, "plain")
    assert (hint.chance, hint.best.action) == (told, found.best.action)
    assert judge(KUHN, Decision(3, view, hint.best.action, 2), adviser).before == told
    match.advance(hint.best.action)
    assert evaluate(match, simulations=400, seat=1)[0].before == told
    valued = regret.Judge(KUHN, interpret(KUHN), way_of(KUHN, simulations=400)).values(view, (0, 1))
    assert valued.best.noise is not None


def test_a_level_is_shown_as_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its search is another one, which was not compared with results."""
    corrected(monkeypatch, KUHN)
    view = View.of(asked(), 1)
    found = bots.adviser(KUHN, "hard", simulations=400).advise(view)
    assert found == bots.adviser(KUHN, "hard", simulations=400, corrected=False).advise(view)


def test_of_more_than_two_the_others_share_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pig()
    one, match = corrected(monkeypatch, game, 3), Match(game, 3, seed=1)
    while len(match.legal_action_ids()) < 2:
        match.play(match.legal_actions()[0])
    view = View.of(match, match.current_player)
    legal = match.legal_action_ids()

    class Known:
        def advise(self, view: View, engine: object = None, beside: int = -1) -> Advice:  # noqa: ARG002
            shares = tuple(0.6 if seat == view.seat else (0.1, 0.3)[(seat - view.seat) % 3 - 1] for seat in range(3))
            return Advice(view.seat, tuple(Choice(action, 0.6, 400) for action in legal), 800, shares, 2)

    judged = judge(game, Decision(0, view, legal[0], 2), chances.Corrected(game, Known()))
    assert sum(judged.chances) == pytest.approx(1)
    assert judged.chances[view.seat] == judged.before == one.of(0.6)
    after, last = (judged.chances[(view.seat + more) % 3] for more in (1, 2))
    assert last == pytest.approx(3 * after)


def test_only_the_setup_that_was_measured_is_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("aces-and-faces")
    one = corrected(monkeypatch, game)
    usual, other = list(game.editions.values())
    changed = replace(usual, components={**usual.components, "more": next(iter(usual.components.values()))})
    for match, known in (
        (Match(game, 2, seed=1), one), (Match(game, 3, seed=1), None), (Match(game, 2, edition=other, seed=1), None),
    ):  # fmt: skip
        assert chances.of_match(match) == known
        assert chances.of_view(game, View.of(match, 0)) == known
    assert own(game, usual)
    assert not own(game, changed)
    assert chances.of_view(game, replace(View.of(Match(game, 2, seed=1), 0), changed=changed)) is None


def test_a_puzzle_is_corrected_as_a_hint_is(monkeypatch: pytest.MonkeyPatch) -> None:
    one, match = corrected(monkeypatch, KUHN), asked()
    puzzle = Puzzle("k", 1, (), (Value("bet", 0.8, 0.02), Value("pass", 0.5, 0.02)), 2, {})
    told = chances.of_puzzle(puzzle, match, exact=False)
    assert [value.chance for value in told.values] == [one.of(0.8), one.of(0.5)]
    assert told.values[0].error == pytest.approx(0.02 * one.stretch(0.8))
    assert told.best == puzzle.best
    assert chances.of_puzzle(puzzle, match, exact=True) is puzzle


def test_a_sentence_says_for_whom_chances_hold() -> None:
    assert chances.holds(MODEST, exact=False) == "These chances hold between players of level medium."
    assert chances.holds(MODEST, exact=True) == chances.holds(None, exact=True) == chances.EXACT
    assert "not compared" in chances.holds(None, exact=False)


def test_a_file_is_read_as_it_was_written() -> None:
    both = (MODEST, replace(MODEST, ruleset="other", edition="small", players=3, middle=1.25, shift=0.5))
    assert chances.read(chances.write(both)) == both
    assert chances.read("") == ()
    earlier = chances.write([MODEST]).replace("middle = 0.5\nends = 0.75\n", "slope = 0.5\n")
    assert chances.read(earlier) == (replace(MODEST, ends=0.5),), "a file of before 2026-11-30"
    for wrong in (
        "corrections = 3",
        "[[corrections]]\nslope = 1.0",
        "[[corrections]]\nmiddle = 1.0",
        "nonsense",
        chances.write([replace(MODEST, middle=-1)]),
        chances.write([replace(MODEST, ends=0)]),
    ):
        with pytest.raises(BadSetup):
            chances.read(wrong)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_what_is_shipped_fits_the_game(game: Game) -> None:
    setups = []
    for one in chances.corrections(game):
        assert one.ruleset in game.rulesets
        assert one.level in bots.names(game)
        options = {RULESET: one.ruleset} if one.ruleset else {}
        asked = way_of(
            game, edition=one.edition, options=options, players=one.players,
            simulations=bots.plan(game, bots.ADVICE).simulations,
        )  # fmt: skip
        assert one.simulations == as_hinted(asked).simulations, "it was fitted to what hints say"
        assert one.games >= 100
        assert not solved.exact(game, one.players)
        setups.append((one.ruleset, one.edition, one.players))
    assert len(set(setups)) == len(setups)
