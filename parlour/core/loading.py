"""Check whether a game's folder is complete; if not, say in one sentence what is wrong.

The requirements come from the Protocols of `parlour.core.contract`, so only that module states
them.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import ParamSpec, TypeVar

from parlour.core import defaults, placing, stage
from parlour.core.artwork import unstyled
from parlour.core.book import pictures
from parlour.core.contract import Achievement, Achievements, Because, Grounds, Rules, Scenes, Solver, Text, Themes
from parlour.core.edition import Edition
from parlour.core.facts import RULESET, UTILITIES, Facts, Observed, Option
from parlour.core.game import WINGS, Game
from parlour.core.scene import Piece
from parlour.core.struct import is_struct
from parlour.core.stylesheet import declarations, scoped

MODULES: dict[str, type] = {"rules": Rules, "text": Text, "scene": Scenes}
OPTIONAL = (
    "policy", "events", "solver", "solution", "guide", "book", "grounds", "because", "stage", "achievements", "themes",
)  # fmt: skip
P = ParamSpec("P")
R = TypeVar("R")
AREA = re.compile(r"[\w-]+")
KEY = re.compile(r"[a-z0-9-]{1,32}")  # of an achievement, as houses store it
PAIR = "two whole numbers, the first from 1 and not above the second: (2, 4)"


class Unfit(Exception):
    """Something that a game needs is missing or wrong; the text is a sentence about it."""


def fault(game: Game) -> str:
    """Return one sentence that says why the game cannot be played, with the file; "" if all loads.

    Imports every module of the game and reads its files.
    """
    try:
        folder = _package(game)
        _wings(game, folder)
        _facts(game)
        for name, needed in MODULES.items():
            place = game.place(f"{name}.py")
            if not folder.joinpath(place).is_file() and not folder.joinpath(name, "__init__.py").is_file():
                raise Unfit(f"{'rules/__init__.py' if game.wings and name == 'rules' else place} is missing.")
            _complete(_import(game, name), place, needed, game)
        for name in OPTIONAL:
            if folder.joinpath(game.place(f"{name}.py")).is_file():
                _import(game, name)
        _solution(game, folder)
        _grounds(game, folder)
        _achievements(game, folder)
        _themes(game, folder)
        _kinds(game)
        _editions(game, folder)
        _words(game, folder)
        _guides(game)
        _pictures(game)
        _cheer(game)
        _stage(game, folder)
        _loaded("lessons", lambda: game.lessons)
    except Unfit as error:
        return str(error)
    return ""


def _package(game: Game) -> Traversable:
    """Return the game's folder."""
    try:
        importlib.import_module(game.package)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{game.package}.".startswith(f"{error.name}."):
            raise Unfit(f"There is no package {game.package}.") from error
        raise Unfit(explained(error, "__init__.py", game)) from error
    return resources.files(game.package)


def _wings(game: Game, folder: Traversable) -> None:
    """Check that each file is in its wing, or at the top of a flat folder."""
    if game.wings and folder.joinpath("rules.py").is_file():
        raise Unfit("There are both rules.py and the folder rules; only one of them can be the rules.")
    for name, wing in WINGS.items():
        wrong = name if game.wings else f"{wing}/{name}"
        if folder.joinpath(wrong).is_file():
            form = "has the wing rules/" if game.wings else "has no wing rules/"
            raise Unfit(f"{wrong} must be {game.place(name)}, since the game's folder {form}.")


def _facts(game: Game) -> None:
    """Check that the game declares its facts, with values of the right kinds."""
    try:
        facts = game.facts
    except AttributeError as error:
        raise Unfit("__init__.py: FACTS is missing.") from error
    if not isinstance(facts, Facts):
        raise Unfit("__init__.py: FACTS must be parlour.core.facts.Facts(...).")
    flags = ("hidden_information", "secret_asking", "chance", "solver")
    for good, name, what in (
        (_pair(facts.players), "players", PAIR),
        *((type(getattr(facts, name)) is bool, name, "True or False") for name in flags),
        (facts.utility in UTILITIES, "utility", " or ".join(map(repr, UTILITIES))),
        (
            isinstance(facts.options, tuple) and all(map(_option, facts.options)),
            "options",
            "a tuple of Option, each with a name, a tuple of texts as values, a clause and help",
        ),
        (
            isinstance(facts.observed, tuple) and bool(facts.observed) and all(map(_observed, facts.observed)),
            "observed",
            "a tuple of Observed, each with a name, a size from 1, and least not above most",
        ),
        (type(facts.longest) is int and facts.longest >= 0, "longest", "a whole number from 0"),
    ):
        if not good:
            raise Unfit(f"__init__.py: {name} must be {what}.")
    names = [option.name for option in facts.options]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise Unfit(f"__init__.py: options has {', '.join(twice)} twice.")
    for option in facts.options:
        if odd := [name for name in option.rulesets if option.name == RULESET or name not in game.rulesets]:
            raise Unfit(f"__init__.py: option {option.name} names {', '.join(odd)}, not a ruleset.")


def _import(game: Game, name: str) -> ModuleType:
    try:
        return game.module(name)
    except (Exception, SystemExit) as error:
        raise Unfit(explained(error, game.place(f"{name}.py"), game)) from error


def explained(error: BaseException, file: str, game: Game) -> str:
    """Return an error of the game's code as a sentence with its place in the game's files.

    If it happened in none of them, the place is `file`.
    """
    if isinstance(error, SyntaxError):
        where = Path(error.filename).name if error.filename else file
        return f"{where}, line {error.lineno}: this is not Python ({error.msg})."
    words = " ".join(str(error).split()).replace(f"{game.package}.", "").rstrip(".")
    return f"{line_of(error, game) or file}: {type(error).__name__}: {words}."


def line_of(error: BaseException, game: Game) -> str:
    """Return the line of the game that was last run, as "text.py, line 3, in why_not"; or ""."""
    found, trace = "", error.__traceback__
    while trace is not None:
        code, module = trace.tb_frame.f_code, trace.tb_frame.f_globals.get("__name__", "")
        name = f", in {code.co_name}" * (code.co_name[0] != "<")
        if file := file_in(game, code.co_filename):
            found = f"{file}, line {trace.tb_lineno}{name}"
        elif f"{module}.".startswith(f"{game.package}."):  # a default that `fill` added to the rules
            found = f"{game.place('rules.py')}{name}"
        trace = trace.tb_next
    return found


def file_in(game: Game, file: str) -> str:
    """Return a file's path within the game's folder, "rules/state.py"; "" if it lies elsewhere."""
    spec = importlib.util.find_spec(game.package)  # without importing the package, which may be what fails
    place = Path(os.path.abspath(file))
    for folder in (Path(one).absolute() for one in (spec and spec.submodule_search_locations) or ()):
        if place.is_relative_to(folder):
            return place.relative_to(folder).as_posix()
    return ""


def file_of(game: Game, function: str) -> str:
    """Return the file in which the game defines a function of its rules, events or policy."""
    for name, module in (("rules", game.rules), ("events", game.events), ("policy", game.policy)):
        if code := getattr(getattr(module, function, None), "__code__", None):
            return file_in(game, code.co_filename) or game.place(f"{name}.py")
    return "rules.py"


def _complete(module: ModuleType, file: str, needed: type, game: Game) -> None:
    """Check that the module has every name of the Protocol, functions as functions.

    Rules need not have what `parlour.core.defaults` has.
    """
    functions = {name for name, value in vars(needed).items() if isinstance(value, FunctionType) and name[0] != "_"}
    filled = (
        {"OBSERVATION_SIZE", *(one.__name__ for one in defaults.left_out(game.facts))} if needed is Rules else set()
    )
    missing = [
        f"{name}()" if name in functions else name
        for name in _names(needed)
        if not hasattr(module, name) and name not in filled
    ]
    if missing:
        raise Unfit(f"{file}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing.")
    for name in sorted(functions):
        if hasattr(module, name) and not callable(getattr(module, name)):
            raise Unfit(f"{file}: {name} is not a function.")


def _names(needed: type) -> Iterator[str]:
    yield from needed.__annotations__
    yield from (name for name, value in vars(needed).items() if isinstance(value, FunctionType) and name[0] != "_")


def _pair(value: object) -> bool:
    return isinstance(value, tuple) and list(map(type, value)) == [int, int] and 0 < value[0] <= value[1]


def _minutes(game: Game, value: object) -> bool:
    if isinstance(value, dict):
        return value.keys() == {*game.rulesets} and all(map(_pair, value.values()))
    return _pair(value)


def _option(value: object) -> bool:
    return (
        isinstance(value, Option)
        and isinstance(value.values, tuple)
        and bool(value.values)
        and all(isinstance(word, str) for word in (value.name, value.clause, value.help, value.printed, *value.values))
    )


def _observed(value: object) -> bool:
    return (
        isinstance(value, Observed)
        and isinstance(value.name, str)
        and type(value.size) is int
        and value.size > 0
        and all(limit is None or type(limit) is int for limit in (value.least, value.most))
        and (value.least is None or value.most is None or value.least <= value.most)
    )


def _theme(value: object) -> bool:
    if not isinstance(value, dict) or not all(isinstance(part, dict) for part in value.values()):
        return False
    light, dark = value.get("light", {}), value.get("dark", {})
    return light.keys() == dark.keys() and value.keys() <= {"light", "dark", "narrow", "wide"}


def _kinds(game: Game) -> None:
    """Check that constants have values of the right kinds."""
    rules, text = game.rules, game.text
    if not is_struct(rules.State):
        raise Unfit("rules.py: State must be a class made by @struct (parlour.core.struct).")
    numbers = ("VERSION", "N_ACTIONS", "MAX_LEGAL", "MAX_OUTCOMES")
    for good, where, what in (
        *((type(getattr(rules, name)) is int, f"rules.py: {name}", "a whole number") for name in numbers),
        (isinstance(text.TITLE, str) and text.TITLE.strip() != "", "text.py: TITLE", "a text"),
        (isinstance(text.TAGLINE, str), "text.py: TAGLINE", "a text"),
        (_minutes(game, text.MINUTES), "text.py: MINUTES", f"{PAIR}; or a dict of such pairs, by ruleset"),
        (
            _theme(game.theme),
            "scene.py: THEME",
            'a dict of "light" and "dark" (the same names in both), "narrow" and "wide", each a dict',
        ),
    ):
        if not good:
            raise Unfit(f"{where} must be {what}.")


def _editions(game: Game, folder: Traversable) -> None:
    """Check that there is an edition, and that each can be read."""
    if not folder.joinpath("editions").is_dir():
        raise Unfit("The folder editions is missing.")
    files = [file.name for file in folder.joinpath("editions").iterdir() if file.name.endswith(".toml")]
    if not files:
        raise Unfit("The folder editions has no edition: a file like editions/standard.toml is needed.")
    for name in sorted(files):
        text = _loaded(f"editions/{name}", folder.joinpath("editions", name).read_text, "utf-8")
        _loaded(f"editions/{name}", Edition.parse, name.removesuffix(".toml"), text)
    _loaded("editions", lambda: game.editions)


def _guides(game: Game) -> None:
    """Check that the first steps, if any, cover every ruleset and consist of three texts each."""
    if not resources.files(game.package).joinpath(game.place("guide.py")).is_file():
        return
    module = _import(game, "guide")
    if not hasattr(module, "GUIDES") and not hasattr(module, "GUIDE"):
        raise Unfit("guide.py: GUIDE (or GUIDES, by ruleset) is missing.")
    for ruleset in game.rulesets:
        steps = _loaded("guide.py", game.guide, ruleset)
        if not isinstance(steps, tuple) or not all(
            isinstance(step, tuple) and list(map(type, step)) == [str] * 3 for step in steps
        ):
            raise Unfit("guide.py: first steps must be a tuple of (key, sentence, clause), each a text.")


def _pictures(game: Game) -> None:
    """Check that the rulebook shows only pictures that book.py has, and that these are pieces."""
    place = game.place("book.py")
    found = _loaded(place, lambda: game.pictures)
    if odd := [name for name, piece in found.items() if not isinstance(piece, Piece)]:
        raise Unfit(f"{place}: pictures() has {odd[0]!r}, which is not a Piece.")
    for name, _ in pictures(game.rulebook):
        if name not in found:
            raise Unfit(f"rulebook.md shows {name!r}, but pictures() in {place} has no picture of that name.")


def _cheer(game: Game) -> None:
    """Check that a celebration, if any, is of symbols that the game's art has."""
    place = game.place("scene.py")
    if not isinstance(game.cheer, tuple) or not all(isinstance(one, str) for one in game.cheer):
        raise Unfit(f"{place}: CHEER must be a tuple of symbols of art.svg, each a text.")
    if odd := [one for one in game.cheer if f'id="{one}"' not in game.art]:
        raise Unfit(f"{place}: CHEER names {odd[0]!r}, which art.svg does not have.")


def _stage(game: Game, folder: Traversable) -> None:
    """Check that sounds and great moments, if the game declares any, are those of events and instruments."""
    place = game.place("stage.py")
    if folder.joinpath(place).is_file() and (wrong := stage.fault(game.module("stage"))):
        raise Unfit(f"{place}: {wrong}")


def _solution(game: Game, folder: Traversable) -> None:
    """Check that a solver, if any, is whole, and has a solution beside it."""
    place = game.place("solution.py")
    if game.solver is None:
        return
    _complete(game.module("solver"), game.place("solver.py"), Solver, game)
    if not folder.joinpath(place).is_file():
        raise Unfit(f"{place} is missing, which {game.place('solver.py')} needs.")
    if not callable(getattr(game.module("solution"), "workspace", None)):
        raise Unfit(f"{place}: workspace() is missing.")


def _grounds(game: Game, folder: Traversable) -> None:
    """Check that what speaks for a decision, if a game can say it, has words, and the words have that."""
    there = {name: folder.joinpath(game.place(f"{name}.py")).is_file() for name in ("grounds", "because")}
    for name, needed in (("grounds", Grounds), ("because", Because)):
        if any(there.values()) and not there[name]:
            raise Unfit(f"{game.place(f'{name}.py')} is missing; grounds.py and because.py belong together.")
        if there[name]:
            _complete(game.module(name), game.place(f"{name}.py"), needed, game)


def _achievements(game: Game, folder: Traversable) -> None:
    """Check that achievements, if any, have keys that differ, a name and a sentence, and clauses of the rulebook."""
    place = game.place("achievements.py")
    if not folder.joinpath(place).is_file():
        return
    module = game.module("achievements")
    _complete(module, place, Achievements, game)
    found = module.ACHIEVEMENTS
    if not isinstance(found, tuple) or not all(isinstance(one, Achievement) for one in found):
        raise Unfit(f"{place}: ACHIEVEMENTS must be a tuple of parlour.core.contract.Achievement(...).")
    keys = [one.key for one in found]
    for one in found:
        words = (one.key, one.name, one.sentence, one.clause)
        if not all(isinstance(word, str) for word in words) or not KEY.fullmatch(one.key) or "" in words[:3]:
            raise Unfit(
                f"{place}: achievement {one.key!r} needs a key of at most 32 letters a to z, digits and -, a name "
                "and a sentence."
            )
        if keys.count(one.key) > 1:
            raise Unfit(f"{place}: ACHIEVEMENTS has the key {one.key} twice.")


def _themes(game: Game, folder: Traversable) -> None:
    """Check that the themes of puzzles, if any, have words."""
    place = game.place("themes.py")
    if not folder.joinpath(place).is_file():
        return
    module = game.module("themes")
    _complete(module, place, Themes, game)
    found = module.THEMES
    if not isinstance(found, dict) or not all(isinstance(one, str) and one for pair in found.items() for one in pair):
        raise Unfit(f"{place}: THEMES must be a dict of texts: theme -> what a person reads.")


def _words(game: Game, folder: Traversable) -> None:
    """Check that the rulebook exists, and that pictures, stylesheet and theme, if any, can be read."""
    if not folder.joinpath("rulebook.md").is_file():
        raise Unfit("rulebook.md is missing.")
    _loaded("rulebook.md", folder.joinpath("rulebook.md").read_text, "utf-8")
    _loaded("art.svg", lambda: unstyled(game.art, game.name))
    _loaded("look.css", lambda: scoped(game.look, game.name))
    for name, value in (pair for part in game.theme.values() for pair in part.items()):
        _loaded(f"scene.py: THEME: {name}", _property, name, value)


def _property(name: str, value: str) -> None:
    """Check a property and its value, from which `html.theme` makes rules."""
    declarations(f"{name}:{value}")
    if odd := [area for area in placing.areas(value) if name == "grid-template-areas" and not AREA.fullmatch(area)]:
        raise ValueError(f"{odd[0]} is not the key of a piece: letters, digits, - and _.")


def _loaded(file: str, load: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    try:
        return load(*arguments, **named)
    except Exception as error:
        words = " ".join(str(error).split()).rstrip(".")
        raise Unfit(f"{file}: {'' if type(error) is ValueError else f'{type(error).__name__}: '}{words}.") from error
