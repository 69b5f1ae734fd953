"""Why a tournament was cancelled; reminders before one starts; the switch for notices of clubs."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

SOON = 600.0  # seconds before the start at which the house looks at a tournament, to remind its players


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("reason", sa.Text(), nullable=False, server_default=""))
    t = sa.table("tournaments", sa.column("state"), sa.column("starts_at"), sa.column("due"))
    dated = (t.c.state == "announced") & t.c.starts_at.is_not(None)
    op.execute(sa.update(t).where(dated).values(due=t.c.starts_at - SOON))
    op.add_column("channels", sa.Column("clubs", sa.Boolean(), nullable=False, server_default=sa.true()))
    c = sa.table("channels", sa.column("kind", sa.String), sa.column("clubs", sa.Boolean))
    op.execute(sa.update(c).where(c.c.kind == "recovery").values(clubs=sa.false()))


def downgrade() -> None:
    op.drop_column("channels", "clubs")
    op.drop_column("tournaments", "reason")
