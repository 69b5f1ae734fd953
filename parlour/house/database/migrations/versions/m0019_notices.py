"""Channels choose more kinds of notices; people have quiet hours."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, like in (("game", "turn"), ("answers", "invitation")):
        op.add_column("channels", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.true()))
        # Who chose not to hear of turns does not hear of the rest of the game either, until they choose again.
        op.execute(f"UPDATE channels SET {name} = {like}")
    op.create_table(
        "quiet_hours",
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("begins", sa.Integer(), nullable=True),
        sa.Column("ends", sa.Integer(), nullable=True),
    )


def downgrade() -> None:
    op.drop_table("quiet_hours")
    for name in ("answers", "game"):
        op.drop_column("channels", name)
