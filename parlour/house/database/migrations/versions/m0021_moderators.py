"""Moderators are accounts, names stay taken after a deletion, and evidence stays until its report is closed."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("role", sa.String(16), nullable=False, server_default=""))
    for table in ("reports", "report_lines"):
        op.add_column(table, sa.Column("gone", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "retired",
        sa.Column("id", sa.String(length=64), primary_key=True),
        sa.Column("until", sa.Float(), nullable=True),
    )


def downgrade() -> None:
    op.drop_table("retired")
    for table in ("report_lines", "reports"):
        op.drop_column(table, "gone")
    op.drop_column("people", "role")
