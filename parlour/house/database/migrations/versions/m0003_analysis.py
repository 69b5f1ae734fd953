"""Analyses of finished games, and whether a table allows hints."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("way", sa.String(length=32), nullable=False),
        sa.Column("judgements", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "rules", "way"),
    )


def downgrade() -> None:
    op.drop_table("analyses")
    op.drop_column("tables", "hints")
