"""The rulebooks: what is printed and what is ours, one word for one thing, and all that a book has to have.

`marks.toml` holds the marks of the clauses, `words/` the words that stand for each thing, and the figures of the
examples that are printed; both were written from the clauses and the printed books, not from ours.
"""

from __future__ import annotations

import ast
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from parlour.core import book
from parlour.core.clauses import clauses
from parlour.core.edition import DERIVED, HOUSE, OUTSIDE, RULING
from parlour.core.game import Game
from parlour.games import all_games
from parlour.table.pages import book as pages

HERE = Path(__file__).parent
LETTERS = {DERIVED: "D", OUTSIDE: "O", HOUSE: "H", RULING: "R"}
MARKS: dict[str, dict[str, tuple[str, int]]] = tomllib.loads((HERE / "marks.toml").read_text("utf-8"))
WORDS: dict[str, dict[str, Any]] = {
    file.stem: tomllib.loads(file.read_text("utf-8")) for file in (HERE / "words").glob("*.toml")
}
SECTIONS = ("The first minute", "A turn", "Examples", "Words", "The clauses")

each_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)


def folder(game: Game) -> str:
    return game.package.rpartition(".")[2]


@each_game
def test_each_clause_is_marked_as_the_clauses_are(game: Game) -> None:
    for number, text in clauses(game).items():
        marks, rulings = MARKS[folder(game)][number]
        sources = [LETTERS[source] for source, _ in book.marked(text)]
        chosen = (
            {"R", "O"} if "ption" in text else set()
        )  # what a table can choose is ours, whatever else the clause says
        if not marks:  # this clause of the rules says nothing of its source: it is the printed rules', made precise
            continue
        assert {*sources} - chosen == {*marks} - {"S"} - chosen, number
        assert sources.count("R") >= rulings, number
        printed = re.sub(r"\*\*[A-Z]+-\d+\*\*|\W|ption", "", book.printed(text))
        assert bool(printed) == ("S" in marks), number


@each_game
def test_a_book_has_all_that_teaches(game: Game) -> None:
    """A pitch, who made it and for whom; the first minute of each ruleset, a turn in numbered steps, two examples, the
    words of the print, the clauses."""
    text = game.rulebook
    assert re.search(r"^\| players \| age \| minutes \| by \|$", text, re.MULTILINE)
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [head for head in heads if head in SECTIONS] == list(SECTIONS)
    parts = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert re.search(r"^1\. .*(?:\n.*)*?^2\. ", parts["A turn"], re.MULTILINE)
    assert len(re.findall(r"^### ", parts["Examples"], re.MULTILINE)) >= 2
    assert re.search(r"^\| word \| meaning \|$", parts["Words"], re.MULTILINE)
    for ruleset in game.rulesets:
        sheet = str(pages.sheet(game, ruleset))
        assert "The first minute" in sheet
        assert "<ol>" in sheet
        assert 'class="shown' in sheet
        assert len(game.guide(ruleset)) >= 4
        assert ruleset in game.lessons
    assert book.pictures(text)


@each_game
def test_the_printed_examples_are_in_the_book(game: Game) -> None:
    """Each by its figures, in a paragraph that says that it is printed."""
    printed = re.findall(r"^\{\.printed\}\n(.*?)(?=\n\n(?:\{|#)|\Z)", game.rulebook, re.MULTILINE | re.DOTALL)
    for example in WORDS[folder(game)]["examples"]:
        wanted = example["figures"]
        assert any(all(figure in " ".join(text.split()) for figure in wanted) for text in printed), example


@each_game
def test_one_word_stands_for_one_thing(game: Game) -> None:
    """In the book, in all that the screen and the terminal say, and in the names of editions."""
    instead: dict[str, str] = WORDS[folder(game)]["instead"]
    for place, text in said(game):
        for other, word in instead.items():
            found = re.search(rf"\b(?:{other})\b", text)
            assert not found, f"{place}: {found and found[0]!r} is {word!r} in this game: {text[:80]!r}"


def said(game: Game) -> list[tuple[str, str]]:
    """What the game says to people: each paragraph of its book, each text of what is shown, each note."""
    found = [("rulebook.md", part) for part in re.split(r"\n\s*\n", book.plain(game.rulebook))]
    place = resources.files(game.package)
    for file in sorted((Path(str(place)) / "show").glob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        docs = {id(node.body[0].value) for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and node.body
                and isinstance(node.body[0], ast.Expr)}  # fmt: skip
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docs
                and " " in node.value
            ):
                found.append((f"show/{file.name}:{node.lineno}", node.value))
    for option in game.facts.options:
        found += [("__init__.py", option.help), *(("__init__.py", option.said(value)) for value in option.values)]
    for edition in game.editions.values():
        found += [(f"{edition.name}.toml", words) for words in (edition.title, edition.note)]
        found += [(f"{edition.name}.toml", part.note) for part in edition.components.values()]
    for lesson in game.lessons.values():
        found += [("lessons", note) for note in lesson.notes.values()]
    return found


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
