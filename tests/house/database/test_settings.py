"""Two processes of a house that begin at once, with an empty database, get one key and do not stop each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from parlour.house.database import keys, proof, schema

pytestmark = pytest.mark.service


@pytest.mark.parametrize(
    "work",
    [keys.ensure_key, keys.push_key, proof.prove, lambda connection: keys.put(connection, "any", "1")],
    ids=["the key of cookies", "the key of notifications", "the proof", "a setting"],
)
async def test_the_second_waits_for_the_first(database: str, work: Callable[[sa.Connection], object]) -> None:
    """It finds the key that the first made; what both write is there once."""
    engine = create_async_engine(sa.make_url(database).set(drivername="postgresql+asyncpg"))
    async with engine.begin() as connection:
        await connection.run_sync(schema.settings.create, checkfirst=True)
        await connection.execute(sa.delete(schema.settings))

    async def second() -> object:
        async with engine.begin() as connection:
            return await connection.run_sync(work)

    async with engine.connect() as first:
        made = await first.run_sync(work)
        later = asyncio.create_task(second())
        await asyncio.sleep(0.3)
        assert not later.done()
        await first.commit()
    assert await later == made
    async with engine.connect() as connection:
        assert await connection.scalar(sa.select(sa.func.count()).select_from(schema.settings)) == 1
    await engine.dispose()
