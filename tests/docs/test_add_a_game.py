"""The game that docs/add-a-game.md makes, played as a reader would have it."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from parlour.core import book, html, pieces, plain
from parlour.core.errors import IllegalMove
from parlour.core.match import Match
from parlour.core.scene import Kind, Piece, Scene
from tests.conformance.cases import pig
from tests.docs.pig import PAGE


def game(**options: str) -> Match:
    return Match(pig(), 2, seed=1, options=options, auto=False)


def roll(match: Match, *faces: int) -> Match:
    for face in faces:
        match.advance(match.parse("roll"))
        match.force(f"die {face}")
    return match


def hold(match: Match) -> Match:
    match.advance(match.parse("hold"))
    return match


def test_every_block_with_a_name_is_a_file_of_the_game() -> None:
    names = re.findall(r"^```\w+ (\S+)$", PAGE.read_text("utf-8"), re.M)
    assert set(names) == {
        "editions/standard.toml", "rules.py", "text.py", "scene.py", "rulebook.md", "book.py", "__init__.py",
        "solver.py", "solution.py",
    }  # fmt: skip


def test_its_book_marks_its_sources_and_shows_its_picture() -> None:
    match = game()
    assert book.marked(match.game.rulebook) == [
        ("ruling", "A table can choose that 50 are enough."),
        ("house", "After 1,000 turns the highest total wins; equals share."),
    ]
    assert [name for name, _ in book.pictures(match.game.rulebook)] == ["throws"]
    roll(match, *(int(die.text) for die in match.game.pictures["throws"].children))
    assert hold(match).scores == [15, 0]
    assert "15 points are yours" in match.game.rulebook


def test_pi_01_players_take_turns_with_one_die() -> None:
    match = game()
    assert match.current_player == 0
    match.advance(match.parse("roll"))
    assert match.chance_outcomes() == (list(range(6)), [1] * 6)
    match.force("die 4")
    assert hold(match).current_player == 1


def test_pi_02_roll_as_often_as_you_like_then_hold() -> None:
    match = game()
    with pytest.raises(IllegalMove, match="nothing to hold"):
        match.parse("hold")
    assert hold(roll(match, 4, 5, 6)).scores == [15, 0]


def test_pi_03_a_one_loses_the_turn() -> None:
    match = roll(game(), 6, 6, 1)
    assert match.scores == [0, 0]
    assert match.current_player == 1


def test_pi_04_the_target_wins() -> None:
    match = hold(roll(game(), *[6] * 17))
    assert match.winners == (0,)
    assert hold(roll(game(target="50"), *[6] * 9)).over
    assert not hold(roll(game(), *[6] * 9)).over


def test_pi_05_after_1000_turns_the_highest_total_wins() -> None:
    match = game()
    match.state.turns = 999
    match.state.scores[:2] = [10, 4]
    hold(roll(match, 3))
    assert match.winners == (0,)
    match = game()
    match.state.turns = 999
    hold(roll(match, 2))
    assert match.returns == [1.0, 0.0]


def test_the_chapter_on_what_is_seen_knows_every_kind_and_its_examples_are_drawn() -> None:
    page = PAGE.read_text("utf-8")
    chapter = page[page.index("## 4.") : page.index("## 5.")]
    assert not [kind for kind in get_args(Kind) if kind != "board" and f"`{kind}`" not in chapter]
    its = {name: made for name, made in vars(pieces).items() if getattr(made, "__module__", "") == pieces.__name__}
    words = [name for name in its if not name.startswith("_")]
    words.remove("More")
    assert not [name for name in words if not re.search(rf"`{name}[`(]", chapter)]
    (example,) = re.findall(r"^```python\n(.*?)^```", chapter, re.M | re.S)
    made: dict[str, Any] = {}
    exec(example, made)
    shown = [piece for piece in made.values() if isinstance(piece, Piece)]
    assert len(shown) == 4
    board = Piece("board", "board", "The table", children=tuple(shown))
    scene = Scene(game="pig", viewer=0, prompt="Your turn.", board=board)
    drawn = html.render(scene) + plain.render(scene)
    for said in ("Mill", "Draw one.", "The market", "Wool 3", "Pot", "12", "put 8", "play 7"):
        assert said in drawn
