"""Only accounts have a recovery address: 0020 made one for guests without an account too."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DELETE FROM channels WHERE kind = 'recovery' AND guest_id NOT IN (SELECT id FROM people)")


def downgrade() -> None:
    """Nothing: guests without an account cannot use a recovery address."""
