"""From rows to pairings and back: what `pairing` is asked, who plays next, and how everyone stands. All are pure, so
that a worker can run them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from parlour.house.tournaments.boards import Game, Place
from parlour.house.tournaments.pairing import systems
from parlour.house.tournaments.pairing.kinds import Bye, Entrant, Form, Paired, Played, Standing
from parlour.house.tournaments.rows import Entry, Tournament

BOT = "bot"  # the id of the bot that plays simultaneously


class Asked(NamedTuple):
    """What pairing is asked: the form, who takes part (in an arena, who waits), what was played, the last round
    that was paired, and how many boards it has."""

    form: Form
    entrants: list[Entrant]
    history: list[Played]
    round: int
    boards: int


class Found(NamedTuple):
    """The games that come next: those of a round, or with `again` further ones of the last."""

    round: int
    games: list[Game]
    again: bool = False


def asked(
    row: Tournament, entries: Sequence[Entry], games: Sequence[Game], apart: Collection[frozenset[str]], now: float,
    wave: float,
) -> Asked:  # fmt: skip
    """Return what pairing is asked about a tournament. `apart`: pairs of guests who should not meet. In an arena
    someone has waited once for each `wave` seconds."""
    entrants = entrants_of(entries)
    if row.system == "arena":
        entrants = _waiting(row, entries, games, now, wave)
    if apart:
        others = _apart(entries, apart)
        entrants = [msgspec.structs.replace(one, apart=frozenset(others[one.id])) for one in entrants]
    boards = max((game.board for game in games if game.round == row.round), default=0)
    return Asked(form_of(row), entrants, history_of(games), row.round, boards)


def _apart(entries: Sequence[Entry], apart: Collection[frozenset[str]]) -> Mapping[str, set[str]]:
    """Return for each entrant those with whom they should not be paired."""
    ids, found = {one.guest_id: str(one.number) for one in entries}, defaultdict[str, set[str]](set)
    for one, other in map(tuple, apart):
        found[ids[one]].add(ids[other])
        found[ids[other]].add(ids[one])
    return found


def form_of(row: Tournament) -> Form:
    """Return the form of a tournament."""
    return Form(
        system=row.system, seats=row.seats, rounds=row.rounds, bots=row.bots, through=row.through, third=row.third,
        host=BOT if row.system == "simultaneous" else "", seed=int(row.seed, 16),
    )  # fmt: skip


def entrants_of(entries: Sequence[Entry]) -> list[Entrant]:
    """Return who takes part, without those who were removed before the start."""
    return [
        Entrant(
            str(one.number), one.strength, joined=one.joined + 1, left=None if one.left is None else one.left + 1,
            away=frozenset(one.away),
        ) for one in entries if one.left is None or one.left > 0
    ]  # fmt: skip


def _waiting(
    row: Tournament, entries: Sequence[Entry], games: Sequence[Game], now: float, wave: float
) -> list[Entrant]:
    """Return who waits for a game in an arena, and how long."""
    busy = {place.entrant for game in games if game.state != "over" for place in game.places}
    since: dict[int | None, float] = {}
    for game in games:
        since.update((place.entrant, max(game.done or 0.0, since.get(place.entrant, 0.0))) for place in game.places)
    return [
        Entrant(
            str(one.number), one.strength, joined=one.joined + 1,
            waited=int(max(0.0, now - max(since.get(one.number, 0.0), one.at, row.began or 0.0)) / wave),
        ) for one in entries if one.left is None and one.number not in busy
    ]  # fmt: skip


def history_of(games: Sequence[Game]) -> list[Played]:
    """Return what is over, in the order in which it ended."""
    over = sorted((game for game in games if game.state == "over"), key=lambda one: (one.done, one.round, one.board))
    return [
        Played(
            game.round,
            tuple(None if one.entrant is None else str(one.entrant) for one in game.places),
            tuple(one.share or 0.0 for one in game.places),
            absent=tuple(str(one.entrant) for one in game.places if one.missed and not one.came),
            places=_places(game.places) if game.how == "played" else (),
        ) for game in over
    ]  # fmt: skip


def _places(seats: Sequence[Place]) -> tuple[int, ...]:
    """Return the place of each seat in a game, from 1: by the share of the win, then by the score. Players who
    lost by being away are behind all who share in the win, but by their score among the others."""
    keys = [(one.share or 0.0, one.score or 0) for one in seats]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def next_games(question: Asked) -> Found:
    """Return the games that come next; none if the tournament is over, or in an arena if no one can be paired now.
    Raises BadInput for a tournament that can't be paired."""
    form, entrants, history, last, boards = question
    if last and (more := systems.replays(form, entrants, history, last)):
        return Found(last, _games(more, last, boards + 1), again=True)
    number = last + 1
    here = [one for one in entrants if one.plays(number)]
    if len(here) < (1 if form.host else 2) and form.system != "arena":
        return Found(number, [])
    return Found(number, _games(systems.pairings(form, entrants, history, number), number, 1))


def _games(pairs: Sequence[Paired], number: int, first: int) -> list[Game]:
    games = []
    for board, one in enumerate(pairs, first):
        if isinstance(one, Bye):
            place = Place(0, int(one.entrant), came=True, share=one.share)
            games.append(Game(number, board, None, "over", how="bye", places=(place,)))
        else:
            seats = (None if who in (None, BOT) else int(str(who)) for who in one.seats)
            places = tuple(Place(seat, who) for seat, who in enumerate(seats))
            games.append(Game(number, board, None, "paired", label=one.label, places=places))
    return games


def standings_of(row: Tournament, entries: Sequence[Entry], games: Sequence[Game]) -> list[Standing]:
    """Return how everyone stands, the best first."""
    return systems.standings(form_of(row), entrants_of(entries), history_of(games))


def rounds_of(row: Tournament, entrants: int) -> int:
    """Return how many rounds a tournament has with this many entrants, 0 for an arena."""
    return systems.rounds(form_of(row), entrants)
