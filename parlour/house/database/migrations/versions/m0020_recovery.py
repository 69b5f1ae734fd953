"""Recovery addresses, separate from notifications: each confirmed email address becomes one."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    channels = sa.Table("channels", sa.MetaData(), autoload_with=op.get_bind())
    c = channels.c
    found = op.get_bind().execute(sa.select(channels).where(c.kind == "mail", c.good)).mappings().all()
    new = {"kind": "recovery", "name": "Password reset", "turn": False, "invitation": False, "chat": False}
    new |= {"digest": False, "game": False, "answers": False}
    rows = [{**one, **new, "id": secrets.token_hex(12), "token": secrets.token_urlsafe(24)} for one in found]
    if rows:
        op.bulk_insert(channels, rows)


def downgrade() -> None:
    op.execute("DELETE FROM channels WHERE kind = 'recovery'")
