"""The tables of tournaments."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from parlour.house.database.schema import metadata


def _of() -> Column[str]:
    whose = ForeignKey("tournaments.id", ondelete="CASCADE")
    return Column("tournament_id", String(16), whose, primary_key=True)


tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("organiser", String(32), nullable=False),  # an account's id, "" once it is deleted
    Column("club_id", String(16), nullable=True),  # whose members may join; null: see `token`
    Column("token", String(32), nullable=False, server_default=""),  # of the link that people need to join
    Column("game", String(64), nullable=False),
    Column("edition", String(64), nullable=False),
    Column("parts", JSON, nullable=False),  # the edition's components, so that all games are alike
    Column("options", JSON, nullable=False),
    Column("given", JSON, nullable=False),  # the actions that every game begins with
    Column("origin", String(64), nullable=False, server_default=""),  # where they are from: a replay, below /t/
    Column("seats", Integer, nullable=False),
    Column("tempo", JSON, nullable=False),
    Column("system", String(16), nullable=False),
    Column("rounds", Integer, nullable=False, server_default="0"),  # 0: as many as the system needs
    Column("length", Float, nullable=False, server_default="0"),  # seconds of an arena
    Column("through", Integer, nullable=False, server_default="1"),  # how many of a knock-out table advance
    Column("third", Boolean, nullable=False, server_default=false()),  # a knock-out has a game for third place
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("bots", Boolean, nullable=False, server_default=false()),  # fill missing seats
    Column("bot", String(64), nullable=False, server_default=""),  # which bot that is
    Column("most", Integer, nullable=False),  # entrants
    Column("seed", String(32), nullable=False),  # of its pairings
    Column("state", String(12), nullable=False),  # announced, running, over, cancelled
    Column("created", Float, nullable=False),
    Column("starts_at", Float, nullable=True),  # null: when the organiser starts it
    Column("began", Float, nullable=True),
    Column("ended", Float, nullable=True),
    Column("reason", Text, nullable=False, server_default=""),  # why it was cancelled, a sentence
    Column("round", Integer, nullable=False, server_default="0"),  # the last one that was paired
    Column("due", Float, nullable=True),  # when the house next looks at it
    Column("leased", Float, nullable=False, server_default="0"),  # until then a process works on it
    Column("changes", Integer, nullable=False, server_default="0"),  # of anything that belongs to it
    Index("tournaments_by_state", "state", "starts_at"),
    Index("tournaments_by_due", "due"),
    Index("tournaments_by_organiser", "organiser", "state"),
    Index("tournaments_by_club", "club_id", "created"),
)

entrants = Table(
    "tournament_entrants",
    metadata,
    _of(),
    Column("number", Integer, primary_key=True),  # from 1, in the order of joining
    Column("guest_id", String(32), nullable=False),  # "gone:..." once the account is deleted
    Column("strength", Float, nullable=False),  # the rating when they joined, by which the house seeds
    Column("joined", Integer, nullable=False),  # how many rounds had been paired when they joined
    Column("left", Integer, nullable=True),  # how many when they left; null: they are in
    Column("away", JSON, nullable=False),  # rounds that they missed before they came back
    Column("removed", Boolean, nullable=False, server_default=false()),  # by the organiser: they can't come back
    Column("at", Float, nullable=False),
    UniqueConstraint("tournament_id", "guest_id", name="tournament_entrants_once"),
    Index("tournament_entrants_by_guest", "guest_id"),
)

games = Table(
    "tournament_games",
    metadata,
    _of(),
    Column("round", Integer, primary_key=True),  # from 1; in an arena, each time that the house pairs
    Column("board", Integer, primary_key=True),  # from 1
    Column("table_id", String(16), nullable=True),  # null: its table is not open yet, or it is a bye
    Column("state", String(8), nullable=False),  # paired, playing, over
    Column("label", String(8), nullable=False, server_default=""),  # of a knock-out: final, third, replay
    Column("how", String(8), nullable=False, server_default=""),  # played, forfeit, bye, void
    Column("began", Float, nullable=True),
    Column("done", Float, nullable=True),
    Index("tournament_games_by_table", "table_id", unique=True),
    Index("tournament_games_by_state", "tournament_id", "state"),
)

places = Table(  # who has which seat of a game, and the result; they outlive the table
    "tournament_places",
    metadata,
    Column("tournament_id", String(16), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("board", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("entrant", Integer, nullable=True),  # null: a bot
    Column("came", Boolean, nullable=False, server_default=false()),  # they opened the table
    Column("missed", Boolean, nullable=False, server_default=false()),  # they did not, in time
    Column("share", Float, nullable=True),  # of the win
    Column("score", BigInteger, nullable=True),
    ForeignKeyConstraint(
        ["tournament_id", "round", "board"],
        ["tournament_games.tournament_id", "tournament_games.round", "tournament_games.board"],
        ondelete="CASCADE",
    ),
    Index("tournament_places_by_entrant", "tournament_id", "entrant"),
)
