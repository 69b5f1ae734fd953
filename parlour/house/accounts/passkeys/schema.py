"""The tables of passkeys, and of answered challenges."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, String, Table

from parlour.house.database.schema import metadata

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of the credential's id
    Column("guest_id", String(32), ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
    Column("credential", String(1400), nullable=False),  # its id, and
    Column("public", String(1400), nullable=False),  # its public key, in base64url
    Column("signs", BigInteger, nullable=False),  # how often it says it was used
    Column("host", String(255), nullable=False),  # where it is for
    Column("browser", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=True),
    Index("passkeys_by_guest", "guest_id"),
)

answered = Table(  # answered challenges, until they would have expired: each works once
    "answered",
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of the question
    Column("until", Float, nullable=False),
    Index("answered_by_until", "until"),
)
