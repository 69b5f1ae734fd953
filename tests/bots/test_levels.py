"""How a level searches: the house's numbers, and what a game's policy says otherwise."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import asdict, replace
from math import exp
from operator import mul
from random import Random
from types import ModuleType
from typing import Any

import pytest

from parlour import bots, engine
from parlour.bots import Plan, View, levels, nets
from parlour.bots.levels import Follows
from parlour.bots.search import NODES
from parlour.core.contract import CHANCE
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.games import all_games, find


def game(**says: Any) -> Game:
    """A game whose policy says only this."""
    made = Game("kuhn", "tests.fixtures.kuhn")
    policy = ModuleType("policy")
    policy.__dict__.update(says)
    made.__dict__["policy"] = policy
    return made


def test_a_level_takes_the_houses_numbers_where_the_policy_is_silent() -> None:
    for level, simulations in levels.LEVELS.items():
        assert levels.plan(game(), level) == Plan(simulations, levels.SECONDS[level])


def test_a_policy_may_say_simulations_or_anything_of_a_plan_for_one_level_or_for_all() -> None:
    plans = {"easy": {"length": 5, "explore": 2.0}}
    made = game(LEVELS={"hard": 7, "easy": 3}, PLAN={"explore": 0.5, "expand": 9}, PLANS=plans)
    assert levels.plan(made, "hard") == Plan(7, levels.SECONDS["hard"], explore=0.5, expand=9)
    assert levels.plan(made, "easy") == Plan(3, levels.SECONDS["easy"], length=5, explore=2.0, expand=9)


def test_a_game_has_a_master_only_if_it_says_so_and_its_tree_has_room() -> None:
    assert "master" not in levels.declared(game())
    found = {name: one for name, one in all_games().items() if levels.MASTER in levels.declared(one)}
    assert {*found} == {"gatsby", "facets-of-fortune"}
    for one in found.values():
        best, next_best = levels.plan(one, levels.MASTER), levels.plan(one, "expert")
        assert next_best.simulations < best.simulations < NODES
        assert best.seconds == levels.SECONDS[levels.MASTER]
        assert bots.choices(one)[0] == levels.MASTER


def test_the_decisions_of_a_game_share_its_analysis() -> None:
    facets = find("facets-of-fortune")
    assert levels.simulations_each(facets, 1) == levels.simulations_each(facets, 60) == levels.ADVICE_SIMULATIONS
    assert levels.simulations_each(facets, 120) == levels.ANALYSIS_SIMULATIONS // 120
    assert levels.simulations_each(facets, 100_000) == levels.LEAST_SIMULATIONS
    shared = bots.adviser(facets, shared=120, corrected=False)
    assert isinstance(shared, bots.SearchBot)
    assert (shared.plan.simulations, shared.patient) == (levels.ANALYSIS_SIMULATIONS // 120, True)


def test_what_a_level_that_follows_a_bot_says_of_itself_decides_how_it_plays() -> None:
    made = game(
        LEVELS={"medium": ("random", 0.0), "easy": 3}, PLAN={"explore": 0.5}, PLANS={"medium": {"simulations": 9}}
    )
    assert levels.declared(made) == {"medium": Follows("random"), "easy": 3}
    assert levels.twins(made) == {"random": "medium"}
    assert levels.terms(made, "medium") == {"bot": "random", "noise": 0.0}
    plan = asdict(Plan(3, levels.SECONDS["easy"], explore=0.5))
    without = {name: value for name, value in plan.items() if name not in ("net", "temperature")}
    assert levels.terms(made, "easy") == without
    warm = game(LEVELS={"easy": 3}, PLAN={"explore": 0.5, "temperature": 0.3})
    assert levels.terms(warm, "easy") == without | {"temperature": 0.3}, "it decides how the level plays"
    assert levels.plan(made, "medium") == Plan(9, levels.SECONDS["medium"], explore=0.5), "for a search in its place"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"easy": 3, "hard": 7}, "in this order.*expert, hard, medium, easy"),
        ({"genius": 7}, "must be some of these"),
        ({"easy": ("optimal", 0.0)}, r"only a bot without a level \(learned, greedy, random\)"),
        ({"easy": ("random", 0.5)}, r"with noise, only a bot that values decisions \(greedy\)"),
    ],
)
def test_levels_that_cannot_be_are_refused(said: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        levels.declared(game(LEVELS=said))


def test_a_bot_is_better_than_a_level_that_follows_it_with_noise() -> None:
    made = game(LEVELS={"medium": 7, "easy": ("greedy", 3.0)})
    assert bots.names(made) == bots.choices(made) == ("medium", "greedy", "easy", "random")


FACETS = all_games()["facets-of-fortune"]


def by_hand(state: Any, action: int) -> float:
    """What `greedy` thinks of a decision: `policy.value` after it, or its mean over the chance that follows."""
    rules, player = FACETS.rules, FACETS.rules.current_player(state)
    after = deepcopy(state)
    rules.apply(after, action)
    if rules.current_player(after) != CHANCE or FACETS.policy.settled(after, player):
        return float(FACETS.policy.value(after, player))
    outcomes, weights = [0] * rules.MAX_OUTCOMES, [0] * rules.MAX_OUTCOMES
    values, n = [], rules.chance_outcomes(after, outcomes, weights)
    for outcome in outcomes[:n]:
        landed = deepcopy(after)
        rules.apply(landed, outcome)
        values.append(FACETS.policy.value(landed, player))
    return sum(map(mul, weights, values)) / sum(weights[:n])


def test_greedy_with_noise_chooses_what_is_worth_that_much_less_a_third_as_often() -> None:
    match, choice = Match(FACETS, 2, seed=3), Random(4)
    for _ in range(30):
        match.play(choice.choice(match.legal_action_ids()))
    view, scale, tried = View.of(match, match.current_player), 30_000.0, 800
    worths = {action: by_hand(view.state(FACETS), action) for action in match.legal_action_ids()}
    assert len(set(worths.values())) > 2
    noisy = bots.PolicyBot(FACETS, "noisy", "greedy", scale)
    drawn = Counter(noisy.choose(replace(view, seed=seed)) for seed in range(tried))
    weights = {action: exp((worth - max(worths.values())) / scale) for action, worth in worths.items()}
    for action, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(drawn[action] / tried - share) < 5 * (share * (1 - share) / tried) ** 0.5 + 1e-9
    fast = engine.compile(FACETS)
    for seed in range(20):
        seen = replace(view, seed=seed)
        assert noisy.choose(seen, fast) == noisy.choose(seen)


def test_where_a_level_is_missing_the_next_better_stands_for_it() -> None:
    made = game(LEVELS={"hard": 7, "easy": 3})
    assert {name: levels.standing(made, name) for name in (*levels.LEVELS, "greedy", "mine")} == {
        "master": "hard", "expert": "hard", "hard": "hard", "medium": "hard", "easy": "easy", "greedy": "greedy",
        "mine": "mine",
    }  # fmt: skip
    assert bots.default(made) == "hard"


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_game_has_a_level_to_begin_with_and_a_bot_for_every_level(name: str) -> None:
    found = find(name)
    own = levels.declared(found)
    best = levels.MASTER if name in ("gatsby", "facets-of-fortune") else "expert"
    assert (next(iter(own)), list(own)[-1]) == (best, "easy")
    assert bots.default(found) == "medium"
    for level, said in own.items():
        bot = bots.find(found, level)
        assert bot.name == level
        if isinstance(said, int):
            assert isinstance(bot, bots.SearchBot)
            assert bot.plan.simulations == said
    assert set(bots.choices(found)) == set(bots.names(found)) - set(levels.twins(found))


def test_a_level_that_is_another_bot_makes_its_decisions() -> None:
    match = Match(find("aces-and-faces"), seed=3)
    medium, greedy = (bots.find(match.game, name) for name in ("medium", "greedy"))
    for _ in range(12):
        view = View.of(match, match.current_player)
        assert medium.choose(view) == greedy.choose(view)
        match.play(medium.choose(view))


def test_a_level_that_a_network_judges_for_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    gatsby = find("gatsby")
    one = levels.terms(gatsby, "hard")["net"]
    monkeypatch.setattr(nets, "files", lambda _: b"another")
    assert levels.terms(gatsby, "hard")["net"] != one
    monkeypatch.setattr(nets, "files", lambda _: b"")
    assert "net" not in levels.terms(gatsby, "hard")


def test_a_level_that_follows_a_network_has_its_name_beside_it_and_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    trade = find("family-trade")
    assert bots.names(trade) == ("learned", "expert", "medium", "easy", "greedy", "random")
    assert bots.choices(trade) == ("expert", "medium", "easy", "random")
    terms = levels.terms(trade, "expert")
    assert {name: terms[name] for name in ("bot", "noise")} == {"bot": "learned", "noise": 0.0}
    monkeypatch.setattr(nets, "files", lambda _: b"another")
    assert levels.terms(trade, "expert")["net"] != terms["net"]
    assert "net" not in levels.terms(trade, "easy"), "its search has none"
    assert "learned" not in bots.names(find("gatsby")), "no level follows it"
    with pytest.raises(UnknownName):
        bots.find(find("gatsby"), "learned")
