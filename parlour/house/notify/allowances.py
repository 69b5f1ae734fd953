"""How many notifications a person may still get: plain functions of a connection, as in `queries`."""

from __future__ import annotations

import sqlalchemy as sa

from parlour.house.notify import schema as s


def spend(connection: sa.Connection, whose: str, most: int, seconds: float, now: float) -> float:
    """Take one of `most` in this many seconds; return 0. If none is left, take nothing and return the seconds until
    there is one."""
    a = s.allowances.c
    each = seconds / most
    query = sa.select(a.full).where(a.whose == whose).with_for_update()
    full: float | None = connection.scalar(query)
    then = max(full or 0.0, now) + each
    if then - now > seconds + 1e-6:
        return then - now - seconds
    if full is None:
        connection.execute(sa.insert(s.allowances).values(whose=whose, full=then))
    else:
        connection.execute(sa.update(s.allowances).where(a.whose == whose).values(full=then))
    return 0.0
