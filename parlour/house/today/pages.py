"""Today's game as pages show it: all rulesets of the day, one of them with its results, and the lobby's card."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

import sqlalchemy as sa

from parlour import bots
from parlour.bots import offered
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.scene import number
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.profiles import pictures
from parlour.house.site import drawing, files
from parlour.house.site.addresses import page_of, today_address
from parlour.house.site.titles import nth, title_of
from parlour.house.social.rows import Regard
from parlour.house.today import deeds, rows
from parlour.house.today.marks import SIGNS, WORDS
from parlour.house.today.rows import Day, Placed, Result

SOMEONE, GUEST = "A player", "A guest"  # whom a viewer has muted or is apart from; who has no account
COLOURS = {"+": "#3f9c6d", "=": "#d8a63f", "-": "#4a4136"}  # of the shared picture's tiles


class Own(NamedTuple):
    """How far a guest is with a game of the day: "new", "playing", "over" (with a result in `words`), or "ended"
    without one. `path` is their table."""

    state: str
    words: str = ""
    marks: str = ""
    path: str = ""


class Kind(NamedTuple):
    """A ruleset's game of the day: its page, how many have played it, and how far the guest is. `body` is the request
    that plays it, as JSON."""

    game: str
    title: str
    address: str
    played: int
    own: Own
    body: str
    against: str


class Row(NamedTuple):
    """A line of the results. `page` and `picture` are "" for people who are not named."""

    rank: int
    name: str
    page: str
    mine: bool
    words: str
    score: str
    marks: str
    picture: str


class Past(NamedTuple):
    """A day of the strip: what the guest made of it."""

    day: str
    said: str
    address: str
    here: bool
    mark: str
    words: str


class Share(NamedTuple):
    """What a person shares of their result: the text, and what the picture shows."""

    text: str
    title: str
    size: int
    date: str
    words: str
    place: str
    tiles: tuple[tuple[int, str, str], ...]
    host: str
    cover: str


class Found(NamedTuple):
    """What the database knows of a ruleset's day, for one guest."""

    day: Day | None
    next_day: Day | None
    own: Result | None
    rows: list[Placed]
    place: Placed | None
    played: int
    strip: list[Result]


def said(day: str, *, year: bool = True) -> str:
    """Return a day in words: "28 November 2026"."""
    found = date.fromisoformat(day)
    months = (
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    )  # fmt: skip
    return f"{found.day} {months[found.month - 1]}" + (f" {found.year}" if year else "")


def words_of(share: float | None, margin: int | None) -> str:
    """Return a result in words. Some games are won or lost by more than points, so a margin may say nothing."""
    if share is None:
        return "No result"
    if share > 0.999:
        return f"Won by {number(margin)}" if margin and margin > 0 else "Won"
    if share > 0:
        return "Shared the win"
    return f"Lost by {number(-margin)}" if margin and margin < 0 else "Lost"


def own_of(found: Result | None) -> Own:
    """Return how far a guest is."""
    if found is None or found.spoilt:
        return Own("new")
    path = f"/t/{found.table_id}" if found.status else ""
    if found.done is not None:
        words = words_of(found.share, found.margin)
        return Own("over", words if found.ranked else f"{words}, not ranked", found.marks, path)
    if found.status == "playing":
        return Own("playing", "In play", "", path)
    return Own("over", "Over", "", path) if found.status == "over" else Own("ended", "Ended without a result", "", path)


def kind_of(game: Game, ruleset: str, played: int, own: Result | None, day: str) -> Kind:
    """Return a ruleset's game of the day, for a list or a card."""
    body = json.dumps({"game": game.name, **({"ruleset": ruleset} if ruleset else {})})
    address = today_address(game.name, ruleset, day)
    return Kind(game.name, title_of(game.name, ruleset), address, played, own_of(own), body, against(game))


def against(game: Game) -> str:
    """Return who a person plays against, in words: "the medium bot", "3 medium bots"."""
    others = game.facts.players[0] - 1
    level = offered.title(bots.default(game), custom=False).lower()
    return f"the {level}" if others == 1 else f"{others} {level}s"


def _ranked(one: Placed, guest: Guest, regard: Regard) -> Row:
    """Return a line of the results, without the names of people whom the guest has muted or is apart from."""
    mine = one.guest_id == guest.id
    hidden = one.guest_id in regard.muted | regard.apart
    shown = one.name if (one.name and not hidden) or mine else ""
    name = (guest.name if mine else shown) or (SOMEONE if hidden or one.name else GUEST)
    page = page_of(one.name) if one.name and not hidden else ""
    picture = " ".join(pictures.shown(one.guest_id, one.picture)) if shown or mine else ""
    return Row(one.rank, name, page, mine, words_of(one.share, one.margin), number(one.score), one.marks, picture)


async def look_up(house: House, guest: Guest, game: Game, ruleset: str, day: str, now: float) -> Found:
    """Return what the database knows of a ruleset's day. Today's seed is committed to, if it was not. StoreFailed."""
    if day == rows.day_of(now):
        await deeds.day_of(house, game, ruleset, now)

    def look(connection: sa.Connection) -> Found:
        found, place = rows.placed(connection, game.name, ruleset, day, guest.id)
        return Found(
            rows.day_in(connection, game.name, ruleset, day),
            rows.day_in(connection, game.name, ruleset, rows.moved(day, 1)),
            rows.result_of(connection, game.name, ruleset, day, guest.id), found, place,
            rows.counts(connection, day).get((game.name, ruleset), 0),
            rows.lately(connection, game.name, ruleset, guest.id, rows.moved(rows.day_of(now), 1 - rows.STRIP)),
        )  # fmt: skip

    return await house.store.look(look)


async def game_of_day(
    house: House, guest: Guest, game: Game, ruleset: str, day: str, shared_url: str
) -> tuple[Part, ...]:
    """`GET /today/GAME`: a ruleset's game of a day. Raises StoreFailed."""
    now = time.time()
    today = rows.day_of(now)
    found = await look_up(house, guest, game, ruleset, day, now)
    regard = await house.regards.of(guest.id)
    kind = kind_of(game, ruleset, found.played, found.own, "" if day == today else day)
    rulesets = [
        (today_address(game.name, name, "" if day == today else day), title_of(game.name, name).rpartition(": ")[2],
         name == ruleset) for name in game.rulesets if name
    ]  # fmt: skip
    lines = [_ranked(one, guest, regard) for one in found.rows]
    below = _ranked(found.place, guest, regard) if found.place and not any(one.mine for one in lines) else None
    return drawing.page(
        "today_game", f"{'Today’s game' if day == today else said(day)}: {kind.title}", guest, [game], script="today",
        sheet="people.css today.css", kind=kind, game=game, today=day == today, day=day, said=said(day),
        short=said(day, year=False), lines=lines,
        below=below, rulesets=rulesets, rules=drawing.rules_address(game, {RULESET: ruleset} if ruleset else {}),
        seed=found.day, next_day=found.next_day, over=day < today,
        made=said(rows.day_of(found.day.made)) if found.day else "",
        early=found.day is not None and rows.day_of(found.day.made) < day,
        ends=round(rows.ends(day)), strip=_strip(game.name, ruleset, found.strip, day, today), words=WORDS, signs=SIGNS,
        share=_share(game, kind, day, found, shared_url), place=_place(found), kept=rows.KEPT,
        previous=today_address(game.name, ruleset, rows.moved(day, -1)) if _known(rows.moved(day, -1), now) else "",
    )  # fmt: skip


def _known(day: str, now: float) -> bool:
    return day >= rows.moved(rows.day_of(now), -rows.KEPT)


def _strip(game: str, ruleset: str, found: Iterable[Result], here: str, today: str) -> list[Past]:
    """Return the last days, each with what the guest made of it."""
    mine = {one.day: one for one in found}
    strip = []
    for by in range(1 - rows.STRIP, 1):
        day = rows.moved(today, by)
        one = mine.get(day)
        mark = "" if one is None or one.share is None else "+" if one.share > 0.999 else "=" if one.share > 0 else "-"
        words = own_of(one).words if one else "not played"
        address = today_address(game, ruleset, "" if day == today else day)
        strip.append(Past(day, said(day, year=False), address, day == here, mark, words))
    return strip


def _place(found: Found) -> str:
    """Return a person's place in words, "" without one: "shared 1st of 3"."""
    if not (own := found.place):
        return ""
    return f"{'shared ' if own.equals > 1 else ''}{nth(own.rank)} of {found.played}"


def _share(game: Game, kind: Kind, day: str, found: Found, shared_url: str) -> Share | None:
    """Return what a person can share of their result, None before it is there."""
    own = found.own
    if own is None or own.done is None or not own.marks:
        return None
    words = words_of(own.share, own.margin)
    place = _place(found)
    row = "".join(SIGNS[mark] for mark in own.marks)
    text = f"{kind.title}, {said(day)}\n{row}\n{', '.join(filter(None, (words, place)))}"
    tiles = tuple((64 + 109 * i, mark, COLOURS[mark]) for i, mark in enumerate(own.marks))
    size = 84 if len(kind.title) < 18 else 64 if len(kind.title) < 24 else 50
    host = shared_url.partition("://")[2] or shared_url
    return Share(text, kind.title, size, said(day), words, place, tiles, host, files.cover_of(game).address)


async def all_of_day(house: House, guest: Guest) -> tuple[Part, ...]:
    """`GET /today`: the games of today in all rulesets. Raises StoreFailed."""
    today = rows.day_of(time.time())
    kinds = await kinds_of(house, guest.id, today)
    games = list({game.name: game for game, _ in deeds.kinds()}.values())
    return drawing.page(
        "today", "Today’s games", guest, games, script="today", sheet="people.css today.css", kinds=kinds,
        said=said(today), ends=round(rows.ends(today)), words=WORDS,
    )  # fmt: skip


async def kinds_of(house: House, guest: str, day: str) -> list[Kind]:
    """Return every ruleset's game of a day. Raises StoreFailed."""

    def look(connection: sa.Connection) -> tuple[dict[tuple[str, str], int], list[Result]]:
        return rows.counts(connection, day), rows.of_day(connection, guest, day)

    played, mine = await house.store.look(look)
    own = {(one.game, one.ruleset): one for one in mine}
    return [
        kind_of(game, ruleset, played.get((game.name, ruleset), 0), own.get((game.name, ruleset)), "")
        for game, ruleset in deeds.kinds()
    ]


class Card(NamedTuple):
    """The lobby's card: the ruleset whose turn it is today, the day in words, and how many games of the day there are
    and the guest has finished."""

    kind: Kind
    said: str
    ends: int
    games: int
    done: int


async def card(house: House, guest: str) -> Card | None:
    """Return the lobby's card of today's game, None in a house without games. Raises StoreFailed."""
    today = rows.day_of(time.time())
    turn = deeds.featured(today)
    if turn is None:
        return None
    kinds = await kinds_of(house, guest, today)
    kind = kinds[deeds.kinds().index(turn)]
    return Card(
        kind,
        said(today, year=False),
        round(rows.ends(today)),
        len(kinds),
        sum(one.own.state == "over" for one in kinds),
    )


def read_day(day: str, now: float) -> str | None:
    """Return a day that has a page, from an address: today for "", None for one that is to come or too long ago."""
    today = rows.day_of(now)
    try:
        found = date.fromisoformat(day).isoformat() if day else today
    except ValueError:
        return None
    return found if found <= today and _known(found, now) else None
