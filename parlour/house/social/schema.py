"""The tables of mutes and blocks, and of reports."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text, false

from parlour.house.database.schema import metadata

marks = Table(  # the people whom a guest has muted or blocked
    "marks",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("other_id", String(32), primary_key=True),
    Column("token", String(16), nullable=False),  # the other's id in their list: guests' real ids stay secret
    Column("muted", Boolean, nullable=False),
    Column("blocked", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Index("marks_by_other", "other_id"),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest_id", String(32), nullable=False),  # who reports, "" when they are gone
    Column("about", String(32), nullable=False),
    Column("table_id", String(16), nullable=False),  # where; the table itself may be gone
    Column("line", Integer, nullable=False),  # of chat, 0 for the person
    Column("reason", String(16), nullable=False),
    Column("words", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("done", Float, nullable=True),
    Column("gone", Boolean, nullable=False, server_default=false()),  # its author is: `words` go when it is done
    Index("reports_by_guest", "guest_id"),
    Index("reports_by_about", "about"),
    Index("reports_by_done", "done"),
)

report_lines = Table(  # the messages around it, stored as they were
    "report_lines",
    metadata,
    Column("report_id", Integer, ForeignKey("reports.id", ondelete="CASCADE"), primary_key=True),
    Column("line", Integer, primary_key=True),
    Column("guest_id", String(32), nullable=False),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("gone", Boolean, nullable=False, server_default=false()),  # so is the speaker: it goes when that is done
    Index("report_lines_by_guest", "guest_id"),
)
