"""What is in the box, the beginning, the roll: FF-1 to FF-15, FF-27, FF-31."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from parlour.core.errors import IllegalMove
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.games.facets_of_fortune import rules as r
from tests.games.facets_of_fortune.table import GAME, LADDER, Table, colour, turn


def fresh(players: int = 2, **parts: Any) -> Any:
    return r.setup(players, {**GAME.edition().parts, **parts}, {option.name: 0 for option in GAME.facts.options})


def test_ff_01_four_markets_of_ten_gems_on_one_ladder() -> None:
    state = fresh()
    assert tuple(state.ladder) == LADDER
    assert state.board == [10] * 4
    assert r.COLOURS == ("ruby", "sapphire", "diamond", "emerald")
    assert GAME.edition().components["ladder"].mark == "stated"


def test_ff_02_ff_03_the_faces_of_the_dice_and_how_likely_they_are() -> None:
    rolls = Table().outcomes()
    assert sum(rolls.values()) == 36
    for gem in (*r.COLOURS, "wild", "all"):
        steps = {said.split()[2]: weight for said, weight in rolls.items() if said.split()[1] == gem}
        assert steps == {"+1": 2, "+2": 2, "-1": 1, "-2": 1}
    assert GAME.edition().components["up_down"].mark == "house"


def test_ff_04_heist_dice_show_one_to_six() -> None:
    table = turn("heist").gems(2, ruby=1).do("play heist", "heist 2")
    assert table.outcomes() == {f"heist {n}": 1 for n in range(1, 7)}
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 0)
    assert {r.sample_chance(table.state, rng) for _ in range(200)} == set(range(1, 7))
    assert GAME.edition().components["heist_die"].mark == "house"


def test_ff_05_one_hundred_and_nine_cards() -> None:
    deck = dict(zip(r.KINDS, fresh().unseen, strict=True))
    assert sum(deck.values()) == fresh().left == 109
    for name in r.COLOURS:
        assert [deck[f"{name}-{n}"] for n in (1, 2, 3)] == [8, 6, 4]
        assert deck[f"free-{name}"] == 3
    assert [deck[f"wild-{n}"] for n in (1, 2, 3)] == [4, 3, 2]
    assert (deck["exchange"], deck["switch"], deck["heist"]) == (5, 5, 6)
    assert GAME.edition().components["deck"].mark == "house"


@pytest.mark.parametrize(
    "parts",
    [
        {"ladder": [5, 4, 3]},
        {"ladder": [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]},
        {"ladder": "high"},
        {"up_down": [1, 1, 2, 2, 0, -1]},
        {"up_down": [1, 1, 2, 2, -1, 40]},
        {"up_down": [1, 1, 2, -2, -2, -1]},
        {"heist_die": 1},
        {"heist_die": 6.5},
        {"deck": [1, 2]},
        {"deck": {"joker": 2}},
        {"deck": {"heist": -1}},
        {"deck": {"heist": 17}},
    ],
)
def test_ff_05_an_edition_that_cannot_be_played_is_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must|needs"):
        fresh(**parts)


def test_ff_06_each_player_has_one_stop() -> None:
    assert fresh(3).holds == [1, 1, 1, 0]


def test_ff_07_every_seat_may_start_and_cash_goes_by_turn_order() -> None:
    assert Table(4, starts=3).money == [35_000, 35_000, 25_000, 25_000]
    assert Table(3, starts=3).money == [25_000, 35_000, 25_000]
    state = fresh(4)
    assert r.legal_actions(state, [0] * r.MAX_LEGAL) == 0
    out, weights = [0] * r.MAX_OUTCOMES, [0] * r.MAX_OUTCOMES
    assert r.chance_outcomes(state, out, weights) == 4
    assert weights[:4] == [1] * 4
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 0)
    assert {r.sample_chance(state, rng) for _ in range(100)} == {0, 1, 2, 3}


def test_ff_07_play_is_clockwise() -> None:
    table = Table(3, starts=2)
    seats = []
    for _ in range(4):
        seats.append(table.seat)
        table.roll("ruby +1").do("end")
    assert seats == [2, 3, 1, 2]
    assert table.state.turns == 4


def test_ff_08_all_gems_on_the_board_all_prices_lowest_three_cards_each_in_turn_order() -> None:
    table = Table(3, starts=2, opening="ruby-1 ruby-2 wild-1 heist heist switch exchange exchange switch")
    assert table.cards(2) == ["ruby-1", "ruby-2", "wild-1"]
    assert table.cards(3) == ["heist", "heist", "switch"]
    assert table.cards(1) == ["exchange", "exchange", "switch"]
    assert [table.sells_at(name) for name in r.COLOURS] == [5_000] * 4
    assert [table.buys_at(name) for name in r.COLOURS] == [5_000] * 4
    assert (table.phase, table.seat) == (r.ROLL, 2)


# Prices and the roll -------------------------------------------------------------------------------
def test_ff_17_cards_are_drawn_with_the_chances_of_the_deck() -> None:
    state = turn("ruby-1 heist heist").do("discard", "discard heist").state
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 0)
    drawn = {r.sample_chance(state, rng) for _ in range(2000)}
    assert drawn == {kind for kind in range(r.N_KINDS) if state.unseen[kind]}


def test_ff_09_the_price_is_beside_the_lowest_gem_left() -> None:
    table = turn()
    for taken in range(10):
        table.state.board[0] = 10 - taken
        assert table.buys_at("ruby") == LADDER[taken]
    table.state.board[0] = 0
    assert table.buys_at("ruby") == 0


def test_ff_09_a_market_without_gems_is_open_moves_and_buys() -> None:
    table = Table().gems(1, emerald=5).gems(2, emerald=5).hand(1, "emerald-2 free-emerald exchange").cash(10**6, 0)
    table.roll("emerald +2")
    assert table.sells_at("emerald") == 25_000
    assert "play free-emerald" not in table.moves
    assert "play emerald-2" in table.moves
    assert table.do("play emerald-2").moves == ["sell 1 emerald", "sell 2 emerald"]
    table.do("sell 2 emerald")
    assert table.buys_at("emerald") == 750_000
    with pytest.raises(IllegalMove, match="own no Ruby") as refused:
        table.do("play exchange", "give ruby")
    assert refused.value.clause == "FF-20"


def test_ff_10_each_gem_sold_brings_the_price_at_the_marker() -> None:
    table = turn("ruby-3").gems(1, ruby=4).price("ruby", 250_000).do("play ruby-3", "sell 3 ruby")
    assert table.money[0] == 5_000_000 + 3 * 250_000


@pytest.mark.parametrize("step", [1, 2, -1, -2])
def test_ff_11_a_colour_moves_its_market_and_all_moves_all(step: int) -> None:
    table = Table()
    table.state.marker[:] = [2, 3, 4, 7]
    table.roll(f"diamond {step:+d}")
    assert table.state.marker == [2, 3, 4 + step, 7]
    assert table.state.was == [2, 3, 4, 7]
    table.do("end").roll(f"all {step:+d}")
    assert table.state.marker == [2 + step, 3 + step, 4 + 2 * step, 7 + step]


def test_ff_11_at_wild_the_roller_names_any_open_market_knowing_the_step() -> None:
    table = Table(3).close("sapphire").lay_stop(2, "ruby").price("ruby", 1_000_000)
    table.roll("wild +2")
    assert table.state.step == 2
    assert table.moves == ["name ruby", "name diamond", "name emerald"]
    table.do("name ruby")  # one that cannot move wastes the roll
    assert table.sells_at("ruby") == 1_000_000
    assert table.phase == r.PLAY


@pytest.mark.parametrize("closed", [("ruby",), ("ruby", "emerald"), ("sapphire", "diamond")])
def test_ff_11_each_open_market_wild_and_all_are_alike(closed: tuple[str, ...]) -> None:
    table = Table().close(*closed)
    found: dict[str, int] = {}
    for said, weight in table.outcomes().items():
        found[said.split()[1]] = found.get(said.split()[1], 0) + weight
    k = 4 - len(closed)
    assert set(found) == {*r.COLOURS, "wild", "all"} - set(closed)
    total = sum(found.values())
    assert {Fraction(weight, total) for weight in found.values()} == {Fraction(1, k + 2)}
    rng = [0] * RNG_SIZE
    seed_rng(rng, 3, 0)
    sampled = {GAME.text.format_outcome(table.state, r.sample_chance(table.state, rng)) for _ in range(800)}
    assert sampled == set(table.outcomes())


@pytest.mark.parametrize("left", r.COLOURS)
def test_ff_11_with_one_market_only_the_up_down_die_is_rolled(left: str) -> None:
    table = Table().close(*(name for name in r.COLOURS if name != left))
    assert set(table.outcomes()) == {f"roll {left} {step}" for step in ("+1", "+2", "-1", "-2")}
    rng = [0] * RNG_SIZE
    seed_rng(rng, 3, 0)
    assert {r.sample_chance(table.state, rng) >> 4 for _ in range(50)} == {colour(left)}


def test_ff_12_no_marker_goes_below_the_lowest_price() -> None:
    assert Table().roll("all -2").state.marker == [0, 0, 0, 0]
    assert Table().price("ruby", 10_000).roll("ruby -2").state.marker == [0, 0, 0, 0]


def test_ff_13_above_a_million_a_market_crashes_and_not_before() -> None:
    table = Table().price("ruby", 750_000).roll("ruby +1")
    assert (table.sells_at("ruby"), table.state.closed) == (1_000_000, [0, 0, 0, 0])
    assert Table().price("ruby", 1_000_000).roll("ruby +1").state.closed == [1, 0, 0, 0]
    assert Table().price("ruby", 750_000).roll("ruby +2").state.closed == [1, 0, 0, 0]


def test_ff_13_a_stop_of_anybody_holds_the_marker_at_a_million() -> None:
    for seat in (1, 2):
        table = Table().price("ruby", 750_000).lay_stop(seat, "ruby").roll("ruby +2")
        assert (table.sells_at("ruby"), table.state.closed[0]) == (1_000_000, 0)


def test_ff_13_markets_crash_together() -> None:
    table = Table().price("ruby", 1_000_000).price("emerald", 750_000).price("diamond", 500_000).roll("all +2")
    assert table.state.closed == [1, 0, 0, 1]
    assert table.state.crashed == 0b1001
    assert table.sells_at("diamond") == 1_000_000


def test_ff_14_after_the_roll_his_own_stops_are_taken_off_and_others_stay() -> None:
    table = Table(3).lay_stop(1, "ruby").lay_stop(2, "ruby").lay_stop(1, "emerald").price("ruby", 1_000_000)
    table.roll("ruby +1")
    assert table.state.stops == [0b10, 0, 0, 0]
    assert not table.state.closed[0], "their own still protected against this roll"
    assert table.state.holds[0] == 0, "it is used up"


def test_ff_14_at_wild_they_lie_until_the_market_is_named() -> None:
    table = Table().lay_stop(1, "ruby").price("ruby", 1_000_000).roll("wild +1")
    assert table.state.stops[0] == 1
    table.do("name ruby")
    assert table.state.stops[0] == 0
    assert not table.state.closed[0]


# Extra cards ---------------------------------------------------------------------------------------
def test_ff_15_one_two_or_three_cards_for_a_hundred_thousand_each() -> None:
    table = turn("heist switch exchange").cash(250_000, 0)
    assert [move for move in table.moves if "new card" in move] == ["buy 1 new card", "buy 2 new cards"]
    table.do("buy 2 new cards").draw("ruby-1 wild-1")
    assert table.money[0] == 50_000
    assert table.cards(1) == ["heist", "switch", "exchange", "ruby-1", "wild-1"]
    assert "play ruby-1" in table.moves, "usable at once"


def test_ff_15_once_in_a_turn() -> None:
    table = turn("heist").do("buy 1 new card").draw("ruby-1")
    with pytest.raises(IllegalMove, match="once a turn") as refused:
        table.do("buy 1 new card")
    assert refused.value.clause == "FF-15"


def test_ff_15_before_the_first_card_and_a_stop_is_none() -> None:
    table = turn("ruby-1 ruby-2").do("stop ruby", "buy stop", "stop emerald")
    assert "buy 3 new cards" in table.moves
    table.do("play ruby-1", "buy 1 ruby")
    assert not any("new card" in move for move in table.moves)
    table.do("discard", "discard ruby-2").draw("heist heist heist").roll("ruby +1").do("end")
    assert "buy 1 new card" in table.roll("ruby +1").moves, "the right comes back with the next turn"


def test_ff_15_who_cannot_pay_is_refused() -> None:
    table = turn().cash(99_999, 0)
    with pytest.raises(IllegalMove, match="you have 99,999"):
        table.do("buy 1 new card")


def test_ff_31_no_turn_limit_but_an_end_to_every_random_game() -> None:
    state = fresh()
    assert GAME.rules.bound(state) > 0
    assert r.current_player(state) < 0


def test_ff_30_nothing_is_hidden() -> None:
    assert not GAME.rules.hidden_information(fresh())
