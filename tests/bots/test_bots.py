"""Bots: what they get to see, what they choose, that they are the same plain and compiled."""

from __future__ import annotations

import pickle
import re
import time
from typing import Any

import pytest

import parlour
from parlour import bots
from parlour.bots import View, worker
from parlour.bots.listing import listing
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import flatten
from parlour.games import find

FORTUNE = find("fortune")
KUHN = Game("kuhn", "tests.fixtures.kuhn")
GREEDY = bots.find(FORTUNE, "greedy")


def at(card: str, dice: str, *, options: dict[str, str] | None = None) -> Match:
    """A match of two with this card and first roll, the dice as words."""
    match = Match(FORTUNE, 2, seed=1, auto=False, options=options)
    for outcome in ("seat 1 starts", f"card {card}", f"dice {dice}"):
        match.force(outcome)
    return match


def choice(match: Match, bot: Any = GREEDY) -> str:
    action = bot.choose(View.of(match, match.current_player))
    return match.game.text.format_action(match.state, action)


def test_names() -> None:
    levels = ("expert", "hard", "medium", "easy")
    assert bots.names(FORTUNE) == ("optimal", "points", "expert", "medium", "easy", "greedy", "random")
    assert bots.choices(FORTUNE) == ("expert", "points", "medium", "easy", "greedy", "random")
    assert bots.names(KUHN) == bots.choices(KUHN) == (*levels, "random")
    assert bots.simulated(FORTUNE) == ("greedy", "random")
    assert bots.default(FORTUNE) == bots.default(KUHN) == "medium"
    with pytest.raises(UnknownName, match=r"'easy' of fortune is not compiled.*Allowed: greedy, random\."):
        bots.driver(FORTUNE, "easy")
    with pytest.raises(UnknownName, match=r"'genius' of .* Allowed: optimal, points, greedy, random"):
        bots.driver(FORTUNE, "genius", solver=True)
    with pytest.raises(UnknownName, match=r"no bot 'hard'\. Allowed: optimal, points, expert, medium, easy"):
        bots.find(FORTUNE, "hard")
    with pytest.raises(UnknownName, match="Allowed: expert, hard, medium, easy, random"):
        bots.find(KUHN, "greedy")


def test_the_listing_says_where_each_bot_is_compiled() -> None:
    for game in (FORTUNE, KUHN):
        entries = listing(game)
        assert tuple(entry.bot for entry in entries) == bots.names(game)
        assert [entry.bot for entry in entries if entry.default] == [bots.default(game)]
        for entry in entries:
            assert entry.about
            assert bots.find(game, entry.bot).name == entry.bot
            for command, solver in (("simulate", True), ("stats", False)):
                try:
                    bots.driver(game, entry.bot, solver=solver)
                except UnknownName:
                    assert command not in entry.compiled
                else:
                    assert command in entry.compiled
    about = {entry.bot: entry.about for entry in listing(FORTUNE)}
    assert about["expert"] == "plays as `optimal` does"
    assert re.fullmatch(r"plays as `optimal` does, but misjudges each decision by 0\.\d+ or so", about["easy"])
    assert f"{bots.plan(KUHN, 'hard').simulations:,} simulations" in next(
        entry.about for entry in listing(KUHN) if entry.bot == "hard"
    )


def test_the_listing_of_a_ruleset_says_whether_a_network_knows_it() -> None:
    """No network has learnt Battle Royale, so `expert` searches there; see PLANS of its policy."""
    market = find("family-trade")
    for ruleset, learned, expert in (
        ("market-making", "makes the decision after which a network", "plays as `learned` does"),
        ("battle-royale", "looks ahead, as no network", "looks ahead: 4,000 simulations for a decision"),
    ):
        about = {entry.bot: entry.about for entry in listing(market, ruleset)}
        assert about["learned"].startswith(learned)
        assert about["expert"] == expert


def test_bots_are_seated_by_one_name_or_one_for_each() -> None:
    assert bots.seated("greedy", 3) == bots.seated(["greedy"], 3) == ("greedy",) * 3
    assert bots.seated(None, 2) == ("random", "random")
    with pytest.raises(BadSetup, match="0 bots were named for 2 seats"):
        bots.seated([], 2)
    assert bots.seated(("greedy", "random"), 2) == ("greedy", "random")
    with pytest.raises(BadSetup, match="2 bots were named for 3 seats"):
        bots.seated(["greedy", "random"], 3)
    wrong: Any = 3
    with pytest.raises(BadSetup, match="a list of texts, not 3"):
        bots.seated(wrong, 3)


def test_greedy_rerolls_a_sea_battle_that_stopping_would_lose() -> None:
    match = at("sea-battle-3", "sword monkey monkey parrot gold gold diamond diamond")
    assert choice(match).startswith("re-roll")
    assert choice(at("sea-battle-2", "sword sword sword sword gold gold gold diamond")) == "stop"


def test_greedy_lets_the_sorceress_save_it() -> None:
    match = at("sorceress", "skull skull skull gold gold gold diamond diamond")
    chosen = choice(match)
    assert chosen.startswith("re-roll 1 ")  # one skull among the dice
    assert match.play(chosen)


def test_greedy_rolls_on_on_the_island() -> None:
    match = at("captain", "skull skull skull skull gold gold diamond diamond")
    assert match.state.island
    assert choice(match) == "re-roll 5 6 7 8"


def test_greedy_keeps_a_great_roll() -> None:
    assert choice(at("captain", "gold gold gold gold gold gold diamond diamond")) == "stop"


def test_greedy_gets_rid_of_swords_in_a_truce() -> None:
    assert "1" in choice(at("truce", "sword sword gold gold gold diamond diamond parrot")).split()


def test_greedy_does_not_stop_behind_in_its_last_turn() -> None:
    dice = "skull skull gold gold gold diamond diamond diamond"
    ordinary = at("captain", dice)
    ordinary.state.scores[:2] = [3000, 5000]
    assert choice(ordinary) == "stop"
    last = at("captain", dice)
    last.state.scores[:2] = [1000, 9000]
    last.state.finisher, last.state.final_left = 1, 1
    assert choice(last).startswith("re-roll")
    enough = at("captain", dice)
    enough.state.scores[:2] = [7500, 8100]
    enough.state.finisher, enough.state.final_left = 1, 1
    assert choice(enough) == "stop"


def test_the_expectation_is_exact() -> None:
    """Two dice of a captain's turn, by hand: all 36 throws counted."""
    from parlour.core.struct import copy
    from parlour.engine import interpret

    match = at("captain", "skull skull gold gold gold gold sword parrot")
    rules, engine = FORTUNE.rules, interpret(FORTUNE)
    action = FORTUNE.text.parse_action(match.state, "re-roll 7 8")
    total = 0
    for first in range(6):
        for second in range(6):
            state = copy(match.state)
            rules.apply(state, action)
            rules.apply(state, (1 << 4 * first) + (1 << 4 * second))
            live = state.phase == rules.DECIDE  # type: ignore[attr-defined]
            total += rules.worth_now(state) if live else state.worth  # type: ignore[attr-defined]
    _, outcomes, weights, scratch, memo = engine.buffers(match.state)
    for _ in range(2):  # worked out, then remembered
        found = engine.drivers.recall(match.state, 0, action, outcomes, weights, scratch, memo)
        assert found == pytest.approx(total / 36)


def test_a_view_is_numbers_and_says_nothing_of_what_is_hidden() -> None:
    match = Match(KUHN, 2, seed=3)
    seat = match.current_player
    view = View.of(match, seat)
    assert pickle.loads(pickle.dumps(view)) == view == View.of(match, seat)
    hands = {View.of(other, seat).state(KUHN).hand[1 - seat] for other in _same_for(match, seat)}
    assert len(hands) == 2  # whatever the other one really holds, both cards come up
    assert str(match.seed) not in repr(view)


def _same_for(match: Match, seat: int) -> list[Match]:
    mine = match.state.hand[seat]
    others = [Match(KUHN, 2, seed=n) for n in range(200)]
    return [other for other in others if other.state.hand[seat] == mine]


def test_the_same_view_gives_the_same_choice_and_another_seed_another() -> None:
    made = bots.find(FORTUNE, "random")
    match = at("gold", "sword sword monkey parrot gold gold diamond diamond")
    assert len({choice(match, made) for _ in range(5)}) == 1
    seen = set()
    for seed in range(30):
        other = Match(FORTUNE, 2, seed=seed)
        view = View.of(other, other.current_player)
        seen.add(made.choose(view))
        assert made.choose(view) in other.legal_action_ids()
    assert len(seen) > 5


def test_a_bot_refuses_a_view_that_is_not_his() -> None:
    match = at("gold", "sword sword monkey parrot gold gold diamond diamond")
    with pytest.raises(BadSetup, match="Seat 2 has no decision"):
        GREEDY.choose(View.of(match, 1))
    with pytest.raises(BadSetup, match="plays fortune, not kuhn"):
        GREEDY.choose(View.of(Match(KUHN, 2, seed=3), 0))


@pytest.mark.slow
def test_a_whole_match_plain_and_compiled_alike_and_quick_enough() -> None:
    match = parlour.new("fortune", players=3, seed=8, options={"target": "5000"})
    engine = worker.warm(FORTUNE)
    fresh = 0.0
    while not match.over:
        name = "random" if match.current_player == 2 else "greedy"
        view = View.of(match, match.current_player)
        before = flatten(match.state)
        began = time.process_time()
        action = bots.find(FORTUNE, name).choose(view)  # a new bot each time: nothing remembered
        fresh = max(fresh, time.process_time() - began)
        assert worker.choose(view, name, "compiled") == action == bots.find(FORTUNE, name).choose(view, engine)
        assert flatten(match.state) == before
        match.play(action)
    assert match.scores[2] < max(match.scores)
    assert fresh < 1.0  # about 0.15 s on a quiet machine


def test_memories_are_not_mixed_between_options() -> None:
    dice = "gold gold diamond diamond monkey parrot sword skull"
    flat, doubled = at("storm", dice), at("storm", dice, options={"storm_scoring": "sets_doubled"})
    alone = [choice(match, bots.find(FORTUNE, "greedy")) for match in (flat, doubled)]
    shared = bots.find(FORTUNE, "greedy")
    assert [choice(match, shared) for match in (flat, doubled, flat)] == [*alone, alone[0]]
