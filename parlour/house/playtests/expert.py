"""Where people and the analysis of their games differ: by the kinds of what they chose, and of what it prefers.

The analysis searches as the bot `expert` does, or knows the game's solution (`parlour.analysis.evaluation`). It is the
one that the replay shows, stored with the table, and nothing is computed here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from parlour.analysis.evaluation import Judgement, percent
from parlour.analysis.intervals import interval
from parlour.analysis.opinion import is_best
from parlour.house.playtests.digest import Decided

MOST = 8  # lines of the table
PLACES = 3  # positions of a line that are linked


class Place(NamedTuple):
    """A decision: who made it, at which table, and the address of its position in the replay."""

    who: str
    table: int
    href: str


class Differing(NamedTuple):
    """People chose one kind of action `of` times, and `times` of these the analysis preferred another, or another of
    the same kind; with some of the positions."""

    chosen: str
    preferred: str
    times: int
    of: int
    places: tuple[Place, ...]


class Opinions(NamedTuple):
    """How many decisions were judged, how many of these were the best or can't be told from it, that share with its
    95 % interval in words, and where people differ."""

    decisions: int
    agreed: int
    share: str
    differing: tuple[Differing, ...]


Judged = tuple[Decided, Mapping[int, Judgement], Place]  # a decision, the judgements of its game by step, and its place


def opinions(decided: Iterable[Judged]) -> Opinions | None:
    """Return where people and the analysis differ; None if no decision was judged."""
    found = [(judgements[one.record], place) for one, judgements, place in decided if one.record in judgements]
    if not found:
        return None
    agreed = sum(is_best(one) for one, _ in found)
    chosen = Counter(kind(one.move) for one, _ in found)
    where: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for one, place in found:
        if not is_best(one):
            where[kind(one.move), kind(one.other)].append(place)
    lines = sorted(where.items(), key=lambda item: (-len(item[1]), item[0]))[:MOST]
    return Opinions(
        len(found), agreed, _share(agreed, len(found)),
        tuple(
            Differing(made, other if other != made else f"another {other}", len(places), chosen[made],
                      tuple(places[:PLACES]))
            for (made, other), places in lines
        ),
    )  # fmt: skip


def kind(move: str) -> str:
    """Return the kind of a move: the first word of its text."""
    return move.split()[0] if move.split() else move


def _share(part: int, whole: int) -> str:
    low, high = interval(part / whole, whole)
    return f"{percent(part / whole)} ({percent(low)} to {percent(high)})"


def by_step(found: Sequence[Judgement]) -> dict[int, Judgement]:
    """Return the judgements of a game by the step of its record."""
    return {one.step: one for one in found}
