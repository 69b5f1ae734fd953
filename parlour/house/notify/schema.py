"""The tables of notifications."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, UniqueConstraint, true

from parlour.house.database.schema import metadata

channels = Table(  # where people get notifications
    "channels",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("guest_id", String(32), nullable=False),
    Column("kind", String(8), nullable=False),  # push, mail, hook; recovery: an email address for password resets
    Column("address", String(1024), nullable=False),  # a URL or an email address
    Column("keys", String(256), nullable=False, default=""),  # of a browser: what is sent is encrypted for it
    Column("name", String(64), nullable=False, default=""),  # of a browser, in words
    Column("session_id", String(32), ForeignKey("sessions.id", ondelete="CASCADE"), nullable=True),
    Column("token", String(64), nullable=False, unique=True),  # its holder may end or confirm the channel
    Column("good", Boolean, nullable=False),  # an email address only once its owner has confirmed it
    Column("turn", Boolean, nullable=False),
    Column("invitation", Boolean, nullable=False),
    Column("chat", Boolean, nullable=False),
    Column("digest", Boolean, nullable=False),  # slow games once a day together
    Column("game", Boolean, nullable=False, server_default=true()),  # it started, ended; a vote; a bot took your seat
    Column("answers", Boolean, nullable=False, server_default=true()),  # to invitations and reports
    Column("clubs", Boolean, nullable=False, server_default=true()),  # requests to join, answers, new seasons
    Column("created", Float, nullable=False),
    Column("digested", Float, nullable=False, default=0.0),  # when that was last
    UniqueConstraint("kind", "address", "guest_id", name="channels_once"),
    Index("channels_by_guest", "guest_id"),
    Index("channels_by_session", "session_id"),
)

notices = Table(  # what a channel still has to send, and what it sent last
    "notices",
    metadata,
    Column("channel_id", String(32), ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(16), primary_key=True),  # those of `kinds.KINDS`
    Column("table_id", String(16), primary_key=True),
    Column("at", Integer, nullable=False),  # which turn, or line of chat: what comes later is news
    Column("made", Float, nullable=False),
    Column("due", Float, nullable=True),  # null: nothing to send
    Column("leased", Float, nullable=False, default=0.0),  # leased to a process until then
    Column("tries", Integer, nullable=False, default=0),
    Index("notices_by_due", "due"),
)

quiet_hours = Table(  # a person's time zone, and when they want no notices, in minutes since midnight there
    "quiet_hours",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("zone", String(64), nullable=False),
    Column("begins", Integer, nullable=True),  # null: at no time
    Column("ends", Integer, nullable=True),
)

allowances = Table(  # how many notifications a person may still get: a bucket, as in http/rates.py
    "allowances",
    metadata,
    Column("whose", String(80), primary_key=True),
    Column("full", Float, nullable=False),
)
