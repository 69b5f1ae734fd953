"""Ratings as pages show them: a player's own, each with its course, and the best of a ruleset (`/best/GAME`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from parlour import bots
from parlour.analysis.intervals import SURE
from parlour.analysis.skill import MIDDLE, points, spread
from parlour.core.game import Game
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.profiles.pictures import of_bot
from parlour.house.profiles.pictures import shown as shown_of
from parlour.house.ratings import rows as rating_rows
from parlour.house.ratings.ladder import ladder, measured
from parlour.house.ratings.rows import BOT, DAY, OFTEN, PAGE, Point, Rating, Standing
from parlour.house.ratings.strength import in_points
from parlour.house.site import drawing
from parlour.house.site.addresses import best_address, page_of
from parlour.house.site.titles import title_of
from parlour.house.table.storage.rows import called

HEIGHT, ROOM = 40.0, 120.0  # of a graph: units; the least difference in rating that fills it
CHARTED = 5  # rated games from which there is a graph; before that it would be a flat band
SHOWN = 12  # ratings of a player at most, those with the most games


class Few(NamedTuple):
    """A rating after so few games that there is no graph yet: the interval that contains the true rating with 95%
    probability, from `low` to `high`, and the rating itself, in hundredths of a picture that also holds a newcomer's
    interval; how many games were `played` and are `left` until there is a graph."""

    low: float
    at: float
    high: float
    played: int
    left: int


class Shown(NamedTuple):
    """A rating, and its graph in a picture of 100 by HEIGHT: the `line`, in the middle of the `band` that contains
    the true rating with 95% probability. `high` and `low` are the ratings at the picture's edges; `words` say the
    same. With `few` games they are those of the interval, and there is no graph."""

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
    few: Few | None = None


class Place(NamedTuple):
    """A row of the best. `sure`: the rating is established; those that are not come after all that are. A bot has no
    page."""

    rank: str
    sure: bool
    name: str
    page: str
    bot: bool
    mine: bool
    rating: str
    spread: str
    games: int
    picture: str


async def ratings_of(house: House, guest: str) -> tuple[Shown, ...]:
    """Return a guest's ratings, with their courses. Raises StoreFailed."""

    def look(connection: sa.Connection) -> list[tuple[Rating, list[Point]]]:
        found = rating_rows.of(connection, guest)[:SHOWN]
        return [(one, rating_rows.points(connection, guest, one.game, one.ruleset)) for one in found]

    return tuple(shown(one, course) for one, course in await house.store.look(look))


def shown(one: Rating, course: Sequence[Point]) -> Shown:
    """Return a rating as a page shows it."""
    if one.games < CHARTED or len(course) < 2:
        return _begun(one)
    edges = [_interval(point.mu, point.sigma) for point in course]
    low, high = min(edge[0] for edge in edges), max(edge[2] for edge in edges)
    if high - low < ROOM:
        low, high = (low + high - ROOM) / 2, (low + high + ROOM) / 2
    xs = [100 * i / (len(edges) - 1) for i in range(len(edges))]

    def drawn(which: int) -> list[str]:
        return [
            f"{x:.1f},{HEIGHT * (high - edge[which]) / (high - low):.1f}" for x, edge in zip(xs, edges, strict=True)
        ]

    title = title_of(one.game, one.ruleset)
    first, last = in_points(course[0].mu), in_points(one.mu)
    words = f"The rating in {title} over the last {len(course)} rated games: from {first} to {last}."
    return Shown(
        title, best_address(one.game, one.ruleset), last, _bound(one.sigma), one.sure, one.games,
        " ".join(drawn(1)), " ".join([*drawn(2), *reversed(drawn(0))]), f"{high:.0f}", f"{low:.0f}", words,
    )  # fmt: skip


def _begun(one: Rating) -> Shown:
    """Return a rating after few games: where it is in what a newcomer's may be."""
    title, start = title_of(one.game, one.ruleset), rating_rows.START
    low, now, high = _interval(one.mu, one.sigma)
    least, _, most = _interval(start.mu, start.sigma)

    least, most = min(least, low), max(most, high)

    def place(rating: float) -> float:
        return round(100 * (rating - least) / (most - least), 1)

    return Shown(
        title, best_address(one.game, one.ruleset), in_points(one.mu), _bound(one.sigma), one.sure, one.games, "", "",
        f"{high:.0f}", f"{low:.0f}", f"The rating in {title} is probably between {low:.0f} and {high:.0f}.",
        Few(place(low), place(now), place(high), one.games, max(1, CHARTED - one.games)),
    )  # fmt: skip


def _interval(mu: float, sigma: float) -> tuple[float, float, float]:
    middle, half = points(mu), SURE * spread(sigma)
    return middle - half, middle, middle + half


def _bound(sigma: float) -> str:
    return f"{SURE * spread(sigma):.0f}"


class Ranked(NamedTuple):
    """The ratings of a ruleset: how many `total` people, a page of them, the best programs, and the bots that played
    rated games with people. Each of the three is rated apart or ranked apart."""

    total: int
    people: list[Standing]
    programs: list[Standing]
    bots: list[Rating]


class BotShown(NamedTuple):
    """A bot on the scale of the measured ones: its `at`, and the interval, in a picture 100 wide. `here`: its rating
    from rated games with people, in words."""

    name: str
    rating: str
    spread: str
    at: float | None
    low: float
    high: float
    here: str

    @property
    def picture(self) -> str:
        """Return what its picture is made of, in words."""
        return " ".join(of_bot(self.name))


async def ranked(house: House, game: Game, ruleset: str, page: int) -> Ranked:
    """Return the ratings of a ruleset, with a page of people, from 1. Raises StoreFailed."""

    def look(connection: sa.Connection) -> Ranked:
        total, rows = rating_rows.best(connection, game.name, ruleset, page - 1)
        _, programs = rating_rows.best(connection, game.name, ruleset, 0, programs=True)
        return Ranked(total, rows, programs, rating_rows.bots_in(connection, game.name, ruleset))

    return await house.store.look(look)


async def best(house: House, guest: Guest, game: Game, ruleset: str, page: int) -> tuple[Part, ...]:
    """`GET /best/GAME`: the best players of a ruleset, and the bots beside them. Pages count from 1. StoreFailed."""
    found = await ranked(house, game, ruleset, page)
    places = [_place(one, (page - 1) * PAGE + i + 1, guest) for i, one in enumerate(found.people)]
    programs = [
        place._replace(name=called(place.name, program=not place.bot))
        for place in (_place(one, i + 1, guest) for i, one in enumerate(found.programs))
    ]
    rulesets = [
        (best_address(game.name, name), game.ruleset_line(name).partition(":")[0], name == ruleset)
        for name in game.rulesets
        if name
    ]
    address = best_address(game.name, ruleset)
    return drawing.page(
        "best", f"Best at {title_of(game.name, ruleset)}", guest, script="me", sheet="people.css",
        what=title_of(game.name, ruleset), game=game, ruleset=ruleset, rulesets=rulesets, total=found.total, at=page,
        sure=[one for one in places if one.sure], unsure=[one for one in places if not one.sure],
        number=max(1, -(-found.total // PAGE)), address=f"{address}{'&' if '?' in address else '?'}page=",
        programs=programs, often=OFTEN, hours=round(DAY / 3600), bound=_bound(rating_rows.SURE),
        bots=bots_shown(game, ruleset, found.bots), ladder=(climbed := ladder(game, ruleset)), middle=MIDDLE,
        arena_games=f"{climbed.games:,}" if climbed else "",
        newcomer=_bound(rating_rows.START.sigma),
    )  # fmt: skip


def bots_shown(game: Game, ruleset: str, rated: Sequence[Rating]) -> list[BotShown]:
    """Return the bots of a ruleset: as the arena measured them, the best first; then those that it did not measure,
    in the order in which a person chooses from them; then those that only ratings know."""
    here = {one.player.removeprefix(BOT): one for one in rated}
    found = ladder(game, ruleset)
    known = [one for one in measured(game, found) if one.bot in bots.choices(game)] if found else []
    edges = [edge for one in known for edge in (one.rating - one.spread, one.rating + one.spread)]
    low, high = (min(edges), max(edges)) if edges else (0, 1)

    def place(rating: float) -> float:
        return round(2 + 96 * (rating - low) / max(1, high - low), 1)

    shown_bots = [
        BotShown(
            one.bot, f"{'≤ ' if one.below else ''}{one.rating}", f"{one.spread or ''}" if not one.below else "",
            place(one.rating), place(one.rating - one.spread), place(one.rating + one.spread), _here(here.get(one.bot)),
        ) for one in known
    ]  # fmt: skip
    rest = (*bots.choices(game), *(name for name in (*bots.names(game), *bots.LEVELS) if name in here))
    rest = tuple(name for name in dict.fromkeys(rest) if name not in {one.bot for one in known})
    return shown_bots + [BotShown(name, "", "", None, 0, 0, _here(here.get(name)) + _gone(game, name)) for name in rest]


def _gone(game: Game, name: str) -> str:
    """Return in words who plays for a level that the game has no longer, "" for a bot that it has."""
    stands = bots.standing(game, name)
    return f". No longer a level here: {stands} plays in its place." if stands != name else ""


def _here(one: Rating | None) -> str:
    """Return a bot's rating from games with people in words, "" without one."""
    if one is None:
        return ""
    return f"{in_points(one.mu)} ± {_bound(one.sigma)} in {one.games} rated game{'s' if one.games != 1 else ''} here"


def _place(one: Standing, rank: int, guest: Guest) -> Place:
    bot = not one.name
    return Place(
        str(rank), one.sure, f"{one.level.capitalize()} bot" if bot else one.name,
        "" if bot else page_of(one.name), bot, guest.claimed and not bot and one.name == guest.name, in_points(one.mu),
        _bound(one.sigma), one.games, " ".join(of_bot(one.level) if bot else shown_of(one.guest, one.picture)),
    )  # fmt: skip
