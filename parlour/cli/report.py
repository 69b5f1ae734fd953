"""`parlour report`: what one step of each value of a game does, as a page for its author."""

from __future__ import annotations

import json as text_of
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.bots.own import SECONDS
from parlour.cli import output, setups, spreading
from parlour.core.errors import BadSetup
from parlour.core.facts import RULESET

if TYPE_CHECKING:
    from parlour.analysis.stepping import Numbers, Report
    from parlour.analysis.steps import Words
    from parlour.core.game import Game

# The options of `parlour report`, as the command line names them
RulesetName = Annotated[
    str | None, typer.Argument(metavar="[RULESET]", help="A ruleset of the game.  [default: its first]")
]
Games = Annotated[int | None, typer.Option("--games", "-n", min=2, help="Games of each line.  [default: 2000]")]
Threads = Annotated[int | None, typer.Option("--threads", min=1, help="Threads.  [default: one per core]")]
WordsFile = Annotated[
    Path | None, typer.Option("--words", metavar="FILE.toml", help="Prepared steps and sentences for the page.")
]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE.html", help="Write the page to this file.")]
Keep = Annotated[
    Path | None, typer.Option("--keep", metavar="DIR", help="Keep the games here; the same command continues.")
]
Write = Annotated[bool, typer.Option("--write", help="Write the numbers and the page to docs/reports.")]


def report(
    game: output.GameName,
    ruleset: RulesetName = None,
    players: output.Players = None,
    edition: output.EditionName = None,
    option: output.Options = None,
    bots: output.BotNames = None,
    games: Games = None,
    seed: output.Seed = 1,
    words: WordsFile = None,
    out: Out = None,
    keep: Keep = None,
    threads: Threads = None,
    ray: spreading.Ray = None,
    audit: spreading.Audit = None,
    json: output.Json = False,
    write: Write = False,
) -> None:
    """Try each value that is not printed a step down and up, and each other reading of a rule, and recommend.

    The same games are played with and without each step, so differences are of pairs. It measures who begins, the
    length, how close and dramatic the end is, changes of the lead, and skill. --out writes one HTML file with plots; it
    needs no script. docs/reports has the pages of the printed games, which --write makes: only what is new is played.

    Examples: `parlour report GAME --games 500 --out report.html`, `parlour report GAME RULESET --players 4`
    """
    from parlour.analysis import author_page, stepping
    from parlour.analysis.steps import values
    from parlour.engine.simulate import Interrupted
    from parlour.games import find

    found = find(game)
    options = _options(found, ruleset, option)
    name = options.get(RULESET, found.name)
    prepared = _prepared(words, name)
    setup = setups.made(found, players or prepared.players, edition, None, options, bots, seed, SECONDS)
    tried = values(setup, prepared)
    number = games or prepared.games or stepping.GAMES
    folder = _folder(name) if write else None
    output.open_file(out)
    if keep is not None:
        output.open_folder(keep)
    try:
        with spreading.playing(keep, ray, audit) as how:
            how, kept = replace(how, threads=threads), _numbers(folder, name)
            result = stepping.play(setup, tried, number, how, kept, lambda so_far: _save(so_far, folder, name))
    except Interrupted:
        print("Interrupted before everything was played.", file=sys.stderr)
        raise typer.Exit(output.INTERRUPTED) from None
    given = {"--players": players, "--edition": edition, "--bots": bots, "--games": games, "--words": words}
    given["--seed"] = seed if seed != 1 else None
    others = [f"{key}={value}" for key, value in options.items() if key != RULESET]
    last = "--write" if write else f"--out {out or 'FILE.html'}"
    command = output.command(" ".join(filter(None, ("report", found.name, options.get(RULESET)))), given, others, last)
    page = author_page.blocks(result, prepared, command)
    if out is not None:
        output.write(out, author_page.html(page))
    if folder is not None:
        _save(result, folder, name)
        for file, content in author_page.files(page, name, f"written by `{command}`").items():
            output.write(folder / file, content)
    if json:
        output.emit(result.numbers())
    else:
        _print(result)


def _options(game: Game, ruleset: str | None, option: list[str] | None) -> dict[str, str]:
    """Return the options, with the ruleset. Raises BadSetup, UnknownName."""
    options = output.parse_options(option)
    if ruleset is not None:
        if game.rulesets == ("",):
            raise BadSetup(f"{game.name} has no rulesets, so {ruleset!r} means nothing.")
        options[RULESET] = ruleset
    elif game.rulesets != ("",):
        options.setdefault(RULESET, game.rulesets[0])
    return options


def _reports() -> Path:
    import parlour

    return Path(parlour.__file__).parents[1] / "docs" / "reports"


def _prepared(words: Path | None, name: str) -> Words:
    """Return the prepared words: those of the file, or those that docs/reports has of the game. Raises NoFile."""
    from parlour.analysis.steps import Words, read

    file = words or _reports() / f"{name}.toml"
    if words is None and not file.is_file():
        return Words()
    try:
        return read(file)
    except OSError as error:
        raise output.NoFile(f"Can't read {file}: {error.strerror}.") from None


def _folder(name: str) -> Path:
    """Return docs/reports. Raises NoFile if Parlour does not run from its source, or the game has no page there."""
    file = _reports() / f"{name}.toml"
    if not file.is_file():
        raise output.NoFile(f"{file} doesn't exist; --write makes the pages of games that have one.")
    return _reports()


def _numbers(folder: Path | None, name: str) -> Numbers | None:
    """Return the numbers that are kept, None without any."""
    file = folder / f"{name}.json" if folder else None
    if file is None or not file.is_file():
        return None
    numbers: Numbers = text_of.loads(file.read_text("utf-8"))
    return numbers


def _save(result: Report, folder: Path | None, name: str) -> None:
    """Write the numbers so far: a line for each step."""
    if folder is None:
        return
    numbers = result.numbers()
    steps = ",\n".join(text_of.dumps(one, ensure_ascii=False) for one in numbers["steps"])
    asked, base = (text_of.dumps(one, ensure_ascii=False) for one in (numbers["asked"], numbers["base"]))
    output.write(folder / f"{name}.json", f'{{"asked": {asked},\n"base": {base},\n"steps": [\n{steps}\n]}}\n')


def _print(result: Report) -> None:
    from rich.table import Table

    from parlour.analysis import advice, author_page

    setup = result.setup
    about = f"{setup.shape}; {result.games:,} games of each line, bots: {setup.who}"
    table = Table("value", "now", "step", *(author_page.HEADS[one.name] for one in result.measures), title=about)
    for column in table.columns[3:]:
        column.justify = "right"
    for value in result.values:
        for row in author_page.rows(result, value):
            table.add_row(*(cell.replace("**", "") for cell in row))
    output.console().print(table)
    output.markdown("\n".join(f"* {one}" for one in advice.recommendations(result)))
