"""Look for the faults of a bot of your own: it plays one game of every ruleset, edition and number of players."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from parlour.analysis.shapes import Shape, shapes
from parlour.bots.outside import PROGRAM, imported, is_own, split
from parlour.bots.own import SECONDS, Bot, BotFault
from parlour.bots.program import Program
from parlour.bots.stepwise import Table
from parlour.core.errors import UnknownName
from parlour.core.game import Game
from parlour.games import all_games, find

Progress = Callable[[int, int, str], object]


@dataclass(frozen=True)
class Report:
    """How many games were played and how many not begun in time, and one sentence for each fault."""

    played: int
    left: int
    faults: tuple[str, ...]


def run(
    named: str, games: Sequence[Game] = (), clock: float = SECONDS, seconds: float = 0.0,
    progress: Progress | None = None,
) -> Report:  # fmt: skip
    """Let the bot play, at a seat among random ones, in `games`, or in all that it says it plays.

    `clock`: seconds for a decision; `seconds`: after these no game begins, 0 for no limit. Raises UnknownName and
    BadSetup if there is no such bot.
    """
    if not is_own(named):
        raise UnknownName(f"{named!r} is not a bot of your own. Write `module:Class` or `{PROGRAM}COMMAND`.")
    end = time.monotonic() + seconds if seconds else float("inf")
    bot: Bot | type[Bot] = Program(split(named), named) if named.startswith(PROGRAM) else imported(named)
    faults: list[str] = []
    played = 0
    try:
        found = [*games] or [*_games(bot, named, faults)]
        all_shapes = [shape for game in found for shape in shapes(game)]
        for number, shape in enumerate(all_shapes):
            if time.monotonic() >= end:
                break
            if progress is not None:
                progress(number, len(all_shapes), shape.game.name)
            if fault := _fault(bot, shape, number, clock):
                faults.append(fault)
            played += 1
    finally:
        if isinstance(bot, Bot):
            bot.close()
    return Report(played, len(all_shapes) - played, tuple(faults))


def _games(bot: Bot | type[Bot], named: str, faults: list[str]) -> Iterator[Game]:
    """Yield the games that a bot says it plays; a game that is not there is a fault, and so is a missing hello."""
    says = bot.games
    if isinstance(bot, Program):
        try:
            bot.hello()
        except BotFault as fault:
            faults.append(f"{named} {fault.message}")
            return
        says = bot.plays
    for name in says or all_games():
        try:
            yield find(name)
        except UnknownName:
            faults.append(f"{named} says that it plays {name!r}, which is not a game here.")


def _fault(bot: Bot | type[Bot], shape: Shape, number: int, clock: float) -> str:
    """Return what the bot does wrong in one game, at another seat each time; "" for nothing."""
    seat = number % shape.players
    options = shape.game.options(shape.options)
    chosen: list[str | Bot | type[Bot]] = ["random"] * shape.players
    chosen[seat] = bot
    table = Table(shape.game, shape.box, options, chosen, number, clock)
    fault = table.play(0).fault
    return f"{shape}, seat {seat + 1}: {fault[1]}" if fault else ""
