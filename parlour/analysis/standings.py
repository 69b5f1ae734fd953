"""Results of an arena: ratings, wins, and results of each pair. The unit that varies is the block."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from parlour.analysis import charts
from parlour.analysis.arena import Block, Contest, Run
from parlour.analysis.estimates import SMALLEST, ratio
from parlour.analysis.intervals import block_interval
from parlour.analysis.luck import without
from parlour.analysis.ratings import Rating, rate
from parlour.analysis.sprt import Running, elo_of
from parlour.analysis.statistics import Share


@dataclass(frozen=True)
class Standing:
    """One bot: its rating, its share of a seat's wins (1 / players is even), mean score, milliseconds a decision.

    `fair`: the share with luck taken out, None if the luck of some game is not known. `gain`: what this divides the
    variance by: 2 is worth as much as twice the games. None if wins or what is left do not vary.
    """

    bot: str
    rating: Rating
    wins: Share
    seats: int
    score: float
    milliseconds: float
    fair: Share | None = None
    gain: float | None = None


def standings(contest: Contest, blocks: Sequence[Block]) -> list[Standing]:
    """Return all bots, the highest rating first. `seats` are those that a bot had: two at one table are two."""
    rated = rate(contest.bots, blocks)
    found = []
    for bot in contest.bots:
        parts, wholes = [], []
        score, decisions, seconds = 0, 0, 0.0
        for block in blocks:
            held = [(game, seat) for game in block for seat, name in enumerate(game.seats) if name == bot]
            parts.append(math.fsum(game.returns[seat] for game, seat in held))
            wholes.append(float(len(held)))
            score += sum(game.scores[seat] for game, seat in held)
            decisions += sum(game.decisions[seat] for game, seat in held)
            seconds += math.fsum(game.seconds[seat] for game, seat in held)
        seats = int(sum(wholes))
        share = Share(*block_interval(parts, wholes)) if seats else Share(1 / contest.players, 0.0, 1.0)
        fair, gain = _without_luck(bot, blocks, parts, wholes)
        found.append(
            Standing(
                bot, rated[bot], share, seats, score / max(1, seats), 1000 * seconds / max(1, decisions), fair, gain
            )
        )
    return sorted(found, key=lambda one: -one.rating.rating)


def _without_luck(
    bot: str, blocks: Sequence[Block], parts: Sequence[float], wholes: Sequence[float]
) -> tuple[Share | None, float | None]:
    """Return `Standing.fair` and `Standing.gain` of a bot that won `parts` of `wholes` seats in each block."""
    if any(len(game.luck) < len(game.seats) for block in blocks for game in block):
        return None, None
    had = [
        math.fsum(one for game in block for name, one in zip(game.seats, game.luck, strict=True) if name == bot)
        for block in blocks
    ]
    won = np.array(parts, np.float64)
    before, after = ratio(won, wholes), ratio(without(won, np.array(had)), wholes, share=True)
    if before is None or after is None:
        return None, None
    varies = len(won) > 1 and min(before.error, after.error) > SMALLEST
    return Share(after.value, *after.interval), (before.error / after.error) ** 2 if varies else None


def versus(first: str, second: str, blocks: Sequence[Block]) -> Share:
    """Return the share of `first` in the wins that it or `second` took where both played, with its interval by block.

    For two players this is the share of points; for more, the chance of `first` given that one of the two wins.
    """
    parts, wholes = [], []
    for block in blocks:
        mine = other = 0.0
        for game in block:
            if first in game.seats and second in game.seats:
                for name, share in zip(game.seats, game.returns, strict=True):
                    mine += share if name == first else 0.0
                    other += share if name == second else 0.0
        parts.append(mine)
        wholes.append(mine + other)
    return Share(*block_interval(parts, wholes))


def score(block: Block, bot: str) -> float:
    """Return the score of a block between two bots, in [0, 1]: the share that `bot` won, 1/2 for equal wins (or
    none)."""
    won = dict.fromkeys(block[0].seats, 0.0)
    for game in block:
        for name, share in zip(game.seats, game.returns, strict=True):
            won[name] += share
    mine = won.pop(bot)
    return 0.5 + (mine - sum(won.values())) / (2 * len(block))


def as_dict(run: Run, test: Running | None) -> dict[str, object]:
    """Return plain values, for JSON."""
    contest, blocks = run.contest, run.blocks
    settings = {name: value for name, value in contest.settings().items() if name not in ("arena", "parts")}
    values: dict[str, object] = settings | {
        "games": run.games,
        "blocks": len(blocks),
        "ended": run.ended,
        "seconds": run.seconds,
    }
    values["standings"] = [
        asdict(one)
        | {"rating": one.rating._asdict(), "wins": one.wins._asdict(), "fair": one.fair and one.fair._asdict()}
        for one in standings(contest, blocks)
    ]
    values["versus"] = {
        first: {second: versus(first, second, blocks)._asdict() for second in contest.bots if second != first}
        for first in contest.bots
    }
    if test is not None:
        share = versus(contest.bots[0], contest.bots[1], blocks)
        values["sprt"] = asdict(test.sprt) | {
            "blocks": test.blocks,
            "ratio": test.ratio,
            "verdict": test.verdict or "undecided",
            "elo": dict(zip(("elo", "low", "high"), map(finite, map(elo_of, share)), strict=True)),
        }
    return values


def percent(share: Share) -> str:
    """ "61.2 % (57.9 to 64.4)" """
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def in_short(share: Share) -> str:
    """ "61.2 (57.9–64.4)", per cent, for narrow columns."""
    return f"{100 * share.share:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f})"


def elo(share: Share) -> str:
    """Return the same as a difference in strength: "+79 (55 to 103)"."""

    def text(number: float) -> str:
        whole = f"{round(abs(number))}" if math.isfinite(number) else "∞"
        return f"−{whole}" if number < 0 and whole != "0" else whole

    middle, low, high = (text(elo_of(one)) for one in share)
    return f"{'' if middle.startswith('−') else '+'}{middle} ({low} to {high})"


def finite(number: float) -> float | None:
    """Return the number, or None if it is infinite: JSON has no infinity."""
    return number if math.isfinite(number) else None


def picture(run: Run) -> str:
    """Draw the ratings with their intervals, as SVG."""
    contest = run.contest
    rows = [charts.Row(one.bot, 0, [Share(*one.rating)]) for one in standings(contest, run.blocks)]
    where = f"{contest.box.name}, {contest.players} players"
    return charts.spans(
        f"{contest.game.text.TITLE}: ratings",
        f"openskill after {run.games:,} games, {where}; the line is the 95 % interval. All begin at 1500.",
        rows,
        (),
        1500,
    )
