"""What the houses of a test process share: never what another test left half made."""

from __future__ import annotations

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from parlour.house.database import postgresql
from tests.house import once


def test_a_dialect_that_no_connection_has_completed_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a database that could not be reached. Each engine after the first that could shares its dialect."""
    monkeypatch.setattr(postgresql, "create_async_engine", create_async_engine)
    make = once._sharing_statements_of_postgresql()
    lost, reached = (make("postgresql+asyncpg://postgres@127.0.0.1:1/none").sync_engine for _ in range(2))
    assert reached.dialect is not lost.dialect
    reached.dialect.default_isolation_level = "READ COMMITTED"
    other = make("postgresql+asyncpg://postgres@127.0.0.1:1/none").sync_engine
    assert other.dialect is reached.dialect
    assert other.pool._dialect is reached.dialect
