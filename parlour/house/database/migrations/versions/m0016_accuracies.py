"""How accurate each seat was, as the analysis of a game says; worked out here for those that were kept before."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

STAKE = 0.01  # as the analyses of version 0015 were summed up
AWAY = -2


def upgrade() -> None:
    made = op.create_table(
        "accuracies",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("accuracy", sa.Float(), nullable=False),
    )
    connection = op.get_bind()
    kept = sa.table("analyses", sa.column("table_id"), sa.column("way"), sa.column("judgements", sa.JSON()))
    new = kept.c.way.not_like("1/%") & kept.c.way.not_like("2/%")  # these did not say what random play comes to
    steps = sa.table("steps", sa.column("table_id"), sa.column("actor"), sa.column("action"))
    for table in list(connection.scalars(sa.select(kept.c.table_id).where(new).distinct())):  # each is large
        query = sa.select(kept.c.judgements).where(kept.c.table_id == table, new).order_by(kept.c.way).limit(1)
        found = connection.scalar(query)
        stake: dict[int, float] = {}
        loss: dict[int, float] = {}
        bot_too = (steps.c.table_id == table) & (steps.c.action == AWAY)  # a bot played for the person in the seat
        away = set(connection.scalars(sa.select(steps.c.actor).where(bot_too)))
        for one in json.loads(found) if isinstance(found, str) else found or ():
            seat = int(one["seat"])
            if seat in away:
                continue
            stake[seat] = stake.get(seat, 0.0) + one["before"] - one["uniform"]
            loss[seat] = loss.get(seat, 0.0) + max(0.0, one["before"] - one["after"])
        rows = [
            {"table_id": table, "seat": seat, "accuracy": max(0.0, 1 - loss[seat] / all_of_it)}
            for seat, all_of_it in stake.items()
            if all_of_it >= STAKE
        ]
        if rows:
            connection.execute(sa.insert(made), rows)


def downgrade() -> None:
    op.drop_table("accuracies")
