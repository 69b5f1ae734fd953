"""What is worth achieving, in turns that just do it and in turns that just miss it."""

from __future__ import annotations

from tests.games.achieving import by
from tests.games.facets_of_fortune.table import Table, turn


def test_a_gem_is_sold_at_the_top_of_its_market() -> None:
    for price, keys in ((1_000_000, {"top"}), (750_000, set())):
        table = turn("ruby-1 heist switch", "sapphire +1").gems(1, ruby=2).price("ruby", price)
        found = by(table.match, lambda t=table: t.do("play ruby-1", "sell 1 ruby"))
        assert found == dict.fromkeys(keys, 1)


def test_the_last_gem_is_sold_just_before_the_crash() -> None:
    for gems, dice, keys in ((1, "ruby +1", {"top", "escape"}), (2, "ruby +1", {"top"}), (1, "diamond +1", {"top"})):
        table = turn("ruby-1 heist switch", "sapphire +1").gems(1, ruby=gems).price("ruby", 1_000_000)

        def act(t: Table = table, d: str = dice) -> None:
            t.do("play ruby-1", "sell 1 ruby", "end").draw("wild-1").roll(d)

        assert by(table.match, act) == dict.fromkeys(keys, 1)


def test_a_stop_saves_a_market_from_its_crash_alone() -> None:
    for dice, keys in (("ruby +1", {"stop"}), ("all +1", {"stop"}), ("sapphire +1", set()), ("ruby -1", set())):
        table = Table().lay_stop(2, "ruby").price("ruby", 1_000_000)
        assert by(table.match, lambda t=table, d=dice: t.roll(d)) == dict.fromkeys(keys, 2)
    table = Table().lay_stop(2, "ruby").price("ruby", 1_000_000)
    assert by(table.match, lambda: table.roll("wild +1").do("ruby")) == {"stop": 2}


def test_three_of_a_colour_a_great_heist_and_a_market_that_opens_again() -> None:
    table = turn("ruby-1 ruby-2 heist").gems(2, emerald=4)
    found = by(table.match, lambda: table.do("play heist", "heist 2").heist(6, 3))
    assert (table.owned(1)[3], found) == (3, {"heist": 1})
    table = turn("ruby-1 ruby-2 heist").gems(2, emerald=4)
    assert by(table.match, lambda: table.do("play heist", "heist 2").heist(6, 4)) == {}
    table = turn("ruby-1 ruby-2 heist")
    assert by(table.match, lambda: table.do("discard", "discard heist").draw("ruby-3")) == {"triple": 1}
    table = turn("switch ruby-1 heist").close("diamond")
    assert by(table.match, lambda: table.do("play switch", "diamond", "ruby")) == {"reopen": 1}


def test_ten_gems_of_a_market_corner_it() -> None:
    table = turn("ruby-1 ruby-2 heist").gems(1, ruby=9)
    assert by(table.match, lambda: table.do("play ruby-1", "buy 1 ruby")) == {"corner": 1}
