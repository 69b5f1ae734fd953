"""A table in the terminal: shows the game, asks for moves, lets bots move, and keeps the game at the end."""

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

from parlour.bots import Chooser, View
from parlour.cli import door, output
from parlour.core.clauses import clause, clauses
from parlour.core.contract import Step
from parlour.core.errors import InvalidMove, ParlourError
from parlour.core.match import Match
from parlour.core.plain import render
from parlour.core.plain_tables import flow
from parlour.core.scene import SPECTATOR

HELP = """\
Type a move as the table shows it, or
  moves         the moves that are legal now
  rules CLAUSE  a clause of the rules, for example: rules {clause}
  log           everything that has happened
  undo          take back your last decision, if your play is not complete
                and nothing has been revealed
  save FILE     keep the game in FILE
  quit          leave; the game is kept
"""
MOST_MOVES = 40  # on a line each; if there are more, several share a line
NARROWEST, WIDEST = 60, 122
SCREEN = 60  # blank lines that scroll everything away if the screen cannot be cleared
MOST_LINES = 20  # lines of a resumed game's log; `log` shows all


class Table:
    """One match and its players: `bots` maps seats to bots; people have the other seats."""

    def __init__(self, match: Match, bots: Mapping[int, Chooser]) -> None:
        self.match = match
        self.people = [seat for seat in range(len(match.names)) if seat not in bots]
        self.bots = bots
        self.asked = sys.stdin.isatty()  # a person types, so show prompts
        self.begun = datetime.now()
        self.secret = len(self.people) > 1 and match.game.rules.hidden_information(match.state)
        self.in_hand: int | None = None  # the person at the screen, if there are secrets and several people
        self.begins = True  # nothing has been typed or piped in yet
        self.shown = 0  # steps already printed before the last person's decision
        if self.asked:
            with suppress(ImportError):
                import readline  # noqa: F401 - it gives `input` arrow keys and a history

    def run(self) -> None:
        """Play until the game is over or the players leave; keep it in any case."""
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
        """Return the viewer for whom the screen is drawn: the only person, or the one who is to decide. If there are
        secrets, it is the person who last lifted the curtain, until another's turn comes (as in `table.live.eyes`)."""
        if len(self.people) == 1:
            return self.people[0]
        player = self.match.current_player
        if not self.secret:
            return player if player in self.people else SPECTATOR
        return SPECTATOR if self.in_hand is None or self._behind() is not None else self.in_hand

    def _behind(self) -> int | None:
        """Return the person who is to decide, if their curtain is down, else None."""
        player = self.match.current_player
        waits = self.secret and player in self.people and player != self.in_hand
        return player if waits else None

    def _curtain(self, seat: int) -> bool:
        """Hide what the last player saw, and wait for this one to press Enter. Return False if they leave."""
        name = self.match.names[seat]
        self._clear()
        self._tell(self.match.history()[self.shown :])
        print(f"\n{name}'s turn. Pass the keyboard on; the others should not look now.")
        while True:
            _drop_typed_ahead()
            words = self._read(f"{name}: press Enter ")
            if words is None:
                return False
            if not words:
                break
            print("  Press only Enter to lift the curtain.")
        self.in_hand = seat
        self._clear()
        since = next((i for i in range(len(self.match.steps) - 1, -1, -1) if self.match.steps[i][0] == seat), -1)
        self._tell(self.match.history()[since + 1 :])
        return True

    def _clear(self) -> None:
        """Clear the screen and the history of typed lines."""
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
        """Make one decision. Return False if the person leaves."""
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
                    _say("Type `help` to see the commands.", "  ")
                continue
            self.shown = before
            print()
            self._tell(steps)
            return True

    def _ask(self, name: str) -> str | None:
        """Return the next line typed, None at the end of the input or to leave."""
        return self._read(f"{name}> ")

    def _read(self, prompt: str) -> str | None:
        try:
            words = input(prompt if self.asked else "").strip()
            if self.begins:
                words, self.begins = door.without_mark(words).strip(), False
        except EOFError:
            if self.asked:
                print()
            return None
        if not self.asked:  # so that the output also shows the piped input
            print(f"{prompt}{words}")
        return None if words.lower() in ("quit", "exit", "q") else words

    def _command(self, words: str) -> bool:
        """Do a command that is not a move. Return False if `words` may be a move."""
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
                    _say(f"Name a clause: {', '.join(clauses(self.match.game))}.")
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
        """Take back the last decision and show the table. Raises CannotUndo."""
        step = self.match.undo()
        print(f"  Taken back: {self.match.game.text.format_action(step.before, step.action)}.")
        self._show()

    def _moves(self) -> None:
        legal = self.match.legal_actions()
        lines = [f"  {move}" for move in legal] if len(legal) <= MOST_MOVES else flow("  ", legal, _width(), "  ")
        print("\n".join(lines))

    def _tell(self, steps: Iterable[Step]) -> None:
        viewer = self._viewer()
        lines = [line for step in steps for line in self.match.game.scenes.tell(step, viewer, self.match.names)]
        for line in lines[-MOST_LINES:]:
            _say(output.line_text(line))

    # Keeping -----------------------------------------------------------------------------------
    def _save(self, name: str) -> None:
        if not name:
            print("  Add a file name: save FILE.")
            return
        if self._write(Path(name).expanduser()):
            print(f"  Saved to {name}.")

    def _write(self, file: Path) -> bool:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(file.name + ".part")  # a full disk must not cost the file that was there
            fresh.write_text(self.match.record().to_text(), "utf-8")
            fresh.replace(file)
        except OSError as error:
            print(f"  Can't write {file}: {error.strerror}.")
            return False
        return True

    def _keep(self) -> None:
        """Keep the game in the data folder, and say how to continue it."""
        from parlour.house.settings import data_dir

        if not any(actor >= 0 for actor, _, _ in self.match.steps):
            return
        name = f"{self.match.game.name}-{self.begun:%Y%m%d-%H%M%S}.txt"
        file = data_dir() / "records" / name
        if not self._write(file):
            return
        with suppress(OSError):  # the reader of a pipe may be gone; the game is kept
            print()
            if self.match.over:
                print(f"Saved to {file}. See `parlour replay FILE --log` and `parlour verify FILE`.")
            else:
                print(f"Saved. Continue with: parlour play {self.match.game.name} --resume {file}")


def _say(words: str, indent: str = "") -> None:
    """Print words. On a screen, wrap them; in a pipe, keep lines whole."""
    if sys.stdout.isatty():
        words = textwrap.fill(words, _width() - len(indent), break_on_hyphens=False)
    print(textwrap.indent(words, indent))


def _width() -> int:
    """Return the width to draw in: the terminal's, up to a legible length; 78 without a terminal."""
    return max(min(shutil.get_terminal_size().columns, WIDEST), NARROWEST) - 2


def _drop_typed_ahead() -> None:
    """Discard what was typed before the prompt appeared."""
    if sys.stdin.isatty():
        with suppress(ImportError, OSError):
            import termios

            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _hang_up_is_interrupt() -> None:
    """Make a closed terminal, or SIGTERM, end the game as Ctrl-C does, so that it is kept."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGHUP", "SIGTERM"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), interrupt)
