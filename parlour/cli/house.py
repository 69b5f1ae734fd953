"""`parlour house`: commands for the operator of a house, on its database."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import output
from parlour.core.errors import BadSetup, UnknownName

if TYPE_CHECKING:
    import sqlalchemy as sa

    from parlour.house.database.copying import Counts
    from parlour.house.table.storage.durations import Duration

app = typer.Typer(
    name="house",
    help="Back up, restore and move a house; open its moderation pages; appoint moderators; change its key; reset "
    "passwords; test its email; time its games.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
DAY = 86400.0


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist yet.")],
    database: output.Database = None,
) -> None:
    """Back up everything in a house to one file, while it is open and people play.

    The file is an SQLite database, even if the house uses PostgreSQL. It contains every move confirmed before the
    command started, and secrets: the keys of cookies, and hidden cards. Only you can read it; keep it that way. It
    appears under its name once it is complete.

    Examples: `parlour house backup monday.db`,
    `parlour house backup --database postgresql://parlour@localhost/parlour monday.db`
    """
    from parlour.house.database.copying import back_up

    counts = _run(lambda tell: back_up(_address(database), file, tell), "backing up")
    print(f"{file} contains {_words(counts)}.")
    print(f"Source: {_shown(database)}")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `parlour house backup` wrote.")],
    database: output.Database = None,
) -> None:
    """Restore a backup, of this Parlour or an older one, to an empty database. Nothing is overwritten.

    Stop any server on that database first. The command reads every table back and compares it. Then start
    `parlour serve` as before: games continue where they were, and guests keep their cookies.

    Examples: `parlour house restore monday.db`, `parlour house restore --database sqlite:///new.db monday.db`
    """
    from parlour.house.database.copying import restore

    counts = _run(lambda tell: restore(file, _address(database), tell), "restoring")
    print(f"Restored: {_words(counts)}.")
    print(f"Database: {_shown(database)}")


@app.command()
def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="The same form; it must be empty, and a PostgreSQL database must exist.")
    ],
) -> None:
    """Copy a house to another database, for example from SQLite to PostgreSQL or back.

    Stop all servers on both databases first; otherwise the command refuses. It reads every table back and compares
    it. The old database stays as it is. Start `parlour serve --database TO`, and games continue where they were.

    Example: `parlour house move sqlite:///parlour.db postgresql://parlour@localhost/parlour`
    """
    from parlour.house.database.copying import move

    counts = _run(lambda tell: move(source, target, tell), "moving")
    print(f"Moved: {_words(counts)}. The old database is unchanged. Serve only the new one from now on.")


@app.command()
def rotate_key(
    accept_days: Annotated[
        float,
        typer.Option(
            "--accept-days", min=0, max=400, help="Days for which cookies signed with older keys are still accepted."
        ),
    ] = 30.0,
    database: output.Database = None,
) -> None:
    """Sign guests' cookies with a new key. Running servers use it within ten seconds.

    Cookies signed with the old key are accepted for --accept-days, and replaced when their guest visits. Use
    --accept-days 0 if a key or a backup was stolen: then no old cookie works, guests lose their seats, and people with
    an account have to sign in again.

    Examples: `parlour house rotate-key`, `parlour house rotate-key --accept-days 0`
    """
    from parlour.house.database.keys import rotate
    from parlour.house.database.visiting import visit

    async def work() -> int:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(lambda found: rotate(found, accept_days * DAY))

    old = asyncio.run(work())
    print(f"A new key signs cookies now. Old keys still accepted for {accept_days:g} days: {old}.")
    print(f"Database: {_shown(database)}")


@app.command()
def reset_link(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")],
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="The address of the house, as people use it.")
    ] = "http://localhost:8000",
    hours: Annotated[float, typer.Option("--hours", min=0.1, max=168, help="Hours for which the link works.")] = 24.0,
    database: output.Database = None,
) -> None:
    """Create a link with which a person can reset their password. Servers can keep running.

    The link works once. Give it only to that person: anyone who opens it gets the account, and all its other sessions
    end. It replaces any earlier link. The link itself is not stored; that you created one is in the moderators' log.

    Examples: `parlour house reset-link Ann`, `parlour house reset-link --url https://play.example.org "Zoë K"`
    """
    from parlour.house.accounts import rows as account_rows
    from parlour.house.accounts.names import likeness
    from parlour.house.admin.deeds import reset_link
    from parlour.house.database.visiting import visit

    def make(connection: sa.Connection) -> tuple[str, str]:
        found = account_rows.account(connection, likeness=likeness(name))
        if found is None:
            raise UnknownName(f"No account in this house has the name {name!r}.")
        why = f"From the command line, for {hours:g} hours."
        return found.name, reset_link(connection, "", found.id, hours, why)

    async def work() -> tuple[str, str]:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(make)

    whose, token = asyncio.run(work())
    print(f"{url.rstrip('/')}/link#{token}")
    print(f"With this link {whose} can choose a new password. It works once, for {hours:g} hours.")


@app.command()
def key(
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="The address of the house, as people use it.")
    ] = "http://localhost:8000",
    database: output.Database = None,
) -> None:
    """Create a link that opens the moderation pages in a browser. Servers can keep running.

    The link works once, within ten minutes. Anyone who opens it is a moderator for two hours: they see people, tables
    and reports, can ban, and can publish a notice. Without a key these pages are not found. It replaces any earlier
    link.

    Examples: `parlour house key`, `parlour house key --url https://play.example.org`
    """
    from parlour.house.admin.rows import KEY_MINUTES, make_key
    from parlour.house.database.visiting import visit

    async def work() -> str:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(lambda found: make_key(found, time.time()))

    token = asyncio.run(work())
    print(f"{url.rstrip('/')}/house/enter/{token}")
    print(f"This link signs you in as a moderator. It works once, for {KEY_MINUTES} minutes. Don't share it.")


@app.command()
def moderator(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The name of an account in this house.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the role instead.")] = False,
    database: output.Database = None,
) -> None:
    """Give an account the role of moderator; without NAME, list the moderators. Servers can keep running.

    Moderators find reports, bans and tables at /house whenever they are signed in, without a key. Everything they do is
    logged under their name.

    Examples: `parlour house moderator Ann`, `parlour house moderator --remove Ann`, `parlour house moderator`
    """
    from parlour.house.accounts import rows as account_rows
    from parlour.house.accounts.names import likeness
    from parlour.house.admin import rows as admin_rows
    from parlour.house.database.visiting import visit

    def work(connection: sa.Connection) -> str:
        if name is None:
            return "\n".join(one.name for one in account_rows.moderators(connection)) or "There are no moderators."
        found = account_rows.account(connection, likeness=likeness(name))
        if found is None:
            raise UnknownName(f"No account in this house has the name {name!r}.")
        account_rows.set_role(connection, found.id, "" if remove else "moderator")
        admin_rows.act(connection, "", "demote" if remove else "promote", found.id, "From the command line.")
        return f"{found.name} is {'no longer' if remove else 'now'} a moderator."

    async def visiting() -> str:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(work)

    print(asyncio.run(visiting()))


@app.command()
def test_mail(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address that receives the test email.")],
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
    """Send a test email with the settings of the house, and print the mail server's response.

    A server that accepts the email hasn't delivered it yet: check whether it arrives, and not as spam.

    Example: `parlour house test-mail you@example.org`
    """
    from parlour.house.errors import CannotServe
    from parlour.house.notify.mail import Post
    from parlour.house.settings import Settings

    if not mail:
        raise CannotServe(
            "No mail server is set. Set PARLOUR_MAIL and PARLOUR_MAIL_FROM, or use --mail and --mail-from."
        )
    house = url or (
        f"https://{os.environ['PARLOUR_HOST']}" if os.environ.get("PARLOUR_HOST") else "http://localhost:8000"
    )
    if "@" not in address or not address.isprintable() or not address.isascii():
        raise BadSetup(f"An email address has an @ and no accents or special letters, unlike {address!r}.")
    post = Post(Settings(mail=mail, mail_from=mail_from, base_url=house))
    if why := asyncio.run(post.test(address)):
        raise CannotServe(f"The mail server didn't accept the email: {why}.")
    print(f"The mail server accepted a test email to {address}. Check that it arrives, and not as spam.")


@app.command()
def times(
    longest: Annotated[
        float, typer.Option("--longest", metavar="SECONDS", min=1, help="Skip games with a decision longer than this.")
    ] = 600.0,
    database: output.Database = None,
) -> None:
    """Print how long people thought in finished games, to compare with the time on a game's box.

    It counts complete games between people with a clock, because decisions are timed only with one. Time for dice,
    cards and animations is not included. It doesn't read names. Servers can keep running.

    Examples: `parlour house times`, `parlour house times --longest 120`
    """
    from parlour.house.database.visiting import visit
    from parlour.house.table.storage.durations import durations

    async def work() -> list[Duration]:
        async with visit(_address(database)) as connection:
            return await connection.run_sync(lambda found: durations(found, longest))

    found = asyncio.run(work())
    if not found:
        print("No game between people with a clock has finished here yet.")
        return
    lines = ["| game | players | games | decisions | median seconds per decision | minutes of thinking |"]
    lines.append("|---|--:|--:|--:|--:|--:|")
    for one in found:
        name = f"{one.game}, {one.ruleset}" if one.ruleset else one.game
        minutes = f"{one.minutes:.1f}" + ("" if one.half is None else f" ± {one.half:.1f}")
        lines.append(
            f"| {name} | {one.players} | {one.games:,} | {one.decisions:.0f} | {one.seconds:.1f} | {minutes} |"
        )
    output.markdown("\n".join(lines))


def _address(database: str | None) -> str:
    from parlour.house.settings import default_database

    return database or default_database()


def _shown(database: str | None) -> str:
    """Return which database was used, so that a wrong one is noticed."""
    from parlour.house.database.addresses import parse_address

    return parse_address(_address(database)).render_as_string(hide_password=True)


def _run(work: Callable[[output.Progress], Coroutine[object, None, Counts]], words: str) -> Counts:
    with output.progress(words, words) as tell:
        return asyncio.run(work(tell))


def _words(counts: Counts) -> str:
    games, steps, guests = (counts[name].rows for name in ("tables", "steps", "guests"))
    return f"{games:,} tables with {steps:,} steps, and {guests:,} names of guests"
