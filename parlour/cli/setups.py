"""What the commands for designers share: how a setup is named on the command line, and what is varied in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import output
from parlour.core.errors import BadSetup
from parlour.core.game import Game

if TYPE_CHECKING:
    from parlour.analysis.sampling import Setup
    from parlour.analysis.sweeping import Axis

AS_IT_IS = "."  # a setup without changes

Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure", "-m", metavar="NAME",
        help="Only this measure; can be given several times, and `all` adds those that need more games.",
    ),
]  # fmt: skip
Pace = Annotated[
    float, typer.Option("--pace", metavar="SECONDS", min=0.1, help="A decision's time, for the measure `minutes`.")
]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUES",
        help="What to vary: LOW..HIGH/STEP or A,B,C. One value alone changes the edition. Can be given several times.",
    ),
]  # fmt: skip
VaryOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=A,B", help="A rule option, or several values of one to vary; repeatable."
    ),
]
Resumed = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Keep results here; the same command continues.")
]


def made(
    game: Game, players: int | None, edition: str | None, changes: Sequence[str] | None,
    options: Mapping[str, str], bots: str | None, seed: int, clock: float,
) -> Setup:  # fmt: skip
    """Return the setup that a command line describes; greedy bots by default. Raises UnknownName, BadSetup."""
    from parlour.analysis.sampling import Setup

    named = output.bot_list(bots) if bots else None
    if players is None and named and len(named) > 1:
        players = len(named)
    chosen = output.edition_of(game, edition, changes)
    return Setup.make(game, players, edition=chosen, options=options, bots=named, seed=seed, clock=clock)


def changed(setup: Setup, words: str) -> Setup:
    """Return the setup that `words` describe: "." (as it is), or an edition (its name, or FILE.toml) and values of it
    (PATH=VALUE) or options (NAME=VALUE), with blanks between. Raises UnknownName, BadSetup."""
    shape = setup.shape
    game = shape.game
    edition, values, options = shape.edition, [], dict(shape.options)
    own = {option.name for option in game.facts.options}
    for word in _words(words):
        name, equals, value = word.partition("=")
        if word == AS_IT_IS:
            continue
        if not equals:
            edition = game.settled(word)
        elif name in own and name in game.edition(edition).components:
            raise BadSetup(f"{name} is an option and a part of the edition. Use --option or --set for both sides.")
        elif name in own:
            options[name] = value
        else:
            values.append(word)
    chosen = game.read(options)
    game.options(chosen)
    box = output.edition_of(game, edition, values)
    return replace(setup, shape=replace(shape, edition=game.edition(box), options=chosen))


def _words(text: str) -> list[str]:
    """Split at blanks outside brackets and quotes: "house-6 deck=[1, 2]" has two words."""
    found, word, depth, quoted = [], "", 0, False
    for letter in text:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "[{") - (letter in "]}")
        if letter.isspace() and depth == 0 and not quoted:
            found.append(word)
            word = ""
        else:
            word += letter
    return [one for one in (*found, word) if one]


def varied(
    game: Game, values: Sequence[str] | None, options: Sequence[str] | None
) -> tuple[list[Axis], list[str], dict[str, str]]:
    """Return what is varied, and what is only changed: (axes, PATH=VALUE, options). Raises BadSetup, UnknownName."""
    from parlour.analysis.sweeping import Axis

    axes: list[Axis] = []
    changes: list[str] = []
    fixed: dict[str, str] = {}
    for text in values or ():
        said = text.partition("=")[2]
        if ".." in said or ("," in said and not said.strip().startswith(("[", "{", '"'))):
            axes.append(Axis.read(text))
        else:
            changes.append(text)
    for name, said in output.parse_options(options).items():
        if "," in said:
            axis = Axis.read(f"{name}={said}", option=True)
            for value in axis.values:
                game.read({name: str(value)})
            axes.append(axis)
        else:
            fixed[name] = said
    if not axes:
        raise BadSetup("Nothing is varied. Give --set PATH=LOW..HIGH/STEP, --set PATH=A,B or --option NAME=A,B.")
    return axes, changes, fixed
