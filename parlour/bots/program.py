"""A bot that is a program: one JSON object a line on its standard streams (docs/write-a-bot.md has the protocol)."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import threading

from parlour.bots.own import Bot, BotFault, SeatView

PROTOCOL = 1
HELLO = 30.0  # seconds for a program to start and say hello: models take a while to load
MEMORY = 4 << 30  # bytes of address space, where the system can limit it
ANSWER = 1 << 16  # bytes of an answer's line
LAST = 2000  # bytes of its errors that are kept

# Runs first in the new process, then becomes the program: code between fork and exec could hang beside threads. The
# program ends with this process (Linux), and has so much memory.
LAUNCH = """
import os, sys
try:
    import ctypes
    ctypes.CDLL(None).prctl(1, 9)
except Exception:
    pass
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
except Exception:
    pass
try:
    os.execvp(sys.argv[2], sys.argv[2:])
except OSError as error:
    sys.exit(f"{sys.argv[2]}: {error.strerror}")
"""


class Program(Bot):
    """A bot that asks a program, which starts with the first decision and plays one game after the other.

    Its faults begin with a verb, as their sentence begins with the bot's name. After one, the program is ended, and
    started again for the next game.
    """

    def __init__(self, command: tuple[str, ...], name: str = "") -> None:
        self.command = command
        self.name = name or "program:" + shlex.join(command)
        self.plays: tuple[str, ...] = ()  # the games that it named in its hello
        self._process: subprocess.Popen[bytes] | None = None
        self._announced = False  # of this game
        self._errors = b""
        self._listener: threading.Thread | None = None
        self._talker: threading.Thread | None = None

    def new_game(self) -> None:
        """Announce a new game with the next question."""
        self._announced = False

    def choose(self, view: SeatView) -> int:
        """Return the program's answer to a position. Raises BotFault if it is late."""
        if self._process is None:
            self.hello()
        if self.plays and view.game.name not in self.plays:
            raise BotFault(f"does not play {view.game.name}, only {', '.join(self.plays)}.")
        lines = [] if self._announced else [_game(view)]
        self._announced = True
        answer = self._ask([*lines, question(view)], view.seconds)
        if "action" not in answer:
            self._end()
            raise BotFault(f'answered {short(answer)}, which has no "action".')
        action: int = answer["action"]  # type: ignore[assignment]
        return action

    def hello(self) -> None:
        """Start the program and hear which games it plays. Raises BotFault if it says no hello."""
        self._start()
        said = self._ask([{"type": "hello", "protocol": PROTOCOL}], HELLO)
        games = said.get("games", [])
        if said.get("type") != "hello" or not isinstance(games, list) or not all(isinstance(g, str) for g in games):
            self._end()
            raise BotFault(f'answered {short(said)} instead of {{"type": "hello", "games": [...]}}.')
        self.plays = tuple(games)

    def close(self) -> None:
        """End the program: its input ends, and a second later so does it."""
        process = self._process
        if process is not None:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                assert process.stdin is not None
                process.stdin.close()
                process.wait(1)
        self._end()

    def _start(self) -> None:
        given = [*self.command]
        if os.name == "posix":  # elsewhere a process cannot become another
            given = [sys.executable, "-I", "-S", "-c", LAUNCH, str(MEMORY), *given]
        try:
            self._process = subprocess.Popen(
                given, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise BotFault(f"cannot be started: {error.strerror}.") from None
        self._errors = b""
        self._listener = threading.Thread(target=self._listen, args=(self._process,), daemon=True)
        self._listener.start()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Read the errors of the program, as a full pipe would stop it; keep the last."""
        assert process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while part := os.read(process.stderr.fileno(), 4096):
                self._errors = (self._errors + part)[-LAST:]

    def _ask(self, messages: list[dict[str, object]], seconds: float) -> dict[str, object]:
        """Send messages, and return the object that answers them. Raises BotFault, and then ends the program."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        sent = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in messages).encode()
        if os.name == "posix" and select.select([process.stdout], [], [], 0)[0] and process.poll() is None:
            self._end()  # else each answer would be taken for that to the next question
            raise BotFault("wrote something before it was asked, or closed its output.")
        heard: list[bytes] = []
        into, out = process.stdin, process.stdout

        def talk() -> None:  # in a thread, as a program that does not read blocks the writer
            with contextlib.suppress(OSError, ValueError):
                into.write(sent)
                into.flush()
            with contextlib.suppress(OSError, ValueError):
                heard.append(_line(out.fileno()))

        talker = self._talker = threading.Thread(target=talk, daemon=True)
        try:
            talker.start()
            talker.join(seconds)
        except BaseException:  # Ctrl-C: half a question cannot be taken back
            self._end()
            raise
        if talker.is_alive():
            self._end()
            raise BotFault(f"gave no answer in {seconds:g} s.")
        line, newline, more = (heard[0] if heard else b"").partition(b"\n")
        if not newline:
            raise BotFault(self._ended(line))
        if more:
            self._end()
            raise BotFault(f"answered with more than one line: {short(more.decode('utf-8', 'replace').strip())}.")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._end()
            raise BotFault(f"answered {short(line.decode('utf-8', 'replace').strip())}, which is not a JSON object.")
        return answer

    def _ended(self, line: bytes) -> str:
        """Return how the program ended, or that its line is too long."""
        process = self._process
        assert process is not None
        if len(line) >= ANSWER:
            self._end()
            return f"answered a line of more than {ANSWER} bytes."
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
        status = process.poll()
        if self._listener is not None and status is not None:
            self._listener.join(1)
        words = self._errors.decode("utf-8", "replace").strip().splitlines()
        self._end()
        if status is None:
            return "closed its output."
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"ended ({how})" + (f": {short(words[-1])}" if words else ".")

    def _end(self) -> None:
        """End the program and all that it started, at once."""
        process, self._process = self._process, None
        self._announced = False
        if process is None:
            return
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        for thread in (self._talker, self._listener):
            if thread is not None:
                thread.join(1)
                if thread.is_alive():  # something that the program started holds its streams; closing them would wait
                    return
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()


def _line(file: int) -> bytes:
    """Read until there is a whole line, with what was written with it, or too much, or the output ends."""
    heard = b""
    while b"\n" not in heard and len(heard) < ANSWER and (part := os.read(file, ANSWER)):
        heard += part
    return heard


def _game(view: SeatView) -> dict[str, object]:
    """Return what a program is sent of a game before its first decision."""
    return {
        "type": "new_game",
        "game": view.game.name,
        "rules": view.game.rules.VERSION,
        "edition": view.edition,
        "options": view.options,
        "players": view.num_players,
        "seat": view.seat,
        "seconds": view.seconds,
    }


def question(view: SeatView) -> dict[str, object]:
    """Return what a program is sent of a position: all of it is known to the seat."""
    legal = view.legal_actions()
    return {
        "type": "choose",
        "observation": view.observation_dict()["fields"],
        "legal_actions": legal,
        "words": [view.action_to_string(one) for one in legal],
        "seat": view.seat,
        "seconds": view.seconds,
        "seed": view.seed,
    }


def short(value: object) -> str:
    """Return a value in words, cut to what a sentence can hold."""
    said = value if isinstance(value, str) else repr(value)
    return said if len(said) <= 120 else f"{said[:117]}..."
