"""Playtests: what a designer tries out, who agreed to notes, the notes; and the tables that belong to one."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def _of_playtest(*, key: bool = False) -> sa.Column[str]:
    foreign = sa.ForeignKey("playtests.id", ondelete="CASCADE")
    return sa.Column("playtest_id", sa.String(16), foreign, primary_key=key, nullable=False)


def _of_table(*, key: bool = False) -> sa.Column[str]:
    foreign = sa.ForeignKey("tables.id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(16), foreign, primary_key=key, nullable=False)


def upgrade() -> None:
    op.create_table(
        "playtests",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("token", sa.String(32), nullable=False, unique=True),
        sa.Column("guest_id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("players", sa.Integer(), nullable=False, server_default="0"),
    )
    op.create_index("playtests_by_guest", "playtests", ["guest_id"])
    op.create_index("playtests_by_created", "playtests", ["created"])
    op.create_table(
        "playtest_editions",
        _of_playtest(key=True),
        sa.Column("arm", sa.String(1), primary_key=True),
        sa.Column("edition", sa.String(64), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
    )
    op.create_table(
        "playtest_players",
        _of_playtest(key=True),
        sa.Column("guest_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.Float(), nullable=False),
    )
    op.create_index("playtest_players_by_guest", "playtest_players", ["guest_id"])
    op.create_table(
        "playtest_notes",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        _of_playtest(),
        _of_table(),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("clause", sa.String(16), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
    )
    op.create_index("playtest_notes_by_playtest", "playtest_notes", ["playtest_id", "number"])
    op.create_index("playtest_notes_by_table", "playtest_notes", ["table_id", "number"])
    op.create_table(
        "playtest_answers",
        _of_table(key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        _of_playtest(),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("fun", "clear", "length", "again")),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
    )
    op.create_index("playtest_answers_by_playtest", "playtest_answers", ["playtest_id", "number"])
    op.add_column("tables", sa.Column("playtest", sa.String(16), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("arm", sa.String(1), nullable=False, server_default=""))
    op.create_index("tables_by_playtest", "tables", ["playtest"])


def downgrade() -> None:
    op.drop_index("tables_by_playtest", "tables")
    op.drop_column("tables", "arm")
    op.drop_column("tables", "playtest")
    for name in ("playtest_answers", "playtest_notes", "playtest_players", "playtest_editions", "playtests"):
        op.drop_table(name)
