"""A `Game`: a folder of modules and data that fulfils `parlour.core.contract`, loaded."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from types import ModuleType
from typing import Any, cast

from parlour.core import changes, defaults, observing
from parlour.core.contract import (
    Achievements,
    Answering,
    Asking,
    Because,
    Ground,
    Grounds,
    NoGame,
    Rules,
    Scenes,
    Solver,
    Step,
    Text,
)  # fmt: skip
from parlour.core.edition import CHANGED, Edition, EditionLike, named
from parlour.core.errors import BadParts, BadSetup, UnknownName, text, whole
from parlour.core.facts import RULESET, Chosen, Facts, Option
from parlour.core.lesson import Lesson
from parlour.core.observing import Field
from parlour.core.scene import Piece
from parlour.core.stage import Stage, stage_of
from parlour.core.struct import GameState

SHOW = ("text.py", "scene.py", "guide.py", "book.py", "because.py", "stage.py", "art.svg", "cover.png", "look.css")
STUDY = ("policy.py", "grounds.py", "events.py", "achievements.py", "themes.py", "solver.py", "solution.py")
# The wing that a file belongs to; `rules` is a wing itself, other files are at the top
WINGS = dict.fromkeys(SHOW, "show") | dict.fromkeys((*STUDY, "ladder.toml", "chances.toml"), "study")


@dataclass(frozen=True)
class Game:
    """A folder of modules and data, loaded. Two Games are equal if they are the same folder."""

    name: str
    package: str

    def __reduce__(self) -> tuple[type[Game], tuple[str, str]]:
        return Game, (self.name, self.package)  # copies and pickles leave out what was loaded

    @cached_property
    def facts(self) -> Facts:
        """What the game declares about itself."""
        return cast(Facts, importlib.import_module(self.package).FACTS)

    @cached_property
    def wings(self) -> bool:
        """Whether the folder has the wings rules/, show/ and study/, or else a few flat files.

        A folder rules/ without sources decides nothing: Git leaves one, with Python's caches in it.
        """
        rules = resources.files(self.package).joinpath("rules")
        return rules.is_dir() and any(file.name.endswith(".py") for file in rules.iterdir())

    @property
    def form(self) -> str:
        """Which of the two forms the folder has, in words."""
        return "wings" if self.wings else "flat files"

    def place(self, name: str) -> str:
        """Return the path of the file `name` in the game's folder: "show/text.py" with wings."""
        wing = WINGS.get(name, "") if self.wings else ""
        return f"{wing}/{name}" if wing else name

    def module(self, name: str) -> ModuleType:
        """Return the module `name` of the game ("text"), from whichever wing it belongs to."""
        place = self.place(f"{name}.py").removesuffix(".py").replace("/", ".")
        return importlib.import_module(f"{self.package}.{place}")

    @cached_property
    def rules(self) -> Rules:
        """The rules, completed with `parlour.core.defaults`."""
        rules = self.module("rules")
        defaults.fill(rules, self.facts)
        return cast(Rules, rules)

    @cached_property
    def asking(self) -> Asking | None:
        """The rules if they can ask players in secret, otherwise None."""
        return cast(Asking, self.rules) if hasattr(self.rules, "may_ask") else None

    def may_ask(self, state: GameState) -> bool:
        """Return `Asking.may_ask`; False in a game without secret questions."""
        return self.asking is not None and self.asking.may_ask(state)

    def answered(self, state: GameState, action: int, names: Sequence[str]) -> str:
        """Return `Answering.answered`."""
        return cast(Answering, self.scenes).answered(state, action, names)

    def may_undo(self, step: Step) -> bool:
        """Return whether a decision revealed only that it was made; always if nothing is hidden."""
        if not self.rules.hidden_information(step.before):
            return True
        judge = getattr(self.rules, "may_undo", None)
        return bool(judge and judge(step.before, step.action, step.after))

    @cached_property
    def text(self) -> Text:
        return cast(Text, self.module("text"))

    def read_action(self, state: GameState, text: str) -> int:
        """Return the decision that a person wrote, ignoring extra blanks. Raises InvalidMove."""
        return self.text.parse_action(state, " ".join(text.split()))

    def read_outcome(self, state: GameState, text: str) -> int:
        """Return the outcome of chance that a person wrote, ignoring extra blanks.

        Raises InvalidMove.
        """
        return self.text.parse_outcome(state, " ".join(text.split()))

    @cached_property
    def scenes(self) -> Scenes:
        return cast(Scenes, self.module("scene"))

    @cached_property
    def theme(self) -> Mapping[str, Mapping[str, str]]:
        """The scene's optional THEME (`Scenes`); {} if core's look is enough."""
        found: Mapping[str, Mapping[str, str]] = getattr(self.scenes, "THEME", {})
        return found

    @property
    def cheer(self) -> tuple[str, ...]:
        """The scene's optional CHEER (`Scenes`): the symbols of a celebration."""
        found: tuple[str, ...] = getattr(self.scenes, "CHEER", ())
        return found

    @cached_property
    def stage(self) -> Stage:
        """What the optional `stage.py` says of sounds and great moments."""
        return stage_of(self.optional("stage"))

    def race(self, state: GameState) -> tuple[int, ...]:
        """Return how near each seat is to winning, () if the scores say it (`Scenes`)."""
        near = getattr(self.scenes, "race", None)
        return () if near is None else tuple(near(state))

    @cached_property
    def policy(self) -> ModuleType | None:
        """The optional `policy.py`: what the game knows about good play (see `parlour.bots`)."""
        return self.optional("policy")

    @cached_property
    def grounds(self) -> Grounds | None:
        """The optional `grounds.py`: what speaks for a decision (`parlour.bots.because`)."""
        return cast("Grounds | None", self.optional("grounds"))

    def because(self, ground: Ground, names: Sequence[str]) -> str:
        """Return `Because.because`; only in a game with grounds."""
        return cast(Because, self.module("because")).because(ground, names)

    @cached_property
    def events(self) -> ModuleType | None:
        """The optional `events.py`: what to count over many games (see `parlour.analysis`)."""
        return self.optional("events")

    @cached_property
    def achievements(self) -> Achievements | None:
        """The optional `achievements.py`: what is worth achieving (`parlour.core.achieving`)."""
        return cast("Achievements | None", self.optional("achievements"))

    @cached_property
    def solver(self) -> Solver | None:
        """The optional `solver.py`: exact play (`parlour.core.solving` finds its solution)."""
        return cast("Solver | None", self.optional("solver"))

    @cached_property
    def rulesets(self) -> tuple[str, ...]:
        """The values of the option that turns one game into several, default first; or ("",)."""
        return next((option.values for option in self.facts.options if option.name == RULESET), ("",))

    def ruleset_line(self, ruleset: str) -> str:
        """Return what a ruleset is, in one line that begins with its name (`Rulesets`)."""
        lines: Mapping[str, str] = getattr(self.text, "RULESETS", {})
        return lines.get(ruleset) or ruleset.replace("-", " ").capitalize()

    def guide(self, ruleset: str = "") -> tuple[tuple[str, str, str], ...]:
        """Return the optional `guide.py`: the first steps at a table.

        Each step is a key of the opening scene (or ""), a sentence and the clause behind it. They
        come from GUIDE, or from GUIDES by ruleset (the first ruleset unless given).
        """
        if (module := self._guide) is None:
            return ()
        found = module.GUIDES[ruleset or self.rulesets[0]] if hasattr(module, "GUIDES") else module.GUIDE
        return cast("tuple[tuple[str, str, str], ...]", found)

    @cached_property
    def _guide(self) -> ModuleType | None:  # each page asks for it; a look at the disk for each is too much
        return self.optional("guide")

    @cached_property
    def editions(self) -> dict[str, Edition]:
        """Editions by name, the default first (its file says `default = true`). Its bounds hold for all."""
        found = []
        for file in resources.files(self.package).joinpath("editions").iterdir():
            if file.name.endswith(".toml"):
                text = file.read_text("utf-8")
                name = file.name.removesuffix(".toml")
                found.append((not tomllib.loads(text).get("default", False), name, Edition.parse(name, text)))
        found.sort(key=lambda item: item[:2])
        return {name: edition.bounded(found[0][2]) for _, name, edition in found}

    @cached_property
    def lessons(self) -> dict[str, Lesson]:
        """The optional lessons by ruleset ("" in a game that has one), from `lessons/RULESET.txt`,
        or `lessons/lesson.txt`. Raises BrokenRecord."""
        folder = resources.files(self.package).joinpath("lessons")
        files = {ruleset: folder.joinpath(f"{ruleset or 'lesson'}.txt") for ruleset in self.rulesets}
        return {ruleset: Lesson.parse(file.read_text("utf-8")) for ruleset, file in files.items() if file.is_file()}

    @cached_property
    def rulebook(self) -> str:
        """Parlour's own rulebook of the game in Markdown; clauses start with bold numbers."""
        return self.book()

    def book(self, ruleset: str = "") -> str:
        """Return the rulebook; it says how long this ruleset takes (each, if none is given) for {minutes}."""
        if ruleset or self.rulesets == ("",):
            words = self.how_long(ruleset)
        else:
            option = next(option for option in self.facts.options if option.name == RULESET)
            words = ", ".join(f"{self.how_long(name)} for {option.said(name)}" for name in self.rulesets)
        return self.file("rulebook.md").replace("{minutes}", words)

    @cached_property
    def pictures(self) -> Mapping[str, Piece]:
        """What the rulebook shows, by name: `pictures()` of the optional `book.py`."""
        drawn = getattr(self.optional("book"), "pictures", dict)
        return cast("Mapping[str, Piece]", drawn())

    def component(self, name: str, value: object) -> str:
        """Return a component of an edition as Markdown, from `component` of the optional `book.py`.

        "" where the game has no words of its own for it.
        """
        found = getattr(self.optional("book"), "component", None)
        return cast(str, found(name, value)) if found else ""

    @cached_property
    def art(self) -> str:
        """The game's SVG symbols: one <svg> with <symbol id="NAME-...">; "" if it has none."""
        return self.optional_text("art.svg")

    @cached_property
    def look(self) -> str:
        """The game's own stylesheet, which adds to core's look; "" if it has none."""
        return self.optional_text("look.css")

    @cached_property
    def cover(self) -> bytes:
        """The game's cover as a PNG of 1200 by 630 pixels, for programs that preview links; empty
        if it has none."""
        file = resources.files(self.package).joinpath(self.place("cover.png"))
        return file.read_bytes() if file.is_file() else b""

    @property
    def seats(self) -> str:
        """The possible numbers of players in words: "2 to 4", or "2"."""
        fewest, most = self.facts.players
        return str(most) if fewest == most else f"{fewest} to {most}"

    def minutes(self, ruleset: str = "") -> tuple[int, int]:
        """Return how many minutes a game takes people, the least and the most, in this ruleset or in any."""
        found = self.text.MINUTES
        if not isinstance(found, Mapping):
            return found
        pairs = [found[ruleset]] if ruleset else list(found.values())
        return min(least for least, _ in pairs), max(most for _, most in pairs)

    def how_long(self, ruleset: str = "") -> str:
        """Return the same in words: "20 to 40", or "25"."""
        least, most = self.minutes(ruleset)
        return str(most) if least == most else f"{least} to {most}"

    def file(self, name: str) -> str:
        """Return the text of a file in the game's folder."""
        return resources.files(self.package).joinpath(name).read_text("utf-8")

    def optional_text(self, name: str) -> str:
        """Return the text of an optional file, from the wing it belongs to; "" without one."""
        place = self.place(name)
        return self.file(place) if resources.files(self.package).joinpath(place).is_file() else ""

    def edition(self, chosen: EditionLike | None = None) -> Edition:
        """Return the edition that is chosen: by its name, in a file whose name ends in .toml, or an `Edition` itself;
        the game's first if none is.

        Raises UnknownName, which lists the editions, and BadSetup for a file that cannot be used. Names that come from
        elsewhere (a web page, a record) are for `named`, which opens no file.
        """
        if isinstance(chosen, Edition):
            return chosen
        if chosen is not None and changes.is_file(chosen):
            return changes.read(chosen, self.editions)
        return self.named(cast("str | None", chosen))

    def named(self, name: str | None = None) -> Edition:
        """Return the game's own edition called `name`, or the first. Raises UnknownName, which lists the editions."""
        if name is None:
            return next(iter(self.editions.values()))
        try:
            return self.editions[text(name, "An edition's name", UnknownName)]
        except KeyError:
            raise UnknownName(f"{self.name} has no edition {name!r}.", allowed=self.editions) from None

    def recorded_edition(self, name: str, parts: Mapping[str, object], base: str = "") -> Edition:
        """Return the edition that a table, a record or a file of results names and has the parts of, with all that is
        known of it.

        One that was changed here ("shafir-35, changed") knows its `base`, if the game still has that. `base` names it
        for editions with names of their own.
        """
        own = self.editions.get(base or name.removesuffix(f", {CHANGED}"))
        if own is not None and own.name == name and own.parts == parts:
            return own
        if own is None or own.name == name or own.parts.keys() != parts.keys():
            return Edition.of(name, parts)
        return named(own, parts, "" if name == f"{own.name}, {CHANGED}" else name)

    def settled(self, chosen: EditionLike | None = None) -> str | Edition:
        """Return the name of the game's own edition that is chosen, or any other as an `Edition`: a file is read once.

        Raises what `edition` raises.
        """
        found = self.edition(chosen)
        return found.name if self.editions.get(found.name) is found else found

    def options(self, chosen: Chosen | None = None) -> dict[str, str]:
        """Return all options with their values: the `chosen` ones, and defaults for the rest.

        Raises UnknownName for an option or value (it lists the possible ones), and BadSetup if
        `chosen` is not a mapping or changes an option that makes no difference in the ruleset.
        """
        values = {option.name: option.default for option in self.facts.options} | self.read(chosen)
        if idle := self._idle(values):
            raise BadSetup(
                f"Option {idle[0].name} makes no difference in {values[RULESET]}.",
                clause=idle[0].clause,
                allowed=[f"{idle[0].name}={idle[0].default}"],
            )
        return values

    def read(self, chosen: Chosen | None) -> dict[str, str]:
        """Return the options in `chosen`, each with its value as text.

        Raises what `options` raises, except that it ignores rulesets.
        """
        chosen = {} if chosen is None else chosen
        if not isinstance(chosen, Mapping):
            raise BadSetup(f"Options must be a mapping of names to values, not {chosen!r}.")
        known = {option.name: option for option in self.facts.options}
        for name in chosen:
            if name not in known:
                raise UnknownName(f"{self.name} has no option {name!r}.", allowed=known)
        return {name: known[name].read(value) for name, value in chosen.items()}

    def recorded(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return the options that a record was played with. Raises UnknownName.

        Older records may set an option that makes no difference; it gets its default.
        """
        values = {option.name: option.default for option in self.facts.options} | self.read(options)
        return values | {option.name: option.default for option in self._idle(values)}

    def _idle(self, values: Mapping[str, str]) -> list[Option]:
        """Return the options that are not at their default but do not matter in this ruleset.

        The ruleset is the one in `values`.
        """
        ruleset = values.get(RULESET, "")
        return [o for o in self.facts.options if values[o.name] != o.default and not o.matters(ruleset)]

    def rulesets_for(self, chosen: Chosen) -> tuple[str, ...]:
        """Return the rulesets in which every option in `chosen` makes a difference.

        That is ("",) in a game without rulesets.
        """
        given = self.read(chosen)
        if RULESET in given:
            return (given[RULESET],)
        usual = {option.name: option.default for option in self.facts.options} | given
        return tuple(name for name in self.rulesets if not self._idle(usual | {RULESET: name}))

    def start(self, players: int, edition: Edition, options: Mapping[str, str]) -> Any:
        """Return the state before the first chance event.

        Raises BadSetup if the number of players does not fit; BadParts if the edition makes no game.
        """
        fewest, most = self.facts.players
        if not fewest <= whole(players, "The number of players") <= most:
            raise BadSetup(f"{self.text.TITLE} is for {self.seats} players, not {players}.")
        index = {o.name: o.values.index(options[o.name]) for o in self.facts.options}
        try:
            return self.rules.setup(players, edition.parts, index)
        except NoGame as error:
            raise BadParts([("", str(error))], clause=error.clause) from error
        except ValueError as error:
            raise BadParts([("", f"These values make no game of {self.text.TITLE}: {error}.")]) from error

    # Words of OpenSpiel ------------------------------------------------------------------------------
    @property
    def num_distinct_actions(self) -> int:
        """The number of decisions, which are numbered from 0: the same in all positions."""
        return self.rules.N_ACTIONS

    @property
    def max_chance_outcomes(self) -> int:
        """The most outcomes that dice or cards can have at once."""
        return self.rules.MAX_OUTCOMES

    @property
    def min_num_players(self) -> int:
        """The fewest players."""
        return self.facts.players[0]

    @property
    def max_num_players(self) -> int:
        """The most players."""
        return self.facts.players[1]

    @property
    def chance_mode(self) -> str:
        """ "explicit" with dice, cards or other outcomes of chance, otherwise "deterministic"."""
        return "explicit" if self.facts.chance else "deterministic"

    min_utility, max_utility = 0.0, 1.0
    utility_sum = 1.0  # the winners share it

    def observation_spec(self) -> tuple[Field, ...]:
        """Return the fields of an observation: names, shapes, bounds, and where they are in `observation_tensor`."""
        return observing.spec(self.facts)

    def optional(self, name: str) -> ModuleType | None:
        """Return an optional module of the game by its name, from the wing that it belongs to; None without it."""
        file = resources.files(self.package).joinpath(self.place(f"{name}.py"))
        return self.module(name) if file.is_file() else None
