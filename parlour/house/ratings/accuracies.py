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


class Kept(NamedTuple):
    """What is kept of a seat in an analysed game. Its accuracy is from 0 to 1, None if nothing was at stake. It `lost`
    that part of the chance to win in all `decisions` together; 0 decisions if that is not known. `within`: half the
    accuracy's 95 % interval; `luck`: that part of the chance to win came by luck (`parlour.analysis.luck`); None if
    they are not known."""

    accuracy: float | None
    decisions: int = 0
    lost: float = 0.0
    within: float | None = None
    luck: float | None = None


class Judged(NamedTuple):
    """A person's finished and analysed game, as `Kept` has it; `share` is theirs of the win, None if not known."""

    table_id: str
    game: str
    ruleset: str
    accuracy: float
    decisions: int = 0
    lost: float = 0.0
    within: float | None = None
    luck: float | None = None
    share: float | None = None


def keep(connection: sa.Connection, table_id: str, seats: Sequence[Kept]) -> None:
    """Store what an analysis says of each seat at which anything was at stake, in place of an earlier one. Seats in
    which a bot played for a person at any time are left out, because the analysis can't tell its decisions from
    theirs."""
    connection.execute(sa.delete(s.accuracies).where(s.accuracies.c.table_id == table_id))
    j = storage.steps.c
    away = set(connection.scalars(sa.select(j.actor).where(j.table_id == table_id, j.action == AWAY)))
    rows = [
        {"table_id": table_id, "seat": seat} | one._asdict()
        for seat, one in enumerate(seats)
        if one.accuracy is not None and seat not in away
    ]
    if rows:
        connection.execute(sa.insert(s.accuracies), rows)


def of(connection: sa.Connection, wanted: Wanted) -> list[Judged]:
    """Return a person's last analysed games, in order."""
    t, a = storage.tables.c, s.accuracies.c
    query = (
        sa.select(t.id, t.game, RULESET_OF, a.accuracy, a.decisions, a.lost, a.within, a.luck, s.outcomes.c.share)
        .select_from(GAMES.join(s.accuracies, (a.table_id == ME.c.table_id) & (a.seat == ME.c.seat)))
        .where(their_own(wanted), t.status == "over", ME.c.kind != "bot", IN_PERSON)
    )
    rows = connection.execute(query.order_by(t.touched.desc(), t.id).limit(MOST))
    return [Judged(*row) for row in rows][::-1]


def exported(connection: sa.Connection, guest: str) -> dict[str, object]:
    """Return a person's accuracy in their last analysed games, for their export, with what their decisions lost,
    and their luck."""
    found = of(connection, Wanted(guest))
    told = "accuracy", "within", "decisions", "lost", "luck"
    return {"accuracy": [{"table": one.table_id} | {name: getattr(one, name) for name in told} for one in found]}
