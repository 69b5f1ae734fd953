"""The greedy bot knows the rules; events are counted when they happen."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.bots import BOTS
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.engine import interpret
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.study import events, policy
from tests.games.family_trade.table import FAMILY_TRADE, GOD, MM, ROYALE, Table

GOOD = "3 diamond 3 crypto 2 gold"
BAD = "3 currency 3 oil 2 shares"


def best(table: Table) -> str:
    """Return the move that the greedy bot makes."""
    engine = interpret(FAMILY_TRADE)
    start: Any = table.state
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 0)
    states = engine.states(start, 1)
    action = engine.drivers.choose_first(BOTS["greedy"], states, rng, engine.buffers(start))
    return FAMILY_TRADE.text.format_action(start, action)


def test_it_goes_out_when_that_pays_and_takes_what_finishes_its_hand() -> None:
    assert best(Table(GOOD).draw("gold")) == "done"
    assert best(Table(GOOD).turn("shrimp").turn("gold")) == "take"
    assert best(Table("2 gold", ruleset=ROYALE).draw("gold")) == "done"


def test_it_throws_single_cards_before_pairs_and_never_calls_falsely() -> None:
    table = Table("3 diamond 2 gold 2 crypto 1 currency", honour_calls="on").draw("shrimp")
    assert best(table) in ("discard currency", "discard shrimp")


def test_it_moves_the_price_of_its_own_sets_up_and_rolls_a_bad_die_again() -> None:
    table = Table("6 gold 1 oil 1 shares").draw("market make").move("discard market make")
    assert best(table) == "gold up"
    table = Table("6 oil 2 gold").draw("gold").move("done")
    assert best(table) == "reroll oil"


def test_ft_13_a_die_is_expected_to_fall_on_its_mean() -> None:
    state = Table(ruleset=GOD).state
    assert policy.price(state, 0) == pytest.approx((50 + 50 + 70 + 70 + 100 + 100) / 6)


@pytest.mark.parametrize(("ruleset", "players"), [(MM, 2), (GOD, 3), (ROYALE, 2), (ROYALE, 4)])
@pytest.mark.suite(f"{MM}-2", f"{GOD}-3", f"{ROYALE}-4")
def test_it_beats_players_who_move_at_random(ruleset: str, players: int) -> None:
    won, games = 0.0, 8 if ruleset != ROYALE else 30
    engine = interpret(FAMILY_TRADE)
    for seed in range(games):
        state = FAMILY_TRADE.start(players, FAMILY_TRADE.edition(), FAMILY_TRADE.options({"ruleset": ruleset}))
        rng, out = [0] * RNG_SIZE, [0] * r.MAX_LEGAL
        seed_rng(rng, seed, 3)
        buffers = engine.buffers(state)
        me = seed % players
        while (player := r.current_player(state)) != TERMINAL:
            if player == CHANCE:
                action = r.sample_chance(state, rng)
            elif player == me:
                shown = engine.states(state, 1)
                r.resample(shown[0], player, rng)
                action = engine.drivers.choose_first(BOTS["greedy"], shown, rng, buffers)
            else:
                action = out[random_below(rng, r.legal_actions(state, out))]
            r.apply(state, action)
        shares = [0.0] * players
        r.returns(state, shares)
        won += shares[me]
    assert won > 0.7 * games


def chance(state: Any, seat: int) -> float:
    """Return the share of the win that seat number `seat` may expect at a leaf of a search."""
    odds = [policy.outlook(state, player) for player in range(state.players)]
    return odds[seat - 1] / sum(odds)


@pytest.mark.parametrize(("ruleset", "players"), [(MM, 2), (MM, 4), (GOD, 3), (ROYALE, 2)])
def test_more_money_brings_better_odds_and_the_more_the_nearer_the_end(ruleset: str, players: int) -> None:
    state = Table(players=players, ruleset=ruleset).state
    gains = []
    for turns, cards in ((0, state.deck_size), (2 * players - 1, 0)):
        state.turns, state.deck_size = turns, cards
        before = chance(state, 2)
        state.money[1] += 100
        gains.append(chance(state, 2) - before)
        state.money[1] -= 100
        assert 0.0 < before < before + gains[-1] < 1.0
    assert gains[1] > gains[0] > 0.0


def test_a_hand_nearer_to_going_out_has_the_better_odds_and_needs_less_time() -> None:
    times, odds = [], []
    for hand in ("", "2 gold 2 oil 2 crypto 1 shares 1 shrimp", "3 gold 2 oil 2 crypto 1 shrimp", GOOD):
        state = Table(hand).state
        times.append(policy.time_left(state, 0))
        odds.append(chance(state, 1))
    assert times == sorted(times, reverse=True)
    assert len(set(times)) == 4
    assert odds == sorted(odds)
    assert len(set(odds)) == 4


def test_ft_16_a_dealer_may_expect_more_and_more_from_his_run() -> None:
    state = Table(deal=False).state
    first = chance(state, 1)
    state.run = 3
    assert first < chance(state, 1)


def test_ft_17_turns_as_dealer_to_come_are_counted() -> None:
    state = Table(players=3, dealer=2).state
    assert [policy._turns_to_come(state, seat) for seat in range(3)] == [2, 1, 2]
    state.turns = 5
    assert [policy._turns_to_come(state, seat) for seat in range(3)] == [0, 0, 0]


def test_events_are_seen_when_they_come() -> None:
    def seen(table: Table, move: str) -> int:
        actor = table.match.current_player
        action = table.match.parse(move) if actor >= 0 else table.match.parse_outcome(move)
        found = events.events(table.state, action)
        table.match.advance(action)
        return found

    table = Table(GOOD)
    assert seen(table, "card shrimp") == 0
    assert seen(table, "discard shrimp") == events.TO_GO
    table.draw("gold")
    assert seen(table, "discard gold") == 0
    assert seen(table, "let it lie") == events.LET_LIE if table.to_move else True
    table = Table(BAD).turn("diamond").turn("shares")
    assert seen(table, "take") == events.OUT_BY_CLAIM | events.AGAIN
    assert seen(table, "no reroll") == events.BELOW
    table = Table("", "8 oil").turn("diamond").draw("oil")
    assert seen(table, "done") == events.OUT_BY_DRAW | events.NINE
    assert seen(table, "reroll oil") == 0
    assert seen(table, "oil -30,000") == 0
    table = Table(GOOD).draw("gold")
    table.state.run, table.state.jackpot = 2, 130  # the dealer's second deal in a row
    assert seen(table, "done") == events.OUT_BY_DRAW | events.AGAIN | events.MULTIPLIED
    assert seen(table, "no reroll") == events.JACKPOT
    table = Table("", GOOD).turn("diamond").draw("gold")
    table.state.run = 2
    assert seen(table, "done") == events.OUT_BY_DRAW, "only the dealer's total is multiplied"
    god = Table("8 oil", ruleset=GOD).draw("oil")
    god.state.run, god.state.jackpot = 2, 130
    assert seen(god, "done") == events.OUT_BY_DRAW | events.AGAIN | events.NINE | events.JACKPOT
    table = Table(honour_calls="on").draw("gold")
    assert seen(table, "done") == events.FALSE_CALL
    table = Table().empty_deck(oil=1).turn("oil")
    assert seen(table, "card gold") == events.NEW_DECK
    table.state.remade = 2
    table.empty_deck(oil=1)
    table.move("discard gold").turn("oil")
    assert seen(table, "no card") == events.VOID
    royale = Table("2 oil", ruleset=ROYALE).draw("oil")
    assert seen(royale, "done") == events.OUT_BY_DRAW
    assert seen(royale, "oil -30,000") == events.BELOW
    royale = Table("2 oil", ruleset=ROYALE).turn("diamond").turn("diamond").draw("oil")
    assert seen(royale, "done") == events.OUT_BY_DRAW
    royale.state.ladder[2] = 0
    assert seen(royale, "oil 0") == 0, "nothing is not below zero"
    royale = Table(ruleset=ROYALE, deal=False).empty_deck()
    assert seen(royale, "card gold") == events.NEW_DECK
    assert seen(Table(ruleset=ROYALE).draw("oil"), "discard oil") == 0


def test_endings_and_counts() -> None:
    table = Table()
    assert events.ending(table.state) == 0
    royale = Table(ruleset=ROYALE)
    assert events.ENDINGS[events.ending(royale.state)] == "cards ran out"
    royale.state.money[0] = 1200
    assert events.ENDINGS[events.ending(royale.state)] == "50,000 bills ran out"
    few = Table(ruleset=ROYALE, edition="few-tens")
    few.state.money[:2] = [40, 40]
    assert events.ENDINGS[events.ending(few.state)] == "10,000 bills ran out"
    table.state.deals, table.state.turns = 7, 3
    assert [events.count(table.state, i) for i in range(len(events.COUNTS))] == [7, 3]
    assert len(events.EVENTS) == 12
