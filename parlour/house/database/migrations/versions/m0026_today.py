"""Games of the day: their seeds, people's results, and the tables at which they are played."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "today_days",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("ruleset", sa.String(64), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
    )
    op.create_index("today_days_by_day", "today_days", ["day"])
    op.create_table(
        "today_results",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("ruleset", sa.String(64), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("began", sa.Float(), nullable=False),
        sa.Column("done", sa.Float(), nullable=True),
        sa.Column("ranked", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("share", sa.Float(), nullable=True),
        sa.Column("score", sa.BigInteger(), nullable=True),
        sa.Column("margin", sa.BigInteger(), nullable=True),
        sa.Column("marks", sa.String(16), nullable=False, server_default=""),
    )
    op.create_index("today_results_by_table", "today_results", ["table_id"])
    op.create_index("today_results_by_guest", "today_results", ["guest_id", "day"])
    op.create_index("today_results_by_day", "today_results", ["day"])
    op.add_column("tables", sa.Column("day", sa.String(10), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("tables", "day")
    op.drop_table("today_results")
    op.drop_table("today_days")
