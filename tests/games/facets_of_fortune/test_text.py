"""Facets of Fortune in words: what is read, and what is refused with which sentence."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove, InvalidMove
from parlour.games.facets_of_fortune import rules as r
from tests.games.facets_of_fortune.table import GAME, Table, turn

TEXT = GAME.text


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("end", "end"),
        ("  DONE ", "end"),
        ("pass", "end"),
        ("none", "end"),
        ("no", "end"),
        ("discard", "discard"),
        ("extra 2", "buy 2 new cards"),
        ("buy two new", "buy 2 new cards"),
        ("buy a new card", "buy 1 new card"),
        ("buy stop", "buy stop"),
        ("stop emerald", "stop emerald"),
        ("stop rubies", "stop ruby"),
        ("ruby-2", "play ruby-2"),
        ("play heist", "play heist"),
    ],
)
def test_reading_is_forgiving_writing_is_not(typed: str, move: str) -> None:
    state = turn("ruby-2 heist").state
    assert TEXT.format_action(state, TEXT.parse_action(state, typed)) == move


@pytest.mark.parametrize(
    ("typed", "move"),
    [("buy 2 rubies", "buy 2 ruby"), ("buy ruby", "buy 1 ruby"), ("sell two, rubies", "sell 2 ruby")],
)
def test_trades_are_read(typed: str, move: str) -> None:
    table = turn("ruby-2").gems(1, ruby=3).do("play ruby-2")
    assert TEXT.format_action(table.state, table.match.parse(typed)) == move


def test_a_market_may_be_named_alone() -> None:
    assert turn("", "wild +1").do("emeralds").sells_at("emerald") == 10_000


def test_cards_to_discard_are_read_in_any_order() -> None:
    table = turn("ruby-1 heist ruby-1").do("discard")
    assert TEXT.format_action(table.state, table.match.parse("discard heist, ruby-1")) == "discard ruby-1 heist"
    assert table.do("discard all").state.due == 3


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "not a move here"),
        ("jump", "not a move here"),
        ("stop rubys", "not a move here"),
        ("market ruby", "not a move here"),
        ("buy 4 new cards", "not a move"),
        ("buy 9 ruby", "not a move"),
        ("buy 2 rocks", "not a move"),
        ("heist ٣", "not a move"),
        ("x" * 100_000, "not a move"),
        ("ruby", "Play a card first"),
        ("buy 1 ruby", "Play a card first"),
        ("heist 2", "Play a card first"),
        ("discard joker", "is not a card"),
        ("discard wild-1", "do not hold the card wild-1"),
        ("discard heist heist", "do not hold that many heist"),
        ("discard heist", "Say 'discard' first"),
        ("play wild-3", "do not hold that card"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_is_short(typed: str, sentence: str) -> None:
    table = turn("ruby-1 heist")
    with pytest.raises((InvalidMove, IllegalMove), match=sentence) as refused:
        table.match.parse(typed)
    assert len(str(refused.value)) < 250


def test_within_a_play_the_advice_is_about_it() -> None:
    table = turn("ruby-1 exchange switch heist").gems(1, ruby=1).gems(2, ruby=1).price("ruby", 50_000)
    for card, advice in (("ruby-1", "buy 2 ruby"), ("exchange", "name a colour"), ("heist", "number of the seat")):
        fresh = turn(card).gems(1, ruby=1).gems(2, ruby=1).do(f"play {card}")
        with pytest.raises(InvalidMove, match=advice):
            fresh.match.parse("nothing")
    with pytest.raises(InvalidMove, match="discard ruby-1 heist"):
        table.do("discard").match.parse("nothing")
    with pytest.raises(IllegalMove, match="at least one card"):
        table.match.parse(r.PLACES)
    with pytest.raises(IllegalMove, match="choose the cards"):
        table.match.parse("end")


def test_what_awaits_a_market_refuses_the_rest_with_its_clause() -> None:
    table = turn("switch", "ruby -1").price("ruby", 50_000).do("play switch", "switch ruby")
    for move in ("end", "buy 1 ruby"):
        with pytest.raises(IllegalMove) as refused:
            table.match.parse(move)
        assert refused.value.clause == "FF-21"


@pytest.mark.parametrize(
    "outcome", ["", "seat", "seat 3 starts", "seat 0 starts", "card ruby-1", "roll ruby +1", "heist 3"]
)
def test_an_outcome_that_cannot_come_at_the_start(outcome: str) -> None:
    table = Table()
    table.match.state = GAME.start(2, table.match.edition, table.match.options)
    with pytest.raises((InvalidMove, IllegalMove)):
        table.match.force(outcome)


@pytest.mark.parametrize(
    "outcome", ["roll ruby +3", "roll joker +1", "roll ruby 1", "card heist", "roll ruby", "heist 1"]
)
def test_a_roll_that_cannot_come(outcome: str) -> None:
    with pytest.raises((InvalidMove, IllegalMove)):
        Table().match.force(outcome)


@pytest.mark.parametrize("outcome", ["heist 0", "heist 7", "heist 99", "heist", "roll ruby +1"])
def test_a_heist_die_that_cannot_come(outcome: str) -> None:
    table = turn("heist").gems(2, ruby=1).do("play heist", "heist 2")
    with pytest.raises((InvalidMove, IllegalMove)):
        table.match.force(outcome)
