"""Slow games: holidays, times of steps and of chat, delays that were given back, when a bot may play on for an absent
player, and whether a table waits until its host presses Start."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

COLUMNS = {
    "steps": (("lag", sa.Float, "0"), ("at", sa.Float, "0")),
    "chat": (("at", sa.Float, "0"),),
    "tables": (("absent", sa.Integer, "60"), ("held", sa.Boolean, sa.false())),
}


def upgrade() -> None:
    for table, columns in COLUMNS.items():
        for name, kind, default in columns:
            op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))
    op.create_table(
        "holidays",
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("since", sa.Float, primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("holidays")
    for table, columns in COLUMNS.items():
        for name, _, _ in reversed(columns):
            op.drop_column(table, name)
