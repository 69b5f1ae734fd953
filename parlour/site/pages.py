"""The pages of a site: an index, a page for each ruleset, rulebooks and summary sheets, all beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from parlour.core import html
from parlour.core.book import LABELS, SOURCES
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.scene import number
from parlour.house.accounts.preferences.choices import PREFERENCES
from parlour.house.site import book, files
from parlour.solo.table import PACES, levels

OURS = files.HOUSE.parent / "site"
LEAD = "Tabletop games, ready to play against bots, in your browser alone: no account, no server, nothing to install."
HEARD = frozenset({"invitations", "chats"})  # preferences about other people
PLAY, READ = ("local.js", "site.js", "table.js"), ("site.js", "rules.js")  # the scripts of a kind of page
SITE = ("site.js",)
BEGIN = "begin.js"  # starts Python, before the page has its other scripts


class Python(NamedTuple):
    """Where what runs a game is: Pyodide, the two parts of Python's library, and the bundles."""

    folder: str
    library: str
    rest: str
    bundles: tuple[str, ...]


@dataclass(frozen=True)
class Ruleset:
    """A ruleset of a game ("" where it has one), and the names of its pages."""

    game: Game
    ruleset: str

    @property
    def name(self) -> str:
        """Return what its page is called, without an end."""
        return f"{self.game.name}-{self.ruleset}" if self.ruleset else self.game.name

    @property
    def page(self) -> str:
        """Return the page of the board."""
        return f"{self.name}.html"

    @property
    def rules(self) -> str:
        """Return the address of the rulebook."""
        return f"{self.game.name}-rules.html" + (f"?{RULESET}={self.ruleset}" if self.ruleset else "")

    @property
    def sheet(self) -> str:
        """Return the page of the summary sheet."""
        return f"{self.name}-sheet.html"

    @property
    def title(self) -> str:
        """Return the name of the ruleset, or of a game that has one."""
        return self._line[0] if self.ruleset else self.game.text.TITLE

    @property
    def tagline(self) -> str:
        """Return what it is, in a line."""
        said = self._line[2].strip() if self.ruleset else ""
        return said[:1].upper() + said[1:] or self.game.text.TAGLINE

    @property
    def lesson(self) -> bool:
        """Return whether it has a lesson."""
        return self.ruleset in self.game.lessons

    @property
    def _line(self) -> tuple[str, str, str]:
        return self.game.ruleset_line(self.ruleset).partition(":")


def rulesets(games: Sequence[Game]) -> list[Ruleset]:
    """Return the rulesets of these games; games with several come last."""
    ordered = sorted(games, key=lambda game: len(game.rulesets) > 1)
    return [Ruleset(game, ruleset) for game in ordered for ruleset in game.rulesets]


class Pages:
    """Draws pages. `address` says where a file of theirs is, `imported` what scripts import, `python` what runs a
    game."""

    def __init__(
        self,
        address: Callable[[str], str],
        imported: Callable[[Sequence[str]], Sequence[str]],
        python: Callable[[Game], Python],
    ) -> None:
        self._imported, self._python = imported, python
        house = sorted(files.HOUSE.rglob("templates"))
        self._templates = Environment(  # ours come first: the house's pages extend our base.html
            loader=ChoiceLoader([FileSystemLoader(OURS / "templates"), FileSystemLoader(house)]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            auto_reload=False,
        )
        kept = {name: one for name, one in PREFERENCES.items() if name not in HEARD}
        self._templates.globals.update(
            labels=LABELS,
            number=number, file=address, cut="", common="", lead=LEAD, preferences=kept, rules="",
            worker="sw.js", step=lambda words: Markup(html.step(words)),
        )  # fmt: skip

    def all(self, games: Sequence[Game]) -> Iterator[tuple[str, str]]:
        """Yield each page with its name."""
        tables = rulesets(games)
        yield (
            "index.html",
            self._draw(
                "index", "Parlour", games, tables=tables, sheets=("cards.css", files.THEMES), scripts=SITE, page="lobby"
            ),
        )
        for one in tables:
            yield one.page, self._table(one)
            yield one.sheet, self._sheet(one)
        for game in games:
            yield f"{game.name}-rules.html", self._rulebook(game, [one for one in tables if one.game == game])

    def _draw(
        self, template: str, title: str, games: Sequence[Game], scripts: Sequence[str], python: Python | None = None,
        **more: object,
    ) -> str:  # fmt: skip
        found = self._templates.get_template(f"{template}.html")
        return found.render(
            title=title, shapes=html.SHAPES, art=list(map(html.art, games)), scripts=scripts, python=python,
            imported=self._imported(scripts), **more,
        )  # fmt: skip

    def _table(self, one: Ruleset) -> str:
        game = one.game
        fewest, most = game.facts.players
        return self._draw(
            "play", one.title, [game], game=game, ruleset=one.ruleset, rules=one.rules, tagline=one.tagline,
            numbers=range(fewest, most + 1), bots=levels(game), lesson=one.lesson, guide=game.guide(one.ruleset),
            python=self._python(game), paces=PACES, page="table", scripts=PLAY, worker="",
            sheets=("table.css", look(game)),
        )  # fmt: skip

    def _sheet(self, one: Ruleset) -> str:
        text = book.sheet(one.game, one.ruleset, one.rules)
        sources = {source: words for source, words in SOURCES.items() if f">{LABELS[source]}</small>" in text}
        line = one.game.ruleset_line(one.ruleset) if one.ruleset else ""
        return self._draw(
            "summary", f"{one.title}: summary", [one.game], game=one.game, text=text, line=line, sources=sources,
            rules=one.rules, page="rules", scripts=READ, sheets=("rules.css", look(one.game)),
        )  # fmt: skip

    def _rulebook(self, game: Game, tables: Sequence[Ruleset]) -> str:
        return self._draw(
            "rulebook", f"{game.text.TITLE}: rules", [game], game=game, tables=tables, book=book.drawn(game),
            sources=SOURCES, editions=book.editions(game), options=game.facts.options, rulesets=book.rulesets(game),
            printed=book.PRINTED, rules=f"{game.name}-rules.html", page="rules", scripts=READ,
            sheets=("rules.css", look(game)),
        )  # fmt: skip


def look(game: Game) -> str:
    """Return the name of a game's stylesheet."""
    return game.name.join(files.LOOK)
