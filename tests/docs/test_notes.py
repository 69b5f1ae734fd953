"""docs/notes-to-the-authors.md: its tables are what was counted, its figures are its tables', its values make games."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import pytest

from parlour.analysis import figures, notes
from parlour.analysis.notes import Answers, Question, Trial
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.edition import HOUSE

FILE = Path(__file__).parents[2] / "docs" / "notes-to-the-authors.toml"
QUESTIONS = notes.read(FILE)
ANSWERS = Answers(FILE.with_suffix(".json"))
WORDS = Path(__file__).parent / "words"
PAGE = FILE.with_suffix(".md").read_text("utf-8")
TRIALS = [trial for question in QUESTIONS for trial in question.trials]


def setup(trial: Trial) -> str:
    """Return what is played, without its players."""
    return f"{trial.game.name} {trial.edition} {trial.parts} {trial.options}"


VALUES = list({setup(trial): trial for trial in TRIALS}.values())


def test_the_answers_are_those_of_the_questions_and_no_others() -> None:
    """As asked now: the same game, its rules and values, bots, numbers and seeds; so none is of another day."""
    wanted = {notes._key(trial.asked()) for trial in TRIALS}
    assert set(ANSWERS.kept) == wanted, "parlour notes docs/notes-to-the-authors.toml --write"
    for trial in TRIALS:
        answer = ANSWERS.of(trial)
        assert answer is not None
        assert set(answer) == set(trial.measures)
        assert all(one.low <= one.value <= one.high for one in answer.values())


def test_the_tables_of_the_page_are_the_answers() -> None:
    for question in QUESTIONS:
        assert all(mark in PAGE for mark in question.marks), question.name
    assert notes.tabled(PAGE, QUESTIONS, ANSWERS) == PAGE
    row = next(line for line in PAGE.splitlines() if line.startswith("| as it is | greedy | 2 | "))
    answer = ANSWERS.of(TRIALS[0])
    assert answer is not None
    assert f"| {TRIALS[0].games:,} | {100 * answer['1st to play'].value:.1f} ± " in row


def test_the_figures_of_the_text_are_the_tables() -> None:
    assert figures.redrawn(PAGE) == PAGE
    said = re.sub(r"`[^`]+`", "", figures.QUOTED.sub("", prose(PAGE)))
    by_hand = re.findall(r"\d+(?:\.\d+)?\s?%|±\s?\d+|\d+\.\d+", said)
    assert set(by_hand) <= {"95 %"}, "a figure that nothing keeps true"


def prose(page: str) -> str:
    """Return the page without the tables that are written."""
    for question in QUESTIONS:
        begin, end = question.marks
        before, _, rest = page.partition(begin)
        page = before + rest.partition(end)[2]
    return page


def test_the_page_begins_with_what_is_odd_in_each_game() -> None:
    """A row says what is odd and links to its section, then gives quoted figures, the value, what it does, the bots."""
    summary = PAGE.partition("\n## ")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in summary.splitlines() if line.startswith("| ")][1:]
    titles = {trial.game.text.TITLE for trial in TRIALS}
    assert {row[0] for row in rows} == titles
    for _, odd, now, _, then, bots in rows:
        assert re.search(r"\]\(#[\w-]+\)", odd), odd
        assert len(figures.QUOTED.findall(now)) >= bots.count("`") / 2, odd
        assert then == "" or figures.QUOTED.search(then), odd


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_words_are_those_of_the_books(question: Question) -> None:
    """The word for each thing in a game's book is used here too, in the text and in the tables."""
    section = next(part for part in PAGE.split("\n## ") if question.marks[0] in part)
    folder = question.trials[0].game.package.rpartition(".")[2]
    said = re.sub(r"`[^`]+`", "", figures.QUOTED.sub("", prose(section))) + " ".join(t.label for t in question.trials)
    for other, word in tomllib.loads((WORDS / f"{folder}.toml").read_text("utf-8"))["instead"].items():
        found = re.search(rf"\b(?:{other})\b", " ".join(said.split()))
        assert not found, f"{found and found[0]!r} is {word!r}"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({trial.game.name for trial in TRIALS}))
@pytest.mark.suite("facets-of-fortune")
def test_the_answers_are_those_of_today(name: str) -> None:
    """The first of each game, played again: they change with the rules, the deals and the bots."""
    trial = next(trial for trial in TRIALS if trial.game.name == name)
    answer = ANSWERS.of(trial)
    assert answer is not None
    for measure, now in notes.play(trial).items():
        assert answer[measure][:3] == pytest.approx(now[:3], rel=1e-5), measure


def test_each_question_has_the_values_as_they_are_to_compare_with() -> None:
    for question in QUESTIONS:
        assert any(not trial.parts for trial in question.trials), question.name


@pytest.mark.parametrize("trial", VALUES, ids=lambda trial: f"{trial.game.name}: {trial.label}")
def test_only_house_values_and_options_are_changed_and_games_with_them_end(trial: Trial) -> None:
    known = trial.game.edition(trial.edition).components
    assert {name: known[name].mark for name in trial.parts} == dict.fromkeys(trial.parts, HOUSE)
    if "deck" in trial.parts:  # the number of cards is printed, only how many there are of each is not
        cards = "gem-1", "gem-2", "gem-3", "free"  # each of these for each of four colours
        many = [sum(n * (4 if name in cards else 1) for name, n in edition.components["deck"].value.items())
                for edition in (trial.game.edition(trial.edition), trial.changed())]  # fmt: skip
        assert many[0] == many[1]
    rules, chance, state = trial.game.rules, random.Random(setup(trial)), trial.start()
    out, weights = [0] * max(rules.MAX_LEGAL, rules.MAX_OUTCOMES), [0] * rules.MAX_OUTCOMES
    for _ in range(100_000):
        if (player := rules.current_player(state)) == TERMINAL:
            break
        if player == CHANCE:
            n = rules.chance_outcomes(state, out, weights)
            (action,) = chance.choices(out[:n], weights[:n])
        else:
            action = out[chance.randrange(rules.legal_actions(state, out))]
        rules.apply(state, action)
    assert rules.current_player(state) == TERMINAL
