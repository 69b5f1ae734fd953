"""API tokens, tables whose host allows programs, and the seats in which programs play."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=64), primary_key=True),
        sa.Column("guest_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("scopes", sa.String(length=32), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["guest_id"], ["guests.id"], ondelete="CASCADE"),
    )
    op.create_index("tokens_by_guest", "tokens", ["guest_id"])
    op.add_column("tables", sa.Column("programs", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("program", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("seats", "program")
    op.drop_column("tables", "programs")
    op.drop_table("tokens")
