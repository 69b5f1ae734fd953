"""Round robins: everybody meets everybody, equally often or nearly, and everybody plays the same number of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import gcd
from typing import Final

from parlour.house.errors import BadInput
from parlour.house.tournaments.pairing.kinds import (
    ROUND_ROBIN_ENTRANTS,
    Bye,
    Entrant,
    Form,
    Paired,
    Pairing,
    lot,
)  # fmt: skip

SCHEDULES: Final = 8  # how many schedules of tables of more than two are kept
Round = tuple[tuple[int, ...], ...]  # tables of players, by number, in seat order; -1 is a bot
Node = tuple[str, int, int]  # a table, by round and number; or a player's games, by player and which few


def berger(players: int) -> list[Round]:
    """Return the rounds of a round robin for two: FIDE's Berger tables (Handbook C.05, annex 1), for an even number of
    players, counted from 0. The first of each pair moves first."""
    circle, half = players - 1, players // 2
    rounds: list[Round] = []
    for number in range(circle):
        pivot = number * half % circle
        first = (pivot, circle) if number % 2 == 0 else (circle, pivot)
        others = [((pivot + step) % circle, (pivot - step) % circle) for step in range(1, half)]
        rounds.append((first, *others))
    return rounds


@lru_cache(maxsize=SCHEDULES)
def schedule(players: int, seats: int, bots: bool) -> tuple[Round, ...]:
    """Return the rounds for `players` at tables of `seats`; who is at no table of a round sits out.

    Everybody plays equally often, and has each seat equally often, give or take one. At tables of more than two, rounds
    are added until everybody has met everybody; `tests/house/tournaments/test_round_robin.py` has how evenly.
    """
    if players < 2:
        return ()
    if seats == 2:
        whole = berger(players + players % 2)
        ghost = players if players % 2 else -1
        if ghost < 0:
            return tuple(whole)
        if bots:
            return tuple(tuple(tuple(-1 if one == ghost else one for one in pair) for pair in one) for one in whole)
        return tuple(tuple(pair for pair in one if ghost not in pair) for one in whole)
    return seated(_tables(players, seats, bots or players < seats), seats)


def _tables(players: int, seats: int, bots: bool) -> list[list[list[int]]]:
    """Return the tables of each round, without bots and seat order, until all have met and played equally often."""
    met = [[0] * players for _ in range(players)]
    out = 0 if bots else players % seats
    every = players // gcd(players, out) if out else 1  # after so many rounds, all have sat out equally often
    rounds: list[list[list[int]]] = []
    lacking = [0] * players  # how often each sat at a table with bots
    while len(rounds) % every or any(met[one][other] == 0 for one, other in combinations(range(players), 2)):
        first = len(rounds) * out
        resting = {(first + place) % players for place in range(out)}
        here = [one for one in range(players) if one not in resting]
        number = -(-len(here) // seats)
        sizes = [len(here) // number + (table < len(here) % number) for table in range(number)]
        tables = _round(here, sizes, met, lacking, len(rounds))
        for table in tables:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
            for one in table:
                lacking[one] += seats - len(table)
        rounds.append(tables)
    return rounds


def _round(
    here: Sequence[int], sizes: Sequence[int], met: list[list[int]], lacking: Sequence[int], number: int
) -> list[list[int]]:
    """Return the tables of a round in which those meet who have met least. Each place is filled in turn with the one
    who costs least there; then two change places as long as that helps."""
    waiting = sorted(here, key=lambda one: (-lacking[one], (one + number) % len(met)))
    tables: list[list[int]] = []
    for size in sizes:
        table = [waiting.pop(0)]
        while len(table) < size:
            chosen = min(waiting, key=lambda one: sum(_steep(met[one][other]) for other in table))
            waiting.remove(chosen)
            table.append(chosen)
        tables.append(table)
    _settle(tables, met)
    return tables


def _steep(times: int) -> int:
    return 1 << 3 * min(times, 12)


def _settle(tables: list[list[int]], met: list[list[int]]) -> None:
    """Let players of two tables change places while that makes meetings more even."""
    better = True
    while better:
        better = False
        for first, second in combinations(range(len(tables)), 2):
            for place in range(len(tables[first])):
                for other in range(len(tables[second])):
                    better |= _changed(tables[first], place, tables[second], other, met)


def _changed(one: list[int], place: int, two: list[int], other: int, met: list[list[int]]) -> bool:
    leaving, coming = one[place], two[other]
    here = [player for player in one if player != leaving]
    there = [player for player in two if player != coming]
    now = sum(_steep(met[leaving][player]) for player in here) + sum(_steep(met[coming][player]) for player in there)
    then = sum(_steep(met[coming][player]) for player in here) + sum(_steep(met[leaving][player]) for player in there)
    if then >= now:
        return False
    one[place], two[other] = coming, leaving
    return True


def seated(rounds: Sequence[Sequence[Sequence[int]]], seats: int) -> tuple[Round, ...]:
    """Return the rounds in seat order, so that in each `seats` games running, counted from their first, everybody has
    each seat once (in the last few, at most once).

    Players and tables are the two sides of a graph, and seats the colours of its edges. A player is split into one for
    each `seats` games, so nobody has more edges than there are colours, and by Kőnig's theorem so many are enough.
    """
    at: dict[Node, dict[int, Node]] = defaultdict(dict)  # a table or a player's few games -> seat -> the other side
    games: Counter[int] = Counter()
    for number, tables in enumerate(rounds):
        for index, table in enumerate(tables):
            for one in table:
                _colour(at, ("table", number, index), ("player", one, games[one] // seats), seats)
                games[one] += 1
    nobody = ("player", -1, 0)
    return tuple(
        tuple(
            tuple(at["table", number, index].get(seat, nobody)[1] for seat in range(seats)) for index in range(len(one))
        )
        for number, one in enumerate(rounds)
    )


def _colour(at: dict[Node, dict[int, Node]], table: Node, player: Node, seats: int) -> None:
    """Give the player a seat at the table. If none is free for both, those of a chain change theirs."""
    free = [seat for seat in range(seats) if seat not in at[table]]
    seat = next((seat for seat in free if seat not in at[player]), free[0])
    if seat in at[player]:
        other = next(seat for seat in range(seats) if seat not in at[player])
        node, now, then = player, seat, other
        chain = []
        while now in at[node]:
            chain.append((node, at[node][now], now, then))
            node, now, then = at[node][now], then, now
        for one, two, now, _ in chain:
            del at[one][now], at[two][now]
        for one, two, _, then in chain:
            at[one][then], at[two][then] = two, one
    at[table][seat], at[player][seat] = player, table


def games(form: Form, count: int) -> int:
    """Return how many games each of `count` entrants plays, if nobody leaves."""
    return sum(any(0 in table for table in one) for one in schedule(count, form.seats, form.bots))


def paired(form: Form, entrants: Sequence[Entrant], number: int) -> list[Paired]:
    """Return the tables and byes of round `number`. Who has left is not replaced: at a table of two the other has the
    game, at a larger one a bot takes the seat."""
    everyone = drawn(form, entrants)
    rounds = schedule(len(everyone), form.seats, form.bots)
    if not 1 <= number <= len(rounds):
        return []
    found: list[Paired] = []
    resting = set(range(len(everyone)))
    for table in rounds[number - 1]:
        resting -= set(table)
        seats = tuple(everyone[one].id if one >= 0 and everyone[one].plays(number) else None for one in table)
        there = [one for one in seats if one is not None]
        if len(there) == 1 and sum(one >= 0 for one in table) > 1:
            found.append(Bye(there[0]))
        elif there:
            found.append(Pairing(seats))
    return [*found, *(Bye(everyone[one].id, 0.0) for one in sorted(resting) if everyone[one].plays(number))]


def drawn(form: Form, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the entrants in the order of their numbers, which lots decide. Raises BadInput for too many."""
    if len(entrants) > ROUND_ROBIN_ENTRANTS:
        raise BadInput(
            f"{len(entrants)} entrants are too many for a round robin.", allowed=(f"at most {ROUND_ROBIN_ENTRANTS}",)
        )
    return sorted(entrants, key=lambda one: (lot(form.seed, "number", one.id), one.id))
