"""The guest whose turn it is at a table; where people get notifications, and the notifications still to send."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("turn", sa.String(32), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("turn_at", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("tables_by_turn", "tables", ["turn"])
    op.create_table(
        "channels",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("guest_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.String(1024), nullable=False),
        sa.Column("keys", sa.String(256), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("session_id", sa.String(32), sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("good", sa.Boolean(), nullable=False),
        sa.Column("turn", sa.Boolean(), nullable=False),
        sa.Column("invitation", sa.Boolean(), nullable=False),
        sa.Column("chat", sa.Boolean(), nullable=False),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("digested", sa.Float(), nullable=False),
        sa.UniqueConstraint("kind", "address", "guest_id", name="channels_once"),
    )
    op.create_index("channels_by_guest", "channels", ["guest_id"])
    op.create_index("channels_by_session", "channels", ["session_id"])
    op.create_table(
        "notices",
        sa.Column("channel_id", sa.String(32), sa.ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("due", sa.Float(), nullable=True),
        sa.Column("leased", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
    )
    op.create_index("notices_by_due", "notices", ["due"])
    op.create_table(
        "allowances",
        sa.Column("whose", sa.String(80), primary_key=True),
        sa.Column("full", sa.Float(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("allowances")
    op.drop_table("notices")
    op.drop_table("channels")
    op.drop_index("tables_by_turn", "tables")
    op.drop_column("tables", "turn_at")
    op.drop_column("tables", "turn")
