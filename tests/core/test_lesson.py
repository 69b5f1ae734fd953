"""Lessons: a record, and notes for the learner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from parlour.conformance.scenes import pieces
from parlour.core.contract import CHANCE
from parlour.core.errors import BrokenRecord
from parlour.core.lesson import LEARNER, LONGEST, Lesson, led
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.core.scene import Scene
from parlour.games import all_games

HEAD = f"""parlour-record 1
# a remark in the header is no note
game: "pig"
rules: 1
edition: "standard"
parts: {{"faces": 6}}
options: {{}}
names: ["You", "Bob"]
commitment: "{"0" * 64}"

"""


def test_a_note_belongs_to_the_decision_that_follows_it() -> None:
    lesson = Lesson.parse(
        HEAD + "# Roll the die:\n#   it moves you on.\n1 roll\n* die 6\n\n# Now hold.\n1 hold\n2 roll\n# Done.\n"
    )
    assert lesson.notes == {0: "Roll the die: it moves you on.", 2: "Now hold.", 4: "Done."}
    assert [text for _, text in lesson.record.steps] == ["roll", "die 6", "hold", "roll"]


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("1 roll\n# Look!\n* die 6\n", "'Look!' is before a step of chance; only the learner reads notes."),
        ("# Look!\n2 roll\n", "'Look!' is before a step of another seat; only the learner reads notes."),
        (f"# {'x' * (LONGEST + 1)}\n1 roll\n", f"has {LONGEST + 1} characters, more than {LONGEST}."),
        ("# Look!\n1 roll\nnonsense\n", "is neither a header nor a step"),
    ],
)
def test_what_is_wrong_with_a_lesson_is_said(steps: str, why: str) -> None:
    with pytest.raises(BrokenRecord) as raised:
        Lesson.parse(HEAD + steps)
    assert why in str(raised.value)


def ringed(scene: Scene) -> str:
    """Return the move that is made by pressing everything that is ringed, and then the button that is left."""
    buttons = [button for button in scene.buttons if button.action and button.main]
    found = [piece for piece in pieces(scene.board) if "hinted" in piece.marks]
    parts = sorted(piece.part for piece in found if piece.part)
    if scene.pick and scene.pick.moves:
        assert not any(piece.action for piece in found)
        return scene.pick.moves[",".join(parts)]
    assert not parts
    moves = {one.action for one in (*buttons, *found)}
    assert len(moves) == 1, moves
    return moves.pop()


def course(name: str, ruleset: str) -> Iterator[tuple[Match, str]]:
    """Yield the game as the lesson plays it, before each of the learner's decisions, and that decision."""
    game = all_games()[name]
    lesson = game.lessons[ruleset]
    match = replay(replace(lesson.record, steps=()), lambda _: game)
    for actor, text in lesson.record.steps:
        if actor == LEARNER:
            yield match, text
        match.advance(match.parse_outcome(text) if actor == CHANCE else match.parse(text, actor))


LESSONS = [(name, ruleset) for name, game in all_games().items() for ruleset in game.lessons]


@pytest.mark.parametrize(("name", "ruleset"), LESSONS)
def test_who_presses_only_what_is_ringed_finishes_the_lesson(name: str, ruleset: str) -> None:
    """All of it: of pieces that are alike, such as two skulls, no more are ringed than the move takes."""
    made = 0
    for match, text in course(name, ruleset):
        scene = led(match.scene(LEARNER), text, "")
        assert ringed(scene) == text
        pressable = {one.action for one in (*scene.buttons, *pieces(scene.board)) if one.action}
        assert pressable <= {text}
        made += 1
    assert made > 4


@pytest.mark.parametrize(
    ("name", "ruleset", "words"),
    [
        ("gatsby", "", ("all three characters of one suit", "one of each suit", "at once")),
        ("family-trade", "market-making", ("cannot go out while you hold one", "Nine identical cards", "ten deals")),
        ("family-trade", "god-of-the-market", ("Nine identical cards", "ten deals")),
    ],
)
def test_a_lesson_names_what_may_decide_a_game_all_at_once(name: str, ruleset: str, words: tuple[str, ...]) -> None:
    said = " ".join(all_games()[name].lessons[ruleset].notes.values())
    assert [word for word in words if word not in said] == []
