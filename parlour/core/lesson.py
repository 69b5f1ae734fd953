"""Lessons: first games whose course is written down, with words for the learner.

A lesson is an ordinary record. The learner has its first seat. A line that begins with `#` is part
of a note. A note precedes a decision of the learner's and is read there, or follows the last step.
So the record is played up to a note, the learner reads it, and then does what the record says.

In a note, words that are not printed are marked with their source, as in a rulebook
(`core.book`). Words that answer one of a newcomer's `QUESTIONS` are marked in the same way:
`[The most money wins.]{.goal}`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from parlour.core import book
from parlour.core.contract import CHANCE
from parlour.core.errors import BrokenRecord
from parlour.core.record import Record
from parlour.core.scene import Button, Pick, Piece, Reason, Scene

LEARNER = 0  # the seat
LONGEST = 320  # characters of a note
QUESTIONS = {"goal": "What is the goal?", "turn": "What do I do in a turn?", "end": "When does the game end?"}
_ANSWER = re.compile(rf"\[([^\[\]]+)\]\{{\.({'|'.join(QUESTIONS)})\}}")
CITED = re.compile(r" ?\(([A-Z]{2}-\d+)(?:, [A-Z]{2}-\d+)*\)")  # the clauses behind a note, for its author
ELSEWHERE = Reason("The lesson continues with a different move.")


@dataclass(frozen=True)
class Lesson:
    """A record, and its notes by the number of steps before them. `answers` has the words of the notes that answer a
    newcomer's questions, by question, each with the number of its note."""

    record: Record
    notes: Mapping[int, str]
    answers: Mapping[str, tuple[int, str]]

    @staticmethod
    def parse(text: str) -> Lesson:
        """Read a lesson. Raises BrokenRecord, which says what is wrong with it."""
        record = Record.parse(text)
        body = text.replace("\r\n", "\n").partition("\n\n")[2]  # the header ends with an empty line
        notes: dict[int, list[str]] = {}
        place = 0
        for line in map(str.strip, body.split("\n")):
            if line.startswith("#"):
                notes.setdefault(place, []).append(line[1:].strip())
            elif line:
                place += 1
        said = {step: " ".join(lines) for step, lines in notes.items()}
        answers = {kind: (step, words) for step, note in said.items() for words, kind in _ANSWER.findall(note)}
        said = {step: _ANSWER.sub(r"\1", note) for step, note in said.items()}
        for step, note in said.items():
            long = len(book.unmarked(note))
            if step < len(record.steps) and record.steps[step][0] != LEARNER:
                whose = "chance" if record.steps[step][0] == CHANCE else "another seat"
                raise BrokenRecord(f"The note {note[:40]!r} is before a step of {whose}; only the learner reads notes.")
            if long > LONGEST:
                raise BrokenRecord(f"The note {note[:40]!r} has {long} characters, more than {LONGEST}.")
        return Lesson(record, said, answers)


def noted(scene: Scene, note: str, then: str = "") -> Scene:
    """Return a scene whose prompt is `note`, if there is one, and `then`; of its clauses the first is behind a link."""
    if not note:
        return scene
    cited = CITED.search(note)
    words = f"{book.unmarked(CITED.sub('', note))} {then}".strip()
    return replace(scene, prompt=words, clause=cited[1] if cited else scene.clause, sourced=tuple(book.marked(note)))


def led(scene: Scene, move: str, note: str) -> Scene:
    """Return a scene in which only the lesson's next move can be made, and what it takes is marked.

    `note` is its prompt, if there is one.
    """
    pick = scene.pick
    chosen = next((key for key, led_to in pick.moves.items() if led_to == move), "") if pick else ""
    parts = Counter(filter(None, chosen.split(",")))  # of pieces that are alike, as many as the move takes
    only = (
        Pick(pick.label, {chosen: move}, whys={"": ELSEWHERE}, shortcut=pick.shortcut, all=False)
        if pick and chosen
        else None
    )
    buttons = tuple(_button(one, move) for one in scene.buttons)
    return replace(
        noted(scene, note),
        board=_piece(scene.board, move, parts),
        buttons=buttons,
        pick=only,
        lesson=True,
    )


def _button(button: Button, move: str) -> Button:
    if button.action == move:
        return replace(button, main=True)
    return replace(button, action="", main=False, why=button.why or ELSEWHERE)


def _piece(piece: Piece, move: str, parts: Counter[str]) -> Piece:
    """Return a piece with the pieces on it; it can be pressed if the move takes it, and is marked then. `parts`
    counts what the move still takes."""
    here, chosen = piece.action == move, parts[piece.part] > 0
    parts[piece.part] -= chosen
    changed: dict[str, Any] = {}
    if piece.action and not here:
        changed |= {"action": "", "shortcut": "", "why": ELSEWHERE}
    if piece.part and not chosen:
        changed |= {"part": "", "shortcut": "", "why": ELSEWHERE}
    if here or chosen:
        changed["marks"] = (*piece.marks, "hinted")
    children = tuple(_piece(child, move, parts) for child in piece.children)
    return replace(piece, **changed, children=children)
