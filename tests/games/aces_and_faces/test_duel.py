"""AF-12 to AF-14 and AF-16: duels, the end, the card handed over."""

from __future__ import annotations

import pytest

from parlour.core.contract import HIDDEN
from parlour.core.errors import IllegalMove
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from tests.games.aces_and_faces.table import Table


def on_duel(table: Table) -> Table:
    return table.put(1, 1).card("2C").move("clockwise")


def test_af_12_a_duel_is_optional() -> None:
    table = on_duel(Table().hold(1, "AS").hold(2, "KC"))
    assert table.moves == ["no duel", "duel KC"]
    table.move("no duel")
    assert (table.news, table.to_move, table.held(2)) == (r.DECLINED, 2, {"KC"})


def test_af_12_only_cards_of_opponents_can_be_named() -> None:
    table = on_duel(Table().hold(1, "AS").hold(2, "KC").hold(3, "JD QH"))
    assert table.moves == ["no duel", "duel JD", "duel KC", "duel QH"]
    for card in ("AS", "QS"):
        with pytest.raises(IllegalMove) as refused:
            table.move(f"duel {card}")
        assert refused.value.clause == "AF-12"


@pytest.mark.parametrize(("mine", "theirs"), [("", "KC"), ("AS", ""), ("", "")])
def test_af_12_without_a_card_on_both_sides_nothing_is_asked(mine: str, theirs: str) -> None:
    table = on_duel(Table().hold(1, mine).hold(2, theirs))
    assert (table.news, table.to_move) == (r.CANNOT_DUEL, 2)


def test_af_12_the_challenger_turns_first_and_the_higher_rank_wins() -> None:
    table = on_duel(Table().hold(1, "AS").hold(3, "KC")).move("duel KC")
    assert (table.state.phase, table.state.rival) == (r.DUEL_FIRST, 2)
    table.card("10H")
    assert table.state.phase == r.DUEL_SECOND
    table.card("9H")
    assert (table.held(1), table.held(3), table.news) == ({"AS", "KC"}, set(), r.DUEL_WON)


def test_af_12_the_loser_gives_a_card_of_his_choice_even_his_last() -> None:
    table = Table().hold(1, "AS JD").hold(3, "KC").duel("KC", "10H", "AH")
    assert table.moves == ["give JD", "give AS"]
    with pytest.raises(IllegalMove) as refused:
        table.move("give KC")
    assert refused.value.clause == "AF-12"
    table.move("give JD")
    assert (table.held(1), table.held(3), table.news, table.to_move) == ({"AS"}, {"KC", "JD"}, r.DUEL_LOST, 2)
    last = Table().hold(1, "AS").hold(3, "KC").duel("KC", "2H", "AH")
    assert last.moves == ["give AS"]


@pytest.mark.parametrize(
    ("first", "second", "news"),
    [("5H", "5S", r.DUEL_TIED), ("joker", "joker", r.DUEL_TIED), ("2H", "joker", r.DUEL_WON), ("AH", "KH", r.DUEL_WON)],
)
def test_af_12_equals_tie_and_a_joker_is_lowest(first: str, second: str, news: int) -> None:
    table = Table().hold(1, "AS").hold(3, "KC").duel("KC", first, second)
    assert (table.news, table.to_move) == (news, 2)


def test_af_12_a_joker_of_the_challenger_loses_or_is_void() -> None:
    table = Table().hold(1, "AS").hold(3, "KC").duel("KC", "joker", "2H")
    assert table.state.phase == r.GIVE
    void = on_duel(Table(duel_joker="void").hold(1, "AS").hold(3, "KC")).move("duel KC").card("joker")
    assert (void.news, void.to_move, void.held(3)) == (r.DUEL_VOID, 2, {"KC"})
    other = Table(duel_joker="void").hold(1, "AS").hold(3, "KC").duel("KC", "2H", "joker")
    assert other.news == r.DUEL_WON


@pytest.mark.parametrize("held", ["QC QH QS", "JD KD AD"])
def test_af_13_four_of_a_rank_or_of_a_suit_win_at_once(held: str) -> None:
    table = Table().hold(1, held).card("QD")
    assert table.match.over
    assert table.match.winners == (0,)
    assert table.match.returns == [1.0, 0.0, 0.0]
    assert table.match.scores == [4, 0, 0]


def test_af_13_three_of_a_kind_are_not_enough() -> None:
    table = Table().hold(1, "QC QH AS").card("QD")
    assert not table.match.over
    assert table.match.returns == [0.0, 0.0, 0.0]


def test_af_13_one_wins_outside_his_turn_by_a_gift() -> None:
    table = Table().hold(1, "KC").hold(3, "KD KH KS AS").duel("AS", "2H", "3H").move("give KC")
    assert table.match.winners == (2,)
    assert table.match.current_player == -4


def test_af_13_a_match_or_a_duel_can_win_too() -> None:
    table = Table().hold(1, "KD KH KS").hold(3, "KC").duel("KC", "9H", "3H")
    assert table.match.winners == (0,)


@pytest.mark.parametrize(("option", "seen"), [("private", HIDDEN), ("public", r.CARD)])
def test_af_14_the_card_handed_over_is_seen_by_the_duellists(option: str, seen: int) -> None:
    table = Table(handed_card=option).hold(1, "JD AS").hold(3, "KC").duel("KC", "2H", "AH")
    action = table.match.parse("give JD")
    seen_by = [r.observed_action(table.state, action, seat) for seat in (0, 1, 2, -1)]
    assert seen_by == [action, seen if seen == HIDDEN else action, action, seen if seen == HIDDEN else action]
    table.move("give JD")
    assert table.may(1, "JD") == table.may(3, "JD") == {3}
    assert table.may(2, "JD") == table.may(0, "JD") == ({1, 3} if option == "private" else {3})
    assert table.state.news_card == (-1 if option == "private" else c.CARDS.index("JD"))


def test_af_16_after_the_turn_limit_all_share() -> None:
    table = Table()
    table.state.turns = 2999
    table.card("joker")
    assert table.match.over
    assert table.match.winners == (0, 1, 2)
    assert sum(table.match.returns) == pytest.approx(1)
    endless = Table(turn_limit="none")
    endless.state.turns = 2999
    assert not endless.card("joker").match.over
    assert r.bound(endless.state) == 0 < r.bound(table.state)
