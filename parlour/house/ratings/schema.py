"""The tables of results, ratings and accuracy."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, false

from parlour.house.database.schema import metadata

accuracies = Table(  # how accurate each seat was, as the last analysis says; where anything was at stake
    "accuracies",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("accuracy", Float, nullable=False),  # from 0, as random play, to 1, as the best
    Column("decisions", Integer, nullable=False, server_default="0"),  # with a choice; 0 if that is not known
    Column("lost", Float, nullable=False, server_default="0"),  # the chance to win that they cost together
    Column("within", Float, nullable=True),  # how far the accuracy may be off; null if that is not known
    Column("luck", Float, nullable=True),  # how much of the chance to win came by luck; null if that is not known
)

outcomes = Table(  # of finished games, worked out from their steps
    "outcomes",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("share", Float, nullable=True),  # of the win; null where the rules that it was played with are gone
    Column("score", BigInteger, nullable=True),
)

ratings = Table(  # the players' ratings from rated games; computed from `rated`
    "ratings",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("ruleset", String(64), primary_key=True),
    Column("player", String(64), primary_key=True),  # a guest's id; bot:LEVEL; gone:... for a deleted account
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("sure", Boolean, nullable=False),  # no longer provisional
    Index("ratings_by_strength", "game", "ruleset", "sure", "mu"),
    Index("ratings_by_player", "player"),
)

rated = Table(  # who counts in which seat of a rated game, since it began; it outlives the table
    "rated",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(64), nullable=False),
    Column("game", String(64), nullable=False),
    Column("ruleset", String(64), nullable=False),
    Column(
        "number", Integer, nullable=True
    ),  # in the order of results of a ruleset; 0: it does not count; null: not yet
    Column("away", Boolean, nullable=False, server_default=false()),  # when the game was over
    Column("mu", Float, nullable=True),  # after it
    Column("sigma", Float, nullable=True),
    Column("at", Float, nullable=True),
    Index("rated_by_player", "player", "game", "ruleset", "number"),
    Index("rated_by_number", "game", "ruleset", "number"),
    Index("rated_pending", "number", "table_id"),
)
