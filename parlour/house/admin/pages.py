"""The pages below /house, for moderators: the server's state, people, tables, reports, bans, the log.

A moderator sees a table as a spectator does. Hidden cards are shown only after a reason is logged
(`admin.deeds.look`). No page says when a player moved, as no page of others' tables does: that could reveal a secret
question.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.scene import SPECTATOR
from parlour.games import all_games
from parlour.house.accounts import rows as stored
from parlour.house.accounts.guests import MAX_CLUB
from parlour.house.accounts.names import default_name
from parlour.house.admin import rows as admin_rows
from parlour.house.admin.deeds import (
    LEAST_REASON,
    LENGTHS,
    MOST_MESSAGE,
    MOST_NOTICE,
    MOST_REASON,
    REASON_LASTS,
    RESET_HOURS,
    Moderator,
)
from parlour.house.admin.gauges import gauges
from parlour.house.admin.rows import KEY_MINUTES, LOGGED, PAGE, SESSION, Act, Ban, Notice, Somebody
from parlour.house.clubs import rows as club_rows
from parlour.house.clubs.rows import Listed
from parlour.house.errors import NotFound
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.lobby.pages import age
from parlour.house.profiles.pictures import shown as shown_of
from parlour.house.site import drawing
from parlour.house.site.titles import title_of
from parlour.house.social import rows as social_rows
from parlour.house.social.deeds import REASONS
from parlour.house.social.rows import Report, Said
from parlour.house.table.live.eyes import Eyes
from parlour.house.table.live.showing import frame_at
from parlour.house.table.live.signs import named_html
from parlour.house.table.live.table import Table
from parlour.house.table.pages.views import table_view
from parlour.house.table.storage.rows import TableRow
from parlour.house.tournaments import rows as tournament_rows
from parlour.house.tournaments.rows import State

PLACES = {"look": "/house/tables", "cancel": "/tournaments", "rename": "/clubs"}  # where an act leads
STATES: dict[State, str] = {
    "running": "running", "announced": "announced", "over": "over", "cancelled": "cancelled",
}  # fmt: skip
WAYS = {"open": "open", "ask": "by request", "link": "by link"}  # how people get into a club
SAID = 30  # messages of a person that are shown
STATUSES = {"playing": "under way", "waiting": "waiting", "over": "over", "closed": "ended early"}
ACTS = {
    "key": "created a sign-in key on the command line", "enter": "signed in", "leave": "signed out", "ban": "banned",
    "lift": "lifted the ban of", "done": "closed report", "reopen": "reopened report", "notice": "published notice",
    "withdraw": "withdrew the notice", "look": "viewed hidden cards at table",
    "reset": "created a password reset link for", "promote": "gave the moderator role to",
    "demote": "removed the moderator role from", "cancel": "cancelled tournament", "rename": "renamed club",
    "dissolve": "deleted club",
}  # fmt: skip


class Who(NamedTuple):
    """A person as a moderator's page names them, with a link to more. `picture`: in words, "" where only the name is
    shown."""

    id: str
    name: str
    claimed: bool = False
    since: str = ""
    tables: int = 0
    reports: int = 0
    picture: str = ""


class TableLine(NamedTuple):
    """A table in a list."""

    id: str
    game: str
    title: str
    status: str
    listed: bool
    made: str
    seats: tuple[Who, ...]


class CupLine(NamedTuple):
    """A tournament in a list. `can_end`: it is announced or running."""

    id: str
    name: str
    game: str
    title: str
    system: str
    organiser: Who
    players: int
    made: str
    listed: bool
    can_end: bool
    reason: str


class ClubLine(NamedTuple):
    """A club in a list."""

    id: str
    name: str
    picture: str
    about: str
    way: str
    members: int
    owner: Who
    made: str


class BanLine(NamedTuple):
    """A ban in a list."""

    row: Ban
    who: Who | None
    words: str
    in_force: bool


class ReportCard(NamedTuple):
    """A report, with what was said, and the ban of the reported person that is in force."""

    row: Report
    reason: str
    when: str
    by: Who | None
    about: Who
    lines: list[tuple[Said, Who]]
    ban: BanLine | None


class ActLine(NamedTuple):
    """An act in the log."""

    row: Act
    when: str
    did: str
    href: str
    moderator: str  # their name, "" for an admin who signed in with a key


class Pages(NamedTuple):
    """The position in a list of pages."""

    total: int
    page: int
    pages: int
    query: str = ""


def _pages(total: int, page: int, size: int = PAGE, query: str = "") -> Pages:
    return Pages(total, page, max(1, -(-total // size)), query)


def _who(guest: str, names: Mapping[str, str], pictures: Mapping[str, str] | None = None) -> Who:
    """Return a person by their id; with `pictures`, those that people chose, with what they look like."""
    picture = "" if pictures is None else _picture(guest, pictures.get(guest))
    return Who(guest, names.get(guest) or default_name(guest), picture=picture)


def _picture(guest: str, chosen: str | None) -> str:
    return " ".join(shown_of(guest, chosen))


def _person(one: Somebody, now: float) -> Who:
    since = age(now - one.created) if one.created is not None else ""
    name = one.name or default_name(one.id)
    return Who(one.id, name, one.claimed, since, one.tables, one.reports, _picture(one.id, one.picture))


def _draw(name: str, title: str, here: str, games: Sequence[Game] = (), /, **values: object) -> tuple[Part, ...]:
    return drawing.page(
        name, f"{title}: moderation", None, games, script="house", here=here, lengths=LENGTHS,
        most_message=MOST_MESSAGE, **{"sheet": "people.css house.css", **values},
    )  # fmt: skip


def _games(names: Iterable[str]) -> list[Game]:
    """Return the games of a list, whose covers its rows show; one that is no longer here has none."""
    every = all_games()
    return [every[name] for name in sorted(set(names)) if name in every]


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))


# Sign-in and overview ---------------------------------------------------------------------------------
def door(token: str) -> tuple[Part, ...]:
    """`GET /house/enter/TOKEN`."""
    return _draw("house_enter", "Sign in", "", token=token, hours=round(SESSION / 3600), minutes=KEY_MINUTES)


async def overview(house: House) -> tuple[Part, ...]:
    """`GET /house`. StoreFailed."""
    counted = await house.store.look(admin_rows.count)
    notice: Notice = house.bans.notice
    return _draw(
        "house_overview", "Overview", "overview", counted=counted, notice=notice, most=MOST_NOTICE,
        gauges=gauges(house.measures.families()), contact=house.settings.contact,
    )  # fmt: skip


# People --------------------------------------------------------------------------------------------
# Of a person: name and id, their tables, messages and bans, and the reports about them.
_Known = tuple[Somebody, list[TableRow], list[tuple[str, int, str]], list[tuple[Ban, str | None]], list[Report]]


async def people(house: House, wanted: str, page: int) -> tuple[Part, ...]:
    """`GET /house/people`. StoreFailed."""
    total, found = await house.store.look(partial(admin_rows.people, find=wanted, page=page - 1))
    now = time.time()
    rows = [_person(one, now) for one in found]
    return _draw(
        "house_people", "People", "people", rows=rows, find=wanted, at=_pages(total, page, query=f"find={wanted}")
    )


async def person(house: House, guest: str) -> tuple[Part, ...]:
    """`GET /house/people/ID`. NotFound, StoreFailed."""

    def look(connection: sa.Connection) -> _Known:
        return (
            admin_rows.somebody(connection, guest),
            admin_rows.tables(connection, "", 0, guest)[1],
            admin_rows.said_by(connection, guest, SAID),
            admin_rows.bans(connection, 0, guest)[1],
            social_rows.reports(connection, done=False, page=0, about=guest)[1],
        )

    one, rows, said, banned, reported = await house.store.look(look)
    if one.name is None and not (rows or said or banned or reported):
        raise NotFound("No one has this ID.")
    now = time.time()
    return _draw(
        "house_person", one.name or default_name(guest), "people", _games(row.game for row in rows),
        who=_person(one, now),
        tables=await _tables(house, rows), said=said, bans=[_ban(row, name, now) for row, name in banned],
        cards=await _cards(house, reported), least=LEAST_REASON, most=MOST_REASON, hours=RESET_HOURS,
    )  # fmt: skip


# Tables --------------------------------------------------------------------------------------------
async def tables(house: House, status: str, page: int) -> tuple[Part, ...]:
    """`GET /house/tables`. StoreFailed."""
    status = status if status in STATUSES else ""
    total, rows = await house.store.look(partial(admin_rows.tables, status=status, page=page - 1))
    return _draw(
        "house_tables", "Tables", "tables", _games(row.game for row in rows),
        rows=await _tables(house, rows), status=status, statuses=STATUSES,
        at=_pages(total, page, query=f"status={status}"),
    )  # fmt: skip


async def _tables(house: House, rows: Iterable[TableRow]) -> list[TableLine]:
    rows, now = [*rows], time.time()
    seats = await house.store.look(partial(admin_rows.seat_names, tables=[row.id for row in rows]))
    return [
        TableLine(
            row.id, row.game, title_of(row.game, row.options.get(RULESET, "")), STATUSES[row.status], row.public,
            age(now - row.created), tuple(Who(guest, name or "free") for name, guest in seats[row.id]),
        ) for row in rows
    ]  # fmt: skip


async def table(house: House, moderator: Moderator, table_id: str, look: int | None, seat: int) -> tuple[Part, ...]:
    """`GET /house/tables/ID`: as a spectator sees it, or with a reason in the log as a seat does. Looking this way
    wakes no bot and counts as no spectator. UnknownTable, NotFound, StoreFailed."""
    why = None
    if look is not None:
        since = time.time() - REASON_LASTS
        why = await house.store.look(
            partial(admin_rows.looked, number=look, moderator=moderator.id, table=table_id, since=since)
        )
        if why is None:
            raise NotFound(f"A reason lasts {REASON_LASTS / 60:.0f} minutes, at one table. Please give it again.")
    async with house.hold(table_id) as live:
        pass
    viewer = SPECTATOR if why is None else max(0, min(seat, len(live.seats) - 1))
    await live.known.ready(viewer)
    made = await _tables(house, [live.row])
    said = [(line, Who(line.guest_id, line.name)) for line in live.chat]
    return _draw(
        "house_table", made[0].title, "tables", [live.game], table=made[0], scene=_scene(live, viewer), why=why,
        viewer=viewer, said=said, game=live.game.name, least=LEAST_REASON, most=MOST_REASON,
        minutes=round(REASON_LASTS / 60), status=live.status, seats=table_view(live, Eyes(""), "").seats,
        sheet="table.css people.css house.css",
    )  # fmt: skip


def _scene(table: Table, viewer: int) -> str:
    if table.match is None:
        return ""
    frame = frame_at(table, viewer, table.known.version(viewer))
    drawn = drawing.past_html(drawing.rules_address(table.game, table.row.options), frame)
    return named_html(drawn, table.match.names)


# Tournaments and clubs -----------------------------------------------------------------------------
async def tournaments(house: House, status: str, page: int) -> tuple[Part, ...]:
    """`GET /house/tournaments`. StoreFailed."""
    states = [one for one in STATES if one == status] or ["running"]
    look = partial(tournament_rows.listing, states=states, every=True, page=page - 1)
    total, found = await house.store.look(look)
    now = time.time()
    rows = [
        CupLine(
            one.tournament.id, one.tournament.name, one.tournament.game,
            title_of(one.tournament.game, one.tournament.options.get(RULESET, "")), one.tournament.system,
            Who(one.tournament.organiser, one.organiser or "a deleted account"), one.entrants,
            age(now - one.tournament.created), not one.tournament.token and one.tournament.club_id is None,
            one.tournament.state in tournament_rows.UNDER_WAY, one.tournament.reason,
        ) for one in found
    ]  # fmt: skip
    return _draw(
        "house_tournaments", "Tournaments", "tournaments", _games(row.game for row in rows), rows=rows,
        status=states[0], states=STATES,
        least=LEAST_REASON, most=MOST_REASON, at=_pages(total, page, tournament_rows.PAGE, f"status={states[0]}"),
    )  # fmt: skip


async def clubs(house: House, find: str, page: int) -> tuple[Part, ...]:
    """`GET /house/clubs`. StoreFailed."""

    def look(connection: sa.Connection) -> tuple[int, list[Listed], dict[str, tuple[str, str]]]:
        total, found = club_rows.listed(connection, "", page - 1, find=find)
        return total, found, club_rows.owners(connection, [one.club.id for one in found])

    total, found, owners = await house.store.look(look)
    now = time.time()
    rows = [
        ClubLine(
            club.id, club.name, _picture(club.id, club.picture), club.about, WAYS[club.entry], members,
            Who(*owners.get(club.id, ("", ""))),
            age(now - club.created),
        ) for club, members, _ in found
    ]  # fmt: skip
    return _draw(
        "house_clubs", "Clubs", "clubs", rows=rows, find=find, longest=MAX_CLUB, least=LEAST_REASON, most=MOST_REASON,
        at=_pages(total, page, club_rows.PAGE, f"find={find}"),
    )  # fmt: skip


# Reports, bans, the log ----------------------------------------------------------------------------
async def reports(house: House, *, done: bool, page: int) -> tuple[Part, ...]:
    """`GET /house/reports`. StoreFailed."""
    total, rows = await house.store.look(partial(social_rows.reports, done=done, page=page - 1))
    which = "done" if done else "open"
    return _draw(
        "house_reports", "Reports", "reports", cards=await _cards(house, rows), which=which,
        at=_pages(total, page, social_rows.PAGE, f"which={which}"),
    )  # fmt: skip


async def _cards(house: House, rows: Sequence[Report]) -> list[ReportCard]:
    def look(connection: sa.Connection) -> tuple[dict[int, list[Said]], dict[str, str], dict[str, str]]:
        kept = social_rows.evidence(connection, [row.id for row in rows])
        guests = {guest for row in rows for guest in (row.guest, row.about)}
        return kept, admin_rows.names(connection, guests), admin_rows.pictures(connection, guests)

    kept, names, pictures = await house.store.look(look)
    now = time.time()
    bans = {row.about: house.bans.ban_of(row.about, "") for row in rows}
    reasons: dict[str, str] = {str(reason): words for reason, words in REASONS.items()}
    return [
        ReportCard(
            row, reasons.get(row.reason, row.reason), age(now - row.created),
            _who(row.guest, names) if row.guest else None, _who(row.about, names, pictures),
            [(said, Who(said.guest, said.name)) for said in kept[row.id]],
            _ban(ban, names.get(row.about), now) if (ban := bans[row.about]) else None,
        ) for row in rows
    ]  # fmt: skip


async def bans(house: House, page: int) -> tuple[Part, ...]:
    """`GET /house/bans`. StoreFailed."""

    def look(connection: sa.Connection) -> tuple[int, list[tuple[Ban, str | None]], dict[str, str]]:
        total, rows = admin_rows.bans(connection, page - 1)
        return total, rows, admin_rows.pictures(connection, {row.guest for row, _ in rows})

    total, rows, pictures = await house.store.look(look)
    now = time.time()
    lines = [_ban(row, name, now, pictures) for row, name in rows]
    return _draw("house_bans", "Bans", "bans", rows=lines, at=_pages(total, page))


def _ban(row: Ban, name: str | None, now: float, pictures: Mapping[str, str] | None = None) -> BanLine:
    who = _who(row.guest, {row.guest: name} if name else {}, pictures) if row.guest else None
    if row.lifted is not None:
        return BanLine(row, who, f"lifted {_moment(row.lifted)}", in_force=False)
    if row.until is None:
        return BanLine(row, who, "for good", in_force=True)
    if row.until <= now:
        return BanLine(row, who, f"ended {_moment(row.until)}", in_force=False)
    return BanLine(row, who, f"until {_moment(row.until)}", in_force=True)


async def log(house: House, page: int) -> tuple[Part, ...]:
    """`GET /house/log`. StoreFailed."""
    total, rows = await house.store.look(partial(admin_rows.acts, page=page - 1))
    found = await house.store.look(stored.moderators)
    names = {one.id[:LOGGED]: one.name for one in found}
    return _draw("house_log", "Log", "log", rows=[_act(row, names) for row in rows], at=_pages(total, page))


def _act(row: Act, moderators: Mapping[str, str]) -> ActLine:
    href = ""
    if row.kind in ("ban", "lift", "reset", "promote", "demote") and row.about.isalnum() and "." not in row.about:
        href = f"/house/people/{row.about}"
    elif row.kind in PLACES:
        href = f"{PLACES[row.kind]}/{row.about}"
    return ActLine(row, _moment(row.at), ACTS.get(row.kind, row.kind), href, moderators.get(row.keeper, ""))
