"""Puzzles in the terminal: shows each as its player sees it, asks for the move, and says what it was worth."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from parlour.analysis import themes
from parlour.bots import View, because, chances
from parlour.cli import output
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.plain import render
from parlour.core.plain_tables import flow
from parlour.core.puzzle import Collection, Puzzle
from parlour.core.replay import replay

NARROWEST, WIDEST = 60, 122
LINES = 8  # of the log, before a puzzle
PROMPT = "Your move> "
EXACT = 1e-9


def _width() -> int:
    return max(min(shutil.get_terminal_size().columns, WIDEST), NARROWEST) - 2


class Sitting:
    """Puzzles of one file, one after the other; it counts those that were solved."""

    def __init__(self, game: Game, every: Collection) -> None:
        self.game, self.every = game, every
        self.words = themes.words(game)
        self.right = self.tried = 0
        self.asked = sys.stdin.isatty()

    def run(self, puzzles: Sequence[Puzzle]) -> None:
        """Ask for each puzzle until there are no more, or the person leaves."""
        for number, one in enumerate(puzzles, 1):
            print(f"{'' if number == 1 else chr(10)}Puzzle {one.key}, rated {one.rating:.0f}")
            if not self._ask(one):
                break
        if self.tried:
            print(f"\n{self.right} of {self.tried} solved.")

    def _ask(self, one: Puzzle) -> bool:
        """Show a puzzle and take one answer. Return False if the person leaves."""
        match = replay(self.every.record(one), lambda _: self.game)
        for line in match.log(one.seat)[-LINES:]:
            print(f"  {output.line_text(line)}")
        print()
        print(render(match.scene(one.seat), _width()))
        print(f"\nYou are {match.names[one.seat]}. One decision is best. Which?")
        while True:
            words = self._read()
            if words is None or words.lower() in ("quit", "exit", "q"):
                return False
            match words.lower():
                case "":
                    continue
                case "help" | "?":
                    print("  Type a move, or: moves, log, skip, quit.")
                case "moves":
                    print("\n".join(flow("  ", match.legal_actions(), _width(), "  ")))
                case "log":
                    for line in match.log(one.seat):
                        print(f"  {output.line_text(line)}")
                case "skip":
                    self._tell(one, match, None)
                    return True
                case _:
                    try:
                        action = match.parse(words, one.seat)
                    except ParlourError as error:
                        print(f"  {error}")
                        continue
                    self._tell(one, match, action)
                    return True

    def _read(self) -> str | None:
        try:
            words = input(PROMPT if self.asked else "").strip()
        except EOFError:
            return None
        if not self.asked:
            print(f"{PROMPT}{words}")
        return words

    def _tell(self, one: Puzzle, match: Match, action: int | None) -> None:
        """Say whether the answer was right, what the choices are worth, and why the best one is."""
        best = match.parse(one.best, one.seat)
        state = match.state
        if action is not None:
            self.tried += 1
            self.right += action == best
            move = self.game.text.format_action(state, action)
            print(f"\n{'Right' if action == best else 'Not the best'}: {move}.")
        ground = because.ground_of(self.game, View.of(match, one.seat).state(self.game), best)
        why = f", because {self.game.because(ground, match.names)}" if ground else ""
        print(f"Best is {one.best}{why}.")
        exact = not self.every.simulations
        values = chances.of_puzzle(one, match, exact=exact).values
        rows = {value.move: self._chance(value.chance, value.error) for value in values}
        if action is not None and (played := self.game.text.format_action(state, action)) not in rows:
            rows[played] = "worse than these"
        output.facts({f"  {name}": words for name, words in rows.items()})
        print(chances.holds(chances.of_match(match), exact=exact))
        said = [self.words[name] for name in one.themes if name in self.words]
        if said:
            print(f"Themes: {', '.join(said)}.")

    def _chance(self, chance: float, error: float) -> str:
        doubt = f" (± {200 * error:.1f})" if error > EXACT else ""
        return f"wins {100 * chance:.1f} %{doubt}"
