"""What bots did in the editions of a playtest."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "playtest_bots",
        sa.Column(
            "playtest_id", sa.String(16), sa.ForeignKey("playtests.id", ondelete="CASCADE"), primary_key=True,
            nullable=False,
        ),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("way", sa.String(32), nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
    )  # fmt: skip


def downgrade() -> None:
    op.drop_table("playtest_bots")
