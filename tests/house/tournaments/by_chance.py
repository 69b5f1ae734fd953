"""Whole tournaments, played by chance: what the tests of pairings look at."""

from __future__ import annotations

import random
from collections.abc import Sequence

from parlour.house.tournaments.pairing import systems
from parlour.house.tournaments.pairing.kinds import Bye, Entrant, Form, Paired, Pairing, Played

DRAWS = 0.2  # of games for two


def field(count: int, seed: int = 1) -> list[Entrant]:
    """Return entrants of different strengths; each fourth shares the one of another."""
    rng = random.Random(seed)
    return [Entrant(f"e{place}", 25.0 if place % 4 == 3 else rng.gauss(25, 5)) for place in range(count)]


def result(
    pairing: Paired, number: int, rng: random.Random, strengths: dict[str, float], away: Sequence[str] = ()
) -> Played:
    """Return how a table went: the stronger win more often; of two, some draw; those `away` did not come."""
    if isinstance(pairing, Bye):
        return pairing.played(number)
    seats = pairing.seats
    absent = tuple(one for one in seats if one is not None and one in away)
    places = [place for place, one in enumerate(seats) if one not in absent]
    if not places:
        return Played(number, seats, (0.0,) * len(seats), absent)
    weights = [2.7 ** (strengths.get(seats[place] or "", 20.0) / 5 - 5) for place in places]
    winner = rng.choices(places, weights)[0]
    if len(places) == 2 and rng.random() < DRAWS:
        return Played(number, seats, tuple(0.5 * (place in places) for place in range(len(seats))), absent)
    return Played(number, seats, tuple(float(place == winner) for place in range(len(seats))), absent)


def play(
    form: Form, entrants: Sequence[Entrant], seed: int = 1, most: int = 99, absent: float = 0.0
) -> tuple[list[list[Paired]], list[Played]]:
    """Play all rounds, at most `most`, and return the pairings of each with the history; in each round, everyone is
    absent with the same probability."""
    rng = random.Random(seed)
    strengths = {one.id: one.strength for one in entrants}
    found: list[list[Paired]] = []
    history: list[Played] = []
    for number in range(1, min(systems.rounds(form, len(entrants)), most) + 1):
        found.append(systems.pairings(form, entrants, history, number))
        todo = found[-1]
        while todo:
            away = [one.id for one in entrants if rng.random() < absent]
            history += [result(one, number, rng, strengths, away) for one in todo]
            todo = systems.replays(form, entrants, history, number)
    return found, history


def people(pairings: Sequence[Paired]) -> list[str]:
    """Return everyone in a round, at a table or with a bye."""
    return [
        one
        for pairing in pairings
        for one in (pairing.seats if isinstance(pairing, Pairing) else (pairing.entrant,))
        if one is not None
    ]


def tables(pairings: Sequence[Paired]) -> list[Pairing]:
    """Return the tables of a round, without byes."""
    return [one for one in pairings if isinstance(one, Pairing)]


def byes(pairings: Sequence[Paired]) -> list[str]:
    """Return who has a bye in a round."""
    return [one.entrant for one in pairings if isinstance(one, Bye)]
