"""The tables of guests, accounts, their sessions and links."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, String, Table, false

from parlour.house.database.schema import metadata

guests = Table(
    "guests",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("created", Float, nullable=False),
)

people = Table(  # guests who have claimed their name; the name itself is the guest's
    "people",
    metadata,
    Column("id", String(32), ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
    Column("likeness", String(512), nullable=False, unique=True),  # what all similar names have in common
    Column("password", String(256), nullable=False),  # hashed by Argon2, with its salt and settings; "" for none
    Column("created", Float, nullable=False),
    Column("role", String(16), nullable=False, server_default=""),  # "moderator", or ""
)

retired = Table(  # names of deleted accounts that are not free yet
    "retired",
    metadata,
    Column("id", String(64), primary_key=True),  # a hash of its likeness: nothing else is kept
    Column("until", Float, nullable=True),  # null for good
)

sessions = Table(  # the browsers in which an account is signed in
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),  # of no use without the signature that a cookie has
    Column("guest_id", String(32), ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    Column("browser", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("before", String(32), nullable=False, default=""),  # the guest whom this browser is again afterwards
    Index("sessions_by_guest", "guest_id"),
)

links = Table(  # each signs in once
    "links",
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of what the link holds
    Column("guest_id", String(32), ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String(8), nullable=False),  # device; reset (with a new password)
    Column("until", Float, nullable=False),
    Column("used", Boolean, nullable=False, server_default=false()),
    Index("links_by_guest", "guest_id"),
)
