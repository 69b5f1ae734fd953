"""Answer with the ratings of a ruleset: of people and bots, and of programs apart."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, QueryParameter

from parlour.analysis.skill import points, spread
from parlour.core.errors import UnknownName
from parlour.games import find
from parlour.house.http.bearer import READS, TAKES_TOKENS
from parlour.house.http.rates import READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import TheHouse
from parlour.house.ratings import ladder
from parlour.house.ratings.pages import ranked
from parlour.house.ratings.rows import BOT, Standing


class Rated(msgspec.Struct, frozen=True):
    """A rating: of an account by its `name`, or of the programs of that account; or of a `bot` by its level. Everyone
    starts at 1500; 400 more means winning ten times as often. `sigma` is its uncertainty, a standard deviation."""

    name: str
    bot: str
    rating: float
    sigma: float
    games: int
    provisional: bool


class Measured(msgspec.Struct, frozen=True):
    """How strong a bot is against the other bots, from `games` in the arena, which set one of them to 1500; with half
    of the 95 % interval. `at_most`: it lost all games to the next, so only a bound is known."""

    bot: str
    rating: int
    spread: int
    at_most: bool


class RatingList(msgspec.Struct, frozen=True):
    """The ratings of a ruleset, the best first and provisional ones last: a page of the `total` people; the bots, from
    the rated games that people played with them; the best programs, with the bots that these played, which are rated
    among themselves; and the bots as the arena measured them, on a scale of their own."""

    game: str
    ruleset: str
    total: int
    players: tuple[Rated, ...]
    programs: tuple[Rated, ...]
    bots: tuple[Rated, ...]
    measured: tuple[Measured, ...]


@get("/games/{game:str}/ratings", responses=refusals(400, *TAKES_TOKENS, 404), opt=READING.costs(3) | READS)
async def ratings(
    game: FromPath[str],
    house: TheHouse,
    ruleset: FromQuery[str | None] = None,
    page: Annotated[int, QueryParameter(ge=1, le=10_000)] = 1,
) -> RatingList:
    """Return the ratings of a game in one of its rulesets, the first by default: 50 people a page, the bots, and the
    best 50 programs, which are rated apart."""
    found = find(game)
    named = found.rulesets[0] if ruleset is None else ruleset
    if named not in found.rulesets:
        raise UnknownName(f"{found.name} has no ruleset {named[:64]!r}.", allowed=found.rulesets)
    rows = await ranked(house, found, named, page)
    levels = [Standing("", one.player.removeprefix(BOT), one.mu, one.sigma, one.games, one.sure) for one in rows.bots]
    climbed = ladder.ladder(found, named)
    return RatingList(
        found.name, named, rows.total, tuple(map(_rated, rows.people)), tuple(map(_rated, rows.programs)),
        tuple(map(_rated, levels)),
        tuple(Measured(*one) for one in ladder.measured(found, climbed)) if climbed else (),
    )  # fmt: skip


def _rated(one: Standing) -> Rated:
    return Rated(one.name, one.level, points(one.mu), spread(one.sigma), one.games, not one.sure)


HANDLERS: list[HTTPRouteHandler] = [ratings]
