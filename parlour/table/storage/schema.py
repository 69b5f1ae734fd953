"""The tables of the database. `steps` are the truth about a game; everything else surrounds it.

`answers` are the answers to secret questions (FT-26) before they become steps; like steps, they are
never changed.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

settings = Table(
    "settings", metadata, Column("key", String(40), primary_key=True), Column("value", Text, nullable=False)
)

guests = Table(
    "guests",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("created", Float, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("rules", Integer, nullable=False),  # version of the rules
    Column("edition", String(64), nullable=False),
    Column("parts", JSON, nullable=False),  # the edition's components, so that a record stays whole
    Column("options", JSON, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("pace", Float, nullable=False),
    Column("status", String(8), nullable=False),  # waiting, playing, over, closed
    Column("host", String(32), nullable=False),  # a guest's id, "" when nobody is left
    Column("seed", String(64), nullable=False),  # secret until the game is over
    Column("commitment", String(64), nullable=False),
    Column("names", JSON, nullable=False),  # by seat, since the game started
    Column("words", JSON, nullable=False),  # by seat, fixed when the game starts
    Column("rematch", String(16), nullable=False, default=""),
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("in_hand", Integer, nullable=False, server_default="-1"),  # pass-and-play: whose eyes the device has
    Column("hints", Boolean, nullable=False, server_default=false()),
    Column("watched", Boolean, nullable=False, server_default=false()),  # by a guest who has no seat
    Column("changes", Integer, nullable=False, server_default="0"),  # of anything that belongs to it; nobody is told
    Index("tables_by_status", "status", "touched"),
    Index("tables_by_host", "host", "status"),
    Index("tables_by_rematch", "rematch"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # open, link, guest, here (on a guest's device), bot
    Column("guest_id", String(32), nullable=False, default=""),  # kept when a bot plays on for a guest who left
    Column("name", String(64), nullable=False, default=""),
    Column("bot", String(64), nullable=False, default=""),
    Column("token", String(32), nullable=False, default=""),  # of the seat's own link
    Column("words", String(256), nullable=False, default=""),
    Index("seats_by_guest", "guest_id"),
)

steps = Table(
    "steps",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("idx", Integer, primary_key=True),  # two processes cannot both write the same step
    Column("actor", Integer, nullable=False),
    Column("action", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("move_id", String(64), nullable=False, default=""),
)

answers = Table(
    "answers",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("idx", Integer, primary_key=True),  # the number of steps that there were
    Column("seat", Integer, primary_key=True),
    Column("action", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("move_id", String(64), nullable=False, default=""),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("guest_id", String(32), nullable=False),
    Column("seat", Integer, nullable=True),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("sent_id", String(64), nullable=False, default=""),
    Index("chat_by_table", "table_id", "id"),
)

analyses = Table(
    "analyses",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("rules", Integer, primary_key=True),  # version of the rules
    Column("way", String(32), primary_key=True),  # how it was made: version of the judging, and level
    Column("judgements", JSON, nullable=False),
)
