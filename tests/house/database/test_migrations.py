"""Migrations that convert rows: they upgrade a database of the revision before, with rows as the Parlour of that time
wrote them. On both kinds of database."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.scratch import scratch
from parlour.house.database.migrating import HEAD, SCRIPTS, migrate, revision

KINDS = ("turn", "invitation", "chat", "digest")  # that a channel could choose until 0019
NOTHING = dict.fromkeys(KINDS, False)
Work = Callable[[sa.Connection], None]
Run = Callable[[Work], Awaitable[None]]


def at(connection: sa.Connection, wanted: str) -> None:
    """Create the tables as they were at a revision."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes["connection"] = connection
    command.upgrade(config, wanted)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
async def run(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Run]:
    """Yield a function that runs work in a transaction, on a new database without tables."""
    if request.param == "sqlite":
        engine = sa.create_engine(f"sqlite:///{tmp_path}/parlour.db")

        async def do(work: Work) -> None:
            with engine.begin() as connection:
                work(connection)

        yield do
        engine.dispose()
        return
    scratched = scratch(request.getfixturevalue("postgresql"))
    address = await asyncio.to_thread(scratched.__enter__)
    there = create_async_engine(sa.make_url(address).set(drivername="postgresql+asyncpg"))

    async def do_there(work: Work) -> None:
        async with there.begin() as connection:
            await connection.run_sync(work)

    yield do_there
    await there.dispose()
    await asyncio.to_thread(scratched.__exit__, None, None, None)


def reflected(connection: sa.Connection, table: str) -> sa.Table:
    """Return a table as it is now in the database."""
    return sa.Table(table, sa.MetaData(), autoload_with=connection, resolve_fks=False)


def insert(connection: sa.Connection, table: str, *rows: dict[str, Any]) -> None:
    connection.execute(sa.insert(reflected(connection, table)), list(rows))


def channels(connection: sa.Connection) -> list[dict[str, Any]]:
    made = reflected(connection, "channels")
    found = connection.execute(sa.select(made).order_by(made.c.guest_id, made.c.kind, made.c.address))
    return [dict(row) for row in found.mappings()]


def channel(guest: str, kind: str, address: str, **more: Any) -> dict[str, Any]:
    """Return a channel with the columns of revision 0018."""
    return {
        "id": f"{guest}-{kind}-{address}"[:32], "guest_id": guest, "kind": kind, "address": address, "keys": "",
        "name": "", "session_id": None, "token": f"secret of {guest}, {kind}, {address}", "good": True,
        "created": 1000.0, "digested": 0.0, **NOTHING, **more,
    }  # fmt: skip


async def test_who_heard_of_turns_or_invitations_hears_of_what_belongs_to_them(run: Run) -> None:
    """Revision 0019 adds two kinds of notifications."""

    def work(connection: sa.Connection) -> None:
        at(connection, "0018")
        choices = itertools.product((False, True), repeat=3)
        old = [
            channel(f"{turn:d}{asked:d}{chat:d}", "hook", "https://a.test", turn=turn, invitation=asked, chat=chat)
            for turn, asked, chat in choices
        ]
        insert(connection, "channels", *old)
        at(connection, "0019")
        assert channels(connection) == [{**one, "game": one["turn"], "answers": one["invitation"]} for one in old]
        insert(connection, "quiet_hours", {"guest_id": "000", "zone": "Europe/Zurich", "begins": None, "ends": None})

    await run(work)


async def test_each_confirmed_address_becomes_a_recovery_address_besides(run: Run) -> None:
    """Revision 0020 separates the recovery address from notifications."""

    def work(connection: sa.Connection) -> None:
        at(connection, "0019")
        insert(connection, "channels", *old)
        at(connection, "0020")
        found = channels(connection)
        assert [one for one in found if one["kind"] != "recovery"] == old, "notices are sent as before"
        made = [one for one in found if one["kind"] == "recovery"]
        assert [(one["guest_id"], one["address"]) for one in made] == [
            ("ann", "ann@a.test"), ("bob", "bob@a.test"), ("dora", "bob@a.test"),
        ]  # fmt: skip
        for one in made:
            assert one["good"]
            assert not any(one[kind] for kind in (*KINDS, "game", "answers")), "no notices are sent there"
            assert (one["name"], one["session_id"], one["created"]) == ("Password reset", None, 1000.0)
        for name in ("id", "token"):  # links in notifications do not end the new address
            assert len({one[name] for one in found}) == len(found)

    more = {**dict.fromkeys((*KINDS, "game", "answers"), True), "digested": 2000.0}
    old = [
        channel("ann", "hook", "https://ann.test/hook", **more),
        channel("ann", "mail", "ann@a.test", **more),
        channel("ann", "mail", "new@a.test", **{**more, "good": False}),
        channel("ann", "push", "https://push.test/1", **more, **{"name": "Firefox on Linux", "keys": "a key"}),
        channel("bob", "mail", "bob@a.test", **more),
        channel("carl", "mail", "carl@a.test", **{**more, "good": False}),
        channel("dora", "mail", "bob@a.test", game=False, answers=False),  # two people with one email address
    ]
    await run(work)


async def test_an_account_without_an_address_has_no_recovery_address(run: Run) -> None:
    def work(connection: sa.Connection) -> None:
        at(connection, "0019")
        insert(connection, "channels", channel("ann", "hook", "https://ann.test/hook", game=True, answers=True))
        migrate(connection)
        assert [one["kind"] for one in channels(connection)] == ["hook"]

    await run(work)


async def test_only_accounts_keep_a_recovery_address(run: Run) -> None:
    """Revision 0022 removes the recovery addresses that 0020 made for guests without an account."""

    def work(connection: sa.Connection) -> None:
        at(connection, "0021")
        insert(connection, "guests", *({"id": name, "name": name, "created": 1.0} for name in ("ann", "bob", "carl")))
        insert(connection, "people", {"id": "ann", "likeness": "ann", "password": "", "created": 2.0, "role": ""})
        insert(connection, "channels", *old, *guests)
        at(connection, "0022")
        assert channels(connection) == old

    more = {"game": False, "answers": False}
    old = [channel("ann", "mail", "ann@a.test", **more), channel("ann", "recovery", "ann@a.test", **more)]
    old += [channel("bob", "mail", "bob@a.test", **more)]
    guests = [channel(name, "recovery", f"{name}@a.test", **more) for name in ("bob", "carl")]
    await run(work)


async def test_players_of_announced_tournaments_are_reminded_and_recovery_addresses_are_not_notified(run: Run) -> None:
    """Revision 0030 adds reminders, reasons and the switch for clubs."""

    def work(connection: sa.Connection) -> None:
        at(connection, "0029")
        started = {"announced": 5000.0, "by hand": None, "running": 5000.0}
        for name, starts in started.items():
            insert(connection, "tournaments", {
                "id": name, "name": name, "organiser": "ann", "game": "fortune", "edition": "", "parts": {},
                "options": {}, "given": [], "seats": 2, "tempo": {}, "system": "swiss", "most": 8, "seed": "1",
                "state": "running" if name == "running" else "announced", "created": 1.0, "starts_at": starts,
                "due": 5000.0,
            })  # fmt: skip
        more = {"game": True, "answers": True}
        insert(connection, "channels", *(channel("ann", kind, "ann@a.test", **more) for kind in ("mail", "recovery")))
        migrate(connection)
        assert revision(connection) == HEAD
        made = reflected(connection, "tournaments")
        found = connection.execute(sa.select(made.c.id, made.c.due, made.c.reason).order_by(made.c.id)).all()
        assert found == [("announced", 4400.0, ""), ("by hand", 5000.0, ""), ("running", 5000.0, "")]
        assert {one["kind"]: one["clubs"] for one in channels(connection)} == {"mail": True, "recovery": False}

    await run(work)
