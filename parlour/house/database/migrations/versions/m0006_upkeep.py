"""Finding a guest's own tables, and the game that a table followed, without reading all tables."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("tables_by_host", "tables", ["host", "status"])
    op.create_index("tables_by_rematch", "tables", ["rematch"])


def downgrade() -> None:
    op.drop_index("tables_by_rematch", "tables")
    op.drop_index("tables_by_host", "tables")
