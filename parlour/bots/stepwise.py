"""Games with bots of your own, played step by step: what `parlour.simulate` does where a loop cannot be compiled."""

from __future__ import annotations

from collections.abc import Sequence

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

    def simulate(self, games: int, progress: Progress | None = None) -> Simulation:
        """Play games 0 to `games` - 1, each from the seed and its number alone.

        Raises `Interrupted` for Ctrl-C, with the Simulation of the games before.
        """
        rows: list[Row] = []
        faults: list[tuple[int, int, str]] = []
        try:
            for number in range(games):
                if progress is not None:
                    progress(number, games)
                row, fault = self.play(number)
                rows.append(row)
                faults += fault
            if progress is not None:
                progress(games, games)
        except KeyboardInterrupt:
            played = [one for one in faults if one[0] < len(rows)]
            raise Interrupted(len(rows), self._result(rows, played)) from None
        finally:
            for bot in self.bots:
                if isinstance(bot, OwnBot):
                    bot.close()
        return self._result(rows, faults)

    def play(self, number: int) -> tuple[Row, list[tuple[int, int, str]]]:
        """Play one game. Return its row, and the fault that ended it, if any."""
        seed = seed_of(f"{SCHEME}/{self.seed}/{number}")
        match = Match(self.game, len(self.bots), edition=self.edition, options=self.options, seed=seed)
        lengths, begun, faults = 0, set[int](), list[tuple[int, int, str]]()
        shares: Sequence[float] = (0.0,) * len(self.bots)
        while not match.over and lengths < MOST:
            seat = match.current_player
            bot = self.bots[seat]
            try:
                if isinstance(bot, OwnBot) and seat not in begun:
                    bot.begin()
                    begun.add(seat)
                action = bot.choose(View.of(match, seat))
            except BotFault as fault:
                faults.append((number, seat, str(fault)))
                shares = forfeit(len(self.bots), seat)
                break
            match.advance(action)
            match.draw()
            lengths += 1
        if match.over:
            shares = match.returns
        turns = getattr(match.state, "turns", None)
        finished = match.over or bool(faults)
        return (match.scores, shares, lengths, turns if isinstance(turns, int) else None, finished), faults

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
