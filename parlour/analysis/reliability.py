"""Whether shown chances come true: games between bots of one level, and what hints would have said in them.

In a few decisions of each game the adviser of hints is asked, and what it finds for its best decision is kept beside
the deciding seat's share of the win. Games with an even number fit a correction (`parlour.bots.chances`), the others
show how true chances are with it and without, so that no number is judged by the games that made it. Where the game's
solver is exact nothing is fitted, and all games show. Nor is anything fitted between players of another level than
that of the game's correction: all games show how true the chances are there that people see.

A decision that was asked is weighted by how many decisions its game has for each that was asked. Without that, those of
short games would count more. How soon a game ends depends on who wins it, so the player who is ahead would seem to win
more often than they do (length bias: even exact chances looked wrong).

Chances are put into ten bins of equal width: a reliability table. The calibration error is the mean distance between
what was said and what happened, by bin, weighted by decisions (ECE: Naeini, Cooper and Hauskrecht, AAAI 2015). It is
never 0, not even for a forecaster who is right, because few games happen as often as they should (Bröcker and Smith,
"Increasing the reliability of reliability diagrams", Weather and Forecasting 22, 2007). So the same error is worked out
for games that are drawn from the chances themselves. Decisions of one game share its result: intervals are by
game, and in the drawn games each seat has one number by which all of its decisions are won or lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from parlour import bots
from parlour.analysis import curves, estimates, figures, mining, report
from parlour.analysis.evaluation import decisions
from parlour.analysis.plans import Given, Plan
from parlour.bots import View, chances, levels, nets
from parlour.bots.chances import EXACT, Correction, holds
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.facts import RULESET
from parlour.core.fair import seed_of
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine.interpreted import Engine

Floats: TypeAlias = NDArray[np.float64]

HERE = __name__
SCHEME = "parlour-calibrate-1"
A_GAME = 6  # decisions of one game at most, unless a plan says otherwise
BINS = 10
DRAWS = 400  # sets of games that are drawn from the chances
RARELY = 0.95  # of these sets, the share whose error is not above `Table.most`
USUAL = (1.0, 1.0, 0.0)  # `middle`, `ends` and `shift` of a correction that changes nothing
PRIOR = 1.0  # standard deviation of the three numbers round these, before anything is known
LEAST = 0.05  # of `middle` and `ends`: below it chances would hardly differ
ROUNDS, SETTLED = 60, 1e-9  # of Newton's method
DIGITS = 3  # of the three numbers


class Forecast(msgspec.Struct, frozen=True, array_like=True):
    """A decision: whose it was, the chance that was found for the best one, and the seat's share of the win in the end.
    `exact`: whether the chance is not an estimate. `weight`: the decisions of its game for each that was asked."""

    seat: int
    found: float
    won: float
    exact: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Bin:
    """Decisions with about the same chance: its mean, and how often it happened, with the 95 % interval."""

    shown: float
    happened: float
    low: float
    high: float
    decisions: int


@dataclass(frozen=True, slots=True)
class Table:
    """A reliability table: `bins` that are not empty, by the tenth of the chance.

    `error` is the calibration error. True chances have an error of `usual` on average in this number of games, and in
    19 cases of 20 one of at most `most`. `square` is the mean squared error (Brier 1950).
    """

    bins: dict[int, Bin]
    error: float
    usual: float
    most: float
    square: float


@dataclass(frozen=True, slots=True)
class Result:
    """Chances as they were found, and with the correction; None where all are exact.

    `fitted`: the games that the correction was fitted to here, besides the `games` of the tables; 0 for that of the
    game, which is of another level.
    """

    games: int
    fitted: int
    found: Table
    correction: Correction | None = None
    corrected: Table | None = None


def as_hinted(way: mining.Way) -> mining.Way:
    """Return the way that asks what hints ask: 0 simulations where a network advises."""
    game = Game(*way.game)
    net = nets.of_game(game, way.players, way.options.get(RULESET, ""))
    judged = levels.LEARNED in levels.twins(game) and net is not None
    return msgspec.structs.replace(way, simulations=0) if judged else way


# Playing and asking ----------------------------------------------------------------------------------
def plan(way: mining.Way, level: str, games: int, each: int = A_GAME) -> Plan:
    """Return the plan that asks in `each` decisions of games between bots of a level, a block for every game. Raises
    UnknownName, BadSetup."""
    game = Game(*way.game)
    if level not in bots.names(game):
        raise UnknownName(f"{game.name} has no bot {level!r}.", allowed=bots.names(game))
    if games < 4:
        raise BadSetup("At least four games are needed: two to fit, and two to test.")
    common = {"way": msgspec.to_builtins(way), "level": level, "each": each}
    return Plan(f"{HERE}:block", common, [{"number": number} for number in range(games)], (way.game[0],))


def block(common: Given, given: Given) -> bytes:
    """Play one game and ask in some of its decisions. Return a list of `Forecast`, as JSON."""
    from parlour.bots import worker

    way, number = msgspec.convert(common["way"], mining.Way), int(str(given["number"]))
    game = Game(*way.game)
    engine = worker.warm(game)
    match = played(way, str(common["level"]), game, engine, number)
    return msgspec.json.encode(asked(way, match, engine, number, int(str(common["each"]))))


def asked(way: mining.Way, match: Match, engine: Engine, number: int, each: int = A_GAME) -> list[Forecast]:
    """Ask the adviser of hints in `each` decisions of game `number`."""
    game, found = match.game, decisions(match)
    luck = Random(f"{SCHEME}/decisions/{way.seed}/{number}")
    drawn = sorted(luck.sample(range(len(found)), min(each, len(found))))
    adviser, won = bots.adviser(game, simulations=way.simulations or None, corrected=False), match.returns
    weight = len(found) / max(1, len(drawn))
    kept = []
    for one in (found[place] for place in drawn):
        advice = adviser.advise(one.view, engine)
        if advice.chance is not None:
            kept.append(Forecast(one.view.seat, advice.chance, won[one.view.seat], advice.exact, weight))
    return kept


def played(way: mining.Way, level: str, game: Game, engine: Engine, number: int) -> Match:
    """Play game `number` between bots of one level."""
    seed = seed_of(f"{SCHEME}/{way.seed}/{number}")
    match = Match(game, way.players, edition=way.edition, options=way.options, seed=seed)
    bot = bots.find(game, level, repeatable=True)
    while not match.over:
        match.advance(bot.choose(View.of(match, match.current_player), engine))
        match.draw()
    return match


# Fitting and testing ---------------------------------------------------------------------------------
def result(way: mining.Way, level: str, games: Sequence[Sequence[Forecast]], known: Correction | None = None) -> Result:
    """Fit a correction to the games with an even number, and test it with the others; or test `known`, which is of
    another level, with all. Raises BadSetup if nothing was asked."""
    every = [one for game in games for one in game]
    if not every:
        raise BadSetup("No decision of these games has a chance.")
    if all(one.exact for one in every):
        return Result(len(games), 0, table(games, way.players))
    if known is not None:
        return Result(len(games), 0, table(games, way.players), known, table(games, way.players, known))
    fitting, testing = games[::2], games[1::2]
    made = Correction(
        way.options.get(RULESET, ""), way.edition, way.players, level, way.simulations, len(fitting),
        *(round(one, DIGITS) for one in fit([one for game in fitting for one in game])),
    )  # fmt: skip
    return Result(
        len(testing), len(fitting), table(testing, way.players), made, table(testing, way.players, made)
    )  # fmt: skip


def of_another(way: mining.Way, level: str) -> Correction | None:
    """Return the correction that people see in these games, if it is of another level."""
    found = chances.correction(Game(*way.game), way.edition, tuple(way.options.items()), way.players)
    return None if found is None or found.level == level else found


def fit(pairs: Sequence[Forecast]) -> tuple[float, float, float]:
    """Return `middle`, `ends` and `shift` that make what happened most likely, with a weak prior round those that
    change nothing (Newton's method for a logistic regression). Chances of 0 and 1 say nothing of them: they stay."""
    inner = [one for one in pairs if 0 < one.found < 1]
    found, won, weight = (
        np.array([getattr(one, name) for one in inner], np.float64) for name in ("found", "won", "weight")
    )
    weight /= weight.mean() if len(weight) else 1.0
    near = 4 * found - 2
    rows = np.stack([near, np.log(found) - np.log1p(-found) - near, np.ones_like(found)])
    usual = np.array(USUAL)
    least, now = np.array([LEAST, LEAST, -np.inf]), usual.copy()
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(now @ rows, -700, 700)))
        uphill = rows @ (weight * (won - chance)) - (now - usual) / PRIOR**2
        bend = (rows * (weight * chance * (1 - chance))) @ rows.T + np.eye(3) / PRIOR**2
        free = (now > least) | (uphill > 0)  # a number at its least that would fall stays there, and the others move
        step = np.zeros(3)
        step[free] = np.linalg.solve(bend[np.ix_(free, free)], uphill[free])
        after = np.maximum(now + step, least)
        if np.abs(after - now).max() < SETTLED:
            break
        now = after
    return float(now[0]), float(now[1]), float(now[2])


def table(games: Sequence[Sequence[Forecast]], players: int, correction: Correction | None = None) -> Table:
    """Return how true the chances of these games are, as they were found or corrected."""
    numbers = [(number, one) for number, game in enumerate(games) for one in game]
    every = [one for _, one in numbers]
    found = _Columns(
        np.array([one.found if correction is None else correction.of(one.found) for one in every], np.float64),
        np.array([one.won for one in every], np.float64), np.array([one.weight for one in every], np.float64),
        np.array([number for number, _ in numbers], np.int64), np.array([one.seat for one in every], np.int64),
    )  # fmt: skip
    place = np.minimum((found.shown * BINS).astype(np.int64), BINS - 1)
    bins = {number: _bin(found, place == number) for number in range(BINS) if (place == number).any()}
    drawn = np.array([_error(found, place, won) for won in _results(found, players)])
    return Table(
        bins, _error(found, place, found.won), float(drawn.mean()), float(np.quantile(drawn, RARELY)),
        float(np.average((found.shown - found.won) ** 2, weights=found.weight)),
    )  # fmt: skip


class _Columns(NamedTuple):
    """Decisions by column: the shown chance, the share of the win, the weight, the number of the game, the seat."""

    shown: Floats
    won: Floats
    weight: Floats
    game: NDArray[np.int64]
    seat: NDArray[np.int64]


def _bin(every: _Columns, here: NDArray[np.bool_]) -> Bin:
    """Return the bin of these decisions; its interval is by game."""
    it = _Columns(every.shown[here], every.won[here], every.weight[here], every.game[here], every.seat[here])
    wins, whole = np.bincount(it.game, it.weight * it.won), np.bincount(it.game, it.weight)
    found = estimates.ratio(wins[whole > 0], whole[whole > 0], share=True)
    assert found is not None
    return Bin(float(np.average(it.shown, weights=it.weight)), found.value, *found.interval, len(it.shown))


def _error(every: _Columns, place: NDArray[np.int64], won: Floats) -> float:
    """Return the calibration error with these results: of each bin, the distance of the sums, over all decisions."""
    apart = np.bincount(place, every.weight * (every.shown - won), BINS)
    return float(np.abs(apart).sum() / every.weight.sum())


def _results(every: _Columns, players: int) -> Floats:
    """Return results that were drawn from the chances, DRAWS rows of them.

    Each seat of a game has a number, and wins the decisions whose chance is above it. Of two seats the numbers sum to
    1, so that what one wins the other loses.
    """
    luck = np.random.default_rng(1)
    numbers = luck.random((DRAWS, int(every.game.max()) + 1, players))
    if players == 2:
        numbers[:, :, 1] = 1 - numbers[:, :, 0]
    return (numbers[:, every.game, every.seat] < every.shown).astype(np.float64)


# Showing ---------------------------------------------------------------------------------------------
FOUND = ("chance", "found", "happened", "95 %", "decisions")
CORRECTED = ("corrected", "happened", "95 %", "decisions")


def heads(found: Result) -> tuple[str, ...]:
    """Return the heads of the columns of `rows`."""
    return FOUND + (CORRECTED if found.corrected else ())


def rows(found: Result) -> list[tuple[str, ...]]:
    """Return the rows of the table, and beside them those of the table with corrected chances."""
    tables = [found.found] + ([found.corrected] if found.corrected else [])
    numbers = sorted({number for one in tables for number in one.bins})
    width = 100 // BINS
    return [
        (f"{width * number} to {width * (number + 1)} %", *(cell for one in tables for cell in _cells(one, number)))
        for number in numbers
    ]


def _cells(one: Table, number: int) -> tuple[str, str, str, str]:
    if number not in one.bins:
        return "", "", "", "0"
    it = one.bins[number]
    return (
        f"{100 * it.shown:.1f} %", f"{100 * it.happened:.1f} %", f"{100 * it.low:.0f} to {100 * it.high:.0f} %",
        f"{it.decisions}",
    )  # fmt: skip


def words(found: Result) -> list[str]:
    """Return what the tables say together, in sentences."""
    said = [_said("as found", found.found)]
    if found.correction is None:
        said.append(EXACT)
    if found.correction is not None and found.corrected is not None:
        one = found.correction
        said.append(_said("corrected", found.corrected))
        numbers = f"middle {one.middle:g}, ends {one.ends:g}, shift {one.shift:g}".replace("-", "−")
        other = "" if found.fitted else f" of level {one.level}"
        said.append(f"Correction, fitted to {one.games:,} other games{other}: {numbers}.")
        said.append(holds(one, exact=False))
    return said


def _said(how: str, one: Table) -> str:
    return (
        f"Chances {how}: calibration error {100 * one.error:.1f} points; true chances would have "
        f"{100 * one.usual:.1f} in so few games, and at most {100 * one.most:.1f} in 19 cases of 20. "
        f"Mean squared error {one.square:.4f}."
    )


def name_of(way: mining.Way, level: str = "") -> str:
    """Return the name of what was measured, in files and marks."""
    said = (way.game[0], way.options.get(RULESET, ""), way.edition, f"{way.players}p", level)
    return "-".join(filter(None, said))


def section(way: mining.Way, found: Result, level: str, command: str, picture: str) -> str:
    """Return the text between the marks in docs/chances.md."""
    game = Game(*way.game)
    said = (game.text.TITLE, way.options.get(RULESET, ""), way.edition, f"{way.players} players", f"level {level}")
    of = f"{found.games:,} games"
    if found.fitted:
        of += f", other than the {found.fitted:,} that the correction was fitted to"
    grid = [heads(found), ("---", *["--:"] * (len(heads(found)) - 1)), *rows(found)]
    return "\n\n".join((
        f"**{', '.join(filter(None, said))}**, {of}: `{command}`",
        f"![What happened, by what was shown]({picture})",
        "\n".join(f"| {' | '.join(row)} |" for row in grid),
        " ".join(words(found)),
    ))  # fmt: skip


def write(page: Path, heading: str, way: mining.Way, found: Result, level: str, command: str) -> None:
    """Write the tables into a page, between marks of their own, and the picture beside it."""
    name = name_of(way, level)
    begin, end = (f"<!-- written by `parlour calibrate`, {name}: {word} -->" for word in ("begin", "end"))
    picture = page.with_name(f"chances-{name}.svg")
    picture.write_text(drawn(Game(*way.game).text.TITLE, found), "utf-8")
    text = section(way, found, level, command, picture.name)
    figures.write(page, report.rewrite(page.read_text("utf-8"), text, begin, end, heading))


def drawn(title: str, found: Result) -> str:
    """Draw what happened by what was shown, as SVG: a curve for the chances as found, and one for the corrected."""
    ends = [100 * number / BINS for number in range(BINS + 1)]
    true = [curves.Place(end / 100, f"{end:.0f} %", end, end, end) for end in ends]
    shown = {"as found": _curve(found.found)}
    if found.corrected is not None:
        shown["corrected"] = _curve(found.corrected)
    shown[""] = true  # the straight line, which needs no label
    note = "What happened, by what was shown; true chances are on the straight line. Bars are 95 % intervals by game."
    return curves.draw(f"{title}: shown chances", note, [curves.Panel("happened", "%", shown)])


def _curve(one: Table) -> list[curves.Place]:
    return [
        curves.Place(it.shown, f"{100 * it.shown:.0f} %", *(100 * end for end in (it.happened, it.low, it.high)))
        for it in one.bins.values()
    ]
