"""Divisions of a league: how many there are, and who rises and falls between two seasons. Pure functions.

After a season the best players of each division rise, and the last ones of the division above fall. Then those who
leave are taken out, newcomers are put last, and the list is cut into divisions again. So a free place goes to the next
below: the best of those who would have fallen is saved first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

FEWEST, MOST = 4, 12  # players of a division
MOST_MOVERS = 4  # players who rise, and who fall, at each border

Divisions = tuple[tuple[str, ...], ...]  # the highest division first, and in each the best placed first


def sizes(players: int, size: int) -> tuple[int, ...]:
    """Return how many players each division has, the highest first, with this usual size. A rest that is too small for
    a division of its own joins the last one, or shares with it if that would be too many. Errors: ValueError (fewer
    than FEWEST players, or a size outside FEWEST to MOST)."""
    if not FEWEST <= size <= MOST:
        raise ValueError(f"A division has {FEWEST} to {MOST} players, not {size}.")
    if players < FEWEST:
        raise ValueError(f"A league needs {FEWEST} players. There are {players}.")
    whole, rest = divmod(players, size)
    if whole == 0 or rest == 0 or rest >= FEWEST:
        return (size,) * whole + ((rest,) if rest else ())
    last = size + rest
    if last <= MOST:
        return (*(size,) * (whole - 1), last)
    return (*(size,) * (whole - 1), last - last // 2, last // 2)


def cut(players: Sequence[str], size: int) -> Divisions:
    """Return the players in divisions, in their order. Errors: those of `sizes`."""
    made, begin = [], 0
    for number in sizes(len(players), size):
        made.append(tuple(players[begin : begin + number]))
        begin += number
    return tuple(made)


def moved(standings: Sequence[Sequence[str]], movers: int) -> list[list[str]]:
    """Return the divisions after the best `movers` of each rose and the last fell, all in the order in which they have
    a claim to a place above: who fell, who stayed, who rose. At most half of a division moves in one direction, so no
    one rises and falls."""
    borders = [min(movers, len(up) // 2, len(down) // 2) for up, down in pairwise(standings)]
    made = []
    for i, here in enumerate(standings):
        rise, fall = borders[i - 1] if i else 0, borders[i] if i < len(borders) else 0
        fell = list(standings[i - 1][len(standings[i - 1]) - rise :]) if i else []
        rose = list(standings[i + 1][:fall]) if i < len(borders) else []
        made.append([*fell, *here[rise : len(here) - fall], *rose])
    return made


def following(
    standings: Sequence[Sequence[str]],
    movers: int,
    *,
    leaving: Collection[str] = (),
    entering: Sequence[str] = (),
    size: int,
) -> Divisions:
    """Return the divisions of the next season, from the final standings of the last one. `leaving` don't play it;
    `entering` are new, and begin at the bottom in this order. Errors: those of `sizes`."""
    stay = [[one for one in division if one not in leaving] for division in standings]
    ladder = [one for division in moved([one for one in stay if one], movers) for one in division]
    return cut([*ladder, *entering], size)
