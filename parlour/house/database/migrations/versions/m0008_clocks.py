"""Clocks: how much time a table gives, which of them runs, how long each decision took; and games ended together."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("tempo", sa.JSON(), nullable=True))
    op.add_column("tables", sa.Column("began", sa.Float(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("used", sa.Float(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("due", sa.Float(), nullable=True))
    op.create_index("tables_by_due", "tables", ["due"])
    op.add_column("tables", sa.Column("ended", sa.String(8), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("wish", sa.String(8), nullable=False, server_default=""))
    op.add_column("steps", sa.Column("took", sa.Float(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("steps", "took")
    op.drop_column("seats", "wish")
    op.drop_column("tables", "ended")
    op.drop_index("tables_by_due", "tables")
    for name in ("due", "used", "began", "tempo"):
        op.drop_column("tables", name)
