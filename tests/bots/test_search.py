"""Tree search: what it finds, what it must not know, what it keeps."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlour.bots import Advice, Choice, Plan, SearchBot, View, adviser, declared, find, plan
from parlour.bots.levels import ADVICE_SIMULATIONS
from parlour.bots.search import COMPARED, FOLLOWING, LIKELY, line_after, to_compare
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import seed_rng
from parlour.core.struct import copy
from parlour.engine import interpret, search
from parlour.engine.compiled import compile
from parlour.games import all_games

KUHN = Game("kuhn", "tests.fixtures.kuhn")
FAST = Plan(simulations=60)


def position(game: Game, seed: int, moves: int, players: int | None = None) -> Match:
    """Return a game after this number of random decisions, at a decision between several actions."""
    match, choice = Match(game, players or game.facts.players[0], seed=seed), random.Random(seed)
    while moves > 0 or len(match.legal_action_ids()) < 2:
        match.play(choice.choice(match.legal_action_ids()))
        moves -= 1
    return match


def look(match: Match, how: Plan, engine: Any = None) -> Any:
    """Return what a new bot thinks of the position."""
    return SearchBot(match.game, "test", how).search(View.of(match, match.current_player), engine)


def compared() -> list[Any]:
    """The games whose search is compiled and compared; to compile it takes the processor most of a minute for each.
    Rules, `resample` and a policy's `value` are compared for every game in tests/conformance/test_lockstep.py."""
    quick = ("kuhn", "fortune")  # hidden hands, and chance with a policy
    games = [KUHN, *all_games().values()]
    return [pytest.param(game, marks=[pytest.mark.whole] * (game.name not in quick), id=game.name) for game in games]


@pytest.mark.parametrize(("card", "bet", "best"), [(2, True, 1), (0, True, 0)])
def test_it_bets_with_a_king_and_gives_up_a_jack(card: int, bet: bool, best: int) -> None:
    """Kuhn poker: facing a bet, the king always wins and the jack never."""
    seed = next(s for s in range(100) if Match(KUHN, 2, seed=s).state.hand[1] == card)
    match = Match(KUHN, 2, seed=seed)
    match.play(int(bet))
    advice = look(match, Plan(simulations=200))
    assert advice.best.action == best
    assert advice.simulations == sum(choice.visits for choice in advice.choices) == 200
    assert advice.choices[0].chance == pytest.approx(1.0 if card == 2 else 0.0)


def test_a_policy_that_has_no_outlook_does_not_blind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy with a `value` alone is what docs/add-a-game.md has an author begin with: games are played to the end,
    as without a policy, and `value` says only what is looked at first."""
    folder = tmp_path / "kuhn_with_a_value"
    shutil.copytree(Path(__file__).parents[1] / "fixtures" / "kuhn", folder)
    (folder / "policy.py").write_text("def value(state, player):\n    return 0\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    game = Game("kuhn-with-a-value", "kuhn_with_a_value")
    seed = next(s for s in range(100) if Match(game, 2, seed=s).state.hand[0] == 2)
    king = look(Match(game, 2, seed=seed), Plan(simulations=100, expand=1000))  # every game beyond one decision is cut
    assert king.choices[0].chance == pytest.approx(1.0)


def test_chances_agree_with_what_can_be_reckoned() -> None:
    """With the king to open, checking and betting both win against everything: 1; with the jack betting wins at most
    when a queen gives up."""
    seed = next(s for s in range(100) if Match(KUHN, 2, seed=s).state.hand[0] == 2)
    king = look(Match(KUHN, 2, seed=seed), Plan(simulations=400))
    assert king.chance > 0.99


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_the_hidden_truth_changes_nothing(game: Game, size: Callable[[int, int], int]) -> None:
    """All that a seat cannot know is dealt again under the search: it makes the same choice, for the same reasons."""
    for seed in range(3 if game.facts.hidden_information else size(1, 3)):
        match = position(game, seed, 12 + 7 * seed)
        seat = match.current_player
        found = look(match, FAST)
        truth, rng = copy(match.state), [0] * 4
        for deal in range(3):
            seed_rng(rng, seed, deal)
            match.state = copy(truth)
            game.rules.resample(match.state, seat, rng)
            assert look(match, FAST) == found


@pytest.mark.slow
@pytest.mark.parametrize("game", compared(), ids=lambda game: game.name)
def test_plain_and_compiled_search_are_the_same(game: Game, size: Callable[[int, int], int]) -> None:
    for seed, players in list(enumerate(range(game.facts.players[0], game.facts.players[1] + 1)))[-size(1, 9) :]:
        match = position(game, seed, 0 if game is KUHN else 9, players)
        for how in (FAST, Plan(simulations=8, rollout="greedy", length=2), Plan(simulations=20, length=5, expand=1)):
            both = (look(match, how, engine) for engine in (interpret(game), compile(game)))
            plain, compiled = ([(c.action, c.visits, pytest.approx(c.chance)) for c in one.choices] for one in both)
            assert plain == compiled


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_advice_is_about_all_that_is_legal_and_only_that(game: Game, size: Callable[[int, int], int]) -> None:
    for seed in range(size(2, 4)):
        match = position(game, 50 + seed, 5 * seed, game.facts.players[1])
        advice = look(match, FAST)
        assert sorted(choice.action for choice in advice.choices) == match.legal_action_ids()
        assert all(choice.chance is None or 0.0 <= choice.chance <= 1.0 for choice in advice.choices)
        assert all((choice.chance is None) == (choice.visits == 0) for choice in advice.choices)
        assert [choice.visits for choice in advice.choices] == sorted((c.visits for c in advice.choices), reverse=True)


def test_the_tree_is_kept_while_nothing_else_happens() -> None:
    """A play of several decisions: what was found below the first is there when the second is due."""
    game = all_games()["facets-of-fortune"]
    bot = SearchBot(game, "test", Plan(simulations=300))
    kept = 0
    match = Match(game, 2, seed=4)
    for _ in range(40):
        seat = match.current_player
        view = View.of(match, seat)
        advice = bot.search(view)
        if view.trail:
            kept += advice.simulations > 300
        elif len(advice.choices) > 1:
            assert advice.simulations == 300
        match.play(advice.best.action)
    assert kept > 3


def test_a_tree_of_another_position_is_not_used() -> None:
    game = all_games()["facets-of-fortune"]
    bot = SearchBot(game, "test", Plan(simulations=200))
    for seed in range(4):
        match = position(game, seed, 11)
        view = View.of(match, match.current_player)
        assert bot.search(view) == look(match, bot.plan)
        assert bot.search(replace(view, origin=view.origin + 1)).simulations == 200


def test_threads_search_trees_of_their_own_and_count_together() -> None:
    match = position(all_games()["fortune"], 3, 8)
    engine = compile(match.game)
    one, two = look(match, Plan(simulations=400), engine), look(match, Plan(simulations=400, threads=2), engine)
    assert one.simulations == two.simulations == 400
    assert two == look(match, Plan(simulations=400, threads=2), engine)
    assert two != one


def test_time_ends_a_search() -> None:
    match = position(all_games()["fortune"], 3, 8)
    for engine in (interpret(match.game), compile(match.game)):
        look(match, Plan(simulations=1), engine)  # compiled before the clock runs
        began = time.monotonic()
        advice = look(match, Plan(simulations=1 << 40, seconds=0.3), engine)
        assert advice.simulations > 0
        assert time.monotonic() - began < 30


def test_comparing_takes_no_more_than_the_time_that_was_given() -> None:
    game = all_games()["facets-of-fortune"]
    match = Match(game, seed=1)
    bot = SearchBot(game, "x", Plan(10**9, seconds=0.4))
    view = View.of(match, match.current_player)
    bot.advise(view)  # makes the tree
    begun = time.process_time()
    bot.advise(view, None, match.legal_action_ids()[-1])
    assert time.process_time() - begun < 0.6


def test_the_most_visited_and_one_drawn_are_compared_alike_and_the_highest_comes_first() -> None:
    """Whatever was played besides; it is compared with them, and changes nothing about them."""
    match = position(all_games()["gatsby"], 3, 8)
    view, legal = View.of(match, match.current_player), match.legal_action_ids()
    bot = SearchBot(match.game, "test", Plan(simulations=300))
    alone, visited = bot.advise(view), look(match, bot.plan).choices
    known = {choice.action: choice for choice in alone.choices[: alone.compared]}
    assert {choice.action for choice in visited[:COMPARED]} < known.keys()
    assert len(known) == min(COMPARED + 2, len(legal))
    for played in legal:
        advice = bot.advise(view, None, played)
        compared = advice.choices[: advice.compared]
        chances = [choice.chance for choice in compared]
        assert chances == sorted(chances, reverse=True)
        assert all(choice.visits >= visited[0].visits for choice in compared)
        assert {choice.action for choice in compared} >= known.keys() | {played}
        assert all(advice.of(action) == choice for action, choice in known.items())
        assert advice.drawn not in (played, *(choice.action for choice in visited[:COMPARED]))
        assert sorted(choice.action for choice in advice.choices) == legal


def test_what_follows_a_decision_can_be_played_and_ends_before_chance() -> None:
    """From the seat's view; and what is said of a decision does not depend on what is asked besides."""
    long = 0
    for name, step in (("gatsby", 8), ("facets-of-fortune", 11), ("aces-and-faces", 6)):
        match = position(all_games()[name], 3, step)
        rules, view = match.game.rules, View.of(match, match.current_player)
        advice = SearchBot(match.game, "test", Plan(simulations=400)).advise(view)
        for choice in advice.choices[: advice.compared]:
            state = view.state(match.game)
            rules.apply(state, choice.action)
            for action in choice.line:
                assert rules.current_player(state) >= 0
                legal = [0] * rules.MAX_LEGAL
                assert action in legal[: rules.legal_actions(state, legal)]
                rules.apply(state, action)
            assert len(choice.line) <= FOLLOWING
            long += len(choice.line) > 1
        assert all(not choice.line for choice in advice.choices[advice.compared :])
    assert long


def test_a_line_ends_where_nothing_is_likely() -> None:
    """In Kuhn the others hold one card or another: what they do after a bet depends on it, and a line does not say."""
    match = Match(KUHN, seed=3)
    view = View.of(match, match.current_player)
    bot = SearchBot(match.game, "test", Plan(simulations=2_000))
    bot.advise(view)
    (tree,) = next(iter(bot._searcher._trees.values()))
    for key, node in tree.children().items():
        action = key // search.SEATS
        visits = sorted(int(tree.arrays[0][child][search.VISITS]) for child in tree.children(node).values())
        likely = visits[-1] > LIKELY * sum(visits)
        assert bool(line_after(match.game, view, tree, action)) == likely


def test_advice_without_a_limit_is_the_same_however_slow_the_machine_is() -> None:
    """Compiled, only `seconds` that were asked for end a search early."""
    match = Match(KUHN, seed=3)
    view, short = View.of(match, match.current_player), Plan(simulations=3_000, seconds=1e-6)
    patient, hasty = (SearchBot(KUHN, "x", short, patient=one) for one in (True, False))
    engine = compile(KUHN)
    assert patient.advise(view, engine).best.visits > 1_000
    assert patient.advise(view).simulations == hasty.advise(view, engine).simulations == 0
    assert adviser(KUHN).advise(view, engine) == adviser(KUHN, simulations=ADVICE_SIMULATIONS).advise(view, engine)


def test_each_that_is_not_among_the_most_visited_is_drawn_as_often() -> None:
    """Except for the one that was played, which represents only itself: 600 draws from four, or from three."""
    match = position(all_games()["gatsby"], 3, 8)
    view = View.of(match, match.current_player)
    found = Advice(0, tuple(Choice(action, 0.5, 100 - action) for action in range(COMPARED + 4)))
    for played in (-1, 0, COMPARED + 1):
        drawn = Counter(to_compare(found, replace(view, seed=seed), played)[1] for seed in range(600))
        others = set(range(COMPARED, COMPARED + 4)) - {played}
        assert drawn.keys() == others
        assert min(drawn.values()) > 0.7 * 600 / len(others)


def test_advice_does_not_depend_on_what_was_asked_before() -> None:
    """A hint is repeated word for word, and the tree that a bot keeps has no say in it."""
    match = position(all_games()["facets-of-fortune"], 3, 11)
    view, bot = View.of(match, match.current_player), SearchBot(match.game, "test", Plan(simulations=100))
    first = bot.advise(view)
    bot.search(view)
    assert bot.advise(view) == first
    match.play(first.best.action)
    if match.current_player == view.seat and len(match.legal_action_ids()) > 1:
        bot.search(view)
        after = View.of(match, view.seat)
        assert bot.advise(after) == SearchBot(match.game, "test", bot.plan).advise(after)


def test_a_full_tree_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from parlour.bots import search as trees

    monkeypatch.setattr(trees, "NODES", 40)
    match = position(all_games()["fortune"], 5, 20)
    bot = SearchBot(match.game, "test", Plan(simulations=500))
    advice = bot.search(View.of(match, match.current_player), compile(match.game))
    assert advice.simulations == 500
    assert bot._searcher._trees.popitem()[1][0].arrays[2][search.USED] == 40


def test_a_game_may_plan_a_level_otherwise() -> None:
    game = all_games()["family-trade"]
    assert (plan(game, "easy").urgency, plan(game, "expert").urgency) == (-0.5, 0.0)


def test_levels_search_more_the_higher_they_are() -> None:
    for game in (*all_games().values(), KUHN):
        budgets = [said for said in declared(game).values() if isinstance(said, int)]
        assert budgets == sorted(set(budgets), reverse=True)
        assert find(game, "expert").name == "expert"
