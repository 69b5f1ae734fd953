"""A club's season on its page: who has entered, or the divisions with their standings, and who rises and falls."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from markupsafe import Markup

from parlour.core.facts import RULESET
from parlour.core.scene import listed
from parlour.games import all_games
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.names import SOMEBODY
from parlour.house.accounts.pages import iso, moment
from parlour.house.clubs.seasons import leagues, rows
from parlour.house.clubs.seasons.deeds import SEATS
from parlour.house.clubs.seasons.jobs import Stand, standing_in
from parlour.house.clubs.seasons.rows import Entrant, Season
from parlour.house.house import House
from parlour.house.profiles import rows as profile_rows
from parlour.house.profiles.pages import portrait
from parlour.house.site.addresses import page_of
from parlour.house.site.drawing import TEMPOS
from parlour.house.site.titles import title_of
from parlour.house.table.live.tempo import Tempo, in_words
from parlour.house.tournaments.pairing.kinds import Standing
from parlour.house.tournaments.rows import Tournament

PAST = 8  # seasons before this one that a page names
NONE = Stand(None, {})  # of a division whose tournament is gone
WORDS = {"announced": "announced", "running": "in progress", "over": "over"}


class Line(NamedTuple):
    """A player in a division. `move`: "rises", "falls" or "", as it stands; `left`: they withdrew."""

    place: int
    name: str
    page: str
    portrait: Markup
    points: str
    games: int
    move: str
    mine: bool
    left: bool


class Division(NamedTuple):
    """A division, with the address of its tournament. `shown`: it is not folded on a phone."""

    number: int
    address: str
    shown: bool
    lines: tuple[Line, ...]


class SeasonView(NamedTuple):
    """The present season of a club, None in `season` without one. `title` and `tempo` say what is played, `when` and
    `iso` when it starts; `entered` are names, pages and pictures of the players; `mine`: the viewer is in it,
    and `now` says of a running one what they can do, with the address of their table; `begun`: any game is over."""

    club: str
    leads: bool
    member: bool
    season: Season | None
    title: str
    tempo: str
    when: str
    entered: tuple[tuple[str, str, Markup], ...]
    mine: bool
    now: tuple[str, str]
    divisions: tuple[Division, ...]
    begun: bool
    past: tuple[int, ...]
    iso: str
    choices: tuple[tuple[str, str], ...]
    tempos: tuple[tuple[str, str], ...]
    sizes: tuple[int, int]
    movers: int
    seats: tuple[int, int]


class Listed(NamedTuple):
    """A tournament of a club in its list."""

    address: str
    name: str
    title: str
    words: str
    players: str


class _Found(NamedTuple):
    seasons: list[Season]
    entrants: list[Entrant]
    divisions: dict[int, Stand]
    pictures: dict[str, str]


async def season_of(house: House, guest: Guest, club: str, *, leads: bool, member: bool, number: int = 0) -> SeasonView:
    """Return the present season of a club, or one by its number, as a guest may see it. Raises StoreFailed."""
    found = await _found(house, club, number)
    season = _present(found.seasons, number)
    title, tempo = ("", "") if season is None else _what(season)
    mine = next((one for one in found.entrants if one.guest == guest.id and one.withdrawn is None), None)
    drawn, divisions = bool(found.divisions), _divisions(found, season, guest) if season else ()
    entered = () if drawn else tuple(
        (one.name, page_of(one.name), portrait(one.guest, found.pictures.get(one.guest, "")))
        for one in found.entrants if one.name
    )  # fmt: skip
    return SeasonView(
        club, leads, member, season, title, tempo,
        moment(season.starts) if season and season.starts and season.status == "planned" else "", entered,
        mine is not None, _now(found, mine) if mine and drawn else ("", ""), divisions,
        any(line.games for one in divisions for line in one.lines),
        tuple(one.number for one in found.seasons if one != season and one.status == "over")[:PAST],
        iso(season.starts) if season and season.starts else "",
        _choices(), _tempos(), (leagues.FEWEST, leagues.MOST), leagues.MOST_MOVERS, SEATS,
    )  # fmt: skip


async def _found(house: House, club: str, number: int) -> _Found:
    def look(connection: sa.Connection) -> tuple[_Found, dict[int, str]]:
        seasons = rows.of_club(connection, club)
        season = _present(seasons, number)
        if season is None:
            return _Found(seasons, [], {}, {}), {}
        here = rows.entrants(connection, season.id)
        pictures = profile_rows.pictures(connection, [one.guest for one in here])
        return _Found(seasons, here, {}, pictures), rows.tournaments(connection, season.id)

    found, tournaments = await house.store.look(look)
    return found._replace(divisions={place: await standing_in(house, one) for place, one in tournaments.items()})


def _present(seasons: Sequence[Season], number: int) -> Season | None:
    return next((one for one in seasons if one.status != "cancelled" and number in (0, one.number)), None)


def _divisions(found: _Found, season: Season, guest: Guest) -> tuple[Division, ...]:
    here: dict[int, list[Entrant]] = {}
    for one in found.entrants:
        if one.division is not None:
            here.setdefault(one.division, []).append(one)
    order = {number: _sorted(season, players, found.divisions.get(number, NONE)) for number, players in here.items()}
    begun = any(one.games for stand in found.divisions.values() for one in stand.standings.values())
    here_now = [[one.guest for one in order[number] if one.withdrawn is None] for number in sorted(order)]
    moves = _moves(here_now, season, begun=begun)
    made, own = [], next((one.division for one in found.entrants if one.guest == guest.id), None)
    for number in sorted(order):
        tournament, points, _ = found.divisions.get(number, NONE)
        lines = tuple(
            _line(place, one, found.pictures, points.get(one.guest), moves, mine=one.guest == guest.id)
            for place, one in enumerate(order[number], 1)
        )
        address = f"/tournaments/{tournament.id}" if tournament else ""
        made.append(Division(number, address, number == (own or 1), lines))
    return tuple(made)


def _sorted(season: Season, players: Sequence[Entrant], stand: Stand) -> list[Entrant]:
    """Return the players of a division by their final place, or in a running season as they stand now."""
    if season.status != "running":
        return sorted(players, key=lambda one: one.place or 0)
    points, last = stand.standings, len(stand.standings) + 1
    return sorted(players, key=lambda one: (points[one.guest].place if one.guest in points else last, one.place or 0))


def _moves(standings: Sequence[Sequence[str]], season: Season, *, begun: bool) -> dict[str, str]:
    """Return who would rise or fall if the season ended like this, and no one left or entered; `begun`: any game is
    over."""
    was = {guest: number for number, division in enumerate(standings) for guest in division}
    if season.status == "running" and not begun:
        return {}
    moved = leagues.moved([one for one in standings if one], season.movers)
    now = {guest: number for number, division in enumerate(moved) for guest in division}
    return {guest: "rises" if now[guest] < was[guest] else "falls" for guest in was if now[guest] != was[guest]}


def _line(
    place: int, one: Entrant, pictures: Mapping[str, str], points: Standing | None, moves: Mapping[str, str], *,
    mine: bool,
) -> Line:  # fmt: skip
    name = one.name or SOMEBODY
    shown = "" if points is None else f"{points.points:g}"
    return Line(
        place, name, page_of(name) if one.name else "", portrait(one.guest, pictures.get(one.guest, "")), shown,
        points.games if points else 0, moves.get(one.guest, ""), mine, one.withdrawn is not None,
    )  # fmt: skip


def _now(found: _Found, mine: Entrant) -> tuple[str, str]:
    """Return what a player of a running season can do now, in words, and the address of their table, if any."""
    tournament, _, tables = found.divisions.get(mine.division or 0, NONE)
    if tournament is None or tournament.state != "running":
        return "", ""
    if table := tables.get(mine.guest):
        others = [one.name or SOMEBODY for one in found.entrants if one != mine and tables.get(one.guest) == table]
        return f"You play {listed(others)}.", f"/t/{table}"
    return "You wait for other games of your division.", ""


def _what(season: Season) -> tuple[str, str]:
    """Return what is played, and the tempo, in words."""
    play = season.play
    options, game = play.get("options"), str(play["game"])
    title = title_of(game, str(options.get(RULESET, "")) if isinstance(options, dict) else "")
    return title, in_words(msgspec.convert(play["tempo"], Tempo))


def _choices() -> tuple[tuple[str, str], ...]:
    """Return each ruleset that a season can have: its JSON in the form, and its title."""
    return tuple(
        (
            msgspec.json.encode({"game": name, "options": {RULESET: ruleset} if ruleset else {}}).decode(),
            title_of(name, ruleset),
        )
        for name, game in all_games().items()
        if game.facts.players[0] <= SEATS[1] and game.facts.players[1] >= SEATS[0]
        for ruleset in (game.rulesets or ("",))
    )


def _tempos() -> tuple[tuple[str, str], ...]:
    """Return each tempo that a season can have: its JSON in the form, and its words."""
    return tuple((value if value[0] == "{" else f'"{value}"', words) for value, words, _ in TEMPOS)


async def tournaments_of(house: House, club: str) -> tuple[Listed, ...]:
    """Return a club's tournaments apart from those of its seasons: the next and those in progress, then the last ones.
    Raises StoreFailed."""
    found, now = await house.store.look(partial(rows.other_tournaments, club=club)), time.time()
    return tuple(
        Listed(
            f"/tournaments/{one.id}", one.name, title_of(one.game, one.options.get(RULESET, "")), _state(one, now),
            f"{number} player{'s' if number != 1 else ''}",
        ) for one, number in found
    )  # fmt: skip


def _state(row: Tournament, now: float) -> str:
    if row.state == "announced" and row.starts_at is not None and row.starts_at > now:
        return moment(row.starts_at)
    return WORDS[row.state]
