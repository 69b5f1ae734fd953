"""A PostgreSQL database for one run, dropped afterwards."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
import sqlalchemy as sa


@contextmanager
def scratch(server: str, template: str = "postgresql:///template1") -> Iterator[str]:
    """Create a copy of the database `template` next to the one at `server`, which must allow it; yield its address.

    PostgreSQL refuses while anyone is connected to the template.
    """
    url = sa.make_url(server).set(drivername="postgresql")
    name = f"parlour_scratch_{secrets.token_hex(4)}"

    async def run(statement: str) -> None:
        connection = await asyncpg.connect(url.render_as_string(hide_password=False))
        await connection.execute(statement)
        await connection.close()

    asyncio.run(run(f'CREATE DATABASE {name} TEMPLATE "{sa.make_url(template).database}"'))
    try:
        yield url.set(database=name).render_as_string(hide_password=False)
    finally:
        asyncio.run(run(f"DROP DATABASE {name} WITH (FORCE)"))
