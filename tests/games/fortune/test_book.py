"""The rulebook's examples: the dice of the pictures are worth what the words say, and the lesson what its notes say."""

from __future__ import annotations

import re

import pytest

from parlour.core.contract import CHANCE
from parlour.core.lesson import LEARNER
from parlour.core.scene import Piece
from parlour.games import find
from parlour.games.fortune import rules as r
from parlour.games.fortune.show import book
from tests.games.fortune.table import Table, lay, score

GAME = find("fortune")


def section(title: str) -> str:
    """Return the words of an example."""
    found = re.search(rf"^### {title}\n(.*?)(?=^##)", GAME.rulebook, re.MULTILINE | re.DOTALL)
    assert found
    return " ".join(found[1].split())


def faces(piece: Piece) -> list[str]:
    """Return what the dice on a piece show, in the picture's order."""
    own = [piece.face.removeprefix("fortune-")] if piece.kind == "die" else []
    return own + [face for child in piece.children for face in faces(child)]


@pytest.mark.parametrize("name", book.EXAMPLES)
def test_fo_01_a_picture_shows_its_example_and_is_in_the_book(name: str) -> None:
    card, dice, _ = book.EXAMPLES[name]
    piece = GAME.pictures[name]
    assert sorted(faces(piece)) == sorted(dice.split())
    assert f"]({name})" in GAME.rulebook
    shown = next(child for child in piece.children if child.kind == "card")
    assert r.CARDS.index(card) == book.example(name).card
    assert shown.face == GAME.pictures[f"card-{shown.face.removeprefix('fortune-card-')}"].face


def test_fo_21_the_printed_example_is_five_of_a_kind() -> None:
    assert r.worth_now(book.example("company")) == 600
    assert score("captain", "2 parrot 3 monkey 1 sword 1 diamond 1 skull") == 2 * 200
    assert score("monkey-business", "2 parrot 3 monkey 2 sword 1 skull") == 500
    words = section("Five of a kind")
    assert "two parrots and three monkeys are five of a kind" in words
    assert "set for 500" in words
    assert "**600**" in words
    assert "score 200" in words


def test_fo_09_fo_10_fo_11_the_parrot_spoils_the_full_chest() -> None:
    assert r.worth_now(book.example("coins")) == 500 + 500 + 100 == 1100
    assert score("gold", "4 gold 4 sword") == 500 + 500 + 200 + 500 == 1700
    words = section("Sets, gold coins and a parrot in the way")
    assert "**1,100**" in words
    assert "500 + 500 + 200 + 500 = **1,700**" in words


def test_fo_16_the_chest_saves_four_dice() -> None:
    table = Table().turn("treasure-chest", "3 diamond 1 gold 2 skull 1 monkey 1 parrot")
    table.reroll("1 monkey 1 parrot", into="1 skull 1 sword")
    assert table.fate == r.DISQUALIFIED
    assert table.scores[0] == r.worth_now(book.example("safe")) == 100 + 4 * 100
    assert "**500** in all" in section("Disqualified, with a Treasure Chest")


def test_fo_19_the_battle_is_lost_by_one_sword() -> None:
    state = book.example("battle")
    assert r.worth_now(state) == -500
    lay(state, [r.SWORD if face == r.MONKEY else face for face in state.dice])
    assert r.worth_now(state) == 100 + 100 + 400 + 500 == 1100
    words = section("A Sea Battle, lost by one sword")
    assert "**minus 500**" in words
    assert "**plus 1,100**" in words


def test_fo_14_fo_15_fo_17_on_the_island_rolling_on_risks_nothing() -> None:
    assert r.island_loss(book.example("island")) == 1000
    words = section("The Captain on the Island of Skulls")
    assert "5 × 200 = **1,000**" in words
    for fall, loss in (("3 gold", 1000), ("1 skull 2 gold", 1200), ("3 skull", 1600)):
        table = Table().turn("captain", "4 skull 2 gold 1 sword 1 parrot")
        table.reroll("2 gold 1 sword 1 parrot", into="1 skull 1 gold 1 sword 1 parrot")
        table.reroll("1 gold 1 sword 1 parrot", into=fall)
        if not table.turn_over:
            table.stop()
        assert table.scores[1] == -loss


def test_fo_18_the_sorceress_frees_the_third_skull() -> None:
    state = book.example("spell")
    assert r.must_use_spell(state)
    assert r.worth_now(state) == 0

    def asked(fall: str) -> Table:
        table = Table().turn("sorceress", "4 diamond 1 parrot 1 skull 2 sword").reroll("2 sword", into="2 skull")
        assert sorted(table.state.dice) == sorted(state.dice)
        return table.reroll("1 skull 1 parrot", into=fall)

    assert asked("1 diamond 1 monkey").stop().scores[0] == 500 + 500
    assert asked("1 skull 1 monkey").fate == r.DISQUALIFIED
    assert "**1,000** in all" in section("The Sorceress and the third skull")


def test_fo_26_a_finish_that_comes_undone() -> None:
    table = Table().totals(7900).turn("captain", "1 gold 1 diamond 2 sword 2 monkey 2 skull").stop()
    assert table.scores[0] == 8300
    table.turn("gold", "4 skull 4 gold").reroll("4 gold", into="1 skull 3 gold").stop()
    assert table.scores[0] == 7800
    assert not table.match.over
    assert table.to_move == 1
    words = section("A finish that comes undone")
    assert "8,300 points" in words
    assert "loses 500 and has 7,800" in words


def test_fo_08_fo_25_the_lesson_scores_what_its_notes_say() -> None:
    lesson, table = GAME.lessons[""], Table()
    lines = []
    for step, (actor, text) in enumerate(lesson.record.steps[1:], 1):
        if actor == LEARNER and text == "stop":
            lines.append((r.worth_now(table.state), lesson.notes[step]))
        if actor == CHANCE:
            table.match.force(text)
        else:
            table.move(text)
    lines.append((r.worth_now(table.state), lesson.notes[len(lesson.record.steps)]))
    assert [worth for worth, _ in lines] == [1100, 100 + 200 + 400 + 500, 2000 + 700, 3800]
    for (_, note), figures in zip(
        lines, (("1,100",), ("100", "200 and 400", "500"), ("2,000", "700"), ("3,800", "8,400")), strict=True
    ):
        assert all(figure in note for figure in figures)
    assert table.scores == [8400 - 3800, 2400]
