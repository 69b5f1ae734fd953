"""Lessons: a record, and notes for whoever learns."""

from __future__ import annotations

import pytest

from parlour.core.errors import BrokenRecord
from parlour.core.lesson import LONGEST, Lesson

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
        ("1 roll\n# Look!\n* die 6\n", "'Look!' stands before a step of chance; only the learner reads."),
        ("# Look!\n2 roll\n", "'Look!' stands before a step of another seat; only the learner reads."),
        (f"# {'x' * (LONGEST + 1)}\n1 roll\n", f"has {LONGEST + 1} characters, more than {LONGEST}."),
        ("# Look!\n1 roll\nnonsense\n", "is neither a header nor a step"),
    ],
)
def test_what_is_wrong_with_a_lesson_is_said(steps: str, why: str) -> None:
    with pytest.raises(BrokenRecord) as raised:
        Lesson.parse(HEAD + steps)
    assert why in str(raised.value)
