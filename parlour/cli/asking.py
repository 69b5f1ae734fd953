"""Commands for which the game declares some of the options: find the game in the arguments, then read all options.

Typer takes a command's options from the signature of a function. This module builds that signature for the game that
the arguments name. If they name none, it uses all games with a solver, for the help and for error messages.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any, get_type_hints

import typer

from parlour.cli import output
from parlour.core import solving
from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.core.solving import Answer, Command, Engine, Parameter, Progress, Question, Solution, Table

# Settings of a command that leaves all its arguments to `run`, even --help.
ALL = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
GIVEN = "given"  # the parameter of a command that receives the game's own options
WAYS_TO_HELP = {"help_option_names": ["-h", "--help"]}


def solved_games() -> dict[str, Game]:
    """Return the games that have a solver, by name."""
    from parlour.games import all_games

    return {name: game for name, game in all_games().items() if game.solver is not None}


def game_called(name: str) -> Game | None:
    """Return the game with that name, or None if it does not exist."""
    from parlour.games import find

    try:
        return find(name)
    except UnknownName:
        return None


def solution(game: Game) -> Solution:
    """Return the game's solution. Raises BadSetup, which lists the games that have one."""
    if game.solver is None:
        raise BadSetup(f"{game.text.TITLE} has no solver.", allowed=solved_games())
    return solving.solution(game)


def run(
    name: str, body: Callable[..., None], arguments: Sequence[str],
    declared: Callable[[Game], Sequence[Command]], game: Game | None,
) -> None:  # fmt: skip
    """Run `parlour NAME` on its arguments: call `body`, with the options that `declared(game)` names in its `given`.

    If the game has no solver, or is None, use the options of every game that has one. Of two options with the same
    name the first counts.
    """
    one_only = game is not None and game.solver is not None
    games = [game] if game and one_only else list(solved_games().values())
    parameters: dict[str, Parameter] = {}
    words, examples = [inspect.cleandoc(body.__doc__ or "")], []
    for one in games:
        whose = "" if one_only else f"Of {one.name}: "
        for command in declared(one):
            for parameter in command.parameters:
                parameters.setdefault(parameter.name, replace(parameter, help=whose + parameter.help))
            words += [whose + command.help] if command.help else []
            examples += [f"`{example}`" for example in command.examples]
    words += [f"Examples: {', '.join(examples)}"] if examples else []
    made = _with_options(body, parameters.values())
    made.__doc__ = "\n\n".join(words)
    app = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown", context_settings=WAYS_TO_HELP
    )
    app.command()(made)
    app(list(arguments), prog_name=f"parlour {name}")


def named(
    arguments: Sequence[str], body: Callable[..., None], declared: Callable[[Game], Sequence[Command]],
    game_of: Callable[[str], Game | None],
) -> Game | None:  # fmt: skip
    """Return the game of the first argument that `game_of` knows and that is not the value of an option; None without
    such an argument."""

    def options(game: Game, switches: bool) -> set[str]:
        found = (p for command in (declared(game) if game.solver else ()) for p in command.parameters)
        return {written(p) for p in found if (p.kind is bool) == switches}

    common = {name for flag, name in _flags(body) if not flag}
    valued = common.union(*(options(game, False) for game in solved_games().values()))
    for before, argument in zip(("", *arguments), arguments, strict=False):
        if before in common or (argument.startswith("-") and argument != "-"):
            continue
        game = game_of(argument)
        if game and before not in valued - options(game, True):
            return game
    return None


def question(
    game: Game,
    edition: EditionLike | None,
    option: Sequence[str] | None,
    given: Mapping[str, object],
    progress: Progress,
) -> Question:
    """Return a question with the engines on demand, so that a game that needs none loads none."""
    from parlour.engine import interpret

    def compiled() -> Engine:
        from parlour.engine.compiled import compile

        return compile(game)

    options = output.parse_options(option)
    return Question(game, edition, options, given, lambda: interpret(game), compiled, progress)


def show(answer: Answer) -> None:
    """Print an answer for people."""
    for part in answer.shown:
        if isinstance(part, str):
            print(part)
        elif isinstance(part, Table):
            _print_table(part)
        else:
            output.facts(part)


def _print_table(table: Table) -> None:
    from rich.table import Table as Drawn

    drawn = Drawn(*table.columns)
    for column in drawn.columns[1:]:
        column.justify = "right"
    for row in table.rows:
        drawn.add_row(*row)
    output.console().print(drawn)


def _with_options(body: Callable[..., None], parameters: Iterable[Parameter]) -> Callable[..., None]:
    """Return `body` as a function with its own parameters and these, which it receives in `given`."""
    extra = {parameter.name: parameter for parameter in parameters}

    def made(**values: object) -> None:
        given = {name: _plain(values.pop(_inside(name))) for name in extra}
        body(**values, given=given)

    hints = get_type_hints(body, include_extras=True)
    own = [
        parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(body).parameters.items()
        if name != GIVEN
    ]
    more = [_signed(parameter) for parameter in extra.values()]
    made.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
    made.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *more)}
    return made


def _signed(parameter: Parameter) -> inspect.Parameter:
    """Return a game's option in the form that Typer reads."""
    kind, default = parameter.kind, parameter.default
    if parameter.choices:
        make: Any = StrEnum
        kind = make("Choice", [(choice, choice) for choice in parameter.choices])
        default = None if default is None else kind(default)
    option = typer.Option(written(parameter), help=parameter.help, min=parameter.least)
    wanted: Any = kind if default is not None else kind | None
    annotation = Annotated[wanted, option]
    return inspect.Parameter(
        _inside(parameter.name), inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _inside(name: str) -> str:
    """Return a parameter's name that cannot clash with the command's own or with a keyword (`for`)."""
    return f"own_{name}"


def _plain(value: object) -> object:
    return value.value if isinstance(value, StrEnum) else value


def written(parameter: Parameter) -> str:
    """Return a game's option as written on the command line."""
    return f"--{parameter.name.replace('_', '-')}"


def _flags(body: Callable[..., None]) -> Iterator[tuple[bool, str]]:
    """Yield each of a command's own options: whether it is a switch (takes no value), and how it is written."""
    for hint in get_type_hints(body, include_extras=True).values():
        for info in getattr(hint, "__metadata__", ()):
            if isinstance(info, typer.models.OptionInfo):
                for text in (info.default, *(info.param_decls or ())):
                    if isinstance(text, str):
                        yield hint.__origin__ is bool, text
