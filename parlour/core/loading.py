"""Whether a game's folder has all that a game needs, and in one sentence what is wrong where it has not.

What is needed is read off the Protocols of `parlour.core.game`, so it is said there and nowhere else.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import Any

from parlour.core.game import RULESET, Edition, Game, Option, Rules, Scenes, Text

MODULES: dict[str, type] = {"rules": Rules, "text": Text, "scene": Scenes}
OPTIONAL = ("policy", "events", "solver", "guide")


class Unfit(Exception):
    """Something that a game needs is not there, or not what it should be; the text is the sentence about it."""


def fault(game: Game) -> str:
    """Why the game cannot be played: one sentence that names the file and what is wrong with it; "" where all loads.

    Imports every module of the game, and reads its files.
    """
    try:
        folder = _package(game)
        for name, needed in MODULES.items():
            if not folder.joinpath(f"{name}.py").is_file():
                raise Unfit(f"{name}.py is missing.")
            _complete(_import(game, name), f"{name}.py", needed)
        for name in OPTIONAL:
            if folder.joinpath(f"{name}.py").is_file():
                _import(game, name)
        _kinds(game)
        _editions(game, folder)
        _words(folder)
        _guides(game)
    except Unfit as error:
        return str(error)
    return ""


def _package(game: Game) -> Traversable:
    """The game's folder."""
    try:
        importlib.import_module(game.package)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{game.package}.".startswith(f"{error.name}."):
            raise Unfit(f"There is no package {game.package}.") from error
        raise Unfit(told(error, "__init__.py", game)) from error
    return resources.files(game.package)


def _import(game: Game, name: str) -> ModuleType:
    try:
        return importlib.import_module(f"{game.package}.{name}")
    except (Exception, SystemExit) as error:
        raise Unfit(told(error, f"{name}.py", game)) from error


def told(error: BaseException, file: str, game: Game) -> str:
    """An error of the game's code as a sentence, with the place in the game's own files where it happened; `file` where
    it happened in none of them."""
    if isinstance(error, SyntaxError):
        where = Path(error.filename).name if error.filename else file
        return f"{where}, line {error.lineno}: this is not Python ({error.msg})."
    words = " ".join(str(error).split()).replace(f"{game.package}.", "").rstrip(".")
    return f"{_place(error.__traceback__, game) or file}: {type(error).__name__}: {words}."


def _place(trace: TracebackType | None, game: Game) -> str:
    """The last line of the game's own that was being run, as "text.py, line 3"."""
    found = ""
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if f"{module}.".startswith(f"{game.package}."):
            found = f"{Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found


def _complete(module: ModuleType, file: str, needed: type) -> None:
    """Every name that the Protocol has is there, and what is a function there is one here."""
    functions = {name for name, value in vars(needed).items() if isinstance(value, FunctionType) and name[0] != "_"}
    missing = [f"{name}()" if name in functions else name for name in _names(needed) if not hasattr(module, name)]
    if missing:
        raise Unfit(f"{file}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing.")
    for name in sorted(functions):
        if not callable(getattr(module, name)):
            raise Unfit(f"{file}: {name} is not a function.")


def _names(needed: type) -> Iterator[str]:
    yield from needed.__annotations__
    yield from (name for name, value in vars(needed).items() if isinstance(value, FunctionType) and name[0] != "_")


def _pair(value: Any) -> bool:
    return isinstance(value, tuple) and list(map(type, value)) == [int, int] and 0 < value[0] <= value[1]


def _option(value: Any) -> bool:
    return (
        isinstance(value, Option)
        and isinstance(value.values, tuple)
        and bool(value.values)
        and all(isinstance(word, str) for word in (value.name, value.clause, value.help, *value.values))
    )


def _theme(value: Any) -> bool:
    if not isinstance(value, dict) or not all(isinstance(part, dict) for part in value.values()):
        return False
    light, dark = value.get("light", {}), value.get("dark", {})
    return light.keys() == dark.keys() and value.keys() <= {"light", "dark", "narrow", "wide"}


def _kinds(game: Game) -> None:
    """Constants are what the house takes them for."""
    rules, text = game.rules, game.text
    two = "two whole numbers, the first from 1 and not above the second: (2, 4)"
    numbers = ("VERSION", "N_ACTIONS", "MAX_LEGAL", "MAX_OUTCOMES", "OBSERVATION_SIZE")
    for good, where, what in (
        *((type(getattr(rules, name)) is int, f"rules.py: {name}", "a whole number") for name in numbers),
        (_pair(rules.PLAYERS), "rules.py: PLAYERS", two),
        (
            isinstance(rules.OPTIONS, tuple) and all(map(_option, rules.OPTIONS)),
            "rules.py: OPTIONS",
            "a tuple of Option, each with a name, a tuple of texts as values, a clause and help",
        ),
        (isinstance(text.TITLE, str) and text.TITLE.strip() != "", "text.py: TITLE", "a text"),
        (isinstance(text.TAGLINE, str), "text.py: TAGLINE", "a text"),
        (_pair(text.MINUTES), "text.py: MINUTES", two),
        (
            _theme(game.scenes.THEME),
            "scene.py: THEME",
            'a dict of "light" and "dark" (the same names in both), "narrow" and "wide", each a dict',
        ),
    ):
        if not good:
            raise Unfit(f"{where} must be {what}.")
    names = [option.name for option in rules.OPTIONS]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise Unfit(f"rules.py: OPTIONS has {', '.join(twice)} twice.")
    for option in rules.OPTIONS:
        if odd := [name for name in option.rulesets if option.name == RULESET or name not in game.rulesets]:
            raise Unfit(f"rules.py: option {option.name} names {', '.join(odd)}, which is no ruleset.")


def _editions(game: Game, folder: Traversable) -> None:
    """There is an edition, and each can be read."""
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
    """The first steps, where there are any, are there for every ruleset, each of three texts."""
    if not resources.files(game.package).joinpath("guide.py").is_file():
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


def _words(folder: Traversable) -> None:
    """The rulebook is there, and the picture, where there is one, can be read."""
    if not folder.joinpath("rulebook.md").is_file():
        raise Unfit("rulebook.md is missing.")
    for name in ("rulebook.md", "art.svg"):
        if (file := folder.joinpath(name)).is_file():
            _loaded(name, file.read_text, "utf-8")


def _loaded(file: str, load: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return load(*arguments)
    except Exception as error:
        words = " ".join(str(error).split()).rstrip(".")
        raise Unfit(f"{file}: {'' if type(error) is ValueError else f'{type(error).__name__}: '}{words}.") from error
