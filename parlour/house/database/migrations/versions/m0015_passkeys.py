"""Passkeys. An account that has only passkeys has the password ""."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("guest_id", sa.String(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
        sa.Column("credential", sa.String(1400), nullable=False),
        sa.Column("public", sa.String(1400), nullable=False),
        sa.Column("signs", sa.BigInteger(), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=True),
    )
    op.create_index("passkeys_by_guest", "passkeys", ["guest_id"])
    op.create_table(
        "answered",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("until", sa.Float(), nullable=False),
    )
    op.create_index("answered_by_until", "answered", ["until"])


def downgrade() -> None:
    op.drop_table("answered")
    op.drop_table("passkeys")
