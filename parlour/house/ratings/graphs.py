"""The accuracy of a player in their analysed games: one graph for each ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from parlour.analysis.evaluation import TOO_FEW, VAGUE, percent
from parlour.analysis.intervals import student
from parlour.house.house import House
from parlour.house.ratings import accuracies
from parlour.house.ratings.accuracies import Judged
from parlour.house.ratings.pages import HEIGHT
from parlour.house.ratings.results import Wanted
from parlour.house.site.titles import title_of

SHOWN = 12  # rulesets at most, those with the most games
LEAST = 5  # games of known luck before a page says what is left without it


class Course(NamedTuple):
    """The accuracy in games of a ruleset, drawn 100 wide and HEIGHT high, from 100 % at the top to 0: a `line` from
    game to game, and the height of the `mean`. `words` say the same; `last` is the address of the latest game. `error`
    says what a decision lost on average, `fair` how many games were won, and how many without luck; "" where that is
    not known. The `value` is TOO_FEW, and there is no drawing,
    where the mean may be off by more than VAGUE."""

    title: str
    value: str
    games: int
    line: str
    mean: str
    last: str
    words: str
    error: str
    fair: str


async def accuracies_of(house: House, guest: str, *, public: bool = False) -> tuple[Course, ...]:
    """Return a guest's accuracy by ruleset; `public`: in games that everyone may see. Raises StoreFailed."""
    found = await house.store.look(partial(accuracies.of, wanted=Wanted(guest, public=public)))
    kinds: dict[tuple[str, str], list[Judged]] = {}
    for one in found:
        kinds.setdefault((one.game, one.ruleset), []).append(one)
    most = sorted(kinds.values(), key=len, reverse=True)
    return tuple(course(games) for games in most[:SHOWN])


def course(games: Sequence[Judged]) -> Course:
    """Return the games of a ruleset, in their order, as a page shows them."""
    title, number = title_of(games[0].game, games[0].ruleset), len(games)
    shares = [one.accuracy for one in games]
    mean = sum(shares) / number
    last = f"/t/{games[-1].table_id}/replay"
    if within(games) > VAGUE:
        return Course(title, TOO_FEW, number, "", "", last, "", error(games), fair(games))
    words = f"The accuracy in {title} in {number} analysed games: {percent(mean)} on average, "
    words += f"{percent(shares[-1])} in the latest."
    if number == 1:
        words = f"The accuracy in {title} in 1 analysed game: {percent(mean)}."
        shares = shares * 2  # one game makes a horizontal line
    xs = [100 * i / (len(shares) - 1) for i in range(len(shares))]
    return Course(
        title, percent(mean), number,
        " ".join(f"{x:.1f},{HEIGHT * (1 - share):.1f}" for x, share in zip(xs, shares, strict=True)),
        f"{HEIGHT * (1 - mean):.1f}", last, words, error(games), fair(games),
    )  # fmt: skip


def within(games: Sequence[Judged]) -> float:
    """Return how far the mean accuracy may be off; games of which that is not known are as sure as they need to be."""
    halves = [VAGUE if one.within is None else one.within for one in games]
    return hypot(*halves) / len(halves)


def error(games: Sequence[Judged]) -> str:
    """Return what a decision of these games lost on average, in words; "" where that is not known."""
    decisions = sum(one.decisions for one in games)
    lost = sum(one.lost for one in games)
    return f"{100 * lost / decisions:.1f} points lost a decision" if decisions else ""


def fair(games: Sequence[Judged]) -> str:
    """Return which part of these games was won, and which without luck (AIVAT, see `parlour.analysis.luck`), in words;
    "" where that is not known of LEAST games, or may be off by more than VAGUE.

    The luck of each game is taken out as it is: a factor that makes the rest vary less needs more games than people
    play.
    """
    known = [(one.share, one.share - one.luck) for one in games if one.share is not None and one.luck is not None]
    if len(known) < LEAST:
        return ""
    won, left = (fmean(column) for column in zip(*known, strict=True))
    half = student(len(known) - 1) * stdev(rest for _, rest in known) / sqrt(len(known))
    if half > VAGUE:
        return ""
    several = "of them" if len(known) == len(games) else f"of {len(known)}"
    return f"{percent(won)} {several} won, {percent(min(1.0, max(0.0, left)))} ± {100 * half:.0f} without luck"
