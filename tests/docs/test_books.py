"""The rulebooks: what is printed and what is ours, one word for one thing, and all that a book must have.

`marks.toml` has the marks of the clauses. `words/` has the word for each thing, the print's terms, and the figures of
the examples that are printed. Both were written from the clauses and the printed books, not from ours. `printed.txt`
has fingerprints of the printed books.
"""

from __future__ import annotations

import ast
import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from parlour.core import book
from parlour.core.clauses import clauses
from parlour.core.contract import CHANCE
from parlour.core.edition import DERIVED, HOUSE, OUTSIDE, RULING, STATED
from parlour.core.game import RULESET, Game
from parlour.core.lesson import CITED, LEARNER
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.games import all_games
from parlour.house.site import book as pages
from tests.docs import printed
from tests.docs.printed import SHARED

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
READ = ("name", "text", "label", "prompt", "hint", "short")  # what a scene calls words that are read
LETTERS = {DERIVED: "D", OUTSIDE: "O", HOUSE: "H", RULING: "R"}
CHOICE = re.compile(r"\bOption:|table can choose|table chooses|table has chosen")
MARKS: dict[str, dict[str, list[str]]] = tomllib.loads((HERE / "marks.toml").read_text("utf-8"))
WORDS: dict[str, dict[str, Any]] = {
    file.stem: tomllib.loads(file.read_text("utf-8")) for file in (HERE / "words").glob("*.toml")
}
SECTIONS = ("The first minute", "A turn", "Examples", "Words", "The clauses")

each_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)


def folder(game: Game) -> str:
    return game.package.rpartition(".")[2]


def marks(game: Game) -> dict[str, list[tuple[str, list[str]]]]:
    """Return by clause the letters, with the words within each mark ([] for S)."""
    entries = MARKS[folder(game)]
    return {number: [(one[0], one.lower().split()[1:]) for one in found] for number, found in entries.items()}


@each_game
def test_each_clause_is_marked_as_the_clauses_are(game: Game) -> None:
    """Each mark is where it belongs: its words are within the brackets. No other words are marked, and a clause that is
    not printed has no words without a mark."""
    assert list(MARKS[folder(game)]) == list(clauses(game))
    for number, wanted in marks(game).items():
        text = clauses(game)[number]
        found = [(LETTERS[source], words.lower()) for source, words in book.marked(text)]
        for letter, words in wanted:
            if letter != "S":
                assert any(letter == one and all(word in said for word in words) for one, said in found), (
                    number,
                    words,
                )
        for letter, said in found:
            assert any(letter == one and all(word in said for word in words) for one, words in wanted), (number, said)
        printed = re.sub(r"\*\*[A-Z]+-\d+\*\*|\W", "", book.printed(text))
        assert bool(printed) == (("S", []) in wanted), number


@each_game
def test_what_a_table_can_choose_is_marked_as_what_it_is(game: Game) -> None:
    """Each choice has its source, and is in its clause within such a mark, or outside all marks if it is printed."""
    for option in game.facts.options:
        text = clauses(game)[option.clause]
        of = [words for source, words in book.marked(text) if source == option.mark]
        assert any(CHOICE.search(words) for words in ([book.printed(text)] if option.mark == STATED else of)), (
            option.name
        )
    for number, text in clauses(game).items():
        stated = [option for option in game.facts.options if option.clause == number and option.mark == STATED]
        assert bool(CHOICE.search(book.printed(text))) == bool(stated), number


@each_game
def test_the_marks_are_those_of_the_clauses_that_this_house_was_given(game: Game) -> None:
    """Their letters; and each sentence marked as a ruling there has one here that is about the same thing."""
    file = SHARED / "rules" / f"{folder(game)}.md"
    if not file.is_file():
        pytest.skip("the clauses are not at hand")
    given = dict(re.findall(r"^\* ([A-Z]{2}-\d+)(.*?)(?=^\* |^## |\Z)", file.read_text("utf-8"), re.M | re.S))
    for number, wanted in marks(game).items():
        text = " ".join(given[number].split())
        letters = {*re.findall(r"\b[SDOHR]\b", " ".join(re.findall(r"\(([^()]*)", text)))}
        assert letters - {"D"} <= {letter for letter, _ in wanted}, number  # what only follows need not be marked
        if letters:  # else a heading there says that all of it is printed, or nothing does
            unchosen = {letter for letter, words in wanted if not {"option", "choose"} & {*words}}
            assert unchosen <= letters | {"S"}, number
        rulings = [words for letter, words in wanted if letter == "R"]
        sentences = re.split(r"(?<=[.;:]) (?!R\b)", text)
        ruled = [one for one in sentences if re.search(r"\([^()S]*\bR\b[^()]*\)", one)]
        assert len(rulings) >= len(ruled), number
        for sentence in ruled:
            about = [word[:4] for words in rulings for word in words if len(word) > 3 or word.isdigit()]
            assert any(re.search(rf"\b{re.escape(word)}", sentence.lower()) for word in about), (number, sentence)


@each_game
def test_no_sentence_is_copied_from_the_print(game: Game) -> None:
    """No run of eight equal words, in anything that people read."""
    assert [(place, runs) for place, text in said(game) if (runs := printed.copied(text))] == []


def test_copied_words_are_noticed() -> None:
    """Words of the printed books are found, and the fingerprints are those of the books, if they are at hand."""
    books = sorted((SHARED / "rulebooks").glob("*.txt"))
    if not books:
        pytest.skip("the printed books are not at hand")
    marks = {mark for file in books for mark in printed.fingerprints(file.read_text("utf-8"))}
    assert marks == printed.known(), "python -m tests.docs.printed"
    for file in books:
        run = printed.words(file.read_text("utf-8"))[200:212]
        assert printed.copied(f"It says: {' '.join(run).upper()}, as it were.") == [" ".join(run)]
        assert printed.copied(" ".join(run[:7] + run[8:])) == []


@each_game
def test_a_book_has_all_that_teaches(game: Game) -> None:
    """A pitch, who made it and for whom; the first minute of each ruleset, a turn in numbered steps, two examples, the
    words of the print, the clauses."""
    text = game.rulebook
    assert re.search(r"^\| players \| (age \| )?minutes \|( by \|)?$", text, re.MULTILINE)
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [head for head in heads if head in SECTIONS] == list(SECTIONS)
    parts = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert re.search(r"^1\. .*(?:\n.*)*?^2\. ", parts["A turn"], re.MULTILINE)
    assert re.search(r"^\| word \| meaning \|$", parts["Words"], re.MULTILINE)
    examples = re.findall(r"^(?:\{ruleset=([\w-]+)\}\n)?### ", parts["Examples"], re.MULTILINE)
    for ruleset in game.rulesets:
        assert sum(of in ("", ruleset) for of in examples) >= 2, ruleset
        sheet = str(pages.sheet(game, ruleset))
        assert "The first minute" in sheet
        assert "<ol>" in sheet
        assert 'class="shown' in sheet
        assert len(game.guide(ruleset)) >= 4
        assert ruleset in game.lessons
    assert book.pictures(text)


@each_game
def test_the_head_of_a_book_leaves_out_what_the_print_does_not_say(game: Game) -> None:
    head = game.file("rulebook.md").partition("\n## ")[0]
    assert "not said" not in head
    assert re.search(r"\[[^]]*about \{minutes\}[^]]*\]\{\.house\}", head), "how long it takes here is ours"


@each_game
def test_the_printed_examples_are_in_the_book(game: Game) -> None:
    """Each by its figures, in a paragraph that says that it is printed."""
    printed = re.findall(r"^\{\.printed\}\n(.*?)(?=\n\n(?:\{|#)|\Z)", game.rulebook, re.MULTILINE | re.DOTALL)
    for example in WORDS[folder(game)]["examples"]:
        wanted = example["figures"]
        assert any(all(figure in " ".join(text.split()) for figure in wanted) for text in printed), example


@each_game
def test_the_glossary_has_the_printed_term_first(game: Game) -> None:
    """Each word of it is the print's, or what the print shows as a picture; this house's word follows it. If the print
    has no word, ours is named as such."""
    terms: list[str] = WORDS[folder(game)]["printed"]
    ours = {"(a picture)", *WORDS[folder(game)].get("ours", ())}
    table = game.rulebook.partition("\n## Words\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?!word \|)(.+?) \|", table, re.MULTILINE)
    firsts = [re.split(r", (?:here|also|in) ", row)[0] for row in rows]
    assert [first for first in firsts if first not in ours] == terms
    if (file := SHARED / "rulebooks" / f"{folder(game)}.txt").is_file():
        text = " ".join(printed.words(file.read_text("utf-8")))
        for term in ", ".join(terms).split(", "):
            assert " ".join(printed.words(term)) in text, term


@each_game
def test_one_word_stands_for_one_thing(game: Game) -> None:
    """In the book, in all that the screen and the terminal say, and in the names of editions."""
    instead: dict[str, str] = WORDS[folder(game)]["instead"]
    for place, text in said(game):
        for other, word in instead.items():
            found = re.search(rf"\b(?:{other})\b", text)
            assert not found, f"{place}: {found and found[0]!r} is {word!r} in this game: {text[:80]!r}"


@each_game
def test_moves_buttons_and_prompts_have_the_words_of_the_log(game: Game) -> None:
    """What a game at random says as it goes along, in each ruleset: moves as the terminal has them, too."""
    words = WORDS[folder(game)]
    for ruleset in game.rulesets:
        match, choice = Match(game, 2, options={RULESET: ruleset} if ruleset else {}, seed=3), random.Random(3)
        for _ in range(120):
            if match.over:
                break
            scene, moves = match.scene(match.current_player), match.legal_actions()
            texts = [*moves, scene.prompt, scene.pick.label if scene.pick else ""]
            texts += [text for button in scene.buttons for text in (button.label, button.hint)]
            for other, word in (words["instead"] | words["moves"]).items():
                found = next((text for text in texts if re.search(rf"\b(?:{other})\b", text)), "")
                assert not found, f"{found!r}: say {word!r}"
            match.play(choice.choice(moves))


@each_game
def test_the_glossary_has_the_words(game: Game) -> None:
    """The word for each thing is in it, unless it is ordinary English."""
    words = WORDS[folder(game)]
    section = re.search(r"^## Words\n(.*?)(?=^## )", game.rulebook, re.MULTILINE | re.DOTALL)
    assert section
    glossary = book.plain(section[1]).lower()
    for word in {*words["instead"].values()} - {*words["ordinary"]}:
        assert all(part.lower() in glossary for part in word.split(", ") if part not in words["ordinary"]), word


def said(game: Game) -> list[tuple[str, str]]:
    """Return what the game says to people: each paragraph of its book, each text of what is shown, each thing that
    statistics count, each note, and each paragraph of its page in docs/games, without code."""
    found = [("rulebook.md", part) for part in re.split(r"\n\s*\n", book.plain(game.rulebook))]
    page = (DOCS / "games" / f"{game.name}.md").read_text("utf-8")
    found += [(f"docs/games/{game.name}.md", re.sub(r"`[^`]*`", "", part)) for part in re.split(r"\n\s*\n", page)]
    place = Path(str(resources.files(game.package)))
    for file in sorted([*place.glob("show/*.py"), place / "study" / "events.py"]):
        found += literals(file)
    for option in game.facts.options:
        found += [("__init__.py", option.help), *(("__init__.py", option.said(value)) for value in option.values)]
    for edition in game.editions.values():
        found += [(f"{edition.name}.toml", words) for words in (edition.title, edition.note)]
        found += [
            (f"{edition.name}.toml", words) for part in edition.components.values() for words in (part.note, part.title)
        ]
    for lesson in game.lessons.values():
        found += [("lessons", note) for note in lesson.notes.values()]
    return found


def literals(file: Path) -> Iterator[tuple[str, str]]:
    """Yield what a module says: texts with a blank or a capital, names of what is counted, and texts that a scene gets
    for people to read. Other strings are keys."""
    tree = ast.parse(file.read_text("utf-8"))
    docs = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and node.body
            and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    shown = {id(word.value) for node in ast.walk(tree) if isinstance(node, ast.Call) for word in node.keywords
             if word.arg in READ}  # fmt: skip
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docs:
            continue
        if id(node) in shown or file.name == "events.py" or " " in node.value or node.value[:1].isupper():
            yield f"{file.parent.name}/{file.name}:{node.lineno}", node.value


@each_game
def test_a_lesson_takes_two_to_four_minutes(game: Game) -> None:
    """At 200 words a minute, and three seconds a decision."""
    for ruleset, lesson in game.lessons.items():
        words = sum(len(CITED.sub("", note).split()) for note in lesson.notes.values())
        decisions = sum(actor == LEARNER for actor, _ in lesson.record.steps)
        assert 120 <= words * 60 / 200 + decisions * 3 <= 240, (ruleset, words, decisions)


@each_game
def test_a_lesson_shows_what_a_first_game_needs(game: Game) -> None:
    """What is counted, and what the learner does, as listed by hand."""
    wanted = WORDS[folder(game)]["lesson"]
    assert wanted.keys() == game.lessons.keys()
    for ruleset, lesson in game.lessons.items():
        match, happened = replay(replace(lesson.record, steps=()), lambda _: game), 0
        for actor, text in lesson.record.steps:
            action = match.parse_outcome(text) if actor == CHANCE else match.parse(text, actor)
            happened |= game.events.events(match.state, action)
            match.advance(action)
        names = {name for bit, name in enumerate(game.events.EVENTS) if happened >> bit & 1}
        assert names >= {*wanted[ruleset]["events"]}, ruleset
        moves = [text for actor, text in lesson.record.steps if actor == LEARNER]
        for move in wanted[ruleset]["moves"]:
            assert any(text == move or text.startswith(f"{move} ") for text in moves), (ruleset, move)


@each_game
def test_nothing_on_the_page_is_written_for_programs(game: Game) -> None:
    """No list of Python, no identifier."""
    shown = "".join(str(part) for edition in pages.editions(game) for part in (edition["title"], edition["components"]))
    drawn = pages.drawn(game)
    text = re.sub(r"<[^>]*>", " ", f"{drawn.lead}{drawn.text}")
    for option in game.facts.options:
        text += " ".join((option.help, *map(option.said, option.values)))
    for edition in pages.editions(game):
        text += " ".join((edition["title"], edition["note"]))
        for part in edition["components"]:
            text += " ".join((part["title"], part["note"], re.sub(r"<[^>]*>", " ", part["text"])))
    assert shown
    assert not re.search(r"\[\[|\['|\b[a-z]+_[a-z]+|&#x27;,", text), re.findall(
        r".{30}(?:\[\[|\['|\b[a-z]+_[a-z]+).{20}", text
    )


def test_the_printed_words_stand_beside_each_reading() -> None:
    """As `parlour rules` prints it; few enough words to be no copy. The pages are tested in tests/house."""
    options = [option for game in all_games().values() for option in game.facts.options if option.printed]
    assert {"GA-8", "GA-23", "FF-7", "FF-11", "FT-11"} <= {option.clause for option in options}
    for option in options:
        assert len(option.printed.split()) < printed.RUN, option.name
        assert f"“{option.printed}”" in book.choices([option])
