"""How much each seat lost in how many decisions; worked out here for the games that were analysed before."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accuracies", sa.Column("decisions", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("accuracies", sa.Column("lost", sa.Float(), nullable=False, server_default="0"))
    connection = op.get_bind()
    kept = sa.table("analyses", sa.column("table_id"), sa.column("way"), sa.column("judgements", sa.JSON()))
    here = sa.table(
        "accuracies", sa.column("table_id"), sa.column("seat"), sa.column("decisions"), sa.column("lost", sa.Float())
    )
    for table in list(connection.scalars(sa.select(here.c.table_id).distinct())):  # each analysis is large
        query = sa.select(kept.c.judgements).where(kept.c.table_id == table).order_by(kept.c.way.desc()).limit(1)
        found = connection.scalar(query)
        decisions: dict[int, int] = {}
        lost: dict[int, float] = {}
        for one in json.loads(found) if isinstance(found, str) else found or ():
            seat = int(one["seat"])
            decisions[seat] = decisions.get(seat, 0) + 1
            lost[seat] = lost.get(seat, 0.0) + max(0.0, one["before"] - one["after"])
        for seat, number in decisions.items():
            mine = (here.c.table_id == table) & (here.c.seat == seat)
            connection.execute(sa.update(here).where(mine).values(decisions=number, lost=lost[seat]))


def downgrade() -> None:
    op.drop_column("accuracies", "lost")
    op.drop_column("accuracies", "decisions")
