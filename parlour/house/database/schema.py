"""The tables of the database. `steps` are the truth about a game; everything else supports it.

`answers` are the answers to secret questions before they become steps; like steps, they never change.
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
    UniqueConstraint,
    false,
    true,
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

preferences = Table(  # what a guest has chosen that is not usual (live/preferences.py), whether they have a name or not
    "preferences",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("name", String(16), primary_key=True),
    Column("value", String(16), nullable=False),
    Column("chosen", Float, nullable=False),
    Index("preferences_by_chosen", "chosen"),
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
    Column("changes", Integer, nullable=False, server_default="0"),  # of anything that belongs to it; never shown
    Index("tables_by_status", "status", "touched"),
    Index("tables_by_host", "host", "status"),
    Index("tables_by_rematch", "rematch"),
    Index("tables_by_due", "due"),
    Index("tables_by_turn", "turn"),
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

analyses = Table(
    "analyses",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("rules", Integer, primary_key=True),  # version of the rules
    Column("way", String(32), primary_key=True),  # how it was made: version of the judging, and level
    Column("judgements", JSON, nullable=False),
)

accuracies = Table(  # how accurate each seat was, as the last analysis says; where anything was at stake
    "accuracies",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("accuracy", Float, nullable=False),  # from 0, as random play, to 1, as the best
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

holidays = Table(  # during which the clocks of a guest's games by post stand still
    "holidays",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("since", Float, primary_key=True),
    Column("until", Float, nullable=False),
)

put_away = Table(
    "put_away",
    metadata,
    Column("guest_id", String(32), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Index("put_away_by_table", "table_id"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("guest_id", String(32), nullable=False),
    Column("token", String(32), nullable=False),  # of the seat's link then: with another it is kept for another
    Column("created", Float, nullable=False),
    Index("invitations_by_guest", "guest_id"),
)

askers = Table(
    "askers",
    metadata,
    Column("guest_id", String(32), primary_key=True),  # one guest asks for one thing, on however many devices
    Column("name", String(64), nullable=False),
    Column("game", String(64), nullable=False),
    Column("ruleset", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("since", Float, nullable=False),
    Column("seen", Float, nullable=False),  # with a page open
    Column("table_id", String(16), nullable=False, default=""),  # when they were paired
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("tempo", String(8), nullable=False, server_default=""),  # one of `table.live.tempo.LIVE`, "" for none
)

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
    Column("kind", String(16), primary_key=True),  # those of `channels.COLUMN_OF`; confirm, lost
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

allowances = Table(  # how many notifications a person may still get: a bucket, as in web/rates.py
    "allowances",
    metadata,
    Column("whose", String(80), primary_key=True),
    Column("full", Float, nullable=False),
)

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

bans = Table(  # of a guest, or of a network
    "bans",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest_id", String(32), nullable=False),
    Column("network", String(64), nullable=False),
    Column("until", Float, nullable=True),  # null for good
    Column("words", Text, nullable=False),  # the message to the banned person
    Column("created", Float, nullable=False),
    Column("lifted", Float, nullable=True),
    Index("bans_by_guest", "guest_id"),
)

announcements = Table(  # to everyone; the last that has not ended is shown
    "announcements",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("text", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("ended", Float, nullable=True),
)

keepers = Table(  # unused keys of the house, and moderators' sessions
    "keepers",
    metadata,
    Column("id", String(64), primary_key=True),  # SHA-256 of the key, or of what the cookie holds
    Column("kind", String(8), nullable=False),  # key, session
    Column("until", Float, nullable=False),
)

acts = Table(  # the moderators' log: triggers prevent changes
    "acts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("keeper", String(16), nullable=False),  # the beginning of their session's id
    Column("kind", String(16), nullable=False),
    Column("about", String(64), nullable=False),  # a guest, a table, a report, a ban, a network: its id
    Column("words", Text, nullable=False),
)
