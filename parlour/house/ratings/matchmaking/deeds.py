"""Play now: pairs people who ask for the same ruleset and number of players, by rating and waiting time.

The database decides (`ratings.matchmaking.rows`): one transaction at a time, across all processes, looks at everyone
who waits and creates their tables, so that no one is paired twice. This happens at each request and every two seconds
(`ratings.matchmaking.jobs`), because the longer people wait, the wider the range of ratings they are paired with.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import inf
from typing import Annotated

import msgspec

from parlour import bots
from parlour.core.errors import UnknownName
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.games import find
from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.ratings.counting import must_be_somebody, rated
from parlour.house.ratings.matchmaking import rows
from parlour.house.ratings.matchmaking.rows import Asker, Pairing
from parlour.house.table.live.journal import committed
from parlour.house.table.live.tempo import Live, Tempo, live, tempo_for
from parlour.house.table.play.seating import PACES, Body, begun, new_id
from parlour.house.table.storage.rows import SeatRow, TableRow

OFFER = 20.0  # seconds after which a bot is offered
Apart = frozenset[frozenset[str]]  # pairs of guests of whom one has blocked the other
ANYBODY = OFFER  # seconds after which any opponent will do, however strong
WIDER = 0.3  # how much the allowed gap in rating grows each second


class PlayBody(Body, frozen=True):
    """What to play. By default the first ruleset and the fewest players."""

    game: str
    ruleset: str = ""
    players: Annotated[int, msgspec.Meta(ge=2, le=16)] | None = None
    rated: bool = False  # a game that counts, with others who want that
    tempo: Live | None = None  # with clocks; unless said without, and the usual one where the game counts


def groups(waiting: Iterable[Asker], now: float, apart: Apart = frozenset()) -> list[tuple[Asker, ...]]:
    """Return who plays with whom. The guest who has waited longest chooses first: the nearest in rating whom `window`
    allows. No guest is in two groups, twice in one, or together with one from whom they must be kept `apart`. After
    ANYBODY seconds a guest is paired as soon as enough others ask for the same. (Each group adds the nearest guest whom
    all its members may meet, so a possible group of more than two can be missed.)"""
    kinds: dict[tuple[str, str, int, bool, str], list[Asker]] = defaultdict(list)
    met: set[str] = set()
    for one in sorted(waiting, key=lambda one: (one.since, one.guest)):
        if one.guest not in met:
            met.add(one.guest)
            kinds[_kind(one)].append(one)
    return [group for kind, queue in kinds.items() for group in _grouped(queue, kind[2], now, apart)]


def _grouped(queue: list[Asker], size: int, now: float, apart: Apart) -> Iterator[tuple[Asker, ...]]:
    """Return the groups of those who ask for the same, in the order in which they joined the queue."""
    place = 0
    while len(queue) >= size and place < len(queue):
        first = queue[place]
        most = window(now - first.since)
        near = [one for one in queue if one is not first and gap(first, one) <= most]
        group = [first]
        for one in sorted(near, key=lambda one: abs(one.mu - first.mu)):
            if len(group) < size and all(frozenset((one.guest, other.guest)) not in apart for other in group):
                group.append(one)
        if len(group) < size:
            place += 1  # a later guest may still choose them
            continue
        yield tuple(group)
        queue = [one for one in queue if one not in group]
        place = 0


def gap(one: Asker, other: Asker) -> float:
    """Return how much two ratings differ beyond their uncertainty."""
    return max(0.0, abs(one.mu - other.mu) - one.sigma - other.sigma)


def window(waited: float) -> float:
    """Return the widest gap that is allowed after waiting this many seconds."""
    return inf if waited >= ANYBODY else WIDER * max(0.0, waited)


def _kind(one: Asker) -> tuple[str, str, int, bool, str]:
    """Return what two players must have in common to play with each other."""
    return one.game, one.ruleset, one.players, one.rated, one.tempo


async def ask(house: House, guest: Guest, body: PlayBody) -> str:
    """Join the queue; return the table's id, "" while no one else asks for the same. Asking again for the same keeps
    the place. Errors: UnknownName, BadSetup, TooManyTables, Forbidden (rated)."""
    game = find(body.game)
    if body.rated:
        must_be_somebody(guest)
    if body.ruleset and body.ruleset not in game.rulesets:
        raise UnknownName(f"{game.text.TITLE} has no ruleset {body.ruleset!r}.", allowed=game.rulesets)
    players = body.players or game.facts.players[0]
    ruleset = body.ruleset or game.rulesets[0]
    _table([Asker("", "", game.name, ruleset, players, 0.0)] * players)  # raises BadSetup for a wrong number of players
    now = time.time()
    tempo = body.tempo or ("usual" if body.rated else "")
    mine = Asker(guest.id, guest.name, game.name, ruleset, players, now, rated=body.rated, tempo=tempo)
    await house.origins.must_have_room(guest.id)
    made = await house.store.do(partial(rows.ask, mine=mine, now=now, match=partial(_pair, now=now)))
    house.lobby.ask(guest.id)
    await _announce(house, made)
    house.lobby.note()
    wish = await house.store.ask(partial(rows.wish, guest=guest.id, now=now))
    return wish.table_id if wish else ""


async def pair(house: House) -> None:
    """Pair those who wait and could not be paired when they asked. Raises StoreFailed."""
    now = time.time()
    if not await house.store.ask(rows.several):
        return
    if made := await house.store.do(partial(rows.pair, now=now, match=partial(_pair, now=now))):
        await _announce(house, made)
        house.lobby.note()


async def _announce(house: House, made: Sequence[str]) -> None:
    for table_id in made:
        async with house.hold(table_id) as table:
            house.origins.made(table.row.host, table_id)
            house.announce(table)


async def stop(house: House, guest: Guest) -> None:
    """Leave the queue. Repeating the request does no harm."""
    await house.store.do(partial(rows.stop, guest=guest.id))
    house.lobby.moved(guest.id)


def tempo_at(game: Game, wanted: str) -> Tempo | None:
    """Return the tempo requested for a game."""
    return live(msgspec.convert(wanted, Live), game.minutes(), game.facts.players[0]) if wanted else None


def bot_table(wish: Asker) -> dict[str, object]:
    """Return the table, as a body of `POST /api/tables`, at which a waiting player can play bots. It is never rated,
    because they leave it when an opponent is found."""
    game = find(wish.game)
    bot = {"kind": "bot", "bot": bots.default(game)}
    options = {"options": {RULESET: wish.ruleset}} if wish.ruleset else {}
    return {"game": wish.game, "seats": [{"kind": "me"}, *[bot] * (wish.players - 1)], **options}


def _pair(waiting: Sequence[Asker], apart: Apart, now: float) -> list[Pairing]:
    return [_table(group) for group in groups(waiting, now, apart)]


def _table(group: Sequence[Asker]) -> Pairing:
    """Return the paired players' table, at which the game has begun. Raises BadSetup."""
    first = group[0]
    game = find(first.game)
    edition = game.edition(None)
    options = game.options({RULESET: first.ruleset} if first.ruleset else {})
    game.start(len(group), edition, options)
    now = time.time()
    row = TableRow(
        id=new_id(), game=game.name, rules=game.rules.VERSION, edition=edition.name, parts=edition.parts,
        options=options, public=True, pace=PACES["normal"], status="waiting", host=first.guest, seed="",
        commitment="", names=[], words=[], rematch="", created=now, touched=now,
        tempo=tempo_for(game, tempo_at(game, first.tempo)),
    )  # fmt: skip
    row = committed(row, len(group))
    seats = [SeatRow(row.id, i, "guest", guest_id=one.guest, name=one.name) for i, one in enumerate(group)]
    if first.rated:
        row = rated(row, game, seats)
    row, steps = begun(row, seats)
    return Pairing(tuple(one.guest for one in group), row, seats, steps)
