"""Round robins: all meet each other, equally often or nearly, and all play the same number of games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from parlour.house.errors import BadInput
from parlour.house.tournaments.pairing import designs
from parlour.house.tournaments.pairing.kinds import (
    MOST_AT_LARGER,
    MOST_OF_TWO,
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
    """Return the rounds for `players` at tables of `seats`; a player at no table of a round sits out.

    All play equally often, and have each seat equally often, give or take one. At tables of more than two, all have
    met; `tests/house/tournaments/test_round_robin.py` says how evenly.
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
    return seated(designs.found(players, seats, bots or players < seats), seats)


def seated(rounds: Sequence[Sequence[Sequence[int]]], seats: int) -> tuple[Round, ...]:
    """Return the rounds in seat order, so that every player has each seat once in their first `seats` games, once in
    the next, and at most once in the last few.

    Players and tables are the two sides of a graph, and seats the colours of its edges. A player is split into one for
    each `seats` games, so no one has more edges than there are colours; then, by Kőnig's theorem, the colours are
    enough."""
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


def check(form: Form, count: int) -> None:
    """Raise BadInput if `count` entrants are too many."""
    most = MOST_OF_TWO if form.seats == 2 else MOST_AT_LARGER
    if count > most:
        raise BadInput(f"{count} entrants are too many for a round robin.", allowed=(f"at most {most}",))


def games(form: Form, count: int) -> int:
    """Return how many games each of `count` entrants plays, if they all stay."""
    return sum(any(0 in table for table in one) for one in schedule(count, form.seats, form.bots))


def paired(form: Form, entrants: Sequence[Entrant], number: int) -> list[Paired]:
    """Return the tables and byes of round `number`. A player who has left is not
    replaced: at a table of two the other has the game, at a larger one a bot takes the seat."""
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


def facing(form: Form, entrants: Sequence[Entrant]) -> dict[tuple[int, str], str]:
    """Return for each round and entrant whom they face at a table of two; nothing for larger tables."""
    if form.seats > 2:
        return {}
    everyone = drawn(form, entrants)
    return {
        (number, everyone[one].id): everyone[other].id
        for number, tables in enumerate(schedule(len(everyone), 2, form.bots), 1)
        for pair in tables
        for one, other in (pair, pair[::-1])
        if min(pair) >= 0
    }


def drawn(form: Form, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the entrants in the order of their numbers, which lots decide."""
    return sorted(entrants, key=lambda one: (lot(form.seed, "number", one.id), one.id))
