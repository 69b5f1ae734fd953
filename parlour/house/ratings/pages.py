"""Ratings as pages show them: a player's own, each with its course, and the best of a ruleset (`/best/GAME`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour.analysis.intervals import SURE
from parlour.core.game import Game
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings.rows import DAY, OFTEN, PAGE, Point, Rating, Standing
from parlour.house.site import drawing
from parlour.house.site.addresses import best_address, page_of
from parlour.house.site.titles import title_of
from parlour.house.table.storage.rows import called

HEIGHT, ROOM = 40.0, 4.0  # of a graph: units; the least difference in rating that fills it
SHOWN = 12  # ratings of a player at most, those with the most games


class Shown(NamedTuple):
    """A rating, and its graph in a picture of 100 by HEIGHT: the `line`, in the middle of the `band` that contains
    the true rating with 95% probability. `high` and `low` are the ratings at the picture's edges; `words` say the
    same."""

    title: str
    best: str
    rating: str
    spread: str
    sure: bool
    games: int
    line: str
    band: str
    high: str
    low: str
    words: str


class Place(NamedTuple):
    """A row of the best. `rank` is "" where the rating is provisional; a bot has no page."""

    rank: str
    name: str
    page: str
    bot: bool
    mine: bool
    rating: str
    spread: str
    games: int


async def ratings_of(house: House, guest: str) -> tuple[Shown, ...]:
    """Return a guest's ratings, with their courses. Raises StoreFailed."""

    def look(connection: sa.Connection) -> list[tuple[Rating, list[Point]]]:
        found = rating_rows.of(connection, guest)[:SHOWN]
        return [(one, rating_rows.points(connection, guest, one.game, one.ruleset)) for one in found]

    return tuple(shown(one, course) for one, course in await house.store.look(look))


def shown(one: Rating, course: Sequence[Point]) -> Shown:
    """Return a rating as a page shows it."""
    edges = [(point.mu - SURE * point.sigma, point.mu, point.mu + SURE * point.sigma) for point in course]
    low, high = (min(edge[0] for edge in edges), max(edge[2] for edge in edges)) if edges else (one.mu, one.mu)
    if high - low < ROOM:
        low, high = (low + high - ROOM) / 2, (low + high + ROOM) / 2
    xs = [100 * i / max(1, len(edges) - 1) for i in range(len(edges))]
    if len(edges) == 1:  # one game makes a horizontal line
        edges, xs = edges * 2, [0.0, 100.0]

    def drawn(which: int) -> list[str]:
        return [
            f"{x:.1f},{HEIGHT * (high - edge[which]) / (high - low):.1f}" for x, edge in zip(xs, edges, strict=True)
        ]

    title = title_of(one.game, one.ruleset)
    first = f"{course[0].mu:.1f}" if course else ""
    words = f"The rating in {title} over the last {len(course)} rated games: from {first} to {one.mu:.1f}."
    if len(course) == 1:
        words = f"The rating in {title} after 1 rated game: {one.mu:.1f}."
    return Shown(
        title, best_address(one.game, one.ruleset), f"{one.mu:.1f}", f"{SURE * one.sigma:.1f}", one.sure, one.games,
        " ".join(drawn(1)), " ".join([*drawn(2), *reversed(drawn(0))]), f"{high:.0f}", f"{low:.0f}", words,
    )  # fmt: skip


async def ranked(house: House, game: Game, ruleset: str, page: int) -> tuple[int, list[Standing], list[Standing]]:
    """Return the number of rated players of a ruleset, a page of them, from 1, and the best programs, which are rated
    apart. Raises StoreFailed."""

    def look(connection: sa.Connection) -> tuple[int, list[Standing], list[Standing]]:
        total, rows = rating_rows.best(connection, game.name, ruleset, page - 1)
        _, programs = rating_rows.best(connection, game.name, ruleset, 0, programs=True)
        return total, rows, programs

    return await house.store.look(look)


async def best(house: House, guest: Guest, game: Game, ruleset: str, page: int) -> tuple[Part, ...]:
    """`GET /best/GAME`: who plays a ruleset best, people and bots. Pages are counted from 1. StoreFailed."""
    total, rows, apart = await ranked(house, game, ruleset, page)
    places = [_place(one, (page - 1) * PAGE + i + 1, guest) for i, one in enumerate(rows)]
    programs = [
        place._replace(name=called(place.name, program=not place.bot))
        for place in (_place(one, i + 1, guest) for i, one in enumerate(apart))
    ]
    rulesets = [
        (best_address(game.name, name), game.ruleset_line(name).partition(":")[0], name == ruleset)
        for name in game.rulesets
        if name
    ]
    address = best_address(game.name, ruleset)
    return drawing.page(
        "best", f"Best at {title_of(game.name, ruleset)}", guest, script="me", sheet="people.css",
        what=title_of(game.name, ruleset), game=game, ruleset=ruleset, rulesets=rulesets, total=total, at=page,
        sure=[one for one in places if one.rank], unsure=[one for one in places if not one.rank],
        number=max(1, -(-total // PAGE)), address=f"{address}{'&' if '?' in address else '?'}page=",
        programs=programs, often=OFTEN, hours=round(DAY / 3600), bound=round(SURE * rating_rows.SURE),
    )  # fmt: skip


def _place(one: Standing, rank: int, guest: Guest) -> Place:
    bot = not one.name
    return Place(
        str(rank) if one.sure else "", f"{one.level.capitalize()} bot" if bot else one.name,
        "" if bot else page_of(one.name), bot, guest.claimed and not bot and one.name == guest.name, f"{one.mu:.1f}",
        f"{SURE * one.sigma:.1f}", one.games,
    )  # fmt: skip
