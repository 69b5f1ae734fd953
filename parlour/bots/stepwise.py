"""Games with bots of your own, played step by step: what `parlour.simulate` does where a loop cannot be compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from parlour.bots.outside import Named, OwnBot, chooser, forfeit, label
from parlour.bots.own import SECONDS, BotFault
from parlour.bots.view import View
from parlour.core.edition import Edition
from parlour.core.fair import seed_of
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.engine.simulate import MOST, Interrupted, Progress, Simulation

SCHEME = "parlour-own-bots-1"


class Played(NamedTuple):
    """A game that was played: its decisions, the utilities by seat, and the seat of the bot that lost it by a fault,
    with the reason. One that was cut short is not over, and has no fault."""

    match: Match
    decisions: int
    returns: Sequence[float]
    fault: tuple[int, str] | None


class Table:
    """Bots at their seats, and how the game is set up; `seconds` for each decision of those of your own."""

    def __init__(
        self, game: Game, edition: Edition, options: dict[str, str], bots: Sequence[Named], seed: int,
        seconds: float = SECONDS,
    ) -> None:  # fmt: skip
        self.game = game
        self.edition = edition
        self.options = options
        self.names = tuple(map(label, bots))
        self.seed = seed
        self.bots = [chooser(game, one, seconds) for one in bots]

    def simulate(self, games: range, progress: Progress | None = None) -> Simulation:
        """Play the games of these numbers, each from the seed and its number alone.

        Raises `Interrupted` for Ctrl-C, with the Simulation of the games before.
        """
        rows: list[Row] = []
        faults: list[tuple[int, int, str]] = []

        def note(game: Played) -> None:
            if game.fault is not None:
                faults.append((games[len(rows)], *game.fault))
            turns = getattr(game.match.state, "turns", None)
            rows.append((
                game.match.scores, game.returns, game.decisions, turns if isinstance(turns, int) else None,
                game.match.over or game.fault is not None,
            ))  # fmt: skip

        try:
            self.play_all(games, note, progress)
        except KeyboardInterrupt:
            raise Interrupted(len(rows), self._result(rows, faults)) from None
        return self._result(rows, faults)

    def play_all(self, games: range, note: Callable[[Played], None], progress: Progress | None = None) -> None:
        """Play the games of these numbers, call `note` with each, and close the bots."""
        try:
            for done, number in enumerate(games):
                if progress is not None:
                    progress(done, len(games))
                note(self.play(number))
            if progress is not None:
                progress(len(games), len(games))
        finally:
            self.close()

    def close(self) -> None:
        """Close the bots of your own."""
        for bot in self.bots:
            if isinstance(bot, OwnBot):
                bot.close()

    def play(self, number: int) -> Played:
        """Play one game, to its end, to the fault of a bot, or until it is cut short."""
        seed = seed_of(f"{SCHEME}/{self.seed}/{number}")
        match = Match(self.game, len(self.bots), edition=self.edition, options=self.options, seed=seed)
        decisions, begun = 0, set[int]()
        while not match.over and decisions < MOST:
            seat = match.current_player
            bot = self.bots[seat]
            try:
                if isinstance(bot, OwnBot) and seat not in begun:
                    bot.begin()
                    begun.add(seat)
                action = bot.choose(View.of(match, seat))
            except BotFault as fault:
                return Played(match, decisions, forfeit(len(self.bots), seat), (seat, str(fault)))
            match.advance(action)
            match.draw()
            decisions += 1
        return Played(match, decisions, match.returns if match.over else (0.0,) * len(self.bots), None)

    def _result(self, rows: Sequence[Row], faults: Sequence[tuple[int, int, str]]) -> Simulation:
        seats = len(self.bots)
        return Simulation(
            self.game.name, self.edition.name, self.options, self.names, self.seed,
            np.array([row[0] for row in rows], np.int64).reshape(-1, seats),
            np.array([row[1] for row in rows], np.float64).reshape(-1, seats),
            np.array([row[2] for row in rows], np.int64),
            None if any(row[3] is None for row in rows) else np.array([row[3] for row in rows], np.int64),
            np.array([row[4] for row in rows], np.bool_),
            tuple(faults),
        )  # fmt: skip


# scores and utilities by seat, decisions, turns (None if they are not counted), whether it was finished
Row = tuple[list[int], Sequence[float], int, int | None, bool]
