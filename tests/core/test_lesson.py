"""Lessons: a record, and notes for the learner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from parlour.conformance.scenes import pieces
from parlour.core import book, html
from parlour.core.contract import CHANCE
from parlour.core.errors import BrokenRecord
from parlour.core.lesson import LEARNER, LONGEST, Lesson, led, noted
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.core.scene import Piece, Scene
from parlour.games import all_games

HEAD = f"""parlour-record 1
# a remark in the header is not a note
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


@pytest.mark.parametrize(
    ("name", "ruleset", "goal", "turn", "end"),
    [
        ("aces-and-faces", "", "four of a kind, or four from the same suit", "begins with a card", "ends the game"),
        ("facets-of-fortune", "", "buy gems low, sell them high", "roll, then play", "markets left have crashed"),
        ("family-trade", "battle-royale", "most money", "draw a third card, and discard", "bills has run out"),
        ("family-trade", "god-of-the-market", "most money", "draw a ninth card and discard", "have dealt twice"),
        ("family-trade", "market-making", "most money", "draw a ninth card and discard", "been dealer twice"),
        ("fortune", "", "highest total", "re-roll two or more", "one more turn"),
        ("gatsby", "", "most prestige wins", "Action token to another action", "location is empty"),
    ],
)
def test_a_lesson_answers_a_newcomers_questions(name: str, ruleset: str, goal: str, turn: str, end: str) -> None:
    """What is the goal, what do I do in a turn, when does the game end: the first two before the third decision."""
    lesson = all_games()[name].lessons[ruleset]
    decisions = [step for step, (actor, _) in enumerate(lesson.record.steps) if actor == LEARNER]
    for question, words in (("goal", goal), ("turn", turn), ("end", end)):
        step, answer = lesson.answers[question]
        assert words in answer
        assert answer in lesson.notes[step]
        assert question == "end" or step <= decisions[2]


def test_every_lesson_has_a_row_above() -> None:
    rows = test_a_lesson_answers_a_newcomers_questions.pytestmark[0].args[1]
    assert {row[:2] for row in rows} == {*LESSONS}


def test_words_that_are_not_printed_are_marked_in_a_note() -> None:
    """The learner reads them without the markup; the page underlines them and names their source."""
    lesson = Lesson.parse(HEAD + "# [Most <points> win.]{.goal} [A six loses all.]{.ruling} Roll! (PG-1)\n1 roll\n")
    assert lesson.answers == {"goal": (0, "Most <points> win.")}
    scene = noted(Scene("pig", 0, "", Piece("board", "board")), lesson.notes[0])
    assert (scene.prompt, scene.clause) == ("Most <points> win. A six loses all. Roll!", "PG-1")
    assert scene.sourced == (("ruling", "A six loses all."),)
    marked = 'Most &lt;points&gt; win. <span class="ruling">A six loses all. <small>house ruling</small></span> Roll!'
    assert html.sourced(scene.prompt, scene.sourced) == marked


def test_what_a_lesson_or_a_first_step_takes_from_a_ruling_says_so() -> None:
    """Of each game whose lessons or first steps tell one."""
    told = {name: {source for text in _taught(name) for source, _ in book.marked(text)} for name in all_games()}
    assert told["fortune"] == {"outside", "ruling"}
    assert told["family-trade"] == {"house", "ruling"}
    assert told["gatsby"] == told["facets-of-fortune"] == {"house"}


def _taught(name: str) -> list[str]:
    game = all_games()[name]
    steps = [words for ruleset in game.rulesets for _, words, _ in game.guide(ruleset)]
    return [*(note for lesson in game.lessons.values() for note in lesson.notes.values()), *steps]
