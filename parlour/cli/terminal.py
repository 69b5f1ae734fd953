"""A table in the terminal: it shows, asks, lets bots answer, and keeps the game when it is left."""

from __future__ import annotations

import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from parlour.bots import Bot, View
from parlour.cli import output
from parlour.core.clauses import clause, clauses
from parlour.core.contract import Step
from parlour.core.errors import InvalidMove, ParlourError
from parlour.core.match import Match
from parlour.core.plain import render
from parlour.core.plain_tables import flow
from parlour.core.scene import SPECTATOR

HELP = """\
Type a move as the table offers it, or
  moves         the moves that are legal now
  rules CLAUSE  a clause of the rules, for example: rules {clause}
  log           all that has happened
  undo          take back your last decision, where your play is not complete
                and nothing was shown
  save FILE     keep the game in FILE
  quit          leave; the game is kept
"""
MOST_MOVES = 40  # with a line for each; more go several to a line
NARROWEST, WIDEST = 60, 122
SCREEN = 60  # lines that scroll everything away where a screen cannot be cleared
MOST_LINES = 20  # of a game that is resumed; `log` shows all


class Table:
    """One match and who sits at it: `bots` maps seats to bots, the other seats are people's."""

    def __init__(self, match: Match, bots: Mapping[int, Bot]) -> None:
        self.match = match
        self.people = [seat for seat in range(len(match.names)) if seat not in bots]
        self.bots = bots
        self.asked = sys.stdin.isatty()  # a person types, so there are prompts, and endings are worth a word
        self.begun = datetime.now()
        self.secret = len(self.people) > 1 and match.game.rules.hidden_information(match.state)
        self.in_hand: int | None = None  # whose eyes the screen has, where there are secrets and several people
        self.told = 0  # steps that were told before the last person's decision
        if self.asked:
            with suppress(ImportError):
                import readline  # noqa: F401 - it gives `input` arrow keys and a history

    def run(self) -> None:
        """Play until the game is over or left; it is kept however it is left."""
        _hang_up_is_interrupt()
        try:
            self._tell(self.match.history())
            while not self.match.over and self._turn():
                pass
            if self.match.over:
                self._show()
        finally:
            self._keep()

    def _viewer(self) -> int:
        """Whose eyes the screen has: the only person there is, or whoever is to decide; where there are secrets, the
        person who lifted the curtain last, until another one's turn comes (`table.live.eyes` does the same)."""
        if len(self.people) == 1:
            return self.people[0]
        player = self.match.current_player
        if not self.secret:
            return player if player in self.people else SPECTATOR
        return SPECTATOR if self.in_hand is None or self._behind() is not None else self.in_hand

    def _behind(self) -> int | None:
        """The person who is to decide and whose curtain is down, None where there is none."""
        player = self.match.current_player
        waits = self.secret and player in self.people and player != self.in_hand
        return player if waits else None

    def _curtain(self, seat: int) -> bool:
        """Hide what the last player saw, and wait for Enter by this one; False when they leave."""
        name = self.match.names[seat]
        self._clear()
        self._tell(self.match.history()[self.told :])
        print(f"\n{name} is to decide. Pass the keyboard on; nobody else should look now.")
        while True:
            _drop_typed_ahead()
            words = self._read(f"{name}: press Enter ")
            if words is None:
                return False
            if not words:
                break
            print("  Only Enter lifts the curtain.")
        self.in_hand = seat
        self._clear()
        since = next((i for i in range(len(self.match.steps) - 1, -1, -1) if self.match.steps[i][0] == seat), -1)
        self._tell(self.match.history()[since + 1 :])
        return True

    def _clear(self) -> None:
        """Nothing of what was on the screen is left to see, nor in the history of what was typed."""
        if sys.stdout.isatty():
            print("\x1b[H\x1b[2J\x1b[3J", end="")
        else:
            print("\f" + "\n" * SCREEN)
        if "readline" in sys.modules:
            sys.modules["readline"].clear_history()

    def _show(self) -> None:
        print()
        print(render(self.match.scene(self._viewer()), _width()))

    def _turn(self) -> bool:
        """One decision; False when the person leaves."""
        seat = self.match.current_player
        if self._behind() is not None and not self._curtain(seat):
            return False
        if seat in self.bots:
            action = self.bots[seat].choose(View.of(self.match, seat))
            self._tell(self.match.play(action, seat))
            return True
        self._show()
        while True:
            words = self._ask(self.match.names[seat])
            if words is None:
                return False
            try:
                if self._command(words):
                    continue
                before = self.match.version
                steps = self.match.play(words, seat)
            except ParlourError as error:
                _say(str(error), "  ")
                if isinstance(error, InvalidMove):
                    _say("`help` says what can be typed.", "  ")
                continue
            self.told = before
            print()
            self._tell(steps)
            return True

    def _ask(self, name: str) -> str | None:
        """The next line typed, None at the end of the input or to leave."""
        return self._read(f"{name}> ")

    def _read(self, prompt: str) -> str | None:
        try:
            words = input(prompt if self.asked else "").strip()
        except EOFError:
            if self.asked:
                print()
            return None
        if not self.asked:  # so that what is piped in can be followed in what comes out
            print(f"{prompt}{words}")
        return None if words.lower() in ("quit", "exit", "q") else words

    def _command(self, words: str) -> bool:
        """Do what is no move; False when `words` may be one."""
        name, _, rest = words.partition(" ")
        match name.lower():
            case "":
                pass
            case "help" | "?":
                print(HELP.format(clause=next(iter(clauses(self.match.game)))))
            case "moves":
                self._moves()
            case "rules":
                if rest:
                    output.markdown(clause(self.match.game, rest))
                else:
                    _say(f"Say which: {', '.join(clauses(self.match.game))}.")
            case "log":
                for line in self.match.log(self._viewer()):
                    _say(output.line_text(line), "  ")
            case "undo" | "u":
                self._undo()
            case "save":
                self._save(rest)
            case _:
                return False
        return True

    def _undo(self) -> None:
        """Take back the last decision and show where that leaves the table. CannotUndo."""
        step = self.match.undo()
        print(f"  Taken back: {self.match.game.text.format_action(step.before, step.action)}.")
        self._show()

    def _moves(self) -> None:
        legal = self.match.legal_actions()
        lines = [f"  {move}" for move in legal] if len(legal) <= MOST_MOVES else flow("  ", legal, _width(), "  ")
        print("\n".join(lines))

    def _tell(self, steps: Iterable[Step]) -> None:
        viewer = self._viewer()
        told = [line for step in steps for line in self.match.game.scenes.tell(step, viewer, self.match.names)]
        for line in told[-MOST_LINES:]:
            _say(output.line_text(line))

    # Keeping -----------------------------------------------------------------------------------
    def _save(self, name: str) -> None:
        if not name:
            print("  Say where: save FILE.")
            return
        if self._write(Path(name).expanduser()):
            print(f"  Kept in {name}.")

    def _write(self, file: Path) -> bool:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(file.name + ".part")  # a full disk must not cost the file that was there
            fresh.write_text(self.match.record().to_text(), "utf-8")
            fresh.replace(file)
        except OSError as error:
            print(f"  {file} cannot be written: {error.strerror}.")
            return False
        return True

    def _keep(self) -> None:
        """Keep the game where games are kept, and say how to come back to it."""
        from parlour.table.settings import data_dir

        if not any(actor >= 0 for actor, _, _ in self.match.steps):
            return
        name = f"{self.match.game.name}-{self.begun:%Y%m%d-%H%M%S}.txt"
        file = data_dir() / "records" / name
        if not self._write(file):
            return
        with suppress(OSError):  # whoever reads may be gone; the game is kept
            print()
            if self.match.over:
                print(f"Kept in {file}; see `parlour replay FILE --log` and `parlour verify FILE`.")
            else:
                print(f"Kept. Go on with: parlour play {self.match.game.name} --resume {file}")


def _say(words: str, indent: str = "") -> None:
    """Print words, broken between them where they go to a screen; what is piped keeps its lines whole."""
    if sys.stdout.isatty():
        words = textwrap.fill(words, _width() - len(indent), break_on_hyphens=False)
    print(textwrap.indent(words, indent))


def _width() -> int:
    """Columns to draw in: the terminal's, as long as lines can be read at a glance; 78 where there is none."""
    return max(min(shutil.get_terminal_size().columns, WIDEST), NARROWEST) - 2


def _drop_typed_ahead() -> None:
    """What was typed before a prompt was not meant for it."""
    if sys.stdin.isatty():
        with suppress(ImportError, OSError):
            import termios

            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _hang_up_is_interrupt() -> None:
    """A terminal that is closed, or a polite kill, ends the game as Ctrl-C does: it is kept."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGHUP", "SIGTERM"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), interrupt)
