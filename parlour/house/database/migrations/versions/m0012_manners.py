"""Who is muted and blocked; reports with what was said; bans, notices, keepers, and the log of their acts."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

NEVER = "acts are never changed nor deleted"


def upgrade() -> None:
    _marks()
    _reports()
    _bans()
    _announcements()
    _keepers()
    _keep_acts()


def _marks() -> None:
    """Create the table of mutes and blocks."""
    op.create_table(
        "marks",
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("other_id", sa.String(32), primary_key=True),
        sa.Column("token", sa.String(16), nullable=False),
        sa.Column("muted", sa.Boolean(), nullable=False),
        sa.Column("blocked", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
    )
    op.create_index("marks_by_other", "marks", ["other_id"])


def _reports() -> None:
    """Create the tables of reports and of the lines of chat that they are about."""
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("guest_id", sa.String(32), nullable=False),
        sa.Column("about", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("done", sa.Float(), nullable=True),
    )
    op.create_index("reports_by_guest", "reports", ["guest_id"])
    op.create_index("reports_by_about", "reports", ["about"])
    op.create_index("reports_by_done", "reports", ["done"])
    op.create_table(
        "report_lines",
        sa.Column("report_id", sa.Integer(), sa.ForeignKey("reports.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("line", sa.Integer(), primary_key=True),
        sa.Column("guest_id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_index("report_lines_by_guest", "report_lines", ["guest_id"])


def _bans() -> None:
    op.create_table(
        "bans",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("guest_id", sa.String(32), nullable=False),
        sa.Column("network", sa.String(64), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("lifted", sa.Float(), nullable=True),
    )
    op.create_index("bans_by_guest", "bans", ["guest_id"])


def _announcements() -> None:
    op.create_table(
        "announcements",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=True),
    )


def _keepers() -> None:
    """Create the tables of keepers and their acts."""
    op.create_table(
        "keepers",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
    )
    op.create_table(
        "acts",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("keeper", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("about", sa.String(64), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
    )


def _keep_acts() -> None:
    """Let the database itself refuse to change or delete acts."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION acts_stay() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{NEVER}'; END $$"
        )
        op.execute(
            "CREATE TRIGGER acts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON acts "
            "FOR EACH STATEMENT EXECUTE FUNCTION acts_stay()"
        )
    else:
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER acts_stay_{what.lower()} BEFORE {what} ON acts "
                f"BEGIN SELECT RAISE(ABORT, '{NEVER}'); END"
            )


def downgrade() -> None:
    postgresql = op.get_bind().dialect.name == "postgresql"
    for table in ("acts", "keepers", "announcements", "bans", "report_lines", "reports", "marks"):
        op.drop_table(table)
    if postgresql:
        op.execute("DROP FUNCTION acts_stay()")
