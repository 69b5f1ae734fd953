"""The pages of clubs: the list, a club, and the page to which a club's link leads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa
from markupsafe import Markup

from parlour.games import all_games
from parlour.house.accounts.guests import MAX_CLUB, Guest
from parlour.house.clubs import deeds, rows
from parlour.house.clubs.deeds import MOST_ABOUT
from parlour.house.clubs.rows import LEADERS, Club, Entry, Listed, Member, Role
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.lobby.pages import age
from parlour.house.profiles.pages import choices_from, portrait
from parlour.house.profiles.pictures import default, shown
from parlour.house.ratings.strength import in_points
from parlour.house.site import drawing
from parlour.house.site.addresses import page_of
from parlour.house.site.titles import title_of

ENTRIES = {
    "open": "Open to every account", "ask": "By request", "link": "By link only, and not listed",
}  # fmt: skip
WAYS = {"open": "open", "ask": "by request", "link": "by link"}
ROLES = {"owner": "Owner", "organiser": "Organiser", "member": ""}


class Card(NamedTuple):
    """A club in a list. `mine`: the viewer's role there, in words."""

    address: str
    name: str
    about: str
    portrait: Markup
    members: str
    way: str
    mine: str


class Person(NamedTuple):
    """A member as the page shows them. `rating` is of the ruleset `title`, and `sure` once it is not provisional."""

    name: str
    page: str
    portrait: Markup
    role: Role
    word: str
    since: str
    title: str
    rating: str
    sure: bool
    mine: bool


class News(NamedTuple):
    """A finished game of several members: what was played, and who won, in words."""

    replay: str
    title: str
    words: str
    when: str


class ClubView(NamedTuple):
    """What a club's page shows. `mine` is the viewer's standing, `entry` how they get in, as they may know it, `link`
    the club's link for those who lead it."""

    club: Club
    portrait: Markup
    mine: rows.Standing
    leads: bool
    owns: bool
    entry: Entry
    way: str
    since: str
    members: tuple[Person, ...]
    waiting: tuple[tuple[str, str, Markup, str], ...]
    news: tuple[News, ...]
    link: str


# The list ------------------------------------------------------------------------------------------
async def clubs(house: House, guest: Guest, page: int) -> tuple[Part, ...]:
    """`GET /clubs`: the viewer's clubs, a page of the others that are listed, and the form that founds one."""

    def look(connection: sa.Connection) -> tuple[list[Listed], tuple[int, list[Listed]]]:
        return rows.of(connection, guest.id), rows.listed(connection, guest.id, page - 1, others=True)

    mine, (total, found) = await house.store.look(look)
    new = default(f"club of {guest.id} {len(mine)}")
    return drawing.page(
        "clubs", "Clubs", guest, script="me", sheet="people.css profile.css clubs.css",
        mine=[*map(_card, mine)], listed=[*map(_card, found)], total=total, at=page,
        pages=max(1, -(-total // rows.PAGE)), looks=choices_from(new), portrait=portrait("", " ".join(new)),
        entries=ENTRIES, longest=MAX_CLUB, most_about=MOST_ABOUT, most_owned=rows.MOST_OWNED,
        most_members=rows.MOST_MEMBERS,
    )  # fmt: skip


async def listed(house: House, guest: Guest, page: int) -> tuple[int, list[Listed]]:
    """Return how many clubs there are, and a page of them from 1; for page 0 those that a guest is in. StoreFailed."""
    if page:
        return await house.store.look(partial(rows.listed, guest=guest.id, page=page - 1))
    mine = await house.store.look(partial(rows.of, guest=guest.id))
    return len(mine), mine


def _card(one: Listed) -> Card:
    words = {"owner": "you own it", "organiser": "you organise it", "member": "you’re in", "asked": "you asked to join"}
    members = f"{one.members} member{'s' if one.members != 1 else ''}"
    return Card(
        f"/clubs/{one.club.id}", one.club.name, one.club.about, portrait("", one.club.picture), members,
        WAYS[one.club.entry], words.get(one.mine, ""),
    )  # fmt: skip


async def cards_of(house: House, guest: str, *, public: bool) -> tuple[Card, ...]:
    """Return the clubs of a person for their page; `public`: those that everyone can find. Raises StoreFailed."""
    found = await house.store.look(partial(rows.of, guest=guest, public=public))
    return tuple(_card(one)._replace(mine="") if public else _card(one) for one in found)


# A club --------------------------------------------------------------------------------------------
async def view_of(house: House, guest: Guest, club: str, shared_url: str) -> ClubView:
    """Return a club as a guest may see it. Errors: NotFound, StoreFailed."""
    now = time.time()

    def look(
        connection: sa.Connection,
    ) -> tuple[Club, rows.Standing, bool, list[Member], list[tuple[str, str, float]], list[rows.Game]]:
        row = rows.club(connection, club)
        mine = rows.standings(connection, guest.id, [club]).get(club, "")
        shut = not mine and rows.is_shut(connection, club, guest.id)
        asks = rows.waiting(connection, club) if mine in LEADERS else []
        return row, mine, shut, rows.members(connection, club), asks, rows.games(connection, club, now)

    row, mine, shut, members, asks, games = await house.store.look(look)
    entry: Entry = "link" if shut else row.entry
    blocked = (await house.regards.of(guest.id)).blocked
    return ClubView(
        row, portrait("", row.picture), mine, mine in LEADERS, mine == "owner", entry, WAYS[entry], _month(row.created),
        tuple(_person(one, guest) for one in members),
        tuple(
            (name, page_of(name), portrait(asker), age(now - at)) for asker, name, at in asks if asker not in blocked
        ),
        tuple(_news(one, now) for one in games),
        f"{shared_url}/clubs/join/{row.token}" if mine in LEADERS else "",
    )  # fmt: skip


def club_page(
    view: ClubView, guest: Guest, season: object = None, tournaments: Sequence[object] = ()
) -> tuple[Part, ...]:
    """`GET /clubs/CLUB`: a club."""
    now = shown(view.club.id, view.club.picture)
    return drawing.page(
        "club", view.club.name, guest, tuple(all_games().values()), script="me",
        sheet="people.css profile.css clubs.css", view=view, looks=choices_from(now), entries=ENTRIES, longest=MAX_CLUB,
        most_about=MOST_ABOUT, days=round(rows.RECENT / 86400), season=season, tournaments=tournaments,
    )  # fmt: skip


async def invited(house: House, guest: Guest, token: str) -> tuple[Part, ...]:
    """`GET /clubs/join/TOKEN`: a club to someone who has its link. Raises BadLink."""

    def look(connection: sa.Connection) -> tuple[Club, rows.Standing, list[Member]]:
        row = deeds.linked(connection, token, guest.id)
        mine = rows.standings(connection, guest.id, [row.id]).get(row.id, "")
        return row, mine, rows.members(connection, row.id)

    row, mine, members = await house.store.look(look)
    people = [_person(one, guest) for one in members]
    return drawing.page(
        "club_join", f"Join {row.name}", guest, script="me", sheet="people.css profile.css clubs.css", club=row,
        portrait=portrait("", row.picture), mine=mine, members=people, token=token,
    )  # fmt: skip


def _person(one: Member, guest: Guest) -> Person:
    return Person(
        one.name, page_of(one.name), portrait(one.guest, one.picture), one.role, ROLES[one.role],
        time.strftime("%b %Y", time.gmtime(one.since)), title_of(one.game, one.ruleset) if one.game else "",
        in_points(one.mu) if one.game else "", one.sure, one.guest == guest.id,
    )  # fmt: skip


def _news(one: rows.Game, now: float) -> News:
    return News(
        f"/t/{one.table}/replay", title_of(one.game, one.ruleset), _won(one.names, one.shares), age(now - one.at)
    )


def _won(names: Sequence[str], shares: Sequence[float]) -> str:
    """Return who won against whom, in words; only who played if that is not known."""
    if len(shares) != len(names) or not any(shares):
        return ", ".join(names)
    ahead = [name for name, share in zip(names, shares, strict=True) if share > 0]
    rest = [name for name, share in zip(names, shares, strict=True) if share <= 0]
    if len(ahead) == 1 and rest:
        return f"{ahead[0]} won against {_and(rest)}"
    return f"{_and(ahead)} shared the win" + (f" against {_and(rest)}" if rest else "")


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _month(at: float) -> str:
    return time.strftime("%b %Y", time.gmtime(at))
