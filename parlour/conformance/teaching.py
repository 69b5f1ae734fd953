"""The checks of what teaches a game: its rulebook, first steps and lessons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape

from parlour.conformance.faults import require
from parlour.core import book, html
from parlour.core.clauses import clauses
from parlour.core.contract import CHANCE
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.lesson import LEARNER, QUESTIONS, Lesson
from parlour.core.match import Match
from parlour.core.replay import replay

FEWEST_WORDS = 6  # of an answer to a newcomer's question
CITED = re.compile(r"\b[A-Z]{2}-\d+\b")
MOST_WORDS = 25  # of a first step; the rest is behind its link to the rule
SENTENCE = re.compile(r"[.!?][\"”)]?(?=\s+[A-Z“\"]|\s*$)")  # where one ends
SMALL = re.compile(r"!\[[^]]*\]\([^)]*\)\{\.small\}")


def check_guide(game: Game) -> None:
    """Check that there are three to six first steps, each one sentence of at most MOST_WORDS, and that each
    cites a clause and points at something on every opening board."""
    for ruleset in game.rulesets:
        _check_steps(game, ruleset)


def check_book(game: Game) -> None:
    """Check that the rulebook marks its sources, and what its parts are for, in words that are known."""
    left = re.search(r"\]\{[^}]*\}", book.printed(SMALL.sub("", game.rulebook)))
    require(not left, f"rulebook.md: {left and left[0]!r} is not a source; the sources are: {', '.join(book.SOURCES)}.")
    for about in re.findall(r"^\{([^{}\n]*)\}$", game.rulebook, re.MULTILINE):
        for word in about.split():
            ruleset = word.removeprefix(f"{RULESET}=")
            known = ruleset in game.rulesets if word != ruleset else word in (".sheet", ".printed")
            require(known, f"rulebook.md: {{{about}}} is unknown; .sheet, .printed and ruleset=NAME are possible.")


def check_lessons(game: Game) -> None:
    """Check that each lesson can be played with the present rules and editions, in its own ruleset.

    Each decision of the learner's has a note, unless there is only one thing to do, and so has the end. The notes
    answer a newcomer's questions, and cite the clauses that say so.
    """
    for ruleset, lesson in game.lessons.items():
        name = f"lessons/{ruleset or 'lesson'}.txt"
        record = lesson.record
        require(record.game == game.name, f"{name}: the record is of the game {record.game}.")
        require(record.options.get(RULESET, "") == ruleset, f"{name}: the record is of a different ruleset.")
        require(record.parts == game.edition(record.edition).parts, f"{name}: the edition has changed since.")
        match = replay(replace(record, steps=()), lambda _: game)
        for step, (actor, text) in enumerate(record.steps):
            moves = match.legal_actions() if actor == LEARNER else ()
            require(step in lesson.notes or len(moves) < 2, f"{name}: there is no note before step {step}, {text!r}.")
            match.advance(match.parse_outcome(text) if actor == CHANCE else match.parse(text, actor))
        require(len(record.steps) in lesson.notes, f"{name}: there is no note at the end.")
        require(match.current_player == LEARNER, f"{name}: it does not end where the learner is to decide.")
        for note in lesson.notes.values():
            _check_cited(game, name, note, CITED.findall(note))
        _check_answers(name, lesson)


def _check_cited(game: Game, where: str, words: str, cited: Sequence[str]) -> None:
    """Check that the rulebook has these clauses, and marks something in them with each source that `words` name."""
    known = clauses(game)
    for clause in cited:
        require(clause in known, f"{where}: the rulebook has no clause {clause}.")
    for source, said in book.marked(words):
        there = any(source == one for clause in cited for one, _ in book.marked(known[clause]))
        require(
            there, f"{where}: {said!r} is marked as {source}, but nothing in {' or '.join(cited) or 'no clause'} is."
        )


def _check_answers(name: str, lesson: Lesson) -> None:
    """Check that a note answers each of the newcomer's questions in a few words, and cites a clause."""
    for question, words in QUESTIONS.items():
        require(question in lesson.answers, f"{name}: no note answers “{words}”: mark the words with {{.{question}}}.")
        step, answer = lesson.answers[question]
        require(len(answer.split()) >= FEWEST_WORDS, f"{name}: {answer!r} is too short an answer to “{words}”.")
        require(CITED.search(lesson.notes[step]), f"{name}: the note that answers “{words}” cites no clause.")


def _check_steps(game: Game, ruleset: str) -> None:
    guide = game.guide(ruleset)
    require(3 <= len(guide) <= 6, f"guide.py: {game.name} has {len(guide)} first steps, not three to six.")
    boards = []
    for players in range(game.facts.players[0], game.facts.players[1] + 1):
        match = Match(game, players, options={RULESET: ruleset} if ruleset else {}, seed=1)
        boards.append(html.render(match.scene(match.current_player)))
    for key, marked, clause in guide:
        words = book.unmarked(marked)
        sentences, long = len(SENTENCE.findall(words)), len(words.split())
        require(sentences == 1, f"guide.py: a first step is one sentence, with its full stop, not {words!r}.")
        require(long <= MOST_WORDS, f"guide.py: {words!r} has {long} words, more than {MOST_WORDS}.")
        _check_cited(game, f"guide.py: first step {words!r}", marked, [clause])
        for players, board in enumerate(boards, game.facts.players[0]):
            there = not key or f'data-key="{escape(key)}"' in board
            message = f"first step {words!r}: nothing on the opening board of {players} has the key {key!r}"
            require(there, f"guide.py: {message}.")
