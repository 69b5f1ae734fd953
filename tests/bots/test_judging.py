"""Advice by a network, where the best level plays by one: all decisions, estimates with an error, and no simulation."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from parlour import bots
from parlour.analysis import evaluation, mining, regret
from parlour.analysis.evaluation import Judgement
from parlour.analysis.reliability import as_hinted
from parlour.analysis.valuing import Valuer
from parlour.bots import View, chances, nets
from parlour.bots.learned import NET_ERROR
from parlour.bots.search import to_compare
from parlour.core.match import Match
from parlour.core.struct import copy
from parlour.engine import interpret
from parlour.engine.compiled import compile
from parlour.games import find

TRADE, GATSBY, FORTUNE = find("family-trade"), find("gatsby"), find("fortune")
MARKET, ROYALE = {"ruleset": "market-making"}, {"ruleset": "battle-royale"}


def asked(options: dict[str, str], choices: int = 3) -> Match:
    """Return a game before a decision with at least this number of choices."""
    match = Match(TRADE, 2, seed=3, options=options)
    while len(match.legal_action_ids()) < choices:
        match.advance(match.legal_action_ids()[0])
        match.draw()
    return match


def test_a_hint_is_the_decision_of_the_best_level_with_an_error_of_the_network() -> None:
    match = asked(MARKET)
    view = View.of(match, match.current_player)
    found = bots.adviser(TRADE, corrected=False).advise(view)
    assert found.best.action == bots.find(TRADE, "expert").choose(view)
    assert sorted(one.action for one in found.choices) == match.legal_action_ids()
    assert [one.chance for one in found.choices] == sorted((one.chance or 0 for one in found.choices), reverse=True)
    assert (found.simulations, found.compared, found.judged, found.exact) == (0, len(found.choices), True, False)
    first, *others = found.choices
    assert found.within(first) == pytest.approx(2 * NET_ERROR / 2**0.5)
    for one in others:
        assert found.alike(first, one) == ((first.chance or 0) - (one.chance or 0) <= 2 * NET_ERROR)
    assert found == bots.adviser(TRADE, corrected=False).advise(view, compile(TRADE)), "compiled and plain"


def test_every_seat_has_a_share_after_the_best_decision() -> None:
    """Of three players, as the network says them one by one; where no chance follows."""
    match = Match(TRADE, 3, seed=5, options=MARKET)
    engine, checked = interpret(TRADE), 0
    weights = nets.of_game(TRADE, 3, "market-making")
    for _ in range(12):
        view = View.of(match, match.current_player)
        found = bots.adviser(TRADE, corrected=False).advise(view)
        assert sum(found.shares) == pytest.approx(1)
        assert found.shares[view.seat] == found.chance
        after = view.state(TRADE)
        TRADE.rules.apply(after, found.best.action)
        if TRADE.rules.current_player(after) >= 0:
            shares = [0.0] * 3
            engine.nets.think(after, view.seat, engine.net(weights), shares)
            assert found.shares == pytest.approx(shares)
            checked += 1
        match.play(found.best.action)
    assert checked


def test_what_follows_is_what_the_best_level_would_decide_while_it_is_its_turn() -> None:
    bot, engine, followed = bots.find(TRADE, "expert"), compile(TRADE), 0
    for number in range(3):
        match = Match(TRADE, 2, seed=number, options=MARKET)
        for _ in range(25):
            seat = match.current_player
            for one in bots.adviser(TRADE).advise(View.of(match, seat), engine).choices:
                again, line = copy(View.of(match, seat).state(TRADE)), list(one.line)
                TRADE.rules.apply(again, one.action)
                followed += bool(line)
                while line:
                    assert TRADE.rules.current_player(again) == seat
                    TRADE.rules.apply(again, line.pop(0))
            match.play(bot.choose(View.of(match, seat), engine))
    assert followed


def test_a_number_of_simulations_asks_a_search_and_so_does_a_ruleset_without_a_network() -> None:
    match = asked(MARKET)
    assert bots.adviser(TRADE, simulations=40).advise(View.of(match, match.current_player)).simulations >= 40
    match = asked(ROYALE)
    found = bots.adviser(TRADE, seconds=0.05).advise(View.of(match, match.current_player))
    assert found.simulations
    assert not found.judged


def test_only_a_game_whose_level_plays_by_a_network_is_judged_by_it() -> None:
    for game in (GATSBY, FORTUNE):
        assert bots.judging(game, bots.briefest(game)) is None
    way = mining.way_of(TRADE, options=MARKET)
    assert as_hinted(way).simulations == 0
    royale = mining.way_of(TRADE, options=ROYALE)
    assert as_hinted(royale) == royale


def test_a_correction_stretches_the_error_of_a_network() -> None:
    match = asked(MARKET)
    view = View.of(match, match.current_player)
    found, shown = (bots.adviser(TRADE, corrected=corrected).advise(view) for corrected in (False, True))
    one = chances.of_view(TRADE, view)
    assert one is not None
    assert found.chance is not None
    assert shown.chance == pytest.approx(one.of(found.chance))
    assert shown.best.variance == pytest.approx(found.best.variance * one.stretch(found.chance) ** 2)
    assert shown.judged


def test_a_decision_is_judged_by_the_network_and_marked_only_beyond_its_error() -> None:
    match = asked(MARKET)
    view = View.of(match, match.current_player)
    worst = bots.adviser(TRADE).advise(view).choices[-1]
    one = evaluation.judge(TRADE, evaluation.Decision(0, view, worst.action, 3), bots.adviser(TRADE))
    assert (one.simulations, one.judged, one.exact) == (0, True, False)
    assert one.error > 0
    assert one.other_chance is not None
    assert one.after == worst.chance
    assert not one.mark or one.loss > one.within


def test_an_analysis_that_an_earlier_version_stored_is_exact_if_it_had_no_simulations() -> None:
    old = {"step": 1, "seat": 0, "move": "a", "before": 0.5, "after": 0.4, "error": 0.0, "other": "b"}
    old |= {"other_action": 1, "other_chance": 0.5, "alike": False, "chances": [0.5, 0.5], "simulations": 0}
    old |= {"uniform": 0.3, "line": []}
    assert msgspec.convert(old, Judgement).exact


def test_games_played_on_value_decisions_and_luck_does_not_say_which_is_first() -> None:
    """All decisions that are compared have the same number of games, and keep the order of the network."""
    match, engine = asked(MARKET, 5), compile(TRADE)
    view = View.of(match, match.current_player)
    beside = match.legal_action_ids()[-1]
    valuer = Valuer(TRADE, engine, 2, 400)
    found, hint = valuer.value(view, (beside,)), valuer.glance(view)
    chosen, drawn = to_compare(hint, view, beside)
    assert [one.action for one in found.choices[: found.compared]] == chosen
    assert {one.visits for one in found.choices[: found.compared]} == {40}
    assert (found.simulations, found.drawn, found.judged) == (40 * len(chosen), drawn, False)
    assert found.best.action == hint.best.action
    assert sum(found.shares) == pytest.approx(1)
    assert found.shares[view.seat] == found.chance


def test_the_errors_of_bots_are_measured_by_games_played_on() -> None:
    engine, way = compile(TRADE), mining.way_of(TRADE, options=MARKET, simulations=400)
    match = asked(MARKET)
    view = View.of(match, match.current_player)
    one = evaluation.Decision(0, view, match.legal_action_ids()[0], 3)
    found = regret.asked(TRADE, engine, one, ("expert", "random"), regret.Judge(TRADE, engine, way))
    assert set(found.lost) == {"expert", "random"}
    assert all(abs(lost) < 1 for lost in found.lost.values())
    assert found.off is not None


def test_the_error_of_a_network_is_what_luck_does_not_explain() -> None:
    """A network that says what games show has none but luck's; one that is 0.1 off in every difference has 0.1."""
    engine, view = interpret(TRADE), View.of(asked(MARKET), asked(MARKET).current_player)
    judge = regret.Judge(TRADE, engine, mining.way_of(TRADE, options=MARKET, simulations=100))
    hint = chances.shown(TRADE, view, judge._valuer.glance(view))
    first, *others = (replace(one, noise=0.0) for one in hint.choices)
    moved = [replace(one, chance=(one.chance or 0) - 0.1) for one in others]
    true, off = (replace(hint, choices=(first, *rest)) for rest in (others, moved))
    assert judge.off(view, true) == pytest.approx(0)
    squared = judge.off(view, off)
    assert squared == pytest.approx(0.01)
    lucky = replace(off, choices=tuple(replace(one, noise=0.005) for one in off.choices))
    assert judge.off(view, lucky) == pytest.approx(0)
    asked_twice = [
        [regret.Asked(0.1, False, {}, squared)],
        [regret.Asked(0.1, False, {}, 0.0), regret.Asked(0.1, True, {})],
    ]
    assert regret.network(asked_twice) == pytest.approx(0.005**0.5)
    assert regret.network([[regret.Asked(0.1, False, {})]]) is None


def test_a_glance_is_a_network_s_and_a_closer_look_is_not() -> None:
    match = asked(MARKET)
    view = View.of(match, match.current_player)
    valuer = Valuer(TRADE, interpret(TRADE), 2, 20)
    assert valuer.glance(view).judged
    assert Valuer(FORTUNE, interpret(FORTUNE), 2, 20).exact
