"""The tables of all subjects together, for whatever needs them all: migrations and copies."""

from __future__ import annotations

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.passkeys import schema as passkeys
from parlour.house.accounts.preferences import schema as preferences
from parlour.house.accounts.tokens import schema as tokens
from parlour.house.admin import schema as admin
from parlour.house.analysis import schema as analysis
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.calendars import schema as calendars
from parlour.house.clubs.seasons import schema as seasons
from parlour.house.database import schema
from parlour.house.invitations import schema as invitations
from parlour.house.lobby import schema as lobby
from parlour.house.notify import schema as notify
from parlour.house.playtests import schema as playtests
from parlour.house.profiles import schema as profiles
from parlour.house.puzzles import schema as puzzles
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.matchmaking import schema as matchmaking
from parlour.house.social import schema as social
from parlour.house.table.storage import schema as storage
from parlour.house.today import schema as today
from parlour.house.tournaments import schema as tournaments

SCHEMAS = (
    accounts, passkeys, preferences, tokens, admin, analysis, clubs, seasons, calendars, schema, invitations, lobby,
    notify, playtests, profiles, puzzles, ratings, matchmaking, social, storage, today, tournaments,
)  # fmt: skip
metadata = schema.metadata  # with all their tables, since they are imported
TABLES = metadata.sorted_tables  # each after those that it refers to
