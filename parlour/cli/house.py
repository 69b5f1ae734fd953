"""`parlour house`: what whoever runs a house does with its database."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.cli import output
from parlour.core.errors import BadSetup, UnknownName

if TYPE_CHECKING:
    import sqlalchemy as sa

    from parlour.table.storage.copying import Counts
    from parlour.table.storage.durations import Duration

app = typer.Typer(
    name="house",
    help="Back up, restore and move a house; keep it in a browser; change its key; reset passwords; test its mail; "
    "time its games.",
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
    print(f"It was made from {_shown(database)}.")


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
    print(f"They are in {_shown(database)}.")


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
    guests lose their seats then, and whoever has claimed a name signs in again.

    Examples: `parlour house rotate-key`, `parlour house rotate-key --accept-days 0`
    """
    from parlour.table.storage.keys import rotate
    from parlour.table.storage.visiting import visit

    async def work() -> int:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(lambda found: rotate(found, accept_days * DAY))

    old = asyncio.run(work())
    print(f"A new key signs now. Old ones that are accepted for {accept_days:g} days: {old}.")
    print(f"It is in {_shown(database)}.")


@app.command()
def reset_link(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that they have claimed.")],
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="The address of the house, as people use it.")
    ] = "http://localhost:8000",
    hours: Annotated[float, typer.Option("--hours", min=0.1, max=168, help="For how long the link is good.")] = 24.0,
    database: output.Database = None,
) -> None:
    """Make a link with which somebody who has lost their password chooses another, also while servers run.

    It is good once. Give it to nobody but them: whoever opens it is them from then on, and they are signed out
    everywhere else. A link that was made before is void. What the link holds is kept nowhere, nor logged; that one was
    made is in the log of the house's keepers.

    Examples: `parlour house reset-link Ann`, `parlour house reset-link --url https://play.example.org "Zoë K"`
    """
    from parlour.table.house.names import likeness
    from parlour.table.staff.keeping import reset_link
    from parlour.table.storage import people
    from parlour.table.storage.visiting import visit

    def make(connection: sa.Connection) -> tuple[str, str]:
        found = people.account(connection, likeness=likeness(name))
        if found is None:
            raise UnknownName(f"Nobody has claimed the name {name!r} in this house.")
        why = f"On the command line, good for {hours:g} hours."
        return found.name, reset_link(connection, "", found.id, hours, why)

    async def work() -> tuple[str, str]:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(make)

    whose, token = asyncio.run(work())
    print(f"{url.rstrip('/')}/link#{token}")
    print(f"Once, within {hours:g} hours, this lets {whose} choose another password.")


@app.command()
def key(
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="The address of the house, as people use it.")
    ] = "http://localhost:8000",
    database: output.Database = None,
) -> None:
    """Make a key with which you keep the house in a browser, also while servers run.

    It is good once, within ten minutes, and lets whoever opens it keep the house for two hours: see people, tables and
    reports, ban, and tell all something. Whoever has no key finds nothing there. A key that was made before is void.

    Examples: `parlour house key`, `parlour house key --url https://play.example.org`
    """
    from parlour.table.storage.keeping import KEY_MINUTES, make_key
    from parlour.table.storage.visiting import visit

    async def work() -> str:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(lambda found: make_key(found, time.time()))

    token = asyncio.run(work())
    print(f"{url.rstrip('/')}/house/enter/{token}")
    print(f"Once, within {KEY_MINUTES} minutes, this lets whoever opens it keep the house. Give it to nobody else.")


@app.command()
def moderator(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The name of an account in this house.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="End the role instead.")] = False,
    database: output.Database = None,
) -> None:
    """Make an account a moderator's, also while servers run; without NAME, list them.

    Moderators find reports, bans and tables at /house whenever they are signed in, without a key. Everything they do is
    logged under their name.

    Examples: `parlour house moderator Ann`, `parlour house moderator --remove Ann`, `parlour house moderator`
    """
    from parlour.table.house.names import likeness
    from parlour.table.storage import keeping, people
    from parlour.table.storage.visiting import visit

    def work(connection: sa.Connection) -> str:
        if name is None:
            return "\n".join(one.name for one in people.moderators(connection)) or "There are no moderators."
        found = people.account(connection, likeness=likeness(name))
        if found is None:
            raise UnknownName(f"No account in this house has the name {name!r}.")
        people.set_role(connection, found.id, "" if remove else "moderator")
        keeping.act(connection, "", "demote" if remove else "promote", found.id, "On the command line.")
        return f"{found.name} is {'no longer' if remove else 'now'} a moderator."

    async def visiting() -> str:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(work)

    print(asyncio.run(visiting()))


@app.command()
def test_mail(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the test email goes.")],
    mail: Annotated[
        str, typer.Option("--mail", metavar="URL", envvar="PARLOUR_MAIL", help="The mail server, as for `serve`.")
    ] = "",  # noqa: PT028 - a command, not a test
    mail_from: Annotated[
        str, typer.Option("--mail-from", metavar="ADDRESS", envvar="PARLOUR_MAIL_FROM", help="The sender's address.")
    ] = "",  # noqa: PT028 - a command, not a test
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="The address of the house.  [default: https://PARLOUR_HOST]")
    ] = "",  # noqa: PT028 - a command, not a test
) -> None:
    """Send a test email with the settings of the house, and print what the mail server answers.

    A server that takes the email has not delivered it yet: look at where it arrives, and whether as spam.

    Example: `parlour house test-mail you@example.org`
    """
    from parlour.table.errors import CannotServe
    from parlour.table.house.mailing import Post
    from parlour.table.settings import Settings

    if not mail:
        raise CannotServe(
            "No mail server is set. Set PARLOUR_MAIL and PARLOUR_MAIL_FROM, or use --mail and --mail-from."
        )
    house = url or (
        f"https://{os.environ['PARLOUR_HOST']}" if os.environ.get("PARLOUR_HOST") else "http://localhost:8000"
    )
    if "@" not in address or not address.isprintable() or not address.isascii():
        raise BadSetup(f"An email address has an @ and plain letters, unlike {address!r}.")
    post = Post(Settings(mail=mail, mail_from=mail_from, base_url=house))
    if why := asyncio.run(post.test(address)):
        raise CannotServe(f"The mail server has not taken the email: {why}.")
    print(f"The mail server has taken a test email for {address}. Check that it arrives, and not as spam.")


@app.command()
def times(
    longest: Annotated[
        float, typer.Option("--longest", metavar="SECONDS", min=1, help="Leave out games with a longer decision.")
    ] = 600.0,
    database: output.Database = None,
) -> None:
    """Print how long people thought in finished games, also while servers run: to compare with the time on a box.

    Counted are games between people only, from the start to the end, with a clock: without one no decision is timed.
    The time that dice, cards and what is shown take is not in it. Names are not looked at.

    Examples: `parlour house times`, `parlour house times --longest 120`
    """
    from parlour.table.storage.durations import durations
    from parlour.table.storage.visiting import visit

    async def work() -> list[Duration]:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(lambda found: durations(found, longest))

    found = asyncio.run(work())
    if not found:
        print("No game between people, with a clock, has ended here yet.")
        return
    lines = ["| game | players | games | decisions | seconds a decision, median | minutes of thought |"]
    lines.append("|---|--:|--:|--:|--:|--:|")
    for one in found:
        name = f"{one.game}, {one.ruleset}" if one.ruleset else one.game
        minutes = f"{one.minutes:.1f}" + ("" if one.half is None else f" ± {one.half:.1f}")
        lines.append(
            f"| {name} | {one.players} | {one.games:,} | {one.decisions:.0f} | {one.seconds:.1f} | {minutes} |"
        )
    output.markdown("\n".join(lines))


def _address(database: str | None) -> str:
    from parlour.table.settings import default_database

    return database or default_database()


def _shown(database: str | None) -> str:
    """Return which database was used, so that a wrong one is noticed."""
    from parlour.table.storage.addresses import parse_address

    return parse_address(_address(database)).render_as_string(hide_password=True)


def _run(work: Callable[[output.Progress], Coroutine[Any, Any, Counts]], words: str) -> Counts:
    with output.progress(words, words) as tell:
        return asyncio.run(work(tell))


def _words(counts: Counts) -> str:
    games, steps, guests = (counts[name].rows for name in ("tables", "steps", "guests"))
    return f"{games:,} tables with {steps:,} steps, and {guests:,} names of guests"
