"""Answer with the ratings of a ruleset: of people and bots, and of programs apart."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, QueryParameter

from parlour.core.errors import UnknownName
from parlour.games import find
from parlour.house.http.bearer import READS, TAKES_TOKENS
from parlour.house.http.rates import READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import TheHouse
from parlour.house.ratings.pages import ranked
from parlour.house.ratings.rows import Standing


class Rated(msgspec.Struct, frozen=True):
    """A rating: of an account by its `name`, or of the programs of that account; or of a `bot` by its level. `sigma` is
    its uncertainty, a standard deviation."""

    name: str
    bot: str
    rating: float
    sigma: float
    games: int
    provisional: bool


class RatingList(msgspec.Struct, frozen=True):
    """The ratings of a ruleset, the best first and provisional ones last: a page of the `total` people and bots, and
    the best programs, with the bots that these played, which are rated among themselves."""

    game: str
    ruleset: str
    total: int
    players: tuple[Rated, ...]
    programs: tuple[Rated, ...]


@get("/games/{game:str}/ratings", responses=refusals(400, *TAKES_TOKENS, 404), opt=READING.costs(3) | READS)
async def ratings(
    game: FromPath[str],
    house: TheHouse,
    ruleset: FromQuery[str | None] = None,
    page: Annotated[int, QueryParameter(ge=1, le=10_000)] = 1,
) -> RatingList:
    """Return the ratings of a game in one of its rulesets, the first by default: 50 people and bots a page, and the
    best 50 programs, which are rated apart."""
    found = find(game)
    named = found.rulesets[0] if ruleset is None else ruleset
    if named not in found.rulesets:
        raise UnknownName(f"{found.name} has no ruleset {named[:64]!r}.", allowed=found.rulesets)
    total, players, programs = await ranked(house, found, named, page)
    return RatingList(found.name, named, total, tuple(map(_rated, players)), tuple(map(_rated, programs)))


def _rated(one: Standing) -> Rated:
    return Rated(one.name, one.level, one.mu, one.sigma, one.games, not one.sure)


HANDLERS: list[HTTPRouteHandler] = [ratings]
