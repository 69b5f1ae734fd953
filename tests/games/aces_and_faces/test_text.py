"""Moves, outcomes and refusals of Aces & Faces as text."""

from __future__ import annotations

import pytest

from parlour.core.errors import IllegalMove, InvalidMove
from parlour.games import find
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from tests.games.aces_and_faces.table import Table

TEXT = find("aces_and_faces").text


@pytest.mark.parametrize(
    "said", ["duel QH", "qh", "Q♥", "queen of hearts", "Duel for the Queen of Hearts", " duel  q♥ "]
)
def test_a_card_is_understood_however_it_is_spelt(said: str) -> None:
    table = Table().hold(1, "AS").hold(2, "QH").put(1, 1).card("2C").move("clockwise")
    assert TEXT.format_action(table.state, table.match.parse(said)) == "duel QH"


@pytest.mark.parametrize(
    ("said", "meant"), [("cw", "clockwise"), ("LEFT", "anticlockwise"), ("counterclockwise", "anticlockwise")]
)
def test_directions_have_other_names(said: str, meant: str) -> None:
    table = Table().card("4H")
    assert TEXT.format_action(table.state, table.match.parse(said)) == meant


@pytest.mark.parametrize("said", ["no duel", "no", "None", " pass ", "decline"])
def test_a_duel_is_let_be_in_the_same_words_as_elsewhere(said: str) -> None:
    table = Table().hold(1, "AS").hold(2, "QH").put(1, 1).card("2C").move("clockwise")
    assert table.match.parse(said) == r.NO_DUEL


@pytest.mark.parametrize(
    "said",
    ["of qh", "qh the", "q h of", "for qh", "card qh", "", "hop", "take QH", "duel", "corner hearts and clubs", "10H"],
)
def test_what_cannot_be_read_is_refused_with_advice(said: str) -> None:
    table = Table().hold(1, "AS").hold(2, "QH").put(1, 1).card("2C").move("clockwise")
    with pytest.raises(InvalidMove, match="say"):
        table.match.parse(said)


def test_corners_are_read() -> None:
    table = Table(seated=False)
    table.match.force("seat 1 starts")
    for suit, said in enumerate(("d ♦ diamonds D", "c ♣ clubs C", "h ♥ hearts H", "s ♠ spades S")):
        for word in said.split():
            assert table.match.parse(word) == table.match.parse(f"Corner  {word}") == suit
    for wrong in ("corner", "corner corner hearts", "hearts hearts", "the hearts of", "corner qh"):
        with pytest.raises(InvalidMove):
            table.match.parse(wrong)


def test_outcomes_are_said_and_read() -> None:
    table = Table(2, seated=False)
    for outcome in (0, 1):
        assert TEXT.parse_outcome(table.state, TEXT.format_outcome(table.state, outcome)) == outcome
    table = Table()
    for kind in range(c.N_KINDS):
        assert TEXT.parse_outcome(table.state, TEXT.format_outcome(table.state, kind)) == kind
    for wrong in ("card 1H", "seat 1 starts", "joker"):
        with pytest.raises(InvalidMove):
            TEXT.parse_outcome(table.state, wrong)
    with pytest.raises(InvalidMove):
        TEXT.parse_outcome(Table(seated=False).state, "seat 7 starts")


def test_every_refusal_cites_its_clause() -> None:
    positions = {
        "AF-3": Table(seated=False),
        "AF-6": Table().card("4H"),
        "AF-10": Table().put(1, 6).card("2C").move("clockwise"),
        "AF-11": Table().put(1, 5).card("4S").move("clockwise").card("3C"),
        "AF-12": Table().hold(1, "AS").hold(2, "QH").duel("QH", "2H", "3H"),
    }
    positions["AF-3"].match.force("seat 1 starts")
    for clause, table in positions.items():
        legal = table.match.legal_action_ids()
        for action in range(r.N_ACTIONS):
            if action not in legal:
                with pytest.raises(IllegalMove) as refused:
                    table.match.parse(action)
                assert refused.value.clause == clause
                assert refused.value.message.endswith(".")
