"""The addresses of clubs and their pages."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from parlour.house.clubs import deeds, pages
from parlour.house.clubs.rows import Entry, Role, Standing
from parlour.house.clubs.seasons import api as season_api
from parlour.house.clubs.seasons import pages as season_pages
from parlour.house.http.answering import page as page_answer
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse, TheUrl
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent
MOST_PAGES = 10_000  # of the list of clubs

Id = FromPath[str]
SeasonNumber = Annotated[int, QueryParameter(ge=0, le=MOST_PAGES)]
Page = Annotated[int, QueryParameter(ge=1, le=MOST_PAGES)]
NothingBody = JSONBody[Body]  # nothing is asked, so nothing may be sent


class ClubMade(msgspec.Struct, frozen=True):
    """A club: its id, and the address of its page."""

    id: str
    url: str


class ClubJoined(msgspec.Struct, frozen=True):
    """What you are in the club now: its owner, an organiser, a member, or one who asked to join. `url` is its page."""

    status: Standing
    url: str


class ClubLink(msgspec.Struct, frozen=True):
    """The new link of a club."""

    link: str


class ClubMember(msgspec.Struct, frozen=True):
    """A member. `rating` is that of the ruleset that most of their rated games are of, "" without one."""

    name: str
    role: Role
    rating: str
    ruleset: str


class ClubData(msgspec.Struct, frozen=True):
    """A club. `mine` is what you are there: also "asked", or "" for no member. `entry` is how you can get in."""

    id: str
    name: str
    about: str
    entry: Entry
    mine: Standing
    members: tuple[ClubMember, ...]


class ClubListed(msgspec.Struct, frozen=True):
    """A club in a list. `mine` is what you are there: also "asked", or "" for no member."""

    id: str
    name: str
    about: str
    entry: Entry
    members: int
    mine: Standing


class Clubs(msgspec.Struct, frozen=True):
    """A page of clubs, from 1, and how many there are in all."""

    total: int
    page: int
    clubs: tuple[ClubListed, ...]


# As data -------------------------------------------------------------------------------------------
@post("/clubs", status_code=200, responses=refusals(*SENT, 409), opt=TABLES.costs(3))
async def found(data: JSONBody[deeds.ClubBody], house: TheHouse, guest: TheGuest, own_url: TheUrl) -> ClubMade:
    """Found a club, which you then own. You need an account. `entry` says how others get in: `open`, `ask` or
    `link`."""
    club = await deeds.found(house, guest, data)
    return ClubMade(club, f"{own_url}/clubs/{club}")


@get("/clubs", responses=refusals(400), opt=READING.costs(4))
async def listing(house: TheHouse, guest: TheGuest, page: Page = 1, mine: FromQuery[bool] = False) -> Clubs:
    """Return clubs that are listed, 24 at a time, the largest first; with `mine`, all that you are in."""
    total, found = await pages.listed(house, guest, 0 if mine else page)
    clubs = tuple(
        ClubListed(one.club.id, one.club.name, one.club.about, one.club.entry, one.members, one.mine) for one in found
    )
    return Clubs(total, page, clubs)


@get("/clubs/{club:str}", responses=refusals(400, 404), opt=READING.costs(4))
async def data(club: Id, house: TheHouse, guest: TheGuest, own_url: TheUrl) -> ClubData:
    """Return a club with its members."""
    view = await pages.view_of(house, guest, club, own_url)
    members = tuple(ClubMember(one.name, one.role, one.rating, one.title) for one in view.members)
    return ClubData(view.club.id, view.club.name, view.club.about, view.entry, view.mine, members)


@post("/clubs/{club:str}/change", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def change(club: Id, data: JSONBody[deeds.ClubBody], house: TheHouse, guest: TheGuest) -> Done:
    """Change your club: its name, description, picture, and how people get in. Owner and organisers."""
    await deeds.change(house, club, guest, data)
    return Done()


@post("/clubs/{club:str}/join", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def join(
    club: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
    own_url: TheUrl,
) -> ClubJoined:
    """Join a club that is open, or ask to join it. You need an account."""
    return ClubJoined(await deeds.join(house, club, guest), f"{own_url}/clubs/{club}")


@post("/clubs/join", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def join_by_link(
    data: JSONBody[deeds.ClubTokenBody], house: TheHouse, guest: TheGuest, own_url: TheUrl
) -> ClubMade:
    """Join a club by the token of its link. You need an account."""
    club = await deeds.join_by_link(house, guest, data)
    return ClubMade(club, f"{own_url}/clubs/{club}")


@post("/clubs/{club:str}/leave", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def leave(
    club: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Leave a club and its seasons, or withdraw your request. An owner hands it over first, unless no one else is in
    it: then it is deleted."""
    await deeds.leave(house, club, guest)
    return Done()


@post("/clubs/{club:str}/answer", status_code=200, responses=refusals(*SENT, 404, 409), opt=TABLES.costs(1))
async def answer(club: Id, data: JSONBody[deeds.ClubAnswerBody], house: TheHouse, guest: TheGuest) -> Done:
    """Accept someone's request to join, or decline it with `off`. Owner and organisers."""
    await deeds.answer(house, club, guest, data)
    return Done()


@post("/clubs/{club:str}/remove", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def remove(club: Id, data: JSONBody[deeds.ClubMemberBody], house: TheHouse, guest: TheGuest) -> Done:
    """Remove a member: organisers members, the owner everyone else. Block them too if they are to stay out."""
    await deeds.remove(house, club, guest, data)
    return Done()


@post("/clubs/{club:str}/role", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def role(club: Id, data: JSONBody[deeds.ClubRoleBody], house: TheHouse, guest: TheGuest) -> Done:
    """Make a member an organiser, or a member again. A new `owner` takes the club over. Owner only."""
    await deeds.set_role(house, club, guest, data)
    return Done()


@post("/clubs/{club:str}/link", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def renew(
    club: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
    shared_url: TheUrl,
) -> ClubLink:
    """Make the link of your club anew. The old one no longer works. Owner and organisers."""
    return ClubLink(f"{shared_url}/clubs/join/{await deeds.renew(house, club, guest)}")


@post("/clubs/{club:str}/delete", status_code=200, responses=refusals(*SENT, 404), opt=TABLES.costs(1))
async def delete(
    club: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Delete your club with its seasons. Its tournaments stay. Owner only."""
    await deeds.delete(house, club, guest)
    return Done()


# Pages ---------------------------------------------------------------------------------------------
@get("/clubs", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(4))
async def clubs(request: Asked, house: TheHouse, guest: TheGuest, page: Page = 1) -> Response[bytes]:
    """Show your clubs, and all that are listed."""
    return await page_answer(request, await pages.clubs(house, guest, page))


@get("/clubs/{club:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(8))
async def club(
    request: Asked, club: Id, house: TheHouse, guest: TheGuest, shared_url: TheUrl, season: SeasonNumber = 0
) -> Response[bytes]:
    """Show a club: its members, tournaments and news, and a season by its number, or the present one."""
    view = await pages.view_of(house, guest, club, shared_url)
    member = view.mine not in ("", "asked")
    shown = await season_pages.season_of(house, guest, club, leads=view.leads, member=member, number=season)
    tournaments = await season_pages.tournaments_of(house, club)
    return await page_answer(request, pages.club_page(view, guest, shown, tournaments))


@get("/clubs/join/{token:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(4))
async def invited(request: Asked, token: FromPath[str], house: TheHouse, guest: TheGuest) -> Response[bytes]:
    """Show a club to someone who has its link. Requesting the page changes nothing, because programs that preview
    links request it too."""
    answer = await page_answer(request, await pages.invited(house, guest, token))
    answer.headers["Referrer-Policy"] = "no-referrer"  # its requests would reveal the link to a proxy's log
    return answer


API: list[HTTPRouteHandler] = [
    found, listing, data, change, join, join_by_link, leave, answer, remove, role, renew, delete, *season_api.API,
]  # fmt: skip
PAGES: list[HTTPRouteHandler] = [clubs, club, invited]
