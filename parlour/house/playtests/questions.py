"""What players are asked after a game."""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """A question: its name in requests and files, its words, and those of its answers, which count from 1."""

    name: str
    words: str
    labels: tuple[str, ...]


QUESTIONS = (
    Question("fun", "How much fun was it?", ("none", "little", "some", "much", "very much")),
    Question("clear", "How clear were the rules?", ("not at all", "hardly", "partly", "mostly", "completely")),
    Question("length", "How long did it feel?", ("too short", "right", "too long")),
    Question("again", "Would you play it again?", ("no", "perhaps", "yes")),
)
FREE = "What would you change?"  # in free words
