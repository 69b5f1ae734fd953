"""The greedy bot plays like a person who knows the rules; what happens is counted."""

from __future__ import annotations

import pytest

from parlour import bots
from parlour.analysis.shapes import shapes
from parlour.analysis.statistics import gather
from parlour.bots import View
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.study import events, policy
from tests.games.facets_of_fortune.table import GAME, Table, turn

GREEDY = bots.find(GAME, "greedy")


def choice(table: Table) -> str:
    action = GREEDY.choose(View.of(table.match, table.match.current_player))
    return GAME.text.format_action(table.state, action)


def follow(table: Table, steps: int) -> list[str]:
    found = []
    for _ in range(steps):
        found.append(choice(table))
        table.do(found[-1])
    return found


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    (shape,) = shapes(GAME, players=2)
    assert gather(shape, ["greedy", "random"], games=400, seed=3).seats[0].share > 0.9


def test_greedy_buys_low_and_sells_high() -> None:
    assert follow(turn("ruby-3"), 2) == ["play ruby-3", "buy 3 ruby"]
    table = turn("emerald-2").gems(1, emerald=2).price("emerald", 1_000_000)
    assert follow(table, 2) == ["play emerald-2", "sell 2 emerald"]


def test_greedy_corners_a_market_when_it_can() -> None:
    assert follow(turn("ruby-1").gems(1, ruby=9), 2) == ["play ruby-1", "buy 1 ruby"]
    assert choice(turn("free-ruby").gems(1, ruby=9)) == "play free-ruby"
    table = turn("exchange").gems(1, ruby=9, emerald=1)
    assert follow(table, 3) == ["play exchange", "give emerald", "take ruby"]


def test_greedy_robs_the_rich_and_takes_the_best() -> None:
    table = turn("heist", players=3).gems(2, ruby=1).gems(3, emerald=4, ruby=4).price("emerald", 1_000_000)
    assert follow(table, 2) == ["play heist", "heist 3"]
    table.heist(4, 1)
    assert follow(table, 1) == ["take emerald"]


def test_greedy_lets_a_rivals_market_crash() -> None:
    table = Table().gems(2, ruby=5).gems(1, emerald=3).price("ruby", 1_000_000).price("emerald", 100_000)
    table.roll("wild +1")
    assert choice(table) == "name ruby"


def test_greedy_switches_prices_to_its_gain_and_drops_dead_cards() -> None:
    table = turn("switch").gems(1, ruby=3).price("emerald", 750_000)
    assert follow(table, 3)[0] == "play switch"
    assert table.sells_at("ruby") == 750_000
    table = turn("ruby-1 ruby-2 wild-3").close("ruby").cash(0, 0)
    assert follow(table, 2) == ["discard", "discard ruby-1 ruby-2"]


def test_ff_27_the_result_is_all_that_counts_at_the_end() -> None:
    table = Table().close("ruby", "sapphire", "diamond").price("emerald", 1_000_000).cash(5, 9)
    table.roll("emerald +2")
    assert [policy.value(table.state, seat) for seat in (0, 1)] == [-policy.WIN, policy.WIN]
    corner = turn("free-ruby").gems(1, ruby=9).do("play free-ruby")
    assert [policy.value(corner.state, seat) for seat in (0, 1)] == [policy.WIN, -policy.WIN]


def happened(table: Table, step: str) -> list[str]:
    match = table.match
    action = match.parse_outcome(step) if match.current_player < 0 else match.parse(step)
    bits = events.events(table.state, action)
    match.step(action)
    return [name for i, name in enumerate(events.EVENTS) if bits >> i & 1]


def test_events_are_seen_coming() -> None:
    table = (
        Table().price("ruby", 1_000_000).price("emerald", 1_000_000).lay_stop(2, "diamond").price("diamond", 750_000)
    )
    assert happened(table, "roll all +2") == ["crash", "crashes together", "STOP holds"]
    assert happened(Table().price("ruby", 1_000_000), "roll ruby +1") == ["crash"]
    wild = Table().price("ruby", 1_000_000).roll("wild +1")
    assert happened(wild, "name ruby") == ["crash"]
    shop = turn("ruby-1 ruby-2 heist")
    assert happened(shop, "buy 2 new cards") == ["new cards"]
    assert happened(shop, "card ruby-1") == []
    assert happened(shop, "card heist") == ["three of a colour"]
    assert happened(shop, "stop ruby") == []
    assert happened(shop, "buy stop") == ["extra STOP"]
    switch = turn("switch").close("ruby").do("play switch", "switch ruby")
    assert happened(switch, "with emerald") == ["market reopened"]
    for dice, found in (((6, 3), ["heist of three or more"]), ((4, 3), []), ((3, 3), ["heist failed"])):
        heist = turn("heist").gems(2, ruby=5).do("play heist", "heist 2")
        assert happened(heist, f"heist {dice[0]}") == []
        assert happened(heist, f"heist {dice[1]}") == found


def test_endings_are_told_apart() -> None:
    for cash, ending in (((5, 9), 0), ((9, 9), 1)):
        table = Table().close("ruby", "sapphire", "diamond").price("emerald", 1_000_000).cash(*cash).roll("emerald +1")
        assert events.ending(table.state) == ending
        assert [events.count(table.state, which) for which in range(len(events.COUNTS))] == [0, 9]
    corner = turn("free-ruby").gems(1, ruby=9).do("play free-ruby")
    assert events.ENDINGS[events.ending(corner.state)] == "cornered"
    assert corner.phase == r.OVER


def chance(table: Table, seat: int) -> float:
    """Return the share of the win that the policy sees for a seat."""
    odds = [policy.outlook(table.state, other) for other in range(table.state.players)]
    return odds[seat - 1] / sum(odds)


def test_money_and_gems_are_a_better_outlook_the_more_so_the_fewer_markets_are_open() -> None:
    assert chance(turn("heist").cash(50_000, 50_000), 1) == 0.5
    rich = [chance(turn("heist").cash(money, 50_000), 1) for money in (60_000, 500_000, 5_000_000, 50_000_000)]
    assert rich == sorted(set(rich))
    assert 0.5 < rich[0] < rich[-1] < 1
    gems = [chance(turn("heist").cash(50_000, 50_000).gems(1, ruby=n), 1) for n in (0, 1, 3, 6)]
    assert gems == sorted(set(gems))
    late = turn("heist").close("ruby", "sapphire", "diamond").cash(500_000, 50_000)
    assert chance(late, 1) > rich[1]


def test_the_outlook_reckons_with_what_has_been_begun() -> None:
    table = turn("ruby-3").cash(50_000, 50_000)
    before = chance(table, 1)
    assert chance(table.do("play ruby-3"), 1) > before
