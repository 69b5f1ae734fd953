"""The tables of games. `steps` are the truth about a game; everything else supports it.

`answers` are the answers to secret questions before they become steps; like steps, they never change.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text, false

from parlour.house.database.schema import metadata

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
    Column("host", String(32), nullable=False),  # a guest's id, "" after all have left
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
    Column("given", Integer, nullable=False, server_default="0"),  # steps that the game began with
    Column("origin", String(64), nullable=False, server_default=""),  # where they are from: a replay, below /t/
    Column("ended", String(8), nullable=False, server_default=""),  # why it was closed, if not for its rules
    Column("tempo", JSON(none_as_null=True), nullable=True),
    Column("began", Float, nullable=False, server_default="0"),  # when the clock that runs began to, 0 for none
    Column("used", Float, nullable=False, server_default="0"),  # seconds of the decision that had gone by then
    Column("due", Float, nullable=True),  # when its time is up
    Column("turn", String(32), nullable=False, server_default=""),  # the guest whose turn it is
    Column("turn_at", Integer, nullable=False, server_default="0"),  # how many steps stood then
    Column("rated", Boolean, nullable=False, server_default=false()),  # whether its result counts for ratings
    Column("absent", Integer, nullable=False, server_default="60"),  # seconds until a bot may play on, without clocks
    Column("held", Boolean, nullable=False, server_default=false()),  # the host starts the game by hand
    Column("programs", Boolean, nullable=False, server_default=false()),  # whether programs may sit down
    Column("changes", Integer, nullable=False, server_default="0"),  # of anything that belongs to it; never shown
    Column("playtest", String(16), nullable=False, server_default=""),  # that it was opened for
    Column("arm", String(1), nullable=False, server_default=""),  # which of its editions: its players do not learn it
    Column("day", String(10), nullable=False, server_default=""),  # whose game it is, of all people the same
    Column("tournament", String(16), nullable=False, server_default=""),  # that it is a game of
    Index("tables_by_status", "status", "touched"),
    Index("tables_by_host", "host", "status"),
    Index("tables_by_rematch", "rematch"),
    Index("tables_by_due", "due"),
    Index("tables_by_turn", "turn"),
    Index("tables_by_playtest", "playtest"),
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
    Column("wish", String(8), nullable=False, server_default=""),  # to end the game
    Column("program", Boolean, nullable=False, server_default=false()),  # a program sat down, with its guest's token
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
    Column("took", Float, nullable=False, server_default="0"),  # seconds that a person thought
    Column("lag", Float, nullable=False, server_default="0"),  # seconds given back for the delay of the connection
    Column("at", Float, nullable=False, server_default="0"),  # when it was written, 0 where that is not known
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
    Column("at", Float, nullable=False, server_default="0"),  # when it was said, 0 where that is not known
    Index("chat_by_table", "table_id", "id"),
)

holidays = Table(  # during which the clocks of a guest's games by post stand still
    "holidays",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("since", Float, primary_key=True),
    Column("until", Float, nullable=False),
)
