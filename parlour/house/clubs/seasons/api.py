"""The addresses of seasons, and of a club's tournaments."""

from __future__ import annotations

import msgspec
from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from parlour.house.clubs.deeds import led
from parlour.house.clubs.seasons import deeds, pages
from parlour.house.clubs.seasons.rows import Status
from parlour.house.errors import NotFound
from parlour.house.http.rates import READING, TABLES
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import TheGuest, TheHouse, TheUrl
from parlour.house.table.play.seating import Body
from parlour.house.table.web.answers import Done, Made
from parlour.house.tournaments import deeds as tournament_deeds

SENT = (400, 403, 404, 409, 413, 415)  # what may be wrong with anything that is sent

Id = FromPath[str]
NothingBody = JSONBody[Body]  # nothing is asked, so nothing may be sent


class SeasonMade(msgspec.Struct, frozen=True):
    """The id of a season."""

    id: str


class SeasonPlayer(msgspec.Struct, frozen=True):
    """A player of a division, as it stands. `move` is "rises" or "falls" if the season ended so, else ""."""

    name: str
    points: str
    games: int
    move: str


class SeasonData(msgspec.Struct, frozen=True):
    """A season. Before it starts, `entered` are those who will play; then each division lists its players, the best
    first. `starts` is in seconds since 1970, null if an organiser starts it."""

    id: str
    number: int
    status: Status
    game: str
    size: int
    movers: int
    starts: float | None
    entered: tuple[str, ...]
    divisions: tuple[tuple[SeasonPlayer, ...], ...]
    tournaments: tuple[str, ...]


@post("/clubs/{club:str}/seasons", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(3))
async def plan(club: Id, data: JSONBody[deeds.SeasonBody], house: TheHouse, guest: TheGuest) -> SeasonMade:
    """Plan a season of your club: divisions of `size` players, in each of which everyone meets everyone else. At its
    end the best `movers` of each division rise and the last fall. Without `starts`, you start it. Owner and
    organisers."""
    return SeasonMade(await deeds.plan(house, club, guest, data))


@get("/clubs/{club:str}/seasons/{season:str}", responses=refusals(400, 404), opt=READING.costs(6))
async def data(club: Id, season: Id, house: TheHouse, guest: TheGuest) -> SeasonData:
    """Return a season with its divisions."""
    row = await deeds.of_club(house, club, season)
    view = await pages.season_of(house, guest, club, leads=False, member=False, number=row.number)
    if view.season is None:
        raise NotFound("There is no such season. It was cancelled.")
    divisions = tuple(
        tuple(SeasonPlayer(line.name, line.points, line.games, line.move) for line in one.lines)
        for one in view.divisions
    )
    tournaments = tuple(one.address.rpartition("/")[2] for one in view.divisions)
    return SeasonData(
        row.id, row.number, row.status, str(row.play["game"]), row.size, row.movers, row.starts,
        tuple(name for name, _, _ in view.entered), divisions, tournaments,
    )  # fmt: skip


@post("/clubs/{club:str}/seasons/{season:str}/enter", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def enter(
    club: Id,
    season: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Enter a planned season of your club."""
    await deeds.enter(house, club, season, guest)
    return Done()


@post(
    "/clubs/{club:str}/seasons/{season:str}/withdraw", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1)
)
async def withdraw(
    club: Id,
    season: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Leave a season: a planned one without a trace, or the tournament of your division in one that is under way."""
    await deeds.withdraw(house, club, season, guest)
    return Done()


@post("/clubs/{club:str}/seasons/{season:str}/start", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(10))
async def start(
    club: Id,
    season: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Start a planned season now, with four players at least. Owner and organisers."""
    await deeds.start(house, club, season, guest)
    return Done()


@post("/clubs/{club:str}/seasons/{season:str}/cancel", status_code=200, responses=refusals(*SENT), opt=TABLES.costs(1))
async def cancel(
    club: Id,
    season: Id,
    data: NothingBody,  # noqa: ARG001
    house: TheHouse,
    guest: TheGuest,
) -> Done:
    """Cancel a planned season. Owner and organisers."""
    await deeds.cancel(house, club, season, guest)
    return Done()


@post("/clubs/{club:str}/tournaments", responses=refusals(*SENT), opt=TABLES.costs(3))
async def announce(
    club: Id, data: JSONBody[tournament_deeds.TournamentBody], house: TheHouse, guest: TheGuest, own_url: TheUrl
) -> Made:
    """Announce a tournament of your club, which its members can join. Owner and organisers."""
    await led(house, club, guest)
    row = await tournament_deeds.create(house, guest, data, club=club)
    return Made(row.id, f"{own_url}/tournaments/{row.id}")


API: list[HTTPRouteHandler] = [plan, data, enter, withdraw, start, cancel, announce]
