"""PostgreSQL: what every move needs in one statement, and so in one trip: a table at one instant; a stored move.

SQLite has no such trips, and its JSON loses digits; `queries` serves both.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from parlour.house.table.storage.queries import CHAT_KEPT, note_over, unknown
from parlour.house.table.storage.rows import (
    AnswerRow,
    ChatRow,
    SeatRow,
    Snapshot,
    StepRow,
    TableRow,
    Timing,
    must_follow,
)

_LOAD = sa.text(f"""
SELECT CAST(json_build_array(
  row_to_json(t),
  (SELECT coalesce(json_agg(row_to_json(x) ORDER BY x.seat), '[]') FROM (
     SELECT y.*, coalesce(g.name, '') AS owner, h.since AS rest_since, h.until AS rest_until, q.picture,
       (SELECT coalesce(json_agg(json_build_array(z.since, z.until) ORDER BY z.since), '[]')
        FROM holidays z WHERE z.guest_id = y.guest_id AND z.until > t.created) AS rests
     FROM seats y LEFT JOIN people p ON p.id = y.guest_id LEFT JOIN guests g ON g.id = p.id
     LEFT JOIN holidays h ON h.guest_id = y.guest_id AND h.since = (
       SELECT max(z.since) FROM holidays z WHERE z.guest_id = y.guest_id)
     LEFT JOIN pictures q ON q.guest_id = y.guest_id WHERE y.table_id = t.id) x),
  (SELECT coalesce(json_agg(json_build_array(x.idx, x.actor, x.action, x.text, x.move_id, x.took, x.lag, x.at)
   ORDER BY x.idx), '[]')
   FROM steps x WHERE x.table_id = t.id AND x.idx >= :from_step),
  (SELECT coalesce(json_agg(json_build_array(x.idx, x.seat, x.action, x.text, x.move_id) ORDER BY x.idx), '[]')
   FROM answers x WHERE x.table_id = t.id AND x.idx >= :from_step),
  (SELECT coalesce(json_agg(row_to_json(x) ORDER BY x.id), '[]')
   FROM (SELECT * FROM chat WHERE table_id = t.id AND id > :after_chat ORDER BY id DESC LIMIT {CHAT_KEPT}) x),
  t.changes
) AS text) FROM tables t WHERE t.id = :table_id
""")
_APPEND = """
WITH moved AS (
  UPDATE tables SET touched = :now, changes = changes + 1, began = :began, used = :used, due = :due,
    turn = :turn, turn_at = :turn_at{}
  WHERE id = :table_id AND changes = coalesce(CAST(:known AS integer), changes) RETURNING changes
), added AS (
  INSERT INTO steps (table_id, idx, actor, action, text, move_id, took, lag, at)
  SELECT :table_id, x.* FROM moved, unnest(
    CAST(:idx AS integer[]), CAST(:actor AS integer[]), CAST(:action AS bigint[]), CAST(:text AS text[]),
    CAST(:move_id AS text[]), CAST(:took AS float[]), CAST(:lag AS float[]), CAST(:at AS float[])
  ) x
)
SELECT changes FROM moved
"""
_MOVED, _ENDED = sa.text(_APPEND.format("")), sa.text(_APPEND.format(", status = 'over'"))
_snapshot = msgspec.json.Decoder(tuple[TableRow, list[SeatRow], list[StepRow], list[AnswerRow], list[ChatRow], int])


def load(connection: sa.Connection, table_id: str, from_step: int, after_chat: int) -> Snapshot:
    """Do the same as `queries.load`. Raises UnknownTable."""
    values = {"table_id": table_id, "from_step": from_step, "after_chat": after_chat}
    found = connection.scalar(_LOAD, values)
    if found is None:
        raise unknown(table_id)
    return Snapshot(*_snapshot.decode(found))


def append(
    connection: sa.Connection, table_id: str, steps: Sequence[StepRow], over: bool, timing: Timing, known: int | None
) -> int | None:
    """Do the same as `queries.append`; but do nothing and return None if the table's count of changes is not the
    `known` one. The end of a game needs more statements, and so a transaction."""
    must_follow(steps)
    columns = {name: [getattr(step, name) for step in steps] for name in StepRow._fields}
    values = {"table_id": table_id, "now": time.time(), "known": known, **timing.kept(), **columns}
    changes: int | None = connection.scalar(_ENDED if over else _MOVED, values)
    if over and changes is not None:
        note_over(connection, table_id, steps)
    return changes
