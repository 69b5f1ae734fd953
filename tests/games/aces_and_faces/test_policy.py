"""The greedy bot's eye, and what is counted in simulations."""

from __future__ import annotations

from typing import Any

import pytest

from parlour import bots
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import gather
from parlour.bots import View
from parlour.conformance.cases import Case, random_steps
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.study import events, policy
from tests.games.aces_and_faces.table import Table

GAME = find("aces_and_faces")


def choice(table: Table) -> str:
    """Return what the greedy bot does."""
    action = bots.find(GAME, "greedy").choose(View.of(table.match, table.match.current_player))
    return GAME.text.format_action(table.state, action)


def test_greedy_beats_random_clearly() -> None:
    shape = shapes(GAME, 2, GAME.edition().name)[0]
    assert gather(shape, ["greedy", "random"], games=200, seed=7).seats[0].share > 0.7


def test_it_takes_the_card_that_wins_and_does_not_put_its_own_back() -> None:
    assert choice(Table().hold(1, "QC QH QS").card("4H")) == "clockwise"  # to QD
    assert choice(Table().hold(1, "KC KH KD").card("4H")) == "anticlockwise"  # to KS
    assert choice(Table().hold(1, "QD").card("4H")) == "anticlockwise"


def test_it_guesses_with_the_odds() -> None:
    high = Table().put(1, 35).card("9D").move("clockwise")
    assert choice(high) == "lower" or high.state.number < 8
    assert choice(Table().put(1, 33).card("2D").move("clockwise")) == "higher"


def test_it_duels_for_what_wins_and_not_with_a_gift_to_the_winner_in_hand() -> None:
    table = Table().hold(1, "KC KH KD").hold(2, "KS").put(1, 1).card("2C").move("clockwise")
    assert choice(table) == "duel KS"
    hopeless = Table(2).hold(1, "KS").hold(2, "KC KH KD QS").put(1, 1).card("2C").move("clockwise")
    assert choice(hopeless) == "no duel"
    loser = Table().hold(1, "KC JS").hold(2, "KS KD KH AD").duel("AD", "2H", "9H")
    assert choice(loser) == "give JS"


def test_it_takes_the_best_card_of_a_match() -> None:
    table = Table().hold(1, "KH KS").put(1, 5).card("4S").move("clockwise").card("3C")
    assert choice(table) == "take KC"


def test_a_position_is_worth_nothing_to_those_who_have_not_won() -> None:
    state = Table().hold(1, "QC QH QS").card("QD").state
    assert policy.value(state, 0) == -policy.value(state, 1) == policy.WON
    shared = Table()
    shared.state.turns = 2999
    assert policy.value(shared.card("joker").state, 1) == 0


def test_events_and_endings_of_scripted_steps() -> None:
    def bit(name: str) -> int:
        return 1 << events.EVENTS.index(name)

    def of(table: Table, move: str | None = None, card: str = "") -> int:
        action = table.match.parse(move) if move else c.KINDS.index(card)
        return events.events(table.state, action)

    assert of(Table(), card="joker") == bit("joker loses the turn")
    assert of(Table().hold(2, "JD"), card="JD") == bit("card taken from a player")
    assert of(Table().hold(1, "JD"), card="JD") == bit("own card put back")
    assert of(Table(), card="JD") == of(Table(), card="5D") == 0
    assert of(Table().hold(2, "QD").card("4D"), "clockwise") == bit("card taken from a player")
    assert of(Table().hold(2, "QD").card("4D"), "anticlockwise") == 0
    guess = Table().put(1, 33).card("2D").move("clockwise", "higher")
    assert of(guess, card="3D") == bit("guess right")
    assert of(guess, card="2C") == of(guess, card="joker") == bit("guess wrong")
    assert of(guess.hold(2, "AD"), card="AD") == bit("guess right") | bit("card taken from a player")
    match = Table().put(1, 5).card("4S").move("clockwise")
    assert of(match, card="9C") == bit("suit match")
    assert of(match, card="9D") == of(match, card="joker") == 0
    duel = Table().hold(1, "AS").hold(2, "KC").put(1, 1).card("2C").move("clockwise")
    assert of(duel, "no duel") == bit("no duel")
    assert of(duel, "duel KC") == 0
    duel.move("duel KC")
    assert of(duel, card="joker") == 0
    duel.card("5H")
    assert [of(duel, card=k) for k in ("4H", "5S", "6H")] == [bit("duel won"), bit("duel tied"), 0]
    assert of(duel.card("6H"), "give AS") == bit("duel lost")
    void = Table(duel_joker="void").hold(1, "AS").hold(2, "KC").put(1, 1).card("2C").move("clockwise", "duel KC")
    assert of(void, card="joker") == bit("joker loses the turn")


@pytest.mark.parametrize(
    ("held", "card", "ending"),
    [("QC QH QS", "QD", 0), ("JD KD AD", "QD", 1), ("JD KD AD QC QH QS", "QD", 2)],
)
def test_endings(held: str, card: str, ending: int) -> None:
    state = Table().hold(1, held).card(card).state
    assert events.ending(state) == ending
    assert events.count(state, 0) == 1
    assert events.count(state, 1) == 16 - len(held.split()) - 1
    assert events.count(state, 2) == 0


def test_a_win_outside_the_turn_and_a_shared_game_are_counted() -> None:
    gift = Table().hold(1, "KC").hold(3, "KD KH KS AS").duel("AS", "2H", "3H").move("give KC").state
    assert events.count(gift, 2) == 1
    shared = Table()
    shared.state.turns = 2999
    shared.card("joker")
    assert events.ENDINGS[events.ending(shared.state)] == "turn limit"
    assert events.count(shared.state, 2) == 0


def test_events_agree_with_what_comes_of_it() -> None:
    """In random games: a bit is set exactly when the position afterwards tells so."""
    bits = {r.ROBBED: events.ROBBED, r.RETURNED: events.RETURNED, r.WRONG: events.WRONG, r.DECLINED: events.DECLINED,
            r.DUEL_WON: events.WON, r.DUEL_LOST: events.LOST, r.DUEL_TIED: events.TIED}  # fmt: skip
    for seed in range(6):
        match = Case(GAME, "loop-36", 4).match(seed)
        for step in random_steps(match, seed, 2000):
            before: Any = copy(step.before)
            found = events.events(before, step.action)
            if step.actor != CHANCE or before.phase != r.DRAW_SEAT:
                for news, bit in bits.items():
                    came = step.after.turns > before.turns and step.after.news == news
                    assert bool(found & bit) == came
        assert match.current_player == TERMINAL
        assert 0 <= events.ending(match.state) < len(events.ENDINGS)


def test_nothing_is_remembered_between_decisions_and_another_turn_is_not_waited_for() -> None:
    table = Table()
    assert policy.memo_key(table.state, 0) == -1
    assert policy.settled(table.state, 0)
    assert not policy.settled(Table().put(1, 5).card("4S").move("clockwise").state, 0)
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 1)
    assert r.sample_chance(Table(seated=False).state, rng) in (0, 1, 2)


def test_the_outlook_is_better_the_more_of_a_line_one_holds() -> None:
    hands = ("JC", "JC QC", "JC QC KC")
    mine = [policy.outlook(Table().hold(1, hand).state, 0) for hand in hands]
    theirs = [policy.outlook(Table().hold(2, hand).state, 0) for hand in hands]
    assert mine == sorted(set(mine))
    assert theirs == sorted(set(theirs), reverse=True)
