"""What people show of themselves, on the page You and on a player's page: a picture, streaks, favourite games, moments
and achievements. Of games that were not listed, only their own player sees anything."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa
from markupsafe import Markup

from parlour.core.achieving import achievements
from parlour.core.contract import Achievement
from parlour.core.game import Game
from parlour.core.scene import SPECTATOR
from parlour.core.still import still
from parlour.games import all_games
from parlour.house.errors import BadInput
from parlour.house.house import House
from parlour.house.profiles import rows
from parlour.house.profiles.achieving import work_out
from parlour.house.profiles.pictures import GROUNDS, INKS, PARTS, Picture, drawn, shown
from parlour.house.profiles.rows import MOST_MOMENTS, Earned, Moment
from parlour.house.ratings import results
from parlour.house.ratings.results import Result, Tally, Wanted
from parlour.house.site import files
from parlour.house.site.drawing import AVATARS, cover, rules_address
from parlour.house.site.titles import title_of
from parlour.house.table.live.made import state_at
from parlour.house.table.live.table import Table

AT_ONCE = 3  # games whose achievements are worked out before a page is drawn
FAVOURITES = 3  # rulesets
FEW = 5  # covers on an empty page
DAY = 86400  # seconds; days are those of UTC, as the house does not know where people live
AHEAD = ("won", "shared")  # results that continue a streak of wins


class Streaks(NamedTuple):
    """Days in a row (UTC) on which a game ended, and games in a row that were won: now, and at most ever."""

    days: int
    most_days: int
    wins: int
    most_wins: int


class Favourite(NamedTuple):
    """A ruleset that was played most. `cover`: the game whose cover shows it, "" if this house no longer has it."""

    title: str
    cover: str
    games: int
    words: str


class MomentView(NamedTuple):
    """A pinned moment: its picture, the step of the replay, who played, and the game."""

    table: str
    place: int
    title: str
    names: str
    picture: str
    replay: str
    listed: bool


class Item(NamedTuple):
    """An achievement: what it is, the address of its clause, and where it was first earned, "" if it is not yet."""

    name: str
    sentence: str
    clause: str
    rule: str
    replay: str
    when: str
    times: int


class Shelf(NamedTuple):
    """The achievements of a game, the earned ones first."""

    title: str
    cover: str
    items: tuple[Item, ...]
    earned: int
    total: int


class Profile(NamedTuple):
    """What a page shows of a person. `covers`: the symbols of the covers; `themes`: the address of their colours."""

    portrait: Markup
    since: str
    streaks: Streaks
    favourites: tuple[Favourite, ...]
    moments: tuple[MomentView, ...]
    shelves: tuple[Shelf, ...]
    covers: Markup
    themes: str
    some: tuple[str, ...]  # games whose covers fill an empty page
    most: int
    more: bool  # games that are not worked out yet


class Choice(NamedTuple):
    """A part of a picture: its name, its SVG or its colour, and whether it is the present one."""

    name: str
    svg: Markup
    colour: str
    chosen: bool


def portrait(guest: str, chosen: str = "") -> Markup:
    """Return a person's picture as SVG: what they have chosen, else the one that follows from their id."""
    return avatar(shown(guest, chosen))


def avatar(picture: Picture) -> Markup:
    """Return a picture as SVG, which refers to the file of its parts."""
    return Markup(drawn(picture, files.address(AVATARS)))


async def portraits(house: House, guests: Collection[str]) -> dict[str, Markup]:
    """Return the pictures of these guests. Raises StoreFailed."""
    chosen = await house.store.look(partial(rows.pictures, guests=guests))
    return {guest: portrait(guest, chosen.get(guest, "")) for guest in guests}


async def choices(house: House, guest: str) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    """Return the parts that a picture can be made of, for the form that chooses them. Raises StoreFailed."""
    chosen = await house.store.look(partial(rows.pictures, guests=[guest]))
    return choices_from(shown(guest, chosen.get(guest)))


def choices_from(now: Picture) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    """Return the same for a present picture."""
    colours = {**GROUNDS, **INKS}

    def choice(index: int, name: str) -> Choice:
        usual = Picture(PARTS[0][1][0], PARTS[1][1][0], "slate", "cream")
        return Choice(
            name, avatar(usual._replace(**{Picture._fields[index]: name})), colours.get(name, ""), now[index] == name
        )

    return tuple((title, tuple(choice(i, name) for name in names)) for i, (title, names) in enumerate(PARTS))


async def profile_of(house: House, guest: str, *, public: bool = False) -> Profile:
    """Return what a person shows to themselves or (`public`) to everyone. Raises StoreFailed."""
    more = await work_out(house.store, guest, AT_ONCE)
    wanted = Wanted(guest, public=public)

    def look(
        connection: sa.Connection,
    ) -> tuple[dict[str, str], float, list[tuple[float, Result]], list[Tally], list[Moment], list[Earned]]:
        return (
            rows.pictures(connection, [guest]), rows.since(connection, guest), rows.finished(connection, wanted),
            results.tallies(connection, wanted), rows.moments(connection, guest, public=public),
            rows.earned(connection, wanted),
        )  # fmt: skip

    chosen, since, finished, tallies, moments, earned = await house.store.look(look)
    games = all_games()
    played = {one.game for one in tallies}
    favourites = _favourites(tallies, games)
    shelves = _shelves(games, earned, None if public else played)
    some = tuple(games)[:FEW] if not favourites else ()
    shown = {*(one.cover for one in favourites), *(one.cover for one in shelves), *played, *some}
    return Profile(
        portrait(guest, chosen.get(guest, "")), time.strftime("%B %Y", time.gmtime(since)) if since else "",
        streaks(finished, time.time()), favourites, tuple(map(_moment, moments)), shelves,
        Markup("".join(cover(game) for name, game in games.items() if name in shown)),
        files.themes(tuple(games.values())).address, some, MOST_MOMENTS, more,
    )  # fmt: skip


def streaks(finished: Sequence[tuple[float, Result]], now: float) -> Streaks:
    """Return the streaks in finished games, each with when it ended and how, in order. A streak of days is still on
    while today can continue it."""
    run = most = wins = most_wins = 0
    last = -2
    for at, result in finished:
        day = int(at // DAY)
        if day != last:
            run = run + 1 if day == last + 1 else 1
            last, most = day, max(most, run)
        wins = wins + 1 if result in AHEAD else 0
        most_wins = max(most_wins, wins)
    return Streaks(run if last >= int(now // DAY) - 1 else 0, most, wins, most_wins)


def _favourites(tallies: Sequence[Tally], games: Mapping[str, Game]) -> tuple[Favourite, ...]:
    counts: dict[tuple[str, str], list[int]] = {}
    for one in tallies:
        if one.result in ("won", "shared", "lost", "left"):
            found = counts.setdefault((one.game, one.ruleset), [0, 0])
            found[0] += one.games
            found[1] += one.games if one.result in AHEAD else 0
    most = sorted(counts.items(), key=lambda one: (-one[1][0], one[0]))[:FAVOURITES]
    return tuple(
        Favourite(title_of(*kind), kind[0] if kind[0] in games else "", number, f"{won} won")
        for kind, (number, won) in most
    )


def _moment(one: Moment) -> MomentView:
    return MomentView(
        one.table_id, one.place, title_of(one.game, one.ruleset), ", ".join(one.names),
        f"/t/{one.table_id}/moment?entry={one.place}", f"/t/{one.table_id}/replay?entry={one.place}", one.public,
    )  # fmt: skip


def _shelves(games: Mapping[str, Game], earned: Sequence[Earned], played: Collection[str] | None) -> tuple[Shelf, ...]:
    """Return the achievements by game, the game with most earned first. `played`: all achievements of these games, for
    their own player (of all games, if there are no such games); None: only the earned ones."""
    found = {(one.game, one.key): one for one in earned}
    made = []
    for name, game in games.items():
        listed = achievements(game)
        own = sum((name, one.key) in found for one in listed)
        if not listed or not (own if played is None else name in played or not played):
            continue
        items = [_item(game, one, found.get((name, one.key))) for one in listed]
        kept = sorted((one for one in items if one.replay or played is not None), key=lambda one: not one.replay)
        made.append(Shelf(game.text.TITLE, name, tuple(kept), own, len(listed)))
    return tuple(sorted(made, key=lambda shelf: (-shelf.earned, shelf.title)))


def _item(game: Game, one: Achievement, found: Earned | None) -> Item:
    rule = f"{rules_address(game)}#{one.clause}" if one.clause else ""
    if found is None:
        return Item(one.name, one.sentence, one.clause, rule, "", "", 0)
    at = time.gmtime(found.at)
    when = f"{at.tm_mday} {time.strftime('%b %Y', at)}"
    replay = f"/t/{found.table_id}/replay?entry={found.place}"
    return Item(one.name, one.sentence, one.clause, rule, replay, when, found.times)


def moment(table: Table, place: int) -> bytes:
    """Return the board at a place of a finished game's journal, as everyone sees it, as SVG. Errors: NotOver,
    BadInput."""
    table.must_be_over()
    assert table.match is not None
    if not 0 <= place <= table.version:
        raise BadInput(f"There is no entry {place}. Entries are numbered 0 to {table.version}.")
    scene = table.game.scenes.scene(state_at(table, place), SPECTATOR, table.match.names)
    return still(table.game, scene).encode()
