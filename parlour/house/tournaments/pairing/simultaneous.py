"""Simultaneous play: a host, a person or a bot, against everyone, each at a table of their own."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.house.tournaments.pairing.kinds import Entrant, Form, Paired, Pairing, seeded
from parlour.house.tournaments.pairing.sheet import playing


def paired(form: Form, entrants: Sequence[Entrant], number: int) -> list[Paired]:
    """Return a table for each entrant in round 1, and none in others.

    The host sits on each seat equally often, down the ranking; at tables of more than two, bots fill the rest.
    """
    if number != 1:
        return []
    guests = [one for one in seeded(form, playing(entrants, 1)) if one.id != form.host]
    found: list[Paired] = []
    for place, one in enumerate(guests):
        table = [one.id, *[None] * (form.seats - 2)]
        table.insert(place % form.seats, form.host)
        found.append(Pairing(tuple(table)))
    return found
