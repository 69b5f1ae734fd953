"""A count of the changes at a table, so that other processes see cheaply whether there is anything new."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("changes", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("tables", "changes")
