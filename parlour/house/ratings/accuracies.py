"""How accurate people were in finished games, according to analyses: plain functions of a connection, as in
`queries`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.house.ratings import schema as s
from parlour.house.ratings.results import GAMES, IN_PERSON, ME, Wanted, their_own
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.queries import RULESET_OF
from parlour.house.table.storage.rows import AWAY

MOST = 1000  # games, the last ones


class Judged(NamedTuple):
    """A person's finished and analysed game; their accuracy is from 0 to 1. They `lost` that part of the chance to
    win in all `decisions` together; 0 decisions if that is not known. `within`: half the accuracy's 95 % interval, None
    if that is not known."""

    table_id: str
    game: str
    ruleset: str
    accuracy: float
    decisions: int = 0
    lost: float = 0.0
    within: float | None = None


def keep(
    connection: sa.Connection,
    table_id: str,
    shares: Sequence[float | None],
    errors: Sequence[tuple[int, float, float | None]] = (),
) -> None:
    """Store the accuracy of each seat, None if nothing was at stake, in place of an earlier analysis; and its `errors`:
    its decisions, the chance that they lost together, and how far the accuracy may be off. Seats in which a bot played
    for a person at any time are left out, because the analysis can't tell its decisions from theirs."""
    connection.execute(sa.delete(s.accuracies).where(s.accuracies.c.table_id == table_id))
    j = storage.steps.c
    away = set(connection.scalars(sa.select(j.actor).where(j.table_id == table_id, j.action == AWAY)))
    rows = [
        {"table_id": table_id, "seat": i, "accuracy": one, "decisions": decisions, "lost": lost, "within": half}
        for i, (one, (decisions, lost, half)) in enumerate(
            zip(shares, errors or [(0, 0.0, None)] * len(shares), strict=True)
        )
        if one is not None and i not in away
    ]
    if rows:
        connection.execute(sa.insert(s.accuracies), rows)


def of(connection: sa.Connection, wanted: Wanted) -> list[Judged]:
    """Return a person's last analysed games, in order."""
    t, a = storage.tables.c, s.accuracies.c
    query = (
        sa.select(t.id, t.game, RULESET_OF, a.accuracy, a.decisions, a.lost, a.within)
        .select_from(GAMES.join(s.accuracies, (a.table_id == ME.c.table_id) & (a.seat == ME.c.seat)))
        .where(their_own(wanted), t.status == "over", ME.c.kind != "bot", IN_PERSON)
    )
    rows = connection.execute(query.order_by(t.touched.desc(), t.id).limit(MOST))
    return [Judged(*row) for row in rows][::-1]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a person's accuracy in their last analysed games, for their export, with what their decisions lost."""
    found = of(connection, Wanted(guest))
    told = "accuracy", "within", "decisions", "lost"
    return {"accuracy": [{"table": one.table_id} | {name: getattr(one, name) for name in told} for one in found]}
