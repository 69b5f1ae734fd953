"""Knock-outs: brackets in which the strong meet late, at tables of two to six."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from parlour.house.errors import BadInput
from parlour.house.tournaments.pairing.grouping import snaked
from parlour.house.tournaments.pairing.kinds import Bye, Entrant, Form, Paired, Pairing, Played, seeded
from parlour.house.tournaments.pairing.seats import seating
from parlour.house.tournaments.pairing.sheet import sheet

FINAL: Final = "final"
THIRD: Final = "third"
REPLAY: Final = "replay"


class Table(NamedTuple):
    """A table of a bracket: its members, the better placed first; those who advance, None while it is not decided;
    those who must play again; and all in the order of the result, with a key that is the same for equals."""

    members: tuple[str, ...]
    on: tuple[str, ...] | None
    again: tuple[str, ...] = ()
    order: tuple[tuple[str, tuple[int, ...]], ...] = ()
    label: str = ""


class Stage(NamedTuple):
    """A round of a bracket: its byes and its tables."""

    byes: tuple[str, ...]
    tables: tuple[Table, ...]


def plan(count: int, form: Form) -> list[tuple[int, int, int]]:
    """Return for each round how many places of the bracket there are, how many of them have a bye, and the tables.

    The first round has as few tables as leave a bracket that is full from then on: with two seats, of 2, 4, 8, ...
    """
    full = [form.seats]
    while full[-1] < count:
        tables = full[-1] // form.through
        full.append(full[-1] % form.through + form.seats * tables)
    rounds = []
    for following in (*reversed(full[:-1]), 0):
        if not following:
            rounds.append((count, 0, 1))
            break
        tables = max(0, -(-(count - following) // (form.seats - form.through)))
        byes = following - tables * form.through
        rounds.append((count, byes, tables))
        count = following
    return rounds


def stages(form: Form, entrants: Sequence[Entrant], history: Sequence[Played]) -> list[Stage]:
    """Return the rounds of the bracket up to the first that is not decided, that one too."""
    starting = [one for one in seeded(form, entrants) if one.joined <= 1 and (one.left is None or one.left > 1)]
    who = {one.id: one for one in starting}
    places: list[str | None] = [one.id for one in starting]
    found: list[Stage] = []
    if not places:
        return found
    rounds = plan(len(places), form)
    for number, (_, byes, tables) in enumerate(rounds, 1):
        played = [game for game in history if game.round == number]
        sizes = _sizes(len(places) - byes, tables)
        slots = [[byes + place for place in table] for table in snaked(range(len(places) - byes), sizes)]
        made = []
        for table in slots:
            members = [one for place in table if (one := places[place]) is not None]
            here = [one for one in members if who[one].plays(number)]
            label = FINAL if number == len(rounds) else ""
            made.append(decided(tuple(here), played, 1 if label else form.through, label))
        if number == len(rounds) and form.third and len(found) and len(losers := _losers(found[-1], who, number)) == 2:
            made.append(decided(losers, played, 1, THIRD))
        free = tuple(one for one in places[:byes] if one is not None and who[one].plays(number))
        stage = Stage(free, tuple(made))
        found.append(stage)
        if any(table.on is None for table in made):
            break
        places = _following(places[:byes], made, form, rounds[number] if number < len(rounds) else None)
    return found


def _sizes(players: int, tables: int) -> list[int]:
    return [players // tables + (table < players % tables) for table in range(tables)] if tables else []


def _losers(stage: Stage, who: dict[str, Entrant], number: int) -> tuple[str, ...]:
    return tuple(
        one
        for table in stage.tables
        for one in table.members
        if table.on is not None and one not in table.on and who[one].plays(number)
    )


def _following(
    byes: Sequence[str | None], tables: Sequence[Table], form: Form, ahead: tuple[int, int, int] | None
) -> list[str | None]:
    """Return the places of the next round: the best of each table takes the place of its strongest. The seconds follow,
    each where they do not meet the best of their own table at once, if there is such a place."""
    firsts: list[str | None] = [*byes]
    seconds: list[tuple[int, str | None]] = []
    for number, table in enumerate(tables):
        going: list[str | None] = [*(table.on or ()), *[None] * form.through][: form.through]
        firsts.append(going[0])
        if form.through == 2:
            seconds.append((len(byes) + number, going[1]))
    if ahead is None or not seconds:
        return firsts
    count, ahead_byes, ahead_tables = ahead
    there: dict[int, int] = {}  # place -> table of the next round
    for index, some in enumerate(snaked(range(count - ahead_byes), _sizes(count - ahead_byes, ahead_tables))):
        there |= {ahead_byes + place: index for place in some}
    places: list[str | None] = [*firsts, *[None] * len(seconds)]
    free = list(range(len(firsts), len(places)))
    for first, one in seconds:
        place = next((place for place in free if there.get(place) != there.get(first)), free[0])
        free.remove(place)
        places[place] = one
    return places


def decided(members: tuple[str, ...], played: Sequence[Played], through: int, label: str = "") -> Table:
    """Return the table with its result so far. `played`: the games of its round; a table's second one is its replay.

    Equals who can't all advance play once more among themselves. If that decides nothing, the better placed advances.
    """
    if len(members) <= through:
        return Table(members, members, order=tuple((one, (place,)) for place, one in enumerate(members)), label=label)
    games = [game for game in played if len(game.seats) > 1 and set(game.seats) & set(members)]
    if not games:
        return Table(members, None, label=label)
    keys = {one: _key(one, games[:1]) for one in members}
    order = sorted(members, key=lambda one: keys[one])
    edge = keys[order[through - 1]]
    again: tuple[str, ...] = ()
    if edge == keys[order[through]] and not edge[0]:
        again = tuple(one for one in members if keys[one] == edge)
        if len(games) == 1:
            return Table(members, None, again, label=label)
    keys = {one: _key(one, games if one in again else games[:1]) for one in members}
    order = sorted(members, key=lambda one: keys[one])  # stable: the better placed first
    on = tuple(one for one in order[:through] if not keys[one][0])
    return Table(members, on, order=tuple((one, keys[one]) for one in order), label=label)


def _key(one: str, games: Sequence[Played]) -> tuple[int, ...]:
    """Return whether a player was absent and their place, for each game: the smaller, the better."""
    key: list[int] = []
    for game in games[:2]:
        if one not in game.seats or one in game.absent:
            key += [1, 0]
            continue
        seat = game.seats.index(one)
        better = sum(share > game.shares[seat] for share in game.shares)
        key += [0, game.places[seat] if game.places else 1 + better]
    return tuple(key)


def paired(form: Form, entrants: Sequence[Entrant], history: Sequence[Played], number: int) -> list[Paired]:
    """Return the tables and byes of round `number`. Raises BadInput if the rounds before are not decided."""
    before = [game for game in history if game.round < number]
    found = stages(form, entrants, before)
    if len(found) < number:
        if found and any(table.on is None for table in found[-1].tables):
            raise BadInput(f"Round {number} can't be paired before round {len(found)} is decided.")
        return []
    stage, lines = found[number - 1], sheet(before)
    pairs: list[Paired] = []
    for table in stage.tables:
        if table.on is None:
            filled = [*table.members, *[None] * (form.seats - len(table.members))]
            pairs.append(Pairing(seating(filled, lines, form.seed, number), table.label))
        else:
            pairs += [Bye(one) for one in table.on]
    return [*pairs, *(Bye(one) for one in stage.byes)]


def replays(form: Form, entrants: Sequence[Entrant], history: Sequence[Played], number: int) -> list[Paired]:
    """Return the tables that round `number` needs once more because equals can't all advance. They sit the other way
    round."""
    found = stages(form, entrants, [game for game in history if game.round <= number])
    if len(found) < number:
        return []
    pairs: list[Paired] = []
    for table in found[number - 1].tables:
        if table.on is None and table.again:
            game = next(game for game in history if game.round == number and set(table.again) <= set(game.seats))
            again = [one for one in reversed(game.seats) if one in table.again]
            pairs.append(Pairing((*again, *[None] * (form.seats - len(again))), REPLAY))
    return pairs


def over(form: Form, entrants: Sequence[Entrant], history: Sequence[Played]) -> bool:
    """Return whether the final is decided, and the game for third place."""
    found = stages(form, entrants, history)
    decided_all = not found or all(table.on is not None for table in found[-1].tables)
    return decided_all and (not found or any(table.label == FINAL for table in found[-1].tables))
