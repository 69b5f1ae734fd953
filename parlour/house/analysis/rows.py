"""The analyses of finished games: plain functions of a connection, as in `queries`."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from parlour.house.analysis import schema as s
from parlour.house.ratings import accuracies


def analysis(connection: sa.Connection, table_id: str, rules: int, way: str) -> tuple[object, object] | None:
    """Return the judgements and the luck that `keep_analysis` stored, None without an analysis."""
    c = s.analyses.c
    which = c.table_id == table_id, c.rules == rules, c.way == way
    found = connection.execute(sa.select(c.judgements, c.luck).where(*which)).one_or_none()
    return None if found is None else (found.judgements, found.luck)


def keep_analysis(
    connection: sa.Connection,
    table_id: str,
    rules: int,
    way: str,
    judgements: object,
    seats: Sequence[accuracies.Kept] = (),
    luck: Sequence[float] = (),
) -> None:
    """Store the analysis of a finished game, made in this `way`, what it says of each seat (`accuracies.keep`), and
    each seat's luck (nothing if that is not known), in place of those that were made with other rules or in another
    way. Raises IntegrityError if there is one."""
    c = s.analyses.c
    other = (c.rules != rules) | (c.way != way)
    connection.execute(sa.delete(s.analyses).where(c.table_id == table_id, other))
    row = {"table_id": table_id, "rules": rules, "way": way, "judgements": judgements, "luck": [*luck] or None}
    connection.execute(sa.insert(s.analyses).values(row))
    accuracies.keep(connection, table_id, seats)
