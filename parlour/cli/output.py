"""Code that the commands share: printing for people and for programs, progress, reading records."""

from __future__ import annotations

import errno
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from parlour.cli import door
from parlour.cli.door import emit as emit
from parlour.core.changes import value_of
from parlour.core.edition import Edition, EditionLike, refuse
from parlour.core.errors import BadParts, BadSetup, BrokenRecord, ParlourError, UnknownName
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.scene import Line

if TYPE_CHECKING:
    from rich.console import Console


def games(incomplete: str) -> list[str]:
    """Return the games whose name begins so, for the completion of a shell."""
    from parlour.games import all_games

    return [name for name in all_games() if name.startswith(incomplete)]


# Options that several commands share, with the same words.
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game; `parlour games` lists them.", autocompletion=games)
]
EDITION = "An edition of the game, or your own in a file: FILE.toml."
EditionName = Annotated[
    str | None, typer.Option("--edition", metavar="NAME|FILE", help=f"{EDITION}  [default: its first]")
]
EveryEdition = Annotated[
    str | None,
    typer.Option("--edition", metavar="NAME|FILE", help=f"{EDITION}  [default: every one; with --set the first]"),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Another value in the edition: deck.gold=5. Can be given several times; `parlour edition` lists them.",
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; can be given several times."),
]
Players = Annotated[int | None, typer.Option("--players", "-p", help="Players at the table.  [default: the fewest]")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same games.")]
BotNames = Annotated[
    str | None,
    typer.Option("--bots", metavar="BOT,BOT", help="Bots, separated by commas; `parlour bots` lists them."),
]
Clock = Annotated[
    float, typer.Option("--clock", metavar="SECONDS", min=0.001, help="A decision's time, for bots of your own.")
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="PARLOUR_DATABASE",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: a file in your data folder]",
    ),
]

INTERRUPTED = 130  # the exit code after Ctrl-C, as a shell has it


class NoFile(ParlourError):
    """The command line names a file that cannot be read."""

    code = "no-file"


class Progress(Protocol):
    """Receives how much is done so far, out of how much, and (if that changes) of what."""

    def __call__(self, done: int, total: int, what: str = "") -> None: ...


def console(width: int = 120) -> Console:
    """Return the console for tables: as wide as the terminal, or of this width when piped."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else width, highlight=False)


def markdown(text: str) -> None:
    """Print Markdown as a page of the terminal."""
    from rich.markdown import Markdown

    console().print(Markdown(text))


def parse_options(pairs: Sequence[str] | None) -> dict[str, str]:
    """["pile=reshuffle"] -> {"pile": "reshuffle"}. Raises UnknownName if a pair has no "="."""
    found = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise UnknownName(f"An option is written NAME=VALUE, not {pair!r}.")
        found[name.strip()] = value.strip()
    return found


def edition_of(game: Game, edition: EditionLike | None, changes: Sequence[str] | None) -> EditionLike | None:
    """Return the edition that --edition and --set name; None without them, for the first. Raises UnknownName, BadSetup:
    one sentence for each mistake."""
    if edition is None and not changes:
        return None
    values: dict[str, object] = {}
    faults = []
    for pair in changes or ():
        path, equals, text = pair.partition("=")
        try:
            if not equals:
                raise BadSetup(f"A value is set by PATH=VALUE, not {pair!r}.")
            values[path.strip()] = value_of(text.strip())
        except BadSetup as error:
            faults.append((path, error.message))
    before = game.edition(edition)
    try:
        found = before.changed(values)
    except BadParts as error:
        refuse([*faults, *error.faults])
        raise
    refuse(faults)
    return found


def changed(edition: Edition) -> dict[str, object]:
    """Return what a result in JSON adds about an edition of your own: the components that differ; {} for others."""
    return {"changed": edition.differing} if edition.base else {}


def bot_list(text: str) -> list[str]:
    """ "greedy, Random" -> ["greedy", "random"]; a `module:Class` or `program:COMMAND` stays as it is."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    return [name if ":" in name else name.lower() for name in names]


def read_record(file: Path) -> Record:
    """Return the record in a file, or on standard input for "-". Raises NoFile, BrokenRecord."""
    try:
        text = door.read_all() if str(file) == "-" else file.read_text("utf-8")
    except UnicodeDecodeError:
        raise BrokenRecord(f"{file} isn't text, so it isn't a Parlour record.") from None
    except OSError as error:
        raise NoFile(f"Can't read {file}: {error.strerror}.") from None
    return Record.parse(text)


def line_text(line: Line) -> str:
    """Return a line of the log, with its clause, for the terminal."""
    return f"{line.text} [{line.clause}]" if line.clause else line.text


@contextmanager
def progress(words: str, preparing: str) -> Iterator[Progress]:
    """Show a progress bar on stderr. It says `preparing` until it knows the total. Shows nothing if stderr is not a
    terminal."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(preparing, total=None)

        def tell(done: int, total: int, what: str = "") -> None:
            bar.update(task, description=f"{words} {what}".strip(), completed=done, total=total)

        yield tell


def open_folder(folder: Path) -> None:
    """Make a folder for later output, unless it exists. Raises OSError now, before the work, if it is not writable."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def open_file(file: Path | None) -> None:
    """Do the same for the folder of a file that will be written later. Does nothing for None."""
    if file is not None:
        open_folder(file.parent)
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))


def write(file: Path, text: str) -> None:
    """Write a file, and make the folders above it that do not exist."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def command(
    words: str,
    given: Mapping[str, object],
    option: Sequence[str] | None,
    last: str,
    changes: Sequence[str] | None = None,
) -> str:
    """A command line: `words`, what of `given` is not None, the changed values, the rule options, `last`."""
    options = [f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}" for name, value in given.items()
               if value is not None]  # fmt: skip
    options += [f"--set {shlex.quote(pair)}" for pair in changes or ()]
    return " ".join([f"parlour {words}", *options, *(f"--option {pair}" for pair in option or ()), last])


def faults(sentences: Sequence[str]) -> dict[str, str]:
    """Return what `facts` prints about games that bots of your own have lost by a fault, if there are any."""
    if not sentences:
        return {}
    return {"faults": f"{len(sentences):,} game{'s' * (len(sentences) > 1)} lost. The first: {sentences[0]}"}


def facts(rows: Mapping[str, str]) -> None:
    """Print names and values, names aligned."""
    width = max(map(len, rows))
    for name, value in rows.items():
        print(f"{name:<{width}}  {value}")
