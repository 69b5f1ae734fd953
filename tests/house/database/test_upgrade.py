"""An upgrade with games under way, one process after the other: a newer Parlour upgrades the database while an older
one serves games, then both serve, then the newer alone."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from pathlib import Path

import asyncpg
import pytest

from parlour.core.replay import replay
from parlour.games import find
from parlour.house.database import migrating as tables
from tests.house.following import WAIT, Follower
from tests.house.people import Person, turn, two_at_table
from tests.house.serving import Nursery, lives

pytestmark = pytest.mark.service
NEWEST = "9999"
MIGRATION = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{NEWEST}", "{tables.HEAD}"


def upgrade() -> None:
    for table in ("tables", "seats", "steps", "chat", "guests"):
        op.add_column(table, sa.Column("later", sa.Integer(), nullable=False, server_default="7"))
    op.create_table(
        "laters",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    )
    op.execute("INSERT INTO laters SELECT id FROM tables")
    op.create_index("later_tables", "tables", ["later"])
    op.execute("SELECT pg_sleep(0.5)")  # there is much to do, and all of that is locked meanwhile
"""


async def _revision(database: str) -> str:
    connection = await asyncpg.connect(database.replace("+asyncpg", ""))
    try:
        return str(await connection.fetchval("SELECT version_num FROM alembic_version"))
    finally:
        await connection.close()


async def test_an_older_process_plays_on_while_a_newer_one_brings_the_database_up_to_date(
    nursery: Nursery, database: str, redis_url: str, tmp_path: Path
) -> None:
    scripts = shutil.copytree(tables.SCRIPTS, tmp_path / "migrations")
    (scripts / "versions" / "m9999_later.py").write_text(MIGRATION)
    older = await asyncio.to_thread(nursery.start, database=database, redis=redis_url)
    async with Person(base_url=older.url, timeout=WAIT) as ann, Person(base_url=older.url, timeout=WAIT) as bob:
        made: dict[str, int] = {}  # moves, by table

        async def moves(number: int, fresh: bool = True) -> None:
            """Make moves at the last table or a new one: each is answered, and shown on a page at Ann's process."""
            table = [*made][-1] if made and not fresh else await two_at_table(ann, bob)
            page = Follower(ann, table)
            for _ in range(number):
                person, seen = await turn(table, ann, bob)
                body = {"move": seen["legal"][-1], "version": seen["table"]["version"], "id": str(made.get(table, 0))}
                led_to = await person.do(f"tables/{table}/moves", **body)
                made[table] = made.get(table, 0) + 1
                await page.until(lambda update: update["version"] >= led_to["version"])  # noqa: B023
            line = f"after {seen['table']['version']}"
            await bob.do(f"tables/{table}/chat", text=line)
            await page.until(lambda update: line in str(update["table"]))
            await page.close()

        await moves(3)
        start = asyncio.to_thread(nursery.start, database=database, redis=redis_url, newer=[str(scripts), NEWEST])
        starting = asyncio.create_task(start)
        while not starting.done():
            await moves(5)
        newer = await starting
        assert await _revision(database) == NEWEST
        await moves(3)
        bob.base_url = newer.url  # type: ignore[assignment]
        await moves(3, fresh=False)  # both play
        await moves(3)
        os.kill(older.pid, signal.SIGTERM)
        while lives(older.pid):  # noqa: ASYNC110 - it ends in order
            await asyncio.sleep(0.02)
        ann.base_url = newer.url  # type: ignore[assignment]
        await moves(3, fresh=False)
        for table, number in made.items():
            record = await ann.record(table)
            replay(record, find)
            assert sum(actor >= 0 for actor, _ in record.steps) == number
