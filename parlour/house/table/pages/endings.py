"""How a finished game went, as its result draws it: a line for each seat, with numbers that make it readable, and the
step that decided the game."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from parlour.core.achieving import achievements
from parlour.core.contract import Achievement
from parlour.core.scene import number
from parlour.house.ratings.strength import moved_to
from parlour.house.table.live.signs import named_html
from parlour.house.table.live.table import Table
from parlour.house.table.pages.views import hands

HIGH, ABOVE = 52, 6  # of the picture, as its viewBox says, and of its part above the highest number


class Ending(NamedTuple):
    """A finished game's story, for the result: a line for each seat in a picture of 100 by 40, where its mark is at the
    end, the numbers of the picture's lower and upper edge, and of what it is if not of the scores; the step of the
    replay at which the winner got ahead for good, -1 for none; by seat, the rating and how it changed."""

    why: Markup
    clause: str
    lines: tuple[str, ...]
    ends: tuple[float, ...]  # in parts of the height, from the top
    low: str
    high: str
    race: str
    step: int
    words: Markup
    ratings: tuple[tuple[str, str], ...]
    achieved: tuple[Achievement, ...]  # by the viewer, for the first time


def ending(table: Table, viewer: int) -> Ending | None:
    """Return how a finished game went, None until that is known."""
    if (story := table.story) is None or table.match is None:
        return None
    every = [score for point in story.points for score in point.scores]
    least, last = min(every), max(1, story.points[-1].steps)
    high, seats = max(1, max(every) - least), len(table.seats)
    apart = 1.6 if high < 10 else 0.0  # among a few numbers many are equal: their lines are drawn beside each other

    def height(scores: Sequence[int], seat: int) -> float:
        return 40 - 40 * (scores[seat] - least) / high + apart * (seat - seats / 2)

    return Ending(
        _named(story.why, table, now=True), story.clause,
        tuple(
            " ".join(f"{100 * steps / last:.1f},{height(scores, seat):.1f}" for steps, scores in story.points)
            for seat in range(seats)
        ),
        spread([(height(story.points[-1].scores, seat) + ABOVE) / HIGH for seat in range(seats)]),
        number(least), number(least + high), story.race,
        table.known.version_at(viewer, story.ahead + 1) if story.ahead >= 0 else -1, _named(story.told, table),
        tuple(moved_to(was, now) for was, now in story.ratings),
        tuple(one for one in achievements(table.game) if (viewer, one.key) in story.firsts),
    )  # fmt: skip


def spread(tops: Sequence[float]) -> tuple[float, ...]:
    """Return the places of marks beside a line of 1, in their order, with room between them."""
    apart, lowest = 0.9 / max(6, len(tops)), 0.0
    found = [*tops]
    for seat in sorted(range(len(tops)), key=lambda seat: tops[seat]):
        found[seat] = lowest = max(tops[seat], lowest)
        lowest += apart
    highest = 1.0 - apart / 2
    for seat in sorted(range(len(tops)), key=lambda seat: -found[seat]):
        found[seat] = highest = min(found[seat], highest)
        highest -= apart
    return tuple(found)


def _named(text: str, table: Table, *, now: bool = False) -> Markup:
    """Return a text with names for signs; `now`: of whose hands play each seat now."""
    assert table.match is not None
    names = table.match.names
    if now:
        names = tuple(map(hands, table.seats, names))
    return Markup(named_html(escape(text), names))
