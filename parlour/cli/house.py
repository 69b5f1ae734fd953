"""`parlour house`: what whoever runs a house does with its database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.cli import output

if TYPE_CHECKING:
    from parlour.table.storage.copying import Counts

app = typer.Typer(
    name="house",
    help="Back up, restore and move a house, and change the key that signs its cookies.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
DAY = 86400.0


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist.")],
    database: output.Database = None,
) -> None:
    """Write all that a house has to one file, while it is open and people play.

    The file is an SQLite database, whether the house's own is SQLite or PostgreSQL. It holds every move that was
    acknowledged before the command began, the keys of cookies, and hidden cards: only you can read it, and it should
    stay so. It appears under its name when it is whole.

    Examples: `parlour house backup monday.db`,
    `parlour house backup --database postgresql://parlour@localhost/parlour monday.db`
    """
    from parlour.table.storage.copying import back_up

    counts = _run(lambda tell: back_up(_address(database), file, tell), "backing up")
    print(f"{file} holds {_words(counts)}.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `parlour house backup` wrote.")],
    database: output.Database = None,
) -> None:
    """Fill an empty database with a backup, of this Parlour or an older one; nothing is overwritten.

    No server may run on it. Every table is read again and compared. Then start `parlour serve` as before: games go on
    where they were, and guests are known by the cookies that they have.

    Examples: `parlour house restore monday.db`, `parlour house restore --database sqlite:///new.db monday.db`
    """
    from parlour.table.storage.copying import restore

    counts = _run(lambda tell: restore(file, _address(database), tell), "restoring")
    print(f"Restored: {_words(counts)}.")


@app.command()
def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The same; it must be empty, and exist if PostgreSQL.")],
) -> None:
    """Copy a house to another database, for example from SQLite to PostgreSQL or back.

    Stop the servers first: it is refused while one runs on either. Every table is read again and compared. The old
    database stays as it is; start `parlour serve --database TO` and people go on where they were.

    Example: `parlour house move sqlite:///parlour.db postgresql://parlour@localhost/parlour`
    """
    from parlour.table.storage.copying import move

    counts = _run(lambda tell: move(source, target, tell), "moving")
    print(f"Moved: {_words(counts)}. The old database is as it was; nothing is played there any more.")


@app.command()
def rotate_key(
    accept_days: Annotated[
        float,
        typer.Option("--accept-days", min=0, max=400, help="Days for which cookies signed so far are still accepted."),
    ] = 30.0,
    database: output.Database = None,
) -> None:
    """Sign guests' cookies with a new key, also while servers run: they take it up within ten seconds.

    Cookies signed with the old key are accepted for --accept-days, and replaced when their guest comes. With
    --accept-days 0 nobody is known any more by a cookie from before, which is right when a key or backup was stolen:
    guests lose their seats then.

    Examples: `parlour house rotate-key`, `parlour house rotate-key --accept-days 0`
    """
    from parlour.table.storage.keys import rotate
    from parlour.table.storage.visiting import visit

    async def work() -> int:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(lambda found: rotate(found, accept_days * DAY))

    old = asyncio.run(work())
    print(f"A new key signs now. Old ones that are accepted for {accept_days:g} days: {old}.")


def _address(database: str | None) -> str:
    from parlour.table.settings import default_database

    return database or default_database()


def _run(work: Callable[[output.Progress], Coroutine[Any, Any, Counts]], words: str) -> Counts:
    with output.progress(words, words) as tell:
        return asyncio.run(work(tell))


def _words(counts: Counts) -> str:
    games, steps, guests = (counts[name].rows for name in ("tables", "steps", "guests"))
    return f"{games:,} tables with {steps:,} steps, and {guests:,} names of guests"
